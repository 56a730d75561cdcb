"""Which answers a question takes: the check, the default, and random legal answers.

`check` raises `Illegal` with a code, a sentence and a rule, and changes nothing. `default` is what is answered for a player
who does not answer; it is always legal. `sample` draws a legal answer, for random play and tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from server.rules.combat import (
    attack_price,
    attack_rules,
    attackers,
    automatic,
    block_price,
    block_rules,
    blockers,
    by_controller,
    may_form,
    while_attacking,
)
from server.rules.costs import can_pay_costs
from server.rules.model import ANSWERS, Illegal, Rule, Scope, State, plain_default
from server.rules.model import questions as q
from server.rules.verbs import check_act


class Chance(Protocol):
    """What `sample` needs of a source of chance (`random.Random` is one)."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop - 1."""
        ...

    def shuffle(self, x: list[int], /) -> None:
        """Shuffles in place."""
        ...


def check(state: State, question: q.AnyQuestion, answer: q.AnyAnswer) -> None:
    """Raises Illegal unless the answer is legal for the question."""
    wanted = ANSWERS[type(question)]
    if not isinstance(answer, wanted):
        kind = wanted.__struct_config__.tag
        raise Illegal("wrong_kind", f"The question is of kind {kind} and takes an answer of that kind.")
    CHECKS[type(question)](state, question, answer)


def _in_range(index: int, count: int, what: str) -> None:
    if not 0 <= index < count:
        raise Illegal("no_such_option", f"There is no {what} {index}; there are {count}.")


def _different(indices: Sequence[int], count: int, what: str) -> None:
    for index in indices:
        _in_range(index, count, what)
    if len(dict.fromkeys(indices)) != len(indices):
        raise Illegal("twice", f"The same {what} is named twice.")


def _check_priority(state: State, question: q.PriorityQuestion, answer: q.Take) -> None:
    _in_range(answer.index, len(question.actions), "action")


def _check_choose(state: State, question: q.ChooseQuestion, answer: q.Pick) -> None:
    _different(answer.picks, len(question.options), "option")
    n = len(answer.picks)
    if not question.least <= n <= question.most:
        raise Illegal("wrong_count", f"Between {question.least} and {question.most} are to be picked, not {n}.")


def _check_confirm(state: State, question: q.ConfirmQuestion, answer: q.Confirm) -> None:
    return None


def _check_number(state: State, question: q.NumberQuestion, answer: q.Number) -> None:
    if not question.least <= answer.number <= question.most:
        raise Illegal("out_of_range", f"The number must be between {question.least} and {question.most}.")


def _check_order(state: State, question: q.OrderQuestion, answer: q.Order) -> None:
    _different(answer.order, len(question.options), "option")
    if len(answer.order) != len(question.options):
        raise Illegal("incomplete_order", f"All {len(question.options)} must be put in order.")


def _check_divide(state: State, question: q.DivideQuestion, answer: q.Divide) -> None:
    if len(answer.amounts) != len(question.options):
        raise Illegal("wrong_count", f"{len(question.options)} amounts are needed, one for each.", Rule.DIVIDING)
    for n in answer.amounts:
        if n < question.least_each:
            raise Illegal("too_little", f"Each must get at least {question.least_each}.", Rule.DIVIDING)
    total = sum(answer.amounts)
    if total != question.amount:
        missing = question.amount - total
        what = f"{missing} missing" if missing > 0 else f"{-missing} too many"
        raise Illegal("wrong_sum", f"The amounts must add up to {question.amount}: {what}.", Rule.DIVIDING)


