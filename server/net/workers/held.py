"""What one worker at a time may do: who holds it, and who waits for it, in the order in which they asked."""

from __future__ import annotations

from collections import deque

from server.net.workers import messages as w
from server.net.workers.worker import Worker


class Held:
    """See the module."""

    def __init__(self) -> None:
        self._asked: dict[str, deque[tuple[Worker, int]]] = {}
        """Who holds each thing, the first, and by which id who waits is told."""

    def hold(self, worker: Worker, message: w.Hold) -> None:
        """Told at once if nobody holds it, else when its turn has come."""
        asked = self._asked.setdefault(message.what, deque())
        asked.append((worker, message.id))
        if len(asked) == 1:
            worker.wire.put(w.Reply(message.id))

    def let_go(self, worker: Worker, message: w.LetGo) -> None:
        """Whoever holds it does so no more."""
        asked = self._asked.get(message.what)
        if asked and asked[0][0] is worker:
            asked.popleft()
            self._next(message.what)

    def gone(self, worker: Worker) -> None:
        """A worker is no more: it neither holds nor waits."""
        for what, asked in list(self._asked.items()):
            had = asked[0][0] is worker
            self._asked[what] = deque(one for one in asked if one[0] is not worker)
            if had or not self._asked[what]:
                self._next(what)

    def _next(self, what: str) -> None:
        if self._asked[what]:
            worker, number = self._asked[what][0]
            worker.wire.put(w.Reply(number))
        else:
            del self._asked[what]
