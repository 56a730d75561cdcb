"""A state written down and read again is the same game: the same hash, the same text, the same game from there on."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from server import rules
from server.bench.decks import house_decks, piles
from server.bench.fuzz import options_of
from server.cards import forms
from server.cards.forms import Card
from server.rules.model import State, encode_card, with_rare
from server.rules.turn import Unreadable, legal, snapshot
from server.storage.encoding import read_card
from tests.rules.play import FILLER, Game, instant, noun


def deal(seed: int, seats: int = 4) -> tuple[State, tuple[Card, ...]]:
    decks = piles(seats, seed) if seed % 4 == 3 else house_decks(seats, seed)
    cards = tuple({id(card): card for deck in decks for card in deck}.values())
    options = replace(options_of(seed), seed=str(seed))
    state, _ = rules.start(options, tuple(rules.Seat(f"P{n}", deck) for n, deck in enumerate(decks)))
    return state, cards


@pytest.mark.parametrize("seed", [0, 3, 4, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_a_game_goes_on_from_its_snapshots(seed: int) -> None:
    """Two games with the same answers: one plays on, the other is written and read again every 40 decisions."""
    state, cards = deal(seed)
    other = state
    chance = random.Random(seed)
    for number in range(1200):
        if state.result is not None or state.pending is None:
            break
        seat, answer = state.pending.seat, legal.sample(state.pending, state, chance)
        state, events = rules.submit(state, seat, answer)
        other, same = rules.submit(other, seat, answer)
        assert len(events) == len(same)
        if number % 40 == 0:
            assert rules.fingerprint(other) == rules.fingerprint(state)
            data = snapshot.write(state, cards)
            other = snapshot.read(data, cards)
            assert snapshot.write(other, cards) == data
    assert rules.fingerprint(other) == rules.fingerprint(state)
    assert state.turn.number > 10


def test_a_large_state_is_written_a_piece_at_a_time() -> None:
    state, cards = deal(0, seats=10)
    parts = list(snapshot.parts(state, cards))
    assert len(parts) > len(state.objects) // snapshot.PIECE
    assert rules.fingerprint(snapshot.read(b"".join(parts), cards)) == rules.fingerprint(state)


def test_it_is_read_with_cards_that_came_from_a_journal() -> None:
    """The same cards, made anew from their bytes, share nothing with those that the game was dealt from."""
    for seed in (0, 1, 2):
        state, cards = deal(seed)
        chance = random.Random(seed)
        for _ in range(300):
            if state.pending is None:
                break
            state, _ = rules.submit(state, state.pending.seat, legal.sample(state.pending, state, chance))
        data = snapshot.write(state, cards)
        anew = tuple(read_card.__wrapped__(encode_card(card)) for card in cards)
        assert rules.fingerprint(snapshot.read(data, anew)) == rules.fingerprint(state)


def test_the_ability_of_a_token_that_is_gone_is_its_own() -> None:
    """Some rules ask whether two abilities are the same; this one is met before its token, which only last known information has."""
    draws = forms.ActivatedAbility((forms.SacrificeCost(noun("{this}")),), (forms.Draw(),), text="Sacrifice: Draw.")
    game = Game("AB")
    token = game.put("A", Card(name="Scrap of Map", types="Artifact", abilities=(draws,)), token=True)
    game.begin()
    game.activate("A", token)
    for state in (game.state, snapshot.read(snapshot.write(game.state, (FILLER,)), (FILLER,))):
        entry = state.objects[state.stack[-1]].entry
        assert entry is not None
        assert entry.ability is state.last[token].object.definition.card.abilities[0]


def test_a_word_that_only_equals_its_default_goes_into_the_same_hash() -> None:
    """A program that was made as its spell was announced, of a card that came from a journal."""
    game = Game("AB")
    bolt = game.put("A", instant("Long Evening", forms.Effect(noun("each creature"), ())), "hand")
    game.begin()
    game.cast("A", bolt)
    spell = game.state.objects[game.state.stack[-1]]
    assert spell.entry is not None and isinstance(made := spell.entry.program[0], forms.Effect)
    word = "".join(made.duration.partition(" "))
    assert word is not made.duration
    entry = replace(spell.entry, program=(replace(made, duration=word),))
    state = replace(game.state, objects={**game.state.objects, spell.id: with_rare(spell, entry=entry)})
    data = snapshot.write(state, (FILLER,))
    assert rules.fingerprint(snapshot.read(data, (FILLER,))) == rules.fingerprint(state)
    assert snapshot.write(snapshot.read(data, (FILLER,)), (FILLER,)) == data


def test_a_snapshot_does_not_grow_with_the_game() -> None:
    state, cards = deal(1)
    chance = random.Random(1)
    sizes: list[int] = []
    for number in range(3000):
        if state.pending is None:
            break
        state, _ = rules.submit(state, state.pending.seat, legal.sample(state.pending, state, chance))
        if number % 100 == 0:
            sizes.append(len(snapshot.write(state, cards)))
    assert max(sizes) < 60_000


def test_a_field_that_is_gone_is_refused() -> None:
    state, cards = deal(0)
    data = snapshot.write(state, cards)
    with pytest.raises(Unreadable):
        snapshot.read(data.replace(b'"library"', b'"bookshelf"'), cards)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-10],
        lambda data: b"{}",
        lambda data: b"",
        lambda data: data.replace(b'"snapshot":1', b'"snapshot":2'),
        lambda data: data.replace(b"rules.Object", b"rules.Subject"),
        lambda data: b'{"snapshot":1,"shapes":[],"cards":0,"walks":{},"made":[],"nodes":[],"state":null}',
    ],
)
def test_damage_is_refused(damage) -> None:
    state, cards = deal(2)
    with pytest.raises(Unreadable):
        snapshot.read(damage(snapshot.write(state, cards)), cards)


def test_it_belongs_to_the_cards_of_its_game() -> None:
    state, cards = deal(2)
    with pytest.raises(Unreadable):
        snapshot.read(snapshot.write(state, cards), cards[1:])
