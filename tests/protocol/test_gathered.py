"""Questions in which what is alike is listed once."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.gathered import gather, spread
from protocol.questions import Action, ConfirmQuestion, PaymentQuestion, PriorityAnswer, PriorityQuestion, Text

ASKED = {
    "id": "q1",
    "seat": 0,
    "purpose": "priority",
    "prompt": Text("ask.priority"),
    "default": PriorityAnswer(index=0),
}
LANDS = st.builds(
    lambda name, ability, mana: Action(type="activate", ability=ability, text=name, mana=mana),
    st.sampled_from(("Plains", "Mountain", "Old Well")),
    st.integers(0, 1),
    st.sampled_from((True, True, False)),
)


def priority(*actions: Action) -> PriorityQuestion:
    return PriorityQuestion(**ASKED, actions=(Action(type="pass", text="Pass"), *actions))


def tap(number: int, text: str) -> Action:
    return Action(type="activate", object=str(number), ability=0, text=text, mana=True)


@given(st.lists(LANDS, max_size=12))
def test_spread_out_a_gathered_question_is_the_question(actions: list[Action]) -> None:
    numbered = [msgspec.structs.replace(action, object=str(100 + n)) for n, action in enumerate(actions)]
    for question in (priority(*numbered), PaymentQuestion(**ASKED, cost="{1}", actions=tuple(numbered), can_auto=True)):
        told = gather(question)
        assert spread(told) == question
        mana = [(a.text, a.ability) for a in told.actions if a.mana]
        assert len(mana) == len(set(mana)), "none is said twice"
        read = msgspec.convert(msgspec.to_builtins(told), type(told))
        assert spread(read) == question


def test_equal_lands_are_listed_once_where_the_first_stands() -> None:
    cast = Action(type="cast", object="7", text="Tap")
    told = gather(priority(tap(1, "Plains"), cast, tap(2, "Mountain"), tap(3, "Plains"), cast, tap(4, "Plains")))
    assert [(a.object, a.also) for a in told.actions[1:]] == [("1", {"3": 4, "4": 6}), ("7", {}), ("2", {}), ("7", {})]


def test_what_one_object_can_do_twice_is_listed_twice() -> None:
    question = priority(tap(1, "Plains"), tap(1, "Plains"), tap(2, "Plains"), tap(2, "Plains"))
    told = gather(question)
    assert spread(told) == question
    assert [(a.object, a.also) for a in told.actions[1:]] == [("1", {"2": 3}), ("1", {}), ("2", {})]


def test_places_that_are_none_of_a_list_are_refused() -> None:
    twice = msgspec.structs.replace(tap(1, "Plains"), also={"2": 2, "3": 2})
    far = msgspec.structs.replace(tap(1, "Plains"), also={"2": 9})
    for action in (twice, far):
        with pytest.raises(msgspec.ValidationError, match="places"):
            spread(priority(action))


def test_other_questions_are_as_they_are() -> None:
    question = ConfirmQuestion(**ASKED)
    assert gather(question) is question and spread(question) is question
    alone = priority(tap(1, "Plains"), tap(2, "Mountain"))
    assert gather(alone) is alone and spread(alone) is alone
