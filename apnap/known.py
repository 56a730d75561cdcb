"""What one seat knows of a game, and games that it could be in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from apnap.cards import Card, Deck, cards_of
from server.knowledge.dealt import Belief, NoDeal, card_of, determinize, is_known
from server.knowledge.redacted import Redacted, write
from server.rules import State, legal
from server.rules.model import define

if TYPE_CHECKING:
    from apnap.game import Game

TRIES = 20
"""Deals until one leads to where the seat stands; nearly always the first does."""


class Knowledge:
    """What a seat knows, and nothing else: who thinks with it cannot see what is hidden, nor what chance will bring.

    >>> import random, apnap
    >>> decks = [apnap.house_deck("emberclan"), apnap.house_deck("tidewardens")]
    >>> game = apnap.Game.new(decks, seed="3", first=0)
    >>> guess = game.knowledge(0).deal(decks, random.Random(1))
    >>> guess.view(0).players["0"].hand == game.view(0).players["0"].hand
    True
    """

    def __init__(self, known: Redacted, begin: Callable[[State], Game]) -> None:
        """From inside; see `Game.knowledge`."""
        self._known = known
        self._begin = begin

    @property
    def seat(self) -> int:
        """Whose knowledge it is."""
        return self._known.seat

    @property
    def seats(self) -> int:
        """How many began the game."""
        return len(self._known.state.players)

    def shown(self, seat: int) -> Counter[str]:
        """The names of the cards of a seat's deck that are known to it whose knowledge this is."""
        things = self._known.state.objects.values()
        return Counter(
            card_of(thing).name for thing in things if thing.owner == seat and not thing.token and is_known(thing)
        )

    def to_json(self) -> str:
        """What is known, for who thinks in another process or on another machine; nothing that the seat may not know stands in it."""
        return write(self._known).decode()

    def deal(self, decks: Sequence[Deck | Sequence[Card]], chance: legal.Chance) -> Game:
        """A game that the seat could be in: what it knows is so, the other cards are drawn from what the `decks`, by seats, have
        left. It has no past: nothing can be popped, and it is not written down.

        Raises NoDeal if such decks do not lead there, ValueError if there is not one for each seat.
        """
        return self._begin(self.dealt(beliefs(decks), chance))

    def dealt(self, beliefs: Sequence[Belief], chance: legal.Chance) -> State:
        """The same as a state of the rules."""
        if len(beliefs) != len(self._known.state.players):
            raise ValueError(f"{len(beliefs)} decks are not for {len(self._known.state.players)} seats")
        for _ in range(TRIES - 1):
            try:
                return determinize(self._known, beliefs, chance)
            except NoDeal:
                continue
        return determinize(self._known, beliefs, chance)


def beliefs(decks: Sequence[Deck | Sequence[Card]]) -> list[Belief]:
    """Decks as what is believed of them."""
    return list(map(_belief, decks))


def _belief(deck: Deck | Sequence[Card]) -> Belief:
    cards, leaders = cards_of(deck)
    return Belief(tuple(map(define, cards)), tuple(map(define, leaders)))
