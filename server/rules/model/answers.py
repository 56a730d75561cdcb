"""Which kind of answer a question takes, and what is answered for a player who does not answer, where that needs no game."""

from __future__ import annotations

from server.rules.model import questions as q

ANSWERS: dict[type[q.Question], type[q.Answer]] = {
    q.PriorityQuestion: q.Take,
    q.ChooseQuestion: q.Pick,
    q.ConfirmQuestion: q.Confirm,
    q.NumberQuestion: q.Number,
    q.OrderQuestion: q.Order,
    q.DivideQuestion: q.Divide,
    q.AttackersQuestion: q.Attackers,
    q.BlockersQuestion: q.Blockers,
    q.DamageQuestion: q.AssignDamage,
    q.PaymentQuestion: q.Pay,
    q.ActQuestion: q.Act,
}


def plain_default(question: q.AnyQuestion) -> q.AnyAnswer:
    """Pass, no, the first, as few as possible, no attack and no block; an automatic payment, or none if it is impossible.
    Nobody is asked how damage is assigned where this is asked for."""
    if isinstance(question, q.PriorityQuestion):
        return q.Take(0)
    if isinstance(question, q.ChooseQuestion):
        return q.Pick(tuple(range(question.least)))
    if isinstance(question, q.ConfirmQuestion):
        return q.Confirm(question.default)
    if isinstance(question, q.NumberQuestion):
        return q.Number(question.least)
    if isinstance(question, q.OrderQuestion):
        return q.Order(tuple(range(len(question.options))))
    if isinstance(question, q.DivideQuestion):
        return q.Divide(_even(question))
    if isinstance(question, q.AttackersQuestion):
        return q.Attackers()
    if isinstance(question, q.BlockersQuestion):
        return q.Blockers()
    if isinstance(question, q.ActQuestion):
        return q.Act()
    if isinstance(question, q.DamageQuestion):
        raise TypeError("damage is assigned by the rules of combat")
    return q.Pay(0 if question.can_auto else -1)


def _even(question: q.DivideQuestion) -> tuple[int, ...]:
    """The least to each, what is left to the first."""
    n = len(question.options)
    amounts = [question.least_each] * n
    amounts[0] += question.amount - question.least_each * n
    return tuple(amounts)
