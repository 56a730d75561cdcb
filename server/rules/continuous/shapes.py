"""What can be said of a continuous effect before any state is looked at: whom it reaches, what decides that, what it changes.

An effect has a *shape* if each object's characteristics follow from the object itself, from the effects about it alone, and from
what kinds of permanents it belongs to: then only those are looked at again that a change can have reached (`following`). That is so
for most ("other Wolves you control get +1/+1", "enchanted creature can't attack", "this is as big as you have creatures"). An
effect with a condition, one that copies, takes abilities away, gives such as make effects themselves, or asks for sizes, for a
step, for what was chosen or for another zone has none, and whatever is not listed here counts as such.
"""

from __future__ import annotations

from typing import NamedTuple

from server.cards import forms, nouns
from server.cards.keywords import FLAG_KEYWORDS
from server.cards.nouns import Amount, Noun, Predicate
from server.rules.continuous.boards import LAYERS, layers_of
from server.rules.continuous.dependency import ASKS, says
from server.rules.continuous.lasting import is_of_chosen_color
from server.rules.model import defines, make_abilities, remember, walk

#: Parts of nouns that tell of an object what it is, by what stands on it alone, seen from a player.
OWN = (
    nouns.All,
    nouns.Any,
    nouns.ColorCount,
    nouns.ControlledBy,
    nouns.HasColor,
    nouns.HasCounter,
    nouns.HasKeyword,
    nouns.HasName,
    nouns.HasSubtype,
    nouns.HasSupertype,
    nouns.HasType,
    nouns.IsA,
    nouns.Not,
    nouns.OwnedBy,
    nouns.Players,
    nouns.You,
)
#: Players who are so as long as they are in the game.
CONSTANT_PLAYERS = ("any", "opponent", "other")
YOURS = nouns.ControlledBy(nouns.You())
ABILITIES_LAYER = 3
"""The last layer in which anything changes that decides what kind an object is of; sizes come after it."""
SIZED = ABILITIES_LAYER + 1


class Kind(NamedTuple):
    """A kind of permanent that effects reach or count: what it must be, whether what speaks is left out ("other"), whether its
    controller is who speaks, what decides (as `dependency` has it), whether it is asked who is in the game."""

    predicate: Predicate | None
    others: bool
    yours: bool
    asks: int
    players: bool


class Shape(NamedTuple):
    """`to`: what it reaches; None: objects known by name ("this", what it is attached to, those it was locked to). `stage`: the first
    layer in which it does anything (all that come after abilities are one); `said`: what it
    changes in each layer up to abilities. `added`: all that it adds to power and toughness, the same whatever the state is, apart
    from `mods`; `once`: `mods` is keywords that an object has or has not. `counted`: the kinds that its amounts
    count, in the order in which they stand in it."""

    to: Kind | None
    mods: tuple[forms.AnyModification, ...]
    layers: int
    stage: int
    said: tuple[int, ...]
    added: tuple[int, int] | None
    once: bool
    counted: tuple[tuple[Noun, Kind], ...]
    alters: bool
    defines: bool


_shapes: dict[tuple[int, bool, bool], tuple[object, Shape | None]] = {}


def shape_of(ability: forms.Continuous, *, static: bool = True, locked: bool = False) -> Shape | None:
    """The shape of the effect of a static ability, or of one like it that a spell or ability made, which has no condition and may
    be locked to objects; None if it has none."""
    key = (id(ability), static, locked)
    known = _shapes.get(key)
    if known is None or known[0] is not ability:
        made = None if static and ability.condition is not None else _shape(ability.what, ability.mods, static, locked)
        known = remember(_shapes, key, (ability, made))
    return known[1]


def shape_of_given(mods: tuple[forms.AnyModification, ...]) -> Shape | None:
    """The shape of an effect that gives one object abilities or types; None if it has none."""
    key = (id(mods), False, True)
    known = _shapes.get(key)
    if known is None or known[0] is not mods:
        known = remember(_shapes, key, (mods, _shape(None, mods, static=False, locked=True)))
    return known[1]


