"""Deck lists: read in the form of any program (`server.cards.decks.formats`), then judged. Faults are found all at once,
each with its line.

    # a comment; also // a comment
    24 Forest
    4x Thornhide Cub
    Sideboard
    2 Levy of Moss

A deck has at least 60 cards, and no more than four of a name but basic lands (100.2a), the sideboard counted in; a Commander
deck is as `server.cards.decks.commander` has it. Every card of it can be played: one that is not known or not read is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from server.cards.decks import commander, companions, deck_rules
from server.cards.decks.deck_rules import DeckRules
from server.cards.decks.formats import DeckList, Wanted, read_list
from server.cards.decks.formats.lists import MOST, short
from server.cards.decks.legality import KINDS, Kind
from server.cards.decks.legality import faults as faults_of_format
from server.cards.forms import Card
from server.cards.grammar import parse_types
from server.cards.loading import DeckFault, Status, Unread

Lookup = Callable[[str], "Card | Unread | None"]

TEXT_BYTES = 32 * 1024
LINES = 1000
FEWEST = 60
MOST_OF_A_NAME = 4
SIDEBOARD = 15
LOOKED_FOR = 10
"""Unknown names of one list for which names like them are looked for."""
LEADERS = 2
"""Commanders that a deck may have, if they are partners (current 702.124a)."""
FAULTS = 50
MANY = "could be several cards: "
"""How the word of an `Unread` begins that stands for an ambiguous name."""
_ANY_NUMBER = re.compile(r"[Aa] deck can have any number of cards named ")


class Line(msgspec.Struct, frozen=True):
    """So many of a card, from that line of the list."""

    count: int
    card: Card
    line: int


class Deck(msgspec.Struct, frozen=True):
    """A deck as read; `commander` leads it and is not in `main`. `about` is the list's first comment, `format` says which
    program's form it has.
    """

    name: str
    main: tuple[Line, ...]
    sideboard: tuple[Line, ...] = ()
    about: str = ""
    format: str = ""
    commander: tuple[Card, ...] = ()
    companion: tuple[Card, ...] = ()
    """The one that is brought from outside the game (current 702.139), if any; in no other part."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the main deck, each as often as it is in it, in the order of the list; without the commander."""
        return tuple(line.card for line in self.main for _ in range(line.count))

    @property
    def outside(self) -> tuple[Card, ...]:
        """The cards of the sideboard, likewise."""
        return tuple(line.card for line in self.sideboard for _ in range(line.count))


class Library(Protocol):
    """Who knows cards by name, for a deck to be judged."""

    def find(self, name: str, /) -> Card | Unread | None:
        """The card; None if there is none, `Unread` if it cannot be played."""
        ...

    def near(self, name: str, /) -> Sequence[str]:
        """Names of cards that are spelt nearly so, the nearest first."""
        ...

    def legality(self, name: str, /) -> Mapping[str, Status] | None:
        """What formats say of a card; None if no list says anything of it."""
        ...


class Known(msgspec.Struct, frozen=True):
    """A `Library` that only finds cards."""

    find: Lookup

    def near(self, name: str) -> Sequence[str]:
        """None."""
        return ()

    def legality(self, name: str) -> Mapping[str, Status] | None:
        """Nothing."""
        return None


def read_deck(
    text: str,
    library: Library | Lookup,
    name: str = "own",
    format_: str = "constructed",
    own: DeckRules | None = None,
) -> Deck:
    """The deck of a list, by the rules of a format (a key of `legality.KINDS`) and what lists say of it, or by rules that somebody has
    brought (`own`). Raises DeckFault with every fault (at most 50), KeyError for a format that there is not.
    """
    if len(text) > TEXT_BYTES or text.count("\n") > LINES:
        raise DeckFault(((0, f"is larger than {TEXT_BYTES} bytes or {LINES} lines"),))
    found = read_list(text)
    asked = Known(library) if callable(library) else library
    kind = KINDS[format_] if own is None else own.format
    led = kind != "constructed"
    copies = (1, "903.5b") if led else (MOST_OF_A_NAME, "100.2a")
    judge = _Judge(asked, found.faults, *(copies if own is None else (own.copies_of_a_name, own.name)))
    deck = _commander_deck(found, judge, kind, own) if led else _constructed_deck(found, judge, own)
    deck = replace(deck, companion=judge.companion(found.companion, deck, _least(kind, own)))
    judge.faults.extend(faults_of_format(own.legal or own.format if own else format_, judge.counts, asked.legality))
    judge.settle()
    return replace(deck, name=name)


def _constructed_deck(found: DeckList, judge: _Judge, own: DeckRules | None) -> Deck:
    main, sideboard = judge.lines(found.main), judge.lines(found.sideboard)
    judge.no_dungeons(main)
    judge.sizes(found.main, found.sideboard, own, sum(line.count for line in sideboard if line.card.rooms))
    if own is not None:
        judge.faults.extend(deck_rules.banned(own, judge.first_lines(), ()))
    return Deck(name="", main=main, sideboard=sideboard, about=found.about, format=found.format)


def _commander_deck(found: DeckList, judge: _Judge, kind: Kind, own: DeckRules | None) -> Deck:
    leads = found.commander or _unnamed_leaders(found, judge)
    outside = [want for want in found.sideboard if want not in leads]
    main = judge.lines([want for want in found.main if want not in leads])
    leaders = judge.lines(leads)
    brought = judge.lines(outside)
    judge.no_dungeons(main)
    judge.faults.extend(
        (line.line, "Commander is played without a sideboard (current 903.5e)")
        for line in [line for line in brought if not line.card.rooms][:1]
    )
    if not judge.faults:
        whole = [(line.line, line.count, line.card) for line in (*leaders, *main)]
        first = [(line.line, line.card) for line in leaders]
        judge.faults.extend(commander.faults(first, whole, kind, own))
        judge.faults.extend([] if own is None else deck_rules.banned(own, judge.first_lines(), first))
    led = tuple(line.card for line in leaders)
    return Deck(name="", main=main, sideboard=brought, about=found.about, format=found.format, commander=led)


