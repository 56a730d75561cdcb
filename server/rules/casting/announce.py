"""Casting spells, activating abilities and putting triggered abilities on the stack (601.2, 602.2, 603.3).

One frame goes through the positions in order: the object is on the stack first (601.2a), then modes, costs, X, targets
and divisions are announced (b to d), then the total cost is paid (e to g), then the spell is cast (h). The frame keeps
the state from before, to which an announcement that is taken back returns; chance never goes back (716 in July 2011).
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from msgspec.structs import replace

from server.cards import forms
from server.cards.nouns import Noun
from server.rules.casting import special
from server.rules.casting.castable import (
    FACE_DOWN_WAY,
    HELPED,
    OFFERING,
    as_it_is_cast,
    can_cast,
    casting_cost_of,
    helpers,
    lends,
)
from server.rules.casting.casting_permissions import (
    FREE,
    Permission,
    choose_permission,
    given_to_spell,
    most_x_by,
    next_spell_effects,
    open_permissions,
    uses,
)
from server.rules.casting.choices import (
    choose_modes,
    choose_targets,
    choose_x,
    chosen_modes,
    divide,
    is_mode_by_opponent,
    optional_costs,
    splice,
)
from server.rules.casting.opponents_choice import is_by_opponent, who_aims, with_chooser
from server.rules.casting.paying import bleed, pay, pay_mana_ability, take_back
from server.rules.casting.programs import as_paid, further_of, overloaded, with_further
from server.rules.characteristics import characteristics, holds
from server.rules.costs import as_side
from server.rules.model import (
    NO_MANA,
    SIDE_WAYS,
    AnnounceFrame,
    AnyAnswer,
    AnyQuestion,
    Bindings,
    BoundNumber,
    BoundRefs,
    Entry,
    Next,
    Object,
    Ref,
    Scope,
    State,
    ability_definition,
    ask,
    divided,
    events,
    is_mana_ability,
    lookup,
    object_or_last,
    player_ref,
    seat_of,
    targets_of,
    to_go_back_to,
)

Asking = Generator[AnyQuestion, AnyAnswer, Next]


def step(state: State, frame: AnnounceFrame) -> Next | Asking:
    """One position of the announcement."""
    return POSITIONS[frame.at](state, frame)


# --- a: onto the stack -----------------------------------------------------------------------------------------------------


def _begin(state: State, frame: AnnounceFrame) -> Next | Asking:
    if frame.trigger is not None:
        return _begin_triggered(state, frame)
    if frame.special and not frame.free:
        return Next(replace(frame, at="special"))
    if frame.ability >= 0:
        return _begin_activated(state, frame)
    if frame.before is None:  # an instruction casts it: what cannot be paid for stays where it is
        frame = replace(frame, before=to_go_back_to(state, state.agenda[:-1]))
    if frame.way in HELPED:
        return _offer(state, frame)
    return _onto_stack(state, frame)


def _onto_stack(state: State, frame: AnnounceFrame) -> Asking:
    """601.2a: the card moves to the stack and becomes a spell that this player controls."""
    seat, side = frame.seat, 1 if frame.way in SIDE_WAYS else frame.side
    view = as_side(state, frame.object, side)
    used = yield from _permission(view, frame)
    entry, more = _first_entry(view, frame, view.objects[frame.object], used)
    hidden = frame.way == FACE_DOWN_WAY
    move = events.Move(subject=frame.object, to="stack", controller=seat, entry=entry, cause="cast", face_down=hidden)
    if side:
        move = replace(move, definition=view.objects[frame.object].definition)
    most = most_x_by(view, frame.seat, view.objects[frame.object], used) if used is not None else -1
    return Next(replace(frame, at="choose", free=entry.free, most_x=most), batch=(move, *more))


def _permission(state: State, frame: AnnounceFrame) -> Generator[AnyQuestion, AnyAnswer, Permission | None]:
    """The permission by which a card is cast that an effect lets the player cast from where it is, or for nothing; with several
    of which the cost could be paid the player says which (601.2a)."""
    card, seat, free = state.objects[frame.object], frame.seat, frame.way == FREE
    abilities = characteristics(state, card.id).abilities
    cost = casting_cost_of(abilities, frame.way)
    plain = frame.way in ("", FACE_DOWN_WAY) or cost is not None and lends(cost, card.zone)
    if frame.free or not free and (card.zone == "hand" or not plain):
        return None
    view = as_it_is_cast(state, card, frame.way)
    seen, c = view.objects[card.id], characteristics(view, card.id)
    among = open_permissions(view, seat, seen, abilities, free=free)
    if len(among) > 1:
        said = tuple((one, one.rule.mana_as if one is not None else "") for one in among)
        among = tuple(one for one, mana_as in said if can_cast(view, seat, seen, c, frame.way, mana_as)) or among
    return (yield from choose_permission(seat, card.id, among))


def _first_entry(
    state: State, frame: AnnounceFrame, card: Object, used: Permission | None
) -> tuple[Entry, tuple[events.Event, ...]]:
    """What is known of a spell as it is put on the stack, by what permission and in which way; and what that uses up."""
    seat, free = frame.seat, frame.free or frame.way == FREE
    way = "" if frame.way == FREE else frame.way
    more: list[events.Event] = [*uses(used)]
    given = [*frame.gives, *gained_way(state, card, way)]
    if used is not None:
        given += used.rule.gives
    used_up = next_spell_effects(state, seat, card)
    given += given_to_spell(state, seat, card, used_up)
    more.extend(events.UpdateEffect(effect=replace(effect, uses=-1)) for effect in used_up)
    entry = Entry(
        way=way,
        cast_from=card.zone,
        caster=seat,
        paid=((way, 1),) if way else (),
        free=free,
        mana_as=used.rule.mana_as if used is not None else frame.mana_as,
        granted=tuple(given),
    )
    return entry, tuple(more)


def gained_way(state: State, card: Object, way: str) -> tuple[forms.Ability, ...]:
    """The ability that an effect gave to a card and by which it is cast: the spell has it too (400.7)."""
    printed = card.definition.base.abilities
    if not way or casting_cost_of(printed, way) is not None or way in (FACE_DOWN_WAY, OFFERING):
        return ()
    own = characteristics(state, card.id).abilities
    cost = casting_cost_of(own, way)
    return own.quality(way)[:1] or ((cost,) if cost is not None else ())


def _offer(state: State, frame: AnnounceFrame) -> Asking:
    """702.46b: the permanent is sacrificed, or tapped, as the spell is announced."""
    card, way = state.objects[frame.object], HELPED[frame.way]
    options = helpers(state, frame.seat, card.id, characteristics(state, card.id).abilities, frame.way)
    least = 0 if way.optional else 1
    offered = yield from ask.choose_refs(frame.seat, options, least, 1, way.act, card.id)
    used = yield from _permission(state, frame)
    entry, more = _first_entry(state, frame, card, used)
    entry = replace(entry, bindings=((BoundRefs.OFFERED, offered),))
    help_: tuple[events.Event, ...] = tuple(events.Tap(subject=i, cause="cost") for i in offered)
    if way.act == "sacrifice":
        help_ = tuple(events.Move(subject=i, to="graveyard", cause="sacrifice", by=card.id) for i in offered)
    move = events.Move(subject=card.id, to="stack", controller=frame.seat, entry=entry, cause="cast")
    return Next(replace(frame, at="choose"), batch=(*help_, move, *more))


def _begin_activated(state: State, frame: AnnounceFrame) -> Next:
    source = state.objects[frame.object]
    ability = characteristics(state, frame.object).abilities.all[frame.ability]
    assert isinstance(ability, forms.ActivatedAbility)
    if is_mana_ability(ability):
        return Next(replace(frame, at="mana choose"))
    loyalty = any(isinstance(p, forms.LoyaltyCost) for p in ability.cost)
    entry = Entry(
        source=frame.object,
        ability=ability,
        index=frame.ability,
        kind="activated",
        loyalty=loyalty,
        program=ability.do,
    )
    put = events.AbilityOnStack(
        subject=player_ref(frame.seat),
        by=frame.object,
        entry=entry,
        definition=ability_definition(source.definition.name, ability.text),
    )
    return Next(replace(frame, at="choose"), batch=(put,))


def _x_told(bindings: Bindings) -> int:
    """The X that the event tells, by which targets are counted as well (107.3g)."""
    value = dict(bindings).get(BoundNumber.X)
    return value if isinstance(value, int) else 0


def _begin_triggered(state: State, frame: AnnounceFrame) -> Asking:
    trigger = frame.trigger
    assert trigger is not None
    ability = trigger.ability
    assert isinstance(ability, forms.TriggeredAbility)
    shown: tuple[events.Event, ...] = ()
    if ability.reveals:  # miracle, current 603.11, current 702.94a
        if trigger.source not in state.objects or not (
            yield from ask.confirm(frame.seat, "reveal", trigger.source, text=ability.text)
        ):
            return Next()
        everyone = (1 << len(state.players)) - 1
        shown = (events.Reveal(subject=player_ref(frame.seat), objects=(trigger.source,), seats=everyone),)
    told = trigger.entry
    entry = Entry(
        source=trigger.source,
        ability=ability,
        index=trigger.index,
        kind="triggered",
        program=ability.do,
        bindings=(*_promise(told), *trigger.bindings),
        x=_x_told(trigger.bindings) or (told.x if told is not None else 0),
        paid=told.paid if told is not None else (),
        cast_from=told.cast_from if told is not None else "",
        caster=told.caster if told is not None else -1,
        mana_spent=told.mana_spent if told is not None else NO_MANA,
        spent_from=told.spent_from if told is not None else (),
        held=told.held if told is not None else (),
    )
    name = trigger.definition.name if trigger.definition is not None else _source_name(state, trigger.source)
    put = events.AbilityOnStack(
        subject=player_ref(frame.seat),
        by=trigger.source,
        entry=entry,
        definition=ability_definition(name, ability.text),
    )
    return Next(replace(frame, at="choose"), batch=(*shown, put))


def _promise(told: Entry | None) -> Bindings:
    """Whom a permanent's spell promised a gift, which its abilities know (current 702.174b)."""
    return tuple(pair for pair in told.bindings if pair[0] == BoundRefs.PROMISED) if told is not None else ()


