"""What a player with priority can do: one entry for each object and way of casting or activating (116.1).

The list is complete: clients and bots have no rules of their own. An entry is there if its timing allows it, the mana that
the player can make pays for it, its other costs can be paid, and every target slot has a legal choice.
"""

from __future__ import annotations

from server.cards import forms
from server.rules import evolve as ev
from server.rules import mana
from server.rules.costs import can_pay_costs, can_tap, mana_available
from server.rules.definition import Characteristics, Kit
from server.rules.layers import board, characteristics, rules_about
from server.rules.playerrules import all_rules, has, rules
from server.rules.questions import Action, player_ref
from server.rules.select import Scope, amount, fits, holds
from server.rules.state import Object, State
from server.rules.targets import has_targets

PASS = Action("pass")
MAIN = ("precombat_main", "postcombat_main")


def actions(state: State, seat: int) -> tuple[Action, ...]:
    """All legal actions of a player who has priority, passing first; made once for each state."""
    key = ("actions", seat)
    made = state.memo.get(key)
    if made is None:
        made = state.memo[key] = _enumerate(state, seat)
    return made


def sorcery_time(state: State, seat: int) -> bool:
    """Whether the player could cast a sorcery: own main phase, empty stack (307.1)."""
    return state.turn.active == seat and state.turn.step in MAIN and not state.stack


def _enumerate(state: State, seat: int) -> tuple[Action, ...]:
    found: list[Action] = [PASS]
    slow = sorcery_time(state, seat)
    _from_hand(state, seat, slow, found)
    index = board(state).index
    for oid in index.activated:
        _abilities(state, seat, oid, slow, found)
    _elsewhere(state, seat, slow, found)
    for oid in index.mana:
        source = state.objects[oid]
        if source.controller == seat:
            _mana_abilities(state, seat, source, found)
    return tuple(found)


def _from_hand(state: State, seat: int, slow: bool, found: list[Action]) -> None:
    objects = state.objects
    same: dict[int, bool] = {}
    lands: bool | None = None
    plain = not board(state).index.cost_changes and not all_rules(state)
    for oid in state.players[seat].hand:
        card = objects[oid]
        c = characteristics(state, oid)
        if "land" in c.types:
            if lands is None:
                lands = slow and can_play_land(state, seat)
            if lands:
                found.append(Action("play_land", oid))
            continue
        if not slow and not has_flash(state, seat, oid, c):
            continue
        known = same.get(id(card.definition)) if plain else None
        if known is None:
            known = can_cast(state, seat, card, c)
            same[id(card.definition)] = known
        if known:
            found.append(Action("cast", oid))


def has_flash(state: State, seat: int, oid: int, c: Characteristics) -> bool:
    """Whether the card can be cast any time its player has priority (304.1, 702.8)."""
    if "instant" in c.types or "flash" in c.keywords:
        return True
    for ability, scope in rules(state, seat, "cast as though flash"):
        if ability.what is None or fits(state, ability.what.reading, oid, scope):
            return True
    return False


def can_play_land(state: State, seat: int) -> bool:
    """Whether the player may play a land now (305.2): one a turn and what effects add."""
    limit = 1
    for ability, scope in rules(state, seat, "additional lands"):
        limit += amount(state, ability.number, scope)
    return state.players[seat].lands_played < limit and not has(state, seat, "can't play lands")


def can_cast(state: State, seat: int, card: Object, c: Characteristics) -> bool:
    """Whether nothing prohibits casting a card, its targets exist and its costs can be paid (601.2, 601.5)."""
    if c.cost is None:
        return False
    kit = c.kit
    entry_scope = Scope(card.id, seat)
    if all_rules(state):
        for ability, scope in rules(state, seat, "can't cast"):
            if ability.what is None or fits(state, ability.what.reading, card.id, scope):
                return False
    for _, rule in kit.casting_rules:
        if not _timing_allows(state, seat, rule) or (
            rule.condition is not None and not holds(state, rule.condition, entry_scope)
        ):
            return False
    if split_second(state):
        return False
    cost = casting_cost(state, seat, card, c, None)
    if not mana_available(state, seat, cost):
        return False
    extra = tuple(p for _, cc in kit.casting_costs if cc.kind == "additional" and not cc.optional for p in cc.cost)
    if extra and not can_pay_costs(state, seat, (*extra,), entry_scope):
        return False
    return spell_targets(state, kit, c, entry_scope)


