"""The objects with which costs can be paid (117): what could be sacrificed, tapped, discarded, exiled, returned."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.characteristics import amount, can_be_sacrificed, fits, fits_kind, select, things, whatever_x
from server.rules.functioning import rules
from server.rules.model import BoundNumber, Scope, State, lookup, walk

YOU = Noun("you")

#: The binding of what is paid while something resolves: rules about casting and activating do not concern it.

#: The binding of what a payment would pay with, offered first.


def may_sacrifice(state: State, seat: int, found: tuple[int, ...], scope: Scope) -> tuple[int, ...]:
    """Those that no rule keeps from being sacrificed, or from being so to cast a spell or activate an ability."""
    found = tuple(i for i in found if can_be_sacrificed(state, i))
    if scope.number(BoundNumber.RESOLVING):
        return found
    for rule, of in rules(state, seat, "can't sacrifice to pay"):
        found = tuple(i for i in found if rule.what is None or not fits(state, rule.what.reading, i, of))
    return found


def counters_held(state: State, oid: int, kind: str) -> int:
    """How many counters of a kind, "" any, are on an object."""
    counters = state.objects[oid].counters
    return lookup.count(counters, kind) if kind else sum(n for _, n in counters)


def how_many(state: State, noun: Noun, scope: Scope) -> int:
    """How many things a cost asks for; less than 0: any number."""
    if isinstance(noun.reading, nouns.Choose):
        return amount(state, noun.reading.count, scope)
    return amount(state, noun.reading.count, scope) if isinstance(noun.reading, nouns.Top) else 1


def says_x(cost: forms.AnyCost) -> bool:
    """Whether a cost other than mana speaks of X."""
    if isinstance(cost, forms.ManaCost):
        return False
    parts = [inner for part in walk(cost) for inner in (walk(part.reading) if isinstance(part, Noun) else [part])]
    return any(isinstance(part, nouns.X) for part in parts)


def payers(state: State, seat: int, noun: Noun, scope: Scope) -> tuple[int, ...]:
    """The objects that could pay a cost: of the player, in the zone that the noun says."""
    reading = noun.reading
    if isinstance(reading, nouns.Choose) and scope.entry is None and scope.number(BoundNumber.X) is None:
        reading = replace(reading, of=whatever_x(reading.of))
    if isinstance(reading, nouns.Choose) and reading.of.anywhere:
        # A card of no named zone ("discard a card") is one in hand.
        local = Scope(scope.source, seat, scope.entry, scope.bindings)
        hand = state.players[seat].hand
        return tuple(i for i in hand if i != scope.source and fits_kind(state, reading.of, i, local))
    if isinstance(reading, nouns.Choose):
        found = things(state, reading.of, Scope(scope.source, seat, scope.entry, scope.bindings))
        return tuple(i for i in found if i > 0 and _is_own(state, seat, i) and not _on_stack_now(state, scope, i))
    named = tuple(i for i in select(state, noun, scope) if i > 0 and i in state.objects)
    # 117.3: what an Aura is attached to pays only for the player who controls it; no other can sacrifice it (701.14a).
    return tuple(i for i in named if _is_own(state, seat, i)) if isinstance(reading, nouns.Attached) else named


def _on_stack_now(state: State, scope: Scope, oid: int) -> bool:
    """A card can't pay for itself: what is being cast is on the stack already when costs are paid (601.2a)."""
    source = state.objects.get(scope.source)
    return oid == scope.source and source is not None and source.zone == "hand"


def _is_own(state: State, seat: int, oid: int) -> bool:
    found = state.objects[oid]
    return (found.controller if found.zone == "battlefield" else found.owner) == seat


def tappable(state: State, seat: int, cost: forms.TapOthersCost, scope: Scope) -> tuple[int, ...]:
    """The untapped ones of those that could be tapped for a cost."""
    return tuple(i for i in payers(state, seat, cost.what, scope) if not state.objects[i].tapped)
