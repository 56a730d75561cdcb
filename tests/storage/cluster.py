"""A PostgreSQL of one's own, for as long as a test run lasts: on a socket in a temporary folder, without durability."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from server.bench.postgres import Postgres, program

_numbers = count(1)


class Cluster(Postgres):
    """A running one, which makes new, empty databases."""

    def copy(self, other: Cluster) -> None:
        """Its files, as a standby of another server, which knows it as "copy"."""
        of = f"host={other.folder} user=apnap application_name=copy"
        self.call("pg_basebackup", "-D", self.data, "-d", of, "-R", "--no-sync", "-c", "fast")

    def promote(self) -> None:
        """A standby takes the place of the other server, which is no more."""
        self.control("promote")

    def new(self) -> str:
        """The address of a new database."""
        import psycopg.sql

        name = f"test{next(_numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as db:
            db.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
        return self.address(name)


@contextmanager
def cluster(of: Cluster | None = None) -> Iterator[Cluster]:
    """One that runs, as a standby `of` another. Skips where PostgreSQL is not installed, or psycopg (the extra `apnap[postgresql]`)."""
    pytest.importorskip("psycopg")
    if program("initdb") is None:
        pytest.skip("PostgreSQL is not installed here")
    folder = Path(tempfile.mkdtemp(prefix="apnap-pg-"))
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
