"""A commander for which a color is chosen before the game (current 903.4b)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.decks.commander import faults
from server.cards.forms import Card
from server.cards.loading import Entry, chosen_colors
from server.cards.nouns import Noun
from server.oracle.reading import read_card
from server.rules import characteristics
from server.rules.characteristics import identity
from server.rules.model import COLOR_BITS, Options
from server.rules.turn import game
from tests.rules.play import Game, creature

TEXT = "If Reed Piper is your commander, choose a color before the game begins. Reed Piper is the chosen color."
READ = read_card(Entry("Reed Piper", cost="{0}", types="Legendary Creature — Elf", power="3", toughness="3", text=TEXT))
assert isinstance(READ, Card)
PIPER = READ
FOREST = Card(name="Forest", types="Basic Land — Forest")
ISLAND = Card(name="Island", types="Basic Land — Island")
AWAY = Card(
    name="Away",
    types="Instant",
    cost="{0}",
    abilities=(forms.SpellAbility(do=(forms.Move(what=Noun("target creature"), to="hand"),)),),
)

_TWIN = read_card(
    Entry("Twin", cost="{0}", types="Sorcery", text="Create a token that's a copy of target creature you control.")
)
assert isinstance(_TWIN, Card)
TWIN = _TWIN

pytestmark = pytest.mark.rule("current 903.4b")


def led(*deck: Card) -> Game:
    """A game as it begins, of which A has that deck and both the piper."""
    other = (FOREST,) * 9
    seats = tuple(game.Seat(name, cards, (PIPER,)) for name, cards in (("A", deck), ("B", other)))
    state, _ = game.start(Options(edition="current", format="commander", mulligans=False), seats, 0)
    played = Game("AB", library=0)
    played.state = state
    return played


def test_the_color_is_one_that_the_deck_shows() -> None:
    assert chosen_colors([PIPER], [PIPER, ISLAND, ISLAND, FOREST]) == ("U",)
    assert chosen_colors([PIPER], [PIPER]) == ("W",)
    assert chosen_colors([creature("Ox", 2, 2)], [ISLAND]) == ("",)


def test_of_two_that_lead_each_has_another_and_none_that_is_there_already() -> None:
    green = Card(name="Moss", types="Legendary Creature — Elf", cost="{G}")
    assert chosen_colors([PIPER, PIPER], [ISLAND, ISLAND, FOREST]) == ("U", "G")
    assert chosen_colors([green, PIPER], [FOREST, FOREST, ISLAND]) == ("", "U")


def test_a_deck_has_cards_of_that_color_and_of_no_other() -> None:
    cards = [(3, 1, PIPER), (4, 98, ISLAND)]
    assert faults([(1, PIPER)], [*cards, (5, 1, ISLAND)]) == []
    assert [at for at, _ in faults([(1, PIPER)], [*cards, (5, 1, FOREST)])] == [5]


def test_it_is_that_color_in_every_zone_and_its_color_identity_has_it() -> None:
    played = led(*(ISLAND,) * 9)
    mine = next(oid for oid in played.state.command if played.state.objects[oid].owner == 0)
    assert identity(played.state, 0) == COLOR_BITS["U"] and identity(played.state, 1) == COLOR_BITS["G"]
    assert characteristics(played.state, mine).colors == COLOR_BITS["U"]
    played.pass_until("precombat_main")
    played.cast("A", mine)
    played.resolve()
    assert played.zone(mine) == "battlefield" and played.chars(mine).colors == COLOR_BITS["U"]
    assert identity(played.state, 0) == COLOR_BITS["U"]


def test_no_color_is_chosen_for_one_that_leads_no_deck() -> None:
    played = Game("AB")
    piper = played.put("A", PIPER)
    played.begin()
    assert played.chars(piper).colors == 0


def test_a_copy_of_it_has_no_color() -> None:
    """Nothing was chosen for what copies it (707.2)."""
    played = led(*(TWIN, *(ISLAND,) * 6))
    mine = next(oid for oid in played.state.command if played.state.objects[oid].owner == 0)
    played.pass_until("precombat_main")
    played.cast("A", mine)
    played.resolve()
    twin = next(oid for oid in played.state.players[0].hand if played.object(oid).definition.name == "Twin")
    played.cast("A", twin)
    played.resolve()
    token = next(o for o in played.state.objects.values() if o.token and o.zone == "battlefield")
    assert played.chars(token.id).name == "Reed Piper" and played.chars(token.id).colors == 0


def test_it_keeps_the_color_as_it_goes_to_a_hand_and_is_cast_from_there() -> None:
    played = led(*(AWAY, *(ISLAND,) * 6))
    mine = next(oid for oid in played.state.command if played.state.objects[oid].owner == 0)
    played.pass_until("precombat_main")
    played.cast("A", mine)
    played.resolve()
    away = next(oid for oid in played.state.players[0].hand if played.object(oid).definition.name == "Away")
    played.cast("A", away, mine)
    played.resolve()
    if played.asks[1] != "priority":
        played.answer(False)  # it may go to the command zone instead (current 903.9b)
    assert played.zone(mine) == "hand" and played.chars(mine).colors == COLOR_BITS["U"]
    played.cast("A", mine)
    assert played.zone(mine) == "stack" and played.chars(mine).colors == COLOR_BITS["U"]
