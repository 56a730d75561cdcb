"""Which program wrote a deck list, told by its content; a file's name says little (`.dck` is Forge's and XMage's)."""

from __future__ import annotations

from collections.abc import Callable

from server.cards.decks.formats import text as t
from server.cards.decks.formats.lists import DeckList
from server.cards.decks.formats.xml import xml

FORMATS: dict[str, Callable[[t.Lines], DeckList]] = {
    "plain": t.plain,
    "mtga": t.mtga,
    "mtgo": t.mtgo,
    "forge": t.forge,
    "xmage": t.xmage,
}
"""The readers of lines; `xml` reads the rest."""


def sniff(text: str) -> str:
    """The key in FORMATS, or "xml"."""
    if text.lstrip().startswith("<"):
        return "xml"
    lines = _lines(text)
    said = [line for _, line in lines if line]
    if any(t.FORGE_SECTION.fullmatch(line) for line in said):
        return "forge"
    if any(t.XMAGE_CARD.fullmatch(line) or t.XMAGE_HEAD.fullmatch(line) for line in said):
        return "xmage"
    titles = {line.lower().rstrip(":") for line in said}
    if titles & (t.MTGA_SECTIONS.keys() - {"sideboard", "réserve"}):
        return "mtga"
    if any(t.COUNTED.fullmatch(line) and t.PRINTING.search(line) for line in said):
        return "mtga"
    if any(line.startswith("SB:") for line in said) or t.splits_by_blank(lines):
        return "mtgo"
    return "plain"


def read_list(text: str) -> DeckList:
    """The list in the text, whoever wrote it; its faults are noted in it."""
    text = text.removeprefix("\ufeff")
    kind = sniff(text)
    return xml(text) if kind == "xml" else FORMATS[kind](_lines(text))


def _lines(text: str) -> t.Lines:
    return [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
