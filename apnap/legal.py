"""The answers that an open question takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, permutations, product
from typing import Any

from protocol.questions import Answer
from protocol.refusals import Refusal
from server.knowledge.questions import read_answer, write_answer
from server.rules import Illegal, State, legal
from server.rules.model import questions as q


class Legal:
    """The legal answers of a game's open question: a check, a default, a drawn one, and all of them one after another.

    >>> import apnap
    >>> game = apnap.Game.new([[apnap.house_card("Forest")] * 60] * 2, seed="1", first=0)
    >>> game.question.purpose, [answer.yes for answer in game.legal]
    ('mulligan', [False, True])
    >>> game.legal.default in game.legal
    True
    """

    def __init__(self, state: State, question: q.AnyQuestion) -> None:
        self._state = state
        self._question = question

    def check(self, answer: Answer) -> None:
        """Raises Illegal, with a code, a sentence and a rule, unless the answer is legal."""
        legal.check(self._state, self._question, read(answer))

    def __contains__(self, answer: object) -> bool:
        """Whether it is a legal answer."""
        if not isinstance(answer, Answer):
            return False
        try:
            self.check(answer)
        except Illegal:
            return False
        return True

    @property
    def default(self) -> Answer:
        """What is answered for a player who gives no answer: pass, no, the first, as few as possible; what is required."""
        return write_answer(legal.default(self._question, self._state))

    def sample(self, chance: legal.Chance) -> Answer:
        """A drawn one (`random.Random` is a source of chance). Of actions none that only makes mana: payment finds it."""
        return write_answer(legal.sample(self._question, self._state, chance))

    def __iter__(self) -> Iterator[Answer]:
        """Every legal answer once, the default first; without bands. Declarations, divisions and orders of many have very many: take
        what you need with `itertools.islice`, or `sample`.
        """
        default = legal.default(self._question, self._state)
        others = (one for one in LISTED[type(self._question)](self._question) if one != default)
        for answer in chain((default,), others):
            if answer == default or self._holds(answer):
                yield write_answer(answer)

    def _holds(self, answer: q.AnyAnswer) -> bool:
        try:
            legal.check(self._state, self._question, answer)
        except Illegal:
            return False
        return True


def read(answer: Answer) -> q.AnyAnswer:
    """An answer of the protocol as the rules take it. Raises Illegal for ids that are none."""
    try:
        return read_answer(answer)
    except Refusal as refusal:
        raise Illegal(refusal.code, refusal.sentence) from None


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
