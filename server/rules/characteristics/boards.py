"""What continuous effects make of a state, and one such effect while it is applied: the data of `layers`."""

from __future__ import annotations

from typing import NamedTuple

from server.cards import forms
from server.cards.nouns import Noun, This
from server.rules.characteristics.blessing import ASCEND
from server.rules.model import NO_ABILITIES, Abilities, Bindings, Characteristics, Definition, Entry, Object, Scope

#: What applies in which layer and sublayer (613.2, 613.3), rules about objects last (613.10).
LAYERS: tuple[tuple[type[forms.Modification], ...], ...] = (
    (forms.BecomeCopy,),
    (forms.SetTypes,),
    (forms.SetColors,),
    (forms.GainAbilities, forms.LoseAbilities, forms.CantHave, forms.IsIndestructible),
    (forms.DefinePT,),
    (forms.SetPT,),
    (forms.AddPT,),
    (forms.SwitchPT,),
    (forms.Flag, forms.IsIndestructible),
)
_layer_bits = {
    kind: sum(1 << number for number, kinds in enumerate(LAYERS) if kind in kinds)
    for kind in forms.Modification.__subclasses__()
}


class Index:
    """Which battlefield objects have abilities that must be asked for: ids in battlefield order."""

    __slots__ = (
        "activated", "ascend", "continuous", "control", "cost_changes", "face_down", "makers", "mana", "player_rules", "replacements",
        "restricted_mana", "triggers",
    )  # fmt: skip

    def __init__(self) -> None:
        self.ascend: list[int] = []
        self.continuous: list[int] = []
        self.control: list[int] = []
        self.replacements: list[int] = []
        self.cost_changes: list[int] = []
        self.player_rules: list[int] = []
        self.activated: list[int] = []
        self.makers: list[int] = []
        self.mana: list[int] = []
        self.restricted_mana: list[int] = []
        self.face_down: list[int] = []
        self.triggers: dict[str, list[int]] = {}

    def add(self, found: Object, abilities: Abilities) -> None:
        """Enters an object with its abilities."""
        oid = found.id
        if found.face_down:
            self.face_down.append(oid)
        if abilities is NO_ABILITIES:
            return
        if abilities.continuous:
            self.continuous.append(oid)
        if abilities.replacements:
            self.replacements.append(oid)
        if abilities.cost_changes:
            self.cost_changes.append(oid)
        if abilities.player_rules:
            self.player_rules.append(oid)
        if abilities.activated:
            self.activated.append(oid)
        if abilities.mana:
            self.mana.append(oid)
            if abilities.makers:
                self.makers.append(oid)
        if abilities.restricted_mana:
            self.restricted_mana.append(oid)
        if ASCEND in abilities.keywords:
            self.ascend.append(oid)
        if abilities.moves_control:
            self.control.append(oid)
        for event in abilities.triggers:
            self.triggers.setdefault(event, []).append(oid)


class RuleFlag(NamedTuple):
    """A rule about an object that an effect makes (613.10): the flag, and the effect's source and controller."""

    flag: forms.Flag
    source: int
    controller: int
    bindings: Bindings
    entry: Entry | None


class Board:
    """What continuous effects make of a state. `changed`: characteristics of the objects that an effect touches.

    `copies`: what an effect made a copy of something (706). `lasting`: it holds as long as objects, players, zones and
    effects are the same (see `lasting` and `evolve`). `for_spells`: an effect gives abilities to spells of a kind;
    `alters`: one gives abilities to permanents of a kind or takes them away."""

    __slots__ = ("alters", "changed", "copies", "flags", "for_spells", "index", "lasting")

    def __init__(self, index: Index) -> None:
        self.changed: dict[int, Characteristics] = {}
        self.copies: dict[int, Definition] = {}
        self.flags: dict[int, list[RuleFlag]] = {}
        self.index = index
        self.lasting = True
        self.for_spells = False
        self.alters = False


class Applied:
    """A continuous effect being applied: its modifications, whom they reach, and where it comes from.

    `locked`: the objects to which it was locked (611.2c); None: it reaches what `what` selects. `own`: the static ability that
    makes it, `granted`: an effect gives that ability, and `defines`: it is a characteristic-defining one. `reached`:
    whom it reached in the first layer in which it was applied, which stay (613.5)."""

    __slots__ = ("defines", "granted", "layers", "locked", "mods", "own", "reached", "scope", "timestamp", "what")

    def __init__(
        self,
        what: Noun | None,
        mods: tuple[forms.AnyModification, ...],
        scope: Scope,
        timestamp: int,
        locked: tuple[int, ...] | None,
        own: forms.Continuous | None = None,
        granted: bool = False,
    ) -> None:
        self.what = what
        self.mods = mods
        self.layers = 0
        for mod in mods:
            self.layers |= _layer_bits[type(mod)]
        self.scope = scope
        self.timestamp = timestamp
        self.locked = locked
        self.reached: tuple[int, ...] | None = None
        self.own = own
        self.granted = granted
        # 604.3a: it says what its own object is, without a condition, and nothing gave it.
        self.defines = own is not None and own.condition is None and not granted and isinstance(own.what.reading, This)
