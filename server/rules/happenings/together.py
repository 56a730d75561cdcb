"""Which of the triggers that several simultaneous events cause are one (603.2c)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.model import BoundNumber, BoundRefs, Ref, State, Triggered, object_or_last, walk

#: Events of which "that many" counts the items; of the others it is what they amount to.
_COUNTED = frozenset(
    (
        "zone change",
        "attacks",
        "tap",
        "untap",
        "sacrifice",
        "discard",
        "blocks",
        "becomes blocked by",
        "becomes blocked",
    )
)


def batched(state: State, found: list[Triggered]) -> list[Triggered]:
    """Leaves one of several triggers of the same ability where its grain is the whole batch (603.2c): "one or more creatures"
    are all of them, "a creature" each for itself, and so is "a player" to whom one or more do something. Being dealt damage
    by several sources at once is one event for each recipient, of all their damage together, and dealing damage, where no
    recipient is spoken of, one for each source."""
    seen: dict[tuple[object, ...], int] = {}
    kept: list[Triggered] = []
    for trigger in found:
        ability = trigger.ability
        pattern = _together(ability) if isinstance(ability, forms.TriggeredAbility) else None
        if pattern is None:
            kept.append(trigger)
            continue
        told = dict(trigger.bindings)
        key = (trigger.source, id(ability), told.get(BoundNumber.AGAIN), *_grain(state, pattern, told))
        if key in seen:
            kept[seen[key]] = _with_more(kept[seen[key]], trigger, pattern)
            continue
        seen[key] = len(kept)
        if pattern.event in _COUNTED and BoundNumber.AMOUNT in told:
            bindings = tuple((name, 1 if name == BoundNumber.AMOUNT else value) for name, value in trigger.bindings)
            trigger = replace(trigger, bindings=bindings)
        kept.append(trigger)
    return kept


def _together(ability: forms.TriggeredAbility) -> forms.Pattern | None:
    """The pattern of an ability that looks at several simultaneous events as one."""
    for pattern in ability.when:
        if pattern.grain == "batch" or pattern.event == "damage dealt to" or _deals(pattern):
            return pattern
    return None


def _deals(pattern: forms.Pattern) -> bool:
    """Whether a pattern looks at damage being dealt, to whomever it may be."""
    return pattern.event == "damage" and pattern.object is None


def _grain(state: State, pattern: forms.Pattern, told: Mapping[str, object]) -> tuple[object, ...]:
    """What tells the events apart that such a pattern looks at separately."""
    if pattern.event == "damage dealt to":
        return (told.get(BoundRefs.RECIPIENT),)
    if _deals(pattern) and pattern.grain == "each":
        return (told.get(BoundRefs.SOURCE),)
    if pattern.event == "discard":  # one or more cards of one player
        return (told.get(BoundRefs.PLAYER),)
    subject = pattern.subject is not None and isinstance(pattern.subject.reading, nouns.Each | nouns.Things)
    other = pattern.object is not None and not isinstance(pattern.object.reading, nouns.Each)
    about = (
        told.get(BoundRefs.SOURCE) if pattern.event == "damage" else told.get(BoundRefs.IT, told.get(BoundRefs.PLAYER))
    )
    whom = told.get(BoundRefs.RECIPIENT) if pattern.event == "damage" else told.get(BoundRefs.PLAYER)
    by = _controllers(state, about) if subject and _of_some_player(pattern) else None
    return (by if subject else about, whom if other else None)


def _of_some_player(pattern: forms.Pattern) -> bool:
    """Whether it speaks of things "a player controls", all of which are one player's."""
    parts = walk(pattern.subject.reading) if pattern.subject is not None else ()
    return any(isinstance(p, nouns.ControlledBy) and p.by == nouns.Players() for p in parts)


def _controllers(state: State, about: object) -> tuple[int, ...]:
    refs = cast("tuple[Ref, ...]", about) if isinstance(about, tuple) else ()
    return tuple(found.controller for ref in refs if (found := object_or_last(state, ref)) is not None)


#: The bindings that are all together what several events were about.
_ALL_OF = (BoundRefs.IT, BoundRefs.SOURCE, BoundRefs.FOLLOW)


def _with_more(first: Triggered, more: Triggered, pattern: forms.Pattern) -> Triggered:
    """The trigger told of what both events were about."""
    told = dict(more.bindings)
    bindings: list[tuple[str, tuple[Ref, ...] | int | str]] = []
    for name, value in first.bindings:
        another = told.get(name)
        if name == BoundNumber.AMOUNT and isinstance(value, int) and isinstance(another, int):
            value += 1 if pattern.event in _COUNTED else another
        elif name in _ALL_OF and isinstance(value, tuple) and isinstance(another, tuple):
            value = tuple(dict.fromkeys((*value, *another)))
        bindings.append((name, value))
    return replace(first, bindings=tuple(bindings))
