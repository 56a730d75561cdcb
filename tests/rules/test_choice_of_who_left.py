"""A target of the choice of a player who has left the game meanwhile (800.4e)."""

from __future__ import annotations

import pytest

from server.cards.forms import Card
from server.cards.loading import Entry
from server.oracle.reading import read_card
from tests.rules.play import Game, creature


def card(name: str, types: str, text: str) -> Card:
    found = read_card(Entry(name, cost="{0}", types=types, text=text))
    assert isinstance(found, Card)
    return found


WATCH = [
    card(name, "Enchantment", "Whenever an opponent gains life, destroy target creature of that player's choice.")
    for name in ("Left Watch", "Right Watch")
]
REST = card("Rest", "Instant", "You gain 2 life.")


def gone(seats: str) -> Game:
    """B gains life, A is asked for the order of both triggers, and B is gone before the first has its target."""
    played = Game(seats, edition="current")
    for one in WATCH:
        played.put("A", one)
    for seat in seats:
        played.put(seat, creature("Ox", 2, 2))
        played.put(seat, creature("Cow", 2, 2))
    rest = played.put("B", REST, "hand")
    played.begin("B")
    played.cast("B", rest)
    played.resolve()
    assert played.asks == ("A", "trigger order")
    played.concede("B")
    played.default()
    return played


@pytest.mark.rule("800.4e")
def test_the_controller_says_which_other_opponent_chooses() -> None:
    played = gone("ABCD")
    assert played.asks == ("A", "player") and set(played.options()) == {"C", "D"}
    played.answer("D")
    assert played.asks == ("D", "target")


@pytest.mark.rule("800.4e")
def test_where_one_opponent_is_left_that_one_chooses() -> None:
    assert gone("ABC").asks == ("C", "target")
