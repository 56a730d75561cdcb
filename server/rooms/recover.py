"""Games taken up again after a restart of the server, from their journals, at the question at which they stood."""

from __future__ import annotations

import logging

import trio

from server.rooms.errors import RoomError
from server.rooms.game import RULES, Game
from server.rooms.replay import Turned, replay
from server.rooms.room import Room
from server.rules.errors import RulesError
from server.storage import Journal, Storage, StorageError

log = logging.getLogger("apnap.rooms")


async def recover(storage: Storage, game: Game = RULES) -> list[Room]:
    """The rooms of all unfinished games, ready to `run`. A journal that does not replay gives a frozen room; one whose
    setup cannot be read is named in the log and left alone.
    """
    rooms: list[Room] = []
    for record in await storage.rooms():
        if record.finished:
            continue
        try:
            journal = await storage.load(record.room)
        except StorageError as fault:
            log.error("room %s cannot be taken up: %s", record.room, fault)
            continue
        rooms.append(await restore(journal, storage, game))
    return rooms


async def restore(journal: Journal, storage: Storage, game: Game = RULES) -> Room:
    """The room of a journal; frozen where it does not replay."""
    room = Room(journal.setup, storage, game)
    turns: list[Turned] = []
    try:
        for turned in replay(journal, game):
            turns.append(turned)
            if len(turns) >= 200:
                room.take_in(turns)
                turns.clear()
                await trio.lowlevel.checkpoint()
        room.take_in(turns)
    except (RoomError, RulesError) as fault:
        log.error("room %s is frozen: %s", room.id, fault)
        room.freeze()
    except Exception:
        log.exception("room %s is frozen: its journal cannot be played", room.id)
        room.freeze()
    else:
        room.restored(len(journal.entries))
    return room
