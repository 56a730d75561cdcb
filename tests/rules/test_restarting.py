"""A game that is restarted, as it begins again with opening hands and mulligans (714)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun
from tests.rules.play import Game, creature

LEADER = Card(name="Old Warden", types="Legendary Creature — Human", cost="{G}", power="2", toughness="2")
RESTARTING = Card(
    name="Door of Hours",
    types="Artifact",
    cost="{9}",
    abilities=(
        forms.ActivatedAbility(cost=(), do=(forms.Move(what=Noun("target creature"), to="exile", link=True),)),
        forms.ActivatedAbility(
            cost=(),
            do=(
                forms.Restart(leaving=Noun("all non-Aura permanent cards exiled with {this}")),
                forms.Move(what=Noun("those cards"), to="battlefield"),
            ),
        ),
    ),
)


@pytest.mark.rule("714.5")
@pytest.mark.rule("903.8")
def test_what_was_left_in_exile_is_not_shuffled_into_a_library_with_what_mulligans_exiled() -> None:
    game = Game("AB", format="commander")
    game.put("A", LEADER, "command", commander=1)
    game.put("B", LEADER, "command", commander=2)
    door = game.put("A", RESTARTING)
    ox = game.put("B", creature("Ox", 2, 2))
    game.begin()
    game.cast("A", door, ox, ability=0)
    game.resolve()
    game.cast("A", door, ability=1)
    game.pass_until(purpose="mulligan")
    game.answer(True)
    game.answer(False)
    game.pass_until("upkeep")
    names = [game.state.objects[oid].definition.name for oid in game.state.battlefield]
    assert names == ["Ox"] and not game.state.exile
    assert len(game.state.players[0].hand) == 6
