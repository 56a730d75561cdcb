"""A line of a list taken apart: count and name, and what programs and sites hang on them.

1x Boar Warden (cmm) 410 *F* [Ramp]            the printing, a foil, a category
1 Ardith of the Two Fires *CMDR*            who leads the deck; so do `[Commander{top}]`, `#Commander`, `# !Commander`
SB: 2 [M10:1] Levy of Moss                  a card of the sideboard
"""

from __future__ import annotations

import re

import msgspec

from server.cards.decks.formats.lists import Section
from server.cards.decks.formats.titles import SECTIONS

PRINTING = re.compile(r"\s+(?:\([A-Za-z0-9_]{2,7}\)|\[[A-Z0-9_]{2,6}\])(?:\s+#?[\w★†*-]{1,8})?$|\s+<[\w ,'-]{1,40}>$")
"""The set and collector's number behind a name: `(M11) 146`, `[THB]`, `<251>`."""
COUNTED = re.compile(r"(?P<count>[0-9]+\s?[xX]?|[xX][0-9]+|\S+)\s+(?P<name>.+)")
_SIDE = re.compile(r"SB:\s*", re.IGNORECASE)
_BEFORE = re.compile(r"\[[A-Za-z0-9_]{2,7}(?:[#:][\w★†-]{0,8})?\]\s+")
_MARK = re.compile(r"\s+\*(?P<mark>[A-Za-z]{1,12})\*$")
_CATEGORIES = re.compile(r"\s+\[(?P<words>[^\[\]]{1,200})\]$")
_COLORED = re.compile(r"\s+\^[^^]{0,80}\^$")
_TAGS = re.compile(r"\s+#\s?!?(?P<words>[\w&' !#/+-]{1,200})$")
LONGEST = 500
"""Characters of a line: the longest name with all that the sites hang on it has 300."""
_BRACES = re.compile(r"\{[^{}]*\}")
_MARKS: dict[str, Section] = {
    "cmdr": "commander",
    "commander": "commander",
    "cmpn": "companion",
    "companion": "companion",
}


class Counted(msgspec.Struct, frozen=True):
    """A line as it was taken apart; `section` is where its ornaments put it, None if they do not say. `printed`: it names a
    printing, `sorted`: it has categories or tags.
    """

    count: str
    name: str
    section: Section | None = None
    printed: bool = False
    sorted: bool = False


def take_apart(line: str) -> Counted | None:
    """Count and name of a line without its ornaments, None if it has no two words, or more characters than any card's."""
    if len(line) > LONGEST:
        return None
    section: Section | None = None
    side = _SIDE.match(line)
    if side is not None:
        line, section = line[side.end() :], "sideboard"
    match = COUNTED.fullmatch(line)
    if match is None:
        return None
    bare, said, sorted_ = _without_words(match["name"])
    name = _BEFORE.sub("", PRINTING.sub("", PRINTING.sub("", bare)), count=1)
    digits = match["count"].strip("xX ")
    count = digits if digits.isdecimal() else match["count"]
    return Counted(count, name.strip(), section or said, name != bare, sorted_)


def _without_words(name: str) -> tuple[str, Section | None, bool]:
    """A name without marks, tags and categories behind it, the section that they say, and whether there were any but marks."""
    section: Section | None = None
    sorted_ = False
    for _ in range(8):  # each line of a known program has at most four of them
        mark, tags = _MARK.search(name), _TAGS.search(name) or _COLORED.search(name)
        categories = None if _is_printing(name) else _CATEGORIES.search(name)
        if mark is not None:
            section = section or _MARKS.get(mark["mark"].lower())
            name = name[: mark.start()]
        elif tags is not None:
            section, sorted_ = section or _said(tags.groupdict().get("words", ""), "#"), True
            name = name[: tags.start()]
        elif categories is not None:
            section, sorted_ = section or _said(categories["words"], ","), True
            name = name[: categories.start()]
        else:
            break
    return name, section, sorted_


def _is_printing(name: str) -> bool:
    found = PRINTING.search(name)
    return found is not None and found[0].rstrip().endswith("]")


def _said(words: str, between: str) -> Section | None:
    """The section that one of the categories names, but the main deck, which every other category is of."""
    if "{noDeck}" in words:
        return "none"
    for word in words.split(between):
        found = SECTIONS.get(_BRACES.sub("", word).strip(" !").lower())
        if found is not None and found != "main":
            return found
    return None
