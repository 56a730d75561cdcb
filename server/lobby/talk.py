"""Who hears what is said at a table."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial

from msgspec import UNSET

from protocol import messages as m
from protocol.refusals import Code, Refusal
from server.lobby import door
from server.lobby.client import Client
from server.lobby.names import clean_text
from server.lobby.reports import Line
from server.lobby.table import Table

EMOTE_SECONDS = 1.0
"""Between two emotes of one client."""


def say(table: Table, client: Client, message: m.Say) -> m.ServerMessage:
    """Say something. Watchers read what is said to seats, as late as they see the game; seats do not read what is said to
    watchers; where watchers are to be quiet, what they say during the game goes to watchers. Raises `Refusal`: bad_text, muted.
    """
    assert client.person is not None
    door.may_speak(table, client.person)
    text = clean_text(message.text)
    if not text:
        raise Refusal(Code.BAD_TEXT)
    seat = seat_of(table, client)
    to = message.to
    if seat is None and table.options.quiet_watchers and table.state == "playing":
        to = "watchers"
    person = client.person
    told = m.Chat(
        name=person.name,
        text=text,
        seat=UNSET if seat is None else seat,
        to="" if to == "all" else to,
        person=person.id,
    )
    table.remember(Line(at=int(time.time()), person=person.id, name=person.name, text=text))
    _tell(table, client, told, to_watchers=to == "watchers")
    return m.Ok(re=message.id)


def emote(table: Table, client: Client, message: m.Emote) -> m.ServerMessage:
    """One of a few words to all; a watcher's as what it would say. Raises `Refusal`: too_fast, muted."""
    assert client.person is not None
    door.may_speak(table, client.person)
    now = time.monotonic()
    if now - client.emoted < EMOTE_SECONDS:
        raise Refusal(Code.TOO_FAST)
    client.emoted = now
    seat = seat_of(table, client)
    quiet = seat is None and table.options.quiet_watchers and table.state == "playing"
    told = m.Emoted(name=client.person.name, emote=message.emote, seat=UNSET if seat is None else seat)
    _tell(table, client, told, to_watchers=quiet)
    return m.Ok(re=message.id)


def _tell(table: Table, speaker: Client, told: m.ServerMessage, *, to_watchers: bool) -> None:
    """To everyone, or the speaker and all watchers. What a seat says would tell watchers who see the game late of what is to
    come, so that it reaches them late.
    """
    seats = [place.client for place in table.places if place.client is not None]
    _put([speaker] if to_watchers else {speaker, *seats}, speaker, told)
    others = partial(_put_to_watchers, table, speaker, told)
    if table.room is not None and speaker in seats:
        table.room.say_late(others)
    else:
        others()


def _put_to_watchers(table: Table, speaker: Client, told: m.ServerMessage) -> None:
    """To those who watch now."""
    _put((watcher for watcher in table.watchers if watcher is not speaker), speaker, told)


def _put(clients: Iterable[Client], speaker: Client, told: m.ServerMessage) -> None:
    """To those who have not chosen to ignore the speaker."""
    for other in clients:
        if other.person is None or speaker.person is None or speaker.person.id not in other.person.ignored:
            other.put(told)


def seat_of(table: Table, client: Client) -> int | None:
    """The seat that the connection holds."""
    return next((seat for seat, place in enumerate(table.places) if place.client is client), None)
