"""There are mutants for every seed rule, what they change is there, and a test for each; a few of them are run each time."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.command.rules import seed_rules, shown_by
from server.command.scenario import scenarios_of
from tests.mutants.gone import MUTANTS
from tests.mutants.running import PLACES
from tests.mutants.shifts import Gone, Shift, check, read_shifts

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ("119.3d", "802.4", "306.7")
SHIFTS = read_shifts()


def run(*arguments: str) -> str:
    """What the runner prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutants", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout


def test_a_sample_of_the_mutants_is_caught() -> None:
    number = len(SAMPLE) + sum(row.rule in SAMPLE for row in SHIFTS)
    assert run(*SAMPLE).endswith(f"{number} of {number} mutants caught\n")


@pytest.mark.slow
def test_every_mutant_is_caught() -> None:
    number = len(MUTANTS) + len(SHIFTS)
    assert run().endswith(f"{number} of {number} mutants caught\n")


def test_every_mutant_has_a_test_and_stands_in_the_docs() -> None:
    shown = shown_by(ROOT / "tests")
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for rule in MUTANTS:
        assert shown.get(rule), rule
        assert f"\n| {rule} | " in page, f"docs/rules.md lacks {rule}: apnap rules coverage --write docs/rules.md"


def test_the_seed_rules_are_those(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APNAP_SHARED", str(shared))
    assert sorted(seed_rules()) == sorted(MUTANTS)


def test_every_seed_rule_has_two_boundaries_at_least() -> None:
    number = Counter(row.rule for row in SHIFTS if row.rule in MUTANTS)
    assert set(number) == set(MUTANTS) and min(number.values()) >= 2 and sum(number.values()) >= 122


@pytest.mark.parametrize("row", SHIFTS, ids=lambda row: row.id)
def test_what_a_row_changes_is_there(row: Shift) -> None:
    check(row)


def test_what_is_to_catch_a_row_is_there() -> None:
    games = ROOT / "tests" / "scenarios"
    files = [*games.rglob("*.jsonl"), *games.rglob("*.toml")]
    names = {str(data["id"]) for path in files for _, data in scenarios_of(path) if isinstance(data, dict)}
    for path in (ROOT / place for place in PLACES):
        for file in path.rglob("*.py") if path.is_dir() else (path,):
            names.update(re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8")))
    assert {name for row in SHIFTS for name in row.caught} <= names and all(row.caught for row in SHIFTS)


@pytest.mark.parametrize(
    "change", [{"where": "happenings.no_such_thing"}, {"where": "no_such_room.expand"}, {"was": "no such words"}]
)
def test_a_row_whose_target_is_gone_is_a_fault(change: dict[str, str]) -> None:
    with pytest.raises(Gone, match=change.get("where", SHIFTS[0].rule)):
        check(replace(SHIFTS[0], **change))
