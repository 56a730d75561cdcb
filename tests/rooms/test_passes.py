"""Standing passes and stops: when a seat is asked."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from protocol.table import Pass, Stops
from server.rooms.passes import Standing
from server.rules.model import Action, PriorityQuestion, State, Turn
from server.rules.model import events as done
from server.rules.model.questions import ConfirmQuestion
from tests.rooms.states import BEAR, PLAN, state_of, thing

CAN = PriorityQuestion(1, actions=(Action("pass"), Action("cast", 5)))
ONLY_MANA = PriorityQuestion(1, actions=(Action("pass"), Action("activate", 5, 0, mana=True)))
ONLY_PASS = PriorityQuestion(1, actions=(Action("pass"),))


def at(active: int = 0, step: Any = "upkeep", number: int = 3, stack: tuple[int, ...] = ()) -> State:
    spells = [thing(90 + n, PLAN, "stack", controller) for n, controller in enumerate(stack)]
    things = [thing(10, BEAR, "battlefield", 1), thing(11, BEAR, "battlefield", 0), *spells]
    return state_of(*things, turn=Turn(number=number, active=active, step=step))


def stops(**fields: Any) -> Standing:
    return Standing().told(Stops(id="s", **fields), at())


def test_at_first_a_seat_is_asked_whenever_it_can_do_something() -> None:
    standing = Standing()
    assert standing.passes(at(), CAN) is None
    assert standing.passes(at(), ONLY_PASS) == 0
    assert standing.passes(at(), ONLY_MANA) == 0
    assert standing.passes(at(stack=(0,)), CAN) is None
    assert standing.passes(at(stack=(0, 1)), CAN) == 0


def test_stops() -> None:
    standing = stops(mine=["precombat_main"], others=["end"])
    assert standing.passes(at(1, "upkeep"), CAN) == 0
    assert standing.passes(at(1, "precombat_main"), CAN) is None
    assert standing.passes(at(0, "precombat_main"), CAN) == 0
    assert standing.passes(at(0, "end_turn"), CAN) is None
    assert standing.passes(at(0, "upkeep", stack=(0,)), CAN) is None
    full = stops(only_pass=True)
    for question in (CAN, ONLY_MANA, ONLY_PASS):
        assert full.passes(at(), question) is None
    assert full.passes(at(stack=(1,)), CAN) is None


@pytest.mark.parametrize(
    ("until", "before", "after", "events", "ends"),
    [
        ("something", at(), at(step="draw"), [], False),
        ("something", at(), at(1, number=4), [], True),
        ("something", at(), at(), [done.Cast(subject=-1, object=90)], True),
        ("something", at(), at(), [done.Cast(subject=-2, object=90)], False),
        ("something", at(), at(), [done.Activated(subject=-3, object=91, by=11)], True),
        ("something", at(), at(), [done.Activated(subject=-3, object=0, by=11)], False),
        ("something", at(), at(), [done.AttackersDeclared(subject=-1, attacks=((11, -2, 0),))], True),
        ("something", at(), at(), [done.AttackersDeclared(subject=-1, attacks=((11, 10, 0),))], True),
        ("something", at(), at(), [done.AttackersDeclared(subject=-1, attacks=((11, -3, 0),))], False),
        ("something", at(), at(), [done.BecameTarget(subject=10, object=90)], True),
        ("something", at(), at(), [done.BecameTarget(subject=11, object=90)], False),
        ("end_of_turn", at(), at(step="cleanup"), [], False),
        ("end_of_turn", at(), at(2, number=4), [], True),
        ("my_turn", at(), at(2, number=4), [], False),
        ("my_turn", at(), at(1, number=4), [], True),
        ("my_turn", at(1), at(1, "end_turn"), [], False),
        ("stack", at(stack=(0, 0)), at(stack=(0,)), [], False),
        ("stack", at(stack=(0,)), at(), [], True),
        ("stack", at(stack=(0,)), at(stack=(0, 2)), [], True),
    ],
)
def test_what_ends_a_pass(until: Any, before: State, after: State, events: list[done.Event], ends: bool) -> None:
    standing = Standing().told(Pass(id="p", until=until), before)
    assert standing.passes(before, CAN) == 0
    assert (standing.noted(1, before, after, events).until == "off") == ends


def test_another_question_ends_a_pass_until_something_happens() -> None:
    asks = replace(at(), pending=ConfirmQuestion(1))
    something = Standing().told(Pass(id="p", until="something"), at())
    assert something.noted(1, at(), replace(at(), pending=CAN), []).until == "something"
    assert something.noted(1, at(), replace(at(), pending=ConfirmQuestion(0)), []).until == "something"
    assert something.noted(1, at(), asks, []).until == "off"
    my_turn = Standing().told(Pass(id="p", until="my_turn"), at())
    assert my_turn.noted(1, at(), asks, []).until == "my_turn"
    assert my_turn.told(Pass(id="p", until="off"), at()).passes(at(), CAN) is None


def test_a_single_seat_may_have_stops_of_its_own() -> None:
    standing = stops(others=["end"], seats={"2": ["upkeep"]})
    assert standing.passes(at(0, "upkeep"), CAN) == 0
    assert standing.passes(at(2, "upkeep"), CAN) is None
    assert standing.passes(at(2, "end_turn"), CAN) == 0


def test_who_can_only_pass_has_it_done_after_a_while() -> None:
    """After its own delay or the table's, the longer of them, which the table takes from what everyone sees."""
    standing = stops(delay_ms=700)
    assert standing.passes(at(), ONLY_PASS) == 700
    assert standing.passes(at(), ONLY_PASS, lambda state, seat: 300 * seat) == 700
    assert standing.passes(at(), ONLY_MANA, lambda state, seat: 900 * seat) == 900
    assert standing.passes(at(), CAN, lambda state, seat: 900) is None


def test_what_is_passed_anyway_takes_as_long_for_who_could_do_something_and_who_could_not() -> None:
    standing = stops(delay_ms=700, mine=[], others=[])
    for question in (CAN, ONLY_MANA, ONLY_PASS):
        assert standing.passes(at(), question, lambda state, seat: 900) == 0
    own = stops(delay_ms=700)
    for question in (CAN, ONLY_PASS):
        assert own.passes(at(stack=(0, 1)), question) == 0
