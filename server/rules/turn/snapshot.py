"""A state written down and read again, in the time of some hundred decisions instead of a whole game's.

A state is a graph of frozen values that shares much: the same program hangs on a card, on the effect that it made and on
the frame that runs it, and some questions of the rules ask whether two are *the same* ability. So the graph is written as
one, each shared value once. What belongs to a card is not written at all: the cards of the game's setup are numbered, and
a part of one is its number in the walk of that card's definition, which comes out the same wherever the definition is
made. Structs are written by the names of their fields (those that msgspec encodes), without those at their default, so that a
later version that has added a field still reads them. What is a cache (`State.memo`) stays behind.

The text is JSON: `{"snapshot": 1, "shapes": [...], "cards": n, "walks": {...}, "made": [...], "nodes": [...], "state": ...}`.
A value is a scalar, or a list that begins with its kind: one of the constants below, or `_SHAPES` + the number of a shape
(a class and the fields that are given). Whoever reads one checks the state's hash (`fingerprint`) against what was noted
with it: this module promises only that what it has read is of the right classes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, cast

import msgspec

from server.cards.forms import Card
from server.cards.nouns import Noun
from server.rules.model import (
    EDITIONS,
    NO_ABILITIES,
    OBJECT_FIELDS,
    Abilities,
    Definition,
    Edition,
    Object,
    RulesError,
    State,
    ability_definition,
    define,
    remember,
    shared_number,
)
from server.rules.turn.snapshot_classes import CLASSES, NAMES, Layout, fields_of, layout_of, maker_of, places_in_object

VERSION = 1
PIECE = 32
"""Entries of a list that are written in a piece of the work: well under a millisecond."""
_SHARED, _TUPLE, _DICT, _SET, _DEFINITION, _PART, _EDITION, _NOUN, _KIT, _SHAPES = range(10)
_DEFINITION_OF_OBJECT = OBJECT_FIELDS.index("definition")
_SIMPLE = places_in_object(bool, int, str) | {_DEFINITION_OF_OBJECT}
"""The fields of an object that can be written as they are, and that of which the number is."""
_KINDS: dict[type, str] = {tuple: "tuple", Noun: "Noun", Abilities: "Kit"}
"""What stands in the walk of a definition, by its name in the walk's check."""
_KINDS.update((made, name.partition(".")[2]) for made, name in NAMES.items())
_PLAIN = frozenset({type(None), bool, int, str})
"""What is written as it is."""


class Unreadable(RulesError):
    """A snapshot that this version cannot read; the message says why."""


def write(game: State, cards: tuple[Card, ...]) -> bytes:
    """The state as JSON. `cards` are those of the game's setup, in order, as the game was dealt from them.

    Raises TypeError for a value that no state holds."""
    return b"".join(parts(game, cards))


def parts(game: State, cards: tuple[Card, ...]) -> Iterator[bytes]:
    """As `write`, a piece of the work at a time: of a large state that takes a tenth of a second. Most parts are empty."""
    first: Sequence[Definition] = ()
    while True:
        writer = _Writer(cards, first)
        try:
            yield from writer.parts(game)
        except _Late:
            first = writer.met
        else:
            return


def read(data: bytes, cards: tuple[Card, ...]) -> State:
    """The state that `write` wrote. Raises `Unreadable`."""
    try:
        text = msgspec.json.decode(data, type=_Text)
        if text.snapshot != VERSION:
            raise Unreadable(f"a snapshot of version {text.snapshot}; this version reads {VERSION}")
        found = _Reader(text, cards).value(text.state)
    except (msgspec.MsgspecError, LookupError, AttributeError, TypeError, ValueError, RecursionError) as fault:
        raise Unreadable(f"the snapshot cannot be read: {fault}") from fault
    if not isinstance(found, State):
        raise Unreadable("the snapshot holds no state")
    return found


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The JSON object; see the module. `walks` maps a definition's number to the check of its walk."""

    snapshot: int
    shapes: list[tuple[str, list[str]]]
    cards: int
    walks: dict[int, int]
    made: list[Any]
    nodes: list[Any]
    state: Any


# --- the parts of a definition -----------------------------------------------------------------------------------------------


