"""Melding (current 701.42): two cards are exiled and come back as one permanent."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms
from server.rules.casting import pick
from server.rules.model import Definition, Next, Ref, RunFrame, State, events, lookup, melded
from server.rules.verbs.moving import choose_defender
from server.rules.verbs.next_instruction import Asking, after

EXILED = "exiled"


def meld(state: State, frame: RunFrame, verb: forms.Meld) -> Next | Asking:
    """Exiles this object and its counterpart; then what came of both is melded, if it can be (current 701.42b, c)."""
    scope = frame.scope
    if frame.memory:
        return (yield from _meld(state, frame, verb))
    if lookup.permanent(state, scope.source) is None:
        return after(frame, [], it=())
    others = yield from pick(state, verb.other, scope, "meld", scope.controller)
    both = (scope.source, *others)
    batch = tuple(events.Move(subject=i, to="exile", by=scope.source, cause="exile") for i in dict.fromkeys(both))
    return Next(replace(frame, memory=(EXILED,)), batch=batch)


def _meld(state: State, frame: RunFrame, verb: forms.Meld) -> Asking:
    scope = frame.scope
    moves = (event for event in state.results if isinstance(event, events.Move) and event.became)
    cards = tuple(i for event in moves for i in (event.became, *event.others))
    result = _result(state, cards)
    if result is None:
        return after(frame, [], it=())
    attacking = (yield from choose_defender(state, scope)) if verb.attacking else 0
    enters = events.Move(
        subject=cards[0],
        object=cards[1],
        to="battlefield",
        definition=result,
        controller=scope.controller,
        tapped=verb.tapped,
        attacking=attacking,
        by=scope.source,
        cause="put",
    )
    return after(frame, [enters])


def _result(state: State, refs: tuple[Ref, ...]) -> Definition | None:
    """What objects are as one permanent; None if they are not the two cards of one pair, of one owner, where all can see them."""
    found = [state.objects[i] for i in refs if i in state.objects]
    if len(refs) != 2 or len(found) != 2 or any(one.token or one.zone in ("hand", "library") for one in found):
        return None
    one, other = found
    return melded(one.definition, other.definition) if one.owner == other.owner else None
