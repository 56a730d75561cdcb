"""Moments to which a game may go back at once, and why it does."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from server.knowledge.hidden import asked_in_secret
from server.rooms.clocks import Banks
from server.rooms.replay import Turned
from server.rooms.seated import Seats, banks_of
from server.rooms.takebacks import reveals
from server.rules.model import Object, State
from server.storage import Answered, Passed, TakenBack

Why: TypeAlias = Literal["", "objected", "corrected"]
KEPT_STATES = 20
"""States of each seat that are kept for taking back at once: of each, or others would see by it how often somebody was asked."""


class Earlier(msgspec.Struct, frozen=True, gc=False):
    """A moment to which the game may go back: before a seat's answer to a question. `banks` are the seats' accounts of time then; the
    answer took `spent` and `away` milliseconds of the seat's clocks.
    """

    seat: int
    question: int
    state: State
    banks: tuple[Banks, ...]
    spent: int = 0
    away: int = 0


_NOTHING: dict[int, Object] = {}
"""Of all moments that are kept; nobody changes it."""


class _Kept(msgspec.Struct, frozen=True, gc=False):
    """A moment without its objects, and those beside it: in a row, which takes a fifth of what a dict does."""

    earlier: Earlier
    objects: tuple[Object, ...]

    def whole(self) -> Earlier:
        """The moment as it was."""
        objects = {found.id: found for found in self.objects}
        return replace(self.earlier, state=replace(self.earlier.state, objects=objects, memo={}))


class AtOnce:
    """The moments before the seats' answers that may be taken back at once: until another does anything but pass or choose in secret,
    which must not matter, or others would see by it who was asked. What came of a choice may matter. Folded from the turns.
    """

    def __init__(self) -> None:
        self._of: dict[int, list[_Kept]] = {}
        """Each seat's, oldest first, of the seats that have any."""
        self._row: tuple[dict[int, Object], tuple[Object, ...]] = {}, ()
        """The objects of the last state that is kept, as long as the game has the same."""

    def note(self, turned: Turned, seats: Seats) -> None:
        """After a turn, `seats` being the values before it."""
        self._note(turned, seats)
        if turned.after.objects is not self._row[0]:
            self._row = {}, ()

    def _note(self, turned: Turned, seats: Seats) -> None:
        entry = turned.entry
        if isinstance(entry, Answered) and entry.by != "clock":
            if len(self._of) > (entry.seat in self._of) and not turned.passes and not asked_in_secret(turned.before):
                self._only(entry.seat)
            if entry.by == "seat":
                self._add(entry, turned.before, seats)
        elif isinstance(entry, TakenBack):
            of = {
                seat: [kept for kept in own if kept.earlier.question < entry.question] for seat, own in self._of.items()
            }
            self._of = {seat: own for seat, own in of.items() if own}
            return
        elif turned.before is not turned.after and not isinstance(entry, Passed):
            self._of = {}
        if self._of and turned.before is not turned.after:
            for seat in tuple(reveals(turned.before, turned.after, self._of.keys())):
                del self._of[seat]

    def _only(self, seat: int) -> None:
        own = self._of.get(seat)
        self._of = {} if own is None else {seat: own}

    def _add(self, entry: Answered, before: State, seats: Seats) -> None:
        if before.objects is not self._row[0]:
            self._row = before.objects, tuple(before.objects.values())
        # Without what was remembered about it, which is most of what it holds, and of use only where the game goes back.
        bare = replace(before, objects=_NOTHING, memo=_NOTHING)
        earlier = Earlier(entry.seat, entry.question, bare, banks_of(seats), entry.spent, entry.away)
        own = self._of.setdefault(entry.seat, [])
        own.append(_Kept(earlier, self._row[1]))
        if len(own) > KEPT_STATES:
            del own[0]

    def last(self, seat: int) -> int | None:
        """The question of the seat's last one."""
        own = self._of.get(seat)
        return own[-1].earlier.question if own else None

    def before(self, seat: int, question: int) -> Earlier | None:
        """The one before the seat's answer to that question."""
        return next((kept.whole() for kept in self._of.get(seat, ()) if kept.earlier.question == question), None)

    def since(self, earlier: Earlier) -> list[Earlier]:
        """The same seat's from that one on."""
        return [kept.whole() for kept in self._of.get(earlier.seat, ()) if kept.earlier.question >= earlier.question]
