"""Numbers of objects are one value for all games."""

from __future__ import annotations

from server.cards.forms import Card
from server.rules import Options, Seat, State, start

FEN = Card(name="Quiet Fen", types="Land")


def dealt(seed: str) -> State:
    return start(Options(seed=seed), tuple(Seat(name, (FEN,) * 200) for name in "AB"))[0]


def test_cards_of_two_games_have_the_same_numbers_and_not_only_equal_ones() -> None:
    one, other = dealt("1"), dealt("2")
    assert max(one.objects) > 256  # up to there Python has but one of each
    assert list(map(id, sorted(one.objects))) == list(map(id, sorted(other.objects)))
    assert all(found.id is number for number, found in one.objects.items())
