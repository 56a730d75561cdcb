"""`make audit`: what is told of the locked versions."""

from __future__ import annotations

import importlib.util
import json
from datetime import date
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "deploy/dependencies.py"
_spec = importlib.util.spec_from_file_location("dependencies", SOURCE)
assert _spec is not None and _spec.loader is not None
dependencies = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(dependencies)

HISTORY = "@2026-03-01\n\n-one==1.0 \\\n+one==1.1 \\\n@2026-01-02\n+one==1.0 \\\n+two==5 ; python_version < '3.12' \\\n"


def test_a_version_is_as_old_as_its_line_in_the_lock() -> None:
    found = dependencies.since(HISTORY)
    assert found["one", "1.1"] == date(2026, 3, 1)
    assert found["two", "5"] == date(2026, 1, 2)


def test_every_locked_version_is_seen() -> None:
    versions = dependencies.locked((SOURCE.parents[1] / "requirements.lock").read_text())
    assert versions["trio"] and versions["websockets"] and len(versions) > 20


def test_advisories_are_told_and_a_look_up_that_failed_is_not_taken_for_none() -> None:
    told = {"dependencies": [{"name": "one", "version": "1", "vulns": [{"id": "X-1"}]}, {"name": "two", "vulns": []}]}
    assert dependencies.advisories(json.dumps(told)) == {"one": ["X-1"]}
    skipped = {"dependencies": [{"name": "one", "skip_reason": "not found"}]}
    assert dependencies.advisories(json.dumps(skipped)) is None
    assert dependencies.advisories("") is None
