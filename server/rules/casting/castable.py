"""Casting a card: in which ways, when, and for what cost (601.2, 601.5, and the keywords of 702 about casting).

A *way* names how: "" is the ordinary one; the others are the names of alternative costs and permissions among the card's
abilities ("flashback", "evoke", "retrace"), "face down" for morph. A way belongs to a zone. Whether the card can be cast in
a way now is `can_cast`; `announce` then goes through the steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from server.cards import forms
from server.cards.keywords import MORPHS
from server.cards.nouns import Noun
from server.rules.casting.casting_permissions import (
    FREE,
    casting_abilities,
    is_own_commander,
    next_spell_effects,
    own_permission,
    permission,
    spendable,
)
from server.rules.casting.cost_changes import targets_cost, with_changes
from server.rules.casting.programs import MUTATE, MUTATING, as_paid, aura_program, with_paid
from server.rules.characteristics import amount, board, characteristics, fits, holds, known
from server.rules.costs import (
    PAID_OTHERWISE,
    TAPPED_FOR_MANA,
    Paid,
    Substitutes,
    as_face_down,
    as_side,
    as_spell,
    can_pay_costs,
    mana_available,
    mana_cost,
    spell_substitutes,
)
from server.rules.functioning import all_rules, candidates, has_targets, in_force, moments, rules, target_part
from server.rules.model import (
    SIDE_WAYS,
    Abilities,
    BoundRefs,
    Characteristics,
    Counted,
    Entry,
    Object,
    Ref,
    Scope,
    State,
    all_of,
    evolve,
    including,
    loop_of,
    mana,
    object_or_last,
    player_ref,
    targets_of,
    this_turn,
    with_rare,
)

FACE_DOWN_COST = mana.Cost(generic=3)
FACE_DOWN_WAY = "face down"
FLASH = forms.CastingRule(timing="flash")
Price = tuple[mana.Cost, forms.Costs]
OFFERING = "offering"


class Helped(msgspec.Struct, frozen=True):
    """A way to cast for which a permanent is chosen as the spell is announced: what is done with it, and by what of it
    the cost is reduced (its mana cost, or generic mana equal to a statistic)."""

    act: Literal["sacrifice", "tap"]
    takes: Literal["cost", "mana value", "power"]
    optional: bool = False
    kind: Noun | None = None


#: 702.46 (offering), current 702.119 (emerge) and current 702.180 (harmonize).
HELPED: dict[str, Helped] = {
    OFFERING: Helped("sacrifice", "cost"),
    "emerge": Helped("sacrifice", "mana value", kind=Noun("creature")),
    "harmonize": Helped("tap", "power", optional=True, kind=Noun("untapped creature")),
}


def ways(state: State, seat: int, card: Object, abilities: Abilities) -> Iterator[str]:
    """The ways in which a player could cast a card from where it is, costs and timing aside."""
    zone = card.zone
    if zone == "hand":
        yield ""
        if abilities.keywords & MORPHS:
            yield FACE_DOWN_WAY
        if "offering" in abilities.keywords:
            yield OFFERING
    else:
        own = is_own_commander(card, seat) or own_permission(state, seat, card, abilities)
        if own or permission(state, seat, card):
            yield ""
        # 702.35b: from any zone from which it could be cast, being what it is face down.
        if abilities.keywords & MORPHS and (own or permission(as_face_down(state, card.id), seat, card)):
            yield FACE_DOWN_WAY
        for _, cost in abilities.casting_costs:
            if lends(cost, zone) and (own or permission(as_it_is_cast(state, card, cost.name), seat, card)):
                yield cost.name
    if all_rules(state) and permission(state, seat, card, free=True):
        yield FREE
    for _, cost in abilities.casting_costs:
        if cost.kind != "additional" and cost.zone == zone and not cost.offered:
            yield cost.name


def lends(cost: forms.CastingCost, zone: str) -> bool:
    """Whether an alternative cost of casting from the hand is one from another zone too, if the card may be cast from there (as
    evoke 702.72a and bestow current 702.103a have it)."""
    return cost.kind == "alternative" and cost.zone == "hand" != zone and not (cost.offered or cost.bound)


def commander_tax(state: State, seat: int, card: Object) -> mana.Cost:
    """{2} more for each time before that the commander was cast from the command zone (current 903.8)."""
    from_command = card.zone == "command" or card.entry is not None and card.entry.cast_from == "command"
    if not card.commander or not from_command:
        return mana.ZERO
    return mana.Cost(generic=2 * dict(state.players[seat].commander_casts).get(card.commander, 0))


def as_though_own(state: State, seat: int, card: Object) -> bool:
    """Whether the player may treat the card as though it were in their own zone (609.4)."""
    if not all_rules(state):
        return False
    found = rules(state, seat, "play as though in own zone")
    return any(a.what is not None and fits(state, a.what.reading, card.id, scope) for a, scope in found)


def casting_cost_of(abilities: Abilities, way: str) -> forms.CastingCost | None:
    """The alternative cost or permission of that name."""
    for _, cost in abilities.casting_costs:
        if cost.name == way and cost.kind != "additional":
            return cost
    return None


def has_flash(state: State, seat: int, oid: int, c: Characteristics) -> bool:
    """Whether the card can be cast any time its player has priority (304.1, 702.8)."""
    if "instant" in c.types or "flash" in c.keywords:
        return True
    for _, rule in c.abilities.casting_rules:
        if rule.timing == "flash" and (rule.condition is None or holds(state, rule.condition, Scope(oid, seat))):
            return True
    given = (e.ability for e in next_spell_effects(state, seat, state.objects[oid]))
    if any(rule == FLASH for ability in given if isinstance(ability, forms.PlayerRule) for rule in ability.gives):
        return True
    if not all_rules(state):
        return False
    for ability, scope in rules(state, seat, "cast as though flash"):
        if ability.what is None or fits(as_spell(state, oid, seat), ability.what.reading, oid, scope):
            return True
    return False


def least_x(abilities: Abilities) -> int:
    """The least X that may be announced for the spell."""
    return max((rule.least_x for _, rule in abilities.casting_rules), default=0)


def _with_least_x(abilities: Abilities, price: Price | None) -> Price | None:
    """The price with the least X that may be announced; None where nothing is paid for X, which is 0 then (107.3b)."""
    least = least_x(abilities) if price is not None else 0
    if price is None or not least:
        return price
    cost, others = price
    return (mana.plus(cost, mana.Cost(generic=cost.x * least)), others) if cost.x else None


def split_second(state: State) -> bool:
    """Whether a spell with split second is on the stack (702.59)."""
    known: bool | None = state.memo.get("split second")
    if known is None:
        known = any("split second" in state.objects[i].definition.base.keywords for i in state.stack)
        state.memo["split second"] = known
    return known


def as_it_is_cast(state: State, card: Object, way: str) -> State:
    """The state in which the card is what it will be as a spell cast this way, which is all that is evaluated (morph
    702.35b, bestow current 702.103d, prototype current 718.3)."""
    if way == FACE_DOWN_WAY:
        return as_face_down(state, card.id)
    return as_side(state, card.id, 1) if way in SIDE_WAYS and not card.definition.side else state


def can_cast(
    state: State, seat: int, card: Object, c: Characteristics, way: str = "", mana_as: str | None = None
) -> bool:
    """Whether nothing prohibits casting a card this way, its targets exist and its costs can be paid (601.2, 601.5), by a
    permission with this `mana_as` if there is one to choose."""
    if way in SIDE_WAYS and not card.definition.side or way == FACE_DOWN_WAY and not card.face_down:
        view = as_it_is_cast(state, card, way)
        return can_cast(view, seat, view.objects[card.id], characteristics(view, card.id), way, mana_as)
    abilities = casting_abilities(state, seat, card, c.abilities)
    if abilities is not c.abilities:
        c = replace(c, abilities=abilities)
    if not _permitted(state, seat, card, abilities, way):
        return False
    if way in HELPED:
        with_help = any(_can_offer(state, seat, card, c, way, i) for i in helpers(state, seat, card.id, abilities, way))
        if with_help or not HELPED[way].optional:
            return with_help
    price = _with_least_x(abilities, total_cost(state, seat, card, c, way, free=way == FREE, mana_as=mana_as))
    if price is None:
        return False
    cost, others = price
    scope = Scope(card.id, seat)
    if others and not can_pay_costs(state, seat, others, scope):
        return False
    helped = spell_substitutes(state, seat, card.id, abilities)
    helped = helped._replace(given=others)
    if not mana_available(state, seat, cost, substitutes=helped):
        return card.entry is None and _castable_if_paid(state, seat, card, c, way, mana_as)
    aimed = cost_with_targets(state, seat, card, c, abilities, way) if targets_cost(state, abilities) else None
    if aimed is not None and not mana_available(state, seat, aimed, substitutes=helped):
        return False
    if abilities.spell is not None and any(m.cost for m in abilities.spell.modes):
        rest = mana.with_x(cost, 0)
        modes = (m for m in abilities.spell.modes if has_targets(state, m.do, scope))
        if not any(can_pay_costs(state, seat, m.cost, scope, helped, rest) for m in modes):
            return False
    for _, extra in abilities.casting_costs:
        if extra.options and not payable_options(state, seat, extra, cost, scope, helped):
            return False
    if way in (FACE_DOWN_WAY, "overload"):
        return True
    if way == MUTATE:
        return has_targets(state, MUTATING, scope)
    if any(a.keyword == way and not has_targets(state, a.do, scope) for a in abilities.further):
        return False
    found = spell_targets(state, abilities, c, scope, way)
    return found or not way and _has_targets_if_paid(state, seat, abilities, scope, helped, cost)


def _castable_if_paid(state: State, seat: int, card: Object, c: Characteristics, way: str, mana_as: str | None) -> bool:
    """Whether an optional cost could be paid with which the spell costs less mana (601.2f)."""
    asked = {one.condition.cost for _, one in c.abilities.cost_changes if isinstance(one.condition, forms.Paid)}
    for _, extra in c.abilities.casting_costs if asked else ():
        if extra.optional and extra.name in asked and can_pay_costs(state, seat, extra.cost, Scope(card.id, seat)):
            seen = with_rare(card, entry=Entry(paid=((extra.name, 1),)))
            view = evolve(state, objects=including(state.objects, seen))
            if can_cast(view, seat, seen, c, way, mana_as):
                return True
    return False


def _has_targets_if_paid(
    state: State, seat: int, abilities: Abilities, scope: Scope, helped: Substitutes, cost: mana.Cost
) -> bool:
    """Whether an optional cost (kicker) could be paid with which a spell has targets that there are (702.31g)."""
    spell = abilities.spell
    if spell is None or spell.modes:
        return False
    return any(
        extra.optional
        and has_targets(state, as_paid(spell.do, tuple(with_paid([], extra, 1))), scope)
        and can_pay_costs(state, seat, extra.cost, scope, helped, mana.with_x(cost, 0))
        for _, extra in abilities.casting_costs
    )


SAID = "said of casting"
"""Where the memo holds what `nothing_said` has found for each player."""


def nothing_said(state: State, seat: int) -> bool:
    """Whether nothing in force has to do with casting or with what may be paid for it: then `can_cast` asks of a plain card only
    what `can_cast_plainly` does. Found once for each state."""
    said = state.memo.setdefault(SAID, {})
    known = said.get(seat)
    if known is None:
        b = board(state)
        known = said[seat] = not (
            state.effects
            or b.for_spells
            or b.index.restricted_mana
            or state.players[seat].marked
            or any(name in b.index.triggers for name in TAPPED_FOR_MANA)
            or all_rules(state)
            or in_force(state, forms.CostChange)
            or state.stack
            and split_second(state)
        )
    return known


def is_plain(c: Characteristics) -> bool:
    """Whether a card with these characteristics is cast from the hand in one way, for its mana cost, and nothing it says is about that."""
    a = c.abilities
    return (
        a.ordinary
        and c.cost is not None
        and not (a.hand_rules or a.cost_changes or a.further)
        and a.keywords.isdisjoint(PAID_OTHERWISE)
        and (a.spell is None or not any(mode.cost for mode in a.spell.modes))
    )


def can_cast_plainly(state: State, seat: int, oid: int, c: Characteristics) -> bool:
    """`can_cast` for a plain card in hand where nothing is said: whether its mana can be paid and its targets exist."""
    return can_pay_plainly(state, seat, oid, c) and spell_targets(state, c.abilities, c, Scope(oid, seat))


def can_pay_plainly(state: State, seat: int, oid: int, c: Characteristics) -> bool:
    """The first of these."""
    return c.cost is not None and mana_available(state, seat, c.cost, substitutes=Substitutes(paying=Paid(spell=oid)))


def payable_options(
    state: State, seat: int, extra: forms.CastingCost, base: mana.Cost, scope: Scope, helped: Substitutes
) -> tuple[int, ...]:
    """Which of the additional costs that leave a choice could be paid besides the rest."""
    rest = mana.with_x(base, 0)
    return tuple(i for i, option in enumerate(extra.options) if can_pay_costs(state, seat, option, scope, helped, rest))


def helpers(state: State, seat: int, oid: int, abilities: Abilities, way: str) -> tuple[int, ...]:
    """The permanents that a player could sacrifice or tap to cast this way (offering, 702.46a)."""
    scope = Scope(oid, seat)
    kind = HELPED[way].kind or next((k.quality for k in abilities.quality(way) if k.quality is not None), None)
    if kind is None:
        return ()
    own = (i for i in state.battlefield if state.objects[i].controller == seat and not state.objects[i].phased_out)
    return tuple(i for i in own if fits(state, kind.reading, i, scope))


def _can_offer(state: State, seat: int, card: Object, c: Characteristics, way: str, offered: int) -> bool:
    price = total_cost(state, seat, card, c, way, offered=offered)
    if price is None or not can_pay_costs(state, seat, price[1], Scope(card.id, seat)):
        return False
    helped = spell_substitutes(state, seat, card.id, c.abilities)
    return mana_available(state, seat, price[0], offered, helped) and spell_targets(
        state, c.abilities, c, Scope(card.id, seat)
    )


def _reduced(state: State, cost: mana.Cost, way: str, helper: int) -> mana.Cost:
    """The cost less what the permanent that helps takes off (offering, 702.46c)."""
    takes, found = HELPED[way].takes, known(state, helper)
    if found is None:
        return cost
    if takes == "cost":
        return mana.minus(cost, mana.plainly(found.cost)) if found.cost is not None else cost
    return mana.minus(cost, max(0, found.mana_value if takes == "mana value" else found.power or 0))


def not_forbidden(state: State, seat: int, card: Object, abilities: Abilities, way: str = "") -> bool:
    """Whether no effect and no ability of the card itself says that the player can't cast it now."""
    if all_rules(state):
        if moments.held_back(state, seat):
            return False
        for ability, scope in rules(state, seat, "can't cast"):
            if ability.number and _cast(state, seat, ability, scope) < amount(state, ability.number, scope):
                continue
            if ability.what is None or fits(as_spell(state, card.id, seat), ability.what.reading, card.id, scope):
                return False
    if abilities.casting_rules and way != FACE_DOWN_WAY:
        own = Scope(card.id, seat)
        for _, rule in abilities.casting_rules:
            if rule.timing == "flash":
                continue
            if not moments.timing_allows(state, seat, rule):
                return False
            if rule.only and card.zone != rule.zone:
                return False
            if rule.zone is None and rule.condition is not None and not holds(state, rule.condition, own):
                return False
    return True


