"""A commander for which a color is chosen before the game (current 903.4b)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.cards import forms
from server.cards.decks.commander import faults
from server.cards.forms import Card
from server.cards.loading import Entry, chosen_colors
from server.cards.nouns import Noun
from server.oracle.reading import read_card
from server.rules import characteristics
from server.rules.characteristics import identity
from server.rules.happenings import restarted
from server.rules.model import COLOR_BITS, Options, events, player_ref
from server.rules.turn import game
from tests.rules.play import Game, creature
from tests.rules.test_restarting import ANEW
from tests.rules.test_subgames import TALE

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


def spell(name: str, text: str) -> Card:
    found = read_card(Entry(name, cost="{0}", types="Sorcery", text=text))
    assert isinstance(found, Card)
    return found


SLAY = spell("Slay", "Destroy target creature.")
BACK = spell("Back", "Return target creature card from your graveyard to the battlefield.")
_OTTER = read_card(
    Entry("Glass Otter", cost="{0}", types="Creature — Otter", power="5", toughness="5", text="Mutate {0}")
)
assert isinstance(_OTTER, Card)
OTTER = _OTTER
_TWIN = read_card(
    Entry("Twin", cost="{0}", types="Sorcery", text="Create a token that's a copy of target creature you control.")
)
assert isinstance(_TWIN, Card)
TWIN = _TWIN


def led(*deck: Card, by: Card = PIPER) -> Game:
    """A game as it begins, of which A has that deck and both the piper, or A another commander."""
    seats = (game.Seat("A", deck, (by,)), game.Seat("B", (FOREST,) * 9, (PIPER,)))
    state, _ = game.start(Options(edition="current", format="commander", mulligans=False), seats, 0)
    played = Game("AB", library=0)
    played.state = state
    return played


@pytest.mark.rule("current 903.4b")
def test_the_color_is_one_that_the_deck_shows() -> None:
    assert chosen_colors([PIPER], [PIPER, ISLAND, ISLAND, FOREST]) == ("U",)
    assert chosen_colors([PIPER], [PIPER]) == ("W",)
    assert chosen_colors([creature("Ox", 2, 2)], [ISLAND]) == ("",)


@pytest.mark.rule("current 903.4b")
def test_of_two_that_lead_each_has_another_and_none_that_is_there_already() -> None:
    green = Card(name="Moss", types="Legendary Creature — Elf", cost="{G}")
    assert chosen_colors([PIPER, PIPER], [ISLAND, ISLAND, FOREST]) == ("U", "G")
    assert chosen_colors([green, PIPER], [FOREST, FOREST, ISLAND]) == ("", "U")


@pytest.mark.rule("current 903.4b")
def test_a_deck_has_cards_of_that_color_and_of_no_other() -> None:
    cards = [(3, 1, PIPER), (4, 98, ISLAND)]
    assert faults([(1, PIPER)], [*cards, (5, 1, ISLAND)]) == []
    assert [at for at, _ in faults([(1, PIPER)], [*cards, (5, 1, FOREST)])] == [5]


@pytest.mark.rule("current 903.4b")
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


@pytest.mark.rule("current 903.4b")
def test_no_color_is_chosen_for_one_that_leads_no_deck() -> None:
    played = Game("AB")
    piper = played.put("A", PIPER)
    played.begin()
    assert played.chars(piper).colors == 0


@pytest.mark.rule("current 903.4b")
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


@pytest.mark.rule("current 903.4b")
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


def hand(played: Game, name: str) -> int:
    """A card of A's hand."""
    return next(oid for oid in played.state.players[0].hand if played.object(oid).definition.name == name)


def on_the_battlefield(*deck: Card, by: Card = PIPER) -> tuple[Game, int]:
    """A has that deck, and has cast its commander."""
    played = led(*deck, *(ISLAND,) * (7 - len(deck)), by=by)
    mine = next(oid for oid in played.state.command if played.state.objects[oid].owner == 0)
    played.pass_until("precombat_main")
    played.cast("A", mine)
    played.resolve()
    return played, mine


