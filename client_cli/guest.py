"""A bot that sits down at a table anywhere, plays its game to the end and prints its standing: what `apnap bot` does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import msgspec
import trio

from client_cli import bots
from client_cli.bot_kit import play, take_seat
from client_cli.errors import plain_error
from client_cli.player import Player
from client_cli.session import open_session
from protocol import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL
from protocol.words import say


class Guest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits down where; see the options of `apnap bot`."""

    url: str
    room: str
    level: str
    name: str = ""
    seat: int | None = None
    deck: str = ""
    seed: int = 0
    msgpack: bool = False


def run(guest: Guest, make: Callable[[str, int], Player] = bots.make) -> int:
    """Join, play, print how it ended. Gives the exit code: 1 when it cannot get in, or loses the server for good."""
    try:
        return trio.run(_play, guest, make)
    except BaseException as fault:
        known = plain_error(fault)
        if known is None:
            raise
        print(f"apnap bot: {known}", file=sys.stderr)
        return 1


async def _play(guest: Guest, make: Callable[[str, int], Player]) -> int:
    name = guest.name or f"{guest.level}-{os.getpid() % 10000}"
    subprotocol = MSGPACK_SUBPROTOCOL if guest.msgpack else JSON_SUBPROTOCOL
    async with open_session(guest.url, name, client="apnap bot", subprotocol=subprotocol, bot=True) as session:
        stops = guest.level != "random"
        joined = await take_seat(session, guest.room, seat=guest.seat, deck=guest.deck, stops=stops)
        print(f"{session.name} sits at seat {joined.room.you} of room {guest.room}", flush=True)
        outcome = await play(session, make(guest.level, guest.seed))
        you = session.table.you
        standings = outcome.over.result.standings if outcome.over is not None else []
        for standing in standings:
            if standing.seat == you:
                print(f"place {standing.place} of {len(standings)}: {say(standing.reason) if standing.reason else ''}")
        print(f"{outcome.decisions} decisions, {outcome.refusals} refused")
        return 0 if outcome.over is not None else 1
