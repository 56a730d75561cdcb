"""Each kind of cost but mana (117): whether it can be paid, and the events of paying it, in one table.

Mana is added up and paid for in `server.rules.costs.mana_sources`, and one of several costs is settled before (`costs`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.characteristics import amount, characteristics, fits, fits_kind, rules_about, select
from server.rules.costs.exerting import exerted
from server.rules.costs.mana_sources import as_though_haste, can_tap
from server.rules.costs.payers import YOU, counters_held, how_many, may_sacrifice, payers, tappable
from server.rules.functioning import has
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundRefs,
    Scope,
    State,
    ask,
    chance,
    events,
    lookup,
    player_ref,
)

Picking = Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]
Paying = Generator[AnyQuestion, AnyAnswer, "tuple[events.Event, ...]"]


EACH_OTHER = Noun("each other player")


class Payer(NamedTuple):
    """Who pays, for what (the source of the scope), and what has been given up for another cost."""

    state: State
    seat: int
    scope: Scope
    taken: tuple[int, ...] = ()


class Kind(NamedTuple):
    """`can` says whether a player could pay such a cost now; `pay` gives the events of paying, or asks for them."""

    can: Callable[[Payer, Any], bool]
    pay: Callable[[Payer, Any], tuple[events.Event, ...] | Paying]


# --- the source itself -------------------------------------------------------------------------------------------------


def _can_tap(by: Payer, cost: forms.TapCost) -> bool:
    source = by.state.objects.get(by.scope.source)
    return source is not None and can_tap(by.state, source)


def _tap(by: Payer, cost: forms.TapCost) -> tuple[events.Event, ...]:
    return (events.Tap(subject=by.scope.source, cause="cost"),)


def _can_untap(by: Payer, cost: forms.UntapCost) -> bool:
    source = by.state.objects.get(by.scope.source)
    if source is None or not source.tapped or source.zone != "battlefield":
        return False
    c = characteristics(by.state, source.id)
    sick = source.sick and "creature" in c.types and "haste" not in c.keywords
    return not sick or as_though_haste(by.state, source.id)


def _untap(by: Payer, cost: forms.UntapCost) -> tuple[events.Event, ...]:
    return (events.Untap(subject=by.scope.source, cause="cost"),)


def _can_loyalty(by: Payer, cost: forms.LoyaltyCost) -> bool:
    source = by.state.objects.get(by.scope.source)
    if source is None:
        return False
    return cost.x or cost.change >= 0 or lookup.count(source.counters, "loyalty") >= -cost.change


def _loyalty(by: Payer, cost: forms.LoyaltyCost) -> tuple[events.Event, ...]:
    source, entry = by.scope.source, by.scope.entry
    change = -(entry.x if entry else 0) if cost.x else cost.change
    if change >= 0:
        return (events.PutCounters(subject=source, amount=change, counter="loyalty", by=source, cause="cost"),)
    return (events.RemoveCounters(subject=source, amount=-change, counter="loyalty", cause="cost"),)


def _can_exert(by: Payer, cost: forms.ExertCost) -> bool:
    return lookup.permanent(by.state, by.scope.source) is not None


def _exert(by: Payer, cost: forms.ExertCost) -> tuple[events.Event, ...]:
    return exerted(by.state, by.seat, by.scope.source)


# --- of players ----------------------------------------------------------------------------------------------------------


def _can_pay_life(by: Payer, cost: forms.LifeCost) -> bool:
    n = amount(by.state, cost.amount, by.scope)
    if n and not by.scope.number(BoundNumber.RESOLVING) and has(by.state, by.seat, "can't pay life"):
        return False
    return n == 0 or (by.state.players[by.seat].life >= n and not has(by.state, by.seat, "can't lose life"))


def _pay_life(by: Payer, cost: forms.LifeCost) -> tuple[events.Event, ...]:
    n = amount(by.state, cost.amount, by.scope)
    return (events.LoseLife(subject=player_ref(by.seat), amount=n, by=by.scope.source, cause="pay"),)


def _can_mill(by: Payer, cost: forms.MillCost) -> bool:
    return len(by.state.players[by.seat].library) >= amount(by.state, cost.count, by.scope)


def _mill(by: Payer, cost: forms.MillCost) -> tuple[events.Event, ...]:
    library = by.state.players[by.seat].library
    n = amount(by.state, cost.count, by.scope)
    return tuple(events.Move(subject=i, to="graveyard", cause="mill") for i in library[::-1][:n])


def _can_promise(by: Payer, cost: forms.PromiseCost) -> bool:
    return bool(lookup.opponents(by.state, by.seat))


def _can_give_life(by: Payer, cost: forms.GiveLifeCost) -> bool:
    return cost.each or bool(_receivers(by.state, by.seat))


def _give_life(by: Payer, cost: forms.GiveLifeCost) -> Paying:
    n, source = amount(by.state, cost.amount, by.scope), by.scope.source
    if cost.each:
        others = select(by.state, EACH_OTHER, by.scope)
        return tuple(events.GainLife(subject=r, amount=n, by=source) for r in others)
    given = yield from ask.choose_refs(by.seat, _receivers(by.state, by.seat), 1, 1, "gain life", source)
    return tuple(events.GainLife(subject=r, amount=n, by=source) for r in given)


def _take_damage(by: Payer, cost: forms.DamageCost) -> tuple[events.Event, ...]:
    n, source = amount(by.state, cost.amount, by.scope), by.scope.source
    return (events.Damage(subject=source, object=player_ref(by.seat), amount=n, by=source),)


def _always(by: Payer, cost: forms.ManaCost | forms.DamageCost) -> bool:
    return True


def nothing(by: Payer, cost: forms.Cost) -> tuple[events.Event, ...]:
    """What is paid elsewhere has no events here."""
    return ()


def _receivers(state: State, seat: int) -> tuple[int, ...]:
    """The opponents who can gain life."""
    return tuple(player_ref(s) for s in lookup.opponents(state, seat) if not has(state, s, "can't gain life"))


# --- counters ------------------------------------------------------------------------------------------------------------


def _can_counters(by: Payer, cost: forms.CountersCost) -> bool:
    if cost.put:  # on something that is there: to blight takes a creature (current 701.68b)
        return cost.of == YOU or bool(payers(by.state, by.seat, cost.of, by.scope))
    n = amount(by.state, cost.count, by.scope)
    if cost.of == YOU:  # counters of the player's own (energy)
        return lookup.count(by.state.players[by.seat].counters, cost.counter) >= n
    held = [counters_held(by.state, i, cost.counter) for i in payers(by.state, by.seat, cost.of, by.scope)]
    return (sum(held) if cost.among else max(held, default=0)) >= max(n, cost.least)


def _counters(by: Payer, cost: forms.CountersCost) -> Paying:
    state, n, kind = by.state, amount(by.state, cost.count, by.scope), cost.counter
    if cost.of == YOU:
        return (events.RemoveCounters(subject=player_ref(by.seat), amount=n, counter=kind, cause="cost"),)
    of = payers(state, by.seat, cost.of, by.scope)
    if cost.among:
        return (yield from _from_among(by, cost, of, n))
    among = tuple(i for i in of if cost.put or counters_held(state, i, kind) >= n)
    picked = yield from _pick(by, cost.of, "counters", among)
    if not kind:
        return (yield from _any_counters(state, by.seat, picked, n))
    change = events.PutCounters if cost.put else events.RemoveCounters
    return tuple(change(subject=i, amount=n, counter=kind, cause="cost") for i in picked)


def _from_among(by: Payer, cost: forms.CountersCost, of: tuple[int, ...], n: int) -> Paying:
    """So many counters of a kind, or of whichever kinds, from these: each is chosen by what it is on, one after the other."""
    left = {i: counters_held(by.state, i, cost.counter) for i in of}
    taken: dict[int, int] = {}
    for _ in range(n):
        there = tuple(i for i, held in left.items() if held)
        for i in (yield from ask.choose_refs(by.seat, there, 1, 1, "counters", by.scope.source)):
            left[i] -= 1
            taken[i] = taken.get(i, 0) + 1
    batch: list[events.Event] = []
    for i, k in taken.items():
        if cost.counter:
            batch.append(events.RemoveCounters(subject=i, amount=k, counter=cost.counter, cause="cost"))
        else:
            batch.extend((yield from _any_counters(by.state, by.seat, (i,), k)))
    return tuple(batch)


def _any_counters(
    state: State, seat: int, picked: tuple[int, ...], n: int
) -> Generator[AnyQuestion, AnyAnswer, tuple[events.Event, ...]]:
    """So many counters of whichever kinds are removed from each of these, one after the other."""
    batch: list[events.Event] = []
    for oid in picked:
        left = dict(state.objects[oid].counters)
        for _ in range(n):
            kinds = tuple(kind for kind, held in left.items() if held)
            kind = kinds[0] if len(kinds) == 1 else (yield from ask.choose_word(seat, kinds, "counter", oid))
            left[kind] -= 1
            batch.append(events.RemoveCounters(subject=oid, amount=1, counter=kind, cause="cost"))
    return tuple(batch)


# --- evidence, crews ------------------------------------------------------------------------------------------------------


def _can_collect(by: Payer, cost: forms.EvidenceCost) -> bool:
    return sum(_evidence(by.state, by.seat, by.scope).values()) >= amount(by.state, cost.amount, by.scope)


def _evidence(state: State, seat: int, scope: Scope) -> dict[int, int]:
    """The mana values of the cards that a player could exile as evidence."""
    cards = (i for i in state.players[seat].graveyard if i != scope.source)
    return {i: characteristics(state, i).mana_value for i in cards}


def _collect(by: Payer, cost: forms.EvidenceCost) -> Paying:
    """Any number of cards of at least this total mana value, chosen one after the other (current 701.59a)."""
    source = by.scope.source
    left = _evidence(by.state, by.seat, by.scope)
    missing = amount(by.state, cost.amount, by.scope)
    taken: list[int] = []
    while left and (missing > 0 or taken):
        least = 1 if missing > 0 else 0
        picked = yield from ask.choose_refs(by.seat, tuple(left), least, 1, "exile", source)
        if not picked:
            break
        taken.append(picked[0])
        missing -= left.pop(picked[0])
    moves = tuple(events.Move(subject=i, to="exile", cause="exile", by=source) for i in taken)
    return (*moves, events.EvidenceCollected(subject=player_ref(by.seat), by=source))


def _can_tap_others(by: Payer, cost: forms.TapOthersCost) -> bool:
    idle = tappable(by.state, by.seat, cost, by.scope)
    if cost.power:
        return _total_power(by.state, idle, by.scope) >= amount(by.state, cost.power, by.scope)
    return len(idle) >= how_many(by.state, cost.what, by.scope)


def _tap_others(by: Payer, cost: forms.TapOthersCost) -> Paying:
    idle = tuple(i for i in tappable(by.state, by.seat, cost, by.scope) if i not in by.taken)
    if cost.power:
        least = amount(by.state, cost.power, by.scope)
        picked = yield from _pick_power(by.state, by.seat, least, idle, by.scope)
    else:
        picked = yield from _pick(by, cost.what, "tap", idle)
    return tuple(events.Tap(subject=i, cause="cost") for i in picked)


def _total_power(state: State, ids: tuple[int, ...], scope: Scope) -> int:
    return sum(max(0, _power_for(state, i, scope)) for i in ids)


def _power_for(state: State, oid: int, scope: Scope) -> int:
    """The power with which a creature crews or saddles the source, which may be said to be greater."""
    told = (rule.flag for rule in rules_about(state, oid) if rule.flag.rule == "crews as though stronger")
    more = sum(
        amount(state, flag.number, scope)
        for flag in told
        if flag.param is not None and fits(state, flag.param.reading, scope.source, scope)
    )
    return (characteristics(state, oid).power or 0) + more


def _pick_power(
    state: State, seat: int, least: int, among: tuple[int, ...], scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]:
    """One after the other until their total power is enough (crew, current 702.122a)."""
    picked: tuple[int, ...] = ()
    while _total_power(state, picked, scope) < least:
        left = tuple(i for i in among if i not in picked and _power_for(state, i, scope) > 0)
        if not left:
            break
        picked += yield from ask.choose_refs(seat, left, 1, 1, "tap", scope.source)
    return picked


# --- what a noun names -----------------------------------------------------------------------------------------------------

Named = (
    forms.SacrificeCost | forms.DiscardCost | forms.ExileCost | forms.ReturnCost | forms.RevealCost | forms.LibraryCost
)


def _can_named(by: Payer, cost: Named) -> bool:
    found = payers(by.state, by.seat, cost.what, by.scope)
    if isinstance(cost, forms.SacrificeCost):
        found = may_sacrifice(by.state, by.seat, found, by.scope)
    return len(found) >= how_many(by.state, cost.what, by.scope)


def _among(by: Payer, cost: Named) -> tuple[int, ...]:
    return tuple(i for i in payers(by.state, by.seat, cost.what, by.scope) if i not in by.taken)


def _pick(by: Payer, noun: Noun, purpose: str, among: tuple[int, ...]) -> Picking:
    n = how_many(by.state, noun, by.scope)
    first = by.scope.refs(BoundRefs.PREFERRED) or ()
    among = (*(i for i in first if i in among), *(i for i in among if i not in first))
    least, most = (n, n) if n >= 0 else (0, len(among))  # less than none: any number
    return (yield from ask.choose_refs(by.seat, among, least, most, purpose, by.scope.source))


def _sacrifice(by: Payer, cost: forms.SacrificeCost) -> Paying:
    among = may_sacrifice(by.state, by.seat, _among(by, cost), by.scope)
    picked = yield from _pick(by, cost.what, "sacrifice", among)
    return tuple(events.Move(subject=i, to="graveyard", cause="sacrifice", by=by.scope.source) for i in picked)


def _discard(by: Payer, cost: forms.DiscardCost) -> Paying:
    among, source = _among(by, cost), by.scope.source
    cause = "cycling" if among == (source,) and _is_cycling(by.scope) else "discard"
    if cost.random and len(among) > 1:
        return _discard_at_random(by.state, among, how_many(by.state, cost.what, by.scope), source)
    picked = yield from _pick(by, cost.what, "discard" if _is_any_card(cost.what) else ask.DISCARD_OF_A_KIND, among)
    if len(picked) == len(among):
        picked = lookup.by_name(by.state, picked)
    entry = by.scope.entry
    x = entry.x if entry is not None and cause == "cycling" else 0  # of which "when you cycle this card" speaks
    return tuple(events.Move(subject=i, to="graveyard", cause=cause, by=source, amount=x) for i in picked)


_CARD = nouns.IsA("card")


def _is_any_card(noun: Noun) -> bool:
    """Whether "a card", "two cards": anything in the hand will do."""
    reading = noun.reading
    return isinstance(reading, nouns.Choose) and reading.of.objects == _CARD


def _discard_at_random(state: State, among: tuple[int, ...], n: int, source: int) -> tuple[events.Event, ...]:
    """The pick, which uses chance up as it is done, and what it picks: nobody sees either before all costs are paid."""
    mixed = list(among)
    chance.shuffle(state.options.seed, state.chance, mixed)
    moves = (events.Move(subject=i, to="graveyard", cause="discard", by=source) for i in mixed[:n])
    return (events.PickAtRandom(objects=among, amount=n), *moves)


def _is_cycling(scope: Scope) -> bool:
    """Whether it is a cycling ability that is paid for (702.27c, d)."""
    ability = scope.entry.ability if scope.entry is not None else None
    return isinstance(ability, forms.ActivatedAbility) and ability.keyword == "cycling"


def _exile(by: Payer, cost: forms.ExileCost) -> Paying:
    picked = yield from _pick(by, cost.what, "exile", _among(by, cost))
    source = by.scope.source
    linked = source if cost.link else 0
    return tuple(events.Move(subject=i, to="exile", cause="exile", by=source, linked_to=linked) for i in picked)


def _return(by: Payer, cost: forms.ReturnCost) -> Paying:
    picked = yield from _pick(by, cost.what, "return", _among(by, cost))
    return tuple(events.Move(subject=i, to="hand", cause="return", by=by.scope.source) for i in picked)


def _can_bury(by: Payer, cost: forms.BuryCost) -> bool:
    return len(_buriable(by, cost)) >= how_many(by.state, cost.what, by.scope)


def _buriable(by: Payer, cost: forms.BuryCost) -> tuple[int, ...]:
    """The exiled cards of the kind, whoever owns them."""
    reading = cost.what.reading
    kind = reading.of if isinstance(reading, nouns.Choose) else nouns.Things()
    local = Scope(by.scope.source, by.seat, by.scope.entry, by.scope.bindings)
    return tuple(i for i in by.state.exile if i not in by.taken and fits_kind(by.state, kind, i, local))


def _bury(by: Payer, cost: forms.BuryCost) -> Paying:
    picked = yield from _pick(by, cost.what, "bury", _buriable(by, cost))
    return tuple(events.Move(subject=i, to="graveyard", by=by.scope.source) for i in picked)


def _to_library(by: Payer, cost: forms.LibraryCost) -> Paying:
    picked = yield from _pick(by, cost.what, "put into library", _among(by, cost))
    place, source = -1 if cost.bottom else 0, by.scope.source
    return tuple(events.Move(subject=i, to="library", position=place, cause="put", by=source) for i in picked)


def _reveal(by: Payer, cost: forms.RevealCost) -> Paying:
    picked = yield from _pick(by, cost.what, "reveal", _among(by, cost))
    everyone = (1 << len(by.state.players)) - 1
    return (events.Reveal(subject=player_ref(by.seat), objects=picked, seats=everyone),)


def _beholdable(by: Payer, cost: forms.BeholdCost) -> tuple[int, ...]:
    """Permanents and cards in hand of the kind, but not what is paid for (current 701.4a)."""
    reading = cost.what.reading
    kind = reading.of if isinstance(reading, nouns.Choose) else nouns.Things()
    hand = (i for i in by.state.players[by.seat].hand if i != by.scope.source)
    return (
        *payers(by.state, by.seat, cost.what, by.scope),
        *(i for i in hand if fits_kind(by.state, kind, i, by.scope)),
    )


def _can_behold(by: Payer, cost: forms.BeholdCost) -> bool:
    return len(_beholdable(by, cost)) >= how_many(by.state, cost.what, by.scope)


def _behold(by: Payer, cost: forms.BeholdCost) -> Paying:
    among = tuple(i for i in _beholdable(by, cost) if i not in by.taken)
    picked = yield from _pick(by, cost.what, "behold", among)
    shown = tuple(i for i in picked if by.state.objects[i].zone == "hand")
    everyone = (1 << len(by.state.players)) - 1
    told = tuple(events.KeywordAction(subject=i, amount=1, cause="behold", by=by.scope.source) for i in picked)
    if not shown:
        return told
    return (events.Reveal(subject=player_ref(by.seat), objects=shown, seats=everyone, by=by.scope.source), *told)


KINDS: dict[type[forms.Cost], Kind] = {
    forms.ManaCost: Kind(_always, nothing),
    forms.TapCost: Kind(_can_tap, _tap),
    forms.UntapCost: Kind(_can_untap, _untap),
    forms.LoyaltyCost: Kind(_can_loyalty, _loyalty),
    forms.ExertCost: Kind(_can_exert, _exert),
    forms.LifeCost: Kind(_can_pay_life, _pay_life),
    forms.MillCost: Kind(_can_mill, _mill),
    forms.PromiseCost: Kind(_can_promise, nothing),
    forms.GiveLifeCost: Kind(_can_give_life, _give_life),
    forms.CountersCost: Kind(_can_counters, _counters),
    forms.EvidenceCost: Kind(_can_collect, _collect),
    forms.TapOthersCost: Kind(_can_tap_others, _tap_others),
    forms.SacrificeCost: Kind(_can_named, _sacrifice),
    forms.DiscardCost: Kind(_can_named, _discard),
    forms.ExileCost: Kind(_can_named, _exile),
    forms.ReturnCost: Kind(_can_named, _return),
    forms.RevealCost: Kind(_can_named, _reveal),
    forms.BuryCost: Kind(_can_bury, _bury),
    forms.LibraryCost: Kind(_can_named, _to_library),
    forms.DamageCost: Kind(_always, _take_damage),
    forms.BeholdCost: Kind(_can_behold, _behold),
}
"""Every kind of cost but `EitherCost`, which `costs` adds."""
