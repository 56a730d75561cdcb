"""Moments to which a game may go back at once, and why it does."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from server.knowledge.hidden import asked_in_secret
from server.rooms.clocks import Banks
from server.rooms.replay import Turned
from server.rooms.seated import Seats, banks_of
from server.rooms.takebacks import reveals
from server.rules.model import PriorityQuestion, State, Take
from server.storage import Answered, Passed, TakenBack

Why: TypeAlias = Literal["", "objected", "corrected"]
KEPT_STATES = 20
"""States of each seat that are kept for taking back at once: of each, or others would see by it how often somebody was asked."""


class Earlier(msgspec.Struct, frozen=True):
    """A moment to which the game may go back: before a seat's answer to a question. `banks` are the seats' accounts of time then; the
    answer took `spent` and `away` milliseconds of the seat's clocks.
    """

    seat: int
    question: int
    state: State
    banks: tuple[Banks, ...]
    spent: int = 0
    away: int = 0


def still_at_once(back: list[Earlier], turned: Turned, seats: Seats) -> list[Earlier]:
    """Of the moments before the seats' answers those that may be taken back at once after a turn, `seats` being the values before it:
    until another does anything but pass or choose in secret, which must not matter, or others would see by it who was asked. What
    came of a choice may matter.
    """
    entry = turned.entry
    if isinstance(entry, TakenBack):
        return [kept for kept in back if kept.question < entry.question]
    if turned.before is turned.after:
        return back
    if isinstance(entry, Answered) and entry.by != "clock":
        others = [kept for kept in back if kept.seat != entry.seat]
        if not _passes(turned) and not asked_in_secret(turned.before):
            others = []
        own = [kept for kept in back if kept.seat == entry.seat]
        if entry.by == "seat":
            # Without what was remembered about it, which is most of what it holds, and of use only where the game goes back.
            before = replace(turned.before, memo={})
            own.append(Earlier(entry.seat, entry.question, before, banks_of(seats), entry.spent, entry.away))
        own = own[-KEPT_STATES:]
        back = sorted([*others, *own], key=_question) if others else own
    elif not isinstance(entry, Passed):
        return []
    shown = reveals(turned.before, turned.after, {kept.seat for kept in back})
    return [kept for kept in back if kept.seat not in shown] if shown else back


_question: Callable[[Earlier], int] = attrgetter("question")


def _passes(turned: Turned) -> bool:
    """Whether an answer passes priority."""
    return isinstance(turned.before.pending, PriorityQuestion) and getattr(turned.entry, "answer", None) == Take(0)
