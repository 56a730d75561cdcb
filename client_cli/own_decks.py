"""Decks of one's own at the terminal: from a file, typed or pasted, or one that the server keeps under a name; and what
is said of their cards in other words.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from client_cli.line import ESCAPE
from client_cli.matches import Matches
from client_cli.rewordings import Rewordings
from protocol.messages import ServerMessage
from protocol.people import ListSavedDecks, SavedDecks, SaveDeck
from protocol.rooms import ChooseDeck

if TYPE_CHECKING:
    from client_cli.app import App

MOST = 16_000
"""Characters of a list (`ChooseDeck.text`)."""
MOST_NAME = 64
"""Characters of the name under which one is kept."""


class BadFile(Exception):
    """A file that holds no list; the sentence says why."""


def read_list(path: str) -> str:
    """The list in a file. Raises `BadFile`."""
    try:
        with Path(path).expanduser().open("rb") as file:
            text = file.read(4 * MOST + 1).decode("utf-8-sig")
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as fault:  # RuntimeError: a home that is none; ValueError: a byte 0, no UTF-8
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise BadFile(reason) from None
    return text


def unquoted(text: str) -> str:
    """What is meant by a path or name that is typed or dropped here as for a shell: without the quotes around it, or the backslashes
    before its spaces.
    """
    for quote in "'\"":
        if len(text) > 1 and text[0] == text[-1] == quote:
            return text[1:-1]
    return text.replace("\\ ", " ")


class OwnDecks:
    """See the module. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._last = ""
        self.saved: list[str] = []
        self.rewordings = Rewordings(app)
        self.match = Matches(app)

    async def take(self, name: str, rest: str) -> bool:
        """Do what a command says. False when it is nothing of this."""
        app = self._app
        if name == "save":
            await self._save(rest)
        elif name != "deck":
            return await self.rewordings.take(name, rest) or await self.match.take(name, rest)
        elif rest == "paste":
            app.pasting = []
        elif rest.startswith("saved "):
            await self.choose_saved(unquoted(rest.removeprefix("saved ").strip()))
        elif not rest:
            app.problem(app.say("ui.deck_how"))
        else:
            await self.from_file(unquoted(rest))
        return True

    async def look(self) -> None:
        """Ask which the server keeps."""
        await self._app.session.send(ListSavedDecks(id=self._app.session.new_id()))

    def tell(self, message: ServerMessage) -> None:
        """Take in a message: which decks are kept."""
        if isinstance(message, SavedDecks):
            self.saved = sorted(message.saved)
        else:
            self.rewordings.tell(message)

    async def choose_saved(self, name: str) -> None:
        """Play the one that is kept under a name."""
        app = self._app
        if not 1 <= len(name) <= MOST_NAME:
            app.problem(app.say("ui.deck_how"))
            return
        await app.session.send(ChooseDeck(id=app.session.new_id(), saved=name))

    async def from_file(self, path: str) -> None:
        """Play the list in a file."""
        try:
            text = read_list(path)
        except BadFile as fault:
            self._app.problem(self._app.say("ui.deck_unread", file=path, reason=str(fault)))
            return
        await self._choose(text)

    async def pasted(self, line: str) -> None:
        """A line of a list that is typed; "." ends it, Escape gives up."""
        app = self._app
        lines = app.pasting
        assert lines is not None
        if line == ESCAPE:
            app.pasting = None
        elif line.strip() != ".":
            if sum(map(len, lines)) + len(lines) + len(line) <= MOST:
                lines.append(line.rstrip("\n"))
        else:
            app.pasting = None
            await self._choose("\n".join(lines))

    async def _choose(self, text: str) -> None:
        app = self._app
        if not text.strip() or len(text) > MOST:
            app.problem(app.say("ui.deck_size", most=MOST))
            return
        self._last = text
        app.place = "room"
        await app.session.send(ChooseDeck(id=app.session.new_id(), text=text))

    async def _save(self, name: str) -> None:
        app = self._app
        if not self._last or not 1 <= len(name) <= MOST_NAME:
            app.problem(app.say("ui.save_how"))
            return
        await app.session.send(SaveDeck(id=app.session.new_id(), name=name, text=self._last))
        app.note(app.say("ui.saved", name=name))
        await self.look()
