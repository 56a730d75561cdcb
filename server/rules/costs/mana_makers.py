"""Mana abilities that cost more than being tapped (605.1a): which a player could activate, what with, and what they would make.

`mana_sources` counts what each permanent makes for itself; here are abilities that cost mana, things of other kinds, or more
than one of an object. `mana_steps` searches for those that make a payment possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any, NamedTuple, cast

from server.cards import forms, nouns
from server.rules.characteristics import added_mask, added_pool, amount, board, characteristics, holds
from server.rules.costs.mana_sources import (
    COLORS,
    Paid,
    can_tap,
    choosable,
    is_plain,
    may_spend,
    pool_of,
    source_of,
)
from server.rules.costs.payers import YOU, counters_held, how_many, may_sacrifice, payers, says_x, tappable
from server.rules.costs.source import Source
from server.rules.functioning import has, silenced, usable
from server.rules.model import (
    BoundWord,
    Label,
    Object,
    Pool,
    Ref,
    Scope,
    State,
    activated,
    evolve,
    lookup,
    mana,
    player_ref,
    this_turn,
    with_rare,
)

MOST_KINDS = 4
"""So many things that differ are tried for one cost."""


class Maker(NamedTuple):
    """A mana ability that a player could activate: the object, its place among the abilities, the mana that it costs, and whether
    it is `plain`, so that the events of activating it are known."""

    key: int
    place: int
    ability: forms.ActivatedAbility
    price: mana.Cost
    plain: bool


class Spent(NamedTuple):
    """What a payment has used up by now: sources of mana by their keys, objects that are gone or tapped, those that must stay until
    other costs are paid with them, life, counters by whose and which, and abilities that can't be activated again."""

    keys: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    tapped: frozenset[int] = frozenset()
    due: frozenset[int] = frozenset()
    life: int = 0
    counters: tuple[tuple[Ref, str, int], ...] = ()
    done: frozenset[tuple[int, int]] = frozenset()


class Use(NamedTuple):
    """One way to pay what an ability costs besides mana: what is picked for each cost, what is used up with it, and all that could be
    picked where the player has a choice."""

    picks: tuple[tuple[int, ...], ...]
    spent: Spent
    able: tuple[int, ...] = ()


def makers(state: State, seat: int) -> tuple[Maker, ...]:
    """The mana abilities of a player that are not counted as sources, as far as they could be activated now, those that cost
    mana last; made once for each state."""
    key = ("makers", seat)
    made = state.memo.get(key)
    if made is None:
        found: list[Maker] = []
        for oid in (*board(state).index.makers, *usable(state, seat)):
            one = state.objects[oid]
            if one.zone != "battlefield" or one.controller == seat:
                found.extend(_of_object(state, one))
        made = state.memo[key] = tuple(sorted(found, key=lambda maker: maker.price != mana.ZERO))
    return made


def _of_object(state: State, found: Object) -> Iterator[Maker]:
    abilities = characteristics(state, found.id).abilities
    whose = found.controller if found.zone == "battlefield" else found.owner
    if not abilities.makers or silenced(state, found.id, whose, mana=True):
        return
    counted = source_of(state, found) is not None if found.zone == "battlefield" and len(abilities.mana) == 1 else False
    for index, ability in abilities.makers:
        if ability.zone != found.zone or ability.by != "controller" or ability.modes:
            continue
        if not lookup.in_time(state, found.controller, ability.timing):
            continue
        if counted or ability.limit and not _may_again(state, found, index, ability):
            continue
        if ability.condition is not None and not holds(state, ability.condition, Scope(found.id, found.controller)):
            continue
        paid = [cost for cost in ability.cost if isinstance(cost, forms.ManaCost)]
        if any(cost.per != 1 for cost in paid) or any(says_x(cost) for cost in ability.cost):
            continue
        price = mana.ZERO
        for cost in paid:
            price = mana.plus(price, mana.parse_cost(cost.mana))
        if price.x:
            continue
        yield Maker(found.id, index, ability, price, is_plain(state, found, ability))


