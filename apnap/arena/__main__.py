"""What `apnap arena` starts, with its options as JSON."""

from __future__ import annotations

import sys
from io import FileIO
from pathlib import Path

import msgspec

from apnap.arena.bots import UnknownBot, maker
from apnap.arena.contest import OtherContest, Report, Stop, contest
from apnap.arena.hosted import Host, HostGone
from apnap.arena.match import Setting, drawn
from apnap.arena.measure import Interval
from apnap.arena.page import page
from server.cards.loading import DeckFault
from server.contests import remote


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `apnap arena`."""

    bots: list[str]
    seats: int
    rounds: int
    against: float | None
    all: bool
    width: float
    deck: list[str]
    edition: str
    seed: str
    jobs: int
    keep: str
    page: str
    json: bool
    answer_ms: int
    hosted: bool
    """Games are played by who has started this process, at the ends of two pipes."""


def main(words: str) -> int:
    """Play and print. Exit code 2 for what cannot be played."""
    wanted = msgspec.json.decode(words, type=Wanted)
    count = max(wanted.seats, len(wanted.bots), 2)
    line_up = (*wanted.bots, *[wanted.bots[-1]] * (count - len(wanted.bots)))
    setting = Setting(line_up, tuple(wanted.deck), wanted.edition, wanted.seed, wanted.answer_ms)
    host = Host(FileIO(0, closefd=False), sys.stdout.buffer) if wanted.hosted else None
    even = 1 / count if wanted.against is None else wanted.against
    stop = Stop(wanted.rounds, None if wanted.all else even, wanted.width)
    sys.path.insert(0, "")  # modules of who calls
    try:
        for name in wanted.bots:
            if not remote(name):
                maker(name)(0)  # what makes no bot is said at once
        drawn(setting, 0)
        kept = Path(wanted.keep) if wanted.keep else None
        submit = None if host is None else host.submit
        report = contest(setting, stop, jobs=wanted.jobs, kept=kept, told=_tell, submit=submit)
        if wanted.page:
            Path(wanted.page).write_text(page(report), encoding="utf-8")
    except KeyError as fault:
        return _wrong(f"there is no deck {fault}")
    except HostGone:
        return 1
    except (UnknownBot, OtherContest, OSError, DeckFault, ValueError) as fault:
        return _wrong(str(fault))
    text = msgspec.json.format(msgspec.json.encode(report), indent=2).decode() if wanted.json else table(report)
    print(text) if host is None else host.say(text)
    return 0


def _wrong(sentence: str) -> int:
    print(f"apnap arena: {sentence}", file=sys.stderr)
    return 2


def _tell(interval: Interval, rounds: int) -> None:
    if sys.stderr.isatty():
        print(f"\rround {rounds}: {percent(interval)}  ", end="", file=sys.stderr, flush=True)


def percent(interval: Interval) -> str:
    """As people read it."""
    return f"{interval.mean:.1%} ({interval.low:.1%} to {interval.high:.1%})"


def table(report: Report) -> str:
    """As lines of text."""
    lines = [
        f"{report.rounds} rounds, {report.games} games of {len(report.line_up)}, even is {report.even:.1%}; "
        f"stopped: {report.stopped}",
        f"{'bot':<24} {'wins of a seat':<26} {'rating':<22} {'ms an answer':>12} {'failures':>9} {'timeouts':>9}",
    ]
    for one in report.standings:
        rating = f"{one.rating.mean:.1f} ({one.rating.low:.1f} to {one.rating.high:.1f})"
        counts = f"{one.ms_an_answer:>12.1f} {one.failures:>9} {one.timeouts:>9}"
        lines.append(f"{one.bot:<24} {percent(one.share):<26} {rating:<22} {counts}")
    lines.extend(f"{one.bot} failed first by {one.fault}" for one in report.standings if one.fault)
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
