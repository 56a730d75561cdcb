"""The terminal client on the whole screen, with urwid in trio's nursery. Imported only by `apnap play`, since it takes a
third of a second.

Needs 80 columns and 24 lines, no colour, no mouse. Paints an `App` anew after every message and key.
"""

from __future__ import annotations

import signal
from collections.abc import Callable

import trio
import urwid

from client_cli.app import App, Quit
from client_cli.errors import Unreachable
from client_cli.layout import Looking, Painted, board_width, paint
from client_cli.line import GO_ON, Line, Said
from client_cli.pace import Pacing
from client_cli.scenes import Screen, seen
from client_cli.session import Session

PALETTE = [
    ("header", "standout", ""),
    ("prompt", "bold", ""),
    ("body", "", ""),
    ("log", "", ""),
    ("choice", "", ""),
    ("input", "", ""),
    ("rule", "", ""),
]
SCROLLS = ("up", "down", "page up", "page down", "home", "end", "<", ">")
META = "meta "
FAR = 10**6
SIGNALLED = 128
"""More than the number of the signal that ended a process is its exit code, as shells tell it."""
KEPT_LINES = 100
"""Lines that wait to be taken in; more keys are dropped."""


class Board(urwid.WidgetWrap):
    """The one widget: a screen as text, scrolled by arrows, pages, < and >."""

    def __init__(self) -> None:
        self._text = urwid.Text("", wrap="clip")
        super().__init__(urwid.Filler(self._text, valign="top"))
        self._looking = Looking()
        self.screen: Screen | None = None
        """What is painted."""
        self._painted = Painted([], 0, 0)

    def paint(self, screen: Screen, log: list[str], typed: str = "", size: tuple[int, int] = (80, 24)) -> None:
        """Show a screen."""
        before, self.screen = self.screen, screen
        if before is None or screen.about != before.about:
            self._looking.choices = 0
        if before is None or screen.reading != before.reading or (screen.reading and screen.about != before.about):
            self._looking.body = FAR if screen.from_end else 0
        if screen.free:
            self._looking.body = FAR
        self._painted = paint(screen, log, typed, size, self._looking)
        self._text.set_text([(kind, line + "\n") for kind, line in self._painted.lines[:-1]] + self._painted.lines[-1:])

    def scroll(self, key: str) -> bool:
        """Scroll the body (arrows, pages) or the choices (< and >). False when the key is neither."""
        if key not in SCROLLS:
            return False
        page = max(1, self._painted.body_rows - 1)
        steps = {"up": -1, "down": 1, "page up": -page, "page down": page, "home": -FAR, "end": FAR}
        if key in steps:
            self._looking.body = max(0, self._looking.body + steps[key])
            return True
        step = self._painted.choice_rows * (1 if key == ">" else -1)
        if 0 <= self._looking.choices + step < self._painted.all_choice_rows:
            self._looking.choices += step
        return True

    def selectable(self) -> bool:
        """Takes keys, by way of the loop's `unhandled_input`."""
        return True

    def keypress(self, size: tuple[int, int], key: str) -> str | None:
        """All for the loop, however large the screen is."""
        del size
        return key


async def _read(
    app: App,
    session: Session,
    pacing: Pacing,
    show: Callable[[], None],
    lost: list[Unreachable],
    scope: trio.CancelScope,
) -> None:
    """Tells the app what the server says, no faster than it is to be seen, until the connection is lost for good."""
    try:
        while True:
            message = await session.receive()
            before = app.logged
            await app.tell(message)
            await pacing.shown(message, app.logged - before, session.arrived, show)
            show()
    except Unreachable as fault:
        lost.append(fault)
        scope.cancel()


async def _type(
    app: App, lines: trio.MemoryReceiveChannel[Said], show: Callable[[], None], scope: trio.CancelScope
) -> None:
    """Tells the app what was typed, until somebody quits."""
    async for said in lines:
        try:
            await app.line(said.text, said.about)
        except Quit:
            # By the scope: ExitMainLoop from here would not reach the loop's own task.
            scope.cancel()
            return
        show()


async def _stop(stopped: list[int], scope: trio.CancelScope) -> None:
    """Ends when the process is told to, so that the terminal is given back as it was."""
    with trio.open_signal_receiver(signal.SIGTERM) as signals:
        async for number in signals:
            stopped.append(number)
            scope.cancel()


def keys_of(key: str) -> list[str]:
    """What was pressed: a terminal says the same of Escape with another key soon after it as of Alt with that key."""
    keys: list[str] = []
    while key.startswith(META):
        keys.append("esc")
        key = key.removeprefix(META)
    return [*keys, key]


async def run(app: App, session: Session) -> int:
    """Play on the screen; the exit code. Raises `Unreachable` when the connection is lost for good."""
    board = Board()
    line = Line(trio.current_time)
    pacing = Pacing(app, lambda: session.unread)
    lost, stopped = list[Unreachable](), list[int]()
    async with trio.open_nursery() as nursery:
        event_loop = urwid.TrioEventLoop()

        def fit() -> None:
            size = loop.screen.get_cols_rows()
            app.board_width = board_width(size[0])
            board.paint(seen(app), app.log[: len(app.log) - pacing.hidden], line.typed, size)

        def filtered(keys: list, _raw: list[int]) -> list:
            # The loop keeps this one to itself, and draws again what was wrapped for the old width.
            if "window resize" in keys:
                fit()
            return keys

        loop = urwid.MainLoop(board, PALETTE, event_loop=event_loop, handle_mouse=False, input_filter=filtered)
        # One at a time and in order, though keys come from a callback that cannot wait.
        to_app, lines = trio.open_memory_channel[Said](KEPT_LINES)

        def show() -> None:
            fit()
            loop.draw_screen()

        def press(key: str) -> None:
            # What is painted counts, not what has come since: nobody answers what is not seen.
            if board.screen is None or (not line.typed and board.scroll(key)):
                return
            said = line.press(key, board.screen)
            if said is not None and said.text == GO_ON:
                pacing.go_on()
            elif said is not None:
                pacing.reveal()
                try:
                    to_app.send_nowait(said)
                except trio.WouldBlock:
                    pass

        def pressed(key: str | tuple[str, int, int, int]) -> bool:
            if isinstance(key, str):
                for one in keys_of(key):
                    press(one)
            show()
            return True

        loop.unhandled_input = pressed  # type: ignore[method-assign]
        with loop.start():
            show()
            nursery.start_soon(_read, app, session, pacing, show, lost, nursery.cancel_scope)
            nursery.start_soon(_stop, stopped, nursery.cancel_scope)
            nursery.start_soon(_type, app, lines, show, nursery.cancel_scope)
            await event_loop.run_async()
        nursery.cancel_scope.cancel()
    if lost:
        raise lost[0]
    return SIGNALLED + stopped[0] if stopped else 0
