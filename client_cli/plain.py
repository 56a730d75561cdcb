"""The terminal client line by line: for screen readers, and for pipes.

Prints what is new, then, when something is asked, the question and its numbered choices; reads a line for it. The whole
board is printed at the start of a turn, when attackers or blockers are declared, and when asked for with "b". Ends when
the input ends. No key is seen before Enter here, so a line counts for what was asked when it came; but one that is typed within a second of
a new question, while another was waited for, was begun for that other one. Whoever types may also say what is no answer while others are
waited for: object, chat, look at a card. A pipe's lines answer whatever is asked next.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Awaitable, Callable
from typing import TextIO

import trio

from client_cli import commands
from client_cli.app import App, Quit
from client_cli.errors import Unreachable
from client_cli.scenes import seen
from client_cli.session import Session

UNREAD_S = 1.0
"""A line typed so soon after a question cannot be meant for it, if another was waited for."""

ReadLine = Callable[[], Awaitable[str]]


def stdin_reader(stream: TextIO) -> ReadLine:
    """Lines of a stream, read in a thread; "" at its end. Bytes that are no text become question marks."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")

    async def read() -> str:
        return await trio.to_thread.run_sync(stream.readline, abandon_on_cancel=True)

    return read


class Plain:
    """Prints an app. A pipe's lines are taken only while something is asked, so that it can be filled in advance."""

    def __init__(self, app: App, read: ReadLine, out: TextIO, *, typed: bool) -> None:
        self.app = app
        self._read = read
        self._out = out
        self._typed = typed
        """Whether a person types: lines of a pipe were written before anything was asked, so none of them is too early."""
        self._shown: object = None
        self._turn = -1
        self._asked = trio.Event()
        self._about = ""
        self._since = 0.0
        self.ended = False
        """Whether the input came to its end."""

    def _print(self, *lines: str) -> None:
        for line in lines:
            # What a server says may hold orders to a terminal. The screen shows them as question marks by itself.
            self._out.write("".join(sign if sign.isprintable() or sign in "\n\t" else "?" for sign in line) + "\n")
        self._out.flush()

    async def run(self, session: Session) -> None:
        """Until the person goes or the input ends. Raises `Unreachable`."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._type, nursery.cancel_scope)
            while True:
                message = await session.receive()
                await self.app.tell(message)
                self.paint()

    async def _type(self, scope: trio.CancelScope) -> None:
        while True:
            await self._asked.wait()
            begun = self._about
            line = await self._read()
            if not line:
                self.ended = True
                scope.cancel()
                return
            self._asked = trio.Event()
            self._shown = None
            try:
                await self._take(line, begun)
            except Quit as quit_:
                if quit_.sentence:
                    self._print(quit_.sentence)
                scope.cancel()
                return
            self.paint()

    async def _take(self, line: str, begun: str) -> None:
        """Hand a line on that was begun while that was asked. Raises `Quit`."""
        if self.app.pasting is None:
            line = line.removeprefix(":")  # as on the screen, where it opens the line
        if self._typed and not seen(self.app).asked and not self._says(line):
            self._print(self.app.say("ui.nothing_asked"))
            return
        late = self._typed and begun != self._about and trio.current_time() - self._since < UNREAD_S
        await self.app.line(line, begun if late else None)

    def paint(self) -> None:
        """Print the log's new lines, and what is asked if it has not been."""
        app = self.app
        said, app.unsaid = app.unsaid, []
        self._print(*said)
        screen = seen(app)
        if app.session.waiting:
            return  # what the last line came to is not known yet
        if not screen.asked:
            if self._typed and app.place == "table":
                self._asked.set()
            return
        match = app.own_decks.match.between()  # whose decks are worth a look once more after each exchange
        main = tuple(match.main.items()) if match is not None else ()
        shown = (app.place, screen.about, screen.prompt, tuple(screen.choices), main)
        if shown == self._shown:
            self._asked.set()
            return
        self._shown = shown
        if screen.about != self._about:
            self._about, self._since = screen.about, trio.current_time()
        self._print("", screen.header)
        if self._worth_a_board():
            self._print(*screen.body)
        self._print(screen.prompt)
        for choice in screen.numbered():
            self._print(f"  {choice}")
        if app.confirming.top is not None or app.place != "table" or app.dialog is None:
            self._print(screen.keys)
        else:
            self._print(f"> {app.dialog.keys}")
        self._asked.set()

    def _says(self, line: str) -> bool:
        """Whether a line says something that is no answer, or nothing at all."""
        word = line.strip().partition(" ")[0]
        return not word or commands.named(word, self.app.where) is not None

    def _worth_a_board(self) -> bool:
        """Whether the body is to be printed with this question."""
        if self.app.confirming.top is not None or self.app.pasting is not None:
            return False
        if self.app.place != "table" or self.app.dialog is None:
            return True
        turn = self.app.session.table.view.turn
        fresh, self._turn = turn != self._turn, turn
        return fresh or self.app.declares


async def run(app: App, session: Session, *, stdin: TextIO | None = None, out: TextIO | None = None) -> int:
    """Play in lines; the exit code. Raises `Unreachable` when the connection is lost for good."""
    stream = stdin or sys.stdin
    plain = Plain(app, stdin_reader(stream), out or sys.stdout, typed=stream.isatty())
    try:
        await plain.run(session)
    except* Unreachable as lost:
        raise lost.exceptions[0] from None
    return 0
