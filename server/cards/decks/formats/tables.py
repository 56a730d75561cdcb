"""Deck lists as tables: CSV with a header, between commas, semicolons or tabs. Columns are told by their titles, the others
are left out; without a column of numbers each line is one card.
"""

from __future__ import annotations

import csv
import io

import msgspec

from server.cards.decks.formats.lists import DeckList, Section
from server.cards.decks.formats.titles import SECTIONS

COUNTS = ("count", "quantity", "qty", "amount", "number", "copies")
NAMES = ("name", "card name", "card_name", "card", "english name")
BOARDS = ("board", "section", "zone", "categories", "category", "type of board")
LEADS = ("commander", "is_commander", "is commander")
COLUMNS = 64
_YES = frozenset({"true", "yes", "1", "commander"})


class Columns(msgspec.Struct, frozen=True):
    """What separates the cells of a table, and which of them (from 0) say what; -1 where no column does."""

    between: str
    name: int
    count: int = -1
    board: int = -1
    leads: int = -1


def columns(header: str) -> Columns | None:
    """The columns of a table with that first line; None if it is no header of cards."""
    for between in ",;\t":
        titles = [cell.strip().strip('"').strip().lower() for cell in header.split(between)][:COLUMNS]
        name = _column(titles, NAMES)
        count = _column(titles, COUNTS)
        if name >= 0 and len(titles) > 1:
            return Columns(between, name, count, _column(titles, BOARDS), _column(titles, LEADS))
    return None


def table(text: str) -> DeckList:
    """The list of a text that begins with a header (`columns`)."""
    found = DeckList("CSV")
    rows = csv.reader(io.StringIO(text.lstrip()), delimiter=(_header(text) or Columns(",", 0)).between)
    known = _header(text)
    blank = text[: len(text) - len(text.lstrip())].count("\n")
    try:
        for row in rows:
            line = rows.line_num + blank
            if known is None or rows.line_num == 1 or not any(cell.strip() for cell in row):
                continue
            found.want(_section(row, known), _cell(row, known.count) or "1", _cell(row, known.name), line)
    except csv.Error as error:
        found.fault(rows.line_num + blank, f"is no table: {error}")
    return found


def _header(text: str) -> Columns | None:
    return columns(text.lstrip().split("\n", 1)[0])


def _section(row: list[str], known: Columns) -> Section:
    if _cell(row, known.leads).lower() in _YES:
        return "commander"
    for word in _cell(row, known.board).split(","):
        section = SECTIONS.get(word.split("{")[0].strip().lower())
        if section is not None:
            return section
    return "main"


def _cell(row: list[str], column: int) -> str:
    return row[column].strip() if 0 <= column < len(row) else ""


def _column(titles: list[str], names: tuple[str, ...]) -> int:
    return next((titles.index(name) for name in names if name in titles), -1)
