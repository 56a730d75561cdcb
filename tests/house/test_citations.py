"""The numbers of rules that code, tests, scenarios and docs cite: each is there, and is about what is spoken of.

A number is one of 2011-09-30; "current 702.131b" is one of the current edition, "2009 118.3c" one of 2009-10-01. In a table of a page
of the docs, a column headed `current` or `2009` has numbers of that edition.
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.rulebook import TEXTS, Rulebook

ROOT = Path(__file__).resolve().parents[2]
#: Further letters after a number with a letter, as in "702.20c, h" and "119.3a to f".
LETTERS = r"(?:(?:, | and | or | to )[b-z](?![\w'’]))*"
NUMBER = re.compile(rf"((?:[Cc]urrent |2009 )?)(?<![\w.$#,-])([1-9]\d\d\.\d{{1,3}})((?:[a-z]{LETTERS})?)(?![\w%]|\.\d)")
#: Files of which numbers are no citations: generated, recorded, or of no rules.
NOT_READ = (
    "docs/rules.md",
    "tests/storage/journals/",
    "tests/house/test_citations.py",
    "tests/knowledge/test_cited.py",
    "server/rules/editions/citations.py",
    "server/command/numbering.py",
)
#: Words by which something is known here, beside its title.
KNOWN_AS = {
    "Ascend": "city's blessing",
    "Banding": "band",
    "Cumulative Upkeep": "cumulative",
    "Phasing": "phase",
    "Reveal": "look at",
    "Search": "sees what|chooses from|shown as a choice|finds",
    "Soulbond": "paired",
    "Start Your Engines!": "speed",
    "Tap and Untap": "tap",
    "Venture into the Dungeon": "venture|dungeon",
}
#: What speaks of another numbering than its own, or of a number as a number.
OTHERWISE = {
    ("docs/editions.md", "608.7"),  # what the seed document of 2009 says in English
    ("docs/editions.md", "702.19"),  # the text of 802.3b is wrong about banding
    ("tests/knowledge/test_events.py", "120.4b"),  # what the log of a current game shows
    ("tests/knowledge/test_events.py", "120.3f"),
    ("tests/house/test_commands_run.py", "120.3d"),  # what a number of 2011 is in the current edition
    ("server/command/rules.py", "119.10"),  # how numbers are sorted
    ("server/rules/replacements/replacement.py", "903.9b"),  # a key that states hold
    ("server/rules/definitions/intrinsic.py", "714.3a"),  # a key that states hold
}


class Citation(NamedTuple):
    """A number as it is cited, one of that edition; `context` are the words around it."""

    file: str
    line: int
    number: str
    edition: str
    context: str


def _numbers(file: str, line: int, text: str, context: str, table: str = "2011") -> Iterator[Citation]:
    for found in NUMBER.finditer(text):
        edition, section, letters = found.groups()
        at = line + text.count("\n", 0, found.start())
        for letter in re.findall(r"(?<![\w])[a-z](?!\w)|^[a-z]", letters) or [""]:
            yield Citation(file, at, section + letter, edition.strip().lower() or table, context)


# --- where numbers stand: comments and strings of code, keys of scenarios, prose ---------------------------------------------


def _of_python(file: str, text: str) -> Iterator[Citation]:
    lines = text.splitlines()
    around: dict[int, tuple[int, int]] = {}
    for node in ast.walk(ast.parse(text)):  # from the outside in, so that the innermost definition remains
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            last = node.end_lineno or first
            if isinstance(node, ast.ClassDef) and last - first > 70:
                last = first + 8
            around.update(dict.fromkeys(range(first, last + 1), (first, last)))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)):
            at = token.start[0]
            first, last = around.get(at, (max(at - 3, 1), token.end[0] + 3))
            yield from _numbers(file, at, token.string, " ".join(lines[first - 1 : last]))


def _of_scenarios(file: str, rows: list[tuple[int, Any]]) -> Iterator[Citation]:
    """The key `rule` of scenarios, with what the scenario says and the texts of the house cards in it."""
    for line, data in rows:
        if isinstance(data, dict) and "rule" in data:
            said = json.dumps(data, ensure_ascii=False)
            used = " ".join(text for name, text in _house_cards().items() if f'"{name}"' in said)
            rules = [data["rule"]] if isinstance(data["rule"], str) else data["rule"]
            for rule in rules:
                yield from _numbers(file, line, rule.partition(".example")[0], f"{said} {used}")


@cache
def _house_cards() -> dict[str, str]:
    paths = sorted((ROOT / "server/cards/data").glob("*.toml"))
    cards = [card for path in paths for card in tomllib.loads(path.read_text(encoding="utf-8"))["card"]]
    return {card["name"]: card.get("text", "") for card in cards}


def _tables(data: object) -> Iterator[tuple[int, Any]]:
    if isinstance(data, dict):
        yield 0, data
        for value in data.values():
            yield from _tables(value)
    elif isinstance(data, list):
        for value in data:
            yield from _tables(value)


def _of_prose(file: str, text: str) -> Iterator[Citation]:
    head: list[str] = []
    lines = text.splitlines()
    for at, line in enumerate(lines, 1):
        cells = line.split("|") if line.startswith("|") else [line]
        head = cells if line.startswith("|") and not head else head if line.startswith("|") else []
        for place, cell in enumerate(cells):
            heading = head[place].strip("` ") if len(cells) > 1 and place < len(head) else ""
            table = heading if heading in TEXTS else "2011"
            yield from _numbers(file, at, cell, " ".join(lines[max(at - 3, 0) : at + 1]), table)


def _of_page(file: str, text: str) -> Iterator[Citation]:
    """Comments of the page's code, and numbers that it shows."""
    for at, line in enumerate(text.splitlines(), 1):
        said = re.search(r"//.*|/?\*.*|class=\"rule\">.*", line)
        if said:
            yield from _numbers(file, at, said[0], line)


