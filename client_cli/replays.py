"""Finished games at a server, from the terminal: which there are, and one of them in sentences."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

from client_cli.session import Session
from protocol.messages import ListReplays, Replay, ReplayMoment, Replays
from protocol.replays import FinishedGame
from protocol.words import say


async def games(session: Session) -> list[FinishedGame]:
    """The finished games that may be seen, newest first. Raises `RequestRefused`, `Unreachable`."""
    return (await session.request(ListReplays(id=session.new_id()), Replays)).games


def line_of(game: FinishedGame, lang: str) -> str:
    """One line of the list."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(game.created))
    whose = say("ui.replay_published" if game.open else "ui.replay_yours", lang)
    return f"{game.room}  {when}  {game.edition:<8} {', '.join(game.names)}  {whose}"


async def sentences(session: Session, room: str, lang: str) -> AsyncIterator[str]:
    """What happened in a game, as a spectator saw it. Raises `RequestRefused`, `Unreachable`."""
    step, last = 0, 0
    while step <= last:
        moment = await session.request(Replay(id=session.new_id(), room=room, step=step), ReplayMoment)
        for event in moment.events:
            words = say(event.key, lang, **event.args) if event.key else ""
            if words and words != event.key:
                rule = f"  [{event.rule}]" if event.rule else ""
                yield f"{step:>5}  {words}{rule}"
        step, last = step + 1, moment.last
