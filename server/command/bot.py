"""Seat a bot at a table and play its game to the end.

The bot is a client like any other: it joins a room that is gathering, chooses a house deck, is ready, and plays.
Prints its standing. Exit code 1 when it cannot get in, or loses the server for good.
"""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap bot`."""
    parser.add_argument("url", metavar="URL", nargs="?", default="ws://127.0.0.1:8802", help="default: %(default)s")
    parser.add_argument("--room", required=True, metavar="ID", help="the room to join")
    parser.add_argument("--level", choices=("simple", "random"), default="simple", help="default: %(default)s")
    parser.add_argument("--name", default="", help="default: the level and a number")
    parser.add_argument("--seat", type=int, metavar="N", help="the seat to take (default: the first free one)")
    parser.add_argument("--deck", default="", metavar="NAME", help="a house deck (default: one by the seat's number)")
    parser.add_argument("--seed", type=int, default=0, help="what a random bot draws from (default: %(default)s)")
    parser.add_argument("--msgpack", action="store_true", help="speak MessagePack instead of JSON")


def run(args: argparse.Namespace) -> int:
    """Join, play, print how it ended."""
    import sys

    import trio

    from client_cli.errors import plain_error

    try:
        return trio.run(_play, args)
    except BaseException as fault:
        known = plain_error(fault)
        if known is None:
            raise
        print(f"apnap bot: {known}", file=sys.stderr)
        return 1


async def _play(args: argparse.Namespace) -> int:
    import os

    from client_cli.bot_kit import play, take_seat
    from client_cli.bots import make
    from client_cli.session import open_session
    from protocol import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL
    from protocol.words import say

    name = args.name or f"{args.level}-{os.getpid() % 10000}"
    subprotocol = MSGPACK_SUBPROTOCOL if args.msgpack else JSON_SUBPROTOCOL
    async with open_session(args.url, name, client="apnap bot", subprotocol=subprotocol, bot=True) as session:
        joined = await take_seat(session, args.room, seat=args.seat, deck=args.deck, stops=args.level == "simple")
        print(f"{session.name} sits at seat {joined.room.you} of room {args.room}", flush=True)
        outcome = await play(session, make(args.level, args.seed))
        you = session.table.you
        standings = outcome.over.result.standings if outcome.over is not None else []
        for standing in standings:
            if standing.seat == you:
                print(f"place {standing.place} of {len(standings)}: {say(standing.reason) if standing.reason else ''}")
        print(f"{outcome.decisions} decisions, {outcome.refusals} refused")
        return 0 if outcome.over is not None else 1
