"""Whole games of Magic as values in one process: no server, no socket, no clock.

    >>> import random, apnap
    >>> deck = apnap.house_deck("emberclan")
    >>> game = apnap.Game.new([deck, deck], seed="a seed")
    >>> chance = random.Random(7)
    >>> while game.result is None:
    ...     game.push(game.legal.sample(chance))
    >>> len(game.result.winners)
    1

- `game`: `Game`, to which answers are pushed and from which they are popped, forked, looked at as a seat sees it, written down
- `known`: `Knowledge`, what a seat knows, and games that it could be in
- `legal`: `Legal`, the answers that a question takes
- `cards`: cards and decks by name or text, lists of cards
- `records`: a game as JSON, by its inputs
- `steps`: answers of any shape in small steps; `search`: a bot that thinks ahead; `rl`: environments for learning (an extra)

Questions, answers and views are those of the protocol (`docs/protocol.md`): what thinks here plays over a websocket, too.
"""

from apnap.cards import Card, CardLibrary, Deck, UnreadCard, house_card, house_deck, house_decks, read_card, read_deck
from apnap.game import Game
from apnap.known import Knowledge
from apnap.legal import Legal
from apnap.records import RecordFault
from protocol.questions import Answer, Question
from protocol.view import Event, Face, View
from server.cards.loading import DeckFault
from server.knowledge.dealt import NoDeal
from server.rules import EDITIONS, Illegal, Options
from server.rules.model import Result

__all__ = [
    "EDITIONS",
    "Answer",
    "Card",
    "CardLibrary",
    "Deck",
    "DeckFault",
    "Event",
    "Face",
    "Game",
    "Illegal",
    "Knowledge",
    "Legal",
    "NoDeal",
    "Options",
    "Question",
    "RecordFault",
    "Result",
    "UnreadCard",
    "View",
    "house_card",
    "house_deck",
    "house_decks",
    "read_card",
    "read_deck",
]
