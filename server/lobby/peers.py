"""How many connections there are from each address and the network around it, those of other workers too."""

from __future__ import annotations

from collections import Counter

from server.lobby.others import Connected, Others
from server.lobby.rates import Peer


class Peers:
    """See the module. A worker tells the others how many it has of each; of one that is no more nothing counts."""

    def __init__(self, others: Others) -> None:
        self._others = others
        self._here: Counter[Peer] = Counter()
        self._elsewhere: dict[int, Counter[Peer]] = {}
        self._all: Counter[str] = Counter()
        """By address, and by network; "": all there are."""

    def come(self, peer: Peer) -> None:
        """One more connection from there is here."""
        self._change(peer, 1)

    def go(self, peer: Peer) -> None:
        """One of them is gone."""
        self._change(peer, -1)

    def of(self, part: str) -> int:
        """How many there are of an address or a network, "": of all."""
        return self._all[part]

    def told(self, news: Connected) -> None:
        """So many are at another worker."""
        peer = Peer(news.address, news.network)
        theirs = self._elsewhere.setdefault(news.worker, Counter())
        self._count(peer, news.count - theirs[peer])
        theirs[peer] = news.count
        if not news.count:
            del theirs[peer]

    def only(self, workers: set[int], *, tell: bool) -> None:
        """Those other workers there are; `tell`: one of them does not know how many are here."""
        for gone in self._elsewhere.keys() - workers:
            for peer, count in self._elsewhere.pop(gone).items():
                self._count(peer, -count)
        if tell:
            for peer in self._here:
                self._tell(peer)

    def _change(self, peer: Peer, by: int) -> None:
        self._here[peer] += by
        self._count(peer, by)
        self._tell(peer)
        if not self._here[peer]:  # an address without connections is forgotten
            del self._here[peer]

    def _count(self, peer: Peer, by: int) -> None:
        for part in {"", *peer}:
            self._all[part] += by
            if not self._all[part]:
                del self._all[part]

    def _tell(self, peer: Peer) -> None:
        self._others.tell(Connected(self._others.number, peer.address, peer.network, self._here[peer]))
