"""Views: what each viewer may know, and nothing else; what has not changed is the same value."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.patch import apply, diff
from protocol.view import STEPS, View, face_hash, read, write
from server.bench.decks import piles
from server.cards import forms, nouns
from server.cards.nouns import Zone
from server.knowledge.faces import face_by_hash, face_of
from server.knowledge.hidden import may_know
from server.knowledge.views import Views, faces_in, step_word
from server.rooms.game import RULES
from server.rules import Seat, start
from server.rules.model import (
    Choice,
    ChooseQuestion,
    Illegal,
    Options,
    PriorityQuestion,
    Scope,
    State,
    evolve,
    make_effect,
)
from server.rules.turn import legal, setup
from server.rules.turn.variants import with_variant
from tests.rooms.fake import FakeGame
from tests.rooms.states import BEAR, PLAN, everything, state_of, thing
from tests.rules import play
from tests.rules.play import Game

VIEWERS = (0, 1, 2, None)


def tree_of(state: State, viewer: int | None) -> dict[str, Any]:
    views = Views(FakeGame())
    views.update(state)
    return views.tree(viewer)


def test_the_tree_is_that_of_the_typed_view() -> None:
    for viewer in VIEWERS:
        tree = tree_of(everything(), viewer)
        view = read(tree)
        assert isinstance(view, View)
        assert write(view) == tree


def test_teams_are_told_and_where_there_are_none_nothing_is() -> None:
    assert not {"teams", "emperors", "shared_turns"} & tree_of(everything(), None).keys()
    emperors = with_variant(Options(), "emperor", 6)
    view = read(tree_of(setup.table(emperors, tuple("ABCDEF")), 1))
    assert (view.teams, view.emperors, view.shared_turns) == ([0, 0, 0, 1, 1, 1], [1, 4], False)
    giants = with_variant(Options(), "two_headed_giant", 4)
    assert read(tree_of(setup.table(giants, tuple("ABCD")), None)).shared_turns


def test_hidden_cards_are_counts_and_have_no_ids() -> None:
    seen = {viewer: set(tree_of(everything(), viewer)["objects"]) for viewer in VIEWERS}
    public = {"10", "11", "12", "13", "20", "21", "30"}
    assert {viewer: ids & {str(n) for n in range(10)} for viewer, ids in seen.items()} == {
        0: {"4"},
        1: {"5"},
        2: {"6"},
        None: set(),
    }, "its own hand"
    assert all(public <= ids for ids in seen.values())
    assert {viewer: len(ids - public) for viewer, ids in seen.items()} == {0: 1, 1: 2, 2: 2, None: 0}
    for viewer in VIEWERS:
        players = tree_of(everything(), viewer)["players"]
        assert players["0"]["hand_count"] == 1 and players["0"]["library_count"] == 2
    (revealed,) = seen[2] - public - {"6"}
    assert tree_of(everything(), 2)["players"]["1"]["hand"] == [revealed]
    assert "hand" not in tree_of(everything(), 0)["players"]["1"]


def test_every_byte_is_free_of_what_may_not_be_known() -> None:
    state = everything()
    faces = {card.name: face_of(thing(1, card, "hand").definition) for card in (PLAN,)}
    for viewer in VIEWERS:
        knows = any(may_know(t, viewer) for t in state.objects.values() if t.definition.name == "Secret Plan")
        said = json.dumps(tree_of(state, viewer))
        assert (faces["Secret Plan"] in said) == knows


def test_face_down() -> None:
    state = everything()
    for viewer in VIEWERS:
        down = tree_of(state, viewer)["objects"]["11"]
        assert down["face_down"] is True
        assert ("face" in down) == (viewer == 1)
        exiled = tree_of(state, viewer)["objects"]["21"]
        assert ("face" in exiled) == (viewer == 0)
        if viewer != 0:
            assert exiled == {"zone": "exile", "owner": 2, "controller": 2, "face_down": True}


def test_what_an_object_shows() -> None:
    objects = tree_of(everything(), None)["objects"]
    bear = objects["10"]
    assert bear["power"] == 2 and bear["counters"] == {"+1/+1": 2} and bear["tapped"] and bear["sick"]
    assert bear["types"] == ["creature", "bear"] and bear["keywords"] == ["trample"] and bear["colors"] == ["G"]
    assert objects["12"]["loyalty"] == 3 and "power" not in objects["12"]
    assert objects["13"]["kind"] == "token" and objects["13"]["attached_to"] == "10"
    ability = objects["30"]
    assert ability["kind"] == "ability" and ability["source"] == "10" and ability["text"] == "Growl."
    assert ability["targets"] == [{"kind": "object", "id": "10"}, {"kind": "player", "seat": 2}]
    assert "face" not in ability


def test_the_table() -> None:
    tree = tree_of(everything(), 1)
    assert tree["step"] == "beginning_of_combat" and tree["phase"] == "combat"
    assert tree["battlefield"] == ["10", "11", "12", "13"]
    assert tree["combat"] == {
        "attackers": {
            "10": {
                "defender": {"kind": "object", "id": "12"},
                "defending_player": 2,
                "blocked": True,
                "blockers": ["13"],
            }
        }
    }
    asked = state_of(pending=PriorityQuestion(seat=2, number=1))
    assert tree_of(asked, 0)["priority"] == 2 and tree_of(asked, 0)["waiting_for"] == [2]


def test_who_chooses_from_a_library_sees_it() -> None:
    things = [thing(number, PLAN, "library", 1) for number in (1, 2, 3)]
    question = ChooseQuestion(seat=0, number=1, options=(Choice(ref=1), Choice(ref=3)))
    state = state_of(*things, pending=question)
    seen = tree_of(state, 0)["objects"]
    assert [(one["zone"], one["owner"]) for one in seen.values()] == [("library", 1)] * 2
    assert not seen.keys() & {"1", "2", "3"}, "the rules' own numbers would tell how the library lies"
    assert "objects" not in tree_of(state, 1)
    assert "objects" not in tree_of(state, None)


def test_what_has_not_changed_is_the_same_value() -> None:
    views = Views(FakeGame())
    first = everything()
    views.update(first)
    before = {viewer: views.tree(viewer) for viewer in VIEWERS}
    assert all(views.tree(viewer) is before[viewer] for viewer in VIEWERS)
    tapped = replace(first, objects={**first.objects, 20: replace(first.objects[20], timestamp=9)})
    views.update(tapped)
    for viewer in VIEWERS:
        after = views.tree(viewer)
        assert after["objects"] is before[viewer]["objects"]
        assert diff(before[viewer], after) == {}
    moved = replace(tapped, objects={**tapped.objects, 10: replace(tapped.objects[10], tapped=False)})
    views.update(moved)
    for viewer in VIEWERS:
        patch = diff(before[viewer], views.tree(viewer))
        assert patch == {"objects": {"10": {"tapped": None}}}
        assert apply(before[viewer], patch) == tree_of(moved, viewer)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_views_that_follow_a_game_are_those_made_anew(seed: int) -> None:
    """Piles of cards that no deck brings together; now and then the game goes back to where it was before."""
    chance, seats = random.Random(seed), tuple(Seat(f"P{seat}", deck) for seat, deck in enumerate(piles(4, seed)))
    state, _ = start(Options(seed=str(seed)), seats)
    views, earlier = Views(RULES), [state]
    for _ in range(220):
        views.update(state)
        anew = Views(RULES)
        anew.update(state)
        for viewer in (*range(4), None):
            assert views.tree(viewer) == views.parts(viewer).whole() == anew.tree(viewer)
            assert [views.id_of(viewer, n) for n in state.objects] == [anew.id_of(viewer, n) for n in state.objects]
        if chance.random() < 0.05:
            earlier.append(state)
        if chance.random() < 0.05 or state.pending is None:
            state = chance.choice(earlier)
        assert state.pending is not None
        answer = legal.sample(state.pending, state, chance)
        try:
            state, _ = RULES.submit(state, state.pending.seat, answer)
        except Illegal:
            state, _ = RULES.submit(state, state.pending.seat, legal.default(state.pending, state))


def test_the_source_of_an_ability_is_told_as_long_as_all_see_it() -> None:
    """Nothing about the ability changes when its source leaves."""
    views, state = Views(FakeGame()), everything()
    views.update(state)
    before: Any = views.tree(None)["objects"]
    gone = {number: thing for number, thing in state.objects.items() if number != 10}
    views.update(evolve(state, objects=gone, battlefield=state.battlefield[1:]))
    after: Any = views.tree(None)["objects"]
    assert before["30"]["source"] == "10" and "10" in before
    assert "source" not in after["30"] and "10" not in after


@pytest.mark.parametrize(("zone", "owner"), [("library", 1), ("hand", 1)])
def test_a_hidden_card_that_a_seat_comes_to_know_is_seen_where_it_lies_and_then_no_more(zone: Zone, owner: int) -> None:
    views, state = Views(FakeGame()), state_of(thing(1, PLAN, zone, owner))
    known = evolve(state, objects={1: replace(state.objects[1], known=1)})
    seen: list[int] = []
    for moment in (state, known, state):
        views.update(moment)
        objects: Any = views.tree(0).get("objects", {})
        seen.append(len(objects))
        assert "objects" not in views.tree(None) and "objects" not in views.tree(2)
    assert seen == [0, 1, 0]


@pytest.mark.rule("305.2")
def test_who_may_play_a_land_is_seen_to_change_with_the_turn() -> None:
    game, views = Game("AB"), Views(RULES)

    def lands() -> list[int]:
        views.update(game.state)
        return [view.lands_left for view in read(views.tree(None)).players.values()]

    game.state = evolve(game.state, turn=replace(game.state.turn, active=0))
    mine = lands()
    game.state = evolve(game.state, turn=replace(game.state.turn, active=1))
    assert (mine, lands()) == ([1, 0], [0, 1])


def test_faces() -> None:
    key = face_of(thing(1, BEAR, "hand").definition)
    face = face_by_hash(key)
    assert face_hash(face) == key
    assert (face.name, face.cost, face.mana_value, face.power, face.text) == ("Bear", "{1}{G}", 2, "2", "Trample")
    tree = tree_of(everything(), None)
    assert key in faces_in(tree)
    with pytest.raises(KeyError):
        face_by_hash("0" * 16)


def test_what_an_effect_gives_to_cards_in_hands_is_seen_at_once() -> None:
    """The cards themselves have not changed; only their owner is told."""
    game = Game("AB")
    bear = game.put("A", play.BEAR, "hand")
    views = Views(RULES)

    def keywords(viewer: int) -> object:
        views.update(game.state)
        objects: Any = views.tree(viewer).get("objects", {})
        return objects[str(bear)].get("keywords", []) if str(bear) in objects else "unseen"

    assert keywords(0) == [] and keywords(1) == "unseen"
    given = forms.Continuous(
        what=play.noun("creature cards in your hand"), mods=(forms.GainAbilities(keywords=("flash",)),)
    )
    game.put("A", play.enchantment("Haste Makes Waste", given))
    assert keywords(0) == ["flash"] and keywords(1) == "unseen"


@pytest.mark.rule("604.3")
def test_what_counts_itself_is_seen_to_change_in_every_zone() -> None:
    """The card and where it lies have not changed, only what it counts."""
    game = Game("AB")
    counted = nouns.Count(of=play.noun("tapped creatures"))
    itself = forms.Continuous(what=play.noun("{this}"), mods=(forms.DefinePT(power=counted, toughness=counted),))
    herd = play.creature("Herd at Rest", 0, 0, abilities=(itself,))
    bear = game.put("A", play.BEAR)
    held, buried = game.put("A", herd, "hand"), game.put("B", herd, "graveyard")
    views = Views(RULES)

    def sizes(viewer: int) -> list[object]:
        views.update(game.state)
        objects: Any = views.tree(viewer)["objects"]
        return [objects[str(number)].get("power") if str(number) in objects else "unseen" for number in (held, buried)]

    assert (sizes(0), sizes(1)) == ([0, 0], ["unseen", 0])
    game.state = evolve(game.state, objects={**game.state.objects, bear: replace(game.object(bear), tapped=True)})
    assert (sizes(0), sizes(1)) == ([1, 1], ["unseen", 1])


@pytest.mark.rule("700.4a")
def test_what_is_indestructible_for_a_while_is_seen_to_be_and_then_not() -> None:
    """No ability says so, and nothing else about the permanent changes when it begins and ends."""
    game = Game("AB")
    bear = game.put("A", play.BEAR)
    firm = forms.Continuous(what=play.noun("it"), mods=(forms.IsIndestructible(),))
    views = Views(RULES)

    def keywords() -> object:
        views.update(game.state)
        objects: Any = views.tree(None)["objects"]
        return objects[str(bear)].get("keywords")

    assert keywords() is None
    effect = make_effect(game.state, Scope(bear, 0), firm, "end of turn", objects=(bear,))
    assert effect.effect is not None
    begun = evolve(game.state, effects=(replace(effect.effect, id=1, timestamp=1),))
    ended = game.state
    game.state = begun
    assert keywords() == ["indestructible"]
    game.state = ended
    assert keywords() is None


def test_the_steps_of_the_rules_are_those_of_the_protocol_in_its_words() -> None:
    assert tuple(step_word(step) for step in nouns.STEPS) == STEPS


@pytest.mark.rule("801.2")
@pytest.mark.rule("808")
def test_all_see_who_plays_with_whom_and_how_far_each_reaches() -> None:
    plain = everything()
    assert not {"teams", "emperors", "ranges"} & set(tree_of(plain, 0)), "each for itself, and without limit"
    near = evolve(plain, options=replace(plain.options, range_of_influence=1))
    emperors = replace(plain.options, teams=(0, 0, 1), emperors=(1,), ranges=(1, 2, 1))
    for viewer in VIEWERS:
        assert read(tree_of(near, viewer)).ranges == [1, 1, 1]
        view = read(tree_of(evolve(plain, options=emperors), viewer))
        assert (view.teams, view.emperors, view.ranges) == ([0, 0, 1], [1], [1, 2, 1])


def test_words_that_many_cards_have_are_one_list_of_words() -> None:
    game = Game("AB")
    for owner in "AB":
        game.put(owner, BEAR)
    views = Views(RULES)
    views.update(game.begin().state)
    seen: dict[str, Any] = views.tree(None)
    one, other = (tree for tree in seen["objects"].values() if tree["zone"] == "battlefield")
    assert one["owner"] != other["owner"] and one["types"] is other["types"] and one["types"]


def test_cards_of_which_the_same_is_told_are_one_value_in_all_games() -> None:
    def hand(*cards: Any) -> list[dict[str, Any]]:
        game = Game("AB")
        for card in cards:
            game.put("A", card, "hand")
        views = Views(RULES)
        views.update(game.begin().state)
        mine: dict[str, Any] = views.tree(0)
        return [tree for tree in mine["objects"].values() if tree["zone"] == "hand"]

    one, other = hand(BEAR, BEAR)
    assert one is other is hand(BEAR)[0]


def test_what_has_happened_to_one_of_two_cards_is_told_of_that_alone() -> None:
    game = Game("AB")
    hurt, whole = game.put("A", BEAR, damage=1), game.put("A", BEAR)
    tapped = game.put("A", BEAR, tapped=True)
    views = Views(RULES)
    views.update(game.begin().state)
    objects: Any = views.tree(None)["objects"]
    told = [{name: objects[str(oid)].get(name) for name in ("damage", "tapped")} for oid in (hurt, whole, tapped)]
    assert told == [{"damage": 1, "tapped": None}, {"damage": None, "tapped": None}, {"damage": None, "tapped": True}]


def test_numbers_of_objects_are_one_text_each_in_all_games_and_in_all_places() -> None:
    def texts() -> list[str]:
        game = Game("AB")
        for _ in range(9):
            game.put("A", BEAR)
        for _ in range(3):
            game.put("A", BEAR, "graveyard")
        views = Views(RULES)
        views.update(game.begin().state)
        seen: dict[str, Any] = views.tree(None)
        own: dict[str, Any] = seen["players"]["0"]
        return [*seen["objects"], *seen["battlefield"], *own["graveyard"]]

    one, other = texts(), texts()
    assert len(one) == 24 and max(map(len, one)) > 1  # of a single digit Python has but one
    assert list(map(id, one)) == list(map(id, other))
    assert len(set(map(id, one))) == len(set(one))