def split_second(state: State) -> bool:
    """Whether a spell with split second is on the stack (702.58)."""
    return any("split second" in state.objects[i].definition.base.keywords for i in state.stack)


def _timing_allows(state: State, seat: int, rule: forms.CastingRule) -> bool:
    timing, step = rule.timing, state.turn.step
    if timing == "combat":
        return state.combat is not None
    if timing == "before blockers":
        return state.combat is not None and step in ("begin_combat", "declare_attackers")
    if timing == "after blockers":
        return state.combat is not None and step not in ("begin_combat", "declare_attackers")
    if timing == "your turn":
        return state.turn.active == seat
    if timing == "opponent's turn":
        return state.turn.active != seat
    return True


def spell_targets(state: State, kit: Kit, c: Characteristics, scope: Scope) -> bool:
    """Whether a spell has a legal choice of targets: of its program, of enough modes, of what an Aura enchants."""
    if "Aura" in c.subtypes:
        from server.rules.announce import aura_program

        return has_targets(state, aura_program(kit), scope)
    spell = kit.spell
    if spell is None:
        return True
    if not spell.modes:
        return has_targets(state, spell.do, scope)
    return sum(has_targets(state, mode.do, scope) for mode in spell.modes) >= spell.least


def casting_cost(state: State, seat: int, card: Object, c: Characteristics, base: mana.Cost | None) -> mana.Cost:
    """The mana a spell costs: mana cost or alternative cost, then increases, then reductions (601.2e)."""
    cost = base if base is not None else c.cost
    if cost is None:
        cost = mana.ZERO
    changes = _cost_changes(state, seat, card)
    if not changes:
        return cost
    return apply_cost_changes(state, cost, changes)


def _cost_changes(state: State, seat: int, card: Object) -> list[tuple[forms.CostChange, Scope]]:
    found: list[tuple[forms.CostChange, Scope]] = []
    for oid in board(state).index.cost_changes:
        source = state.objects[oid]
        for _, ability in characteristics(state, oid).kit.cost_changes:
            scope = Scope(oid, source.controller, source.entry)
            if not ability.abilities and ability.zone == "battlefield" and _concerns(state, ability, card, scope, seat):
                found.append((ability, scope))
    for floating in state.effects:
        if isinstance(floating.ability, forms.CostChange) and not floating.ability.abilities:
            scope = Scope(floating.source, floating.controller, floating.entry, floating.bindings)
            if _concerns(state, floating.ability, card, scope, seat):
                found.append((floating.ability, scope))
    for _, ability in card.definition.base.kit.cost_changes:
        if ability.what.text == forms.THIS:
            scope = Scope(card.id, seat)
            if ability.condition is None or holds(state, ability.condition, scope):
                found.append((ability, scope))
    return found


def _concerns(state: State, ability: forms.CostChange, card: Object, scope: Scope, seat: int) -> bool:
    """Whether a cost change is about this spell. It is asked before the card is a spell, so as if it were one (601.2e)."""
    if ability.condition is not None and not holds(state, ability.condition, scope):
        return False
    from server.rules.spellview import as_spell

    return fits(as_spell(state, card.id, seat), ability.what.reading, card.id, scope)


def apply_cost_changes(state: State, cost: mana.Cost, changes: list[tuple[forms.CostChange, Scope]]) -> mana.Cost:
    """Increases, then reductions, generic mana never below zero."""
    reductions = 0
    for ability, scope in changes:
        if ability.mana:
            cost = mana.plus(cost, mana.parse_cost(ability.mana))
        n = amount(state, ability.generic, scope)
        if n > 0:
            cost = mana.plus(cost, mana.Cost(generic=n))
        else:
            reductions -= n
    return mana.minus(cost, reductions) if reductions else cost


