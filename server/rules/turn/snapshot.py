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
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, NamedTuple, cast

import msgspec

from server.cards import forms, nouns
from server.cards.forms import Card
from server.cards.nouns import Noun
from server.rules.model import (
    EDITIONS,
    NO_ABILITIES,
    Abilities,
    Definition,
    Edition,
    RulesError,
    State,
    ability_definition,
    define,
    events,
    frames,
    mana,
    printed,
    questions,
    remember,
    scope,
    state,
    votes,
)

VERSION = 1
PIECE = 32
"""Entries of a list that are written in a piece of the work: well under a millisecond."""
_SHARED, _TUPLE, _DICT, _SET, _DEFINITION, _PART, _EDITION, _NOUN, _KIT, _SHAPES = range(10)
_ABSENT = object()
_PLAIN = frozenset({type(None), bool, int, str})
"""What is written as it is."""
_NO_NODES = _PLAIN | {frozenset, Noun, Edition}
"""What is never a node: it is plain, or known by its own name; nor is a definition."""


class Unreadable(RulesError):
    """A snapshot that this version cannot read; the message says why."""


def write(game: State, cards: tuple[Card, ...]) -> bytes:
    """The state as JSON. `cards` are those of the game's setup, in order, as the game was dealt from them.

    Raises TypeError for a value that no state holds."""
    return b"".join(parts(game, cards))


def parts(game: State, cards: tuple[Card, ...]) -> Iterator[bytes]:
    """As `write`, a piece of the work at a time: of a large state that takes a tenth of a second. Most parts are empty."""
    return _Writer(cards).parts(game)


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


# --- classes ----------------------------------------------------------------------------------------------------------------


_GROUPS = {
    "rules": (state, frames, questions, scope, mana, printed),
    "event": (events, votes),
    "form": (forms,),
    "noun": (nouns,),
}
_RENAMED: dict[type[msgspec.Struct], str] = {}
"""The names on disk of classes that code calls otherwise than when the first of them was written. A class that is renamed has
its old name here; a field that is renamed says so itself (`msgspec.field(name=...)`). Snapshots are read for ever."""


def _classes() -> dict[str, type[msgspec.Struct]]:
    """Every class that a state may hold, by its name on disk: its group and the name that it was given first, wherever in the
    group it stands."""
    found: dict[str, type[msgspec.Struct]] = {}
    for group, modules in _GROUPS.items():
        for module in modules:
            for value in vars(module).values():
                if isinstance(value, type) and issubclass(value, msgspec.Struct) and _stands_in(value, module.__name__):
                    name = _RENAMED.get(value, f"{group}.{value.__name__}")
                    if found.setdefault(name, value) is not value:
                        raise TypeError(f"two classes are {name!r} in snapshots")
    return found


def _stands_in(made: type, module: str) -> bool:
    return made.__module__ == module or made.__module__.startswith(module + ".")


_CLASSES = _classes()
_NAMES = {made: name for name, made in _CLASSES.items()}
_KINDS: dict[type, str] = {tuple: "tuple", Noun: "Noun", Abilities: "Kit"}
"""What stands in the walk of a definition, by its name in the walk's check."""
_KINDS.update((made, name.partition(".")[2]) for made, name in _NAMES.items())
_OTHERWISE = {("form.Pattern", "from"): "from_"}
"""Fields that snapshots call otherwise than journals and cards do: (class, name there) and the name here."""
_fields: dict[type, tuple[tuple[str, str, object], ...]] = {}


def _fields_of(made: type[msgspec.Struct]) -> tuple[tuple[str, str, object], ...]:
    """(name, name on disk, default) of each field that is written; `_ABSENT` for one without a default."""
    known = _fields.get(made)
    if known is None:
        rows: list[tuple[str, str, object]] = []
        for field in msgspec.structs.fields(made):
            default: object = field.default
            if field.default_factory is not msgspec.NODEFAULT:
                default = field.default_factory()
            written = _OTHERWISE.get((_NAMES.get(made, ""), field.encode_name), field.encode_name)
            rows.append((field.name, written, _ABSENT if default is msgspec.NODEFAULT else default))
        if made is State:
            rows = [row for row in rows if row[0] != "memo"]
        known = _fields[made] = tuple(rows)
    return known


