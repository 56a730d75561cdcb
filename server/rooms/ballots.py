"""What is put to the vote at a table, as data: votes and time go in, a new value comes out."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from protocol.messages import Vote

OPEN_MS = 60_000
"""How long a vote stays open; who has said nothing by then has said no."""

BIRTH = 1_700_000_000
"""Seconds since 1970 from which processes that take up the same game are told apart."""
NAME_BITS = 20
"""Names of one process that cannot meet the next one's: 2^20."""

What: TypeAlias = Literal["takeback", "pause", "bot", "end"]


class Names:
    """Names of what a table is asked. None comes again, also when the game is taken up anew: a yes to what was asked before counts for
    nothing that is asked now.
    """

    def __init__(self, letter: str) -> None:
        self._letter = letter
        self._count = 0

    def next(self) -> str:
        """A new one."""
        self._count += 1
        return f"{self._letter}{self._count}"

    def taken_up(self, moment: int) -> None:
        """The game is taken up by a server that started at this moment, in seconds since 1970."""
        self._count = max(self._count, (moment - BIRTH) << NAME_BITS)


class Motion(msgspec.Struct, frozen=True):
    """What is asked for: `question` of a takeback (its number) and its `id`, `ms` of a pause, `seat` and `level` of a bot."""

    what: What
    by: int
    question: int = -1
    id: str = ""
    ms: int = 0
    seat: int = -1
    level: str = ""


class Ballot(msgspec.Struct, frozen=True):
    """An open vote. `voters` are all whose yes is needed, `yes` those who gave it; it fails at `until` (milliseconds)."""

    name: str
    motion: Motion
    voters: frozenset[int]
    until: int
    yes: frozenset[int] = frozenset()

    def voted(self, seat: int, *, yes: bool) -> Ballot:
        """After a vote; a no is no voter any more, and `failed` says so."""
        if not yes:
            return replace(self, until=-1)
        return replace(self, yes=self.yes | {seat})

    def without(self, seat: int) -> Ballot:
        """The seat has no part in it any more: it has left the game."""
        return replace(self, voters=self.voters - {seat})

    @property
    def waiting(self) -> tuple[int, ...]:
        """Whose yes is missing, in order of seats."""
        return tuple(sorted(self.voters - self.yes))

    @property
    def passed(self) -> bool:
        """Whether all have agreed."""
        return self.until >= 0 and not self.waiting

    def failed(self, now: int) -> bool:
        """Whether somebody has said no, or the time is over."""
        return self.until < 0 or (bool(self.waiting) and now >= self.until)

    def message(self, now: int, result: str = "") -> Vote:
        """As everyone is told of it."""
        motion = self.motion
        return Vote(
            vote=self.name,
            what=motion.what,
            by=motion.by,
            yes=sorted(self.yes),
            waiting=[] if result else list(self.waiting),
            left_ms=0 if result else max(0, self.until - now),
            result=result,
            question=motion.id,
            ms=motion.ms,
            seat=msgspec.UNSET if motion.seat < 0 else motion.seat,
            level=motion.level,
        )