def _source_name(state: State, source: int) -> str:
    found = object_or_last(state, source)
    return found.definition.name if found is not None else ""


# --- b to d: modes, costs, X, targets, division ----------------------------------------------------------------------------


def _choose(state: State, frame: AnnounceFrame) -> Asking | Next:
    on_stack = frame.on_stack or _just_put(state)
    if on_stack not in state.objects:
        return Next()  # it went elsewhere before anything could be announced
    if frame.on_stack != on_stack:
        frame = replace(frame, on_stack=on_stack)
    entry = state.objects[on_stack].entry
    assert entry is not None
    if frame.trigger is not None and not _needs_choices(frame):
        return Next(replace(frame, at="done"))
    return _announce(state, frame, entry, _Filling())


class _Filling:
    """What an announcement has come to: the instructions that are announced, and the targets of one slot after the other."""

    def __init__(self) -> None:
        self.program: forms.Tree = ()
        self.chosen: list[tuple[Ref, ...]] = []


def targets_so_far(state: State) -> tuple[int, tuple[tuple[Ref, ...], ...]] | None:
    """What is being put on the stack, and the targets of its slots that are filled already, asked for or not, while more of it
    is asked for (601.2c); None if nothing is."""
    so_far = _so_far(state)
    return None if so_far is None else (so_far[0], tuple(so_far[1].chosen))


