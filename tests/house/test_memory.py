"""A server that has played for long holds no more than one that has just warmed up."""

from __future__ import annotations

import gc
import random
import tracemalloc

import msgspec
import pytest
import trio

from protocol.options import RoomOptions
from server.bench.decks import house_decks
from server.bench.restart import SEATS, play
from server.cards.forms import Card
from server.rooms import RULES, Room
from server.rules.model import definition, remember, remembered
from server.storage import MemoryStorage, Sitting, make_setup
from server.storage.encoding import read_card

INPUTS = 40
WARM, MEASURED = 8, 4
"""How many games fill the caches, and how many are played after them."""

SWAY = 0.6 * 1024**2
"""Bytes by which full caches differ from game to game, as entries of other sizes take others' places: up to 0.35 MiB were seen.
Four rooms that were kept would be 1.4 MiB.
"""


def fresh(cards: tuple[Card, ...], number: int) -> tuple[Card, ...]:
    """Cards that no game before has seen, as if their players had brought them."""
    read: dict[int, Card] = {}
    for card in cards:
        if id(card) not in read:
            copy = read_card.__wrapped__(definition.encode_card(card))
            read[id(card)] = msgspec.structs.replace(copy, name=f"{card.name} {number}")
    return tuple(read[id(card)] for card in cards)


async def short_game(number: int) -> None:
    """A game of four seats, of which the beginning is played; nothing of it is kept."""
    sittings = [
        Sitting(name=f"Player {seat}", person=f"p{seat}", deck=fresh(deck, number))
        for seat, deck in enumerate(house_decks(SEATS, number % 3))
    ]
    setup = make_setup(
        room=f"memory {number}", options=RoomOptions(), seed=str(number), sittings=sittings, version=RULES.version
    )
    await play(Room(setup, MemoryStorage()), INPUTS, random.Random(number))


def things() -> dict[str, int]:
    """How many there are of what a game is made of, but for the words of abilities on the stack, of which the last 8192 are kept."""
    definition._ability_definition.cache_clear()
    for _ in range(3):  # what is let go of with a room is no part of the first search
        gc.collect()
    found = {"Definition": 0, "Room": 0, "Abilities": 0, "Views": 0, "Cached": 0}
    for thing in gc.get_objects():
        name = type(thing).__name__
        if name in found:
            found[name] += 1
    return found


def test_many_short_games_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches are made small, so that they are full after the first games; then memory stands still."""
    monkeypatch.setattr(remembered, "MOST", 60)
    monkeypatch.setattr(definition, "DEFINITIONS", 60)
    for number in range(WARM - 2):
        trio.run(short_game, number)
    before = things()
    tracemalloc.start()
    for number in range(WARM - 2, WARM):
        trio.run(short_game, number)
    gc.collect()
    first = tracemalloc.get_traced_memory()[0]
    for number in range(WARM, WARM + MEASURED):
        trio.run(short_game, number)
    gc.collect()
    second = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    after = things()
    print(before, after, first, second)
    assert before["Definition"] > 50
    assert after["Room"] == after["Views"] == 0
    for name in before:
        assert after[name] <= before[name] * 1.5
    assert second - first < SWAY


def test_a_full_cache_forgets_what_it_has_known_longest() -> None:
    cache: dict[int, int] = {}
    for number in range(10):
        assert remember(cache, number, number, 4) == number
    assert len(cache) <= 4 and max(cache) == 9 and 0 not in cache


def test_equal_cards_have_one_definition_as_long_as_it_is_used() -> None:
    card = house_decks(1, 1)[0][0]
    again = read_card.__wrapped__(definition.encode_card(card))
    assert again is not card and definition.define(again) is definition.define(card)
