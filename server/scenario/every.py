"""Every legal answer to a question, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, permutations, product
from typing import Any

from server.rules import Illegal, State, legal
from server.rules.model import questions as q


def every(state: State, question: q.AnyQuestion) -> Iterator[q.AnyAnswer]:
    """Every legal answer of the rules once, the default first; without bands."""
    default = legal.default(question, state)
    yield default
    for answer in LISTED[type(question)](question):
        if answer != default and is_legal(state, question, answer):
            yield answer


def is_legal(state: State, question: q.AnyQuestion, answer: q.AnyAnswer) -> bool:
    """Whether the rules take the answer."""
    try:
        legal.check(state, question, answer)
    except Illegal:
        return False
    return True


# --- every answer of a kind, legal or not ---------------------------------------------------------------------------------


def _actions(question: q.PriorityQuestion) -> Iterator[q.AnyAnswer]:
    return (q.Take(index) for index in range(len(question.actions)))


def _picks(question: q.ChooseQuestion) -> Iterator[q.AnyAnswer]:
    for count in range(question.least, question.most + 1):
        yield from map(q.Pick, combinations(range(len(question.options)), count))


def _yes_or_no(_: q.ConfirmQuestion) -> Iterator[q.AnyAnswer]:
    return iter((q.Confirm(False), q.Confirm(True)))


def _numbers(question: q.NumberQuestion) -> Iterator[q.AnyAnswer]:
    return map(q.Number, range(question.least, question.most + 1))


def _orders(question: q.OrderQuestion) -> Iterator[q.AnyAnswer]:
    return map(q.Order, permutations(range(len(question.options))))


def _divisions(question: q.DivideQuestion) -> Iterator[q.AnyAnswer]:
    return map(q.Divide, shares(question.amount, len(question.options), question.least_each))


def _attacks(question: q.AttackersQuestion) -> Iterator[q.AnyAnswer]:
    each = [(None, *((i, d) for d in range(len(one.defenders)))) for i, one in enumerate(question.attackers)]
    for attacks in product(*each):
        yield q.Attackers(tuple(attack for attack in attacks if attack is not None))


def _blocks(question: q.BlockersQuestion) -> Iterator[q.AnyAnswer]:
    each = [
        [
            tuple((i, attacker) for attacker in attackers)
            for count in range(min(one.most, len(one.attackers)) + 1)
            for attackers in combinations(one.attackers, count)
        ]
        for i, one in enumerate(question.blockers)
    ]
    for blocks in product(*each):
        yield q.Blockers(tuple(chain.from_iterable(blocks)))


def _damage(question: q.DamageQuestion) -> Iterator[q.AnyAnswer]:
    each = (tuple(shares(one.power, len(one.options), 0)) for one in question.assigners)
    return map(q.AssignDamage, product(*each))


def _payments(question: q.PaymentQuestion) -> Iterator[q.AnyAnswer]:
    return map(q.Pay, range(-1, len(question.actions) + 1))


def _acts(_: q.ActQuestion) -> Iterator[q.AnyAnswer]:
    return iter((q.Act(),))


LISTED: dict[type[q.Question], Callable[[Any], Iterator[q.AnyAnswer]]] = {
    q.PriorityQuestion: _actions,
    q.ChooseQuestion: _picks,
    q.ConfirmQuestion: _yes_or_no,
    q.NumberQuestion: _numbers,
    q.OrderQuestion: _orders,
    q.DivideQuestion: _divisions,
    q.AttackersQuestion: _attacks,
    q.BlockersQuestion: _blocks,
    q.DamageQuestion: _damage,
    q.PaymentQuestion: _payments,
    q.ActQuestion: _acts,
}


def shares(amount: int, parts: int, least: int) -> Iterator[tuple[int, ...]]:
    """Every way to divide an amount into so many parts of at least `least`.

    >>> list(shares(3, 2, 1))
    [(1, 2), (2, 1)]
    """
    if parts == 0:
        if amount == 0:
            yield ()
        return
    if parts == 1:
        if amount >= least:
            yield (amount,)
        return
    for first in range(least, amount - least * (parts - 1) + 1):
        for rest in shares(amount - first, parts - 1, least):
            yield (first, *rest)
