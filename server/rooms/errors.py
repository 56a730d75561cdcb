"""What can go wrong with a room's game.

Refusals are the player's and are `protocol.refusals.Refusal`. The rest is ours:

RoomError
└── Diverged     a journal does not replay: an entry is refused, asks another question, or ends in another state
"""


class RoomError(Exception):
    """The common base."""


class Diverged(RoomError):
    """A journal does not replay. `seq` is the entry at which that shows."""

    def __init__(self, room: str, seq: int, why: str) -> None:
        super().__init__(f"journal of {room}, entry {seq}: {why}")
        self.room = room
        self.seq = seq
