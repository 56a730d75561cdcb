"""A moment to which a game may go back, and why it does."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from server.rooms.seated import Seats
from server.rules.model import State

Why: TypeAlias = Literal["", "objected", "corrected"]


class Earlier(msgspec.Struct, frozen=True):
    """A moment to which the game may go back: before a seat's answer to a question. `seats` are the seats' values then; the
    answer took `spent` and `away` milliseconds of the seat's clocks.
    """

    seat: int
    question: int
    state: State
    seats: Seats
    spent: int = 0
    away: int = 0
