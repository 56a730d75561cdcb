"""How a game begins: everyone reveals the entropy they have committed to, the game is dealt; and the same again, a rematch."""

from __future__ import annotations

import logging

import trio
from msgspec import UNSET

from protocol import messages as m
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.lobby import door, rematches
from server.lobby.client import Client
from server.lobby.entrance import attach
from server.lobby.hall import Hall
from server.lobby.table import Place, Table
from server.rooms.room import Room
from server.storage import Sitting, StorageError, make_setup

log = logging.getLogger("apnap.lobby")

REVEAL_SECONDS = 10.0
"""How long those who have committed to entropy have to reveal it."""


class Starting:
    """See the module."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def start(self, table: Table, client: Client | None = None, re: str = "") -> None:
        """Deal the game, once all who have committed to entropy have revealed it. Raises `Refusal`."""
        table.complete()
        assert table.nursery is not None
        if table.options.seed is UNSET and any(place.commit for place in table.places):
            table.starting = True
            # In a task of its own: the host, too, may have something to reveal.
            table.nursery.start_soon(self._start_revealed, table, client, re)
        else:
            await self._deal(table, client, re)

    async def _start_revealed(self, table: Table, client: Client | None, re: str) -> None:
        """Ask for what was committed to, then deal; start over if somebody does not reveal."""
        table.revealed = trio.Event()
        commits = [place.commit for place in table.places]
        table.say(m.RevealWanted(chance=table.fairness().chance, commits=commits))
        with trio.move_on_after(REVEAL_SECONDS):
            await table.revealed.wait()
        late = [place.person.name for place in table.places if place.person and place.commit and not place.entropy]
        try:
            if late:
                table.draw_anew()
                args: dict[str, str | int | bool | list[str]] = {"names": ", ".join(late)}
                lang = "en" if client is None else client.lang
                raise Refusal(Code.NOT_REVEALED, fill(f"refused.{Code.NOT_REVEALED}", args, lang))
            await self._deal(table, client, re)
        except Refusal as no:
            if client is not None:
                client.put(m.Refused(re=re, code=no.code, sentence=no.sentence))
        except StorageError as fault:
            log.error("room %s: the journal cannot be written: %s", table.id, fault)
            if client is not None:
                client.put(m.Refused(re=re, code=Code.BUSY, sentence=fill("notice.unwritten", {}, client.lang)))
        finally:
            table.starting = False
            table.tell()

    async def _deal(self, table: Table, client: Client | None, re: str) -> None:
        """Deal the game. The reply to who started it goes out before the first view."""
        assert table.nursery is not None
        setup = make_setup(
            room=table.id,
            options=table.options,
            seed=table.fairness(),
            sittings=[_sitting(place, table) for place in table.places],
            host=table.host_seat() or 0,
            version=self._hall.game.version,
        )
        table.starting = True
        try:
            await self._hall.personal.note_game(table)
            await door.keep(self._hall.storage, table)
            room = Room(setup, self._hall.storage, self._hall.game)
            self._hall.wire(table, room)
            for seat, place in enumerate(table.places):
                if place.stops is not None:
                    room.leave_stops(seat, place.stops)
            with trio.CancelScope(shield=True):
                # Whether or not the host's connection lasts: a game whose journal has begun is played.
                await table.nursery.start(room.run)
            table.room = room
        finally:
            table.starting = False
        if client is not None:
            client.put(m.Ok(re=re))
        table.tell()
        for seat, place in enumerate(table.places):
            if place.client is not None:
                attach(table, place.client, seat)
        for watcher in table.watchers:
            attach(table, watcher, None)

    async def rematch(self, client: Client, message: m.Rematch) -> m.ServerMessage | None:
        """To the new table, which the first who asks opens. When all who are still here have come, its game starts."""
        old = self._hall.table_of(client)
        seat = rematches.seat_for(old, client)
        assert old.room is not None and client.person is not None
        table = self._hall.tables.get(old.rematch)
        if table is None:
            self._hall.space.for_room(client.person, old.peer, len(old.places))
            table = Table(self._hall.new_id(), rematches.options_for(old.room), old.host, old.peer)
            old.rematch = table.id
            await self._hall.take_in(table)
            rematches.reserve(old, table, self._hall.seating)
            self._hall.notice(old, "notice.rematch", client.person)
        if table.seat_of(client.person) is None:
            table.sit(client, seat)  # came back after the others had gone on
        old.drop(client)
        table.places[seat].client = client
        client.room = table.id
        table.find_host()
        client.put(m.Room(re=message.id, room=table.room_state(client)))
        table.tell(besides=client)
        old.tell()
        if table.room is None and not table.starting and rematches.all_here(table):
            await self.start(table)
        return None


def _sitting(place: Place, table: Table) -> Sitting:
    people = [person.id for person in table.people]
    assert place.person is not None and place.deck is not None
    person = place.person
    return Sitting(
        name=person.name,
        deck=table.rewordings.said(place.deck.cards, people),
        commander=table.rewordings.said(place.deck.commander, people),
        kind="bot" if person.bot else "person",
        person="" if person.bot else person.id,
        level=place.level,
        deck_name=place.deck_name,
    )
