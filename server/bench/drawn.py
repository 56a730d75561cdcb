"""Games of cards drawn at random from card lists: whatever counts as playable has to be played by somebody.

A list's playable cards are read once; each game draws its decks from them by its seed. `deal` begins a game as any other;
`board` with cards of every seat already in play, hands full and lands enough, so that even costly cards do something.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from server.bench.decks import any_land
from server.cards.forms import Card
from server.cards.grammar import parse_types
from server.oracle.importing import CardFile, Refused, read
from server.rules import Options, State
from server.rules.turn import setup

LANDS, SPELLS = 24, 36  # of a drawn deck
IN_PLAY, IN_HAND, LANDS_IN_PLAY = 5, 7, 8  # of a generated board, for each seat
PERMANENT = frozenset({"artifact", "creature", "enchantment", "land", "planeswalker"})


def playable(paths: Iterable[Path], having: str = "") -> tuple[Card, ...]:
    """Every card of the lists that can be played whole, by name, each once; only those whose abilities' texts have the word `having`.

    Raises OSError, and ListFault for a file that is no card list.
    """
    found: dict[str, Card] = {}
    for path in paths:
        for item in CardFile(path).items():
            card = None if isinstance(item, Refused) else read(item)
            if isinstance(card, Card) and (not having or any(having in ability.text for ability in card.abilities)):
                found.setdefault(card.name, card)
    return tuple(found[name] for name in sorted(found))


def drawn_decks(pool: tuple[Card, ...], seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    """For each seat 36 different cards of the pool and 24 lands for any colour, in an order drawn too."""
    chance = random.Random(f"drawn {seed}")
    decks: list[tuple[Card, ...]] = []
    for _ in range(seats):
        cards = [any_land()] * LANDS + chance.sample(pool, min(SPELLS, len(pool)))
        chance.shuffle(cards)
        decks.append(tuple(cards))
    return tuple(decks)


def board(decks: tuple[tuple[Card, ...], ...], seed: int, options: Options) -> State:
    """A game in which each seat has some of its deck's permanents and lands in play, seven in hand, the rest in its library."""
    names = tuple(f"P{seat}" for seat in range(len(decks)))
    state = setup.table(replace(options, seed=str(seed)), names)
    for seat, deck in enumerate(decks):
        entering, rest = _split(deck)
        for card in entering:
            state, _ = setup.enter(state, seat, card)
        for number, card in enumerate(rest):
            state, _ = setup.add(state, seat, "hand" if number < IN_HAND else "library", card)
    return setup.begin(state)[0]


def _split(deck: tuple[Card, ...]) -> tuple[list[Card], list[Card]]:
    """What of a deck begins in play, and what does not."""
    left = {"land": LANDS_IN_PLAY, "other": IN_PLAY}
    entering: list[Card] = []
    rest: list[Card] = []
    for card in deck:
        _, types, subtypes = parse_types(card.types)
        kind = "land" if "land" in types else "other"
        fit = PERMANENT.intersection(types) and "aura" not in {subtype.casefold() for subtype in subtypes}
        if fit and left[kind]:
            left[kind] -= 1
            entering.append(card)
        else:
            rest.append(card)
    return entering, rest