def _may_again(state: State, found: Object, index: int, ability: forms.ActivatedAbility) -> bool:
    if ability.limit < 0:
        return all(what != f"exhausted {index}" for what, _ in found.chosen)
    return this_turn(state, activated(index), found.id) < ability.limit


# --- what it costs -----------------------------------------------------------------------------------------------------------


def uses(state: State, seat: int, maker: Maker, spent: Spent, tappers: dict[int, Source], only: int = 0) -> list[Use]:
    """The ways to pay what an ability costs besides mana with what is left. `tappers` are the sources of mana that could still be
    tapped: they are picked last. `only` is the one thing to be picked where one is."""
    if maker.key in spent.gone | spent.due or (maker.key, maker.place) in spent.done:
        return []
    at, found = _At(state, seat, maker, tappers, only), [Use((), spent)]
    for cost in maker.ability.cost:
        paid = PAID_WITH.get(type(cost))
        if paid is None:
            return []
        found = [more for use in found for more in paid(at, cost, use)][: 2 * MOST_KINDS]
    if maker.ability.limit:
        found = [_once(maker, use) for use in found]
    return found


def _once(maker: Maker, use: Use) -> Use:
    return use._replace(spent=use.spent._replace(done=use.spent.done | {(maker.key, maker.place)}))


class _At(NamedTuple):
    """Whose ability is paid for, and the sources of mana that could still be tapped."""

    state: State
    seat: int
    maker: Maker
    tappers: dict[int, Source]
    only: int = 0

    @property
    def scope(self) -> Scope:
        return Scope(self.maker.key, self.seat)


def _nothing(at: _At, cost: forms.ManaCost, use: Use) -> list[Use]:
    return [use._replace(picks=(*use.picks, ()))]


def _tap(at: _At, cost: forms.TapCost, use: Use) -> list[Use]:
    if at.maker.key in use.spent.tapped or not can_tap(at.state, at.state.objects[at.maker.key]):
        return []
    return [Use((*use.picks, ()), use.spent._replace(tapped=use.spent.tapped | {at.maker.key}), use.able)]


def _life(at: _At, cost: forms.LifeCost, use: Use) -> list[Use]:
    n = amount(at.state, cost.amount, at.scope)
    left = at.state.players[at.seat].life - use.spent.life
    if n and (left <= n or has(at.state, at.seat, "can't pay life") or has(at.state, at.seat, "can't lose life")):
        return []  # so much that some is left: nobody means to lose by paying
    return [Use((*use.picks, ()), use.spent._replace(life=use.spent.life + n), use.able)]


def _mill(at: _At, cost: forms.MillCost, use: Use) -> list[Use]:
    enough = len(at.state.players[at.seat].library) >= amount(at.state, cost.count, at.scope)
    return [_once(at.maker, use._replace(picks=(*use.picks, ())))] if enough else []


def _counters(at: _At, cost: forms.CountersCost, use: Use) -> list[Use]:
    n, used = amount(at.state, cost.count, at.scope), use.spent.counters
    if not cost.counter or cost.among:
        return []

    def left(ref: Ref) -> int:
        own = at.state.players[at.seat].counters if ref < 0 else None
        whole = lookup.count(own, cost.counter) if own is not None else counters_held(at.state, ref, cost.counter)
        return whole - sum(k for r, kind, k in used if (r, kind) == (ref, cost.counter))

    of = (player_ref(at.seat),) if cost.of == YOU else payers(at.state, at.seat, cost.of, at.scope)
    if cost.put:
        return [_once(at.maker, use._replace(picks=(*use.picks, of[:1])))] if of else []
    able = [ref for ref in of if ref not in use.spent.gone and left(ref) >= n and at.only in (0, ref)]
    more = tuple(able) if len(able) > 1 else use.able
    return [
        Use((*use.picks, (ref,)), use.spent._replace(counters=(*used, (ref, cost.counter, n))), more)
        for ref in able[:MOST_KINDS]
    ]


