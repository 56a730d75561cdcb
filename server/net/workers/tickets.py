"""Tickets as the keeper knows them: each is of use once, and for a while by the keeper's own clock."""

from __future__ import annotations

from collections import OrderedDict

import trio

SECONDS = 30.0
"""So long a ticket is good."""
MOST = 20_000
"""Tickets at once; beyond that the oldest are good no more."""


class Tickets:
    """See the module."""

    def __init__(self) -> None:
        self._issued: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        """By the hash of its code, oldest first: until when, and what it says."""

    def __len__(self) -> int:
        return len(self._issued)

    def issue(self, key: str, data: bytes) -> None:
        """A ticket, from now on."""
        now = trio.current_time()
        while self._issued and (len(self._issued) >= MOST or next(iter(self._issued.values()))[0] < now):
            self._issued.popitem(last=False)
        self._issued[key] = now + SECONDS, data

    def redeem(self, key: str) -> bytes | None:
        """What it says, if it is good; it is of no use any more."""
        until, data = self._issued.pop(key, (0.0, b""))
        return data if until >= trio.current_time() and data else None
