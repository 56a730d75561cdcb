"""What is done with cards of libraries: looked at, revealed, searched for, put into piles, some taken and the rest put back.

Knows effects, nouns and values; knows no other instruction, and no sentence or ability around the instructions.
"""

from __future__ import annotations

from server.oracle.libraries import (
    found,
    from_the_top,
    looking,
    others_choose,
    piles,
    revealing,
    searching,
    wishes,
)
from server.oracle.libraries.looking import is_pick

__all__ = [
    "found",
    "from_the_top",
    "is_pick",
    "looking",
    "others_choose",
    "piles",
    "revealing",
    "searching",
    "wishes",
]
