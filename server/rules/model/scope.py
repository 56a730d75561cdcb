"""Who speaks, and the small look-ups that selections, predicates and amounts share."""

from __future__ import annotations

from typing import overload

from server.cards.grammar import CHOSEN_THIS_WAY, CREATURE_TYPES
from server.rules.model.bindings import BindingName, BoundNumber, BoundRefs, BoundWord, Label
from server.rules.model.next_state import of_zones
from server.rules.model.questions import Ref, seat_of
from server.rules.model.state import Attacker, Bindings, Entry, Object, State, Struct


class Scope(Struct):
    """Who speaks: the `source` object's id, its `controller`'s seat, what was announced, and what is bound by name."""

    source: Ref
    controller: int
    entry: Entry | None = None
    bindings: Bindings = ()

    def refs(self, name: BoundRefs | Label) -> tuple[Ref, ...] | None:
        """The objects and players bound under a name; None if there are none of that name."""
        value = self._bound(name)
        return value if isinstance(value, tuple) else None

    def number(self, name: BoundNumber | Label) -> int | None:
        """The number bound under a name; None if there is none of that name."""
        value = self._bound(name)
        return value if isinstance(value, int) else None

    def word(self, name: BoundWord | Label) -> str | None:
        """The text bound under a name; None if there is none of that name."""
        value = self._bound(name)
        return value if isinstance(value, str) else None

    def has(self, name: BindingName) -> bool:
        """Whether anything is bound under a name."""
        return self._bound(name) is not None

    def _bound(self, name: str) -> tuple[Ref, ...] | int | str | None:
        for key, value in reversed(self.bindings):  # the last one wins
            if key == name:
                return value
        return None

    @overload
    def bind(self, name: BoundRefs, value: tuple[Ref, ...]) -> Scope: ...
    @overload
    def bind(self, name: BoundNumber, value: int) -> Scope: ...
    @overload
    def bind(self, name: BoundWord, value: str) -> Scope: ...
    @overload
    def bind(self, name: Label, value: tuple[Ref, ...] | int | str) -> Scope: ...
    def bind(self, name: BindingName, value: tuple[Ref, ...] | int | str) -> Scope:
        """The scope with one more binding; an earlier one of that name is replaced."""
        kept = tuple(pair for pair in self.bindings if pair[0] != name)
        return Scope(self.source, self.controller, self.entry, (*kept, (name, value)))

    def without(self, name: BindingName) -> Scope:
        """The scope without a binding."""
        kept = tuple(pair for pair in self.bindings if pair[0] != name)
        return Scope(self.source, self.controller, self.entry, kept)


def attacking(state: State, oid: int) -> Attacker | None:
    """The place in combat of an attacking creature."""
    if state.combat is None:
        return None
    for attacker in state.combat.attackers:
        if attacker.id == oid:
            return attacker
    return None


def controller_of(state: State, ref: Ref) -> int | None:
    """The seat of the controller of an object (or of the player itself), by last known information if it has left."""
    if ref < 0:
        return seat_of(ref)
    found = state.objects.get(ref)
    if found is None:
        last = state.last.get(ref)
        found = last.object if last is not None else None
    if found is None:
        return None
    return found.controller if found.zone in ("battlefield", "stack", "command") else found.owner


def object_or_last(state: State, ref: Ref) -> Object | None:
    """The object, or what it last was."""
    found = state.objects.get(ref)
    if found is not None:
        return found
    last = state.last.get(ref)
    return last.object if last is not None else None


def current(state: State, ref: Ref, scope: Scope) -> tuple[Ref, ...]:
    """The object as it is now: itself, or what it became if the text speaks of the very move that it made (400.7, 603.6);
    of a merged permanent all that it became (current 729.3c)."""
    if ref in state.objects or ref < 0:
        return (ref,)
    follow = scope.refs(BoundRefs.FOLLOW) or ()
    found = (ref,)
    for _ in range(3):
        after = [(i,) if i in state.objects else _became(state, i, follow) for i in found]
        found = tuple(i for ids in after for i in ids)
    return found


def _became(state: State, ref: Ref, follow: tuple[Ref, ...]) -> tuple[Ref, ...]:
    last = state.last.get(ref)
    return (ref,) if last is None or ref not in follow else (last.became, *last.others)


def spoken_of_before(state: State, scope: Scope) -> tuple[Ref, ...]:
    """What "other" and "another" leave out beside the source: what was chosen this way; and in an instant or sorcery, which has no
    permanent that it could be told from, its targets and what it spoke of last ("it deals that much damage to each other creature")."""
    chosen = scope.refs(Label(CHOSEN_THIS_WAY)) or ()
    source = object_or_last(state, scope.source)
    if source is None or not {"instant", "sorcery"} & source.definition.base.types:
        return chosen
    targets = [ref for slot in scope.entry.targets for ref in slot] if scope.entry is not None else []
    last = (*(scope.refs(BoundRefs.IT) or ()), *(scope.refs(BoundRefs.TOKEN) or ()))
    return (*chosen, *(now for ref in (*targets, *last) for now in (ref, *current(state, ref, scope))))


def zone_ids(state: State, zone: str) -> tuple[int, ...]:
    """The ids of a zone's objects in order; phased-out permanents don't exist (702.24b)."""
    if zone == "battlefield":
        objects = state.objects
        kept = of_zones(state)
        if kept.get("phased") is None:
            kept["phased"] = any(objects[i].rare.phased_out for i in state.battlefield)
        if not kept["phased"]:
            return state.battlefield
        return tuple(i for i in state.battlefield if not objects[i].phased_out)
    if zone == "stack":
        return state.stack
    if zone == "exile":
        return state.exile
    if zone == "command":
        return state.command
    ids: list[int] = []
    for p in state.players:
        ids.extend(p.hand if zone == "hand" else p.graveyard if zone == "graveyard" else reversed(p.library))
    return tuple(ids)


def is_creature_type(subtype: str) -> bool:
    """Whether a subtype is a creature type (205.3m), which changeling has."""
    return subtype in CREATURE_TYPES


COLOR_MASKS = {"white": 1, "blue": 2, "black": 4, "red": 8, "green": 16}


def compare(left: int, how: str, right: int) -> bool:
    """Whether two numbers compare so."""
    if how == ">=":
        return left >= right
    if how == "<=":
        return left <= right
    if how == "=":
        return left == right
    return left > right if how == ">" else left < right