def _others(at: _At, cost: forms.TapOthersCost, use: Use) -> list[Use]:
    if cost.power:
        return []
    able = [i for i in tappable(at.state, at.seat, cost, at.scope) if i not in use.spent.tapped | use.spent.gone]
    n = how_many(at.state, cost.what, at.scope)
    return [
        Use((*use.picks, picked), use.spent._replace(tapped=use.spent.tapped | set(picked)), _more(able, n, use))
        for picked in _picked(at, able, n)
    ]


Leaving = forms.SacrificeCost | forms.DiscardCost | forms.ExileCost | forms.ReturnCost


def _leave(at: _At, cost: Leaving, use: Use) -> list[Use]:
    if isinstance(cost, forms.DiscardCost) and cost.random:
        return []
    able = payers(at.state, at.seat, cost.what, at.scope)
    if isinstance(cost, forms.SacrificeCost):
        able = may_sacrifice(at.state, at.seat, able, at.scope)
    able = tuple(i for i in able if i not in use.spent.gone | use.spent.due)
    n = how_many(at.state, cost.what, at.scope)
    return [
        Use((*use.picks, picked), use.spent._replace(gone=use.spent.gone | set(picked)), _more(able, n, use))
        for picked in _picked(at, list(able), n)
    ]


def _more(able: Sequence[int], n: int, use: Use) -> tuple[int, ...]:
    return tuple(able) if len(able) > n else use.able


def _reveal(at: _At, cost: forms.RevealCost, use: Use) -> list[Use]:
    able = tuple(i for i in payers(at.state, at.seat, cost.what, at.scope) if i not in use.spent.gone)
    n = how_many(at.state, cost.what, at.scope)
    return [use._replace(picks=(*use.picks, able[:n]), able=_more(able, n, use))] if len(able) >= n >= 0 else []


PAID_WITH: dict[type[forms.Cost], Callable[[_At, Any, Use], list[Use]]] = {
    forms.ManaCost: _nothing,
    forms.TapCost: _tap,
    forms.LifeCost: _life,
    forms.MillCost: _mill,
    forms.CountersCost: _counters,
    forms.TapOthersCost: _others,
    forms.SacrificeCost: _leave,
    forms.DiscardCost: _leave,
    forms.ExileCost: _leave,
    forms.ReturnCost: _leave,
    forms.RevealCost: _reveal,
}
"""How each kind of cost is paid; an ability with another one is not counted on."""


def _picked(at: _At, able: list[int], n: int) -> Iterator[tuple[int, ...]]:
    """What to pay with: first what makes no mana itself and is worth little; of equal things one."""
    if len(able) < n or n < 1:
        return

    def rank(oid: int) -> tuple[object, ...]:
        found = at.state.objects[oid]
        return oid in at.tappers, oid == at.maker.key, not found.token, characteristics(at.state, oid).mana_value

    able = [oid for oid in sorted(able, key=rank) if at.only in (0, oid)]
    if n > 1:
        yield tuple(able[:n])
        return
    kinds: set[object] = set()
    for oid in able:
        kind = (*kind_of(at.state, oid), oid in at.tappers, oid == at.maker.key)
        if kind not in kinds and len(kinds) < MOST_KINDS:
            kinds.add(kind)
            yield (oid,)


def kind_of(state: State, oid: int) -> tuple[object, ...]:
    """Things of the same kind are as good as each other to give up."""
    found = state.objects[oid]
    return id(found.definition), found.counters, found.tapped, bool(found.attachments)


def due(state: State, seat: int, source: int, costs: forms.Costs, spent: Spent) -> Iterator[Spent]:
    """The ways to set aside what the other costs of something ask for: it may still be tapped for mana, but not given up for it."""
    ability = forms.ActivatedAbility(cost=tuple(cost for cost in costs if type(cost) in _SET_ASIDE))
    at = _At(state, seat, Maker(source, -1, ability, mana.ZERO, False), {})
    found = [Use((), spent)]
    for cost in ability.cost:
        found = [more for use in found for more in PAID_WITH[type(cost)](at, cost, use)][: 2 * MOST_KINDS]
    for use in found:
        yield use.spent._replace(gone=spent.gone, due=use.spent.gone - spent.gone)


