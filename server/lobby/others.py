"""The other workers, as a lobby knows them: whose a room is, what goes on in theirs, and what must be done by one at a time.

A server of one process has none (`Alone`). Where there are several, each has a lobby of its own, with rooms of its own; people, accounts
and the list of rooms are theirs together. How they reach each other is the affair of the floor above (`server.net.workers`).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Protocol, TypeAlias

import msgspec

from protocol.rooms import RoomSummary


class Elsewhere(Exception):
    """What a client asks is for another worker to do: its connection moves there. Nothing has been done yet."""

    def __init__(self, worker: int) -> None:
        super().__init__(worker)
        self.worker = worker


class RoomLine(msgspec.Struct, frozen=True):
    """A room as other workers know it: its line in the list, the ids of those who have a seat there; `private`: it is in no list;
    `fixed`: its people cannot be forgotten now; `seats` it has, `address` and `network` from where it was opened.
    """

    summary: RoomSummary
    people: tuple[str, ...] = ()
    private: bool = False
    fixed: bool = False
    seats: int = 0
    address: str = ""
    network: str = ""


class Others(Protocol):
    """See the module."""

    @property
    def number(self) -> int:
        """Which of the workers this is."""
        ...

    @property
    def first(self) -> bool:
        """Whether what one worker does for all is for this one to do."""
        ...

    @property
    def all_here(self) -> bool:
        """Whether all rooms that there are are taken up here, before anybody comes; else it is given some while it serves."""
        ...

    async def claim(self, line: RoomLine, /) -> None:
        """A room is this worker's, before anybody is told of it."""
        ...

    def drop(self, room: str, /) -> None:
        """A room is no more."""
        ...

    def could_give(self) -> bool:
        """Whether there is another worker, which could go on with a room of this one."""
        ...

    def parting(self, room: str, /) -> AbstractAsyncContextManager[object]:
        """A room of this worker comes to rest in the block: who asks for it waits. At its end another worker takes it up, for which it
        waits a moment."""
        ...

    def publish(self, line: RoomLine, /) -> None:
        """What others may know of a room of this worker has changed, or may have."""
        ...

    async def taken_up(self, room: str, /) -> None:
        """Waits for a room that is just being taken up here."""
        ...

    def coming(self) -> set[str]:
        """The rooms, here and elsewhere, that are still to be taken up, and of which it is not known who sits there."""
        ...

    def here(self, room: str, /) -> None:
        """A room that was to be taken up here is; nobody need wait for the others."""
        ...

    def asked(self) -> set[str]:
        """The rooms that are still to be taken up here for which somebody waits."""
        ...

    async def whose(self, room: str, /) -> int | None:
        """The other worker that has a room; None where there is none, or it is here, and taken up."""
        ...

    def for_new_room(self) -> int | None:
        """The other worker that is to have the next room; None: this one."""
        ...

    def lines(self) -> Iterable[RoomLine]:
        """The rooms of the others, and those that are just being taken up here."""
        ...

    async def known(self) -> set[str]:
        """The ids of all rooms of the others, none forgotten that has been claimed by now."""
        ...

    def alone(self, what: str, /) -> AbstractAsyncContextManager[object]:
        """While the block runs no other worker is in such a block; what others have changed in theirs is known here."""
        ...

    def remember(self, kind: str, key: str, data: bytes, /) -> None:
        """A record that is not to be written down: others find it until they are too many."""
        ...

    async def recall(self, kind: str, key: str, /) -> bytes | None:
        """What a worker has remembered."""
        ...

    async def issue(self, key: str, data: bytes, /) -> None:
        """A ticket that whichever worker its client comes to knows from here on, by the hash of its code."""
        ...

    async def redeem(self, key: str, /) -> bytes | None:
        """What a ticket says, once; None where it is not good."""
        ...

    def tell(self, news: News, /) -> None:
        """Something to be done by the others, too."""
        ...


class _News(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What others are told."""


class SentAway(_News, frozen=True):
    """Connections of a person are to be closed, saying why: of one session, or of all ("")."""

    person: str
    code: str
    key: str
    session: str = ""


class Forgotten(_News, frozen=True):
    """No table is to know the name of a person any more."""

    person: str


class Taken(_News, frozen=True):
    """One of so many tries a minute has been made (`server.lobby.rates`)."""

    what: str
    who: str
    per_minute: int


class Wrong(_News, frozen=True):
    """A wrong try has been made there, or from there (`server.lobby.tries`)."""

    what: str
    pace: int


class Connected(_News, frozen=True):
    """A worker has so many connections from there (`server.lobby.peers`)."""

    worker: int
    address: str
    network: str
    count: int


News: TypeAlias = SentAway | Forgotten | Taken | Wrong | Connected


class Alone:
    """See the module."""

    number = 0
    first = True
    all_here = True

    async def claim(self, _line: RoomLine, /) -> None:
        """See `Others`."""

    def drop(self, _room: str, /) -> None:
        """See `Others`."""

    def could_give(self) -> bool:
        """See `Others`."""
        return False

    def parting(self, _room: str, /) -> AbstractAsyncContextManager[object]:
        """See `Others`."""
        return nullcontext()

    def publish(self, _line: RoomLine, /) -> None:
        """See `Others`."""

    async def taken_up(self, _room: str, /) -> None:
        """See `Others`."""

    def coming(self) -> set[str]:
        """See `Others`."""
        return set()

    def here(self, _room: str, /) -> None:
        """See `Others`."""

    def asked(self) -> set[str]:
        """See `Others`."""
        return set()

    async def whose(self, _room: str, /) -> int | None:
        """See `Others`."""
        return None

    def for_new_room(self) -> int | None:
        """See `Others`."""
        return None

    def lines(self) -> Iterable[RoomLine]:
        """See `Others`."""
        return ()

    async def known(self) -> set[str]:
        """See `Others`."""
        return set()

    def alone(self, _what: str, /) -> AbstractAsyncContextManager[object]:
        """See `Others`."""
        return nullcontext()

    def remember(self, _kind: str, _key: str, _data: bytes, /) -> None:
        """See `Others`."""

    async def recall(self, _kind: str, _key: str, /) -> bytes | None:
        """See `Others`."""
        return None

    async def issue(self, _key: str, _data: bytes, /) -> None:
        """See `Others`."""

    async def redeem(self, _key: str, /) -> bytes | None:
        """See `Others`."""
        return None

    def tell(self, _news: News, /) -> None:
        """See `Others`."""
