"""Finished games, shown again to those who may see them: who had a seat, or everyone once all who had one say so."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable

import msgspec
import trio
from msgspec import UNSET

from protocol.refusals import Code, Refusal
from protocol.replays import Replay, ReplayMoment
from server.lobby.people import Person
from server.lobby.replayer import KEPT, Shown, Wanted
from server.rooms.errors import RoomError
from server.rooms.game import Game
from server.rooms.screening import Screening, screening
from server.rooms.slices import Share
from server.rooms.worker import NOWHERE, Around, Worker, WorkerError
from server.rules.model import RulesError
from server.storage import Journal, Setup, Storage, StorageError
from server.storage.encoding import write_setup
from server.storage.files import lines

_read_shown = msgspec.msgpack.Decoder(Shown).decode
"""Made here: see `server.storage.encoding`."""


class Replays:
    """The replays that are being looked at."""

    def __init__(
        self,
        storage: Storage,
        game: Game,
        may_see: Callable[[Person, Setup], Awaitable[bool]],
        share: Share,
        worker: Worker | None = None,
    ) -> None:
        """`worker` plays the games (`replayer`); without one they are played here, in the time of `share`."""
        self._storage = storage
        self._share = share
        """The time in the event loop of all who look at replays."""
        self._may_see = may_see
        self._game = game
        self._worker = worker
        self._kept: OrderedDict[str, tuple[Setup, Screening]] = OrderedDict()
        self._there: OrderedDict[str, int] = OrderedDict()
        """Games that the worker has played last, and in which of its lives: another process has none of them."""

    def at_hand(self, room: str) -> bool:
        """Whether the game is kept as played, so that its moments cost nothing."""
        return room in self._kept or (self._worker is not None and self._there.get(room) == self._worker.life)

    async def show(self, person: Person, message: Replay, around: Around = NOWHERE) -> ReplayMoment:
        """The moment that is asked for. Raises `Refusal`: no_replay, no_such_seat."""
        try:
            written = await self._storage.setup(message.room)
        except StorageError:
            raise Refusal(Code.NO_REPLAY) from None
        if not await self._may_see(person, written):
            raise Refusal(Code.NO_REPLAY)
        if self._worker is not None:
            return await self._from_worker(self._worker, person, message, written, around)
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

    async def _from_worker(
        self, worker: Worker, person: Person, message: Replay, setup: Setup, around: Around
    ) -> ReplayMoment:
        """The moment as the worker shows it. Another setup is another game: somebody may have been forgotten since."""
        seat = None if message.seat is UNSET else message.seat
        if seat is not None and seat >= len(setup.seats):
            raise Refusal(Code.NO_SUCH_SEAT)
        named = hashlib.sha256(write_setup(msgspec.structs.replace(setup, cards=()))).hexdigest()
        wanted = Wanted(f"{message.room} {named}", message.step, seat)
        try:
            shown = await _ask(worker, person, wanted, around)
            if shown.journal:
                journal = await self._finished(message.room)
                text = await trio.to_thread.run_sync(lambda: b"".join(lines(journal)))
                shown = await _ask(worker, person, msgspec.structs.replace(wanted, journal=text), around)
        except WorkerError as fault:
            raise Refusal(Code.NO_REPLAY, f"This game cannot be shown: {fault}.") from fault
        except StorageError as fault:
            raise Refusal(Code.NO_REPLAY) from fault
        if shown.moment is None:
            raise Refusal(Code.NO_REPLAY)
        self._there[message.room] = worker.life
        self._there.move_to_end(message.room)
        while len(self._there) > KEPT:
            self._there.popitem(last=False)
        return shown.moment

    async def _finished(self, room: str) -> Journal:
        """The journal of a game that is over: of one that is not, nobody may see what others hold. Raises `Refusal`, `StorageError`."""
        if not any(record.finished for record in await self._storage.rooms((room,))):
            raise Refusal(Code.NO_REPLAY)
        return await self._storage.load(room)

    async def _play(self, room: str) -> tuple[Setup, Screening]:
        """The game, if it is finished."""
        try:
            journal = await self._finished(room)
            return journal.setup, await screening(journal, self._game, self._share)
        except (StorageError, RoomError, RulesError) as fault:
            raise Refusal(Code.NO_REPLAY) from fault


async def _ask(worker: Worker, person: Person, wanted: Wanted, around: Around) -> Shown:
    told = await worker.ask(msgspec.msgpack.encode(wanted), person.id, around)
    return await trio.to_thread.run_sync(_read_shown, told)
