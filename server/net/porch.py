"""The porch: connections that have been accepted and have not said yet what they want. They cost a descriptor and some memory each, so
they are few, and who holds them holds up nobody: where there is no room left, the oldest of the network with most of them goes.

Workers have one porch: who is on it stands in memory that all of them share (`Board`), so that each counts all. Each sends away only its
own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import trio

from server.lobby.rates import Peer, peer_of
from server.net.line import NOWHERE, Line
from server.net.workers.board import Board
from server.settings import Limits

SHED_SECONDS = 0.25
"""How often a worker looks whether somebody of its own is to go for those who have come to others."""


class Porch:
    """See the module. `is_trusted` tells of an address whether it is a proxy of ours: it speaks for many, and is not counted by address."""

    def __init__(self, limits: Limits, is_trusted: Callable[[str], bool]) -> None:
        self._limits = limits
        self._is_trusted = is_trusted
        self._here: dict[Line, int] = {}
        """The place of each on the board; oldest first."""
        self._places: list[tuple[Line, Peer]] = []
        self.share(Board(1, limits.handshakes))

    def share(self, board: Board, number: int = 0) -> None:
        """From now on it is that row of that board."""
        self._board = board
        self._number = number
        board.clear(number)

    def may_come(self, line: Line) -> bool:
        """Whether one more may be here, who then is; if need be, another goes."""
        limits, peer = self._limits, self._peer(line)
        if peer.address:
            most = limits.handshakes_per_address
            if _times(self._board.addresses(), peer.address) >= most:
                return False
            if _times(self._board.networks(), peer.network) >= most * limits.network_share:
                return False
        if len(self._board) >= limits.handshakes:
            self._send_away()
        if len(self._places) >= self._board.most:  # the others stand still, and send nobody away
            self._away(next(iter(self._here)))
        self._here[line] = len(self._places)
        self._board.put(self._number, len(self._places), peer)
        self._places.append((line, peer))
        self._board.count(self._number, len(self._places))
        return True

    def gone(self, line: Line) -> None:
        """That connection has said what it wants, or is closed."""
        place = self._here.pop(line, None)
        if place is None:
            return
        last, peer = self._places.pop()
        if last is not line:
            self._places[place] = last, peer
            self._here[last] = place
            self._board.put(self._number, place, peer)
        self._board.count(self._number, len(self._places))

    async def run(self) -> None:
        """Make room for those who have come to other workers, until cancelled."""
        while True:
            await trio.sleep(SHED_SECONDS)
            self.shed()

    def shed(self) -> None:
        """Send away as many as are too many, if they are of this worker."""
        while len(self._board) > self._limits.handshakes and self._send_away():
            pass

    def __len__(self) -> int:
        """How many of this worker are here."""
        return len(self._places)

    def _send_away(self) -> bool:
        """The oldest of the network that has most of all who are here goes; whether one of this worker has gone."""
        networks = Counter(network for row in self._board.networks() for network in row).most_common(1)
        line = next(
            (line for line, at in self._here.items() if hash(self._places[at][1].network) == networks[0][0]), None
        )
        if line is None:
            return False
        self._away(line)
        return True

    def _away(self, line: Line) -> None:
        self.gone(line)
        line.close()

    def _peer(self, line: Line) -> Peer:
        if line.address == NOWHERE or self._is_trusted(line.address):
            return Peer()
        return peer_of(line.address, self._limits)


def _times(rows: list[list[int]], word: str) -> int:
    found = hash(word)
    return sum(row.count(found) for row in rows)


class Doorway(trio.abc.Listener[Line]):
    """A listener who lets only those in whom the porch lets."""

    def __init__(self, listener: trio.SocketListener, porch: Porch) -> None:
        self._listener = listener
        self._porch = porch

    @property
    def socket(self) -> trio.socket.SocketType:
        """What it listens on."""
        return self._listener.socket

    async def accept(self) -> Line:
        """The next connection that may come in."""
        while True:
            line = Line.of(await self._listener.accept())
            if self._porch.may_come(line):
                return line
            line.close()

    async def aclose(self) -> None:
        """Listen no more."""
        await self._listener.aclose()
