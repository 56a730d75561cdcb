"""What a journal is: the setup of a game, then everything that was put into it, in order.

The rules are deterministic, so a journal *is* the game: replay, restart, takeback and a bug report all read it. An entry
has a `seq`, 1 for the first, without gaps. `Check` entries hold the hash of the rules' state now and then, so that a
replay that diverges is caught where it begins. `Storage` is what a backend does; nothing here knows a disk.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias, cast

import msgspec

from protocol.messages import RoomOptions
from server.cards.forms import Card
from server.cards.nouns import Noun
from server.rules.questions import AnyAnswer
from server.rules.state import Options
from server.storage.errors import Damaged


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The common base of what is written down."""


# --- setup ------------------------------------------------------------------------------------------------------------


class SeatSetup(Record, frozen=True, kw_only=True):
    """A seat as the game began. `deck` are indices into the setup's `cards`, in the order of the list.

    `person` is the public id of who sits there ("" for a bot), `level` a bot's, `deck_name` only to show.
    """

    name: str
    kind: Literal["person", "bot"] = "person"
    person: str = ""
    level: str = ""
    deck_name: str = ""
    deck: tuple[int, ...] = ()


class Setup(Record, frozen=True, kw_only=True):
    """All that a game begins from.

    `rules` are the engine's options, edition and seed included; `options` the room's, as people chose them. `cards` are
    the different cards of all decks *as read*, so that a later card file changes no old game; `fingerprint` is a hash of
    them, `version` of the rules that dealt the game. `created` is in seconds since 1970 (UTC).
    """

    room: str
    rules: Options
    options: RoomOptions
    seats: tuple[SeatSetup, ...]
    cards: tuple[Card, ...]
    host: int = 0
    fingerprint: str = ""
    version: str = ""
    created: int = 0

    def deck(self, seat: int) -> tuple[Card, ...]:
        """The cards of a seat's deck; equal cards are the same object."""
        return tuple(self.cards[index] for index in self.seats[seat].deck)


class Sitting(msgspec.Struct, frozen=True, kw_only=True):
    """Someone who takes part, for `make_setup`; fields as in `SeatSetup`, but the deck is cards."""

    name: str
    deck: tuple[Card, ...]
    kind: Literal["person", "bot"] = "person"
    person: str = ""
    level: str = ""
    deck_name: str = ""


def make_setup(
    *,
    room: str,
    options: RoomOptions,
    seed: str,
    sittings: Sequence[Sitting],
    host: int = 0,
    rules: Options | None = None,
    version: str = "",
    created: int | None = None,
) -> Setup:
    """The setup of a new game. `rules` overrides what the room's options say (for tests)."""
    numbers: dict[bytes, int] = {}
    cards: list[Card] = []
    seats: list[SeatSetup] = []
    for sitting in sittings:
        deck: list[int] = []
        for card in sitting.deck:
            key = _encoder.encode(card)
            if key not in numbers:
                numbers[key] = len(cards)
                cards.append(card)
            deck.append(numbers[key])
        seats.append(
            SeatSetup(
                name=sitting.name,
                kind=sitting.kind,
                person=sitting.person,
                level=sitting.level,
                deck_name=sitting.deck_name,
                deck=tuple(deck),
            )
        )
    return Setup(
        room=room,
        rules=rules or engine_options(options, seed),
        options=options,
        seats=tuple(seats),
        cards=tuple(cards),
        host=host,
        fingerprint=hashlib.sha256(b"\n".join(numbers)).hexdigest()[:16],
        version=version,
        created=int(time.time()) if created is None else created,
    )


def engine_options(options: RoomOptions, seed: str) -> Options:
    """The engine's options for a room's."""
    return Options(
        edition=options.edition,
        life=options.life,
        attack=options.attack,
        range_of_influence=options.range,
        seed=seed,
    )


# --- entries ------------------------------------------------------------------------------------------------------------


class Entry(Record, frozen=True, kw_only=True, tag_field="entry"):
    """The common base. `at` is milliseconds since 1970 (UTC), for reading only: no game depends on it."""

    seq: int
    at: int = 0


class Answered(Entry, frozen=True, kw_only=True, tag="answer"):
    """`seat` answered the question of that number; `by` the player, or the clock at zero."""

    seat: int
    question: int
    answer: AnyAnswer
    by: Literal["seat", "clock"] = "seat"


class Passed(Entry, frozen=True, kw_only=True, tag="pass"):
    """Standing passes: the priority question of that number was passed, and `number` - 1 more that followed on it. One
    entry for all of them, because they are nine of ten inputs of a game.
    """

    question: int
    number: int = 1