def _citations(file: str) -> Iterator[Citation]:
    text = (ROOT / file).read_text(encoding="utf-8")
    match Path(file).suffix:
        case ".py":
            yield from _of_python(file, text)
        case ".jsonl":
            rows = [(at, json.loads(line)) for at, line in enumerate(text.splitlines(), 1) if '"rule"' in line]
            yield from _of_scenarios(file, rows)
        case ".toml" if file.startswith("tests/"):
            yield from _of_scenarios(file, list(_tables(tomllib.loads(text))))
        case ".toml":
            comments = "\n".join(line if line.startswith("#") else "" for line in text.splitlines())
            yield from _of_prose(file, comments)
        case ".md" | ".json":
            yield from _of_prose(file, text)
        case ".ts" | ".tsx":
            yield from _of_page(file, text)


@pytest.fixture(scope="module")
def cited() -> list[Citation]:
    """Every citation in the files of the project."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("no checkout: the files of the project are not listed")
    kinds = {".py", ".jsonl", ".toml", ".md", ".ts", ".tsx"}
    files = [
        file for file in listed.stdout.splitlines() if Path(file).suffix in kinds or file.startswith("protocol/words/")
    ]
    files = [file for file in files if not file.startswith(NOT_READ) and (ROOT / file).is_file()]
    found = [one for file in files for one in _citations(file)]
    assert len(found) > 3000
    return [one for one in found if (one.file, one.number) not in OTHERWISE]


@pytest.fixture(scope="module")
def books(shared: Path) -> dict[str, Rulebook]:
    """The rules of each edition."""
    return {edition: Rulebook(shared, edition) for edition in TEXTS}


def _places(wrong: list[tuple[Citation, str]]) -> str:
    return "\n".join(f"{one.file}:{one.line}: {one.edition} {one.number} {why}" for one, why in wrong)


def test_every_number_cited_is_there(cited: list[Citation], books: dict[str, Rulebook]) -> None:
    wrong = [(one, "is not there") for one in cited if one.number not in books[one.edition]]
    assert not wrong, _places(wrong)


def test_what_is_cited_of_keywords_is_about_what_is_spoken_of(
    cited: list[Citation], books: dict[str, Rulebook]
) -> None:
    """701 and 702 were renumbered as keywords came: the title is spoken of where the number stands."""
    wrong: list[tuple[Citation, str]] = []
    for one in cited:
        if re.match(r"70[12]\.(?!1$)", one.number) and one.number in books[one.edition] and not _of_examples(one):
            title = books[one.edition].title(one.number)
            if not _spoken_of(title, f"{one.file} {one.context}".lower()):
                wrong.append((one, f"is {title}"))
    assert not wrong, _places(wrong)


def _of_examples(one: Citation) -> bool:
    """The official examples, which bear the numbers of what they stand under and may be about anything."""
    return "scenarios/examples_" in one.file or one.file == "tests/rules/examples.toml"


def _spoken_of(title: str, words: str) -> bool:
    stems = [word[:5] for word in re.findall(r"[a-z]+", title.lower()) if word not in ("and", "of", "the", "a")]
    return all(stem in words for stem in stems) or any(known in words for known in KNOWN_AS.get(title, "\0").split("|"))
