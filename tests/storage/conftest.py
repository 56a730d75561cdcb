"""Fixtures of the backends: a PostgreSQL for the run, and an empty database of it for a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.storage.cluster import Cluster, cluster


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


@pytest.fixture
def database(postgresql: Cluster) -> str:
    """The address of an empty database."""
    return postgresql.new()
