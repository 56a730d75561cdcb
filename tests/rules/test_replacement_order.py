"""In which order replacement effects are chosen (616.1): its own first, then control, then copies, then whichever is liked."""

from __future__ import annotations

import pytest

from server.cards import forms
from tests.rules.play import Game, creature, enchantment, instant, noun

ENTERING = forms.Pattern(event="zone change", subject=noun("{this}"), to="battlefield")
YOURS = forms.Pattern(event="zone change", subject=noun("a creature you control"), to="battlefield")
COUNTER = forms.Replacement(event=YOURS, rewrite=(forms.EnterWith(counter="+1/+1"),))


def questions(game: Game) -> list[str]:
    return [purpose for _, purpose in game.asked]


@pytest.mark.rule("616.1a")
def test_what_a_spell_replaces_of_itself_comes_first() -> None:
    doubled = forms.Replacement(
        event=forms.Pattern(event="damage", subject=noun("{this}")),
        rewrite=(forms.Scale(times=2),),
        self_replacement=True,
    )
    blast = instant(
        "Kindled Blast",
        forms.Shield(effect=doubled, duration="end of turn"),
        forms.Damage(amount=3, to=noun("target player")),
    )
    to_you = forms.Pattern(event="damage", object=noun("you"))
    ward = forms.Replacement(event=to_you, rewrite=(forms.Prevent(amount=1),))
    game = Game("AB")
    game.put("B", enchantment("Thin Ward", ward))
    spell = game.put("A", blast, "hand")
    game.begin()
    game.cast("A", spell, "B")
    game.resolve()
    assert game.life("B") == 20 - (2 * 3 - 1)
    assert "replacement" not in questions(game)


@pytest.mark.rule("616.1b")
def test_under_whose_control_comes_before_what_looks_at_the_controller() -> None:
    under = forms.Replacement(event=ENTERING, rewrite=(forms.EnterUnder(control=noun("an opponent")),))
    game = Game("ABC")
    game.put("A", enchantment("Green Mustering", COUNTER))
    turncoat = game.put("A", creature("Turncoat", 2, 2, abilities=(under,)), "hand")
    game.begin()
    game.cast("A", turncoat)
    game.pass_until(purpose="player")
    assert game.options() == ["B", "C"]
    game.answer("C")
    assert game.object(turncoat).controller == game.seat("C")
    assert game.size(turncoat) == (2, 2)
    assert "replacement" not in questions(game)


@pytest.mark.rule("616.1c")
def test_what_it_enters_as_a_copy_of_comes_before_the_rest() -> None:
    copy = forms.Replacement(event=ENTERING, rewrite=(forms.EnterWith(copy=noun("a creature")),))
    game = Game("AB")
    game.put("A", enchantment("Green Mustering", COUNTER))
    game.put("B", creature("Old Boar", 3, 3))
    mimic = game.put("A", creature("Plain Mimic", 0, 0, abilities=(copy,)), "hand")
    game.begin()
    game.cast("A", mimic)
    game.resolve()
    assert game.chars(mimic).name == "Old Boar"
    assert game.size(mimic) == (4, 4)
    assert "replacement" not in questions(game)
