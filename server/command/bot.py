"""Seat a bot at a table and play its game to the end.

The bot is a client like any other: it joins a room that is gathering, chooses a house deck, is ready, and plays.
Prints its standing. Exit code 1 when it cannot get in, or loses the server for good.
"""

from __future__ import annotations

import argparse

LEVELS = ("simple", "random", "search 50 ms", "search 500 ms")
"""Those of `client_cli.bots`, which is not imported before a bot is asked for."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap bot`."""
    parser.add_argument("url", metavar="URL", nargs="?", default="ws://127.0.0.1:8802", help="default: %(default)s")
    parser.add_argument("--room", required=True, metavar="ID", help="the room to join")
    parser.add_argument("--level", choices=LEVELS, default="simple", help="default: %(default)s")
    parser.add_argument("--name", default="", help="default: the level and a number")
    parser.add_argument("--seat", type=int, metavar="N", help="the seat to take (default: the first free one)")
    parser.add_argument("--deck", default="", metavar="NAME", help="a house deck (default: one by the seat's number)")
    parser.add_argument("--seed", type=int, default=0, help="what a random bot draws from (default: %(default)s)")
    parser.add_argument("--msgpack", action="store_true", help="speak MessagePack instead of JSON")


def run(args: argparse.Namespace) -> int:
    """Sit down; a bot that thinks ahead does so in a process of its own, since nothing of the server imports the library."""
    from client_cli.bots import THINKING
    from client_cli.guest import Guest, run

    guest = Guest(
        url=args.url,
        room=args.room,
        level=args.level,
        name=args.name,
        seat=args.seat,
        deck=args.deck,
        seed=args.seed,
        msgpack=args.msgpack,
    )
    if guest.level not in THINKING:
        return run(guest)
    import subprocess
    import sys

    import msgspec

    return subprocess.call([sys.executable, "-m", "apnap.seated", msgspec.json.encode(guest).decode()])
