"""Verbs that make effects: continuous ones with a duration, shields, rules about players, delayed triggers, emblems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.forms import Card
from server.cards.grammar import CHOSEN_THIS_WAY
from server.cards.keywords import NO_LONGER, SUSPECTED
from server.rules.casting import pick, seats
from server.rules.characteristics import FLIPPED, amount, board, fits, known, quantity, rules_about, select
from server.rules.costs import costs
from server.rules.model import (
    Bindings,
    BoundNumber,
    BoundRefs,
    Characteristics,
    Definition,
    DelayedTrigger,
    Entry,
    Floating,
    Label,
    Next,
    Object,
    Ref,
    RunFrame,
    Scope,
    State,
    Triggered,
    ask,
    chosen_name,
    current,
    define,
    events,
    locked,
    make_effect,
    on_board,
    player_ref,
    remember,
    turned_over,
    walk,
    zone_ids,
)
from server.rules.replacements import became, choose_value
from server.rules.verbs.next_instruction import Asking, after, goes_on


def _effect(state: State, frame: RunFrame, verb: forms.Effect) -> Asking:
    scope = frame.scope
    mods: tuple[forms.AnyModification, ...] = ()
    for mod in verb.mods:
        if isinstance(mod, forms.BecomeCopy) and mod.of is not None:
            copied = yield from pick(state, mod.of, scope, "copy", scope.controller)
            copy = became(state, mod, scope, copied)
            if copy is None:
                return after(frame, [])
            mods = (*mods, copy)
        elif isinstance(mod, forms.GainsChosen):
            word = yield from ask.choose_word(scope.controller, mod.keywords, "keyword", scope.source)
            mods = (*mods, forms.GainAbilities(keywords=(word,)))
        elif isinstance(mod, forms.GainsActivatedOf):
            others = yield from pick(state, mod.of, scope, "effect", scope.controller)
            gainer = known(state, scope.source) if verb.what.text == forms.THIS else None
            mods = (*mods, forms.GainAbilities(abilities=_activated_of(state, others, gainer)))
        else:
            mods = (*mods, mod)
    if verb.following:
        ability = forms.Continuous(what=verb.what, mods=tuple(fixed(state, mod, scope) for mod in mods))
        return after(frame, [make_effect(state, scope, ability, verb.duration)])
    refs = yield from pick(state, verb.what, scope, "effect", scope.controller)
    about = scope.bind(BoundRefs.AFFECTED, refs) if len(refs) == 1 else scope
    if (
        len(refs) == 1 and verb.what.text != forms.THIS
    ):  # "target artifact becomes a creature with power equal to its mana value"
        about = about.bind(BoundRefs.IT, refs)
    alike: dict[tuple[forms.AnyModification, ...], tuple[Ref, ...]] = {}
    for ref in refs:  # 802.2a: what is said of each is found for each
        own = tuple(
            fixed(state, mod, about if len(refs) == 1 else scope.bind(BoundRefs.AFFECTED, (ref,))) for mod in mods
        )
        alike[own] = (*alike.get(own, ()), *current(state, ref, scope))
    refs = tuple(i for r in refs for i in current(state, r, scope))
    # 609.2, 611.2c: the set of objects is locked in now.
    batch: list[events.Event] = []
    for own, those in alike.items():
        objects = on_board(state, those) or tuple(r for r in those if r in state.objects)
        if objects:
            ability = forms.Continuous(what=forms.Noun("it"), mods=own)
            batch.append(make_effect(state, scope, ability, verb.duration, objects=objects))
    return after(frame, batch, it=refs)


def _activated_of(
    state: State, refs: tuple[Ref, ...], gainer: Characteristics | None
) -> tuple[forms.ActivatedAbility, ...]:
    """The activated abilities of objects, mana abilities too, whose text names what gains them (201.4b)."""
    found: list[forms.ActivatedAbility] = []
    for seen in (known(state, ref) for ref in refs):
        if seen is None:
            continue
        for ability in seen.abilities.all:
            if isinstance(ability, forms.ActivatedAbility):
                text = (
                    ability.text.replace(seen.name, gainer.name) if gainer is not None and seen.name else ability.text
                )
                found.append(ability if text == ability.text else replace(ability, text=text))
    return tuple(found)


def fixed(state: State, mod: forms.AnyModification, scope: Scope) -> forms.AnyModification:
    """A modification with its amounts determined now, once (608.2g)."""
    if isinstance(mod, forms.AddPT):
        return replace(mod, power=amount(state, mod.power, scope), toughness=amount(state, mod.toughness, scope))
    if isinstance(mod, forms.SetPT):
        power = None if mod.power is None else amount(state, mod.power, scope)
        toughness = None if mod.toughness is None else amount(state, mod.toughness, scope)
        return replace(mod, power=power, toughness=toughness)
    return mod


def _shield(state: State, frame: RunFrame, verb: forms.Shield) -> Asking:
    scope = frame.scope
    bindings: tuple[tuple[str, Any], ...] = ()
    if verb.source_choice is not None:
        # 609.7a: the source is chosen as the effect is made.
        options = damage_sources(state, verb.source_choice, scope)
        picked = yield from ask.choose_refs(scope.controller, options, 1, 1, "source", scope.source)
        if not picked:
            return after(frame, [])
        bindings = ((BoundRefs.SOURCE, picked), (BoundRefs.CHOSEN_SOURCE, picked))
        verb = replace(verb, effect=_against(verb.effect, verb.source_choice))
    shield = quantity(state, verb.amount, scope) if verb.amount is not None else -1
    things: tuple[Ref, ...] | None = None
    if verb.per is not None:
        things = yield from pick(state, verb.per, scope, "shield", scope.controller)
    if things is None:
        made = make_effect(state, scope, verb.effect, verb.duration, None, verb.uses, shield, bindings)
        return after(frame, [made])
    batch = [
        make_effect(
            state, scope, verb.effect, verb.duration, (ref,), verb.uses, shield, (*bindings, (BoundRefs.IT, (ref,)))
        )
        for ref in things
    ]
    return after(frame, batch, it=things)


def _against(effect: forms.Replacement, source: forms.Noun) -> forms.Replacement:
    """A shield against a chosen source looks at its characteristics again when it would deal damage (609.7b)."""
    if effect.event.subject is not None:
        return effect
    return replace(effect, event=replace(effect.event, subject=source))


def damage_sources(state: State, noun: forms.Noun, scope: Scope) -> tuple[Ref, ...]:
    """What can be chosen as a source of damage (119.7): permanents, spells on the stack, and whatever something on the
    stack, a waiting replacement or prevention effect or a waiting delayed trigger refers to."""
    found: list[int] = [*zone_ids(state, "battlefield"), *(i for i in state.stack)]
    for oid in state.stack:
        entry = state.objects[oid].entry
        if entry is not None:
            found.append(entry.source)
            for slot in entry.targets:
                found.extend(slot)
            found.extend(_bound(tuple(pair for pair in entry.bindings if _refers(entry, pair[0]))))
    for waiting in (*state.effects, *state.delayed):
        found.append(waiting.source)
        found.extend(_bound(waiting.bindings))
        if isinstance(waiting, Floating):
            found.extend(waiting.objects or ())
    known = tuple(dict.fromkeys(r for r in found if r > 0 and (r in state.objects or r in state.last)))
    reading = noun.reading
    return tuple(r for r in known if _is_source(state, reading, r, scope))


def _is_source(state: State, reading: nouns.Reading, ref: Ref, scope: Scope) -> bool:
    found = state.objects.get(ref)
    if found is not None and found.zone == "stack" and found.entry is not None and found.entry.kind != "spell":
        return False  # an ability is no source; the object it came from is
    return fits(state, reading, ref, scope)


def _refers(entry: Entry, name: str) -> bool:
    """Whether something on the stack refers to what it knows under a name: to what was moved to pay for it only if it says so ("the
    sacrificed creature", "each creature sacrificed this way")."""
    if name.removesuffix(" this way") not in costs.PAID_NAMES.values():
        return True
    inner = (p for part in walk(entry.program) if isinstance(part, forms.Noun) for p in walk(part.reading))
    return any(
        isinstance(part, nouns.It) and part.what == name or isinstance(part, nouns.Named) and part.name == name
        for part in inner
    )


def _bound(bindings: tuple[tuple[str, Any], ...]) -> list[int]:
    return [r for _, value in bindings if isinstance(value, tuple) for r in cast("tuple[int, ...]", value)]


def _rule_effect(state: State, frame: RunFrame, verb: forms.RuleEffect) -> Next:
    scope = frame.scope
    who: tuple[Ref, ...] | None = None
    if isinstance(verb.rule, forms.PlayerRule):
        who = tuple(player_ref(s) for s in seats(state, verb.rule.who, scope))
    once = isinstance(verb.rule, forms.PlayerRule) and verb.rule.rule == "next spell has"
    return after(frame, [make_effect(state, scope, verb.rule, verb.duration, objects=who, uses=int(once))])


def _kept(state: State, scope: Scope) -> Bindings:
    """What a delayed trigger remembers. What it speaks of is where it is now, and is followed to no other zone (603.7c); a commander
    that went to the command zone instead is not where it is expected to be."""
    moved = scope.refs(BoundRefs.FOLLOW) or ()
    aside = {r for r in moved if r in state.command}
    gone = tuple(r for r in moved if r not in state.objects and not (r in state.last and state.last[r].became in aside))
    kept = locked(scope.bind(BoundRefs.FOLLOW, gone))
    return tuple((name, _without(value, aside) if isinstance(value, tuple) else value) for name, value in kept)


def _without(refs: Any, aside: set[Ref]) -> tuple[Ref, ...]:
    return tuple(ref for ref in refs if ref not in aside)


def _delayed(state: State, frame: RunFrame, verb: forms.Delayed) -> Next:
    scope = frame.scope
    ability = delayed_ability(verb)
    trigger = DelayedTrigger(
        id=0,
        ability=ability,
        controller=scope.controller,
        source=scope.source,
        once=verb.once,
        until=verb.duration,
        turn=state.turn.number,
        bindings=_kept(state, scope),
        entry=scope.entry,
    )
    return after(frame, [events.MakeDelayed(subject=scope.source, trigger=trigger)])


_delayed_abilities: dict[int, tuple[forms.Delayed | forms.Reflexive, forms.TriggeredAbility]] = {}


def delayed_ability(verb: forms.Delayed | forms.Reflexive) -> forms.TriggeredAbility:
    """The triggered ability that a verb makes; the same one every time, since its target slots are found by identity."""
    known = _delayed_abilities.get(id(verb))
    if known is None or known[0] is not verb:
        when = verb.when if isinstance(verb, forms.Delayed) else ()
        ability = forms.TriggeredAbility(when=when, do=verb.then, text=verb.text)
        known = remember(_delayed_abilities, id(verb), (verb, ability))
    return known[1]


def _reflexive(state: State, frame: RunFrame, verb: forms.Reflexive) -> Next:
    scope = frame.scope
    trigger = Triggered(delayed_ability(verb), scope.source, scope.controller, _kept(state, scope), -1, scope.entry)
    return after(frame, [events.TriggeredAbilities(waiting=(*state.waiting, trigger))])


def _choose_word(state: State, frame: RunFrame, verb: forms.ChooseWord) -> Asking:
    scope = frame.scope
    who = seats(state, verb.who, scope)
    chooser = who[0] if who else scope.controller
    what, value = yield from choose_value(state, chooser, verb.what, scope.source, verb.kind)
    bound = scope.bind(chosen_name(what), value)
    if what == "player" and value:
        bound = bound.bind(BoundRefs.PLAYER, (int(value),))
    if what == "number":
        bound = bound.bind(BoundNumber.AMOUNT, int(value))
    batch = (events.Chosen(subject=scope.source, what=what, value=value),)
    return Next(replace(frame, place=frame.place + 1, step=0, scope=bound, memory=()), batch=batch)


def _designate(state: State, frame: RunFrame, verb: forms.Designate) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, "designate", frame.scope.controller)
    turn = str(state.turn.number)  # what lasts for the turn is asked for with it
    there = [ref for ref in on_board(state, refs) if _takes(state, ref, verb)]
    if verb.no_longer:
        return after(frame, [events.Chosen(subject=r, what=verb.designation, value=NO_LONGER) for r in there], it=refs)
    # "When it becomes monstrous, it deals X damage": the X of what made it so (current 107.3i).
    x = amount(state, nouns.X(), frame.scope)
    batch = [events.Designated(subject=ref, cause=verb.designation, amount=x) for ref in there]
    batch += [events.Chosen(subject=ref, what=verb.designation, value=turn) for ref in there]
    return after(frame, batch, it=refs)


