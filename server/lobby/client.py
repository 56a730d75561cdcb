"""A client as the lobby knows it: one connection's outbox and who is behind it. Nothing of sockets."""

from __future__ import annotations

from itertools import count
from typing import Protocol

from protocol.messages import ServerMessage
from server.lobby.people import Person
from server.lobby.rates import OURS, Peer
from server.rooms.outbox import Outbox

_numbers = count(1)


class OtherEnd(Protocol):
    """What a client's connection says of who is there."""

    @property
    def hung_up(self) -> bool:
        """Whether nothing more will come."""
        ...


class Client:
    """One connection. `person` is None until hello; `room` is the id of the room it is in, "" for none.

    `key` names the connection to its room; `faces` are the hashes of faces it has, which the room keeps up to date. `peer`
    is where it comes from, `other_end` tells whether that has gone though what came before that is still being done,
    `when_asked` whether it wants to know of the game only when it is asked something, `commits` whether it commits to entropy in each room,
    `session` the id of its person's session; `local`: it lives with this process, `moved`: it has just come from another worker for what
    it asks; `moves`: it goes to another address when it is told to, `comes_for`: the room for which it has come from one, "" once it
    has asked for that where it is.
    """

    __slots__ = (
        "brief",
        "comes_for",
        "commits",
        "digests",
        "emoted",
        "faces",
        "gathered",
        "key",
        "lang",
        "local",
        "moved",
        "moves",
        "other_end",
        "outbox",
        "packed",
        "peer",
        "person",
        "receipts",
        "room",
        "session",
        "when_asked",
    )

    def __init__(self, peer: Peer = OURS) -> None:
        self.key = f"c{next(_numbers)}"
        self.outbox = Outbox()
        self.person: Person | None = None
        self.lang = "en"
        self.digests = False
        self.packed = False
        self.brief = False
        self.gathered = False
        self.receipts = False
        self.when_asked = False
        self.commits = False
        self.moves = False
        self.comes_for = ""
        self.faces: set[str] = set()
        self.room = ""
        self.peer = peer
        self.other_end: OtherEnd | None = None
        self.session = ""
        self.local = False
        self.moved = False
        self.emoted = float("-inf")

    @property
    def hung_up(self) -> bool:
        """Whether its other end has gone."""
        return self.other_end is not None and self.other_end.hung_up

    def put(self, message: ServerMessage) -> None:
        """Send a message when the connection gets to it."""
        self.outbox.put(message)
