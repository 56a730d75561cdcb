"""How a game begins: all entropy is committed to and revealed, the game is dealt; and the same again, a rematch."""

from __future__ import annotations

import logging
import time
from typing import TypeAlias

import msgspec
import trio
from msgspec import UNSET

from protocol import messages as m
from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.lobby import door, matches, rematches, waiting
from server.lobby.client import Client
from server.lobby.entrance import Entrance, attach
from server.lobby.hall import Hall
from server.lobby.ladder import of_bots
from server.lobby.people import Person
from server.lobby.table import Place, Table
from server.rooms.room import Room
from server.storage import NoSuchRoom, Setup, Sitting, StorageError, StorageFault, make_setup

log = logging.getLogger("apnap.lobby")

COMMIT_SECONDS = 10.0
"""How long a game waits for the entropy of those who add some in every room."""
REVEAL_SECONDS = 10.0
"""How long those who have committed to entropy have to reveal it."""
AGAIN_SECONDS = 5.0
"""When the next game of a match is tried again whose journal could not be begun."""

Args: TypeAlias = dict[str, str | int | bool | list[str]]


class Starting:
    """See the module."""

    def __init__(self, hall: Hall, entrance: Entrance) -> None:
        self._hall = hall
        self._entrance = entrance

    async def start(self, table: Table, client: Client | None = None, re: str = "") -> None:
        """Deal the game, once all who add entropy have committed to it and revealed it. Raises `Refusal`."""
        table.complete()
        self._hall.ladder.ladder_of(table)
        assert table.nursery is not None
        committed = any(place.commit for place in table.places)
        if table.options.seed is UNSET and (committed or table.commits_missing()):
            table.starting = table.committing = True
            # In a task of its own: the host, too, may have something to reveal.
            table.nursery.start_soon(self._start_revealed, table, client, re)
        else:
            await self._deal(table, client, re)

    async def _start_revealed(self, table: Table, client: Client | None, re: str) -> None:
        """Wait for what is to be committed to, ask for all of it, then deal; start over if somebody does not reveal."""
        try:
            table.all_ready()  # somebody may have left before this began
            await _committed(table)
            table.all_ready()
            late = await _revealed(table)
            table.all_ready()
            if late:
                table.draw_anew()
                _not_begun(
                    table, client, re, Code.NOT_REVEALED, f"refused.{Code.NOT_REVEALED}", {"names": ", ".join(late)}
                )
            else:
                await self._deal(table, client, re)
        except Refusal as refusal:  # somebody has left while it waited
            table.draw_anew()
            _not_begun(table, client, re, refusal.code, f"refused.{refusal.code}", {})
        except StorageError as fault:
            log.error("room %s: the journal cannot be written: %s", table.id, fault)
            _not_begun(table, client, re, Code.BUSY, "notice.unwritten", {})
        finally:
            table.starting = False
            table.tell()

    async def _deal(self, table: Table, client: Client | None, re: str) -> None:
        """Deal the game. The reply to who started it goes out before the first view."""
        assert table.nursery is not None
        fairness = table.fairness()
        drawn = table.draw_seats(fairness.seed) if table.options.draw_seats else ()
        setup = make_setup(
            room=table.id,
            options=_with_first(table),
            seed=fairness,
            sittings=[_sitting(place, table) for place in table.places],
            host=table.host_seat() or 0,
            version=self._hall.game.version,
            match=table.match,
            ladder=self._hall.ladder.ladder_of(table),
            drawn=drawn,
        )
        table.starting = table.dealing = True
        try:
            await self._hall.personal.note_game(table)
            await self._hall.ladder.begins(setup)
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
            if table.match is not None:
                await waiting.forget(self._hall.storage, table.id)
        finally:
            table.starting = table.dealing = False
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
            table.again = True
            table.match = matches.goes_on(old.room)
            old.rematch = table.id
            await self._hall.take_in(table)
            rematches.reserve(old, table, self._hall.seating)
            if table.match is not None:
                self._await_game(table, table.options.sideboarding_ms / 1000)
                await door.keep(self._hall.storage, table)  # first: no restart finds the table without its lock
                await waiting.keep(self._hall.storage, table, old.room.id)
            self._hall.notice(old, "notice.rematch", client.person)
        door.not_blocked(table, client.person)
        if table.seat_of(client.person) is None:
            table.sit(client, seat)  # came back after the others had gone on
            rematches.ready_again(old, table, seat)
        old.drop(client)
        client.room = table.id
        table.find_host()
        # The seat may have another number by now, another connection, or a game that has begun without them.
        await self._entrance.come_back(client, m.Resume(id=message.id, room=table.id))
        old.tell()
        await self.go_on(table)
        return None

    async def take_up_matches(self, rooms: set[str] | None = None) -> None:
        """After a restart: matches between two of their games go on, or those of these rooms, with the decks of the game before. Raises
        `StorageFault`; those that have a table by then keep it, and it can be tried again.
        """
        storage = self._hall.storage
        for room, data in (await waiting.all_of(storage)).items():
            if rooms is not None and room not in rooms:
                continue
            table = self._hall.tables.get(room)
            try:
                if table is None and not await storage.rooms([room]):
                    one = waiting.read(data)
                    await self._take_up_match(room, one, await storage.setup(one.before))
                elif table is None or table.room is not None:  # its game has begun, and maybe ended
                    await waiting.forget(storage, room)
            except NoSuchRoom:  # the game before is gone, and the decks with it
                await waiting.forget(storage, room)
            except StorageFault:
                raise
            except Exception as fault:  # that of one is no other's
                log.error("the match of room %s cannot be taken up: %s", room, fault)

    async def _take_up_match(self, room: str, one: waiting.Waiting, setup: Setup) -> None:
        options = msgspec.structs.replace(setup.options, seed=UNSET, first=UNSET)
        table = Table(room, options, setup.seats[setup.host].person)
        table.again, table.match = True, one.match
        table.gate = await door.kept(self._hall.storage, room) or table.gate
        await self._hall.take_in(table)
        for seat, (sitting, place) in enumerate(zip(setup.seats, table.places, strict=True)):
            deck = rematches.deck_of(setup, seat)
            if sitting.kind == "bot" and self._hall.seating.plays:
                self._hall.seating.seat(table, seat, sitting.level, sitting.name, deck, sitting.deck_name)
            else:
                place.person = Person(id=sitting.person, name=sitting.name, program=of_bots(setup.ladder))
                place.deck, place.deck_name = deck, sitting.deck_name
        self._await_game(table, table.options.sideboarding_ms / 1000)

    def _await_game(self, table: Table, seconds: float) -> None:
        """From now on the time for exchanging cards runs."""
        assert table.nursery is not None
        table.next_at = time.monotonic() + seconds
        table.nursery.start_soon(self._next_game, table, seconds)

    async def _next_game(self, table: Table, seconds: float) -> None:
        """The next game of a match begins when the time for exchanging cards is over, with the decks as they are by then."""
        await trio.sleep(seconds)
        if table.state != "gathering" or table.starting:
            return
        for place in table.places:
            place.ready = place.person is not None
        try:
            await self.start(table)
        except Refusal as refusal:  # somebody has left the match
            _not_begun(table, None, "", refusal.code, f"refused.{refusal.code}", {})
        except StorageError as fault:
            log.error("room %s: the journal cannot be written: %s", table.id, fault)
            _not_begun(table, None, "", Code.BUSY, "notice.unwritten", {})
            self._await_game(table, AGAIN_SECONDS)
        table.tell()

    async def go_on(self, table: Table) -> None:
        """Somebody has come to a table: if it is a rematch and all are here, its game starts."""
        if table.again and table.state == "gathering" and not table.starting and rematches.all_here(table):
            await self.start(table)