def _cast(state: State, seat: int, rule: forms.PlayerRule, scope: Scope) -> int:
    """How many spells of the kind of a rule a player has cast this turn."""
    if rule.what is None:
        return this_turn(state, Counted.SPELLS, player_ref(seat))
    cast = ((ref, object_or_last(state, ref)) for ref, _ in all_of(state, Counted.THING_CAST))
    own = (ref for ref, spell in cast if spell is not None and spell.entry is not None and spell.entry.caster == seat)
    return sum(fits(state, rule.what.reading, ref, scope) for ref in own)


def _permitted(state: State, seat: int, card: Object, abilities: Abilities, way: str) -> bool:
    if not not_forbidden(state, seat, card, abilities, way):
        return False
    if way and way not in (FACE_DOWN_WAY, OFFERING, FREE):
        cost = casting_cost_of(abilities, way)
        if cost is None:
            return False
        if cost.condition is not None and not holds(state, cost.condition, Scope(card.id, seat)):
            return False
    return not (state.stack and split_second(state))


def spell_targets(state: State, abilities: Abilities, c: Characteristics, scope: Scope, way: str = "") -> bool:
    """Whether a spell has a legal choice of targets: of its program, of enough modes, of what an Aura enchants."""
    if "Aura" in c.subtypes:
        return has_targets(state, aura_program(abilities), scope)
    spell = abilities.spell
    if spell is None:
        return True
    if not spell.modes:
        return has_targets(state, as_paid(spell.do, ((way, 1),) if way else ()), scope)
    return sum(has_targets(state, mode.do, scope) for mode in spell.modes) >= (1 if spell.again else spell.least)


