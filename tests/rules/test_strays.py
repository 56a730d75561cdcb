"""Tokens that are elsewhere than on the battlefield cease to exist, wherever they went (704.5d)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.rules.model import questions as q
from tests.oracle.cards import permanent, spell
from tests.rules.play import Game, creature, instant, noun


@pytest.mark.rule("704.5d")
def test_a_token_that_is_shuffled_into_a_library_is_gone_like_any_other() -> None:
    # Shuffling gives every card in the library a new id, so that nobody can follow one through it; the token too.
    fold = instant("Fold Away", forms.Move(what=noun("target creature"), to="library", shuffle=True))
    game = Game("AB")
    moth = game.put("A", creature("Moth", 1, 1), token=True)
    spell = game.put("A", fold, "hand")
    before = len(game.state.players[0].library)
    game.begin()
    game.cast("A", spell, moth)
    game.resolve()
    assert game.zone(moth) != "battlefield"
    assert len(game.state.players[0].library) == before
    assert not any(o.token for o in game.state.objects.values())


@pytest.mark.rule("704.5d")
def test_a_token_that_is_exiled_instead_of_being_put_onto_the_battlefield_is_gone() -> None:
    """Its copy begins in exile, where no token stays."""
    spawn = permanent("If Testbeast would enter and it wasn't cast or no mana was spent to cast it, exile it instead.")
    mirror = spell("Create a token that's a copy of target creature you control.", cost="{0}")
    assert isinstance(spawn, Card) and isinstance(mirror, Card)
    game = Game("AB")
    beast = game.put("A", spawn)
    copying = game.put("A", mirror, "hand")
    game.begin()
    game.cast("A", copying, beast)
    game.resolve()
    assert not game.state.exile and not any(o.token for o in game.state.objects.values())


@pytest.mark.rule("614.6")
@pytest.mark.parametrize("first", [0, 1])
def test_what_does_not_enter_after_all_is_not_tapped_where_it_is_put_instead(first: int) -> None:
    """Whichever of the two effects its controller lets apply first."""
    turned_away = permanent(
        "If Testbeast would enter and it wasn't cast or no mana was spent to cast it, exile it instead."
    )
    slow = permanent("Creatures enter tapped.", types="Enchantment", name="Slow Gate")
    back = spell("Return target creature card from your graveyard to the battlefield.", cost="{0}")
    assert isinstance(turned_away, Card) and isinstance(slow, Card) and isinstance(back, Card)
    game = Game("AB")
    game.put("A", slow)
    beast = game.put("A", turned_away, "graveyard")
    returning = game.put("A", back, "hand")
    game.begin()
    game.cast("A", returning, beast)
    game.resolve()
    assert game.asks == ("A", "replacement")
    game.submit(q.Pick((first,)))
    assert game.zone(beast) == "exile" and not game.object(beast).tapped
