"""What a room keeps about its seats and viewers: who looks on, what was answered, who left when, and the log.

All of it but the viewers follows from the journal, so that it is the same after a restart.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import msgspec

from protocol.view import Event, Result, Standing
from server.knowledge.events import Line, lost_key
from server.knowledge.hidden import Viewer
from server.knowledge.parts import NOTHING, Parts
from server.rooms.outbox import Outbox
from server.rules.happenings import main_game
from server.rules.model import AnyAnswer, State, seat_of
from server.rules.model import events as done

KEPT_LINES = 400
"""Lines of the log that a room keeps for those who come back."""
PACKED = 20
"""Lines that are packed together, when there are so many that nobody is about to be told."""
UNPACKED = 4
"""Of the lines before those that were added last so many are kept as they are, for who was told one moment less."""
FRESH_LINES = 40
"""Lines that someone gets who has seen none, or too long ago."""
KEPT_EPOCHS = 128
KEPT_MARKS = 512
"""Places in the log that are remembered of each."""
KEPT_ANSWERS = 64
KEPT_HEADS = 16
"""Heads that are remembered; earlier ones are asked of the disk."""
NO_EVENTS: list[Event] = []
"""The same value wherever nothing is told; nobody changes it."""


class Seeing:
    """A viewer: a connection that looks at the table, from a seat or as a spectator.

    `seen` is the view as last sent, `position` the place in the log up to which it was told, `question` the id of the
    question it holds ("" for none). `known` are the hashes of faces that the connection has. `when_asked`: it wants to be told of the
    game only when it is asked something, and of its end; then the view comes, but not how it came to be so.
    """

    __slots__ = (
        "brief",
        "digests",
        "epoch",
        "gathered",
        "key",
        "known",
        "lang",
        "outbox",
        "packed",
        "position",
        "question",
        "receipts",
        "seat",
        "seen",
        "seq",
        "when_asked",
    )

    def __init__(
        self,
        key: str,
        outbox: Outbox,
        seat: Viewer,
        known: set[str],
        *,
        digests: bool = False,
        packed: bool = False,
        brief: bool = False,
        gathered: bool = False,
        lang: str = "en",
        receipts: bool = False,
        when_asked: bool = False,
    ) -> None:
        self.key = key
        self.outbox = outbox
        self.seat = seat
        self.known = known
        self.digests = digests
        self.packed = packed
        self.brief = brief
        self.gathered = gathered
        self.lang = lang
        self.receipts = receipts
        self.when_asked = when_asked
        self.seen: Parts = NOTHING
        self.epoch = 0
        self.seq = 0
        self.position = 0
        self.question = ""


_encode = msgspec.msgpack.Encoder().encode
_decode_line = msgspec.msgpack.Decoder(Line).decode
_decode = msgspec.msgpack.Decoder(list[Line]).decode


def _pack(lines: list[bytes]) -> bytes:
    """Written lines as they wait for somebody to come back: their words are much alike."""
    return zlib.compress(_encode(list(map(msgspec.Raw, lines))), 1)


def _unpack(data: bytes) -> list[Line]:
    return _decode(zlib.decompress(data))


class Log:
    """The log: lines, numbered from 0 for the whole game, of which the last are kept.

    The freshest are read with every patch; the others only by who comes back and for snapshots. They are written down, and many
    together packed, because a line is a dozen objects, and the lines of old games would be most of what a server holds.
    """

    __slots__ = ("_alike", "_asked", "_fresh", "_packed", "_written", "common", "end", "own")

    def __init__(self) -> None:
        self._fresh: list[Line] = []
        """Those that were added last, and a few before them."""
        self._written: list[bytes] = []
        """Those before the fresh ones, one by one."""
        self._packed: list[bytes] = []
        """Those before the written ones, `PACKED` lines each."""
        self.end = 0
        self.common = 0
        self.own: dict[int, int] = {}
        """How many lines all have seen, and how many more each seat has."""
        self._asked: tuple[int, int, list[Line]] = (0, 0, [])
        """The lines that were asked for last, by the log's end and their number: every viewer is told of the same."""
        self._alike: list[Event] | None = None
        """What all are told of those lines, where that is the same: the same value for all, which nobody changes."""

    def add(self, lines: Iterable[Line]) -> None:
        """Add lines."""
        stale = self._fresh[:-UNPACKED]
        if stale:
            del self._fresh[: len(stale)]
            self._written += map(_encode, stale)
        while len(self._written) >= PACKED:
            self._packed.append(_pack(self._written[:PACKED]))
            del self._written[:PACKED]
            del self._packed[: -(KEPT_LINES // PACKED)]
        for line in lines:
            self._fresh.append(line)
            self.end += 1
            if line.public is not None:
                self.common += 1
            else:
                for seat in line.private:
                    self.own[seat] = self.own.get(seat, 0) + 1
        del self._fresh[:-KEPT_LINES]

    def seen(self, viewer: Viewer) -> int:
        """How many lines the viewer may have seen in the whole game."""
        return self.common + (self.own.get(viewer, 0) if viewer is not None else 0)

    def position(self, viewer: Viewer, seen: int) -> int:
        """Where someone goes on who has seen so many of the lines that they may see."""
        missing = self.seen(viewer) - seen
        position = self.end
        for line in self._backwards():
            if missing <= 0:
                break
            position -= 1
            missing -= line.of(viewer) is not None
        return position

    def last(self, most: int) -> list[Line]:
        """The last lines."""
        if 0 < most <= len(self._fresh):
            return self._fresh[-most:]
        return list(islice(self._backwards(), most))[::-1]

    def recall(self, lines: Iterable[Line], end: int, common: int, own: dict[int, int]) -> None:
        """Take up a log that had `end` lines, of which these were the last."""
        self._fresh.clear()
        self._written.clear()
        self._packed.clear()
        self._asked = (0, 0, [])
        self.add(lines)
        self.end, self.common, self.own = end, common, dict(own)

    def since(self, position: int, viewer: Viewer, most: int | None = None) -> list[Event]:
        """The lines from a position on, as far as they are kept and the viewer may see them; the last `most` of them."""
        number = self.end - position if most is None else min(self.end - position, most)
        if number <= 0:
            return NO_EVENTS
        if self._asked[0] != self.end or self._asked[1] != number:
            lines = self.last(number)
            self._asked = self.end, number, lines
            secret = any(line.private for line in lines)
            self._alike = None if secret else [line.public for line in lines if line.public is not None]
        if self._alike is not None:
            return self._alike
        return [event for line in self._asked[2] if (event := line.of(viewer)) is not None]

    def _backwards(self) -> Iterator[Line]:
        """The lines that are kept, the last first."""
        written = (_decode_line(line) for line in reversed(self._written))
        packed = (line for lines in reversed(self._packed) for line in reversed(_unpack(lines)))
        yield from islice(chain(reversed(self._fresh), written, packed), KEPT_LINES)


class _Spoken:
    """Of an epoch the seqs at which the place was another than at the one before, those places, and when the `last` of them was put."""

    __slots__ = ("last", "places", "seqs")

    def __init__(self) -> None:
        self.seqs = array("I")
        self.places = array("I")
        self.last = 0


class Marks:
    """Which place in the log a view or patch stood for, by its (epoch, seq): for those who come back.

    Of each epoch the last places are kept, of the epochs those in which a place was put last. Most patches tell of no event, and stand
    for the place of the message before them: they need not be put.
    """

    def __init__(self) -> None:
        self._of: dict[int, _Spoken] = {}
        self._put = 0

    def put(self, epoch: int, seq: int, position: int) -> None:
        """Remember that place for the message and those after it until the next one that is put; the oldest are forgotten."""
        spoken = self._of.get(epoch)
        if spoken is None:
            if len(self._of) >= KEPT_EPOCHS:
                del self._of[min(self._of, key=lambda one: self._of[one].last)]
            spoken = self._of[epoch] = _Spoken()
        self._put += 1
        spoken.last = self._put
        spoken.seqs.append(seq)
        spoken.places.append(position)
        if len(spoken.seqs) > KEPT_MARKS:
            del spoken.seqs[: KEPT_MARKS // 2], spoken.places[: KEPT_MARKS // 2]

    def get(self, epoch: int, seq: int) -> int | None:
        """The position, None if it is not known any more."""
        spoken = self._of.get(epoch)
        number = 0 if spoken is None else bisect_right(spoken.seqs, seq)
        return spoken.places[number - 1] if spoken is not None and number else None


class Asked:
    """Where the log ended when a question was asked, of the last ones, oldest first: a dict of as many takes five times as much."""

    __slots__ = ("_numbers", "_places")

    def __init__(self) -> None:
        self._numbers = array("I")
        self._places = array("I")

    def put(self, question: int, place: int) -> None:
        """The log ends there as that question is open, the last that was asked."""
        if self._numbers and self._numbers[-1] == question:
            self._places[-1] = place
            return
        self._numbers.append(question)
        self._places.append(place)
        if len(self._numbers) > FRESH_LINES:
            del self._numbers[0], self._places[0]

    def get(self, question: int) -> int | None:
        """Where it ended then, None if that is not remembered."""
        return self._places[self._numbers.index(question)] if question in self._numbers else None


class Heads:
    """The last heads of a journal, each after the entry of that number; the last is the journal's own."""

    __slots__ = ("_heads", "_seqs")

    def __init__(self) -> None:
        self._seqs = array("q")
        self._heads: list[bytes] = []

    def put(self, seq: int, head: bytes) -> None:
        """The journal has come so far."""
        self._seqs.append(seq)
        self._heads.append(head)
        if len(self._heads) > KEPT_HEADS:
            del self._seqs[0], self._heads[0]

    @property
    def last(self) -> bytes:
        """The journal's own; nothing before the deal."""
        return self._heads[-1] if self._heads else b""

    def after(self, seq: int) -> bytes | None:
        """The head after that entry, None if it is not remembered."""
        return self._heads[self._seqs.index(seq)] if seq in self._seqs else None


class _Given:
    """A seat's last answers, oldest first, the questions beside them, whose numbers only grow: a dict of as many takes three times as
    much."""

    __slots__ = ("answers", "questions")

    def __init__(self) -> None:
        self.questions = array("I")
        self.answers: list[AnyAnswer | None] = []

    def __iter__(self) -> Iterator[tuple[int, AnyAnswer | None]]:
        return zip(self.questions, self.answers, strict=True)

    def put(self, question: int, answer: AnyAnswer | None) -> None:
        """Remember the answer to that question; of too many the oldest is forgotten."""
        known = self.questions
        if known and question <= known[-1] and question in known:
            self.answers[known.index(question)] = answer
            return
        if len(self.answers) >= KEPT_ANSWERS:
            del self.questions[0], self.answers[0]
        self.questions.append(question)
        self.answers.append(answer)

    def get(self, question: int) -> AnyAnswer | None:
        """What was answered to that question, None if nothing was, or nothing is known."""
        return self.answers[self.questions.index(question)] if question in self.questions else None


class Answers:
    """The last answers of each seat by question, so that one sent twice is acknowledged twice and played once."""

    def __init__(self, seats: int) -> None:
        self._of = [_Given() for _ in range(seats)]
        self.taken_back: list[tuple[int, int]] = []
        """The first and the last question of each run whose answers count no more, in order."""

    def put(self, seat: int, question: int, answer: AnyAnswer | None) -> None:
        """Remember what a seat answered, None: that the room answered for it or the question went away."""
        self._of[seat].put(question, answer)

    def remembered(self) -> list[dict[int, AnyAnswer | None]]:
        """All of them, by seat."""
        return [dict(kept) for kept in self._of]

    def recall(self, answers: Sequence[dict[int, AnyAnswer | None]], taken_back: Sequence[tuple[int, int]]) -> None:
        """Take up what was remembered."""
        self.taken_back = list(taken_back)
        for kept, known in zip(self._of, answers, strict=True):
            for question, answer in known.items():
                kept.put(question, answer)

    def forget_from(self, question: int, last: int) -> None:
        """What was answered to that question and later ones, up to the last, counts no more."""
        first = question
        while self.taken_back and self.taken_back[-1][1] >= question - 1:
            first = min(first, self.taken_back.pop()[0])
        self.taken_back.append((first, last))
        for kept in self._of:
            for number, _ in tuple(kept):
                if number >= question:
                    kept.put(number, None)

    def counts(self, question: int) -> bool:
        """Whether an answer to that question was not taken back, however long ago it was."""
        return not any(first <= question <= last for first, last in self.taken_back)

    def was_asked(self, seat: int, question: int) -> bool:
        """Whether the seat was asked that lately."""
        return question in self._of[seat].questions

    def last_own(self, seat: int) -> int | None:
        """The last question that the seat answered itself, as far as is remembered."""
        return next((number for number, answer in reversed(tuple(self._of[seat])) if answer is not None), None)

    def same(self, seat: int, question: int, answer: AnyAnswer) -> bool:
        """Whether the seat gave just this answer before."""
        return self._of[seat].get(question) == answer


class Departure(msgspec.Struct, frozen=True, array_like=True):
    """Who left the game, why, in which turn; those who left at once share a `group`."""

    seat: int
    cause: str
    turn: int
    group: int


class Roster:
    """Who left the game, in what order, why and in which turn: for the standings at the end."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self.departures: list[Departure] = []
        self.by_hand = False
        """Whether something was done by hand."""

    def note(self, state: State, happened: Sequence[done.Event]) -> None:
        """Take in what one input came to; who leaves in the same turn at the same input shares a place."""
        losers = [event for event in happened if isinstance(event, done.Loses)]
        group = self.departures[-1].group + 1 if self.departures else 1
        for event in losers:
            self.departures.append(Departure(seat_of(event.subject), event.cause, state.turn.number, group))
        if losers:  # who has lost a subgame alone (715) is still in the game
            players = main_game(state).players
            self.departures = [gone for gone in self.departures if players[gone.seat].lost]

    def stopped(self, state: State, why: str) -> Result:
        """How a game ended that nobody won or lost; `why` is a key of the catalogue."""
        turn = state.turn.number
        return Result(
            winners=[], standings=[Standing(seat=n, place=1, reason=why, turn=turn) for n in range(self._seats)]
        )

    def result(self, state: State) -> Result:
        """How the game ended. Only once `state.result` is set."""
        winners = state.result.winners if state.result is not None else ()
        turn = state.turn.number
        standings = [Standing(seat=seat, place=1, reason="lost.winner", turn=turn) for seat in winners]
        gone = {departure.seat for departure in self.departures}
        drawn = [seat for seat in range(self._seats) if seat not in gone and seat not in winners]
        place = len(standings) + 1
        standings += [Standing(seat=seat, place=place, reason="lost.draw", turn=turn) for seat in drawn]
        place += len(drawn)
        groups: dict[int, list[Standing]] = {}
        for gone_ in self.departures:
            if gone_.seat not in winners:
                standing = Standing(seat=gone_.seat, place=0, reason=lost_key(gone_.cause), turn=gone_.turn)
                groups.setdefault(gone_.group, []).append(standing)
        for group in sorted(groups, reverse=True):
            members = groups[group]
            standings += [Standing(seat=m.seat, place=place, reason=m.reason, turn=m.turn) for m in members]
            place += len(members)
        return Result(winners=list(winners), standings=standings, by_hand=self.by_hand)
