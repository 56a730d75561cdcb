"""There is a mutant for every seed rule and a test for every rule; a few of the mutants are run each time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from server.command.rules import seed_rules, shown_by
from tests.mutants.mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ("119.3d", "802.4", "306.7")


def run(*rules: str) -> str:
    """What the runner prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutants", *rules], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout


def test_a_sample_of_the_mutants_is_caught() -> None:
    assert run(*SAMPLE).endswith(f"{len(SAMPLE)} of {len(SAMPLE)} mutants caught\n")


@pytest.mark.slow
def test_every_mutant_is_caught() -> None:
    assert run().endswith(f"{len(MUTANTS)} of {len(MUTANTS)} mutants caught\n")


def test_every_mutant_has_a_test_and_stands_in_the_docs() -> None:
    shown = shown_by(ROOT / "tests")
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for rule in MUTANTS:
        assert shown.get(rule), rule
        assert f"\n| {rule} | " in page, f"docs/rules.md lacks {rule}: apnap rules coverage --write docs/rules.md"


def test_the_seed_rules_are_those(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APNAP_SHARED", str(shared))
    assert sorted(seed_rules()) == sorted(MUTANTS)
