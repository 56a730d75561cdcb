"""Laws that hold in every game, on games that hypothesis makes up: decks, table, edition, and every single choice."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server import rules
from server.bench.decks import bench_decks, house_decks, piles
from server.bench.engine import deal
from server.bench.fuzz import Input, put
from server.bench.invariants import (
    Watch,
    answers_hold,
    deck_counts,
    followed,
    illegal_answers,
    remembered,
    sound,
    structure,
)
from server.cards.forms import Card
from server.rules import State
from server.rules.model import Options, Take
from server.rules.turn import legal

Decks = tuple[tuple[Card, ...], ...]
#: A seed draws the choices: hypothesis shrinks the game by its length, not by every draw.
CHANCES = st.integers(0, 2**32).map(random.Random)


class Table(NamedTuple):
    """What a game is made of; short to print."""

    kind: str
    seats: int
    seed: int
    options: Options

    @property
    def decks(self) -> Decks:
        if self.kind == "bench":
            return bench_decks(self.seats)
        return (house_decks if self.kind == "house" else piles)(self.seats, self.seed)

    def deal(self) -> State:
        return deal(self.decks, self.seed, self.options)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Two to five seats, decks, a seed and options."""
    kind, seats = draw(st.sampled_from(("house", "piles", "bench"))), draw(st.integers(2, 5))
    seed = draw(st.integers(0, 10_000))
    edition = draw(st.sampled_from(("2009", "2011", "current")))
    attack = draw(st.sampled_from(("multiple", "multiple", "single", "left", "right")))
    return Table(
        kind, seats, seed, Options(edition=edition, attack=attack, range_of_influence=draw(st.sampled_from((0, 0, 1))))
    )


def walk(table: Table, chance: random.Random, steps: int) -> tuple[list[State], list[Input]]:
    """A game's states and inputs for so many decisions; now and then somebody concedes."""
    states, inputs = [table.deal()], []
    while len(inputs) < steps and states[-1].pending is not None:
        state = states[-1]
        question = state.pending
        assert question is not None
        given: Input = (question.seat, legal.sample(question, state, chance))
        if chance.randrange(300) == 0:
            given = (chance.choice([p.seat for p in state.players if not p.lost]), None)
        inputs.append(given)
        states.append(put(state, given))
    return states, inputs


@given(tables(), CHANCES, st.integers(0, 400))
def test_replay_equals_play(table: Table, chance: random.Random, steps: int) -> None:
    states, inputs = walk(table, chance, steps)
    state = table.deal()
    for given_, played in zip(inputs, states[1:], strict=True):
        state = put(state, given_)
        assert state.pending == played.pending
    assert rules.fingerprint(state) == rules.fingerprint(states[-1])


@given(tables(), CHANCES, st.integers(1, 250))
def test_a_fork_changes_nothing(table: Table, chance: random.Random, steps: int) -> None:
    """Old states stay what they were while others are played on from them."""
    states, inputs = walk(table, chance, steps)
    at = chance.randrange(len(states))
    before = rules.fingerprint(states[at])
    for _ in range(3):
        fork = states[at]
        for _ in range(20):
            if fork.pending is None:
                break
            fork, _ = rules.submit(fork, fork.pending.seat, legal.sample(fork.pending, fork, chance))
    assert rules.fingerprint(states[at]) == before
    state = states[at]
    for given_ in inputs[at:]:
        state = put(state, given_)
    assert rules.fingerprint(state) == rules.fingerprint(states[-1])


@given(tables(), CHANCES, st.integers(0, 300))
def test_legal_answers_are_accepted_and_others_refused(table: Table, chance: random.Random, steps: int) -> None:
    states, _ = walk(table, chance, steps)
    counts = deck_counts(table.decks)
    for state in states[-4:]:
        assert answers_hold(state, counts, random.Random(chance.randrange(1000))) == []


@given(tables(), CHANCES, st.integers(0, 300))
def test_a_refusal_says_why(table: Table, chance: random.Random, steps: int) -> None:
    state = walk(table, chance, steps)[0][-1]
    question = state.pending
    if question is None:
        with pytest.raises(rules.Illegal):
            rules.submit(state, 0, Take(0))
        return
    for answer in illegal_answers(question):
        with pytest.raises(rules.Illegal) as refused:
            rules.submit(state, question.seat, answer)
        assert refused.value.code and str(refused.value)


@given(tables(), CHANCES, st.integers(1, 300))
def test_every_card_is_in_one_zone(table: Table, chance: random.Random, steps: int) -> None:
    counts = deck_counts(table.decks)
    for state in walk(table, chance, steps)[0]:
        assert structure(state, counts) == []
        assert sound(state) == []
        assert followed(state) == []
        assert remembered(state) == []


@given(tables(), CHANCES, st.integers(1, 200))
def test_no_view_holds_a_hidden_card(table: Table, chance: random.Random, steps: int) -> None:
    watch = Watch()
    for number, state in enumerate(walk(table, chance, steps)[0]):
        assert watch.look(state, closely=number % 10 == 0) == []
