"""Let bots play against each other until it is clear who is stronger, and by how much.

apnap arena simple random                     duels: the same decks and seed once for each way to sit
apnap arena 'search 500 ms' simple --seats 4  one against three, in each of the four seats
apnap arena my_bot.py:MyBot simple            your own: MyBot(seed) makes one (docs/bots.md)
apnap arena 'search 500 ms' 'search 50 ms' simple --keep games.jsonl    three at a table; goes on where it ended

The first bot is asked about. Its share of wins stands with an interval in which the true one lies with 95 %, however often one looks: so
a contest stops as soon as it is decided. Wants the extra apnap[arena].
"""

from __future__ import annotations

import argparse
import sys


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap arena`."""
    add = parser.add_argument
    add(
        "bots",
        nargs="+",
        metavar="BOT",
        help="simple, random, 'search 500 ms', 'search 40 games', module:Name or file.py:Name",
    )
    add(
        "--seats",
        type=int,
        default=0,
        metavar="N",
        help="how many sit there; the last bot fills up (default: one each, or 2)",
    )
    add("--rounds", type=int, default=200, metavar="N", help="at most so many rounds (default: %(default)s)")
    add(
        "--against", type=float, metavar="SHARE", help="stop once the share of wins is not this (default: what is even)"
    )
    add("--all", action="store_true", help="play all rounds, however clear it is")
    add("--width", type=float, default=0.0, metavar="W", help="stop once the interval is no wider")
    add("--deck", action="append", default=[], metavar="NAME", help="a house deck or a file; several: drawn from these")
    add("--edition", default="current", help="of the rules (default: %(default)s)")
    add("--seed", default="0", help="of decks, games and bots (default: %(default)s)")
    add("--jobs", type=int, default=1, metavar="N", help="games at once (default: %(default)s)")
    add("--keep", default="", metavar="FILE", help="keep the games there, and go on where it ended")
    add("--page", default="", metavar="FILE", help="write a page with the table and the curve")
    add("--json", action="store_true", help="print all as JSON")


def run(args: argparse.Namespace) -> int:
    """In a process of its own: nothing of the server imports the library."""
    import importlib.util
    import json
    import subprocess

    if importlib.util.find_spec("openskill") is None:
        print("The arena wants more than is installed: pip install 'apnap[arena]'", file=sys.stderr)
        return 1
    if not 2 <= max(args.seats, len(args.bots), 2) <= 10 or 0 < args.seats < max(2, len(args.bots)):
        print("apnap arena: 2 to 10 sit there, one seat at least for each bot", file=sys.stderr)
        return 2
    if args.rounds < 1 or args.jobs < 1:
        print("apnap arena: --rounds and --jobs take 1 or more", file=sys.stderr)
        return 2
    wanted = {
        name: getattr(args, name)
        for name in (
            "bots", "seats", "rounds", "against", "all", "width", "deck", "edition", "seed", "jobs", "keep", "page", "json",
        )
    }  # fmt: skip
    return subprocess.call([sys.executable, "-m", "apnap.arena", json.dumps(wanted)])
