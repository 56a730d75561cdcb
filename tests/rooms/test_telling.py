"""What a viewer is told is what it would be if nothing were remembered of what was told before."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from protocol.gathered import gather
from protocol.messages import QuestionMessage
from server.knowledge.questions import Asker, ids_of, repeatable
from server.rooms import RULES, Outbox
from server.rooms.seats import KEPT_EPOCHS, KEPT_MARKS, Marks, Seeing
from server.rooms.tell import Teller
from server.rules.model import Action, PriorityQuestion, State, evolve
from server.rules.model.state import Object
from server.rules.turn import legal
from server.storage import Setup
from tests.rooms.fake import setup_of as fake_setup
from tests.rooms.states import BEAR, FOREST, PLAN, state_of, thing
from tests.rooms.test_bytes import setup_of


class Asked:
    """Seats that are asked by a room of that setup, for ever at their first view."""

    def __init__(self, setup: Setup, seats: int) -> None:
        self.setup = setup
        self.teller = Teller(RULES, setup)
        self.seats = [Seeing(str(seat), Outbox(), seat, set(), gathered=seat == 0) for seat in range(seats)]

    def __call__(self, state: State, left_ms: int | None = None) -> Any:
        """What the seat is asked."""
        self.teller.update(state, None)
        assert state.pending is not None
        viewer = self.seats[state.pending.seat]
        self.teller.ask(viewer, state, state.pending, left_ms)
        message = viewer.outbox.get_nowait()
        assert isinstance(message, QuestionMessage)
        return message.question

    def anew(self, state: State, left_ms: int | None = None) -> Any:
        """The same, written anew."""
        assert state.pending is not None
        written = Asker(RULES, state, ids_of(self.setup.fair.key)).write(state.pending, left_ms)
        return gather(written) if self.seats[state.pending.seat].gathered else written


def test_who_may_do_the_same_again_is_asked_as_if_it_were_for_the_first_time() -> None:
    setup, chance = setup_of(4, 5), random.Random(5)
    state, _ = RULES.start(setup)
    asked = Asked(setup, 4)
    last: dict[int, Any] = {}
    again = 0
    for number in range(250):
        assert state.pending is not None
        seat, left = state.pending.seat, None if number % 3 else number
        told = asked(state, left)
        assert told == asked.anew(state, left)
        again += isinstance(state.pending, PriorityQuestion) and last.get(seat) is told.actions
        last[seat] = getattr(told, "actions", None)
        answer = legal.sample(state.pending, state, chance) if number % 4 == 0 else legal.default(state.pending, state)
        state, _ = RULES.submit(state, seat, answer)
    assert again > 100, "most questions are those that were asked before"


def question(number: int, *actions: Action, seat: int = 0, **more: Any) -> PriorityQuestion:
    return PriorityQuestion(seat, "priority", number=number, actions=(Action("pass"), *actions), **more)


def test_what_has_become_of_the_objects_is_told_though_the_actions_are_the_same() -> None:
    cast = Action("cast", 1)
    plan = state_of(thing(1, PLAN, "hand"), thing(2, BEAR, "hand"), pending=question(1, cast))
    asked = Asked(fake_setup(), 3)
    assert [action.text for action in asked(plan).actions] == ["Pass", "Secret Plan"]
    other: Object = replace(plan.objects[1], definition=plan.objects[2].definition)
    bear = evolve(plan, objects={**plan.objects, 1: other}, pending=question(2, cast))
    assert [action.text for action in asked(bear).actions] == ["Pass", "Bear"]
    alone = evolve(bear, objects={**plan.objects, 1: replace(other, timestamp=7)}, pending=question(3))
    assert [action.text for action in asked(alone).actions] == ["Pass"]


def test_who_is_asked_by_an_object_or_for_another_is_told_so_each_time() -> None:
    plain = state_of(thing(1, FOREST, "battlefield"), thing(2, BEAR, "battlefield"), pending=question(1))
    asked = Asked(fake_setup(), 3)
    assert "source" not in asked(plain).prompt.args
    for number, more in enumerate([{"source": 1}, {"source": 2}, {"for_seat": 2}, {}], 2):
        state = evolve(plain, pending=question(number, **more))
        told = asked(state)
        assert told == asked.anew(state)
        assert told.prompt.args.get("source") == {1: "Forest", 2: "Bear"}.get(more.get("source", 0))
        assert told.prompt.args.get("for") == ("P2" if "for_seat" in more else None)


def test_whether_something_has_happened_of_a_paragraph_by_hand_is_told_each_time() -> None:
    plain = state_of(thing(1, FOREST, "battlefield"), pending=question(1))
    told = Asked(fake_setup(), 3)(plain)
    assert repeatable(question(2), told, 0) is not None
    assert repeatable(question(2, Action("call", 1, 0)), told, 0) is None


def test_a_place_in_the_log_stands_for_all_messages_until_the_next_one() -> None:
    marks = Marks()
    for seq, place in ((0, 4), (1, 9), (5, 12)):
        marks.put(7, seq, place)
    assert [marks.get(7, seq) for seq in range(-1, 8)] == [None, 4, 9, 9, 9, 9, 12, 12, 12]
    assert marks.get(8, 1) is None
    for seq in range(6, KEPT_MARKS + 20):
        marks.put(7, seq, 2 * seq)
    assert marks.get(7, 5) is None, "the oldest are forgotten"
    assert marks.get(7, KEPT_MARKS + 19) == 2 * (KEPT_MARKS + 19)


def test_epochs_in_which_something_was_told_lately_are_remembered() -> None:
    marks = Marks()
    for epoch in range(KEPT_EPOCHS):
        marks.put(epoch, 1, 3)
    marks.put(0, 2, 8)
    for epoch in range(1000, 1010):
        marks.put(epoch, 1, 9)
    assert marks.get(0, 2) == 8, "the oldest, but spoken in since"
    assert [marks.get(epoch, 1) for epoch in range(1, 12)] == [None] * 10 + [3]
