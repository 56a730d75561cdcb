"""A lobby whose rooms are the games of a contest: who sits where, with which deck and seed, is as the contest says.

Bots that come over the network join by a name, whichever game it is that waits for them, once for each game or again if they had gone.
Of what else a client may ask there is only what is needed at a seat.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial

import msgspec
import trio

from protocol import messages as m
from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.contests import HostedGame, HostedResult, remote
from server.lobby.bots import bot_name
from server.lobby.client import Client
from server.lobby.decks import Deck, Decks
from server.lobby.entrance import attach
from server.lobby.listing import Told
from server.lobby.lobby import Lobby
from server.lobby.seating import BotRunner
from server.lobby.table import Place, Table
from server.settings import Settings
from server.storage import Answered, AnyEntry, Fairness, NoSuchRoom, Storage

log = logging.getLogger("apnap.lobby")

LATER = 64
"""Messages of a bot that waits for a seat."""
BOTS_SECONDS = 30.0
"""How long it is waited after a game for what bots of ours say of their answers."""
AWAY_MS = 60_000
"""How long a bot that is gone may be away in a game before its questions are answered by default."""
READY_SECONDS = 60.0
"""Who has sat down for so long without `ready` is taken for ready: the game begins, and its clock runs."""
NO_FAULTS = frozenset(
    {Code.TOO_FAST, Code.BUSY, Code.STALE, Code.NOT_YOUR_QUESTION, Code.GAME_OVER, Code.NO_GAME, Code.FROZEN, Code.CLOSING}
)  # fmt: skip
"""Refusals of answers that may be good: they came too soon or too late."""
TAKEN = (
    m.Hello | m.Join | m.Resume | m.Leave | m.ListDecks | m.ChooseDeck | m.Ready | m.Stops | m.AnswerMessage | m.Pass | m.Yield
    | m.Always | m.Forget | m.Repeat | m.Preview | m.Know | m.Concede | m.Sync | m.Ping | m.ListPrintings | m.ListRooms
)  # fmt: skip
"""What a bot may ask. No replays and no votes: the same game is played again with others in the seats."""


class ContestTable(Table):
    """A game of a contest. `failures` and `ms` by seat, as far as they are not in the journal; `done`: what bots of ours have said."""

    def __init__(self, table_id: str, options: RoomOptions, game: HostedGame, changed: Callable[[], None]) -> None:
        super().__init__(table_id, options, "")
        self.game = game
        self.failures = [0] * len(game.bots)
        self.ms = [0.0] * len(game.bots)
        self.asked = [0] * len(game.bots)
        self.done: set[int] = set()
        self._changed = changed

    def remotes(self) -> Iterator[tuple[int, str, Place]]:
        """The seats of bots that come over the network, and by which name."""
        for seat, bot in enumerate(self.game.bots):
            if remote(bot):
                yield seat, remote(bot), self.places[seat]

    @property
    def gathered(self) -> bool:
        """Whether all who come over the network are here and ready."""
        return all(place.client is not None and place.ready for _, _, place in self.remotes())

    def tell(self, besides: Client | None = None) -> None:
        """See `Table`."""
        super().tell(besides)
        self._changed()

    def fairness(self) -> Fairness:
        """See `Table`: nobody is told the seed, which is that of other games."""
        return msgspec.structs.replace(super().fairness(), kept=True)


class ContestLobby(Lobby):
    """See the module. `names` are those by which bots join; `came` counts how often one has."""

    hands_on = False

    def __init__(
        self, storage: Storage, decks: Decks, runner: BotRunner, settings: Settings, names: Iterable[str]
    ) -> None:
        super().__init__(storage, decks, bots=runner, settings=settings)
        self.names = frozenset(names)
        self.came = dict.fromkeys(self.names, 0)
        self._change = trio.Event()
        self._answers: dict[str, set[str]] = {}
        """By client the answers to which nothing was said yet."""
        self._later: dict[str, deque[m.ClientMessage]] = {}
        """By client that waits for a seat what it has said meanwhile: its line is read on, since pings come there, too."""

    def _changed(self) -> None:
        self._change.set()
        self._change = trio.Event()

    # --- games ---

    async def host(self, game: HostedGame, decks: Sequence[Deck]) -> HostedResult:
        """Play that game, once all who come over the network are there. Raises `Refusal` where it cannot be dealt, and frozen."""
        table = ContestTable(self.new_id(), _options(game, decks), game, self._changed)
        await self.take_in(table)
        try:
            for seat, (bot, deck) in enumerate(zip(game.bots, decks, strict=True)):
                place = table.places[seat]
                if not remote(bot):
                    taken = {other.person.name for other in table.places if other.person is not None}
                    self.seating.seat(table, seat, bot, bot_name(taken), deck, deck.name)
                place.deck, place.deck_name = deck, deck.name
            self._changed()
            await self._start(table)
            while table.state == "playing":
                await self._change.wait()
            if table.state == "frozen":
                raise Refusal(Code.FROZEN)
            with trio.move_on_after(BOTS_SECONDS):
                while len(table.done) + sum(1 for _ in table.remotes()) < len(game.bots):
                    await self._change.wait()
            return self._result(table, (await self.storage.load(table.id)).entries)
        finally:
            self.remove(table)
            with trio.CancelScope(shield=True), suppress(NoSuchRoom):  # that there is no journal yet
                await self.storage.remove(table.id)

    async def _start(self, table: ContestTable) -> None:
        while table.room is None:
            while not table.gathered:
                await self._change.wait()
            try:
                await self.starting.start(table)
            except Refusal as no:
                if no.code != Code.NOT_READY:  # somebody has gone meanwhile
                    raise

    def seed_of(self, room: str, seat: int) -> int:
        """The seed of a bot of ours. Raises KeyError."""
        table = self.tables[room]
        assert isinstance(table, ContestTable)
        return table.game.seeds[seat]

    def left(self, room: str, seat: int, asked: int, failures: int, ms: float) -> None:
        """What a bot of ours did in its game, which is over."""
        table = self.tables.get(room)
        if isinstance(table, ContestTable):
            table.asked[seat], table.failures[seat], table.ms[seat] = asked, failures, ms
            table.done.add(seat)
            self._changed()

    def _result(self, table: ContestTable, entries: Sequence[AnyEntry]) -> HostedResult:
        count = len(table.places)
        asked, ms, timeouts = list(table.asked), list(table.ms), [0] * count
        answered = [entry for entry in entries if isinstance(entry, Answered) and entry.by != "room"]
        for entry in answered:
            timeouts[entry.seat] += entry.by == "clock"
            if remote(table.game.bots[entry.seat]):
                asked[entry.seat] += 1
                ms[entry.seat] += entry.spent + entry.away
        room = table.room
        assert room is not None
        return HostedResult(
            number=table.game.number,
            winners=tuple(room.result.winners) if room.result is not None else (),
            turns=0 if room.state is None else room.state.turn.number,
            answers=tuple(asked),
            ms=tuple(round(one, 1) for one in ms),
            failures=tuple(table.failures),
            timeouts=tuple(timeouts),
        )

    # --- messages ---

    async def handle(self, client: Client, message: m.ClientMessage) -> m.ServerMessage | None:
        """See `Lobby`."""
        later = self._later.get(client.key)
        if later is None:
            return await self._does(client, message)
        if len(later) >= LATER:
            raise Refusal(Code.TOO_FAST)
        later.append(message)
        return None

    async def _does(self, client: Client, message: m.ClientMessage) -> m.ServerMessage | None:
        table = self.tables.get(client.room)
        if not isinstance(message, TAKEN):
            raise Refusal(
                Code.UNKNOWN_MESSAGE, "This server hosts a contest, which takes only what is needed at a seat."
            )
        match message:
            case m.Hello():
                client.outbox.on_put = partial(self._told, client)
            case m.Join():
                self._joins(client, message)
                return None
            case m.Leave() if table is not None:
                self._let_go(client)
                return m.Ok(re=message.id)
            case m.ChooseDeck() if table is not None:
                return m.Ok(re=message.id)  # each plays each deck of its round
            case m.Ready() if table is not None and table.room is not None:
                return m.Ok(re=message.id)  # who had gone, and is back in a game that goes on
            case m.AnswerMessage() if isinstance(table, ContestTable):
                self._answered(client, table, message)
            case _:
                pass
        return await super().handle(client, message)

    def depart(self, client: Client) -> Told | None:
        """See `Lobby`."""
        self._answers.pop(client.key, None)
        self._later.pop(client.key, None)
        told = super().depart(client)
        self._changed()
        return told

    def _let_go(self, client: Client) -> None:
        """A client is at no table any more; its seat waits for who comes by the same name."""
        table = self.tables.get(client.room)
        client.room = ""
        if table is not None:
            table.drop(client)
            table.tell()

    async def close(self, *, at_once: bool = False) -> None:
        """See `Lobby`; there is nothing to come back to."""
        for client in list(self.connected):
            sentence = fill(f"refused.{Code.CLOSING}", {}, client.lang)
            client.put(m.Closing(code=Code.CLOSING, sentence=sentence))
        await super().close(at_once=at_once)

    def _joins(self, client: Client, message: m.Join) -> None:
        """To the seat that waits for a bot of that name; if none does, when one will. Raises `Refusal`: no_such_room, hello_first."""
        if client.person is None:
            raise Refusal(Code.HELLO_FIRST)
        if message.room not in self.names:
            # By which names bots join is not told: who knows that of another has its seat while it is gone.
            raise Refusal(Code.NO_SUCH_ROOM, "No bot is expected here by that name.")
        if (table := self.tables.get(client.room)) is not None and table.state in ("over", "frozen"):
            self._let_go(client)
        if client.room:
            raise Refusal(Code.IN_A_ROOM)
        assert self.nursery is not None
        later = self._later[client.key] = deque()
        self.nursery.start_soon(self._wait_for_seat, client, message, later)

    async def _wait_for_seat(self, client: Client, message: m.Join, later: deque[m.ClientMessage]) -> None:
        """Wait for the seat, sit down, then do what was said meanwhile (`later`). Who has gone waits no more, also who went at once."""
        try:
            while client.key in self._later and not await self._sat(client, message):
                await self._change.wait()
            while later and client.key in self._later:
                said = later.popleft()
                try:
                    reply = await self._does(client, said)
                except Refusal as no:
                    reply = m.Refused(re=said.id, code=no.code, sentence=no.sentence, rule=no.rule, path=no.path)
                if reply is not None:
                    client.put(reply)
                if (anew := self._later.get(client.key)) is not later and anew is not None:
                    anew.extend(later)  # after another game: it waits again
                    return
        except Exception:
            log.exception("a bot cannot sit down")
            client.outbox.close()
        finally:
            if self._later.get(client.key) is later:
                del self._later[client.key]

    async def _sat(self, client: Client, message: m.Join) -> bool:
        """Whether there was a seat for it."""
        while client.key in self._later and (found := self._waiting(message.room)) is not None:
            async with _time_of(found[0]):
                if self._waiting(message.room) == found and client.key in self._later:
                    self._sit(client, *found, message)
                    return True
        return False

    async def wanted(self, name: str) -> None:
        """Wait until a seat waits for a bot of that name."""
        while self._waiting(name) is None:
            await self._change.wait()

    def _waiting(self, name: str) -> tuple[ContestTable, int] | None:
        """A seat that nobody holds, of a game that is not over; the oldest game first."""
        for table in self.tables.values():
            if isinstance(table, ContestTable) and table.state in ("gathering", "playing"):
                for seat, bot, place in table.remotes():
                    if bot == name and place.client is None:
                        return table, seat
        return None

    def _sit(self, client: Client, table: ContestTable, seat: int, message: m.Join) -> None:
        person, place = client.person, table.places[seat]
        assert person is not None
        names = {other.person.name for other in table.places if other.person is not None and other is not place}
        plain, number = person.name, 1
        while person.name in names:
            number += 1
            person.name = f"{plain} {number}"
        place.person, place.client, place.ready, place.stops = person, client, False, None
        client.room = table.id
        self.came[message.room] += 1
        client.put(m.Room(re=message.id, room=table.room_state(client)))
        table.tell(besides=client)
        if table.room is not None:
            attach(table, client, seat)
        elif self.nursery is not None:
            self.nursery.start_soon(self._begins_without, table, place, client)

    async def _begins_without(self, table: ContestTable, place: Place, client: Client) -> None:
        """Nobody holds up a contest by holding a seat."""
        with trio.move_on_after(READY_SECONDS):
            while place.client is client and not place.ready:
                await self._change.wait()
        if place.client is client and not place.ready and table.room is None:
            place.ready = True
            table.tell()

    # --- what is counted ---

    def _answered(self, client: Client, table: ContestTable, message: m.AnswerMessage) -> None:
        self._answers.setdefault(client.key, set()).add(message.id)
        room = table.room
        if room is not None and room.state is not None and room.state.turn.number > table.game.most_turns:
            room.watch_over(table.tell, room.seq)  # it is long enough

    def _told(self, client: Client, message: m.ServerMessage) -> None:
        """A message goes to a client: an answer of it may have been refused."""
        answers = self._answers.get(client.key)
        if not answers or message.re not in answers:
            return
        answers.discard(message.re)
        table = self.tables.get(client.room)
        if isinstance(message, m.Refused) and message.code not in NO_FAULTS and isinstance(table, ContestTable):
            for seat, _, place in table.remotes():
                if place.client is client:
                    table.failures[seat] += 1


def _time_of(table: Table) -> AbstractAsyncContextManager[object]:
    """A piece of the time of its game: whoever comes is shown all of it."""
    return nullcontext() if table.room is None else table.room.share


def _options(game: HostedGame, decks: Sequence[Deck]) -> RoomOptions:
    return msgspec.convert(
        {
            "format": decks[0].format,
            "title": "contest",
            "seats": len(game.bots),
            "edition": game.edition,
            "seed": game.seed,
            "first": game.first,
            "away_ms": AWAY_MS,
            "longer_clocks": False,
            "takebacks": "none",
            "private": True,
            "spectators": False,
        }
        | ({"answer_ms": game.answer_ms} if game.answer_ms else {}),
        RoomOptions,
    )
