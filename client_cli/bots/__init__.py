"""The bots that come with apnap. Each is a `client_cli.player.Player`: pure, quick, the same every time for the same seed."""

from __future__ import annotations

from client_cli.bots.random import RandomPlayer
from client_cli.bots.simple import SimplePlayer
from client_cli.player import Player

LEVELS: tuple[str, ...] = ("simple", "random")
THINKING: dict[str, int] = {"search 50 ms": 50, "search 500 ms": 500}
"""Levels of bots that think ahead, for so many milliseconds of the CPU's time before each answer. They know the rules of the game, which
this package does not: a server plays them in a process of theirs.
"""


def make(level: str, seed: int = 0) -> Player:
    """A player of that level. Raises `KeyError` for one there is not."""
    return {"simple": SimplePlayer, "random": RandomPlayer}[level](seed)
