"""The bytes of a journal: JSON, one value for the setup and one for each entry.

The setup's cards are most of it, and the same in many rooms: `split_setup` takes them out, so that a backend can keep each
once under its hash, and `read_card` gives the same object for the same bytes, so that rooms share what the rules make of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from server.cards.forms import Card
from server.cards.nouns import Noun
from server.rules.model import encode_card
from server.storage.errors import Damaged
from server.storage.journal import AnyEntry, Setup


def write_noun(value: object) -> str:
    """A noun as its phrase; nothing else needs help to be written."""
    if isinstance(value, Noun):
        return value.text
    raise NotImplementedError(f"a journal cannot hold a {type(value).__name__}")


def read_noun(kind: type, value: object) -> Any:
    """The noun of a phrase."""
    if kind is Noun and isinstance(value, str):
        return Noun(value)
    raise NotImplementedError(f"a journal cannot hold a {kind.__name__}")


_encoder = msgspec.json.Encoder(enc_hook=write_noun)


# msgspec enters a struct among those it knows before it knows its fields: of two threads that make the first decoder of one at once, the
# second may crash the process. So these, and with them all that cards, setups and entries are made of, are here before any thread is.
_setup = msgspec.json.Decoder(Setup, dec_hook=read_noun)
_card = msgspec.json.Decoder(Card, dec_hook=read_noun)
_entry = cast("msgspec.json.Decoder[AnyEntry]", msgspec.json.Decoder(AnyEntry, dec_hook=read_noun))


# --- setup --------------------------------------------------------------------------------------------------------------


def write_setup(setup: Setup) -> bytes:
    """The setup as JSON; nouns as their phrases."""
    return _encoder.encode(setup)


def read_setup(data: bytes | str) -> Setup:
    """The setup that JSON says. Raises `Damaged`."""
    try:
        return _setup.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Damaged(f"the setup cannot be read: {fault}") from fault


def split_setup(setup: Setup) -> tuple[bytes, dict[str, bytes]]:
    """The setup without its cards, and the cards as JSON by their hashes, in their order."""
    cards: dict[str, bytes] = {}
    for card in setup.cards:
        data = encode_card(card)
        cards[hashlib.sha256(data).hexdigest()[:32]] = data
    return write_setup(replace(setup, cards=())), cards


def join_setup(data: bytes | str, cards: Iterable[bytes]) -> Setup:
    """The setup that was split. Raises `Damaged`."""
    return replace(read_setup(data), cards=tuple(map(read_card, cards)))


@lru_cache(maxsize=20_000)
def read_card(data: bytes) -> Card:
    """The card that JSON says: the same object for the same bytes. Raises `Damaged`."""
    try:
        return _card.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Damaged(f"a card cannot be read: {fault}") from fault


# --- entries ------------------------------------------------------------------------------------------------------------


def write_entry(entry: AnyEntry) -> bytes:
    """The entry as JSON."""
    return _encoder.encode(entry)


def read_entry(data: bytes | str) -> AnyEntry:
    """The entry that JSON says. Raises `Damaged`."""
    try:
        return _entry.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Damaged(f"an entry cannot be read: {fault}") from fault


def read_entries(room: str, lines: Sequence[bytes | str], first: int = 1) -> tuple[tuple[AnyEntry, ...], bool]:
    """All entries, of which the first has the number `first`, and whether an unreadable last one was dropped.

    Raises `Damaged` for any other fault, gaps too."""
    entries: list[AnyEntry] = []
    for number, line in enumerate(lines, first):
        try:
            entry = read_entry(line)
        except Damaged as fault:
            if number == first + len(lines) - 1:
                return tuple(entries), True
            raise Damaged(f"journal of {room}, entry {number}: {fault}") from fault
        if entry.seq != number:
            raise Damaged(f"journal of {room}: entry {number} says it is entry {entry.seq}")
        entries.append(entry)
    return tuple(entries), False
