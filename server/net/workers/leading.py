"""The node that has the keeper: it takes calls of the other nodes, whose workers serve with its own.

A node that is not heard of for a lease, or ends, is dropped: what its workers asked for by then is written, and their rooms go to others.
Nothing else that it does counts, for whatever it wants written comes by a line that is cut.
"""

from __future__ import annotations

import logging
import secrets
import socket
from contextlib import suppress

import msgspec
import trio

from server.lobby.desk import AnyRequest
from server.net.desk import LONGEST
from server.net.workers.desk import answer_for_all
from server.net.workers.keeper import Keeper
from server.net.workers.messages import PER_NODE, Nodes
from server.net.workers.moving import SECONDS, Moved, hand_over
from server.net.workers.nodes import (
    KEY,
    KIND,
    LEAVES,
    PROOF,
    STILL,
    Arrive,
    Callers,
    Follow,
    Leads,
    Order,
    TakenOver,
    WireFor,
    arrived,
    call,
    receive,
    send,
)
from server.settings import Store
from server.storage.writing import WritingStorage

log = logging.getLogger("apnap.net")

BEATS = 4
"""How often a node says in a lease that it is there."""
TELL_SECONDS, SELDOM_SECONDS = 0.25, 30.0
"""After so long a node that could not be told something is told again: at first, and when that has been in vain for long."""


async def deliver(stream: trio.SocketStream, path: str) -> None:
    """A connection that comes from another node goes to the worker of that path, and its line with it. Neither is waited for longer than
    a client would wait.
    """
    moved: Moved | None = None
    why: object = "not in time"
    with trio.move_on_after(SECONDS):
        try:
            moved = await arrived(stream)
        except (trio.BrokenResourceError, EOFError, msgspec.MsgspecError) as fault:
            why = fault
    if moved is None:
        log.warning("a connection of another node came in part: %s", why)
        await trio.aclose_forcefully(stream)
        return
    sock = socket.socket(fileno=stream.socket.detach())
    try:
        with trio.move_on_after(SECONDS) as timeout:
            await hand_over(path, sock, moved)
        if timeout.cancelled_caught:  # whoever comes in the worker's place may take it yet
            log.warning("a connection of another node is not taken in time")
    except (OSError, trio.BrokenResourceError) as fault:
        log.warning("a connection of another node is not taken: %s", fault)
    finally:
        sock.close()


class Leading:
    """See the module. `store` says where this node is reached; `paths`: of its own workers."""

    def __init__(self, keeper: Keeper, storage: WritingStorage, store: Store, paths: list[str], version: str) -> None:
        self._keeper = keeper
        self._storage = storage
        self._paths = paths
        self._lease = store.lease_seconds
        self._secret = secrets.token_bytes(PROOF)
        self._addresses = {0: store.node}
        self._urls = {0: store.node_url} if store.node_url else {}
        self._last = 0
        self._refused: set[str] = set()
        """Addresses of which it was told that another node is there already."""
        self._version = version
        self._callers = Callers(self._secret, version)

    async def run(self, listening: socket.socket) -> None:
        """Take calls over that socket, until cancelled; before that it is said in the database who leads, and to whoever has led."""
        leads = Leads(self._addresses[0], self._secret)
        before = await self._storage.get(KIND, KEY)
        await self._storage.put(KIND, KEY, msgspec.msgpack.encode(leads))
        self._tell()
        async with trio.open_nursery() as nursery:
            if before is not None:
                nursery.start_soon(self._tell_before, before)
            await self._keeper.settled.wait()
            listener = trio.SocketListener(trio.socket.from_stdlib_socket(listening))
            await trio.serve_listeners(self._take, [listener])

    async def _tell_before(self, kept: bytes) -> None:
        """Whoever has led is told that it does no more: cut off from the database alone, it would learn it from nobody. It may be cut off
        from this node, too, for as long as that lasts: it is called again until it hears it, or serves with this one."""
        with suppress(msgspec.MsgspecError):
            before, pause = msgspec.msgpack.decode(kept, type=Leads), TELL_SECONDS
            while before.address not in self._addresses.values():
                with suppress(OSError):
                    stream = await call(before.address, before.secret, self._version, TakenOver())
                    await stream.aclose()
                    log.info("the node at %s, which had the keeper, is told that it is here now", before.address)
                    return
                await trio.sleep(pause)
                pause = min(2 * pause, SELDOM_SECONDS)

    def _tell(self) -> None:
        self._keeper.tell_nodes(Nodes(dict(self._addresses), self._secret, dict(self._urls)))

    async def _take(self, stream: trio.SocketStream) -> None:
        call = await self._callers.called(stream)
        try:
            match call:
                case Follow(address, url):
                    await self._follows(stream, address, url)
                case WireFor(node) if node in self._addresses:
                    await self._keeper.serve(stream, node * PER_NODE)
                case Arrive(place) if place < len(self._paths):
                    await deliver(stream, self._paths[place])
                case TakenOver():
                    self._storage.taken_over()
                    await stream.aclose()
                case Order():
                    request = msgspec.json.decode(await receive(stream, LONGEST), type=AnyRequest)
                    await send(stream, msgspec.json.encode(await answer_for_all(self._keeper, request)))
                    await stream.aclose()
                case _:
                    await trio.aclose_forcefully(stream)
        except Exception:
            log.exception("a line of another node failed")
            await trio.aclose_forcefully(stream)

    async def _follows(self, stream: trio.SocketStream, address: str, url: str) -> None:
        if address in self._addresses.values():
            # Connections would be passed on to whoever is reached there. One that is back sooner than it was missed tries again.
            if address not in self._refused:
                log.warning(
                    "another node would serve at %s, where one does: each needs an address of its own (--node)", address
                )
            self._refused.add(address)
            await stream.aclose()
            return
        self._refused.discard(address)
        self._last += 1
        node = self._last
        self._addresses[node] = address
        if url:
            self._urls[node] = url
        log.info("node %d at %s serves with this one", node, address)
        try:
            await stream.send_all(node.to_bytes(4, "big"))
            self._tell()
            while True:
                with trio.fail_after(self._lease):
                    said = await stream.receive_some()
                if not said:
                    break
                if LEAVES in said:
                    self._keeper.leaves(node * PER_NODE)
                for place in said:
                    if STILL <= place < STILL + PER_NODE:
                        self._keeper.stands_still(node * PER_NODE + place - STILL)
                await stream.send_all(b".")
        except (trio.BrokenResourceError, trio.TooSlowError):
            pass
        finally:
            del self._addresses[node]
            self._urls.pop(node, None)
            self._tell()
            self._keeper.cut(node * PER_NODE)
            log.warning("node %d at %s serves no more", node, address)
            with suppress(trio.BrokenResourceError):
                await trio.aclose_forcefully(stream)
