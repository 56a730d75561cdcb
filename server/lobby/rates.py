"""How often one person, account or address may try something: buckets that fill at a rate. The clock is trio's."""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Callable
from typing import NamedTuple

import trio

from protocol.refusals import Code, Refusal
from server.lobby.others import Taken
from server.settings import Limits

REMEMBERED = 20_000
"""Buckets kept; beyond that those that have filled again are forgotten, then the oldest."""
MINUTE = 60.0


class Rate(NamedTuple):
    """What a person may do so often a minute."""

    what: str
    per_minute: Callable[[Limits], int]


PREVIEW = Rate("preview", lambda limits: limits.previews_per_minute)
CHAT = Rate("chat", lambda limits: limits.chat_per_minute)
OPEN = Rate("open", lambda limits: limits.opens_per_minute)
ENTER = Rate("enter", lambda limits: limits.entries_per_minute)
SETUP = Rate("setup", lambda limits: limits.setups_per_minute)
VIEW = Rate("view", lambda limits: limits.views_per_minute)
LIST = Rate("list", lambda limits: limits.lists_per_minute)
INSTRUCT = Rate("instruct", lambda limits: limits.instructions_per_minute)
KEEP = Rate("keep", lambda limits: limits.setups_per_minute)
MOTION = Rate("motion", lambda limits: limits.chat_per_minute)
PASSWORD = Rate("password", lambda limits: limits.tries_per_minute)
WORDING = Rate("wording", lambda limits: limits.opens_per_minute)
REPLAY = Rate("replay", lambda limits: limits.replays_per_minute)


class Peer(NamedTuple):
    """Where somebody comes from: an address (`network_of`) and the network around it, "" for one of the server's own."""

    address: str = ""
    network: str = ""


OURS = Peer()


class Rates:
    """For each (what, who), so many tries a minute, all of which may come at once. Who is "" goes free: it is one of ours."""

    def __init__(self, tell: Callable[[Taken], None] = lambda _: None) -> None:
        """`tell` hears of each try that counts: other workers count it, too."""
        self._tell = tell
        self._left: dict[tuple[str, str], tuple[float, float, int]] = {}
        """Tries left, when that was, how many a minute."""

    def take(self, what: str, who: str, per_minute: int) -> None:
        """Count one try. Raises `Refusal`: too_many_tries, with how long to wait."""
        if not who:
            return
        left = self._take(what, who, per_minute)
        if left < 1:
            seconds = math.ceil((1 - left) * MINUTE / per_minute)
            raise Refusal(Code.TOO_MANY_TRIES, args={"seconds": seconds})
        self._tell(Taken(what, who, per_minute))

    def took(self, news: Taken) -> None:
        """A try has been made at another worker."""
        self._take(news.what, news.who, news.per_minute)

    def _take(self, what: str, who: str, per_minute: int) -> float:
        """Take one, if there is one; how many there were."""
        now = trio.current_time()
        left, at, _ = self._left.pop((what, who), (float(per_minute), now, per_minute))
        left = min(float(per_minute), left + (now - at) * per_minute / MINUTE)
        self._left[what, who] = (left - 1 if left >= 1 else left, now, per_minute)
        if len(self._left) > REMEMBERED:
            self._forget(now)
        return left

    def share(self, rate: Rate, person: str, peer: Peer, limits: Limits) -> None:
        """Count one try of a person: for the network and the address, too, which may do as much as several.
        Raises `Refusal`: too_many_tries.
        """
        mine = rate.per_minute(limits)
        of_address = mine * limits.address_share
        self.take(rate.what, person, mine)  # what is refused to one is not counted for their neighbours
        self.take(f"{rate.what} of address", peer.address, of_address)
        self.take(f"{rate.what} of network", peer.network, of_address * limits.network_share)

    def _forget(self, now: float) -> None:
        for key, (left, at, per_minute) in list(self._left.items()):
            if left + (now - at) * per_minute / MINUTE >= per_minute:
                del self._left[key]
        while len(self._left) > REMEMBERED * 9 // 10:  # some more, or each new one would look through all of them
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


def peer_of(address: str, limits: Limits) -> Peer:
    """Where a connection comes from: its address, as `network_of`, and the network of so many bits around it."""
    mine = network_of(address)
    try:
        found = ipaddress.ip_network(mine)
    except ValueError:
        return Peer(mine, mine)
    bits = limits.ipv4_network_bits if found.version == 4 else limits.ipv6_network_bits
    return Peer(mine, str(found.supernet(new_prefix=min(bits, found.prefixlen))))
