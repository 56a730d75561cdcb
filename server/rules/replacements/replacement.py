"""Replacement and prevention effects: which apply to an event (614, 615). `rewriting` has what they make of it.

They come from static abilities on the battlefield, from floating effects (shields, 614.3), from the entering permanent
itself (614.12), from cards whose ability says so in another zone, and, in the 2011 edition, from 306.7.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from server.cards import forms
from server.rules.characteristics import amount, board, characteristics, fits, holds, rules_about, says_of_itself
from server.rules.costs import becoming, entering
from server.rules.functioning import InForce, all_rules, in_force, match, names, rules
from server.rules.model import (
    Bindings,
    BoundRefs,
    Floating,
    Label,
    Ref,
    Scope,
    State,
    Struct,
    controller_of,
    events,
    lookup,
    of_board,
    seat_of,
)

#: The binding of a shield that holds the source chosen for it.

#: The bindings of a spent effect that hold the source whose damage, or who is dealt the damage, that it applies to in the batch
#: under way.


class Applicable(Struct):
    """A replacement effect that applies to an event: a key that tells effects apart (614.5), the ability, and its scope
    with what the event binds. `floating` is the floating effect that it is, if it is one."""

    key: str
    effect: forms.Replacement
    source: int
    controller: int
    scope: Scope
    text: str = ""
    floating: Floating | None = None


#: An object's replacement abilities, each with what tells it apart there.
_Numbered = Sequence[tuple[int | str, forms.Replacement]]

REDIRECTION = forms.Replacement(event=forms.Pattern(event="damage"), rewrite=(), optional=True, text="306.7")

#: 903.11, 903.12, current 903.9b: a commander goes to the command zone instead, as its owner likes.
COMMANDER = "903.9b"
#: Where the components of a merged commander go that are none, as noted on its move (current 903.9c).
APART = "apart"
TO_COMMAND_ZONE = forms.Replacement(
    event=forms.Pattern(event="zone change"), rewrite=(forms.ToZone(to="command"),), optional=True
)

#: What an effect makes of damage that can't be prevented.
UNPREVENTABLE: tuple[forms.Rewrite, ...] = (forms.CantPrevent(),)

#: Event kinds that no effect ever replaces; asked first, because most events are of these.
_NEVER = frozenset(
    (
        events.StepEntered,
        events.StepBegins,
        events.SetTurn,
        events.Cast,
        events.Activated,
        events.AbilityOnStack,
        events.Announced,
        events.Attacks,
        events.AttackersDeclared,
        events.Blocks,
        events.BlockersDeclared,
        events.SpendMana,
        events.MarkDamage,
        events.Prevented,
        events.DamageHappened,
        events.EndEffects,
    )
)


def may_be_replaced(state: State, event: events.Event) -> bool:
    """A quick answer: False if certainly nothing replaces the event."""
    if type(event) in _NEVER:
        return False
    if active(state):
        return True
    if isinstance(event, events.Move):
        if event.to == "battlefield" or _is_commander(state, event):
            return True
        return event.subject != 0 and _in_other_zone(state, event)
    if isinstance(event, events.Damage):
        if event.object < 0 and all_rules(state):
            return True
        return state.edition.planeswalker_redirection and not event.combat and event.object < 0
    return False


def _is_commander(state: State, event: events.Move) -> bool:
    """Whether a commander would be put where its owner may put it into the command zone instead (903.11, 903.12,
    current 903.9b)."""
    if event.to not in state.edition.commander_instead or not state.options.led:
        return False
    found = state.objects.get(event.subject)
    return found is not None and bool(found.commander) and found.zone not in ("command", event.to)


def _in_other_zone(state: State, event: events.Move) -> bool:
    found = state.objects.get(event.subject)
    return found is not None and bool(
        found.definition.base.abilities.replacements or characteristics(state, found.id).abilities.replacements
    )


def active(state: State) -> tuple[InForce[forms.Replacement], ...]:
    """The replacement effects in force."""
    made = of_board(state).get("replacements")  # asked for every event: no further call where it is known
    return in_force(state, forms.Replacement) if made is None else made


def active_names(state: State) -> frozenset[str]:
    """The pattern names that some replacement effect in force looks for."""
    made = state.memo.get("replacer names")
    if made is None:
        made = state.memo["replacer names"] = frozenset(one.ability.event.event for one in active(state))
    return made


def affected(state: State, event: events.Event) -> int:
    """The player who chooses among effects: the affected player, or the affected object's controller or owner (616.1)."""
    ref: Ref = event.object if isinstance(event, events.Damage) else event.subject
    if ref == 0 and isinstance(event, events.Move):
        return max(event.controller, 0)
    if isinstance(event, events.Move) and event.to == "battlefield" and event.controller >= 0:
        return event.controller
    seat = controller_of(state, ref)
    return seat if seat is not None else state.turn.active


