"""`apnap rules coverage --chapter 810`: each number of a chapter, shown by which tests, excused for which reason, or neither.

Which numbers an edition has is read from its text among the shared files, of which nothing else is taken. A number with letters that
says nothing by itself but what they say is shown when all of them are. Reasons are in `rules/excused.toml` in the folder of tests.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from server.command.numbering import number_in

EXCUSED = Path("rules") / "excused.toml"
TEXTS = {
    "2009": "comprehensive-rules.2009-10-01.txt",
    "2011": "comprehensive-rules.2011-09-30.txt",
    "current": "comprehensive-rules.2026-02-27.txt",
}
MOST_EXCUSED = 0.15
"""Which part of a chapter may be excused at most."""
_NUMBER = re.compile(r"([1-9][0-9]{2}\.[0-9]+[a-z]?)\.? ")
Kind = Literal["shown", "excused", "missing"]


class Excuse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a server can't show a rule: by its number of 2011, "current N" or "2009 N"."""

    rule: str
    why: str


class Excuses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The list."""

    excuse: tuple[Excuse, ...] = ()


class Row(msgspec.Struct, frozen=True):
    """One number of a chapter: whether it is shown, and by what, or why not."""

    rule: str
    kind: Kind
    said: str


def chapter_rows(
    chapter: str, edition: str, numbers: Iterable[str], shown: dict[str, list[str]], excuses: Excuses
) -> list[Row]:
    """A row for each number of the chapter that an edition has. `shown` has the marks of the tests: numbers of 2011, "current N" and
    "2009 N"."""
    marks = by_edition(edition, shown)
    why = {
        number: whys[0] for number, whys in by_edition(edition, {one.rule: [one.why] for one in excuses.excuse}).items()
    }
    mine = [number for number in numbers if number.partition(".")[0] == chapter]
    rows: dict[str, Row] = {}
    for number in sorted(mine, key=lambda n: not n[-1].isalpha()):  # letters first
        letters = [rows[n] for n in mine if n != number and re.fullmatch(re.escape(number) + "[a-z]", n)]
        if number in marks:
            rows[number] = Row(
                number, "shown", marks[number][0] + (f" and {len(marks[number]) - 1} more" if marks[number][1:] else "")
            )
        elif number in why:
            rows[number] = Row(number, "excused", why[number])
        elif letters and all(row.kind != "missing" for row in letters):
            rows[number] = Row(number, "shown", "by its letters")
        else:
            rows[number] = Row(number, "missing", "")
    return [rows[number] for number in mine]


def by_edition(edition: str, shown: dict[str, list[str]]) -> dict[str, list[str]]:
    """Tests or reasons by the numbers of an edition. What is marked with a number of 2011 counts where the rule has one there, but for
    games of one edition ("NAME/2011"), and where nothing is marked with that edition's own number: then it is another rule."""
    found: dict[str, list[str]] = {}
    own: dict[str, list[str]] = {}
    others = tuple(f"/{other}" for other in TEXTS if other != edition)
    for number, names in shown.items():
        of, _, alone = number.rpartition(" ")
        kept = [name for name in names if not name.endswith(others)]
        if of == edition:
            own.setdefault(alone, []).extend(names)
        elif not of and kept and (here := number_in(edition, number)):
            found.setdefault(here, []).extend(kept)
    return {**found, **own} if edition == "2009" else {n: found.get(n, []) + own.get(n, []) for n in (*found, *own)}


def numbers_of(edition: str) -> list[str]:
    """All rule numbers of an edition, in order. Raises FileNotFoundError without the shared files."""
    path = Path(os.environ.get("APNAP_SHARED") or Path("..") / "shared") / "rules" / TEXTS[edition]
    if not path.is_file():
        raise FileNotFoundError(str(path))
    found = (_NUMBER.match(line.lstrip()) for line in path.read_text(encoding="utf-8").splitlines())
    return list(dict.fromkeys(match[1] for match in found if match is not None))


def of_all(chapters: Iterable[str], numbers: Iterable[str]) -> list[str]:
    """The chapters that are asked for; one digit stands for all that begin with it ("8": 800, 801 and so on)."""
    known = dict.fromkeys(number.partition(".")[0] for number in numbers)
    return [one for asked in chapters for one in (known if len(asked) == 1 else (asked,)) if one.startswith(asked)]


def run(tests: Path, chapters: list[str], edition: str, shown: dict[str, list[str]]) -> int:
    """Prints each number and the totals of each chapter. 1 if a number is missing, too many are excused, or there is no text."""
    try:
        excuses = msgspec.toml.decode((tests / EXCUSED).read_bytes(), type=Excuses)
        numbers = numbers_of(edition)
    except FileNotFoundError as missing:
        print(f"apnap rules: no file {missing} (run it in a checkout, and set APNAP_SHARED)", file=sys.stderr)
        return 1
    whole = True
    for chapter in of_all(chapters, numbers):
        rows = chapter_rows(chapter, edition, numbers, shown, excuses)
        for row in rows:
            print(f"{row.rule:8} {row.kind:8} {row.said}".rstrip())
        counts = {kind: sum(row.kind == kind for row in rows) for kind in ("shown", "excused", "missing")}
        print(f"{chapter}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()) + f" of {len(rows)}")
        whole = whole and bool(rows) and not counts["missing"] and counts["excused"] <= MOST_EXCUSED * len(rows)
    return 0 if whole else 1
