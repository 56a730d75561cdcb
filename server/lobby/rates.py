"""How often one person, account or address may try something: buckets that fill at a rate. The clock is trio's."""

from __future__ import annotations

import ipaddress
import math

import trio

from protocol.refusals import Code, Refusal

REMEMBERED = 20_000
"""Buckets kept; beyond that those that have filled again are forgotten, then the oldest."""
MINUTE = 60.0


class Rates:
    """For each (what, who), so many tries a minute, all of which may come at once. Who is "" goes free: it is one of ours."""

    def __init__(self) -> None:
        self._left: dict[tuple[str, str], tuple[float, float, int]] = {}
        """Tries left, when that was, how many a minute."""

    def take(self, what: str, who: str, per_minute: int) -> None:
        """Count one try. Raises `Refusal`: too_many_tries, with how long to wait."""
        if not who:
            return
        now = trio.current_time()
        left, at, _ = self._left.pop((what, who), (float(per_minute), now, per_minute))
        left = min(float(per_minute), left + (now - at) * per_minute / MINUTE)
        self._left[what, who] = (left - 1 if left >= 1 else left, now, per_minute)
        if len(self._left) > REMEMBERED:
            self._forget(now)
        if left < 1:
            seconds = math.ceil((1 - left) * MINUTE / per_minute)
            raise Refusal(Code.TOO_MANY_TRIES, args={"seconds": seconds})

    def _forget(self, now: float) -> None:
        for key, (left, at, per_minute) in list(self._left.items()):
            if left + (now - at) * per_minute / MINUTE >= per_minute:
                del self._left[key]
        while len(self._left) > REMEMBERED:
            del self._left[next(iter(self._left))]


def network_of(address: str) -> str:
    """Whom an address stands for: an IPv6 network of 64 bits is one household, as an IPv4 address is."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
