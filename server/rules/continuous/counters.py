"""What counters do by themselves (121.1): sizes, keywords, and rules about shields and stuns."""

from __future__ import annotations

import re
from functools import lru_cache

from server.cards import forms
from server.cards.forms import Ability, AnyModification
from server.cards.grammar import KEYWORD_COUNTERS
from server.cards.keywords import NO_LONGER, SUSPECTED
from server.cards.nouns import Noun
from server.rules.model import Counters

_SIZE = re.compile(r"([+-]\d+)/([+-]\d+)")
_THIS = Noun(forms.THIS)


@lru_cache(maxsize=256)
def size_of(counter: str) -> tuple[int, int] | None:
    """What one counter of the kind adds to power and toughness (current 122.1a); None if it says nothing of them."""
    found = _SIZE.fullmatch(counter)
    return None if found is None else (int(found[1]), int(found[2]))


def added(counters: Counters) -> tuple[int, int]:
    """What all counters add to power and toughness."""
    power = toughness = 0
    for kind, n in counters:
        size = size_of(kind)
        if size is not None:
            power, toughness = power + n * size[0], toughness + n * size[1]
    return power, toughness


def _instead_of(event: forms.Pattern, counter: str) -> forms.Replacement:
    """One counter is removed instead."""
    remove = forms.RemoveCounters(counter=counter, what=_THIS)
    return forms.Replacement(event=event, rewrite=(forms.Instead(do=(remove,)),), text=f"{counter} counter")


# Current 122.1c, current 122.1d and current 122.1h. Only an effect has an object that destroys; lethal damage does not (704.5g).
RULES: dict[str, tuple[Ability, ...]] = {
    "shield": (
        _instead_of(forms.Pattern(event="destroy", subject=_THIS, by=Noun("a source")), "shield"),
        forms.Replacement(
            event=forms.Pattern(event="damage", object=_THIS),
            rewrite=(forms.Prevent(then=(forms.RemoveCounters(counter="shield", what=_THIS),)),),
            text="shield counter",
        ),
    ),
    "stun": (_instead_of(forms.Pattern(event="untap", subject=_THIS), "stun"),),
    "finality": (
        forms.Replacement(
            event=forms.Pattern(event="zone change", subject=_THIS, from_="battlefield", to="graveyard"),
            rewrite=(forms.ToZone(to="exile"),),
            text="finality counter",
        ),
    ),
}


RULES[SUSPECTED] = (
    forms.Continuous(what=_THIS, mods=(forms.Flag(rule="can't block"),), text="This creature can't block."),
)

#: Under what a permanent remembers a keyword that it gained for good as it entered.
GAINED = "gained"
#: Under what it remembers a subtype as which it entered ("enters as a Mutant in addition to its other types").
ENTERED_AS = "entered as"


def gained(chosen: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The keywords that a permanent has gained so, in the words of the counters that give the same; one that is suspected has menace
    and can't block (current 701.60c)."""
    given = ("menace", SUSPECTED) if any(what == SUSPECTED and value != NO_LONGER for what, value in chosen) else ()
    return (*(value for what, value in chosen if what == GAINED), *given)


def given(counters: Counters, chosen: tuple[tuple[str, str], ...]) -> tuple[AnyModification, ...]:
    """What a permanent's counters, and what it gained for good as it entered, make of it; empty if nothing."""
    kinds = (*(kind for kind, _ in counters), *gained(chosen))
    return _granted(kinds, tuple(value for what, value in chosen if what == ENTERED_AS))


@lru_cache(maxsize=1024)
def _granted(kinds: tuple[str, ...], subtypes: tuple[str, ...]) -> tuple[AnyModification, ...]:
    """The keywords and abilities that counters of these kinds give (current 122.1b), and further subtypes."""
    keywords = tuple(kind for kind in kinds if kind in KEYWORD_COUNTERS)
    abilities = tuple(ability for kind in kinds for ability in RULES.get(kind, ()))
    types = (forms.SetTypes(subtypes=subtypes),) if subtypes else ()
    return (*types, forms.GainAbilities(keywords=keywords, abilities=abilities)) if keywords or abilities else types
