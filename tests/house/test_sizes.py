"""The sizes of the house: what fits on one's table, and in one's head."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    path
    for top in ("apnap", "server", "protocol", "client_cli", "tests", "examples")
    for path in (ROOT / top).rglob("*.py")
]
ROOMS = sorted(
    {path.parent for floor in ("cards", "oracle", "rules") for path in (ROOT / "server" / floor).glob("*/__init__.py")}
)
LONGEST_FILE, LONGEST_FUNCTION, LARGEST_ROOM = 500, 60, 3700  # lines


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_file_is_over_five_hundred_lines() -> None:
    assert FILES
    assert {_name(path): _lines(path) for path in FILES if _lines(path) > LONGEST_FILE} == {}


def test_no_function_is_over_sixty_lines() -> None:
    long = {
        f"{_name(path)}::{node.name}": length
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    }
    assert long == {}


@pytest.mark.parametrize("room", ROOMS, ids=_name)
def test_no_room_is_over_3700_lines(room: Path) -> None:
    assert sum(_lines(path) for path in room.rglob("*.py")) <= LARGEST_ROOM
