"""One object of a board that is followed, through all layers (613): what the effects make of it that are about it by name, and those
about a kind of which it is one. Which effects these are is known (`following`), and none depends on another (613.7)."""

from __future__ import annotations

from itertools import islice
from typing import TypeAlias

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Amount
from server.rules.characteristics.applying import INDESTRUCTIBLE, belongs
from server.rules.characteristics.modifications import MODIFIERS, Work
from server.rules.continuous import LAYERS, SIZED, Effect, Followed, RuleFlag, order
from server.rules.model import Characteristics, Object, State

Alike: TypeAlias = dict[object, Characteristics]
"""What was found for objects of a definition about which effects are alike, in one state."""


def evaluate(state: State, made: Followed, oid: int, alike: Alike) -> None:
    """The characteristics of one object and the rules about it, through all layers."""
    made.changed.pop(oid, None)
    made.flags.pop(oid, None)
    found = state.objects.get(oid)
    if found is None:
        return
    effects = list(made.named.get(oid, ()))
    power = toughness = layers = 0
    added = False
    for members in made.members.values():
        if oid in members.ids:
            for group in members.groups.values():
                count, shape = group.about(oid, members.kind.others)
                if shape.added is not None and count:
                    added = True
                    power, toughness = power + count * shape.added[0], toughness + count * shape.added[1]
                if shape.mods and count:
                    others = (e for e in group.effects if not (members.kind.others and e.scope.source == oid))
                    effects.extend(islice(others, 1) if shape.once else others)
    if not effects and not added:
        return
    effects.sort(key=order)
    key = None
    if oid not in made.named and not found.counters and not found.face_down and all(e.shape.once for e in effects):
        key = (id(found.definition), found.zone, power, toughness, tuple(id(e.shape) for e in effects))
        if key in alike:
            made.changed[oid] = alike[key]
            return
    for effect in effects:
        layers |= effect.shape.layers
    work = Work(found)
    work.plus = (power, toughness)
    for number, kinds in enumerate(LAYERS):
        if layers >> number & 1:
            for effect in effects:
                if effect.shape.layers >> number & 1:
                    added = _in_layer(state, made, found, work, effect, kinds) or added
    if added:
        made.changed[oid] = result = work.result(found)
        if key is not None and oid not in made.flags:
            alike[key] = result


def _in_layer(
    state: State, made: Followed, found: Object, work: Work, effect: Effect, kinds: tuple[type[forms.Modification], ...]
) -> bool:
    """Has an effect do what it does in a layer; whether that changed characteristics."""
    touched = False
    scope = effect.scope
    for mod in effect.shape.mods:
        if not isinstance(mod, kinds) or not belongs(state, mod, kinds):
            continue
        if forms.Flag in kinds:
            flag = mod if isinstance(mod, forms.Flag) else INDESTRUCTIBLE
            rule = RuleFlag(flag, scope.source, scope.controller, scope.bindings, scope.entry)
            made.flags.setdefault(found.id, []).append(rule)
            continue
        if effect.shape.counted and isinstance(mod, forms.SetPT | forms.DefinePT | forms.AddPT):
            mod = _reckoned(state, made, mod, effect, found.id)
        MODIFIERS[type(mod)](state, work, mod, scope, found.id)
        touched = True
    return touched


def _reckoned(
    state: State, made: Followed, mod: forms.SetPT | forms.DefinePT | forms.AddPT, effect: Effect, oid: int
) -> forms.SetPT | forms.DefinePT | forms.AddPT:
    """A modification with its amounts as they are now."""
    power = mod.power if mod.power is None else _amount(state, made, mod.power, effect, oid)
    toughness = mod.toughness if mod.toughness is None else _amount(state, made, mod.toughness, effect, oid)
    return replace(mod, power=power, toughness=toughness)


def _amount(state: State, made: Followed, amount: Amount, effect: Effect, oid: int) -> int:
    if isinstance(amount, int):
        return amount
    if isinstance(amount, nouns.Times):
        return amount.number * _amount(state, made, amount.of, effect, oid)
    if isinstance(amount, nouns.Plus):
        return sum(_amount(state, made, part, effect, oid) for part in amount.parts)
    assert isinstance(amount, nouns.Count)
    kind = next(kind for noun, kind in effect.shape.counted if noun is amount.of)
    return made.members[id(kind), effect.scope.controller, SIZED].count(effect, oid, state)
