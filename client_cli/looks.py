"""What a person looks at beside the table: help, the whole log, the whole board, a card, the last damage, the stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from client_cli import commands
from client_cli.dialog_part import whole_number
from client_cli.settings import PACES, Pace, steps_of
from client_cli.show import Show, printed
from protocol.view import STEPS

if TYPE_CHECKING:
    from client_cli.app import App

USAGE_WIDTH = 30
"""Columns of what is typed, in the help."""


class Looks:
    """See the module. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def take(self, name: str, rest: str) -> bool:
        """Do what a command says. False when it is nothing of this."""
        app = self._app
        match name:
            case "help":
                self._help()
            case "log":
                app.read(app.say("ui.log_title"), list(app.log), end=True)
            case "board":
                if app.session.table.started:
                    full = Show(app.session.table, app.lang, full=True)
                    app.read(full.header(), [*full.board(app.board_width), "", *full.piles(app.board_width)])
            case "card":
                self._card(rest)
            case "damage":
                app.read(app.say("ui.damage_title"), app.show.damage() or [app.say("ui.no_damage")])
            case "stops":
                await self._stops(rest)
            case "lands":
                self._lands(rest)
            case "pace":
                self._pace(rest)
            case _:
                return False
        return True

    def _help(self) -> None:
        """The commands that are understood here, by the one table of them."""
        app = self._app
        if app.reader is not None and app.reader.title == app.say("ui.help_title"):
            app.reader = None
            return
        lines = app.say("ui.help_begin").splitlines()
        for command in commands.understood(app.where):
            lines.append(f"{command.usage:<{USAGE_WIDTH}}{app.say(f'do.{command.called}')}")
        app.read(app.say("ui.help_title"), [*lines, *app.say("ui.help_end").splitlines()])

    def _card(self, word: str) -> None:
        """A card: of a choice by its number, or of anything known by a part of its name."""
        app = self._app
        table = app.session.table
        number = whole_number(word)
        if number is not None:
            key = app.dialog.subject(number) if app.dialog is not None else None
            lines = app.show.card(key) if key else []
        else:
            lines = self._named(word.lower()) if word and table.started else []
        if lines:
            app.read(lines[0], lines)
        else:
            app.problem(app.say("ui.nothing_there"))

    def _named(self, word: str) -> list[str]:
        """The card whose name begins with these words, else has them in it: in sight first, else any that was ever seen."""
        table = self._app.session.table
        for fits in (str.startswith, str.__contains__):
            key = next((key for key in table.view.objects if fits(table.name(key).lower(), word)), None)
            if key is not None:
                return self._app.show.card(key)
            face = next((face for face in table.faces.values() if fits(face.name.lower(), word)), None)
            if face is not None:
                return printed(face)
        return []

    # --- how one likes it --------------------------------------------------------------------------------------------

    async def _stops(self, rest: str) -> None:
        """ "stops": which there are; "stops mine upkeep": one more, or one less."""
        app = self._app
        if rest:
            whose, _, words = rest.partition(" ")
            steps = steps_of(words)
            if whose not in ("mine", "others") or len(steps) != 1:
                app.problem(app.say("ui.stops_wrong"))
                return
            stands = app.settings.toggle(whose, steps[0])
            app.keep(app.settings)
            if app.room is not None and app.room.you is not UNSET:
                await app.session.send(app.settings.stops(app.session.new_id()))
            key = "ui.stop_set" if stands else "ui.stop_cleared"
            app.note(app.say(key, step=app.say("step." + steps[0]), whose=app.say(f"web.stops_{whose}")))
            return
        lines = [app.say("web.stops_about"), ""]
        for whose, chosen in (("mine", app.settings.mine), ("others", app.settings.others)):
            names = ", ".join(app.say("step." + step) for step in chosen)
            lines.append(f"{app.say(f'web.stops_{whose}')}: {names or '-'}")
        lines += ["", app.say("ui.stops_how", steps=", ".join(STEPS))]
        app.read(app.say("web.stops"), lines)

    def _lands(self, rest: str) -> None:
        app = self._app
        if rest in ("on", "off"):
            app.settings.lands = rest == "on"
            app.keep(app.settings)
        app.note(app.say("ui.lands_on" if app.settings.lands else "ui.lands_off"))

    def _pace(self, rest: str) -> None:
        app = self._app
        chosen: Pace | None = next((pace for pace in PACES if pace == rest), None)
        if rest and chosen is None:
            app.problem(app.say("ui.pace_how"))
            return
        if chosen is not None:
            app.settings.pace = chosen
            app.keep(app.settings)
        app.note(app.say("ui.pace_is", pace=app.say(f"web.pace_{app.settings.pace}")))
