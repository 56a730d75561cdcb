"""Damage by the rules of 2009-10-01, which number it 118: all that shows 119 of 2011 plays the same by edition `2009`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.command.numbering import number_of_2009
from server.command.scenario import scenarios_of
from server.scenario import CardSource, play, read
from tests.rules.play import Game
from tests.rules.seed import test_119_damage as damage
from tests.rules.seed import test_119_results as results

SCENARIOS = Path(__file__).parents[2] / "scenarios"
SOURCE = CardSource()
#: The rows of the seed document: the rules of 2011 in 119 but infect (119.3b), and its examples.
ROWS = [
    "119.1", "119.1a", "119.2", "119.2a", "119.2b", "119.3a", "119.3c", "119.3d", "119.3e", "119.3f", "119.4", "119.4a", "119.4b",
    "119.4c", "119.4.example1", "119.4.example2", "119.5", "119.5.example", "119.6", "119.7", "119.8",
]  # fmt: skip


def _rules(data: dict[str, Any]) -> list[str]:
    named = data.get("rule", ())
    return [named] if isinstance(named, str) else list(named)


def _games() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((*SCENARIOS.glob("*.jsonl"), *SCENARIOS.glob("*.toml"))):
        for _, data in scenarios_of(path):
            if isinstance(data, dict) and data.get("rules", "2011") == "2011":
                yield from ((rule, data) for rule in _rules(data))


GAMES = list(_games())
TESTS = [
    pytest.param(test, id=name, marks=[mark for mark in getattr(test, "pytestmark", ()) if mark.name != "rule"])
    for module in (damage, results)
    for name, test in vars(module).items()
    if name.startswith("test_") and not any(mark.name == "parametrize" for mark in getattr(test, "pytestmark", ()))
]


@pytest.mark.parametrize("rule", ROWS)
def test_what_shows_a_row_ends_the_same_in_2009(rule: str) -> None:
    """Whether by scenarios or by tests of those below, each row is shown by at least one game."""
    games = [data for number, data in GAMES if number == rule]
    marked = [test for test in (p.values[0] for p in TESTS) if rule in _marks(test)]
    assert games or marked
    for data in games:
        report = play(read({**data, "rules": "2009"}), SOURCE)
        assert report.outcome == "passed", f"{data['id']}: {report.why}"


def _marks(test: Any) -> list[str]:
    return [rule for mark in getattr(test, "pytestmark", ()) if mark.name == "rule" for rule in mark.args]


@pytest.mark.parametrize("test", TESTS)
def test_what_shows_119_passes_by_2009(test: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Game.__init__

    def by_2009(self: Game, *args: Any, **options: Any) -> None:
        begin(self, *args, **{"edition": "2009", **options})

    monkeypatch.setattr(Game, "__init__", by_2009)
    test()


def test_eighteen_numbers_and_three_examples() -> None:
    numbers = [number_of_2009(rule.partition(".example")[0]) for rule in ROWS]
    assert len(ROWS) == 21 and all(number.startswith("118.") for number in numbers)
    assert len({number for number, rule in zip(numbers, ROWS, strict=True) if "example" not in rule}) == 18
