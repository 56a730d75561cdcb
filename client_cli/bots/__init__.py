"""The bots that come with apnap. Each is a `bot_kit.Player`: pure, quick, the same every time for the same seed."""

from __future__ import annotations

from client_cli.bot_kit import Player
from client_cli.bots.random import RandomPlayer
from client_cli.bots.simple import SimplePlayer

LEVELS: tuple[str, ...] = ("simple", "random")


def make(level: str, seed: int = 0) -> Player:
    """A player of that level. Raises `KeyError` for one there is not."""
    return {"simple": SimplePlayer, "random": RandomPlayer}[level](seed)
