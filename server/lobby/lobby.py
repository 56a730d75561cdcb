"""The lobby: everything a client can ask for outside a game, and the way into one.

`hall` holds the rooms; `entrance`, `gathering`, `starting`, `door`, `talk`, `reception` and `personal` do what is asked, `upkeep` what is
due. `handle` takes one message of one client and returns the reply, or None when the reply is already in the outbox or comes
from the room.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, ClassVar

import msgspec
import trio

from protocol import messages as m
from protocol import people as p
from protocol.refusals import Code, Refusal
from protocol.rooms import RoomSummary
from protocol.words import fill
from server.lobby import door, talk
from server.lobby.client import Client
from server.lobby.decks import Decks
from server.lobby.entrance import Entrance
from server.lobby.gathering import Gathering
from server.lobby.hall import Hall
from server.lobby.ladder import Rater
from server.lobby.listing import Listing, Told
from server.lobby.others import Elsewhere, Others
from server.lobby.people import Person
from server.lobby.rates import (
    CHAT,
    INSTRUCT,
    KEEP,
    LIST,
    MOTION,
    OPEN,
    PASSWORD,
    PREVIEW,
    REPLAY,
    SETUP,
    VIEW,
    WORDING,
    Rate,
)
from server.lobby.replays import Replays
from server.lobby.seating import BotRunner
from server.lobby.starting import Starting
from server.lobby.upkeep import Upkeep
from server.rooms.game import RULES, Game
from server.rooms.receipts import receipts_of
from server.rooms.recover import note_clocks
from server.rooms.worker import Worker
from server.settings import Settings
from server.storage import Storage, StorageError

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
    | m.Know
    | m.LongerClock
    | m.TakeBack
    | m.Pause
    | m.Unpause
    | m.EndGame
    | m.Correct
    | m.Reword
    | m.Consent
    | m.TakeUp
    | m.Agree
    | m.Moments
    | m.Sync
)
"""What goes on to the room as it is."""

AT_ONCE = m.AnswerMessage | m.Concede
"""Of these what costs no more than its message."""
COUNTED: dict[type, Rate] = {
    m.Preview: PREVIEW,  # plays on a fork of the game, which costs as much as some answers
    m.Know: PREVIEW,  # is written anew, which costs as much
    m.Say: CHAT,
    m.Open: OPEN,
    m.Reword: WORDING,  # is read here and at once, which takes tens of milliseconds
    m.Sync: VIEW,
    m.ListRooms: LIST,
    m.ListDecks: LIST,
    m.ListPrintings: INSTRUCT,  # at every few cards that are seen for the first time
    m.Paragraphs: LIST,
    p.ListRatings: LIST,
    p.MyData: REPLAY,  # is read from storage, and may be much
    p.ListSavedDecks: REPLAY,
    **dict.fromkeys((p.SaveDeck, p.ForgetDeck, p.Ignore, p.Publish, p.SignOut), KEEP),
    **dict.fromkeys((p.RoomPassword, p.ChangePassword, p.ForgetMe), PASSWORD),  # hashing takes long, by design
    **dict.fromkeys((m.SetOptions, m.AddBot, m.RemoveSeat, m.ChooseDeck, m.CheckDeck, m.Sideboard, m.Start), SETUP),
    # Of each of these everyone at the table is told.
    **dict.fromkeys((m.Ready, m.Commit, m.Reveal, m.Rematch, p.Mute, p.Kick, p.Unblock), SETUP),
    **dict.fromkeys((m.Pause, m.Unpause, m.BotFor, m.EndGame, m.Consent, m.Agree), MOTION),
    **dict.fromkeys(
        (
            m.Stops,
            m.Pass,
            m.Yield,
            m.Always,
            m.Forget,
            m.Repeat,
            m.LongerClock,
            m.TakeBack,
            m.Correct,
            m.TakeUp,
            m.Moments,
        ),
        INSTRUCT,
    ),
}
"""What costs more than its message, or stays: counted for the person, the address and its network."""


class Lobby(Hall):
    """See the module. Run `run` in a task before anything else."""

    hands_on: ClassVar[bool] = True
    """Whether rooms get what goes on to them without a look at it here."""

    def __init__(
        self,
        storage: Storage,
        decks: Decks,
        *,
        bots: BotRunner | None = None,
        levels: Sequence[str] = (),
        settings: Settings | None = None,
        game: Game = RULES,
        replayer: Worker | None = None,
        others: Others | None = None,
        rate: Rater | None = None,
    ) -> None:
        """`replayer` plays finished games again for those who look at them; without one they are played here."""
        super().__init__(
            storage, decks, bots=bots, levels=levels, settings=settings, game=game, others=others, rate=rate
        )
        self.upkeep = Upkeep(self)
        self._entrance = Entrance(self)
        self.starting = Starting(self, self._entrance)
        self._gathering = Gathering(self, self.starting)
        self._listing = Listing()
        self._replays = Replays(storage, game, self.personal.may_see, self.slices.share(), replayer)

    # --- life ---

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Hold all rooms until cancelled. Takes up the games that were going on when the server stopped; one of several workers is given
        them while it serves."""
        async with trio.open_nursery() as nursery:
            self.nursery = nursery
            await self.reception.load()
            self.receipts = await receipts_of(self.storage)
            if self.others.all_here:
                await self.take_up()
            await self.upkeep.rate()  # every worker: what had ended when it died is counted as it begins again
            nursery.start_soon(self.upkeep.sweep_rooms)
            nursery.start_soon(self.upkeep.keep_clocks)
            if self.others.first:
                nursery.start_soon(self.upkeep.forget_old)
                nursery.start_soon(self.upkeep.audit)
            nursery.start_soon(self._tell_lists)
            task_status.started()

    async def take_up(self, rooms: set[str] | None = None) -> None:
        """Take up those rooms, games and matches between two games, from what was written down; None: all there are."""
        await self.upkeep.restore(rooms)
        await self.starting.take_up_matches(rooms)
        for table in self.tables.values():
            self.publish(table)

    async def prepare(self, rooms: Collection[str], coming: Collection[str]) -> None:
        """Play those games that may have to be taken up here soon, and let go of any other but those that are `coming` now."""
        await self.upkeep.prepared.have(rooms, coming)

    async def close(self, *, at_once: bool = False) -> None:
        """Tell everyone that the server stops; their outboxes end. Games stay in their journals, each with a snapshot. `at_once`: others
        are here to go on, so that nobody need wait before they come back.
        """
        self.closing = True
        for client in list(self.connected):
            sentence = fill(f"refused.{Code.CLOSING}", {}, client.lang)
            retry = 0 if at_once else round(self.settings.operating.retry_seconds * 1000)
            client.put(m.Closing(code=Code.CLOSING, sentence=sentence, again=True, retry_ms=retry))
            client.outbox.close()
        rooms = self.rooms()
        async with trio.open_nursery() as nursery:
            for room in rooms:
                nursery.start_soon(room.rest)
        with suppress(StorageError):
            await note_clocks(rooms, self.storage)

    def depart(self, client: Client) -> Told | None:
        """The connection is gone. Its seat waits for its person. What it knows of the live list of rooms, if it reads it."""
        reads, table = self._listing.of(client), self.tables.get(client.room)
        self._listing.forget(client)
        self._entrance.depart(client)
        if table is not None:
            self.publish(table)
        return reads

    def arrive(self, client: Client, person: Person, reads: Told | None) -> None:
        """Somebody has come from another worker, who has said hello there and reads the live list of rooms, or not (None)."""
        client.person = person
        self.connected.add(client)
        if reads is not None:
            self._listing.go_on(client, reads)

    async def _tell_lists(self) -> None:
        """Those who read the live list of rooms are told what has changed."""
        while True:
            await trio.sleep(LISTS_SECONDS)
            if self._listing.read:
                self._listing.flush(self._lines())
            for table in list(self.tables.values()):
                self.publish(table)

    def _lines(self) -> list[RoomSummary]:
        """The list of rooms."""
        here = [table.summary() for table in self.tables.values() if not table.options.private]
        return [*here, *(line.summary for line in self.elsewhere() if not line.private)]

    # --- what there is ---

    def health(self) -> dict[str, int | str]:
        """Figures for `GET /health`."""
        playing = sum(table.state == "playing" for table in self.tables.values())
        frozen = sum(table.state == "frozen" for table in self.tables.values())
        damage = {"damage": len(self.upkeep.damage)} if self.upkeep.damage else {}
        return {
            "rooms": len(self.tables),
            "playing": playing,
            "frozen": frozen,
            "people": len(self.connected),
            **damage,
        }

    def unready(self) -> str:
        """Why nobody new should be sent here; "" when they are welcome."""
        if self.closing:
            return "the server stops"
        if self.nursery is None:
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
        yield "apnap_people", "Clients that have said hello.", "", {"": len(self.connected)}

    # --- messages ---

    async def handle(self, client: Client, message: m.ClientMessage) -> m.ServerMessage | None:
        """Do what a client asks. Raises `Refusal`, and `Elsewhere`: another worker does it; then nothing has changed."""
        if isinstance(message, IN_GAME):
            return await self._handled(client, message)
        before = client.room
        try:
            return await self._handled(client, message)
        finally:
            for room in {before, client.room}:
                if (table := self.tables.get(room)) is not None:
                    self.publish(table)

    def does_at_once(self, client: Client, message: m.ClientMessage) -> bool:
        """Hand a room what goes on to it as it is, where nothing is in the way; whether that is done. If not, nothing has changed: see
        `handle`.
        """
        if not (self.hands_on and isinstance(message, AT_ONCE)) or self.closing or client.comes_for:
            return False
        table = self.tables.get(client.room)
        if table is None or table.room is None or not table.room.takes(client.key, message):
            return False
        self._note_act(client, message)
        return True

    async def _handled(self, client: Client, message: m.ClientMessage) -> m.ServerMessage | None:
        if self.closing:
            raise Refusal(Code.CLOSING)
        if isinstance(message, m.Hello):
            return await self._entrance.hello(client, message)
        if client.person is None:
            raise Refusal(Code.HELLO_FIRST)
        if client.comes_for:
            _as_it_came(client, message)
        self._note_act(client, message)
        counted = COUNTED.get(type(message))
        if counted is not None:
            self._count(client, client.person, counted)
        if isinstance(message, m.Join | m.Watch | m.Resume):
            door.count_entry(self.reception, self.settings.limits, client)
            await self._where(client, message.room)
            client.comes_for = ""
            await door.admit(self.reception, self.find(client, message.room), client, message)
        if isinstance(message, m.Reword | m.Agree) and self.table_of(client).room is None:
            return await self._gathering.handle(client, message)
        if isinstance(message, IN_GAME):
            return await self._to_room(client, message)
        if (does := DOES.get(type(message))) is not None:
            reply = does(self, client, message)
            return await reply if isinstance(reply, Awaitable) else reply
        if isinstance(message, p.PersonalMessage):
            return await self.personal.handle(client, message, self.tables.get(client.room))
        return await self._gathering.handle(client, message)

    async def _where(self, client: Client, room: str) -> None:
        """Raises `Elsewhere` for a room that another worker has."""
        await self.others.taken_up(room)
        if room not in self.tables and client.room in ("", room):
            worker = await self.others.whose(room)
            if worker is not None and not client.local:
                raise Elsewhere(worker)

    async def _opened(self, client: Client, message: m.Open) -> m.ServerMessage | None:
        """Where there are fewest rooms. Raises `Elsewhere`, but for who has come for that."""
        worker = self.others.for_new_room()
        if worker is not None and not client.room and not client.local and not client.moved:
            raise Elsewhere(worker)
        return await self._entrance.open(client, message)

    async def _come(self, client: Client, message: m.Join | m.Watch | m.Resume) -> m.ServerMessage | None:
        match message:
            case m.Join():
                reply = await self._entrance.join(client, message)
            case m.Watch():
                reply = await self._entrance.watch(client, message)
            case m.Resume():
                reply = await self._entrance.come_back(client, message)
        await self.starting.go_on(self.table_of(client))
        return reply

    async def _list_rooms(self, client: Client, message: m.ListRooms) -> m.ServerMessage:
        await self.others.known()
        return self._listing.ask(client, message, self._lines())

    async def _bot_for(self, client: Client, message: m.BotFor) -> None:
        self.seating.check_level(message.level)
        if self.table_of(client).options.rated:
            raise Refusal(Code.UNRATED, key="refused.unrated_bot_for")
        await self._to_room(client, message)

    async def _check_deck(self, client: Client, message: m.CheckDeck) -> m.ServerMessage:
        who = client.person.id if client.person is not None else ""
        around = client.peer.network, client.peer.address
        by_hand = message.by_hand != "never"
        report = await self.decks.check(
            message.text, message.format, who, around, by_hand=by_hand, rules=message.deck_rules
        )
        return msgspec.structs.replace(report, re=message.id)

    async def _printings(self, _client: Client, message: m.ListPrintings) -> m.ServerMessage:
        found = await self.decks.printings(message.lang, message.names)
        return m.Printings(re=message.id, lang=message.lang, printings=found)

    async def _replay(self, client: Client, message: m.Replay) -> m.ServerMessage:
        """A finished game; only what has to be read from storage counts."""
        assert client.person is not None
        if not self._replays.at_hand(message.room):
            self._count(client, client.person, REPLAY)
        around = client.peer.network, client.peer.address
        return msgspec.structs.replace(await self._replays.show(client.person, message, around), re=message.id)

    async def _list_replays(self, client: Client, message: m.ListReplays) -> m.ServerMessage:
        assert client.person is not None
        self._count(client, client.person, REPLAY)
        return m.Replays(re=message.id, games=await self.personal.finished(client.person))

    async def _order(self, client: Client, message: p.Mute | p.Kick | p.Unblock | p.RoomPassword) -> m.ServerMessage:
        return await door.order(self.reception, self.storage, self.table_of(client), client, message)

    def _count(self, client: Client, person: Person, rate: Rate) -> None:
        """One of what a person may do so often, the people of an address together some more. Raises `Refusal`: too_many_tries."""
        self.reception.rates.share(rate, person.id, client.peer, self.settings.limits)

    async def _to_room(self, client: Client, message: m.ClientMessage) -> None:
        table = self.table_of(client)
        if table.room is None:
            raise Refusal(Code.NO_GAME)
        await table.room.submit(client.key, message)

    async def _stops(self, client: Client, message: m.Stops) -> m.ServerMessage | None:
        """Stops may be left before the game, too."""
        table = self.table_of(client)
        if table.room is not None:
            return await self._to_room(client, message)
        table.place_of(client).stops = message
        return m.Ok(re=message.id)

    def _note_act(self, client: Client, message: m.ClientMessage) -> None:
        """Somebody does something at a table: it is not idle."""
        table = self.tables.get(client.room)
        if table is not None and not isinstance(message, m.Ping | m.Sync):
            table.acted, table.warned = time.monotonic(), False


