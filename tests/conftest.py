"""Fixtures and options that every test may use.

- marker `rule("509.1")`: the rule of the game (2011-09-30 numbers) that a test is about;
- marker `slow`: left out unless pytest is called with `--all` (`make test-all`);
- fixture `shared`: the folder of shared files (rules texts, card lists, scenarios), which a checkout may lack;
- tests of a screen, a browser's or a terminal's, are played once more where they fail in continuous integration (`ON_A_SCREEN`);
- hypothesis profiles `ci` (default: few examples, the same ones each time) and `all` (with `--all`).
"""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
ON_A_SCREEN = [ROOT / "tests" / "web", ROOT / "tests" / "client"]
"""Where tests wait for what another program draws. On a machine that is busy with something else one in some thousands fails for
that alone, so that there, as browsers' own test runners do, such a test has a second try; the summary names each that took it."""

hypothesis.settings.register_profile("ci", max_examples=40, derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("all", max_examples=1000, deadline=None, database=None)
hypothesis.settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also the slow tests, and many more generated examples")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(number, ...): the rules of the game (2011-09-30 numbers) under test")
    config.addinivalue_line("markers", "slow: takes long; run with --all only")
    if config.getoption("--all"):
        hypothesis.settings.load_profile("all")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("CI") == "true":
        for item in items:
            if not set(ON_A_SCREEN).isdisjoint(item.path.parents):
                item.add_marker(pytest.mark.flaky(reruns=1))
    if config.getoption("--all"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder named by $APNAP_SHARED, else `../shared` beside the checkout; skips the test when there is none."""
    folder = Path(os.environ.get("APNAP_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"no shared files: {folder} is not a folder (set APNAP_SHARED to where they are)")
    return folder
