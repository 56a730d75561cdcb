"""Keyword abilities about how permanents enter, stay, phase and leave, as played games."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import ColorsSpent, X
from tests.rules.keywords.cards import ISLAND, SWAMP, beast, word
from tests.rules.play import (
    BEAR,
    BOLT,
    FOREST,
    MOUNTAIN,
    PLAINS,
    Game,
    damage,
    enchantment,
    instant,
    noun,
    sorcery,
    tapping,
)

rule = pytest.mark.rule
WRATH = sorcery("Wrath", forms.Destroy(what=noun("all creatures")))
KILL = instant("Kill", forms.Destroy(what=noun("target creature")))
AURA = Card(name="Halo", types="Enchantment — Aura", cost="{0}", abilities=(word("enchant", quality="creature"),))
SWORD = Card(
    name="Sword",
    types="Artifact — Equipment",
    cost="{0}",
    abilities=(
        word("equip", cost="{0}"),
        forms.Continuous(what=noun("equipped creature"), mods=(forms.AddPT(power=2, toughness=0),)),
    ),
)


def upkeep(game: Game, who: str) -> None:
    """Goes on to that player's next upkeep, its abilities on the stack."""
    turn = game.state.turn.number
    while not (
        game.step == "upkeep"
        and game.state.turn.active == game.seat(who)
        and game.state.turn.number > turn
        and game.asks[1] == "priority"
    ):
        game.default()


# --- upkeep ------------------------------------------------------------------------------------------------------------------


@rule("702.22a")
def test_cumulative_upkeep_costs_more_each_time_and_all_of_it_or_nothing() -> None:
    game = Game()
    wall = game.put("A", beast(0, 7, word("cumulative upkeep", cost="{1}")))
    for _ in range(2):
        game.put("A", ISLAND)
    game.begin()
    for age in (1, 2):
        upkeep(game, "A")
        game.resolve()
        assert game.asks == ("A", "pay") and game.counters(wall, "age") == age
        game.answer(True)
        assert sum(game.object(i).tapped for i in game.state.battlefield if i != wall) == age
    upkeep(game, "A")
    game.resolve()  # three are due, two lands are there: not even asked
    assert game.zone(wall) == "graveyard"


@rule("702.22a")
def test_cumulative_upkeep_cannot_sacrifice_the_same_creature_twice() -> None:
    """The second example of 702.22a."""
    price = forms.SacrificeCost(what=noun("a creature"))
    game = Game()
    demon = game.put("A", enchantment("Pact", word("cumulative upkeep", cost=(price,))), counters={"age": 1})
    one, two = game.put("A", BEAR), game.put("A", BEAR)
    other = game.put("A", BEAR)
    game.begin(step="end_turn")
    upkeep(game, "A")
    game.resolve()
    game.answer(True)
    game.answer(one)
    assert one not in game.options()
    game.answer(two)
    assert game.zone(one) == game.zone(two) == "graveyard" and game.zone(other) == "battlefield"
    upkeep(game, "A")
    game.resolve()
    assert game.zone(demon) == "graveyard" and game.zone(other) == "battlefield"  # three are due, one is there


@rule("702.28a")
def test_echo_is_paid_once_after_it_came_under_control() -> None:
    game = Game("ABC")
    card = game.put("A", beast(3, 3, word("echo", cost="{1}")), "hand")
    game.put("A", ISLAND)
    game.begin()
    game.cast("A", card)
    game.resolve()
    upkeep(game, "A")
    game.resolve()
    game.answer(True)
    assert game.zone(card) == "battlefield"
    upkeep(game, "A")
    assert not game.state.stack


@rule("702.28a")
def test_echo_is_due_again_for_a_new_controller() -> None:
    steal = sorcery(
        "Steal", forms.Effect(what=noun("target creature"), mods=(forms.GainControl(),), duration="forever")
    )
    game = Game("AB")
    old = game.put("B", beast(3, 3, word("echo", cost="{5}")))
    card = game.put("A", steal, "hand")
    game.begin()
    game.cast("A", card, old)
    game.resolve()
    upkeep(game, "A")
    game.resolve()
    assert game.zone(old) == "graveyard"


@rule("702.30a")
@rule("702.61a")
def test_fading_and_vanishing_run_out_one_upkeep_apart() -> None:
    game = Game()
    fading = game.put("A", beast(2, 2, word("fading", number=1)), "hand")
    vanishing = game.put("A", beast(2, 2, word("vanishing", number=1)), "hand")
    game.begin()
    for card in (fading, vanishing):
        game.cast("A", card)
        game.resolve()
    assert game.counters(fading, "fade") == game.counters(vanishing, "time") == 1
    upkeep(game, "A")
    game.resolve_all()
    assert game.zone(fading) == "battlefield" and game.zone(vanishing) == "graveyard"
    upkeep(game, "A")
    game.resolve_all()
    assert game.zone(fading) == "graveyard"