def _takes(state: State, ref: Ref, verb: forms.Designate) -> bool:
    """Whether the designation is news for an object: what is suspected can't become so again (current 701.60d)."""
    noted = dict(state.objects[ref].chosen).get(verb.designation, NO_LONGER)
    return verb.designation != SUSPECTED or verb.no_longer is (noted != NO_LONGER)


def _turn_face_up(state: State, frame: RunFrame, verb: forms.TurnFaceUp) -> Asking:
    """A manifested card that would be no permanent if it were face up stays as it is (current 701.40g)."""
    refs = yield from pick(state, verb.what, frame.scope, "turn face up", frame.scope.controller)
    hidden = (state.objects[ref] for ref in on_board(state, refs) if state.objects[ref].face_down)
    kept = {"instant", "sorcery"}
    batch = [events.TurnFaceUp(subject=o.id) for o in hidden if not kept & set(o.definition.base.types)]
    return after(frame, batch, it=refs)


def _turn_over(state: State, frame: RunFrame, verb: forms.TurnOver) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, verb.how, frame.scope.controller)
    batch: list[events.Event] = []
    for found in (state.objects[ref] for ref in on_board(state, refs)):
        other = _other_face(state, found, verb.how, frame.scope)
        if other is not None:
            batch.append(events.TurnedOver(subject=found.id, definition=other, cause=verb.how, by=frame.scope.source))
        elif verb.how == "flip" and _copies_flip_card(state, found):
            batch.append(events.Chosen(subject=found.id, what=FLIPPED))
    return after(frame, batch, it=refs)


