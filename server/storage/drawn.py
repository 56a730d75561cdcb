"""What the seed draws before a game begins, each with a number of draws of its own: who is of which team, and who sits where."""

from __future__ import annotations

from protocol.options import RoomOptions
from server.rules.model import chance


def drawn_teams(options: RoomOptions, seed: str) -> tuple[int, ...]:
    """The team of each seat: as the host has it, or drawn."""
    teams = list(options.teams)
    if options.draw_teams:
        chance.shuffle(f"{seed}\nteams", 0, teams)
    return tuple(teams)


def drawn_seats(seed: str, seats: int) -> tuple[int, ...]:
    """For each seat, in which one sat before whoever sits there now (806.3)."""
    order = list(range(seats))
    chance.shuffle(f"{seed}\nseats", 0, order)
    return tuple(order)
