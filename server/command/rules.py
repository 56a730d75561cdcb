"""Print how the editions of the rules differ, or how they number the rules that code and refusals cite (2011-09-30 numbers)."""

from __future__ import annotations

import argparse
import re
import sys

NUMBER = re.compile(r"[1-9][0-9]{2}(\.[0-9]+[a-z]?)?")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap rules`."""
    parser.add_argument("number", nargs="*", help="a rule's number of 2011-09-30, such as 119.3d")


def run(args: argparse.Namespace) -> int:
    """With numbers, one line each: the number in every edition. Without, one line for each thing that differs."""
    import msgspec

    from server.rules.editions import EDITIONS

    wrong = [number for number in args.number if not NUMBER.fullmatch(number)]
    if wrong:
        print(f"apnap rules: not a rule's number: {wrong[0]!r}", file=sys.stderr)
        return 2
    rows = [["rule" if args.number else "", *EDITIONS]]
    if args.number:
        rows += [[number, *(edition.number(number) for edition in EDITIONS.values())] for number in args.number]
    else:
        said = [msgspec.structs.asdict(edition) for edition in EDITIONS.values()]
        fields = [field for field in said[0] if field not in ("name", "sections")]
        rows += [[field.replace("_", " "), *(_word(each[field]) for each in said)] for field in fields]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
