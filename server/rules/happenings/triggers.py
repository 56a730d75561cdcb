"""Triggered abilities (603): which ones an event triggers, with look-back, and delayed and state triggers.

`collect` is called once for each batch that was done, with the states before and after it: abilities of what is on the
battlefield afterwards see all of its events; abilities of what left with it see them too (603.10 of the editions' own
numbering, "leaves-the-battlefield abilities look back in time").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.characteristics import board, characteristics, fits, holds, is_settled, select
from server.rules.functioning import (
    EXILE,
    all_rules,
    arrives,
    haunts,
    in_private,
    is_from_anywhere,
    is_one,
    is_thrown,
    match,
    names,
    outside,
    whose_fits,
)
from server.rules.happenings.together import batched
from server.rules.model import (
    Bindings,
    BoundNumber,
    BoundRefs,
    DelayedTrigger,
    Object,
    Ref,
    RunFrame,
    Scope,
    State,
    Triggered,
    events,
    evolve,
    lookup,
    object_or_last,
    of_board,
    of_zones,
    player_ref,
    this_turn,
    triggered,
    used_once,
    walk,
)


def collect(before: State, after: State, done: list[events.Event]) -> tuple[list[Triggered], list[int]]:
    """The abilities that these events trigger, and the ids of one-shot delayed triggers that are used up by it."""
    found: list[Triggered] = []
    spent: list[int] = []
    index = board(after).index.triggers
    old_index = board(before).index.triggers
    delayed = after.delayed
    if not index and not old_index and not delayed and not _elsewhere(after):
        return found, spent
    heard: dict[tuple[bool, str], list[int]] = {}
    for event in _with_blockers_put(before, after, _with_counters_put(_with_cards_apart(done))):
        left = isinstance(event, events.Move) and event.from_ == "battlefield"
        for name in names(event):
            for oid in _listening(after, True, index.get(name, ()), name, event, heard):
                _of_object(after, after, oid, name, event, found)
            for oid in _listening(before, False, old_index.get(name, ()), name, event, heard):
                if oid not in after.objects or isinstance(event, events.PhaseOut) and after.objects[oid].phased_out:
                    _of_object(before, after, oid, name, event, found)  # 603.10: that looks back, too
            for oid in _elsewhere(after):
                if left and after.objects[oid].zone == "graveyard" and oid not in before.objects:
                    # 603.6d, 603.10: leaving the battlefield looks back in time, but what is put there "from anywhere" is
                    # looked at where it is (603.6c).
                    _of_arrival(before, after, oid, name, event, found)
                    continue
                _of_card_elsewhere(after, oid, name, event, found)
            for trigger in delayed:
                if trigger.id not in spent:
                    _of_delayed(after, trigger, name, event, found, spent)
    # 603.8: a state triggers at once, also one that is over before anybody gets priority.
    return [*batched(after, found), *state_triggers(after)], spent


def steps_unwatched(state: State) -> bool:
    """Whether nothing triggers, ends or changes hands as a step begins, as long as there is no combat."""
    if state.delayed:
        return False
    kept = of_board(state)
    known = kept.get("steps unwatched")
    if known is None:
        made = board(state)
        known = is_settled(made) and not (made.index.triggers or state.effects or _elsewhere(state))
        kept["steps unwatched"] = known
    return known


def _listening(
    state: State,
    now: bool,
    ids: Sequence[int],
    name: str,
    event: events.Event,
    heard: dict[tuple[bool, str], list[int]],
) -> Sequence[int]:
    """Of permanents with abilities about such an event those with one about a move to that zone, or to any; found once for a
    batch, `now` and before it."""
    if name != "zone change" or not ids or not isinstance(event, events.Move):
        return ids
    known = heard.get((now, event.to))
    if known is None:
        places = (None, event.to)
        known = heard[now, event.to] = [
            oid
            for oid in ids
            if any(
                pattern.to in places for _, _, pattern in characteristics(state, oid).abilities.triggers.get(name, ())
            )
        ]
    return known


def _with_cards_apart(done: list[events.Event]) -> list[events.Event]:
    """The events, and for each further card of what was one permanent that it has come where it went: one object has left, and
    several cards were put there (current 712.21)."""
    found = done
    for event in done:
        if isinstance(event, events.Move) and event.others:
            apart = [replace(event, subject=0, became=other, others=()) for other in event.others]
            found = [*found, *apart]
    return found


def _with_counters_put(done: list[events.Event]) -> list[events.Event]:
    """The events, and for what entered with counters that its controller put them (121.6, current 122.6a)."""
    found = done
    for event in done:
        if isinstance(event, events.Move) and event.counters and event.to == "battlefield":
            found = found if found is not done else list(done)
            found.extend(
                events.PutCounters(subject=event.became, amount=n, counter=kind, by=event.became)
                for kind, n in event.counters
            )
    return found


def _with_blockers_put(before: State, after: State, done: list[events.Event]) -> list[events.Event]:
    """The events, and for what entered blocking that the attacker has become blocked by it (509.4d, of the edition), and if it was
    not blocked before, that it became blocked (509.4c)."""
    if after.combat is None or not any(isinstance(event, events.Move) and event.blocking for event in done):
        return done
    found = list(done)
    attackers = before.combat.attackers if before.combat is not None else ()
    unblocked = {a.id for a in attackers if not a.blocked}
    for event in done:
        entered = event.became if isinstance(event, events.Move) else 0
        for attacker in next((b.attackers for b in after.combat.blockers if b.id == entered), ()):
            if after.edition.entering_blocker_blocks:
                found.append(events.Blocks(subject=entered, object=attacker, amount=1, cause="put"))
            if attacker in unblocked:
                unblocked.remove(attacker)
                found.append(events.BecomesBlocked(subject=attacker, amount=1))
    return found


def _elsewhere(state: State) -> tuple[int, ...]:
    """Objects outside the battlefield whose triggered abilities function there, printed ones (112.6) and those that an effect gave
    to cards in hands, graveyards and exile (suspend, 702.60a)."""
    printed = _printed_elsewhere(state)
    if not board(state).changed:
        return printed
    given: tuple[int, ...] | None = state.memo.get("given elsewhere")
    if given is None:
        with_triggers = (i for i, c in board(state).changed.items() if c.abilities.triggers and i not in printed)
        zones = ("hand", "graveyard", "exile")
        there = (i for i in with_triggers if i in state.objects and state.objects[i].zone in zones)
        given = state.memo["given elsewhere"] = tuple(there)
    return (*printed, *given) if given else printed


def _printed_elsewhere(state: State) -> tuple[int, ...]:
    """Those whose printed abilities trigger there, as long as the zones are the same."""
    kept = of_zones(state)
    made = kept.get("elsewhere")
    if made is None:
        if not (state.stack or state.command):
            made = kept["elsewhere"] = in_private(state)
            return made
        ids: list[int] = []
        for p in state.players:
            ids.extend(outside(state, p.seat).triggering)
        ids.extend(i for i in state.stack if characteristics(state, i).abilities.triggers)
        ids.extend(outside(state, EXILE).triggering)
        ids.extend(i for i in lookup.emblems(state) if state.objects[i].definition.base.abilities.triggers)
        made = kept["elsewhere"] = tuple(ids)
    return made


def _of_object(view: State, after: State, oid: int, name: str, event: events.Event, found: list[Triggered]) -> None:
    source = view.objects[oid]
    abilities = characteristics(view, oid).abilities
    for index, ability, pattern in abilities.triggers.get(name, ()):
        if ability.zone == "battlefield" and not (event.subject == oid and is_from_anywhere(pattern)):
            _try(after, source, index, ability, pattern, name, event, found)


def _of_arrival(before: State, after: State, oid: int, name: str, event: events.Event, found: list[Triggered]) -> None:
    """Abilities about being put into a graveyard from anywhere, of a card that comes from the battlefield. What an effect takes
    from cards in graveyards it takes also as its own source goes there with them."""
    source = after.objects[oid]
    abilities = source.definition.base.abilities
    if not isinstance(event, events.Move) or event.became != oid:
        return
    if not any(is_from_anywhere(pattern) for _, _, pattern in abilities.triggers.get(name, ())):
        return
    gone = {i: before.objects[i] for i in before.battlefield if i not in after.objects}
    both = evolve(after, objects={**after.objects, **gone}, battlefield=before.battlefield) if gone else after
    for index, ability, pattern in characteristics(both, oid).abilities.triggers.get(name, ()):
        if is_from_anywhere(pattern):
            _try(after, source, index, ability, pattern, name, event, found)


def _of_card_elsewhere(state: State, oid: int, name: str, event: events.Event, found: list[Triggered]) -> None:
    source = state.objects[oid]
    for index, ability, pattern in characteristics(state, oid).abilities.triggers.get(name, ()):
        here = source.zone == ability.zone or source.zone == "command" and lookup.works_in_command(source, index)
        # "When you cast this spell" functions on the stack (112.6); "whenever you cast a spell" of a permanent doesn't.
        on_stack = source.zone == "stack" and name == "cast" and event.object == oid and _is_own(pattern)
        # "When you cycle this card" functions wherever the card went (cycling, 702.27c), and so does "when you discard this card".
        cycled = is_thrown(pattern) and isinstance(event, events.Move) and event.became == oid
        if here or on_stack or cycled or arrives(source, pattern) or haunts(source, pattern):
            _try(state, source, index, ability, pattern, name, event, found)


def _is_own(pattern: forms.Pattern) -> bool:
    return pattern.object is not None and isinstance(pattern.object.reading, nouns.This)


def _try(
    state: State,
    source: Object,
    index: int,
    ability: forms.TriggeredAbility,
    pattern: forms.Pattern,
    name: str,
    event: events.Event,
    found: list[Triggered],
) -> None:
    scope = Scope(source.id, source.controller, source.entry, (("ability index", index),))
    if not lookup.present(state, source.controller):
        return
    if isinstance(event, events.StepBegins) and not whose_fits(state, pattern, event, scope, ability):
        return
    if state.options.limited and not _in_range(state, source.controller, event):
        return
    bindings = match(state, pattern, event, name, scope)
    if bindings is None:
        return
    told = Scope(source.id, source.controller, source.entry, ((BoundNumber.ABILITY_INDEX, index), *bindings))
    if ability.condition is not None and not holds(state, ability.condition, told):
        return  # 603.4
    if ability.limit > 0 and this_turn(state, triggered(index), source.id) >= ability.limit:
        return
    if ability.limit < 0 and this_turn(state, used_once(index), source.id):
        return
    single = event.amount if pattern.grain == "single" and not ability.limit else 1  # of counters
    for again in range(single * _times(state, source.id, ability, pattern, event)):
        bound = told.bind(BoundNumber.AGAIN, again).bindings if again else told.bindings
        found.append(Triggered(ability, source.id, source.controller, bound, index, source.entry, source.definition))


def _times(
    state: State, source: int, ability: forms.TriggeredAbility, pattern: forms.Pattern, event: events.Event
) -> int:
    """How often an ability triggers: not at all where what enters causes nothing to trigger, or an additional time for each
    effect that says so (current 603.2d) unless it triggers only so often a turn."""
    if not all_rules(state):
        return 1
    into = isinstance(event, events.Move) and event.to == pattern.to == "battlefield" and pattern.event == "zone change"
    entered = event.became if into and isinstance(event, events.Move) else 0
    times = 1
    for rule, scope in all_rules(state):
        if not all(lookup.reaches(state, scope.controller, ref) for ref in (source, entered) if ref):
            continue  # 801.10, 801.11
        if rule.rule == "rooms trigger again" and pattern.event == "room entered":
            times += player_ref(state.objects[source].owner) in select(state, rule.who, scope)
        if rule.when and not any(is_one(state, cause, event, scope) for cause in rule.when):
            continue
        if rule.what is not None and not (entered and fits(state, rule.what.reading, entered, scope)):
            continue
        about = rule.among is None or fits(state, rule.among.reading, source, scope)
        if rule.rule == "entering triggers nothing" and about:
            return 0
        if rule.rule == "triggers again" and not ability.limit and rule.among is not None and about:
            times += 1
    return times


def _in_range(state: State, seat: int, event: events.Event) -> bool:
    """801.7: the whole event must be within the range of influence of the ability's controller; what left is looked at where
    it was."""
    return all(lookup.reaches(state, seat, ref) for ref in (event.subject, event.object) if ref)


def _of_delayed(
    state: State,
    trigger: DelayedTrigger,
    name: str,
    event: events.Event,
    found: list[Triggered],
    spent: list[int],
) -> None:
    ability = trigger.ability
    if not isinstance(ability, forms.TriggeredAbility) or not lookup.present(state, trigger.controller):
        return
    for pattern in ability.when:
        if pattern.event != name:
            continue
        scope = Scope(trigger.source, trigger.controller, trigger.entry, trigger.bindings)
        if isinstance(event, events.StepBegins) and not whose_fits(state, pattern, event, scope, ability):
            continue
        if state.options.limited and not _in_range(state, trigger.controller, event):
            continue
        bindings = match(state, pattern, event, name, scope)
        if bindings is None:
            continue
        told = _told(bindings, trigger.bindings, _speaks_for_itself(pattern))
        found.append(Triggered(ability, trigger.source, trigger.controller, told, -1, trigger.entry))
        if trigger.once:
            spent.append(trigger.id)
        return


def _speaks_for_itself(pattern: forms.Pattern) -> bool:
    """Whether an event is about something that nobody spoke of before ("a creature becomes tapped"), which "it" is then."""
    spoken = [noun.reading for noun in (pattern.subject, pattern.object, pattern.by) if noun is not None]
    parts = [part for reading in spoken for part in walk(reading)]
    known = any(isinstance(part, nouns.It | nouns.Named) for part in parts)
    return not known and any(isinstance(reading, nouns.Choose) for reading in spoken)


def _told(event: Bindings, made: Bindings, event_first: bool) -> Bindings:
    """What a delayed ability knows: what it was made about stays what "it" is, and the event adds the rest (603.7c), or the other
    way round. How much damage is dealt or life is gained only the event tells ("draw that many cards")."""
    if dict(event).get(BoundNumber.AMOUNT):
        made = tuple(pair for pair in made if pair[0] != BoundNumber.AMOUNT)
    first, then = (event, made) if event_first else (made, event)
    names = {name for name, _ in first}
    told = (*first, *(pair for pair in then if pair[0] not in names))
    moved = tuple(
        ref for name, refs in (*event, *made) if name == BoundRefs.FOLLOW for ref in cast("tuple[int, ...]", refs)
    )
    return (*told, (BoundRefs.FOLLOW, moved)) if moved else told  # the last one counts


def frame_of(trigger: Triggered) -> RunFrame:
    """A triggered mana ability as a program to run."""
    assert isinstance(trigger.ability, forms.TriggeredAbility)
    scope = Scope(trigger.source, trigger.controller, trigger.entry, trigger.bindings)
    return RunFrame(program=trigger.ability.do, scope=scope)


def state_triggers(state: State) -> list[Triggered]:
    """State triggers (603.8) whose condition holds and that neither wait nor are on the stack already."""
    found: list[Triggered] = []
    for oid in board(state).index.triggers.get("state", ()):
        source = state.objects[oid]
        for index, ability, pattern in characteristics(state, oid).abilities.triggers.get("state", ()):
            scope = Scope(oid, source.controller, source.entry)
            if pattern.condition is None or not holds(state, pattern.condition, scope):
                continue
            if _is_under_way(state, oid, ability):
                continue
            found.append(Triggered(ability, oid, source.controller, (), index, source.entry, source.definition))
    return found


def _is_under_way(state: State, source: int, ability: forms.TriggeredAbility) -> bool:
    if any(w.source == source and w.ability is ability for w in state.waiting):
        return True
    for oid in state.stack:
        entry = state.objects[oid].entry
        if entry is not None and entry.source == source and entry.ability is ability:
            return True
    return False


def next_waiting(state: State) -> tuple[int, tuple[int, ...]] | None:
    """Whose triggered abilities go on the stack next, in APNAP order: (seat, indices into `waiting`), or None (603.3b)."""
    if not state.waiting:
        return None
    for seat in lookup.turn_order(state):
        mine = tuple(i for i, w in enumerate(state.waiting) if w.controller == seat)
        if mine:
            return seat, mine
    return None


def without(state: State, index: int) -> tuple[Triggered, ...]:
    """The waiting abilities without one of them."""
    return state.waiting[:index] + state.waiting[index + 1 :]


def source_name(state: State, trigger: Triggered) -> str:
    """The name of a trigger's source, for people."""
    found = object_or_last(state, trigger.source)
    if found is not None:
        return found.definition.name
    return trigger.definition.name if trigger.definition is not None else ""


def merged(state: State, found: list[Triggered], spent: list[int]) -> State:
    """The state with new abilities waiting and used delayed triggers gone."""
    changes: dict[str, object] = {}
    if found:
        history = dict(state.history)
        for trigger in found:
            if trigger.index >= 0:
                key = (triggered(trigger.index), trigger.source)
                history[key] = history.get(key, 0) + 1
        changes["history"] = history
        changes["waiting"] = (*state.waiting, *found)
    if spent:
        changes["delayed"] = tuple(d for d in state.delayed if d.id not in spent)
    return evolve(state, **changes) if changes else state


def you(seat: int) -> Ref:
    """The reference to a trigger's controller."""
    return player_ref(seat)


__all__ = ["collect", "merged", "next_waiting", "replace", "source_name", "state_triggers", "without"]