# --- entering ------------------------------------------------------------------------------------------------------------------


@rule("702.36a")
def test_amplify_counts_revealed_cards_of_a_common_creature_type() -> None:
    goblin = {"types": "Creature — Goblin Wizard"}
    game = Game()
    card = game.put("A", beast(1, 1, word("amplify", number=2), **goblin), "hand")
    one = game.put("A", beast(1, 1, types="Creature — Goblin"), "hand")
    two = game.put("A", beast(1, 1, "changeling", types="Creature — Shapeshifter"), "hand")
    other = game.put("A", beast(1, 1, types="Creature — Elf"), "hand")
    game.begin()
    game.cast("A", card)
    game.resolve()
    assert set(game.options()) == {one, two} and other
    game.answer([one, two])
    assert game.size(card) == (5, 5)
    assert all(game.object(i).known == 3 for i in (one, two))


@rule("702.80a")
def test_devour_eats_what_is_there_as_it_enters() -> None:
    game = Game()
    card = game.put("A", beast(1, 1, word("devour", number=2)), "hand")
    food = [game.put("A", BEAR) for _ in range(3)]
    theirs = game.put("B", BEAR)
    game.begin()
    game.cast("A", card)
    game.resolve()
    assert theirs not in game.options()
    game.answer(food[:2])
    assert game.size(card) == (5, 5)
    assert [game.zone(i) for i in food] == ["graveyard", "graveyard", "battlefield"]


@rule("702.52a")
@rule("702.52b")
def test_bloodthirst_when_any_opponent_was_dealt_damage() -> None:
    game = Game("ABC")
    before = game.put("A", beast(1, 1, word("bloodthirst", number=2)), "hand")
    after = game.put("A", beast(1, 1, word("bloodthirst", number=2)), "hand")
    counting = game.put("A", beast(1, 1, word("bloodthirst", number=X())), "hand")
    own = game.put("A", instant("Ouch", damage(1, "you")), "hand")
    bolts = [game.put("A", BOLT, "hand") for _ in range(2)]
    game.begin()
    game.cast("A", own)
    game.resolve()
    game.cast("A", before)
    game.resolve()
    assert game.size(before) == (1, 1)
    for bolt, who in zip(bolts, "BC", strict=True):
        game.cast("A", bolt, who)
        game.resolve()
    for card in (after, counting):
        game.cast("A", card)
        game.resolve()
    assert game.size(after) == (3, 3) and game.size(counting) == (7, 7)


@rule("702.42a")
@rule("702.42c")
@pytest.mark.parametrize(
    ("card", "lands", "kind", "count"),
    [
        (beast(1, 1, "sunburst", types="Artifact Creature", cost="{3}"), (FOREST, ISLAND, SWAMP), "+1/+1", 3),
        (beast(1, 1, "sunburst", types="Artifact Creature", cost="{3}"), (PLAINS, PLAINS, SWAMP), "+1/+1", 2),
        (Card(name="Prism", types="Artifact", cost="{2}", keywords=("sunburst",)), (PLAINS, PLAINS), "charge", 1),
        (
            Card(name="Prism", types="Artifact", cost="{1}", keywords=("sunburst",)),
            (Card(name="Odd Well", types="Land", abilities=(tapping(forms.AddMana(mana="{C}")),)),),
            "charge",
            0,
        ),
        (
            beast(1, 1, word("modular", number=ColorsSpent()), types="Artifact Creature", cost="{2}"),
            (MOUNTAIN, FOREST),
            "+1/+1",
            2,
        ),
    ],
)
def test_sunburst_counts_colours_of_mana_spent(card: Card, lands: tuple[Card, ...], kind: str, count: int) -> None:
    game = Game()
    golem = game.put("A", card, "hand")
    for land in lands:
        game.put("A", land)
    game.begin()
    game.cast("A", golem)
    game.resolve()
    assert game.counters(golem, kind) == count


@rule("702.42b")
def test_sunburst_gives_nothing_to_what_was_not_cast() -> None:
    raise_it = sorcery("Raise", forms.Move(what=noun("target card in your graveyard"), to="battlefield"))
    game = Game()
    golem = game.put("A", beast(1, 1, "sunburst", types="Artifact Creature", cost="{3}"), "graveyard")
    card = game.put("A", raise_it, "hand")
    game.begin()
    game.cast("A", card, golem)
    game.resolve()
    assert game.size(golem) == (1, 1)


