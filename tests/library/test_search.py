"""The bot that thinks sees what its seat knows and nothing else, and thinks the same of the same."""

from __future__ import annotations

import random

import pytest

import apnap
from apnap.search import Search

DECKS = [apnap.house_deck(name) for name in apnap.house_decks()[:2]]


def begun(answers: int) -> apnap.Game:
    """A duel, some answers old, at a question with more than one answer."""
    game, chance = apnap.Game.new(DECKS, seed="search", first=0), random.Random(5)
    for _ in range(answers):
        game.push(game.legal.sample(chance))
    while len(list(zip(range(2), game.legal, strict=False))) < 2:
        game.push(game.legal.sample(chance))
    return game


def test_it_answers_legally_and_the_same_again() -> None:
    game = begun(150)
    assert game.seat is not None
    search = Search(DECKS, iterations=8, ahead=15)
    answers = [search.answer(game.knowledge(game.seat), random.Random(3)) for _ in range(2)]
    assert answers[0] == answers[1] and answers[0] in game.legal


def test_what_its_seat_may_not_know_does_not_change_its_answer() -> None:
    game = begun(90)
    seat = game.seat
    assert seat is not None
    known = game.knowledge(seat)
    other = known.deal(DECKS, random.Random(77))  # the same to the seat, other hidden cards and another future
    assert other.knowledge(1 - seat).to_json() != game.knowledge(1 - seat).to_json()
    search = Search(DECKS, iterations=8, ahead=15)
    assert search.answer(known, random.Random(4)) == search.answer(other.knowledge(seat), random.Random(4))


def test_it_asks_who_is_asked() -> None:
    game = begun(40)
    assert game.seat is not None
    with pytest.raises(ValueError, match="asked nothing"):
        Search(DECKS, iterations=2).answer(game.knowledge(1 - game.seat), random.Random(1))


def test_nothing_is_thought_in_no_iterations() -> None:
    with pytest.raises(ValueError, match="no iterations"):
        Search(DECKS, iterations=0)
