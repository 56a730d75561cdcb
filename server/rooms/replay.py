"""A journal played again: for restarts, `apnap replay`, and to see where a game diverges."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from server.rooms.errors import Diverged
from server.rooms.game import Game, Outcome
from server.rooms.takebacks import taken_back
from server.rules.model import Event, PriorityQuestion, RulesError, State, Take
from server.storage import (
    Amended,
    Answered,
    AnyEntry,
    Check,
    Conceded,
    Ended,
    Instructed,
    Journal,
    Passed,
    SeatTaken,
    Stopped,
    TakenBack,
    Upgraded,
)

PASS = Take(0)
"""The answer that passes priority."""


class Turned(msgspec.Struct, frozen=True):
    """One input played, and its entry: None for the deal, the same for all passes of one entry. `before` and `after` are
    the same state at the deal and at an instruction.
    """

    entry: AnyEntry | None
    before: State
    after: State
    events: tuple[Event, ...]

    @property
    def passes(self) -> bool:
        """Whether it is an answer that passes priority."""
        return (
            isinstance(self.before.pending, PriorityQuestion)
            and isinstance(self.entry, Answered)
            and self.entry.answer == PASS
        )


def replay(journal: Journal, game: Game, until: int | None = None) -> Iterator[Turned]:
    """The deal, or the journal's snapshot, and every input up to the entry `until` (inclusive, None: all), with the states
    around it.

    Raises `Diverged` where the journal and the rules disagree, `Unreadable` for a snapshot that cannot be read.
    """
    room = journal.setup.room
    state, events = first(journal, game)
    yield Turned(None, state, state, events)
    wanted = {entry.question for entry in journal.entries if isinstance(entry, TakenBack)}
    earlier: dict[int, State] = {}
    for entry in journal.entries:
        if until is not None and entry.seq > until:
            return
        before = state
        if wanted and state.pending is not None and state.pending.number in wanted:
            earlier[state.pending.number] = state
        match entry:
            case Answered() | Conceded():
                state, events = _play(room, game, state, entry)
                yield Turned(entry, before, state, events)
            case Passed():
                for number in range(entry.number):
                    before = state
                    state, events = _pass(room, game, state, entry, number)
                    yield Turned(entry, before, state, events)
            case TakenBack():
                if entry.question not in earlier:
                    raise Diverged(room, entry.seq, f"takes back an answer to question {entry.question}, never asked")
                state = taken_back(earlier[entry.question], state)
                yield Turned(entry, before, state, ())
            case Amended():
                try:
                    state, events = game.amend(state, entry.seat, entry.change)
                except RulesError as refused:
                    raise Diverged(room, entry.seq, f"refused: {refused}") from refused
                yield Turned(entry, before, state, events)
            case Instructed() | SeatTaken() | Stopped():
                yield Turned(entry, state, state, ())
            case Upgraded():
                state = _base(journal, game, entry)
                yield Turned(entry, before, state, ())
            case Check() | Ended():
                _compare(room, game, state, entry)


def first(journal: Journal, game: Game) -> Outcome:
    """Where a replay begins: at the journal's snapshot, if it was taken up from one, otherwise at the deal.

    Raises `Unreadable`, `Diverged`."""
    kept = journal.snapshot
    if kept is None:
        return game.start(journal.setup)
    state = game.read(journal.setup, kept.state)
    if kept.version == game.version and game.fingerprint(state) != kept.hash:
        raise Diverged(journal.setup.room, kept.seq, "the snapshot's state has another hash than it says")
    return state, ()


def _base(journal: Journal, game: Game, entry: Upgraded) -> State:
    """The state from which a game went on under later rules."""
    for base in journal.bases:
        if base.seq == entry.seq:
            return game.read(journal.setup, base.state)
    raise Diverged(journal.setup.room, entry.seq, "its snapshot is missing")


def _compare(room: str, game: Game, state: State, entry: Check | Ended) -> None:
    found = game.fingerprint(state)
    if found != entry.hash:
        raise Diverged(room, entry.seq, f"the state's hash is {found}, the journal says {entry.hash}")
    if isinstance(entry, Ended) and state.result is None:
        raise Diverged(room, entry.seq, "the game is not over")


def _pass(room: str, game: Game, state: State, entry: Passed, number: int) -> tuple[State, tuple[Event, ...]]:
    """One of the passes of an entry. Only the first says which question it answers; the others follow on it. What else somebody could do
    who is known to pass is not listed."""
    pending = state.pending
    if not isinstance(pending, PriorityQuestion) or (number == 0 and pending.number != entry.question):
        raise Diverged(room, entry.seq, f"passes question {entry.question}, open is {pending}")
    try:
        return game.submit(state, pending.seat, PASS) if number + 1 == entry.number else game.pass_unlisted(state)
    except RulesError as refused:
        raise Diverged(room, entry.seq, f"refused: {refused}") from refused


def _play(room: str, game: Game, state: State, entry: Answered | Conceded) -> tuple[State, tuple[Event, ...]]:
    try:
        if isinstance(entry, Conceded):
            return game.concede(state, entry.seat)
        pending = state.pending
        if pending is None or pending.number != entry.question or pending.seat != entry.seat:
            asked = "nothing" if pending is None else f"question {pending.number} of seat {pending.seat}"
            raise Diverged(room, entry.seq, f"answers question {entry.question} of seat {entry.seat}, open is {asked}")
        return game.submit(state, entry.seat, entry.answer)
    except RulesError as refused:
        raise Diverged(room, entry.seq, f"refused: {refused}") from refused
