"""Abilities that speak of what another ability of the same card exiled ("the exiled card", 607.2a): the instruction that
exiles is told to remember it. The words are the same with and without, so the mark is taken off before printing.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_not
from typing import Any

import msgspec
from msgspec.structs import replace

from server.cards import forms as f
from server.cards.forms import THIS, Ability, Delayed, ExileCost, KeywordAbility, Move, Search, SpellAbility
from server.cards.nouns import Linked, Noun
from server.oracle.engine import walk
from server.oracle.instructions import melding


def parts_of(reading: Any) -> Iterator[Any]:
    """A noun's reading and all parts of it."""
    yield reading
    for field in getattr(reading, "__struct_fields__", ()):
        inner = getattr(reading, field)
        for part in inner if isinstance(inner, tuple) else (inner,):
            yield from parts_of(part)


def with_links(abilities: tuple[Ability, ...]) -> tuple[Ability, ...] | None:
    """The abilities with what they exile remembered where one speaks of it. None if which exiling is meant would be a guess,
    or nothing would remember it (a cost, or an instant that is gone by the time a delayed trigger asks).
    """
    told = [melding.with_counterparts(one) for one in abilities]
    if None in told:
        return None  # "exile them, then meld them": nobody is spoken of before
    abilities = tuple(_told_of_own(one, abilities) for one in told)
    if any(_speaks_of_put(one) for one in abilities):
        put = [part for part in walk(abilities) if isinstance(part, Move) and part.to == "battlefield"]
        return tuple(_marked(one, True, "battlefield") for one in abilities) if len(put) == 1 else None
    if not any(_speaks(one) for one in abilities):
        return abilities
    if not any(_speaks(one, vaguely=True) for one in abilities):
        return tuple(_marked(one, True) for one in abilities)  # "exiled with {this}", by whichever ability
    if any(isinstance(one, KeywordAbility) and one.keyword == "hideaway" for one in abilities):
        return abilities
    exiling = [one for one in abilities if any(_exiles(part) for part in walk(one))]
    if len(exiling) != 1 or _speaks(exiling[0]) and not isinstance(exiling[0], SpellAbility):
        return None  # an ability that exiles each time would remember the earlier ones too
    if any(isinstance(part, Delayed) and _speaks(part) for part in walk(exiling[0])):
        return None
    return tuple(_marked(one, True) for one in abilities)


def _exiles(part: Any) -> bool:
    return isinstance(part, Move | Search | f.TakeUntil) and part.to == "exile"


#: How the card that an ability exiles itself, or that was exiled to pay for it, is told from one that another ability exiled.
_OWN = {"the exiled card": "the card exiled this way", "the exiled cards": "the cards exiled this way"}


def _told_of_own(ability: Ability, abilities: tuple[Ability, ...]) -> Ability:
    """The ability, speaking of what it exiles itself, or of what was exiled as its cost, if it exiles once."""
    if not _speaks(ability, vaguely=True):
        return ability
    costs = abilities if isinstance(ability, SpellAbility) else (ability,)
    paid = any(isinstance(part, ExileCost) for one in costs for part in walk(getattr(one, "cost", ())))
    done = sum(_exiles(part) for part in walk(ability))
    delayed = any(isinstance(part, Delayed) and _speaks(part) for part in walk(ability))
    if done + paid != 1 or isinstance(ability, SpellAbility) and done and not delayed:
        return ability
    return _said(ability, _OWN)


def _said(tree: Any, words: dict[str, str]) -> Any:
    """The tree with "the exiled card" said in other words."""
    if isinstance(tree, tuple):
        parts = tuple(_said(part, words) for part in tree)
        return parts if any(map(is_not, parts, tree)) else tree
    if isinstance(tree, Noun):
        own = next((said for said in sorted(words, key=len, reverse=True) if tree.text.startswith(said)), "")
        return Noun(words[own] + tree.text[len(own) :]) if own else tree
    if not isinstance(tree, msgspec.Struct):
        return tree
    changed = {
        name: new for name in tree.__struct_fields__ if (new := _said(old := getattr(tree, name), words)) is not old
    }
    return replace(tree, **changed) if changed else tree


def without_links(ability: Ability) -> Ability:
    """The ability as it is printed."""
    return melding.without_counterparts(_marked(_marked(ability, False), False, "battlefield"))


_VAGUELY = ("exiled with {this}", "exiled with it")


def _speaks(tree: Any, vaguely: bool = False) -> bool:
    """Whether a tree speaks of what was exiled; `vaguely`, in words that mean one exiling only ("the exiled card")."""
    return any(
        isinstance(part, Noun)
        and not (vaguely and any(said in part.text for said in _VAGUELY))
        and any(isinstance(one, Linked) and one.what == "exiled" for one in parts_of(part.reading))
        for part in walk(tree)
    )


def _speaks_of_put(tree: Any) -> bool:
    """Whether a tree speaks of what was put onto the battlefield with {this}."""
    nouns = (part for part in walk(tree) if isinstance(part, Noun))
    return any(isinstance(one, Linked) and one.what == "put" for noun in nouns for one in parts_of(noun.reading))


def _marked(tree: Any, link: bool, to: str = "exile") -> Any:
    """The tree with `link` on or off in every instruction that exiles, or that puts something onto the battlefield."""
    if isinstance(tree, tuple):
        parts = tuple(_marked(part, link, to) for part in tree)
        return parts if any(map(is_not, parts, tree)) else tree
    if isinstance(tree, Noun) or not isinstance(tree, msgspec.Struct):
        return tree
    changed = {
        name: new
        for name in tree.__struct_fields__
        if (new := _marked(old := getattr(tree, name), link, to)) is not old
    }
    if to == "exile" and isinstance(tree, ExileCost) and tree.link != link and tree.what.text != THIS:
        changed["link"] = link
    if isinstance(tree, Move | Search | f.TakeUntil | f.ToZone) and tree.to == to and tree.link != link:
        changed["link"] = link
    return replace(tree, **changed) if changed else tree
