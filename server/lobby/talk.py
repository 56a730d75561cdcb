"""Who hears what is said at a table."""

from __future__ import annotations

import time

from msgspec import UNSET

from protocol import messages as m
from protocol.refusals import Code, Refusal
from server.lobby.client import Client
from server.lobby.names import clean_text
from server.lobby.table import Table

EMOTE_SECONDS = 1.0
"""Between two emotes of one client."""


def say(table: Table, client: Client, message: m.Say) -> m.ServerMessage:
    """Say something. Watchers read what is said to seats; seats do not read what is said to watchers; where watchers are to
    be quiet, what they say during the game goes to watchers. Raises `Refusal`: bad_text.
    """
    assert client.person is not None
    text = clean_text(message.text)
    if not text:
        raise Refusal(Code.BAD_TEXT)
    seat = seat_of(table, client)
    to = message.to
    if seat is None and table.options.quiet_watchers and table.state == "playing":
        to = "watchers"
    told = m.Chat(
        name=client.person.name, text=text, seat=UNSET if seat is None else seat, to="" if to == "all" else to
    )
    for other in table.clients() if to != "watchers" else {*table.watchers, client}:
        other.put(told)
    return m.Ok(re=message.id)


def emote(table: Table, client: Client, message: m.Emote) -> m.ServerMessage:
    """One of a few words to all; a watcher's as what it would say. Raises `Refusal`: too_fast."""
    assert client.person is not None
    now = time.monotonic()
    if now - client.emoted < EMOTE_SECONDS:
        raise Refusal(Code.TOO_FAST)
    client.emoted = now
    seat = seat_of(table, client)
    quiet = seat is None and table.options.quiet_watchers and table.state == "playing"
    told = m.Emoted(name=client.person.name, emote=message.emote, seat=UNSET if seat is None else seat)
    for other in table.clients() if not quiet else table.watchers:
        other.put(told)
    return m.Ok(re=message.id)


def seat_of(table: Table, client: Client) -> int | None:
    """The seat that the connection holds."""
    return next((seat for seat, place in enumerate(table.places) if place.client is client), None)