def _check_attackers(state: State, question: q.AttackersQuestion, answer: q.Attackers) -> None:
    indices = [i for i, _ in answer.attacks]
    for i, d in answer.attacks:
        _in_range(i, len(question.attackers), "attacker")
        _in_range(d, len(question.attackers[i].defenders), "defender")
    if len(dict.fromkeys(indices)) != len(indices):
        raise Illegal("attacks_twice", "A creature attacks only one player or planeswalker.", Rule.ATTACKED_PLAYER)
    pairs = tuple((i, question.attackers[i].defenders[d]) for i, d in answer.attacks)
    _check_bands(state, question, answer, dict(pairs))
    _, rules = attack_rules(state)
    attackers.check_attack(rules, pairs)
    if not _attack_is_payable(state, question, pairs):
        raise Illegal("cannot_pay", "The costs of this attack can't be paid.", Rule.ATTACK_COSTS_PAID)


def _attack_is_payable(state: State, question: q.AttackersQuestion, pairs: Iterable[tuple[int, q.Ref]]) -> bool:
    attacks = tuple((question.attackers[i].object, ref) for i, ref in pairs)
    if not attack_price(state, attacks):
        return True
    tapped = while_attacking(state, (oid for oid, _ in attacks))
    return all(
        can_pay_costs(tapped, seat, attack_price(tapped, theirs), Scope(0, seat))
        for seat, theirs in by_controller(state, attacks).items()
    )


def _check_bands(state: State, question: q.AttackersQuestion, answer: q.Attackers, attacks: dict[int, q.Ref]) -> None:
    seen: list[int] = []
    for band in answer.bands:
        _different(band, len(question.attackers), "attacker")
        if len(band) < 2:
            raise Illegal("band", "A band has at least two creatures.", Rule.BAND)
        if any(i in seen for i in band):
            raise Illegal("band", "A creature is in one band only.", Rule.BAND)
        seen.extend(band)
        if any(i not in attacks for i in band):
            raise Illegal("band", "Only attacking creatures form a band.", Rule.BAND)
        if len(dict.fromkeys(attacks[i] for i in band)) > 1:
            raise Illegal(
                "band", "All creatures of a band attack the same player or planeswalker.", Rule.BAND_ATTACKS_TOGETHER
            )
        if not may_form(state, [question.attackers[i].object for i in band]):
            raise Illegal("band", "At most one creature of a band may lack banding.", Rule.BAND)


def _check_blockers(state: State, question: q.BlockersQuestion, answer: q.Blockers) -> None:
    for i, attacker in answer.blocks:
        _in_range(i, len(question.blockers), "blocker")
        if attacker not in question.blockers[i].attackers:
            blocker = _name(state, question.blockers[i].object)
            raise Illegal(
                "cannot_block_that", f"{blocker} can't block {_name(state, attacker)}.", Rule.BLOCK_RESTRICTION
            )
    _, rules = block_rules(state, question.whose)
    blockers.check_blocks(rules, answer.blocks)
    if not _blocks_are_payable(state, question, answer.blocks):
        raise Illegal("cannot_pay", "The costs of these blocks can't be paid.", Rule.BLOCK_COSTS_PAID)


def _blocks_are_payable(state: State, question: q.BlockersQuestion, blocks: Iterable[tuple[int, int]]) -> bool:
    pairs = tuple((question.blockers[i].object, attacker) for i, attacker in blocks)
    prices = {seat: block_price(state, theirs) for seat, theirs in by_controller(state, pairs).items()}
    return all(not price or can_pay_costs(state, seat, price, Scope(0, seat)) for seat, price in prices.items())


def _name(state: State, oid: int) -> str:
    found = state.objects.get(oid)
    return "that" if found is None or found.face_down else found.definition.name