_SET_ASIDE = (
    forms.LifeCost,
    forms.CountersCost,
    forms.TapOthersCost,
    forms.SacrificeCost,
    forms.DiscardCost,
    forms.ExileCost,
    forms.ReturnCost,
)


# --- what it makes -----------------------------------------------------------------------------------------------------------

#: What was paid, as instructions speak of it.
_NAMES: dict[type[forms.Cost], str] = {
    forms.SacrificeCost: "sacrificed",
    forms.DiscardCost: "discarded",
    forms.ExileCost: "exiled",
    forms.ReturnCost: "returned",
    forms.TapOthersCost: "tapped",
}


def makes(state: State, maker: Maker, use: Use, wanted: int, paying: Paid | None) -> list[Pool]:
    """What mana an activation could make, of the colours that are wanted as far as there is a choice; none if its mana may not be
    spent on this, or it would be the end of its player."""
    found = state.objects[maker.key]
    seat = found.controller if found.zone == "battlefield" else found.owner
    scope = Scope(maker.key, seat)
    for cost, picked in zip(maker.ability.cost, use.picks, strict=True):
        if (name := _NAMES.get(type(cost))) and picked:
            scope = scope.bind(Label(name), picked)
    adding = [verb for verb in maker.ability.do if isinstance(verb, forms.AddMana)]
    life = state.players[seat].life - use.spent.life
    if len(adding) != 1 or any(_ruins(verb, life) for verb in maker.ability.do):
        return []
    verb, before = adding[0], _before(state, maker, adding[0], scope)
    if before is None or not isinstance(verb.who.reading, nouns.You):
        return []
    view, scope = before
    if verb.only is not None and not may_spend(state, verb.only, maker.key, seat, paying):
        return []
    if verb.mana:
        n = amount(view, verb.count, scope)
        return [added_pool(state, seat, pool_of(verb.mana, n))] if n > 0 else []
    mask = added_mask(state, seat, choosable(state, verb, scope, found))
    colors = [color for color in range(6) if (mask & wanted or mask & -mask) >> color & 1]
    if verb.different:
        return list(mixed(colors, max(0, amount(view, verb.count, scope)), True))
    of_each = [(color, amount(view, verb.count, scope.bind(BoundWord.CHOSEN_MANA, COLORS[color]))) for color in colors]
    return [pool for color, n in of_each if n > 0 for pool in mixed([color], n, False)]


def mixed(colors: list[int], count: int, different: bool) -> Iterator[Pool]:
    """So much mana of one of these colours, or each of any of them."""
    rows = combinations_with_replacement(colors, count) if different else ((color,) * count for color in colors)
    return (cast(Pool, tuple(row.count(color) for color in range(6))) for row in rows)


def _ruins(verb: forms.Verb, life: int) -> bool:
    """Whether an instruction takes all of the player's life, or nobody knows how much."""
    match verb:
        case forms.Damage(amount=n, to=whom) | forms.LoseLife(amount=n, who=whom):
            return isinstance(whom.reading, nouns.You) and (not isinstance(n, int) or n >= life)
        case _:
            return False


def _before(state: State, maker: Maker, adding: forms.AddMana, scope: Scope) -> tuple[State, Scope] | None:
    """The state in which it is asked how much mana is added, with counters that the ability puts on its object first, and what is
    said of X by then; None if it does something else first."""
    for verb in maker.ability.do:
        if verb is adding:
            return state, scope
        match verb:
            case forms.PutCounters(what=what, count=int(n), counter=kind) if isinstance(what.reading, nouns.This):
                found = state.objects[maker.key]
                more = with_rare(found, counters=lookup.with_counters(found.counters, kind, n))
                state = evolve(state, objects={**state.objects, found.id: more})
            case forms.Bind(as_name=name, amount=n) if n is not None:
                scope = scope.bind(Label(name), amount(state, n, scope))
            case _:
                return None
    return None
