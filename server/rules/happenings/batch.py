"""What is about to happen: replacement and prevention (614 to 616), lowering, then all of it at once.

A batch is a list of simultaneous events. As long as a replacement effect applies to one of them, the affected player (or the
controller of the affected object) chooses which to apply (616.1), and it is applied once (614.5). Composite events then
become what they come to: drawing a card moves it, damage becomes its results (119.4b), and those can be replaced again.
At last everything that is left happens at once (119.4c) and triggers look at it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.characteristics import (
    board,
    characteristics,
    is_settled,
    knowing_then,
    refs,
    select,
    under_own_control,
)
from server.rules.functioning import controlled_players, shown_tops
from server.rules.happenings import triggers
from server.rules.happenings.apply import do, done_to
from server.rules.happenings.apply_game import COUNTED_STEPS
from server.rules.happenings.arranging import arranged, to_arrange
from server.rules.happenings.designations import ascending
from server.rules.happenings.expansion import expand, possible
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BatchFrame,
    BoundNumber,
    BoundRefs,
    BoundWord,
    Choice,
    Next,
    RunFrame,
    Scope,
    State,
    Struct,
    ask,
    events,
    evolve,
    is_mana_trigger,
    lookup,
    of_board,
    walk,
)
from server.rules.replacements import (
    Applicable,
    Outcome,
    affected,
    applicable,
    looks_at_all,
    may_be_replaced,
    own_key,
    precedence,
    rewrite,
    shield_left,
    takes_of,
)

Log = list[events.Event]


#: The binding of a program that an effect runs instead of an event: the keys of the effects applied to that event.


class Item(Struct):
    """An event of the working batch and the keys of the effects that have been applied to it (614.5)."""

    event: events.Event
    applied: tuple[str, ...] = ()


def happen(state: State, batch: tuple[events.Event, ...], log: Log, applied: tuple[str, ...] = ()) -> State | None:
    """Does a batch at once if nothing can replace any of it; None if a `BatchFrame` has to ask or apply effects. `applied`
    are effects that made these events and get no second opportunity (614.5)."""
    if type(batch[0]) in _STEPS and _STEPS.issuperset(map(type, batch)) and steps_unwatched(state):
        log.extend(batch)
        return evolve(state, **told(state, batch))
    ready: list[events.Event] = []
    waiting = list(batch)
    while waiting:
        unreplaced: list[events.Event] = []
        for event in waiting:
            if not possible(state, event):
                continue
            if may_be_replaced(state, event) and applicable(state, event, applied, None, waiting):
                return None
            unreplaced.append(event)
        waiting = []
        results = expand(state, unreplaced)
        if results is None:
            ready.extend(unreplaced)
            break
        done, waiting = results
        ready.extend(done)
    if any(to_arrange(state, event) for event in ready):
        return None
    return finish(state, ready, log)


_STEPS = frozenset((events.StepEntered, events.StepBegins))


def steps_unwatched(state: State) -> bool:
    """Whether nothing looks at a step that begins, nor anything else happens with it."""
    return triggers.steps_unwatched(state) and (state.combat is None or not _out_of_place(state))


def told(state: State, batch: tuple[events.Event, ...]) -> dict[str, Any]:
    """What `finish` alters of a state for a step that nothing looks at, as most are. Entered and begun at once it comes to what its
    beginning does."""
    begun = tuple([event for event in batch if type(event) is events.StepBegins]) or batch
    if getattr(begun[0], "step", None) not in COUNTED_STEPS:
        return {"results": begun}
    change = done_to(state, begun)
    change.results_in_events()
    return change.altered()


def finish(state: State, ready: list[events.Event], log: Log) -> State:
    """Does the events, settles control, and lets abilities trigger."""
    if not ready:
        return evolve(state, results=()) if state.results else state
    change = done_to(state, ready)
    done = change.done
    if events.Damage in map(type, ready):
        done.append(events.DamageHappened())  # 119.4c
    by_events = change.results_in_events()
    after, changes = settle(change.finish())
    if done or changes:
        after = knowing_then(after, done)
        done.extend(changes)
        found, spent = triggers.collect(state, after, done)
        if found or spent:
            # 605.4a: triggered mana abilities resolve at once, without the stack.
            at_once = [t for t in found if is_mana_trigger(t.ability)]
            after = triggers.merged(after, [t for t in found if t not in at_once], spent)
            frames = tuple(triggers.frame_of(t) for t in reversed(at_once))
            after = evolve(after, agenda=(*after.agenda, *frames)) if frames else after
        log.extend(done)
    if by_events and changes:
        after = evolve(after, results=(*after.results, *changes))
    return after


def noticed(state: State, done: list[events.Event]) -> State:
    """The state in which abilities have triggered on what happened outside of any batch: a player conceded, or fell with others."""
    return triggers.merged(state, *triggers.collect(state, state, done))


def settle(state: State) -> tuple[State, list[events.Event]]:
    """Ends effects whose time is over, keeps `Object.controller` as control-changing effects have it (613.1b), removes from
    combat what no longer belongs there (506.4), gives the city's blessing (current 702.131b), and tells what changed."""
    changes: list[events.Event] = []
    if not state.effects and is_settled(board(state)):  # then nothing could be but out of its place in combat
        if state.combat is None or not _out_of_place(state):
            return state, changes
    if state.effects:
        over = expired(state)
        if over:
            state, _ = do(state, (events.EndEffects(ids=over),))
    if state.combat is not None:
        strays = _out_of_place(state)
        if strays:
            state, changes = do(state, strays)
    state, control = _settle_control(state)
    if board(state).index.player_rules and (tops := shown_tops(state)):
        state, seen = do(state, tops)
        control = [*control, *seen]
    if state.effects and (shown := controlled_players.sights(state)):
        state, seen = do(state, shown)
        control = [*control, *seen]
    if board(state).index.ascend and (blessings := _blessings(state)):
        state, given = do(state, blessings)
        control = [*control, *given]
    return state, [*changes, *control]


