"""Tries at passwords: who guesses is slowed, and nobody is locked out.

Only wrong tries count, for the address they come from and for what they are at (an account, a room). Who has spent them waits before the
next is looked at, and is refused only while several of the same address wait already; so another's guesses at my account cost me, from
elsewhere, a second at most for each address that is guessing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from protocol.refusals import Code, Refusal
from server.lobby.others import Wrong
from server.lobby.rates import MINUTE, REMEMBERED

WAITING = 4
"""Tries of one address that may wait."""
PACE = 6
"""How many times faster than one address all together may try at one account, once they have tried too often."""


class Tries:
    """See the module. The clock is trio's."""

    def __init__(self, per_minute: int, tell: Callable[[Wrong], None] = lambda _: None) -> None:
        """`tell` hears of each wrong try: other workers count it, too."""
        self._tell = tell
        self._per_minute = per_minute
        self._free_at: dict[str, float] = {}
        """When all wrong tries of an address, or at an account, are forgotten."""
        self._locks: dict[str, trio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def at(self, what: str, address: str) -> AsyncIterator[None]:
        """One try at `what`, when its turn has come; it was wrong if the block raises `Refusal`: bad_password or bad_link. An address
        "" is one of ours and never waits. Raises `Refusal`: too_many_tries.
        """
        if not address:
            yield
            return
        self._not_too_many(address)
        self._waiting[address] += 1
        try:
            async with self._lock(address):
                self._not_too_many(address, besides=1)  # what came with this one may have been wrong meanwhile
                await trio.sleep(self._delay(address, 1))
                async with self._lock(f"at {what}"):
                    await trio.sleep(self._delay(f"at {what}", PACE))
                    try:
                        yield
                    except Refusal as refusal:
                        if refusal.code in (Code.BAD_PASSWORD, Code.BAD_LINK):
                            self._note(address, 1)
                            self._note(f"at {what}", PACE)
                        raise
        finally:
            self._waiting[address] -= 1
            self._waiting += Counter()
            self._tidy()

    def _not_too_many(self, address: str, besides: int = 0) -> None:
        delay = self._delay(address, 1)
        if delay and self._waiting[address] - besides >= WAITING:
            raise Refusal(Code.TOO_MANY_TRIES, args={"seconds": math.ceil(delay)})

    def _delay(self, key: str, pace: int) -> float:
        """How long until another try may be made."""
        owed = self._free_at.get(key, 0.0) - trio.current_time()
        return max(0.0, owed - (self._per_minute - 1) * self._each(pace))

    def told(self, news: Wrong) -> None:
        """A wrong try has been made at another worker."""
        self._owe(news.what, news.pace)
        self._tidy()

    def _note(self, key: str, pace: int) -> None:
        self._owe(key, pace)
        self._tell(Wrong(key, pace))

    def _owe(self, key: str, pace: int) -> None:
        self._free_at[key] = max(self._free_at.get(key, 0.0), trio.current_time()) + self._each(pace)

    def _each(self, pace: int) -> float:
        return MINUTE / self._per_minute / pace

    def _lock(self, key: str) -> trio.Lock:
        return self._locks.setdefault(key, trio.Lock())

    def _tidy(self) -> None:
        """Forget what is free again."""
        for key in [
            key
            for key, lock in self._locks.items()
            if not lock.statistics().locked and not lock.statistics().tasks_waiting
        ]:
            del self._locks[key]
        if len(self._free_at) > REMEMBERED:
            now = trio.current_time()
            self._free_at = {key: at for key, at in self._free_at.items() if at > now}
            while len(self._free_at) > REMEMBERED:
                del self._free_at[next(iter(self._free_at))]
