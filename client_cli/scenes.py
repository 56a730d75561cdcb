"""What is to be seen of an app at a moment, for the painters: the list of tables, a room, the table, what is read over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from client_cli import commands

if TYPE_CHECKING:
    from client_cli.app import App


class Reader(Struct, frozen=True):
    """Lines that are read over everything else, until closed: help, the log, a card. `end`: begin at the last line."""

    title: str
    lines: list[str]
    end: bool = False


class Screen(Struct, frozen=True):
    """What is to be seen. `numbers` are those of the `choices`; none: these are not to be chosen. `keys` tells what Enter and the letters
    do.
    """

    header: str
    body: list[str]
    prompt: str
    choices: list[str]
    keys: str
    numbers: list[int] = []
    immediate: bool = True
    asked: bool = False
    """Whether the person has something to answer; without that, input only changes what is to be seen."""
    about: str = ""
    """What is asked, as against anything else that might be: an answer says for which it was meant."""
    opens: str = ""
    """The letters that open the line."""
    keys_at_once: str = ""
    """The keys that act at once."""
    free: bool = False
    """Whether every key is text: a list is being typed or pasted."""
    waits: bool = False
    """Whether others are waited for: Enter, a digit, any key that means nothing else goes on to what is asked next."""
    behind: bool = False
    """Whether more has come than is shown."""
    reading: bool = False
    """Whether the body is read for itself, and begins at its first line (`from_end`: its last)."""
    from_end: bool = False

    def numbered(self) -> list[str]:
        """The choices, each behind its number, or a dash where there are none."""
        if not self.numbers:
            return [f"- {choice}" for choice in self.choices]
        return [f"{number}. {choice}" for number, choice in zip(self.numbers, self.choices, strict=True)]


def seen(app: App) -> Screen:
    """What is to be seen now."""
    where = app.where
    opens, at_once = commands.opening(where), commands.keys(where)
    if app.reader is not None:
        return Screen(
            app.reader.title,
            app.reader.lines,
            "",
            [],
            app.say("ui.reader_keys"),
            asked=True,
            about=f"reader {app.reader.title}",
            opens=opens,
            keys_at_once=at_once,
            reading=True,
            from_end=app.reader.end,
        )
    if app.pasting is not None:
        return Screen(
            app.say("ui.paste_title"),
            app.pasting,
            app.say("ui.paste_how"),
            [],
            "",
            asked=True,
            about="paste",
            free=True,
            from_end=True,
        )
    asked = app.confirming.top
    if asked is not None:
        header, body = _behind(app)
        return Screen(
            header,
            body,
            asked.prompt,
            [words for words, _ in asked.choices],
            app.say("ui.asked_keys" if asked.closes else "ui.menu_keys"),
            numbers=list(range(1, len(asked.choices) + 1)),
            asked=True,
            about=asked.about,
            opens=opens,
            keys_at_once=at_once,
        )
    if app.place == "table" and app.session.table.started:
        return _table(app, opens, at_once)
    return _menu(app, opens, at_once)


def _behind(app: App) -> tuple[str, list[str]]:
    """The first line and the body of what lies beneath a question of the client's own."""
    if app.place == "table" and app.session.table.started:
        return _header(app), app.show.board(app.board_width)
    return app.menus.header(), app.menus.body()


def _header(app: App) -> str:
    clock = app.orders.clock()
    return f"{app.show.header()}  {clock}" if clock else app.show.header()


def _menu(app: App, opens: str, at_once: str) -> Screen:
    entries = app.menus.entries()
    return Screen(
        app.menus.header(),
        app.menus.body(),
        app.say("ui.choose"),
        [entry.text for entry in entries],
        app.say("ui.menu_keys"),
        numbers=[number for number, _ in app.menus.numbered()],
        asked=not _about_to_play(app),
        about="\n".join([app.place, *(entry.text for entry in entries)]),
        opens=opens,
        keys_at_once=at_once,
    )


def _about_to_play(app: App) -> bool:
    """Whether the game is about to come, so that a line typed now is meant for it."""
    room = app.room
    if app.starting or app.bots_wanted:
        return True
    return room is not None and room.state == "playing" and room.you is not UNSET


def _table(app: App, opens: str, at_once: str) -> Screen:
    show = app.show
    body = show.board(app.board_width)
    if app.session.table.over is not None or app.over():
        score, following = app.own_decks.match.after()
        return Screen(
            show.header(),
            [*show.result(), *score, "", *body],
            app.say("ui.over"),
            [app.say("ui.leave"), app.say(following)],
            app.say("ui.menu_keys"),
            numbers=[1, 2],
            asked=True,
            about="over",
            opens=opens,
            keys_at_once=at_once,
        )
    if app.dialog is None:
        # Not for ourselves: nothing is asked, so it has been answered or will be asked in a moment.
        you = app.session.table.you
        waiting = [show.player(seat) for seat in app.session.table.view.waiting_for if seat != you]
        prompt = app.say("ui.waiting", names=", ".join(waiting)) if waiting else app.say("ui.wait")
        keys = app.say("ui.behind_keys" if app.behind else "ui.wait_keys")
        return Screen(
            _header(app),
            body,
            prompt,
            [],
            keys,
            about="waiting",
            opens=opens,
            keys_at_once=at_once,
            waits=True,
            behind=app.behind,
        )
    dialog = app.dialog
    dialog.show = show
    return Screen(
        _header(app),
        body,
        dialog.prompt,
        dialog.choices,
        f"{dialog.keys} {app.say('ui.table_keys')}",
        numbers=dialog.numbers,
        immediate=dialog.immediate,
        asked=True,
        about=f"question {dialog.question.id}",
        opens=opens,
        keys_at_once=at_once,
    )
