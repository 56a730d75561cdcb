"""Numbers of objects as they are told: each text one value for all games, since one takes 56 bytes wherever it is made anew."""

from __future__ import annotations

_TEXTS = tuple(map(str, range(2048)))


def number_text(number: int) -> str:
    """The number in digits, as the value that other games have, too, where it is not of a very long one."""
    return _TEXTS[number] if 0 <= number < len(_TEXTS) else str(number)
