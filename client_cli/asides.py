"""What a session says by itself: the entropy that it adds to the chance of a game, and what it asks about cards."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Literal

from protocol.fairness import commitment, faults
from protocol.messages import ClientMessage, Over, Patch, Refused, ServerMessage, ViewMessage
from protocol.printings import ListPrintings
from protocol.rooms import Commit, Reveal, RevealWanted, Room

PRINTINGS = 200
"""Of how many cards the server tells at a time what stands on them."""


class OwnChance:
    """The entropy that a person's client adds to the chance of each game, and what it found wrong at the end.

    `faults` are sentences about the last game; None while nothing is known. `_stands`: the room has been seen to have ours.
    """

    def __init__(self) -> None:
        self.faults: list[str] | None = None
        self._entropy = ""
        self._for = ""
        self._stands = False
        self._wanted: RevealWanted | None = None

    def said(self, message: ServerMessage, new_id: Callable[[], str]) -> ClientMessage | None:
        """What is to be said to a message, if anything."""
        match message:
            case Room(room=room) if room.state == "gathering" and isinstance(room.you, int):
                own = next((seat.commit for seat in room.seats if seat.seat == room.you), "")
                stands = bool(self._entropy) and own == commitment(self._entropy)
                # Who has left a room and is back at it has a seat to which nothing is committed.
                given_up, self._stands = self._stands and not stands, stands
                if not room.seeded and (room.chance != self._for or given_up):
                    self._for = room.chance
                    self._wanted = self.faults = None  # of another game
                    self._entropy = secrets.token_hex(16)
                    return Commit(id=new_id(), hash=commitment(self._entropy))
            case RevealWanted():
                self._wanted = message
                if self._entropy and commitment(self._entropy) in message.commits:
                    return Reveal(id=new_id(), entropy=self._entropy)
            case Over() if self._wanted is not None:
                wanted = self._wanted
                self.faults = faults(message.seed, wanted.chance, message.entropy, wanted.commits, message.salt)
            case _:
                pass
        return None


class OwnLanguage:
    """What stands on cards in the language of who reads it, asked for once, as cards are seen first."""

    def __init__(self, lang: Literal["fr"]) -> None:
        self._lang: Literal["fr"] = lang
        self._known: set[str] = set()
        self._asked: set[str] = set()

    def refused(self, message: ServerMessage) -> bool:
        """Whether that is what a server says that tells nothing of it: nobody but us has asked."""
        return isinstance(message, Refused) and message.re in self._asked

    def said(self, message: ServerMessage, new_id: Callable[[], str]) -> ClientMessage | None:
        """What is to be asked after a message, if anything."""
        if not isinstance(message, ViewMessage | Patch):
            return None
        faces = [one for face in message.faces.values() for one in (face, *face.faces)]
        fresh = sorted({face.name for face in faces} - self._known)[:PRINTINGS]
        self._known.update(fresh)
        if not fresh:
            return None
        asking = ListPrintings(id=new_id(), lang=self._lang, names=fresh)
        self._asked.add(asking.id)
        return asking
