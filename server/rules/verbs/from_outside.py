"""Cards that come into the game from outside it (400.10b): which there are of a kind, and who takes them."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.casting import seats
from server.rules.characteristics import amount, fits
from server.rules.model import (
    Choice,
    Defect,
    Definition,
    Object,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    events,
    evolve,
    lookup,
    player_ref,
)
from server.rules.verbs.next_instruction import Asking, after


def from_outside(state: State, frame: RunFrame, verb: forms.FromOutside) -> Asking:
    """Each who is told to chooses among their own cards and brings them in. Who is controlled by another has none outside to choose from:
    what lies there is seen by its owner alone (current 722.4), and chosen by who does not see it (712.5)."""
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, frame.scope):
        scope = replace(frame.scope, controller=seat)
        least, most = _how_many(state, verb.what, scope)
        cards = fitting(state, verb.what, seat, scope) if lookup.decider(state, seat) == seat else ()
        if most == 1:
            cards = tuple(dict.fromkeys(cards))  # of cards that are the same one stands for all
        exiled = _exiled(state, verb, scope)
        options = (*(Choice(word=one.name, text=one.name) for one in cards), *(Choice(ref=ref) for ref in exiled))
        picks = yield from ask.choose(seat, options, least, most, lookup.OUTSIDE, scope.source)
        taken = [(0, cards[i]) if i < len(cards) else (exiled[i - len(cards)], None) for i in picks]
        batch += (_move(verb, seat, scope.source, ref, card) for ref, card in taken)
        if verb.to == "shuffled":
            batch.append(events.Shuffle(subject=player_ref(seat)))
    return after(frame, batch)


def _how_many(state: State, noun: forms.Noun, scope: Scope) -> tuple[int, int]:
    if not isinstance(noun.reading, nouns.Choose):
        raise Defect(f"{noun.text!r} leaves nothing to choose")
    most = amount(state, noun.reading.count, scope)
    return (0 if noun.reading.up_to else most), most


def fitting(state: State, kind: forms.Noun, seat: int, scope: Scope) -> tuple[Definition, ...]:
    """The cards of that kind that a player owns outside the game, as they are printed: nothing else reaches them there (400.10c)."""
    cards = state.players[seat].outside
    if not cards:
        return ()
    first = state.next_id
    # Looked at as if they lay where little reaches them.
    there = {first + i: Object(first + i, card, seat, seat, "command", base=seat) for i, card in enumerate(cards)}
    looked = evolve(state, objects={**state.objects, **there}, next_id=first + len(cards))
    return tuple(there[ref].definition for ref in there if fits(looked, kind.reading, ref, scope))


def _exiled(state: State, verb: forms.FromOutside, scope: Scope) -> tuple[Ref, ...]:
    """Cards of that kind that all see in exile."""
    if not verb.exile:
        return ()
    seen = (ref for ref in state.exile if not state.objects[ref].face_down)
    return tuple(ref for ref in seen if fits(state, verb.what.reading, ref, scope))


def _move(verb: forms.FromOutside, seat: int, by: Ref, ref: Ref, card: Definition | None) -> events.Move:
    return events.Move(
        subject=ref,
        to="hand" if verb.to == "hand" else "library",
        definition=card,
        owner=seat,
        controller=seat,
        reveal=verb.reveal,
        by=by,
        cause=lookup.OUTSIDE if card is not None else "put",
    )
