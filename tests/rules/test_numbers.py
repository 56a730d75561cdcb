"""Numbers of objects are one value for all games."""

from __future__ import annotations

from server.cards.forms import Card
from server.rules import Options, Seat, State, start
from server.rules.turn import snapshot

FEN = Card(name="Quiet Fen", types="Land")


def dealt(seed: str) -> State:
    return start(Options(seed=seed), tuple(Seat(name, (FEN,) * 200) for name in "AB"))[0]


def test_cards_of_two_games_have_the_same_numbers_and_not_only_equal_ones() -> None:
    one, other = dealt("1"), dealt("2")
    assert max(one.objects) > 256  # up to there Python has but one of each
    assert list(map(id, sorted(one.objects))) == list(map(id, sorted(other.objects)))
    assert all(found.id is number for number, found in one.objects.items())


def test_a_game_that_is_read_from_its_snapshot_has_the_numbers_of_all_games_and_each_word_once() -> None:
    game = dealt("3")
    read = snapshot.read(snapshot.write(game, (FEN,)), (FEN,))
    assert list(map(id, sorted(read.objects))) == list(map(id, sorted(game.objects)))
    assert all(found.id is number for number, found in read.objects.items())
    assert all(
        one is other
        for a, b in zip(read.players, game.players, strict=True)
        for one, other in zip(a.library, b.library, strict=True)
    )
    assert len({id(found.zone) for found in read.objects.values()}) == len(
        {found.zone for found in read.objects.values()}
    )
