"""Previews that people wait for: looked at one after the other beside the game, which they do not change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

import trio

from protocol.messages import Preview
from protocol.refusals import Code, Refusal
from server.rooms.seats import Seeing

MOST = 4
"""Previews that may wait in a room."""


class Previews:
    """Those of one room. `look` looks at one and tells of it, and raises nothing. `nursery` is where that is done while the room is
    played: in a task that ends when none waits, since most rooms have none most of the time.
    """

    def __init__(self, look: Callable[[Seeing, Preview], Awaitable[None]]) -> None:
        self._look = look
        self._waiting: list[tuple[Seeing, Preview]] = []
        """The one that is looked at first."""
        self._of: Counter[str] = Counter()
        """How many, by viewer."""
        self._looked: trio.Event | None = None
        """That one is told, for which somebody waits."""
        self.nursery: trio.Nursery | None = None

    def put(self, viewer: Seeing, message: Preview) -> None:
        """Look at it as soon as those before it are told. Raises `Refusal`: busy."""
        if self.nursery is None or len(self._waiting) >= MOST:
            raise Refusal(Code.BUSY)
        self._waiting.append((viewer, message))
        self._of[viewer.key] += 1
        if len(self._waiting) == 1:
            self.nursery.start_soon(self._look_at_all)

    async def told(self, viewer: Seeing) -> None:
        """Until that viewer waits for none."""
        while self._of[viewer.key]:
            self._looked = self._looked or trio.Event()
            await self._looked.wait()

    async def _look_at_all(self) -> None:
        while self._waiting:
            viewer, message = self._waiting[0]
            await self._look(viewer, message)
            del self._waiting[0]
            self._of[viewer.key] -= 1
            if self._looked is not None:
                self._looked.set()
                self._looked = None
