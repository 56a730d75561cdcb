"""What a seat knows of a game of the library, and games dealt from it."""

from __future__ import annotations

import contextlib
import json
import random

import pytest

import apnap

DECKS = [apnap.house_deck(name) for name in apnap.house_decks()[:3]]


def begun(turns: int = 3) -> apnap.Game:
    """A game of three, some turns old, somebody asked."""
    game = apnap.Game.new(DECKS, seed="knowledge", first=0)
    chance = random.Random(5)
    while game.view(None).turn < turns:
        game.push(game.legal.sample(chance))
    return game


def test_a_dealt_game_looks_the_same_to_the_seat_and_is_played_to_its_end() -> None:
    game = begun()
    seat = game.seat
    assert seat is not None
    guess = game.knowledge(seat).deal(DECKS, random.Random(1))
    assert guess.seat == seat and guess.view(seat).objects == game.view(seat).objects
    chance = random.Random(2)
    while guess.result is None:
        guess.push(guess.legal.sample(chance))
    assert game.result is None


def test_what_chance_brings_is_drawn_anew_in_each() -> None:
    game = begun()
    known = game.knowledge(0)
    futures: set[str] = set()
    for seed in range(4):
        guess = known.deal(DECKS, random.Random(seed))
        while guess.view(None).turn < 7:
            guess.push(guess.legal.default)
        futures.add(repr([thing.face for thing in guess.view(0).objects.values()]))
    assert len(futures) > 1


def test_a_deck_for_each_seat_is_needed() -> None:
    with pytest.raises(ValueError, match="2 decks are not for 3 seats"):
        begun().knowledge(0).deal(DECKS[:2], random.Random(1))


def test_there_is_no_knowledge_of_a_seat_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="no seat 3"):
        begun().knowledge(3)


def test_a_dealt_game_is_not_written_down() -> None:
    with pytest.raises(ValueError, match="no beginning"):
        begun().knowledge(0).deal(DECKS, random.Random(1)).to_json()


def hands(game: apnap.Game) -> list[list[str]]:
    """The names of the cards in each hand."""
    views = [game.view(seat) for seat in range(3)]
    return [
        [game.face(view.objects[key].face or "").name for key in view.players[str(seat)].hand]
        for seat, view in enumerate(views)
    ]


def test_what_a_seat_knows_is_the_same_elsewhere() -> None:
    game = begun()
    chance = random.Random(9)
    for _ in range(60):
        seat = chance.randrange(3)
        known = game.knowledge(seat)
        there = apnap.Game.read_knowledge(known.to_json())
        assert there.seat == seat and there.to_json() == known.to_json()
        guesses = [one.deal(DECKS, random.Random(4)) for one in (known, there)]
        assert hands(guesses[0]) == hands(guesses[1])
        game.push(game.legal.sample(chance))


@pytest.mark.parametrize("text", ["", "{}", '{"seat":0,"tops":[],"state":{}}', "[" * 100_000])
def test_what_is_nobodys_knowledge_is_refused(text: str) -> None:
    with pytest.raises(apnap.RecordFault):
        apnap.Game.read_knowledge(text)


def test_knowledge_of_other_seats_than_its_state_is_refused() -> None:
    text = begun().knowledge(0).to_json()
    with pytest.raises(apnap.RecordFault, match="other seats"):
        apnap.Game.read_knowledge(text.replace('{"seat":0,', '{"seat":7,', 1))


def test_knowledge_of_which_some_part_is_no_such_part_is_refused() -> None:
    """Whatever stands there instead of a part, it is a fault of what was read, and nothing else is raised."""
    whole = json.loads(begun().knowledge(0).to_json())
    written = whole["state"]
    rows = (written["state"], *(row for row in written["made"][:8] if isinstance(row, list)))
    places = [(row, at) for row in rows for at in range(len(row))]
    for table, at in places:
        kept = table[at]
        for wrong in (99, "x"):
            table[at] = wrong
            with contextlib.suppress(apnap.RecordFault):
                apnap.Game.read_knowledge(json.dumps(whole))
        table[at] = kept
    assert apnap.Game.read_knowledge(json.dumps(whole)).seat == 0
