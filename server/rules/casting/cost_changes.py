"""What changes the cost of a spell or ability: effects that add to it or take from it, in their order (601.2e, 117.7)."""

from __future__ import annotations

from collections.abc import Iterable

from server.cards import forms, nouns
from server.rules.casting.casting_permissions import ability_spendable
from server.rules.characteristics import amount, characteristics, fits, holds
from server.rules.costs import as_spell, mana_cost
from server.rules.functioning import InForce, in_force
from server.rules.model import Abilities, Object, Scope, State, is_mana_ability, lookup, mana, player_ref, walk


def with_changes(state: State, seat: int, card: Object, cost: mana.Cost, abilities: Abilities) -> mana.Cost:
    """A cost with what effects and the spell's own abilities add and take (601.2e)."""
    changes = _cost_changes(state, seat, card, abilities)
    return apply_cost_changes(state, cost, changes) if changes else cost


def _cost_changes(state: State, seat: int, card: Object, abilities: Abilities) -> list[tuple[forms.CostChange, Scope]]:
    found: list[tuple[forms.CostChange, Scope]] = []
    for one in _of_others(state, seat):
        own_card = one.floating is None and one.ability.what.text == forms.THIS
        if not one.ability.abilities and not own_card and _concerns(state, one.ability, card, one.scope, seat):
            found.append((one.ability, one.scope))
    for _, ability in abilities.cost_changes:
        if ability.what.text == forms.THIS:
            scope = Scope(card.id, seat, card.entry)
            if ability.condition is None or _met(state, ability, scope):
                found.append((ability, scope))
    return found


def _of_others(state: State, seat: int) -> Iterable[InForce[forms.CostChange]]:
    """What changes costs for a player: what has it in the range of influence (801.10)."""
    found = in_force(state, forms.CostChange)
    if not state.options.limited:
        return found
    return (one for one in found if lookup.in_range(state, one.scope.controller, seat))


def _concerns(state: State, ability: forms.CostChange, card: Object, scope: Scope, seat: int) -> bool:
    """Whether a cost change is about this spell. It is asked before the card is a spell, so as if it were one (601.2e)."""
    if ability.condition is not None and not holds(state, ability.condition, scope):
        return False
    return fits(as_spell(state, card.id, seat), ability.what.reading, card.id, scope)


def apply_cost_changes(state: State, cost: mana.Cost, changes: list[tuple[forms.CostChange, Scope]]) -> mana.Cost:
    """Increases, then reductions, generic mana never below zero, nor all of it below what an effect leaves."""
    reductions = 0
    coloured = limited = mana.ZERO
    least = 0
    for ability, scope in changes:
        if ability.mana:
            for _ in range(_more_targets(scope) if ability.per_target else 1):
                cost = mana.plus(cost, mana.parse_cost(ability.mana))
        if ability.reduce and ability.only_colored:
            limited = mana.plus(limited, mana.parse_cost(ability.reduce))
        elif ability.reduce:
            coloured = mana.plus(coloured, mana.parse_cost(ability.reduce))
        if ability.own_cost:
            own = characteristics(state, scope.source).cost
            coloured = mana.plus(coloured, mana.plainly(own)) if own is not None else coloured
        n = amount(state, ability.generic, scope)
        if n > 0:
            cost = mana.plus(cost, mana.Cost(generic=n))
        else:
            reductions -= n
            least = max(least, ability.minimum)
    beside_x = (
        cost.x and mana.mana_value(cost) - cost.generic >= least
    )  # X is not known yet, and what else is left is enough
    if least and not beside_x:
        reductions = min(reductions, max(0, mana.mana_value(cost) - least))
    cost = mana.minus(cost, reductions) if reductions else cost
    cost = mana.minus(cost, coloured) if coloured != mana.ZERO else cost
    w, u, b, r, g, c = (min(pair) for pair in zip(cost.colored, limited.colored, strict=True))
    return mana.minus(cost, mana.Cost(colored=(w, u, b, r, g, c))) if limited != mana.ZERO else cost


def _more_targets(scope: Scope) -> int:
    """How many targets beyond the first were chosen, each as often as it was (601.2c)."""
    return max(0, sum(map(len, scope.entry.targets)) - 1) if scope.entry is not None else 0


def ability_cost(state: State, seat: int, source: Object, activated: forms.ActivatedAbility, scope: Scope) -> mana.Cost:
    """The mana an activated ability costs, with what effects and the ability itself add and take (602.2b)."""
    cost = mana_cost(state, activated.cost, scope)
    changes = [(c, scope) for c in activated.changes if c.condition is None or _met(state, c, scope)]
    for one in _of_others(state, seat):
        ability = one.ability
        if ability.keyword and ability.keyword != activated.keyword or ability.not_mana and is_mana_ability(activated):
            continue
        if ability.by is not None and not fits(state, ability.by.reading, player_ref(seat), one.scope):
            continue
        if one.floating is None and ability.abilities and fits(state, ability.what.reading, source.id, one.scope):
            if ability.condition is None or holds(state, ability.condition, one.scope):
                changes.append((ability, one.scope))
    cost = apply_cost_changes(state, cost, changes) if changes else cost
    return ability_spendable(state, seat, source, cost)


def _met(state: State, change: forms.CostChange, scope: Scope) -> bool:
    """Whether the condition of what a spell or ability costs less itself holds; before there are targets, whether it may."""
    assert change.condition is not None
    if _about_targets(change.condition) and (scope.entry is None or not scope.entry.targets):
        return not isinstance(change.generic, int) or change.generic <= 0
    if _about_targets(change.condition) and scope.entry is not None and scope.entry.kind == "activated":
        on_stack = next((i for i in state.stack if state.objects[i].entry is scope.entry), scope.source)
        return holds(state, change.condition, Scope(on_stack, scope.controller, scope.entry))
    return holds(state, change.condition, scope)


def _about_targets(condition: forms.AnyCondition) -> bool:
    return isinstance(condition, forms.Is) and any(isinstance(p, nouns.Targets) for p in walk(condition.of.reading))


def targets_cost(state: State, abilities: Abilities) -> bool:
    """Whether what a spell costs depends on its targets ("spells that target {this} cost {2} more")."""
    key = "costs of targets"
    known = state.memo.get(key)
    if known is None:
        known = state.memo[key] = any(_asks_for_targets(one.ability) for one in in_force(state, forms.CostChange))
    return known or any(_asks_for_targets(ability) for _, ability in abilities.cost_changes)


def _asks_for_targets(change: forms.CostChange) -> bool:
    named = any(isinstance(part, nouns.Targets) for part in walk(change.what.reading))
    return named or (change.condition is not None and _about_targets(change.condition))
