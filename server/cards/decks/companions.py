"""Companions: which deck fulfils what such a card asks of it (current 702.139). Read from the card's text, as who may lead a deck is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from server.cards.forms import ActivatedAbility, Card, KeywordAbility
from server.cards.grammar import BASIC_LANDS, parse_types
from server.cards.keywords import expand
from server.cards.loading import color_identity

Cards: TypeAlias = Sequence[tuple[int, Card]]
"""A starting deck: so many of each card (current 702.139b: without the sideboard, with those that lead it)."""
_COMPANION = re.compile(r"^companion\s?[—-]{1,2}\s?(?P<asks>[^\n(]+)", re.MULTILINE | re.IGNORECASE)
_SYMBOL = re.compile(r"\{([^{}]+)\}")
_WORD = re.compile(r",? or |, ")
MORE = 20
"""By how many cards a deck is larger than it must be (`_larger`)."""
_PERMANENTS = frozenset(("artifact", "battle", "creature", "enchantment", "land", "planeswalker"))


def asked_by(card: Card) -> str:
    """What a card asks of the deck that it is the companion of; "" if it is no companion."""
    found = _COMPANION.search(card.text)
    return "" if found is None else " ".join(found["asks"].split()).rstrip(".").lower()


def is_fulfilled(asks: str, deck: Cards, least: int) -> bool | None:
    """Whether a deck is so as is asked; None for what is not understood. `least` is how many cards such a deck must have."""
    for pattern, fulfilled in _CONDITIONS:
        found = pattern.fullmatch(asks)
        if found is not None:
            return fulfilled(found, deck, least)
    return None


def faults(card: Card, deck: Cards, least: int, leaders: Sequence[Card] = ()) -> str:
    """Why a card is no companion of this deck, "" if it is one. Beside those that lead it there are further rules: a name that is not
    in the deck, and no colour that they have not (current 903.11a).
    """
    asks = asked_by(card)
    if not asks:
        return "is no companion (current 702.139a)"
    fulfilled = is_fulfilled(asks, deck, least)
    if fulfilled is None:
        return f"asks of a deck what is not understood, {asks!r}; leave it out to play without (current 702.139a)"
    if not fulfilled:
        return f"is no companion of this deck: {asks} (current 702.139a)"
    if leaders and any(other.name == card.name for _, other in deck):
        return "is in the deck, and cannot come from outside the game, too (current 903.11a)"
    identity = {color for leader in leaders for color in color_identity(leader)}
    if leaders and not set(color_identity(card)) <= identity:
        return "has a colour that the commander has not (current 903.11a)"
    return ""


# --- what is asked ---


def _types(card: Card) -> frozenset[str]:
    return frozenset(parse_types(card.types)[1])


def _land(card: Card) -> bool:
    return "land" in _types(card)


def _permanent(card: Card) -> bool:
    return bool(_types(card) & _PERMANENTS)


def mana_value(cost: str) -> int:
    """The mana value of a printed cost (202.3): X is none, a hybrid symbol its larger half."""
    return sum(max(_worth(half) for half in symbol.split("/")) for symbol in _SYMBOL.findall(cost))


def _worth(half: str) -> int:
    if half.isdecimal():
        return int(half)
    return int(half not in ("X", "Y", "Z"))


def _value(card: Card) -> int:
    return mana_value(card.cost)


def _only_of_parity(found: re.Match[str], deck: Cards, least: int) -> bool:
    odd = int(found["parity"] == "odd")
    return all((found["lands"] and _land(card)) or _value(card) % 2 == odd for _, card in deck)


def _only_of_value(found: re.Match[str], deck: Cards, least: int) -> bool:
    limit, up = int(found["value"]), found["way"] != "less"
    fits = (
        _value(card) >= limit if up else _value(card) <= limit
        for _, card in deck
        if not (found["lands"] and _land(card))
    )
    return all(fits)


def _permanents_of_value(found: re.Match[str], deck: Cards, least: int) -> bool:
    return all(_value(card) <= int(found["value"]) for _, card in deck if _permanent(card))


def _different_names(found: re.Match[str], deck: Cards, least: int) -> bool:
    names = [card.name for count, card in deck for _ in range(count) if not _land(card)]
    return len(names) == len(set(names))


def _one_type(found: re.Match[str], deck: Cards, least: int) -> bool:
    shared = [_types(card) for _, card in deck if not _land(card)]
    return not shared or bool(shared[0].intersection(*shared[1:]))


def _kinds(found: re.Match[str], deck: Cards, least: int) -> bool:
    kinds = {kind.strip() for kind in _WORD.split(found["kinds"])}
    own = ({word.lower() for word in parse_types(card.types)[2]} for _, card in deck if found["type"] in _types(card))
    changes = (any(k == "changeling" for k in card.keywords) for _, card in deck if found["type"] in _types(card))
    return all(changing or words & kinds for words, changing in zip(own, changes, strict=True))


def _larger(found: re.Match[str], deck: Cards, least: int) -> bool:
    return sum(count for count, _ in deck) >= least + MORE


def _activated(found: re.Match[str], deck: Cards, least: int) -> bool:
    return all(_has_activated(card) for _, card in deck if _permanent(card))


def _has_activated(card: Card) -> bool:
    if any(kind in BASIC_LANDS for kind in parse_types(card.types)[2]):
        return True  # 305.6
    own = (*card.abilities, *(KeywordAbility(keyword=keyword) for keyword in card.keywords))
    meant = (ability for one in own for ability in (expand(one) if isinstance(one, KeywordAbility) else (one,)))
    return any(isinstance(ability, ActivatedAbility) for ability in meant)


def _symbols_once(found: re.Match[str], deck: Cards, least: int) -> bool:
    symbols = (_SYMBOL.findall(card.cost) for _, card in deck)
    return all(len(some) == len(set(some)) for some in symbols)


_Fulfilled = Callable[[re.Match[str], Cards, int], bool]
_ONLY = r"your starting deck contains only cards with "
_LANDS = r"(?P<lands> and land cards)?"
_EACH = r"each (?P<type>\w+) card in your starting deck "
_CONDITIONS: tuple[tuple[re.Pattern[str], _Fulfilled], ...] = tuple(
    (re.compile(pattern), fulfilled)
    for pattern, fulfilled in (
        (_ONLY + r"(?P<parity>even|odd) mana values?" + _LANDS, _only_of_parity),
        (
            _ONLY + r"(?:mana value|converted mana cost) (?P<value>\d) or (?P<way>greater|more|less)" + _LANDS,
            _only_of_value,
        ),
        (
            r"each permanent card in your starting deck has (?:mana value|converted mana cost) (?P<value>\d) or less",
            _permanents_of_value,
        ),
        (r"each nonland card in your starting deck has a different name", _different_names),
        (r"each nonland card in your starting deck shares a card type", _one_type),
        (_EACH + r"is an? (?P<kinds>[\w, ]+?)(?: card)?", _kinds),
        (r"your starting deck contains at least twenty cards more than the minimum deck size", _larger),
        (r"each permanent card in your starting deck has an activated ability", _activated),
        (r"no card in your starting deck has more than one of the same mana symbol in its mana cost", _symbols_once),
    )
)
