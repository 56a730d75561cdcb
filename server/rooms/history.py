"""How far a game has come, and its journal: the state on disk, what each seat has left with the room, what was answered.

Everything is played in memory first (`play`, `run_on`), then written (`write`), and only then is it the history of the game (`take`).
What follows from the journal is folded from its entries, here and nowhere else, when played as when replayed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import trio
from msgspec.structs import replace

from protocol.view import Result
from server.knowledge.questions import ids_of
from server.metrics import ANSWERS, DECISION_SECONDS, JOURNAL_SECONDS
from server.rooms.clocks import Terms
from server.rooms.earlier import AtOnce, Earlier, Why
from server.rooms.game import Game
from server.rooms.memory import GAPS, Memory, write_gap, write_memory
from server.rooms.moments import Moments
from server.rooms.passes import Pace, at_once
from server.rooms.replay import Turned, replay
from server.rooms.seated import By, Reply, Seats, automatic, banks_of, begin, follow
from server.rooms.seats import Answers, Heads, Roster
from server.rooms.slices import Share, Slices
from server.rooms.takebacks import can_go_back, taken_back
from server.rooms.whole import Whole
from server.rules.model import Act, AnyAnswer, State
from server.rules.turn import AnyAmendment
from server.storage import (
    Amended,
    Answered,
    AnyEntry,
    Check,
    Conceded,
    Damaged,
    Ended,
    Gap,
    Instructed,
    Passed,
    SeatTaken,
    Setup,
    Snapshot,
    Stopped,
    Storage,
    TakenBack,
    Upgraded,
)

log = logging.getLogger("apnap.rooms")

BATCH = 32
"""Automatic answers that are played before the journal is written and the viewers are told of each of them."""
BATCH_SECONDS = 0.02
"""No more are played at once that take longer than this together: whoever answered at a large table waits for all of them."""
CHECK_EVERY = 100
"""Inputs between two hashes of the state in the journal."""
SNAPSHOT_EVERY = 100
"""Inputs between two snapshots: at most so many are played again at a restart."""
NO_INPUT = (Instructed, SeatTaken, Stopped, type(None))
"""Entries of turns that put nothing into the game, and that of the deal."""


class History:
    """See the module. `observe` is told each turn that has become part of the history, in order; `remember` adds to a memory
    what others than the history know, after a turn that is to become part of it where one is given.
    """

    def __init__(
        self,
        setup: Setup,
        terms: Terms,
        storage: Storage,
        game: Game,
        observe: Callable[[Turned], None],
        remember: Callable[[Memory, Turned | None], Memory],
    ) -> None:
        self.setup = setup
        self.state: State | None = None
        self.seats: Seats = begin(len(setup.seats), terms)
        self.seq = 0
        self._heads = Heads()
        self.result: Result | None = None
        self.answers = Answers(len(setup.seats))
        self.roster = Roster(len(setup.seats))
        self.moments = Moments()
        self.pace: Pace = at_once
        self.ids = ids_of(setup.fair.key)
        self.share: Share = Slices().share()
        """The room's time in the event loop: of its own, until it is told with whom it has that in common."""
        self.whole = Whole()
        """Within it nobody else writes or keeps a snapshot: while what is written is made the history, a turn at a time, what lies between
        is no moment to be kept.
        """
        self._terms = terms
        self._storage = storage
        self._game = game
        self._observe = observe
        self._remember = remember
        self._inputs = 0
        self._kept = 0
        self._hashed: tuple[State | None, str] = (None, "")
        """A state, and its hash, until the snapshot is made of what it was written in the journal for."""
        self._ready: Snapshot | None = None
        """One that goes to disk with what is written next."""
        self._checked = 0
        """How many times `CHECK_EVERY` inputs there were when a state was hashed last."""
        self._check: Check | None = None
        """The hash of the last state, which is the first entry that is written next."""
        self._asks: tuple[State | None, Seats] = (None, ())
        """A state in which somebody is to be asked, with those seats' values."""
        self._at_once = AtOnce()

    # --- in memory ---

    def play(self, seat: int, answer: AnyAnswer, by: By, spent: int = 0, away: int = 0) -> Turned:
        """Play an answer to the open question of the state. Raises `Illegal`."""
        assert self.state is not None
        return self._play(self.state, seat, answer, by, spent, away)

    def _play(self, state: State, seat: int, answer: AnyAnswer, by: By, spent: int = 0, away: int = 0) -> Turned:
        assert state.pending is not None
        begun = time.perf_counter()
        after, events = self._game.submit(state, seat, answer)
        DECISION_SECONDS.observe(time.perf_counter() - begun)
        ANSWERS.inc(by)
        number = state.pending.number
        entry: AnyEntry
        if by == "pass":
            entry = Passed(seq=self.seq + 1, question=number, spent=spent, away=away)
        else:
            entry = Answered(
                seq=self.seq + 1, at=now(), seat=seat, question=number, answer=answer, by=by, spent=spent, away=away
            )
        return Turned(entry, state, after, events)

    def amend(self, seat: int, change: AnyAmendment, state: State | None = None) -> Turned:
        """What the table has agreed to change by hand, played, in another `state` if it is not the last. Raises `Illegal`."""
        before = state or self.state
        assert before is not None
        after, events = self._game.amend(before, seat, change)
        return Turned(Amended(seq=0, at=now(), seat=seat, change=change), before, after, events)

    def run_on(
        self, turns: list[Turned], after: list[Seats], spent: int = 0, away: int = 0, *, most: int = BATCH
    ) -> Iterator[None]:
        """Add up to so many turns of what the room answers at once by itself, and to `after` the seats' values after each of all turns:
        a turn in a piece. Nothing of it is written before the last piece, in however many slices, since each write is a commit.

        `spent` and `away` are charged for the question that was open, if no turn has answered it yet.
        """
        seats = self.seats
        for turned in turns:
            seats = follow(seats, self._terms, self.ids, turned)
            after.append(seats)
        state = turns[-1].after if turns else self.state
        clock, took = self.share.clock, 0.0
        for _ in range(most):
            reply = None if state is None else self._automatic(seats, state)
            if state is None or state.pending is None or reply is None:
                break
            if took > BATCH_SECONDS or reply.wait_ms and turns:
                break
            if turns:
                yield
            begun = clock()
            try:
                turned = self._reply(state, reply, 0 if turns else spent, 0 if turns else away)
            except Exception:
                if not turns:
                    raise
                break  # what went well is kept; what fails is tried by itself, and freezes the room where it fails
            turns.append(turned)
            seats = follow(seats, self._terms, self.ids, turned)
            after.append(seats)
            state, took = turned.after, took + clock() - begun

    def _reply(self, state: State, reply: Reply, spent: int, away: int) -> Turned:
        assert state.pending is not None
        return self._play(state, state.pending.seat, reply.answer, reply.by, spent, away)

    def waits(self) -> Reply | None:
        """What the room will answer by itself to the open question."""
        if self.state is None or (self.state is self._asks[0] and self.seats is self._asks[1]):
            return None
        return self._automatic(self.seats, self.state)

    def _automatic(self, seats: Seats, state: State) -> Reply | None:
        """See `automatic`. That somebody is to be asked follows from seats and state alone, and is asked for again and again."""
        found = automatic(seats, state, self.pace)
        if found is None:
            self._asks = (state, seats)
        return found

    # --- on disk ---

    async def write(self, turns: list[Turned]) -> tuple[int, bytes]:
        """Write the turns down, of which the caller makes each the history of the game (`now_at`, then `take`): the
        number of the last entry, and the journal's head after it. Raises `StorageFault`; then nothing has changed.
        """
        await self.keep(told=False)
        entries = self._entries(turns, turns[-1].after)
        if entries:
            begun, kept = time.perf_counter(), self._ready
            head = await self._storage.append(self.setup.room, entries, kept)
            JOURNAL_SECONDS.observe(time.perf_counter() - begun)
            self._check = None
            if kept is not None:
                # The next one is due where a hash is written down, too, however many inputs this one came late.
                self._ready, self._kept = None, self._inputs - self._inputs % SNAPSHOT_EVERY
            return self.seq + len(entries), head
        return self.seq, self.head

    async def keep(self, *, told: bool = True) -> None:
        """Make the hash and the snapshot that are due, if any is: once the last turns are `told`, or whoever answers next would wait."""
        due = self._ready is None and self._inputs - self._kept >= SNAPSHOT_EVERY
        checks = self._inputs // CHECK_EVERY > self._checked
        if not (due or checks) or self.state is None or self.state.result is not None:
            return
        if told:
            await trio.lowlevel.checkpoint()  # what leaves first
        if checks:
            async with self.share:
                self._check = Check(seq=0, at=now(), hash=self._hash(self.state))
            self._checked = self._inputs // CHECK_EVERY
            await trio.lowlevel.checkpoint()
        if due:
            # What is on disk already is what a snapshot may hold, and the hash of it: of what comes next the disk has yet to say.
            self._ready = await self._snapshot(self.state, self.seq + bool(self._check), self.seats, quiet=told)

    def take(self, turned: Turned, seats: Seats) -> None:
        """A turn that is written down becomes the history of the game, with the seats' values after it."""
        before, self.seats = self.seats, seats
        self._take(turned, before)

    async def note(self, entry: AnyEntry) -> None:
        """Write down what changes no state. Raises `StorageFault`, and `Refusal` for an instruction that cannot be."""
        assert self.state is not None
        turned = Turned(entry, self.state, self.state, ())
        seats = follow(self.seats, self._terms, self.ids, turned)
        entries = self.numbered([entry])
        head = await self._storage.append(self.setup.room, entries)
        self.seats, self._check = seats, None
        self.now_at(self.seq + len(entries), head)

    async def take_back(self, earlier: Earlier, why: Why = "") -> None:
        """Go back to that moment, for a reason of the table's where the seat did not ask for it; everyone has the time again that was
        left then. A snapshot goes with it, so that no restart needs what was before. Raises `StorageFault`.
        """
        assert self.state is not None
        after = taken_back(earlier.state, self.state)
        left = [then.lengthened(seated.banks.times) for then, seated in zip(earlier.banks, self.seats, strict=True)]
        entry = TakenBack(
            seq=self.seq + 1 + (self._check is not None),
            at=now(),
            seat=earlier.seat,
            question=earlier.question,
            banks=tuple(banks.bank for banks in left),
            away=tuple(banks.away for banks in left),
            why=why,
        )
        turned = Turned(entry, self.state, after, ())
        seats = follow(self.seats, self._terms, self.ids, turned)
        async with self.whole:
            kept = await self._snapshot(after, entry.seq, seats, turned)
            head = await self._storage.append(self.setup.room, self.numbered([entry]), kept)
            self.seats = seats
            self.now_at(entry.seq, head)
            self._check, self._ready, self._kept = None, None, self._inputs
            self._take(turned, seats)

    async def stop(self, why: str) -> None:
        """End the game without a result. Raises `StorageFault`."""
        assert self.state is not None
        async with self.whole:
            await self.note(Stopped(seq=0, at=now(), why=why))
            self.result = self.roster.stopped(self.state, why)

    async def rest(self) -> None:
        """Keep a snapshot of the game as it is, which is `whole`. Raises `StorageFault`."""
        if self.state is not None and self.result is None and self._kept != self._inputs:
            kept = await self._snapshot(self.state, self.seq, self.seats)
            await self._storage.append(self.setup.room, [], kept)

    def numbered(self, entries: Sequence[AnyEntry]) -> list[AnyEntry]:
        """The entries with the numbers that come next, after the hash of the last state, if it waits to be written."""
        return [
            entry if entry.seq == number else replace(entry, seq=number)
            for number, entry in enumerate(entries if self._check is None else [self._check, *entries], self.seq + 1)
        ]

    def _entries(self, turns: list[Turned], after: State) -> list[AnyEntry]:
        """What is written of these turns: passes in a row as one entry; the state's hash at the end."""
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
            entries.append(Ended(seq=0, at=now(), winners=result.winners, why=result.why, hash=hash_))
        return self.numbered(entries) if entries else entries

    async def _snapshot(
        self, state: State, seq: int, seats: Seats, coming: Turned | None = None, *, quiet: bool = False
    ) -> Snapshot:
        """The game and what the room remembers now, after the entry of that number; written in as many slices as that takes.
        `coming`: the turn of that entry, where it is not part of the history yet; `quiet`: nobody waits for it.
        """
        answers = self.answers
        if coming is not None:
            answers = Answers(len(self.setup.seats))
            answers.recall(self.answers.remembered(), self.answers.taken_back)
            _note_answer(answers, coming)
        memory = Memory(
            inputs=self._inputs + (coming is not None),
            answers=answers.remembered(),
            seats=list(seats),
            departures=self.roster.departures,
            taken_back=answers.taken_back,
            by_hand=self.roster.by_hand,
        )
        room = write_memory(self._remember(memory, coming))
        parts = [part async for part in self.share.spread(self._game.write(self.setup, state), quiet=quiet)]
        hash_, self._hashed = self._hash(state), (None, "")
        return Snapshot(
            seq=seq,
            version=self._game.version,
            hash=hash_,
            state=b"".join(parts),
            room=room,
        )

    def _hash(self, state: State) -> str:
        if state is not self._hashed[0]:
            self._hashed = state, self._game.fingerprint(state)
        return self._hashed[1]

    async def note_gap(self, gap: Gap) -> None:
        """Remember over restarts what the journal has lost. Raises `StorageFault`."""
        await self._storage.put(GAPS, self.setup.room, write_gap(gap))

    def now_at(self, seq: int, head: bytes) -> None:
        """The journal's last entry has that number, and its head is that after it."""
        self.seq = seq
        self._heads.put(seq, head)

    @property
    def head(self) -> bytes:
        """The journal's head; nothing before the deal."""
        return self._heads.last

    # --- from disk ---

    def recall(self, memory: Memory) -> None:
        """Take up what was remembered at a snapshot, of which the state comes by `take_in`."""
        self._inputs = self._kept = memory.inputs
        self.answers.recall(memory.answers, memory.taken_back)
        self.roster.departures.extend(memory.departures)
        self.roster.by_hand = memory.by_hand
        self.seats = tuple(memory.seats) or self.seats

    def take_in(self, turns: Iterable[Turned]) -> None:
        """Take in a part of the replayed journal, which has hashes of its own."""
        for turned in turns:
            before = self.seats
            self.seats = follow(before, self._terms, self.ids, turned)
            self._take(turned, before)
        self._checked = self._inputs // CHECK_EVERY

    async def upgraded(self, seq: int, base: int) -> None:
        """See `Room.upgraded`."""
        assert self.state is not None
        self.state = self._game.ask_again(self.state)
        hash_ = self._game.fingerprint(self.state)
        self.seq = seq + 1
        entry = Upgraded(seq=self.seq, at=now(), base=base, version=self._game.version, hash=hash_)
        kept = replace(await self._snapshot(self.state, self.seq, self.seats), base=True)
        self.now_at(self.seq, await self._storage.append(self.setup.room, [entry], kept))
        self._kept = self._inputs

    # --- what it comes to ---

    def _take(self, turned: Turned, seats: Seats) -> None:
        """The turn is part of the history. `seats` are the values before it."""
        self.state = turned.after
        if not isinstance(turned.entry, NO_INPUT):
            self._inputs += 1
        _note_answer(self.answers, turned)
        self._at_once.note(turned, seats)
        self.moments.note(turned)
        self.roster.note(turned.after, turned.events)
        self.roster.by_hand = self.roster.by_hand or _by_hand(turned)
        self._observe(turned)
        if self.state is not None and self.state.result is not None and self.result is None:
            self.result = self.roster.result(self.state)

    async def was_answered(self, seat: int, question: int, answer: AnyAnswer) -> bool | None:
        """Whether the seat itself gave just this answer to a question of long ago, by the journal; None if it was not the seat's.
        Raises `StorageFault`.
        """
        try:
            entry = await self._storage.answer_to(self.setup.room, question)
        except Damaged as fault:
            log.error("room %s: %s", self.setup.room, fault)
            return None
        if not isinstance(entry, Answered) or (entry.seat, entry.question) != (seat, question):
            return None
        return entry.by == "seat" and entry.answer == answer and self.answers.counts(question)

    async def had(self, seq: int, head: bytes) -> bool:
        """Whether the journal's head began so after that entry. Raises `StorageFault`."""
        known = self._heads.after(seq)
        if known is None:
            known = await self._storage.head_at(self.setup.room, seq)
        return known.startswith(head)

    # --- going back ---

    def last_answer(self, seat: int) -> int | None:
        """The number of the seat's last own question that can be found at once or in what is remembered."""
        kept = self._at_once.last(seat)
        return self.answers.last_own(seat) if kept is None else kept

    def back_at_once(self, seat: int, question: int) -> Earlier | None:
        """The moment before that answer, None if it may not be taken back at once."""
        return self._at_once.before(seat, question)

    def spent_since(self, earlier: Earlier) -> tuple[int, int]:
        """What the answers that may be taken back at once took from that one on: (spent, away)."""
        since = self._at_once.since(earlier)
        return sum(kept.spent for kept in since), sum(kept.away for kept in since)

    def may_go_back_to(self, seat: int, question: int) -> bool:
        """Whether the seat can have been asked that, and its answer counts: one that was taken back led to a game that was given up."""
        if self.state is None or question > self.state.questions or not self.answers.counts(question):
            return False
        others = (other for other in range(len(self.setup.seats)) if other != seat)
        return not any(self.answers.was_asked(other, question) for other in others)

    async def back_to(self, seat: int, question: int) -> Earlier | None:
        """The moment before that answer, from the journal; None if there is none, or the game cannot go back so far, because
        of what has happened since or because the journal before its last snapshot is damaged. Raises `StorageFault`.
        """
        try:
            journal = await self._storage.load(self.setup.room)
        except Damaged as fault:
            log.error("room %s: %s", self.setup.room, fault)
            return None
        seats = begin(len(self.setup.seats), self._terms)
        async for turned in self.share.spread(replay(journal, self._game)):
            entry = turned.entry
            if isinstance(entry, Answered) and (entry.seat, entry.question) == (seat, question):
                good = self.state is not None and can_go_back(turned.before, self.state)
                return Earlier(seat, question, turned.before, banks_of(seats)) if good else None
            seats = follow(seats, self._terms, self.ids, turned)
        return None


def _note_answer(answers: Answers, turned: Turned) -> None:
    """Take in what a turn makes of the open question."""
    entry, pending = turned.entry, turned.before.pending
    if pending is None:
        return
    if isinstance(entry, Answered):
        answers.put(entry.seat, entry.question, entry.answer if entry.by == "seat" else None)
    elif isinstance(entry, Passed):
        answers.put(pending.seat, pending.number, None)
    elif isinstance(entry, TakenBack):
        answers.put(pending.seat, pending.number, None)
        answers.forget_from(entry.question, pending.number)
    elif isinstance(entry, Amended):
        answers.put(pending.seat, pending.number, None)
    elif isinstance(entry, Conceded):
        if turned.after.pending is None or turned.after.pending.number != pending.number:
            answers.put(pending.seat, pending.number, None)


def _by_hand(turned: Turned) -> bool:
    """Whether something was done by hand."""
    entry = turned.entry
    return (
        isinstance(entry, Amended)
        or isinstance(entry, Answered)
        and isinstance(entry.answer, Act)
        and bool(entry.answer.do)
    )


def now() -> int:
    """Milliseconds since 1970, for those who read journals."""
    return int(time.time() * 1000)
