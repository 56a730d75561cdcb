"""Other words for cards of the decks before a game, at the terminal: what of one's own could be said otherwise, what is proposed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from client_cli.dialog_part import whole_number
from protocol.by_hand import Agree, Paragraph, Paragraphs, ParagraphsTold, Reword, Rewording
from protocol.messages import ServerMessage
from protocol.rooms import RoomState

if TYPE_CHECKING:
    from client_cli.app import App

LONGEST = 600
"""Characters of a wording (`Reword.line`)."""

Choice = tuple[str, Callable[[], Awaitable[None]]]


class Rewordings:
    """See the module. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._listed: list[Paragraph] = []

    async def take(self, name: str, rest: str) -> bool:
        """ "reword": what could be said otherwise; "reword 2 Flying": the second of these. False when it is nothing of this."""
        if name != "reword_deck":
            return False
        app, new = self._app, self._app.session.new_id()
        first, _, line = rest.partition(" ")
        number = whole_number(first) or 0
        if not rest:
            await app.session.send(Paragraphs(id=new))
        elif 1 <= number <= len(self._listed) and line.strip():
            one = self._listed[number - 1]
            await app.session.send(Reword(id=new, card=one.card, text=one.text, line=line.strip()[:LONGEST]))
        else:
            app.problem(app.say("ui.reword_deck_how"))
        return True

    def tell(self, message: ServerMessage) -> None:
        """Take in a message: what of one's deck is by hand."""
        if isinstance(message, ParagraphsTold):
            app, self._listed = self._app, message.paragraphs
            lines = [
                f"{number}. {one.card}: {' '.join(one.text.split())}" for number, one in enumerate(self._listed, 1)
            ]
            how = app.say("ui.reword_deck_how") if lines else app.say("web.nothing_of_deck")
            app.read(app.say("web.reword"), [*lines, how])

    def lines(self, room: RoomState) -> list[str]:
        """What is proposed, as all read it before they agree."""
        return [line for one in room.rewordings for line in ("", *self._words(one, room), self._state(one, room))]

    def choices(self, room: RoomState) -> list[Choice]:
        """What can be said of each proposal."""
        say, you = self._app.say, room.you
        made: list[Choice] = []
        for one in room.rewordings:
            what = f"{one.card}: {one.line}"
            if you in one.waiting:
                made.append((f"{say('web.agree')}: {what}", self._says(one, yes=True)))
            if isinstance(you, int):
                no = say("web.withdraw" if one.by == you else "web.disagree")
                made.append((f"{no}: {what}", self._says(one, yes=False)))
        return made

    def _words(self, one: Rewording, room: RoomState) -> list[str]:
        say = self._app.say
        name = room.seats[one.by].name if one.by >= 0 else "-"
        return [
            say("web.ballot_reword", name=name),
            f"  {say('web.printed', card=one.card)}: {' '.join(one.text.split())}",
            f"  {say('web.wording')}: {one.line}",
            f"  {say('web.understood')}: {' '.join(one.read.split())}",
        ]

    def _says(self, one: Rewording, *, yes: bool) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            await self._app.session.send(Agree(id=self._app.session.new_id(), ballot=one.ballot, yes=yes))

        return act

    def _state(self, one: Rewording, room: RoomState) -> str:
        """Whose yes is missing, or that the game begins with them."""
        names = ", ".join(room.seats[seat].name for seat in one.waiting)
        return "  " + (self._app.say("ui.waiting", names=names) if names else self._app.say("web.reword_agreed"))
