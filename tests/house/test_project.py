"""The project's own files: the lock, the catalogue of words, the test runner."""

from __future__ import annotations

import inspect
import json
import re
import string
import tomllib
from pathlib import Path
from typing import get_args

import trio
import trio.testing

from server.rules.model import Action

ROOT = Path(__file__).resolve().parents[2]
LOCK = (ROOT / "requirements.lock").read_text()


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_lock_holds_no_address() -> None:
    assert "://" not in LOCK
    assert not re.search(r"^\s*(-|--)(i|f|index|extra|find|trusted|e)\b", LOCK, re.MULTILINE)


def test_everything_in_the_lock_is_pinned_and_hashed() -> None:
    entries = re.split(r"\n(?=[A-Za-z0-9])", LOCK.partition("\n")[2])
    entries = [entry for entry in entries if not entry.startswith("#")]
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_the_lock_covers_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = [
        *project["project"]["dependencies"],
        *project["dependency-groups"]["dev"],
        *project["build-system"]["requires"],
    ]
    locked = {canonical(name) for name in re.findall(r"^([A-Za-z0-9._-]+)==", LOCK, re.MULTILINE)}
    for requirement in asked:
        match = re.match(r"[A-Za-z0-9._-]+", requirement)
        assert match
        assert canonical(match[0]) in locked


def catalogue(language: str) -> dict[str, str]:
    return json.loads((ROOT / f"protocol/words/{language}.json").read_text(encoding="utf-8"))


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_both_languages_say_the_same_things() -> None:
    english, french = catalogue("en"), catalogue("fr")
    assert sorted(english) == sorted(french)
    for key, template in english.items():
        assert template.strip(), key
        assert french[key].strip(), key
        assert fields(template) == fields(french[key]), key


def test_every_word_that_is_said_is_in_the_catalogue() -> None:
    known = catalogue("en")
    for folder in ("apnap", "server", "protocol", "client_cli"):
        for path in (ROOT / folder).rglob("*.py"):
            for key in re.findall(r"\bsay\(\s*\"([a-z0-9_.]+)\"", path.read_text(encoding="utf-8")):
                # A key that ends in a dot is put together with what is known only then ("step." + step).
                found = any(k.startswith(key) for k in known) if key.endswith(".") else key in known
                assert found, f"{path.relative_to(ROOT)} says {key!r}"


def test_all_that_can_be_done_with_priority_has_words() -> None:
    types = get_args(inspect.get_annotations(Action, eval_str=True)["type"])
    assert len(types) > 4 and {f"ui.action_{type}" for type in types} <= set(catalogue("en"))


async def test_async_tests_run_in_trio_and_its_clock_jumps(autojump_clock: trio.testing.MockClock) -> None:
    with trio.move_on_after(3600) as scope:
        await trio.sleep_forever()
    assert scope.cancelled_caught
    assert autojump_clock.autojump_threshold == 0
