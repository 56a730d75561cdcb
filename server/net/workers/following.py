"""A node whose workers serve with the keeper of another node: it passes their wires on, and connections on to them.

It reads in the database which node has the keeper. When that is gone, or says nothing for a lease, all wires are cut: its workers
begin anew, with whichever keeper there is then; maybe this node's own, which is waiting for the lease all the while.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
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


class Following:
    """See the module. `listening` are the sockets for clients, `wire` that for the wires of our own workers, `calls` that for calls of
    other nodes; all of them stay open. `reading` makes a storage to read in; `folder` has the host's desk. `leaving`: this
    node is about to stop, which the one with the keeper is told. `spare` is told, as often as it is looked, whether our workers may
    have to begin anew soon; `ahead` when the node with the keeper has ended.
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
                await self._follow(leads, node, stream)
            except* (OSError, EOFError, trio.BrokenResourceError, Silent) as lost:
                log.warning("the node at %s, which has the keeper, is gone: %s", leads.address, _first(lost))
            self._follows, self._lost = False, trio.current_time()
            if self._lost - since < AGAIN_SECONDS:
                await trio.sleep(AGAIN_SECONDS)

    async def _found(self, storage: Storage) -> tuple[Leads, int, trio.SocketStream]:
        """Who has the keeper, the number that this node has there, and a line to it."""
        said, store = "", self._settings.store
        while True:
            try:
                kept = await storage.get(KIND, KEY)
                if kept:
                    leads = msgspec.msgpack.decode(kept, type=Leads)
                    stream = await self._call(leads, Follow(store.node, store.node_url))
                    self._nobody = False
                    return leads, await self._number(leads, stream), stream
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

    async def _follow(self, leads: Leads, node: int, stream: trio.SocketStream) -> None:
        """Serve with that node until it is gone. Raises OSError, EOFError, trio.BrokenResourceError, Silent, in a group."""
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
            await self._beat(stream)

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
            await stream.send_all(LEAVES if self._leaving.is_set() else b".")
            if self._leaving.is_set():
                await trio.sleep(self._lease / BEATS)
            else:
                with trio.move_on_after(self._lease / BEATS):
                    await self._leaving.wait()


def _first(lost: BaseException) -> BaseException:
    """What a group of groups is about."""
    return _first(lost.exceptions[0]) if isinstance(lost, BaseExceptionGroup) else lost
