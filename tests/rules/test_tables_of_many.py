"""Boundaries of chapter 8 and of Commander: who begins, is attacked, chooses, wins, and what becomes of it in a new game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card
from server.cards.loading import Entry
from server.cards.nouns import Zone
from server.oracle.reading import read_card
from server.rules.model import Options, lookup
from server.rules.turn.variants import with_variant
from tests.rules.play import FOREST, Game, creature, enchantment, instant, noun, planeswalker
from tests.rules.test_restarting import ANEW

BEAR = Card(name="Meek Bear", types="Creature — Bear", cost="{0}", power="1", toughness="1")
ISLAND = Card(name="Island", types="Basic Land — Island")
LEADER = Card(name="Old Warden", types="Legendary Creature — Human", cost="{0}", power="2", toughness="2")
GIANTS = {"teams": (0, 0, 1, 1), "shared": True}


def read(name: str, types: str, text: str, size: str | None = None) -> Card:
    found = read_card(Entry(name, cost="{0}", types=types, text=text, power=size, toughness=size))
    assert isinstance(found, Card)
    return found


@pytest.mark.rule("903.14a")
@pytest.mark.rule("current 903.10a")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_damage_that_a_commander_deals_outside_of_combat_is_not_counted(edition: str) -> None:
    game = Game("ABC", edition=edition, format="commander", life=40)
    text = "When Spark Warden enters, it deals 21 damage to target player."
    warden = game.put("A", read("Spark Warden", "Legendary Creature — Human", text, "3"), "hand", commander=1)
    game.begin()
    game.cast("A", warden)
    game.resolve()
    game.answer("B")
    game.resolve_all()
    assert game.life("B") == 19 and not game.lost("B")


@pytest.mark.rule("803.1a")
def test_with_a_team_mate_to_the_left_nobody_is_attacked() -> None:
    game = Game("ABCD", attack="left", teams=(0, 0, 1, 1))
    game.put("A", creature("Ox", 2, 2))
    bear = game.put("B", creature("Bear", 2, 2))
    game.begin("A")
    game.pass_until("end_turn")
    assert ("A", "attackers") not in game.asked
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {bear: ["C"]}


@pytest.mark.rule("804.1")
@pytest.mark.rule("714.1")
def test_creatures_are_deployed_in_a_game_that_is_restarted_too() -> None:
    options = with_variant(Options(), "emperor", 6)
    game = Game(
        "ABCDEF", library=0, mulligans=False, **{k: getattr(options, k) for k in ("teams", "emperors", "deploy")}
    )
    for who in "ABCDEF":
        game.put(who, replace(LEADER, types="Creature — Human"), "library", number=9)
    anew = game.put("A", ANEW, "hand")
    game.begin()
    game.cast("A", anew)
    game.resolve()
    game.pass_until("precombat_main")
    human = game.state.players[0].hand[0]
    game.cast("A", human)
    game.resolve()
    assert any("teammate" in getattr(one, "text", "") for one in game.chars(human).abilities.all)


@pytest.mark.rule("810.8a")
@pytest.mark.parametrize("whose", "AB")
def test_neither_head_wins_while_one_of_them_cannot(whose: str) -> None:
    game = Game("ABCD", life=30, edition="current", **GIANTS)
    game.put(whose, enchantment("Long Road", forms.PlayerRule(rule="can't win the game", who=noun("you"))))
    crown = game.put("A", instant("Crown", forms.Win(who=noun("you"))), "hand")
    game.begin()
    game.cast("A", crown)
    game.resolve()
    assert game.state.result is None


@pytest.mark.rule("903.6")
@pytest.mark.rule("714.2")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_a_commander_begins_a_game_that_is_restarted_in_the_command_zone(edition: str) -> None:
    game = Game("AB", edition=edition, format="commander", library=9, mulligans=False)
    game.put("A", LEADER, commander=1)
    game.put("B", LEADER, "graveyard", commander=2)
    anew = game.put("A", ANEW, "hand")
    game.begin()
    if game.asks[1] != "priority":
        game.answer(False)
    game.cast("A", anew)
    game.resolve()
    assert [game.state.objects[oid].commander for oid in game.state.command] == [1, 2]


@pytest.mark.rule("800.4b")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_no_token_is_created_for_a_player_who_has_left(edition: str) -> None:
    game = Game("ABC", edition=edition)
    text = "Target player gains 1 life. At the beginning of the next end step, that player creates a 1/1 white Cat creature token."
    promise = game.put("A", read("Promise", "Instant", text), "hand")
    game.begin()
    game.cast("A", promise, "C")
    game.resolve()
    game.concede("C")
    game.pass_until("cleanup")
    assert not any(found.token for found in game.state.objects.values())


@pytest.mark.rule("801.5c")
def test_the_closest_to_the_left_of_the_controller_separates_whoever_s_turn_it_is() -> None:
    game = Game("ABCDEF", teams=(0, 0, 1, 1, 1, 0), range_of_influence=1, library=9)
    text = (
        "Reveal the top five cards of your library. An opponent separates those cards into two piles. "
        "Put one pile into your hand and the other into your graveyard."
    )
    heaps = game.put("A", read("Two Heaps", "Instant", text), "hand")
    game.begin("D")
    game.cast("A", heaps)
    game.resolve()
    assert game.asks[0] == "C"


@pytest.mark.rule("current 903.11")
@pytest.mark.rule("current 702.139a")
def test_a_companion_is_taken_at_the_time_of_a_sorcery_whatever_else_could_be_done_with_the_hand() -> None:
    game = Game("AB", edition="current")
    fox = game.put("A", creature("Far Fox", 2, 2), "command", chosen=(lookup.COMPANION,))
    game.put("A", FOREST, number=3)
    game.put("A", read("Slow Ray", "Sorcery", "Suspend 2—{0}\nYou gain 1 life."), "hand")
    game.begin(step="upkeep")
    assert not game.can("A", fox)
    game.pass_until("precombat_main")
    assert game.can("A", fox, "companion")


@pytest.mark.rule("802.2a")
def test_of_whom_an_attack_on_a_planeswalker_asks_is_its_controller() -> None:
    text = "Reef Eel can't attack unless defending player controls an Island."
    game = Game("ABC")
    eel = game.put("A", read("Reef Eel", "Creature — Fish", text, "4"))
    game.put("B", ISLAND)
    mine, other = game.put("B", planeswalker("Brin", 3)), game.put("C", planeswalker("Cael", 3))
    game.begin()
    game.pass_until(purpose="attackers")
    assert game.can_attack() == {eel: ["B", mine]} and other not in game.can_attack()[eel]


@pytest.mark.rule("903.11")
@pytest.mark.rule("current 903.9a")
@pytest.mark.parametrize("edition", ["2009", "2011", "current"])
def test_an_owner_who_leaves_a_commander_in_the_graveyard_is_asked_once(edition: str) -> None:
    game = Game(edition=edition, format="commander")
    leader = game.put("A", LEADER, commander=1)
    end = game.put("B", read("Small End", "Instant", "Destroy all creatures."), "hand")
    game.begin()
    game.cast("B", end)
    game.resolve()
    assert game.asks == ("A", "commander to the command zone")
    game.answer(False)
    assert game.asks[1] == "priority" and game.zone(leader) == "graveyard"


@pytest.mark.rule("801.2d")
def test_a_spell_is_where_its_controller_is_whosever_card_it_is() -> None:
    """A casts a card of E; B sits beside A and reaches no further."""
    game = Game("ABCDE", range_of_influence=1)
    mend = game.put("E", read("Old Mend", "Instant", "You gain 3 life."), "graveyard")
    loan = read("Loan", "Sorcery", "You may cast target instant card from a graveyard without paying its mana cost.")
    held = game.put("A", loan, "hand")
    denied = game.put("B", read("Denial", "Instant", "Counter target spell."), "hand")
    game.begin()
    game.cast("A", held, mend)
    game.resolve()
    game.answer(True)
    (spell,) = game.state.stack
    assert game.state.objects[spell].owner == game.seat("E")
    game.cast("B", denied, spell)
    game.resolve_all()
    assert game.life("A") == 20


@pytest.mark.rule("current 903.9b")
def test_an_owner_is_not_asked_about_a_commander_that_stays_in_its_library() -> None:
    game = Game(edition="current", format="commander", library=3)
    under = game.put(
        "A", read("Under", "Instant", "Put the top card of your library on the bottom of your library."), "hand"
    )
    game.put("A", LEADER, "library", commander=1)
    game.begin()
    game.cast("A", under)
    game.resolve()
    assert game.asks[1] == "priority" and game.state.objects[game.state.players[0].library[0]].commander == 1


@pytest.mark.rule("801.5a")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_each_player_chooses_among_what_both_that_player_and_the_spell_reach(edition: str) -> None:
    game = Game("ABCDE", edition=edition, range_of_influence=1)
    oxen = {letter: game.put(letter, creature(f"Ox of {letter}", 2, 3)) for letter in "ABCDE"}
    text = "Each player chooses a creature. Destroy each creature chosen this way."
    cull = game.put("A", read("Long Cull", "Sorcery", text), "hand")
    game.begin()
    game.cast("A", cull)
    game.resolve()
    offered = {}
    while game.asks[1] == "pick":
        offered[game.asks[0]] = game.options()
        game.answer(oxen["A"])
    assert offered == {
        "A": [oxen["A"], oxen["B"], oxen["E"]],
        "B": [oxen["A"], oxen["B"]],
        "E": [oxen["A"], oxen["E"]],
    }


@pytest.mark.rule("801.5a", "801.5c")
@pytest.mark.parametrize(("reach", "who"), [(1, "D"), (2, "D")])
def test_who_chooses_from_cards_that_are_out_of_the_own_range_chooses_from_all(reach: int, who: str) -> None:
    """Where nobody who does is within range of the controller, and where the controller reaches further than the one who chooses."""
    game = Game("ABCDEF", teams=(0, 0, 0, 1, 1, 1), ranges=(1, reach, 1, 1, reach, 1), library=9)
    one = forms.Pick(what=noun("a card in your graveyard"), who=noun("an opponent"), as_name="it")
    game.put("B", FOREST, "graveyard", number=3)
    choice = game.put("B", instant("Hard Choice", one), "hand")
    game.begin("B")
    game.cast("B", choice)
    game.resolve()
    if game.asks[1] == "player":
        game.answer(who)
    assert game.asks == (who, "pick") and len(game.options()) == 3


@pytest.mark.rule("801.13", "current 801.12")
@pytest.mark.parametrize(
    ("ranges", "worlds", "stay"),
    [
        ((1,) * 6, "ABDE", "BE"),  # of two pairs that do not reach each other the newer of each
        ((1, 1, 2, 1, 1, 1), "CA", "A"),  # C reaches A and not the other way
        ((1, 1, 2, 1, 1, 1), "AC", "AC"),
        ((1,) * 6, "ABC", "C"),
    ],
)
def test_a_world_goes_where_its_controller_reaches_a_newer_one(ranges: tuple[int, ...], worlds: str, stay: str) -> None:
    game = Game("ABCDEF", ranges=ranges)
    put = {who: game.put(who, Card(name=f"World of {who}", types="World Enchantment", cost="{0}")) for who in worlds}
    game.begin()
    assert "".join(who for who, one in put.items() if game.zone(one) == "battlefield") == stay


@pytest.mark.rule("704.5m")
def test_of_worlds_that_are_as_new_none_stays() -> None:
    game = Game("ABC")
    put = [game.put(who, Card(name=f"World of {who}", types="World Enchantment", cost="{0}")) for who in "ABC"]
    stamp = game.state.objects[put[1]].timestamp
    game.state = replace(
        game.state, objects={**game.state.objects, put[2]: replace(game.object(put[2]), timestamp=stamp)}, memo={}
    )
    game.begin()
    assert [game.zone(one) for one in put] == ["graveyard"] * 3


@pytest.mark.rule("801.3", "803.1a", "803.1b")
@pytest.mark.parametrize(("attack", "beside", "beyond"), [("left", "B", "C"), ("right", "E", "D")])
@pytest.mark.parametrize("reach", [0, 1])
def test_who_comes_to_sit_beside_one_in_a_turn_is_not_attacked_in_it_from_out_of_range(
    attack: str, beside: str, beyond: str, reach: int
) -> None:
    """Who is in range is determined as a turn begins (801.2c)."""
    game = Game("ABCDE", attack=attack, range_of_influence=reach)
    game.put("A", creature("Ox", 2, 2))
    game.begin()
    game.concede(beside)
    game.pass_until(step="begin_combat")
    assert game.state.combat is not None
    assert [game.letters[seat] for seat in game.state.combat.defenders] == ([] if reach else [beyond])


@pytest.mark.rule("903.10", "current 903.8")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_nobody_casts_the_commander_of_another(edition: str) -> None:
    game = Game("AB", edition=edition, format="commander")
    leaders = {who: game.put(who, LEADER, "command", commander=n) for n, who in enumerate("AB", 1)}
    game.begin()
    assert game.can("A", leaders["A"]) and not game.can("A", leaders["B"])


@pytest.mark.rule("801.4")
@pytest.mark.parametrize(("whose", "can"), [("B", True), ("C", False), ("D", True)])
def test_with_no_target_in_range_a_spell_is_not_cast(whose: str, can: bool) -> None:
    game = Game("ABCD", range_of_influence=1)
    end = game.put("A", read("Small End", "Instant", "Destroy target creature."), "hand")
    game.put(whose, creature("Ox", 1, 1))
    game.begin()
    assert game.can("A", end) is can


@pytest.mark.rule("801.4")
@pytest.mark.parametrize(("taker", "life"), [("B", 22), ("C", 20)])
def test_a_target_that_has_come_out_of_range_is_none_any_more(taker: str, life: int) -> None:
    """Its spell does nothing of what it says, and is not only stopped at the border."""
    game = Game("ABCD", range_of_influence=1)
    end = game.put("A", read("Small End", "Instant", "Destroy target creature. You gain 2 life."), "hand")
    ox = game.put("B", creature("Ox", 1, 1))
    take = game.put(taker, read("Grasp", "Instant", "Gain control of target creature."), "hand")
    game.begin()
    game.cast("A", end, ox)
    game.pass_to(taker)
    game.cast(taker, take, ox)
    game.resolve_all()
    assert game.life("A") == life and game.zone(ox) == ("graveyard" if taker == "B" else "battlefield")


@pytest.mark.rule("801.16")
@pytest.mark.rule("current 801.14")
@pytest.mark.parametrize("edition", ["2009", "2011", "current"])
def test_who_wins_within_a_range_wins_over_those_in_it_and_the_others_play_on(edition: str) -> None:
    game = Game("ABCDE", edition=edition, range_of_influence=1)
    crown = game.put("A", read("Sole Crown", "Instant", "You win the game."), "hand")
    game.begin()
    game.cast("A", crown)
    game.resolve()
    assert game.state.result is None
    assert [who for who in "ABCDE" if game.lost(who)] == ["B", "E"]


@pytest.mark.rule("801.10")
@pytest.mark.parametrize(("taker", "zone"), [("A", "graveyard"), ("C", "battlefield")])
def test_what_has_come_out_of_range_is_not_destroyed_by_what_waited_for_the_end_step(taker: str, zone: str) -> None:
    game = Game("ABCD", range_of_influence=1)
    text = "Tap target creature. At the beginning of the next end step, destroy that creature."
    doom = game.put("A", read("Slow Doom", "Instant", text), "hand")
    ox = game.put("D", creature("Ox", 1, 1))
    take = game.put(taker, read("Grasp", "Instant", "Gain control of target creature."), "hand")
    game.begin()
    game.cast("A", doom, ox)
    game.resolve()
    game.pass_to(taker)
    game.cast(taker, take, ox)
    game.pass_until("cleanup")
    assert game.zone(ox) == zone


@pytest.mark.rule("903.10")
@pytest.mark.rule("current 903.8")
@pytest.mark.parametrize(("zone", "can"), [("command", True), ("hand", True), ("graveyard", False), ("exile", False)])
def test_a_commander_is_cast_from_the_command_zone_and_where_any_card_is(zone: Zone, can: bool) -> None:
    game = Game(edition="current", format="commander")
    leader = game.put("A", LEADER, zone, commander=1)
    game.begin()
    if not can:
        game.answer(False)  # it stays there
    assert game.can("A", leader) is can


@pytest.mark.rule("903.10")
def test_a_commander_in_the_graveyard_is_cast_by_what_allows_it_for_once() -> None:
    text = "Once during each of your turns, you may cast a creature spell from your graveyard."
    game = Game(edition="current", format="commander")
    leader, bear = game.put("A", LEADER, "graveyard", commander=1), game.put("A", BEAR, "graveyard")
    game.put("A", read("Old Gate", "Enchantment", text))
    game.begin()
    game.answer(False)
    assert game.can("A", leader) and game.can("A", bear)
    game.cast("A", leader)
    game.resolve()
    assert not game.can("A", bear)
