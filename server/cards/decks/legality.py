"""Formats by name: how a deck of each is made, and what its list of legal and banned cards says of one (100.6 leaves those
lists to the tournament's rules; here they are what imported card lists say).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, get_args

from server.cards.loading import Status

Kind: TypeAlias = Literal["constructed", "commander", "brawl"]
"""By which rules a deck is made (100.2a, 903.5, current 903.12)."""
Legality = Callable[[str], "Mapping[str, Status] | None"]
"""What formats say of the card of that name; None if no list says anything of it."""

KINDS: dict[str, Kind] = {
    "constructed": "constructed",
    "commander": "commander",
    "duel": "commander",
    "predh": "commander",
    "brawl": "brawl",
    "standardbrawl": "brawl",
    **dict.fromkeys(
        (
            "standard", "future", "alchemy", "historic", "timeless", "explorer", "pioneer", "modern", "legacy", "vintage",
            "pauper", "penny", "premodern", "oldschool",
        ),
        "constructed",
    ),
}  # fmt: skip
"""The formats that decks are judged for. "constructed" asks no list."""


def faults(format_: str, counts: Mapping[str, tuple[int, int]], legality: Legality) -> list[tuple[int, str]]:
    """What keeps a deck out of a format, as (line, sentence). `counts` are (line, copies) by name. Where no list says anything
    of any card, a format that is more than a way to make decks cannot be judged; cards that other lists leave out are in none.
    """
    if format_ == "constructed":
        return []
    said = {name: legality(name) for name in counts}
    if not any(said.values()):
        unknown = f"no card list here says what is legal in {format_}; import one that does (Scryfall's or MTGJSON's)"
        return [] if format_ in get_args(Kind) else [(0, unknown)]
    found = [(line, _verdict(format_, copies, name, said[name] or {})) for name, (line, copies) in counts.items()]
    return [(line, why) for line, why in found if why]


def _verdict(format_: str, copies: int, name: str, said: Mapping[str, Status]) -> str:
    status = said.get(format_)
    if status is None:
        return f"{name!r} is not legal in {format_}"
    if status == "banned":
        return f"{name!r} is banned in {format_}"
    if status == "restricted" and copies > 1:
        return f"{name!r} is restricted in {format_}: one copy, not {copies}"
    return ""
