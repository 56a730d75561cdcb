"""Matches between two of their games, written down so that they go on after a restart of the server.

What cards were exchanged with sideboards by then is not kept: the decks are those of the game before.
"""

from __future__ import annotations

import contextlib

import msgspec

from server.lobby.table import Table
from server.storage import Match, Storage, StorageError

KIND = "match"


class Waiting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that goes on after the game of the room `before`."""

    before: str
    match: Match


async def keep(storage: Storage, table: Table, before: str) -> None:
    """Write down that a match goes on at a table. Raises StorageError."""
    assert table.match is not None
    await storage.put(KIND, table.id, msgspec.json.encode(Waiting(before, table.match)))


async def forget(storage: Storage, room: str) -> None:
    """Its game has begun, or its table is no more. What cannot be forgotten now is when the server starts again."""
    with contextlib.suppress(StorageError):
        await storage.delete(KIND, room)


async def all_of(storage: Storage) -> dict[str, bytes]:
    """What was written down, each for `read`, by the ids of the tables. Raises StorageError."""
    return await storage.all(KIND)


def read(data: bytes) -> Waiting:
    """One of what was written down. Raises msgspec.MsgspecError where it is damaged."""
    return msgspec.json.decode(data, type=Waiting)
