"""The keeper: the process that writes for all workers, and knows whose each room is. It plays no game and has no connection of anybody's.

What a worker asked for before its end is written before its rooms are another's, so that no late write meets an early one.
"""

from __future__ import annotations

import logging
import math
import socket
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import trio

from server.lobby import accounts, desk, people, waiting
from server.lobby.others import RoomLine
from server.net.workers import messages as w
from server.net.workers.figures import Totals
from server.net.workers.heirs import Heirs
from server.net.workers.held import Held
from server.net.workers.question import Question
from server.net.workers.tickets import Tickets
from server.net.workers.wire import Wire
from server.net.workers.worker import Worker
from server.rooms.memory import read_clocks, write_clocks
from server.rooms.receipts import receipts_of
from server.rooms.recover import CLOCKS
from server.storage import StorageError, StorageFault
from server.storage.writes import AnyWrite, Delete, Put
from server.storage.writing import WritingStorage

log = logging.getLogger("apnap.net")

CACHED = {people.KIND, accounts.ACCOUNT, accounts.LINK}
"""Kinds of records that workers keep in memory."""
REMEMBERED = 2 * people.REMEMBERED
ANSWER_SECONDS = 5.0
"""How long a worker may take to answer what all are asked."""
READY_SECONDS = 1.0
"""The same where only those count that answer soon."""
SAID_SECONDS = 1.0
"""So long it holds what another node has said of a worker of its own that does not run."""
WATCH_SECONDS = 0.25
AGAIN_SECONDS = 1.0
"""After so long the disk is asked again what it did not say."""

_read = msgspec.msgpack.Decoder(w.FromWorker).decode


