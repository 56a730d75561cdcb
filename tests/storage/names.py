"""The names that are on the wire and on disk: tags, fields, what snapshots call classes, keys of a turn's history, bindings.

`names.json` has them as they were written down last. They hold for ever: a class, a module or an attribute may be called otherwise in
code, these may not. What is new is added by `python -m tests.storage.names`, which refuses to lose one.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from protocol.messages import ClientMessage, ServerMessage
from server.cards.forms import Card
from server.cards.loading import Imported
from server.lobby.accounts import Account, Link
from server.lobby.gate import Gate
from server.lobby.ladder import LadderRecord
from server.lobby.people import Person, Session
from server.lobby.reports import ReportRecord
from server.rooms.memory import Clock, Memory
from server.rules.model import BoundNumber, BoundRefs, BoundWord, Counted
from server.rules.turn import snapshot_classes
from server.storage import AnyEntry, Gap, Setup, Snapshot
from server.storage.cards import Source
from server.storage.files import Head

SERVER = Path(__file__).resolve().parents[2] / "server"
FILE = Path(__file__).parent / "names.json"
ROOTS: dict[str, tuple[Any, ...]] = {
    "from clients": (ClientMessage,),
    "to clients": (ServerMessage,),
    "journals": (Head, Setup, AnyEntry, Snapshot, Card),
    "rooms": (Memory, Clock),
    "records": (Account, Link, Gate, Person, Session, ReportRecord, LadderRecord, Gap, Imported, Source),
}
"""What is written and read by the names of msgspec, by where it is."""
READ_BACK = frozenset(ROOTS) - {"to clients"}
"""Where what was written once is read by us, so that a field that is added needs a default."""
KINDS = ("history", "bindings")
DECLARED: dict[str, tuple[type[StrEnum], ...]] = {
    "history": (Counted,),
    "bindings": (BoundRefs, BoundNumber, BoundWord),
}
"""The names that the rules themselves give."""
MADE = {"history": "Counter", "bindings": "Label"}
"""What makes a name of a word and what it is about; its first words are written down."""
METHODS = {
    "this_turn": "history",
    "note": "history",
    "note_moment": "history",
    **dict.fromkeys(("bind", "refs", "number", "word", "has"), "bindings"),
}
"""The methods whose first argument is a key of `State.history`, or the name of a binding of a `Scope`."""


class Row(msgspec.Struct, frozen=True):
    """A struct: its tag ("kind=priority", "" without one), its fields by name in their order, and which of them have no default.
    `called` is its class's name as it was written down, only to find it."""

    called: str
    tag: str
    fields: tuple[str, ...]
    required: tuple[str, ...] = ()
    array: bool = False


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All names: structs by where they are, the classes of snapshots by their name there, and keys."""

    structs: dict[str, tuple[Row, ...]]
    snapshot: dict[str, Row]
    history: tuple[str, ...]
    bindings: tuple[str, ...]


def row(made: type[msgspec.Struct]) -> Row:
    config = made.__struct_config__
    fields = msgspec.structs.fields(made)
    return Row(
        called=made.__name__,
        tag="" if config.tag is None else f"{config.tag_field}={config.tag}",
        fields=tuple(field.encode_name for field in fields),
        required=tuple(field.encode_name for field in fields if field.required),
        array=config.array_like,
    )


def structs_of(roots: Iterable[Any]) -> Iterator[type[msgspec.Struct]]:
    """Every struct that values of these types may hold, each once."""
    seen: set[type] = set()
    waiting: list[Any] = [inspect.type_info(root) for root in roots]
    while waiting:
        found = waiting.pop()
        if isinstance(found, inspect.StructType):
            if found.cls in seen:
                continue
            seen.add(found.cls)
            yield found.cls
            waiting.extend(field.type for field in found.fields)
        elif isinstance(found, inspect.Type):
            for part in (getattr(found, name) for name in found.__struct_fields__):
                waiting.extend(
                    one for one in (part if isinstance(part, tuple) else (part,)) if isinstance(one, inspect.Type)
                )


def _snapshot_row(name: str, made: type[msgspec.Struct]) -> Row:
    """As `row`, with the fields as snapshots call them."""
    rows = snapshot_classes.fields_of(made)
    required = tuple(written for _, written, default in rows if default is snapshot_classes.ABSENT)
    return msgspec.structs.replace(row(made), called=name, fields=tuple(one[1] for one in rows), required=required)


def spoken() -> dict[str, set[str]]:
    """The literal keys of each kind in the rules; of an f-string its first words."""
    found: dict[str, set[str]] = {kind: set[str]() for kind in KINDS}
    for path in (SERVER / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            for kind, key in _keys(node):
                found[kind].update(_said(key))
    return found


def _keys(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The expressions in this node that are keys, with their kinds."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="get", value=ast.Attribute(attr="history")), args=[ast.Tuple(elts=[key, _]), *_]
        ):
            yield "history", key
        case ast.Call(func=ast.Name(id="this_turn" | "all_of"), args=[_, key, *_]):
            yield "history", key
        case ast.Call(func=ast.Attribute(attr=method), args=[key, *_]) if method in METHODS:
            yield METHODS[method], key
        case ast.Compare(left=ast.Tuple(elts=[key, _]), comparators=[ast.Attribute(attr="history")]):
            yield "history", key
        case ast.DictComp(key=ast.Tuple(elts=[key, _]), generators=[ast.comprehension(iter=ast.Call(func=function))]):
            if "history" in ast.dump(function):
                yield "history", key
        case _:
            pass


def _said(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):
        node = node.values[0]
    if isinstance(node, ast.IfExp):
        yield from _said(node.body)
        yield from _said(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def declared(kind: str) -> set[str]:
    """The names of a kind that the rules themselves give."""
    found = {member.value for names in DECLARED[kind] for member in names}
    for path in (SERVER / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            match node:
                case ast.Call(func=ast.Name(id=made), args=[ast.JoinedStr() as key]) if made == MADE[kind]:
                    found.update(_said(key))
                case _:
                    pass
    return found


@cache
def literals() -> frozenset[str]:
    """Every literal text in the rules and the cards, parts of f-strings too."""
    found: set[str] = set()
    for floor in ("rules", "cards"):
        for path in (SERVER / floor).rglob("*.py"):
            nodes = ast.walk(ast.parse(path.read_bytes()))
            found.update(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return frozenset(found)


@cache
def in_code() -> Names:
    """The names as they stand in code."""
    return Names(
        structs={
            where: tuple(sorted(map(row, structs_of(roots)), key=lambda one: (one.tag, one.fields, one.called)))
            for where, roots in ROOTS.items()
        },
        snapshot={name: _snapshot_row(name, made) for name, made in sorted(snapshot_classes.CLASSES.items())},
        **{kind: tuple(sorted({*keys, *declared(kind)})) for kind, keys in spoken().items()},
    )


def noted() -> Names:
    """The names as they were written down."""
    return msgspec.json.decode(FILE.read_bytes(), type=Names)


def lost(old: Names, new: Names) -> list[str]:
    """What of the old names is no more, in words."""
    found: list[str] = []
    for where, rows in old.structs.items():
        known = new.structs.get(where, ())
        found += [f"{where}: {one}" for one in rows if not any(_is(one, other, where in READ_BACK) for other in known)]
    for name, one in old.snapshot.items():
        if name not in new.snapshot or not _is(one, new.snapshot[name], True):
            found.append(f"snapshot: {one}")
    said = literals()
    for kind in KINDS:
        found += [f"{kind}: {key!r}" for key in getattr(old, kind) if key not in said]
    return found


def _is(old: Row, new: Row, read: bool) -> bool:
    """Whether a struct still has its tag and its fields in their order; if what was written is `read`, all others have defaults."""
    if (old.tag, old.array) != (new.tag, new.array):
        return False
    if read and not set(new.required) <= set(old.required):
        return False
    kept = tuple(name for name in new.fields if name in old.fields)
    return (new.fields[: len(old.fields)] if old.array else kept) == old.fields


def write() -> None:
    """Write the names down. Raises SystemExit if one that was noted is lost."""
    new = in_code()
    plain = msgspec.to_builtins(new)
    if FILE.exists():
        old = noted()
        if gone := lost(old, new):
            raise SystemExit("\n".join(gone))
        for kind in KINDS:
            plain[kind] = sorted({*plain[kind], *getattr(old, kind)})

    def lines(values: Iterable[str]) -> str:
        return ",\n".join(values)

    def text(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    structs = lines(f"{text(where)}: [\n{lines(map(text, rows))}\n]" for where, rows in plain["structs"].items())
    classes = lines(f"{text(name)}: {text(one)}" for name, one in plain["snapshot"].items())
    keys = lines(f"{text(kind)}: [\n{lines(map(text, plain[kind]))}\n]" for kind in KINDS)
    FILE.write_text(f'{{"structs": {{\n{structs}\n}},\n"snapshot": {{\n{classes}\n}},\n{keys}\n}}\n')


if __name__ == "__main__":
    write()
