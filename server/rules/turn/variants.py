"""The multiplayer variants as data (806 to 811): who is of which team, how far each seat reaches, whom it may attack.

A variant is nothing but options of the game that go together; whoever opens a game may set the same by hand. Which of them the engine
obeys where is told in `Options`.

By 2011 a giant's creatures attack the other team as a group (810.7a). Each is declared against one head all the same, which is no more
than who is dealt its damage if nobody chooses another (810.7f): what a rule asks of whom it attacks is asked of the team
(`lookup.attacked_with`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from server.rules.model import Options

Variant = Literal["free_for_all", "two_headed_giant", "team_vs_team", "emperor", "alternating_teams"]
Teams = tuple[int, ...]

SEATS: dict[Variant, tuple[int, ...]] = {
    "free_for_all": tuple(range(2, 11)),
    "two_headed_giant": (4, 6, 8, 10),
    "team_vs_team": (4, 6, 8, 10),
    "emperor": (6, 8, 9, 10),
    "alternating_teams": (4, 6, 8, 9, 10),
}
"""With how many seats each can be played: teams of equal size, of two or more, and of three or more with an emperor."""


def starting_life(format_: str, seats: int) -> int:
    """The life total that a format begins with (103.3, 903.7, current 903.12f)."""
    if format_ == "brawl":
        return 25 if seats == 2 else 30
    return 40 if format_ == "commander" else 20


def with_variant(options: Options, variant: Variant, seats: int, *, life: int | None = None) -> Options:
    """The options of a game of that variant. `life` is a starting life total that was asked for.

    Raises ValueError for a number of seats that the variant does not have."""
    if seats not in SEATS[variant]:
        raise ValueError(f"{variant} is not played with {seats} seats")
    made = _MAKERS[variant](options, seats)
    return made if life is None else replace(made, life=life)


def _free_for_all(options: Options, seats: int) -> Options:
    return options


def _team_vs_team(options: Options, seats: int) -> Options:
    return replace(options, teams=_blocks(seats, seats // 2))  # 808.2, 808.3


def _emperor(options: Options, seats: int) -> Options:
    size = next(n for n in (3, 4, 5) if seats % n == 0 and seats // n > 1)
    teams = _blocks(seats, size)
    emperors = tuple(first + (size - 1) // 2 for first in range(0, seats, size))  # 809.2
    return replace(
        options,
        teams=teams,
        emperors=emperors,
        ranges=tuple(_reach(teams, emperors, seat) for seat in range(seats)),
        adjacent=True,
        deploy=True,
    )


def _reach(teams: Teams, emperors: tuple[int, ...], seat: int) -> int:
    """809.3a, 809.6a: a general's range has one general of another team in it, an emperor's two."""
    seats = len(teams)
    generals = (s for s in range(seats) if teams[s] != teams[seat] and s not in emperors)
    far = sorted(min((s - seat) % seats, (seat - s) % seats) for s in generals)
    return far[1] if seat in emperors else far[0]


def _alternating(options: Options, seats: int) -> Options:
    count = 2 if seats % 2 == 0 else 3
    teams = tuple(seat % count for seat in range(seats))  # 811.3
    return replace(options, teams=teams, range_of_influence=options.range_of_influence or 2, adjacent=True)


def _two_headed_giant(options: Options, seats: int) -> Options:
    heads = seats // 2
    life = 30 + 15 * (heads - 2)  # 810.4, 810.11
    return replace(options, teams=_blocks(seats, heads), shared=True, life=life)


def _blocks(seats: int, size: int) -> Teams:
    """Teams of so many who sit together."""
    return tuple(seat // size for seat in range(seats))


_MAKERS: dict[Variant, Callable[[Options, int], Options]] = {
    "free_for_all": _free_for_all,
    "two_headed_giant": _two_headed_giant,
    "team_vs_team": _team_vs_team,
    "emperor": _emperor,
    "alternating_teams": _alternating,
}