class Conceded(Entry, frozen=True, kw_only=True, tag="concede"):
    """`seat` left the game (104.3a)."""

    seat: int


class Check(Entry, frozen=True, kw_only=True, tag="check"):
    """The hash of the rules' state after the entries before this one."""

    hash: str


class Ended(Entry, frozen=True, kw_only=True, tag="end"):
    """The game is over: the winners' seats, why, and the hash of the last state."""

    winners: tuple[int, ...]
    why: str
    hash: str


AnyEntry: TypeAlias = Answered | Passed | Conceded | Check | Ended


class Journal(msgspec.Struct, frozen=True):
    """A journal as read: `torn` tells that a last entry was unreadable and left out."""

    setup: Setup
    entries: tuple[AnyEntry, ...]
    torn: bool = False


class RoomRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the list of journals; `entries` counts them."""

    room: str
    created: int
    finished: bool
    entries: int


# --- bytes ----------------------------------------------------------------------------------------------------------------


def _write_noun(value: object) -> str:
    if isinstance(value, Noun):
        return value.text
    raise NotImplementedError(f"a journal cannot hold a {type(value).__name__}")


def _read_noun(kind: type, value: object) -> Any:
    if kind is Noun and isinstance(value, str):
        return Noun(value)
    raise NotImplementedError(f"a journal cannot hold a {kind.__name__}")


_encoder = msgspec.json.Encoder(enc_hook=_write_noun)


class _Decoders:
    """Made when first used: building the tree of all card forms takes a moment."""

    setup: msgspec.json.Decoder[Setup] | None = None
    entry: msgspec.json.Decoder[AnyEntry] | None = None


def write_setup(setup: Setup) -> bytes:
    """The setup as JSON; nouns as their phrases."""
    return _encoder.encode(setup)


def read_setup(data: bytes | str) -> Setup:
    """The setup that JSON says. Raises `Damaged`."""
    if _Decoders.setup is None:
        _Decoders.setup = msgspec.json.Decoder(Setup, dec_hook=_read_noun)
    try:
        return _Decoders.setup.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Damaged(f"the setup cannot be read: {fault}") from fault


def write_entry(entry: AnyEntry) -> bytes:
    """The entry as JSON."""
    return _encoder.encode(entry)


def read_entry(data: bytes | str) -> AnyEntry:
    """The entry that JSON says. Raises `Damaged`."""
    if _Decoders.entry is None:
        _Decoders.entry = cast("msgspec.json.Decoder[AnyEntry]", msgspec.json.Decoder(AnyEntry))
    try:
        return _Decoders.entry.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Damaged(f"an entry cannot be read: {fault}") from fault


def read_entries(room: str, lines: Sequence[bytes | str]) -> tuple[tuple[AnyEntry, ...], bool]:
    """All entries, and whether an unreadable last one was dropped. Raises `Damaged` for any other fault, gaps too."""
    entries: list[AnyEntry] = []
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line)
        except Damaged as fault:
            if number == len(lines):
                return tuple(entries), True
            raise Damaged(f"journal of {room}, entry {number}: {fault}") from fault
        if entry.seq != number:
            raise Damaged(f"journal of {room}: entry {number} says it is entry {entry.seq}")
        entries.append(entry)
    return tuple(entries), False


# --- backends ------------------------------------------------------------------------------------------------------------


class Storage(Protocol):
    """What a backend does. Every write has reached the disk when the call returns; all of them raise `StorageFault`
    when the disk does not take it, and then nothing was written.
    """

    async def create(self, setup: Setup) -> None:
        """Begin a journal. Raises `RoomExists`."""
        ...

    async def append(self, room: str, entries: Sequence[AnyEntry]) -> None:
        """Add entries, all or none. An `Ended` among them marks the room finished. Raises `Conflict`, `NoSuchRoom`."""
        ...

    async def load(self, room: str) -> Journal:
        """A journal. Raises `NoSuchRoom`, `Damaged`."""
        ...

    async def rooms(self) -> list[RoomRecord]:
        """All journals, oldest first."""
        ...

    async def finish(self, room: str) -> None:
        """Mark a room finished though its game is not: it is not taken up again at a restart. Raises `NoSuchRoom`."""
        ...

    async def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep a record of the lobby's (a person, a token's hash) under its kind and key; replaces."""
        ...

    async def get(self, kind: str, key: str) -> bytes | None:
        """The record, None if there is none."""
        ...

    async def delete(self, kind: str, key: str) -> None:
        """Forget the record, if there is one."""
        ...

    async def all(self, kind: str) -> dict[str, bytes]:
        """All records of a kind, by key."""
        ...

    async def aclose(self) -> None:
        """Write what is waiting and close."""
        ...
