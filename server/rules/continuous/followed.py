"""What is kept of a board that is followed: its effects by what they look at and what they change (`following` takes it from one
state to the next)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import lru_cache

from server.cards import forms, nouns
from server.cards.forms import Ability
from server.rules.continuous.boards import Board, Index
from server.rules.continuous.counters import given
from server.rules.continuous.shapes import SIZED, Kind, Shape, shape_of, shape_of_given
from server.rules.model import WAITING, Floating, Object, Player, Scope, State, lookup

Place = tuple[int, int, int]
"""Where members of a kind are kept: the identity of the kind, the player who speaks, the layer before which it is looked at."""
Order = tuple[int, int, int, int]
"""By timestamp, then as effects are gathered: of permanents, of what is in the command zone, of counters, of spells, all others."""
PERMANENT, COMMAND, COUNTERS, SPELL, FLOATING = range(5)


class NotFollowed(Exception):
    """There is something in a state that cannot be followed."""


class Effect:
    """One continuous effect: its shape, who speaks, what it reaches if that is known by name, and its place among effects: what
    defines characteristics first (613.2), then by timestamp. `key` says whether it is the same effect still.

    Raises NotFollowed if it has no shape."""

    __slots__ = ("key", "names", "order", "scope", "shape")

    def __init__(
        self, shape: Shape | None, scope: Scope, order: Order, names: tuple[int, ...], attached: int = 0
    ) -> None:
        if shape is None:
            raise NotFollowed
        self.shape = shape
        self.scope = scope
        self.names = names
        self.order = (not shape.defines, *order)
        self.key = (id(shape), scope.controller, names, self.order, attached if shape.counted else 0)


def order(effect: Effect) -> tuple[bool, int, int, int, int]:
    """The place of an effect among others."""
    return effect.order


class Group:
    """The effects of one ability under one controller, in order. `own`: how many are of which source."""

    __slots__ = ("effects", "own")

    def __init__(self, effects: tuple[Effect, ...]) -> None:
        self.effects = effects
        self.own: dict[int, int] = {}
        for effect in effects:
            source = effect.scope.source
            self.own[source] = self.own.get(source, 0) + 1

    def about(self, oid: int, others: bool) -> tuple[int, Shape]:
        """How many of them are about a member of their kind, which may be the others than what speaks, and their shape."""
        count = len(self.effects)
        return count - self.own.get(oid, 0) if others else count, self.effects[0].shape


class Members:
    """The permanents of a kind, the groups of effects that reach them, and the effects that count them."""

    __slots__ = ("counting", "groups", "ids", "kind", "scope", "stage")

    def __init__(self, kind: Kind, controller: int, stage: int) -> None:
        self.kind = kind
        self.scope = Scope(0, controller)
        self.stage = stage
        self.ids: set[int] = set()
        self.groups: dict[int, Group] = {}
        self.counting: dict[object, Effect] = {}

    def copy(self) -> Members:
        """The same, to be changed."""
        made = copy(self)
        made.ids, made.groups, made.counting = set(self.ids), dict(self.groups), dict(self.counting)
        return made

    def count(self, effect: Effect, oid: int, state: State) -> int:
        """How many of the kind an effect counts that is about an object."""
        found = len(self.ids)
        if self.kind.others:  # than that object, and than what is attached to it
            found -= oid in self.ids
            source = state.objects.get(effect.scope.source)
            if source is not None and source.attached_to == oid and source.id != oid:
                found -= source.id in self.ids
        return found


class Followed(Board):
    """A board, and what is kept of it: of which state it is, and its effects by what they look at and what they change.

    `named`: those about an object, by its id; `sources`: those that an object makes; `said`: what effects about kinds and what
    effects about named objects change in each layer, `asked` what kinds ask for. `outside`: named objects that are not on the
    battlefield. `given`: what spells on the stack have been given. `away`: permanents whom effects gave another
    controller. `altering` counts the effects that give abilities to a kind."""

    __slots__ = (
        "altering", "asked", "away", "battlefield", "command", "effects", "floating", "given", "members", "named", "objects", "outside",
        "players", "present", "said", "said_of_named", "sources",
    )  # fmt: skip

    def __init__(self, index: Index) -> None:
        super().__init__(index)
        self.objects: dict[int, Object] = {}
        self.battlefield: tuple[int, ...] = ()
        self.command: tuple[int, ...] = ()
        self.effects: tuple[Floating, ...] = ()
        self.players: tuple[Player, ...] = ()
        self.present: tuple[str, ...] = ()
        self.members: dict[Place, Members] = {}
        self.named: dict[int, tuple[Effect, ...]] = {}
        self.sources: dict[int, tuple[Effect, ...]] = {}
        self.floating: dict[int, tuple[Floating, tuple[Effect, ...]]] = {}
        self.given: tuple[tuple[Object, tuple[Ability, ...]], ...] = ()
        self.outside: tuple[int, ...] = ()
        self.said = [0] * SIZED
        self.said_of_named = [0] * SIZED
        self.asked = 0
        self.altering = 0
        self.away: frozenset[int] = frozenset()

    def at(self, state: State) -> Followed:
        """The same board, of another state."""
        made = Followed.__new__(Followed)
        for name in _KEPT:
            setattr(made, name, getattr(self, name))
        made.is_of(state)
        return made

    def is_of(self, state: State) -> None:
        """It is the board of this state, too. Where the states it was made of are no others in what it depends on, that takes nothing
        from them: what comes of any of them differs from all alike."""
        self.objects, self.battlefield, self.players = state.objects, state.battlefield, state.players
        self.command, self.effects = state.command, state.effects

    def is_silent(self) -> bool:
        """Whether there are no effects at all."""
        return not (self.sources or self.floating or self.given or self.named or self.members)

    def copy(self) -> None:
        """Makes its own what it shares with the board that it was copied from."""
        self.changed, self.flags = dict(self.changed), dict(self.flags)
        self.members, self.named = dict(self.members), dict(self.named)
        self.sources, self.floating = dict(self.sources), dict(self.floating)
        self.said, self.said_of_named = list(self.said), list(self.said_of_named)


_KEPT = (*Board.__slots__, *Followed.__slots__)


def of_permanent(found: Object) -> Iterator[Effect]:
    """The effects of its static abilities, and of its counters and what it has gained, which are there also while it is phased
    out. Raises NotFollowed, as all of these do."""
    if not (found.phased_out or found.face_down):
        yield from of_statics(found, PERMANENT)
    if found.counters or found.chosen:
        mods = given(found.counters, found.chosen)
        if mods:
            scope = Scope(found.id, found.controller)
            yield Effect(shape_of_given(mods), scope, (found.timestamp, COUNTERS, found.id, 0), (found.id,))


def of_statics(found: Object, sort: int) -> Iterator[Effect]:
    """The effects of an object's static abilities."""
    for number, ability in found.definition.base.abilities.continuous:
        shape, names = shape_of(ability), ()
        if sort == COMMAND and not lookup.works_in_command(found, number):
            continue
        if shape is not None and shape.to is None:
            mine = isinstance(ability.what.reading, nouns.This)
            names = (found.id,) if mine else (found.attached_to,) if found.attached_to > 0 else ()
        scope = Scope(found.id, found.controller)
        yield Effect(shape, scope, (found.timestamp, sort, found.id, number), names, found.attached_to)


def of_spell(found: Object, abilities: tuple[Ability, ...]) -> Effect:
    """The effect that gives a spell abilities."""
    scope = Scope(found.id, found.controller)
    return Effect(shape_of_given(_given(abilities)), scope, (found.timestamp, SPELL, found.id, 0), (found.id,))


@lru_cache(maxsize=256)
def _given(abilities: tuple[Ability, ...]) -> tuple[forms.GainAbilities, ...]:
    return (forms.GainAbilities(abilities=abilities),)


def of_floating(floating: Floating) -> Iterator[Effect]:
    """The effect of what a spell or ability has made, if it is about characteristics or rules."""
    ability = floating.ability
    if not isinstance(ability, forms.Continuous) or floating.until in WAITING:
        return
    locked = floating.objects is not None
    shape = shape_of(ability, static=False, locked=locked)
    names = floating.objects or ()
    if shape is not None and shape.to is None and not locked:
        if not isinstance(ability.what.reading, nouns.This):
            raise NotFollowed
        names = (floating.source,)
    scope = Scope(floating.source, floating.controller, floating.entry, floating.bindings)
    yield Effect(shape, scope, (floating.timestamp, FLOATING, 0, floating.id), names)
