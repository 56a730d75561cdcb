"""The door of a room: who comes in, and what its host says about that. What is written down survives a restart."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import msgspec

from protocol import messages as m
from protocol import people as p
from protocol.refusals import Code, Refusal
from server.lobby.client import Client
from server.lobby.gate import Gate
from server.lobby.people import Person
from server.lobby.rates import ENTER
from server.lobby.reception import Reception
from server.lobby.table import Table
from server.settings import Limits
from server.storage import Storage

log = logging.getLogger("apnap.lobby")

KIND = "gate"
"""The kind of the storage's records, by room."""


def count_entry(reception: Reception, limits: Limits, client: Client) -> None:
    """One try to enter a room, whether or not there is one of that id. Raises `Refusal`: too_many_tries."""
    if client.person is not None:
        reception.rates.share(ENTER, client.person.id, client.peer, limits)


async def admit(reception: Reception, table: Table, client: Client, message: m.Join | m.Watch | m.Resume) -> None:
    """Let a person in, or not. Who has a seat always comes in, and an admin. Raises `Refusal`: blocked, locked, bad_password."""
    person, gate = client.person, table.gate
    assert person is not None
    not_blocked(table, person)
    if _always_may(table, person):
        return
    if not gate.locked or person.id in gate.admitted:
        return
    password, invitation = ("", "") if isinstance(message, m.Resume) else (message.password, message.invitation)
    if not (password or invitation):
        raise Refusal(Code.LOCKED)
    async with reception.tries.at(f"room {table.id}", client.peer.address):
        known = gate.password
        right = gate.invites(invitation) or await reception.accounts.passwords.matches(known, password)
        if not right or gate.password != known:  # the host may have said another meanwhile
            raise Refusal(Code.BAD_PASSWORD)
    not_blocked(table, person)
    gate.admitted = [*gate.admitted, person.id]


def not_blocked(table: Table, person: Person) -> None:
    """Asked again by whoever has waited since they were let in. Raises `Refusal`: blocked."""
    if person.id in table.gate.blocked and not _always_may(table, person):
        raise Refusal(Code.BLOCKED)


def _always_may(table: Table, person: Person) -> bool:
    return table.seat_of(person) is not None or person.role == "admin" or person.bot


async def order(reception: Reception, storage: Storage, table: Table, client: Client, message: p.DoorMessage) -> m.Ok:
    """What a room's host says about its people. Raises `Refusal`: not_host, no_such_person, game_on, weak_password."""
    table.only_host(client)
    gate = table.gate
    match message:
        case p.RoomPassword():
            gate.password = await reception.accounts.passwords.hash(message.password) if message.password else ""
            gate.invitation, gate.admitted = Gate().invitation, []
        case p.Mute():
            person = _someone(table, message.person)
            gate.muted = _with(gate.muted, person.id, message.mute)
        case p.Kick():
            _send_out(table, client, message)
        case p.Unblock():
            gate.blocked = _with(gate.blocked, message.person, False)
    if table.room is not None:
        await keep(storage, table)
    table.tell()
    return m.Ok(re=message.id)


async def keep(storage: Storage, table: Table) -> None:
    """Write the gate down, for a room that a restart brings back."""
    await storage.put(KIND, table.id, msgspec.json.encode(table.gate))


async def kept(storage: Storage, room: str) -> Gate | None:
    """A room's gate as it was before a restart, if it was written down. Raises `StorageFault`."""
    return (await all_kept(storage, {room})).get(room)


async def all_kept(storage: Storage, rooms: set[str] | None) -> dict[str, Gate]:
    """Those that were written down, of these rooms or (None) of all. Raises `StorageFault`."""
    if rooms is None:
        found = await storage.all(KIND)
    else:
        found = {room: data for (_, room), data in (await storage.some([(KIND, room) for room in rooms])).items()}
    return {room: _read(room, data) for room, data in found.items()}


def _read(room: str, data: bytes) -> Gate:
    """The gate as written. Of one that cannot be read it is not known whom it kept out: it is locked, by a password that there is not."""
    try:
        return msgspec.json.decode(data, type=Gate)
    except msgspec.MsgspecError as fault:
        log.error("room %s: who may come in is damaged, and it is locked: %s", room, fault)
        return Gate(password="damaged")


async def tidy(storage: Storage, rooms: Callable[[], Awaitable[set[str]]]) -> None:
    """Forget the gates of rooms that are no more."""
    found = await storage.all(KIND)
    there = await rooms()  # asked last: no gate is older than its room
    for room in found:
        if room not in there:
            await storage.delete(KIND, room)


def may_speak(table: Table, person: Person) -> None:
    """Raises `Refusal`: muted."""
    if person.id in table.gate.muted:
        raise Refusal(Code.MUTED)


def _send_out(table: Table, host: Client, message: p.Kick) -> None:
    person = _someone(table, message.person)
    if host.person is not None and person.id == host.person.id or person.id == table.host:
        raise Refusal(Code.NO_SUCH_PERSON)
    seat = table.seat_of(person)
    if seat is not None and (table.starting or table.state in ("playing", "frozen")):
        raise Refusal(Code.GAME_ON)
    if message.block:
        table.gate.blocked = _with(table.gate.blocked, person.id, True)
    table.gate.admitted = _with(table.gate.admitted, person.id, False)
    gone = [client for client in table.clients() if client.person is not None and client.person.id == person.id]
    for client in gone:
        table.put_out(client, "notice.kicked_out")
    if seat is not None and table.room is None:
        table.places[seat].clear()


def _someone(table: Table, person_id: str) -> Person:
    """A person, not a seated bot, who is in the room. Raises `Refusal`: no_such_person."""
    present = [*table.people, *(client.person for client in table.watchers if client.person is not None)]
    for person in present:
        if person.id == person_id:
            return person
    raise Refusal(Code.NO_SUCH_PERSON)


def _with(people: list[str], person: str, there: bool) -> list[str]:
    others = [other for other in people if other != person]
    return [*others, person] if there else others
