"""What the lobby says of a bot that it seats. Who plays it is none of the lobby's business."""

from __future__ import annotations

from collections.abc import Container

import msgspec

from server.lobby.names import bot_label

NAMES = ("Alder", "Briar", "Clover", "Dahlia", "Elm", "Fern", "Gorse", "Hazel", "Ivy", "Juniper", "Larch", "Maple")


class BotSeat(msgspec.Struct, frozen=True):
    """A seat to be played: say hello with `token`, resume `room`, answer what is asked, until the game is over.

    `seed` makes the bot's whims repeatable. It `pauses` before answers that people see.
    """

    level: str
    name: str
    token: str
    room: str
    seat: int
    seed: int
    pauses: bool = False


def bot_name(taken: Container[str]) -> str:
    """The first bot's name that nobody at the table has."""
    number = 1
    while True:
        for name in NAMES:
            full = bot_label(name if number == 1 else f"{name} {number}")
            if full not in taken:
                return full
        number += 1
