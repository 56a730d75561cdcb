"""Numbers of objects, each one value for all games: an int over 256 takes 32 bytes wherever it is made anew."""

from __future__ import annotations

_SHARED = {number: number for number in range(2048)}


def shared_number(number: int) -> int:
    """The number, as the value that other games have, too, where it is not of a very long one."""
    return _SHARED.get(number, number)
