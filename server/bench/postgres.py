"""A PostgreSQL of one's own in a folder, for trying and for tests: on a socket there, without durability, gone when it is stopped."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

WHERE = "/usr/lib/postgresql/*/bin"
"""Where Debian has the programs, which it keeps from the PATH."""
SECONDS = "60"
"""How long it may take to start, and to stop."""


def program(name: str) -> str | None:
    """The path of one of PostgreSQL's programs, None if it is not installed."""
    found = sorted(Path("/").glob(f"{WHERE[1:]}/{name}"), key=lambda path: int(path.parts[4]))
    return str(found[-1]) if found else shutil.which(name)


def other_user() -> dict[str, Any]:
    """As whom its programs are run: PostgreSQL refuses to be run by root."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}


class Postgres:
    """A server of databases. Each method raises OSError, saying what PostgreSQL says, when it cannot be done."""

    def __init__(self, folder: Path) -> None:
        """`folder` is there, and its path is short: the socket's may have a hundred bytes."""
        self.folder = folder
        if os.getuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")

    @property
    def data(self) -> str:
        """Where its files are."""
        return str(self.folder / "data")

    def make(self) -> None:
        """Its files."""
        words = ("-U", "apnap", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C")
        self.call("initdb", "-D", self.data, *words)

    def start(self) -> None:
        """Until it takes connections."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "max_connections": "300",
        }
        options = " ".join(f"-c {key}={value or repr('')}" for key, value in settings.items())
        self.control("-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        """As an operator does it ("fast"), or as the death of its machine does ("immediate")."""
        self.control("-m", how, "stop")

    def address(self, name: str = "postgres") -> str:
        """How one connects to a database."""
        return f"postgresql://apnap@/{name}?host={self.folder}"

    def control(self, *words: str) -> None:
        """What `pg_ctl` does."""
        self.call("pg_ctl", "-D", self.data, "-w", "-t", SECONDS, *words)

    def call(self, name: str, *words: str) -> None:
        """Run one of its programs."""
        path = program(name)
        if path is None:
            raise FileNotFoundError(f"{name} is not there: PostgreSQL is not installed")
        none = subprocess.DEVNULL
        done = subprocess.run([path, *words], stdout=none, stderr=subprocess.PIPE, cwd=self.folder, **other_user())
        if done.returncode:
            raise OSError(f"{name}: {done.stderr.decode(errors='replace').strip()}")
