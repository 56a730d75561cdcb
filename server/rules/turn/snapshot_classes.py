"""How snapshots write classes: the name of each on disk, those of its fields, what stands in a field that is not written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from operator import attrgetter, is_not
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import msgspec

from server.cards import forms, nouns
from server.rules.model import (
    OBJECT_FIELDS,
    Object,
    Rare,
    State,
    events,
    frames,
    made_of,
    mana,
    printed,
    questions,
    scope,
    state,
    values_of,
    votes,
)

ABSENT = object()
"""Of a field without a default."""
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
                if value is Rare:  # its fields are written as those of the object
                    continue
                if isinstance(value, type) and issubclass(value, msgspec.Struct) and _stands_in(value, module.__name__):
                    name = _RENAMED.get(value, f"{group}.{value.__name__}")
                    if found.setdefault(name, value) is not value:
                        raise TypeError(f"two classes are {name!r} in snapshots")
    return found


def _stands_in(made: type, module: str) -> bool:
    return made.__module__ == module or made.__module__.startswith(module + ".")


CLASSES = _classes()
NAMES = {made: name for name, made in CLASSES.items()}
_OTHERWISE = {("form.Pattern", "from"): "from_"}
"""Fields that snapshots call otherwise than journals and cards do: (class, name there) and the name here."""
_fields: dict[type, tuple[tuple[str, str, object], ...]] = {}


def fields_of(made: type[msgspec.Struct]) -> tuple[tuple[str, str, object], ...]:
    """(name, name on disk, default) of each field that is written; `ABSENT` for one without a default."""
    known = _fields.get(made)
    if known is None:
        rows: list[tuple[str, str, object]] = []
        for field in msgspec.structs.fields(made):
            default: object = field.default
            if field.default_factory is not msgspec.NODEFAULT:
                default = field.default_factory()
            written = _OTHERWISE.get((NAMES.get(made, ""), field.encode_name), field.encode_name)
            rows.append((field.name, written, ABSENT if default is msgspec.NODEFAULT else default))
        if made is State:
            rows = [row for row in rows if row[0] != "memo"]
        if made is Object:
            rows = [*rows, *fields_of(Rare)]
            rows = [next(row for row in rows if row[0] == name) for name in OBJECT_FIELDS]
        known = _fields[made] = tuple(rows)
    return known


class Layout(NamedTuple):
    """How structs of a class are written: what takes out the values of the fields that are, their defaults, their names on disk."""

    values: Callable[[Any], Sequence[object]]
    defaults: tuple[object, ...]
    names: tuple[str, ...]
    places: range

    def others(self, values: Sequence[object]) -> Iterable[int]:
        """The places of those that are not just their defaults: few of the many that an object has, so they are looked for in C. A word
        that only equals its default is written, too: it goes into the hash of a state."""
        return compress(self.places, map(is_not, values, self.defaults))


_layouts: dict[type, Layout] = {}


def layout_of(made: type[msgspec.Struct]) -> Layout:
    """How structs of that class are written."""
    known = _layouts.get(made)
    if known is None:
        rows = fields_of(made)
        # All of them, as a tuple, is one call in C; but one field of a state is not written.
        values = attrgetter(*(name for name, _, _ in rows)) if made is State else msgspec.structs.astuple
        values = values_of if made is Object else values
        defaults, written = tuple(row[2] for row in rows), tuple(row[1] for row in rows)
        known = _layouts[made] = Layout(values, defaults, written, range(len(rows)))
    return known


def places_in_object(*kinds: type) -> frozenset[int]:
    """The places of an object's fields that hold nothing but values of these kinds, by themselves or as literals."""
    fields = {field.name: field for made in (Object, Rare) for field in msgspec.structs.fields(made)}
    return frozenset(place for place, name in enumerate(OBJECT_FIELDS) if kinds_of(fields[name].type) <= set(kinds))


def maker_of(made: type[msgspec.Struct], names: Iterable[str]) -> Callable[..., object]:
    """What makes a struct of that class of the fields that are called so."""
    return made_of if made is Object and not set(names) <= set(Object.__struct_fields__) else made


def kinds_of(type_: Any) -> set[object]:
    """What a type lets values be: the types of literals, without what is annotated, any other by itself."""
    if get_origin(type_) is Annotated:
        return kinds_of(get_args(type_)[0])
    return set(map(type, get_args(type_))) if get_origin(type_) is Literal else {type_}
