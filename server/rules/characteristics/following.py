"""Layers that follow changes: of a board only the objects are looked at again that a change can have reached.

Where every effect has a shape (`shapes`), effects are kept by what they look at and what they change: those about objects known by
name by these objects, the others by the kind of permanent that they reach or count, with its members. A step from one state to
another finds the objects that are others than they were, the effects that began and ended with them, the kinds that gained or
lost members, and from these the objects whose characteristics may be others. All that was kept is a value; a step makes another
and shares what did not change. Where anything is in doubt it gives up, and the layers are applied to everything (`layers`), which is the
oracle for this.
"""

from __future__ import annotations

from collections.abc import Iterable

from server.rules.characteristics import predicates
from server.rules.characteristics.applying import belongs
from server.rules.characteristics.evaluating import Alike, evaluate
from server.rules.characteristics.graveyards import in_graveyards
from server.rules.characteristics.modifications import MODIFIERS, Work
from server.rules.continuous import (
    ABILITIES_LAYER,
    COMMAND,
    LAYERS,
    NOTHING,
    SIZED,
    Board,
    Different,
    Effect,
    Followed,
    Given,
    Group,
    Index,
    Kind,
    Members,
    NotFollowed,
    Place,
    abilities_of,
    differences,
    entries_of,
    given_to_spells,
    of_floating,
    of_permanent,
    of_spell,
    of_statics,
    order,
)
from server.rules.model import State


def follow(state: State, before: object) -> Followed | None:
    """The board of a state from one of a state before it; None if that was not followed, or if this cannot be."""
    if not isinstance(before, Followed):
        return None
    if state.players is not before.players and (_present(state) != before.present or in_graveyards(state)):
        return None
    different = differences(state, before)
    given = given_to_spells(state)
    effects = state.effects is before.effects and state.command is before.command and given == before.given
    if effects and different is NOTHING:
        before.is_of(state)
        return before
    silent = effects and before.is_silent() and _is_silent(state, different)
    return _silently(state, before, different) if silent else _stepped(_Step(state, before, different, given))


def _is_silent(state: State, different: Different) -> bool:
    """Whether nothing that is another makes an effect."""
    if different.outside or different.command:
        return False
    changed = (state.objects[oid] for oid in different.changed)
    return not any(o.counters or o.chosen or o.definition.base.abilities.continuous for o in changed)


def _silently(state: State, before: Followed, different: Different) -> Followed:
    """The board of a state where no effect was nor is: only who is under whose control is another, and the index."""
    changed, gone = different.changed, different.gone
    made = before.at(state)
    made.away = _away(state, before, changed, gone)
    _index(state, before, made, {*changed, *gone})
    return made


def _away(state: State, before: Followed, changed: list[int], gone: list[int]) -> frozenset[int]:
    """The permanents whom effects gave another controller."""
    objects = state.objects
    away = {oid for oid in changed if objects[oid].controller != objects[oid].base}
    if not (away or before.away):
        return before.away
    return frozenset(away.union(before.away.difference(changed, gone)))


def _index(state: State, before: Followed, made: Followed, ids: set[int], printed: bool = False) -> None:
    """Enters in the index what has other abilities than before. `printed`: the index is that of the printed abilities of this very
    state."""
    objects = state.objects
    added: dict[str, set[int]] = {}
    removed: dict[str, set[int]] = {}
    for oid in ids:
        found = objects.get(oid)
        was = found if printed else before.objects.get(oid)
        then, now = before.changed.get(oid), made.changed.get(oid)
        if was is found and found is not None and abilities_of(found, then) is abilities_of(found, now):
            continue
        old, new = entries_of(was, then), entries_of(found, now)
        if old != new:
            for name in new - old:
                added.setdefault(name, set()).add(oid)
            for name in old - new:
                removed.setdefault(name, set()).add(oid)
    if added or removed:
        made.index = before.index.altered(state.battlefield, added, removed)


def follow_all(state: State, index: Index) -> Followed | None:
    """The board of a state from nothing but the index of printed abilities; None if it cannot be followed."""
    if state.options.limited or in_graveyards(state):
        return None
    before = Followed(index)
    before.present = _present(state)
    return _stepped(_Step(state, before, differences(state, before), given_to_spells(state), printed=True))


def _present(state: State) -> tuple[str, ...]:
    return tuple([p.lost for p in state.players])


def _stepped(step: _Step) -> Followed | None:
    memo = step.state.memo
    memo["board"] = (
        step.blank
    )  # what is asked while kinds are looked at is asked of objects as they are without effects
    try:
        return step.run()
    except NotFollowed:
        return None
    finally:
        del memo["board"]


