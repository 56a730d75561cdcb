"""How much of a card list is read, and what stops the rest: counts, reasons, and the frontier (what to build next).

A frontier phrase is the place where the one unread paragraph of a card stopped, with a few words around it; numbers and mana are
left out, so that like phrases count together. Only cards with a single unread paragraph count: building that phrase may bring
the whole card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from server.cards.forms import Card
from server.cards.grammar import parse_types
from server.cards.loading import Entry, Imported, Unread
from server.oracle import full_grammar, reading
from server.oracle.engine import Reader, TooMany, line_words
from server.oracle.importing import Refused, read

BEFORE, BEHIND = 2, 3  # words of a frontier phrase around the place where the reading stopped
TABLE = ("two readings", "printed otherwise", "too many readings")


class Reason(msgspec.Struct, frozen=True):
    """What stops cards, how many, and one of them."""

    what: str
    cards: int
    example: str = ""


class Coverage(msgspec.Struct, frozen=True):
    """Of `total` cards so many are playable; what stops the others, the most frequent first."""

    total: int
    playable: int
    unread: int
    reasons: tuple[Reason, ...]


def coverage(cards: Iterable[Imported | Refused]) -> Coverage:
    """Counts the cards that can be played whole; what the list's reader refuses is unread."""
    total = playable = 0
    stopped: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for card in cards:
        total += 1
        if isinstance(card, Refused):
            stopped["refused by the list's reader"] += 1
            examples.setdefault("refused by the list's reader", str(card)[:60])
            continue
        found = read(card)
        if isinstance(found, Card):
            playable += 1
            continue
        stopped[found.word] += 1
        examples.setdefault(found.word, card.entry.name)
    return Coverage(total, playable, total - playable, _ranked(stopped, examples))


def frontier(cards: Iterable[Imported | Refused]) -> tuple[Reason, ...]:
    """The phrases and parts that stop most cards which nothing else stops."""
    stopped: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for card in cards:
        found = read(card) if isinstance(card, Imported) else None
        if not isinstance(found, Unread) or not isinstance(card, Imported):
            continue
        places = stops(card.entry)
        if len(places) > 1:
            continue
        what = places[0] if places else found.word
        stopped[what] += 1
        examples.setdefault(what, card.entry.name)
    return _ranked(stopped, examples)


def _ranked(stopped: Counter[str], examples: dict[str, str]) -> tuple[Reason, ...]:
    order = sorted(stopped.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Reason(what, cards, examples[what]) for what, cards in order)


def stops(entry: Entry) -> list[str]:
    """Where each unread paragraph of a card stopped; none for what is refused before its text is read."""
    spell = bool({"instant", "sorcery"} & set(parse_types(entry.types)[1]))
    return [
        word if word in TABLE else _place(line, entry.name, spell) for line, word in reading.unread_paragraphs(entry)
    ]


def _place(line: str, name: str, spell: bool) -> str:
    words = line_words(line, name)
    reader = Reader(full_grammar.grammar(), words)
    categories = reading.OF_SPELLS if spell else reading.OF_PERMANENTS
    try:
        for category in categories:
            reader.read(category, 0)
    except (TooMany, RecursionError):
        return "too many readings"
    at = reader.furthest
    shown = [_alike(word) for word in words[max(0, at - BEFORE) : at + BEHIND]]
    return " ".join((*shown[: min(at, BEFORE)], ">", *shown[min(at, BEFORE) :]))


def _alike(word: str) -> str:
    """A word as it counts: every number and mana symbol alike."""
    if any(letter.isdecimal() for letter in word):
        return "#/#" if "/" in word else "{M}" if word.startswith("{") else "#"
    return "{M}" if word.startswith("{") and word not in ("{this}", "{T}", "{Q}") else word
