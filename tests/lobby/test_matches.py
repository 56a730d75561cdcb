"""Decks between the games of a match: which exchanges with a sideboard leave a deck and a sideboard that are such."""

from __future__ import annotations

import pytest

from protocol.refusals import Code, Refusal
from protocol.rooms import Sideboard
from server.lobby.decks import Deck
from server.lobby.matches import exchanged
from tests.rules.play import BEAR, FOREST

DECK = Deck("mine", (FOREST,) * 61, (), (BEAR,) * 15)


@pytest.mark.rule("100.4a")
def test_no_more_than_fifteen_cards_are_left_in_a_sideboard() -> None:
    with pytest.raises(Refusal, match="at most 15") as refused:
        exchanged(DECK, Sideboard(id="s", main={FOREST.name: 60}))
    assert refused.value.code == Code.BAD_DECK
    after = exchanged(DECK, Sideboard(id="s", main={FOREST.name: 60, BEAR.name: 1}))
    assert (len(after.cards), len(after.sideboard)) == (61, 15)


@pytest.mark.rule("100.2a")
def test_a_main_deck_does_not_fall_below_sixty_cards() -> None:
    with pytest.raises(Refusal, match="at least 60"):
        exchanged(DECK, Sideboard(id="s", main={FOREST.name: 59}))
