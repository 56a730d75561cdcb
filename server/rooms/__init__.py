"""Rooms: one room is one game, and its only writer.

- `room`: the task that plays a game, its inbox, its interface to the lobby; `under_way`: the game under way; `requests`: what people ask
  of it; `duties`: what it does of itself; `history`: how far it has come, and its journal
- `audience`, `tell`, `herald`: who looks on, at once or late, and what they are sent (written by `server.knowledge`);
  `outbox`: what waits to be sent
- `seated`: what each seat has left with its room, folded from the journal: `passes` (stops, standing passes), `automatic`
  (yields, answers always alike, loops), `clocks` (as data; `timekeeper` runs them)
- `votes`, `ballots`, `motions`, `takebacks`: what the table agrees on
- `seats`: viewers, answers, log, standings; `memory`: what is kept with a snapshot
- `receipts`: what seats bring back, by which it is noticed that data were lost; `replay`, `recover`, `prepared`: journals played
  again, also before it is known who goes on with them
- `game`: the interface of the rules that rooms use
"""

from server.rooms.errors import Diverged, RoomError
from server.rooms.game import RULES, Game
from server.rooms.outbox import Outbox
from server.rooms.prepared import Prepared
from server.rooms.recover import recover, recover_each, restore
from server.rooms.replay import Turned, replay
from server.rooms.requests import RoomMessage
from server.rooms.room import Room

__all__ = [
    "RULES",
    "Diverged",
    "Game",
    "Outbox",
    "Prepared",
    "Room",
    "RoomError",
    "RoomMessage",
    "Turned",
    "recover",
    "recover_each",
    "replay",
    "restore",
]
