"""Whether what is being announced helps or harms what it targets, by what its instructions do: for those who choose the targets.

The first verb that names the target says it. Nothing is told where a verb may be either, or where nothing is known of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.casting import open_slot
from server.rules.model import State, walk

Aim = Literal["help", "harm", ""]

HARM_RULES = frozenset(
    [
        "can't attack",
        "can't block",
        "can't attack or block",
        "can't attack alone",
        "can't block alone",
        "attacks if able",
        "goaded",
        "blocks if able",
        "can block only",
        "can't block except",
        "can't be regenerated",
        "can't activate abilities",
        "doesn't untap",
        "deals no combat damage",
        "attack tax",
        "block tax",
    ]
)
HELP_RULES = frozenset(
    [
        "can't be blocked",
        "can't be blocked except by",
        "can't be blocked by",
        "can block additional",
        "can attack as though no defender",
        "can attack as though haste",
        "can use abilities as though haste",
        "loyalty abilities as an instant",
        "abilities as an instant",
        "can't be countered",
        "can't be sacrificed",
        "can't be the target",
        "assigns as though unblocked",
        "as though haste",
        "indestructible",
    ]
)
HARM_KEYWORDS = frozenset({"defender", "decayed", "cumulative upkeep", "fading", "vanishing"})


def aim_of(state: State) -> Aim:
    """What the spell or ability that is being announced does to what fills the open target slot (601.2c): "" for what is not told."""
    found = open_slot(state)
    if found is None:
        return ""
    on_stack, program, slot = found
    thing = state.objects[on_stack]
    by_ability = thing.entry is not None and thing.entry.ability is not None
    enchanting = () if by_ability else thing.definition.base.abilities.all
    for verb in walk(program):
        for noun, aim in _aims(verb, enchanting):
            if noun is slot and isinstance(noun.reading, nouns.Target):
                return aim
    return ""


def _same(aims: list[Aim]) -> Aim:
    return aims[0] if aims and len(set(aims)) == 1 else ""


def _aims(verb: object, enchanting: tuple[forms.Ability, ...]) -> Iterator[tuple[Noun, Aim]]:
    """Whom a verb does something to, and what."""
    if isinstance(verb, forms.Attach) and enchanting:
        bearers = [part for part in enchanting if isinstance(part, forms.Continuous) and _of_bearer(part.what)]
        if verb.to is not None:
            yield verb.to, _same([_by_mods(part.mods) for part in bearers])
    found = _VERBS.get(type(verb))
    if found is not None:
        field, judge = found
        noun = getattr(verb, field)
        if isinstance(noun, Noun):
            yield noun, judge(verb) if callable(judge) else judge


def _of_bearer(what: Noun) -> bool:
    return what.text.startswith(("enchanted ", "{this}'s bearer"))


def _by_counter(verb: forms.PutCounters) -> Aim:
    if verb.counter.startswith("-"):
        return "harm"
    return "help" if verb.counter.startswith("+") or verb.counter in ("loyalty", "charge", "shield") else ""


def _by_zones(verb: forms.Move) -> Aim:
    """Harm to a permanent or a spell, unless it comes back; what returns from a graveyard is meant to help."""
    kind = nouns.kind_of(verb.what.reading)
    zone = kind.zone if kind is not None else ""
    if verb.to == "battlefield" or (verb.to == "hand" and zone == "graveyard"):
        return "help"
    return "harm" if zone in ("battlefield", "stack") else ""


def _by_mods(mods: tuple[forms.AnyModification, ...]) -> Aim:
    return _same([_by_mod(mod) for mod in mods])


def _by_mod(mod: forms.AnyModification) -> Aim:
    match mod:
        case forms.GainControl() | forms.LoseAbilities() | forms.CantHave():
            return "harm"
        case forms.AddPT():
            less = any(isinstance(n, int) and n < 0 for n in (mod.power, mod.toughness))
            more = any(not isinstance(n, int) or n > 0 for n in (mod.power, mod.toughness))
            return "" if less and more else "harm" if less or mod.minus else "help"
        case forms.GainAbilities() if mod.keywords and not mod.abilities:
            return _same(["harm" if keyword in HARM_KEYWORDS else "help" for keyword in mod.keywords])
        case forms.IsIndestructible():
            return "help"
        case forms.Flag():
            return "harm" if mod.rule in HARM_RULES else "help" if mod.rule in HELP_RULES else ""
        case _:
            return ""


Judged = Aim | Callable[[Any], Aim]
_VERBS: dict[type[Any], tuple[str, Judged]] = {
    forms.Damage: ("to", "harm"),
    forms.Destroy: ("what", "harm"),
    forms.CounterSpell: ("what", "harm"),
    forms.LoseLife: ("who", "harm"),
    forms.Sacrifice: ("who", "harm"),
    forms.Discard: ("who", "harm"),
    forms.Mill: ("who", "harm"),
    forms.Lose: ("who", "harm"),
    forms.SkipNext: ("who", "harm"),
    forms.GainLife: ("who", "help"),
    forms.Draw: ("who", "help"),
    forms.ExtraTurn: ("who", "help"),
    forms.CreateToken: ("who", "help"),
    forms.Regenerate: ("what", "help"),
    forms.RemoveDamage: ("what", "help"),
    forms.Tap: ("what", lambda verb: "" if verb.either else "help" if verb.untap else "harm"),
    forms.PutCounters: ("what", _by_counter),
    forms.Move: ("what", _by_zones),
    forms.Effect: ("what", lambda verb: _by_mods(verb.mods)),
}
"""By the verb: which of its fields says whom it is done to, and what it is to them."""
