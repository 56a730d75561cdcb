"""Handlers of verbs about turns: extra turns and phases (500.7, 500.8), skipping (614.10), ending the turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.cards import forms
from server.rules.characteristics import quantity, select
from server.rules.instructions.next_instruction import Asking, after
from server.rules.model import (
    Next,
    Ref,
    RunFrame,
    State,
    TurnFrame,
    events,
    lookup,
    player_ref,
    seat_of,
)


def _extra_turn(state: State, frame: RunFrame, verb: forms.ExtraTurn) -> Next:
    n = quantity(state, verb.count, frame.scope)
    refs = _by_teams(state, select(state, verb.who, frame.scope))
    return after(frame, [events.ExtraTurn(subject=r, by=frame.scope.source) for r in refs for _ in range(n)])


def _extra_phase(state: State, frame: RunFrame, verb: forms.ExtraPhase) -> Next:
    return after(frame, [events.ExtraPhase(by=frame.scope.source, main=verb.main)])


def _skip(state: State, frame: RunFrame, verb: forms.SkipNext) -> Next:
    refs = _by_teams(state, select(state, verb.who, frame.scope))
    return after(frame, [events.Skip(subject=r, step=verb.step, by=frame.scope.source) for r in refs])


def _by_teams(state: State, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """805.8: of a team that has its turns together a single effect adds or skips one, however many of its players it speaks of."""
    return tuple(dict.fromkeys(player_ref(lookup.spokesman(state, seat_of(r))) for r in refs))


def _end_turn(state: State, frame: RunFrame, verb: forms.EndTurn) -> Next:
    # 713 in July 2011: the stack is exiled, everything is removed from combat, the cleanup step follows.
    batch: list[events.Event] = []
    for oid in state.stack:
        found = state.objects[oid]
        if found.entry is not None and found.entry.kind != "spell":
            batch.append(events.Ceases(subject=oid))
        else:
            batch.append(events.Move(subject=oid, to="exile", cause="end turn"))
    turn = replace(state.turn, steps=("cleanup",))
    fields = (("combat", None), ("turn", turn), ("waiting", ()))
    batch.append(events.SetTurn(fields=fields))
    base = next(i for i, f in enumerate(state.agenda) if isinstance(f, TurnFrame))
    agenda = (*state.agenda[:base], TurnFrame(at="next"))
    batch.append(events.SetTurn(fields=(("agenda", agenda),)))
    return Next(None, batch=tuple(batch))


def _restart(state: State, frame: RunFrame, verb: forms.Restart) -> Next:
    # 714.1a: who controls the spell or ability starts; `turn/restarting.py` does the rest.
    kept = tuple(r for r in select(state, verb.leaving, frame.scope) if r in state.exile)
    return after(frame, [events.Restarts(subject=player_ref(frame.scope.controller), objects=kept)], it=kept)


TURN_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.ExtraTurn: _extra_turn,
    forms.ExtraPhase: _extra_phase,
    forms.SkipNext: _skip,
    forms.EndTurn: _end_turn,
    forms.Restart: _restart,
}
