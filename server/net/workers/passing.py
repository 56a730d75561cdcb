"""Connections that another node goes on with, as the worker sees them that has their lines: it passes on what comes and what goes out.

A line is passed on once, however often its client moves: whoever goes on with it and has to hand it over to a node gives it back to the
worker that has the line, which hands it over anew.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable

import msgspec
import trio

from server.net.line import Gone, Line
from server.net.workers.messages import node_of
from server.net.workers.moving import SECONDS, Moved, Passed
from server.net.workers.nodes import CHUNK, Far, Way, websocket_of

CLOSE_SECONDS = 2.0
"""How long a client may take to close its end after the other node has."""


class Onward(msgspec.Struct, frozen=True):
    """Where a connection goes: `passed` tells whose its client's line is, where it is passed on; `back`: it goes to that worker."""

    way: Way
    passed: Passed | None
    back: bool = False


class Ahead(msgspec.Struct, frozen=True):
    """The line over which another node goes on with a connection."""

    far: trio.SocketStream
    passed: Passed


class Returned(msgspec.Struct, frozen=True):
    """A connection that is given back, and what came of its client meanwhile."""

    moved: Moved
    more: bytes


class Ways:
    """The ways to other workers by `way_to`, of the worker of that `number`, and what it passes on to other nodes."""

    def __init__(self, way_to: Callable[[int], Way] = str, number: int = 0, send_seconds: float = 15.0) -> None:
        self._way_to = way_to
        self._number = number
        self._send_seconds = send_seconds
        self._passages: dict[str, tuple[int, _Passage]] = {}
        """Each with the node to which it leads."""

    def onward(self, worker: int, passed: Passed | None) -> Onward:
        """To that worker, with a connection that another one passes on or not (None)."""
        way = self._way_to(worker)
        if not isinstance(way, Far):
            return Onward(way, passed)
        if passed is not None:
            return Onward(self._way_to(passed.worker), passed, back=True)
        return Onward(way, Passed(self._number, node_of(worker), secrets.token_hex(16)))

    def url_of(self, worker: int) -> str:
        """Where clients open websockets at the node of that worker; "" where they cannot, or it is ours."""
        way = self._way_to(worker)
        return websocket_of(way.url) if isinstance(way, Far) and way.url else ""

    async def pass_on(self, line: Line, ahead: Ahead) -> Returned | None:
        """Until both ends have nothing more to say (None), or the connection is given back."""
        passage = _Passage(line, ahead.far, self._send_seconds)
        self._passages[ahead.passed.token] = ahead.passed.to, passage
        try:
            return await passage.run()
        finally:
            del self._passages[ahead.passed.token]

    async def given_back(self, stream: trio.SocketStream, moved: Moved) -> None:
        """Another node gives a connection back over that line, of which we have the client's."""
        assert moved.passed is not None
        async with stream:
            if (found := self._passages.get(moved.passed.token)) is not None:
                await found[1].come_back(stream, msgspec.structs.replace(moved, passed=None))

    def only(self, nodes: set[int]) -> None:
        """No other node serves any more: whatever leads there ends."""
        for node, passage in list(self._passages.values()):
            if node not in nodes:
                passage.cut()

    def is_ours(self, passed: Passed | None) -> bool:
        """Whether the line of a connection is one of ours."""
        return passed is not None and passed.worker == self._number


class _Passage:
    """One line that is passed on."""

    def __init__(self, line: Line, far: trio.SocketStream, send_seconds: float) -> None:
        self._line = line
        self._far = far
        self._send_seconds = send_seconds
        self._all = trio.CancelScope()
        self._reading = trio.CancelScope()
        self._moved: Moved | None = None
        self._more: bytes | None = None
        self._said = trio.Event()
        """All that its client said goes by another way, or all that the other node said has gone out."""

    async def run(self) -> Returned | None:
        """See `Ways.pass_on`."""
        try:
            with self._all:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._pump, self._there)
                    nursery.start_soon(self._pump, self._back)
        finally:
            await trio.aclose_forcefully(self._far)
        if self._moved is not None and self._more is not None and not self._line.closed:
            return Returned(self._moved, self._more)
        return None

    def cut(self) -> None:
        """End it at once."""
        self._line.close()
        self._all.cancel()

    async def come_back(self, stream: trio.SocketStream, moved: Moved) -> None:
        """The client's line is to be taken over anew: nothing more goes to the other node, which sends us what went there unread."""
        self._moved = moved
        self._reading.cancel()
        more = bytearray()
        with trio.move_on_after(SECONDS) as timeout:
            try:
                while data := await stream.receive_some(CHUNK):
                    more += data
                await self._said.wait()
            except trio.BrokenResourceError:
                self.cut()
                return
        if timeout.cancelled_caught:
            self.cut()
            return
        self._more = bytes(more)
        self._all.cancel()

    async def _pump(self, pump: Callable[[], Awaitable[None]]) -> None:
        try:
            await pump()
        except (Gone, trio.BrokenResourceError, trio.ClosedResourceError):
            self.cut()

    async def _there(self) -> None:
        while self._moved is None:
            data = b""
            with trio.CancelScope() as self._reading:  # what was read is sent on whole
                data = await self._line.receive()
            if not data:
                break
            await self._far.send_all(data)
        await self._far.send_eof()

    async def _back(self) -> None:
        while data := await self._far.receive_some(CHUNK):
            self._line.send(data)
            with trio.move_on_after(self._send_seconds) as timeout:
                await self._line.drain()
            if timeout.cancelled_caught:
                raise Gone
        self._said.set()
        if self._moved is None:
            self._line.end()
            self._all.deadline = trio.current_time() + CLOSE_SECONDS
        else:
            await trio.sleep_forever()
