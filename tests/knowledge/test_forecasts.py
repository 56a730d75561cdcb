"""Forecasts: what would come of an answer, told without giving it and without telling anything hidden."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from server import rules
from server.cards import forms
from server.knowledge.forecasts import forecast
from server.knowledge.hidden import may_know
from server.knowledge.veiled import veiled
from server.rooms import RULES
from server.rules.model import Illegal, Rule, State, define, evolve, with_rare
from server.rules.model import questions as q
from server.rules.turn import legal, snapshot
from tests.rooms.test_whole_games import setup_of
from tests.rules.keywords.test_casting_more import Card, keyword
from tests.rules.play import ALDRIC, BEAR, BOLT, FOREST, MOUNTAIN, Game, creature, instant, noun, whenever


def blocks_asked(game: Game, who: str) -> q.BlockersQuestion:
    while not isinstance(game.question, q.BlockersQuestion):
        game.default()
    assert game.question.seat == game.seat(who)
    return game.question


def attack(game: Game, **attacks: object) -> None:
    while not isinstance(game.question, q.AttackersQuestion):
        game.default()


@pytest.mark.rule("510.1")
def test_an_attack_shows_what_goes_through_if_nobody_blocks() -> None:
    game = Game("ABC")
    bear, hero = game.put("A", creature("Bear", 3, 3)), game.put("B", ALDRIC)
    other = game.put("A", BEAR)
    game.put("C", BEAR)
    game.begin()
    attack(game)
    before = game.state
    question = game.question
    assert isinstance(question, q.AttackersQuestion)
    at = {a.object: n for n, a in enumerate(question.attackers)}
    defenders = question.attackers[at[bear]].defenders
    answer = q.Attackers(((at[bear], defenders.index(q.player_ref(2))), (at[other], defenders.index(game.now(hero)))))
    effects = forecast(RULES, before, 0, answer)
    assert effects.life == {"2": -3} and effects.loyalty == {str(hero): -2}
    assert not effects.dies and not effects.unsure and not effects.taps
    assert game.state is before, "nothing was answered"


def test_a_block_shows_who_would_die() -> None:
    game = Game("AB")
    big, small, helper = game.put("A", creature("Ogre", 4, 3)), game.put("B", BEAR), game.put("B", BEAR)
    game.begin()
    attack(game)
    question = game.question
    assert isinstance(question, q.AttackersQuestion)
    game.submit(q.Attackers(((0, 0),)))
    blocks = blocks_asked(game, "B")
    at = {b.object: n for n, b in enumerate(blocks.blockers)}
    alone = forecast(RULES, game.state, 1, q.Blockers(((at[small], big),)))
    assert alone.dies == [str(small)] and alone.damage == {str(big): 2} and alone.life == {}
    both = forecast(RULES, game.state, 1, q.Blockers(((at[small], big), (at[helper], big))))
    assert both.dies == sorted([str(big), str(small), str(helper)], key=int)
    none = forecast(RULES, game.state, 1, q.Blockers())
    assert none.life == {"1": -4}


@pytest.mark.rule("509.1b")
def test_an_illegal_block_says_why() -> None:
    game = Game("AB")
    kite, bear = game.put("A", creature("Kite", 1, 1, "flying")), game.put("B", BEAR)
    game.put("A", BEAR)
    game.begin()
    attack(game)
    question = game.question
    assert isinstance(question, q.AttackersQuestion)
    game.submit(q.Attackers(((0, 0), (1, 0))))
    blocks = blocks_asked(game, "B")
    at = {b.object: n for n, b in enumerate(blocks.blockers)}
    with pytest.raises(Illegal) as no:
        forecast(RULES, game.state, 1, q.Blockers(((at[bear], kite),)))
    assert no.value.rule is Rule.BLOCK_RESTRICTION


def test_a_lethal_attack_says_who_would_lose() -> None:
    game = Game("ABC", life=2)
    game.put("A", BEAR)
    game.begin()
    attack(game)
    effects = forecast(RULES, game.state, 0, q.Attackers(((0, 0),)))
    assert effects.loses == [1]


@pytest.mark.parametrize("hidden", ["draws", "flips"])
def test_a_forecast_ends_where_something_hidden_comes_into_it(hidden: str) -> None:
    do = forms.Draw() if hidden == "draws" else forms.FlipCoin(won=(forms.GainLife(amount=3),))
    dealt = whenever(forms.Pattern(event="attacks", subject=noun("{this}")), do)
    game = Game("AB")
    game.put("A", creature("Seer", 2, 2, abilities=(dealt,)))
    game.begin()
    attack(game)
    effects = forecast(RULES, game.state, 0, q.Attackers(((0, 0),)))
    assert effects.unsure and effects.life == {} and effects.dies == []


def test_a_spell_shows_what_would_be_tapped_for_it() -> None:
    game = Game("AB")
    mountain, _ = game.put("A", MOUNTAIN), game.put("A", FOREST)
    bolt = game.put("A", instant("Bolt", forms.Damage(amount=3, to=noun("target player")), cost="{R}"), "hand")
    game.begin()
    question = game.question
    assert isinstance(question, q.PriorityQuestion)
    index = next(n for n, action in enumerate(question.actions) if action.object == bolt)
    effects = forecast(RULES, game.state, 0, q.Take(index))
    assert effects.taps == [str(mountain)] and effects.life == {}


def test_a_forecast_of_an_action_goes_no_further_than_paying() -> None:
    game = Game("AB")
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    question = game.question
    assert isinstance(question, q.PriorityQuestion)
    index = next(n for n, action in enumerate(question.actions) if action.object == bolt)
    assert forecast(RULES, game.state, 0, q.Take(index)).life == {}


def dealt_anew(state: State, seat: int, chance: random.Random) -> State:
    """The same table, as far as the seat may know, with other cards in all hidden places and other chance."""
    hidden = [
        n for n, thing in state.objects.items() if thing.zone in ("library", "hand") and not may_know(thing, seat)
    ]
    others = [state.objects[n].definition for n in hidden]
    chance.shuffle(others)
    objects = dict(state.objects)
    for number, definition in zip(hidden, others, strict=True):
        objects[number] = replace(objects[number], definition=definition)
    return replace(state, objects=objects, options=replace(state.options, seed="another"), memo={})


def test_a_forecast_is_the_same_whatever_is_hidden() -> None:
    """Over whole games of random answers: dealt anew behind the seat's back, every forecast says the same."""
    chance, told = random.Random(11), 0
    for seed in ("f1", "f2", "f3"):
        state, _ = RULES.start(setup_of(3, seed))
        for _ in range(400):
            pending = state.pending
            if pending is None:
                break
            answer = legal.sample(pending, state, chance)
            if not isinstance(pending, q.PriorityQuestion) or (isinstance(answer, q.Take) and answer.index):
                effects = forecast(RULES, state, pending.seat, answer)
                assert effects == forecast(RULES, dealt_anew(state, pending.seat, chance), pending.seat, answer)
                written = snapshot.write(veiled(state, pending.seat), ())
                assert effects == forecast(RULES, snapshot.read(written, ()), pending.seat, answer)
                told += bool(effects.life or effects.dies or effects.taps)
            state, _ = RULES.submit(state, pending.seat, answer)
    assert told > 60


