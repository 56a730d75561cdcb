"""Let bots play against each other until it is clear who is stronger, and by how much.

apnap arena simple random                     duels: the same decks and seed once for each way to sit
apnap arena 'search 500 ms' simple --seats 4  one against three, in each of the four seats
apnap arena my_bot.py:MyBot simple            your own: MyBot(seed) makes one (docs/bots.md)
apnap arena 'search 500 ms' 'search 50 ms' simple --keep games.jsonl    three at a table; goes on where it ended
apnap arena remote:mine simple                a program in any language: it joins the room `mine` at the address that is printed
apnap arena remote:mine simple --start 'python examples/first_bot.py {url} {room}'      the same, started by the arena

The first bot is asked about. Its share of wins stands with an interval in which the true one lies with 95 %, however often one looks: so
a contest stops as soon as it is decided. Wants the extra apnap[arena].
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.command.arena_remote import Remotes


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap arena`."""
    add = parser.add_argument
    add(
        "bots",
        nargs="+",
        metavar="BOT",
        help="simple, random, 'search 500 ms', 'search 40 games', module:Name, file.py:Name, or remote:NAME over a websocket",
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
    add(
        "--listen",
        default="127.0.0.1:8803",
        metavar="HOST:PORT",
        help="where remote bots come; port 0: a free one (default: %(default)s)",
    )
    add(
        "--start",
        action="append",
        default=[],
        metavar="COMMAND",
        help="start the remote bot (several: in their order) by this, with {url} and {room} filled in, again for each game",
    )
    add(
        "--answer-seconds",
        type=float,
        default=30.0,
        metavar="S",
        help="after so long a remote bot's answer is the default; 0: a day (default: %(default)s)",
    )


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
    names = (
        "bots",
        "seats",
        "rounds",
        "against",
        "all",
        "width",
        "deck",
        "edition",
        "seed",
        "jobs",
        "keep",
        "page",
        "json",
    )
    wanted = {name: getattr(args, name) for name in names}
    remotes = None
    if any(bot.startswith("remote:") for bot in args.bots):
        remotes = _remotes(args)
        if isinstance(remotes, str):
            print(f"apnap arena: {remotes}", file=sys.stderr)
            return 2
    wanted["hosted"] = remotes is not None
    wanted["answer_ms"] = 0 if remotes is None else round(args.answer_seconds * 1000)
    words = [sys.executable, "-m", "apnap.arena", json.dumps(wanted)]
    if remotes is None:
        return subprocess.call(words)
    from server.command import arena_remote

    return arena_remote.run(words, remotes)


def _remotes(args: argparse.Namespace) -> Remotes | str:
    """Who comes over the network, and where; or what is wrong."""
    from collections import Counter

    from server.command.arena_remote import Remotes
    from server.contests import remote
    from server.settings import Listen

    filled_up = (args.seats - len(args.bots)) * [args.bots[-1]]
    seats = Counter(remote(bot) for bot in (*args.bots, *filled_up) if bot.startswith("remote:"))
    if not all(name.isidentifier() for name in seats):
        return "the name of a remote bot is one of letters and digits, such as remote:first"
    if len(args.start) > len(seats):
        return f"{len(args.start)} commands start {len(seats)} remote bots"
    host, _, port = args.listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        return "--listen takes HOST:PORT"
    if args.answer_seconds and not 1 <= args.answer_seconds <= 86_400:
        return "--answer-seconds takes 1 to 86400, or 0"
    return Remotes(
        seats={name: count * args.jobs for name, count in seats.items()},
        commands=dict(zip(seats, args.start, strict=False)),
        listen=Listen(host=host.strip("[]"), port=int(port)),
        processes=args.jobs,
    )
