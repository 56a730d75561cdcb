"""The official examples: each is in the list once, what the list names is there, and each of their games is able to end otherwise."""

import re
from pathlib import Path

import pytest

from server.cards.loading import CardList
from server.command.main import main
from server.command.rules_examples import faults, read_examples, scenario_ids
from server.command.scenario import scenarios_of
from server.oracle.house import BASIC_NAMES
from server.scenario import CardSource, play, read

HERE = Path(__file__).parent.parent
LIST = read_examples(HERE)
SOURCE = CardSource()
NAMED = {name for one in LIST.example for name in (*one.shown, *one.current)}
GAMES = {
    str(data["id"]): data
    for path in sorted((HERE / "scenarios").glob("*.*"))
    for _, data in scenarios_of(path)
    if isinstance(data, dict) and (path.name.startswith("examples_") or data["id"] in NAMED)
}
#: A game whose refused line is completed if nothing says that it is to be refused: its blockers must block.
COMPLETED = {"509.1c example 1 only the first"}
PLAYED = [name for name in GAMES if name not in LIST.failing]


def _opposite(data: dict[str, object]) -> tuple[dict[str, object], str]:
    """The same game with its main expectation turned round, and what must come of it. The main one is the line that the rules
    refuse, or else the first check at the end."""
    if data.get("expect_illegal") is not None and data["id"] not in COMPLETED:
        return {key: value for key, value in data.items() if key != "expect_illegal"}, "illegal"
    first, *others = data["expect"]  # pyright: ignore[reportGeneralTypeIssues]
    other = dict(first)
    for key, value in first.items():
        if isinstance(value, bool):
            other[key] = not value
            break
        if isinstance(value, int):
            other[key] = value + 1
            break
    else:
        other["check"] = {"won": "lost", "lost": "won"}[first["check"]]
    return {**data, "expect": [other, *others]}, "failed"


@pytest.mark.parametrize("name", PLAYED)
def test_the_opposite_expectation_fails(name: str) -> None:
    data, outcome = _opposite(GAMES[name])
    assert play(read(data), SOURCE).outcome == outcome


@pytest.mark.parametrize("name", [n for n in LIST.failing if n in GAMES])
def test_a_game_marked_as_failing_fails(name: str) -> None:
    assert play(read(GAMES[name]), SOURCE).outcome != "passed", "it passes: take its mark away"


@pytest.mark.parametrize("example", LIST.example, ids=lambda example: example.name)
def test_a_shown_example_ends_the_same_by_the_current_rules(example) -> None:
    if example.current or example.not_current:
        return  # it has games of its own by the current rules, or none
    for name in example.shown:
        if name not in LIST.failing:
            outcome = play(read({**GAMES[name], "rules": "current"}), SOURCE).outcome
            marked = f"{name} (current)" in LIST.failing
            assert (outcome == "passed") is not marked, (name, outcome)


def test_the_list_is_sound() -> None:
    assert not list(faults(LIST, scenario_ids(HERE)))
    assert set(GAMES) == NAMED


def test_every_example_of_the_rules_is_in_the_list_once(shared: Path) -> None:
    text = (shared / "rules" / "comprehensive-rules.2011-09-30.txt").read_text(encoding="utf-8")
    found: list[str] = []
    rule, place = "", 0
    for line in text.splitlines():
        number = re.match(r"([1-9][0-9]{2}\.[0-9]+[a-z]?)\.? ", line)
        if number is not None:
            rule, place = number[1], 0
        if line.startswith("Example:"):
            place += 1
            found.append(f"{rule} example {place}")
    assert [one.name for one in LIST.example] == found


def test_the_cards_of_the_examples_are_our_own(shared: Path) -> None:
    names = {
        name for data in GAMES.values() for card in data.get("cards", []) for name in str(card["name"]).split(" // ")
    }
    for path in sorted((shared / "cards").glob("*.jsonl")):
        known = CardList(path)
        assert {name for name in names if name in known} <= set(BASIC_NAMES)


def test_the_command_lists_each_example_and_the_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "examples", "--tests", str(HERE)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 218
    assert lines[0].startswith("101.2") and lines[0].endswith("shown: 101.2 example 1")
    shown, waiting, unplayable, total = map(int, re.findall(r"\d+", lines[-1]))
    assert shown + waiting + unplayable == total == 217
    assert main(["rules", "examples", "--tests", str(HERE), "--edition", "current"]) == 0
    assert "not in this edition: " in capsys.readouterr().out


def test_a_scenario_that_is_not_there_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules").mkdir()
    row = '{ rule = "101.2", place = 1, shown = ["gone"] }'
    (tmp_path / "rules" / "examples.toml").write_text(f"example = [{row}, {row}]\n[failing]\n", encoding="utf-8")
    assert main(["rules", "examples", "--tests", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "there is no scenario 'gone'" in said and "twice" in said
    assert main(["rules", "examples", "--tests", str(tmp_path / "none")]) == 1
