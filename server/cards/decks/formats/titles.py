"""What stands above the cards in lists: the sections of a deck as programs and sites title them, and titles that only sort."""

from __future__ import annotations

import re

from server.cards.decks.formats.lists import Section

SECTIONS: dict[str, Section] = {
    "deck": "main",
    "main": "main",
    "main deck": "main",
    "maindeck": "main",
    "mainboard": "main",
    "main board": "main",
    "commander": "commander",
    "commanders": "commander",
    "companion": "companion",
    "sideboard": "sideboard",
    "side board": "sideboard",
    "side": "sideboard",
    "réserve": "sideboard",
    "maybeboard": "none",
    "maybe board": "none",
    "maybe": "none",
    "considering": "none",
    "acquireboard": "none",
    "wishlist": "none",
    "tokens": "none",
    "tokens & extras": "none",
    "planes": "none",
    "schemes": "none",
    "stickers": "none",
    "attractions": "none",
    "about": "none",
}
"""Titles by which a section begins, in small letters."""
SORTS = frozenset(
    [
        "creature",
        "creatures",
        "land",
        "lands",
        "instant",
        "instants",
        "sorcery",
        "sorceries",
        "artifact",
        "artifacts",
        "enchantment",
        "enchantments",
        "planeswalker",
        "planeswalkers",
        "battle",
        "battles",
        "spell",
        "spells",
        "other",
        "mana",
        "ramp",
        "removal",
        "draw",
        "basics",
    ]
    + ["basic lands", "other spells", "instants and sorceries", "instants & sorceries", "artifacts and enchantments"]
)
"""Titles that sort cards within their section, in small letters. Below the commander's they begin the main deck."""
_BESIDE = re.compile(r"^[\s#/=~*_\[\]-]+|[\s:=~*_\[\]-]+$")
_COUNTED = re.compile(r"\s*(?:\(\d{1,4}(?: cards?)?\)|:\s*\d{1,4})$")


def title(line: str) -> str:
    """A line as a title: small letters, without the signs around it and the number of its cards: `## Creatures (12)`."""
    return _BESIDE.sub("", _COUNTED.sub("", _BESIDE.sub("", line))).lower()


def section_below(line: str, now: Section) -> Section | None:
    """The section that a line begins or goes on with as its title, None if the line is no title."""
    named = title(line)
    if named in SECTIONS:
        return SECTIONS[named]
    if named in SORTS:
        return "main" if now in ("commander", "companion") else now
    return None
