"""A bot that answers at random, always legally as far as the question tells; for tests and as the weakest opponent."""

from __future__ import annotations

from random import Random

from client_cli.player import Chance
from client_cli.table import Table
from protocol.questions import (
    Answer,
    AttackersAnswer,
    AttackersQuestion,
    BlockersAnswer,
    BlockersQuestion,
    ChooseAnswer,
    ChooseQuestion,
    ConfirmAnswer,
    ConfirmQuestion,
    DamageAnswer,
    DamageQuestion,
    DivideAnswer,
    DivideQuestion,
    NumberAnswer,
    NumberQuestion,
    OrderAnswer,
    OrderQuestion,
    PaymentAnswer,
    PaymentQuestion,
    PriorityAnswer,
    PriorityQuestion,
    Question,
)

MOST_NUMBER = 20
"""A domain may reach to infinity ("any number"); nobody wants to wait for that many."""


class RandomPlayer:
    """Random legal answers from a seed."""

    def __init__(self, seed: int = 0) -> None:
        self._chance = Chance(seed)

    def answer(self, _table: Table, question: Question, /) -> Answer:
        """A random legal answer; the table is not looked at."""
        draw = self._chance.draw(question)
        match question:
            case PriorityQuestion():
                return self._priority(draw, question)
            case ChooseQuestion():
                count = draw.randint(question.least, max(question.least, min(question.most, len(question.options))))
                return ChooseAnswer(picks=tuple(draw.sample(range(len(question.options)), count)))
            case ConfirmQuestion():
                # A mulligan costs a card each time: no more than now and then.
                return ConfirmAnswer(yes=draw.random() < (0.1 if question.purpose == "mulligan" else 0.5))
            case NumberQuestion():
                most = max(question.least, min(question.most, question.least + MOST_NUMBER))
                return NumberAnswer(number=draw.randint(question.least, most))
            case OrderQuestion():
                return OrderAnswer(order=tuple(draw.sample(range(len(question.options)), len(question.options))))
            case DivideQuestion():
                return divide_anyhow(draw, question)
            case AttackersQuestion():
                return self._attackers(draw, question)
            case BlockersQuestion():
                return self._blockers(draw, question)
            case DamageQuestion():
                return damage_in_order(question)
            case PaymentQuestion():
                choices = ([0] if question.can_auto else []) + list(range(1, len(question.actions) + 1))
                return PaymentAnswer(index=draw.choice(choices) if choices else -1)
            case _:
                return question.default

    @staticmethod
    def _priority(draw: Random, question: PriorityQuestion) -> Answer:
        useful = [i for i, action in enumerate(question.actions) if i and not action.mana and action.type != "call"]
        if not useful or draw.random() < 0.2:
            return PriorityAnswer(index=0)
        return PriorityAnswer(index=draw.choice(useful))

    @staticmethod
    def _attackers(draw: Random, question: AttackersQuestion) -> Answer:
        if question.required:
            return question.default
        attacks = tuple(
            (i, draw.randrange(len(attacker.defenders)))
            for i, attacker in enumerate(question.attackers)
            if attacker.defenders and draw.random() < 0.5
        )
        return AttackersAnswer(attacks=attacks)

    @staticmethod
    def _blockers(draw: Random, question: BlockersQuestion) -> Answer:
        if question.required:
            return question.default
        blocks = tuple(
            (i, draw.choice(blocker.attackers))
            for i, blocker in enumerate(question.blockers)
            if blocker.attackers and draw.random() < 0.4
        )
        return BlockersAnswer(blocks=blocks)


def divide_anyhow(draw: Random, question: DivideQuestion) -> Answer:
    """A random division that gives everyone the least and adds up."""
    count = len(question.options)
    rest = question.amount - question.least_each * count
    if not count or rest < 0:
        return question.default
    amounts = [question.least_each] * count
    for _ in range(min(rest, MOST_NUMBER * 5)):
        amounts[draw.randrange(count)] += 1
    amounts[0] += question.amount - sum(amounts)
    return DivideAnswer(amounts=tuple(amounts))


def damage_in_order(question: DamageQuestion) -> DamageAnswer:
    """Lethal damage to each option in its order, what is left over to the last (510.1c, trample 702.18b)."""
    shares: list[tuple[int, ...]] = []
    for assigner in question.assigners:
        left = assigner.power
        amounts: list[int] = []
        last = len(assigner.options) - 1
        for i in range(len(assigner.options)):
            lethal = assigner.lethal[i] if i < len(assigner.lethal) else 0
            share = left if i == last else min(left, lethal)
            amounts.append(share)
            left -= share
        shares.append(tuple(amounts))
    return DamageAnswer(amounts=tuple(shares))
