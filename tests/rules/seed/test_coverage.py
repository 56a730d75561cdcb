"""`apnap rules coverage`: it reads the marks of tests and the keys of scenario files, and counts the seed rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.command.main import main


def checkout(folder: Path, *marks: str) -> Path:
    """A folder of tests with these rules marked, and a list of two seed rules beside it."""
    tests = folder / "tests"
    tests.mkdir()
    body = ["import pytest", "rule = pytest.mark.rule"]
    for place, mark in enumerate(marks):
        body += [mark, f"def test_{place}() -> None:", "    pass"]
    (tests / "test_some.py").write_text("\n".join(body), encoding="utf-8")
    (folder / "shared" / "rules").mkdir(parents=True)
    seed = '[[rule]]\nnumber = "119.1"\n\n[[rule]]\nnumber = "802.2a.example"\n'
    (folder / "shared" / "rules" / "seed-rules.toml").write_text(seed, encoding="utf-8")
    return tests


@pytest.fixture
def shared_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("APNAP_SHARED", str(tmp_path / "shared"))
    return tmp_path


def test_marks_and_scenarios_are_counted(shared_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = checkout(
        shared_here,
        '@rule("119.1")',
        '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("306.7"))])',
    )
    (tests / "802-one.jsonl").write_text('{"id": "walk", "rule": ["802.2a.example"]}\n', encoding="utf-8")
    assert main(["rules", "coverage", "--tests", str(tests), "--write", str(tests / "rules.md")]) == 0
    printed = capsys.readouterr().out
    assert "test_some.py::test_0" in printed and "802-one.jsonl::walk" in printed
    assert printed.endswith("2 of 2 seed rules shown\n")
    page = (tests / "rules.md").read_text(encoding="utf-8")
    assert "| 306.7 | 1 | " in page


def test_a_missing_rule_is_named(shared_here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = checkout(shared_here, '@rule("119.1")')
    assert main(["rules", "coverage", "--tests", str(tests)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "1 of 2 seed rules shown" and printed[-4].split() == ["802.2a.example", "-"]
    assert printed[-3:-1] == ["119: 1 of 1", "802: 0 of 1"]


def test_without_the_list_or_the_tests_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("APNAP_SHARED", str(tmp_path / "nowhere"))
    assert main(["rules", "coverage", "--tests", str(tmp_path)]) == 1
    assert "APNAP_SHARED" in capsys.readouterr().err
    assert main(["rules", "coverage", "--tests", str(tmp_path / "none")]) == 1
    assert "no folder of tests" in capsys.readouterr().err
