"""Which keywords of cards are younger than an edition of the rules; they are played as the first edition has them that does."""

from __future__ import annotations

from collections.abc import Iterable

from server.cards.forms import Card
from server.cards.loading.faces import faces_of

_WORDS_OF_2009 = frozenset(
    (
        "absorb", "affinity", "amplify", "banding", "bloodthirst", "bushido", "buyback", "cascade", "champion",
        "changeling", "conspire", "convoke", "cycling", "deathtouch", "defender", "delve", "devour", "dredge", "echo",
        "enchant", "entwine", "epic", "equip", "evoke", "exalted", "fading", "fear", "flanking", "flash", "flashback",
        "flying", "forecast", "fortify", "frenzy", "graft", "gravestorm", "haste", "haunt", "hideaway", "horsemanship",
        "indestructible", "intimidate", "kicker", "landcycling", "landwalk", "lifelink", "madness", "modular", "morph",
        "ninjutsu", "offering", "persist", "phasing", "poisonous", "protection", "provoke", "prowl", "rampage", "reach",
        "recover", "reinforce", "replicate", "retrace", "ripple", "shadow", "shroud", "soulshift", "splice", "storm",
        "sunburst", "suspend", "trample", "transfigure", "transmute", "typecycling", "unearth", "vanishing",
        "vigilance", "wither",
    )
)  # fmt: skip
_PHRASES_OF_2009 = (
    "aura swap",
    "bands with other",
    "cumulative upkeep",
    "double strike",
    "first strike",
    "split second",
)
_SINCE_2011 = (
    "annihilator", "battle cry", "hexproof", "infect", "level up", "living weapon", "multikicker", "rebound", "totem armor",
)  # fmt: skip
_KINDS = ("walk", "cycling")
"""Ends of words that are kinds of one keyword ("forestwalk")."""


def younger_keywords(cards: Iterable[Card], edition: str) -> tuple[str, ...]:
    """The keywords that these cards have and the edition has not, with what stands behind them, by name; none is younger than
    `current`."""
    if edition == "current":
        return ()
    words = {keyword for card in cards for face in (card, *faces_of(card)) for keyword in face.keywords}
    return tuple(sorted(word for word in words if not _is_of(word, edition)))


def _is_of(keyword: str, edition: str) -> bool:
    said = keyword.lower()
    first = said.partition(" ")[0]
    if edition == "2011" and said.startswith(_SINCE_2011):
        return True
    a_kind = any(word.endswith(_KINDS) for word in said.split())
    return said.startswith(_PHRASES_OF_2009) or first in _WORDS_OF_2009 or a_kind