@pytest.mark.rule("current 903.4b")
@pytest.mark.rule("current 903.9a")
def test_that_it_was_left_in_a_graveyard_is_forgotten_as_it_changes_zones() -> None:
    played, mine = on_the_battlefield(SLAY, SLAY, BACK)
    played.cast("A", hand(played, "Slay"), mine)
    played.resolve()
    played.answer(False)
    assert played.zone(mine) == "graveyard"
    played.cast("A", hand(played, "Back"), mine)
    played.resolve()
    played.cast("A", hand(played, "Slay"), mine)
    played.resolve()
    assert played.asks == ("A", "commander to the command zone")
    played.answer(True)
    assert played.zone(mine) == "command" and played.chars(mine).colors == COLOR_BITS["U"]


@pytest.mark.rule("current 903.4b")
@pytest.mark.parametrize("first", [0, 1], ids=["put first", "put second"])
def test_it_keeps_the_color_under_what_has_merged_with_it(first: int) -> None:
    played, mine = on_the_battlefield(OTTER, SLAY)
    played.cast("A", hand(played, "Glass Otter"), mine, way="mutate")
    played.resolve()
    played.answer(False)
    assert len(played.object(mine).merged) == 2 and identity(played.state, 0) == COLOR_BITS["U"]
    played.cast("A", hand(played, "Slay"), mine)
    played.resolve()
    order = ["Reed Piper", "Glass Otter"]
    played.answer([order[first], order[1 - first]])
    assert played.asks == ("A", "commander to the command zone")
    played.answer(True)
    (leading,) = (o for o in played.state.objects.values() if o.commander == 1)
    assert leading.zone == "command" and characteristics(played.state, leading.id).colors == COLOR_BITS["U"]


@pytest.mark.rule("current 903.4b")
@pytest.mark.rule("current 728.2c")
@pytest.mark.parametrize("card", [TALE, ANEW], ids=["subgame", "restart"])
def test_it_keeps_the_color_in_a_subgame_and_in_a_game_that_is_restarted(card: Card) -> None:
    played = led(*(card, *(ISLAND,) * 8))
    played.pass_until("precombat_main")
    played.cast("A", hand(played, card.name))
    played.resolve()
    mine = next(oid for oid in played.state.command if played.state.objects[oid].owner == 0)
    assert characteristics(played.state, mine).colors == COLOR_BITS["U"] == identity(played.state, 0)


FOX = read_card(
    Entry(
        "Fog Fox",
        cost="{U}",
        types="Legendary Creature — Fox",
        power="0",
        toughness="4",
        text="You may have Fog Fox enter as a copy of any creature on the battlefield.",
    )
)


@pytest.mark.rule("current 903.4a")
def test_one_that_enters_as_a_copy_keeps_the_identity_of_its_own_card() -> None:
    assert isinstance(FOX, Card)
    played = led(*(ISLAND,) * 7, by=FOX)
    played.put("B", Card(name="Red Ogre", types="Creature — Ogre", cost="{R}", power="3", toughness="3"))
    played.put("A", ISLAND)
    mine = next(oid for oid in played.state.command if played.state.objects[oid].owner == 0)
    played.pass_until("precombat_main")
    played.cast("A", mine)
    played.resolve()
    played.answer(True)
    assert played.chars(mine).colors == COLOR_BITS["R"] and played.chars(mine).name == "Red Ogre"
    assert identity(played.state, 0) == COLOR_BITS["U"]


@pytest.mark.rule("current 903.4b")
@pytest.mark.rule("current 726.5a")
def test_it_keeps_the_color_where_it_is_left_in_exile_as_the_game_is_restarted() -> None:
    state = led(*(ISLAND,) * 9).state
    mine, other = sorted(state.command, key=lambda oid: state.objects[oid].owner)
    exiled = {**state.objects, mine: replace(state.objects[mine], zone="exile")}
    state = replace(state, objects=exiled, command=(other,), exile=(mine,), memo={})
    again = restarted(state, events.Restarts(subject=player_ref(0), objects=(mine,)))
    assert characteristics(again, mine).colors == COLOR_BITS["U"] == identity(again, 0)