def _blessings(state: State) -> list[events.Event]:
    """For players who get the city's blessing: at any time, before triggers look at what has happened (current 702.131b, d)."""
    seats = sorted({state.objects[oid].controller for oid in board(state).index.ascend})
    return [event for seat in seats for event in ascending(state, seat)]


def expired(state: State) -> tuple[int, ...]:
    """The floating effects that last as long as something of their source holds, when it does not any more (611.2b)."""
    over: list[int] = []
    for effect in state.effects:
        if effect.until in ("while source", "while control", "while tapped"):
            source = lookup.permanent(state, effect.source)
            if (
                source is None
                or effect.until == "while control"
                and source.controller != effect.controller
                or effect.until == "while tapped"
                and not source.tapped
            ):
                over.append(effect.id)
    return tuple(over)


def _out_of_place(state: State) -> list[events.Event]:
    """Attackers and blockers that stopped being creatures, attacked planeswalkers that stopped being planeswalkers (506.4)."""
    combat = state.combat
    assert combat is not None
    kept = of_board(state)
    if not combat.attackers or kept.get("in place") is combat:
        return []
    found: list[events.Event] = []
    fighting = [a.id for a in combat.attackers] + [b.id for b in combat.blockers]
    for oid in fighting:
        if oid in state.objects and "creature" not in characteristics(state, oid).types:
            found.append(events.RemovedFromCombat(subject=oid))
    for defender in dict.fromkeys(a.defender for a in combat.attackers if a.defender > 0):
        if defender in state.objects and "planeswalker" not in characteristics(state, defender).types:
            found.append(events.RemovedFromCombat(subject=defender))
    if not found:  # nor will there be until an object is another
        kept["in place"] = combat
    return found


def _settle_control(state: State) -> tuple[State, list[events.Event]]:
    wanted = _controllers(state)
    if wanted is None:
        return state, []
    changes: list[events.Event] = []
    for oid in state.battlefield:
        found = state.objects[oid]
        if found.phased_out:
            continue  # 702.24b, d
        controller = wanted.get(oid, found.base)
        if controller != found.controller and lookup.present(state, controller):
            changes.append(events.ControlChanged(subject=oid, object=-1 - controller))
        elif controller != found.controller and state.edition.left_behind_is_exiled:  # current 800.4c
            changes.append(events.Move(subject=oid, to="exile"))
    for oid in state.stack if wanted else ():
        controller = wanted.get(oid, state.objects[oid].controller)  # 111.2: only by default who cast it
        if controller != state.objects[oid].controller and lookup.present(state, controller):
            changes.append(events.ControlChanged(subject=oid, object=-1 - controller))
    if not changes:
        return state, []
    after, done = do(state, changes)
    return after, done


