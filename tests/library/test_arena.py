"""The arena: what it draws, what it counts, when it stops, and that it goes on where it ended."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

from apnap.arena.__main__ import table
from apnap.arena.bots import UnknownBot, maker
from apnap.arena.contest import OtherContest, Stop, contest
from apnap.arena.match import Setting, drawn, play, shifts
from apnap.arena.measure import Bets, Interval, ratings
from apnap.arena.page import page

SHORT = Setting(("simple", "random"), decks=("emberclan",), seed="short")


def test_a_true_share_stays_within_the_interval_however_often_one_looks() -> None:
    missed = 0
    for number in range(40):
        bets, chance = Bets(), random.Random(f"bets {number}")
        for _ in range(60):
            bets.add(float(chance.random() < 0.6))
            if not bets.interval.low <= 0.6 <= bets.interval.high:
                missed += 1
                break
    assert missed <= 4, "one of twenty"


def test_the_interval_closes_on_what_comes() -> None:
    bets = Bets()
    for number in range(300):
        bets.add(number % 4 / 3)
    assert bets.interval.mean == pytest.approx(0.5, abs=0.01)
    assert bets.interval.low > 0.4 and bets.interval.high < 0.6


def test_who_wins_more_is_rated_higher() -> None:
    rated = ratings(("a", "b", "b"), [(1.0, 0.0, 0.0)] * 8 + [(0.0, 1.0, 0.0)] * 4)
    assert rated["a"].mean > rated["b"].mean + 2
    assert all(one.high - one.low < 4 * 25 / 3 for one in rated.values()), "surer than before any game"


@pytest.mark.parametrize(
    ("line_up", "ways"), [(("simple", "random"), 2), (("a", "b", "b", "b"), 4), (("simple", "simple"), 1)]
)
def test_everybody_sits_everywhere_with_the_same_decks(line_up: tuple[str, ...], ways: int) -> None:
    setting = Setting(line_up)
    assert len(shifts(setting)) == ways
    assert drawn(setting, 3) == drawn(setting, 3) != drawn(setting, 4)


def test_the_same_game_is_played_again() -> None:
    one, other = (play(SHORT, 0, 1) for _ in range(2))
    assert (one.shares, one.turns, one.answers) == (other.shares, other.turns, other.answers)
    assert sum(one.shares) == 1


class Failing:
    """Raises at each question."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def answer(self, table: object, question: object) -> object:
        raise RuntimeError("no idea")


def test_a_bot_that_fails_plays_the_defaults_and_is_counted() -> None:
    here = f"{Path(__file__)}:{Failing.__name__}"
    game = play(Setting(("simple", here), decks=("emberclan",), seed="f"), 0, 0)
    assert game.shares == (1.0, 0.0)
    assert game.failures[1] == game.answers[1] > 0


@pytest.mark.parametrize("number", [0, 1])
def test_the_bots_of_the_page_play(number: int, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[number]
    (tmp_path / "page.py").write_text(code, encoding="utf-8")
    name = f"{tmp_path / 'page.py'}:{re.findall(r'class (.*):', code)[0]}"
    game = play(Setting((name, "simple"), decks=("emberclan",), seed="page"), 0, 0)
    assert game.failures == (0, 0) and game.answers[0] > 0


@pytest.mark.parametrize("name", ["nobody", "no.such.module:Bot", "json:nothing"])
def test_who_is_no_bot_is_said_to_be_none(name: str) -> None:
    with pytest.raises(UnknownBot):
        maker(name)


def test_it_goes_on_where_it_ended(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    first = contest(SHORT, Stop(1), kept=kept)
    size = len(kept.read_text().splitlines())
    assert size == 1 + 2
    again = contest(SHORT, Stop(1), kept=kept)
    assert again == first and len(kept.read_text().splitlines()) == size, "nothing is played twice"
    assert {one.bot for one in again.standings} == {"simple", "random"}
    assert again.games == 2 and again.even == 0.5 and again.stopped == "rounds"
    with pytest.raises(OtherContest):
        contest(Setting(("random", "simple")), Stop(1), kept=kept)
    assert "<svg" in page(again) and "random" in page(again)


def test_it_stops_when_it_is_decided() -> None:
    stop = Stop(rounds=100, against=0.5, width=0.1)
    assert stop.why(Interval(0.7, 0.51, 0.9), 10) == "decided"
    assert stop.why(Interval(0.5, 0.46, 0.55), 10) == "narrow"
    assert stop.why(Interval(0.5, 0.2, 0.8), 100) == "rounds"
    assert stop.why(Interval(0.5, 0.2, 0.8), 99) == ""


class Seedless:
    """Its class takes no seed."""

    def answer(self, table: object, question: object) -> object:
        return None


class Mute:
    """Answers nothing."""

    def __init__(self, seed: int) -> None:
        self.seed = seed


class Leaving(Mute):
    """Ends the process that it is in, as it believes."""

    def answer(self, table: object, question: object) -> object:
        sys.exit(3)


@pytest.mark.parametrize(("made", "why"), [(Seedless, r"`Seedless\(seed\)` makes no bot"), (Mute, "neither `answer")])
def test_what_makes_no_bot_is_told_before_a_game(made: type, why: str) -> None:
    with pytest.raises(UnknownBot, match=why):
        maker(f"{Path(__file__)}:{made.__name__}")(0)


def test_no_time_and_no_games_are_no_search() -> None:
    for name in ("search 0 ms", "search 00 games"):
        with pytest.raises(UnknownBot):
            maker(name)


@pytest.mark.parametrize(("made", "fault"), [(Failing, "RuntimeError: no idea"), (Leaving, "SystemExit: 3")])
def test_it_is_told_by_what_a_bot_failed_first(made: type, fault: str) -> None:
    here = f"{Path(__file__)}:{made.__name__}"
    report = contest(Setting((here, "simple"), decks=("emberclan",), seed="f"), Stop(1))
    by_bot = {one.bot: one.fault for one in report.standings}
    assert by_bot["simple"] == "" and re.fullmatch(rf"{fault} \(test_arena.py, line \d+\)", by_bot[here])
    assert f"{here} failed first by {fault}" in table(report)


def test_a_game_that_was_written_by_half_is_played_again(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    whole = contest(SHORT, Stop(1), kept=kept)
    text = kept.read_bytes()
    for cut in (text[:-9], text[:7]):
        kept.write_bytes(cut)
        again = contest(SHORT, Stop(1), kept=kept)
        assert [one.share for one in again.standings] == [one.share for one in whole.standings]
        assert len(kept.read_bytes().splitlines()) == 1 + 2
