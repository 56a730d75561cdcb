"""Calling a paragraph that the server does not read: any player with priority says that it triggers (603.2), while its object is public or
has just left the battlefield, until the turn ends. Its controller controls it (603.3a) and does what it says as it resolves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from server.cards import forms
from server.rules.characteristics import board, characteristics
from server.rules.functioning import match, names
from server.rules.model import (
    Action,
    AnnounceFrame,
    Defect,
    Definition,
    Options,
    Scope,
    State,
    Triggered,
    called,
    controller_of,
    events,
    evolve,
    lookup,
    object_or_last,
    remember,
    reminded,
    this_turn,
)

MOST_CALLS = 10
"""How often a paragraph may be called in a turn: who would call it for ever calls it no more (732 of the current edition)."""

_with_hands: dict[int, tuple[Options, bool]] = {}


def calls(state: State) -> Iterator[Action]:
    """What anybody may call now."""
    if not by_hand_here(state):
        return
    for oid in board(state).index.by_hand:
        if not state.objects[oid].face_down:
            yield from _of(state, oid, characteristics(state, oid).abilities.by_hand)
    public = [oid for player in state.players for oid in player.graveyard]
    for oid in (*public, *state.exile, *state.command):
        found = state.objects[oid]
        if not found.face_down:
            yield from _of(state, oid, _printed(found.definition))
    for oid, last in state.last.items():
        if last.object.zone == "battlefield" and not last.object.face_down and oid not in state.objects:
            yield from _of(state, oid, last.characteristics.abilities.by_hand)


def announcing(state: State, action: Action) -> tuple[AnnounceFrame, dict[str, object]]:
    """What puts it on the stack, and the fields of the state that remember it."""
    oid, index = action.object, action.ability
    found = object_or_last(state, oid)
    ability = next((a for i, a in _abilities(state, oid) if i == index), None)
    seat = controller_of(state, oid)
    if found is None or ability is None or seat is None:
        raise Defect(f"{action!r} calls nothing")
    triggered = _triggered(ability)
    trigger = Triggered(triggered, oid, seat, (), index, definition=found.definition)
    count = this_turn(state, called(index), oid) + 1
    frame = AnnounceFrame(seat=seat, object=oid, ability=index, trigger=trigger)
    return frame, {"history": {**state.history, (called(index), oid): count}}


# --- reminders ----------------------------------------------------------------------------------------------------------------

PUBLIC = frozenset(("battlefield", "stack", "graveyard", "exile", "command"))


def remind(state: State, happened: Sequence[events.Event]) -> State:
    """The state in which is counted how often something happened that the first words of a paragraph by hand name, of what is on the
    battlefield or has just left it. Only what all have seen is looked at: whoever is reminded learns nothing by it.
    """
    if not happened or not by_hand_here(state):
        return state
    seen = [event for event in happened if _is_public(state, event)]
    history = dict(state.history)
    for oid, abilities in _listening(state) if seen else ():
        for index, ability in abilities:
            number = sum(_names(state, oid, ability, event) for event in seen)
            if number:
                key = reminded(index), oid
                history[key] = min(history.get(key, 0) + number, MOST_CALLS)
    return state if history == state.history else evolve(state, history=history)


def is_reminded(state: State, action: Action) -> bool:
    """Whether something happened that the paragraph's first words name, for which it was not called yet."""
    if action.type != "call":
        return False
    index, oid = action.ability, action.object
    return this_turn(state, reminded(index), oid) > this_turn(state, called(index), oid)


def reminds(state: State, action: Action) -> bool:
    """Whether the first words of what an action calls name an event, so that its player need not watch out for it."""
    return action.type == "call" and any(a.reminds for i, a in _abilities(state, action.object) if i == action.ability)


def _listening(state: State) -> Iterator[tuple[int, tuple[tuple[int, forms.HandAbility], ...]]]:
    for oid in board(state).index.by_hand:
        if not state.objects[oid].face_down:
            yield oid, characteristics(state, oid).abilities.by_hand
    for oid, last in state.last.items():
        if last.object.zone == "battlefield" and not last.object.face_down and oid not in state.objects:
            yield oid, last.characteristics.abilities.by_hand


def _is_public(state: State, event: events.Event) -> bool:
    if isinstance(event, events.Move) and (event.face_down or not {event.to, event.from_} & PUBLIC):
        return False
    for ref in (event.subject, event.object):
        found = state.objects.get(ref)
        if found is not None and (found.zone not in PUBLIC or found.face_down) and not isinstance(event, events.Move):
            return False
    return True


def _names(state: State, oid: int, ability: forms.HandAbility, event: events.Event) -> bool:
    """Whether the first words of a paragraph name an event."""
    controller = controller_of(state, oid)
    if controller is None:
        return False
    for pattern in ability.reminds:
        for name in names(event):
            if name == pattern.event and match(state, pattern, event, name, Scope(oid, controller)) is not None:
                return True
    return False


_made: dict[int, tuple[forms.HandAbility, forms.TriggeredAbility]] = {}


def _triggered(ability: forms.HandAbility) -> forms.TriggeredAbility:
    """The paragraph as the triggered ability that it is said to be; the same one for the same paragraph."""
    known = _made.get(id(ability))
    if known is None or known[0] is not ability:
        known = remember(
            _made, id(ability), (ability, forms.TriggeredAbility(when=(), do=ability.do, text=ability.text))
        )
    return known[1]


def _abilities(state: State, oid: int) -> tuple[tuple[int, forms.HandAbility], ...]:
    found = state.objects.get(oid)
    if found is None:
        last = state.last.get(oid)
        return last.characteristics.abilities.by_hand if last is not None else ()
    return characteristics(state, oid).abilities.by_hand if found.zone == "battlefield" else _printed(found.definition)


def _printed(definition: Definition) -> tuple[tuple[int, forms.HandAbility], ...]:
    return definition.base.abilities.by_hand


def _of(state: State, oid: int, abilities: tuple[tuple[int, forms.HandAbility], ...]) -> Iterator[Action]:
    for index, _ in abilities:
        if this_turn(state, called(index), oid) < MOST_CALLS and _in_game(state, oid):
            yield Action("call", oid, index)


def _in_game(state: State, oid: int) -> bool:
    seat = controller_of(state, oid)
    return seat is not None and lookup.present(state, seat)


def by_hand_here(state: State) -> bool:
    """Whether a card of the game has such a paragraph; looked for once in a game, by its options."""
    known = _with_hands.get(id(state.options))
    if known is None or known[0] is not state.options:
        some = any(
            abilities.by_hand
            for found in state.objects.values()
            for abilities in (found.definition.base.abilities, *(s.base.abilities for s in found.definition.sides))
        )
        known = remember(_with_hands, id(state.options), (state.options, some))
    return known[1]
