"""A real server on a free port and a real browser. Without a browser these tests are skipped, in continuous integration they fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from server.net.static import FOLDER
from tests.web.browser import ARGUMENTS, BROWSERS
from tests.web.player import Player


def missing(what: str) -> None:
    """Skip, or fail where the tests of the page must run."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """The browser, started once."""
    if not (FOLDER / "index.html").exists():
        missing("the page is not built: `make page`")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        missing("no Chromium is installed: `make browser`, or apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[str]:
    """What `apnap serve` says, in a process of its own. Accounts are open, so that it hands out a link for its first
    admin; it passes for people ten times as fast as by default, so that whole games are short."""
    words = [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", str(data)]
    quick = {"APNAP_GAMES_PASS_SECONDS": "0.02"}
    rules = {
        **os.environ,
        **quick,
        "APNAP_PEOPLE_ACCOUNTS": "open",
        "APNAP_LIMITS_TRIES_PER_MINUTE": "1000",
        **settings,
    }
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=rules) as process:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if "first admin" in line:
                break
        try:
            yield said
        finally:
            process.terminate()
            process.wait(timeout=20)


def address(said: str) -> str:
    """Where the page of a server is that has said so."""
    found = re.search(r"on this computer:\s+(\S+)", said)
    assert found, said
    return found[1] + "/"


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What the server of most tests says."""
    with serving(tmp_path_factory.mktemp("data")) as said:
        yield said


@pytest.fixture(scope="session")
def server(served: str) -> str:
    """The address of the page."""
    return address(served)


@pytest.fixture(scope="session")
def admin_link(served: str, server: str) -> str:
    """The one-time link for the first admin."""
    found = re.search(r"#/link/\S+", served)
    assert found, served
    return server + found[0]


@pytest.fixture
def arrive(chromium: object, server: str) -> Iterator[Callable[..., Player]]:
    """Players, each in a browser context of their own. At the end none has seen an error on the console or a failed request."""
    players: list[Player] = []

    def come(name: str, kind: type[Player] = Player, url: str = server, **context: Any) -> Player:
        player = kind(chromium, url, name, **context)
        players.append(player)
        return player

    yield come
    faults = [f"{player.name}: {fault}" for player in players for fault in player.faults]
    for player in players:
        player.context.close()
    assert not faults, "\n".join(faults)
