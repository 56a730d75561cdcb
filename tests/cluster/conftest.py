"""Two nodes that can be cut off from their database, and many guests who come from one address."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.door import Door
from tests.cluster.test_nodes import LEASE, Both, Node, two_nodes
from tests.storage.cluster import cluster

LIMITS = (
    "bots_per_address",
    "rooms_per_address",
    "connections_per_address",
    "handshakes_per_address",
    "hellos_per_minute",
    "guests_per_minute",
    "opens_per_minute",
    "entries_per_minute",
    "setups_per_minute",
    "lists_per_minute",
    "resends_per_minute",
)


@pytest.fixture
def one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """All guests come from one address, and come back as often as anything ends."""
    for limit in LIMITS:
        monkeypatch.setenv(f"APNAP_LIMITS_{limit.upper()}", "10000")


@pytest.fixture
def lined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Both]:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with two_nodes(tmp_path) as both:
        yield both


@pytest.fixture
def nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Node, Node]]:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with cluster() as database, Door() as door:
        store = database.new()
        with Node(tmp_path / "first", door, store) as first, Node(tmp_path / "second", door, store) as second:
            yield first, second
            print(first.said(), "----", second.said())