# --- what it costs -----------------------------------------------------------------------------------------------------------


def total_cost(
    state: State,
    seat: int,
    card: Object,
    c: Characteristics,
    way: str,
    free: bool = False,
    offered: int = 0,
    mana_as: str | None = None,
) -> tuple[mana.Cost, forms.Costs] | None:
    """What a spell costs before optional costs and X: (mana, other costs); None if it has no cost to pay (117.6).
    Alternative cost or mana cost, additional costs, increases, reductions (601.2b, e)."""
    base: mana.Cost | None = c.cost
    parts: list[forms.AnyCost] = []
    if way == FACE_DOWN_WAY:
        base = FACE_DOWN_COST
    elif way and way != FREE:
        chosen = casting_cost_of(c.abilities, way)
        if chosen is not None:
            parts.extend(p for p in chosen.cost if not isinstance(p, forms.ManaCost))
            own = mana_cost(state, chosen.cost, Scope(card.id, seat, card.entry))
            base = own if chosen.kind == "alternative" else mana.plus(base or mana.ZERO, own)
    if free:
        base = mana.ZERO
    if base is None:
        return None
    if c.abilities.casting_costs and way != FACE_DOWN_WAY:
        scope = Scope(card.id, seat, card.entry)
        for _, cost in c.abilities.casting_costs:
            if cost.kind == "additional" and not cost.optional and not cost.options:
                parts.extend(p for p in cost.cost if not isinstance(p, forms.ManaCost))
                base = mana.plus(base, mana_cost(state, cost.cost, scope))
    if card.rare.commander:
        base = mana.plus(base, commander_tax(state, seat, card))
    total = with_changes(state, seat, card, base, c.abilities)
    if way in HELPED and (helper := offered or _offered(card)):
        total = _reduced(state, total, way, helper)
    return spendable(state, seat, card, total, free, mana_as), tuple(parts)


