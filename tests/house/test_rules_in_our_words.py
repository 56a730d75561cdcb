"""`apnap rules NUMBER --edition E` says in our own words what the rule is, of each number of the chapters, in both languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.words import LANGUAGES
from server.command.main import main
from server.command.rules_chapters import TEXTS, Excuse, Excuses, numbers_of
from server.command.rules_told import IN_OUR_WORDS, in_our_words, told

CHAPTERS = [*(str(chapter) for chapter in range(800, 812)), "903", "306", "609"]
ENGLISH = {
    "the",
    "of",
    "is",
    "and",
    "to",
    "it",
    "that",
    "what",
    "who",
    "with",
    "for",
    "are",
    "as",
    "in",
    "no",
    "by",
    "at",
    "be",
}
"""Words that stand in nearly every English sentence and in no French one."""
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
    for edition, rows in tomllib.loads(IN_OUR_WORDS["en"].read_text(encoding="utf-8")).items():
        known = {*numbers_of(edition)}
        assert [number for number in rows if "." in number and number not in known] == []


def test_both_languages_say_the_same_numbers_and_no_sentence_is_left_in_english() -> None:
    english, french = (tomllib.loads(IN_OUR_WORDS[lang].read_text(encoding="utf-8")) for lang in LANGUAGES)
    assert [(edition, list(rows)) for edition, rows in french.items()] == [
        (edition, list(rows)) for edition, rows in english.items()
    ]
    for edition, rows in french.items():
        for number, words in rows.items():
            assert words != english[edition][number]
            assert ENGLISH.isdisjoint(re.findall(r"[a-z]+", words.lower())), number


@pytest.mark.parametrize("lang", LANGUAGES)
def test_figures_are_the_same_in_both_languages(lang: str) -> None:
    for edition in TEXTS:
        for number, words in in_our_words(edition, lang).items():
            figures = re.findall(r"[0-9]+", in_our_words(edition)[number])
            assert sorted(re.findall(r"[0-9]+", words)) == sorted(figures), number


def test_no_sentence_is_of_the_official_texts(shared: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((shared / "rules").glob("*.txt"))]
    assert len(texts) > len(TEXTS)
    theirs = {run for text in texts for run in runs(text)}
    said = [words for lang in LANGUAGES for edition in TEXTS for words in in_our_words(edition, lang).values()]
    assert [words for words in said if not theirs.isdisjoint(runs(words))] == []


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Each AT_ONCE words in a row."""
    words = re.findall(r"[a-zà-öø-ÿœ/'0-9+-]+", text.lower().replace("’", "'"))
    return (tuple(words[start : start + AT_ONCE]) for start in range(len(words) - AT_ONCE + 1))


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder without tests or texts, at an English terminal: there are our words alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("APNAP_SHARED", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.mark.usefixtures("alone")
def test_a_number_is_told_by_its_edition(capsys: pytest.CaptureFixture[str]) -> None:
    """The life of one head: half of the team's in 2009, all of it since. In a folder without tests there are the words alone."""
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


@pytest.mark.usefixtures("alone")
def test_a_number_is_told_in_french(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """By --lang, or where the language of the terminal is French; --lang goes before it."""
    french = "810.9a de 2011\n  Les points de vie d'une tête sont ceux de l'équipe, quoi qui les demande.\n"
    assert main(["rules", "810.9a", "--edition", "2011", "--lang", "fr"]) == 0
    assert capsys.readouterr().out == french
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["rules", "810.9a", "--edition", "2011"]) == 0
    assert capsys.readouterr().out == french
    assert main(["rules", "810.9a"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("règle ") and "810.9a : Les points de vie d'une tête" in said
    assert main(["rules", "x"]) == 2
    assert "ce n'est pas un numéro de règle : 'x'" in capsys.readouterr().err
    assert main(["rules", "810.9a", "--edition", "2011", "--lang", "en"]) == 0
    assert "One head's life is the team's" in capsys.readouterr().out


def test_what_shows_a_number_is_said_in_french() -> None:
    shown = {"802.2": ["tests/x.py::test_all_defend"], "802.3a": ["tests/x.py::test_whole"]}
    excuses = Excuses((Excuse("802.1", "no game shows it"),))
    last = {number: told(number, "2011", shown, excuses, "fr")[-1] for number in ("802.1", "802.2", "802.3", "802.5")}
    assert last == {
        "802.1": "  pas montrée : no game shows it",
        "802.2": "  montrée : all defend  (tests/x.py)",
        "802.3": "  montrée par ses lettres : 802.3a",
        "802.5": "  rien ne la montre",
    }
