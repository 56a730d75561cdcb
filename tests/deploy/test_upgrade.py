"""The drill of an upgrade and the way back (docs/operating.md, drill 8): two programs, whose tables have two forms, on one directory."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from server.storage.schema import FILE, VERSION

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60


class Program:
    """An apnap of some version, as its host runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"}
        self.command = [sys.executable, "-m", "server.command.main"]

    def run(self, *words: str, stdin: str = "", code: int = 0) -> str:
        """Run a command to its end; what it says."""
        done = subprocess.run(
            [*self.command, *words],
            cwd=self.folder,
            env=self.env,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    @contextmanager
    def serving(self, data: Path, *, takes_up: int = 0) -> Iterator[str]:
        """Serve on a data directory, on which so many games go on, until the block ends; the address."""
        words = [*self.command, "serve", "--port", "0", "--data", str(data)]
        with subprocess.Popen(
            words, cwd=self.folder, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            said: list[str] = []
            try:
                for line in process.stdout:
                    said.append(line.strip())
                    if "Ctrl-C" in "".join(said) and sum("goes on (playing)" in one for one in said) == takes_up:
                        break
                address = re.search(r"apnap serves at (\S+)", "\n".join(said))
                assert address, process.stderr.read() if process.stderr else ""
                yield address[1]
            finally:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=PATIENCE_S)
            assert process.returncode == 0


@pytest.fixture
def old() -> Program:
    return Program(ROOT)


@pytest.fixture
def new(tmp_path: Path) -> Program:
    """The next version: its tables have one more."""
    folder = tmp_path / "next"
    for name in ("server", "protocol", "client_cli"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    schema = folder / "server/storage/schema.py"
    text = schema.read_text()
    later = text.replace(f"VERSION = HEADS_VERSION = {VERSION}", f"HEADS_VERSION = {VERSION}\nVERSION = {VERSION + 1}")
    later = later.replace("_people, _heads)", "_people, _heads, lambda db: db.execute('CREATE TABLE later (x)'))")
    assert later.count("later") > text.count("later") and "VERSION + 1" not in later
    schema.write_text(later)
    return Program(folder)


def version_of(data: Path) -> int:
    """The version of the tables of a data directory."""
    with closing(sqlite3.connect(data / FILE)) as db:
        return db.execute("PRAGMA user_version").fetchone()[0]


@pytest.mark.slow
def test_an_upgrade_and_the_way_back(old: Program, new: Program, tmp_path: Path) -> None:
    data, before = tmp_path / "drill", tmp_path / "before.sqlite3"
    with old.serving(data) as address:
        told = old.run("play", address, "--plain", "--name", "Ann", "--new", "2", "--bots", stdin="\n\n\n")
        assert "Take a mulligan?" in told
        old.run("admin", "backup", str(before), "--data", str(data))
    with new.serving(data, takes_up=1):
        pass
    assert version_of(data) == VERSION + 1 and (data / f"{FILE}.version{VERSION}").exists()
    # The older program refuses, with a sentence that says what to do, and touches nothing.
    untouched = (data / FILE).read_bytes()
    refused = old.run("serve", "--port", "0", "--data", str(data), code=1)
    assert f"the data are of version {VERSION + 1}; this apnap reads up to {VERSION}" in refused
    assert f"apnap admin restore {data / FILE}.version{VERSION} --data {data}" in refused and refused.count("\n") == 1
    assert (data / FILE).read_bytes() == untouched
    # The backup of before, or the copy that the new version kept.
    for copy in (before, data / f"{FILE}.version{VERSION}"):
        old.run("admin", "restore", str(copy), "--data", str(data))
        assert version_of(data) == VERSION
    with old.serving(data, takes_up=1):
        pass
    # And what the new one had is not lost.
    old.run("admin", "restore", str(data / f"{FILE}.replaced"), "--data", str(data))
    with new.serving(data, takes_up=1):
        pass
