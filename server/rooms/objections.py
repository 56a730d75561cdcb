"""Acts that can still be objected to, and the objection that is being settled, as a value that is told the time and reads none.

An act is done at once, or held where it would show what going back could not take away. Each can be objected to for a while; from the first
objection on the game stands, and the act is undone if more than half of all others object.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec
from msgspec.structs import replace

from protocol.by_hand import Ballot
from protocol.questions import Text
from protocol.refusals import Code, Refusal
from server.rooms.ballots import Names
from server.rooms.earlier import Earlier

OPEN_MS = 5_000
"""How long an act can be objected to."""
SETTLE_MS = 30_000
"""How long the others may think an objection over; who says nothing is for the act."""
MOST_LOST = 3
"""Objections that a seat may lose in a turn."""


class DoneAct(msgspec.Struct, frozen=True):
    """An act, and the moment before it. Until `until` (milliseconds) it can be objected to; it is undone when `need` of the `voters`
    are in `no`. `held`: it is not done yet. `objected`: the seat that objected first, -1 while none has.
    """

    name: str
    earlier: Earlier
    told: tuple[Text, ...]
    voters: frozenset[int]
    need: int
    until: int
    held: bool = False
    objected: int = -1
    yes: frozenset[int] = frozenset()
    no: frozenset[int] = frozenset()

    @property
    def by(self) -> int:
        """Whose act it is."""
        return self.earlier.seat

    def waiting(self, present: Collection[int]) -> list[int]:
        """Who is here and has said nothing, in order of seats."""
        return sorted(seat for seat in self.voters - self.yes - self.no if seat in present)

    def settled(self, now: int, present: Collection[int]) -> bool | None:
        """Whether it stands (True) or is undone (False); None while that is open."""
        if len(self.no) >= self.need:
            return False
        left = self.waiting(present)
        if now >= self.until or not left or self.objected >= 0 and len(self.no) + len(left) < self.need:
            return True
        return None


class Objections:
    """The acts of a room that can be objected to, oldest first. `tell` tells everyone; times are milliseconds of the caller's clock."""

    def __init__(self, tell: Callable[[Ballot], None]) -> None:
        self.acts: list[DoneAct] = []
        self._tell = tell
        self.names = Names("a")
        self._lost: dict[int, int] = {}
        self._turn = -1

    @property
    def stands(self) -> bool:
        """Whether somebody objects, so that the game stands."""
        return any(act.objected >= 0 for act in self.acts)

    def open(
        self, earlier: Earlier, told: tuple[Text, ...], voters: frozenset[int], need: int, now: int, *, held: bool
    ) -> str:
        """An act is done, or held; the name of its ballot. `voters` are the people who could object."""
        act = DoneAct(self.names.next(), earlier, told, voters, need, now + OPEN_MS, held)
        self.acts.append(act)
        self._tell(self.message(act, now, voters))
        return act.name

    def find(self, name: str) -> DoneAct | None:
        """The act of that name, while it can be objected to."""
        return next((act for act in self.acts if act.name == name), None)

    def say(self, name: str, seat: int, *, yes: bool, turn: int, now: int, present: Collection[int]) -> None:
        """A seat objects, or says what it thinks. Raises `Refusal`: no_ballot, no_objection."""
        act = self.find(name)
        if act is None:
            raise Refusal(Code.NO_BALLOT)
        if seat == act.by or seat not in act.voters:
            raise Refusal(Code.NO_OBJECTION if seat == act.by else Code.NO_BALLOT)
        said = replace(act, yes=act.yes - {seat}, no=act.no - {seat})
        said = replace(said, yes=said.yes | {seat}) if yes else replace(said, no=said.no | {seat})
        if not yes and act.objected < 0:
            if self.stands:
                raise Refusal(Code.BALLOT_OPEN)
            if seat in self.spent(turn):
                raise Refusal(Code.NO_OBJECTION)
            said = replace(said, objected=seat, until=now + SETTLE_MS)
        self._put(said)
        self._tell(self.message(said, now, present))

    def spent(self, turn: int) -> list[int]:
        """The seats that have no objection left in that turn."""
        if turn != self._turn:
            self._turn, self._lost = turn, {}
        return sorted(seat for seat, lost in self._lost.items() if lost >= MOST_LOST)

    def settled(self, now: int, present: Collection[int]) -> tuple[DoneAct, bool] | None:
        """The act that is settled now, and whether it stands. While one is objected to, no other is."""
        for act in self.acts:
            if self.stands and act.objected < 0:
                continue
            stands = act.settled(now, present)
            if stands is not None:
                return act, stands
        return None

    def stood(self, act: DoneAct, turn: int, now: int, since: int) -> None:
        """It stands, and its ballot is over; the others can be objected to as long as before, the game having stood `since` then."""
        if act.objected >= 0:
            self.spent(turn)
            self._lost[act.objected] = self._lost.get(act.objected, 0) + 1
            self.acts = [replace(other, until=other.until + now - since) for other in self.acts]
        self._close(act, "passed", now, turn)

    def undone(self, act: DoneAct, now: int, turn: int) -> None:
        """It is undone, and what was done after it with it."""
        later = self.acts[self.acts.index(act) + 1 :]
        self._close(act, "failed", now, turn)
        for other in later:
            self._close(other, "withdrawn", now, turn)

    def gone_back(self, question: int, now: int, turn: int) -> None:
        """The game has gone back to before that question: what was done since is not done any more."""
        for act in [act for act in self.acts if act.earlier.question >= question]:
            self._close(act, "withdrawn", now, turn)

    def stand(self, now: int, turn: int) -> None:
        """Nothing can be undone any more: the game cannot go back so far."""
        for act in list(self.acts):
            self._close(act, "passed", now, turn)

    def due(self, now: int, present: Collection[int]) -> int | None:
        """When something is settled next, if nobody says more; None for nothing open."""
        if not self.acts:
            return None
        if self.settled(now, present) is not None:
            return now
        return min(act.until for act in self.acts if act.objected >= 0 or not self.stands)

    def message(
        self, act: DoneAct, now: int, present: Collection[int], result: str = "", spent: Collection[int] = ()
    ) -> Ballot:
        """As everyone is told of it."""
        return Ballot(
            ballot=act.name,
            what="act",
            by=act.by,
            yes=sorted(act.yes),
            no=sorted(act.no),
            waiting=[] if result else act.waiting(present),
            need=act.need,
            left_ms=0 if result else max(0, act.until - now),
            held=act.held,
            stands=act.objected >= 0 and not result,
            result=result,
            changes=list(act.told),
            spent=sorted(spent),
        )

    def _put(self, act: DoneAct) -> None:
        self.acts = [act if other.name == act.name else other for other in self.acts]

    def _close(self, act: DoneAct, result: str, now: int, turn: int) -> None:
        self.acts = [other for other in self.acts if other.name != act.name]
        self._tell(self.message(act, now, (), result, self.spent(turn)))
