"""Choosing what a noun leaves open: "a creature you control", a tied superlative, "each player sacrifices a creature"."""

from __future__ import annotations

from collections.abc import Generator

from msgspec.structs import replace

from server.cards import nouns
from server.cards.nouns import Noun
from server.rules.characteristics import amount, can_be_sacrificed, predicates, reaches, select, things
from server.rules.model import AnyAnswer, AnyQuestion, Ref, Scope, State, ask, evolve, lookup, player_ref, seat_of

Picking = Generator[AnyQuestion, AnyAnswer, "tuple[Ref, ...]"]


def pick(state: State, noun: Noun, scope: Scope, purpose: str, chooser: int) -> Picking:
    """What a noun selects, the chooser picking where it leaves a choice ("a creature you control", a tied superlative)."""
    reading = noun.reading
    if isinstance(reading, nouns.Choose):
        options = things(state, reading.of, scope)
        n = amount(state, reading.count, scope)
        most = len(options) if n < 0 else n
        least = 0 if reading.up_to or n < 0 else n
        if total_of(reading.of) is not None:
            return (yield from choose_within(state, chooser, reading.of, options, (least, most), purpose, scope))
        return (yield from ask.choose_refs(chooser, options, least, most, purpose, scope.source))
    found = select(state, noun, scope)
    if state.options.limited:  # 801.10
        found = tuple(r for r in found if lookup.reaches(state, scope.controller, r))
    if isinstance(reading, nouns.Superlative) and reading.tie == "choose" and len(found) > 1:
        return (yield from ask.choose_refs(chooser, found, 1, 1, purpose, scope.source))
    return found


def total_of(kind: nouns.Things) -> nouns.TotalAtMost | None:
    """What things of a kind may come to together, if that is said."""
    parts = kind.objects.parts if isinstance(kind.objects, nouns.All) else (kind.objects,)
    return next((part for part in parts if isinstance(part, nouns.TotalAtMost)), None)


def choose_within(
    state: State,
    seat: int,
    kind: nouns.Things,
    options: tuple[Ref, ...],
    bounds: tuple[int, int],
    purpose: str,
    scope: Scope,
) -> Picking:
    """Between the `bounds` of the options, one after the other as long as they come to no more than the kind says."""
    total = total_of(kind)
    left = amount(state, total.amount, scope) if total is not None else 0
    found: tuple[Ref, ...] = ()
    while total is not None and len(found) < bounds[1]:
        fitting = tuple(r for r in options if r not in found and predicates.stat(state, r, total.stat) <= left)
        least = int(len(found) < bounds[0])
        one = (yield from ask.choose_refs(seat, fitting, least, 1, purpose, scope.source)) if fitting else ()
        if not one:
            break
        left -= predicates.stat(state, one[0], total.stat)
        found += one
    return found


def alike_of(kind: nouns.Things) -> tuple[nouns.Alike, ...]:
    """What targets of a kind are beside each other, if that is said."""
    parts = kind.objects.parts if isinstance(kind.objects, nouns.All) else (kind.objects,)
    return tuple(part for part in parts if isinstance(part, nouns.Alike))


def choose_alike(
    state: State, seat: int, kind: nouns.Things, options: tuple[Ref, ...], bounds: tuple[int, int], scope: Scope
) -> Picking:
    """One after the other those that go with the ones before, and of which enough go together."""
    alike = alike_of(kind)
    found: tuple[Ref, ...] = ()
    while len(found) < bounds[1]:
        others = tuple(r for r in options if r not in found)
        fitting = tuple(r for r in others if all(reaches(state, a, (*found, r), options, bounds[0]) for a in alike))
        least = int(len(found) < bounds[0])
        one = (yield from ask.choose_refs(seat, fitting, least, 1, "target", scope.source)) if fitting else ()
        if not one:
            break
        found += one
    return found


def pick_own(
    state: State, noun: Noun, scope: Scope, purpose: str, seat: int, among: tuple[Ref, ...] | None = None
) -> Picking:
    """What a player picks among things of their own, or of those `among` which it is to be: "each player sacrifices a creature"
    means that player's creatures."""
    reading = noun.reading
    if isinstance(reading, nouns.Choose):
        local = Scope(scope.source, seat, scope.entry, scope.bindings)
        options = tuple(
            r for r in things(state, reading.of, local) if own(state, r, seat) and (among is None or r in among)
        )
        if purpose == "sacrifice":  # nobody can choose what is impossible (608.2d)
            options = tuple(r for r in options if can_be_sacrificed(state, r))
        n = amount(state, reading.count, scope)
        most = len(options) if n < 0 else n
        least = 0 if reading.up_to or n < 0 else n
        return (yield from ask.choose_refs(seat, options, least, most, purpose, scope.source))
    found = yield from pick(state, noun, scope, purpose, seat)
    if isinstance(reading, nouns.Each):
        return tuple(r for r in found if own(state, r, seat))
    return found


def within_reach(state: State, seat: int, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Of what is to be chosen from that which is within the range of influence of who chooses (801.5a)."""
    return tuple(ref for ref in refs if lookup.reaches(state, seat, ref)) if state.options.limited else refs


def own(state: State, ref: Ref, seat: int) -> bool:
    """Whether an object is a player's: controlled on the battlefield, owned elsewhere."""
    found = state.objects.get(ref)
    return found is not None and (found.controller if found.zone == "battlefield" else found.owner) == seat


def one_of(state: State, noun: Noun, scope: Scope) -> Generator[AnyQuestion, AnyAnswer, int]:
    """The seat of the one of the players whom a noun describes that makes a choice; the controller says which of several."""
    who = tuple(player_ref(seat) for seat in _who_can_choose(state, noun, scope))
    if len(who) > 1:
        who = yield from ask.choose_refs(scope.controller, who, 1, 1, "player", scope.source)
    return seat_of(who[0]) if who else scope.controller


def _who_can_choose(state: State, noun: Noun, scope: Scope) -> tuple[int, ...]:
    """Those within the controller's range of influence, else the closest one to the left (801.5c)."""
    found = seats(state, noun, scope)
    if found or not state.options.limited:
        return found
    everywhere = evolve(state, options=replace(state.options, range_of_influence=0, ranges=()))
    meant = seats(everywhere, noun, scope)
    return tuple(seat for seat in lookup.turn_order(state, scope.controller) if seat in meant)[:1]


def seats(state: State, noun: Noun, scope: Scope) -> tuple[int, ...]:
    """The seats of the players that a noun selects, in APNAP order (101.4)."""
    chosen = tuple(r for r in select(state, noun, scope) if r < 0 and lookup.reaches(state, scope.controller, r))
    order = lookup.turn_order(state)
    return tuple(s for s in order if player_ref(s) in chosen)