@rule("702.41a")
def test_modular_moves_its_counters_when_it_dies() -> None:
    golem = {"types": "Artifact Creature — Golem"}
    game = Game()
    card = game.put("A", beast(0, 0, word("modular", number=2), **golem), "hand")
    heir, kill = game.put("A", beast(1, 1, **golem)), game.put("A", KILL, "hand")
    game.begin()
    game.cast("A", card)
    game.resolve()
    assert game.size(card) == (2, 2)
    game.cast("A", kill, card)
    game.resolve()
    game.resolve()
    game.answer(True)
    assert game.size(heir) == (3, 3)


@rule("702.56a")
def test_graft_moves_a_counter_onto_any_creature_that_enters() -> None:
    game = Game("AB")
    plant = game.put("A", beast(0, 0, word("graft", number=2)), "hand")
    bear = game.put("A", BEAR, "hand")
    game.begin()
    game.cast("A", plant)
    game.resolve()
    assert game.counters(plant, "+1/+1") == 2 and not game.state.stack
    game.cast("A", bear)
    game.resolve()
    game.resolve()
    game.answer(True)
    assert (game.size(plant), game.size(bear)) == ((1, 1), (3, 3))


@rule("702.73a")
def test_hideaway_exiles_one_of_four_face_down_for_its_player_to_see() -> None:
    game = Game("AB", library=0)
    cards = [game.put("A", beast(i, i, name=f"Card {i}"), "library") for i in range(1, 7)]
    land = game.put("A", Card(name="Grotto", types="Land", keywords=("hideaway",)), "hand")
    game.begin()
    game.act("A", land)
    assert game.object(land).tapped
    game.resolve()
    assert game.asks == ("A", "pick") and set(game.options()) == set(cards[2:])
    game.answer(cards[3])
    while game.asks[1] != "priority":
        game.default()
    hidden = game.object(cards[3])
    assert hidden.zone == "exile" and hidden.face_down and hidden.known == 1
    library = game.state.players[0].library
    assert library[-2:] == tuple(cards[:2]) and len(library) == 5
    assert game.object(land).linked == (hidden.id,)


@rule("702.90a")
def test_living_weapon_brings_its_germ() -> None:
    blade = Card(
        name="Blade",
        types="Artifact — Equipment",
        cost="{0}",
        keywords=("living weapon",),
        abilities=(
            word("equip", cost="{1}"),
            forms.Continuous(what=noun("equipped creature"), mods=(forms.AddPT(power=2, toughness=2),)),
        ),
    )
    game = Game()
    card = game.put("A", blade, "hand")
    game.begin()
    game.cast("A", card)
    game.resolve_all()
    germ = game.object(card).attached_to
    assert game.size(germ) == (2, 2) and game.chars(germ).subtypes == {"Germ"} and game.object(germ).token


@rule("702.70a")
@rule("702.70b")
def test_champion_exiles_another_and_gives_it_back_to_its_owner() -> None:
    faerie = {"types": "Creature — Faerie"}
    game = Game()
    card = game.put("A", beast(5, 5, word("champion", quality="a Faerie"), **faerie), "hand")
    small, bear = game.put("B", beast(1, 1, **faerie), under="A"), game.put("A", BEAR)
    kill = game.put("A", KILL, "hand")
    game.begin()
    game.cast("A", card)
    game.resolve()
    game.resolve()
    game.answer(True)
    assert game.zone(small) == "exile" and game.zone(card) == "battlefield" and game.zone(bear) == "battlefield"
    game.cast("A", kill, card)
    game.resolve_all()
    assert game.zone(small) == "battlefield" and game.object(small).controller == 1


@rule("702.70a")
def test_champion_without_another_is_sacrificed() -> None:
    game = Game()
    card = game.put("A", beast(5, 5, word("champion", quality="creature")), "hand")
    game.begin()
    game.cast("A", card)
    game.resolve_all()
    assert game.zone(card) == "graveyard"


@rule("702.71a")
def test_a_changeling_is_every_creature_type_everywhere() -> None:
    lord = enchantment(
        "Banner", forms.Continuous(what=noun("Goblins you control"), mods=(forms.AddPT(power=1, toughness=1),))
    )
    game = Game()
    game.put("A", lord)
    shape = game.put("A", beast(1, 1, "changeling", types="Creature — Shapeshifter"))
    bear = game.put("A", BEAR)
    game.begin()
    assert game.size(shape) == (2, 2) and game.size(bear) == (2, 2)


