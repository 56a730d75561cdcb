"""A PostgreSQL of one's own, for as long as a test run lasts: on a socket in a temporary folder, without durability."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

WHERE = "/usr/lib/postgresql/*/bin"
"""Where Debian has the programs, which it keeps from the PATH."""
_numbers = count(1)


def program(name: str) -> str | None:
    """The path of one of PostgreSQL's programs, None if it is not installed."""
    found = sorted(Path("/").glob(f"{WHERE[1:]}/{name}"), key=lambda path: int(path.parts[4]))
    return str(found[-1]) if found else shutil.which(name)


def _other_user() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}


class Cluster:
    """A running server of databases: `address(name)` is that of a new, empty one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Its files."""
        self._call(
            "initdb",
            "-D",
            str(self.folder / "data"),
            "-U",
            "apnap",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
            "--locale=C",
        )

    def copy(self, other: Cluster) -> None:
        """Its files, as a standby of another server, which knows it as "copy"."""
        of = f"host={other.folder} user=apnap application_name=copy"
        self._call("pg_basebackup", "-D", str(self.folder / "data"), "-d", of, "-R", "--no-sync", "-c", "fast")

    def promote(self) -> None:
        """A standby takes the place of the other server, which is no more."""
        self._call("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "60", "promote")

    def start(self) -> None:
        """Until it takes connections."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "max_connections": "60",
        }
        options = " ".join(f"-c {key}={value or repr('')}" for key, value in settings.items())
        self._call(
            "pg_ctl",
            "-D",
            str(self.folder / "data"),
            "-w",
            "-t",
            "60",
            "-l",
            str(self.folder / "log"),
            "-o",
            options,
            "start",
        )

    def stop(self, how: str = "immediate") -> None:
        """As an operator does it ("fast"), or as the death of its machine does ("immediate")."""
        self._call("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "60", "-m", how, "stop")

    def address(self, name: str = "postgres") -> str:
        """How one connects to a database."""
        return f"postgresql://apnap@/{name}?host={self.folder}"

    def new(self) -> str:
        """The address of a new database."""
        import psycopg.sql

        name = f"test{next(_numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as db:
            db.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
        return self.address(name)

    def _call(self, name: str, *words: str) -> None:
        path = program(name)
        assert path is not None
        done = subprocess.run(
            [path, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.folder, **_other_user()
        )
        assert done.returncode == 0, done.stderr.decode()


@contextmanager
def cluster(of: Cluster | None = None) -> Iterator[Cluster]:
    """One that runs, as a standby `of` another. Skips where PostgreSQL is not installed, or psycopg (the extra `apnap[postgresql]`)."""
    pytest.importorskip("psycopg")
    if program("initdb") is None:
        pytest.skip("PostgreSQL is not installed here")
    folder = Path(tempfile.mkdtemp(prefix="apnap-pg-"))
    if os.getuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    made = Cluster(folder)
    try:
        if of is None:
            made.make()
        else:
            made.copy(of)
        made.start()
        yield made
    finally:
        try:
            made.stop()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
