"""The host's desk: what whoever runs the server may ask of it and do, beside all roles of the tables.

Requests and replies are data, so that they travel over the local socket (`server.net.desk`) as they are. What cannot be done is
`Failed` with a sentence; nothing has changed then.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import msgspec

from protocol import messages as m
from protocol.refusals import Refusal
from protocol.words import fill
from server.lobby.accounts import LinkKind
from server.lobby.lobby import Lobby
from server.lobby.reports import ReportRecord
from server.lobby.table import Table
from server.storage import SqliteStorage, StorageError


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something asked at the desk."""


class ListRooms(_Request, frozen=True, tag="rooms"):
    """All rooms, unlisted ones too."""


class ListPeople(_Request, frozen=True, tag="people"):
    """Everyone who is connected."""


class Kick(_Request, frozen=True, tag="kick"):
    """Close all connections of a person (by id), telling them why."""

    person: str
    why: str = ""


class CloseRoom(_Request, frozen=True, tag="close"):
    """End a room; its journal is kept. Everyone in it is told why."""

    room: str
    why: str = ""


class Broadcast(_Request, frozen=True, tag="broadcast"):
    """Tell everyone something."""

    text: str


class Backup(_Request, frozen=True, tag="backup"):
    """Copy the whole database to a file, while games go on."""

    file: str


class MakeLink(_Request, frozen=True, tag="link"):
    """A one-time link: to log in as an admin (`account` "": a new one), to reset an account's password, or to open an account."""

    kind: LinkKind
    account: str = ""


class Forget(_Request, frozen=True, tag="forget"):
    """Delete what is kept about a person (by id, or the name of an account)."""

    person: str


class ListReports(_Request, frozen=True, tag="reports"):
    """What people have reported."""


class ListNodes(_Request, frozen=True, tag="nodes"):
    """The nodes that serve together."""


class MoveRoom(_Request, frozen=True, tag="move"):
    """A game goes on in another worker, that with the fewest rooms; its people come back by themselves."""

    room: str


AnyRequest: TypeAlias = (
    ListRooms
    | ListPeople
    | Kick
    | CloseRoom
    | Broadcast
    | Backup
    | MakeLink
    | Forget
    | ListReports
    | ListNodes
    | MoveRoom
)


class RoomRow(msgspec.Struct, frozen=True):
    """A room in the list."""

    id: str
    state: str
    seats: tuple[str, ...]
    watchers: int
    entries: int


class PersonRow(msgspec.Struct, frozen=True):
    """A connected person in the list."""

    id: str
    name: str
    room: str
    role: str = ""


class NodeRow(msgspec.Struct, frozen=True):
    """A node in the list: where others reach it ("": it serves alone), how many workers and rooms it has, whether it has the keeper, and
    where clients reach it by itself, if anywhere.
    """

    address: str
    workers: int
    rooms: int
    keeps: bool
    url: str = ""


class _Reply(msgspec.Struct, frozen=True, tag_field="reply"):
    """What comes back from the desk."""


class Rooms(_Reply, frozen=True, tag="rooms"):
    """The rooms."""

    rooms: tuple[RoomRow, ...]


class PeopleRows(_Reply, frozen=True, tag="people"):
    """The people."""

    people: tuple[PersonRow, ...]


class Done(_Reply, frozen=True, tag="done"):
    """It is done, to so many connections."""

    count: int


class Failed(_Reply, frozen=True, tag="failed"):
    """Nothing has changed, and why."""

    why: str


class LinkMade(_Reply, frozen=True, tag="link"):
    """The link's code, and the page that takes it."""

    code: str
    url: str = ""


class Reports(_Reply, frozen=True, tag="reports"):
    """The reports, oldest first."""

    reports: tuple[ReportRecord, ...]


class Nodes(_Reply, frozen=True, tag="nodes"):
    """The nodes."""

    nodes: tuple[NodeRow, ...]


AnyReply: TypeAlias = Rooms | PeopleRows | Done | Failed | LinkMade | Reports | Nodes


