"""Instructions: one handler for each verb of the tree (608.2c).

A handler reads the state, asks what has to be asked, and returns the events that it proposes, or frames with more to do.
`after` continues with the next instruction once the batch is done; `bind_results` then binds what the instruction came to: "it"
(what it spoke of), "amount" (how much), "did" (whether anything happened), and the names that the verb gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.casting import pick
from server.rules.characteristics import amount, characteristics, has, quantity, select
from server.rules.costs import COLORS, choosable, color_mask, marked_by, pool_of
from server.rules.instructions.flow import FLOW_VERBS
from server.rules.instructions.in_combat import COMBAT_VERBS
from server.rules.instructions.keyword_actions import ACTION_VERBS
from server.rules.instructions.libraries import LIBRARY_VERBS
from server.rules.instructions.making_effects import EFFECT_VERBS
from server.rules.instructions.moving import ZONE_VERBS
from server.rules.instructions.next_instruction import Asking, after, through
from server.rules.instructions.on_the_stack import STACK_VERBS
from server.rules.model import (
    AFFECTED,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    TurnFrame,
    ask,
    divided,
    events,
    lookup,
    make_effect,
    object_or_last,
    on_board,
    player_ref,
    seat_of,
    shared,
    speaks_of_attackers,
    targets_of,
)

# --- damage, destruction, life, counters -----------------------------------------------------------------------------------


def _damage(state: State, frame: RunFrame, verb: forms.Damage) -> Asking:
    scope = frame.scope
    sources = select(state, verb.source, scope)  # 608.2b: none if what should deal it is an illegal target
    of_source = _speaks_of_source(verb)
    refs = () if of_source else (yield from pick(state, verb.to, scope, "damage", scope.controller))
    told: tuple[Ref, ...] = refs
    n = quantity(state, verb.amount, scope)
    batch: list[events.Event] = []
    parts = _division(frame, verb.to) if verb.divided else None
    for source in sources:
        spoken = scope
        if not isinstance(verb.source.reading, nouns.This):  # "each deal damage equal to their power": each its own
            spoken = scope.bind("source", (source,))
            n = quantity(state, verb.amount, spoken)
        if of_source:
            itself = verb.to.text == ITSELF
            own = scope.bind("it", (source,)).bind(AFFECTED, (source,))
            refs = (source,) if itself else select(state, verb.to, own)
            told = (*told, *refs)
        for ref in refs:
            own_amount = ref < 0 and not isinstance(verb.amount, int) and scope.bound("player") is None
            if own_amount:  # "damage to each player equal to the number of lands that player controls"
                n = quantity(state, verb.amount, through(spoken, ref))
            share = parts.get(ref, 0) if parts is not None else n
            batch.append(
                events.Damage(
                    subject=source, object=ref, amount=share, by=scope.source, unpreventable=verb.unpreventable
                )
            )
    return after(frame, batch, it=tuple(dict.fromkeys(told)))


ITSELF = "itself"


def _speaks_of_source(verb: forms.Damage) -> bool:
    """Whether "itself", "its controller" or "defending player", to whom damage is dealt, is found by what deals it and not by the
    object with the text (119.2b, 802.2a)."""
    if isinstance(verb.source.reading, nouns.This):
        return False
    whose = verb.to.reading
    if isinstance(whose, nouns.DefendingPlayer):
        return speaks_of_attackers(verb.source)
    owned = (
        isinstance(whose, nouns.ControllerOf | nouns.OwnerOf) and isinstance(whose.of, nouns.It) and not whose.of.what
    )
    return verb.to.text == ITSELF or owned and verb.to.text.startswith("its ")


def _at_once(state: State, frame: RunFrame, verb: forms.AtOnce) -> Asking:
    """Damage to several, each so much, is dealt at the same time."""
    batch: list[events.Event] = []
    told: list[Ref] = []
    spoken = frame
    for part in verb.parts:
        dealt = yield from _damage(state, spoken, part)
        batch.extend(dealt.batch)
        refs = tuple(e.object for e in dealt.batch if isinstance(e, events.Damage))
        told.extend(refs)
        # "4 damage to target creature and 2 damage to its controller": "it" is whom the part before speaks of.
        spoken = replace(frame, scope=_about(spoken.scope, refs))
    return after(frame, batch, it=tuple(dict.fromkeys(told)))


def _about(scope: Scope, refs: tuple[Ref, ...]) -> Scope:
    """The scope in which "it" and "that player" are these."""
    things, people = tuple(r for r in refs if r > 0), tuple(r for r in refs if r < 0)
    scope = scope.bind("it", things) if things else scope
    return scope.bind("player", people) if people else scope


def _division(frame: RunFrame, noun: forms.Noun) -> dict[Ref, int]:
    """The announced share of each target of a divided slot (601.2d)."""
    entry = frame.scope.entry
    if entry is None:
        return {}
    slots = targets_of(entry.program)
    for place, verb in enumerate(divided(entry.program)):
        if shared(verb) is noun:
            slot = next((i for i, s in enumerate(slots) if s is noun), -1)
            if slot >= 0 and place < len(entry.divisions):
                pairs = zip(entry.targets[slot], entry.divisions[place], strict=False)
                return {ref: n for ref, n in pairs if ref}
    return {}


def _destroy(state: State, frame: RunFrame, verb: forms.Destroy) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, "destroy", frame.scope.controller)
    refs = on_board(state, refs)
    batch = [events.Destroy(subject=r, by=frame.scope.source, no_regeneration=verb.no_regeneration) for r in refs]
    return after(frame, batch, it=refs)


def _life(kind: type[events.GainLife] | type[events.LoseLife]) -> Callable[[State, RunFrame, Any], Next]:
    def handle(state: State, frame: RunFrame, verb: forms.GainLife | forms.LoseLife) -> Next:
        scope = frame.scope
        batch: list[events.Event] = []
        refs = select(state, verb.who, scope)
        for ref in refs:
            n = quantity(state, verb.amount, through(scope, ref))
            batch.append(kind(subject=ref, amount=n, by=scope.source))
        return after(frame, batch, player=tuple(r for r in refs if r < 0))

    return handle


def _set_life(state: State, frame: RunFrame, verb: forms.SetLife) -> Next:
    batch: list[events.Event] = []
    for ref in select(state, verb.who, frame.scope):
        change = amount(state, verb.amount, frame.scope) - lookup.player(state, ref).life
        if change > 0:
            batch.append(events.GainLife(subject=ref, amount=change, by=frame.scope.source))
        elif change < 0:
            batch.append(events.LoseLife(subject=ref, amount=-change, by=frame.scope.source))
    return after(frame, batch)


def _put_counters(state: State, frame: RunFrame, verb: forms.PutCounters) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "counters", scope.controller)
    if verb.as_on is not None:
        found = [object_or_last(state, r) for r in select(state, verb.as_on, scope)]
        held = [pair for one in found if one is not None for pair in one.counters]
        there = [r for r in refs if r < 0 or r in state.objects]
        moved = [events.PutCounters(subject=r, amount=k, counter=c, by=scope.source) for r in there for c, k in held]
        return after(frame, moved, it=refs)
    n = quantity(state, verb.count, scope)
    kind = verb.counter
    if verb.options and refs:
        kind = yield from ask.choose_word(scope.controller, verb.options, "counter", scope.source)
    parts = _division(frame, verb.what) if verb.distribute else None
    batch = [
        events.PutCounters(subject=r, amount=parts.get(r, 0) if parts is not None else n, counter=kind, by=scope.source)
        for r in refs
        if r < 0 or lookup.permanent(state, r) is not None or r in state.objects
    ]
    return after(frame, batch, it=refs)


def _remove_counters(state: State, frame: RunFrame, verb: forms.RemoveCounters) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "counters", scope.controller)
    batch: list[events.Event] = []
    for ref in refs:
        holder = lookup.player(state, ref).counters if ref < 0 else ()
        found = state.objects.get(ref)
        if found is not None:
            holder = found.counters
        kinds = [verb.counter] if verb.counter else [name for name, _ in holder]
        if verb.up_to:
            left = quantity(state, verb.count, scope)
            for kind in reversed(kinds):
                most = min(left, lookup.count(holder, kind))
                n = (yield from ask.number(scope.controller, 0, most, "number", scope.source)) if most else 0
                left -= n
                if n:
                    batch.append(events.RemoveCounters(subject=ref, amount=n, counter=kind, by=scope.source))
            continue
        for kind in kinds:
            n = lookup.count(holder, kind) if verb.all else quantity(state, verb.count, scope)
            batch.append(events.RemoveCounters(subject=ref, amount=n, counter=kind, by=scope.source))
    return after(frame, batch, it=refs)


def _move_counters(state: State, frame: RunFrame, verb: forms.MoveCounters) -> Asking:
    """121.5: none is moved that isn't there, or to where it was, or if either has gone."""
    scope = frame.scope
    left = yield from pick(state, verb.source, scope, "counters", scope.controller)
    right = yield from pick(state, verb.to, scope, "counters", scope.controller)
    old, new = (state.objects.get(refs[0]) if refs else None for refs in (left, right))
    if old is None or new is None or old.id == new.id or new.zone != "battlefield":
        return after(frame, [], it=right)
    wanted = quantity(state, verb.count, scope)
    batch: list[events.Event] = []
    for kind, held in old.counters:
        n = held if verb.all else min(wanted, held)
        if n and verb.counter in ("", kind):
            batch.append(events.RemoveCounters(subject=old.id, amount=n, counter=kind, by=scope.source))
            batch.append(events.PutCounters(subject=new.id, amount=n, counter=kind, by=scope.source))
    return after(frame, batch, it=right)


