"""What is true of one player of a team that shares its life is true of the team (810.9)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card
from server.cards.loading import Entry, whole
from server.oracle.reading import read_card
from server.rules.model import PriorityQuestion, Take, events
from tests.rules.play import Game, creature, enchantment, instant, noun

TEAMS = {"teams": (0, 0, 1, 1), "shared": True}


@pytest.mark.rule("810.9h")
@pytest.mark.parametrize("whose", "CD")
def test_neither_player_loses_or_pays_life_while_one_of_them_cannot_lose_any(whose: str) -> None:
    game = Game("ABCD", life=30, **TEAMS)
    still = forms.PlayerRule(rule="can't lose life", who=noun("you"))
    game.put(whose, enchantment("Deep Rest", still))
    thorns = game.put("A", instant("Thorns", forms.LoseLife(amount=6, who=noun("target player"))), "hand")
    pays = forms.ActivatedAbility(cost=(forms.LifeCost(amount=2),), do=(forms.GainLife(amount=5),))
    game.put("D", creature("Pale Cup", 1, 1, abilities=(pays,)))
    game.begin()
    game.cast("A", thorns, "D")
    game.resolve()
    assert [p.life for p in game.state.players] == [30, 30, 30, 30]
    game.pass_to("D")
    question = game.state.pending
    assert isinstance(question, PriorityQuestion) and [action.type for action in question.actions] == ["pass"]


@pytest.mark.rule("810.9f")
def test_of_a_team_whose_life_is_redistributed_one_head_is_chosen_at_most() -> None:
    game = Game("ABCD", life=30, **TEAMS)
    sands = instant("Sands", forms.Exchange(what="lives", left=noun("all players")))
    handle = game.put("A", sands, "hand")
    game.begin()
    game.cast("A", handle)
    for who in "AB":
        game.set_life(who, 20)
    game.resolve()
    assert game.options() == ["A", "B", "C", "D"]
    game.answer(["B"])
    assert game.options() == ["C", "D"]
    game.answer(["D"])
    assert game.asks == ("A", "number")


@pytest.mark.rule("805.5b")
def test_who_has_done_something_is_asked_again_and_then_the_rest_of_the_team() -> None:
    game = Game("ABCD", life=30, **TEAMS)
    spark = game.put("B", instant("Spark", forms.GainLife(amount=1)), "hand")
    game.begin()
    game.cast("B", spark)
    asked = []
    for _ in range(4):
        asked.append(game.asks[0])
        game.submit(Take(0))
    assert asked == ["B", "A", "C", "D"]


@pytest.mark.rule("810.9b")
def test_a_head_is_not_asked_to_pay_what_the_team_has_not_left() -> None:
    toll = whole(
        {
            "name": "Toll",
            "cost": "{0}",
            "types": "Sorcery",
            "text": "Each opponent sacrifices a creature unless they pay 3 life.",
        },
        "tests",
        read_card,
    )
    assert toll is not None
    for life, asked in ((5, ["C"]), (7, ["C", "D"])):
        game = Game("ABCD", life=life, **TEAMS)
        handle = game.put("A", toll, "hand")
        for who in "CD":
            game.put(who, creature("Ox", 1, 1))
        game.begin()
        game.cast("A", handle)
        game.resolve()
        seen = []
        while game.asks[1] != "priority":
            seen.append(game.asks[0])
            game.answer(True)
        assert seen == asked


@pytest.mark.rule("800.4g")
def test_where_the_active_player_has_left_the_next_in_turn_order_is_asked_first() -> None:
    """After something has resolved."""
    game = Game("ABCD")
    spark = game.put("D", instant("Spark", forms.GainLife(amount=1)), "hand")
    game.begin(active="B")
    game.cast("D", spark)
    game.concede("B")
    game.resolve()
    assert game.life("D") == 21 and game.asks == ("C", "priority")


@pytest.mark.rule("810.7a")
@pytest.mark.rule("current 805.10a")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_what_the_other_head_puts_onto_the_battlefield_attacking_attacks(edition: str) -> None:
    game = Game("ABCD", edition=edition, life=30, **TEAMS)
    text = "Whenever Pack Caller attacks, create a 1/1 green Wolf creature token that's tapped and attacking."
    caller = read_card(Entry("Pack Caller", cost="{2}", types="Creature — Wolf", power="2", toughness="2", text=text))
    assert isinstance(caller, Card)
    calling = game.put("B", caller)
    game.begin()
    game.attack({calling: "C"})
    game.resolve_all()
    assert game.state.combat is not None and len(game.state.combat.attackers) == 2
    game.pass_until("combat_damage")
    assert game.life("C") == game.life("D") == 27


@pytest.mark.rule("810.7f")
@pytest.mark.parametrize("head", ["C", "D"])
def test_where_nobody_chooses_who_was_attacked_is_dealt_the_damage(head: str) -> None:
    game = Game("ABCD", life=30, **TEAMS)
    ox = game.put("A", creature("Ox", 2, 2))
    game.begin()
    game.attack({ox: head})
    game.pass_until("combat_damage")
    assert [game.who(hit.object) for hit in game.happened(events.Damage)] == [head]


def _poisoned(game: Game, *who: str, **counters: int) -> None:
    """Gives players counters before the game begins."""
    held = tuple(sorted(counters.items()))
    seats = [game.seat(one) for one in who]
    players = tuple(replace(p, counters=held) if p.seat in seats else p for p in game.state.players)
    game.state = replace(game.state, players=players, memo={})


def _spreading(game: Game) -> int:
    return game.put("A", instant("Spread", forms.Proliferate()), "hand")


@pytest.mark.rule("701.24c")
@pytest.mark.rule("current 701.34b")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_who_proliferates_gives_a_team_one_poison_counter_more_and_says_to_whom(edition: str) -> None:
    game = Game("ABCD", edition=edition, life=30, **TEAMS)
    spread = _spreading(game)
    _poisoned(game, "C", "D", poison=3)
    game.begin()
    game.cast("A", spread)
    game.resolve()
    game.answer(["C", "D"])
    assert game.asks == ("A", "player") and game.options() == ["C", "D"]
    game.answer("D")
    assert [game.counters(who, "poison") for who in "ABCD"] == [0, 0, 4, 4]
    assert [game.who(e.subject) for e in game.happened(events.PutCounters)] == ["D"]


@pytest.mark.rule("701.24b")
@pytest.mark.rule("current 701.34a")
@pytest.mark.parametrize(("edition", "left"), [("2009", (1, 2)), ("2011", (1, 2)), ("current", (2, 2))])
def test_who_proliferates_adds_one_counter_of_a_kind_or_of_each(edition: str, left: tuple[int, int]) -> None:
    game = Game(edition=edition)
    spread = _spreading(game)
    ox = game.put("A", creature("Ox", 1, 1), counters={"+1/+1": 1, "charge": 1})
    game.begin()
    game.cast("A", spread)
    game.resolve()
    game.answer([ox])
    if edition != "current":
        assert game.asks == ("A", "counter") and game.options() == ["+1/+1", "charge"]
        game.answer("charge")
    assert (game.counters(ox, "+1/+1"), game.counters(ox, "charge")) == left


@pytest.mark.rule("801.10", "801.5a")
def test_who_proliferates_reaches_no_further_than_the_own_range() -> None:
    game = Game("ABCDE", range_of_influence=1)
    spread = _spreading(game)
    oxen = {who: game.put(who, creature("Ox", 1, 1), counters={"charge": 1}) for who in "ABCDE"}
    _poisoned(game, "B", "C", poison=1)
    game.begin()
    game.cast("A", spread)
    game.resolve()
    assert game.options() == [oxen["A"], oxen["B"], oxen["E"], "B"]


@pytest.mark.rule("current 810.10a")
@pytest.mark.parametrize(("edition", "gained"), [("2009", 6), ("2011", 3), ("current", 3)])
def test_the_poison_counters_of_opponents_are_those_of_their_team(edition: str, gained: int) -> None:
    """By 2009 each of them has three, later they have the same three."""
    text = "You gain 1 life for each poison counter your opponents have."
    balm = read_card(Entry("Balm", cost="{0}", types="Sorcery", text=text))
    assert isinstance(balm, Card)
    game = Game("ABCD", edition=edition, life=30, **TEAMS)
    handle = game.put("A", balm, "hand")
    _poisoned(game, "C", "D", poison=3)
    game.begin()
    game.cast("A", handle)
    game.resolve()
    assert game.life("A") == 30 + gained


@pytest.mark.rule("current 805.4d")
@pytest.mark.parametrize(
    ("whose", "what", "in_own", "in_theirs"),
    [
        ("other player", "you gain 1 life", 1, 1),
        ("other player", "that player loses 1 life", -1, -2),
        ("opponent", "you gain 1 life", 0, 1),
        ("player", "you gain 1 life", 1, 1),
    ],
)
@pytest.mark.parametrize("controller", "AB")
def test_what_triggers_in_the_step_of_some_does_so_once_in_the_turn_of_a_team_that_has_any(
    whose: str, what: str, in_own: int, in_theirs: int, controller: str
) -> None:
    """Also where the primary player of the team is not one of them."""
    text = f"At the beginning of each {whose}'s upkeep, {what}."
    clock = read_card(Entry("Slow Clock", cost="{0}", types="Enchantment", text=text))
    assert isinstance(clock, Card)
    for active, change in (("C", in_own), ("A", in_theirs)):
        game = Game("ABCD", edition="current", life=30, **TEAMS)
        game.put(controller, clock)
        game.begin(active, step="end_turn")
        game.pass_until(step="upkeep")
        game.resolve_all()
        assert game.life("A") + game.life("C") == 60 + change


@pytest.mark.rule("810.7b")
@pytest.mark.parametrize("whose", "CD")
def test_a_target_of_defending_player_says_which_head_that_is(whose: str) -> None:
    text = (
        "Whenever Grim Owl attacks, destroy target creature defending player controls. Defending player loses 2 life."
    )
    owl = read_card(Entry("Grim Owl", cost="{2}", types="Creature — Bird", power="2", toughness="2", text=text))
    assert isinstance(owl, Card)
    game = Game("ABCD", life=30, **TEAMS)
    attacker = game.put("A", owl)
    oxen = {who: game.put(who, creature("Ox", 1, 1)) for who in "CD"}
    game.begin()
    game.attack({attacker: "C"})
    game.answer(oxen[whose])
    game.resolve()
    assert game.zone(oxen[whose]) == "graveyard" and game.asks[1] == "priority"
    assert [game.who(loss.subject) for loss in game.happened(events.LoseLife)] == [whose]


@pytest.mark.rule("810.7b")
@pytest.mark.rule("508.5a")
@pytest.mark.parametrize("edition", ["2009", "2011", "current"])
@pytest.mark.parametrize(
    ("power", "text"),
    [
        ("*", "Tide Ox's power is equal to the number of lands defending player controls."),
        ("0", "Tide Ox gets +1/+0 for each land defending player controls."),
        ("0", "Each attacking creature gets +1/+0 for each land defending player controls."),
    ],
)
def test_what_a_static_ability_counts_is_that_of_the_head_named_as_the_attack_is_declared(
    edition: str, power: str, text: str
) -> None:
    """It is applied all the time, so nobody can be asked: the one head that it means is the one that the attack names."""
    ox = read_card(Entry("Tide Ox", cost="{2}", types="Creature — Ox", power=power, toughness="3", text=text))
    assert isinstance(ox, Card)
    for head, lands in (("C", 1), ("D", 2)):
        game = Game("ABCD", edition=edition, life=30, **TEAMS)
        attacker = game.put("A", ox)
        for whose in "CDD":
            game.put(whose, Card(name="Wet Shore", types="Land"))
        game.begin()
        game.attack({attacker: head})
        assert game.size(attacker) == (lands, 3) and game.asks == ("A", "priority")


@pytest.mark.rule("810.7b")
@pytest.mark.rule("810.7c")
@pytest.mark.rule("current 805.10e")
@pytest.mark.parametrize(("edition", "either"), [("2009", True), ("2011", True), ("current", False)])
@pytest.mark.parametrize("says", ["can't be blocked as long as", "can't attack unless"])
def test_what_a_rule_of_combat_asks_of_the_defending_player_may_be_true_of_either_head(
    edition: str, either: bool, says: str
) -> None:
    """A team that is attacked as a group is passed by whichever of its players lets one pass; today that is the one attacked."""
    text = f"Tide Ox {says} defending player controls an Island."
    ox = read_card(Entry("Tide Ox", cost="{2}", types="Creature — Ox", power="1", toughness="3", text=text))
    assert isinstance(ox, Card)
    game = Game("ABCD", edition=edition, life=30, **TEAMS)
    attacker = game.put("A", ox)
    game.put("C", Card(name="Island", types="Basic Land — Island"))
    game.put("D", creature("Guard", 2, 2))
    game.begin()
    game.pass_until(purpose="attackers")
    if "attack" in says:
        assert game.can_attack() == {attacker: ["C", "D"] if either else ["C"]}
        return
    game.attack({attacker: "D"})
    game.pass_until(step="end_combat")
    assert (("C", "blockers") in game.asked) is not either


@pytest.mark.rule("805.6a")
@pytest.mark.rule("2009 806.6i")
@pytest.mark.parametrize(
    ("edition", "asked"), [("2009", "priority"), ("2011", "draws first"), ("current", "draws first")]
)
def test_a_team_is_asked_who_of_it_draws_first_but_by_2009(edition: str, asked: str) -> None:
    """Where it could matter, since a draw is replaced; by 2009 the primary player does."""
    game = Game("ABCD", edition=edition, life=30, **TEAMS)
    page = "If you would draw a card, you gain 1 life instead."
    found = [
        read_card(Entry("Blank Page", cost="{0}", types="Enchantment", text=page)),
        read_card(Entry("Shared Feast", cost="{0}", types="Sorcery", text="Each player draws a card.")),
    ]
    blank, feast = found
    assert isinstance(blank, Card) and isinstance(feast, Card)
    game.put("B", blank)
    handle = game.put("A", feast, "hand")
    game.begin()
    game.cast("A", handle)
    game.resolve()
    assert game.asks == ("A", asked)


@pytest.mark.rule("810.7c")
@pytest.mark.rule("current 805.10b")
@pytest.mark.parametrize(("edition", "left"), [("2009", ()), ("2011", ()), ("current", ("D",))])
@pytest.mark.parametrize("says", ["Creatures can't attack you.", ""])
def test_whom_creatures_may_not_attack_saves_the_other_head_where_the_team_is_attacked(
    edition: str, left: tuple[str, ...], says: str
) -> None:
    """Whether creatures are kept from it or the player is a rule about."""
    game = Game("ABCD", edition=edition, life=30, **TEAMS)
    if says:
        found = read_card(Entry("High Hedge", cost="{0}", types="Enchantment", text=says))
        assert isinstance(found, Card)
        wall = found
    else:
        wall = enchantment("High Hedge", forms.PlayerRule(rule="can't be attacked", who=noun("you")))
    ox = game.put("A", creature("Ox", 1, 1))
    game.put("C", wall)
    game.begin()
    if left:
        game.pass_until(purpose="attackers")
        assert game.can_attack() == {ox: [*left]}
    else:
        game.pass_until("postcombat_main")
        assert ("A", "attackers") not in game.asked
