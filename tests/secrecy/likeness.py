"""What is the same in the two games of a pair: questions, answers that do the same with the same things, frames."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from server.knowledge.redacted import redact
from server.rules.model import State
from server.rules.model import questions as q

QUESTION = re.compile(rb'"q[0-9a-f]{8}"')
AROUND = 200
"""Bytes before the first difference that are shown of a frame."""


def redacted_otherwise(one: State, two: State, seat: int) -> tuple[bytes, bytes] | None:
    """What is not the same in both games as a seat may know them."""
    mine, its = (redact(state, seat) for state in (one, two))
    return None if mine == its else first_difference([str(mine).encode()], [str(its).encode()])


def translated(one: State, two: State, answer: q.AnyAnswer) -> q.AnyAnswer | None:
    """The answer in the second game that does the same with the same things, None if there is none."""
    first, second = one.pending, two.pending
    if first == second:
        return answer
    match first, second, answer:
        case q.PriorityQuestion(), q.PriorityQuestion(), q.Take():
            wanted = deed(one, first.actions[answer.index])
            found = [n for n, action in enumerate(second.actions) if deed(two, action) == wanted]
            return replace(answer, index=found[0]) if found else None
        case q.PaymentQuestion(), q.PaymentQuestion(), q.Pay() if answer.index > 0:
            wanted = deed(one, first.actions[answer.index - 1])
            found = [n for n, action in enumerate(second.actions) if deed(two, action) == wanted]
            return q.Pay(found[0] + 1) if found else None
        case q.ChooseQuestion(), q.ChooseQuestion(), q.Pick():
            wanted = [what(one, first.options[n]) for n in answer.picks]
            picks: list[int] = []
            for want in wanted:
                left = [n for n, o in enumerate(second.options) if n not in picks and what(two, o) == want]
                if not left:
                    return None
                picks.append(left[0])
            return q.Pick(tuple(picks))
        case _:
            return answer


def deed(state: State, action: q.Action) -> tuple[Any, ...]:
    thing = state.objects.get(action.object)
    name = thing.definition.name if thing is not None else ""
    where = action.object if thing is not None and thing.zone not in ("hand", "library") else 0
    return (action.type, where, name, action.ability, action.way, action.side)


def what(state: State, choice: q.Choice) -> tuple[Any, ...]:
    thing = state.objects.get(choice.ref)
    if thing is None:
        return (choice.ref, choice.word, choice.text)
    if thing.zone in ("hand", "library"):
        return (thing.zone, thing.owner, thing.definition.name)
    return (choice.ref, choice.word, choice.text)


def sort_of(question: q.AnyQuestion) -> tuple[type[q.AnyQuestion], int, str]:
    return type(question), question.seat, question.purpose


def kind_of(question: q.AnyQuestion | None) -> str:
    return type(question).__name__.removesuffix("Question").lower()


def renamed(frames: list[bytes]) -> list[bytes]:
    """With the ids of questions counted in the order in which they come."""
    names: dict[bytes, bytes] = {}
    return [QUESTION.sub(lambda found: names.setdefault(found[0], b"q#%d" % len(names)), frame) for frame in frames]


def first_difference(first: list[bytes], second: list[bytes]) -> tuple[bytes, bytes]:
    for one, other in zip(first, second, strict=False):
        if one != other:
            at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            at = max(0, at - AROUND)
            return one[at : at + 4 * AROUND], other[at : at + 4 * AROUND]
    shorter = min(len(first), len(second))
    return b"\n    ".join(first[shorter:]), b"\n    ".join(second[shorter:])
