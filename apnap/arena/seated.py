"""The process of bots of ours in contests with bots that come over the network: `python -m apnap.arena.seated`, as `client_cli.crew`.

As `apnap.seated` it knows a loop and lines, and nothing imports it.
"""

from __future__ import annotations

import sys
from functools import cache

from apnap.arena.bots import AnyBot, Decks, Thinker, maker
from apnap.arena.match import deck_named
from apnap.cards import Deck
from apnap.game import Game
from client_cli import crew
from client_cli.player import Player
from client_cli.table import Table
from protocol.questions import Answer, Question

deck_of = cache(deck_named)


class SeatedThinker:
    """A bot by the library in a room: the decks are those that all at the table see."""

    def __init__(self, bot: Thinker) -> None:
        self._bot = bot

    def answer(self, _table: Table, question: Question) -> Answer:
        """See `client_cli.player.Player`; asked where the server tells nothing."""
        return question.default

    def answer_knowing(self, table: Table, _question: Question, text: str) -> Answer:
        """See `client_cli.player.KnowingPlayer`."""
        return self._bot.think(Game.read_knowledge(text), _decks(table))


def make(level: str, seed: int) -> Player:
    """The bot of that name, for one game. Raises UnknownBot."""
    bot: AnyBot = maker(level)(seed)
    return SeatedThinker(bot) if isinstance(bot, Thinker) else bot


def _decks(table: Table) -> Decks:
    """By seats. Raises ValueError where they are not told."""
    if table.room is None:
        raise ValueError("the table is not known")
    decks: list[Deck] = [deck_of(seat.deck) for seat in table.room.seats]
    return decks


if __name__ == "__main__":
    sys.path.insert(0, "")  # modules of who calls
    crew.run(make)