def _check_damage(state: State, question: q.DamageQuestion, answer: q.AssignDamage) -> None:
    if len(answer.amounts) != len(question.assigners):
        raise Illegal("wrong_count", f"{len(question.assigners)} creatures assign damage.", Rule.COMBAT_DAMAGE)
    for a, amounts in zip(question.assigners, answer.amounts, strict=True):
        if len(amounts) != len(a.options) or any(n < 0 for n in amounts):
            raise Illegal("wrong_count", f"An amount is needed for each of {len(a.options)}.", Rule.COMBAT_DAMAGE)
        total = sum(amounts)
        if total != a.power:
            missing = a.power - total
            what = f"{missing} missing" if missing > 0 else f"{-missing} too many"
            raise Illegal("wrong_sum", f"The creature assigns {a.power} damage: {what}.", Rule.DAMAGE_OF_POWER)
        if a.heads and sum(n > 0 for n in amounts[-a.heads :]) > 1:
            raise Illegal("several_heads", "Only one player of the team is dealt damage by it.", Rule.DAMAGE_TO_TEAM)
    short = _short_of_lethal(question, answer)
    for a, amounts in zip(question.assigners, answer.amounts, strict=True):
        _check_lethal(a, amounts, short)


def _short_of_lethal(question: q.DamageQuestion, answer: q.AssignDamage) -> dict[q.Ref, int]:
    """How much of lethal damage each is short of: the whole assignment counts (510.1e), and one creature's own is enough where it
    is lethal by itself, as it is with deathtouch (702.2b)."""
    lethal: dict[q.Ref, int] = {}
    assigned: dict[q.Ref, int] = {}
    enough: set[q.Ref] = set()
    for a, amounts in zip(question.assigners, answer.amounts, strict=True):
        for ref, n, least in zip(a.options, amounts, a.lethal, strict=True):
            lethal[ref] = max(lethal.get(ref, 0), least)
            assigned[ref] = assigned.get(ref, 0) + n
            if n >= least:
                enough.add(ref)
    return {ref: 0 if ref in enough else max(0, n - assigned[ref]) for ref, n in lethal.items()}


def _check_lethal(a: q.Assigner, amounts: tuple[int, ...], short: dict[q.Ref, int]) -> None:
    """510.1c: what comes later in the order gets damage only when everything before it is assigned lethal damage."""
    for i, n in enumerate(amounts):
        if not n or (not a.ordered and not (a.trample and i >= len(amounts) - max(a.heads, 1))):
            continue
        for j in range(i):
            missing = short[a.options[j]]
            if missing > 0:
                raise Illegal(
                    "skips_lethal",
                    f"Lethal damage comes first: {missing} more on number {j + 1} before number {i + 1} gets any.",
                    Rule.DAMAGE_TO_BLOCKERS,
                )


def _check_payment(state: State, question: q.PaymentQuestion, answer: q.Pay) -> None:
    if answer.index == 0 and not question.can_auto:
        raise Illegal("cannot_pay", "The mana that is left can't be paid automatically.", Rule.TOTAL_COST_PAID)
    if answer.index < -1 or answer.index > len(question.actions):
        raise Illegal("no_such_option", f"There are {len(question.actions)} mana abilities.")


CHECKS: dict[type[q.Question], Callable[..., None]] = {
    q.PriorityQuestion: _check_priority,
    q.ChooseQuestion: _check_choose,
    q.ConfirmQuestion: _check_confirm,
    q.NumberQuestion: _check_number,
    q.OrderQuestion: _check_order,
    q.DivideQuestion: _check_divide,
    q.AttackersQuestion: _check_attackers,
    q.BlockersQuestion: _check_blockers,
    q.DamageQuestion: _check_damage,
    q.PaymentQuestion: _check_payment,
    q.ActQuestion: check_act,
}


# --- defaults ------------------------------------------------------------------------------------------------------------------


def default(question: q.AnyQuestion, state: State | None = None) -> q.AnyAnswer:
    """The answer given for a player who gives none: pass, no, the first, as few as possible. Declarations that something
    is required of need the state."""
    if isinstance(question, q.AttackersQuestion):
        if not question.required or state is None:
            return q.Attackers()
        return _attack_answer(question, attackers.default_attack(attack_rules(state)[1]))
    if isinstance(question, q.BlockersQuestion):
        if not question.required or state is None:
            return q.Blockers()
        return q.Blockers(blockers.default_blocks(block_rules(state, question.whose)[1]))
    if isinstance(question, q.DamageQuestion):
        return q.AssignDamage(tuple(automatic(a) for a in question.assigners))
    return plain_default(question)


