"""Combat damage in steps: the amount of one option of one creature after another (510.1c to e).

What comes before must be given lethal damage by all of the assignment together, so that an amount may be legal only because of what
comes later. An amount is offered if one of a few ways to go on makes a legal whole: to fill up only what is still missing, or to
assign as one creature would by itself. Answers in which a later creature spares some of what it could fill up for others are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apnap.steps.base import Draft, Meaning
from server.rules import Illegal, State, legal
from server.rules.model import questions as q

EACH = 64
"""Up to so much damage every amount is a number of its own; of more only those at which something changes."""
Amounts = tuple[tuple[int, ...], ...]


def begin_damage(state: State, question: q.DamageQuestion) -> Draft:
    """The first step of an assignment."""
    default = legal.default(question, state)
    assert isinstance(default, q.AssignDamage)
    if not question.assigners:
        return _Nothing(default)
    return _Amount(state, question, ((),), default.amounts)


class _Nothing:
    """Nobody assigns anything."""

    count = 1
    about: q.Ref = 0
    allowed: Sequence[int] = (0,)

    def __init__(self, answer: q.AnyAnswer) -> None:
        self._answer = answer

    def allows(self, number: int) -> bool:
        return number == 0

    def take(self, number: int) -> q.AnyAnswer:
        return self._answer

    def means(self, number: int) -> Meaning:
        return Meaning("done")

    def toward(self, answer: q.AnyAnswer) -> int:
        return 0


class _Amount:
    """`given` are the amounts so far, the last of them of the creature under way; `whole` a legal assignment that goes on from them."""

    def __init__(self, state: State, question: q.DamageQuestion, given: Amounts, whole: Amounts) -> None:
        self._state = state
        self._question = question
        self._given = given
        self._whole = whole
        assigner = question.assigners[len(given) - 1]
        option = len(given[-1])
        left = assigner.power - sum(given[-1])
        self._amounts = self._candidates(assigner, option, left)
        self.count = len(self._amounts)
        self.about: q.Ref = assigner.options[option] if assigner.options else 0
        self._found: dict[int, Amounts | None] = {}

    def _candidates(self, assigner: q.Assigner, option: int, left: int) -> Sequence[int]:
        last = option >= len(assigner.options) - 1
        if last:
            return (left,)
        if left < EACH:
            return range(left + 1)
        marks = {0, 1, left, left - 1, left // 2, assigner.lethal[option], self._whole[len(self._given) - 1][option]}
        return sorted(n for n in marks if 0 <= n <= left)

    @property
    def allowed(self) -> Sequence[int]:
        return [number for number in range(self.count) if self.allows(number)]

    def allows(self, number: int) -> bool:
        return 0 <= number < self.count and self._goes_on(number) is not None

    def _goes_on(self, number: int) -> Amounts | None:
        if number not in self._found:
            given = (*self._given[:-1], (*self._given[-1], self._amounts[number]))
            wholes = (self._whole, *_wholes(self._question, given))
            self._found[number] = next((one for one in wholes if self._is_whole(given, one)), None)
        return self._found[number]

    def _is_whole(self, given: Amounts, whole: Amounts) -> bool:
        if any(all_[: len(some)] != some for some, all_ in zip(given, whole, strict=False)):
            return False
        if whole is self._whole:
            return True
        try:
            legal.check(self._state, self._question, q.AssignDamage(whole))
        except Illegal:
            return False
        return True

    def take(self, number: int) -> Draft | q.AnyAnswer:
        whole = self._goes_on(number)
        assert whole is not None
        given = (*self._given[:-1], (*self._given[-1], self._amounts[number]))
        while len(given[-1]) >= len(self._question.assigners[len(given) - 1].options) - 1:
            # What is left is for the last.
            given = (*given[:-1], whole[len(given) - 1])
            if len(given) == len(self._question.assigners):
                return q.AssignDamage(given)
            given = (*given, ())
        return _Amount(self._state, self._question, given, whole)

    def means(self, number: int) -> Meaning:
        return Meaning("number", self.about, self._amounts[number])

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.AssignDamage) or len(answer.amounts) != len(self._question.assigners):
            raise ValueError
        theirs = answer.amounts[len(self._given) - 1]
        return list(self._amounts).index(theirs[len(self._given[-1])]) if theirs else 0


def _wholes(question: q.DamageQuestion, given: Amounts) -> Iterator[Amounts]:
    """Ways to go on: filling up first or assigning alone, for the creature under way and for those after it."""
    for own in (True, False):
        for others in (True, False):
            made = list(given[:-1])
            for place in range(len(given) - 1, len(question.assigners)):
                begun = given[-1] if place == len(given) - 1 else ()
                fills = own if place == len(given) - 1 else others
                made.append(_rest(question, made, place, begun, fills))
            yield tuple(made)


def _rest(
    question: q.DamageQuestion, before: Sequence[tuple[int, ...]], place: int, begun: tuple[int, ...], fills: bool
) -> tuple[int, ...]:
    """The amounts of one creature that has `begun`: to each what is missing (`fills`), or what is lethal by itself, the rest to the last,
    or to the head of a giant that has got some already (810.7f).
    """
    assigner = question.assigners[place]
    amounts = list(begun)
    left = assigner.power - sum(begun)
    heads = len(assigner.options) - assigner.heads
    for option in range(len(begun), len(assigner.options)):
        last = option == len(assigner.options) - 1
        share = left if last else min(left, assigner.lethal[option])
        if fills and not last:
            share = min(share, _missing(question, before, assigner.options[option]))
        if assigner.heads and heads <= option and not last:
            share = 0
        amounts.append(share)
        left -= share
    fed = next((n for n in range(heads, len(begun)) if begun[n]), None) if assigner.heads else None
    if fed is not None and fed != len(amounts) - 1 and len(begun) <= fed:
        amounts[fed], amounts[-1] = amounts[fed] + amounts[-1], 0
    return tuple(amounts)


def _missing(question: q.DamageQuestion, before: Sequence[tuple[int, ...]], ref: q.Ref) -> int:
    """How much of lethal damage one is short of after some creatures have assigned (510.1e)."""
    lethal, assigned = 0, 0
    for assigner in question.assigners:
        if ref in assigner.options:
            lethal = max(lethal, assigner.lethal[assigner.options.index(ref)])
    for assigner, amounts in zip(question.assigners, before, strict=False):
        if ref in assigner.options:
            at = assigner.options.index(ref)
            if amounts[at] >= assigner.lethal[at]:
                return 0
            assigned += amounts[at]
    return max(0, lethal - assigned)
