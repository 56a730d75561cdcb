"""What all parts of the lobby share: the rooms there are, who is connected, and what rooms are made with.

A table is in the hall from `take_in` to `remove`, in a nursery of its own: what fails in a room ends there.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import trio

from protocol import messages as m
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.lobby import waiting
from server.lobby.client import Client
from server.lobby.decks import Decks
from server.lobby.ladder import Ladder, Rater
from server.lobby.others import Alone, Connected, Forgotten, News, Others, RoomLine, SentAway, Taken, Wrong
from server.lobby.peers import Peers
from server.lobby.people import People, Person
from server.lobby.personal import Personal
from server.lobby.reception import Reception
from server.lobby.seating import BotRunner, Seating
from server.lobby.space import Space
from server.lobby.table import Table
from server.rooms.game import RULES, Game
from server.rooms.receipts import Receipts
from server.rooms.recover import note_clocks
from server.rooms.room import Room
from server.rooms.slices import Slices
from server.rooms.worker import Worker
from server.settings import Settings
from server.storage import Storage, StorageError

log = logging.getLogger("apnap.lobby")


class Hall:
    """See the module. `connected` has said hello; `nursery` holds the rooms, None before the lobby runs; `closing`: the server
    stops.
    """

    def __init__(
        self,
        storage: Storage,
        decks: Decks,
        *,
        bots: BotRunner | None = None,
        levels: Sequence[str] = (),
        settings: Settings | None = None,
        game: Game = RULES,
        others: Others | None = None,
        rate: Rater | None = None,
    ) -> None:
        self.others = others or Alone()
        self.people = People(storage, self._here, self.others)
        self.decks = decks
        self.tables: dict[str, Table] = {}
        self.storage = storage
        self.seating = Seating(self.people, decks, bots, levels)
        self.settings = settings or Settings()
        self.game = game
        self.connected: set[Client] = set()
        self.reception = Reception(storage, self.people, self.settings, self.clients, self.others)
        self.ladder = Ladder(storage, self.people.find, rate, self.others)
        self.personal = Personal(storage, self.reception, self.settings, self.all_tables, self.ladder, self.others)
        self.space = Space(self.settings.limits, self.all_tables, self.remove, self.elsewhere)
        self.peers = Peers(self.others)
        self.receipts: Receipts | None = None
        self.slices = Slices()
        self.foreseer: Worker | None = None
        """What looks ahead at large tables, set before it runs; without one that is done here."""
        self.nursery: trio.Nursery | None = None
        self.closing = False

    def _here(self) -> set[str]:
        """Who has said hello."""
        return {client.person.id for client in self.connected if client.person is not None}

    def clients(self) -> list[Client]:
        """Everyone who has said hello."""
        return list(self.connected)

    def all_tables(self) -> list[Table]:
        """The rooms there are now, oldest first."""
        return list(self.tables.values())

    def rooms(self) -> list[Room]:
        """The games there are now."""
        return [table.room for table in self.tables.values() if table.room is not None]

    def table_of(self, client: Client) -> Table:
        """The room that a client is in. Raises `Refusal`: not_in_room."""
        table = self.tables.get(client.room)
        if table is None:
            raise Refusal(Code.NOT_IN_ROOM)
        return table

    def find(self, client: Client, room: str) -> Table:
        """The room that a client wants to enter. Raises `Refusal`: in_a_room, no_such_room."""
        if client.room and client.room != room:
            raise Refusal(Code.IN_A_ROOM)
        table = self.tables.get(room)
        if table is None:
            raise Refusal(Code.NO_SUCH_ROOM)
        return table

    def notice(self, table: Table, key: str, person: Person) -> None:
        """Tell a table about one of its people; bots come and go in silence."""
        if person.bot:
            return
        for client in table.clients():
            if client.person is not person:
                args: dict[str, str | int | bool | list[str]] = {"name": person.name}
                client.put(m.Notice(key=key, text=fill(key, args, client.lang), args=args))

    async def _look_ahead(self, foreseer: Worker, body: bytes, key: str) -> bytes:
        """Have looked ahead for the connection of that key, in the turn of its person and of where they are. Raises as `Worker.ask`."""
        for client in self.connected:
            if client.key == key and client.person is not None:
                return await foreseer.ask(body, client.person.id, (client.peer.network, client.peer.address))
        raise Refusal(Code.BUSY)  # it has gone

    # --- tables ---

    def publish(self, table: Table) -> None:
        """What other workers may know of a table."""
        if isinstance(self.others, Alone):
            return
        self.others.publish(line_of(table))

    def elsewhere(self) -> list[RoomLine]:
        """The rooms of other workers."""
        return [line for line in self.others.lines() if line.summary.id not in self.tables]

    def told(self, news: News) -> None:
        """What another worker tells."""
        match news:
            case SentAway():
                self.reception.told(news)
            case Forgotten():
                self.personal.forgotten(news.person)
            case Taken():
                self.reception.rates.took(news)
            case Wrong():
                self.reception.tries.told(news)
            case Connected():
                self.peers.told(news)

    def held(self, person: Person) -> list[str]:
        """The rooms in which a person has a seat, those of other workers, too."""
        here = [table.id for table in self.tables.values() if table.seat_of(person) is not None]
        elsewhere = [line.summary.id for line in self.others.lines() if person.id in line.people]
        return list(dict.fromkeys([*here, *elsewhere]))

    def new_id(self) -> str:
        """A short id that is easy to read out. Long enough that a private room is not found by trying."""
        while (new := "-".join(_syllables(3) for _ in range(3))) in self.tables:
            pass
        return new

    async def take_in(self, table: Table) -> None:
        """A new table: from here on it has a nursery."""
        assert self.nursery is not None
        table.chat_lines = self.settings.privacy.chat_lines
        self.tables[table.id] = table
        with trio.CancelScope(
            shield=True
        ):  # also for who hangs up meanwhile: a table without a nursery could do nothing
            await self.nursery.start(self._live, table)
            await self.others.claim(line_of(table))

    async def _live(self, table: Table, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """A table's nursery: its room and its bots. Ends when it is cancelled; what fails in it ends here."""
        try:
            async with trio.open_nursery() as nursery:
                table.nursery = nursery
                task_status.started()
                await trio.sleep_forever()
        except* Exception:  # what else is in the group ends the server
            log.exception("room %s failed", table.id)
            if table.room is not None:
                table.room.freeze()
        finally:
            table.nursery = None
            if table.room is not None and table.id not in self.tables:
                table.room.put_away()
                table.room = None
            table.ended.set()

    def remove(self, table: Table, why: str = "notice.room_closed", text: str = "") -> None:
        """A table is no more; whoever is at it is in no room, and is told by that notice why (`text` instead of its sentence)."""
        self.tables.pop(table.id, None)
        self.others.drop(table.id)
        for client in table.clients():
            table.put_out(client, why, text)
        if table.match is not None and table.room is None and self.nursery is not None:
            self.nursery.start_soon(waiting.forget, self.storage, table.id)
        if table.nursery is not None:
            table.nursery.cancel_scope.cancel()

    async def hand_over(self, table: Table) -> bool:
        """A game goes on in another worker, where it stands; whoever is at the table is told to come back at once. Whether it does: what
        has not begun, or is over, stays.
        """
        room = table.room
        if room is None or not self.others.could_give():
            return False
        with trio.CancelScope(shield=True):
            await room.rest()  # people play on meanwhile: what ends now ends here
            if table.state not in ("playing", "frozen") or self.tables.get(table.id) is not table:
                return False
            async with self.others.parting(table.id):
                self.tables.pop(table.id)
                for client in table.clients():
                    sentence = fill("notice.moved", {}, client.lang)
                    client.put(m.Closing(code="moved", sentence=sentence, again=True))
                    client.outbox.close()
                if table.nursery is not None:
                    table.nursery.cancel_scope.cancel()
                with suppress(StorageError):
                    await note_clocks([room], self.storage)
                await table.ended.wait()  # nothing is written after that
        return True

    async def close_room(self, table: Table, why: str = "notice.room_closed", text: str = "") -> None:
        """End a room now; a game that is going on, or frozen, stays as its journal, which no restart takes up. Raises
        `StorageError`; then the room goes on.
        """
        if table.state in ("playing", "frozen"):
            await self.storage.finish(table.id)
        self.remove(table, why, text)

    def wire(self, table: Table, room: Room) -> None:
        """What a room tells its table."""
        limits = self.settings.limits
        room.watch_over(partial(self._moved, table, room), limits.journal_entries, limits.resends_per_minute)
        if self.receipts is not None:
            room.keep_receipts(self.receipts)
        room.share_time(self.slices)
        if self.foreseer is not None:
            room.look_ahead_by(partial(self._look_ahead, self.foreseer))
        room.pass_after(round(self.settings.games.pass_seconds * 1000))
        room.seat_bots(lambda seat, level: self.seating.stand_in(table, seat, level))

    def _moved(self, table: Table, room: Room) -> None:
        """A game is over, or frozen, or not any more."""
        table.tell()
        if room.over.is_set() and room.setup.ladder and self.nursery is not None:
            self.nursery.start_soon(self.ladder.count, room.id)


def line_of(table: Table) -> RoomLine:
    """What other workers know of a table."""
    people = [holder.id for place in table.places for holder in (place.person, place.owner) if holder is not None]
    return RoomLine(
        table.summary(),
        tuple(people),
        private=table.options.private,
        fixed=table.fixed,
        seats=len(table.places),
        address=table.peer.address,
        network=table.peer.network,
    )


def _syllables(number: int) -> str:
    return "".join(secrets.choice("bdfgklmnprstvz") + secrets.choice("aeiou") for _ in range(number))
