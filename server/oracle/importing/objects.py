"""The cards' objects among JSON events, wherever a list keeps them:

    [{...}, {...}]                          Scryfall's bulk data, or our entries as one list
    {...} {...}                             one object a line: our JSON lines
    {"meta": ..., "data": {NAME: [{...}]}}  MTGJSON's AtomicCards: what stands under a name is one group of faces
    {"meta": ..., "data": {CODE: {"cards": [{...}]}}}  MTGJSON's AllPrintings; {"data": {"cards": [...]}} is one of its sets
    {"object": "list", "data": [{...}]}     a page of Scryfall's search

Only the fields that a card needs are kept, so that prices and pictures cost nothing but time. A card that is
too large or too deep is not built: its place is told by an `Overgrown`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, cast

import msgspec

from server.oracle.importing.errors import ListFault
from server.oracle.importing.stream import Event

Data: TypeAlias = dict[str, Any]

WANTED = frozenset(
    # our own entries, and what all lists share
    {"name", "cost", "types", "text", "power", "toughness", "loyalty", "colors", "layout", "legalities"}
    # Scryfall
    | {"object", "lang", "mana_cost", "type_line", "oracle_text", "card_faces", "printed_name", "set_type"}
    | {"color_indicator", "printed_type_line", "printed_text"}
    # MTGJSON
    | {"manaCost", "type", "faceName", "side", "foreignData", "language", "isFunny", "colorIndicator"}
)
WHOLE = "legalities"
"""The field whose keys, the names of formats, are kept whatever they are."""
TELLING = frozenset({"name", "text", "types", "cost", "oracle_text", "type_line", "mana_cost", "layout", "lang", "id"})
"""A first object with one of these keys is itself a card."""
DEPTH = 16
CARD_SIZE = 64 * 1024
CARD_PARTS = 4000
GROUP = 40
ENVELOPE_DEPTH = 64
PAGE, ATOMIC = ("start_map", "data"), ("start_map", "data", "start_array")
"""The containers around a card in a page of Scryfall's, in AtomicCards."""
CARDS = "cards"
SET, SETS = ("start_map", "data", CARDS), ("start_map", "data", "start_map", CARDS)
"""Those in one set of MTGJSON's, in AllPrintings."""
HELD = 4000
"""Faces of one set that wait for the others of their card."""
BEFORE_DATA = 20_000
"""Events that may stand before the cards of an envelope."""


class Overgrown(msgspec.Struct, frozen=True):
    """A card that was not built: its name if that came early enough, and why."""

    name: str
    why: str


class Group(msgspec.Struct, frozen=True):
    """The objects that MTGJSON keeps under one name."""

    name: str
    cards: tuple[Data | Overgrown, ...]


Found: TypeAlias = "Data | Overgrown | Group"


def objects(events: Iterable[list[Event]]) -> Iterator[Found]:
    """The cards' objects in the order of the file. Raises ListFault if there is no place where cards could be."""
    reader = _Reader()
    for some in events:
        yield from reader.take(some)
    reader.end()


class _Card:
    """One object while it is built. `take` returns whether it is complete."""

    __slots__ = ("depth", "key", "name", "parts", "size", "skip", "stack", "top", "whole", "why")

    def __init__(self) -> None:
        self.top: Data = {}
        self.stack: list[Any] = [self.top]
        self.key = ""
        self.name = ""
        self.depth = 1
        self.skip = 0  # the depth of the container that is left out, 0 if none is
        self.whole = 0  # the depth of the container that is kept with all its keys
        self.size = self.parts = 0
        self.why = ""

    def take(self, kind: str, value: Any) -> bool:
        if kind == "map_key":
            if not self.skip:
                self.key = value
            return False
        if kind in {"start_map", "start_array"}:
            self.depth += 1
            if self.depth > DEPTH:
                self.why = self.why or f"is nested deeper than {DEPTH}"
                self.skip = self.skip or self.depth
            elif not self.skip:
                self._open({} if kind == "start_map" else [])
            return False
        if kind in {"end_map", "end_array"}:
            if self.skip == self.depth:
                self.skip = 0
            elif not self.skip:
                self.stack.pop()
            if self.whole == self.depth:
                self.whole = 0
            self.depth -= 1
            return not self.depth
        if not self.skip:
            self._put(value)
        return False

    def _wanted(self) -> bool:
        return isinstance(self.stack[-1], list) or bool(self.whole) or self.key in WANTED

    def _open(self, container: Any) -> None:
        if not self._wanted() or self.why:
            self.skip = self.depth
            return
        if self.key == WHOLE and not self.whole:
            self.whole = self.depth
        self._add(container)
        self.stack.append(container)

    def _put(self, value: Any) -> None:
        if not self._wanted() or self.why:
            return
        if isinstance(value, str):
            self.size += len(value)
            if self.depth == 1 and self.key == "name":
                self.name = value[:200]
            if self.size > CARD_SIZE:
                self.why = f"is larger than {CARD_SIZE} characters"
                return
        self._add(value)

    def _add(self, value: Any) -> None:
        self.parts += 1
        if self.parts > CARD_PARTS:
            self.why = f"has more than {CARD_PARTS} parts"
            return
        inner = self.stack[-1]
        if isinstance(inner, list):
            cast("list[Any]", inner).append(value)
        else:
            inner[self.key] = value

    def built(self) -> Data | Overgrown:
        return Overgrown(self.name, self.why) if self.why else self.top


