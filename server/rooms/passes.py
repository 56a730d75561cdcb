"""Standing passes and stops: when the room passes priority for a seat, so that four people do not click hundreds of passes.

Only priority questions are ever answered for a seat, and only by passing. A seat begins with every stop set and is not
asked when passing is all that it can do (mana abilities alone are nothing to do).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from protocol.table import Pass, Stops
from server.knowledge.stops import is_something, lets_go
from server.rules.casting import is_reminded
from server.rules.model import PriorityQuestion, State, controller_of, lookup, player_ref, seat_of
from server.rules.model import events as done

Pace: TypeAlias = Callable[[State, int], int]
"""After how many milliseconds a seat is passed for that can do nothing: of what everybody sees of it, and of nothing else."""


def at_once(_state: State, _seat: int) -> int:
    """The pace of a table at which nobody has anything to hide."""
    return 0


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one seat has left with its room, as a value. `mine`, `others` and `seats` are stops (None: every step).

    `until` is how long the standing pass lasts, with the `turn` and the `height` of the stack that it began at.
    """

    mine: tuple[str, ...] | None = None
    others: tuple[str, ...] | None = None
    seats: dict[int, tuple[str, ...]] = {}
    only_pass: bool = False
    delay_ms: int = 0
    until: str = "off"
    turn: int = 0
    height: int = 0

    def told(self, message: Stops | Pass, state: State) -> Standing:
        """With other stops, or with a standing pass from this moment on."""
        if isinstance(message, Pass):
            return replace(self, until=message.until, turn=state.turn.number, height=len(state.stack))
        return replace(
            self,
            mine=None if message.mine is UNSET else tuple(message.mine),
            others=None if message.others is UNSET else tuple(message.others),
            seats={int(seat): tuple(steps) for seat, steps in message.seats.items()},
            only_pass=message.only_pass,
            delay_ms=message.delay_ms,
        )

    def off(self) -> Standing:
        """Without its standing pass."""
        return self if self.until == "off" else replace(self, until="off")

    def noted(self, seat: int, before: State, after: State, happened: Iterable[done.Event]) -> Standing:
        """After something happened, which may end the standing pass, and with the question that is open now: one other than
        priority ends a pass until something happens, since this is something.
        """
        pending = after.pending
        match self.until:
            case "off":
                return self
            case "something":
                over = self._my_turn(seat, after) or any(_concerns(seat, before, after, event) for event in happened)
                over = over or (
                    pending is not None and pending.seat == seat and not isinstance(pending, PriorityQuestion)
                )
            case "my_turn":
                over = self._my_turn(seat, after)
            case "end_of_turn":
                over = after.turn.number != self.turn
            case _:  # stack
                height = len(after.stack)
                if height and height <= self.height:
                    return self if height == self.height else replace(self, height=height)
                over = True
        return self.off() if over else self

    def passes(self, state: State, question: PriorityQuestion, pace: Pace = at_once) -> int | None:
        """After how many milliseconds the room passes for the seat; None: the seat is asked.

        Who is reminded of a paragraph by hand is asked. Whose priority it is counts, also where this seat decides for another one.

        What is passed whatever the seat could do is passed at once; only then may it matter that it can do nothing, and that
        takes as long as others would think it over who look like it.
        """
        if any(
            is_reminded(state, action) and controller_of(state, action.object) == question.whose
            for action in question.actions
        ):
            return None
        if self.until != "off" or self._lets_go(state, question.whose):
            return 0
        if self.only_pass or any(is_something(state, question.whose, action) for action in question.actions):
            return None
        return max(self.delay_ms, pace(state, question.whose))

    def _lets_go(self, state: State, seat: int) -> bool:
        """Whether the seat wants no question here: its own spell or ability is on top, or the step has no stop."""
        if state.stack and self.only_pass:
            return False
        stops = self.mine if lookup.is_active(state, seat) else self.seats.get(state.turn.active, self.others)
        return lets_go(state, seat, stops)

    def _my_turn(self, seat: int, state: State) -> bool:
        return lookup.is_active(state, seat) and state.turn.number != self.turn


def _concerns(seat: int, before: State, after: State, event: done.Event) -> bool:
    """Whether an event is "something": an opponent cast or activated, or the seat or what it controls is attacked or
    targeted.
    """
    me = player_ref(seat)
    match event:
        case done.Cast() | done.Activated():
            return event.object != 0 and seat_of(event.subject) != seat
        case done.BecameTarget():
            return event.subject == me or _controls(after, seat, event.subject)
        case done.AttackersDeclared():
            return any(to == me or _controls(before, seat, to) for _, to, _ in event.attacks)
        case _:
            return False


def _controls(state: State, seat: int, ref: int) -> bool:
    thing = state.objects.get(ref)
    return thing is not None and thing.controller == seat
