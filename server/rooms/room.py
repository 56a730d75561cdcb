"""One room: one game and its only writer.

`run` is a task of a nursery. It takes messages from a bounded inbox, one after the other; whatever changes the game goes
first to the journal, then to the viewers. Everything that can be said at once without changing the game (a whole view)
is said from the state that is on disk, by plain synchronous calls.

A defect (any exception that is no refusal) freezes this room: its players are told, its journal is kept, and every
message is refused from then on. A disk that does not take the journal is no defect: what was sent is refused, nothing
has changed.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from math import ceil, inf
from typing import TypeAlias

import trio
from msgspec.structs import replace

from protocol.messages import (
    AnswerMessage,
    ClientMessage,
    Concede,
    Ok,
    Pass,
    Refused,
    ServerMessage,
    Stops,
    Sync,
)
from protocol.patch import Tree
from protocol.refusals import Code, Refusal
from protocol.view import Result
from protocol.words import say
from server.metrics import ANSWERS, DECISION_SECONDS, JOURNAL_SECONDS, PATCH_SECONDS
from server.rooms.events import Scene
from server.rooms.game import RULES, Game
from server.rooms.knowledge import Viewer
from server.rooms.memory import Clock, Memory, write_memory
from server.rooms.outbox import Outbox
from server.rooms.passes import Standing
from server.rooms.questions import check_kind, number_of, question_id, read_answer
from server.rooms.replay import Turned
from server.rooms.seats import Answers, Roster, Seeing
from server.rooms.tell import By, Teller
from server.rules.errors import Illegal
from server.rules.questions import AnyAnswer, PriorityQuestion, Take
from server.rules.state import State
from server.storage import (
    Answered,
    AnyEntry,
    Check,
    Conceded,
    Ended,
    Instructed,
    Passed,
    Setup,
    Snapshot,
    Storage,
    StorageFault,
    Upgraded,
)

RoomMessage: TypeAlias = AnswerMessage | Concede | Stops | Pass | Sync
log = logging.getLogger("apnap.rooms")

INBOX = 64
"""Messages that may wait for a room."""
BATCH = 64
"""Standing passes that are played before the journal is written and the viewers are told."""
CHECK_EVERY = 100
"""Inputs between two hashes of the state in the journal."""
SNAPSHOT_EVERY = 200
"""Inputs between two snapshots: at most so many are played again at a restart."""
RETRY_S = 1.0
"""Seconds until what the room does of itself is tried again on a disk that does not take it."""


class Room:
    """See the module. `over` is set once the game has a result; `frozen` is true after a defect; `on_change` is called when
    either comes about.
    """

    def __init__(self, setup: Setup, storage: Storage, game: Game = RULES) -> None:
        self.setup = setup
        self.id = setup.room
        self.chance = hashlib.sha256(setup.rules.seed.encode()).hexdigest()
        self.over = trio.Event()
        self.on_change: Callable[[], None] | None = None
        self.frozen = False
        self.result: Result | None = None
        self.state_hash = ""
        self._storage = storage
        self._game = game
        self._state: State | None = None
        self._seq = 0
        self._inputs = 0
        self._kept = 0
        self._written = False
        self._why_frozen = "notice.frozen"
        self._instructed: list[Instructed] = []
        self._news: dict[Viewer, str] = {}
        self._standing = [Standing(seat) for seat in range(len(setup.seats))]
        self._answers = Answers(len(setup.seats))
        self._roster = Roster(len(setup.seats))
        self._teller = Teller(game, setup)
        self._viewers: dict[str, Seeing] = {}
        self._deadline = inf
        self._timed = -1
        self._clock_before: Clock | None = None
        send, receive = trio.open_memory_channel[tuple[str, RoomMessage]](INBOX)
        self._inbox_send = send
        self._inbox = receive

    # --- the face to lobby and net ---

    @property
    def state(self) -> State | None:
        """The state that is on disk and shown; None before the deal."""
        return self._state

    @property
    def seq(self) -> int:
        """The number of the journal's last entry."""
        return self._seq

    def view(self, viewer: Viewer) -> Tree:
        """The view of a seat (None: of a spectator) as it is now. Never change it."""
        return self._teller.tree(viewer)

    def attach(
        self,
        key: str,
        outbox: Outbox,
        *,
        seat: Viewer = None,
        known: set[str] | None = None,
        digests: bool = False,
        lang: str = "en",
        epoch: int = 0,
        seq: int = 0,
    ) -> None:
        """Someone looks on, under a key that the caller chooses: from a seat, or as a spectator (None).

        `known` are the hashes of faces that the connection has; it is kept up to date. (`epoch`, `seq`) is the last view
        or patch seen earlier. A whole view goes out at once, or with the deal.
        """
        viewer = Seeing(key, outbox, seat, set() if known is None else known, digests=digests, lang=lang)
        self._viewers[key] = viewer
        outbox.on_drained = lambda lost: self._drained(viewer, lost.first, lost.faces)
        if self._state is not None:
            viewer.position = self._teller.position(epoch, seq)
            self._whole(viewer)
            if seat in self._news:
                self._teller.notice(viewer, self._news.pop(seat))
        if self.frozen:
            self._teller.notice(viewer, self._why_frozen)

    def detach(self, key: str) -> None:
        """That viewer is gone. Its seat goes on being asked."""
        self._viewers.pop(key, None)

    def leave_stops(self, seat: int, stops: Stops) -> None:
        """Leave a seat's stops with the room before it runs, so that no question depends on when they came."""
        self._standing[seat].set_stops(stops)
        self._instructed.append(Instructed(seq=0, at=_now(), seat=seat, message=_plain(stops)))

    async def rest(self) -> None:
        """Keep a snapshot of the game as it is now, so that the next start of the server need not play any of it, whatever
        its rules. A disk that does not take it is logged: the journal has the game all the same.
        """
        if self.frozen or self._state is None or self._state.result is not None or self._kept == self._inputs:
            return
        try:
            await self._storage.append(self.id, [], self._snapshot(self._state))
        except StorageFault as fault:
            log.error("room %s: its snapshot cannot be written: %s", self.id, fault)

    async def submit(self, key: str, message: ClientMessage) -> None:
        """Hand a message to the room; the reply comes by the viewer's outbox. Raises `Refusal`: not_in_room, busy, or
        not_in_room for a message that is none of the room's.
        """
        await trio.lowlevel.checkpoint()
        if key not in self._viewers:
            raise Refusal(Code.NOT_IN_ROOM)
        if not isinstance(message, AnswerMessage | Concede | Stops | Pass | Sync):
            raise Refusal(Code.UNKNOWN_MESSAGE)
        try:
            self._inbox_send.send_nowait((key, message))
        except trio.WouldBlock:
            raise Refusal(Code.BUSY) from None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Deal (unless the game was restored), then play until cancelled. Started once the deal is on disk.

        Raises before it has started what keeps the game from being dealt; afterwards it raises for nothing.
        """
        await self._begin()
        task_status.started()
        while True:
            item: tuple[str, RoomMessage] | None = None
            passing = self._is_passing()
            try:
                if passing:
                    item = self._inbox.receive_nowait()
                else:
                    with trio.move_on_at(self._deadline):
                        item = await self._inbox.receive()
            except trio.WouldBlock:
                pass  # nobody wants anything: on with the passes
            try:
                if item is not None:
                    await self._take(*item)
                elif passing:
                    await self._pass_on()
                else:
                    await self._timeout()
            except Exception:
                self._freeze()
                if item is not None:
                    self._reply(
                        item[0], Refused(re=item[1].id, code=Code.FROZEN, sentence=Refusal(Code.FROZEN).sentence)
                    )

    # --- beginnings ---

    def recall(self, memory: Memory) -> None:
        """Take up what the room remembered at a snapshot. Before `take_in`."""
        self._inputs = self._kept = memory.inputs
        self._answers.recall(memory.answers)
        self._roster.departures.extend(memory.departures)
        self._teller.recall(memory.lines, memory.end)
        for standing, kept in zip(self._standing, memory.standing, strict=True):
            standing.recall(kept)

    def take_in(self, turns: Iterable[Turned]) -> None:
        """Take in a part of the replayed journal; ends with `restored` or `freeze`."""
        for turned in turns:
            self._observe(turned)
            self._state = turned.after
            if isinstance(turned.entry, Instructed):
                self._standing[turned.entry.seat].take(turned.entry.message, turned.after)
            elif turned.entry is not None:
                self._note_standing(turned)
                self._inputs += 1

    def restored(self, seq: int, news: str = "") -> None:
        """The journal, whose last entry has the number `seq`, is played to its end. `news` is the key of what each seat is
        to be told when it comes.
        """
        self._written = True
        self._seq = seq
        self._news = dict.fromkeys((*range(len(self.setup.seats)), None), news) if news else {}
        if self._state is not None:
            self._teller.update(self._state, self._result_of(self._state), seq)
            self._teller.taken_up(time.time(), seq)
            self._finish(self._state)

    async def upgraded(self, seq: int, base: int, news: str = "") -> None:
        """The journal is played as far as the entry `base`, under other rules than before, and goes on from there after its
        last entry, `seq`. Raises `StorageFault`, and what the rules raise for a state that they cannot go on from.
        """
        assert self._state is not None
        self._state = self._game.ask_again(self._state)
        hash_ = self._game.fingerprint(self._state)
        self._seq = seq + 1
        entry = Upgraded(seq=self._seq, at=_now(), base=base, version=self._game.version, hash=hash_)
        kept = replace(self._snapshot(self._state), base=True)
        await self._storage.append(self.id, [entry], kept)
        log.warning("room %s goes on by the rules %s", self.id, self._game.version)
        self.restored(self._seq, news)

    def freeze(self, why: str = "notice.frozen") -> None:
        """Keep the room from playing: its journal cannot be taken up. `why` is the key of what is said of it."""
        self._written = True
        self.frozen = True
        self._why_frozen = why
        self._state = None

    async def _begin(self) -> None:
        if self._state is None and not self.frozen:
            state, events = self._game.start(self.setup)
            if not self._written:
                await self._storage.create(self.setup, self._numbered(self._instructed))
            self._written = True
            self._seq = len(self._instructed)
            # The journal has begun: nothing more may fail now, so standing passes wait for the loop.
            await self._advance([Turned(None, state, state, events)], passing=False)
        elif self._state is not None:
            self._set_deadline(self._state)
            self._tell_all()

    def _snapshot(self, state: State) -> Snapshot:
        """The game and what the room remembers, after the journal's last entry."""
        memory = Memory(
            inputs=self._inputs,
            answers=self._answers.remembered(),
            standing=[standing.remembered() for standing in self._standing],
            departures=self._roster.departures,
            lines=self._teller.last_lines(),
            end=self._teller.log_end,
        )
        return Snapshot(
            seq=self._seq,
            version=self._game.version,
            hash=self._game.fingerprint(state),
            state=self._game.write(self.setup, state),
            room=write_memory(memory),
        )

    # --- messages ---

    async def _take(self, key: str, message: RoomMessage) -> None:
        """One message from the inbox."""
        viewer = self._viewers.get(key)
        if viewer is None:
            return
        try:
            if self.frozen:
                raise Refusal(Code.FROZEN)
            match message:
                case AnswerMessage():
                    await self._answer(viewer, message)
                case Concede():
                    await self._concede(viewer, message)
                case Stops() | Pass():
                    await self._leave_passes(viewer, message)
                case Sync():
                    viewer.known.clear()
                    self._whole(viewer, re=message.id)
        except Refusal as no:
            viewer.outbox.put(Refused(re=message.id, code=no.code, sentence=no.sentence, rule=no.rule, path=no.path))
        except Illegal as no:
            rule = self._state.edition.number(no.rule) if self._state is not None and no.rule else no.rule
            viewer.outbox.put(Refused(re=message.id, code=no.code, sentence=no.sentence, rule=rule))
        except StorageFault as fault:
            log.error("room %s: the journal cannot be written: %s", self.id, fault)
            sentence = say("notice.unwritten", viewer.lang)
            viewer.outbox.put(Refused(re=message.id, code=Code.BUSY, sentence=sentence))

    async def _answer(self, viewer: Seeing, message: AnswerMessage) -> None:
        state, seat = self._seated(viewer)
        answer = read_answer(message.answer)
        number = number_of(message.question)
        pending = state.pending
        if pending is None or number != pending.number:
            if number is not None and self._answers.same(seat, number, answer):
                viewer.outbox.put(Ok(re=message.id, again=True))
                return
            if state.result is not None:
                raise Refusal(Code.GAME_OVER)
            asked = number is not None and self._answers.was_asked(seat, number)
            raise Refusal(Code.STALE if asked else Code.NOT_YOUR_QUESTION)
        if pending.seat != seat:
            raise Refusal(Code.NOT_YOUR_QUESTION)
        check_kind(pending, answer)
        await self._play(seat, answer, "seat", viewer, message.id)

    async def _concede(self, viewer: Seeing, message: Concede) -> None:
        state, seat = self._seated(viewer)
        if state.players[seat].lost:
            viewer.outbox.put(Ok(re=message.id, again=True))
            return
        if state.result is not None:
            raise Refusal(Code.GAME_OVER)
        after, events = self._game.concede(state, seat)
        entry = Conceded(seq=0, at=_now(), seat=seat)
        await self._advance([Turned(entry, state, after, events)], viewer, message.id, "concession")

    async def _leave_passes(self, viewer: Seeing, message: Stops | Pass) -> None:
        state, seat = self._seated(viewer)
        await self._write([Instructed(seq=0, at=_now(), seat=seat, message=_plain(message))])
        self._standing[seat].take(message, state)
        viewer.outbox.put(Ok(re=message.id))

    def _seated(self, viewer: Seeing) -> tuple[State, int]:
        if self._state is None:
            raise Refusal(Code.NO_GAME)
        if viewer.seat is None:
            raise Refusal(Code.NOT_SEATED)
        return self._state, viewer.seat

    # --- the game goes on ---

    async def _play(self, seat: int, answer: AnyAnswer, by: By, viewer: Seeing | None = None, re: str = "") -> None:
        """Play one answer to the open question. Raises `Illegal`, `StorageFault`; then nothing has changed."""
        state = self._state
        assert state is not None and state.pending is not None
        turned = self._submit(state, seat, answer, by)
        await self._advance([turned], viewer, re, "timeout" if by == "clock" else "answered")

    async def _timeout(self) -> None:
        """The clock of the open question is at zero: its default is answered."""
        state = self._state
        if state is None or state.pending is None or self.frozen or trio.current_time() < self._deadline:
            return
        self._deadline = inf
        try:
            await self._play(state.pending.seat, self._game.default(state, state.pending), "clock")
        except StorageFault as fault:
            log.error("room %s: the journal cannot be written: %s", self.id, fault)
            self._deadline = trio.current_time() + RETRY_S

    def _is_passing(self) -> bool:
        """Whether there is a question that a standing pass answers."""
        return not self.frozen and self._state is not None and self._passing(self._state) is not None

    async def _pass_on(self) -> None:
        """Answer a batch of what standing passes answer."""
        try:
            await self._advance([], why="pass")
        except StorageFault as fault:
            log.error("room %s: the journal cannot be written: %s", self.id, fault)
            await trio.sleep(RETRY_S)

    async def _advance(
        self, turns: list[Turned], viewer: Seeing | None = None, re: str = "", why: str = "", *, passing: bool = True
    ) -> None:
        """Play on with what these turns came to: run the standing passes that follow, write it all down, then make it
        the state, reply, and tell everyone. `why` is what closes the question that was open. Raises `StorageFault`.
        """
        kept = None
        if self._state is not None and self._inputs - self._kept >= SNAPSHOT_EVERY:
            # What is on disk already is what a snapshot may hold: of what comes now the disk has yet to say.
            kept = self._snapshot(self._state)
        if passing:
            self._run_passes(turns)
        after = turns[-1].after
        entries = self._entries(turns, after)
        if entries:
            with JOURNAL_SECONDS.time():
                await self._storage.append(self.id, entries, kept)
            self._kept = self._inputs if kept is not None else self._kept
        self._state = after
        self._seq += len(entries)
        self._inputs += len(turns)
        for turned in turns:
            self._observe(turned)
        self._teller.update(after, self._result_of(after), self._seq)
        self._set_deadline(after)
        if viewer is not None:
            if why == "answered":
                viewer.question = ""
            viewer.outbox.put(Ok(re=re))
        with PATCH_SECONDS.time():
            self._tell_all(why)
        self._finish(after)

    async def _write(self, entries: Sequence[AnyEntry]) -> None:
        """Write down what changes no state. Raises `StorageFault`."""
        if entries:
            await self._storage.append(self.id, self._numbered(entries))
            self._seq += len(entries)

    def _numbered(self, entries: Sequence[AnyEntry]) -> list[AnyEntry]:
        return [replace(entry, seq=self._seq + number) for number, entry in enumerate(entries, 1)]

    def _run_passes(self, turns: list[Turned]) -> None:
        """Add up to `BATCH` turns of standing passes, played in memory."""
        if turns:
            self._note_standing(turns[-1])
        state = turns[-1].after if turns else self._state
        for _ in range(BATCH):
            seat = None if state is None else self._passing(state)
            if state is None or seat is None:
                return
            turns.append(self._submit(state, seat, Take(0), "pass"))
            self._note_standing(turns[-1])
            state = turns[-1].after

    def _submit(self, state: State, seat: int, answer: AnyAnswer, by: By) -> Turned:
        """Play an answer in memory."""
        assert state.pending is not None
        with DECISION_SECONDS.time():
            after, events = self._game.submit(state, seat, answer)
        ANSWERS.labels(by).inc()
        number = state.pending.number
        entry: AnyEntry
        if by == "pass":
            entry = Passed(seq=0, question=number)
        else:
            entry = Answered(seq=0, at=_now(), seat=seat, question=number, answer=answer, by=by)
        return Turned(entry, state, after, events)

    def _passing(self, state: State) -> int | None:
        """The seat for which the room passes now, None if somebody has to be asked."""
        pending = state.pending
        if isinstance(pending, PriorityQuestion) and self._standing[pending.seat].passes(state, pending):
            return pending.seat
        return None

    def _note_standing(self, turned: Turned) -> None:
        for standing in self._standing:
            standing.note(turned.before, turned.after, turned.events)
        pending = turned.after.pending
        if pending is not None:
            self._standing[pending.seat].asked(pending)

    def _entries(self, turns: list[Turned], after: State) -> list[AnyEntry]:
        """What is written of these turns: passes in a row as one entry; the state's hash at the end, and now and then."""
        entries: list[AnyEntry] = []
        for turned in turns:
            entry, last = turned.entry, entries[-1] if entries else None
            if isinstance(entry, Passed) and isinstance(last, Passed):
                entries[-1] = replace(last, number=last.number + 1)
            elif entry is not None:
                entries.append(entry)
        if after.result is not None:
            result = after.result
            hash_ = self._game.fingerprint(after)
            entries.append(Ended(seq=0, at=_now(), winners=result.winners, why=result.why, hash=hash_))
        elif entries and (self._inputs + len(turns)) // CHECK_EVERY > self._inputs // CHECK_EVERY:
            entries.append(Check(seq=0, at=_now(), hash=self._game.fingerprint(after)))
        return self._numbered(entries)

    def _observe(self, turned: Turned) -> None:
        """Take into log, answers and roster what one entry came to."""
        entry, pending = turned.entry, turned.before.pending
        if isinstance(entry, Answered):
            self._answers.put(entry.seat, entry.question, entry.answer if entry.by == "seat" else None)
        elif isinstance(entry, Passed) and pending is not None:
            self._answers.put(pending.seat, pending.number, None)
        elif isinstance(entry, Conceded) and pending is not None:
            if turned.after.pending is None or turned.after.pending.number != pending.number:
                self._answers.put(pending.seat, pending.number, None)
        self._roster.note(turned.after, turned.events)
        self._teller.add(Scene(turned.before, turned.after).write(turned.events))

    def _result_of(self, state: State) -> Result | None:
        if state.result is not None and self.result is None:
            self.result = self._roster.result(state)
        return self.result

    def _finish(self, state: State) -> None:
        if state.result is None or self.over.is_set():
            return
        self.state_hash = self._game.fingerprint(state)
        self._deadline = inf
        for viewer in self._viewers.values():
            self._teller.over(viewer, self._ending())
        self.over.set()
        self._changed()

    def _changed(self) -> None:
        if self.on_change is not None:
            self.on_change()

    def _ending(self) -> tuple[Result, str]:
        assert self.result is not None
        return self.result, self.state_hash

    # --- clocks ---

    def _set_deadline(self, state: State) -> None:
        """Start the clock of a question that was not open before."""
        pending = state.pending
        if pending is None:
            self._deadline, self._timed = inf, -1
            return
        if pending.number == self._timed:
            return
        self._timed = pending.number
        limit = self.setup.options.answer_ms
        before = self._clock_before
        if before is not None and before.question == pending.number and isinstance(limit, int):
            limit = min(limit, before.left_ms)
        self._deadline = trio.current_time() + limit / 1000 if isinstance(limit, int) else inf

    def clock(self) -> Clock | None:
        """What the running clock shows, None if none runs."""
        left = self._left_ms()
        return None if left is None else Clock(self._timed, left)

    def set_clock(self, clock: Clock) -> None:
        """What the clock showed before a restart. Before `run`."""
        self._clock_before = clock

    def _left_ms(self) -> int | None:
        """Milliseconds left for the open question, None for no limit."""
        if self._deadline == inf:
            return None
        return max(0, ceil((self._deadline - trio.current_time()) * 1000))

    # --- telling ---

    def _tell_all(self, why: str = "") -> None:
        """Patches, closed questions and the open one, to everyone."""
        state = self._state
        if state is None:
            return
        for viewer in self._viewers.values():
            if viewer.epoch == 0:
                self._whole(viewer)
                continue
            self._teller.patch(viewer)
            self._ask(viewer, state, why)

    def _ask(self, viewer: Seeing, state: State, why: str) -> None:
        """The open question to the seat that is asked; the one that it held is closed."""
        pending = state.pending
        mine = pending if pending is not None and pending.seat == viewer.seat else None
        asks = mine is not None and self._passing(state) is None
        open_ = question_id(mine) if mine is not None and asks else ""
        if viewer.question and viewer.question != open_:
            self._teller.close(viewer, why)
        if mine is not None and open_ and viewer.question != open_:
            self._teller.ask(viewer, state, mine, self._left_ms())

    def _whole(self, viewer: Seeing, re: str = "") -> None:
        """A whole view, with the question that is open to the viewer; the end, if it is over."""
        state = self._state
        if state is None:
            if re:
                raise Refusal(Code.NO_GAME)
            return
        pending = state.pending
        asked = pending if pending is not None and pending.seat == viewer.seat else None
        if asked is not None and self._passing(state) is not None:
            asked = None
        self._teller.whole(viewer, state, asked, self._left_ms(), re)
        if self.over.is_set():
            self._teller.over(viewer, self._ending())

    def _drained(self, viewer: Seeing, first: tuple[int, int] | None, faces: set[str]) -> None:
        """A slow reader has caught up: one whole view makes good for what was dropped."""
        if self._viewers.get(viewer.key) is not viewer:
            return
        viewer.known -= faces
        if first is not None:
            viewer.position = self._teller.before(*first, viewer.position)
        self._teller.notice(viewer, "notice.missed")
        self._whole(viewer)

    def _freeze(self) -> None:
        """A defect: stand still and say so."""
        log.exception("room %s is frozen at entry %d", self.id, self._seq)
        self.frozen = True
        self._deadline = inf
        for viewer in self._viewers.values():
            self._teller.notice(viewer, self._why_frozen)
        self._changed()

    def _reply(self, key: str, message: ServerMessage) -> None:
        viewer = self._viewers.get(key)
        if viewer is not None:
            viewer.outbox.put(message)


def _plain(message: Stops | Pass) -> Stops | Pass:
    """The message as the journal has it: its id was between the seat and its connection."""
    return replace(message, id="-")


def _now() -> int:
    """Milliseconds since 1970, for those who read journals."""
    return int(time.time() * 1000)
