"""A whole game out of what a seat knows: the cards that it does not know dealt from what it believes of the decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from server.knowledge.redacted import HIDDEN_ZONES, Redacted, unknown
from server.rules import Illegal, go_on, legal, submit
from server.rules.happenings import games_around
from server.rules.model import Definition, Object, Player, State, Struct, changed, commander_number


class Belief(Struct):
    """Of which cards a deck is made, and what leads it (903.3), as far as it is known or believed."""

    deck: tuple[Definition, ...]
    commanders: tuple[Definition, ...] = ()


class NoDeal(Exception):
    """The deal does not lead to where the seat stands: it is asked something else there. Another deal may."""


def determinize(known: Redacted, beliefs: Sequence[Belief], chance: legal.Chance) -> State:
    """A game that the seat could be in: what it knows is as it knows it, the rest is drawn. `beliefs` are by seats.

    What others have answered in the step under way is drawn, too. Raises NoDeal.
    """
    state = _Deal(known, beliefs, chance).made()
    state = go_on(state) if state.result is None else state
    for answer in known.answered:
        if state.pending is None:
            raise NoDeal
        if answer is not None and known.seat not in (state.pending.seat, state.pending.whose):
            raise NoDeal
        given = legal.sample(state.pending, state, chance) if answer is None else answer
        try:
            state, _ = submit(state, state.pending.seat, given)
        except Illegal as fault:
            raise NoDeal from fault
    asked, open_ = known.question, state.pending
    if asked is not None and (open_ is None or open_.seat != known.seat or type(open_) is not type(asked)):
        raise NoDeal
    return state


class _Deal:
    """`_games` are the game and those that wait for it to end (715), the nearest first: a deck is spread over them."""

    def __init__(self, known: Redacted, beliefs: Sequence[Belief], chance: legal.Chance) -> None:
        self._games = (known.state, *games_around(known.state))
        self._tops = known.tops
        self._beliefs = beliefs
        self._chance = chance

    def made(self) -> State:
        """The state with a card for each that is unknown, and libraries in an order."""
        state = self._games[0]
        dealt = [dict(game.objects) for game in self._games]
        for player in state.players:
            self._deal_to(player.seat, dealt)
        seed = f"{self._chance.randrange(1 << 64):x}"
        main: State | None = None
        for game, objects in zip(reversed(self._games), reversed(dealt), strict=True):
            options = replace(game.options, seed=seed)
            main = replace(game, objects=objects, options=options, main=main, memo={})
        assert main is not None
        return replace(main, players=tuple(self._shuffled(player) for player in state.players))

    def _deal_to(self, seat: int, dealt: list[dict[int, Object]]) -> None:
        missing = [
            (objects, thing)
            for objects in dealt
            for thing in objects.values()
            if thing.owner == seat and thing.definition is unknown()
        ]
        if not missing:
            return
        belief = self._beliefs[seat]
        seen = [thing for objects in dealt for thing in objects.values()]
        numbers = self._leaders_unseen(seat, belief, seen)
        cards = self._left_of(seat, belief, seen, len(missing) - len(numbers))
        given = [*((card, number) for number, card in numbers), *((card, 0) for card in cards)]
        # A commander that nobody sees is in a hand or a library.
        missing.sort(key=lambda place: place[1].zone not in HIDDEN_ZONES)
        places = list(range(len(missing)))
        self._chance.shuffle(places)
        hidden = [n for n in places if missing[n][1].zone in HIDDEN_ZONES]
        places = [*hidden[: len(numbers)], *(n for n in places if n not in hidden[: len(numbers)])]
        for place, (card, number) in zip(places, given, strict=True):
            objects, thing = missing[place]
            objects[thing.id] = changed(thing, definition=card, commander=number or thing.commander)

    def _leaders_unseen(
        self, seat: int, belief: Belief, objects: Sequence[Object]
    ) -> tuple[tuple[int, Definition], ...]:
        seen = {thing.commander for thing in objects}
        count = len(self._games[0].players)
        numbers = ((commander_number(seat, index, count), card) for index, card in enumerate(belief.commanders))
        return tuple((number, card) for number, card in numbers if number not in seen)

    def _left_of(self, seat: int, belief: Belief, objects: Sequence[Object], wanted: int) -> list[Definition]:
        """So many of the cards that are believed to be in the deck and have not been seen; some twice if they are too few."""
        seen = Counter(
            card_of(thing).name
            for thing in objects
            if thing.owner == seat and not thing.token and not thing.commander and thing.definition is not unknown()
        )
        left: list[Definition] = []
        for card in belief.deck:
            if seen[card.name]:
                seen[card.name] -= 1
            else:
                left.append(card)
        places = list(range(len(left)))
        self._chance.shuffle(places)
        more = (belief.deck[self._chance.randrange(len(belief.deck))] for _ in range(wanted - len(left)))
        return [*(left[n] for n in places[:wanted]), *more]

    def _shuffled(self, player: Player) -> Player:
        """The library in some order; what the seat knows to lie on top stays there."""
        mixed = len(player.library) - self._tops[player.seat]
        rest = list(player.library[:mixed])
        self._chance.shuffle(rest)
        return replace(player, library=(*rest, *player.library[mixed:]))


def is_known(thing: Object) -> bool:
    """Whether it is known which card it is."""
    return thing.definition is not unknown()


def card_of(thing: Object) -> Definition:
    """The card that an object is in every zone."""
    printed = thing.printed or thing.definition
    return printed.whole or printed