class _Step:
    """A board on its way from one state to another. `found` are objects whose kinds are looked at, `reached` those whose
    characteristics may be others, `grown` kinds of which all are reached, `recounted` kinds that are more or fewer. `printed`: the
    index is that of the printed abilities of this very state."""

    def __init__(
        self, state: State, before: Followed, different: Different, given: Given, *, printed: bool = False
    ) -> None:
        self.printed = printed
        self.different = different
        self.given = given
        self.state = state
        self.before = before
        self.blank = Board(before.index)
        self.made = before.at(state)
        self.own: set[Place] = set()
        self.fresh: list[Place] = []
        self.found: set[int] = set()
        self.reached: set[int] = set()
        self.grown: set[Place] = set()
        self.recounted: set[Place] = set()
        self.begun = False

    def run(self) -> Followed:
        """The board of the state. Raises NotFollowed."""
        changed, gone, outside, command = self.different
        state, before, made, given = self.state, self.before, self.made, self.given
        made.copy()
        made.away = _away(state, before, changed, gone)
        for oid in changed:
            self._speaks(oid, of_permanent(state.objects[oid]))
        for oid in (*gone, *(i for i in before.command if i not in state.command)):
            self._speaks(oid, ())
        for oid in command:
            self._speaks(oid, of_statics(state.objects[oid], COMMAND))
        if given != before.given:
            self._spells(given)
        if state.effects is not before.effects:
            self._floating()
        if self.begun:
            self._consistent()
        self._look(changed, gone)
        self._reach((*gone, *outside))
        alike: Alike = {}
        for oid in self.reached:
            evaluate(state, made, oid, alike)
        _index(state, before, made, {*changed, *gone, *self.reached}, self.printed)
        made.alters = made.altering > 0
        if self.begun or gone:
            objects = state.objects
            made.outside = tuple(i for i in made.named if i in objects and objects[i].zone != "battlefield")
        return made

    # --- effects begin and end ------------------------------------------------------------------------------------------------

    def _speaks(self, oid: int, effects: Iterable[Effect]) -> None:
        sources = self.made.sources
        now = self._exchange(sources.pop(oid, ()), tuple(effects))
        if now:
            sources[oid] = now

    def _spells(self, given: Given) -> None:
        for found, _ in self.before.given:
            self._speaks(found.id, ())
        for found, abilities in given:
            self._speaks(found.id, (of_spell(found, abilities),))
        self.made.given = given

    def _floating(self) -> None:
        floating = self.made.floating
        left = dict(floating)
        for effect in self.state.effects:
            known = left.pop(effect.id, None)
            if known is None or known[0] is not effect:
                were = known[1] if known is not None else ()
                floating[effect.id] = (effect, self._exchange(were, tuple(of_floating(effect))))
        for number, (_, were) in left.items():
            self._exchange(were, ())
            del floating[number]

    def _exchange(self, were: tuple[Effect, ...], now: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Ends the effects that are no more and begins the others; those that are the same go on."""
        if not were and not now:
            return ()
        known = {effect.key: effect for effect in were}
        kept: list[Effect] = []
        for effect in now:
            same = known.pop(effect.key, None)
            if same is None:
                self._begin(effect)
            kept.append(same or effect)
        for effect in known.values():
            self._end(effect)
        return tuple(kept)

    def _begin(self, effect: Effect) -> None:
        shape, made = effect.shape, self.made
        if not shape.layers:
            return
        self.begun = True
        said = made.said
        if shape.to is not None:
            place, members = self._members(shape.to, effect.scope.controller, shape.stage)
            group = members.groups.get(id(shape))
            effects = (*group.effects, effect) if group is not None else (effect,)
            members.groups[id(shape)] = Group(tuple(sorted(effects, key=order)))
            self.grown.add(place)
        else:
            said = made.said_of_named
            for oid in effect.names:
                made.named[oid] = (*made.named.get(oid, ()), effect)
            self._named(effect)
        for stage, bits in enumerate(shape.said):
            said[stage] |= bits
        for _, kind in shape.counted:
            self._members(kind, effect.scope.controller, SIZED)[1].counting[effect.key] = effect
        made.altering += shape.alters

    def _end(self, effect: Effect) -> None:
        shape, made = effect.shape, self.made
        if not shape.layers:
            return
        if shape.to is not None:
            place, members = self._members(shape.to, effect.scope.controller, shape.stage)
            left = tuple(e for e in members.groups[id(shape)].effects if e is not effect)
            if left:
                members.groups[id(shape)] = Group(left)
            else:
                del members.groups[id(shape)]
            self.reached |= members.ids
            self._forget(place, members)
        else:
            for oid in effect.names:
                left = tuple(e for e in made.named[oid] if e is not effect)
                if left:
                    made.named[oid] = left
                else:
                    del made.named[oid]
            self._named(effect)
        for _, kind in shape.counted:
            place, members = self._members(kind, effect.scope.controller, SIZED)
            members.counting.pop(effect.key, None)
            self._forget(place, members)
        made.altering -= shape.alters

    def _named(self, effect: Effect) -> None:
        """What an effect names is looked at, also as to its kinds, if they may be others by it."""
        self.reached.update(effect.names)
        if any(effect.shape.said):
            self.found.update(effect.names)

    def _members(self, kind: Kind, controller: int, stage: int) -> tuple[Place, Members]:
        """The members of a kind, to be changed."""
        place = (id(kind), controller, stage)
        members = self.made.members.get(place)
        if members is None:
            members = self.made.members[place] = Members(kind, controller, stage)
            self.fresh.append(place)
            self.own.add(place)
            self.made.asked |= kind.asks
        elif place not in self.own:
            members = self.made.members[place] = members.copy()
            self.own.add(place)
        return place, members

    def _forget(self, place: Place, members: Members) -> None:
        if not members.groups and not members.counting:
            self.made.members.pop(place, None)

    def _consistent(self) -> None:
        """Raises NotFollowed where an effect about a kind could change which objects are of a kind that is looked at in that layer or
        after it, or one about an object does in the very layer: there could be dependency (613.7)."""
        made = self.made
        for members in made.members.values():
            asks, stage = members.kind.asks, members.stage
            if not asks:
                continue
            if stage <= ABILITIES_LAYER and asks & made.said_of_named[stage]:
                raise NotFollowed
            if any(asks & said for said in made.said[: stage + 1]):
                raise NotFollowed

    # --- kinds ----------------------------------------------------------------------------------------------------------------

    def _look(self, changed: list[int], gone: list[int]) -> None:
        """Finds the members of all kinds."""
        made = self.made
        self.found.update(changed)
        if self.fresh:
            self.found.update(oid for oid in made.named if self._speak_of(oid))
        for place in tuple(made.members):
            for oid in gone:
                self._enter(place, oid, False)
        for oid in self.found:
            self._place(oid)
        for place in self.fresh:
            members = made.members.get(place)
            if members is None:
                continue
            for oid in self.state.battlefield:
                if oid not in self.found and self._fits(members, oid):
                    members.ids.add(oid)

    def _speak_of(self, oid: int) -> bool:
        """Whether effects about just this object change anything that a kind asks for."""
        asked = self.made.asked
        return any(asked & said for effect in self.made.named.get(oid, ()) for said in effect.shape.said)

    def _place(self, oid: int) -> None:
        """Finds the kinds of an object, each as of the layer before which it is looked at."""
        found = self.state.objects.get(oid)
        members = self.made.members
        if found is None or found.zone != "battlefield" or not self._speak_of(oid):
            for place in tuple(members):
                self._enter(place, oid, self._fits(members[place], oid))
            return
        work, changed = Work(found), self.blank.changed
        effects = sorted(self.made.named[oid], key=order)
        for stage in range(SIZED + 1):
            for place in tuple(members):
                if place[2] == stage:
                    self._enter(place, oid, self._fits(members[place], oid))
            if stage < SIZED:
                for effect in effects:
                    for mod in effect.shape.mods:
                        if isinstance(mod, LAYERS[stage]) and belongs(self.state, mod, LAYERS[stage]):
                            MODIFIERS[type(mod)](self.state, work, mod, effect.scope, oid)
                changed[oid] = work.result(found)
        del changed[oid]

    def _fits(self, members: Members, oid: int) -> bool:
        found = self.state.objects.get(oid)
        if found is None or found.zone != "battlefield" or found.phased_out:
            return False
        kind = members.kind
        if kind.yours and found.controller != members.scope.controller:
            return False
        predicate = kind.predicate
        return predicate is None or predicates.PREDICATES[type(predicate)](self.state, predicate, oid, members.scope)

    def _enter(self, place: Place, oid: int, is_one: bool) -> None:
        members = self.made.members[place]
        if (oid in members.ids) == is_one:
            return
        _, members = self._members(members.kind, members.scope.controller, members.stage)
        if is_one:
            members.ids.add(oid)
        else:
            members.ids.discard(oid)
        self.recounted.add(place)

    def _reach(self, others: tuple[int, ...]) -> None:
        """Finds all whose characteristics may be others, or that are no more."""
        reached, members = self.reached, self.made.members
        reached |= self.found
        reached.update(others)
        for place in self.grown:
            if place in members:
                reached |= members[place].ids
        for place in self.recounted:
            for effect in members[place].counting.values() if place in members else ():
                shape = effect.shape
                if shape.to is None:
                    reached.update(effect.names)
                else:
                    reached |= members[id(shape.to), effect.scope.controller, shape.stage].ids