class _Reader:
    """Finds where the cards begin, then hands their events to a `_Card` each."""

    def __init__(self) -> None:
        self.waiting: list[Event] = []
        self.path: tuple[str, ...] | None = None  # the containers around a card; None: not known yet
        self.around: list[str] = []
        self.card: _Card | None = None
        self.group_name = ""
        self.group: list[Data | Overgrown] = []
        self.sides: dict[str, dict[str, Data]] = {}  # by name and side: the faces of a set's cards
        self.key = ""
        self.seen = False

    def take(self, some: list[Event]) -> Iterator[Found]:
        if self.path is None:
            self.waiting += some
            self.path = _place(self.waiting)
            if self.path is None:
                if len(self.waiting) > BEFORE_DATA:
                    raise ListFault("is no card list: no cards stand where a list of cards has them")
                return
            some, self.waiting = self.waiting, []
        yield from self._follow(some)

    def end(self) -> None:
        if self.path is None and self.waiting:
            self.path = _place(self.waiting, over=True)
        if not self.seen:
            raise ListFault("is no card list: there is no card in it")

    def _follow(self, some: list[Event]) -> Iterator[Found]:
        path, around, card = cast("tuple[str, ...]", self.path), self.around, self.card
        for kind, value in some:
            if card is not None:
                if card.take(kind, value):
                    self.seen = True
                    if path == ATOMIC:
                        self._grouped(card.built())
                    elif path[-1:] == (CARDS,):
                        yield from self._of_set(card.built())
                    else:
                        yield card.built()
                    card = None
            elif kind == "start_map" and tuple(around) == path:
                card = _Card()
            elif kind in {"start_map", "start_array"}:
                self._open(kind)
            elif kind in {"end_map", "end_array"}:
                if around.pop() == CARDS:
                    yield from (Group(name, tuple(faces.values())) for name, faces in self.sides.items())
                    self.sides = {}
                if self.group and len(around) == 2:
                    yield Group(self.group_name, tuple(self.group))
                    self.group = []
            elif kind == "map_key":
                self.key = value
                if len(around) == 2:
                    self.group_name = value
            elif tuple(around) == path:
                raise ListFault(f"is no card list: {str(value)[:40]!r} stands where a card should")
        self.card = card

    def _grouped(self, card: Data | Overgrown) -> None:
        if len(self.group) < GROUP:
            self.group.append(card)
        else:
            self.group[-1] = Overgrown(self.group_name, f"has more than {GROUP} cards under one name")

    def _of_set(self, card: Data | Overgrown) -> Iterator[Found]:
        """A card of a set. Faces, which stand in no order that is promised, are held until the set ends; a card may be in it
        in several printings.
        """
        if isinstance(card, Overgrown):
            yield card
            return
        name, side = str(card.get("name", "")), card.get("side")
        if side is None or sum(map(len, self.sides.values())) >= HELD:
            yield Group(name, (card,))
        else:
            self.sides.setdefault(name, {}).setdefault(str(side), card)

    def _open(self, kind: str) -> None:
        """A list or object around cards, or beside them, begins."""
        around, path = self.around, self.path
        if tuple(around) == path:
            raise ListFault("is no card list: a list stands where a card should")
        if path == ATOMIC and len(around) == 2 and around[1] == "data" and kind == "start_map":
            raise ListFault(
                "is MTGJSON's, but not AtomicCards: `data` holds sets or the like, not lists of cards by name"
            )
        cards = self.key == CARDS and kind == "start_array" and (*around, CARDS) == path
        around.append("data" if len(around) == 1 and self.key == "data" else CARDS if cards else kind)
        if len(around) > ENVELOPE_DEPTH:
            raise ListFault(f"is no card list: it is nested deeper than {ENVELOPE_DEPTH}")


def _place(events: list[Event], over: bool = False) -> tuple[str, ...] | None:
    """The containers around each card, judged by the first events; None if more are needed. Raises ListFault."""
    first = events[0][0]
    if first == "start_array":
        if len(events) == 1:
            return None
        if events[1][0] == "start_map":
            return ("start_array",)
        if events[1][0] == "end_array":
            raise ListFault("is no card list: it is an empty list")
        raise ListFault("is no card list: it is a list, but not of objects")
    if first != "start_map":
        raise ListFault("is no card list: it is a single value")
    depth, key = 0, ""
    for at, (kind, value) in enumerate(events):
        if kind == "map_key" and depth == 1:
            key = value
            if key in TELLING:
                return ()
        elif kind in {"start_map", "start_array"}:
            if depth == 1 and key == "data":
                return PAGE if kind == "start_array" else _within(events[at + 1 : at + 3], over)
            depth += 1
        elif kind in {"end_map", "end_array"}:
            depth -= 1
            if not depth:
                raise ListFault("is no card list: its first object has neither a card's fields nor `data`")
    if over:
        raise ListFault("is no card list")
    return None


def _within(first: list[Event], over: bool) -> tuple[str, ...] | None:
    """The containers around a card in a file of MTGJSON's, judged by the first key and value in its `data`."""
    if len(first) < 2 and not over:
        return None
    kind = first[1][0] if len(first) == 2 else ""
    return {"start_map": SETS, "start_array": ATOMIC, "": ATOMIC}.get(kind, SET)
