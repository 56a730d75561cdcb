"""A screen as lines of a terminal: pure, so that every size can be tried.

80 columns and 24 lines are enough. From 110 columns on the log stands beside the table; more lines give more log and choices.
"""

from __future__ import annotations

import textwrap
import unicodedata

from msgspec import Struct

from client_cli.scenes import Screen

SIDE_FROM = 110
"""Columns from which on the log stands beside the table."""
TABLE_WIDTH = 80
LOG_LINES = 3
CHOICE_LINES = 8
"""Lines of log and of choices on a screen of 24; a third and a quarter of the lines beyond them come on top."""
FEWEST_BODY = 3


class Looking(Struct):
    """How far a person has scrolled the body and the choices. Painting keeps both within what there is."""

    body: int = 0
    choices: int = 0


class Painted(Struct, frozen=True):
    """A whole screen: each line's kind (header, body, rule, log, prompt, choice, input) and text."""

    lines: list[tuple[str, str]]
    body_rows: int
    choice_rows: int
    all_choice_rows: int = 0
    """How many there would be on a screen that is high enough."""


def board_width(columns: int) -> int:
    """How wide the table is drawn on a screen of so many columns."""
    return TABLE_WIDTH if columns >= SIDE_FROM else columns


def paint(screen: Screen, log: list[str], typed: str, size: tuple[int, int], looking: Looking) -> Painted:
    """The screen at a size of (columns, lines), as it was scrolled. Exactly so many lines, none wider."""
    width, height = size
    side = width >= SIDE_FROM and not screen.reading
    more = max(0, height - 24)
    logged = 0 if side or screen.reading else LOG_LINES + more // 3
    prompt = textwrap.wrap(screen.prompt, width)
    rows = columns(screen.numbered(), width)
    most = max(1, min(CHOICE_LINES + more // 4, height - len(prompt) - logged - FEWEST_BODY - 4))
    looking.choices = max(0, min(looking.choices, len(rows) - 1))
    chosen = rows[looking.choices : looking.choices + most]
    if len(rows) > most:
        chosen.append(f"... {looking.choices + 1}-{looking.choices + len(chosen)} / {len(rows)}  (< >)")
    below = [("rule", "-" * width)]
    if logged:
        lines = wrapped(log[-logged:], width)[-logged:]
        below += [("log", line) for line in lines + [""] * (logged - len(lines))]
        below.append(("rule", "-" * width))
    below += [("prompt", line) for line in prompt]
    below += [("choice", line) for line in chosen]
    below.append(
        ("input", f"> {typed[-(width - 4) :]}_   {screen.keys}" if not screen.free else f"> {typed[-(width - 4) :]}_")
    )
    room = max(0, height - 1 - len(below))
    whole = wrapped(screen.body, width) if screen.reading else screen.body
    looking.body = max(0, min(looking.body, len(whole) - room))
    body = whole[looking.body : looking.body + room]
    if room and looking.body + room < len(whole):
        body[-1] = f"... {looking.body + room - 1} / {len(whole)}"
    body += [""] * (room - len(body))
    if side:
        body = beside(body, log, width)
    lines = [("header", screen.header), *(("body", line) for line in body), *below]
    return Painted([(kind, clipped(line, width)) for kind, line in lines[:height]], room, most, len(rows))


def wrapped(lines: list[str], width: int) -> list[str]:
    """Lines that are read, broken where they are wider than the screen."""
    broken: list[str] = []
    for line in lines:
        broken += textwrap.wrap(line, width, subsequent_indent="  ") if wide(line) > width else [line]
    return broken


def beside(body: list[str], log: list[str], width: int) -> list[str]:
    """The table with the end of the log at its right."""
    wide = width - TABLE_WIDTH - 2
    told: list[str] = []
    for line in log[-len(body) :] if body else []:
        told += textwrap.wrap(line, wide, subsequent_indent="  ") or [""]
    told = told[-len(body) :]
    told += [""] * (len(body) - len(told))
    return [f"{padded(line, TABLE_WIDTH)}| {line_of_log}" for line, line_of_log in zip(body, told, strict=True)]


def columns(cells: list[str], width: int) -> list[str]:
    """Choices in as many columns as fit, at most three, numbered down the columns; in one column none loses a word."""
    if not cells:
        return []
    widest = max(map(wide, cells)) + 2
    count = max(1, min(3, width // widest)) if len(cells) > 3 else 1
    if count == 1:
        return [line for cell in cells for line in textwrap.wrap(cell, width, subsequent_indent="   ") or [""]]
    height = -(-len(cells) // count)
    rows = []
    for at in range(height):
        row = cells[at::height]
        rows.append("".join(padded(cell, widest) for cell in row).rstrip())
    return rows


def wide(text: str) -> int:
    """How many columns a text takes: two for each wide letter, none for a mark upon another."""
    return sum(_wide(letter) for letter in text)


def clipped(text: str, width: int) -> str:
    """As much of a text as fits, without what moves the cursor."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    if wide(text) <= width:
        return text
    taken = 0
    for at, letter in enumerate(text):
        taken += _wide(letter)
        if taken > width:
            return text[:at]
    return text


def padded(text: str, width: int) -> str:
    """A text in so many columns."""
    text = clipped(text, width)
    return text + " " * (width - wide(text))


def _wide(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