async def _committed(table: Table) -> None:
    """Wait until nobody is still to add entropy; who does not in time plays without any."""
    table.committed = committed = trio.Event()
    try:
        if table.commits_missing():
            with trio.move_on_after(COMMIT_SECONDS):
                await committed.wait()
    finally:
        table.committing, table.committed = False, None


async def _revealed(table: Table) -> list[str]:
    """Ask for what was committed to; the names of those who did not reveal it in time."""
    commits = [place.commit for place in table.places]
    if not any(commits):
        return []
    table.revealed = revealed = trio.Event()
    table.wanted = m.RevealWanted(chance=table.fairness().chance, commits=commits)
    table.say(table.wanted)
    try:
        with trio.move_on_after(REVEAL_SECONDS):
            await revealed.wait()
    finally:
        table.wanted = table.revealed = None
    return [place.person.name for place in table.places if place.person and place.commit and not place.entropy]


def _not_begun(table: Table, client: Client | None, re: str, code: str, key: str, args: Args) -> None:
    """Say why the game does not start: to who asked for it in reply, to the others at the table as a notice."""
    if client is not None:
        client.put(m.Refused(re=re, code=code, sentence=fill(key, args, client.lang)))
    for other in table.clients():
        if other is not client:
            other.put(m.Notice(key=key, text=fill(key, args, other.lang), args=args))


def _with_first(table: Table) -> RoomOptions:
    """The options of the game that is dealt now: in a match the first turn is as was chosen."""
    first = table.begins()
    return table.options if first is None else msgspec.structs.replace(table.options, first=first)


def _sitting(place: Place, table: Table) -> Sitting:
    people = [person.id for person in table.people]
    assert place.person is not None and place.deck is not None
    person = place.person
    return Sitting(
        name=person.name,
        deck=table.rewordings.said(place.deck.cards, people),
        commander=table.rewordings.said(place.deck.commander, people),
        sideboard=table.rewordings.said(place.deck.sideboard, people),
        companion=table.rewordings.said(place.deck.companion, people),
        kind="bot" if person.bot else "person",
        person="" if person.bot else person.id,
        level=place.level,
        deck_name=place.deck_name,
    )
