"""What continuous effects make of a state, and one such effect while it is applied: the data of `layers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from server.cards import forms
from server.cards.nouns import Noun
from server.rules.model import (
    NO_ABILITIES,
    Abilities,
    Bindings,
    Characteristics,
    Definition,
    Entry,
    Object,
    Scope,
    State,
    defines,
    remember,
)

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


def layers_of(mods: tuple[forms.AnyModification, ...]) -> int:
    """A mask of the layers in which the modifications do anything."""
    found = 0
    for mod in mods:
        found |= _layer_bits[type(mod)]
    return found


ASCEND = "ascend"
"""The keyword of what gives its controller the city's blessing."""
FACE_DOWN = "face_down"
"""The entry of the index for what is face down."""
#: The entries of the index for abilities, and when an object has them; those for triggers are their events.
ENTRIES: dict[str, Callable[[Abilities], object]] = {
    "continuous": lambda a: a.continuous,
    "replacements": lambda a: a.replacements,
    "cost_changes": lambda a: a.cost_changes,
    "player_rules": lambda a: a.player_rules,
    "activated": lambda a: a.activated,
    "mana": lambda a: a.mana,
    "makers": lambda a: a.mana and a.makers,
    "restricted_mana": lambda a: a.restricted_mana,
    "ascend": lambda a: ASCEND in a.keywords,
    "control": lambda a: a.moves_control,
    "by_hand": lambda a: a.by_hand,
}
TRIGGER = "trigger "
_entries: dict[tuple[int, bool], tuple[Abilities, frozenset[str]]] = {}


def entries(abilities: Abilities, face_down: bool) -> frozenset[str]:
    """Under what a permanent with these abilities stands in the index."""
    known = _entries.get((id(abilities), face_down))
    if known is None or known[0] is not abilities:
        names = [name for name, asked in ENTRIES.items() if asked(abilities)]
        made = frozenset(
            (*names, *(TRIGGER + event for event in abilities.triggers), *((FACE_DOWN,) if face_down else ()))
        )
        known = remember(_entries, (id(abilities), face_down), (abilities, made))
    return known[1]


class Index:
    """Which battlefield objects have abilities that must be asked for: ids in battlefield order."""

    __slots__ = (
        "activated", "ascend", "by_hand", "continuous", "control", "cost_changes", "face_down", "makers", "mana",
        "player_rules", "replacements", "restricted_mana", "triggers",
    )  # fmt: skip

    def __init__(self) -> None:
        self.ascend: list[int] = []
        self.by_hand: list[int] = []
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
        if abilities is NO_ABILITIES and not found.face_down:
            return
        for name in entries(abilities, found.face_down):
            if name.startswith(TRIGGER):
                self.triggers.setdefault(name.removeprefix(TRIGGER), []).append(oid)
            else:
                getattr(self, name).append(oid)

    def altered(self, battlefield: tuple[int, ...], added: dict[str, set[int]], removed: dict[str, set[int]]) -> Index:
        """The index with these ids entered and those taken out under these names, in the order of the battlefield."""
        made = Index.__new__(Index)
        for name in Index.__slots__:
            setattr(made, name, getattr(self, name))
        made.triggers = dict(self.triggers)
        for name in {*added, *removed}:
            event = name.removeprefix(TRIGGER) if name.startswith(TRIGGER) else ""
            old = made.triggers.get(event, []) if event else getattr(self, name)
            ids = (set(old) - removed.get(name, set())) | added.get(name, set())
            now = [oid for oid in battlefield if oid in ids]
            if not event:
                setattr(made, name, now)
            elif now:
                made.triggers[event] = now
            else:
                del made.triggers[event]
        return made


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
        self.layers = layers_of(mods)
        self.scope = scope
        self.timestamp = timestamp
        self.locked = locked
        self.reached: tuple[int, ...] | None = None
        self.own = own
        self.granted = granted
        # 604.3a: without a condition, and nothing gave it.
        self.defines = own is not None and own.condition is None and not granted and defines(own.what, mods)


def choice_of(state: State, found: Object | None, what: str) -> str | None:
    """What was chosen for an object, as far as its abilities can know it: a choice is linked to the ability that asked for it, which
    is gone while the object is a copy of something else (607.2d, 706.7a)."""
    if found is None:
        return None
    chosen = dict(found.chosen)
    if what in chosen and found.id in state.objects:
        made: Board | None = state.memo.get("board")
        copied = made.copies.get(found.id) if made is not None else None
        if chosen.get(linked_to(what), "") != (copied.key if copied is not None else ""):
            return None
    return chosen.get(what)


def linked_to(what: str) -> str:
    """Under what an object remembers what it was a copy of when something was chosen for it."""
    return f"{what} linked"