def _double_counters(state: State, frame: RunFrame, verb: forms.DoubleCounters) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "counters", scope.controller)
    batch = [
        events.PutCounters(subject=ref, amount=n, counter=kind, by=scope.source)
        for ref in refs
        if ref in state.objects
        for kind, n in state.objects[ref].counters
        if n and verb.counter in ("", kind)
    ]
    return after(frame, batch, it=refs)


def _remove_damage(state: State, frame: RunFrame, verb: forms.RemoveDamage) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, "damage", frame.scope.controller)
    return after(frame, [events.RemoveDamage(subject=r) for r in on_board(state, refs)], it=refs)


def _tap(state: State, frame: RunFrame, verb: forms.Tap) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "tap", scope.controller)
    untap = verb.untap
    if verb.either and refs:
        untap = not (yield from ask.confirm(scope.controller, "tap or untap", scope.source))
    kind = events.Untap if untap else events.Tap
    return after(frame, [kind(subject=r, by=scope.source) for r in refs if r > 0], it=refs)


def _regenerate(state: State, frame: RunFrame, verb: forms.Regenerate) -> Asking:
    # 701.12: a shield for the next time it would be destroyed this turn.
    refs = yield from pick(state, verb.what, frame.scope, "regenerate", frame.scope.controller)
    batch = [make_effect(state, frame.scope, REGENERATION, "end of turn", objects=(r,), uses=1) for r in refs]
    return after(frame, batch, it=refs)


