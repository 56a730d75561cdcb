"""What waits to be sent to one connection: bounded, so that a slow reader costs itself and nobody else.

When `limit` messages wait, those about the table (patches, unasked views, questions) are dropped and no more are taken
until the reader has drained the rest; then `on_drained` is called and puts one whole view in. Replies and chat are kept;
when `hard` of them wait, the client does not even read what it asked for: the outbox is `overflowed` and closed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import trio

from protocol.messages import Closed, Patch, QuestionMessage, ServerMessage, ViewMessage
from server.metrics import OVERFLOWS

ABOUT_THE_TABLE = frozenset({Patch, ViewMessage, QuestionMessage, Closed})
"""What a whole view says again."""


class Lost:
    """What was dropped: the first dropped view or patch as (epoch, seq), and the hashes of the faces they brought."""

    def __init__(self) -> None:
        self.first: tuple[int, int] | None = None
        self.faces: set[str] = set()

    def add(self, message: ServerMessage) -> None:
        """Remember a dropped message."""
        if isinstance(message, Patch | ViewMessage):
            if self.first is None:
                self.first = (message.epoch, message.seq)
            self.faces.update(message.faces)


class Outbox:
    """See the module. One reader; anyone may put."""

    __slots__ = (
        "_lost",
        "_queue",
        "_wake",
        "closed",
        "hard",
        "limit",
        "on_drained",
        "on_put",
        "on_waiting",
        "overflowed",
        "unnumbered",
    )

    def __init__(self, limit: int = 64, hard: int = 1024) -> None:
        self.limit = limit
        self.hard = hard
        self.overflowed = False
        self.closed = False
        self.unnumbered = False
        """Its reader counts views and patches by itself: they are sent without their numbers."""
        self.on_drained: Callable[[Lost], None] | None = None
        self.on_waiting: Callable[[], None] | None = None
        """Called when something begins to wait, or nothing will any more, for a reader that does not `get` but takes all."""
        self.on_put: Callable[[ServerMessage], None] | None = None
        """Called with each message that is put, before it waits or is dropped."""
        self._queue: list[ServerMessage] = []
        """Mostly empty, and never long: an empty list takes 56 bytes, an empty deque 760."""
        self._lost: Lost | None = None
        self._wake: trio.Event | None = None

    def put(self, message: ServerMessage) -> None:
        """Queue a message, or drop it by the rules of the module."""
        if self.closed:
            return
        if self.on_put is not None:
            self.on_put(message)
        waiting = len(self._queue)
        if (self._lost is None and waiting < self.limit and waiting < self.hard) or self._takes(message):
            self._queue.append(message)
            if len(self._queue) == 1:  # whoever knows that one waits takes all
                self._call()

    def _takes(self, message: ServerMessage) -> bool:
        """Whether a message is queued where much waits, or something was dropped; if not, what follows from that is done."""
        if _about_the_table(message):
            if self._lost is None and len(self._queue) >= self.limit:
                OVERFLOWS.inc()
                self._drop()
            if self._lost is not None:
                self._lost.add(message)
                return False
        elif len(self._queue) >= self.hard:
            self.overflowed = True
            self.close()
            return False
        return True

    def close(self) -> None:
        """No more messages; the reader gets what is queued, then the end."""
        self.closed = True
        self._call()

    def _call(self) -> None:
        if self.on_waiting is not None:
            self.on_waiting()
        elif self._wake is not None:
            self._wake.set()

    async def get(self) -> ServerMessage:
        """The next message. Raises `trio.EndOfChannel` when the outbox is closed and empty."""
        while not (found := self.take(1)):
            if self.closed:
                raise trio.EndOfChannel
            self._wake = trio.Event()
            await self._wake.wait()
        return found[0]

    def take(self, most: int) -> list[ServerMessage]:
        """The next messages, as many as wait, at most so many."""
        while not self._queue and self._lost is not None:
            lost, self._lost = self._lost, None
            if self.on_drained is not None:
                self.on_drained(lost)
        found = self._queue
        if len(found) <= most:
            self._queue = []
            return found
        self._queue = found[most:]
        return found[:most]

    def get_nowait(self) -> ServerMessage | None:
        """The next message, None if none waits."""
        return self._queue.pop(0) if self._queue else None

    async def __aiter__(self) -> AsyncIterator[ServerMessage]:
        """All messages until the outbox is closed."""
        while True:
            try:
                yield await self.get()
            except trio.EndOfChannel:
                return

    @property
    def waits(self) -> bool:
        """Whether anything waits, or will as soon as it is taken."""
        return bool(self._queue) or self._lost is not None

    @property
    def waiting(self) -> int:
        """How many messages wait."""
        return len(self._queue)

    def _drop(self) -> None:
        self._lost = Lost()
        kept: list[ServerMessage] = []
        for message in self._queue:
            if _about_the_table(message):
                self._lost.add(message)
            else:
                kept.append(message)
        self._queue = kept


def _about_the_table(message: ServerMessage) -> bool:
    """Whether a whole view says it again. A view that was asked for is a reply."""
    return type(message) in ABOUT_THE_TABLE and not message.re