def applicable(
    state: State,
    event: events.Event,
    applied: tuple[str, ...],
    used: dict[int, Floating] | None = None,
    batch: Sequence[events.Event] = (),
) -> list[Applicable]:
    """The effects that apply to an event now and have not been applied to it (614.5). `batch` is all that happens at once,
    for effects that look at its outcome."""
    found: list[Applicable] = []
    event_names = names(event)
    view = state
    if isinstance(event, events.Move):
        # Drawing was replaced, or not, as the draw that it is; the card's move is what came of it (120.1).
        event_names = tuple(n for n in event_names if n != "draw")
        found.extend(_own(state, event, applied))
        if _is_commander(state, event) and COMMANDER not in applied:
            owner = state.objects[event.subject].owner
            found.append(Applicable(COMMANDER, TO_COMMAND_ZONE, event.subject, owner, Scope(event.subject, owner)))
        if event.to == "battlefield" and active(state):
            view, event_as_seen = entering(state, event)
            found.extend(_of_counters(state, view, event, event_as_seen, applied))
            event = event_as_seen
    for key, ability, scope, floating in active(state):
        if ability.event.event not in event_names or key in applied or ability.rewrite == UNPREVENTABLE:
            continue
        if floating is not None:
            floating = (used or {}).get(floating.id, floating)
            if (floating.uses < 0 and not _same_time(floating, event)) or floating.amount == 0:
                continue
        # 614.12: what enters is looked at as it would be on the battlefield.
        seen = view if ability.event.to == "battlefield" and ability.event.from_ is None else state
        effect = applies(seen, key, ability, scope, event, floating, batch)
        if effect is not None:
            found.append(effect)
    if isinstance(event, events.Damage) and event.object < 0 and all_rules(state):
        found.extend(_of_protection(state, event, applied))
    if isinstance(event, events.Damage) and "306.7" not in applied:
        redirection = _redirection(state, event)
        if redirection is not None:
            found.append(redirection)
    return found


def applies(
    state: State,
    key: str,
    ability: forms.Replacement,
    scope: Scope,
    event: events.Event,
    floating: Floating | None,
    batch: Sequence[events.Event] = (),
) -> Applicable | None:
    """The effect as it applies to this event, None if it does not. Its key, ability, scope and floating effect are as `active`
    has them."""
    if floating is not None and not _from_chosen(state, scope, event):
        return None
    if state.options.limited and not _in_range(state, ability, event, scope):
        return None
    bindings = match(state, ability.event, event, ability.event.event, scope)
    if bindings is None:
        return None
    if any(isinstance(r, forms.Regenerates) for r in ability.rewrite) and _cant_regenerate(state, event):
        return None
    if any(isinstance(r, forms.AtMost) for r in ability.rewrite) and _at_most_idle(state, ability, event, scope, batch):
        return None
    told = Scope(scope.source, scope.controller, scope.entry, (*scope.bindings, *_unbound(scope, bindings)))
    if ability.condition is not None and not holds(state, ability.condition, told):
        return None
    return Applicable(key, ability, scope.source, scope.controller, told, ability.text, floating)


