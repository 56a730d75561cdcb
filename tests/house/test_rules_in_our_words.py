"""`apnap rules NUMBER --edition E` says in our own words what the rule is, of each number of the chapters."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.command.main import main
from server.command.rules_chapters import TEXTS, numbers_of
from server.command.rules_told import IN_OUR_WORDS, in_our_words

CHAPTERS = [*(str(chapter) for chapter in range(800, 812)), "903", "306", "609"]
AT_ONCE = 7
"""So many words in a row, none of them a number, that also stand in a text are that text's."""


@pytest.mark.parametrize("edition", TEXTS)
def test_each_number_of_the_chapters_is_said_in_words(
    edition: str, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APNAP_SHARED", str(shared))
    damage = {"2009": "118", "2011": "119", "current": "120"}[edition]
    numbers = [number for number in numbers_of(edition) if number.partition(".")[0] in (*CHAPTERS, damage)]
    assert len(numbers) > 190
    assert [number for number in numbers if number not in in_our_words(edition)] == []


def test_no_row_is_of_a_number_that_there_is_not(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APNAP_SHARED", str(shared))
    for edition, rows in tomllib.loads(IN_OUR_WORDS.read_text(encoding="utf-8")).items():
        known = {*numbers_of(edition)}
        assert [number for number in rows if "." in number and number not in known] == []


def test_no_sentence_is_of_the_official_texts(shared: Path) -> None:
    texts = [(shared / "rules" / name).read_text(encoding="utf-8") for name in TEXTS.values()]
    theirs = {run for text in texts for run in runs(text)}
    said = [words for edition in TEXTS for words in in_our_words(edition).values()]
    assert [words for words in said if not theirs.isdisjoint(runs(words))] == []


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Each AT_ONCE words in a row."""
    words = re.findall(r"[a-z/'0-9+-]+", text.lower().replace("’", "'"))
    return (tuple(words[start : start + AT_ONCE]) for start in range(len(words) - AT_ONCE + 1))


def test_a_number_is_told_by_its_edition(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The life of one head: half of the team's in 2009, all of it since. In a folder without tests there are the words alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("APNAP_SHARED", str(tmp_path))
    for said, words in (
        ("2009 806.9a", "half of the team's"),
        ("2011 810.9a", "One head's life is the team's"),
        ("current 810.9a", "One head's life is the team's"),
    ):
        edition, number = said.split()
        assert main(["rules", number, "--edition", edition]) == 0
        assert words in capsys.readouterr().out
    assert main(["rules", "810.9a"]) == 0
    assert "810.9a: One head's life is the team's" in capsys.readouterr().out
