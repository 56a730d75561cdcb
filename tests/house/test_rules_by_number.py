"""`apnap rules coverage --chapter N`: each number of a chapter is shown by a test, excused for a reason, or missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.command.main import main
from server.command.rules_chapters import Excuse, Excuses, chapter_rows, of_all

NUMBERS = ["509.1", "510.1", "510.1a", "510.1b", "510.2", "510.3", "5100.1"]


def kinds(edition: str, shown: dict[str, list[str]], *excuses: Excuse) -> dict[str, str]:
    """What each number of 510 is."""
    return {row.rule: row.kind for row in chapter_rows("510", edition, NUMBERS, shown, Excuses(excuses))}


def test_a_number_is_shown_by_its_own_test_or_by_all_of_its_letters() -> None:
    assert kinds("2011", {"510.1a": ["a"], "510.2": ["b", "c"]}) == {
        "510.1": "missing",
        "510.1a": "shown",
        "510.1b": "missing",
        "510.2": "shown",
        "510.3": "missing",
    }
    both = kinds("2011", {"510.1a": ["a"]}, Excuse("510.1b", "it is about paper"))
    assert both["510.1"] == "shown" and both["510.1b"] == "excused"


def test_what_is_marked_by_one_edition_counts_for_the_other_by_its_number_there() -> None:
    assert kinds("current", {"current 510.2": ["a"]})["510.2"] == "shown"
    assert kinds("2011", {"current 510.2": ["a"]})["510.2"] == "missing"
    moved = chapter_rows("120", "current", ["120.3"], {"119.3": ["a"]}, Excuses())
    assert [row.kind for row in moved] == ["shown"]


def test_an_excuse_of_a_younger_number_does_not_hold_for_that_of_2011() -> None:
    excuse = Excuse("current 510.3", "gone")
    assert kinds("current", {}, excuse)["510.3"] == "excused" and kinds("2011", {}, excuse)["510.3"] == "missing"


def test_the_chapter_of_attacking_several_players_is_shown_whole(
    shared: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APNAP_SHARED", str(shared))
    tests = str(Path(__file__).resolve().parents[1])
    for edition in ("2011", "current"):
        assert main(["rules", "coverage", "--tests", tests, "--chapter", "802", "--edition", edition]) == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith("802: ")
    assert main(["rules", "coverage", "--tests", tests, "--chapter", "999"]) == 1


def test_one_digit_stands_for_all_chapters_that_begin_with_it() -> None:
    numbers = ["119.3", "800.1", "801.2", "801.2a", "903.4"]
    assert of_all(["8", "903"], numbers) == ["800", "801", "903"]