def _in_range(state: State, ability: forms.Replacement, event: events.Event, scope: Scope) -> bool:
    """801.15b: by what the effect specifies, the source, the recipient, or if neither both must be in range."""
    seat, pattern = scope.controller, ability.event
    subject, obj = event.subject, event.object
    if pattern.subject is None and pattern.object is None:
        return all(lookup.reaches(state, seat, r) for r in (subject, obj) if r)
    if pattern.subject is not None and subject and not lookup.reaches(state, seat, subject):
        return False
    return pattern.object is None or not obj or lookup.reaches(state, seat, obj)


def _unbound(scope: Scope, bindings: Bindings) -> Bindings:
    """What the event binds, but for names that the effect has bound itself (a shield's "it" stays its own)."""
    return tuple(pair for pair in bindings if not scope.has(Label(pair[0])))


def _cant_regenerate(state: State, event: events.Event) -> bool:
    if isinstance(event, events.Destroy) and event.no_regeneration:
        return True
    return any(r.flag.rule == "can't be regenerated" for r in rules_about(state, event.subject))


def _at_most_idle(
    state: State, ability: forms.Replacement, event: events.Event, scope: Scope, batch: Sequence[events.Event]
) -> bool:
    """Whether a limit would change nothing, so that it does not apply."""
    for r in ability.rewrite:
        if isinstance(r, forms.AtMost):
            if r.amount is None:
                return short_of_floor(state, r, event, batch) <= 0
            return event.amount <= amount(state, r.amount, scope)
    return False


def short_of_floor(state: State, step: forms.AtMost, event: events.Event, batch: Sequence[events.Event]) -> int:
    """By how much too little life, or too few counters, would be left after all of a batch (the second example of 119.4c)."""
    if step.life_floor is not None:
        return step.life_floor - life_after(state, event, batch)
    assert isinstance(event, events.RemoveCounters) and step.counters_floor is not None
    found = state.objects.get(event.subject)
    removed = (e for e in batch or (event,) if isinstance(e, events.RemoveCounters) and e.subject == event.subject)
    left = lookup.count(found.counters, event.counter) if found is not None else 0
    return step.counters_floor - left + sum(e.amount for e in removed if e.counter == event.counter)


def life_after(state: State, event: events.Event, batch: Sequence[events.Event]) -> int:
    """The life total after all of a batch: its net change counts (the second example of 119.4)."""
    life = lookup.individual_life(state, event.subject)
    for other in batch or (event,):
        if other.subject == event.subject and isinstance(other, events.GainLife | events.LoseLife):
            life += other.amount if isinstance(other, events.GainLife) else -other.amount
    return life


def precedence(state: State, found: Applicable, event: events.Event) -> int:
    """The place in the order in which effects are chosen, the lowest first: self-replacement effects, what changes under whose
    control something enters, what makes it enter as a copy if the edition has that before others (616.1c), everything else."""
    if found.effect.self_replacement:
        return 0
    if isinstance(event, events.Move) and event.to == "battlefield":
        for step in found.effect.rewrite:
            if isinstance(step, forms.Instead) and not step.do:
                return 0  # what cannot enter cannot, whatever else would change about it (101.2)
            if isinstance(step, forms.EnterUnder):
                return 1
            if isinstance(step, forms.EnterWith) and step.copy is not None and state.edition.copies_first:
                return 2
    return 3


def looks_at_all(found: Applicable) -> bool:
    """Whether an effect looks at what the whole batch comes to, so that it is applied after what shapes single events."""
    return any(isinstance(r, forms.AtMost) and r.amount is None for r in found.effect.rewrite)


