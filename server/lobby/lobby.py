"""The lobby: everything a client can ask for outside a game, and the way into one.

One nursery holds all rooms, each in a nursery of its own; what fails in a room ends at its table. `handle` takes one
message of one client and returns the reply, or None when the reply is already in the outbox or comes from the room.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress

import msgspec
import trio
from msgspec import UNSET

from protocol import VERSION
from protocol import messages as m
from protocol import people as p
from protocol.options import Format
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.lobby import door, rematches, talk
from server.lobby.client import Client
from server.lobby.decks import Deck, Decks
from server.lobby.listing import Listing
from server.lobby.names import clean_text
from server.lobby.people import People, Person
from server.lobby.personal import Personal
from server.lobby.reception import Reception
from server.lobby.replays import Replays
from server.lobby.seating import BotRunner, Seating
from server.lobby.table import Place, Table
from server.rooms.game import RULES, Game
from server.rooms.recover import note_clocks, recover
from server.rooms.room import Room
from server.settings import Settings
from server.storage import Sitting, Storage, StorageError, make_setup

log = logging.getLogger("apnap.lobby")

SWEEP_SECONDS = 30.0
IDLE_WARNING_SECONDS = 300.0
"""How long before an idle room is closed its people are told."""
FORGET_SECONDS = 3600.0
LISTS_SECONDS = 0.5
"""Between two looks at what has changed in the live list of rooms."""
IN_GAME = (
    m.AnswerMessage
    | m.Concede
    | m.Pass
    | m.Yield
    | m.Always
    | m.Forget
    | m.Repeat
    | m.Preview
    | m.LongerClock
    | m.TakeBack
    | m.Pause
    | m.Unpause
    | m.EndGame
    | m.Consent
    | m.Sync
)
"""What goes on to the room as it is."""
CLOCKS_SECONDS = 1.0
REVEAL_SECONDS = 10.0
"""How long those who have committed to entropy have to reveal it."""


class Lobby:
    """See the module. Run `run` in a task before anything else."""

    def __init__(
        self,
        storage: Storage,
        decks: Decks,
        *,
        bots: BotRunner | None = None,
        levels: Sequence[str] = (),
        settings: Settings | None = None,
        game: Game = RULES,
    ) -> None:
        self.people = People(storage)
        self.decks = decks
        self.tables: dict[str, Table] = {}
        self.storage = storage
        self._seating = Seating(self.people, decks, bots, levels)
        self._listing = Listing()
        self._settings = settings or Settings()
        self._game = game
        self._clients: set[Client] = set()
        self.reception = Reception(storage, self.people, self._settings, self.clients)
        self.personal = Personal(storage, self.reception, self._settings, self._all_tables)
        self._replays = Replays(storage, game, self.personal.may_see)
        self._nursery: trio.Nursery | None = None
        self._closing = False

    # --- life ---

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Hold all rooms until cancelled. Takes up the games that were going on when the server stopped."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            await self.reception.load()
            await self._restore()
            nursery.start_soon(self._forget_old)
            nursery.start_soon(self._note_clocks)
            nursery.start_soon(self._tell_lists)
            task_status.started()
            while True:
                await trio.sleep(SWEEP_SECONDS)
                await self._sweep()

    async def close(self) -> None:
        """Tell everyone that the server stops; their outboxes end. Games stay in their journals, each with a snapshot."""
        self._closing = True
        for client in list(self._clients):
            sentence = fill(f"refused.{Code.CLOSING}", {}, client.lang)
            retry = round(self._settings.operating.retry_seconds * 1000)
            client.put(m.Closing(code=Code.CLOSING, sentence=sentence, again=True, retry_ms=retry))
            client.outbox.close()
        rooms = self._rooms()
        async with trio.open_nursery() as nursery:
            for room in rooms:
                nursery.start_soon(room.rest)
        with suppress(StorageError):
            await note_clocks(rooms, self.storage)

    def clients(self) -> list[Client]:
        """Everyone who has said hello."""
        return list(self._clients)

    async def close_room(self, table: Table) -> None:
        """End a room now; a game that is going on, or frozen, stays as its journal, which no restart takes up. Raises
        `StorageError`; then the room goes on.
        """
        if table.state in ("playing", "frozen"):
            await self.storage.finish(table.id)
        self._remove_table(table)

    def health(self) -> dict[str, int | str]:
        """Figures for `GET /health`."""
        playing = sum(table.state == "playing" for table in self.tables.values())
        frozen = sum(table.state == "frozen" for table in self.tables.values())
        return {"rooms": len(self.tables), "playing": playing, "frozen": frozen, "people": len(self._clients)}

    def unready(self) -> str:
        """Why nobody new should be sent here; "" when they are welcome."""
        if self._closing:
            return "the server stops"
        if self._nursery is None:
            return "games are taken up"
        return self.storage.fault

    def gauges(self) -> Iterable[tuple[str, str, str, dict[str, float]]]:
        """Figures for `GET /metrics`: see `server.metrics.Gauges`."""
        rooms: dict[str, float] = dict.fromkeys(("gathering", "playing", "over", "frozen"), 0)
        seats: dict[str, float] = dict.fromkeys(("person", "bot"), 0)
        for table in self.tables.values():
            rooms[table.state] = rooms.get(table.state, 0) + 1
            for place in table.places:
                if place.person is not None:
                    seats["bot" if place.person.bot else "person"] += 1
        yield "apnap_rooms", "Rooms, by what goes on in them.", "state", rooms
        yield "apnap_seats", "Seats that are taken.", "by", seats
        yield "apnap_people", "Clients that have said hello.", "", {"": len(self._clients)}

    def depart(self, client: Client) -> None:
        """The connection is gone. Its seat waits for its person."""
        self._clients.discard(client)
        self._listing.forget(client)
        table = self.tables.get(client.room)
        client.room = ""
        if table is None or client not in table.clients():
            return
        seated = any(place.client is client for place in table.places)
        table.drop(client)
        if seated and client.person is not None and not self._closing:
            self._notice(table, "notice.lost_connection", client.person)
        table.tell()

    # --- messages ---

    async def handle(self, client: Client, message: m.ClientMessage) -> m.ServerMessage | None:
        """Do what a client asks. Raises `Refusal`; then nothing has changed."""
        if self._closing:
            raise Refusal(Code.CLOSING)
        if isinstance(message, m.Hello):
            return await self._hello(client, message)
        if client.person is None:
            raise Refusal(Code.HELLO_FIRST)
        self._note_act(client, message)
        if isinstance(message, m.Join | m.Watch | m.Resume):
            door.count_entry(self.reception, self._settings.limits, client)
            await door.admit(self.reception, self._settings.limits, self._find(client, message.room), client, message)
        match message:
            case m.Preview():
                # Each plays on a fork of the game, which costs as much as some answers.
                self.reception.rates.take("preview", client.person.id, self._settings.limits.previews_per_minute)
                return await self._to_room(client, message)
            case m.BotFor():
                self._seating.check_level(message.level)
                return await self._to_room(client, message)
            case _ if isinstance(message, IN_GAME):
                return await self._to_room(client, message)
            case m.Stops():
                return await self._stops(client, message)
            case m.Ping():
                return m.Pong(re=message.id)
            case m.ListRooms():
                return self._listing.ask(client, message, self.tables.values())
            case m.ListDecks():
                return m.Decks(re=message.id, decks=self.decks.summaries(), bots=self._seating.levels)
            case m.CheckDeck():
                return msgspec.structs.replace(await self.decks.check(message.text, message.format), re=message.id)
            case m.Open():
                return await self._open(client, message)
            case m.Join():
                return await self._join(client, message)
            case m.Watch():
                return self._watch(client, message)
            case m.Resume():
                return self._resume(client, message.room, message.id, message)
            case m.Leave():
                return self._leave(client, message)
            case p.MakeAccount() | p.ChangePassword() | p.ListSessions() | p.SignOut():
                return await self.reception.handle(client, message)
            case p.Mute() | p.Kick() | p.Unblock() | p.RoomPassword():
                return await door.order(self.reception, self.storage, self._table(client), client, message)
            case _ if isinstance(message, p.PersonalMessage):
                return await self.personal.handle(client, message, self.tables.get(client.room))
            case m.Replay():
                return msgspec.structs.replace(await self._replays.show(client.person, message), re=message.id)
            case m.ListReplays():
                return m.Replays(re=message.id, games=await self.personal.finished(client.person))
            case m.Say():
                return talk.say(self._table(client), client, message)
            case m.Emote():
                return talk.emote(self._table(client), client, message)
            case m.Rematch():
                return await self._rematch(client, message)
            case _:
                return await self._gather(client, message)

    async def _gather(self, client: Client, message: m.ClientMessage) -> m.ServerMessage | None:
        """What is done at a table before its game."""
        table = self._table(client)
        match message:
            case m.SetOptions():
                table.only_host(client)
                table.change(_clean_options(message.options))
                self._seating.deal_anew(table)
            case m.AddBot():
                table.only_host(client)
                self._seating.add(table, message)
            case m.RemoveSeat():
                table.only_host(client)
                self._remove(table, message.seat)
            case m.ChooseDeck():
                assert client.person is not None
                deck = await self._deck(client.person, message, table.options.format)
                table.before_the_game()  # asked when the deck is read: the table may have begun meanwhile
                table.check_deck(deck)
                place = table.place_of(client)
                place.deck = deck
                place.deck_name = place.deck.name
            case m.Ready():
                table.before_the_game()
                place = table.place_of(client)
                if message.ready and place.deck is None:
                    raise Refusal(Code.NO_DECK)
                place.ready = message.ready
            case m.Start():
                table.only_host(client)
                await self._start(table, client, message.id)
                return None
            case m.Commit():
                table.commit(client, message.hash)
            case m.Reveal():
                table.reveal(client, message.entropy)
            case _:
                raise Refusal(Code.UNKNOWN_MESSAGE)
        client.put(m.Ok(re=message.id))
        table.tell()
        return None

    # --- coming and going ---

    async def _hello(self, client: Client, hello: m.Hello) -> m.Welcome:
        if client.person is not None:
            raise Refusal(Code.HELLO_TWICE)
        arrival = await self.reception.come(client, hello)
        person = arrival.person
        seats = [table.id for table in self.tables.values() if table.seat_of(person) is not None]
        if not seats:
            await self.reception.rename(person, hello.name)
        if client.person is not None:
            raise Refusal(Code.HELLO_TWICE)
        client.person, client.session = person, arrival.session.id
        client.lang = "fr" if hello.lang.lower().startswith("fr") else "en"
        client.digests = hello.digests
        client.packed = hello.packed
        client.faces = set(hello.faces)
        self._clients.add(client)
        return m.Welcome(
            re=hello.id,
            server=self._settings.name,
            version=VERSION,
            person=person.id,
            name=person.name,
            token=arrival.token,
            rooms=seats,
            role="" if person.role == "guest" else person.role,
            accounts="" if self._settings.people.accounts == "off" else self._settings.people.accounts,
            ignored=person.ignored,
            pictures=self._settings.page.pictures,
        )

    def _table(self, client: Client) -> Table:
        table = self.tables.get(client.room)
        if table is None:
            raise Refusal(Code.NOT_IN_ROOM)
        return table

    def _find(self, client: Client, room: str) -> Table:
        """The room that a client wants to enter. Raises `Refusal`."""
        if client.room and client.room != room:
            raise Refusal(Code.IN_A_ROOM)
        table = self.tables.get(room)
        if table is None:
            raise Refusal(Code.NO_SUCH_ROOM)
        return table

    async def _open(self, client: Client, message: m.Open) -> m.ServerMessage | None:
        assert client.person is not None
        if client.room:
            raise Refusal(Code.IN_A_ROOM)
        if client.address:
            self.reception.rates.take("open", client.person.id, self._settings.limits.opens_per_minute)
        await self.people.keep(client.person)
        options = _clean_options(message.options)
        door.room_for(self.tables.values(), self._settings.limits, client.person, options.seats)
        table = Table(self._new_id(), options, client.person.id)
        table.sit(client, None)
        client.room = table.id
        await self._take_in(table)
        return m.Room(re=message.id, room=table.room_state(client))

    async def _join(self, client: Client, message: m.Join) -> m.ServerMessage | None:
        assert client.person is not None
        await self.people.keep(client.person)
        table = self._find(client, message.room)
        if table.seat_of(client.person) is not None:
            return self._resume(client, message.room, message.id)
        door.room_for(self.tables.values(), self._settings.limits, client.person, 0)
        table.sit(client, None if message.seat is UNSET else message.seat)
        if client in table.watchers:
            table.watchers.remove(client)
        client.room = table.id
        table.find_host()
        client.put(m.Room(re=message.id, room=table.room_state(client)))
        self._notice(table, "notice.joined", client.person)
        table.tell(besides=client)
        return None

    def _watch(self, client: Client, message: m.Watch) -> m.ServerMessage | None:
        table = self._find(client, message.room)
        seat = table.seat_of(client.person)
        held = None if seat is None else table.places[seat].client
        if seat is not None and (held is None or held is client):
            return self._resume(client, message.room, message.id)
        if not table.options.spectators:
            raise Refusal(Code.NO_SPECTATORS)
        if client not in table.watchers:
            table.watchers.append(client)
        client.room = table.id
        self._enter(table, client, message.id, None)
        if held is not None and held.person is client.person:
            _tell_one(held, "notice.looks_on")
            _tell_one(client, "notice.beside")
        return None

    def _resume(self, client: Client, room: str, re: str, seen: m.Resume | None = None) -> m.ServerMessage | None:
        assert client.person is not None
        table = self._find(client, room)
        seat = table.seat_of(client.person)
        if seat is None:
            if not table.options.spectators:
                raise Refusal(Code.NO_SPECTATORS)
            if client not in table.watchers:
                table.watchers.append(client)
        else:
            place = table.places[seat]
            if place.owner is not None and place.owner.id == client.person.id:
                self._seating.give_back(table, seat)
                self._notice(table, "notice.took_back", client.person)
            before = place.client
            if before is not None and before is not client:
                # The newest connection holds the seat; the older one is out of the room.
                table.drop(before)
                before.room = ""
                _tell_one(before, "notice.elsewhere")
                _tell_one(client, "notice.took_over")
            elif before is None and table.room is not None:
                self._notice(table, "notice.back", client.person)
            if client in table.watchers:
                table.drop(client)
            place.client = client
        client.room = table.id
        self._enter(table, client, re, seat, seen)
        return None

    def _enter(self, table: Table, client: Client, re: str, seat: int | None, seen: m.Resume | None = None) -> None:
        """Reply with the room; then, if there is a game, its view comes."""
        table.touched = time.monotonic()
        client.put(m.Room(re=re, room=table.room_state(client)))
        table.tell(besides=client)
        if table.room is not None:
            self._attach(table, client, seat, seen)

    def _attach(self, table: Table, client: Client, seat: int | None, seen: m.Resume | None = None) -> None:
        assert table.room is not None
        table.room.attach(
            client.key,
            client.outbox,
            seat=seat,
            known=client.faces,
            digests=client.digests,
            packed=client.packed,
            lang=client.lang,
            epoch=0 if seen is None else seen.epoch,
            seq=0 if seen is None else seen.seq,
            log=seen.log if seen is not None and seen.log is not UNSET else None,
        )

    def _leave(self, client: Client, message: m.Leave) -> m.ServerMessage:
        table = self._table(client)
        place = next((place for place in table.places if place.client is client), None)
        table.drop(client)
        client.room = ""
        if place is not None and table.room is None and not table.starting:
            place.clear()
            table.find_host()
            if not table.people:
                self._remove_table(table)
        if place is not None and client.person is not None:
            self._notice(table, "notice.left", client.person)
        table.tell()
        return m.Ok(re=message.id)

    # --- before the game ---

    async def _deck(self, person: Person, message: m.ChooseDeck, format: Format) -> Deck:
        if sum(map(bool, (message.house, message.text, message.saved))) != 1:
            raise Refusal(Code.BAD_DECK, "Give either `house`, `text` or `saved`.")
        if message.house:
            return self.decks.house(message.house)
        if message.cards:
            self.personal.may_bring_cards(person)
        text = await self.personal.deck(person, message.saved) if message.saved else message.text
        return await self.decks.read(text, message.cards, format)

    def _remove(self, table: Table, seat: int) -> None:
        table.before_the_game()
        if seat >= len(table.places) or table.places[seat].person is None:
            raise Refusal(Code.NO_SUCH_SEAT)
        place = table.places[seat]
        if place.person is not None and place.person.id == table.host:
            raise Refusal(Code.BAD_OPTION, "The host leaves by `leave`.")
        client = place.client
        place.clear()
        if client is not None:
            client.room = ""
            client.put(m.Notice(key="notice.removed", text=fill("notice.removed", {}, client.lang)))

    # --- the game ---

    async def _start(self, table: Table, client: Client | None = None, re: str = "") -> None:
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
            sittings=[_sitting(place) for place in table.places],
            host=table.host_seat() or 0,
            version=self._game.version,
        )
        table.starting = True
        try:
            await self.personal.note_game(table)
            await door.keep(self.storage, table)
            room = Room(setup, self.storage, self._game)
            self._wire(table, room)
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
                self._attach(table, place.client, seat)
        for watcher in table.watchers:
            self._attach(table, watcher, None)

    def _wire(self, table: Table, room: Room) -> None:
        """What a room tells its table."""
        room.most_entries = self._settings.limits.journal_entries
        room.on_change = table.tell
        room.seat_bots(lambda seat, level: self._seating.stand_in(table, seat, level))

    async def _rematch(self, client: Client, message: m.Rematch) -> m.ServerMessage | None:
        """To the new table, which the first who asks opens. When all who are still here have come, its game starts."""
        old = self._table(client)
        seat = rematches.seat_for(old, client)
        assert old.room is not None and client.person is not None
        table = self.tables.get(old.rematch)
        if table is None:
            door.room_for(self.tables.values(), self._settings.limits, client.person, len(old.places))
            table = Table(self._new_id(), rematches.options_for(old.room), old.host)
            old.rematch = table.id
            await self._take_in(table)
            rematches.reserve(old, table, self._seating)
            self._notice(old, "notice.rematch", client.person)
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
            await self._start(table)
        return None

    async def _to_room(self, client: Client, message: m.ClientMessage) -> None:
        table = self._table(client)
        if table.room is None:
            raise Refusal(Code.NO_GAME)
        await table.room.submit(client.key, message)

    async def _stops(self, client: Client, message: m.Stops) -> m.ServerMessage | None:
        """Stops may be left before the game, too."""
        table = self._table(client)
        if table.room is not None:
            return await self._to_room(client, message)
        table.place_of(client).stops = message
        return m.Ok(re=message.id)

    # --- tables ---

    def _new_id(self) -> str:
        """A short id that is easy to read out. Long enough that a private room is not found by trying."""
        while (new := "-".join(_syllables(3) for _ in range(3))) in self.tables:
            pass
        return new

    async def _take_in(self, table: Table) -> None:
        assert self._nursery is not None
        table.chat = deque(table.chat, self._settings.privacy.chat_lines)
        self.tables[table.id] = table
        await self._nursery.start(self._live, table)

    async def _live(self, table: Table, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """A table's nursery: its room and its bots. Ends when it is cancelled; what fails in it ends here."""
        try:
            async with trio.open_nursery() as nursery:
                table.nursery = nursery
                task_status.started()
                await trio.sleep_forever()
        except Exception:
            log.exception("room %s failed", table.id)
            if table.room is not None:
                table.room.freeze()
        finally:
            table.nursery = None

    def _remove_table(self, table: Table) -> None:
        self.tables.pop(table.id, None)
        for client in table.clients():
            table.drop(client)
            client.room = ""
        if table.nursery is not None:
            table.nursery.cancel_scope.cancel()

    def _note_act(self, client: Client, message: m.ClientMessage) -> None:
        """Somebody does something at a table: it is not idle."""
        table = self.tables.get(client.room)
        if table is not None and not isinstance(message, m.Ping | m.Sync):
            table.acted, table.warned = time.monotonic(), False

    async def _sweep(self) -> None:
        """Remove the rooms that nobody needs any more."""
        now = time.monotonic()
        for table in list(self.tables.values()):
            if any(client.person is not None and not client.person.bot for client in table.clients()):
                table.touched = now
                if table.state not in ("playing", "frozen"):
                    await self._close_idle(table, now - table.acted)
                continue
            idle, limits = now - table.touched, self._settings.limits
            if table.state == "frozen":
                # Its journal stays open for the host, and for a later version of the server.
                if idle >= limits.abandoned_game_seconds:
                    self._remove_table(table)
                continue
            patience = limits.abandoned_game_seconds if table.state == "playing" else limits.empty_room_seconds
            if idle < patience:
                continue
            await self._close_for(table, "notice.idle_closed")

    async def _forget_old(self) -> None:
        """What has been kept for as long as the host wants is deleted."""
        while True:
            try:
                await door.tidy(self.storage, set(self.tables))
                await self.personal.sweep()
            except StorageError:
                log.exception("what is too old cannot be deleted")
            await trio.sleep(FORGET_SECONDS)

    async def _close_for(self, table: Table, why: str) -> None:
        _tell(table, why, {})
        try:
            await self.close_room(table)
        except StorageError:
            log.exception("room %s: its journal cannot be closed", table.id)

    async def _close_idle(self, table: Table, idle: float) -> None:
        """A table with people, but no game, at which nobody does anything: they are told, then it is closed."""
        patience = self._settings.limits.idle_room_seconds
        if idle >= patience:
            await self._close_for(table, "notice.idle_closed")
        elif idle >= patience - IDLE_WARNING_SECONDS and not table.warned:
            table.warned = True
            _tell(table, "notice.idle", {"minutes": max(1, round((patience - idle) / 60))})

    def _notice(self, table: Table, key: str, person: Person) -> None:
        """Tell a table about one of its people; bots come and go in silence."""
        if person.bot:
            return
        for client in table.clients():
            if client.person is not person:
                args: dict[str, str | int | bool | list[str]] = {"name": person.name}
                client.put(m.Notice(key=key, text=fill(key, args, client.lang), args=args))

    # --- restart ---

    def _all_tables(self) -> list[Table]:
        return list(self.tables.values())

    def _rooms(self) -> list[Room]:
        return [table.room for table in self.tables.values() if table.room is not None]

    async def _note_clocks(self) -> None:
        """What the clocks show is noted, so that they show it again after a restart."""
        while True:
            await trio.sleep(CLOCKS_SECONDS)
            with suppress(StorageError):  # without it a clock runs anew for the open question: nobody loses by that
                await note_clocks(self._rooms(), self.storage)

    async def _tell_lists(self) -> None:
        """Those who read the live list of rooms are told what has changed."""
        while True:
            await trio.sleep(LISTS_SECONDS)
            self._listing.flush(self.tables.values())

    async def _restore(self) -> None:
        """Take up every game whose journal is not finished."""
        for room in await recover(self.storage, self._game):
            seats = room.setup.seats
            table = Table(room.id, room.setup.options, seats[room.setup.host].person if seats else "")
            table.room = room
            self._wire(table, room)
            await self._take_in(table)
            try:
                await self._seat_again(table, room)
            except Exception:
                log.exception("room %s cannot be taken up", room.id)
                room.freeze()

    async def _seat_again(self, table: Table, room: Room) -> None:
        await door.take_up(self.storage, table)
        assert table.nursery is not None
        for seat, sitting in enumerate(room.setup.seats):
            place = table.places[seat]
            if sitting.kind == "bot" and self._seating.plays:
                self._seating.seat(table, seat, sitting.level, sitting.name, None, sitting.deck_name)
            else:
                place.person = Person(id=sitting.person, name=sitting.name)
                place.deck_name, place.ready = sitting.deck_name, True
        for seat, level in room.bots.items():
            self._seating.stand_in(table, seat, level)
        await table.nursery.start(room.run)


