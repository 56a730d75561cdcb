"""Questions in which the mana abilities of objects that are alike are listed once, for who says `gathered` in `hello`.

Of actions that differ by their object alone the first stands for the others, which it names in `also` with their places in the whole
list. Answers count in the whole list.

Law (tested): `spread(gather(question)) == question`.
"""

from typing import TypeAlias, TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from protocol.questions import Action, Asked, PaymentQuestion, PriorityQuestion

Q = TypeVar("Q", bound=Asked)
_Alike: TypeAlias = tuple[object, ...]


def gather(question: Q) -> Q:
    """The question with what is alike listed once."""
    if not isinstance(question, PriorityQuestion | PaymentQuestion):
        return question
    listed: dict[_Alike | int, Action] = {}
    also: dict[_Alike, dict[str, int]] = {}
    for place, action in enumerate(question.actions):
        if not action.mana or action.object is UNSET:
            listed[place] = action
            continue
        kind = (action.type, action.ability, action.text, action.way, action.side, action.reminded)
        first = listed.setdefault(kind, action)
        if first is action:
            continue
        others = also.setdefault(kind, {})
        if action.object == first.object or action.object in others:  # the same of one object twice: each by itself
            listed[place] = action
        else:
            others[action.object] = place
    if not also:
        return question
    actions = tuple(
        replace(action, also=also[kind]) if isinstance(kind, tuple) and also.get(kind) else action
        for kind, action in listed.items()
    )
    return replace(question, actions=actions)


def spread(question: Q) -> Q:
    """The question with the whole list. Raises `msgspec.ValidationError` where the places are none of a list."""
    if not isinstance(question, PriorityQuestion | PaymentQuestion) or not any(a.also for a in question.actions):
        return question
    placed = {
        place: replace(action, object=one, also={}) for action in question.actions for one, place in action.also.items()
    }
    total = len(question.actions) + sum(len(action.also) for action in question.actions)
    free = [place for place in range(total) if place not in placed]
    if len(free) != len(question.actions):
        raise msgspec.ValidationError("the places of actions that are alike are none of a list")
    placed.update(zip(free, (replace(action, also={}) for action in question.actions), strict=True))
    return replace(question, actions=tuple(placed[place] for place in range(total)))
