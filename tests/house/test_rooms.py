"""The rooms inside the floors, read from the imports themselves: who knows whom, by which door, and without circles."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Packages whose folders are rooms, lowest room first.
ROOMS = {
    "server.cards": ("nouns", "grammar", "forms", "keywords", "loading", "decks"),
    "server.oracle": (
        "engine",
        "nouns",
        "values",
        "effects",
        "libraries",
        "instructions",
        "sentences",
        "triggers",
        "abilities",
        "importing",
    ),
    "server.rules": (
        "editions",
        "definitions",
        "model",
        "continuous",
        "characteristics",
        "functioning",
        "costs",
        "replacements",
        "happenings",
        "casting",
        "verbs",
        "instructions",
        "combat",
        "turn",
    ),
}
#: The circle that the rules themselves have: what an effect does depends on amounts and selections, and these on it (613.6).
CIRCLE = {
    f"server.rules.characteristics.{name}"
    for name in (
        "amounts",
        "applying",
        "evaluating",
        "following",
        "happened",
        "layers",
        "likeness",
        "modifications",
        "ordering",
        "predicates",
        "selection",
    )
}
#: Where a subcommand's modules are imported only when it runs.
LATE = ("server.command",)


class Import(NamedTuple):
    """One imported name: from which module it comes into which, whether the statement stands in a function."""

    into: str
    module: str
    name: str
    inside: bool


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {_module(p): p for top in ("apnap", "server", "protocol", "client_cli") for p in (ROOT / top).rglob("*.py")}


def _imports(into: str, tree: ast.AST, inside: bool = False) -> Iterator[Import]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (Import(into, node.module, alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (Import(into, alias.name, "", inside) for alias in node.names)
        else:
            yield from _imports(into, node, inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


ALL = [found for name, path in SOURCES.items() for found in _imports(name, ast.parse(path.read_text()))]


def _room(module: str) -> tuple[str, str] | None:
    """The package and the room in it where a module stands."""
    for package, order in ROOMS.items():
        if module.startswith(package + "."):
            room = module.removeprefix(package + ".").partition(".")[0]
            return (package, room) if room in order else None
    return None


def _target(found: Import) -> str:
    """The module that an import statement loads: a name may be a module itself."""
    whole = f"{found.module}.{found.name}"
    return whole if whole in SOURCES else found.module


def _pairs(imports: Iterable[Import]) -> dict[str, set[tuple[str, str]]]:
    """Of each package the rooms that import each other's files: who imports, and what."""
    pairs: dict[str, set[tuple[str, str]]] = {package: set() for package in ROOMS}
    for found in imports:
        here, there = _room(found.into), _room(_target(found))
        if here and there and here[0] == there[0] and here[1] != there[1]:
            pairs[here[0]].add((here[1], there[1]))
    return pairs


def _upward(package: str, imports: Iterable[Import]) -> set[tuple[str, str]]:
    order = ROOMS[package]
    return {(a, b) for a, b in _pairs(imports)[package] if order.index(a) < order.index(b)}


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_import_only_rooms_below_them(package: str) -> None:
    assert not _upward(package, ALL)
    assert len(_pairs(ALL)[package]) <= 51


@pytest.mark.parametrize("package", ROOMS)
def test_one_import_upward_is_noticed(package: str) -> None:
    low, high = ROOMS[package][0], ROOMS[package][1]
    upward = Import(f"{package}.{low}.anything", f"{package}.{high}", "something", False)
    assert _upward(package, [*ALL, upward]) == {(low, high)}


@pytest.mark.parametrize("package", ROOMS)
def test_the_contracts_have_the_same_rooms_in_the_same_order(package: str) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = [one["layers"] for one in contracts if one.get("containers") == [package]]
    assert tuple(layer for layer in reversed(layers) if layer in ROOMS[package]) == ROOMS[package]


def test_every_folder_of_a_floor_with_rooms_is_a_room() -> None:
    for package, order in ROOMS.items():
        folders = {p.parent.name for p in (ROOT / package.replace(".", "/")).glob("*/__init__.py")}
        assert folders == set(order)


def _defined(tree: ast.Module) -> set[str]:
    """The public names that a module gives to something of its own."""
    nodes = [inner for node in tree.body for inner in (node.body if isinstance(node, ast.If) else [node])]
    named = {node.name for node in nodes if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    named |= {ast.unparse(node.targets[0]) for node in nodes if isinstance(node, ast.Assign)}
    return {name for name in named if not name.startswith("_")}


def _offered(room: str) -> set[str]:
    """What the `__init__` of a room offers: its `__all__`; without one what it imports "as" itself, or by "*"."""
    tree = ast.parse(SOURCES[room].read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    imports = [(node.module, alias) for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    names = {alias.name for _, alias in imports if alias.asname == alias.name}
    whole = [ast.parse(SOURCES[module].read_text()) for module, alias in imports if module and alias.name == "*"]
    return names.union(*(_defined(one) for one in whole))


def test_a_room_is_entered_by_what_it_offers() -> None:
    offered = {f"{package}.{room}": _offered(f"{package}.{room}") for package, order in ROOMS.items() for room in order}
    strangers = [
        found
        for found in ALL
        if (there := _room(found.module)) and there != _room(found.into)
        if found.name not in offered.get(found.module, ())
    ]
    assert not strangers


def test_nothing_is_imported_inside_a_function() -> None:
    late = [f for f in ALL if f.inside and f.module.startswith(("apnap.", "server", "protocol", "client_cli"))]
    assert not [f for f in late if f.into.startswith(tuple(ROOMS)) and not f.into.startswith(LATE)]


def test_no_circle_but_the_one_that_the_rules_have() -> None:
    graph: dict[str, set[str]] = {}
    for found in ALL:
        target = _target(found)
        if _room(found.into) and target in SOURCES and SOURCES[target].name != "__init__.py":
            graph.setdefault(found.into, set()).add(target)
    circles = [circle for circle in _circles(graph) if not circle <= CIRCLE]
    assert not circles


def _circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The strongly connected parts of more than one module."""
    reach: dict[str, set[str]] = {}
    for start in graph:
        seen: set[str] = set()
        todo = [start]
        while todo:
            for further in graph.get(todo.pop(), ()):
                if further not in seen:
                    seen.add(further)
                    todo.append(further)
        reach[start] = seen
    parts = {frozenset(b for b in reach[a] if a in reach.get(b, ())) for a in graph if a in reach[a]}
    return [set(part) for part in parts]


@pytest.mark.parametrize("package", ROOMS)
def test_a_room_says_what_it_is(package: str) -> None:
    for room in ROOMS[package]:
        assert len((ast.get_docstring(ast.parse(SOURCES[f"{package}.{room}"].read_text())) or "").splitlines()) >= 3


def test_the_picture_of_the_house_has_the_rooms_in_their_order() -> None:
    picture = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[1]
    higher_first = [
        room.upper() for package in ("oracle", "rules", "cards") for room in reversed(ROOMS[f"server.{package}"])
    ]
    assert re.findall(r"\b(?!HTTP)[A-Z]{4,}\b", picture) == higher_first