class _Walk:
    """All values that belong to a definition, in the order in which they are met: card, printed characteristics, abilities."""

    __slots__ = ("check", "definition", "numbers", "values")

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.values: list[object] = []
        self.numbers: dict[int, int] = {}
        self._meet(definition.card)
        self._meet(definition.base)
        kinds = " ".join(_KINDS[type(value)] for value in self.values)
        self.check = zlib.crc32(kinds.encode())

    def _meet(self, value: object) -> None:
        if value is None or isinstance(value, (str, int, frozenset)) or value == ():
            return
        # By place, not by identity: read from a journal, a card need not share what it shared when its text was read.
        self.numbers.setdefault(id(value), len(self.values))
        self.values.append(value)
        if isinstance(value, tuple):
            for part in cast("tuple[object, ...]", value):
                self._meet(part)
        elif isinstance(value, Abilities):
            self._meet(value.all)
        elif isinstance(value, msgspec.Struct):
            for name in value.__struct_fields__:
                self._meet(getattr(value, name))


_walks: dict[int, _Walk] = {}


def _walk_of(definition: Definition) -> _Walk:
    """The walk of a definition, remembered by its identity."""
    known = _walks.get(id(definition))
    if known is None or known.definition is not definition:
        known = remember(_walks, id(definition), _Walk(definition))
    return known


# --- writing ----------------------------------------------------------------------------------------------------------------


class _Late(Exception):
    """A definition was met after parts of it had been written as values of their own."""


_Pick = Callable[[Sequence[object]], tuple[object, ...]]


