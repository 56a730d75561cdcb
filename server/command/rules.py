"""Print how the editions number rules and differ; `coverage` tells which test shows which rule, `examples` what shows each example.

`apnap rules`, `apnap rules 119.3d`, and in a checkout `apnap rules 119.3d --edition 2011`, `apnap rules examples [--edition EDITION]` and
`apnap rules coverage [--edition EDITION]`: the marks `rule("119.3d")` of the tests and the key `rule` of scenario files are read without
running anything. Which rules must be shown is a list among the shared files ($APNAP_SHARED, else `../shared`); its texts are not ours
and are never printed.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from server.command.rules_examples import scenarios_in

NUMBER = re.compile(r"[1-9][0-9]{2}(\.[0-9]+[a-z]?)?")
SEED = Path("rules") / "seed-rules.toml"
Shown = dict[str, list[str]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap rules`."""
    parser.add_argument(
        "number",
        nargs="*",
        help="a rule's number of 2011-09-30 (or of --edition), such as 119.3d; or coverage or examples",
    )
    parser.add_argument(
        "--tests", type=Path, default=Path("tests"), metavar="DIR", help="coverage, examples: where the tests are"
    )
    parser.add_argument(
        "--edition",
        choices=("2009", "2011", "current"),
        help="coverage, examples: by which edition (2011); with numbers, of which they are: what shows each",
    )
    parser.add_argument(
        "--chapter", action="append", default=[], metavar="N", help="coverage: each number of this chapter, such as 810"
    )
    parser.add_argument(
        "--lang", choices=("en", "fr"), help="with numbers: language of what is said of them (default: from $LANG)"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="coverage: also write the table as Markdown")


def run(args: argparse.Namespace) -> int:
    """With numbers: each in every edition and what it is, or with an edition what it is there and what shows it. Without: one line for
    each thing that differs."""
    edition = args.edition or "2011"
    if args.number[:1] == ["coverage"]:
        if args.chapter and args.tests.is_dir():
            from server.command import rules_chapters

            return rules_chapters.run(args.tests, args.chapter, edition, shown_by(args.tests))
        return coverage(args.tests, args.write, edition)
    if args.number[:1] == ["examples"]:
        from server.command import rules_examples

        return rules_examples.run(args.tests, edition)
    return _numbered(args)


def _numbered(args: argparse.Namespace) -> int:
    """What is said of the numbers, in the language asked for; without numbers, how the editions differ, by the names of the code."""
    from client_cli.memory import language
    from protocol.words import say

    lang = args.lang or language()
    wrong = [number for number in args.number if not NUMBER.fullmatch(number)]
    if wrong:
        print(f"apnap rules: {say('rules.no_number', lang, number=repr(wrong[0]))}", file=sys.stderr)
        return 2
    from server.command import rules_told

    if args.number and args.edition:
        shown = shown_by(args.tests) if args.tests.is_dir() else None
        return rules_told.run(args.tests, args.number, args.edition, shown, lang)
    _print_table(_editions(args.number, say("rules.rule", lang)))
    for number in args.number:
        if words := rules_told.in_our_words("2011", lang).get(number):
            print(say("rules.said", lang, number=number, words=words))
    return 0


