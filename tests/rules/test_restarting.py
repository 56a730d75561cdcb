"""A game that is restarted, as it begins again with opening hands and mulligans (714)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun
from tests.rules.play import Game, creature
from tests.rules.test_subgames import TALE

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


ANEW = Card(
    name="Anew",
    types="Instant",
    cost="{0}",
    abilities=(forms.SpellAbility(do=(forms.Restart(leaving=Noun("all cards exiled with {this}")),)),),
)


@pytest.mark.rule("714.6")
@pytest.mark.rule("715.5")
def test_a_subgame_that_is_restarted_is_still_one_and_its_winner_that_of_the_new_one() -> None:
    game = Game("AB", library=0, mulligans=False)
    for who in "AB":
        game.put(who, ANEW, "library", number=20)
    tale = game.put("A", TALE, "hand")
    game.begin()
    game.cast("A", tale)
    game.resolve()
    game.pass_until("upkeep")
    seat = game.question.seat
    game.cast(game.letters[seat], game.state.players[seat].hand[0])
    game.resolve()
    game.pass_until("upkeep")
    assert game.state.main is not None and [len(p.hand) + len(p.library) for p in game.state.players] == [20, 20]
    game.concede("B")
    assert game.state.main is None and (game.life("A"), game.life("B")) == (20, 17)
    assert [len(p.library) for p in game.state.players] == [20, 20]


@pytest.mark.rule("800.1")
@pytest.mark.rule("103.7a")
def test_of_three_two_begin_a_game_of_two_in_which_the_first_draw_is_skipped() -> None:
    game = Game("ABC", library=9, mulligans=False)
    anew = game.put("A", ANEW, "hand")
    game.begin()
    game.concede("C")
    game.cast("A", anew)
    game.resolve()
    game.pass_until("draw")
    assert [len(p.hand) for p in game.state.players] == [7, 7, 0]
