"""A local socket over which messages go both ways: four bytes of length, then MessagePack. What is put in one turn of the loop is written
together, as it ends.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec
import trio
from trio.abc import Instrument
from trio.lowlevel import RunVar

HEAD = struct.Struct("!I")
CHUNK = 65_536
MOST_BYTES = 64 * 1024 * 1024
"""What may wait for an end that does not read, as one that stands still; beyond that it is gone."""
T = TypeVar("T")


class _Turns(Instrument):
    """What has something to write as a turn of the loop ends. A task of its own for that would come a turn later, and each turn costs as
    much as a message.
    """

    def __init__(self) -> None:
        self.writing: list[Callable[[], None]] = []

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio names it
        """See `trio.abc.Instrument`."""
        now, self.writing = self.writing, []
        for write in now:
            write()


_turns: RunVar[_Turns] = RunVar("_turns")


def _turns_of_this_loop() -> _Turns:
    try:
        return _turns.get()
    except LookupError:
        made = _Turns()
        trio.lowlevel.add_instrument(made)
        _turns.set(made)
        return made


class Wire(Generic[T]):
    """See the module. `read` decodes what comes; `put` may be called at any time within the loop, `run` once."""

    def __init__(self, stream: trio.SocketStream, read: Callable[[bytes], T]) -> None:
        self._stream = stream
        self._read = read
        self._encode = msgspec.msgpack.Encoder().encode
        self._unsent = bytearray()
        self._turns = _turns_of_this_loop()
        self._token = trio.lowlevel.current_trio_token()
        self._waits = False
        """It is written as the turn ends, or by the task that waits for an end that does not read."""
        self._stalled = trio.Event()
        self._scope = trio.CancelScope()

    def put(self, message: msgspec.Struct) -> None:
        """Send a message after those that wait."""
        if len(self._unsent) > MOST_BYTES:
            self.cut()
        if self._scope.cancel_called:
            return
        body = self._encode(message)
        self._unsent += HEAD.pack(len(body))
        self._unsent += body
        if not self._waits:
            self._waits = True
            self._turns.writing.append(self._flush)

    def _flush(self) -> None:
        """Write what the socket takes; for the rest a task waits. Wakes none itself, for the loop has decided by now how long it waits."""
        try:
            del self._unsent[: os.write(self._stream.socket.fileno(), self._unsent)]
        except BlockingIOError:
            pass
        except OSError:  # whoever reads notices
            self._unsent.clear()
        if self._unsent:
            self._token.run_sync_soon(self._stalled.set)
        else:
            self._waits = False

    def cut(self) -> None:
        """End it, with what waits."""
        self._unsent.clear()
        self._scope.cancel()

    async def run(self, take: Callable[[T], None]) -> None:
        """Send what is put, and hand over each message that comes, in order, until the other end is gone."""
        with self._scope:
            await self._run(take)

    async def _run(self, take: Callable[[T], None]) -> None:
        async with self._stream, trio.open_nursery() as nursery:
            nursery.start_soon(self._write)
            try:
                await self._receive(take)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                pass
            nursery.cancel_scope.cancel()

    async def _receive(self, take: Callable[[T], None]) -> None:
        data = bytearray()
        while part := await self._part():
            data += part
            at = 0
            while len(data) - at >= HEAD.size:
                end = at + HEAD.size + HEAD.unpack_from(data, at)[0]
                if len(data) < end:
                    break
                take(self._read(bytes(data[at + HEAD.size : end])))
                at = end
            del data[:at]

    async def _part(self) -> bytes:
        """What comes next, b"" at the end. Waits first: whoever reads at once is mostly told that nothing has come yet."""
        while True:
            await trio.lowlevel.wait_readable(self._stream.socket)
            try:
                return os.read(self._stream.socket.fileno(), CHUNK)
            except BlockingIOError:
                pass
            except OSError:
                return b""

    async def _write(self) -> None:
        """What an end does not take at once."""
        try:
            while True:
                await self._stalled.wait()
                self._stalled = trio.Event()
                while self._unsent:
                    now, self._unsent = self._unsent, bytearray()
                    await self._stream.send_all(now)
                self._waits = False
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # whoever reads notices
