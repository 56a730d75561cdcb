"""A worker's end of the wire: the others as its lobby knows them, and what does the writes of its storage: the keeper."""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import trio

from server.lobby import people
from server.lobby.others import News, RoomLine
from server.net.workers import messages as w
from server.net.workers.messages import node_of
from server.net.workers.wire import Wire
from server.storage import Conflict, NoSuchRoom, RoomExists, StorageError, StorageFault
from server.storage.writes import AnyWrite

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby

log = logging.getLogger("apnap.net")

ERRORS: dict[str, type[StorageError]] = {kind.__name__: kind for kind in (Conflict, NoSuchRoom, RoomExists)}
"""What a write raises; everything else is the disk's."""

PATIENCE_SECONDS = 3.0
"""So long is waited for a room to be taken up before the next is handed over."""
AGAIN_SECONDS = 1.0
"""After so long rooms are tried again that could not be taken up."""

_read = msgspec.msgpack.Decoder(w.FromKeeper).decode


class _Call:
    """Something that was asked of the keeper."""

    def __init__(self) -> None:
        self.answered = trio.Event()
        self.reply: w.Reply | None = None


class Link:
    """See the module. It is `server.lobby.others.Others` and `server.storage.writing.RemoteWriter`. `run` first; then a lobby is made with
    it and given by `serve`, after which `settled` waits until all workers do, and the rooms that it has are taken up.
    """

    def __init__(self, place: int) -> None:
        """`place` among the workers of its node."""
        self.place = self.number = place
        self.gaps: dict[str, Any] = {}
        self.fault = ""
        """What is wrong with the disk."""
        self._there: list[int] = []
        """The workers that serve."""
        self._wire: Wire[w.FromKeeper] | None = None
        self._calls: dict[int, _Call] = {}
        self._ids = 0
        self._begun = trio.Event()
        self.nodes = w.Nodes()
        """Where the nodes are reached."""
        self.on_nodes: Callable[[w.Nodes], None] = _nobody
        """Called with those that there are by now."""
        self._owners: dict[str, int] = {}
        self._lines: dict[str, RoomLine] = {}
        self._said: dict[str, RoomLine] = {}
        """What others have last been told of the rooms here."""
        self._adopting: dict[str, trio.Event] = {}
        """Rooms that are just being taken up."""
        self._asked: set[str] = set()
        """Those of them for which somebody waits, or has."""
        self._foreseen: set[str] = set()
        """Rooms of others that are prepared, or have been."""
        self._preparing = trio.CancelScope()
        self._parting: dict[str, trio.Event] = {}
        """Rooms that are handed over, until they are taken up."""
        self._give, self._given = trio.open_memory_channel[list[str]](math.inf)
        """Rooms that are to be taken up here, as soon as it serves."""
        self._lobby: Lobby | None = None
        self._nursery: trio.Nursery | None = None
        self.answer: Callable[[w.Asked], Any] = _nothing
        """What is said to what all workers are asked."""

    # --- life ---

    async def run(
        self, path: str, lost: Callable[[], None], *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Until the keeper is gone, when `lost` is called, before anything else is done: of what was to be written nobody knows whether
        it is. Begun when the keeper has said which rooms are to be taken up here.
        """
        stream = await trio.open_unix_socket(path)
        self._wire = wire = Wire(stream, _read)
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            wire.put(w.Began(self.place))

            async def begun() -> None:
                await self._begun.wait()
                task_status.started()

            nursery.start_soon(begun)
            await wire.run(self._take)
            lost()
            for call in self._calls.values():
                call.answered.set()
            nursery.cancel_scope.cancel()

    def serve(self, lobby: Lobby, answer: Callable[[w.Asked], Any]) -> None:
        """That is the lobby of this worker, and what answers what all are asked."""
        self._lobby, self.answer = lobby, answer

    def to_take_up(self) -> set[str]:
        """The rooms that are still to be taken up here."""
        return set(self._adopting)

    async def settled(self, nursery: trio.Nursery) -> None:
        """All workers that have begun together serve, and take up their rooms meanwhile: here in that nursery, no longer than the lobby
        lives that they are for.
        """
        nursery.start_soon(self._take_up_given)
        await self._call(lambda number: w.Settled(number))
        log.info("this worker serves; %d rooms are still to be taken up here", len(self._adopting))

    async def leave(self) -> bool:
        """This worker stops: no room comes to it any more. Whether there are others that stay."""
        try:
            return await self._call(lambda number: w.Leaving(number)) is not None
        except StorageFault:
            return False

    def could_give(self) -> bool:
        """See `Others`."""
        return any(number != self.number for number in self._there)

    @asynccontextmanager
    async def parting(self, room: str) -> AsyncIterator[None]:
        """See `Others`."""
        if (line := self._said.pop(room, None)) is not None:
            self._lines[room] = line  # who says hello here meanwhile has a seat there
        taken = self._parting[room] = trio.Event()
        self._put(w.Parting(room))
        try:
            yield
        finally:
            self._put(w.Left(room))
            with trio.move_on_after(PATIENCE_SECONDS):
                await taken.wait()
            del self._parting[room]

    def _take(self, message: w.FromKeeper) -> None:
        assert self._nursery is not None
        match message:
            case w.Reply():
                call = self._calls.pop(message.id, None)
                if call is not None:
                    call.reply = message
                    call.answered.set()
            case w.Line():
                self._lines[message.line.summary.id] = message.line
                self._is_taken_up(message.line.summary.id)
            case w.Owned():
                self._owned(message)
            case w.Changed():
                self._changed(message)
            case w.Adopt():
                self._prepare(self._foreseen - set(message.rooms))
                self._take_up(message.rooms)
            case w.Prepare():
                self._prepare(set(message.rooms))
            case w.Asked():
                self._nursery.start_soon(self._answer, message)
            case w.Tell():
                if self._lobby is not None:
                    self._lobby.told(message.news)
            case w.There():
                self._see(message.workers)
            case w.Fault():
                self.fault = message.words
            case w.Nodes():
                self.nodes = message
                self.on_nodes(message)
            case w.Begin():
                self.number, self._there = message.number, [message.number]
                self.nodes, self.fault = message.nodes, message.fault
                self.gaps.update(message.gaps)  # whoever was made before has these
                self._owners = message.owners
                self._lines = {line.summary.id: line for line in message.lines}
                self._take_up(message.rooms)
                self._begun.set()

    def _take_up(self, rooms: list[str]) -> None:
        """From now on who asks for one of them waits, until it is taken up."""
        self._adopting |= {room: trio.Event() for room in rooms}
        if rooms:
            self._give.send_nowait(rooms)

    def _prepare(self, rooms: set[str]) -> None:
        """From now on these are prepared, if they are not, and no others: what is taken up now waits for none of them."""
        self._preparing.cancel()
        self._preparing = trio.CancelScope()
        if self._lobby is not None and rooms | self._foreseen:
            assert self._nursery is not None
            self._nursery.start_soon(self._prepared, self._lobby, rooms, self._preparing)
        self._foreseen = rooms

    async def _prepared(self, lobby: Lobby, rooms: set[str], until: trio.CancelScope) -> None:
        with until:
            await lobby.prepare(rooms, set(self._adopting))

    async def _take_up_given(self) -> None:
        async with trio.open_nursery() as nursery:
            async for rooms in self._given:
                nursery.start_soon(self._adopt, rooms)

    def _see(self, there: list[int]) -> None:
        """Those serve now. Whoever is new among them knows nothing of the connections that are here."""
        new = set(there) - set(self._there)
        self._there = there
        if self._lobby is not None:
            self._lobby.peers.only(set(there) - {self.number}, tell=bool(new))

    def _owned(self, message: w.Owned) -> None:
        if message.worker == w.NOBODY:
            self._owners.pop(message.room, None)
            self._lines.pop(message.room, None)
            self._is_taken_up(message.room)
        else:
            self._owners[message.room] = message.worker

    def _is_taken_up(self, room: str) -> None:
        if (taken := self._parting.get(room)) is not None:
            taken.set()

    def _changed(self, message: w.Changed) -> None:
        if self._lobby is None:
            return
        if message.kind == people.KIND:
            self._lobby.people.changed(message.key, message.data, kept=message.kept)
        else:
            self._lobby.reception.accounts.changed(message.kind, message.key, message.data)

    async def _adopt(self, rooms: list[str]) -> None:
        assert self._lobby is not None
        begun = trio.current_time()
        try:
            taken = await self._taken(self._lobby, set(rooms))
            while not taken:
                await trio.sleep(AGAIN_SECONDS)
                taken = await self._taken(self._lobby, set(rooms))
            log.info("%d rooms are taken up here, in %.2f s", len(rooms), trio.current_time() - begun)
        finally:
            for room in rooms:
                self.here(room)

    async def _taken(self, lobby: Lobby, rooms: set[str]) -> bool:
        """Whether the rooms are taken up; those that the disk does not give now wait, and the others go on."""
        try:
            await lobby.take_up(rooms)
        except StorageError as fault:
            log.error("%d rooms cannot be taken up now: %s", len(rooms), fault)
            return False
        return True

    async def _answer(self, message: w.Asked) -> None:
        data = await self.answer(message)
        self._put(w.Answer(message.id, data))

    # --- calls ---

    def _put(self, message: msgspec.Struct) -> None:
        assert self._wire is not None
        self._wire.put(message)

    async def _call(self, made: Callable[[int], msgspec.Struct]) -> bytes | None:
        """The keeper's answer. Raises `StorageFault` when it is gone, and what a write raises."""
        self._ids += 1
        call = self._calls[self._ids] = _Call()
        self._put(made(self._ids))
        await call.answered.wait()
        if call.reply is None:
            raise StorageFault("the process that writes is gone")
        if call.reply.error:
            raise ERRORS.get(call.reply.error, StorageFault)(call.reply.words)
        return call.reply.data

    async def write(self, write: AnyWrite) -> bytes:
        """See `RemoteWriter`."""
        return await self._call(lambda number: w.Write(number, write)) or b""

    async def ask_all(self, what: w.What) -> list[bytes]:
        """What all workers say, this one too."""
        data = await self._call(lambda number: w.Ask(number, what))
        return msgspec.msgpack.decode(data or b"\x90", type=list[bytes])

    # --- Others ---

    @property
    def first(self) -> bool:
        """See `Others`."""
        return self.number == 0

    @property
    def all_here(self) -> bool:
        """See `Others`."""
        return False

    async def claim(self, line: RoomLine, /) -> None:
        """See `Others`."""
        room = line.summary.id
        if self._owners.get(room) == self.number:
            return  # it is being taken up, and nobody has been seated again
        self._said[room] = line
        await self._call(lambda number: w.Claim(number, line))

    def drop(self, room: str) -> None:
        """See `Others`."""
        self._said.pop(room, None)
        self._put(w.Drop(room))

    def publish(self, line: RoomLine, /) -> None:
        """See `Others`."""
        room = line.summary.id
        if room not in self._adopting and self._said.get(room) != line and self._owners.get(room) == self.number:
            self._said[room] = line
            self._put(w.Line(line))

    async def taken_up(self, room: str) -> None:
        """See `Others`."""
        if (adopted := self._adopting.get(room)) is not None:
            self._asked.add(room)
            await adopted.wait()

    def coming(self) -> set[str]:
        """See `Others`."""
        here = self._lobby.tables if self._lobby is not None else {}
        there = {room for room in self._owners if room not in here}
        return {room for room in there | self._adopting.keys() if room not in self._lines}

    def here(self, room: str) -> None:
        """See `Others`."""
        if (adopted := self._adopting.pop(room, None)) is None:
            return
        self._asked.discard(room)
        adopted.set()
        self._is_taken_up(room)  # maybe from here, where nobody else was left
        if self._lobby is not None and (table := self._lobby.tables.get(room)) is not None:
            self._lobby.publish(table)

    def asked(self) -> set[str]:
        """See `Others`."""
        return self._asked

    async def whose(self, room: str) -> int | None:
        """See `Others`."""
        found = int(await self._call(lambda number: w.Whose(number, room)) or b"-1")
        await self.taken_up(room)
        return None if found in (self.number, w.NOBODY) else found

    def for_new_room(self) -> int | None:
        """See `Others`."""
        count = {one: 0 for one in (*self._there, self.number) if node_of(one) == node_of(self.number)}
        for owner in self._owners.values():
            if owner in count:
                count[owner] += 1
        fewest = min(count.values())
        return None if count[self.number] == fewest else min(count, key=lambda one: (count[one], one))

    def lines(self) -> Iterable[RoomLine]:
        """See `Others`."""
        here = self._lobby.tables if self._lobby is not None else {}
        return [line for room, line in self._lines.items() if room not in here or room in self._adopting]

    async def known(self) -> set[str]:
        """See `Others`."""
        await self._call(lambda number: w.Whose(number, ""))  # what was told before the answer is known by then
        return set(self._owners) | set(self._adopting)

    @asynccontextmanager
    async def alone(self, what: str) -> AsyncIterator[None]:
        """See `Others`."""
        try:
            with trio.CancelScope(shield=True):
                await self._call(lambda number: w.Hold(number, what))
            yield
        finally:
            self._put(w.LetGo(what))

    def remember(self, kind: str, key: str, data: bytes) -> None:
        """See `Others`."""
        self._put(w.Remember(kind, key, data))

    async def recall(self, kind: str, key: str) -> bytes | None:
        """See `Others`."""
        return await self._call(lambda number: w.Recall(number, kind, key))

    async def issue(self, key: str, data: bytes) -> None:
        """See `Others`."""
        await self._call(lambda number: w.Issue(number, key, data))

    async def redeem(self, key: str) -> bytes | None:
        """See `Others`."""
        return await self._call(lambda number: w.Redeem(number, key))

    def tell(self, news: News) -> None:
        """See `Others`."""
        self._put(w.Tell(news))


async def _nothing(_: w.Asked) -> bytes:
    return b""


def _nobody(_: w.Nodes) -> None:
    pass
