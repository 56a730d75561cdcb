"""Whether an optional instruction could be followed at all: what is impossible cannot be chosen (608.2d). Only what everyone can see
counts, so that an offer tells nothing of a hidden hand or library."""

from __future__ import annotations

from server.cards import forms, keywords, nouns
from server.rules.casting import own, seats
from server.rules.characteristics import amount, can_be_sacrificed, select, things
from server.rules.model import BoundRefs, Scope, State, lookup, player_ref

_PUBLIC = ("battlefield", "graveyard", "exile")


def possible(state: State, program: forms.Tree, scope: Scope) -> bool:
    """Whether there is as much as the first of these instructions asks to be chosen, of permanents, cards in graveyards, counters
    or cards in a hand."""
    verb = program[0] if program else None
    match verb:
        case forms.Sacrifice(what, who):
            return all(_enough(state, what, scope, seat) for seat in seats(state, who, scope))
        case forms.Move(what, who=nouns.Noun() as who):
            return all(_enough(state, what, scope, seat, False) for seat in seats(state, who, scope))
        case forms.Move(what) | forms.Tap(what) | forms.Destroy(what) | forms.PutCounters(what=what):
            return _enough(state, what, scope)
        case forms.KeywordAction():
            return possible(state, keywords.program(verb.action, verb.kind), scope)
        case forms.Discard(count, who) if not (verb.up_to or verb.all):
            n = amount(state, count, scope)
            return all(len(state.players[seat].hand) >= n for seat in seats(state, who, scope))
        case forms.FromOutside(who=who, exile=False):
            return all(bool(state.players[seat].outside) for seat in seats(state, who, scope))
        case forms.RemoveCounters(counter, what, count) if not verb.all and not verb.up_to and counter:
            return _counted(state, what, counter, amount(state, count, scope), scope)
        case _:
            return True


def _enough(state: State, noun: nouns.Noun, scope: Scope, seat: int = -1, sacrificed: bool = True) -> bool:
    """Whether there are as many as must be chosen; with a `seat` of its own, such as it could sacrifice if they are."""
    reading = noun.reading
    if not isinstance(reading, nouns.Choose) or reading.up_to or reading.of.zone not in _PUBLIC or reading.of.anywhere:
        return True
    told = scope if seat < 0 else scope.bind(BoundRefs.PLAYER, (player_ref(seat),))
    local = scope if seat < 0 else Scope(scope.source, seat, scope.entry, told.bindings)
    found = things(state, reading.of, local)
    if seat >= 0:
        found = tuple(r for r in found if own(state, r, seat) and not (sacrificed and not can_be_sacrificed(state, r)))
    return len(found) >= amount(state, reading.count, scope)


def _counted(state: State, noun: nouns.Noun, counter: str, wanted: int, scope: Scope) -> bool:
    if isinstance(noun.reading, nouns.Choose):
        return True
    found = [state.objects[r].counters for r in select(state, noun, scope) if r in state.objects]
    return bool(found) and all(lookup.count(held, counter) >= wanted for held in found)
