"""Boundary mutants: a rule that is still there, but its boundary is off by a little.

A mutant is data, a row of `tables/*.toml`: the seed rule, what is counted wrongly (`kind`), what it changes (`where`: a room and
a definition in it, such as `happenings.damage_results` or `replacements.Rewriting.count_use`), the words of its source that give
way (`was`) to others (`now`), and the tests and scenarios that are to fail then (`caught`), each by its name. Where nothing has
that name any more, or the words are not there exactly once, `Gone` is raised: a mutant that changes nothing would prove nothing.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import msgspec

TABLES = Path(__file__).with_name("tables")
#: Where a room is looked for.
FLOORS = ("server.rules", "server")


class Gone(Exception):
    """What a mutant would change is not there, or not exactly once."""


class Shift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a table; `id` is its rule and its kind."""

    rule: str
    kind: str
    where: str
    was: str
    now: str
    caught: tuple[str, ...]

    @property
    def id(self) -> str:
        """What the runner calls it."""
        return f"{self.rule}: {self.kind}"


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    shift: tuple[Shift, ...]


def read_shifts() -> list[Shift]:
    """The rows of all tables, table by table. Raises msgspec.ValidationError for what is no row, Gone for two of one name."""
    found = [row for path in sorted(TABLES.glob("*.toml")) for row in _rows(path)]
    names = [row.id for row in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Gone(f"{twice}: two rows have this name")
    return found


def _rows(path: Path) -> tuple[Shift, ...]:
    return msgspec.toml.decode(path.read_bytes(), type=_Table).shift


def shift(row: Shift) -> None:
    """Breaks the boundary in this process, for good. Raises Gone."""
    module, owner, name, source = _find(row.where)
    if source.count(row.was) != 1:
        raise Gone(f"{row.id}: {row.where} has {source.count(row.was)} times {row.was!r}")
    made: dict[str, Any] = {}
    code = compile(source.replace(row.was, row.now), f"<{row.id}>", "exec", dont_inherit=True, flags=_FUTURE)
    exec(code, module.__dict__, made)
    _replace(getattr(owner, name), made[name], name)


def check(row: Shift) -> None:
    """Raises Gone or SyntaxError unless `shift` could be done."""
    _, _, _, source = _find(row.where)
    if source.count(row.was) != 1 or row.was == row.now:
        raise Gone(f"{row.id}: {row.where} has {source.count(row.was)} times {row.was!r}")
    compile(source.replace(row.was, row.now), f"<{row.id}>", "exec", dont_inherit=True, flags=_FUTURE)


#: The modules of the server say `from __future__ import annotations`.
_FUTURE = importlib.import_module("__future__").annotations.compiler_flag


def _replace(old: Any, new: Any, name: str) -> None:
    """Puts the new definition where the old one is known: functions and dicts stay the same object, so that nobody who has
    imported them notices; any other value is exchanged in every module that holds it under its name."""
    if isinstance(old, property):
        old, new = old.fget, new.fget
    old, new = inspect.unwrap(old), inspect.unwrap(new)
    if isinstance(old, FunctionType):
        old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
    elif isinstance(old, dict):
        old.clear()
        old.update(new)
    else:
        for module in [m for key, m in sys.modules.items() if key.startswith("server.")]:
            if module.__dict__.get(name) is old:
                setattr(module, name, new)


def _find(where: str) -> tuple[ModuleType, Any, str, str]:
    """(the module, what holds it there, its name, its source without indentation) of a definition. Raises Gone unless there is
    exactly one in its room."""
    parts = where.split(".")
    for n in range(len(parts) - 1, 0, -1):
        modules = [m for floor in FLOORS for m in _modules(".".join((floor, *parts[:n])))]
        if modules:
            break
    else:
        raise Gone(f"{where}: no such room")
    found = [(m, node) for m in modules for node in _definitions(m, tuple(parts[n:]))]
    if len(found) != 1:
        raise Gone(f"{where}: {len(found)} definitions have this name")
    module, node = found[0]
    owner: Any = module
    for part in parts[n:-1]:
        owner = getattr(owner, part)
    lines = _text(module).splitlines(keepends=True)
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    return module, owner, parts[-1], textwrap.dedent("".join(lines[first - 1 : node.end_lineno]))


@cache
def _modules(package: str) -> tuple[ModuleType, ...]:
    """The modules of a package, or the one module of that name; none if there is neither."""
    try:
        root = importlib.import_module(package)
    except ModuleNotFoundError:
        return ()
    inside = pkgutil.walk_packages(getattr(root, "__path__", []), f"{package}.")
    return (root, *(importlib.import_module(one.name) for one in inside))


@cache
def _text(module: ModuleType) -> str:
    return inspect.getsource(module)


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(_text(module))


def _definitions(module: ModuleType, path: tuple[str, ...]) -> Iterator[ast.stmt]:
    """The definitions of this name, or of this name in a class, in a module."""
    inside: list[ast.stmt] = _tree(module).body
    for name in path[:-1]:
        inside = [s for c in inside if isinstance(c, ast.ClassDef) and c.name == name for s in c.body]
    for node in inside:
        if path[-1] in _names(node):
            yield node


def _names(node: ast.stmt) -> tuple[str, ...]:
    if isinstance(node, ast.FunctionDef):
        return (node.name,)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return tuple(target.id for target in targets if isinstance(target, ast.Name))
