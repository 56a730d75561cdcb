"""A node whose workers serve with the keeper of another node: it passes their wires on, and connections on to them.

It reads in the database which node has the keeper. When that is gone, says nothing for a lease, or is another's by now (who is cut off
from the database alone does not know), all wires are cut: its workers begin anew, with whichever keeper there is then; maybe this node's
own, which is waiting for the lease all the while.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path

import msgspec
import trio

from server.lobby.desk import AnyReply, AnyRequest, Failed
from server.net.desk import serve_desk
from server.net.standby import Why, stand_by
from server.net.workers.leading import BEATS, deliver
from server.net.workers.nodes import (
    KEY,
    KIND,
    LEAVES,
    STILL,
    Arrive,
    Call,
    Callers,
    Follow,
    Leads,
    NotOurs,
    Order,
    WireFor,
    call,
    exactly,
    receive,
    relay,
    send,
)
from server.settings import Settings
from server.storage import Storage, StorageError

log = logging.getLogger("apnap.net")

AGAIN_SECONDS = 0.25
"""After so long it is looked again who has the keeper."""


class Silent(Exception):
    """The node with the keeper has said nothing for a lease."""


class Another(Exception):
    """Another node has the keeper by now."""


class Following:
    """See the module. `listening` are the sockets for clients, `wire` that for the wires of our own workers, `calls` that for calls of
    other nodes; all of them stay open. `reading` makes a storage to read in; `folder` has the host's desk. `leaving`: this
    node is about to stop, which the one with the keeper is told. `spare` is told, as often as it is looked, whether our workers may
    have to begin anew soon; `ahead` when the node with the keeper has ended. `runs` tells of each of our workers whether it does.
    """

    def __init__(
        self,
        settings: Settings,
        reading: Callable[[], Storage],
        listening: list[socket.socket],
        wire: socket.socket,
        calls: socket.socket,
        paths: list[str],
        folder: Path,
        version: str,
        leaving: trio.Event,
        spare: Callable[[bool], object] = bool,
        ahead: Callable[[bool], object] = bool,
        runs: Callable[[int], bool] = lambda _: True,
    ) -> None:
        self._settings = settings
        self._lease = settings.store.lease_seconds
        self._reading = reading
        self._listening = listening
        self._wire = wire
        self._calls = calls
        self._paths = paths
        self._folder = folder
        self._version = version
        self._leaving = leaving
        self._spare = spare
        self._ahead = ahead
        self._runs = runs
        self._follows = False
        self._lost = -inf
        """When the line to the node with the keeper broke."""
        self._nobody = False
        """Nobody listens there any more."""

    @property
    def alone(self) -> bool:
        """Whether the node with the keeper has just ended, and not its keeper alone: its lease will not be renewed."""
        return self._nobody and trio.current_time() - self._lost < self._lease

    def soon(self, soon: bool) -> None:
        """Whether the lease of the node with the keeper seems to end. Workers that serve with it will begin anew only when it has, and
        are of use until then: it may come back. Those of a node that follows nobody have begun anew already.
        """
        self._spare(soon and self._follows)

    async def run(self, why: Why) -> None:
        """Until cancelled. While nobody is found that has the keeper, it is said on the port for clients why this node does not serve."""
        storage = self._reading()
        while True:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(stand_by, self._settings, why, self._listening)
                leads, node, stream = await self._found(storage)
                nursery.cancel_scope.cancel()
            since = trio.current_time()
            try:
                self._follows = True
                await self._follow(storage, leads, node, stream)
            except* (OSError, EOFError, trio.BrokenResourceError, Silent, Another) as lost:
                log.warning("the node at %s, which has the keeper, is gone: %s", leads.address, _first(lost))
            self._follows, self._lost = False, trio.current_time()
            if self._lost - since < AGAIN_SECONDS:
                await trio.sleep(AGAIN_SECONDS)

    async def _found(self, storage: Storage) -> tuple[Leads, int, trio.SocketStream]:
        """Who has the keeper, the number that this node has there, and a line to it."""
        said = ""
        while True:
            try:
                leads = await self._leads(storage)
                if leads is not None:
                    return leads, *await self._joined(storage, leads)
                why = "no node says that it has the keeper"
            except (OSError, StorageError, msgspec.MsgspecError) as fault:
                why = str(fault)
                self._nobody = isinstance(fault, OSError) and not isinstance(fault, NotOurs)
                if self.alone:
                    self._ahead(True)
            if why != said:
                log.info("this node stands by: %s", why)
                said = why
            await trio.sleep(AGAIN_SECONDS)

    async def _leads(self, storage: Storage) -> Leads | None:
        """Who has the keeper, as far as anybody says. Raises `StorageError`, msgspec.MsgspecError."""
        kept = await storage.get(KIND, KEY)
        return msgspec.msgpack.decode(kept, type=Leads) if kept else None

    async def _until_another(self, storage: Storage, leads: Leads) -> None:
        """Until another node has the keeper than that one, which may not know it yet, or stand still."""
        while True:
            await trio.sleep(AGAIN_SECONDS)
            with suppress(StorageError, msgspec.MsgspecError):
                if await self._leads(storage) not in (leads, None):
                    return

    async def _joined(self, storage: Storage, leads: Leads) -> tuple[int, trio.SocketStream]:
        """The number that this node has there, and a line to it, as long as it is the one with the keeper. Raises OSError, `NotOurs`."""
        store, made = self._settings.store, list[tuple[int, trio.SocketStream]]()
        lost: OSError = NotOurs(f"{leads.address} has the keeper no more")
        async with trio.open_nursery() as nursery:

            async def give_up() -> None:
                await self._until_another(storage, leads)
                nursery.cancel_scope.cancel()

            nursery.start_soon(give_up)
            try:
                stream = await self._call(leads, Follow(store.node, store.node_url))
                self._nobody = False
                made.append((await self._number(leads, stream), stream))
            except OSError as fault:
                lost = fault
            nursery.cancel_scope.cancel()
        if not made:
            raise lost
        return made[0]

    async def _number(self, leads: Leads, stream: trio.SocketStream) -> int:
        """Raises `NotOurs` where it is given none."""
        with trio.move_on_after(self._lease):
            try:
                return int.from_bytes(await exactly(stream, 4), "big")
            except (EOFError, trio.BrokenResourceError):
                pass
            except BaseException:
                await trio.aclose_forcefully(stream)
                raise
        await trio.aclose_forcefully(stream)
        raise NotOurs(
            f"{leads.address} lets no node serve at {self._settings.store.node} now: it ends, or there is one (--node)"
        )

    async def _call(self, leads: Leads, what: Call) -> trio.SocketStream:
        return await call(leads.address, leads.secret, self._version, what)

    async def _follow(self, storage: Storage, leads: Leads, node: int, stream: trio.SocketStream) -> None:
        """Serve with that node until it is gone. Raises OSError, EOFError, trio.BrokenResourceError, Silent, Another, in a group."""
        async with stream, trio.open_nursery() as nursery:
            log.info("this is node %d; the one at %s has the keeper", node, leads.address)

            async def pass_wire(ours: trio.SocketStream) -> None:
                try:
                    await relay(ours, await self._call(leads, WireFor(node)))
                except NotOurs as fault:
                    log.warning("a worker's wire is not taken: %s", fault)
                finally:
                    await trio.aclose_forcefully(ours)

            callers = Callers(leads.secret, self._version)

            async def take(theirs: trio.SocketStream) -> None:
                match await callers.called(theirs):
                    case Arrive(place) if place < len(self._paths):
                        await deliver(theirs, self._paths[place])
                    case _:
                        await trio.aclose_forcefully(theirs)

            for handler, sock in ((pass_wire, self._wire), (take, self._calls)):
                listener = trio.SocketListener(trio.socket.from_stdlib_socket(sock.dup()))
                nursery.start_soon(trio.serve_listeners, handler, [listener])
            nursery.start_soon(serve_desk, partial(self._order, leads), self._folder)
            nursery.start_soon(self._beat, stream)
            await self._until_another(storage, leads)
            raise Another("another node has it by now")

    async def _order(self, leads: Leads, request: AnyRequest) -> AnyReply:
        """What the node with the keeper says to an order of this node's host."""
        try:
            async with await self._call(leads, Order()) as stream:
                await send(stream, msgspec.json.encode(request))
                return msgspec.json.decode(await receive(stream), type=AnyReply)
        except (OSError, EOFError, trio.BrokenResourceError) as fault:
            return Failed(f"the node at {leads.address}, which has the keeper, does not say: {fault}")

    async def _beat(self, stream: trio.SocketStream) -> None:
        """Say that this node is there, and hear the same. Raises `Silent`, EOFError, trio.BrokenResourceError, in a group, as soon as the
        line breaks: later workers whose wires broke with it have begun anew, and would be sent away once more.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._say, stream)
            while True:
                with trio.move_on_after(self._lease) as heard:
                    await exactly(stream, 1)
                if heard.cancelled_caught:
                    raise Silent(f"nothing heard for {self._lease} s")

    async def _say(self, stream: trio.SocketStream) -> None:
        """Raises trio.BrokenResourceError."""
        while True:
            await stream.send_all(LEAVES if self._leaving.is_set() else self._still() or b".")
            with trio.move_on_after(self._lease / BEATS):
                await self._what_waits_for_no_beat()

    async def _what_waits_for_no_beat(self) -> None:
        """Until this node is about to stop, if it is not yet, or a worker does not run."""
        if self._leaving.is_set():
            await trio.sleep_forever()
        still = b""
        while not (still or self._leaving.is_set()):
            with trio.move_on_after(AGAIN_SECONDS):
                await self._leaving.wait()
            still = self._still()

    def _still(self) -> bytes:
        """What is said of the workers that do not run."""
        return bytes(STILL + place for place in range(self._settings.workers) if not self._runs(place))


def _first(lost: BaseException) -> BaseException:
    """What a group of groups is about."""
    return _first(lost.exceptions[0]) if isinstance(lost, BaseExceptionGroup) else lost