def _from_chosen(state: State, scope: Scope, event: events.Event) -> bool:
    """609.7a: a shield against a chosen source looks at damage from that very source, or from the permanent that the chosen
    permanent spell has become."""
    chosen = scope.refs(BoundRefs.CHOSEN_SOURCE)
    if chosen is None or not isinstance(event, events.Damage):
        return True
    ref = chosen[0]
    if event.subject == ref:
        return True
    last = state.last.get(ref)
    if last is None or last.object.zone != "stack" or last.became != event.subject:
        return False
    became = state.objects.get(event.subject)
    if became is None:
        left = state.last.get(event.subject)
        became = left.object if left is not None else None
    return became is not None and became.zone == "battlefield"


def _same_time(floating: Floating, event: events.Event) -> bool:
    """Whether a "next time" effect that has just been used applies to this event too: the same source's damage to several at
    once is one time, and so is what several sources deal to the same one if the effect speaks of none."""
    if not isinstance(event, events.Damage):
        return False
    same = ((BoundRefs.SPENT_ON, (event.subject,)), (BoundRefs.SPENT_FOR, (event.object,)))
    return any(spent in floating.bindings for spent in same)


def shield_left(found: Applicable, used: dict[int, Floating]) -> int | None:
    """How much a shield of a number can still prevent or redirect in this batch; None if the effect is no such shield."""
    if found.floating is None or not any(
        isinstance(r, forms.Redirect) or (isinstance(r, forms.Prevent) and r.shield) for r in found.effect.rewrite
    ):
        return None
    floating = used.get(found.floating.id, found.floating)
    return floating.amount if floating.amount >= 0 else None


def cant_be_prevented(state: State, event: events.Damage) -> bool:
    """615.11: the damage itself says so, or an effect about it, or a rule about its source."""
    if event.unpreventable or says_of_itself(state, event.subject, "damage can't be prevented"):
        return True
    if any(r.flag.rule == "damage can't be prevented" for r in rules_about(state, event.subject)):
        return True
    return any(
        ability.rewrite == UNPREVENTABLE and applies(state, key, ability, scope, event, floating) is not None
        for key, ability, scope, floating in active(state)
    )


def _of_counters(
    state: State, view: State, event: events.Move, seen: events.Move, applied: tuple[str, ...]
) -> list[Applicable]:
    """Effects on counters being put see the counters with which a permanent enters (306.5b, 614.12)."""
    found: list[Applicable] = []
    for kind, n in event.counters:
        by = event.by or seen.subject
        put = events.PutCounters(subject=seen.subject, amount=n, counter=kind, by=by)
        for key, ability, scope, floating in active(state):
            if ability.event.event != "counters put" or f"{key} {kind}" in applied:
                continue
            effect = applies(view, f"{key} {kind}", ability, scope, put, floating)
            if effect is not None:
                found.append(effect)
    return found


def own_key(key: str, oid: Ref) -> str:
    """The key of an object's own effect as instructions that it has done instead of the event keep it (614.5)."""
    return f"{key}@{oid}".replace(" ", "_") if key.startswith("own") else key


def _own(state: State, event: events.Move, applied: tuple[str, ...]) -> list[Applicable]:
    """The entering permanent's own effects on how it enters (614.12), and a card's own on where it goes."""
    if event.subject == 0:
        definition, oid, controller = event.definition, 0, max(event.controller, 0)
        entry = event.entry
    else:
        source = state.objects[event.subject]
        definition = event.definition or source.printed or source.definition
        oid = source.id
        controller = event.controller if event.controller >= 0 else source.owner
        entry = source.entry if source.zone == "stack" else None
        if source.zone == "battlefield" and event.to != "battlefield":
            return []  # found through the index of the battlefield
    found: list[Applicable] = []
    if definition is None or event.face_down:
        return found
    abilities = definition.base.abilities
    if event.subject and event.definition is None and state.objects[event.subject].zone == "stack":
        abilities = characteristics(state, event.subject).abilities  # with what effects gave the spell
    for index, ability in _there(state, event, definition.base.abilities.replacements, abilities.replacements):
        # 614.12: what enters as a copy has the copied effects too.
        key = f"own{index}" if event.definition is None else f"own{index} {definition.key}"
        if key in applied or own_key(key, oid) in applied or ability.event.event != "zone change":
            continue
        pattern = ability.event
        if pattern.subject is None or pattern.subject.text != forms.THIS:
            continue
        if pattern.to is not None and pattern.to != event.to:
            continue
        if pattern.from_ is not None and (event.subject == 0 or pattern.from_ != state.objects[oid].zone):
            continue
        if pattern.from_ is None and pattern.to is None:
            continue
        if pattern.cause and event.cause not in pattern.cause.split():
            continue
        scope = Scope(oid, controller, entry, ((BoundRefs.IT, (oid,)), (BoundRefs.FOLLOW, (oid,))))
        if pattern.by is not None and not (event.by and fits(state, pattern.by.reading, event.by, scope)):
            continue
        if ability.condition is not None and not _holds_of(state, event, ability.condition, scope):
            continue
        found.append(Applicable(key, ability, oid, controller, scope, ability.text))
    return found


