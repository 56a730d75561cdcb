"""Printed keyword lines as cards of a list have them: what is read, and that it plays."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.keywords import EXPANSIONS, expand
from server.cards.loading import READ_KEYWORDS, Entry, Unread, faults, read_entry
from server.cards.loading.built import PLAIN_NUMBER
from server.cards.nouns import Count, Noun
from tests.rules.play import ALDRIC, BEAR, BOLT, Game, creature, damage, instant, noun

rule = pytest.mark.rule
LINES = [
    "Banding", "Bands with other legendary creatures", "Rampage 2", "Cumulative upkeep {1}", "Cumulative upkeep—Pay 2 life.",
    "Flanking", "Phasing", "Shadow", "Cycling {2}", "Basic landcycling {1}{R}", "Wizardcycling {3}", "Plainscycling {2}",
    "Echo {3}{R}", "Echo—Discard a card.", "Horsemanship", "Fading 3", "Fear", "Amplify 1", "Provoke", "Modular 2",
    "Modular—Sunburst", "Sunburst", "Bushido 1", "Soulshift 4", "Ninjutsu {1}{U}", "Dredge 2", "Transmute {1}{U}{U}",
    "Bloodthirst 3", "Haunt", "Graft 1", "Recover {B}", "Ripple 4", "Vanishing 3", "Absorb 1", "Frenzy 1", "Poisonous 1",
    "Transfigure {1}{B}{B}", "Champion a Faerie", "Champion a creature", "Changeling", "Hideaway", "Reinforce 2—{1}{G}",
    "Persist", "Wither", "Devour 2", "Exalted", "Unearth {2}{B}", "Annihilator 2", "Level up {4}", "Infect", "Battle cry",
    "Undying", "Indestructible", "Menace", "Prowess", "Ward {2}", "Ward—Pay 3 life.", "Toxic 1", "Nonbasic landwalk",
    "Snow swampwalk", "Legendary landwalk", "Protection from all colors", "Protection from everything",
    "Protection from artifacts", "First strike, haste", "Flash",
]  # fmt: skip


@pytest.mark.parametrize("text", LINES)
def test_a_creature_with_this_line_is_read_and_defined(text: str) -> None:
    card = read_entry(Entry("Test", "{1}{R}", "Creature — Human Wizard", text, "2", "2"))
    assert not isinstance(card, Unread), card
    game = Game("ABC")
    thing = game.put("A", card, "hand")
    game.put("B", card)
    for _ in range(3):
        game.put("A", forms.Card(name="Mountain", types="Basic Land — Mountain"))
    game.begin()
    game.act("A", thing)
    for _ in range(400):
        if game.state.result is not None or game.state.turn.number > 9:
            return
        game.default()


def test_every_expansion_keeps_the_keyword_ability_first() -> None:
    for word in EXPANSIONS:
        ability = forms.KeywordAbility(
            keyword=word, number=2, cost=(forms.ManaCost(mana="{1}"),), quality=forms.Noun("artifact")
        )
        expanded = expand(ability)
        assert expanded[0] is ability and len(expanded) > 1, word


def test_every_number_of_a_keyword_may_be_an_amount_or_is_refused() -> None:
    count = Count(of=Noun("Spirits you control"))
    for word, takes in READ_KEYWORDS.items():
        if "number" in takes and word in EXPANSIONS:
            ability = forms.KeywordAbility(keyword=word, number=count, cost=(forms.ManaCost(mana="{1}"),))
            if word in PLAIN_NUMBER:
                card = forms.Card(name="Test", types="Creature — Human", power="1", toughness="1", abilities=(ability,))
                assert any("plain number" in fault.why for fault in faults(card)), word
            else:
                assert len(expand(ability)) > 1, word


@rule("702.15h")
def test_protection_from_all_colors_is_five_abilities() -> None:
    card = read_entry(Entry("Prism", "{W}", "Creature — Human", "Protection from all colors", "2", "2"))
    assert not isinstance(card, Unread)
    assert len(card.abilities) == 5
    game = Game()
    safe = game.put("B", card)
    red, none = game.put("A", BOLT, "hand"), game.put("A", instant("Plain Zap", damage(1, "target creature")), "hand")
    game.put("B", BEAR)
    game.begin()
    game.act("A", red)
    assert safe not in game.options()
    game.answer("B")
    game.act("A", none)
    assert safe in game.options()


@rule("702.5a")
def test_enchant_player_follows_the_player_and_leaves_with_that_player() -> None:
    curse = forms.Card(
        name="Curse",
        types="Enchantment — Aura",
        cost="{0}",
        abilities=(
            forms.KeywordAbility(keyword="enchant", quality=noun("player")),
            forms.TriggeredAbility(
                when=(forms.Pattern(event="step", step="upkeep", whose=noun("enchanted player")),),
                do=(damage(1, "enchanted player"),),
            ),
        ),
    )
    game = Game("ABC")
    card = game.put("A", curse, "hand")
    game.begin()
    game.cast("A", card, "C")
    game.resolve()
    assert game.object(card).attached_to == game.ref("C")
    while game.state.turn.active != 2 or game.step != "draw":
        game.default()
    assert (game.life("B"), game.life("C")) == (20, 19)
    game.concede("C")
    assert game.zone(card) == "graveyard"


@rule("702.8a")
def test_flash_in_another_players_turn() -> None:
    game = Game("ABC")
    quick, slow = game.put("C", creature("Quick", 1, 1, "flash"), "hand"), game.put("C", BEAR, "hand")
    game.begin()
    game.pass_to("C")
    assert game.can("C", quick) and not game.can("C", slow)


@rule("702.14c")
@rule("702.88d")
def test_damage_of_a_source_that_has_left_has_its_last_known_keywords() -> None:
    spit = forms.ActivatedAbility(cost=(forms.SacrificeCost(what=noun("{this}")),), do=(damage(3, "target player"),))
    game = Game("ABC")
    leech = game.put("A", creature("Leech", 1, 1, "lifelink", "infect", abilities=(spit,)))
    game.begin()
    game.activate("A", leech, "C")
    game.resolve()
    assert (game.life("A"), game.life("C"), game.counters("C", "poison")) == (23, 20, 3)


@rule("702.24j")
def test_phased_out_permanents_leave_with_their_owner() -> None:
    vanish = instant("Vanish", forms.PhaseOut(what=noun("target permanent")))
    game = Game("ABC")
    bear, walker = game.put("C", BEAR), game.put("B", ALDRIC)
    card = game.put("A", vanish, "hand")
    game.begin()
    game.cast("A", card, bear)
    game.resolve()
    game.concede("C")
    assert game.zone(bear) == "" and game.zone(walker) == "battlefield"
