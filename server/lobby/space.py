"""Who may have how much of the server's rooms, seats and bots: each person, each address and its network, and all together.

Where there is no room left, games that have not begun go first: of those with nobody there, then of whoever has most of the server; so that
one who fills it makes room for others and not for themselves. A game that goes on is closed for nobody. Rooms of other workers count,
but each closes only its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from protocol.refusals import Code, Refusal
from server.lobby.client import Client
from server.lobby.others import RoomLine
from server.lobby.people import Person
from server.lobby.rates import Peer
from server.lobby.table import Table
from server.settings import Limits


class Space:
    """See the module. `tables` gives all there are here, `remove` takes one away, with the notice that says why; `elsewhere` gives those of
    other workers.
    """

    def __init__(
        self,
        limits: Limits,
        tables: Callable[[], list[Table]],
        remove: Callable[[Table, str], None],
        elsewhere: Callable[[], Sequence[RoomLine]] = tuple,
    ) -> None:
        self._elsewhere = elsewhere
        self._limits = limits
        self._tables = tables
        self._remove = remove

    def for_seat(self, person: Person) -> None:
        """Whether a person may take one more seat. Raises `Refusal`: too_many_seats."""
        held = sum(table.state != "over" and table.seat_of(person) is not None for table in self._tables())
        held += sum(line.summary.state != "over" and person.id in line.people for line in self._elsewhere())
        if held >= self._limits.rooms_per_person:
            raise Refusal(Code.TOO_MANY_SEATS)

    def for_room(self, person: Person, peer: Peer, seats: int) -> None:
        """Whether a person may open a room of so many seats; others may be closed for it. Raises `Refusal`: too_many_rooms,
        too_many_seats.
        """
        self.for_seat(person)
        limits, elsewhere = self._limits, self._elsewhere()
        for mine, most in (
            (peer.address, limits.rooms_per_address),
            (peer.network, limits.rooms_per_address * limits.network_share),
        ):
            theirs = sum(mine in (line.address, line.network) for line in elsewhere)
            while mine and len(found := [table for table in self._tables() if mine in table.peer]) + theirs >= most:
                if not self._close(_left(found)):
                    raise Refusal(Code.TOO_MANY_ROOMS)
        while len(self._tables()) + len(elsewhere) >= limits.rooms:
            if not self._close(self._may_go(peer)):
                raise Refusal(Code.TOO_MANY_ROOMS)
        seats += sum(line.seats for line in elsewhere)
        while sum(len(table.places) for table in self._tables()) + seats > limits.seats:
            if not self._close(self._may_go(peer)):
                raise Refusal(Code.TOO_MANY_SEATS)

    def for_bot(self, table: Table) -> None:
        """Whether one more bot may sit at a table. Raises `Refusal`: too_many_bots."""
        bots: Counter[str] = Counter()
        for other in self._tables():
            seated = sum(place.level != "" for place in other.places) if other.state != "over" else 0
            bots["all"] += seated
            for part in set(other.peer):
                bots[part] += seated
        for line in self._elsewhere():
            for part in {"all", line.address, line.network}:
                bots[part] += line.summary.bots if line.summary.state != "over" else 0
        limits, peer = self._limits, table.peer
        for part, most in (
            ("all", limits.bots),
            (peer.address, limits.bots_per_address),
            (peer.network, limits.bots_per_address * limits.network_share),
        ):
            if part and bots[part] >= most:
                raise Refusal(Code.TOO_MANY_BOTS)

    def _may_go(self, peer: Peer) -> Iterator[Table]:
        """The tables that go for somebody from there, the first first: not begun, and with nobody there; then the oldest of a network that
        has more of them than the one from which somebody comes.
        """
        tables = self._tables()
        yield from _left(tables)
        of = Counter(table.peer.network for table in tables)
        network, most = max(of.items(), key=lambda item: item[1], default=("", 0))
        if most > of[peer.network] + 1 and network != peer.network:
            mine = [table for table in tables if table.peer.network == network and _gathers(table)]
            yield from sorted(mine, key=lambda table: table.acted)

    def _close(self, tables: Iterator[Table]) -> bool:
        """Close the first of these; whether there was one."""
        table = next(tables, None)
        if table is None:
            return False
        self._remove(table, "notice.made_room")
        return True


def _gathers(table: Table) -> bool:
    return table.state == "gathering" and not table.starting


def _left(tables: list[Table]) -> Iterator[Table]:
    """Those whose game has not begun and where nobody is, left longest first."""
    left = [table for table in tables if _gathers(table) and not any(map(_is_person, table.clients()))]
    yield from sorted(left, key=lambda table: table.touched)


def _is_person(client: Client) -> bool:
    return client.person is not None and not client.person.bot
