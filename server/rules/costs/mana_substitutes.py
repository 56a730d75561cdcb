"""What a spell or ability may be paid with besides the plain mana of its player's sources: creatures that convoke it and the like
(702.49, delve 702.64), mana for such things only (106.6), and what triggered mana abilities add as sources are tapped (605.1b).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from server.cards import forms
from server.rules.characteristics import added_mask, added_pool, amount, board, characteristics, holds, select
from server.rules.costs import payment
from server.rules.costs.mana_sources import (
    ASSIST,
    BONUS,
    BONUS_PLACE,
    CONVOKE,
    DELVE,
    NO_SUBSTITUTES,
    OBJECT,
    Paid,
    Substitutes,
    ability_for,
    color_mask,
    plan_mana,
    pool_of,
    source_of,
    sources,
    units,
    usable,
)
from server.rules.costs.source import FLOATING, LAST_RESORT, Source
from server.rules.functioning import match, rules
from server.rules.model import (
    ANY_COLOR,
    GENERIC,
    NO_MANA,
    Abilities,
    Entry,
    Pool,
    Scope,
    State,
    events,
    is_mana_trigger,
    lookup,
    mana,
    player_ref,
)

PAID_OTHERWISE = frozenset(("convoke", "improvise", "delve", "assist"))
#: What is paid for is no spell and no ability.
NEITHER = Paid()


def substitutes_of(state: State, seat: int, oid: int, entry: Entry) -> Substitutes:
    """What the spell or activated ability `oid` on the stack may be paid with besides plain mana."""
    if entry.kind == "spell":
        return spell_substitutes(state, seat, oid, characteristics(state, oid).abilities)
    cost = entry.ability.cost if isinstance(entry.ability, forms.ActivatedAbility) else ()
    return ability_substitutes(state, seat, entry.source, cost)


def spell_substitutes(state: State, seat: int, oid: int, abilities: Abilities) -> Substitutes:
    """What a spell may be paid with: by its own abilities, and by mana that may be spent on it only."""
    extra = extra_sources(state, seat, oid, abilities)
    if abilities.casting_rules and any(rule.no_mana for _, rule in abilities.casting_rules):
        return Substitutes(extra, True)
    paying = Paid(spell=oid)
    additional = (cost for _, cost in abilities.casting_costs if cost.kind == "additional" and not cost.optional)
    bent = _bending(state, seat, oid, tuple(part for cost in additional for part in cost.cost))
    extra = (*extra, *(s for s in bent if s not in extra))
    extra = (*extra, *_assistance(state, seat, oid, abilities))
    return Substitutes((*extra, *_restricted(state, seat, paying), *_triggered(state, seat)), False, paying)


def ability_substitutes(state: State, seat: int, source: int, cost: forms.Costs = ()) -> Substitutes:
    """The same for an activated ability of an object, with its cost."""
    paying = Paid(source=source)
    bent = _bending(state, seat, source, cost)
    return Substitutes((*bent, *_restricted(state, seat, paying), *_triggered(state, seat)), False, paying)


def other_substitutes(state: State, seat: int, substitutes: Substitutes) -> Substitutes:
    """The same for what is neither spell nor ability, if nothing was said: what "unless" and attacks ask for."""
    if substitutes is not NO_SUBSTITUTES:
        return substitutes
    extra = _restricted(state, seat, NEITHER)
    return Substitutes(extra, False, NEITHER) if extra else NO_SUBSTITUTES


def paid_with_life(state: State, seat: int, cost: mana.Cost) -> mana.Cost:
    """A cost in which the player may pay life for mana of some colours."""
    for rule, _ in rules(state, seat, "pays life for mana"):
        color = (mana.colors_of(mana.parse_cost(rule.mana)) & ANY_COLOR).bit_length() - 1
        cost = mana.or_life(cost, color)
    return cost


def _restricted(state: State, seat: int, paying: Paid) -> tuple[Source, ...]:
    """The mana and its sources that may be spent on this but not on everything."""
    if not state.players[seat].marked and not board(state).index.restricted_mana:
        return ()
    return (*units(state, seat, paying), *_restricted_sources(state, seat, paying))


def extra_sources(state: State, seat: int, oid: int, abilities: Abilities) -> tuple[Source, ...]:
    """What a spell may be paid with besides mana: untapped creatures (convoke) or
    artifacts (improvise), cards in the graveyard (delve)."""
    if abilities.keywords.isdisjoint(PAID_OTHERWISE):
        return ()
    found: list[Source] = []
    if "convoke" in abilities.keywords or "improvise" in abilities.keywords:
        makers = [s.key for s in sources(state, seat)]
        for i in state.battlefield:
            o = state.objects[i]
            if o.controller != seat or o.tapped or o.phased_out or i in makers:
                continue
            c = characteristics(state, i)
            if "convoke" in abilities.keywords and "creature" in c.types:
                found.append(Source(i | CONVOKE, mana.unspent(c.colors) | GENERIC, price=LAST_RESORT))
            elif "improvise" in abilities.keywords and "artifact" in c.types:  # current 702.126a
                found.append(Source(i | CONVOKE, GENERIC, price=LAST_RESORT))
    if "delve" in abilities.keywords:
        graveyard = state.players[seat].graveyard
        found.extend(Source(i | DELVE, GENERIC, price=LAST_RESORT) for i in graveyard if i != oid)
    return tuple(found)


def _bending(state: State, seat: int, oid: int, cost: forms.Costs) -> tuple[Source, ...]:
    """The artifacts and creatures that may be tapped for generic mana of waterbend costs: no more than is in these, whatever else
    is paid together with them (current 701.67a, b). Artifacts come before creatures, those that cannot attack before others."""
    bent = (part for part in cost if isinstance(part, forms.ManaCost) and part.waterbend)
    most = sum(mana.parse_cost(part.mana).generic for part in bent)
    if not most:
        return ()
    makers = [s.key for s in sources(state, seat)]
    if any(isinstance(part, forms.TapCost) for part in cost):
        makers.append(oid)
    found: list[tuple[bool, bool, int]] = []
    for i in state.battlefield:
        o = state.objects[i]
        if o.controller == seat and not o.tapped and not o.phased_out and i not in makers:
            types = characteristics(state, i).types
            if "creature" in types or "artifact" in types:
                found.append(("creature" in types, not o.sick, i))
    return tuple(Source(i | CONVOKE, GENERIC, price=LAST_RESORT) for *_, i in sorted(found)[:most])


MOST_HELP = 40
"""So much mana another player is asked for at most."""


def _assistance(state: State, seat: int, oid: int, abilities: Abilities) -> tuple[Source, ...]:
    """The generic mana that the one other player with the most of it could pay for a spell (current 702.132a)."""
    if "assist" not in abilities.keywords:
        return ()
    most = max((n for _, n in assistants(state, seat, oid)), default=0)
    return tuple(Source(ASSIST | i, GENERIC, price=LAST_RESORT) for i in range(most))


def assistants(state: State, seat: int, oid: int) -> tuple[tuple[int, int], ...]:
    """The other players who could pay generic mana for a spell, and how much at most; not those with whom the same player has
    taken an announcement back this turn, who would be asked for ever."""
    others = (i for i in lookup.turn_order(state, seat) if i != seat and lookup.in_range(state, seat, i))
    able = ((other, _most_help(state, other, oid)) for other in others if (seat, other) not in state.turn.declined)
    return tuple((other, most) for other, most in able if most)


def _most_help(state: State, seat: int, oid: int) -> int:
    """How much generic mana a player could pay for another's spell."""
    helped = assisting(state, seat, oid)
    made = (sum(s.fixed) if s.fixed is not None else s.amount for s in usable(state, seat, helped))
    most = min(MOST_HELP, sum(state.players[seat].pool) + sum(made))
    return next((n for n in range(most, 0, -1) if plan_mana(state, seat, mana.Cost(generic=n), (), helped)), 0)


