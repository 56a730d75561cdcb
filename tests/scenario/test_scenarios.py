"""Every scenario in this folder, played; and the shared ones, as far as their cards can be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cards.loading import FACES, CardList
from server.command.rules_examples import read_examples
from server.command.scenario import scenarios_of
from server.oracle.house import BASIC_NAMES
from server.scenario import CardSource, Unsupported, play, read

HERE = Path(__file__).parent.parent / "scenarios"
FILES = sorted((*HERE.glob("*.jsonl"), *HERE.glob("*.toml")))
SOURCE = CardSource()
#: Official examples that the engine does not play right yet: a test of their own sees that they still fail.
FAILING = read_examples(HERE.parent).failing


def _params() -> Iterator[object]:
    for path in FILES:
        for place, data in scenarios_of(path):
            assert isinstance(data, dict), f"{place}: {data}"
            if data["id"] in FAILING:
                continue
            rules = data.get("rule", ())
            numbers = (rules,) if isinstance(rules, str) else tuple(rules)
            marks = (pytest.mark.rule(*numbers),) if numbers else ()
            yield pytest.param(data, id=data["id"], marks=marks)


@pytest.mark.parametrize("data", list(_params()))
def test_scenario(data: dict[str, object]) -> None:
    report = play(read(data), SOURCE)
    assert (report.outcome, report.why) == ("passed", "")
    assert not report.unused, "answers that no question took"


def _altered(check: dict[str, object]) -> dict[str, object] | None:
    """The check asking for something else; None where nothing can be altered."""
    for key, value in check.items():
        if isinstance(value, int) and not isinstance(value, bool):
            return {**check, key: value + 1}
    for key, value in check.items():
        if isinstance(value, bool):
            return {**check, key: not value}
    return {**check, "kind": "nothing"} if check["check"] == "event" else None


def test_no_card_of_our_own_bears_a_printed_name(shared: Path) -> None:
    lists = [CardList(path) for path in sorted((shared / "cards").glob("*.jsonl"))]
    taken: set[str] = set()
    for path in FILES:
        for _, data in scenarios_of(path):
            assert isinstance(data, dict)
            names = {name for card in data.get("cards", ()) for name in (card["name"], *card["name"].split(FACES))}
            taken |= {f"{path.stem}: {name}" for name in names - set(BASIC_NAMES) if any(name in one for one in lists)}
    assert not taken


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_expectation_is_able_to_fail(path: Path) -> None:
    for _, data in scenarios_of(path):
        assert isinstance(data, dict)
        if data["id"] in FAILING:
            continue
        checks = data.get("expect", [])
        for place, check in enumerate(checks):
            other = _altered(check)
            if other is not None:
                expect = [*checks[:place], other, *checks[place + 1 :]]
                assert play(read({**data, "expect": expect}), SOURCE).outcome == "failed", (data["id"], check)


def test_ids_are_unique_and_many() -> None:
    ids = [data["id"] for path in FILES for _, data in scenarios_of(path) if isinstance(data, dict)]
    assert len(set(ids)) == len(ids) >= 120


#: Scenarios whose card stands in the list without one of its abilities: played as listed, they must fail.
LACKING = ("BushidoTest::testBeingBlocked", "ZilorthaStrengthIncarnateTest::testAbsent")


def test_the_shared_sample_fails_only_where_the_list_lacks_an_ability(shared: Path) -> None:
    source = CardSource((CardList(shared / "cards" / "modern.jsonl"),))
    wrong: list[str] = []
    for _, data in scenarios_of(shared / "scenarios" / "sample.jsonl"):
        try:
            report = play(read(data), source)
        except Unsupported:
            continue
        if report.outcome in ("failed", "illegal", "error") and not any(part in report.id for part in LACKING):
            wrong.append(f"{report.id}: {report.outcome}, {report.why}")
    assert not wrong


def test_every_shared_game_of_a_fault_comes_out_right(shared: Path) -> None:
    source = CardSource((CardList(shared / "cards" / "modern.jsonl"),))
    games = [data for _, data in scenarios_of(shared / "scenarios" / "faults.jsonl")]
    reports = [play(read(data), source) for data in games]
    assert len(reports) > 100 and [report.id for report in reports if report.outcome != "passed"] == []
