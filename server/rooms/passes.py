"""Standing passes and stops: when the room passes priority for a seat, so that four people do not click hundreds of passes.

Only priority questions are ever answered for a seat, and only by passing. A seat begins with every stop set and is not
asked when passing is all that it can do (mana abilities alone are nothing to do).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import UNSET

from protocol.messages import Pass, Stops
from server.rooms.views import step_word
from server.rules import events as done
from server.rules.questions import AnyQuestion, PriorityQuestion, player_ref, seat_of
from server.rules.state import State


class StandingMemory(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one seat has left with its room, as it is kept with a snapshot. Fields as in `Standing`."""

    mine: list[str] | None = None
    others: list[str] | None = None
    only_pass: bool = False
    until: str = "off"
    turn: int = 0
    height: int = 0


class Standing:
    """What one seat has left with its room."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.mine: frozenset[str] | None = None
        self.others: frozenset[str] | None = None
        self.only_pass = False
        self.until = "off"
        self._turn = 0
        self._height = 0

    def remembered(self) -> StandingMemory:
        """All of it, to be kept."""
        mine = None if self.mine is None else sorted(self.mine)
        others = None if self.others is None else sorted(self.others)
        return StandingMemory(mine, others, self.only_pass, self.until, self._turn, self._height)

    def recall(self, kept: StandingMemory) -> None:
        """Take up what was kept."""
        self.mine = None if kept.mine is None else frozenset(kept.mine)
        self.others = None if kept.others is None else frozenset(kept.others)
        self.only_pass, self.until, self._turn, self._height = kept.only_pass, kept.until, kept.turn, kept.height

    def take(self, message: Stops | Pass, state: State) -> None:
        """Take an instruction, from this moment on."""
        if isinstance(message, Stops):
            self.set_stops(message)
        else:
            self.set_pass(message, state)

    def set_stops(self, message: Stops) -> None:
        """Take new stops."""
        self.mine = None if message.mine is UNSET else frozenset(message.mine)
        self.others = None if message.others is UNSET else frozenset(message.others)
        self.only_pass = message.only_pass

    def set_pass(self, message: Pass, state: State) -> None:
        """Take a standing pass, from this moment on."""
        self.until = message.until
        self._turn = state.turn.number
        self._height = len(state.stack)

    def note(self, before: State, after: State, happened: Iterable[done.Event]) -> None:
        """End the standing pass if what happened ends it."""
        match self.until:
            case "off":
                return
            case "something":
                over = self._my_turn(after) or any(self._concerns(before, after, event) for event in happened)
            case "my_turn":
                over = self._my_turn(after)
            case "end_of_turn":
                over = after.turn.number != self._turn
            case _:  # stack
                height = len(after.stack)
                over = height == 0 or height > self._height
                self._height = height
        if over:
            self.until = "off"

    def asked(self, question: AnyQuestion) -> None:
        """A question other than priority ends a pass until something happens: this is something."""
        if self.until == "something" and not isinstance(question, PriorityQuestion):
            self.until = "off"

    def passes(self, state: State, question: PriorityQuestion) -> bool:
        """Whether the room passes for the seat."""
        if self.until != "off":
            return True
        if not any(action.type != "pass" and not action.mana for action in question.actions):
            return not self.only_pass
        if state.stack:
            top = state.objects[state.stack[-1]]
            return top.controller == self.seat and not self.only_pass
        stops = self.mine if state.turn.active == self.seat else self.others
        return stops is not None and step_word(state.turn.step) not in stops

    def _my_turn(self, state: State) -> bool:
        return state.turn.active == self.seat and state.turn.number != self._turn

    def _concerns(self, before: State, after: State, event: done.Event) -> bool:
        """Whether an event is "something": an opponent cast or activated, or I or mine is attacked or targeted."""
        me = player_ref(self.seat)
        match event:
            case done.Cast() | done.Activated():
                return event.object != 0 and seat_of(event.subject) != self.seat
            case done.BecameTarget():
                return event.subject == me or self._controls(after, event.subject)
            case done.AttackersDeclared():
                return any(to == me or self._controls(before, to) for _, to, _ in event.attacks)
            case _:
                return False

    def _controls(self, state: State, ref: int) -> bool:
        thing = state.objects.get(ref)
        return thing is not None and thing.controller == self.seat