class Keeper:
    """See the module. `workers`: how many there are to be; `runs` tells of one of this node whether it does. `closing`: the server
    stops, and no room changes its worker any more.
    """

    def __init__(self, storage: WritingStorage, workers: int, runs: Callable[[int], bool] = lambda _: True) -> None:
        self.storage = storage
        self._runs_here = runs
        self._still: dict[int, float] = {}
        """When other nodes have last said that a worker of theirs does not run."""
        self._heirs = Heirs()
        self._there: list[int] = []
        self._fault = storage.fault
        self._nursery: trio.Nursery | None = None
        self.closing = False
        self._wanted = workers
        self._begun = False
        """All have begun, once."""
        self.settled = trio.Event()
        """Those that began together have taken up their rooms."""
        self._leaving: set[int] = set()
        """The first numbers of nodes that stop."""
        self._parting: set[str] = set()
        """Rooms that are being handed over, until they are another's; who asks for one waits."""
        self._nodes = w.Nodes()
        self._connected: set[Worker] = set()
        self._workers: dict[int, Worker] = {}
        self._ending: set[int] = set()
        """Numbers of workers that are no more, whose rooms are not others' yet."""
        self._next_of: dict[int, Worker] = {}
        """Who has come in their place."""
        self._owners: dict[str, int] = {}
        """Whose each room is; `NOBODY` while there is no worker for it."""
        self._lines: dict[str, RoomLine] = {}
        self.held = Held()
        self._memory: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._tickets = Tickets()
        self._lost: deque[tuple[Worker, w.Whose]] = deque()
        """Who asks for rooms that have no worker now."""
        self._questions: dict[int, Question] = {}
        self._totals = Totals()
        self._numbers = 0
        self._clocks: dict[str, Any] = {}

    # --- life ---

    async def run(self, listening: socket.socket) -> None:
        """Serve workers that come over that socket, until cancelled."""
        await receipts_of(self.storage)  # made once, for all
        noted = await self.storage.get(*CLOCKS)
        self._clocks = dict(read_clocks(noted)) if noted else {}
        self._owners = {record.room: w.NOBODY for record in await self.storage.rooms() if not record.finished}
        self._owners |= dict.fromkeys(await self.storage.all(waiting.KIND), w.NOBODY)
        listener = trio.SocketListener(trio.socket.from_stdlib_socket(listening))
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._watch)
            await trio.serve_listeners(self.serve, [listener], handler_nursery=nursery)

    async def _watch(self) -> None:
        while True:
            await trio.sleep(WATCH_SECONDS)
            self._look()
            self._foresee()

    def close(self) -> None:
        """The server stops: all workers stay for what they have, and none has anybody to hand a game over to."""
        self.closing = True
        self._look()

    def _look(self) -> None:
        """Tell the workers who of them serves, and what is wrong with the disk."""
        there = sorted(
            number
            for number, one in self._workers.items()
            if one.settles is not None and not one.leaving and self._runs(number) and not self.closing
        )
        if there != self._there:
            self._there = there
            self._tell_all(w.There(there))
        if self._fault != self.storage.fault:
            self._fault = self.storage.fault
            log.warning("what is to be written: %s", self._fault or "it is written again")
            self._tell_all(w.Fault(self._fault))

    def _foresee(self) -> None:
        """The rooms of workers that do not run may be others' soon, who have time for them now, if they serve."""
        if self.closing:
            return
        orphans = [room for room, owner in self._owners.items() if owner not in self._workers]
        still = {number for number in self._workers if not self._runs(number)}
        rooms = [room for room, owner in self._owners.items() if owner in still]
        for number, theirs in self._heirs.foresee(rooms, orphans, set(self._there) - still, self._owners).items():
            if (one := self._workers.get(number)) is not None:
                one.wire.put(w.Prepare(theirs))

    def _runs(self, number: int) -> bool:
        if w.node_of(number):
            return trio.current_time() - self._still.get(number, -math.inf) > SAID_SECONDS
        return self._runs_here(number)

    def stands_still(self, number: int) -> None:
        """Another node has just said that of a worker of its own."""
        self._still[number] = trio.current_time()

    def _tell_all(self, message: msgspec.Struct, but: Worker | None = None) -> None:
        for one in self._others(but):
            one.wire.put(message)

    async def serve(self, stream: trio.SocketStream, base: int = 0) -> None:
        """Serve a worker until its wire ends; those of its node are known by numbers from `base` on."""
        wire: Wire[w.FromWorker] = Wire(stream, _read)
        worker = Worker(base, wire)
        self._connected.add(worker)
        try:
            await wire.run(partial(self._take, worker))
            await worker.all_written()
            await self._ended(worker)
        finally:
            self._connected.discard(worker)

    def leaves(self, base: int) -> None:
        """All workers of a node are about to stop: none of them is to have the rooms of another."""
        self._leaving.add(base)
        for worker in self._connected:
            worker.leaving = worker.leaving or worker.base == base
        self._look()

    def cut(self, base: int) -> None:
        """End the wires of all workers of a node."""
        self._leaving.discard(base)
        for worker in self._connected:
            if worker.base == base:
                worker.wire.cut()

    def nodes(self) -> desk.Nodes:
        """The nodes, with how many workers and rooms each has."""
        workers = Counter(map(w.node_of, self._workers))
        rooms = Counter(w.node_of(owner) for owner in self._owners.values() if owner != w.NOBODY)
        addresses, urls = self._nodes.addresses or {0: ""}, self._nodes.urls
        rows = (desk.NodeRow(at, workers[n], rooms[n], not n, urls.get(n, "")) for n, at in sorted(addresses.items()))
        return desk.Nodes(tuple(rows))

    def tell_nodes(self, nodes: w.Nodes) -> None:
        """Where the nodes are reached by now."""
        self._nodes = nodes
        self._tell_all(nodes)

    async def _ended(self, worker: Worker) -> None:
        number = worker.number
        if self._workers.get(number) is not worker:
            if self._next_of.get(number) is worker:
                del self._next_of[number]
            return
        del self._workers[number]
        self._still.pop(number, None)
        self._ending.add(number)
        self._totals.ended(number)
        self.held.gone(worker)
        self._lost = deque(one for one in self._lost if one[0] is not worker)
        for question in list(self._questions.values()):
            question.answered(number, None)
        self._look()
        self._foresee()  # who comes in its place has prepared nothing
        if not self.closing:
            await self._bequeath(number)
        self._ending.discard(number)
        if (successor := self._next_of.pop(number, None)) is not None:
            self._begin(successor, number)

    async def _bequeath(self, number: int) -> None:
        """The rooms of a worker that is no more go to others."""
        mine = [room for room, owner in self._owners.items() if owner == number]
        if not mine:
            return
        log.warning("worker %d has ended; its %d rooms go to others", number, len(mine))
        self._parting.update(mine)
        await self._leave_to_others(number, mine)

    async def _leave_to_others(self, number: int, rooms: list[str]) -> None:
        """Rooms that a worker had are for others from now on."""
        begun = await self._begun_of(rooms)
        for room in rooms:
            if self._owners.get(room) != number:
                continue  # it ended while this was read
            if room not in begun:  # it had no game yet, or one that is over
                self._own(room, None)
            else:
                self._owners[room] = w.NOBODY
        self._give(self._orphans(), but=number)

    async def _begun_of(self, rooms: list[str]) -> set[str]:
        """Those of these rooms of which something is on disk that goes on. While the disk does not say, it is asked again."""
        while True:
            try:
                await self.storage.settle(rooms)
                begun = {record.room for record in await self.storage.rooms(rooms) if not record.finished}
                return begun | set(await self.storage.all(waiting.KIND)) & set(rooms)
            except StorageError as fault:
                log.error("it cannot be read which of %d rooms go on: %s", len(rooms), fault)
            await trio.sleep(AGAIN_SECONDS)

    def _take(self, worker: Worker, message: w.FromWorker) -> None:
        """Something has come from a worker. What is to be written is begun at once, in the order in which it came."""
        match message:
            case w.Began():
                self._begin(worker, worker.base + message.place)
            case w.Ask():
                assert self._nursery is not None
                self._nursery.start_soon(self._ask_for, worker, message)
            case w.Left():
                assert self._nursery is not None
                self._nursery.start_soon(self._left, worker, message.room)
            case w.Answer():
                if message.id in self._questions:
                    self._questions[message.id].answered(worker.number, message.data)
            case _:
                DOES[type(message)](self, worker, message)

    # --- who is there ---

    def _begin(self, worker: Worker, number: int) -> None:
        worker.number = number
        self._still.pop(number, None)  # that was said of whoever was there before
        worker.leaving = worker.base in self._leaving
        if number in self._ending or number in self._workers:
            self._next_of[number] = worker
            return
        self._workers[number] = worker
        if self._begun:
            self._welcome(worker, self._orphans())
        elif len(self._workers) == self._wanted:
            self._begun = True
            rooms, count = self._orphans(), self._wanted
            for place, one in enumerate(sorted(self._workers)):
                self._welcome(self._workers[one], rooms[place::count])

    def _welcome(self, worker: Worker, rooms: list[str]) -> None:
        for room in rooms:
            self._own(room, worker)
        owners = {room: owner for room, owner in self._owners.items() if owner != w.NOBODY}
        worker.wire.put(
            w.Begin(
                worker.number, rooms, self.storage.gaps, owners, list(self._lines.values()), self._nodes, self._fault
            )
        )

    def _settle(self, worker: Worker, message: w.Settled) -> None:
        worker.settles = message.id
        there = self._workers.values()
        if not self.settled.is_set() and (len(there) < self._wanted or any(one.settles is None for one in there)):
            return
        self.settled.set()
        for one in there:
            if one.settles:
                one.wire.put(w.Reply(one.settles))
                one.settles = 0
        self._there = []  # who is new hears of all
        self._look()

    # --- who goes ---

    def _leave(self, worker: Worker, message: w.Leaving) -> None:
        worker.leaving = True
        self._look()
        worker.wire.put(w.Reply(message.id, b"1" if self._there else None))

    def _part(self, worker: Worker, message: w.Parting) -> None:
        if self._owners.get(message.room) == worker.number:
            self._parting.add(message.room)

    async def _left(self, worker: Worker, room: str) -> None:
        await worker.all_written()
        if room in self._parting and self._owners.get(room) == worker.number and not self.closing:
            await self._leave_to_others(worker.number, [room])

    def _others(self, worker: Worker | None) -> list[Worker]:
        return [one for one in self._workers.values() if one is not worker]

    # --- whose rooms are ---

    def _orphans(self) -> list[str]:
        return [room for room, owner in self._owners.items() if owner == w.NOBODY]

    def _give(self, rooms: list[str], but: int = w.NOBODY) -> None:
        """Rooms without a worker are shared, as by `Heirs`; to one that does not serve yet or does not run, or to `but`, whose they were,
        they go only if there is no other."""
        self._look()
        able = {number for number, one in self._workers.items() if not one.leaving}
        others = able - {but}
        among = others & set(self._there) or {number for number in others if self._runs(number)} or others or able
        for number, theirs in self._heirs.share(rooms, among, self._owners).items():
            self._workers[number].wire.put(w.Adopt(theirs))
            for room in theirs:
                self._own(room, self._workers[number])

    def _own(self, room: str, worker: Worker | None) -> None:
        """A room has a worker, or is no more (None); everybody is told, and who asked for it."""
        self._parting.discard(room)
        if worker is None:
            self._owners.pop(room, None)
            self._lines.pop(room, None)
        else:
            self._owners[room] = worker.number
        self._tell_all(w.Owned(room, w.NOBODY if worker is None else worker.number))
        waiting_, self._lost = self._lost, deque()
        for asker, asked in waiting_:
            self._whose(asker, asked)

    def _claim(self, worker: Worker, message: w.Claim) -> None:
        self._own(message.line.summary.id, worker)
        self._line(worker, w.Line(message.line))
        worker.wire.put(w.Reply(message.id))

    def _drop(self, worker: Worker, message: w.Drop) -> None:
        if self._owners.get(message.room) == worker.number:
            self._own(message.room, None)

    def _whose(self, worker: Worker, message: w.Whose) -> None:
        owner = self._owners.get(message.room)
        if owner == w.NOBODY or message.room in self._parting:
            self._lost.append((worker, message))
        else:
            worker.wire.put(w.Reply(message.id, str(w.NOBODY if owner is None else owner).encode()))

    def _line(self, worker: Worker, message: w.Line) -> None:
        room = message.line.summary.id
        if self._owners.get(room) == worker.number:
            self._lines[room] = message.line
            self._tell_all(message, but=worker)

    def states(self) -> dict[str, str]:
        """Of each room that is some worker's, or is to be; "" while it is not taken up."""
        return {room: self._lines[room].summary.state if room in self._lines else "" for room in self._owners}

    # --- what is kept ---

    def _write(self, worker: Worker, message: w.Write) -> None:
        write = self._merged(worker, message.write)
        worker.unwritten.add(message.id)
        done = partial(self._written, worker, message.id, write)
        try:
            self.storage.begin(write, done)
        except StorageFault as fault:
            done(fault)

    def _written(self, worker: Worker, number: int, write: AnyWrite, came: bytes | BaseException) -> None:
        """What has come of a write: others are told what they keep in memory, in the order in which it was written."""
        worker.unwritten.discard(number)
        worker.written.set()
        worker.written = trio.Event()
        self._look()
        if not isinstance(came, bytes):
            if not isinstance(came, StorageError):
                log.error("a write failed", exc_info=came)
            kind = type(came) if isinstance(came, StorageError) else StorageFault
            worker.wire.put(w.Reply(number, error=kind.__name__, words=str(came)))
            return
        if isinstance(write, Put | Delete):
            self._memory.pop((write.kind, write.key), None)  # what is on disk counts, or that there is nothing any more
        if isinstance(write, Put | Delete) and write.kind in CACHED:
            changed = w.Changed(write.kind, write.key, write.data if isinstance(write, Put) else None)
            self._tell_all(changed, but=worker)
        worker.wire.put(w.Reply(number, came))

    def _merged(self, worker: Worker, write: AnyWrite) -> AnyWrite:
        """What a worker writes down of its clocks, with those of the others, for all are one record."""
        if not isinstance(write, Put) or (write.kind, write.key) != CLOCKS:
            return write
        mine = read_clocks(write.data)
        others = {room: clock for room, clock in self._clocks.items() if self._owners.get(room) != worker.number}
        self._clocks = {room: clock for room, clock in (others | mine).items() if room in self._owners}
        return Put(*CLOCKS, write_clocks(self._clocks))

    def _remember(self, worker: Worker, message: w.Remember) -> None:
        if message.kind in CACHED:
            self._tell_all(w.Changed(message.kind, message.key, message.data, kept=False), but=worker)
        self._memory[message.kind, message.key] = message.data
        while len(self._memory) > REMEMBERED:
            self._memory.popitem(last=False)

    def _recall(self, worker: Worker, message: w.Recall) -> None:
        worker.wire.put(w.Reply(message.id, self._memory.get((message.kind, message.key))))

    def _issue(self, worker: Worker, message: w.Issue) -> None:
        self._tickets.issue(message.key, message.data)
        worker.wire.put(w.Reply(message.id))

    def _redeem(self, worker: Worker, message: w.Redeem) -> None:
        worker.wire.put(w.Reply(message.id, self._tickets.redeem(message.key)))

    # --- all of them ---

    async def _ask_for(self, worker: Worker, message: w.Ask) -> None:
        answers = await self.ask(message.what)
        worker.wire.put(w.Reply(message.id, msgspec.msgpack.encode(answers)))

    async def ask(self, what: w.What, data: bytes = b"", of: int | None = None) -> list[bytes]:
        """What all workers say to that, or one of them, which has all the time it needs; of all, whoever takes too long says nothing."""
        asked = [one for one in self._workers.values() if of == one.number or (of is None and self._runs(one.number))]
        self._numbers += 1
        number, question = self._numbers, Question({one.number for one in asked})
        self._questions[number] = question
        try:
            for one in asked:
                one.wire.put(w.Asked(number, what, data))
            soon = READY_SECONDS if what == "unready" else ANSWER_SECONDS
            with trio.move_on_after(soon if of is None else math.inf):
                await question.done.wait()
        finally:
            del self._questions[number]
        if what == "figures":
            return self._totals.heard({n: said for n, said in question.answers.items() if n in self._workers})
        return list(question.answers.values())

    def worker_of(self, room: str) -> int:
        """The worker that has a room, or the first one."""
        owner = self._owners.get(room, w.NOBODY)
        return owner if owner in self._workers else min(self._workers, default=w.NOBODY)

    def _tell(self, worker: Worker, message: w.Tell) -> None:
        self._tell_all(message, but=worker)


DOES: dict[type, Callable[[Keeper, Worker, Any], None]] = {
    w.Write: Keeper._write,
    w.Settled: Keeper._settle,
    w.Leaving: Keeper._leave,
    w.Parting: Keeper._part,
    w.Claim: Keeper._claim,
    w.Drop: Keeper._drop,
    w.Line: Keeper._line,
    w.Whose: Keeper._whose,
    w.Hold: lambda keeper, worker, message: keeper.held.hold(worker, message),
    w.LetGo: lambda keeper, worker, message: keeper.held.let_go(worker, message),
    w.Remember: Keeper._remember,
    w.Recall: Keeper._recall,
    w.Issue: Keeper._issue,
    w.Redeem: Keeper._redeem,
    w.Tell: Keeper._tell,
}
"""What is done at once."""
