"""`apnap rules examples [--edition EDITION]`: what shows each official example of the rules of 2011-09-30.

The list is `rules/examples.toml` in the folder of tests, without a word of the rules: which example of which rule it is, and the
scenarios that show it, the capability that it waits for, or why no game can show it. Scenarios that the engine does not play as
the rules have it stand below `failing`, with the reason; an example that one of them belongs to counts as waiting.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, cast

import msgspec

from server.command.numbering import current_number

LIST = Path("rules") / "examples.toml"
Kind = Literal["shown", "waiting", "not playable", "not in this edition"]


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One example: the `place`th of a `rule`. `shown` are ids of scenarios; else it is `waiting` for something or `not_playable`.

    By the current edition the same scenarios end the same, unless `current` names others, or `not_current` says why there
    are none.
    """

    rule: str
    place: int
    shown: tuple[str, ...] = ()
    waiting: str = ""
    not_playable: str = ""
    current: tuple[str, ...] = ()
    not_current: str = ""

    @property
    def name(self) -> str:
        """What it is called: the rule and the place."""
        return f"{self.rule} example {self.place}"


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The list. `failing` has a reason for each scenario that does not pass yet."""

    example: tuple[Example, ...]
    failing: dict[str, str]

    def of(self, example: Example, edition: str) -> tuple[str, ...]:
        """The scenarios that show an example by an edition."""
        return example.current if edition == "current" and example.current else example.shown

    def status(self, example: Example, edition: str) -> tuple[Kind, str]:
        """Whether an example is shown by an edition, and by what, or why not."""
        if example.not_playable:
            return "not playable", example.not_playable
        if edition == "current" and example.not_current:
            return "not in this edition", example.not_current
        if example.waiting:
            return "waiting", example.waiting
        scenarios = self.of(example, edition)
        failing = [self.failing[name] for name in names(scenarios, edition) if name in self.failing]
        return ("waiting", failing[0]) if failing else ("shown", ", ".join(scenarios))


def names(scenarios: tuple[str, ...], edition: str) -> Iterator[str]:
    """What `failing` may call scenarios: by id, and by id and edition if only that edition is not played right."""
    for name in scenarios:
        yield name
        yield f"{name} ({edition})"


def read_examples(tests: Path) -> Examples:
    """The list in a folder of tests. Raises OSError, and msgspec.ValidationError (with the place) for a malformed one."""
    return msgspec.toml.decode((tests / LIST).read_bytes(), type=Examples)


def faults(examples: Examples, scenarios: set[str]) -> Iterator[str]:
    """What is wrong in the list: an example twice, one that is not one of shown, waiting and not playable, a scenario that
    is not there."""
    seen: set[str] = set()
    for example in examples.example:
        if example.name in seen:
            yield f"{example.name}: it is in the list twice"
        seen.add(example.name)
        if sum(map(bool, (example.shown, example.waiting, example.not_playable))) != 1:
            yield f"{example.name}: it is either shown, waiting or not playable"
        if example.current and example.not_current:
            yield f"{example.name}: no scenario of the current edition shows what is not in it"
        for name in (*example.shown, *example.current):
            if name not in scenarios:
                yield f"{example.name}: there is no scenario {name!r}"
    for name in examples.failing:
        if name not in scenarios and name.removesuffix(" (current)") not in scenarios:
            yield f"failing: there is no scenario {name!r}"


def scenario_ids(tests: Path) -> set[str]:
    """The ids of all scenarios in a folder of tests. Raises ValueError for a file that is none."""
    return {str(said["id"]) for _, said in scenarios_in(tests) if "id" in said and "until" in said}


def scenarios_in(tests: Path) -> Iterator[tuple[Path, dict[str, object]]]:
    """Every scenario in a folder of tests, a line of JSON or a table of TOML, with its file. What is none is left out."""
    for path in sorted((*tests.rglob("*.jsonl"), *tests.rglob("*.toml"))):
        for said in _rows(path):
            if isinstance(said, dict):
                yield path, cast("dict[str, object]", said)


def _rows(path: Path) -> Iterator[object]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        yield from tomllib.loads(text).get("scenario", ())
        return
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def run(tests: Path, edition: str) -> int:
    """Prints a line for each example, and the totals. 1 if there is no list, or a fault in it."""
    try:
        examples = read_examples(tests)
    except (OSError, msgspec.ValidationError, msgspec.DecodeError) as error:
        print(f"apnap rules: no list of examples: {error} (run it in a checkout, or say --tests)", file=sys.stderr)
        return 1
    wrong = list(faults(examples, scenario_ids(tests)))
    counts: dict[str, int] = dict.fromkeys(("shown", "waiting", "not playable"), 0)
    for example in examples.example:
        kind, why = examples.status(example, edition)
        counts[kind] = counts.get(kind, 0) + 1
        number = current_number(example.rule) if edition == "current" else example.rule
        print(f"{number:8} {example.place}  {kind}: {why}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()) + f" of {len(examples.example)}")
    for fault in wrong:
        print(f"apnap rules: {fault}", file=sys.stderr)
    return 1 if wrong else 0