def test_what_looks_ahead_elsewhere_is_told_of_no_hidden_card_and_of_no_chance() -> None:
    """Not even which cards are in the others' decks: each seat's are named for it alone."""
    decks = [tuple(creature(f"Beast {seat}.{number}", 2, 2) for number in range(30)) for seat in range(3)]
    state, _ = rules.start(
        rules.Options(seed="the seed of this game"), tuple(rules.Seat(f"P{n}", deck) for n, deck in enumerate(decks))
    )
    written = snapshot.write(veiled(state, 1), ())
    assert b"the seed" in snapshot.write(state, ()) and b"the seed" not in written
    hand = {state.objects[number].definition.card.name for number in state.players[1].hand}
    told = {card.name for deck in decks for card in deck if f'"{card.name}"'.encode() in written}
    assert told <= hand and told


def test_what_looks_ahead_elsewhere_is_not_told_how_all_was_before_what_is_being_announced() -> None:
    """To which the game returns where the announcement is taken back (601.2)."""
    game = Game("AB", seed="the seed of this game")
    game.put("A", MOUNTAIN)
    game.put("B", creature("Hidden", 2, 2), "hand")
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    question = game.question
    assert isinstance(question, q.PriorityQuestion)
    game.submit(q.Take(next(n for n, action in enumerate(question.actions) if action.object == bolt)))
    assert isinstance(game.question, q.ChooseQuestion), "its target is chosen"
    written = snapshot.write(veiled(game.state, 0), ())
    assert b"Hidden" not in written and b"the seed" not in written
    assert b"Hidden" in snapshot.write(veiled(game.state, 1), ())


def test_what_looks_ahead_elsewhere_is_not_told_what_a_hidden_card_is_printed_as() -> None:
    game = Game("AB")
    hidden = game.put("B", BEAR, "hand")
    game.begin()
    thing = with_rare(game.object(hidden), printed=define(creature("Unseen", 2, 2)))
    state = evolve(game.state, objects={**game.state.objects, thing.id: thing})
    assert b"Unseen" not in snapshot.write(veiled(state, 0), ())
    assert b"Unseen" in snapshot.write(veiled(state, 1), ())


def test_what_looks_ahead_elsewhere_is_not_told_what_lies_face_down() -> None:
    hidden = Card(
        name="Hidden",
        types="Creature — Beast",
        cost="{5}{R}",
        power="5",
        toughness="5",
        abilities=(keyword("morph", "{R}"),),
    )
    game = Game("AB")
    for _ in range(4):
        game.put("A", MOUNTAIN)
    handle = game.put("A", hidden, "hand")
    game.begin()
    game.cast("A", handle, way="face down")
    on_the_stack = game.state
    game.resolve()
    for state in (on_the_stack, game.state):
        assert b"Hidden" in snapshot.write(veiled(state, 0), ()) and b"Hidden" not in snapshot.write(
            veiled(state, 1), ()
        )
