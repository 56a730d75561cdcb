"""The floors of the house: who may import whom (contracts in pyproject.toml), and that the contracts can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]


def test_contracts_hold(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    # It would silence every logger of the process, and with them the tests of what is logged.
    monkeypatch.setattr("importlinter.cli.logging_config.dictConfig", lambda _: None)
    code = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert code == 0, capsys.readouterr().out


def test_every_floor_is_in_the_layers() -> None:
    floors = {path.parent.name for path in (ROOT / "server").glob("*/__init__.py")}
    layers = (ROOT / "pyproject.toml").read_text().partition("layers = [")[2].partition("]")[0]
    assert all(f"server.{floor}" in layers for floor in floors)
