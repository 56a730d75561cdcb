"""What is put to the vote in one room: at most one thing at a time. It is told the time; it reads none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from protocol.messages import Vote
from protocol.refusals import Code, Refusal
from server.rooms.ballots import OPEN_MS, Ballot, Motion, Names


class Votes:
    """See the module. `tell` tells everyone; times are milliseconds of the caller's clock."""

    def __init__(self, tell: Callable[[Vote], None]) -> None:
        self.ballot: Ballot | None = None
        self._tell = tell
        self.names = Names("v")

    def open(self, motion: Motion, voters: Iterable[int], now: int) -> None:
        """Put something to the vote; who asks for it is for it. To ask for what is put to the vote already is a yes.

        Raises `Refusal`: vote_open.
        """
        if self.ballot is not None:
            if replace(self.ballot.motion, by=motion.by) != motion:
                raise Refusal(Code.VOTE_OPEN)
            self.vote(self.ballot.name, motion.by, yes=True, now=now)
            return
        everyone = frozenset(voters) | {motion.by}
        self.ballot = Ballot(self.names.next(), motion, everyone, now + OPEN_MS, frozenset({motion.by}))
        if self.ballot.waiting:
            self._tell(self.ballot.message(now))

    def vote(self, name: str, seat: int, *, yes: bool, now: int) -> None:
        """Someone votes; the one who asked for it withdraws it by a no. Raises `Refusal`: no_vote."""
        ballot = self.ballot
        if ballot is None or ballot.name != name or seat not in ballot.voters:
            raise Refusal(Code.NO_VOTE)
        self.ballot = ballot.voted(seat, yes=yes)
        if not yes:
            self._close("withdrawn" if seat == ballot.motion.by else "failed", now)
        elif self.ballot.waiting:
            self._tell(self.ballot.message(now))

    def without(self, seat: int, now: int) -> None:
        """The seat has left the game; what it asked for is withdrawn."""
        if self.ballot is None:
            return
        if self.ballot.motion.by == seat:
            self._close("withdrawn", now)
        else:
            self.ballot = self.ballot.without(seat)

    def expire(self, now: int) -> None:
        """Who has said nothing in time has said no."""
        if self.ballot is not None and self.ballot.failed(now):
            self._close("failed", now)

    def passed(self) -> Motion | None:
        """What all have agreed to and is to be done now."""
        return self.ballot.motion if self.ballot is not None and self.ballot.passed else None

    def done(self, result: str, now: int) -> None:
        """It was done (passed), or could not be (failed)."""
        self._close(result, now)

    def withdraw(self, now: int) -> None:
        """It makes no sense any more."""
        if self.ballot is not None:
            self._close("withdrawn", now)

    def _close(self, result: str, now: int) -> None:
        ballot, self.ballot = self.ballot, None
        if ballot is not None:
            self._tell(ballot.message(now, result))
