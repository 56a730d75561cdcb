"""Votes as data."""

from __future__ import annotations

from server.rooms.ballots import OPEN_MS, Ballot, Motion


def ballot() -> Ballot:
    return Ballot("v1", Motion("pause", by=0, ms=60_000), frozenset({0, 1, 2}), until=OPEN_MS, yes=frozenset({0}))


def test_it_passes_when_all_have_agreed() -> None:
    once = ballot().voted(1, yes=True)
    assert not once.passed and once.waiting == (2,)
    assert once.voted(2, yes=True).passed


def test_one_no_or_the_end_of_its_time_fails_it() -> None:
    refused = ballot().voted(1, yes=True).voted(2, yes=False)
    assert refused.failed(0) and not refused.passed
    assert ballot().failed(OPEN_MS) and not ballot().failed(OPEN_MS - 1)


def test_who_has_left_the_game_has_no_vote() -> None:
    assert ballot().voted(1, yes=True).without(2).passed


def test_what_everyone_is_told() -> None:
    told = ballot().voted(1, yes=True).message(now=10_000)
    assert (told.what, told.yes, told.waiting, told.left_ms, told.ms) == ("pause", [0, 1], [2], 50_000, 60_000)
    assert ballot().message(0, "failed").waiting == []