def assisting(state: State, seat: int, oid: int) -> Substitutes:
    """What a player may pay with for another's spell besides plain mana."""
    paying = Paid(spell=oid)
    return Substitutes(_restricted(state, seat, paying), False, paying)


def unassisted(substitutes: Substitutes) -> Substitutes:
    """What there is to pay with once it is known whether another player helps."""
    return substitutes._replace(extra=tuple(s for s in substitutes.extra if not s.key & ASSIST))


def _restricted_sources(state: State, seat: int, paying: Paid) -> tuple[Source, ...]:
    """Permanents with mana that may be spent only on some things, as sources for this."""
    found: list[Source] = []
    for oid in board(state).index.restricted_mana:
        o = state.objects[oid]
        if o.controller == seat:
            source = source_of(state, o, paying)
            if source is not None:
                found.append(source)
    return tuple(found)


# --- triggered mana abilities ----------------------------------------------------------------------------------------------

TAPPED_FOR_MANA = ("tapped for mana", "mana added")


def _triggered(state: State, seat: int) -> tuple[Source, ...]:
    """What triggered mana abilities (605.1b) would add for the player as sources are tapped. Each is a source beside the one that
    triggers it: to use either, that one is activated once."""
    if not any(name in board(state).index.triggers for name in TAPPED_FOR_MANA):
        return ()
    key = ("triggered mana", seat)
    made = state.memo.get(key)
    if made is None:
        found: list[Source] = []
        for source in sources(state, seat):
            if source.key in state.objects:
                found.extend(_of_source(state, seat, source))
        made = state.memo[key] = tuple(found)
    return made