def _attack_answer(question: q.AttackersQuestion, pairs: Sequence[tuple[int, q.Ref]]) -> q.Attackers:
    return q.Attackers(tuple((i, question.attackers[i].defenders.index(ref)) for i, ref in pairs))


# --- random answers --------------------------------------------------------------------------------------------------------------


def sample(question: q.AnyQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    """A random legal answer."""
    return SAMPLES[type(question)](question, state, chance)


def _sample_priority(question: q.PriorityQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    # Mana abilities are left to payment; an idle tap would only spoil what can be cast.
    useful = [i for i, a in enumerate(question.actions) if not a.mana]
    return q.Take(useful[chance.randrange(len(useful))])


def _sample_choose(question: q.ChooseQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    n = question.least + chance.randrange(question.most - question.least + 1)
    indices = list(range(len(question.options)))
    chance.shuffle(indices)
    return q.Pick(tuple(indices[:n]))


def _sample_divide(question: q.DivideQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    n = len(question.options)
    amounts = [question.least_each] * n
    for _ in range(question.amount - question.least_each * n):
        amounts[chance.randrange(n)] += 1
    return q.Divide(tuple(amounts))


def _sample_attackers(question: q.AttackersQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    wanted: list[tuple[int, q.Ref]] = []
    for i, a in enumerate(question.attackers):
        if chance.randrange(2):
            wanted.append((i, a.defenders[chance.randrange(len(a.defenders))]))
    _, rules = attack_rules(state)
    if rules.requirements or rules.restrictions or rules.costs:
        wanted = list(attackers.repair(rules, tuple(wanted)))
        if not _attack_is_payable(state, question, wanted):
            wanted = list(attackers.default_attack(rules))
    return _attack_answer(question, wanted)


def _sample_blockers(question: q.BlockersQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    wanted: list[tuple[int, int]] = []
    for i, b in enumerate(question.blockers):
        if chance.randrange(2):
            wanted.append((i, b.attackers[chance.randrange(len(b.attackers))]))
    _, rules = block_rules(state, question.whose)
    plain = not (rules.requirements or rules.restrictions or rules.costs)
    if not plain or any(a.least > 1 or a.most is not None for a in rules.attackers):
        wanted = list(blockers.repair_blocks(rules, tuple(wanted)))
        if not _blocks_are_payable(state, question, wanted):
            wanted = list(blockers.default_blocks(rules))
    return q.Blockers(tuple(wanted))


def _sample_order(question: q.OrderQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    indices = list(range(len(question.options)))
    chance.shuffle(indices)
    return q.Order(tuple(indices))


def _sample_confirm(question: q.ConfirmQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    return q.Confirm(bool(chance.randrange(2)))


def _sample_number(question: q.NumberQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    return q.Number(question.least + chance.randrange(question.most - question.least + 1))


def _sample_default(question: q.AnyQuestion, state: State, chance: Chance) -> q.AnyAnswer:
    return default(question, state)


SAMPLES: dict[type[q.Question], Callable[..., q.AnyAnswer]] = {
    q.PriorityQuestion: _sample_priority,
    q.ChooseQuestion: _sample_choose,
    q.ConfirmQuestion: _sample_confirm,
    q.NumberQuestion: _sample_number,
    q.OrderQuestion: _sample_order,
    q.DivideQuestion: _sample_divide,
    q.AttackersQuestion: _sample_attackers,
    q.BlockersQuestion: _sample_blockers,
    q.DamageQuestion: _sample_default,
    q.PaymentQuestion: _sample_default,
    q.ActQuestion: _sample_default,
}
