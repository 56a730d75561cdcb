"""Readers of deck lists that are lines of text. Each reader takes lines (number, text without space around it)."""

from __future__ import annotations

import re

from server.cards.decks.formats.lists import DeckList, Section, short
from server.cards.decks.formats.ornaments import take_apart
from server.cards.decks.formats.titles import section_below, title

Lines = list[tuple[int, str]]

SIDEBOARD = re.compile(r"(?:sideboard|réserve|side)\s*:?", re.IGNORECASE)
XMAGE_CARD = re.compile(r"(?P<side>SB:\s*)?(?P<count>\d+)\s+\[[^\[\]:]*:[^\[\]:]*\]\s+(?P<name>.+)")
XMAGE_HEAD = re.compile(r"(?P<key>NAME|AUTHOR|LAYOUT MAIN|LAYOUT SIDEBOARD):(?P<value>.*)")
FORGE_SECTION = re.compile(r"\[(?P<name>[A-Za-z ]+)\]")
FORGE_SECTIONS: dict[str, Section] = {"main": "main", "commander": "commander", "sideboard": "sideboard"}
FEWEST_BEFORE_BLANK = 60
MOST_AFTER_BLANK = 15


def listed(lines: Lines, form: str) -> DeckList:
    """Lines `4 Name` with whatever a program hangs on them (`ornaments`), below titles (`titles`), which may stand in comments;
    the first other comment is what the deck is about. What stands behind an empty line is the sideboard in a list of two such
    blocks, where nothing else says what is.
    """
    found = DeckList(form)
    section: Section = "main"
    about = False
    paragraph, gap = 0, True
    behind = _behind(lines, form)
    for number, text in lines:
        if not text:
            gap = True
            continue
        paragraph, gap = paragraph + gap, False
        below = section_below(text, section)
        if below is not None:
            section, about = below, title(text) == "about"
        elif about:
            found.name = text.removeprefix("Name ") if text.startswith("Name ") else found.name
        elif text.startswith(("#", "//")):
            found.about = found.about or text.lstrip("#/ ")
        else:
            _counted(found, "sideboard" if behind and number > behind else section, number, text, paragraph)
    return found


def plain(lines: Lines) -> DeckList:
    """A list as people type it."""
    return listed(lines, "plain text")


def mtga(lines: Lines) -> DeckList:
    """MTGA's export: sections `Deck`, `Sideboard`, `Commander`; `4 Name (SET) 123`. Lists of sites that copy the form have it too."""
    return listed(lines, "MTGA")


def mtgo(lines: Lines) -> DeckList:
    """MTGO's text export: `4 Name`, then the sideboard behind an empty line or `Sideboard`, or with `SB:` before each."""
    return listed(lines, "MTGO text")


def archidekt(lines: Lines) -> DeckList:
    """Archidekt's export and others that sort cards behind their names: `1x Name (set) 410 [Ramp]`, `1 Name #ramp`."""
    return listed(lines, "text with categories")


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
    sizes = _blocks(lines)
    return len(sizes) == 2 and sizes[0] >= FEWEST_BEFORE_BLANK and sizes[1] <= MOST_AFTER_BLANK


def _behind(lines: Lines, form: str) -> int:
    """The number of the line behind which the sideboard stands, 0 if no line says so by being empty."""
    sizes = _blocks(lines)
    parts = len(sizes) == 2 and sizes[0] > sizes[1] if form == "MTGA" else splits_by_blank(lines)
    if not parts:
        return 0
    first = next(at for at, (_, text) in enumerate(lines) if text)
    return next(number for number, text in lines[first:] if not text)


def _blocks(lines: Lines) -> list[int]:
    """How many cards stand in each block between empty lines; none if a line is anything but a count and a name."""
    sizes = [0]
    for _, text in lines:
        if not text:
            if sizes[-1]:
                sizes.append(0)
            continue
        found = take_apart(text)
        if found is None or found.section is not None or not found.count.isdecimal() or len(found.count) > 4:
            return []
        sizes[-1] += int(found.count)
    if not sizes[-1]:
        sizes.pop()
    return sizes


def _counted(found: DeckList, section: Section, number: int, text: str, paragraph: int = 0) -> None:
    parts = take_apart(text)
    if parts is None:
        found.fault(number, f"{short(text)} is not a count and a name, as in '4 Forest'")
    else:
        found.want(_where(parts.section, section), parts.count, parts.name, number, paragraph)


def _where(said: Section | None, below: Section) -> Section:
    """What a card's own mark says goes before the title that it stands below, but for a deck that is only thought of."""
    return said if said is not None and below != "none" else below
