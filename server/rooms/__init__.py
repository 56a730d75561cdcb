"""Rooms: one room is one game, and its only writer.

- `room`: the task that plays a game: inbox, journal, replies
- `tell`, `views`, `objects`, `events`, `questions`, `faces`: what viewers are sent; `knowledge` decides who may know what
- `passes`: standing passes and stops; `seats`: viewers, answers, log, standings; `outbox`: what waits to be sent
- `replay`, `recover`: journals played again
- `game`: the face of the rules that rooms use
"""

from server.rooms.errors import Diverged, RoomError
from server.rooms.game import RULES, Game
from server.rooms.outbox import Outbox
from server.rooms.recover import recover, restore
from server.rooms.replay import Turned, replay
from server.rooms.room import Room, RoomMessage

__all__ = [
    "RULES",
    "Diverged",
    "Game",
    "Outbox",
    "Room",
    "RoomError",
    "RoomMessage",
    "Turned",
    "recover",
    "replay",
    "restore",
]
