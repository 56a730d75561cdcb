"""Answers in small steps: at each some numbers may be taken, and every one of them leads to a legal answer.

An answer of any shape becomes a path of such steps: targets are picked one by one until enough are (`0` is that no more are), orders from
the first to the last, amounts one after another, declarations creature by creature, the creatures in the question's order. There
is no dead end: what is offered is offered because a whole legal answer is known that agrees with it and with all that was taken
before (`declared`, `damage`); where that answer goes on, somebody can go on.

- `plain`: actions, picks, yes or no, numbers, orders, divisions, payments
- `declared`: attackers, bands, blockers
- `damage`: combat damage
- `wide`: a step of more numbers than an array has room for, digit by digit
"""

from __future__ import annotations

from apnap.steps.base import Draft, Meaning, path
from apnap.steps.declared import begin_attack, begin_blocks
from apnap.steps.plain import begin_plain
from apnap.steps.wide import WIDTH, narrow
from server.rules import State
from server.rules.model import questions as q

__all__ = ["WIDTH", "Draft", "Meaning", "begin", "path"]


def begin(state: State, question: q.AnyQuestion, *, by_hand: bool = False, width: int = WIDTH) -> Draft:
    """The first step of an answer to a state's open question. `by_hand`: mana abilities are offered with priority, and that costs
    are paid by hand; else only payment makes mana. No step has more than `width` numbers.
    """
    if type(question) is q.PriorityQuestion:  # nearly all are
        return narrow(begin_plain(state, question, by_hand), width)
    if isinstance(question, q.AttackersQuestion):
        widest = max((len(one.defenders) for one in question.attackers), default=0)
        return narrow(begin_attack(state, question), width, max(widest, len(question.attackers)) + 1)
    if isinstance(question, q.BlockersQuestion):
        widest = max((len(one.attackers) for one in question.blockers), default=0)
        return narrow(begin_blocks(state, question), width, widest + 1)
    return narrow(begin_plain(state, question, by_hand), width)
