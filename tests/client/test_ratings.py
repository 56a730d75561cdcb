"""The ladder in lines."""

from __future__ import annotations

from client_cli.ratings import lines
from protocol.people import RatingLine, Ratings

ANN = RatingLine(ladder="brawl", person="p1", name="Ann", rating=31.5, spread=9.0, games=7, wins=5)


def test_a_ladder_says_how_sure_it_is_and_which_others_there_are() -> None:
    told = Ratings(ladder="brawl", ladders=["bots brawl", "brawl"], rated=[ANN])
    assert lines(told, "en") == [
        "Ladder: brawl",
        "1. Ann: 31.5 ± 9.0 (games: 7, won: 5)",
        "Other ladders: bots brawl",
    ]
    assert lines(told, "fr")[1] == "1. Ann : 31.5 ± 9.0 (parties : 7, gagnées : 5)"


def test_a_ladder_on_which_nobody_stands_says_so() -> None:
    assert lines(Ratings(ladder="brawl"), "en")[1:] == ["Nobody is rated there yet."]
