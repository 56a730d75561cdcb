"""A contest: rounds are played until it is clear who is better, or their number is up; what is played is kept in a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import msgspec

from apnap.arena.match import Played, Setting, play, shifts
from apnap.arena.measure import Bets, Interval, ratings

Submit: TypeAlias = Callable[[Setting, int, int], Future[Played]]
"""Plays a game as `apnap.arena.match.play` does, now or later."""


class Standing(msgspec.Struct, frozen=True):
    """A bot in the contest: the `share` of the wins of one of its seats, its `rating`, how many seats it had and answers it gave, the
    milliseconds for each (`apnap.arena.match.Played`), how many were none, how many the clock gave, and by what it failed first.
    """

    bot: str
    seats: int
    share: Interval
    rating: Interval
    answers: int
    ms_an_answer: float
    failures: int
    timeouts: int
    fault: str = ""


class Report(msgspec.Struct, frozen=True):
    """What a contest came to. `even` is the share if all were equal; `stopped` why it ended; `course` the first bot's interval after
    each round.
    """

    line_up: tuple[str, ...]
    edition: str
    decks: tuple[str, ...]
    seed: str
    rounds: int
    games: int
    even: float
    stopped: str
    standings: tuple[Standing, ...]
    course: tuple[Interval, ...]


class Stop(msgspec.Struct, frozen=True):
    """When it is enough: after so many `rounds`, or as soon as the first bot's interval excludes `against`, or is no wider than `width`."""

    rounds: int
    against: float | None = None
    width: float = 0.0

    def why(self, interval: Interval, rounds: int) -> str:
        """Why it ends here, "" if it does not."""
        if self.against is not None and not interval.low <= self.against <= interval.high:
            return "decided"
        if interval.high - interval.low <= self.width:
            return "narrow"
        return "rounds" if rounds >= self.rounds else ""


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file of games."""

    setting: Setting


class OtherContest(Exception):
    """A file holds the games of another contest."""


def contest(
    setting: Setting,
    stop: Stop,
    *,
    jobs: int = 1,
    kept: Path | None = None,
    told: Callable[[Interval, int], None] | None = None,
    submit: Submit | None = None,
) -> Report:
    """Play until `stop` says so. With a file `kept` games that stand in it are not played again. `told` hears of each round; `submit` has
    games played elsewhere, so many at once. Raises OtherContest, OSError, and what `play` raises.

    Rounds count in their order, whichever is finished first, so that what is played fast is not counted before what is long.
    """
    played = _read(setting, kept)
    first, bets = setting.line_up[0], Bets()
    mine = [place for place, name in enumerate(setting.line_up) if name == first]
    course: list[Interval] = []
    games: list[Played] = []
    why = ""
    with _pool(jobs) if submit is None else nullcontext(submit) as plays:
        for number, round_ in enumerate(_rounds(setting, stop.rounds, jobs, plays, played, kept)):
            games.extend(round_)
            bets.add(sum(game.shares[place] for game in round_ for place in mine) / (len(round_) * len(mine)))
            course.append(bets.interval)
            if told is not None:
                told(bets.interval, number + 1)
            why = stop.why(bets.interval, number + 1)
            if why:
                break
    return _report(setting, games, course, why)


def _here(setting: Setting, number: int, shifted: int) -> Future[Played]:
    """Plays it at once, in this process; what `play` raises is raised here."""
    done: Future[Played] = Future()
    done.set_result(play(setting, number, shifted))
    return done


@contextmanager
def _pool(jobs: int) -> Generator[Submit]:
    """Games are played here, or in so many processes."""
    if jobs == 1:
        yield _here
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        yield partial(pool.submit, play)
    finally:
        pool.shutdown(cancel_futures=True)


def _rounds(
    setting: Setting, most: int, jobs: int, submit: Submit, played: dict[tuple[int, int], Played], kept: Path | None
) -> Iterator[list[Played]]:
    """The games of each round in turn."""
    ways = list(shifts(setting))
    wanted = [(number, way) for number in range(most) for way in ways if (number, way) not in played]
    under_way: set[Future[Played]] = set()
    at_once = jobs if submit is _here or setting.remote else 2 * jobs  # processes need not wait for the next
    for number in range(most):
        while not all((number, way) in played for way in ways):
            while wanted and len(under_way) < at_once:
                under_way.add(submit(setting, *wanted.pop(0)))
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for one in done:
                game = one.result()
                played[game.round, game.shifted] = game
                _keep(kept, msgspec.json.encode(game))
        yield [played[number, way] for way in ways]


def _read(setting: Setting, kept: Path | None) -> dict[tuple[int, int], Played]:
    if kept is None or not kept.exists() or not kept.stat().st_size:
        _keep(kept, msgspec.json.encode(_Kept(setting)))
        return {}
    data = kept.read_bytes()
    if not data.endswith(b"\n"):  # who was killed while it was written; that game is played again
        data = data[: data.rfind(b"\n") + 1]
        os.truncate(kept, len(data))
        return _read(setting, kept)
    first, *lines = data.splitlines()
    try:
        if msgspec.json.decode(first, type=_Kept).setting != setting:
            raise OtherContest(f"{kept} holds the games of another contest")
        games = [msgspec.json.decode(line, type=Played) for line in lines]
    except msgspec.DecodeError as fault:
        raise OtherContest(f"{kept} holds no games: {fault}") from fault
    return {(game.round, game.shifted): game for game in games}


def _keep(kept: Path | None, line: bytes) -> None:
    if kept is not None:
        with kept.open("ab") as file:
            file.write(line + b"\n")


def _report(setting: Setting, games: Sequence[Played], course: Sequence[Interval], why: str) -> Report:
    line_up = setting.line_up
    rated = ratings(line_up, [game.shares for game in games])
    standings: list[Standing] = []
    for name in dict.fromkeys(line_up):
        places = [place for place, one in enumerate(line_up) if one == name]
        bets = Bets()
        for number in range(len(course)):
            round_ = [game for game in games if game.round == number]
            bets.add(sum(game.shares[p] for game in round_ for p in places) / (len(round_) * len(places)))
        answers = sum(game.answers[place] for game in games for place in places)
        standings.append(
            Standing(
                bot=name,
                seats=len(places) * len(games),
                share=bets.interval,
                rating=rated[name],
                answers=answers,
                ms_an_answer=round(sum(game.ms[p] for game in games for p in places) / max(answers, 1), 2),
                failures=sum(game.failures[place] for game in games for place in places),
                timeouts=sum(game.timeouts[place] for game in games for place in places if game.timeouts),
                fault=next((one for game in games if game.faults for p in places if (one := game.faults[p])), ""),
            )
        )
    standings.sort(key=lambda one: -one.share.mean)
    return Report(
        line_up=line_up,
        edition=setting.edition,
        decks=setting.decks,
        seed=setting.seed,
        rounds=len(course),
        games=len(games),
        even=round(1 / len(line_up), 4),
        stopped=why,
        standings=tuple(standings),
        course=tuple(course),
    )