def _of_source(state: State, seat: int, source: Source) -> Iterator[Source]:
    made = one_activation(source)
    taps = any(isinstance(c, forms.TapCost) for c in ability_for(state, state.objects[source.key], made).cost)
    event = events.AddMana(subject=player_ref(seat), by=source.key, mana=made, tapped=taps)
    place = 0
    certain = source.fixed is not None or (source.mask & ANY_COLOR).bit_count() == 1
    for verb, scope in _adding(state, event, certain):
        place += 1
        key = source.key | BONUS | place << BONUS_PLACE
        n = amount(state, verb.count, scope)
        if n <= 0 or verb.only is not None or player_ref(seat) not in select(state, verb.who, scope):
            continue
        if verb.mana:
            yield Source(key, 0, fixed=added_pool(state, seat, pool_of(verb.mana, n)), price=FLOATING)
        elif verb.choice == "produced":
            if certain:  # else it depends on what is chosen for the first
                yield Source(key, sum(1 << i for i, m in enumerate(made) if m), n, price=FLOATING)
        elif verb.of is None and not verb.different:
            mask = color_mask(verb.choice, state, state.objects[scope.source])
            yield Source(key, added_mask(state, seat, mask), n, price=FLOATING)


def _adding(state: State, event: events.AddMana, certain: bool) -> Iterator[tuple[forms.AddMana, Scope]]:
    """The instructions to add mana of the abilities that this event would trigger, whose mana is `certain` or could be of another
    type."""
    index = board(state).index.triggers
    for name in TAPPED_FOR_MANA if event.tapped else TAPPED_FOR_MANA[1:]:
        for oid in index.get(name, ()):
            source = state.objects[oid]
            for _, ability, pattern in characteristics(state, oid).abilities.triggers.get(name, ()):
                scope = Scope(oid, source.controller, source.entry)
                known = certain or not isinstance(pattern.condition, forms.MadeMana)
                bindings = match(state, pattern, event, name, scope) if known and is_mana_trigger(ability) else None
                if bindings is None:
                    continue
                told = Scope(oid, source.controller, source.entry, bindings)
                if ability.condition is None or holds(state, ability.condition, told):
                    yield from ((verb, told) for verb in ability.do if isinstance(verb, forms.AddMana))


def first_trigger(state: State, seat: int, plan: payment.Plan) -> payment.Plan | None:
    """The plan to activate the first source for which a payment counts on triggered mana abilities; None if it counts on none."""
    own = dict(plan.activations)
    bonus = next((key for key in own if key & BONUS), 0)
    if not bonus:
        return None
    base = next(s for s in sources(state, seat) if s.key == bonus & OBJECT)
    return payment.Plan(((base.key, own.get(base.key) or one_activation(base)),), NO_MANA, NO_MANA, 0)


def one_activation(source: Source) -> Pool:
    """The mana that a source makes, the first of its colours if there is a choice."""
    if source.fixed is not None:
        return source.fixed
    color = (source.mask & -source.mask).bit_length() - 1
    return cast(Pool, tuple(source.amount if i == color else 0 for i in range(6)))
