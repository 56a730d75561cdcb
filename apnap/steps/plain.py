"""Steps of answers that are legal part by part: what was taken before only takes away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from apnap.steps.base import Draft, Meaning
from apnap.steps.damage import begin_damage
from server.rules import State
from server.rules.model import questions as q


class _Step:
    """What most steps have in common: every number below `count` is allowed."""

    count = 1
    about: q.Ref = 0

    @property
    def allowed(self) -> Sequence[int]:
        return range(self.count)

    def allows(self, number: int) -> bool:
        return 0 <= number < self.count


class _Actions(_Step):
    """Number n is action n; 0 passes."""

    def __init__(self, question: q.PriorityQuestion, by_hand: bool) -> None:
        self._actions = question.actions
        self._by_hand = by_hand
        self.count = len(self._actions)

    @property
    def allowed(self) -> Sequence[int]:
        if self._by_hand:
            return range(self.count)
        return [number for number, action in enumerate(self._actions) if not action.mana]

    def allows(self, number: int) -> bool:
        return 0 <= number < self.count and (self._by_hand or not self._actions[number].mana)

    def take(self, number: int) -> Draft | q.AnyAnswer:
        if self._by_hand and self._actions[number].type in ("cast", "activate", "special"):
            return _HowPaid(number)
        return q.Take(number)

    def means(self, number: int) -> Meaning:
        action = self._actions[number]
        return Meaning("act", action.object, max(action.ability, 0), f"{action.type} {action.way}".rstrip())

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Take):
            raise ValueError
        return answer.index


class _HowPaid(_Step):
    count = 2

    def __init__(self, action: int) -> None:
        self._action = action

    def take(self, number: int) -> q.AnyAnswer:
        return q.Take(self._action, manual=bool(number))

    def means(self, number: int) -> Meaning:
        return Meaning("hand" if number else "auto")

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Take) or answer.index != self._action:
            raise ValueError
        return int(answer.manual)


class _Picks(_Step):
    """0: no more; n: option n - 1."""

    def __init__(self, question: q.ChooseQuestion, picked: tuple[int, ...] = ()) -> None:
        self._question = question
        self._picked = picked
        self.count = len(question.options) + 1

    @property
    def allowed(self) -> Sequence[int]:
        if not self._picked and self._question.most and self._question.least:
            return range(1, self.count)
        return [number for number in range(self.count) if self.allows(number)]

    def allows(self, number: int) -> bool:
        if number == 0:
            return len(self._picked) >= self._question.least
        return number < self.count and number - 1 not in self._picked and len(self._picked) < self._question.most

    def take(self, number: int) -> Draft | q.AnyAnswer:
        if number == 0:
            return q.Pick(self._picked)
        picked = (*self._picked, number - 1)
        if len(picked) >= min(self._question.most, self.count - 1):
            return q.Pick(picked)
        return _Picks(self._question, picked)

    def means(self, number: int) -> Meaning:
        if number == 0:
            return Meaning("done")
        choice = self._question.options[number - 1]
        return Meaning("pick", choice.ref, number, choice.word)

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Pick) or answer.picks[: len(self._picked)] != self._picked:
            raise ValueError
        return 0 if len(answer.picks) == len(self._picked) else answer.picks[len(self._picked)] + 1


class _YesOrNo(_Step):
    count = 2

    def take(self, number: int) -> q.AnyAnswer:
        return q.Confirm(bool(number))

    def means(self, number: int) -> Meaning:
        return Meaning("yes" if number else "no")

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Confirm):
            raise ValueError
        return int(answer.yes)


class _Number(_Step):
    def __init__(self, question: q.NumberQuestion) -> None:
        self._least = question.least
        self.count = question.most - question.least + 1

    def take(self, number: int) -> q.AnyAnswer:
        return q.Number(self._least + number)

    def means(self, number: int) -> Meaning:
        return Meaning("number", 0, self._least + number)

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Number):
            raise ValueError
        return answer.number - self._least


class _Ordering(_Step):
    """Which option comes next, until one is left."""

    def __init__(self, question: q.OrderQuestion, order: tuple[int, ...] = ()) -> None:
        self._question = question
        self._order = order
        self.count = max(len(question.options), 1)

    @property
    def allowed(self) -> Sequence[int]:
        return [number for number in range(self.count) if number not in self._order]

    def allows(self, number: int) -> bool:
        return 0 <= number < self.count and number not in self._order

    def take(self, number: int) -> Draft | q.AnyAnswer:
        if not self._question.options:
            return q.Order(())
        order = (*self._order, number)
        left = [one for one in range(self.count) if one not in order]
        return q.Order((*order, *left)) if len(left) < 2 else _Ordering(self._question, order)

    def means(self, number: int) -> Meaning:
        if not self._question.options:
            return Meaning("done")
        choice = self._question.options[number]
        return Meaning("first", choice.ref, len(self._order), choice.word)

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Order) or answer.order[: len(self._order)] != self._order:
            raise ValueError
        return answer.order[len(self._order)] if answer.order else 0


class _Division(_Step):
    """The share of one option after another; the last gets what is left. Number n is n more than the least share."""

    def __init__(self, question: q.DivideQuestion, shares: tuple[int, ...] = ()) -> None:
        self._question = question
        self._shares = shares
        after = len(question.options) - len(shares) - 1
        self._left = question.amount - sum(shares)
        self.count = self._left - question.least_each * (after + 1) + 1 if after > 0 else 1
        self.about = question.options[len(shares)].ref if question.options else 0

    def take(self, number: int) -> Draft | q.AnyAnswer:
        options = len(self._question.options)
        if options < 2:
            return q.Divide((self._question.amount,) * options)
        shares = (*self._shares, self._question.least_each + number)
        if len(shares) == options - 1:
            return q.Divide((*shares, self._question.amount - sum(shares)))
        return _Division(self._question, shares)

    def means(self, number: int) -> Meaning:
        return Meaning("number", self.about, self._question.least_each + number)

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Divide) or answer.amounts[: len(self._shares)] != self._shares:
            raise ValueError
        return answer.amounts[len(self._shares)] - self._question.least_each if len(answer.amounts) > 1 else 0


class _Payment(_Step):
    """0 pays the rest, n does action n - 1, the last number takes back what was to be paid for."""

    def __init__(self, question: q.PaymentQuestion) -> None:
        self._question = question
        self.count = len(question.actions) + 2

    @property
    def allowed(self) -> Sequence[int]:
        return range(0 if self._question.can_auto else 1, self.count)

    def allows(self, number: int) -> bool:
        return (0 if self._question.can_auto else 1) <= number < self.count

    def take(self, number: int) -> q.AnyAnswer:
        return q.Pay(-1 if number == self.count - 1 else number)

    def means(self, number: int) -> Meaning:
        if number == 0:
            return Meaning("auto")
        if number == self.count - 1:
            return Meaning("back")
        action = self._question.actions[number - 1]
        return Meaning("act", action.object, max(action.ability, 0), f"{action.type} {action.way}".rstrip())

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Pay):
            raise ValueError
        return self.count - 1 if answer.index == -1 else answer.index


class _NoActs(_Step):
    """A paragraph that the table plays by hand: here nothing of it is done."""

    def take(self, number: int) -> q.AnyAnswer:
        return q.Act()

    def means(self, number: int) -> Meaning:
        return Meaning("done")

    def toward(self, answer: q.AnyAnswer) -> int:
        if answer != q.Act():
            raise ValueError
        return 0


def begin_plain(state: State, question: q.AnyQuestion, by_hand: bool) -> Draft:
    """The first step of an answer that is no declaration."""
    if isinstance(question, q.PriorityQuestion):  # nearly all are
        return _Actions(question, by_hand)
    return _FIRST[type(question)](state, question)


_FIRST: dict[type[q.Question], Callable[[State, Any], Draft]] = {
    q.ChooseQuestion: lambda _, question: _Picks(question),
    q.ConfirmQuestion: lambda _, question: _YesOrNo(),
    q.NumberQuestion: lambda _, question: _Number(question),
    q.OrderQuestion: lambda _, question: _Ordering(question),
    q.DivideQuestion: lambda _, question: _Division(question),
    q.DamageQuestion: begin_damage,
    q.PaymentQuestion: lambda _, question: _Payment(question),
    q.ActQuestion: lambda _, question: _NoActs(),
}