def open_slot(state: State) -> tuple[int, forms.Tree, Noun] | None:
    """What is being put on the stack, its instructions, and the target slot of them that is being filled (601.2c); None if none is."""
    so_far = _so_far(state)
    if so_far is None:
        return None
    on_stack, filling = so_far
    slots = targets_of(filling.program)
    return (on_stack, filling.program, slots[len(filling.chosen)]) if len(filling.chosen) < len(slots) else None


def _so_far(state: State) -> tuple[int, _Filling] | None:
    frame = state.agenda[-1] if state.agenda else None
    on_stack = (frame.on_stack or _just_put(state)) if isinstance(frame, AnnounceFrame) and frame.at == "choose" else 0
    found = state.objects.get(on_stack)
    if not isinstance(frame, AnnounceFrame) or found is None or found.entry is None:
        return None
    filling = _Filling()
    step = _announce(state, replace(frame, on_stack=on_stack), found.entry, filling)
    next(step)
    for answer in frame.answers:
        step.send(answer)
    step.close()
    return on_stack, filling


def _needs_choices(frame: AnnounceFrame) -> bool:
    ability = frame.trigger.ability if frame.trigger is not None else None
    assert isinstance(ability, forms.TriggeredAbility)
    return bool(ability.modes) or bool(targets_of(ability.do)) or divided(ability.do) != ()


def _just_put(state: State) -> int:
    for event in reversed(state.results):
        if isinstance(event, events.Move) and event.to == "stack":
            return event.became
        if isinstance(event, events.AbilityOnStack):
            return event.object
    return 0