class _Layout(NamedTuple):
    """How structs of a class are written: what takes out the values of the fields that are, their defaults, their names on disk."""

    values: Callable[[Any], Sequence[object]]
    defaults: tuple[object, ...]
    names: tuple[str, ...]
    places: range

    def others(self, values: Sequence[object]) -> Iterable[int]:
        """The places of those that are not just their defaults: few of the many that an object has, so they are looked for in C. A word
        that only equals its default is written, too: it goes into the hash of a state."""
        return compress(self.places, map(is_not, values, self.defaults))


_layouts: dict[type, _Layout] = {}


def _layout_of(made: type[msgspec.Struct]) -> _Layout:
    known = _layouts.get(made)
    if known is None:
        rows = _fields_of(made)
        # All of them, as a tuple, is one call in C; but one field of a state is not written.
        values = attrgetter(*(name for name, _, _ in rows)) if made is State else msgspec.structs.astuple
        defaults, written = tuple(row[2] for row in rows), tuple(row[1] for row in rows)
        known = _layouts[made] = _Layout(values, defaults, written, range(len(rows)))
    return known


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


class _Writer:
    """Writes one state. Everything met stays alive through the state, so that identities hold."""

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._definitions: dict[int, int] = {}
        self._part: dict[int, int] = {}
        """By the identity of a part the number of the first definition that it belongs to."""
        self._walks: list[_Walk] = []
        """Of each definition, by its number."""
        self._walked: dict[int, int] = {}
        self._made: list[Any] = []
        self._shapes: dict[tuple[type, tuple[int, ...]], int] = {}
        """Classes, each with the places of the fields that are given."""
        self._nodes: list[Any] = []
        self._node: dict[int, int] = {}
        self._times: dict[int, int] = {}
        self._met: list[Definition] = []
        self._done: tuple[object, Any] = None, ()
        """A value that is written already, and what came of it."""
        self._cards = len(cards)
        for number, card in enumerate(cards):
            definition = define(card)
            self._definitions[id(definition)] = number
            self._walks.append(_walk_of(definition))
        for number in range(self._cards - 1, -1, -1):  # so that the first has the last word
            self._part.update(dict.fromkeys(self._walks[number].numbers, number))

    def parts(self, game: State) -> Iterator[bytes]:
        for _ in self._count(game):
            yield b""
        # Before anything else: a part of one may be met before it, on the stack while its token is gone.
        for definition in self._met:
            self._definition(definition)
        # Most of a state are its objects, which come by themselves; the others are as of any value.
        objects: list[Any] = [_DICT]
        for oid, thing in game.objects.items():
            objects += (oid, self.value(thing))
            if len(objects) % PIECE == 1:
                yield b""
        self._done = game.objects, objects
        root = self.value(game)
        shapes = [(_NAMES[made], [_layouts[made].names[place] for place in given]) for made, given in self._shapes]
        yield msgspec.json.encode(_Text(VERSION, shapes, self._cards, self._walked, self._made, self._nodes, root))

    def _know(self, definition: Definition, number: int) -> None:
        self._definitions[id(definition)] = number
        walk = _walk_of(definition)
        self._walks.append(walk)
        for identity in walk.numbers:
            self._part.setdefault(identity, number)

    def _count(self, root: object) -> Iterator[None]:
        """Count how often each value is met, so that only what is shared gets a node. A piece at a time."""
        times = self._times
        waiting: list[object] = [root]
        met = 0
        while waiting:
            met += 1
            if met % (PIECE * 8) == 0:
                yield
            value = waiting.pop()
            identity = id(value)
            if identity in self._part:
                continue
            met_before = times.get(identity, 0)
            times[identity] = met_before + 1
            if met_before:
                continue
            if isinstance(value, Definition):
                self._met.append(value)
                continue
            inside: Iterable[object] = ()
            if isinstance(value, tuple):
                inside = cast("tuple[object, ...]", value)
            elif isinstance(value, dict):
                inside = cast("dict[object, object]", value).values()
            elif isinstance(value, Abilities):
                inside = (value.all,)
            elif isinstance(value, msgspec.Struct):
                layout = _layouts.get(type(value)) or _layout_of(type(value))
                found = layout.values(value)
                inside = compress(found, map(is_not, found, layout.defaults))
            waiting += [part for part in inside if type(part) not in _NO_NODES]

    def value(self, value: object) -> Any:
        """The value for the text."""
        if value is None or isinstance(value, (str, int)):
            return value
        part = self._part.get(id(value))
        if part is not None:
            walk = self._walks[part]
            self._walked[part] = walk.check
            return (_PART, part, walk.numbers[id(value)])
        if isinstance(value, Definition):
            return (_DEFINITION, self._definition(value))
        if isinstance(value, Noun):
            return (_NOUN, value.text)
        if isinstance(value, Edition):
            return (_EDITION, value.name)
        if value == ():
            return (_TUPLE,)
        if self._times.get(id(value), 0) < 2 or _is_no_kit(value):
            return self._inside(value)
        number = self._node.get(id(value))
        if number is None:
            inside = self._inside(value)
            number = self._node[id(value)] = len(self._nodes)
            self._nodes.append(inside)
        return (_SHARED, number)

    def _inside(self, value: object) -> Any:
        made = type(value)
        if made in _NAMES:
            return self._struct(value, _layouts.get(made) or _layout_of(cast("type[msgspec.Struct]", made)))
        if isinstance(value, tuple):
            parts = cast("tuple[object, ...]", value)
            return (_TUPLE, *[part if type(part) in _PLAIN else self.value(part) for part in parts])
        if value is self._done[0]:
            return self._done[1]
        if isinstance(value, dict):
            pairs = cast("dict[object, object]", value).items()
            return (_DICT, *(self.value(part) for pair in pairs for part in pair))
        if isinstance(value, frozenset):
            return (_SET, *sorted(cast("frozenset[str]", value)))
        if isinstance(value, Abilities):
            return (_KIT, self.value(value.all), self.value(value.keywords))
        raise TypeError(f"a {made.__name__} has no place in a snapshot")

    def _struct(self, value: object, layout: _Layout) -> list[Any]:
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
        inside[0] = _SHAPES + self._shapes.setdefault((type(value), tuple(given)), len(self._shapes))
        return inside

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
                made = self.value(card)
            number = self._cards + len(self._made)
            self._made.append(made)
            self._know(definition, number)
        return number


