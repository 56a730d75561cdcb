"""Objects and players that a state speaks of, wherever in it: every reference replaced by another.

Which fields hold references is told by their types (`Ref`); texts hold none, and cards (forms) never do.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Annotated, Any, TypeAlias, Union, cast, get_args, get_origin

import msgspec

from server.rules.model import Ref, Struct, questions

Rename: TypeAlias = Callable[[Ref], Ref]
"""The reference that stands for one."""
Rewrite: TypeAlias = "Callable[[Any, Writer], Any]"
"""How a value of some type is rewritten; None where nothing in it can be a reference."""

_STATED = (Struct, questions.Question, questions.Answer, questions.Choice, questions.Action)
_STATED_TOO = (questions.CanAttack, questions.CanBlock, questions.Assigner)


class Writer:
    """Rewrites values: references by `rename`, structs of some classes by what `special` has for them."""

    def __init__(self, rename: Rename, special: dict[type, Callable[[Any], Any]]) -> None:
        self.rename = rename
        self.special = special

    def rewritten(self, value: Any) -> Any:
        """The value with other references; the same where it holds none."""
        return _any(value, self)

    def fields_of(self, value: Any) -> Any:
        """A struct with its fields rewritten, whatever `special` has for its class."""
        changed: dict[str, Any] = {}
        for name, rewrite in _rewrites(type(value)):
            old = getattr(value, name)
            new = rewrite(old, self)
            if new is not old:
                changed[name] = new
        return msgspec.structs.replace(value, **changed) if changed else value


_known: dict[type, tuple[tuple[str, Rewrite], ...]] = {}


def _rewrites(made: type) -> tuple[tuple[str, Rewrite], ...]:
    """The fields of a class that can hold references, with how they are rewritten."""
    found = _known.get(made)
    if found is None:
        pairs = ((field.name, _how(field.type)) for field in msgspec.structs.fields(made))
        found = _known[made] = tuple((name, rewrite) for name, rewrite in pairs if rewrite is not None)
    return found


def _how(wanted: Any) -> Rewrite | None:
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return _reference if questions.REFERS in wanted.__metadata__ else _how(arguments[0])
    if wanted is Any:
        return _any
    if origin is tuple:
        return _tuple_of(arguments)
    if origin in (Union, types.UnionType):
        return _one_of(arguments)
    if isinstance(wanted, type) and _is_stated(wanted):
        return _struct
    return None


def _is_stated(made: type) -> bool:
    return issubclass(made, (*_STATED, *_STATED_TOO))


def _tuple_of(arguments: tuple[Any, ...]) -> Rewrite | None:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        each = _how(arguments[0])
        return None if each is None else lambda value, writer: _same_or(value, tuple([each(v, writer) for v in value]))
    places = [_how(argument) for argument in arguments]
    if not any(places):
        return None

    def rewrite(value: tuple[Any, ...], writer: Writer) -> tuple[Any, ...]:
        pairs = zip(value, places, strict=True)
        return _same_or(value, tuple([v if place is None else place(v, writer) for v, place in pairs]))

    return rewrite


def _one_of(arguments: tuple[Any, ...]) -> Rewrite | None:
    """Of alternatives: numbers, tuples and structs are told from each other by the value."""
    number = next((how for argument in arguments if (how := _how(argument)) is _reference), None)
    several = next((how for argument in arguments if get_origin(argument) is tuple and (how := _how(argument))), None)
    stated = any(_how(argument) in (_struct, _any) for argument in arguments)
    if number is None and several is None and not stated:
        return None

    def rewrite(value: Any, writer: Writer) -> Any:
        match value:
            case None | bool() | str():
                return value
            case int():
                return value if number is None else number(value, writer)
            case tuple():
                return value if several is None else several(value, writer)
            case _:
                return _any(value, writer)

    return rewrite


def _reference(value: Ref, writer: Writer) -> Ref:
    return writer.rename(value) if value > 0 else value


def _struct(value: Any, writer: Writer) -> Any:
    special = writer.special.get(type(value))
    return writer.fields_of(value) if special is None else special(value)


def _any(value: Any, writer: Writer) -> Any:
    """A value of which no type tells what it is: a number by itself is one, in a tuple it is a reference."""
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)
        news = [_reference(v, writer) if type(v) is int else _any(v, writer) for v in parts]
        return _same_or(parts, tuple(news))
    return _struct(value, writer) if _is_stated(type(value)) else value


def _same_or(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    return new if any(n is not o for n, o in zip(new, old, strict=True)) else old
