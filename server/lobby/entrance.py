"""Who comes, goes, and comes back: hello, into a room and out of it, to a seat or to watch. The newest connection holds a seat."""

from __future__ import annotations

import time
from contextlib import AbstractAsyncContextManager, nullcontext

from msgspec import UNSET

from protocol import VERSION
from protocol import messages as m
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.lobby.client import Client
from server.lobby.door import not_blocked
from server.lobby.hall import Hall
from server.lobby.options import clean_options
from server.lobby.table import Table


class Entrance:
    """See the module."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def hello(self, client: Client, hello: m.Hello) -> m.Welcome:
        """The person behind a hello, who is connected from here on. Raises `Refusal`."""
        if client.person is not None:
            raise Refusal(Code.HELLO_TWICE)
        arrival = await self._hall.reception.come(client, hello)
        person = arrival.person
        await self._hall.others.known()
        coming = await self._hall.personal.coming(person)
        seats = list(dict.fromkeys([*self._hall.held(person), *coming]))
        if not seats and not arrival.room:
            await self._hall.reception.rename(person, hello.name)
            for table in self._hall.all_tables():
                table.send_out_namesakes()
        if client.person is not None:
            raise Refusal(Code.HELLO_TWICE)
        client.person, client.session = person, arrival.session.id
        client.lang = "fr" if hello.lang.lower().startswith("fr") else "en"
        client.digests = hello.digests
        client.packed = hello.packed
        client.brief = client.outbox.unnumbered = hello.brief
        client.gathered = hello.gathered
        client.receipts = hello.receipts
        client.commits = hello.commits
        client.moves, client.comes_for = hello.moves, arrival.room
        client.faces = set(hello.faces)
        self._hall.connected.add(client)
        return m.Welcome(
            re=hello.id,
            server=self._hall.settings.name,
            version=VERSION,
            person=person.id,
            name=person.name,
            token=arrival.token,
            rooms=seats,
            role="" if person.role == "guest" else person.role,
            accounts="" if self._hall.settings.people.accounts == "off" else self._hall.settings.people.accounts,
            ignored=person.ignored,
            pictures=self._hall.settings.page.pictures,
            address=self._hall.settings.listen.public_url,
            ladder=self._hall.ladder.on,
        )

    async def open(self, client: Client, message: m.Open) -> m.ServerMessage | None:
        """A new room, with its host at seat 0. Raises `Refusal`."""
        assert client.person is not None
        if client.room:
            raise Refusal(Code.IN_A_ROOM)
        options = self._hall.ladder.checked(clean_options(message.options, self._hall.decks.rules()))
        self._hall.space.for_room(client.person, client.peer, options.seats)
        await self._hall.people.keep(client.person)  # nothing is written for who is refused
        self._hall.space.for_room(client.person, client.peer, options.seats)
        table = Table(self._hall.new_id(), options, client.person.id, client.peer)
        table.sit(client, None)
        client.room = table.id
        await self._hall.take_in(table)
        return m.Room(re=message.id, room=table.room_state(client))

    async def join(self, client: Client, message: m.Join) -> m.ServerMessage | None:
        """To a free seat, or back to one's own. Raises `Refusal`."""
        assert client.person is not None
        table = self._hall.find(client, message.room)
        await self._hall.people.keep(client.person)
        table = self._hall.find(client, message.room)
        not_blocked(table, client.person)
        if table.seat_of(client.person) is not None:
            async with _time_of(table):
                return self.resume(client, message.room, message.id)
        self._hall.space.for_seat(client.person)
        table.sit(client, None if message.seat is UNSET else message.seat)
        if client in table.watchers:
            table.watchers.remove(client)
        client.room = table.id
        table.find_host()
        client.put(m.Room(re=message.id, room=table.room_state(client)))
        self._hall.notice(table, "notice.joined", client.person)
        table.tell(besides=client)
        return None

    async def come_back(self, client: Client, message: m.Resume) -> m.ServerMessage | None:
        """As `resume`."""
        async with _time_of(self._hall.find(client, message.room)):
            return self.resume(client, message.room, message.id, message)

    async def watch(self, client: Client, message: m.Watch) -> m.ServerMessage | None:
        """To look on; who has a seat that no connection holds is back at it. Raises `Refusal`."""
        async with _time_of(self._hall.find(client, message.room)):
            return self._look_on(client, message)

    def _look_on(self, client: Client, message: m.Watch) -> m.ServerMessage | None:
        assert client.person is not None
        table = self._hall.find(client, message.room)
        not_blocked(table, client.person)
        seat = table.seat_of(client.person)
        held = None if seat is None else table.places[seat].client
        if seat is not None and (held is None or held is client):
            return self.resume(client, message.room, message.id)
        table.look_on(client)
        client.room = table.id
        self._enter(table, client, message.id, None)
        if held is not None and held.person is client.person:
            _tell_one(held, "notice.looks_on")
            _tell_one(client, "notice.beside")
        return None

    def resume(self, client: Client, room: str, re: str, seen: m.Resume | None = None) -> m.ServerMessage | None:
        """Back to a seat, from which another connection goes, or to look on. `seen`: what was seen before. Raises `Refusal`.

        Who has hung up meanwhile takes no seat: their person may be back at it by another connection.
        """
        assert client.person is not None
        if client.hung_up:
            raise Refusal(Code.NOT_IN_ROOM)
        table = self._hall.find(client, room)
        not_blocked(table, client.person)
        seat = table.seat_of(client.person)
        if seat is None:
            table.look_on(client)
        else:
            place = table.places[seat]
            if place.owner is not None and place.owner.id == client.person.id:
                self._hall.seating.give_back(table, seat)
                self._hall.notice(table, "notice.took_back", client.person)
            before = place.client
            if before is not None and before is not client:
                # The newest connection holds the seat; the older one is out of the room.
                table.put_out(before, "notice.elsewhere")
                _tell_one(client, "notice.took_over")
            elif before is None and table.room is not None:
                self._hall.notice(table, "notice.back", client.person)
            if client in table.watchers:
                table.drop(client)
            place.client = client
        client.room = table.id
        self._enter(table, client, re, seat, seen)
        return None

    def leave(self, client: Client, message: m.Leave) -> m.ServerMessage:
        """Out of the room: until its game is dealt the seat is free, and a start that waits is called off. Raises `Refusal`."""
        table = self._hall.table_of(client)
        place = next((place for place in table.places if place.client is client), None)
        table.drop(client)
        client.room = ""
        if place is not None and table.room is None and not table.dealing:
            place.clear()
            table.find_host()
            table.call_off()
            if not table.people:
                self._hall.remove(table, "notice.room_empty")
        if place is not None and client.person is not None:
            self._hall.notice(table, "notice.left", client.person)
        table.tell()
        return m.Ok(re=message.id)

    def depart(self, client: Client) -> None:
        """The connection is gone. Its seat waits for its person."""
        self._hall.connected.discard(client)
        table = self._hall.tables.get(client.room)
        client.room = ""
        if table is None or client not in table.clients():
            return
        seated = any(place.client is client for place in table.places)
        table.drop(client)
        if seated and client.person is not None and not self._hall.closing:
            self._hall.notice(table, "notice.lost_connection", client.person)
        table.tell()

    def _enter(self, table: Table, client: Client, re: str, seat: int | None, seen: m.Resume | None = None) -> None:
        """Reply with the room; then, if there is a game, its view comes."""
        table.touched = time.monotonic()
        client.put(m.Room(re=re, room=table.room_state(client)))
        table.tell(besides=client)
        if table.wanted is not None and seat is not None:
            client.put(table.wanted)  # the line was lost when it was asked for
        if table.room is not None:
            attach(table, client, seat, seen)


def attach(table: Table, client: Client, seat: int | None, seen: m.Resume | None = None) -> None:
    """A client looks at the game of a room from a seat, or as a spectator; `seen`: what it had seen."""
    assert table.room is not None
    table.room.attach(
        client.key,
        client.outbox,
        seat=seat,
        known=client.faces,
        digests=client.digests,
        packed=client.packed,
        brief=client.brief,
        gathered=client.gathered,
        lang=client.lang,
        epoch=0 if seen is None else seen.epoch,
        seq=0 if seen is None else seen.seq,
        log=seen.log if seen is not None and seen.log is not UNSET else None,
        receipts=client.receipts,
        when_asked=client.when_asked,
        receipt="" if seen is None else seen.receipt,
    )


def _time_of(table: Table) -> AbstractAsyncContextManager[object]:
    """A piece of the time of a table's game: whoever comes is shown all of it."""
    return nullcontext() if table.room is None else table.room.share


def _tell_one(client: Client, key: str) -> None:
    client.put(m.Notice(key=key, text=fill(key, {}, client.lang)))
