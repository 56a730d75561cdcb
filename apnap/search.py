"""A bot that thinks: flat Monte-Carlo over games that its seat could be in.

    >>> import random, apnap
    >>> from apnap.search import Search
    >>> decks = [apnap.house_deck("emberclan"), apnap.house_deck("tidewardens")]
    >>> game = apnap.Game.new(decks, seed="3", first=0)
    >>> answer = Search(decks, iterations=4, ahead=20).answer(game.knowledge(0), random.Random(1))
    >>> answer in game.legal
    True

It is given what a seat knows and nothing else (`Game.knowledge`), deals games from that, tries an answer in each, lets everybody answer by
chance for a while and values where that leads. Which answer is tried next is told by upper confidence bounds. By the same knowledge,
iterations and generator it gives the same answer.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from apnap.cards import Card, Deck
from apnap.game import Game
from apnap.known import Knowledge
from protocol.questions import Answer
from protocol.view import View
from server.knowledge.dealt import NoDeal

WIDEN = 2.0
"""After n iterations at most so many times the root of n different answers are tried (progressive widening)."""
EXPLORE = 0.7
"""Of the upper confidence bound."""


class _Tried:
    """An answer, how often it was tried, and what came of it in all."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.times = 0
        self.worth = 0.0

    def bound(self, times: int) -> float:
        """Its mean worth, and more the less is known of it."""
        return self.worth / self.times + EXPLORE * math.sqrt(math.log(times) / self.times) if self.times else math.inf


class Search:
    """`decks` are those that the seat believes everybody plays, by seats; `iterations` the games that it tries out, each for
    `ahead` answers.
    """

    def __init__(self, decks: Sequence[Deck | Sequence[Card]], *, iterations: int = 200, ahead: int = 60) -> None:
        if iterations < 1:
            raise ValueError("nothing is thought in no iterations")
        self._decks = decks
        self._iterations = iterations
        self._ahead = ahead

    def answer(self, known: Knowledge, chance: random.Random) -> Answer:
        """An answer to the question that the seat is asked. Raises ValueError if it is asked nothing, NoDeal if the decks do not lead to
        where it stands.
        """
        seat = known.seat
        first = known.deal(self._decks, chance)
        if first.seat != seat:
            raise ValueError(f"seat {seat} is asked nothing")
        tried = [_Tried(first.legal.default)]
        if len(list(zip(range(2), first.legal, strict=False))) == 1:
            return tried[0].answer
        for times in range(1, self._iterations + 1):
            try:
                game = known.deal(self._decks, chance)
            except NoDeal:
                continue
            if len(tried) < WIDEN * math.sqrt(times):
                drawn = game.legal.sample(chance)
                if all(one.answer != drawn for one in tried):
                    tried.append(_Tried(drawn))
            one = max(
                (one for one in tried if one.answer in game.legal), key=lambda one: one.bound(times), default=None
            )
            if one is not None:
                one.times += 1
                one.worth += self._played(game, one.answer, seat, chance)
        return max(tried, key=lambda one: one.times).answer

    def _played(self, game: Game, answer: Answer, seat: int, chance: random.Random) -> float:
        game.push(answer)
        for _ in range(self._ahead):
            if game.result is not None:
                return 1.0 if seat in game.result.winners else 0.0 if game.result.winners else 0.5
            game.push(game.legal.sample(chance))
        return value(game.view(None), seat)


def value(view: View, seat: int) -> float:
    """How a table looks for a seat, from 0 to 1: life, creatures and cards beside those of the strongest opponent."""
    mine = _strength(view, seat)
    mates = {other for other, team in enumerate(view.teams) if team == view.teams[seat]} | {seat}
    most = max((_strength(view, int(other)) for other in view.players if int(other) not in mates), default=0.0)
    return 1 / (1 + math.exp((most - mine) / 10))


def _strength(view: View, seat: int) -> float:
    player = view.players[str(seat)]
    if player.lost:
        return -100.0
    total = float(player.life) + 1.5 * player.hand_count
    for key in view.battlefield:
        thing = view.objects[key]
        if thing.controller == seat:
            power = thing.power if isinstance(thing.power, int) else 0
            toughness = thing.toughness if isinstance(thing.toughness, int) else 0
            total += 1 + 0.75 * (max(power, 0) + max(toughness, 0))
    return total
