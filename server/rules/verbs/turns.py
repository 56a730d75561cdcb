"""Handlers of verbs about turns: extra turns and phases (500.7, 500.8), skipping (614.10), ending the turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.cards import forms
from server.rules.characteristics import quantity, select
from server.rules.model import (
    COMBAT_STEPS,
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
from server.rules.verbs.next_instruction import Asking, after


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
    if not verb.combat:
        turn = replace(state.turn, steps=("cleanup",))
        return _ended(state, "end turn", (("combat", None), ("turn", turn), ("waiting", ())), TurnFrame(at="next"))
    if state.turn.step not in COMBAT_STEPS:
        return after(frame, [])  # current 723.2g
    # Current 723.2d, e: as though the end of combat step were over, which does not begin; a further combat phase may follow.
    left = state.turn.steps
    following = next((n for n, s in enumerate(left) if s not in COMBAT_STEPS or s == "begin_combat"), len(left))
    turn = replace(state.turn, step="end_combat", steps=left[following:])
    return _ended(state, "end combat", (("turn", turn), ("waiting", ())), TurnFrame(at="end"))


def _ended(state: State, cause: str, fields: tuple[tuple[str, Any], ...], following: TurnFrame) -> Next:
    """The stack is exiled, what is resolving with it, and the turn goes on there."""
    batch: list[events.Event] = []
    for oid in state.stack:
        found = state.objects[oid]
        if found.entry is not None and found.entry.kind != "spell":
            batch.append(events.Ceases(subject=oid))
        else:
            batch.append(events.Move(subject=oid, to="exile", cause=cause))
    batch.append(events.SetTurn(fields=fields))
    base = next(i for i, f in enumerate(state.agenda) if isinstance(f, TurnFrame))
    agenda = (*state.agenda[:base], following)
    batch.append(events.SetTurn(fields=(("agenda", agenda),)))
    return Next(None, batch=tuple(batch))


def _restart(state: State, frame: RunFrame, verb: forms.Restart) -> Next:
    # 714.1a: who controls the spell or ability starts; `happenings/restarting.py` does the rest.
    kept = tuple(r for r in select(state, verb.leaving, frame.scope) if r in state.exile)
    return after(frame, [events.Restarts(subject=player_ref(frame.scope.controller), objects=kept)], it=kept)


def _subgame(state: State, frame: RunFrame, verb: forms.PlaySubgame) -> Next:
    # 715.1: `happenings/subgames.py` does it; what follows of the instructions waits in the main game.
    return after(frame, [events.Subgame(subject=player_ref(frame.scope.controller))])


TURN_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.ExtraTurn: _extra_turn,
    forms.ExtraPhase: _extra_phase,
    forms.SkipNext: _skip,
    forms.EndTurn: _end_turn,
    forms.Restart: _restart,
    forms.PlaySubgame: _subgame,
}
