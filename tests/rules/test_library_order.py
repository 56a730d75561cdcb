"""What is put in order for a library, also by a scry, is told from the top down, as the prompts say it (401.4, 701.18)."""

from __future__ import annotations

import pytest

from protocol.words import say
from server.cards.forms import Card
from server.cards.loading import Entry
from server.oracle.reading import read_card
from tests.rules.play import Game, creature

SCRY = "Scry 2."
FOLD = "Put all creatures on top of their owners' libraries."


def spell(text: str) -> Card:
    card = read_card(Entry("Spell", cost="{0}", types="Sorcery", text=text))
    assert isinstance(card, Card), card
    return card


@pytest.mark.rule("401.4")
def test_of_cards_put_on_top_the_one_said_first_is_uppermost() -> None:
    game = Game("AB")
    owl, fox = game.put("A", creature("Owl", 2, 2)), game.put("A", creature("Fox", 2, 2))
    fold = game.put("A", spell(FOLD), "hand")
    game.begin()
    game.cast("A", fold)
    game.resolve()
    assert game.asks == ("A", "library order")
    game.answer([fox, owl])
    top = [game.state.objects[i].definition.name for i in game.state.players[0].library[-2:]]
    assert top == ["Owl", "Fox"]
    assert "first" in say("ask.library_order", "en") and "première" in say("ask.library_order", "fr")


@pytest.mark.rule("701.18a")
def test_of_cards_that_stay_on_top_the_one_said_first_is_uppermost() -> None:
    game = Game("AB")
    scry = game.put("A", spell(SCRY), "hand")
    game.begin()
    library = game.state.players[0].library
    game.cast("A", scry)
    game.resolve()
    game.answer([])
    assert game.asks == ("A", "scry top")
    game.answer([library[-2], library[-1]])
    assert game.state.players[0].library[-1] == library[-2]
    assert "first" in say("ask.scry_top", "en") and "première" in say("ask.scry_top", "fr")
