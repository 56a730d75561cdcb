"""The same puzzle in other clothes: other names of cards and of players, other colours, the others in other seats.

Who knows a puzzle by heart does not know its variants; who thinks solves them as well.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from apnap.cards import house_card

LETTERS = "WUBRG"
COLORS = ("white", "blue", "black", "red", "green")
BASICS = ("Plains", "Island", "Swamp", "Mountain", "Forest")
PLAYERS = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
_FIRST = ("Amber", "Brindle", "Crooked", "Drowsy", "Eager", "Far", "Gilded", "Hoary", "Iron", "Jade", "Kindly", "Last")
_SECOND = (
    "Alder",
    "Bargain",
    "Cairn",
    "Drum",
    "Errand",
    "Furrow",
    "Gate",
    "Hollow",
    "Ivy",
    "Kettle",
    "Lattice",
    "Mill",
)

_WORDS = (
    (LETTERS, re.compile(r"([{/])([WUBRG])(?=[/}])")),
    (COLORS, re.compile(rf"\b((?:non)?)({'|'.join(COLORS)})\b", re.IGNORECASE)),
    (BASICS, re.compile(rf"\b((?:non)?)({'|'.join(BASICS)})(?=(?:walk)?\b)", re.IGNORECASE)),
)
"""What has a colour, behind what it may stand with ("nonblack")."""
_ARTICLE = re.compile(rf"\b([Aa])n? (?=({'|'.join(BASICS)})\b)")


def variant(puzzle: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """A puzzle as it is written, permuted. Its goal can be reached just as before; by the same seed it is the same."""
    chance = random.Random(f"{puzzle['id']}/{seed}")
    turned = chance.sample(range(5), 5)
    names = _names(puzzle, turned, chance)
    seats = _seats(puzzle, chance)
    made = _renamed(dict(puzzle), names, seats)
    made["id"] = f"{puzzle['id']}~{seed}"
    made["cards"] = [_printed(name, names, turned) for name in names if name not in BASICS]
    made["seats"] = [seats[seat] for seat in _order(puzzle, chance)]
    chance.shuffle(made["setup"])
    return made


def _cards(puzzle: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(one["card"] for one in puzzle["setup"] if "card" in one))


def _names(puzzle: Mapping[str, Any], turned: Sequence[int], chance: random.Random) -> dict[str, str]:
    """By names of cards the new ones."""
    free = [f"{first} {second}" for first in _FIRST for second in _SECOND]
    chance.shuffle(free)
    basics = {name: BASICS[turned[i]] for i, name in enumerate(BASICS)}
    return {name: basics.get(name) or free.pop() for name in _cards(puzzle)}


def _seats(puzzle: Mapping[str, Any], chance: random.Random) -> dict[str, str]:
    seats = puzzle["seats"]
    return dict(zip(seats, chance.sample(PLAYERS, len(seats)), strict=True))


def _order(puzzle: Mapping[str, Any], chance: random.Random) -> list[str]:
    """The first seat begins and stays; the others sit down anew."""
    first, *rest = puzzle["seats"]
    return [first, *chance.sample(rest, len(rest))]


def _renamed(value: Any, names: Mapping[str, str], seats: Mapping[str, str]) -> Any:
    """What is written with new names: of cards under `card` and `attached_to`, of players under `player` and `goal`."""
    if isinstance(value, list):
        return [_renamed(one, names, seats) for one in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {}
    for key, inner in cast("dict[str, Any]", value).items():
        if key in ("card", "attached_to"):
            made[key] = names[inner]
        elif key in ("player", "goal"):
            made[key] = seats[inner]
        else:
            made[key] = _renamed(inner, names, seats)
    return made


def _printed(name: str, names: Mapping[str, str], turned: Sequence[int]) -> dict[str, str]:
    """A card of the house, printed under its new name and in its new colours."""
    card = house_card(name)
    text = recoloured(card.text.replace(name, names[name]), turned)
    made = {
        "name": names[name],
        "types": recoloured(card.types, turned),
        "cost": recoloured(card.cost, turned),
        "text": text,
    }
    return made | {"power": card.power, "toughness": card.toughness} if card.power else made


def recoloured(text: str, turned: Sequence[int]) -> str:
    """Symbols, words of colours and basic land types, each in one go, also as part of a word ("nonblack", "swampwalk")."""
    for words, pattern in _WORDS:
        to = {word.lower(): words[turned[i]] for i, word in enumerate(words)}
        text = pattern.sub(lambda found, to=to: found[1] + _as_written(found[2], to[found[2].lower()]), text)
    return _ARTICLE.sub(lambda found: f"{found[1]}n " if found[2] == "Island" else f"{found[1]} ", text)


def _as_written(before: str, word: str) -> str:
    return word.capitalize() if before[0].isupper() else word.lower()