class _Writer:
    """Writes one state, where these definitions are written before all else. Everything met stays alive through the state, so that
    identities hold.
    """

    def __init__(self, cards: tuple[Card, ...], first: Sequence[Definition] = ()) -> None:
        self._definitions: dict[int, int] = {}
        self._part: dict[int, int] = {}
        """By the identity of a part the number of the first definition that it belongs to."""
        self._walks: list[_Walk] = []
        """Of each definition, by its number."""
        self._walked: dict[int, int] = {}
        self._first = first
        self.met: list[Definition] = []
        """The definitions that are no card's of the setup."""
        self._made: list[Any] = []
        self._shapes: dict[tuple[type, tuple[int, ...]], int] = {}
        """Classes, each with the places of the fields that are given."""
        self._ways: dict[tuple[int, ...], tuple[int, _Pick | None]] = {}
        """How objects are written of which just these fields are given: their shape, and what takes out simple fields."""
        self._written: dict[int, list[Any]] | None = {}
        """What came of each value, by its identity; None within what is written as often as it is met."""
        self._shared: dict[int, tuple[list[Any], list[Any]]] = {}
        """What stands wherever a value of a node is met, by its identity, and what stands in the node."""
        self._nodes: list[Any] = []
        self._done: tuple[object, Any] = None, ()
        """A value that is written already, and what came of it."""
        self._cards = cards

    def parts(self, game: State) -> Iterator[bytes]:
        """Raises `_Late`."""
        for number, card in enumerate(self._cards):
            definition = define(card)
            self._definitions[id(definition)] = number
            self._walks.append(_walk_of(definition))
            if number % PIECE == 0:
                yield b""
        for number in range(len(self._walks) - 1, -1, -1):  # so that the first has the last word
            self._part.update(dict.fromkeys(self._walks[number].numbers, number))
        # Before anything else: a part of one may be met before it, on the stack while its token is gone.
        for definition in self._first:
            self._definition(definition)
        for thing in game.objects.values():
            if id(thing.definition) not in self._definitions:
                self._definition(thing.definition)
        yield b""
        # Most of a state are its objects, which come by themselves; the others are as of any value.
        objects: list[Any] = [_DICT]
        layout = layout_of(Object)
        for oid, thing in game.objects.items():
            objects += (oid, self._object(thing, layout))
            if len(objects) % PIECE == 1:
                yield b""
        self._done = game.objects, objects
        root = self.value(game)
        for written, _ in self._shared.values():
            self._number([written])
        shapes = [(NAMES[made], [layout_of(made).names[place] for place in given]) for made, given in self._shapes]
        yield msgspec.json.encode(_Text(VERSION, shapes, len(self._cards), self._walked, self._made, self._nodes, root))

    def _know(self, definition: Definition, number: int) -> None:
        self._definitions[id(definition)] = number
        walk = _walk_of(definition)
        if self._written and not self._written.keys().isdisjoint(walk.numbers):
            raise _Late
        self._walks.append(walk)
        for identity in walk.numbers:
            self._part.setdefault(identity, number)

    def value(self, value: object) -> Any:
        """The value for the text."""
        kind, identity = type(value), id(value)
        if kind in _PLAIN:
            return value
        part = self._part.get(identity)
        if part is not None:
            walk = self._walks[part]
            self._walked[part] = walk.check
            return (_PART, part, walk.numbers[identity])
        if kind not in NAMES and (apart := self._apart(value)) is not None:
            return apart
        if self._written is None or _is_no_kit(value):
            return self._inside(value)
        written = self._written.get(identity)
        if written is None:
            written = self._written[identity] = self._inside(value)
        elif id(written) not in self._shared:  # what is met again gets a node, and stands there wherever it was met
            self._shared[id(written)] = written, written[:]
            written[:] = (_SHARED, None)
        return written

    def _apart(self, value: object) -> Any:
        """What is never a node: it is a name or a number, known by its own name, or empty. None for what may be one."""
        if isinstance(value, (str, int)):
            return value
        if isinstance(value, Definition):
            return (_DEFINITION, self._definition(value))
        if isinstance(value, Noun):
            return (_NOUN, value.text)
        if isinstance(value, Edition):
            return (_EDITION, value.name)
        if isinstance(value, frozenset):
            return (_SET, *sorted(cast("frozenset[str]", value)))
        return (_TUPLE,) if value == () else None

    def _inside(self, value: object) -> list[Any]:
        made = type(value)
        if made in NAMES:
            return self._struct(value, layout_of(cast("type[msgspec.Struct]", made)))
        if isinstance(value, tuple):
            parts = cast("tuple[object, ...]", value)
            if _PLAIN.issuperset(map(type, parts)):
                return [_TUPLE, *parts]
            return [_TUPLE, *map(self.value, parts)]
        if value is self._done[0]:
            return self._done[1]
        if isinstance(value, dict):
            pairs = cast("dict[object, object]", value).items()
            return [_DICT, *[self.value(part) for pair in pairs for part in pair]]
        if isinstance(value, Abilities):
            return [_KIT, self.value(value.all), self.value(value.keywords)]
        raise TypeError(f"a {made.__name__} has no place in a snapshot")

    def _object(self, thing: Object, layout: Layout) -> list[Any]:
        """As `value`, for an object that is met the first time: most are simple."""
        values = layout.values(thing)
        given = tuple(layout.others(values))
        way = self._ways.get(given)
        if way is None:
            way = self._ways[given] = (
                self._shape(Object, given),
                cast("_Pick", itemgetter(*given)) if _SIMPLE.issuperset(given) else None,
            )
        shape, pick = way
        if pick is None:
            row = self._struct(thing, layout)
        else:
            row = [shape, *pick(values)]
            row[1 + _DEFINITION_OF_OBJECT] = (_DEFINITION, self._definitions[id(thing.definition)])
        assert self._written is not None
        self._written[id(thing)] = row
        return row

    def _shape(self, made: type, given: tuple[int, ...]) -> int:
        return _SHAPES + self._shapes.setdefault((made, given), len(self._shapes))

    def _struct(self, value: object, layout: Layout) -> list[Any]:
        values = layout.values(value)
        given: list[int] = []
        inside: list[Any] = [0]
        for place in layout.others(values):
            found = values[place]
            kind = type(found)
            if kind in _PLAIN:
                inside.append(found)
            else:
                inside.append(self.value(found))
            given.append(place)
        inside[0] = self._shape(type(value), tuple(given))
        return inside

    def _number(self, inside: list[Any]) -> None:
        """Give their numbers to the nodes within, each after those that it holds: so they are read."""
        for part in inside:
            if type(part) is list:
                found = cast("list[Any]", part)
                shared = self._shared.get(id(found))
                if shared is None:
                    self._number(found)
                elif found[1] is None:
                    self._number(shared[1])
                    found[1] = len(self._nodes)
                    self._nodes.append(shared[1])

    def _definition(self, definition: Definition) -> int:
        """The definition's number. Those that are no card's of the setup (tokens, emblems, abilities) are written first."""
        number = self._definitions.get(id(definition))
        if number is None:
            card = definition.card
            if definition.whole is not None:
                made = (None, self._definition(definition.whole), definition.side)
            elif ability_definition(card.name, card.text) is definition:
                made = (card.name, card.text)
            else:
                written, self._written = self._written, None
                made = self.value(card)
                self._written = written
            number = len(self._cards) + len(self._made)
            self._made.append(made)
            self.met.append(definition)
            self._know(definition, number)
        return number