def _offered(card: Object) -> int:
    """The permanent that was sacrificed for offering as the spell was announced."""
    bound = dict(card.entry.bindings).get(BoundRefs.OFFERED) if card.entry is not None else None
    return bound[0] if isinstance(bound, tuple) and bound else 0


def cost_with_targets(
    state: State, seat: int, card: Object, c: Characteristics, abilities: Abilities, way: str
) -> mana.Cost | None:
    """What a spell costs with the cheapest targets that it could have (601.2c, e); None if it has no targets to look at."""
    if "Aura" in c.subtypes:
        program = aura_program(abilities)
    elif abilities.spell is None or abilities.spell.modes:
        return None
    else:
        program = as_paid(abilities.spell.do, ((way, 1),) if way else ())
    view = as_spell(state, card.id, seat)
    spell = view.objects[card.id]
    entry = replace(spell.entry or Entry(), program=program)

    def price(targets: tuple[tuple[Ref, ...], ...]) -> mana.Cost:
        seen = with_rare(spell, entry=replace(entry, targets=targets))
        aimed = evolve(view, objects={**view.objects, card.id: seen})
        made = total_cost(aimed, seat, seen, c, way, free=way == FREE)
        return made[0] if made is not None else mana.ZERO

    slots: list[tuple[Ref, ...]] = []
    for noun in targets_of(program):
        target = target_part(noun.reading)
        if target is None or target.x or loop_of(program, noun) is not None:
            return None
        scope = Scope(card.id, seat, replace(entry, targets=tuple(slots)))
        found = candidates(view, noun, scope, tuple(ref for slot in slots for ref in slot))[:40]
        prices = {ref: mana.mana_value(price((*slots, (ref,)))) for ref in found}
        slots.append(tuple(sorted(found, key=prices.__getitem__)[: max(0, target.least)]))
    return price(tuple(slots)) if slots else None