# --- dying -------------------------------------------------------------------------------------------------------------------


@rule("702.77a")
def test_persist_and_undying_return_once_under_their_owners_control() -> None:
    game = Game("ABC")
    persist = game.put("B", beast(2, 2, "persist"), under="A")
    undying = game.put("C", beast(2, 2, "undying"))
    wraths = [game.put("A", WRATH, "hand") for _ in range(2)]
    game.begin()
    game.cast("A", wraths[0])
    game.resolve_all()
    assert game.size(persist) == (1, 1) and game.object(persist).controller == 1
    assert game.size(undying) == (3, 3)
    game.cast("A", wraths[1])
    game.resolve_all()
    assert game.zone(persist) == game.zone(undying) == "graveyard"


@rule("702.44a")
def test_soulshift_returns_a_cheaper_spirit() -> None:
    spirit = {"types": "Creature — Spirit"}
    game = Game()
    dying = game.put("A", beast(2, 2, word("soulshift", number=3), cost="{4}", **spirit))
    cheap = game.put("A", beast(1, 1, cost="{3}", **spirit), "graveyard")
    dear = game.put("A", beast(1, 1, cost="{4}", **spirit), "graveyard")
    other = game.put("A", beast(1, 1, cost="{1}"), "graveyard")
    kill = game.put("A", KILL, "hand")
    game.begin()
    game.cast("A", kill, dying)
    game.resolve()
    game.resolve()
    game.answer(True)
    assert game.zone(cheap) == "hand" and game.zone(dear) == game.zone(other) == "graveyard"


@rule("702.53a")
@rule("702.53b")
@rule("702.53c")
def test_haunt_of_a_creature_and_the_death_of_what_it_haunts() -> None:
    drain = forms.TriggeredAbility(
        when=(
            forms.Pattern(
                event="zone change", subject=noun("the creature it haunts"), from_="battlefield", to="graveyard"
            ),
        ),
        do=(forms.LoseLife(amount=3, who=noun("each opponent")),),
        zone="exile",
    )
    game = Game("ABC")
    ghost = game.put("A", beast(1, 1, "haunt", drain, name="Ghost"))
    host, other = game.put("C", BEAR), game.put("B", BEAR)
    kills = [game.put("A", KILL, "hand") for _ in range(3)]
    game.begin()
    game.cast("A", kills[0], ghost)
    game.resolve()
    game.answer(host)
    game.resolve()
    assert game.zone(ghost) == "exile"
    game.cast("A", kills[1], other)
    game.resolve_all()
    assert game.life("B") == 20
    game.cast("A", kills[2], host)
    game.resolve_all()
    assert (game.life("B"), game.life("C")) == (17, 17)


@rule("702.53a")
def test_haunt_of_a_spell_that_resolves_but_not_of_one_that_is_countered() -> None:
    ping = instant("Whisper", forms.GainLife(amount=1), keywords=("haunt",))
    negate = instant("Plain Refusal", forms.CounterSpell(what=noun("target spell")))
    game = Game()
    one, two = game.put("A", ping, "hand"), game.put("A", ping, "hand")
    counter = game.put("B", negate, "hand")
    host, _ = game.put("B", BEAR), game.put("B", BEAR)
    game.begin()
    game.cast("A", one)
    game.resolve()
    game.answer(host)
    game.resolve()
    assert game.zone(one) == "exile" and dict(game.object(one).chosen)["creature"] == str(host)
    game.cast("A", two)
    game.cast("B", counter, two)
    game.resolve_all()
    assert game.zone(two) == "graveyard"


@rule("702.87a")
def test_totem_armor_is_destroyed_instead() -> None:
    armor = Card(
        name="Mantle",
        types="Enchantment — Aura",
        cost="{0}",
        keywords=("totem armor",),
        abilities=(word("enchant", quality="creature"),),
    )
    game = Game()
    bear, mantle = game.put("A", BEAR), game.put("A", armor)
    game.attach(mantle, bear)
    bolts = [game.put("A", BOLT, "hand") for _ in range(2)]
    game.begin()
    game.cast("A", bolts[0], bear)
    game.resolve_all()
    assert game.zone(bear) == "battlefield" and game.damage(bear) == 0 and game.zone(mantle) == "graveyard"
    assert not game.object(bear).tapped  # no regeneration
    game.cast("A", bolts[1], bear)
    game.resolve_all()
    assert game.zone(bear) == "graveyard"
