"""A match of several games at the terminal: its score, and between its games cards exchanged with the sideboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from msgspec import UNSET

from client_cli.dialog_part import whole_number
from protocol.rooms import MatchState, Ready, RoomState, Sideboard

if TYPE_CHECKING:
    from client_cli.app import App

Choice = tuple[str, Callable[[], Awaitable[None]]]
FOR = " for "


class BadSwap(Exception):
    """A line that says no exchange of cards."""


def swapped(main: dict[str, int], sideboard: dict[str, int], line: str) -> dict[str, int]:
    """The main deck after "2 Forest for Plains": so many of the one out of it, as many of the other into it, names by any beginning
    that is one card's. Raises `BadSwap`.
    """
    first, _, rest = line.strip().partition(" ")
    number = whole_number(first)
    rest, count = (line.strip(), 1) if number is None else (rest, number)
    places = [at for at in range(len(rest)) if rest.startswith(FOR, at)]
    found = [
        (out, into)
        for at in places
        if (out := _card(main, rest[:at])) and (into := _card(sideboard, rest[at + len(FOR) :]))
    ]
    if len(found) != 1 or count < 1 or main[found[0][0]] < count or sideboard[found[0][1]] < count:
        raise BadSwap(line)
    ((out, into),) = found
    after = {**main, out: main[out] - count}
    return {name: many for name, many in {**after, into: after.get(into, 0) + count}.items() if many}


def _card(cards: dict[str, int], said: str) -> str:
    said = said.strip().lower()
    if not said:
        return ""
    same = [name for name in cards if name.lower() == said]
    alike = same or [name for name in cards if name.lower().startswith(said)]
    return alike[0] if len(alike) == 1 else ""


class Matches:
    """See the module. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._first = True

    async def take(self, name: str, rest: str) -> bool:
        """ "swap 2 Forest for Plains". False when it is nothing of this."""
        if name != "swap":
            return False
        app, match = self._app, self.between()
        if match is None:
            app.problem(app.say("ui.swap_when"))
            return True
        try:
            main = swapped(match.main, match.sideboard, rest)
        except BadSwap:
            app.problem(app.say("ui.swap_how"))
        else:
            await app.session.send(Sideboard(id=app.session.new_id(), main=main, first=self._first))
        return True

    def between(self) -> MatchState | None:
        """The match, while its next game has not begun; None where there is none, or one is played."""
        room = self._app.room
        if room is None or room.match is UNSET or room.state != "gathering" or room.match.left_ms is UNSET:
            return None
        return room.match

    def lines(self, room: RoomState) -> list[str]:
        """The score; between games whose choice it is who begins, how long there is, and one's own cards."""
        app, match = self._app, room.match
        if match is UNSET:
            return []
        wins = ":".join(map(str, match.wins))
        lines = [app.say("ui.match", best_of=match.best_of, game=match.game, wins=wins)]
        if match.winner is not UNSET:
            return [app.say("ui.match_won", name=room.seats[match.winner].name, wins=wins)]
        if match.left_ms is not UNSET:
            lines.append(app.say("ui.match_time", seconds=match.left_ms // 1000))
            if match.chooser is not UNSET:
                lines.append(app.say("ui.match_chooser", name=room.seats[match.chooser].name))
        for key, cards in (("ui.main_deck", match.main), ("ui.sideboard", match.sideboard)):
            if cards:
                lines.append(app.say(key, cards=", ".join(f"{many} {name}" for name, many in cards.items())))
        return lines

    def choices(self, room: RoomState) -> list[Choice]:
        """What can be chosen between two games instead of decks and seats: to be ready, and who takes the first turn."""
        app, match = self._app, self.between()
        if match is None or room.you is UNSET:
            return []
        ready = room.seats[room.you].ready
        entries: list[Choice] = [(app.say("ui.unready" if ready else "ui.ready"), self._ready(not ready))]
        if match.chooser == room.you:
            entries.append((app.say("ui.begin_other" if self._first else "ui.begin_self"), self._begin(match)))
        return entries

    def _ready(self, ready: bool) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            await self._app.session.send(Ready(id=self._app.session.new_id(), ready=ready))

        return act

    def _begin(self, match: MatchState) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            self._first = not self._first
            await self._app.session.send(Sideboard(id=self._app.session.new_id(), main=match.main, first=self._first))

        return act

    def after(self) -> tuple[list[str], str]:
        """When a game is over: the score, and the key of what comes next: another game of the match, or a rematch."""
        room = self._app.room
        if room is None or room.match is UNSET:
            return [], "ui.rematch"
        return self.lines(room), "ui.rematch" if room.match.winner is not UNSET else "ui.next_game"
