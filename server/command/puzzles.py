"""See how many tactical puzzles a bot solves: to win this turn, or to live through the next one, in duels and at tables of four.

apnap puzzles                                    list them: the table, whose it is, what is to be reached
apnap puzzles simple random 'search 500 ms'      who solves which; the others answer as well as can be
apnap puzzles my_bot.py:MyBot --variants 3       each in three other clothes: other names, colours and seats

Each is a scenario with a goal (docs/scenarios.md) that is proved by trying everything. Bots are those of `apnap arena`.
"""

from __future__ import annotations

import argparse
import sys


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap puzzles`."""
    add = parser.add_argument
    add("bots", nargs="*", metavar="BOT", help="simple, random, 'search 500 ms', module:Name or file.py:Name")
    add("--only", action="append", default=[], metavar="ID", help="this puzzle; several times: these")
    add("--variants", type=int, default=0, metavar="N", help="N variants of each instead of the puzzle itself")
    add("--seed", type=int, default=0, help="of the bots (default: %(default)s)")
    add("--json", action="store_true", help="print all as JSON")


def run(args: argparse.Namespace) -> int:
    """In a process of its own: nothing of the server imports the library."""
    import json
    import subprocess

    if not 0 <= args.variants <= 100:
        print("apnap puzzles: --variants takes 0 to 100", file=sys.stderr)
        return 2
    wanted = {name: getattr(args, name) for name in ("bots", "only", "variants", "seed", "json")}
    return subprocess.call([sys.executable, "-m", "apnap.puzzles", json.dumps(wanted)])
