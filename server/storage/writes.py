"""Writes as data: what the backend in SQLite is asked for, by its own methods or by another process over a socket.

What is written are bytes already (`encoding`), so that whoever asks has done that work, and whoever writes need not know what they say.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from server.storage.journal import Snapshot

Rows: TypeAlias = list[tuple[int, bytes]]
"""Entries, each after its number."""


class _Write(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True, tag=True):
    """One write. `room` is the id of the room whose journal it is about."""


class Create(_Write, frozen=True):
    """Begin a journal; `cards` by their hashes, in their order."""

    room: str
    created: int
    setup: bytes
    cards: dict[str, bytes]
    rows: Rows


class Append(_Write, frozen=True):
    """Add entries and a snapshot; `ended`: an entry ends the game."""

    room: str
    rows: Rows
    snapshot: Snapshot | None = None
    ended: bool = False


class Cut(_Write, frozen=True):
    """Drop what stands after the entry `last`."""

    room: str
    last: int


class Finish(_Write, frozen=True):
    """Mark a room finished."""

    room: str


class Amend(_Write, frozen=True):
    """Put another setup in the place of a journal's own."""

    room: str
    setup: bytes


class Remove(_Write, frozen=True):
    """Delete a journal."""

    room: str


class Put(_Write, frozen=True):
    """Keep a record."""

    kind: str
    key: str
    data: bytes


class Delete(_Write, frozen=True):
    """Forget a record."""

    kind: str
    key: str


AnyWrite: TypeAlias = Create | Append | Cut | Finish | Amend | Remove | Put | Delete
