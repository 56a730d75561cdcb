"""Readers of deck lists that are lines of text. Each reader takes lines (number, text without space around it)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from server.cards.decks.formats.lists import DeckList, Section, short

Lines = list[tuple[int, str]]

COUNTED = re.compile(r"(?P<count>\S+)\s+(?P<name>.+)")
SIDEBOARD = re.compile(r"(?:sideboard|réserve|side)\s*:?", re.IGNORECASE)
PRINTING = re.compile(r"\s+\((?P<set>[A-Za-z0-9_]{2,7})\)(?:\s+[\w★†*-]+)?(?:\s+\*\w+\*)?$")
"""The set and collector's number behind a name, and a mark for foil: `(M11) 146 *F*`."""
XMAGE_CARD = re.compile(r"(?P<side>SB:\s*)?(?P<count>\d+)\s+\[[^\[\]:]*:[^\[\]:]*\]\s+(?P<name>.+)")
XMAGE_HEAD = re.compile(r"(?P<key>NAME|AUTHOR|LAYOUT MAIN|LAYOUT SIDEBOARD):(?P<value>.*)")
FORGE_SECTION = re.compile(r"\[(?P<name>[A-Za-z ]+)\]")
MTGA_SECTIONS: dict[str, Section] = {
    "about": "none",
    "deck": "main",
    "commander": "commander",
    "companion": "none",  # it is one of the sideboard's cards, named twice
    "sideboard": "sideboard",
    "réserve": "sideboard",
    "maybeboard": "none",
}
FORGE_SECTIONS: dict[str, Section] = {"main": "main", "commander": "commander", "sideboard": "sideboard"}
FEWEST_BEFORE_BLANK = 60
MOST_AFTER_BLANK = 15


def plain(lines: Lines) -> DeckList:
    """`4 Name` or `4x Name`, comments after `#` or `//` (the first one is what the deck is about), a line `Sideboard`."""
    found = DeckList("plain text")
    section: Section = "main"
    for number, text in lines:
        if text.startswith(("#", "//")):
            found.about = found.about or text.lstrip("#/ ")
        elif SIDEBOARD.fullmatch(text):
            section = "sideboard"
        elif text:
            _counted(found, section, number, text)
    return found


def mtga(lines: Lines) -> DeckList:
    """Sections `Deck`, `Sideboard`, `Commander`, ...; `4 Name (SET) 123`. Lists of sites that copy the form have it too."""
    found = DeckList("MTGA")
    section: Section = "main"
    about = False
    named = any(text.lower() == "sideboard" for _, text in lines)
    for number, text in lines:
        title = text.lower().rstrip(":")
        if title in MTGA_SECTIONS:
            section, about = MTGA_SECTIONS[title], title == "about"
        elif not text:
            # Old exports had no titles: the sideboard stood behind an empty line.
            if found.main and section == "main" and not named and _starts_untitled(lines):
                section = "sideboard"
        elif about:
            if text.startswith("Name "):
                found.name = text.removeprefix("Name ")
        elif text.startswith(("#", "//")):
            found.about = found.about or text.lstrip("#/ ")
        else:
            _counted(found, section, number, PRINTING.sub("", text))
    return found


def mtgo(lines: Lines) -> DeckList:
    """MTGO's text export: `4 Name`, then the sideboard behind an empty line or `Sideboard`, or with `SB:` before each."""
    found = DeckList("MTGO text")
    section: Section = "main"
    marked = any(text.startswith("SB:") or SIDEBOARD.fullmatch(text) for _, text in lines)
    for number, text in lines:
        if SIDEBOARD.fullmatch(text):
            section = "sideboard"
        elif text.startswith("SB:"):
            _counted(found, "sideboard", number, text.removeprefix("SB:").strip())
        elif text:
            _counted(found, section, number, text)
        elif found.main and not marked:
            section = "sideboard"
    return found


def forge(lines: Lines) -> DeckList:
    """Forge's `.dck`: `[metadata]` with `Name=`, `[Main]`, `[Sideboard]`; `4 Name|SET|art`, a `+` behind a foil's name."""
    found = DeckList("Forge")
    section: Section = "none"
    title = ""
    for number, text in lines:
        match = FORGE_SECTION.fullmatch(text)
        if match is not None:
            title = match["name"].lower()
            section = FORGE_SECTIONS.get(title, "none")
        elif title in ("metadata", "general"):
            key, _, value = text.partition("=")
            if key.strip().lower() == "name":
                found.name = value.strip()
        elif not title and text and not text.startswith("#"):
            found.fault(number, f"{short(text)} stands before the first section")
        elif text and not text.startswith("#") and section != "none":
            _counted(found, section, number, text.split("|")[0].rstrip("+"))
    return found


def xmage(lines: Lines) -> DeckList:
    """XMage's `.dck`: `4 [M11:146] Name`, `SB:` before a sideboard's card; `LAYOUT` says where cards lie on the screen."""
    found = DeckList("XMage")
    for number, text in lines:
        head = XMAGE_HEAD.fullmatch(text)
        card = XMAGE_CARD.fullmatch(text)
        if head is not None:
            if head["key"] == "NAME":
                found.name = head["value"].strip()
        elif card is not None:
            found.want("sideboard" if card["side"] else "main", card["count"], card["name"], number)
        elif text and not text.startswith(("#", "//")):
            found.fault(number, f"{short(text)} is not a count, a printing and a name, as in '4 [M11:146] Forest'")
    return found


def splits_by_blank(lines: Lines) -> bool:
    """Whether the list is two blocks of `4 Name` lines, of which the second has the size of a sideboard only: MTGO's
    export. Lists in blocks by type of card have more blocks, titles or comments.
    """
    sizes = [0]
    for _, text in lines:
        if not text:
            if sizes[-1]:
                sizes.append(0)
            continue
        match = COUNTED.fullmatch(text)
        if match is None or not match["count"].isdecimal() or len(match["count"]) > 4:
            return False
        sizes[-1] += int(match["count"])
    if not sizes[-1]:
        sizes.pop()
    return len(sizes) == 2 and sizes[0] >= FEWEST_BEFORE_BLANK and sizes[1] <= MOST_AFTER_BLANK


def _starts_untitled(lines: Iterable[tuple[int, str]]) -> bool:
    """Whether the first line with text is a card's."""
    first = next((text for _, text in lines if text), "")
    return COUNTED.fullmatch(first) is not None


def _counted(found: DeckList, section: Section, number: int, text: str) -> None:
    match = COUNTED.fullmatch(text)
    if match is None:
        found.fault(number, f"{short(text)} is not a count and a name, as in '4 Forest'")
    else:
        found.want(section, match["count"], match["name"], number)