def _as_it_came(client: Client, message: m.ClientMessage) -> None:
    """Who came by a ticket asks for its room before anything else. Raises `Refusal`: bad_ticket."""
    if not isinstance(message, m.Join | m.Watch | m.Resume) or message.room != client.comes_for:
        raise Refusal(Code.BAD_TICKET)


Reply = m.ServerMessage | None
DOES: dict[type, Callable[[Lobby, Client, Any], Reply | Awaitable[Reply]]] = {
    m.BotFor: Lobby._bot_for,
    m.Stops: Lobby._stops,
    m.Ping: lambda _lobby, _client, ping: m.Pong(re=ping.id),
    m.ListRooms: Lobby._list_rooms,
    p.ListRatings: lambda lobby, _client, ask: lobby.ladder.told(ask),
    m.ListDecks: lambda lobby, _client, ask: m.Decks(
        re=ask.id, decks=lobby.decks.summaries(), bots=lobby.seating.levels, deck_rules=lobby.decks.rules()
    ),
    m.CheckDeck: Lobby._check_deck,
    m.ListPrintings: Lobby._printings,
    m.Open: Lobby._opened,
    m.Join: Lobby._come,
    m.Watch: Lobby._come,
    m.Resume: Lobby._come,
    m.Leave: lambda lobby, client, ask: lobby._entrance.leave(client, ask),
    **dict.fromkeys(
        (p.MakeAccount, p.ChangePassword, p.ListSessions, p.SignOut),
        lambda lobby, client, ask: lobby.reception.handle(client, ask),
    ),
    **dict.fromkeys((p.Mute, p.Kick, p.Unblock, p.RoomPassword), Lobby._order),
    m.Replay: Lobby._replay,
    m.ListReplays: Lobby._list_replays,
    m.Say: lambda lobby, client, said: talk.say(lobby.table_of(client), client, said),
    m.Emote: lambda lobby, client, said: talk.emote(lobby.table_of(client), client, said),
    m.Rematch: lambda lobby, client, ask: lobby.starting.rematch(client, ask),
}
"""What is done for each message that is neither the room's, nor about oneself, nor about a table before its game."""
