"""Keyword actions as instructions: those that stand for others run them, the rest is done here."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms
from server.cards.keywords import EMBLEM, INITIATIVE, MONARCH, RING, RING_BEARER, TEMPTED, program
from server.rules.casting import pick, seats, within_reach
from server.rules.characteristics import quantity, select, stat
from server.rules.happenings import conferred, venturing
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundRefs,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    controller_of,
    define,
    events,
    lookup,
    on_board,
    player_ref,
    seat_of,
    zone_ids,
)
from server.rules.verbs.next_instruction import Asking, goes_on


def _keyword_action(state: State, frame: RunFrame, verb: forms.KeywordAction) -> Asking:
    """Each object or player that acts follows the instructions of the action, for its own controller."""
    scope = frame.scope
    n = quantity(state, verb.count, scope)
    told: list[events.Event] = []
    runs: list[RunFrame] = []
    if verb.action == RING_TEMPTS:
        return (yield from _ring_tempts(state, frame, verb))
    if verb.what is not None:
        actors = yield from pick(state, verb.what, scope, verb.action, scope.controller)
        for ref in on_board(state, actors) or actors:
            seat = scope.controller if verb.action == "detain" else controller_of(state, ref)
            if seat is None:
                continue
            told.append(events.KeywordAction(subject=ref, amount=n, cause=verb.action, by=scope.source))
            runs.append(_run(verb, Scope(scope.source, seat, scope.entry, scope.bindings), n, (ref,)))
    else:
        for seat in seats(state, verb.who, scope):
            told.append(events.KeywordAction(subject=player_ref(seat), amount=n, cause=verb.action, by=scope.source))
            runs.append(_run(verb, Scope(scope.source, seat, scope.entry, scope.bindings), n, ()))
    then = goes_on(frame, scope.bind(BoundNumber.DID, int(bool(runs))), push=tuple(reversed(runs)))
    return Next(then.then, batch=tuple(told), push=then.push)


RING_TEMPTS = "the Ring tempts"


def _ring_tempts(state: State, frame: RunFrame, verb: forms.KeywordAction) -> Asking:
    """Current 701.54: who has no emblem yet gets it before choosing a creature; each has tempted without a creature, too."""
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, frame.scope):
        rings = (i for i in state.command if state.objects[i].definition.name == RING)
        ring = next((i for i in rings if state.objects[i].controller == seat), 0)
        if ring:
            batch.append(events.PutCounters(subject=ring, amount=1, counter=TEMPTED, cause="tempted"))
        else:
            once = ((TEMPTED, 1),)
            emblem = define(EMBLEM)
            batch.append(
                events.Move(to="command", definition=emblem, controller=seat, owner=seat, counters=once, cause="emblem")
            )
        mine = select(state, forms.Noun("creatures you control"), replace(frame.scope, controller=seat))
        chosen = (yield from ask.choose_refs(seat, mine, 1, 1, "Ring-bearer", frame.scope.source)) if mine else ()
        if chosen:
            borne = (RING_BEARER, str(seat))
            old = (i for i in state.battlefield if borne in state.objects[i].chosen and i not in chosen)
            batch += (events.Chosen(subject=i, what=RING_BEARER) for i in old)
            batch.append(events.Chosen(subject=chosen[0], what=RING_BEARER, value=str(seat)))
        told = events.KeywordAction(subject=player_ref(seat), amount=1, cause=RING_TEMPTS, by=frame.scope.source)
        batch.append(replace(told, object=chosen[0] if chosen else 0))
    then = goes_on(frame, frame.scope.bind(BoundNumber.DID, 1))
    return Next(then.then, batch=tuple(batch))


def _run(verb: forms.KeywordAction, scope: Scope, n: int, actor: tuple[Ref, ...]) -> RunFrame:
    return RunFrame(
        program=program(verb.action, verb.kind), scope=scope.bind(BoundNumber.X, n).bind(BoundRefs.ACTOR, actor)
    )


def _proliferate(state: State, frame: RunFrame, verb: forms.Proliferate) -> Asking:
    """701.24: another counter of each kind that is there, or in an edition of one of them, on any number of permanents and players."""
    scope = frame.scope
    batch: list[events.Event] = []
    told: list[events.Event] = []
    for seat in seats(state, verb.who, scope):
        there = (*zone_ids(state, "battlefield"), *(player_ref(s) for s in lookup.turn_order(state)))
        near = within_reach(state, scope.controller, within_reach(state, seat, there))
        options = tuple(r for r in near if _counters_of(state, r))
        chosen = yield from ask.choose_refs(seat, options, 0, len(options), "proliferate", scope.source)
        poisoned = yield from _poisoned_anew(state, seat, chosen)
        for ref in chosen:
            kinds = tuple(kind for kind, _ in _counters_of(state, ref) if kind != "poison" or ref in poisoned)
            if len(kinds) > 1 and not state.edition.proliferates_each_kind:  # 701.24b
                kinds = ((yield from ask.choose_word(seat, kinds, "counter", ref)),)
            batch += (events.PutCounters(subject=ref, amount=1, counter=kind, by=scope.source) for kind in kinds)
        told.append(events.KeywordAction(subject=player_ref(seat), amount=1, cause="proliferate", by=scope.source))
    then = goes_on(frame, scope.bind(BoundNumber.DID, 1))
    return Next(then.then, batch=(*batch, *told))


def _poisoned_anew(state: State, seat: int, chosen: tuple[Ref, ...]) -> Generator[AnyQuestion, AnyAnswer, set[Ref]]:
    """Who is given another poison counter as one proliferates: of those chosen who share them one (701.24c, current 701.34b)."""
    sharing: dict[tuple[int, ...], list[Ref]] = {}
    for ref in chosen:
        if ref < 0 and lookup.count(lookup.player(state, ref).counters, "poison"):
            sharing.setdefault(lookup.share_poison(state, seat_of(ref)), []).append(ref)
    found = {ref for ref in chosen if ref > 0}
    for heads in sharing.values():
        found.update((yield from ask.choose_refs(seat, tuple(heads), 1, 1, "player")))
    return found


def _counters_of(state: State, ref: Ref) -> tuple[tuple[str, int], ...]:
    holder = lookup.player(state, ref).counters if ref < 0 else state.objects[ref].counters
    return tuple((kind, n) for kind, n in holder if n > 0)


#: Current 701.56a: what a player who time travels chooses among; current 702.62b: what is suspended.
TRAVELLERS = (
    forms.Noun("each permanent you control with a time counter on it"),
    forms.Noun("each card you own in exile with suspend"),
)


def _time_travel(state: State, frame: RunFrame, verb: forms.TimeTravel) -> Asking:
    """Current 701.56a: chosen first; then for each of them whether a time counter is put on it or removed from it."""
    scope = frame.scope
    seat, by = scope.controller, scope.source
    there = (ref for noun in TRAVELLERS for ref in select(state, noun, scope))
    options = tuple(ref for ref in there if lookup.count(state.objects[ref].counters, "time"))
    chosen = yield from ask.choose_refs(seat, options, 0, len(options), "time travel", by)
    batch: list[events.Event] = []
    for ref in chosen:
        change = events.RemoveCounters
        if (yield from ask.confirm(seat, "put time counter", ref)):
            change = events.PutCounters
        batch.append(change(subject=ref, amount=1, counter="time", by=by))
    told = events.KeywordAction(subject=player_ref(seat), amount=1, cause="time travel", by=by)
    then = goes_on(frame, scope.bind(BoundNumber.DID, 1))
    return Next(then.then, batch=(*batch, told))


def _clash(state: State, frame: RunFrame, verb: forms.Clash) -> Asking:
    """701.20: two players reveal their top cards, may put them on the bottom, and the greater mana value
    wins."""
    scope = frame.scope
    if not frame.memory:
        rivals = tuple(player_ref(s) for s in lookup.opponents(state, scope.controller) if lookup.present(state, s))
        rival = yield from ask.choose_refs(scope.controller, rivals, 1, 1, "clash", scope.source)
        players = (scope.controller, *(seat_of(r) for r in rival))
        everyone = (1 << len(state.players)) - 1
        shown = tuple(
            events.Reveal(
                subject=player_ref(s), objects=_top(state, s), seats=everyone, by=scope.source, cause="reveal"
            )
            for s in players
        )
        return Next(replace(frame, memory=players), batch=shown)
    batch: list[events.Event] = []
    values: list[int] = []
    for seat in cast("tuple[int, ...]", frame.memory):
        top = _top(state, seat)
        values.append(stat(state, top[0], "mana value") if top else -1)
        if top and not (yield from ask.confirm(seat, "top rather than bottom", top[0], default=True)):
            library = state.players[seat].library
            batch.append(events.SetLibrary(subject=player_ref(seat), objects=(*top, *library[:-1])))
    won = len(values) > 1 and values[0] > values[1]
    then = goes_on(frame, scope.bind(BoundNumber.WON, int(won)))
    return Next(then.then, batch=tuple(batch))


def _top(state: State, seat: int) -> tuple[Ref, ...]:
    return state.players[seat].library[-1:]


def _again(state: State, frame: RunFrame, verb: forms.Again) -> Next:
    """The whole program is followed once more."""
    entry = frame.scope.entry
    if entry is None:
        return goes_on(frame)
    scope = Scope(frame.scope.source, frame.scope.controller, entry, entry.bindings)
    return goes_on(frame, push=(RunFrame(program=entry.program, scope=scope),))


def _title(name: str) -> Callable[[State, RunFrame, Any], Next]:
    """The handler for what is one player's at a time, of those meant the first's (current 724.3, current 725.3)."""

    def handler(state: State, frame: RunFrame, verb: forms.BecomeMonarch | forms.TakeInitiative) -> Next:
        batch = [e for ref in select(state, verb.who, frame.scope)[:1] for e in conferred(state, seat_of(ref), name)]
        then = goes_on(frame, frame.scope.bind(BoundNumber.DID, 1))
        return Next(then.then, batch=tuple(batch))

    return handler


def _venture(state: State, frame: RunFrame, verb: forms.Venture) -> Asking:
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, frame.scope):
        batch += yield from venturing(state, seat, verb.into)
    then = goes_on(frame, frame.scope.bind(BoundNumber.DID, 1))
    return Next(then.then, batch=tuple(batch))


ACTION_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.KeywordAction: _keyword_action,
    forms.Proliferate: _proliferate,
    forms.TimeTravel: _time_travel,
    forms.Clash: _clash,
    forms.Again: _again,
    forms.BecomeMonarch: _title(MONARCH),
    forms.TakeInitiative: _title(INITIATIVE),
    forms.Venture: _venture,
}