def _copies_flip_card(state: State, found: Object) -> bool:
    """Whether it is a copy of a flip card for a while, and no flip card itself: it is flipped all the same (110.6c)."""
    copied = board(state).copies.get(found.id)
    return copied is not None and copied.card.layout == "flip" and not found.face_down


#: What keeps a permanent from being turned over.
CANT_TURN = {"transform": "can't transform"}


def _other_face(state: State, found: Object, how: str, scope: Scope) -> Definition | None:
    """What a permanent becomes that is to be transformed or flipped; None if nothing happens."""
    if found.face_down or found.merged or any(r.flag.rule == CANT_TURN.get(how) for r in rules_about(state, found.id)):
        return None
    edition, entry = state.edition, scope.entry
    if edition.turns_once and entry is not None and entry.ability is not None and entry.source == found.id:
        put = next((state.objects[i].timestamp for i in state.stack if state.objects[i].entry is entry), 0)
        if found.turned > put > 0:
            return None
    if how == "transform":  # 701.25b: only double-faced cards (and in the current edition tokens)
        whole = found.definition.whole or found.definition
        if not edition.turns_once if found.token else (found.printed or found.definition) is not whole:
            return None
    return turned_over(found.definition, how, edition.value_of_front)


def _pair(state: State, frame: RunFrame, verb: forms.Pair) -> Asking:
    scope = frame.scope
    refs = yield from pick(state, verb.what, scope, "pair", scope.controller)
    able = [r for r in (scope.source, *refs) if fits(state, _PAIRABLE.reading, r, scope) and r in state.battlefield]
    batch = [events.Paired(subject=able[0], object=able[1])] if len(able) == 2 else []
    return after(frame, batch, it=refs)


