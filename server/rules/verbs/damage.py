"""Handlers of verbs about damage (119): dealing it, several parts at once, fighting."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.casting import pick, seats
from server.rules.characteristics import characteristics, known, quantity, select
from server.rules.functioning import speaks_of_attackers
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundRefs,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    divided,
    events,
    lookup,
    player_ref,
    shared,
    targets_of,
)
from server.rules.verbs.next_instruction import Asking, after, through

ITSELF = "itself"
Dividing = Generator[AnyQuestion, AnyAnswer, "dict[Ref, int]"]


def _damage(state: State, frame: RunFrame, verb: forms.Damage) -> Asking:
    scope = frame.scope
    sources = select(state, verb.source, scope)  # 608.2b: none if what should deal it is an illegal target
    of_source = _speaks_of_source(verb)
    refs = () if of_source else (yield from pick(state, verb.to, scope, "damage", scope.controller))
    told: tuple[Ref, ...] = refs
    n = quantity(state, verb.amount, scope)
    batch: list[events.Event] = []
    parts = division(frame, verb.to) if verb.divided else None
    for source in sources:
        spoken = scope
        if not isinstance(verb.source.reading, nouns.This):  # "each deal damage equal to their power": each its own
            spoken = scope.bind(BoundRefs.SOURCE, (source,))
            n = quantity(state, verb.amount, spoken)
        if of_source:
            itself = verb.to.text == ITSELF
            own = scope.bind(BoundRefs.IT, (source,)).bind(BoundRefs.AFFECTED, (source,))
            refs = (source,) if itself else select(state, verb.to, own)
            told = (*told, *refs)
        if verb.divider is not None and refs:
            parts = yield from _divided_now(state, spoken, verb.divider, n, refs)
        for ref in refs:
            own_amount = ref < 0 and not isinstance(verb.amount, int) and scope.refs(BoundRefs.PLAYER) is None
            if own_amount:  # "damage to each player equal to the number of lands that player controls"
                n = quantity(state, verb.amount, through(spoken, ref))
            share = parts.get(ref, 0) if parts is not None else n // len(refs) if verb.evenly else n
            dealt = events.Damage(
                subject=source, object=ref, amount=share, by=scope.source, unpreventable=verb.unpreventable
            )
            batch.extend(_spilt(state, dealt) if verb.spills else (dealt,))
    return after(frame, batch, it=tuple(dict.fromkeys(told)))


def _divided_now(state: State, scope: Scope, divider: forms.Noun, n: int, refs: tuple[Ref, ...]) -> Dividing:
    """The share of each, as a player divides the damage while the instruction is followed: some may be dealt none."""
    who = seats(state, divider, scope)
    shares = yield from ask.divide(who[0] if who else scope.controller, n, refs, 0, "divide", scope.source)
    return dict(zip(refs, shares, strict=True))


def _spilt(state: State, dealt: events.Damage) -> tuple[events.Damage, ...]:
    """Damage to an object, what is excess being dealt to its controller at the same time (current 120.4a)."""
    found = lookup.permanent(state, dealt.object)
    if found is None:
        return (dealt,)
    c, source = characteristics(state, dealt.object), known(state, dealt.subject)
    left: list[int] = []
    if "creature" in c.types:
        lethal = max(0, (c.toughness or 0) - found.damage)
        left.append(min(1, lethal) if source is not None and "deathtouch" in source.keywords else lethal)
    if "planeswalker" in c.types:
        left.append(lookup.count(found.counters, "loyalty"))
    much = min(dealt.amount, *left)  # of several types the greatest excess
    rest = replace(dealt, object=player_ref(found.controller), amount=dealt.amount - much)
    return (replace(dealt, amount=much), *((rest,) if rest.amount else ()))


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
    scope = scope.bind(BoundRefs.IT, things) if things else scope
    return scope.bind(BoundRefs.PLAYER, people) if people else scope


def division(frame: RunFrame, noun: forms.Noun) -> dict[Ref, int]:
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


def _fight(state: State, frame: RunFrame, verb: forms.Fight) -> Asking:
    # 701.10: each deals damage equal to its power to the other, if both are still creatures on the battlefield.
    scope = frame.scope
    if verb.paired:
        return (yield from _fight_in_pairs(state, frame, verb))
    left = yield from pick(state, verb.left, scope, "fight", scope.controller)
    right = yield from pick(state, verb.right, scope, "fight", scope.controller)
    if left == (scope.source,):  # "{this} fights target creature. If that creature would die this turn, ..."
        frame = replace(frame, scope=scope.bind(BoundRefs.CREATURE, right))
    pair = [r for r in (*left[:1], *right[:1]) if _is_creature(state, r)]
    if len(pair) < 2:
        return after(frame, [], it=left)
    return after(frame, _blows(state, pair[0], pair[1], scope), it=left)


def _blows(state: State, a: Ref, b: Ref, scope: Scope) -> list[events.Event]:
    """That two creatures fight, and what they deal to each other."""
    return [
        *(events.KeywordAction(subject=one, cause="fight", by=scope.source) for one in (a, b)),
        events.Damage(subject=a, object=b, amount=characteristics(state, a).power or 0, by=scope.source),
        events.Damage(subject=b, object=a, amount=characteristics(state, b).power or 0, by=scope.source),
    ]


def _fight_in_pairs(state: State, frame: RunFrame, verb: forms.Fight) -> Asking:
    """Each fights another one, all at the same time; of more than there are others for, some do not fight."""
    scope = frame.scope
    left = [ref for ref in select(state, verb.left, scope) if _is_creature(state, ref)]
    right = [ref for ref in select(state, verb.right, scope) if _is_creature(state, ref)]
    batch: list[events.Event] = []
    for place, one in enumerate(left):
        least = 1 if len(left) - place <= len(right) else 0
        found = yield from ask.choose_refs(scope.controller, tuple(right), least, min(1, len(right)), "fight", one)
        for other in found:
            right.remove(other)
            batch.extend(_blows(state, one, other, scope))
    return after(frame, batch, it=tuple(left))


def _is_creature(state: State, ref: Ref) -> bool:
    return lookup.permanent(state, ref) is not None and "creature" in characteristics(state, ref).types


DAMAGE_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.Damage: _damage,
    forms.AtOnce: _at_once,
    forms.Fight: _fight,
}
