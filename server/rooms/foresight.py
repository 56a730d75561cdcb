"""Looking what would come of an answer: here, in slices, as long as that is soon done; of a table where it is not, in a process of its own.

That process (`foreseer`) gets the game as the seat may know it, and gives back what would come of the answer.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import msgspec
from msgspec.structs import replace

from protocol.messages import Forecast
from protocol.table import Effects
from server.knowledge.forecasts import forecasting
from server.knowledge.veiled import veiled
from server.rooms.game import Game
from server.rooms.slices import Share
from server.rules.model import AnyAnswer, Illegal, State
from server.storage import Setup

HERE_SECONDS = 0.02
"""After so much work here the rest, and from then on previews of tables as large, are done elsewhere."""
MOST_TABLES = 1 << 30

Ask = Callable[[bytes, str], Awaitable[bytes]]
"""What to look at, and the key of the connection that asks. Raises as `Worker.ask`."""


class Wanted(msgspec.Struct, frozen=True):
    """The game as the seat may know it (a snapshot without a setup: the cards that it needs are in it), the seat and its answer."""

    state: bytes
    seat: int
    answer: AnyAnswer


class Foreseen(msgspec.Struct, frozen=True, omit_defaults=True):
    """What would come of it, or why it is illegal."""

    effects: Effects | None = None
    code: str = ""
    sentence: str = ""
    rule: str = ""


def foresee(game: Game, state: State, seat: int, answer: AnyAnswer) -> Foreseen:
    """All of it at once."""
    try:
        (*_, effects) = forecasting(game, state, seat, answer)
    except Illegal as no:
        return _illegal(state, no)
    return Foreseen(effects=effects)


def _illegal(state: State, no: Illegal) -> Foreseen:
    return Foreseen(code=no.code, sentence=no.sentence, rule=state.edition.number(no.rule))


class Foresight:
    """One room's. `elsewhere` asks the process; without it all is done here."""

    def __init__(self, setup: Setup, game: Game) -> None:
        self.elsewhere: Ask | None = None
        self._setup = setup
        self._game = game
        self._too_many = MOST_TABLES
        """Objects of the smallest table for which it took too long here."""
        self._written: tuple[State, int, bytes] | None = None
        """The game as it was last written down for a seat."""

    async def look(
        self, told: Forecast, share: Share, state: State, seat: int, answer: AnyAnswer, key: str = ""
    ) -> Forecast:
        """What would come of an answer, told; `key`: the connection that asks. Raises `WorkerError`, and `Refusal`: busy."""
        found = None
        if self.elsewhere is None or len(state.objects) < self._too_many:
            found = await self._here(share, state, seat, answer)
        if found is None:
            assert self.elsewhere is not None
            self._too_many = min(self._too_many, len(state.objects))
            data = await self.elsewhere(await self._wanted(share, state, seat, answer), key)
            found = msgspec.msgpack.decode(data, type=Foreseen)
        if found.effects is None:
            return replace(told, legal=False, code=found.code, sentence=found.sentence, rule=found.rule)
        return replace(told, effects=found.effects)

    async def _here(self, share: Share, state: State, seat: int, answer: AnyAnswer) -> Foreseen | None:
        """In slices; None if that takes too long."""
        steps, spent = forecasting(self._game, state, seat, answer), 0.0
        while True:
            async with share:
                begun = time.perf_counter()
                try:
                    for effects in steps:
                        if effects is not None:
                            return Foreseen(effects=effects)
                        if share.over:
                            break
                except Illegal as no:
                    return _illegal(state, no)
                spent += time.perf_counter() - begun
            if self.elsewhere is not None and spent >= HERE_SECONDS:
                return None

    async def _wanted(self, share: Share, state: State, seat: int, answer: AnyAnswer) -> bytes:
        """The game written down, a piece at a time; once for all that a seat asks of the same moment."""
        if self._written is None or self._written[0] is not state or self._written[1] != seat:
            async with share:
                seen = veiled(state, seat)
            parts = [part async for part in share.spread(self._game.write(replace(self._setup, cards=()), seen))]
            self._written = state, seat, b"".join(parts)
        return msgspec.msgpack.encode(Wanted(self._written[2], seat, answer))
