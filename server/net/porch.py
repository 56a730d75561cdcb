"""The porch: connections that have been accepted and have not said yet what they want. They cost a descriptor and some memory each, so
they are few, and who holds them holds up nobody: where there is no room left, the oldest of the network with most of them goes.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable

import trio

from server.lobby.rates import Peer, peer_of
from server.settings import Limits

log = logging.getLogger("apnap.net")


class Porch(trio.abc.Listener[trio.SocketStream]):
    """A listener that counts. `is_trusted` tells of an address whether it is a proxy of ours: it speaks for many, and is not counted by
    address.
    """

    def __init__(self, listener: trio.SocketListener, limits: Limits, is_trusted: Callable[[str], bool]) -> None:
        self._listener = listener
        self._limits = limits
        self._is_trusted = is_trusted
        self._here: dict[trio.SocketStream, Peer] = {}
        """Oldest first."""

    @property
    def socket(self) -> trio.socket.SocketType:
        """What it listens on."""
        return self._listener.socket

    async def accept(self) -> trio.SocketStream:
        """The next connection that may come in."""
        while True:
            stream = await self._listener.accept()
            peer = self._peer(stream)
            if self._may_come(peer):
                self._here[stream] = peer
                return stream
            await trio.aclose_forcefully(stream)

    async def aclose(self) -> None:
        """Listen no more."""
        await self._listener.aclose()

    def gone_in(self, stream: trio.abc.Stream) -> None:
        """That connection has said what it wants."""
        if isinstance(stream, trio.SSLStream):
            stream = stream.transport_stream
        self._here.pop(stream, None)  # type: ignore[arg-type]

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
        stream = next(stream for stream, one in self._here.items() if one.network == network)
        del self._here[stream]
        stream.socket.close()

    def _tidy(self) -> None:
        """Those that have been closed are not here any more."""
        for stream in [stream for stream in self._here if stream.socket.fileno() < 0]:
            del self._here[stream]

    def _peer(self, stream: trio.SocketStream) -> Peer:
        try:
            address = str(stream.socket.getpeername()[0])
        except OSError:  # gone already
            return Peer()
        return Peer() if self._is_trusted(address) else peer_of(address, self._limits)