def _tell_one(client: Client, key: str) -> None:
    client.put(m.Notice(key=key, text=fill(key, {}, client.lang)))


def _tell(table: Table, key: str, args: dict[str, str | int | bool | list[str]]) -> None:
    """A notice to everyone at a table."""
    for client in table.clients():
        client.put(m.Notice(key=key, text=fill(key, args, client.lang), args=args))


def _sitting(place: Place) -> Sitting:
    assert place.person is not None and place.deck is not None
    person = place.person
    return Sitting(
        name=person.name,
        deck=place.deck.cards,
        commander=place.deck.commander,
        kind="bot" if person.bot else "person",
        person="" if person.bot else person.id,
        level=place.level,
        deck_name=place.deck_name,
    )


def _clean_options(options: m.RoomOptions) -> m.RoomOptions:
    """The options as the room has them. Raises `Refusal`: bad_option."""
    if options.first is not UNSET and options.first >= options.seats:
        raise Refusal(Code.BAD_OPTION, f"There is no seat {options.first} to play first.")
    if options.teams and (len(options.teams) != options.seats or len(set(options.teams)) < 2):
        raise Refusal(Code.BAD_OPTION, "Every seat needs a team, and a game two teams or more.")
    if options.clock is not UNSET and options.answer_ms is not UNSET:
        raise Refusal(Code.BAD_OPTION, "Give either `clock` or `answer_ms`.")
    return msgspec.structs.replace(options, title=clean_text(options.title))


def _syllables(number: int) -> str:
    return "".join(secrets.choice("bdfgklmnprstvz") + secrets.choice("aeiou") for _ in range(number))