async def answer(lobby: Lobby, request: AnyRequest) -> AnyReply:
    """Do what was asked."""
    match request:
        case ListRooms():
            return Rooms(tuple(_row(table) for table in lobby.tables.values()))
        case ListPeople():
            people = [client for client in lobby.clients() if client.person is not None]
            return PeopleRows(
                tuple(PersonRow(c.person.id, c.person.name, c.room, c.person.role) for c in people if c.person)
            )
        case Kick():
            return _kick(lobby, request)
        case CloseRoom():
            return await _close(lobby, request)
        case Broadcast():
            return _tell(lobby, request.text)
        case Backup():
            return await _backup(lobby, Path(request.file))
        case MakeLink():
            return await _link(lobby, request)
        case Forget():
            return await _forget(lobby, request.person)
        case ListReports():
            return Reports(tuple(await lobby.personal.reports()))
        case MoveRoom():
            return await _move(lobby, request.room)
        case ListNodes():
            return Nodes((NodeRow("", 1, len(lobby.tables), keeps=True),))


async def _link(lobby: Lobby, request: MakeLink) -> AnyReply:
    try:
        code = await lobby.reception.make_link(request.kind, request.account)
    except Refusal:
        return Failed(f"nobody has an account called {request.account}")
    return LinkMade(code, lobby.reception.page(code))


async def _forget(lobby: Lobby, who: str) -> AnyReply:
    account = lobby.reception.accounts.find(who)
    person = await lobby.people.find(who if account is None else account.person)
    if person is None:
        return Failed(f"nobody has the id or the account {who}")
    try:
        await lobby.personal.forget(person)
    except Refusal as no:
        return Failed(no.sentence)
    return Done(1)


def _row(table: Table) -> RoomRow:
    seats = tuple(place.person.name if place.person else "" for place in table.places)
    return RoomRow(table.id, table.state, seats, len(table.watchers), table.room.seq if table.room else 0)


def _kick(lobby: Lobby, request: Kick) -> AnyReply:
    gone = [client for client in lobby.clients() if client.person and client.person.id == request.person]
    for client in gone:
        sentence = request.why or fill("notice.kicked", {}, client.lang)
        client.put(m.Closing(code="kicked", sentence=sentence))
        client.outbox.close()
    return Done(len(gone)) if gone else Failed(f"nobody connected has the id {request.person}")


async def _close(lobby: Lobby, request: CloseRoom) -> AnyReply:
    table = lobby.tables.get(request.room)
    if table is None:
        return await _finish(lobby, request.room)
    told = len(table.clients())
    try:
        await lobby.close_room(table, text=request.why)
    except StorageError as fault:
        return Failed(f"its journal cannot be closed: {fault}")
    return Done(told)


async def _move(lobby: Lobby, room: str) -> AnyReply:
    table = lobby.tables.get(room)
    if table is not None:
        if not lobby.others.could_give():
            return Failed("there is no other worker to go on with it")
        if fault := lobby.storage.fault:
            return Failed(f"no other worker could take it up now: {fault}")
        told = sum(not client.local for client in table.clients())
        if await lobby.hand_over(table):
            return Done(told)
        if room in lobby.tables:
            return Failed("no game goes on there")
    if any(line.summary.id == room for line in lobby.others.lines()):
        return Failed("it is moving just now")
    return Failed(f"there is no room {room}")


async def _finish(lobby: Lobby, room: str) -> AnyReply:
    """Close an open journal whose frozen room nobody has come to for so long that it is in memory no more."""
    try:
        if not any(not record.finished for record in await lobby.storage.rooms((room,))):
            return Failed(f"there is no room {room}")
        await lobby.storage.finish(room)
    except StorageError as fault:
        return Failed(f"its journal cannot be closed: {fault}")
    return Done(0)


def _tell(lobby: Lobby, text: str) -> AnyReply:
    clients = lobby.clients()
    for client in clients:
        client.put(
            m.Notice(
                key="notice.host_says", text=fill("notice.host_says", {"text": text}, client.lang), args={"text": text}
            )
        )
    return Done(len(clients))


async def _backup(lobby: Lobby, file: Path) -> AnyReply:
    storage = lobby.storage
    if not isinstance(storage, SqliteStorage):
        return Failed(
            "this server keeps its journals in no directory: copy its database by the means that it has itself"
        )
    try:
        await storage.backup(file)
    except (OSError, StorageError) as fault:
        return Failed(str(fault))
    return Done(1)
