"""A companion is outside the game until its owner takes it (current 702.139)."""

from __future__ import annotations

import pytest

from server import rules
from server.bench.decks import any_land
from server.cards.forms import Card, Continuous, GainAbilities, Noun
from server.rules.characteristics import characteristics
from server.rules.happenings import restarted
from server.rules.model import PriorityQuestion, State, Take, events, lookup, player_ref
from server.rules.model.questions import AnyAnswer
from server.rules.turn import legal

FOX = Card(
    name="Far Fox",
    types="Legendary Creature — Fox",
    cost="{G}",
    power="3",
    toughness="3",
    abilities=(Continuous(what=Noun("creatures you control"), mods=(GainAbilities(keywords=("haste",)),)),),
)
BEAR = Card(name="Bear", types="Creature — Bear", cost="{G}", power="2", toughness="2")


def table(format_: str = "constructed") -> State:
    options = rules.Options(edition="current", seed="fox", mulligans=False, format=format_)
    leads = (BEAR,) if format_ == "commander" else ()
    deck = (any_land(),) * 60
    seats = (rules.Seat("A", deck, leads, (FOX,)), rules.Seat("B", deck, leads))
    return rules.start(options, seats, 0)[0]


def play(state: State, until: int) -> State:
    """Seat 0 plays lands and passes, until the turn of that number begins its first main phase; then as long as nothing costs {3}."""
    while not (
        state.turn.number == until
        and state.turn.step == "precombat_main"
        and isinstance(state.pending, PriorityQuestion)
    ):
        state = step(state, land=True)
    return state


def step(state: State, land: bool = False) -> State:
    question = state.pending
    assert question is not None
    answer: AnyAnswer = legal.default(question, state)
    if land and isinstance(question, PriorityQuestion):
        lands = [n for n, action in enumerate(question.actions) if action.type == "play_land"]
        answer = Take(lands[0]) if lands else answer
    return rules.submit(state, question.seat, answer)[0]


def taking(state: State) -> list[int]:
    """Where the special action stands among what may be done now."""
    question = state.pending
    assert isinstance(question, PriorityQuestion)
    return [n for n, action in enumerate(question.actions) if (action.type, action.way) == ("special", "companion")]


def fox(state: State) -> tuple[int, str]:
    return next((oid, one.zone) for oid, one in state.objects.items() if one.definition.name == "Far Fox")


@pytest.mark.rule("current 702.139a", "current 116.2g")
def test_three_mana_bring_it_to_its_owners_hand_in_an_own_main_phase_once() -> None:
    state = table()
    assert fox(state)[1] == "command"
    state = play(state, 3)
    while state.pending is not None and state.pending.seat != 0:
        state = step(state)
    assert taking(state) == []  # one land of the first turn and none of this one yet
    state = play(state, 5)
    state = step(state, land=True)
    (place,) = taking(state)
    assert state.pending is not None and state.pending.seat == 0
    state, _ = rules.submit(state, 0, Take(place))
    while not isinstance(state.pending, PriorityQuestion):
        state = step(state)
    assert fox(state)[1] == "hand" and not state.stack
    assert sum(state.objects[oid].tapped for oid in state.battlefield) == 3
    assert taking(state) == []
    state = play(state, 7)
    assert taking(step(state, land=True)) == []


@pytest.mark.rule("current 702.139a")
def test_only_the_owner_takes_it_and_only_at_the_time_of_a_sorcery() -> None:
    state = play(table(), 5)
    seen = 0
    for _ in range(60):
        state = step(state, land=True)
        if isinstance(state.pending, PriorityQuestion):
            slow = (
                state.turn.step in ("precombat_main", "postcombat_main") and state.turn.active == 0 and not state.stack
            )
            if taking(state):
                assert state.pending.seat == 0 and slow
                seen += 1
    assert seen


@pytest.mark.rule("current 702.139a", "current 903.11")
def test_outside_the_game_nothing_of_it_works_and_it_is_cast_from_no_commanders_zone() -> None:
    state = play(table("commander"), 5)
    state = step(state, land=True)
    question = state.pending
    assert isinstance(question, PriorityQuestion)
    ways = {
        (state.objects[a.object].definition.name, a.type, a.way) for a in question.actions if a.object in state.command
    }
    assert ways == {("Bear", "cast", ""), ("Far Fox", "special", "companion")}
    cast = next(n for n, a in enumerate(question.actions) if a.object in state.command and a.type == "cast")
    state, _ = rules.submit(state, 0, Take(cast))
    while not any(state.objects[oid].definition.name == "Bear" for oid in state.battlefield):
        state = step(state)
    bear = next(oid for oid in state.battlefield if state.objects[oid].definition.name == "Bear")
    assert "haste" not in characteristics(state, bear).keywords


@pytest.mark.rule("current 702.139c")
def test_once_taken_it_is_a_card_of_the_game() -> None:
    state = step(play(table(), 5), land=True)
    state, _ = rules.submit(state, 0, Take(taking(state)[0]))
    while not isinstance(state.pending, PriorityQuestion):
        state = step(state)
    oid, _ = fox(state)
    thing = state.objects[oid]
    assert oid in state.players[0].hand and thing.chosen == () and thing.known == 0b11


@pytest.mark.rule("current 702.139c")
def test_where_the_game_is_restarted_it_is_outside_of_the_new_one_or_a_card_of_its_library() -> None:
    """The latter if it had been taken."""
    state = step(play(table(), 5), land=True)
    begins = events.Restarts(subject=player_ref(1))
    assert fox(restarted(state, begins))[1] == "command"
    assert lookup.is_companion(restarted(state, begins).objects[fox(restarted(state, begins))[0]])
    state, _ = rules.submit(state, 0, Take(taking(state)[0]))
    while not isinstance(state.pending, PriorityQuestion):
        state = step(state)
    assert fox(restarted(state, begins))[1] == "library"