def _controllers(state: State) -> dict[int, int] | None:
    wanted: dict[int, int] = {}
    effects: list[tuple[int, forms.Continuous, Scope, tuple[int, ...] | None]] = []
    for oid in board(state).index.control:
        source = state.objects[oid]
        for _, ability in characteristics(state, oid).abilities.continuous:
            if any(isinstance(m, forms.GainControl) for m in ability.mods):
                effects.append((source.timestamp, ability, Scope(oid, source.controller, source.entry), None))
    for floating in state.effects:
        if isinstance(floating.ability, forms.Continuous):
            if any(isinstance(m, forms.GainControl) for m in floating.ability.mods):
                scope = Scope(floating.source, floating.controller, floating.entry, floating.bindings)
                effects.append((floating.timestamp, floating.ability, scope, floating.objects))
    moved = False
    for _, ability, scope, locked in sorted(effects, key=lambda e: e[0]):
        for oid in locked if locked is not None else refs(state, ability.what.reading, scope):
            for mod in ability.mods:
                if isinstance(mod, forms.GainControl):
                    by = select(state, mod.by, scope)
                    if by:
                        wanted[oid] = -1 - by[0]
                        moved = True
    return None if not moved and under_own_control(state) else wanted


# --- the frame ---------------------------------------------------------------------------------------------------------------


def batch_step(state: State, frame: BatchFrame) -> Generator[AnyQuestion, AnyAnswer, Next]:
    """Applies replacement effects one after the other, asking where there is a choice, and comes to the final events."""
    ready: list[events.Event] = []
    items = [Item(e, frame.applied) for e in frame.events]
    used: dict[int, Any] = {}
    later: list[RunFrame] = []
    while items:
        items = [i for i in items if possible(state, i.event)]
        items = yield from _replace_all(state, items, used, later)
        results = expand(state, [i.event for i in items])
        if results is None:
            ready.extend(i.event for i in items)
            break
        done, rest = results
        ready.extend(done)
        # An event's results may be replaced by effects that look at results; what already shaped it stays applied.
        marks = {id(i.event): i.applied for i in items}
        items = [Item(e, marks.get(id(e), frame.applied)) for e in rest]
    ready = yield from arranged(state, ready)
    updates = tuple(events.UpdateEffect(effect=effect) for effect in used.values())
    return Next(fields={"batch": (*ready, *updates)}, push=tuple(reversed(_together(later))))


def _together(later: list[RunFrame]) -> list[RunFrame]:
    """The programs that follow, those about damage that one effect prevented to one recipient as one."""
    kept: list[RunFrame] = []
    for frame in later:
        whom = frame.scope.refs(BoundRefs.PREVENTED_TO)
        place = next((i for i, other in enumerate(kept) if whom is not None and _alike(other, frame, whom)), -1)
        if place < 0:
            kept.append(frame)
            continue
        total = sum(one.scope.number(BoundNumber.AMOUNT) or 0 for one in (kept[place], frame))
        kept[place] = replace(kept[place], scope=kept[place].scope.bind(BoundNumber.AMOUNT, total))
    return kept


def _alike(one: RunFrame, other: RunFrame, whom: object) -> bool:
    same = one.program is other.program and one.scope.source == other.scope.source
    return same and one.scope.refs(BoundRefs.PREVENTED_TO) == whom


def _replace_all(
    state: State, items: list[Item], used: dict[int, Any], later: list[RunFrame]
) -> Generator[AnyQuestion, AnyAnswer, list[Item]]:
    """Applies effects until none applies to any item; choices in APNAP order of the affected players."""
    while True:
        place, found = _next_item(state, items, used)
        if place < 0:
            return items
        item = items[place]
        seat = affected(state, item.event)
        found = _first_to_apply(state, found, item.event)
        effect = found[0]
        alike = all(e.effect is effect.effect and e.source == effect.source for e in found)
        if len(found) > 1 and not alike:
            options = tuple(Choice(ref=e.source, word=e.key, text=e.text) for e in found)
            picks = yield from ask.choose(seat, options, 1, 1, "replacement", effect.source)
            effect = found[picks[0]]
        if shared := _shared(state, items, effect, seat, used):
            items = yield from _share(state, items, effect, seat, shared, used, later)
            continue
        items = yield from _apply(state, items, place, effect, used, later, -1)


def _first_to_apply(state: State, found: list[Applicable], event: events.Event) -> list[Applicable]:
    """Those of the effects among which one has to be chosen now (616.1)."""
    if len(found) == 1:
        return found
    places = [precedence(state, effect, event) for effect in found]
    return [effect for effect, place in zip(found, places, strict=True) if place == min(places)]


