"""The process in which finished games are played again to be looked at: `python -m server.lobby.replayer`.

A long game takes many seconds to play. It is told of games that are over, as they stand in their journals, and gives back the moments
that are asked for, each as the seat that is asked for may see it; the last games it keeps as played.
"""

from __future__ import annotations

from collections import OrderedDict

import msgspec
import trio

from protocol.replays import ReplayMoment
from server.rooms.errors import RoomError
from server.rooms.game import RULES
from server.rooms.screening import Screening, screening
from server.rooms.worker import begin_work
from server.rules.model import RulesError
from server.storage import StorageError
from server.storage.files import read

KEPT = 8
"""Games that are kept as played, for those who go on looking."""


class Wanted(msgspec.Struct, frozen=True, omit_defaults=True):
    """A moment: the game by a name that is another where its journal is, the step, the seat (None: as a spectator saw it), and the
    journal, if it was asked for.
    """

    game: str
    step: int
    seat: int | None
    journal: bytes = b""


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of it: the moment, or that the game's journal is needed; neither for a game that cannot be played."""

    moment: ReplayMoment | None = None
    journal: bool = False


class Player:
    """Plays games, and keeps the last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Screening] = OrderedDict()

    def show(self, wanted: Wanted) -> Shown:
        """The moment that is asked for."""
        shown = self._kept.get(wanted.game)
        if shown is None:
            if not wanted.journal:
                return Shown(journal=True)
            try:
                shown = self._kept[wanted.game] = trio.run(screening, read(wanted.journal, wanted.game), RULES)
            except (StorageError, RoomError, RulesError):
                return Shown()
        self._kept.move_to_end(wanted.game)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return Shown(moment=shown.moment(wanted.step, wanted.seat))


def main() -> None:
    """Show until there is no more to show."""
    work, player = begin_work(), Player()
    while (body := work.next()) is not None:
        try:
            shown = msgspec.msgpack.encode(player.show(msgspec.msgpack.decode(body, type=Wanted)))
        except (MemoryError, RecursionError):
            shown = b""
        work.answer(shown)


if __name__ == "__main__":
    main()
