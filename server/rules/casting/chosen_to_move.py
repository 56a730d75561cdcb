"""What an instruction moves: who chooses it, and in what order it is put into libraries or drawn (101.4, 401.4, 805.6a)."""

from __future__ import annotations

from collections.abc import Generator

from server.cards import forms
from server.cards.nouns import kind_of
from server.rules.casting.picking import own, pick, pick_own, seats
from server.rules.characteristics import things
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundRefs,
    Ref,
    Scope,
    State,
    ask,
    current,
    lookup,
    player_ref,
    seat_of,
)


def chosen_to_move(state: State, verb: forms.Move, scope: Scope) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...]]:
    """What moves, as you choose it or as each of the players does who move cards or permanents of their own (101.4)."""
    if verb.who is None:
        return (yield from pick(state, verb.what, scope, verb.to, scope.controller))
    chosen: list[Ref] = []
    for seat in seats(state, verb.who, scope):
        local = scope.bind(BoundRefs.PLAYER, (player_ref(seat),))
        chosen.extend((yield from pick_own(state, verb.what, local, verb.to, seat)))
    return tuple(chosen)


def all_but(
    state: State, verb: forms.Sacrifice, scope: Scope, seat: int
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...]]:
    """What a player sacrifices who chooses some and sacrifices the rest: all of that kind that were not chosen. One permanent may
    be chosen as several ("an artifact and a creature"), each of that kind ("from among the nonland permanents")."""
    local = Scope(scope.source, seat, scope.entry, scope.bindings)
    kind = kind_of(verb.what.reading)
    every = tuple(r for r in things(state, kind, local) if own(state, r, seat)) if kind is not None else ()
    kept: set[Ref] = set()
    for noun in verb.spared or (verb.what,):
        kept.update((yield from pick_own(state, noun, scope, "spared", seat, every)))
    return tuple(ref for ref in every if ref not in kept)


def arranged(
    state: State, verb: forms.Move, chosen: tuple[Ref, ...], scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...]]:
    """What moves as it is now, in the order in which it is put into libraries, as each owner of several cards says (401.4)."""
    refs = tuple(dict.fromkeys(i for r in chosen if r > 0 for i in current(state, r, scope)))
    if verb.to != "library" or len(refs) < 2 or verb.shuffle:
        return refs
    order: list[Ref] = []
    for seat in lookup.turn_order(state):
        own = tuple(r for r in refs if r in state.objects and state.objects[r].owner == seat)
        if len(own) > 1:
            own = yield from ask.order(seat, own, "library order", scope.source)
        order.extend(own if verb.bottom else reversed(own))
    return tuple(order)


def drawing_order(
    state: State, who: tuple[int, ...], source: int
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]:
    """Who draws first of those that have their turns together: whom the team likes (805.6a), told by its primary player."""
    order: list[int] = []
    for speaking in dict.fromkeys(lookup.spokesman(state, seat) for seat in who):
        left = tuple(player_ref(seat) for seat in who if lookup.spokesman(state, seat) == speaking)
        while left:
            (first,) = yield from ask.choose_refs(speaking, left, 1, 1, "draws first", source)
            order.append(seat_of(first))
            left = tuple(ref for ref in left if ref != first)
    return tuple(order)