REGENERATION = forms.Replacement(
    event=forms.Pattern(event="destroy", subject=forms.Noun("it")),
    rewrite=(forms.Regenerates(),),
    text="regenerate",
)


def _fight(state: State, frame: RunFrame, verb: forms.Fight) -> Asking:
    # 701.10: each deals damage equal to its power to the other, if both are still creatures on the battlefield.
    scope = frame.scope
    left = yield from pick(state, verb.left, scope, "fight", scope.controller)
    right = yield from pick(state, verb.right, scope, "fight", scope.controller)
    pair = [r for r in (*left[:1], *right[:1]) if _is_creature(state, r)]
    if len(pair) < 2:
        return after(frame, [], it=left)
    a, b = pair
    batch = [
        events.Damage(subject=a, object=b, amount=characteristics(state, a).power or 0, by=scope.source),
        events.Damage(subject=b, object=a, amount=characteristics(state, b).power or 0, by=scope.source),
    ]
    return after(frame, batch, it=left)


def _is_creature(state: State, ref: Ref) -> bool:
    return lookup.permanent(state, ref) is not None and "creature" in characteristics(state, ref).types


# --- mana, the stack ---------------------------------------------------------------------------------------------------------


def _add_mana(state: State, frame: RunFrame, verb: forms.AddMana) -> Asking:
    scope = frame.scope
    n = quantity(state, verb.count, scope)
    tapped = bool(scope.bound("tapped for mana"))
    batch: list[events.Event] = []
    for ref in select(state, verb.who, scope):
        if verb.mana:
            pool = pool_of(verb.mana, n)
        else:
            found = object_or_last(state, scope.source)
            if verb.choice == "produced":
                mask = color_mask(str(scope.bound("produced") or ""), state, found) if found is not None else 0
            else:
                mask = choosable(state, verb, scope, found) if found is not None else 31
            letters = tuple(COLORS[i] for i in range(6) if mask & (1 << i))
            counts = [0] * 6
            wanted = list(str(scope.bound("wanted mana") or ""))  # by a payment that activates the ability
            for _ in range(n if verb.different else 1):
                letter = wanted.pop(0) if wanted and wanted[0] in letters else ""
                letter = letter or (yield from ask.choose_word(seat_of(ref), letters, "mana", scope.source))
                if letter:
                    counts[COLORS.index(letter)] += 1 if verb.different else n
            pool = (counts[0], counts[1], counts[2], counts[3], counts[4], counts[5])
        mark = marked_by(state, scope.source, verb)
        batch.append(events.AddMana(subject=ref, by=scope.source, mana=pool, tapped=tapped, **mark))
    return after(frame, batch)


