"""What is put where others do not see it: which of several cards it was, or in which order they lie, is not in what they know."""

from __future__ import annotations

import pytest

from server.cards.forms import Card
from server.cards.loading import Entry
from server.knowledge.redacted import redact, write
from server.oracle.reading import read_card
from tests.rules.play import Game
from tests.rules.test_melding import table


def instant(text: str) -> Card:
    card = read_card(Entry("Spell", cost="{0}", types="Instant", text=text))
    assert isinstance(card, Card), card
    return card


BEAR = Card(name="Bear", types="Creature — Bear", power="2", toughness="2")
BOUNCE = instant("Return target creature to its owner's hand.")
PUT_BACK = instant("Target player puts a card from their hand on top of their library.")


def _put_back(name: str) -> Game:
    """A bear has come back to A's hand, where another card is, and the one or the other was put on top of A's library."""
    game = Game("AB", edition="current")
    bear = game.put("A", BEAR)
    game.put("A", Card(name="Stone", types="Artifact", cost="{9}"), "hand")
    bounce, back = game.put("B", BOUNCE, "hand"), game.put("B", PUT_BACK, "hand")
    game.begin()
    game.cast("B", bounce, bear)
    game.resolve()
    game.cast("B", back, "A")
    game.resolve()
    game.answer(next(i for i in game.state.players[0].hand if game.state.objects[i].definition.name == name))
    return game


def test_whether_what_came_back_to_a_hand_was_put_away_again_is_not_in_it() -> None:
    bear, stone = _put_back("Bear"), _put_back("Stone")
    assert write(redact(bear.state, 1)) == write(redact(stone.state, 1))
    assert write(redact(bear.state, 0)) != write(redact(stone.state, 0))


@pytest.mark.rule("current 712.21")
def test_nor_which_card_of_what_was_melded() -> None:
    games: list[Game] = []
    for name in ("Ash Piper", "Ash Singer"):
        game, choir, (bounce, back) = table(BOUNCE, PUT_BACK)
        game.cast("B", bounce, choir)
        game.resolve()
        game.cast("B", back, "A")
        game.resolve()
        game.answer(next(i for i in game.state.players[0].hand if game.state.objects[i].definition.name == name))
        games.append(game)
    assert write(redact(games[0].state, 1)) == write(redact(games[1].state, 1))


@pytest.mark.rule("current 712.21a")
@pytest.mark.parametrize("where", ["on top", "on the bottom"])
def test_nor_while_a_spell_still_resolves_how_they_lie_in_a_library(where: str) -> None:
    games: list[Game] = []
    for said in (["Ash Piper", "Ash Singer"], ["Ash Singer", "Ash Piper"]):
        game, choir, (fold,) = table(
            instant(f"Put target creature {where} of its owner's library. You may gain 1 life.")
        )
        game.cast("B", fold, choir)
        game.resolve()
        game.answer(said)
        assert game.asks == ("B", "may")
        games.append(game)
    assert write(redact(games[0].state, 1)) == write(redact(games[1].state, 1))
    assert write(redact(games[0].state, 0)) != write(redact(games[1].state, 0))