def _is_no_kit(value: object) -> bool:
    """However many there are of these, they are read as one."""
    return isinstance(value, Abilities) and not value.all and not value.keywords


# --- reading ----------------------------------------------------------------------------------------------------------------


def _attributes(made: type[msgspec.Struct], names: list[str]) -> list[str]:
    """The fields that are called so on disk. Raises LookupError."""
    known = {written: name for name, written, _ in _fields_of(made)}
    return [known[name] for name in names]


class _Reader:
    """Reads one state. Raises LookupError, TypeError, ValueError for what is none."""

    def __init__(self, text: _Text, cards: tuple[Card, ...]) -> None:
        if text.cards != len(cards):
            raise ValueError(f"it is of {text.cards} cards, the game has {len(cards)}")
        self._text = text
        self._cards = len(cards)
        self._definitions = [define(card) for card in cards]
        self._shapes = [(_CLASSES[name], _attributes(_CLASSES[name], names)) for name, names in text.shapes]
        self._nodes: list[object] = []
        self._walks: dict[int, list[object]] = {}

    def value(self, value: Any) -> Any:
        """The value that the text says."""
        if not isinstance(value, list):
            return value
        inside = cast("list[Any]", value)
        kind: int = inside[0]
        if kind >= _SHAPES:
            made, names = self._shapes[kind - _SHAPES]
            return made(**dict(zip(names, map(self.value, inside[1:]), strict=True)))
        match kind:
            case 0:  # _SHARED
                return self._shared(inside[1])
            case 1:  # _TUPLE
                return tuple(map(self.value, inside[1:]))
            case 2:  # _DICT
                read = [self.value(part) for part in inside[1:]]
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
