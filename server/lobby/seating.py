"""Bots in the seats of tables: before the game, and during it for a person who is away."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import trio
from msgspec import UNSET

from protocol import messages as m
from protocol.refusals import Code, Refusal
from server.lobby.bots import BotSeat, bot_name
from server.lobby.decks import Deck, Decks
from server.lobby.names import bot_label
from server.lobby.people import People, Person
from server.lobby.table import Table

log = logging.getLogger("apnap.lobby")

BotRunner: TypeAlias = Callable[[BotSeat], Awaitable[None]]
"""Plays a bot's seat until its game is over. Comes from above, because a bot is a client and the lobby knows none."""

BOT_TRIES = 5
"""How often a bot that fails in one game is started again."""


class Seating:
    """See the module. `levels` are those at which `runner` plays, none without a runner."""

    def __init__(self, people: People, decks: Decks, runner: BotRunner | None, levels: Sequence[str]) -> None:
        self.levels = list(levels) if runner is not None else []
        self._people = people
        self._decks = decks
        self._runner = runner

    @property
    def plays(self) -> bool:
        """Whether there is anybody to play bots."""
        return self._runner is not None

    def check_level(self, level: str) -> None:
        """Raises `Refusal`: unknown_bot."""
        if level not in self.levels:
            raise Refusal(Code.UNKNOWN_BOT)

    def add(self, table: Table, message: m.AddBot) -> None:
        """Before the game: a bot takes a free seat. Raises `Refusal`."""
        self.check_level(message.level)
        seat = table.free(None if message.seat is UNSET else message.seat)
        deck = self._house(table, message.deck or self._some_deck(table, seat))
        table.check_deck(deck)
        taken = {place.person.name for place in table.places if place.person is not None}
        self.seat(table, seat, message.level, bot_name(taken), deck, deck.name)

    def deal_anew(self, table: Table) -> None:
        """The options have changed: decks of another format go, and bots take others. Raises `Refusal`: unknown_deck."""
        for seat, place in enumerate(table.places):
            now = (table.options.format, table.options.deck_rules)
            if place.deck is None or (place.deck.format, place.deck.rules) == now:
                continue
            place.deck, place.deck_name, place.ready = None, "", False
            if place.person is not None and place.person.bot:
                deck = self._house(table, self._some_deck(table, seat))
                place.deck, place.deck_name, place.ready = deck, deck.name, True

    def seat(self, table: Table, seat: int, level: str, name: str, deck: Deck | None, deck_name: str) -> None:
        """A bot of that name sits there and plays."""
        assert table.nursery is not None
        person, token = self._people.bot(name)
        place = table.places[seat]
        place.person, place.level, place.deck, place.deck_name, place.ready = person, level, deck, deck_name, True
        place.bot_scope = trio.CancelScope()
        table.send_out_namesakes()
        seed = table.options.seed
        number = secrets.randbits(32) if seed is UNSET else seed * 16 + seat
        bot = BotSeat(
            level=level, name=name, token=token, room=table.id, seat=seat, seed=number, pauses=table.options.bot_pauses
        )
        table.nursery.start_soon(self._run, table, bot, person, place.bot_scope)

    def stand_in(self, table: Table, seat: int, level: str) -> None:
        """During the game: a bot plays for the seat's person until that person is back. Nothing if there are no bots."""
        place = table.places[seat]
        if place.person is None or place.owner is not None or not self.plays:
            return
        owner = place.person
        self.seat(table, seat, level, bot_label(owner.name), place.deck, place.deck_name)
        place.owner = owner
        table.tell()

    def give_back(self, table: Table, seat: int) -> None:
        """The person for whom a bot played is back. Raises `Refusal`: busy."""
        place = table.places[seat]
        assert place.owner is not None and table.room is not None
        table.room.seat_back(seat)
        if place.bot_scope is not None:
            place.bot_scope.cancel()
        if place.client is not None:
            table.drop(place.client)
        place.person, place.owner, place.level, place.bot_scope = place.owner, None, "", None

    def _house(self, table: Table, name: str) -> Deck:
        """The house deck of that name as the room plays it. Raises `Refusal`: unknown_deck, bad_deck."""
        return self._decks.house(name, table.options.deck_rules).played_as(table.options.format)

    def _some_deck(self, table: Table, seat: int) -> str:
        names = [deck.name for deck in self._decks.summaries() if deck.is_for(table.options)]
        if not names:
            raise Refusal(Code.UNKNOWN_DECK)
        if table.options.seed is not UNSET:
            return names[(table.options.seed + seat) % len(names)]
        used = {place.deck_name for place in table.places}
        return secrets.choice([name for name in names if name not in used] or names)

    async def _run(self, table: Table, bot: BotSeat, person: Person, scope: trio.CancelScope) -> None:
        assert self._runner is not None
        with scope:
            for attempt in range(BOT_TRIES):
                try:
                    await self._runner(bot)
                except* Exception:  # what else is in the group ends the server, or the table
                    log.exception("the bot in seat %d of %s failed", bot.seat, table.id)
                if table.state in ("over", "frozen"):
                    break
                await trio.sleep(0.1 * 4**attempt)
        self._people.forget(person)
