"""What declarations cost (508.1f to i, 509.1d to f), and who pays: of a team that declares together each player for the own creatures."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from msgspec.structs import replace

from server.cards import forms
from server.rules.characteristics import RuleFlag, amount, characteristics, rules_about
from server.rules.combat.attacked import defenders, with_heads
from server.rules.costs import costs, mana_paid
from server.rules.functioning import all_rules, rules
from server.rules.model import AnyAnswer, AnyQuestion, Ref, Scope, State, events, evolve, seat_of

Paying = Generator[AnyQuestion, AnyAnswer, "list[events.Event]"]


def scope_of(rule: RuleFlag) -> Scope:
    """Who speaks in a flag."""
    return Scope(rule.source, rule.controller, rule.entry, rule.bindings)


def attack_tax(state: State, oid: int, defender: Ref, player: Ref) -> list[tuple[forms.Costs, Scope]]:
    """What attacking this costs for this creature."""
    found: list[tuple[forms.Costs, Scope]] = []
    if all_rules(state):
        taxes = [tax for head in with_heads(state, player) for tax in rules(state, seat_of(head), "attack tax")]
        found.extend((_counted(state, a.cost, s), s) for a, s in taxes if defender < 0 or a.what is not None)
    for rule in rules_about(state, oid):
        if rule.flag.rule in ("attack tax", "can't attack", "can't attack or block") and rule.flag.cost:
            found.append((_counted(state, rule.flag.cost, scope_of(rule)), scope_of(rule)))
    return found


def _counted(state: State, prices: forms.Costs, scope: Scope) -> forms.Costs:
    """What is paid so often as the effect says, not as it would be counted for who pays."""
    often = (amount(state, p.per, scope) if isinstance(p, forms.ManaCost) else 1 for p in prices)
    pairs = zip(prices, often, strict=True)
    return tuple(replace(p, per=n) if isinstance(p, forms.ManaCost) else p for p, n in pairs)


def tapped_attacking(state: State, attackers: Iterable[int]) -> tuple[int, ...]:
    """Those that attacking causes to become tapped (508.1f)."""
    return tuple(oid for oid in attackers if "vigilance" not in characteristics(state, oid).keywords)


def while_attacking(state: State, attackers: Iterable[int]) -> State:
    """The state in which costs of attacking are paid (508.1g): what attacks is tapped already and can't be tapped for mana."""
    taps = {oid: replace(state.objects[oid], tapped=True) for oid in tapped_attacking(state, attackers)}
    return evolve(state, objects={**state.objects, **taps})


def attack_costs(state: State, attacks: tuple[tuple[int, Ref], ...]) -> Paying:
    """The events of paying for a declaration of attackers (508.1g to i)."""
    batch: list[events.Event] = []
    for seat, theirs in by_controller(state, attacks).items():
        batch.extend((yield from _pay(state, seat, attack_price(state, theirs))))
    return batch


def by_controller(state: State, declared: Iterable[tuple[int, Ref]]) -> dict[int, tuple[tuple[int, Ref], ...]]:
    """Declared creatures, with what they attack or block, by who controls them and so pays for them: of a team that declares
    together (810.7c, d) each player for the own ones."""
    found: dict[int, tuple[tuple[int, Ref], ...]] = {}
    for oid, ref in declared:
        seat = state.objects[oid].controller
        found[seat] = (*found.get(seat, ()), (oid, ref))
    return found


def attack_price(state: State, attacks: tuple[tuple[int, Ref], ...]) -> forms.Costs:
    """What a declaration of attackers costs in all."""
    players = dict(defenders(state))
    taxes = (attack_tax(state, oid, ref, players[ref]) for oid, ref in attacks if ref in players)
    return tuple(p for tax in taxes for price, _ in tax for p in price)


def _pay(state: State, seat: int, prices: forms.Costs) -> Paying:
    if not prices:
        return []
    scope = Scope(0, seat)
    batch = mana_paid(state, seat, costs.mana_cost(state, prices, scope)) or []
    batch.extend((yield from costs.pay(state, seat, prices, scope)))
    return batch


def block_tax(state: State, oid: int) -> list[forms.Costs]:
    """What blocking costs for this creature."""
    return [
        _counted(state, r.flag.cost, scope_of(r))
        for r in rules_about(state, oid)
        if r.flag.rule in ("block tax", "can't block", "can't attack or block") and r.flag.cost
    ]


def block_costs(state: State, blocks: tuple[tuple[int, int], ...]) -> Paying:
    """The events of paying for a declaration of blockers (509.1d to f)."""
    batch: list[events.Event] = []
    for seat, theirs in by_controller(state, blocks).items():
        batch.extend((yield from _pay(state, seat, block_price(state, theirs))))
    return batch


def block_price(state: State, blocks: tuple[tuple[int, int], ...]) -> forms.Costs:
    """What a declaration of blockers costs in all, each blocker once."""
    return tuple(p for oid in dict.fromkeys(b for b, _ in blocks) for price in block_tax(state, oid) for p in price)
