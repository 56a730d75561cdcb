"""A whole game as a value that goes forward and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from apnap.cards import Card, Deck, cards_of
from apnap.known import Knowledge
from apnap.legal import Legal, read
from apnap.records import MOST_BYTES, Given, Record, RecordFault, Seated, read_record, write_record
from protocol.questions import Answer, Question
from protocol.view import Event, Face, View
from server import rules
from server.knowledge.events import Scene
from server.knowledge.faces import face_by_hash
from server.knowledge.questions import Asker, ids_of, write_answer
from server.knowledge.redacted import read as read_redacted
from server.knowledge.redacted import redact
from server.knowledge.rulings import Rules
from server.knowledge.views import Views
from server.rules import Options, State
from server.rules.model import Result, events
from server.rules.model import questions as q
from server.rules.turn import variants

RULES = Rules()


class _Moment(NamedTuple):
    """A state, what led to it from the moment before, and how many moments came before that."""

    state: State
    before: _Moment | None = None
    happened: tuple[events.Event, ...] = ()
    given: tuple[_Given, ...] = ()


class _Given(NamedTuple):
    """An answer of a seat, None: it conceded."""

    seat: int
    answer: q.AnyAnswer | None


class Game:
    """A game and all its moments. Everything that is asked, answered and seen has the protocol's types.

    >>> import apnap
    >>> forests = [apnap.house_card("Forest")] * 60
    >>> game = apnap.Game.new([forests, forests, forests], edition="current", seed="7", first=2)
    >>> game.seat, game.question.purpose
    (2, 'mulligan')
    >>> other = game.fork()
    >>> other.push(other.legal.default)
    >>> (game.seat, other.seat)
    (2, 0)
    """

    def __init__(self, record: Record | None, moment: _Moment) -> None:
        """From inside; games are begun by `new`, `from_json`, `fork` and `Knowledge.deal`, those without a record."""
        self._record = record
        self._moment = moment
        self._views = Views(RULES)

    @classmethod
    def new(
        cls,
        decks: Sequence[Deck | Sequence[Card]],
        seats: Sequence[str] = (),
        edition: str = "2011",
        options: Options | None = None,
        seed: str = "0",
        *,
        variant: variants.Variant = "free_for_all",
        first: int | None = None,
    ) -> Game:
        """A new game, at its first question: a deck for each seat, `seats` their names.

        `options` are those of the rules; their edition and seed are what is given here. A `variant` (808 to 811) sets teams, ranges and
        life totals. `first` is who begins, drawn if it is None (103.2). Decks with commanders make it Commander (903).
        Raises ValueError for an edition, a variant, a seat or a number of seats that there is not, Illegal where players who share
        turns do not sit side by side.
        """
        chosen = tuple(map(cards_of, decks))
        names = tuple(seats) or tuple(f"Player {number + 1}" for number in range(len(chosen)))
        if len(names) != len(chosen):
            raise ValueError(f"{len(chosen)} decks are not for {len(names)} seats")
        if variant not in variants.SEATS:
            raise ValueError(f"there is no variant {variant!r}")
        if len(chosen) not in variants.SEATS[variant]:
            raise ValueError(f"{variant} is not played by {len(chosen)}")
        if first is not None and not 0 <= first < len(chosen):
            raise ValueError(f"there is no seat {first}")
        if options is None:
            led = any(commander for _, commander in chosen)
            kind = "commander" if led else "free-for-all"
            options = Options(format=kind, life=variants.starting_life(kind, len(chosen)))
        options = variants.with_variant(replace(options, edition=edition, seed=seed), variant, len(chosen))
        sitting = tuple(Seated(name, *cards) for name, cards in zip(names, chosen, strict=True))
        return cls._begun(Record(options=options, seats=sitting, first=-1 if first is None else first))

    @classmethod
    def _begun(cls, record: Record) -> Game:
        seats = tuple(rules.Seat(one.name, one.deck, one.commander) for one in record.seats)
        state, happened = rules.start(record.options, seats, None if record.first < 0 else record.first)
        return cls(record, _Moment(state, happened=happened))

    # --- what is asked ---

    @property
    def seat(self) -> int | None:
        """Who is asked, None once the game is over."""
        pending = self._moment.state.pending
        return None if pending is None else pending.seat

    @property
    def question(self) -> Question | None:
        """What is asked, as the seat that is asked gets it; None once the game is over."""
        state = self._moment.state
        if state.pending is None:
            return None
        seat = state.pending.seat
        self._views.update(state)
        asker = Asker(RULES, state, ids_of(""), lambda number: self._views.id_of(seat, number))
        return asker.write(state.pending)

    @property
    def legal(self) -> Legal:
        """The answers that the open question takes. Raises ValueError once the game is over."""
        pending = self._moment.state.pending
        if pending is None:
            raise ValueError("the game is over")
        return Legal(self._moment.state, pending)

    @property
    def result(self) -> Result | None:
        """The winners' seats (none: a draw) and why, once the game is over."""
        return self._moment.state.result

    # --- forward, back, beside ---

    def push(self, answer: Answer) -> None:
        """Answer the open question. Raises Illegal, and then nothing has changed; ValueError once the game is over."""
        state = self._moment.state
        if state.pending is None:
            raise ValueError("the game is over")
        seat, chosen = state.pending.seat, read(answer)
        self._go_on(_Given(seat, chosen), *rules.submit(state, seat, chosen))

    def concede(self, seat: int) -> None:
        """A seat leaves the game, whoever is asked (104.3a). Raises Illegal."""
        self._go_on(_Given(seat, None), *rules.concede(self._moment.state, seat))

    def _go_on(self, given: _Given, state: State, happened: tuple[events.Event, ...]) -> None:
        self._moment = _Moment(state, self._moment, happened, (given,))

    def pop(self) -> Answer | None:
        """Take the last answer back and give it; None for a concession. Chance goes back, too: the same answers lead to the same.
        Raises IndexError where the game, or the fork, began.
        """
        before = self._moment.before
        if before is None:
            raise IndexError("nothing has been answered here")
        ((_, answer),) = self._moment.given
        self._moment = before
        return None if answer is None else write_answer(answer)

    def fork(self) -> Game:
        """The same game, beside this one; costs nothing but its views. What is answered there is not answered here."""
        return Game(self._record, self._moment)

    # --- what is seen ---

    def view(self, seat: int | None) -> View:
        """The table as a seat may see it, None: as a spectator. Its objects' faces are named by hash: see `face`."""
        self._views.update(self._moment.state)
        return msgspec.convert(self._views.tree(seat), View)

    def face(self, key: str) -> Face:
        """The face of that hash, which some view has named. Raises KeyError."""
        return face_by_hash(key)

    def events(self, seat: int | None) -> list[Event]:
        """What the last answer led to, in the order in which it happened, as a seat (None: a spectator) may know it."""
        moment = self._moment
        before = moment.state if moment.before is None else moment.before.state
        lines = Scene(before, moment.state).write(moment.happened)
        return [event for line in lines if (event := line.of(seat)) is not None]

    def knowledge(self, seat: int) -> Knowledge:
        """What a seat knows, for thinking ahead without seeing more. Raises ValueError for a seat that there is not."""
        if not 0 <= seat < len(self._moment.state.players):
            raise ValueError(f"there is no seat {seat}")
        return Knowledge(redact(self._moment.state, seat), Game.at)

    @classmethod
    def read_knowledge(cls, text: str | bytes) -> Knowledge:
        """What `Knowledge.to_json` wrote. Raises RecordFault for what is nothing such."""
        if len(text) > MOST_BYTES:
            raise RecordFault(f"it is larger than {MOST_BYTES} bytes")
        try:
            return Knowledge(read_redacted(text), cls.at)
        except rules.snapshot.Unreadable as fault:
            raise RecordFault(str(fault)) from None

    @classmethod
    def at(cls, state: State) -> Game:
        """A game that begins at a state of the rules, such as a puzzle's; it has no beginning to be written down."""
        return cls(None, _Moment(state))

    @property
    def state(self) -> State:
        """The state of the rules: all of it, hidden cards with the others."""
        return self._moment.state

    @property
    def fingerprint(self) -> str:
        """A hash of all that matters in the game: equal for games that go on alike."""
        return rules.fingerprint(self._moment.state)

    # --- written down ---

    def to_json(self) -> str:
        """The game by its inputs: cards, options, seed, and every answer since it began. Raises ValueError for one that was dealt
        from what a seat knows.
        """
        if self._record is None:
            raise ValueError("the game has no beginning")
        answers: list[Given] = []
        moment: _Moment | None = self._moment
        while moment is not None:
            answers.extend(Given(seat, None if one is None else write_answer(one)) for seat, one in moment.given)
            moment = moment.before
        return write_record(replace(self._record, answers=tuple(reversed(answers))))

    @classmethod
    def from_json(cls, text: str | bytes) -> Game:
        """The game that was written, played again. Raises RecordFault for what is no such game, or one that other rules played."""
        return read_record(text, cls._replayed)

    @classmethod
    def _replayed(cls, record: Record) -> Game:
        game = cls._begun(replace(record, answers=()))
        for given in record.answers:
            if given.answer is None:
                game.concede(given.seat)
            elif given.seat != game.seat:
                raise ValueError(f"seat {given.seat} is not asked")
            else:
                game.push(given.answer)
        return game