_PAIRABLE = forms.Noun("an unpaired creature you control")
_emblems: dict[int, tuple[forms.Emblem, Card]] = {}


def _emblem(state: State, frame: RunFrame, verb: forms.Emblem) -> Next:
    known = _emblems.get(id(verb))
    if known is None or known[0] is not verb:
        card = Card(name="Emblem", types="", abilities=verb.abilities, text=verb.text)
        known = remember(_emblems, id(verb), (verb, card))
    batch = [
        events.Move(to="command", definition=define(known[1]), controller=s, owner=s, cause="emblem")
        for s in seats(state, verb.who, frame.scope)
    ]
    return after(frame, batch)


def _bind(state: State, frame: RunFrame, verb: forms.Bind) -> Next:
    scope = frame.scope
    if verb.amount is not None:
        return goes_on(frame, scope.bind(Label(verb.as_name), amount(state, verb.amount, scope)))
    assert verb.what is not None
    found = select(state, verb.what, scope)
    if verb.as_name != BoundRefs.IT:
        return goes_on(frame, scope.bind(Label(verb.as_name), found))
    if found and found[0] < 0:
        scope = scope.bind(BoundRefs.PLAYER, found)
    for word in map(Label, ("creature", "permanent", "card")):  # "that creature" is no longer that of the trigger event
        scope = scope.bind(word, found) if scope.refs(word) is not None else scope
    if isinstance(verb.what.reading, nouns.Target) and found and found[0] > 0 and "creature" in verb.what.text.split():
        scope = scope.bind(
            BoundRefs.CREATURE, found
        )  # "choose target creature": "that creature" whatever is created since
    so_far = scope.refs(Label(CHOSEN_THIS_WAY)) or ()  # "for each opponent, choose up to one target creature ..."
    chosen = tuple(dict.fromkeys((*so_far, *found)))
    return goes_on(frame, scope.bind(BoundRefs.IT, found).bind(Label(CHOSEN_THIS_WAY), chosen))


EFFECT_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.Effect: _effect,
    forms.Shield: _shield,
    forms.RuleEffect: _rule_effect,
    forms.Delayed: _delayed,
    forms.Reflexive: _reflexive,
    forms.ChooseWord: _choose_word,
    forms.Emblem: _emblem,
    forms.Designate: _designate,
    forms.TurnFaceUp: _turn_face_up,
    forms.TurnOver: _turn_over,
    forms.Pair: _pair,
    forms.Bind: _bind,
}
