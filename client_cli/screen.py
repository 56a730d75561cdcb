"""The terminal client on the whole screen, with urwid in trio's nursery. Imported only by `apnap play`, since it takes a
third of a second.

Needs 80 columns and 24 lines, no colour, no mouse. Paints an `App` anew after every message and key.
"""

from __future__ import annotations

import trio
import urwid

from client_cli.app import App, Quit, Screen
from client_cli.errors import Unreachable
from client_cli.session import Session

PALETTE = [
    ("header", "standout", ""),
    ("prompt", "bold", ""),
    ("keys", "", ""),
    ("rule", "", ""),
]
LOG_LINES = 3
MOST_CHOICE_LINES = 8
TYPED = ("c ", "i ")
"""What begins a line that is typed to its end: chat, and a card's name."""


class Board(urwid.WidgetWrap):
    """The one widget: header, board (scrolls), log, question with its choices (scroll), line of input."""

    def __init__(self) -> None:
        self._header = urwid.Text("", wrap="clip")
        self._board_walker = urwid.SimpleFocusListWalker([urwid.Text("")])
        self._board = urwid.ListBox(self._board_walker)
        self._log = urwid.Text("", wrap="clip")
        self._prompt = urwid.Text("")
        self._choices = urwid.Text("", wrap="clip")
        self._input = urwid.Text("", wrap="clip")
        self._pile = urwid.Pile([])
        super().__init__(self._pile)
        self.typed = ""
        self._top = 0
        self._screen: Screen | None = None

    def paint(self, screen: Screen, log: list[str], width: int = 80) -> None:
        """Show a screen."""
        if self._screen is None or screen.choices != self._screen.choices:
            self._top = 0
        self._screen = screen
        self._header.set_text(screen.header)
        self._board_walker[:] = [urwid.Text(line, wrap="clip") for line in screen.body] or [urwid.Text("")]
        lines = log[-LOG_LINES:]
        self._log.set_text("\n".join(lines + [""] * (LOG_LINES - len(lines))))
        self._prompt.set_text(screen.prompt)
        rows = columns(screen.choices, width)
        shown = rows[self._top : self._top + MOST_CHOICE_LINES]
        if len(rows) > MOST_CHOICE_LINES:
            shown.append(f"... {self._top + 1}-{self._top + len(shown)} / {len(rows)}  (< >)")
        self._choices.set_text("\n".join(shown))
        self._input.set_text(f"> {self.typed}_   {screen.keys}")
        rule = ("pack", urwid.AttrMap(urwid.Divider("-"), "rule"))
        parts: list = [
            ("pack", urwid.AttrMap(self._header, "header")),
            ("weight", 1, self._board),
            rule,
            ("pack", self._log),
            rule,
            ("pack", urwid.AttrMap(self._prompt, "prompt")),
        ]
        if shown:
            parts.append(("pack", self._choices))
        parts.append(("pack", urwid.AttrMap(self._input, "keys")))
        contents = [(part[-1], self._pile.options(part[0], part[1] if len(part) == 3 else None)) for part in parts]
        self._pile.contents = contents  # type: ignore[assignment]
        self._pile.focus_position = 1

    def scroll(self, size: tuple[int, int], key: str) -> bool:
        """Scroll the board (arrows, pages) or the choices (< and >). False when the key is neither."""
        if key in ("<", ">"):
            rows = len(columns(self._screen.choices, size[0])) if self._screen else 0
            step = MOST_CHOICE_LINES if key == ">" else -MOST_CHOICE_LINES
            if 0 <= self._top + step < rows:
                self._top += step
            return True
        if key in ("up", "down", "page up", "page down", "home", "end"):
            self._pile.keypress(size, key)
            return True
        return False

    def selectable(self) -> bool:
        """Takes keys, by way of the loop's `unhandled_input`."""
        return True

    def keypress(self, size: tuple[int, int], key: str) -> str | None:  # type: ignore[override]
        """Scrolling here, all else for the loop."""
        return None if not self.typed and self.scroll(size, key) else key


def columns(choices: list[str], width: int) -> list[str]:
    """Numbered choices in as many columns as fit, at most three, numbered down the columns."""
    cells = [f"{number}. {choice}" for number, choice in enumerate(choices, 1)]
    if not cells:
        return []
    widest = max(map(len, cells)) + 2
    count = max(1, min(3, width // widest)) if len(cells) > 3 else 1
    height = -(-len(cells) // count)
    rows = []
    for at in range(height):
        row = cells[at::height]
        rows.append("".join(cell.ljust(widest) for cell in row).rstrip() if count > 1 else row[0][:width])
    return rows


class Keys:
    """Turns keys into lines for the app: letters at once, numbers when they are whole or with Enter."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def press(self, key: str, screen: Screen) -> str | None:
        """The line that a key completes, if it does."""
        typed = self.board.typed
        if key == "enter":
            self.board.typed = ""
            return typed
        if key == "esc":
            self.board.typed = ""
        elif key == "backspace":
            self.board.typed = typed[:-1]
        elif len(key) == 1 and typed.startswith(TYPED):
            self.board.typed = typed + key
        elif key in ("c", "i") and not typed:
            self.board.typed = key + " "
        elif key.isdigit() or (key in (" ", "m", "-") and typed):
            typed += key
            self.board.typed = typed
            if screen.immediate and typed.isdigit() and 0 < int(typed) <= len(screen.choices) < int(typed) * 10:
                self.board.typed = ""
                return typed
        elif len(key) == 1:
            self.board.typed = ""  # a letter says something else than the number begun before it
            return key
        return None


async def run(app: App, session: Session) -> int:
    """Play on the screen; the exit code. Raises `Unreachable` when the connection is lost for good."""
    board = Board()
    keys = Keys(board)
    lost: list[Unreachable] = []
    async with trio.open_nursery() as nursery:
        event_loop = urwid.TrioEventLoop()

        def fit() -> None:
            app.width = loop.screen.get_cols_rows()[0]
            board.paint(app.screen(), app.log, app.width)

        def filtered(keys: list, _raw: list[int]) -> list:
            # The loop keeps this one to itself, and draws again what was wrapped for the old width.
            if "window resize" in keys:
                fit()
            return keys

        loop = urwid.MainLoop(board, PALETTE, event_loop=event_loop, handle_mouse=False, input_filter=filtered)
        # One at a time and in order, though keys come from a callback that cannot wait.
        to_app, lines = trio.open_memory_channel[str](100)

        def paint() -> None:
            fit()
            loop.draw_screen()

        def pressed(key: str | tuple[str, int, int, int]) -> bool:
            if isinstance(key, str):
                line = keys.press(key, app.screen())
                if line is not None:
                    try:
                        to_app.send_nowait(line)
                    except trio.WouldBlock:
                        pass
            paint()
            return True

        async def read() -> None:
            try:
                while True:
                    await app.tell(await session.receive())
                    paint()
            except Unreachable as fault:
                lost.append(fault)
                nursery.cancel_scope.cancel()

        async def type_() -> None:
            async for line in lines:
                try:
                    await app.line(line)
                except Quit:
                    # By the scope: ExitMainLoop from here would not reach the loop's own task.
                    nursery.cancel_scope.cancel()
                    return
                paint()

        loop.unhandled_input = pressed  # type: ignore[method-assign]
        with loop.start():
            paint()
            nursery.start_soon(read)
            nursery.start_soon(type_)
            await event_loop.run_async()
        nursery.cancel_scope.cancel()
    if lost:
        raise lost[0]
    return 0
