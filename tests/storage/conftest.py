"""Fixtures of the backends: a PostgreSQL for the run, and an empty database of it for a test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.storage.cluster import Cluster, cluster
from tests.storage.wire import Wire


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


@pytest.fixture
def database(postgresql: Cluster) -> str:
    """The address of an empty database."""
    return postgresql.new()


@pytest.fixture
def wire(postgresql: Cluster) -> Iterator[Wire]:
    """A line to the database that can be cut at what is sent over it."""
    folder = Path(tempfile.mkdtemp(prefix="apnap-wire-"))
    made = Wire(folder, postgresql.folder)
    yield made
    made.close()
    shutil.rmtree(folder)