# --- the game ----------------------------------------------------------------------------------------------------------------


def _lose(state: State, frame: RunFrame, verb: forms.Lose) -> Next:
    refs = [r for r in select(state, verb.who, frame.scope) if not has(state, seat_of(r), "can't lose the game")]
    return after(frame, [events.Loses(subject=r, cause="effect", by=frame.scope.source) for r in refs])


def _win(state: State, frame: RunFrame, verb: forms.Win) -> Next:
    refs = [r for r in select(state, verb.who, frame.scope) if not has(state, seat_of(r), "can't win the game")]
    if state.options.range_of_influence:
        # 801.16: with a limited range the opponents in range lose instead.
        losers = [
            events.Loses(subject=player_ref(s), cause="effect", by=frame.scope.source)
            for r in refs
            for s in lookup.opponents(state, seat_of(r))
            if lookup.in_range(state, seat_of(r), s)
        ]
        return after(frame, losers)
    return after(frame, [events.Wins(subject=r, by=frame.scope.source) for r in refs])


def _draw_game(state: State, frame: RunFrame, verb: forms.DrawGame) -> Next:
    return after(frame, [events.GameDrawn(subject=player_ref(frame.scope.controller), cause="effect")])


def _extra_turn(state: State, frame: RunFrame, verb: forms.ExtraTurn) -> Next:
    n = quantity(state, verb.count, frame.scope)
    refs = select(state, verb.who, frame.scope)
    return after(frame, [events.ExtraTurn(subject=r, by=frame.scope.source) for r in refs for _ in range(n)])


def _extra_phase(state: State, frame: RunFrame, verb: forms.ExtraPhase) -> Next:
    return after(frame, [events.ExtraPhase(by=frame.scope.source, main=verb.main)])


def _skip(state: State, frame: RunFrame, verb: forms.SkipNext) -> Next:
    refs = select(state, verb.who, frame.scope)
    return after(frame, [events.Skip(subject=r, step=verb.step, by=frame.scope.source) for r in refs])


def _remove_from_combat(state: State, frame: RunFrame, verb: forms.RemoveFromCombat) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, "remove from combat", frame.scope.controller)
    return after(frame, [events.RemovedFromCombat(subject=r, by=frame.scope.source) for r in refs if r > 0], it=refs)


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


VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.Damage: _damage,
    forms.Destroy: _destroy,
    forms.GainLife: _life(events.GainLife),
    forms.LoseLife: _life(events.LoseLife),
    forms.SetLife: _set_life,
    forms.PutCounters: _put_counters,
    forms.RemoveCounters: _remove_counters,
    forms.RemoveDamage: _remove_damage,
    forms.MoveCounters: _move_counters,
    forms.DoubleCounters: _double_counters,
    forms.Tap: _tap,
    forms.Regenerate: _regenerate,
    forms.Fight: _fight,
    forms.AddMana: _add_mana,
    forms.Lose: _lose,
    forms.Win: _win,
    forms.DrawGame: _draw_game,
    forms.ExtraTurn: _extra_turn,
    forms.ExtraPhase: _extra_phase,
    forms.SkipNext: _skip,
    forms.RemoveFromCombat: _remove_from_combat,
    forms.EndTurn: _end_turn,
    forms.AtOnce: _at_once,
    **COMBAT_VERBS,
    **ZONE_VERBS,
    **LIBRARY_VERBS,
    **STACK_VERBS,
    **EFFECT_VERBS,
    **FLOW_VERBS,
    **ACTION_VERBS,
}
