"""What somebody proposes to change by hand, and what the others say of it: at most one thing at a time. It is told the time; it
reads none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from protocol.by_hand import Ballot
from protocol.questions import Text
from protocol.refusals import Code, Refusal
from server.rooms.ballots import Names
from server.rules.turn import AnyAmendment

OPEN_MS = 60_000
"""How long a proposal stays open; who has said nothing by then has said no."""

Proposed: TypeAlias = Literal["correct", "reword", "take_up"]


class Proposal(msgspec.Struct, frozen=True):
    """An open proposal: the `change`, or the question before which the game is to stand again (`back`, its number and seat); of a frozen
    room whether the step that failed is left out (`skip`). `need` of the `voters` must say yes until `until` (milliseconds).
    """

    name: str
    what: Proposed
    by: int
    told: tuple[Text, ...]
    voters: frozenset[int]
    need: int
    until: int
    change: AnyAmendment | None = None
    back: tuple[int, int] | None = None
    skip: bool = False
    yes: frozenset[int] = frozenset()
    no: frozenset[int] = frozenset()

    @property
    def waiting(self) -> tuple[int, ...]:
        """Who has said nothing and may still matter, in order of seats."""
        return () if self.passed else tuple(sorted(self.voters - self.yes - self.no))

    @property
    def passed(self) -> bool:
        """Whether enough have agreed."""
        return len(self.yes & self.voters) >= self.need

    def failed(self, now: int) -> bool:
        """Whether enough cannot agree any more, or the time is over."""
        return not self.passed and (len(self.voters - self.no) < self.need or now >= self.until)

    def same(self, other: Proposal) -> bool:
        """Whether it proposes the same."""
        mine = (self.what, self.change, self.back, self.skip)
        return mine == (other.what, other.change, other.back, other.skip)

    def message(self, now: int, result: str = "") -> Ballot:
        """As everyone is told of it."""
        return Ballot(
            ballot=self.name,
            what=self.what,
            by=self.by,
            yes=sorted(self.yes),
            no=sorted(self.no),
            waiting=[] if result else list(self.waiting),
            need=self.need,
            left_ms=0 if result or self.passed else max(0, self.until - now),
            result=result,
            changes=list(self.told),
        )


class Proposals:
    """See the module. `tell` tells everyone; times are milliseconds of the caller's clock."""

    def __init__(self, tell: Callable[[Ballot], None]) -> None:
        self.proposal: Proposal | None = None
        self._tell = tell
        self.names = Names("b")

    def open(self, proposal: Proposal, now: int) -> None:
        """Propose something; who proposes it is for it. To propose what is proposed already is a yes. Raises `Refusal`: ballot_open."""
        if self.proposal is not None:
            if not self.proposal.same(proposal):
                raise Refusal(Code.BALLOT_OPEN)
            self.say(self.proposal.name, proposal.by, yes=True, now=now)
            return
        self.proposal = replace(
            proposal, name=self.names.next(), until=now + OPEN_MS, yes=frozenset({proposal.by}) & proposal.voters
        )
        self._tell(self.proposal.message(now))

    def say(self, name: str, seat: int, *, yes: bool, now: int) -> None:
        """A seat says yes or no; whose it is withdraws it by a no. Raises `Refusal`: no_ballot."""
        found = self.proposal
        if found is None or found.name != name or seat not in found.voters:
            raise Refusal(Code.NO_BALLOT)
        if not yes and seat == found.by:
            self.close("withdrawn", now)
            return
        if found.passed:
            return  # it is agreed on, and waits to be done
        said = replace(found, yes=found.yes - {seat}, no=found.no - {seat})
        said = replace(said, yes=said.yes | {seat}) if yes else replace(said, no=said.no | {seat})
        self.proposal = said
        if said.failed(now):
            self.close("failed", now)
        else:
            self._tell(said.message(now))

    def without(self, seats: Collection[int], now: int) -> None:
        """These seats have left the game; what they proposed is withdrawn."""
        found = self.proposal
        if found is None or not found.voters & frozenset(seats):
            return
        if found.by in seats:
            self.close("withdrawn", now)
            return
        left = found.voters - frozenset(seats)
        everybody = found.need == len(found.voters)
        self.proposal = replace(found, voters=left, need=len(left) if everybody else len(left) // 2 + 1)
        self._tell(self.proposal.message(now))

    def expire(self, now: int) -> None:
        """Who has said nothing in time has said no."""
        if self.proposal is not None and self.proposal.failed(now):
            self.close("failed", now)

    def passed(self) -> Proposal | None:
        """What is agreed on and is to be done as soon as it can be."""
        return self.proposal if self.proposal is not None and self.proposal.passed else None

    def close(self, result: str, now: int) -> None:
        """It is over: done (passed), could not be or was not agreed to (failed), or withdrawn."""
        found, self.proposal = self.proposal, None
        if found is not None:
            self._tell(found.message(now, result))