def _apply(
    state: State,
    items: list[Item],
    place: int,
    effect: Applicable,
    used: dict[int, Any],
    later: list[RunFrame],
    limit: int,
) -> Generator[AnyQuestion, AnyAnswer, list[Item]]:
    """Applies an effect to the item at `place`; with a limit a shield prevents no more than that of it."""
    item = items[place]
    outcome: Outcome = yield from rewrite(state, item.event, effect, used, [i.event for i in items], limit)
    applied = (*item.applied, effect.key)
    # 119.8: what has become nothing is no event that another effect could replace.
    new = [Item(e, applied) for e in outcome.events if possible(state, e)]
    # 614.5: what the effect does instead is still the same event to it, also when instructions do it afterwards.
    marked = " ".join(own_key(key, item.event.subject) for key in applied)
    if _once_for_all(effect, item.event):  # also to what other effects have added to them
        later[:] = [_kept(p, f"{p.scope.word(BoundWord.APPLIED)} {effect.key}") for p in later]
        also = [isinstance(i.event, events.CreateTokens) and i.event.subject == item.event.subject for i in items]
        items = [replace(i, applied=(*i.applied, effect.key)) if so else i for i, so in zip(items, also, strict=True)]
    later.extend(_kept(p, marked) for p in outcome.programs)
    return [*items[:place], *new, *items[place + 1 :], *(Item(e) for e in outcome.joined)]


def _kept(program: RunFrame, keys: str) -> RunFrame:
    return replace(program, scope=program.scope.bind(BoundWord.APPLIED, keys))


def _once_for_all(effect: Applicable, event: events.Event) -> bool:
    """Whether what an effect adds to tokens that are created is the same however many events tell of them, and not "that many":
    "one or more tokens ... plus an additional Food token" (614.5)."""
    added = [step.do for step in effect.effect.rewrite if isinstance(step, forms.Also)]
    if not added or not isinstance(event, events.CreateTokens):
        return False
    return not any(isinstance(getattr(part, "reading", part), nouns.ThatMuch) for do in added for part in walk(do))


def _shared(
    state: State, items: list[Item], effect: Applicable, seat: int, used: dict[int, Any]
) -> tuple[events.Damage, ...]:
    """The damage of several sources at once that a shield of a number could prevent or redirect, if it is not enough for all
    (615.7)."""
    left = shield_left(effect, used)
    if left is None:
        return ()
    found = tuple(
        i.event
        for i in items
        if isinstance(i.event, events.Damage)
        and affected(state, i.event) == seat
        and any(e.key == effect.key for e in applicable(state, i.event, i.applied, used))
        and takes_of(state, effect, i.event)
    )
    return found if len(found) > 1 and sum(e.amount for e in found) > left else ()


def _share(
    state: State,
    items: list[Item],
    effect: Applicable,
    seat: int,
    shared: tuple[events.Damage, ...],
    used: dict[int, Any],
    later: list[RunFrame],
) -> Generator[AnyQuestion, AnyAnswer, list[Item]]:
    """The affected player says how much of which source's damage a shield prevents or redirects (615.7)."""
    left = shield_left(effect, used) or 0
    rest = sum(e.amount for e in shared)
    for event in shared:
        rest -= event.amount
        n = yield from ask.number(seat, max(0, left - rest), min(left, event.amount), "prevent", event.subject)
        left -= n
        place = next(i for i, item in enumerate(items) if item.event is event)
        if n:
            one = next(e for e in applicable(state, event, items[place].applied, used) if e.key == effect.key)
            items = yield from _apply(state, items, place, one, used, later, n)
        else:
            kept = Item(event, (*items[place].applied, effect.key))
            items = [*items[:place], kept, *items[place + 1 :]]
    return items


def _next_item(state: State, items: list[Item], used: dict[int, Any]) -> tuple[int, list[Applicable]]:
    order = lookup.turn_order(state)
    best: tuple[tuple[int, int], int, list[Applicable]] | None = None
    batch = [i.event for i in items]
    for place, item in enumerate(items):
        if not may_be_replaced(state, item.event):
            continue
        found = applicable(state, item.event, item.applied, used, batch)
        if found:
            seat = affected(state, item.event)
            rank = order.index(seat) if seat in order else len(order)
            if all(looks_at_all(e) for e in found):
                rank += len(order) + 1  # what looks at the outcome of the whole batch comes after what shapes it
            # A shield of a number waits until all it could take of its player's damage is there, to be divided by choice (615.7).
            shields = sum(shield_left(e, used) is not None for e in found)
            ranks = (rank, bool(shields) + (shields == len(found)))
            if best is None or ranks < best[0]:
                best = (ranks, place, found)
    return (best[1], best[2]) if best is not None else (-1, [])


__all__ = ["BatchFrame", "batch_step", "finish", "happen", "replace", "settle"]