def _shape(what: Noun | None, mods: tuple[forms.AnyModification, ...], static: bool, locked: bool) -> Shape | None:
    to: Kind | None = None
    reading = what.reading if what is not None else None
    if not locked and not isinstance(reading, nouns.This | nouns.Attached):
        to = kind_of(reading)
        if to is None or to.others and not static:  # than what a resolving spell spoke of, which no kind knows
            return None
    counted: list[tuple[Noun, Kind]] = []
    if not all(_followed(mod, counted) for mod in mods):
        return None
    added = _added(mods) if to is not None and not counted else None
    rest = mods if added is None else tuple(mod for mod in mods if not isinstance(mod, forms.AddPT))
    said = tuple(says(tuple(mod for mod in mods if isinstance(mod, kinds))) for kinds in LAYERS[: ABILITIES_LAYER + 1])
    layers = layers_of(mods)
    return Shape(
        to,
        rest,
        layers,
        min(SIZED, (layers & -layers).bit_length() - 1),
        said,
        added,
        all(_is_flag_keywords(mod) for mod in rest),
        tuple(counted),
        what is not None and not locked and alters(mods),
        static and what is not None and defines(what, mods),
    )


def kind_of(reading: object) -> Kind | None:
    """The kind of permanent that a noun selects each of, if it is told by what each of them is itself."""
    things = reading.of if isinstance(reading, nouns.Each) else reading
    if not isinstance(things, nouns.Things) or things.zone != "battlefield" or things.anywhere:
        return None
    predicate = things.objects
    if predicate is None or things.players is not None:
        return None
    parts = predicate.parts if isinstance(predicate, nouns.All) else (predicate,)
    kept = tuple(part for part in parts if not isinstance(part, nouns.Other))
    asks, players = 0, False
    for part in walk(kept):
        if not isinstance(part, OWN) or isinstance(part, nouns.Players) and part.which not in CONSTANT_PLAYERS:
            return None
        if isinstance(part, nouns.Players) and part.controls is not None:
            return None
        if isinstance(part, nouns.ControlledBy | nouns.OwnedBy) and not isinstance(part.by, nouns.You | nouns.Players):
            return None
        asks |= 0 if isinstance(part, nouns.HasName) else ASKS[type(part)]  # names are changed by copying alone
        players = players or isinstance(part, nouns.Players)
    without = nouns.All(parts=kept) if len(kept) > 1 else kept[0] if kept else None
    return Kind(without, len(kept) < len(parts), YOURS in kept, asks, players)


def _followed(mod: forms.AnyModification, counted: list[tuple[Noun, Kind]]) -> bool:
    """Whether what a modification does is known from it, its source and the kinds counted, which are entered."""
    if isinstance(mod, forms.DefinePT | forms.SetPT):
        return all(amount is None or _reckoned(amount, counted) for amount in (mod.power, mod.toughness))
    if isinstance(mod, forms.AddPT):
        return _reckoned(mod.power, counted) and _reckoned(mod.toughness, counted)
    if isinstance(mod, forms.GainAbilities):
        return not is_of_chosen_color(mod) and not make_abilities(mod.abilities, mod.keywords).continuous
    if isinstance(mod, forms.SetTypes):
        return not mod.replace and "chosen" not in mod.subtypes and mod.like is None
    if isinstance(mod, forms.SetColors):
        return mod.colors != "chosen"
    return isinstance(mod, forms.Flag | forms.GainControl | forms.IsIndestructible | forms.SwitchPT)


def _reckoned(amount: Amount, counted: list[tuple[Noun, Kind]]) -> bool:
    if isinstance(amount, int):
        return True
    if isinstance(amount, nouns.Count):
        kind = kind_of(amount.of.reading)
        if kind is not None:
            counted.append((amount.of, kind))
        return kind is not None
    if isinstance(amount, nouns.Times):
        return not amount.half and _reckoned(amount.of, counted)
    return isinstance(amount, nouns.Plus) and all(_reckoned(part, counted) for part in amount.parts)


def _added(mods: tuple[forms.AnyModification, ...]) -> tuple[int, int] | None:
    """All that is added to power and toughness, if it is: what is only added is added in any order."""
    power = toughness = 0
    found = False
    for mod in mods:
        if isinstance(mod, forms.AddPT):
            found = True
            sign = -1 if mod.minus else 1
            assert isinstance(mod.power, int) and isinstance(mod.toughness, int)  # nothing is counted
            power, toughness = power + sign * mod.power, toughness + sign * mod.toughness
    return (power, toughness) if found else None


def _is_flag_keywords(mod: forms.AnyModification) -> bool:
    return isinstance(mod, forms.GainAbilities) and not mod.abilities and FLAG_KEYWORDS.issuperset(mod.keywords)


def alters(mods: tuple[forms.AnyModification, ...]) -> bool:
    """Whether abilities are given to what is described or taken from it, as a new land type does too (305.7)."""
    changers = (forms.GainAbilities, forms.LoseAbilities)
    return any(isinstance(mod, changers) or isinstance(mod, forms.SetTypes) and mod.replace for mod in mods)