def _holds_of(state: State, event: events.Move, condition: forms.AnyCondition, scope: Scope) -> bool:
    view, oid = becoming(state, event)
    return holds(view, condition, replace(scope, source=oid))


def _there(state: State, event: events.Move, printed: _Numbered, own: _Numbered) -> _Numbered:
    """The permanent's own effects as it would have them on the battlefield: without the printed ones that effects there would
    take away, with those that they would give it (current 614.12; in 2011 effects of other sources are ignored)."""
    if event.to != "battlefield" or not state.edition.entering_sees_effects or not board(state).alters:
        return own
    view, seen = entering(state, event)
    there = characteristics(view, seen.subject).abilities.replacements
    before, after = [ability for _, ability in printed], [ability for _, ability in there]
    kept: list[tuple[int | str, forms.Replacement]] = []
    given = list(there)
    for index, ability in own:
        is_printed = ability in before
        if is_printed:
            before.remove(ability)
        if ability in after:  # instance by instance: several of the same each work (riot, current 702.136b)
            given.remove(next(pair for pair in given if pair[1] == ability))
            after.remove(ability)
        elif is_printed:
            continue
        kept.append((index, ability))
    return (*kept, *((f" there {index}", ability) for index, ability in given))


PROTECTION = forms.Replacement(event=forms.Pattern(event="damage"), rewrite=(forms.Prevent(),), text="protection")


def _of_protection(state: State, event: events.Damage, applied: tuple[str, ...]) -> list[Applicable]:
    """702.15e: damage that a player has protection from is prevented."""
    found: list[Applicable] = []
    for place, (rule, scope) in enumerate(rules(state, seat_of(event.object), "protection")):
        key = f"protection {scope.source} {place}"
        if key not in applied and (rule.what is None or fits(state, rule.what.reading, event.subject, scope)):
            found.append(Applicable(key, PROTECTION, scope.source, scope.controller, scope, "protection"))
    return found


def _redirection(state: State, event: events.Damage) -> Applicable | None:
    """306.7: noncombat damage that an opponent's source would deal to a player with a planeswalker."""
    if event.combat or event.object >= 0 or not state.edition.planeswalker_redirection:
        return None
    seat = seat_of(event.object)
    opponent = controller_of(state, event.subject)
    if opponent is None or opponent not in lookup.opponents(state, seat):
        return None
    if not planeswalkers_of(state, seat):
        return None
    scope = Scope(event.subject, opponent)
    return Applicable("306.7", REDIRECTION, event.subject, opponent, scope, "306.7")


def planeswalkers_of(state: State, seat: int) -> tuple[int, ...]:
    """The planeswalkers that a player controls."""
    kept, key = of_board(state), ("planeswalkers", seat)
    made: tuple[int, ...] | None = kept.get(key)
    if made is None:
        made = kept[key] = tuple(
            i
            for i in state.battlefield
            if state.objects[i].controller == seat
            and not state.objects[i].rare.phased_out
            and "planeswalker" in characteristics(state, i).types
        )
    return made
