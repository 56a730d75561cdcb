"""What is impossible is not offered: a "may" whose first instruction could not be followed asks nobody."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.cards.forms import Card
from tests.oracle.cards import creature, spell
from tests.rules.play import Game

BEAST = Card(name="Plain Beast", types="Creature — Beast", power="2", toughness="2")

Board = Callable[[Game], object]


def asked(text: str, board: Board | None = None) -> bool:
    """Whether A is offered what a sorcery with this text lets A do, on such a board."""
    card = spell(text, cost="{0}")
    assert isinstance(card, Card), card
    game = Game("AB")
    handle = game.put("A", card, "hand")
    if board is not None:
        board(game)
    game.begin()
    game.cast("A", handle)
    game.resolve()
    return ("A", "may") in [*game.asked, game.asks]


@pytest.mark.rule("608.2d")
@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("You may sacrifice a creature. If you do, draw a card.", lambda g: g.put("A", BEAST)),
        ("You may sacrifice two creatures. If you do, draw a card.", lambda g: g.put("A", BEAST, number=2)),
        ("You may tap an untapped creature you control. If you do, draw a card.", lambda g: g.put("A", BEAST)),
        ("You may destroy a creature. If you do, draw a card.", lambda g: g.put("B", BEAST)),
        (
            "You may exile a creature card from your graveyard. If you do, draw a card.",
            lambda g: g.put("A", BEAST, "graveyard"),
        ),
        ("You may discard a card. If you do, draw a card.", lambda g: g.put("A", BEAST, "hand")),
    ],
)
def test_what_can_be_done_is_offered_and_what_cannot_is_not(text: str, board: Board) -> None:
    """With just as much on the board as it takes, and with nothing there."""
    assert asked(text, board)
    assert not asked(text)


@pytest.mark.rule("608.2d")
def test_one_too_few_is_too_few() -> None:
    """Two must be sacrificed, and there is one, or the other is somebody else's."""
    text = "You may sacrifice two creatures. If you do, draw a card."
    assert not asked(text, lambda game: game.put("A", BEAST))
    assert not asked(text, lambda game: (game.put("A", BEAST), game.put("B", BEAST)))


@pytest.mark.rule("608.2d")
def test_a_hidden_hand_tells_nothing_by_what_is_offered() -> None:
    """Whether a hand has a creature card is its owner's secret: the offer is made in either case."""
    text = "You may put a creature card from your hand onto the battlefield."
    assert asked(text, lambda game: game.put("A", BEAST, "hand"))
    assert asked(text)


@pytest.mark.rule("608.2d")
def test_a_counter_that_is_not_there_cannot_be_removed() -> None:
    """The offer comes while there is one to remove."""
    card = creature("At the beginning of your end step, you may remove a +1/+1 counter from {this}.")
    assert isinstance(card, Card), card
    for counters in (0, 1):
        game = Game("AB")
        game.put("A", card, counters={"+1/+1": counters} if counters else {})
        game.begin(step="postcombat_main")
        game.pass_until("end_turn")
        game.resolve()
        assert (("A", "may") in [*game.asked, game.asks]) == bool(counters)