def _editions(numbers: list[str], heading: str) -> list[list[str]]:
    import msgspec

    from server.command.numbering import number_in
    from server.rules.model import EDITIONS

    rows = [[heading if numbers else "", *EDITIONS]]
    if numbers:
        return rows + [[number, *(number_in(edition, number) or "-" for edition in EDITIONS)] for number in numbers]
    said = [msgspec.structs.asdict(edition) for edition in EDITIONS.values()]
    fields = [field for field in said[0] if field not in ("name", "numbers")]
    return rows + [[field.replace("_", " "), *(_word(each[field]) for each in said)] for field in fields]


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _print_table(rows: list[list[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


# --- coverage ----------------------------------------------------------------------------------------------------------


def coverage(tests: Path, write: Path | None = None, edition: str = "2011") -> int:
    """Prints rule → tests by the numbers of an edition and how many of the seed rules are shown, of each chapter and of all. 1 if one
    is not, or there is no list of them."""
    if not tests.is_dir():
        print(f"apnap rules: {tests} is no folder of tests (run it in a checkout, or say --tests)", file=sys.stderr)
        return 1
    shown = shown_by(tests)
    from server.command.numbering import number_in
    from server.command.rules_chapters import by_edition

    if write is not None:
        write.write_text(markdown(shown), encoding="utf-8")
    try:
        wanted = [number for rule in seed_rules() if (number := number_in(edition, rule))]
    except FileNotFoundError as missing:
        print(f"apnap rules: no list of seed rules at {missing} (set APNAP_SHARED)", file=sys.stderr)
        return 1
    shown = by_edition(edition, shown)
    rows = [["rule", "shown by"]]
    for number in wanted:
        by = shown.get(number) or ["-"]
        rows += [[number if place == 0 else "", name] for place, name in enumerate(by)]
    _print_table(rows)
    for chapter in dict.fromkeys(number.partition(".")[0] for number in wanted):
        mine = [number for number in wanted if number.startswith(f"{chapter}.")]
        print(f"{chapter}: {sum(number in shown for number in mine)} of {len(mine)}")
    found = sum(number in shown for number in wanted)
    print(f"{found} of {len(wanted)} seed rules shown")
    return 0 if found == len(wanted) else 1


def seed_rules() -> list[str]:
    """The numbers of the rules that must be shown. Raises FileNotFoundError without the shared files."""
    import tomllib

    path = Path(os.environ.get("APNAP_SHARED") or Path("..") / "shared") / SEED
    if not path.is_file():
        raise FileNotFoundError(str(path))
    return [str(row["number"]) for row in tomllib.loads(path.read_text(encoding="utf-8"))["rule"]]


def shown_by(tests: Path) -> Shown:
    """For each rule's number the tests marked with it ("tests/rules/x.py::test_y") and the scenarios that name it."""
    shown: Shown = {}
    for path in sorted(tests.rglob("*.py")):
        for number, name in _marks(path):
            shown.setdefault(number, []).append(f"{path.as_posix()}::{name}")
    for path, said in scenarios_in(tests):
        for number, name in _scenario(said):
            shown.setdefault(number, []).append(f"{path.as_posix()}::{name}")
    return {number: list(dict.fromkeys(names)) for number, names in sorted(shown.items(), key=lambda p: _order(p[0]))}


def _order(number: str) -> tuple[tuple[int, str], ...]:
    """Numbers in the order of the rules: 119.3 before 119.3a before 119.10, and those of the current edition after all."""
    rest = number.removeprefix("current ")
    parts = tuple((int(part[0]), part[1]) if part[0] else (0, part[1]) for part in re.findall(r"(\d*)([a-z]*)", rest))
    return (int(rest != number), ""), *parts


def _marks(path: Path) -> Iterator[tuple[str, str]]:
    """(rule, test) for the marks of a test file, on the function, its class or one of its parameters."""
    text = path.read_text(encoding="utf-8")
    if "mark.rule" not in text:
        return
    tree = ast.parse(text, str(path))
    marks: list[tuple[ast.AST, str]] = [(tree, "")]
    while marks:
        node, inside = marks.pop(0)
        for child in ast.iter_child_nodes(node):
            if (
                isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
                and not inside.partition("::")[2]
            ):
                name = f"{inside}::{child.name}" if inside else child.name
                if child.name.startswith(("test", "Test")):
                    yield from ((number, name) for one in child.decorator_list for number in _numbers(one))
                    marks.append((child, name))


def _numbers(node: ast.AST) -> Iterator[str]:
    for call in ast.walk(node):
        if not isinstance(call, ast.Call):
            continue
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if called == "rule":
            yield from (a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str))


def _scenario(said: dict[str, object]) -> Iterator[tuple[str, str]]:
    """(rule, scenario) for each rule that a scenario names."""
    named = said.get("rule", ())
    numbers = [named] if isinstance(named, str) else cast("Sequence[object]", named)
    yield from ((str(number), str(said.get("id") or said.get("name") or "a game")) for number in numbers)


def markdown(shown: Shown) -> str:
    """The table as a page: each rule's number, what its tests say in our own words, and where they are."""
    lines = [
        "# Which test shows which rule",
        "",
        "Generated by `apnap rules coverage --write docs/rules.md`. Numbers are those of 2011-09-30, "
        "of what is younger the current ones; the",
        "words are the names of the tests. `make mutants` takes the rules of 119, 306, 609 and 802 away one by one, shifts each of their",
        "boundaries (`tests/mutants/tables`), and sees that a test fails.",
    ]
    chapter = ""
    for number, names in shown.items():
        if number.partition(".")[0] != chapter:
            chapter = number.partition(".")[0]
            lines += ["", f"## {chapter}", "", "| rule | shown | by |", "| --- | --- | --- |"]
        for place, name in enumerate(names):
            path, _, test = name.partition("::")
            lines.append(f"| {number if place == 0 else ''} | {_said(test)} | `{path}` |")
    return "\n".join(lines) + "\n"


def _said(test: str) -> str:
    return test.rpartition("::")[2].removeprefix("test_").replace("_", " ")
