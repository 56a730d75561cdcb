"""What workers and the keeper say to each other. Whoever wants an answer gives an `id`, by which it comes back in a `Reply`."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from server.lobby.others import News, RoomLine
from server.storage import Gap
from server.storage.writes import AnyWrite

What: TypeAlias = Literal["desk", "health", "unready", "figures"]
"""What all workers can be asked."""
NOBODY = -1
"""The number of no worker."""
PER_NODE = 64
"""Numbers of workers for each node: those of the one that has the keeper begin at 0."""


def node_of(worker: int) -> int:
    """The node of a worker, by its number."""
    return worker // PER_NODE


def place_of(worker: int) -> int:
    """A worker's number among those of its node."""
    return worker % PER_NODE


class _Message(msgspec.Struct, frozen=True, array_like=True, tag=True, forbid_unknown_fields=True):
    """The common base."""


class Began(_Message, frozen=True):
    """A worker's first word: its place among those of its node."""

    place: int


class Nodes(_Message, frozen=True):
    """Where the nodes are reached now, by their numbers; the secret of their lines; at which `urls` clients reach those that have said so.
    None where there is but one.
    """

    addresses: dict[int, str] = {}
    secret: bytes = b""
    urls: dict[int, str] = {}


class Begin(_Message, frozen=True):
    """The keeper's first word to it: the `number` by which all know it, the rooms that it takes up, what is missing of journals, whose the
    other rooms are, where other nodes are reached.
    """

    number: int
    rooms: list[str]
    gaps: dict[str, Gap]
    owners: dict[str, int]
    lines: list[RoomLine]
    nodes: Nodes
    fault: str = ""


class Settled(_Message, frozen=True):
    """It has taken them up; answered when all that began together have, so that nobody is told of half of the rooms."""

    id: int


class Leaving(_Message, frozen=True):
    """It stops: no room goes to it any more. Answered with something where others stay, so that people can come back at once."""

    id: int


class Parting(_Message, frozen=True):
    """It hands a room over: who asks for it waits until it is `Left`."""

    room: str


class Left(_Message, frozen=True):
    """A room rests: whoever takes it up goes on. All that was to be written of it has been said before."""

    room: str


class Write(_Message, frozen=True):
    """Something to be written; answered with the head of its journal."""

    id: int
    write: AnyWrite


class Claim(_Message, frozen=True):
    """A room is mine; answered when the keeper knows."""

    id: int
    line: RoomLine


class Drop(_Message, frozen=True):
    """A room is no more."""

    room: str


class Line(_Message, frozen=True):
    """What there is to know of a room."""

    line: RoomLine


class Owned(_Message, frozen=True):
    """Whose a room is now, `NOBODY`: there is none any more."""

    room: str
    worker: int


class Whose(_Message, frozen=True):
    """Answered with the number of the worker that has a room, when there is one, or `NOBODY` where there is no such room."""

    id: int
    room: str


class Adopt(_Message, frozen=True):
    """These rooms are yours now: take them up."""

    rooms: list[str]


class Prepare(_Message, frozen=True):
    """These rooms may be yours soon, and no others: play them already, for their worker does not run."""

    rooms: list[str]


class There(_Message, frozen=True):
    """Those workers serve now: new rooms are for them."""

    workers: list[int]


class Fault(_Message, frozen=True):
    """What is wrong with the disk now, "" for nothing."""

    words: str


class Hold(_Message, frozen=True):
    """Answered when no other worker holds that; until `LetGo`."""

    id: int
    what: str


class LetGo(_Message, frozen=True):
    """It is held no more."""

    what: str


class Changed(_Message, frozen=True):
    """A record that others keep in memory has been written, or deleted (None); `kept`: on disk, and not in the keeper's memory."""

    kind: str
    key: str
    data: bytes | None
    kept: bool = True


class Remember(_Message, frozen=True):
    """A record for the keeper's memory."""

    kind: str
    key: str
    data: bytes


class Recall(_Message, frozen=True):
    """Answered with a record of the keeper's memory."""

    id: int
    kind: str
    key: str


class Issue(_Message, frozen=True):
    """A ticket, by the hash of its code, and what it says; answered when the keeper knows it."""

    id: int
    key: str
    data: bytes


class Redeem(_Message, frozen=True):
    """Answered with what a ticket says, once; with nothing where there is no such ticket any more."""

    id: int
    key: str


class Ask(_Message, frozen=True):
    """Something for all workers to answer; answered with a list of their answers."""

    id: int
    what: What


class Asked(_Message, frozen=True):
    """The same, as each of them is asked."""

    id: int
    what: What
    data: bytes = b""


class Answer(_Message, frozen=True):
    """A worker's answer."""

    id: int
    data: bytes


class Tell(_Message, frozen=True):
    """For all others."""

    news: News


class Reply(_Message, frozen=True):
    """The answer to what had that `id`; `error`: the name of what was raised instead, with its words."""

    id: int
    data: bytes | None = None
    error: str = ""
    words: str = ""


FromWorker: TypeAlias = (
    Began
    | Settled
    | Leaving
    | Parting
    | Left
    | Write
    | Claim
    | Drop
    | Line
    | Whose
    | Hold
    | LetGo
    | Remember
    | Recall
    | Issue
    | Redeem
    | Ask
    | Answer
    | Tell
)
FromKeeper: TypeAlias = Begin | Nodes | There | Fault | Owned | Line | Adopt | Prepare | Changed | Asked | Tell | Reply
