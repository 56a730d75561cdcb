"""Finished games, shown again to those who may see them: who had a seat, or everyone once all who had one say so."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable

from msgspec import UNSET

from protocol.refusals import Code, Refusal
from protocol.replays import Replay, ReplayMoment
from server.lobby.people import Person
from server.rooms.errors import RoomError
from server.rooms.game import Game
from server.rooms.screening import Screening, screening
from server.rooms.slices import Share
from server.rules.model import RulesError
from server.storage import Setup, Storage, StorageError

KEPT = 8
"""Games that are kept as played, for those who go on looking."""


class Replays:
    """The replays that are being looked at."""

    def __init__(
        self, storage: Storage, game: Game, may_see: Callable[[Person, Setup], Awaitable[bool]], share: Share
    ) -> None:
        self._storage = storage
        self._share = share
        """The time in the event loop of all who look at replays."""
        self._may_see = may_see
        self._game = game
        self._kept: OrderedDict[str, tuple[Setup, Screening]] = OrderedDict()

    def at_hand(self, room: str) -> bool:
        """Whether the game is kept as played, so that its moments cost nothing."""
        return room in self._kept

    async def show(self, person: Person, message: Replay) -> ReplayMoment:
        """The moment that is asked for. Raises `Refusal`: no_replay, no_such_seat."""
        try:
            written = await self._storage.setup(message.room)
        except StorageError:
            raise Refusal(Code.NO_REPLAY) from None
        if not await self._may_see(person, written):
            raise Refusal(Code.NO_REPLAY)
        setup, shown = self._kept.get(message.room) or await self._play(message.room)
        if setup.seats != written.seats:  # somebody has been forgotten since
            setup, shown = await self._play(message.room)
        self._kept[message.room] = setup, shown
        self._kept.move_to_end(message.room)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        if message.seat is not UNSET and message.seat >= len(setup.seats):
            raise Refusal(Code.NO_SUCH_SEAT)
        async with self._share:
            return shown.moment(message.step, None if message.seat is UNSET else message.seat)

    async def _play(self, room: str) -> tuple[Setup, Screening]:
        """The game, if it is finished: of one that is not, nobody may see what others hold."""
        try:
            if not any(record.finished for record in await self._storage.rooms((room,))):
                raise Refusal(Code.NO_REPLAY)
            journal = await self._storage.load(room)
            return journal.setup, await screening(journal, self._game, self._share)
        except (StorageError, RoomError, RulesError) as fault:
            raise Refusal(Code.NO_REPLAY) from fault
