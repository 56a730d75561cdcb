"""What is kept of a report: who said what about whom, with what a room remembers of its chat."""

from __future__ import annotations

import msgspec


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of chat as a room remembers it: `at` seconds since 1970."""

    at: int
    person: str
    name: str
    text: str


class ReportRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A report with its context: the room's last lines of chat, and the number of the journal's last entry."""

    at: int
    by: str
    by_name: str
    person: str
    name: str
    text: str
    room: str
    entry: int = 0
    chat: list[Line] = []
