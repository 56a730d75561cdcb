"""A finished game seen again: any step of it, from any seat. What was hidden then is hidden here, from each seat's own place."""

from __future__ import annotations

import trio
from msgspec import UNSET

from protocol.replays import ReplayMoment
from server.knowledge.events import Scene
from server.knowledge.faces import face_by_hash
from server.knowledge.hidden import Viewer
from server.knowledge.views import Views, faces_in
from server.rooms.errors import Diverged
from server.rooms.game import Game
from server.rooms.replay import Turned, replay
from server.rooms.seats import Roster
from server.rules.model import Unreadable
from server.storage import Instructed, Journal

AT_ONCE = 50
"""Inputs that are played before other tasks get their turn."""


class Screening:
    """The steps of one game; made by `screening`."""

    def __init__(self, room: str, game: Game, steps: list[Turned], roster: Roster) -> None:
        self.room = room
        self._game = game
        self._steps = steps
        self._roster = roster
        self._turns = _beginnings(steps)

    def moment(self, step: int, viewer: Viewer) -> ReplayMoment:
        """A step as a seat or a spectator (None) saw it."""
        step = min(step, len(self._steps) - 1)
        turned = self._steps[step]
        state = turned.after
        views = Views(self._game)
        views.update(state, self._roster.result(state) if state.result is not None else None)
        tree = views.tree(viewer)
        lines = Scene(turned.before, turned.after).write(turned.events)
        return ReplayMoment(
            room=self.room,
            step=step,
            last=len(self._steps) - 1,
            turns=self._turns,
            seat=UNSET if viewer is None else viewer,
            view=tree,
            faces={key: face_by_hash(key) for key in sorted(faces_in(tree))},
            events=[event for line in lines if (event := line.of(viewer)) is not None],
        )


async def screening(journal: Journal, game: Game) -> Screening:
    """Play a journal, as far as these rules can: a game that went on under other rules may end early here."""
    steps: list[Turned] = []
    roster = Roster(len(journal.setup.seats))
    try:
        for turned in replay(journal, game):
            if isinstance(turned.entry, Instructed):
                continue
            steps.append(turned)
            roster.note(turned.after, turned.events)
            if len(steps) % AT_ONCE == 0:
                await trio.lowlevel.checkpoint()
    except (Diverged, Unreadable):
        if not steps:
            raise
    return Screening(journal.setup.room, game, steps, roster)


def _beginnings(steps: list[Turned]) -> list[int]:
    """The steps after which another turn is under way."""
    found: list[int] = []
    turn = 0
    for number, turned in enumerate(steps):
        if turned.after.turn.number != turn:
            turn = turned.after.turn.number
            found.append(number)
    return found
