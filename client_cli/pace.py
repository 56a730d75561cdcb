"""How fast the screen shows what others do: line by line, so that a turn of bots can be read, and never far behind.

Only what is seen waits. What arrives is read at once (`channels.ReadAhead`), and a key goes on to what is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import trio
from msgspec import UNSET

from client_cli.settings import Pace
from protocol.messages import ClockMessage, Patch, ServerMessage
from protocol.view import Event

if TYPE_CHECKING:
    from client_cli.app import App

LINE_S: dict[Pace, float] = {"off": 0, "fast": 0.4, "normal": 0.8, "slow": 1.6}
"""Seconds that a line of the log stands before the next."""
LAG_S: dict[Pace, float] = {"off": 0, "fast": 6, "normal": 12, "slow": 24}
"""Seconds that the screen may be behind what has arrived: lines are shown faster, so that it is not."""
SHORT_OF_TIME_MS = 30_000
"""Milliseconds on one's own clock under which nothing waits, as on the page."""
UNLOGGED = ("event.step.", "event.mark")
"""Lines that tell nothing the header or the line before does not."""


def logged(events: Sequence[Event]) -> list[Event]:
    """The events that the log may have a line of."""
    return [event for event in events if event.key and not event.key.startswith(UNLOGGED)]


def seconds(pace: Pace, lines: int, age: float) -> float:
    """How long a line stands when so many are still to be shown, itself among them, and it came `age` seconds ago."""
    return max(0.0, min(LINE_S[pace], (LAG_S[pace] - age) / max(1, lines)))


class Pacing:
    """How far a screen is behind its app. `unread` gives what has arrived and was not told yet, oldest first."""

    def __init__(self, app: App, unread: Callable[[], Sequence[ServerMessage]]) -> None:
        self._app = app
        self._unread = unread
        self._hurry = trio.Event()
        self._hurries_in = -1
        """The turn in which a key went on; -1: none did."""
        self.hidden = 0
        """How many of the log's last lines are not to be seen yet."""

    def go_on(self) -> None:
        """Show at once all that comes, until something is asked of us; of one who only watches, until the turn is over."""
        self._hurries_in = self._app.session.table.view.turn
        self.reveal()

    def reveal(self) -> None:
        """Show at once the lines of what was told last."""
        self.hidden = 0
        self._hurry.set()

    async def shown(self, message: ServerMessage, lines: int, arrived: float, show: Callable[[], None]) -> None:
        """Wait until a message that the app was told, with so many lines of its log, has been seen. `arrived` is when it came."""
        app = self._app
        if not isinstance(message, Patch) or not lines or not self._waits():
            return
        self.hidden, self._hurry, app.behind = lines, trio.Event(), True
        while self.hidden:
            self.hidden -= 1
            show()
            later = sum(len(logged(other.events)) for other in self._unread() if isinstance(other, Patch))
            age = trio.current_time() - arrived
            with trio.move_on_after(seconds(app.settings.pace, 1 + self.hidden + later, age)):
                await self._hurry.wait()
            if self._short_of_time():
                self.hidden = 0
        app.behind = False

    def _waits(self) -> bool:
        """Whether what happens now is to be read: somebody else's turn, in which nothing is asked of us."""
        app = self._app
        table = app.session.table
        view, you = table.view, table.you
        asked = app.dialog is not None or app.confirming.top is not None
        if asked or (you is None and view.turn != self._hurries_in):
            self._hurries_in = -1
        hurries = self._hurries_in >= 0 or app.settings.pace == "off"
        return not asked and not hurries and not table.is_active(you) and not self._short_of_time()

    def _short_of_time(self) -> bool:
        """Whether our own clock runs out, as it was told last."""
        told = [other for other in self._unread() if isinstance(other, ClockMessage)]
        clock, you = (told[-1] if told else self._app.orders.told_clock), self._app.session.table.you
        if clock is None or you is None or clock.paused_ms is not UNSET:
            return False
        left = clock.left_ms if clock.seat == you else clock.banks.get(str(you), UNSET)
        return left is not UNSET and left < SHORT_OF_TIME_MS