# --- abilities -------------------------------------------------------------------------------------------------------------


def _abilities(state: State, seat: int, oid: int, slow: bool, found: list[Action]) -> None:
    source = state.objects[oid]
    c = characteristics(state, oid)
    for index, ability in c.kit.activated:
        if ability.zone == "battlefield" and can_activate(state, seat, source, c, index, ability, slow):
            found.append(Action("activate", oid, index))


def can_activate(
    state: State,
    seat: int,
    source: Object,
    c: Characteristics,
    index: int,
    ability: forms.ActivatedAbility,
    slow: bool,
) -> bool:
    """Whether a player may begin to activate an ability and can pay for it (602.2, 602.5, 606.3)."""
    if not _may_activate(state, seat, source, ability):
        return False
    loyalty = is_loyalty(ability)
    if loyalty and (not slow or state.history.get(("loyalty", source.id), 0)):
        return False
    if not loyalty and not _activation_time(state, seat, ability, slow):
        return False
    if ability.limit and state.history.get((f"activated {index}", source.id), 0) >= ability.limit:
        return False
    scope = Scope(source.id, seat, source.entry)
    if ability.condition is not None and not holds(state, ability.condition, scope):
        return False
    if split_second(state) or any(r.flag.rule == "can't activate abilities" for r in rules_about(state, source.id)):
        return False
    if any(isinstance(p, forms.TapCost) for p in ability.cost) and not can_tap(state, source):
        return False
    if not can_pay_costs(state, seat, ability.cost, scope):
        return False
    if ability.modes:
        return sum(has_targets(state, m.do, scope) for m in ability.modes) >= ability.least
    return has_targets(state, ability.do, scope)


def _may_activate(state: State, seat: int, source: Object, ability: forms.ActivatedAbility) -> bool:
    controller = source.controller if source.zone == "battlefield" else source.owner
    if ability.by == "any player":
        return True
    if ability.by == "opponent":
        return seat in ev.opponents(state, controller)
    if ability.by == "owner":
        return seat == source.owner
    return seat == controller


def _activation_time(state: State, seat: int, ability: forms.ActivatedAbility, slow: bool) -> bool:
    timing = ability.timing
    if timing == "sorcery":
        return slow
    if timing == "your turn":
        return state.turn.active == seat
    if timing == "upkeep":
        return state.turn.active == seat and state.turn.step == "upkeep"
    if timing == "combat":
        return state.combat is not None
    if timing == "before attackers":
        before = ("untap", "upkeep", "draw", "precombat_main", "begin_combat")
        return state.turn.active == seat and state.turn.step in before
    return True


def is_loyalty(ability: forms.ActivatedAbility) -> bool:
    """Whether an ability is a loyalty ability (606.2)."""
    return any(isinstance(p, forms.LoyaltyCost) for p in ability.cost)


def _elsewhere(state: State, seat: int, slow: bool, found: list[Action]) -> None:
    """Abilities that are activated from the hand or graveyard (cycling and the like)."""
    p = state.players[seat]
    for oid in (*p.hand, *p.graveyard):
        source = state.objects[oid]
        kit = source.definition.base.kit
        if not kit.activated:
            continue
        for index, ability in kit.activated:
            if ability.zone == source.zone:
                if can_activate(state, seat, source, source.definition.base, index, ability, slow):
                    found.append(Action("activate", oid, index))


def _mana_abilities(state: State, seat: int, source: Object, found: list[Action]) -> None:
    c = characteristics(state, source.id)
    for index, ability in c.kit.mana:
        if can_activate(state, seat, source, c, index, ability, False):
            found.append(Action("activate", source.id, index, mana=True))


def you(seat: int) -> int:
    """The player reference of a seat."""
    return player_ref(seat)