def _is_no_kit(value: object) -> bool:
    """However many there are of these, they are read as one."""
    return isinstance(value, Abilities) and not value.all and not value.keywords


# --- reading ----------------------------------------------------------------------------------------------------------------


def _attributes(made: type[msgspec.Struct], names: list[str]) -> list[str]:
    """The fields that are called so on disk. Raises LookupError."""
    known = {written: name for name, written, _ in fields_of(made)}
    return [known[name] for name in names]


class _Reader:
    """Reads one state. Raises LookupError, TypeError, ValueError for what is none."""

    def __init__(self, text: _Text, cards: tuple[Card, ...]) -> None:
        if text.cards != len(cards):
            raise ValueError(f"it is of {text.cards} cards, the game has {len(cards)}")
        self._text = text
        self._cards = len(cards)
        self._definitions = [define(card) for card in cards]
        known = [(CLASSES[name], _attributes(CLASSES[name], names)) for name, names in text.shapes]
        self._shapes = [(maker_of(made, names), names) for made, names in known]
        self._nodes: list[object] = []
        self._words: dict[str, str] = {}
        self._walks: dict[int, list[object]] = {}

    def value(self, value: Any) -> Any:
        """The value that the text says."""
        return self._inside(cast("list[Any]", value)) if isinstance(value, list) else self._values([0, value])[0]

    def _values(self, inside: list[Any]) -> list[Any]:
        """Those that a list says behind its kind. Most are numbers, which other games have, too, and words, which others here are."""
        same = self._words.setdefault
        return [
            self._inside(cast("list[Any]", part))
            if type(part) is list
            else shared_number(part)
            if type(part) is int
            else same(part, part)
            if type(part) is str
            else part
            for part in cast("list[object]", inside)[1:]
        ]

    def _inside(self, inside: list[Any]) -> Any:
        kind: int = inside[0]
        if kind >= _SHAPES:
            made, names = self._shapes[kind - _SHAPES]
            return made(**dict(zip(names, self._values(inside), strict=True)))
        match kind:
            case 0:  # _SHARED
                return self._shared(inside[1])
            case 1:  # _TUPLE
                return tuple(self._values(inside))
            case 2:  # _DICT
                read = self._values(inside)
                return dict(zip(read[::2], read[1::2], strict=True))
            case 3:  # _SET
                return frozenset(inside[1:])
            case 4:  # _DEFINITION
                return self._definition(inside[1])
            case 5:  # _PART
                return self._part(inside[1], inside[2])
            case 6:  # _EDITION
                return EDITIONS[inside[1]]
            case 7:  # _NOUN
                return Noun(inside[1])
            case 8:  # _KIT
                kept = self.value(inside[1]), self.value(inside[2])
                return Abilities(*kept) if kept[0] or kept[1] else NO_ABILITIES
            case _:
                raise ValueError(f"there is no kind {kind}")

    def _shared(self, number: int) -> object:
        """A node. It was written after those that it holds, so they are read in order."""
        while len(self._nodes) <= number:
            self._nodes.append(self.value(self._text.nodes[len(self._nodes)]))
        return self._nodes[number]

    def _definition(self, number: int) -> Definition:
        while len(self._definitions) <= number:
            made = self._text.made[len(self._definitions) - self._cards]
            if made[0] is None:
                side: int = made[2]
                definition = self._definition(made[1]).sides[side - 1]
            elif isinstance(made[0], str):
                definition = ability_definition(made[0], made[1])
            else:
                definition = define(cast("Card", self.value(made)))
            self._definitions.append(definition)
        return self._definitions[number]

    def _part(self, number: int, index: int) -> object:
        values = self._walks.get(number)
        if values is None:
            walk = _walk_of(self._definition(number))
            if walk.check != self._text.walks[number]:
                raise ValueError(f"{walk.definition.name} has other parts in this version")
            values = self._walks[number] = walk.values
        return values[index]
