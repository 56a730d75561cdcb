"""What a plain card needs to be cast is asked by a short way where nothing is said about casting: it lists what the long one does."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from server import rules
from server.bench.invariants import remembered
from server.bench.placed import Side, placed
from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun, Zone
from server.rules.casting import actions, actions_in_full, legal_actions
from server.rules.characteristics import Followed, board, characteristics
from server.rules.costs import as_spell
from server.rules.model import Floating, State, evolve
from server.rules.model import questions as q
from server.rules.turn import legal
from tests.rules.play import Game, creature, damage, enchantment, instant

LAND = Card(name="Mountain", types="Basic Land — Mountain")
BEAR = Card(name="Hill Bear", types="Creature — Bear", cost="{1}{R}", power="2", toughness="2")
BURN = instant("Quick Fire", damage(2, "any target"), cost="{R}")
GIANT = Card(name="Hill Giant", types="Creature — Giant", cost="{5}{R}", power="4", toughness="4")
SAID = {
    "nothing": BEAR,
    "what it costs": creature("Tax Gatherer", 1, 3, abilities=(forms.CostChange(what=Noun("spells"), generic=2),)),
    "when": creature(
        "Hasty Herald", 1, 3, abilities=(forms.PlayerRule(rule="cast as though flash", who=Noun("each player")),)
    ),
    "that it can't be cast": creature(
        "Herald of Peace", 1, 3, abilities=(forms.PlayerRule(rule="can't cast", who=Noun("each player")),)
    ),
}
DRAW = forms.SpellAbility(do=(forms.Draw(),))
BOLD = Card(name="Bold", types="Sorcery", cost="{1}{R}", abilities=(DRAW,))
AGILE = instant("Agile", damage(1, "target creature"), cost="{R}")
HELPED = Card(name="Helped", types="Instant", cost="{4}{R}", abilities=(DRAW, forms.KeywordAbility(keyword="convoke")))
CLEARING = Card(name="Clearing", types="Land")
FACED = {
    "a half without a target": (Card(name="Agile // Bold", types="Sorcery", layout="split", faces=(AGILE, BOLD)), 2),
    "a half that can be helped with": (
        Card(name="Agile // Helped", types="Instant", layout="split", faces=(AGILE, HELPED)),
        2,
    ),
    "a land": (replace(BEAR, layout="modal", faces=(CLEARING,)), 1),
    "a spell with a target": (replace(GIANT, layout="adventure", faces=(AGILE,)), 1),
    "a spell that is dear": (
        replace(BEAR, name="Young Giant", layout="modal", faces=(replace(GIANT, name="Old Giant"),)),
        1,
    ),
}
CONVOKED = creature("Called Giant", 4, 4, "convoke", cost="{5}{R}")


def lists(state: State, decisions: int) -> list[tuple[q.Action, ...]]:
    """The lists of a random game, each as the long way has it."""
    chance, found = random.Random(5), list[tuple[q.Action, ...]]()
    for _ in range(decisions):
        question = state.pending
        if question is None:
            break
        if isinstance(question, q.PriorityQuestion):
            assert question.actions == actions_in_full(state, question.seat)
            found.append(question.actions)
        state, _ = rules.submit(state, question.seat, legal.sample(question, state, chance))
    return found


@pytest.mark.rule("601.2")
@pytest.mark.parametrize("said", SAID)
def test_a_plain_card_is_listed_where_something_is_said_about_casting_and_where_nothing_is(said: str) -> None:
    side = Side((SAID[said], *(LAND,) * 4), (BURN, BEAR, GIANT), (BURN, BEAR, GIANT, LAND) * 8)
    found = lists(placed((side, side), 60), 150)
    cast = any(action.type == "cast" for made in found for action in made)
    assert cast == (said != "that it can't be cast")


@pytest.mark.rule("700.2")
@pytest.mark.parametrize("least", [1, 2])
@pytest.mark.parametrize("price", ["", "{2}"])
def test_a_spell_of_modes_is_listed_where_enough_of_them_have_targets_and_can_be_paid(least: int, price: str) -> None:
    cost = (forms.ManaCost(mana=price),) if price else ()
    modes = tuple(
        forms.Mode(do=(damage(1, f"target creature {of}"),), cost=cost)
        for of in ("you control", "an opponent controls")
    )
    choosy = Card(
        name="Choosy", types="Instant", cost="{R}", abilities=(forms.SpellAbility(modes=modes, least=least, most=2),)
    )
    side = Side((LAND, LAND), (choosy, BEAR, LAND), (choosy, LAND, BEAR, LAND) * 10)
    found = lists(placed((side, side), 60), 300)
    assert {any(action.type == "cast" and action.object for action in made) for made in found} == {True, False}


def cast_sides(state: State) -> list[int]:
    """As which faces the first player can cast something, by the list as it is made and in full."""
    made = actions(state, 0)
    assert made == actions_in_full(state, 0)
    return [action.side for action in made if action.type == "cast"]


@pytest.mark.rule("708.2a")
@pytest.mark.parametrize("said", ["nothing", "what it costs", "when"])
@pytest.mark.parametrize("faced", FACED)
def test_the_other_faces_of_a_card_are_listed_as_they_are_when_the_card_is_looked_at_as_them(
    faced: str, said: str
) -> None:
    card, sides = FACED[faced]
    side = Side((SAID[said], *(LAND,) * 5), (card, card, LAND), (card, LAND, BEAR) * 13)
    found = lists(placed((side, side), 60), 500)
    could = [{action.side for action in made} - {0} for made in found]
    assert set() in could and set.union(*could) == set(range(1, sides + 1))


@pytest.mark.rule("601.2e")
def test_what_spells_cost_more_is_asked_of_the_other_faces_of_a_card() -> None:
    for said, sides in (("nothing", {0, 1}), ("what it costs", {0})):
        game = Game("AB")
        for _ in range(3):
            game.put("A", LAND)
        game.put("B", SAID[said])
        card = replace(BURN, layout="modal", faces=(BEAR,))
        game.put("A", card, "hand")
        game.begin()
        assert set(cast_sides(game.state)) == sides


@pytest.mark.rule("708.2a")
def test_a_half_aims_as_what_it_is_and_not_as_the_whole_card() -> None:
    game = Game("AB")
    for _ in range(2):
        game.put("A", LAND)
    ward = forms.KeywordAbility(keyword="protection", quality=Noun("white"))
    game.put("B", creature("Shade", 1, 1, abilities=(ward,)))
    white = instant("Pale", damage(1, "target creature"), cost="{1}")
    white = replace(white, colors="W")
    game.put("A", Card(name="Agile // Pale", types="Instant", layout="split", faces=(AGILE, white)), "hand")
    game.begin()
    assert cast_sides(game.state) == [1]


@pytest.mark.rule("702.8a")
@pytest.mark.parametrize(("front", "sides"), [(BURN, [0, 1]), (BOLD, [1])], ids=["an instant", "a sorcery"])
def test_an_effect_on_cards_in_hand_reaches_a_face_only_as_that_face(front: Card, sides: list[int]) -> None:
    game = Game("AB")
    for _ in range(2):
        game.put("A", LAND)
    given = forms.GainAbilities(abilities=(forms.KeywordAbility(keyword="flash"),))
    game.put("A", enchantment("Quick Law", forms.Continuous(what=Noun("creature cards in your hand"), mods=(given,))))
    game.put("A", replace(front, layout="modal", faces=(BEAR,)), "hand")
    game.begin()
    game.pass_until(step="end_turn")
    assert cast_sides(game.state) == sides


@pytest.mark.rule("112.6b")
def test_an_effect_from_a_graveyard_on_cards_in_hand_reaches_a_face_that_was_listed_before() -> None:
    game = Game("AB")
    for _ in range(2):
        game.put("A", LAND)
    given = forms.GainAbilities(abilities=(forms.KeywordAbility(keyword="flash"),))
    law = forms.Continuous(what=Noun("creature cards in opponents' hands"), mods=(given,), zone="graveyard")
    buried = game.put("B", enchantment("Late Law", law), "hand")
    game.put("A", replace(BURN, layout="modal", faces=(BEAR,)), "hand")
    game.begin()
    game.pass_until(step="end_turn")
    state, oid = game.state, game.now(buried)
    assert cast_sides(state) == [0]
    a, b = state.players
    objects = {**state.objects, oid: replace(state.objects[oid], zone="graveyard")}
    other = evolve(state, objects=objects, players=(a, replace(b, hand=(), graveyard=(oid,))))
    assert cast_sides(other) == [0, 1]


@pytest.mark.rule("613.1")
def test_a_card_is_looked_at_as_a_spell_among_permanents_as_they_are_even_where_nobody_has_asked_for_these() -> None:
    game = Game("AB")
    bear = game.put("A", creature("Hill Bear", 2, 2))
    larger = forms.Continuous(what=Noun("creatures you control"), mods=(forms.AddPT(1, 1),))
    game.put("A", enchantment("Banner", larger))
    card = game.put("A", BURN, "hand")
    game.begin()
    state = game.state
    assert isinstance(board(state), Followed) and characteristics(state, bear).power == 3
    other = replace(state.objects[bear], controller=1, base=1)
    view = as_spell(evolve(state, objects={**state.objects, bear: other}), card, 0)
    assert characteristics(view, bear).power == 2


@pytest.mark.rule("702.49a")
def test_a_card_with_convoke_is_looked_at_for_itself() -> None:
    side = Side((BEAR, BEAR, *(LAND,) * 4), (CONVOKED,), (LAND, BEAR) * 16)
    state = placed((side, side), 60)
    while state.turn.step != "postcombat_main":
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, legal.default(state.pending, state))
    assert isinstance(state.pending, q.PriorityQuestion)
    assert state.pending.actions == actions_in_full(state, 0)
    assert [action.type for action in state.pending.actions] == ["pass", "cast", *["activate"] * 4]


@pytest.mark.rule("601.2")
@pytest.mark.parametrize(
    ("rule", "others"),
    [
        (forms.PlayerRule(rule="attack tax"), False),
        (forms.PlayerRule(rule="cast as though flash"), False),
        (forms.PlayerRule(rule="play from zone", among=Noun("cards in your graveyard")), True),
    ],
    ids=["attack tax", "cast as though flash", "play from zone"],
)
def test_only_a_rule_about_other_zones_lets_a_player_cast_what_lies_there(rule: forms.PlayerRule, others: bool) -> None:
    game = Game("AB")
    by_itself = forms.KeywordAbility(keyword="flashback", cost=(forms.ManaCost(mana="{0}"),))
    again = game.put("A", Card(name="Again", types="Instant", cost="{0}", abilities=(DRAW, by_itself)), "graveyard")
    once = game.put("A", Card(name="Once", types="Instant", cost="{0}", abilities=(DRAW,)), "graveyard")
    game.put("A", enchantment("Law", rule))
    game.begin()
    assert game.can("A", again, way="flashback")
    assert game.can("A", once) == others
    pending = game.state.pending
    assert isinstance(pending, q.PriorityQuestion) and pending.actions == actions_in_full(game.state, 0)


@pytest.mark.rule("702.32a")
def test_a_card_with_two_flashbacks_is_listed_once() -> None:
    game = Game("AB")
    twice = tuple(
        forms.KeywordAbility(keyword="flashback", cost=(forms.ManaCost(mana=cost),)) for cost in ("{0}", "{1}")
    )
    again = game.put("A", Card(name="Again", types="Instant", cost="{0}", abilities=(DRAW, *twice)), "graveyard")
    game.begin()
    pending = game.state.pending
    assert isinstance(pending, q.PriorityQuestion)
    assert [action.way for action in pending.actions if action.object == again] == ["flashback"]


def with_(card: Card, *abilities: forms.Ability, keyword: str = "", cost: str = "") -> Card:
    """The card with more abilities, and with a keyword for a cost in mana."""
    paid = (forms.ManaCost(mana=cost),) if cost else ()
    more = (forms.KeywordAbility(keyword=keyword, cost=paid),) if keyword else ()
    return replace(card, abilities=(*card.abilities, *abilities, *more))


FROM_HAND = forms.ExileCost(what=Noun("{this} from your hand"))
SPIRIT = forms.ActivatedAbility(cost=(FROM_HAND,), do=(forms.AddMana(mana="{R}"),), zone="hand")
IN_COMBAT = forms.ActivatedAbility(cost=(forms.ManaCost(mana="{0}"),), do=(forms.Draw(),), zone="hand", timing="combat")
AFTER = with_(BOLD, keyword="aftermath")
HAS_ITS_TIME: dict[str, tuple[Card, Zone]] = {
    "an ability": (with_(GIANT, IN_COMBAT), "hand"),
    "foretelling": (with_(GIANT, keyword="foretell", cost="{R}"), "hand"),
    "flashback": (with_(BURN, forms.CastingRule(timing="combat"), keyword="flashback", cost="{R}"), "graveyard"),
}
ELSEWHERE = {
    "cycling": (with_(GIANT, keyword="cycling", cost="{1}"), ("activate", "hand")),
    "mana from the hand": (with_(GIANT, SPIRIT), ("activate", "hand")),
    "plot": (with_(BEAR, keyword="plot", cost="{1}"), ("special", "hand")),
    "flashback": (with_(BURN, keyword="flashback", cost="{1}"), ("cast", "graveyard")),
    "an adventure": (replace(BEAR, layout="adventure", faces=(BURN,)), ("cast", "exile")),
    "a half for the graveyard": (
        Card(name="Agile // Bold", types="Instant", layout="split", faces=(AGILE, AFTER)),
        ("cast", "graveyard"),
    ),
}


def priorities(state: State, decisions: int) -> Iterator[tuple[State, q.PriorityQuestion]]:
    """Where anybody has priority in a random game of at most so many decisions; its list is the one that is made in full."""
    chance = random.Random(5)
    for _ in range(decisions):
        question = state.pending
        if question is None:
            return
        if isinstance(question, q.PriorityQuestion):
            assert question.actions == actions_in_full(state, question.seat)
            yield state, question
        state, _ = rules.submit(state, question.seat, legal.sample(question, state, chance))


OFFERING = forms.CastingCost(name="additional", cost=(forms.SacrificeCost(what=Noun("a creature")),))
BESIDE: dict[str, tuple[Card, str]] = {
    "an additional cost": (with_(BURN, OFFERING), ""),
    "convoke": (CONVOKED, ""),
    "what is paid with life": (creature("Pale Bear", 2, 2, cost="{1}{R/P}"), ""),
    "another cost": (with_(creature("Late Bear", 2, 2), keyword="evoke", cost="{R}"), "evoke"),
    "morph": (with_(creature("Veiled Bear", 2, 2, cost="{4}{R}"), keyword="morph", cost="{R}"), "face down"),
}


@pytest.mark.rule("601.2")
@pytest.mark.parametrize("kind", BESIDE)
def test_a_card_in_hand_that_asks_for_more_is_listed_beside_what_is_plain(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, way = BESIDE[kind]
    long_way: list[State] = []
    enumerate_ = legal_actions._enumerate

    def enumerates(state: State, seat: int, slow: bool) -> tuple[q.Action, ...]:
        if not board(state).index.face_down:  # which can be turned up at any time
            long_way.append(state)
        return enumerate_(state, seat, slow)

    monkeypatch.setattr(legal_actions, "_enumerate", enumerates)
    side = Side((BEAR, BEAR, *(LAND,) * 3), (card, card, BURN, LAND), (card, LAND, BURN, BEAR) * 10)
    seen, compared = set[tuple[str, str]](), 0
    for state, question in priorities(placed((side, side), 60), 300):
        compared += not board(state).index.face_down
        of_it = (a for a in question.actions if a.object and state.objects[a.object].definition.card == card)
        seen |= {(action.type, action.way) for action in of_it}
    assert ("cast", way) in seen
    assert len(long_way) == compared, "nothing went that way but what is compared with it"


@pytest.mark.rule("112.6")
@pytest.mark.parametrize("kind", ELSEWHERE)
def test_what_can_be_done_with_cards_elsewhere_is_listed_beside_what_is_plain(kind: str) -> None:
    card, (what, zone) = ELSEWHERE[kind]
    side = Side((BEAR, LAND, LAND), (card, BURN, LAND), (card, LAND, BURN, BEAR) * 10)
    seen = set[tuple[str, str]]()
    for state, question in priorities(placed((side, side), 60), 700):
        assert remembered(state) == []
        of_it = (a for a in question.actions if a.object and state.objects[a.object].definition.card == card)
        seen |= {(action.type, state.objects[action.object].zone) for action in of_it}
    assert (what, zone) in seen


@pytest.mark.rule("112.6")
@pytest.mark.parametrize("kind", HAS_ITS_TIME)
def test_what_has_its_time_elsewhere_is_listed_at_that_time_though_nothing_else_changes(kind: str) -> None:
    game = Game("AB")
    for _ in range(2):
        game.put("A", LAND)
    card = game.put("A", *HAS_ITS_TIME[kind])
    game.begin()
    state, seen, last = game.state, list[bool](), game.state.turn.number + 3
    while state.turn.number < last:
        question = state.pending
        assert question is not None
        if isinstance(question, q.PriorityQuestion) and question.seat == 0:
            assert question.actions == actions_in_full(state, 0)
            seen.append(any(action.object == card for action in question.actions))
        state, _ = rules.submit(state, question.seat, legal.default(question, state))
    assert set(seen) == {True, False}


@pytest.mark.rule("702.27a")
def test_a_list_with_cycling_is_the_same_from_step_to_step() -> None:
    side = Side((LAND, LAND), (ELSEWHERE["cycling"][0], BURN), (LAND,) * 20)
    state, made = placed((side, side), 60), list[tuple[q.Action, ...]]()
    while len(made) < 2:
        question = state.pending
        assert question is not None
        if isinstance(question, q.PriorityQuestion) and question.seat == 1:
            made.append(question.actions)
        state, _ = rules.submit(state, question.seat, legal.default(question, state))
    assert made[0] is made[1] and len(made[0]) == 5


@pytest.mark.rule("116.1")
def test_what_another_player_plays_makes_no_other_list() -> None:
    state = placed((Side((LAND,), (LAND, BEAR), (LAND,) * 20), Side((LAND, LAND), (BURN, GIANT), (LAND,) * 20)), 60)
    before: tuple[q.Action, ...] = ()
    played = False
    while not played or (state.pending is not None and state.pending.seat == 0):
        question = state.pending
        assert isinstance(question, q.PriorityQuestion) and question.actions == actions_in_full(state, question.seat)
        if question.seat == 1:
            before = question.actions
        lands = [i for i, action in enumerate(question.actions) if action.type == "play_land"]
        state, _ = rules.submit(state, question.seat, q.Take(lands[0] if lands else 0))
        played = played or bool(lands)
    assert isinstance(state.pending, q.PriorityQuestion)
    assert before and state.pending.actions is before


@pytest.mark.rule("116.1")
@pytest.mark.parametrize(
    "what", ["a land is tapped", "a land is another player's", "a rule is in force", "the player has no card"]
)
def test_a_list_is_another_where_what_it_is_made_of_is(what: str) -> None:
    state = placed((Side((LAND,), (BURN,), (LAND,) * 20), Side((LAND,), (), (LAND,) * 20)), 60)
    before = actions(state, 0)
    assert [action.type for action in before] == ["pass", "cast", "activate"]
    same = evolve(state, objects=dict(state.objects))
    assert actions(same, 0) is before
    land, rule = state.objects[state.battlefield[0]], forms.PlayerRule(rule="can't cast", who=Noun("each player"))
    after = {
        "a land is tapped": {"objects": {**state.objects, land.id: replace(land, tapped=True)}},
        "a land is another player's": {"objects": {**state.objects, land.id: replace(land, controller=1, base=1)}},
        "a rule is in force": {"effects": (Floating(1, rule, 0, 0, 1, "end of turn"),)},
        "the player has no card": {"players": (replace(state.players[0], hand=()), state.players[1])},
    }[what]
    other = evolve(same, **after)
    assert actions(other, 0) == actions_in_full(other, 0) != before


@pytest.mark.rule("305.2")
def test_a_land_that_is_tapped_makes_another_list() -> None:
    state = placed((Side((LAND,), (BURN,), (LAND,) * 20), Side((LAND,), (), (LAND,) * 20)), 60)
    assert isinstance(state.pending, q.PriorityQuestion)
    tap = next(i for i, action in enumerate(state.pending.actions) if action.mana)
    after = rules.submit(state, 0, q.Take(tap))[0]
    assert isinstance(after.pending, q.PriorityQuestion)
    assert after.pending.actions == actions_in_full(after, 0)
    assert [action.type for action in after.pending.actions] == ["pass", "cast"]


@pytest.mark.rule("106.4")
def test_a_list_is_another_where_only_the_mana_in_the_pool_is() -> None:
    side = Side((BEAR,), (BURN, LAND), (LAND, BEAR) * 16)
    state = placed((side, side), 60)
    question = state.pending
    assert isinstance(question, q.PriorityQuestion)
    seat = question.seat
    players = list(state.players)
    players[seat] = replace(players[seat], pool=tuple(9 for _ in players[seat].pool))
    rich = evolve(state, players=tuple(players))
    listed = actions(rich, seat)
    assert listed == actions_in_full(rich, seat) != question.actions
    players[seat] = state.players[seat]
    poor = evolve(rich, players=tuple(players))
    assert actions(poor, seat) == actions_in_full(poor, seat) == question.actions
