"""The porch: connections that have been accepted and have not said yet what they want. They cost a descriptor and some memory each, so
they are few, and who holds them holds up nobody: where there is no room left, the oldest of the network with most of them goes.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable

import trio

from server.lobby.rates import Peer, peer_of
from server.net.line import NOWHERE, Line
from server.settings import Limits

log = logging.getLogger("apnap.net")


class Porch(trio.abc.Listener[Line]):
    """A listener that counts. `is_trusted` tells of an address whether it is a proxy of ours: it speaks for many, and is not counted by
    address.
    """

    def __init__(self, listener: trio.SocketListener, limits: Limits, is_trusted: Callable[[str], bool]) -> None:
        self._listener = listener
        self._limits = limits
        self._is_trusted = is_trusted
        self._here: dict[Line, Peer] = {}
        """Oldest first."""

    @property
    def socket(self) -> trio.socket.SocketType:
        """What it listens on."""
        return self._listener.socket

    async def accept(self) -> Line:
        """The next connection that may come in."""
        while True:
            line = Line.of(await self._listener.accept())
            peer = self._peer(line)
            if self._may_come(peer):
                self._here[line] = peer
                return line
            line.close()

    async def aclose(self) -> None:
        """Listen no more."""
        await self._listener.aclose()

    def gone_in(self, line: Line) -> None:
        """That connection has said what it wants."""
        self._here.pop(line, None)

    def __len__(self) -> int:
        """How many are here."""
        self._tidy()
        return len(self._here)

    def _may_come(self, peer: Peer) -> bool:
        """Whether one more may be here; if need be, another goes."""
        limits = self._limits
        of_address, of_network = self._counts(peer)
        most = limits.handshakes_per_address
        if of_address >= most or of_network >= most * limits.network_share or len(self._here) >= limits.handshakes:
            self._tidy()
            of_address, of_network = self._counts(peer)
        if peer.address and (of_address >= most or of_network >= most * limits.network_share):
            return False
        if len(self._here) >= limits.handshakes:
            self._send_away()
        return True

    def _counts(self, peer: Peer) -> tuple[int, int]:
        if not peer.address:
            return 0, 0
        here = self._here.values()
        return sum(one.address == peer.address for one in here), sum(one.network == peer.network for one in here)

    def _send_away(self) -> None:
        """The oldest of the network that has most of those who are here goes."""
        network = Counter(one.network for one in self._here.values()).most_common(1)[0][0]
        line = next(line for line, one in self._here.items() if one.network == network)
        del self._here[line]
        line.close()

    def _tidy(self) -> None:
        """Those that have been closed are not here any more."""
        for line in [line for line in self._here if line.closed]:
            del self._here[line]

    def _peer(self, line: Line) -> Peer:
        if line.address == NOWHERE or self._is_trusted(line.address):
            return Peer()
        return peer_of(line.address, self._limits)
