"""The process of bots that think ahead in a server's rooms: `python -m apnap.seated`, as `client_cli.crew`. With a `Guest` as JSON it
is that of `apnap bot`, which sits down at a table anywhere.

Alone in the library it knows a loop and lines; nothing imports it.
"""

from __future__ import annotations

import random
import sys

import msgspec

from apnap.game import Game
from apnap.known import NoDeal
from apnap.search import Search
from apnap.search.prior import believed
from client_cli import bots, crew, guest
from client_cli.bots.simple import SimplePlayer
from client_cli.player import Player
from client_cli.table import Table
from protocol.questions import Answer, Question


class SeatedSearcher(SimplePlayer):
    """The search in a room: it knows what the server tells its seat, and the names of house decks that all at the table see."""

    def __init__(self, ms: int, seed: int) -> None:
        super().__init__(seed)
        self._ms = ms
        self._chance = random.Random(seed)

    def answer_knowing(self, table: Table, question: Question, text: str) -> Answer:
        """See `client_cli.player.KnowingPlayer`; the simple bot's answer where the decks do not lead to where the seat stands."""
        known = Game.read_knowledge(text)
        seats = {} if table.room is None else {seat.seat: seat.deck for seat in table.room.seats}
        decks = believed(known, [seats.get(seat, "") for seat in range(known.seats)])
        try:
            return Search(decks, ms=self._ms).answer(known, self._chance)
        except NoDeal:
            return self.answer(table, question)


def make(level: str, seed: int) -> Player:
    """A player of that level. Raises KeyError for one there is not."""
    if level in bots.THINKING:
        return SeatedSearcher(bots.THINKING[level], seed)
    return bots.make(level, seed)


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(guest.run(msgspec.json.decode(sys.argv[1], type=guest.Guest), make))
    crew.run(make)