def _least(kind: Kind, own: DeckRules | None) -> int:
    """How many cards a deck must have."""
    if own is not None:
        return own.least
    return {"constructed": FEWEST, "commander": commander.SIZE, "brawl": commander.BRAWL_SIZE}[kind]


def _unnamed_leaders(found: DeckList, judge: _Judge) -> list[Wanted]:
    """Who leads a deck whose list has no title for it: one or two cards that are all of the sideboard but its dungeons, which there is
    none of; else a first or last paragraph of one or two cards.
    """
    blocks = found.paragraphs()
    outside = [want for want in found.sideboard if not judge.is_dungeon(want)]
    for block in (outside, blocks[0] if blocks else [], blocks[-1] if blocks else []):
        if 0 < len(block) <= LEADERS and all(want.count == 1 for want in block) and len(block) < len(found.main):
            return block
    return []


class _Judge:
    """Finds the cards that are wanted, and what is wrong with them. `most` of a name by a `rule`."""

    def __init__(self, library: Library, faults: list[tuple[int, str]], most: int, rule: str) -> None:
        self.library = library
        self.unknown = 0
        self.most = most
        self.rule = rule
        self.counts: dict[str, tuple[int, int]] = {}
        """(first line, copies) by name."""
        self.faults = faults

    def lines(self, wanted: list[Wanted]) -> tuple[Line, ...]:
        """The lines with their cards; those without are faults."""
        found: list[Line] = []
        for want in wanted:
            card = self.card(want)
            if card is not None:
                found.append(Line(want.count, card, want.line))
        return tuple(found)

    def card(self, want: Wanted) -> Card | None:
        card = self.library.find(want.name)
        if card is None:
            self.unknown += 1
            like = " or ".join(map(short, self.library.near(want.name) if self.unknown <= LOOKED_FOR else ()))
            meant = f"; is {like} meant?" if like else ""
            self.faults.append((want.line, f"there is no card named {short(want.name)}{meant}"))
            return None
        if isinstance(card, Unread):
            if card.word.startswith(MANY):
                self.faults.append((want.line, f"{card.name!r} {card.word}"))
                return None
            self.faults.append(
                (want.line, f"{card.name!r} cannot be played yet: its text is not read at {card.word!r}")
            )
            return None
        line, before = self.counts.get(card.name, (want.line, 0))
        total = before + want.count
        self.counts[card.name] = line, total
        if total > self.most and "basic" not in parse_types(card.types)[0] and not _ANY_NUMBER.search(card.text):
            self.faults.append((want.line, f"more than {self.most} of {card.name!r} ({self.rule})"))
        return card

    def companion(self, wanted: list[Wanted], deck: Deck, least: int) -> tuple[Card, ...]:
        """The card that is wanted as a companion. What is none is refused by its name, so that nobody sits down without what they count
        on."""
        if not wanted:
            return ()
        if len(wanted) > 1 or wanted[0].count > 1:
            self.faults.append((wanted[-1].line, "a deck has one companion at most (current 103.2b)"))
            return ()
        card = self.card(wanted[0])
        if card is None or self.faults:
            return ()
        starting = [(1, leader) for leader in deck.commander] + [(line.count, line.card) for line in deck.main]
        why = companions.faults(card, starting, least, deck.commander)
        if why:
            self.faults.append((wanted[0].line, f"{card.name!r} {why}"))
        elif not deck.commander and sum(line.count for line in deck.sideboard if not line.card.rooms) >= SIDEBOARD:
            self.faults.append(
                (wanted[0].line, f"a sideboard has at most {SIDEBOARD} cards, its companion counted in (100.4a)")
            )
        return (card,)

    def first_lines(self) -> dict[str, int]:
        """The names of all cards that were found, each with the line on which it stands first."""
        return {name: line for name, (line, _) in self.counts.items()}

    def settle(self) -> None:
        """Raises DeckFault if there is any fault."""
        if self.faults:
            raise DeckFault(tuple(sorted(self.faults)[:FAULTS]))

    def is_dungeon(self, want: Wanted) -> bool:
        """Whether a dungeon is wanted, which stands with what is outside and leads no deck (current 309.2)."""
        card = self.library.find(want.name)
        return isinstance(card, Card) and bool(card.rooms)

    def no_dungeons(self, lines: tuple[Line, ...]) -> None:
        """A dungeon is no card of a deck; those that a player brings stand with what is outside (current 309.2)."""
        for line in lines:
            if line.card.rooms:
                self.faults.append((line.line, f"{line.card.name!r} is a dungeon, no card of a deck (current 309.2)"))

    def sizes(self, main: list[Wanted], sideboard: list[Wanted], own: DeckRules | None, dungeons: int) -> None:
        """`dungeons` of the sideboard's lines are not counted in it."""
        size, most = sum(want.count for want in main), SIDEBOARD if own is None else own.sideboard
        if own is not None and not self.faults:
            self.faults.extend(deck_rules.size_fault(own, size))
        if own is None and size < FEWEST and not self.faults:
            self.faults.append((0, f"a deck has at least {FEWEST} cards, this one has {size} (100.2a)"))
        if size > MOST:
            self.faults.append((0, f"a deck of {size} cards is more than this table shuffles ({MOST})"))
        if sum(want.count for want in sideboard) - dungeons > most:
            self.faults.append((0, f"a sideboard has at most {most} cards " + (f"({own.name})" if own else "(100.4a)")))
