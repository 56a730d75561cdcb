"""Two nodes that can be cut off from their database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.test_nodes import LEASE, Both, two_nodes


@pytest.fixture
def lined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Both]:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    with two_nodes(tmp_path) as both:
        yield both
