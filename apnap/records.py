"""A game as JSON: what it began with, and what was answered. Cards are in it whole, so that it needs no list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from protocol.questions import Answer
from server.cards.forms import Card
from server.cards.loading import CardFault, card_of, files
from server.rules import RULES_VERSION, Illegal, Options
from server.rules.model import encode_card
from server.rules.turn import variants

if TYPE_CHECKING:
    from apnap.game import Game

VERSION = 1
"""Of the form of records."""
MOST_BYTES = 64 << 20
MOST_ANSWERS = 1_000_000
MOST_CARDS = 2_000
"""In a deck."""


class RecordFault(Exception):
    """What was to be read is no record of a game, or other rules than these have played it."""


class Given(msgspec.Struct, frozen=True, array_like=True):
    """An answer of a seat; None: it conceded."""

    seat: int
    answer: Answer | None


class Seated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat there with which cards."""

    name: str
    deck: tuple[Card, ...]
    commander: tuple[Card, ...] = ()


class Record(msgspec.Struct, frozen=True):
    """A game by its inputs. `first`: the seat that begins, -1 for a drawn one."""

    options: Options
    seats: tuple[Seated, ...]
    first: int = -1
    answers: tuple[Given, ...] = ()


class _Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    deck: tuple[int, ...]
    commander: tuple[int, ...] = ()


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record on its way: each card once, decks by their numbers."""

    apnap: int
    rules: str
    options: Options
    first: int
    cards: tuple[dict[str, object], ...]
    seats: tuple[_Place, ...]
    answers: tuple[Given, ...]


def write_record(record: Record) -> str:
    """The JSON of a record."""
    numbers: dict[bytes, int] = {}
    cards: list[dict[str, object]] = []
    known: dict[int, int] = {}

    def number(card: Card) -> int:
        if id(card) not in known:
            key = encode_card(card)
            if key not in numbers:
                numbers[key] = len(cards)
                cards.append(files.data_of(card))
            known[id(card)] = numbers[key]
        return known[id(card)]

    places = tuple(
        _Place(one.name, tuple(map(number, one.deck)), tuple(map(number, one.commander))) for one in record.seats
    )
    written = _Written(VERSION, str(RULES_VERSION), record.options, record.first, tuple(cards), places, record.answers)
    return msgspec.json.encode(written).decode()


def read_record(text: str | bytes, play: Callable[[Record], Game]) -> Game:
    """What was written, played again. Raises RecordFault."""
    if len(text) > MOST_BYTES:
        raise RecordFault(f"it is larger than {MOST_BYTES} bytes")
    try:
        written = msgspec.json.decode(text, type=_Written)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise RecordFault(str(fault)) from None
    if written.apnap != VERSION:
        raise RecordFault(f"it is of form {written.apnap}, not {VERSION}")
    if len(written.answers) > MOST_ANSWERS or any(
        len(cards) > MOST_CARDS for seat in written.seats for cards in (seat.deck, seat.commander)
    ):
        raise RecordFault("it is too large")
    _check_table(written)
    try:
        cards = [card_of(data) for data in written.cards]
        seats = tuple(
            Seated(seat.name, tuple(_numbered(cards, seat.deck)), tuple(_numbered(cards, seat.commander)))
            for seat in written.seats
        )
    except (CardFault, ValueError) as fault:
        raise RecordFault(str(fault)) from None
    try:
        return play(Record(written.options, seats, written.first, written.answers))
    except (Illegal, ValueError, IndexError) as fault:
        raise RecordFault(
            f"it does not go on so by rules {RULES_VERSION} (played by {written.rules}): {fault}"
        ) from None


def _check_table(written: _Written) -> None:
    """Whether its options are for those who sit there. Raises RecordFault."""
    options, seats = written.options, len(written.seats)
    if seats not in variants.SEATS["free_for_all"] or not -1 <= written.first < seats:
        raise RecordFault(f"no game of {seats} seats is begun by seat {written.first}")
    if not 0 <= options.hand_size <= MOST_CARDS:
        raise RecordFault(f"nobody begins with {options.hand_size} cards")
    if any(len(each) not in (0, seats) for each in (options.teams, options.ranges)):
        raise RecordFault(f"its teams or ranges are not those of {seats} seats")


def _numbered(cards: list[Card], numbers: tuple[int, ...]) -> Iterator[Card]:
    for number in numbers:
        if not 0 <= number < len(cards):
            raise ValueError(f"there is no card {number}")
        yield cards[number]