def _announce(state: State, frame: AnnounceFrame, entry: Entry, filling: _Filling) -> Asking:
    """`filling` takes the instructions, then the targets of one slot after the other."""
    seat, oid = frame.seat, frame.on_stack
    abilities = characteristics(state, oid).abilities
    entry, extra_cost = yield from optional_costs(state, seat, oid, abilities, entry)
    scope = _scope(frame, entry)
    chooser = seat
    if is_mode_by_opponent(state, frame):
        chooser, entry = yield from with_chooser(state, entry, scope)
        scope = _scope(frame, entry)
    program, modes = yield from choose_modes(state, frame, entry, scope, chooser)
    if program is None:
        return _impossible(state, frame)
    if entry.kind == "spell":
        program = as_paid(program, entry.paid)
    if entry.kind == "spell" and not entry.copied:
        program, spliced, extra_cost = yield from splice(state, seat, oid, program, scope, extra_cost)
        entry = replace(entry, spliced=spliced)
    if entry.way == "overload":
        program = overloaded(program)
    program = with_further(program, further_of(abilities, entry))
    entry = replace(entry, program=program, modes=modes)
    filling.program, chosen = program, filling.chosen
    entry = yield from choose_x(state, frame, entry, extra_cost)
    scope = _scope(frame, entry)
    for noun in targets_of(program):
        chooser = yield from who_aims(state, scope, noun)
        if is_by_opponent(noun):
            chooser, entry = yield from with_chooser(state, entry, scope, noun)
            scope = _scope(frame, entry)
        picked = yield from choose_targets(state, chooser, noun, replace(entry, targets=tuple(chosen)), scope, chosen)
        if picked is None:
            return _impossible(state, frame)
        chosen.append(picked)
    entry = replace(entry, targets=tuple(chosen))
    divisions = yield from divide(state, seat, entry, _scope(frame, entry))
    entry = replace(entry, divisions=divisions)
    if frame.trigger is None:
        entry = yield from bleed(state, frame, entry)
    frame = replace(frame, at="done" if frame.trigger is not None else "pay")
    told = chosen_modes(state, entry.ability, entry.source, modes)
    if not told and entry == state.objects[oid].entry:  # as with most creatures: nothing was announced
        return Next(frame, fields={"results": ()})
    return Next(frame, batch=(events.Announced(subject=oid, entry=entry), *told))


def _scope(frame: AnnounceFrame, entry: Entry) -> Scope:
    source = entry.source or frame.on_stack
    return Scope(source, frame.seat, entry, entry.bindings)


def _impossible(state: State, frame: AnnounceFrame) -> Next:
    """603.3d: a triggered ability without a legal choice is removed; a spell or ability is taken back."""
    if frame.trigger is not None:
        return Next(batch=(events.Ceases(subject=frame.on_stack, cause="no choice"),))
    return take_back(state, frame)


# --- h: cast -----------------------------------------------------------------------------------------------------------------


def _held(state: State, frame: AnnounceFrame, entry: Entry) -> tuple[forms.AnyCondition, ...]:
    """Those of the conditions "as you cast" in the spell's text that hold as it becomes cast (601.2h)."""
    scope = Scope(frame.on_stack, frame.seat, entry)
    asked = characteristics(state, frame.on_stack).abilities.as_cast
    return tuple(condition for condition in asked if holds(state, condition, scope))


def _done(state: State, frame: AnnounceFrame) -> Next:
    found = state.objects.get(frame.on_stack)
    if found is None or found.entry is None:
        return Next()
    entry, me = found.entry, player_ref(frame.seat)
    batch: list[events.Event] = []
    if entry.kind == "spell":
        if held := _held(state, frame, entry):
            batch.append(events.Announced(subject=frame.on_stack, entry=replace(entry, held=held)))
        batch.append(events.Cast(subject=me, object=frame.on_stack))
    elif entry.kind == "activated":
        batch.append(events.UsedAbility(subject=entry.source, amount=entry.index, loyalty=entry.loyalty))
        batch.append(events.Activated(subject=me, object=frame.on_stack, by=entry.source, loyalty=entry.loyalty))
    for ref in dict.fromkeys(r for slot in entry.targets for r in slot):
        batch.append(events.BecameTarget(subject=ref, object=frame.on_stack, by=frame.on_stack))
    if any(_is_crime(state, frame.seat, ref) for slot in entry.targets for ref in slot):
        batch.append(events.Crime(subject=me, object=frame.on_stack))
    return Next(batch=tuple(batch))


def _is_crime(state: State, seat: int, ref: Ref) -> bool:
    """Whether aiming at this is a crime: an opponent, what one controls, a card in one's graveyard (current 700.13)."""
    opponents = lookup.opponents(state, seat)
    if ref < 0:
        return seat_of(ref) in opponents
    found = state.objects.get(ref)
    if found is None:
        return False
    if found.zone in ("battlefield", "stack"):
        return found.controller in opponents
    return found.zone == "graveyard" and found.owner in opponents


POSITIONS: dict[str, Callable[[State, AnnounceFrame], Next | Asking]] = {
    "": _begin,
    "choose": _choose,
    "pay": pay,
    "done": _done,
    "mana choose": pay_mana_ability,
    "special": special.perform,
}
