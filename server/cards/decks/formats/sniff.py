"""Which program wrote a deck list, told by its content; a file's name says little (`.dck` is Forge's and XMage's)."""

from __future__ import annotations

from collections.abc import Callable

from server.cards.decks.formats import text as t
from server.cards.decks.formats.lists import DeckList
from server.cards.decks.formats.ornaments import take_apart
from server.cards.decks.formats.tables import columns, table
from server.cards.decks.formats.titles import title
from server.cards.decks.formats.xml import xml

_MTGA = frozenset({"about", "deck", "commander", "companion", "maybeboard"})
"""Titles that tell MTGA's form from plain lists."""

FORMATS: dict[str, Callable[[t.Lines], DeckList]] = {
    "plain": t.plain,
    "mtga": t.mtga,
    "mtgo": t.mtgo,
    "forge": t.forge,
    "xmage": t.xmage,
    "archidekt": t.archidekt,
}
"""The readers of lines; `xml` and `table` read the rest."""


def sniff(text: str) -> str:
    """The key in FORMATS, or "xml", or "table"."""
    if text.lstrip().startswith("<"):
        return "xml"
    lines = _lines(text)
    said = [line for _, line in lines if line]
    if columns(text.lstrip().split("\n", 1)[0]) is not None:
        return "table"
    if any(t.FORGE_SECTION.fullmatch(line) for line in said):
        return "forge"
    if any(t.XMAGE_CARD.fullmatch(line) or t.XMAGE_HEAD.fullmatch(line) for line in said):
        return "xmage"
    parts = [found for line in said if not line.startswith(("#", "//")) and (found := take_apart(line)) is not None]
    if any(part.sorted for part in parts):
        return "archidekt"
    if {title(line) for line in said if not line.startswith(("#", "//"))} & _MTGA or any(
        part.printed for part in parts
    ):
        return "mtga"
    if any(line.startswith("SB:") for line in said) or t.splits_by_blank(lines):
        return "mtgo"
    return "plain"


def read_list(text: str) -> DeckList:
    """The list in the text, whoever wrote it; its faults are noted in it."""
    text = text.removeprefix("\ufeff")
    kind = sniff(text)
    if kind == "xml":
        return xml(text)
    return table(text) if kind == "table" else FORMATS[kind](_lines(text))


def _lines(text: str) -> t.Lines:
    # One space each: patterns that look for what hangs behind a run of spaces try each place in it.
    return [(number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), 1)]
