"""A finished game seen again: any step of it, from any seat. What was hidden then is hidden here, from each seat's own place."""

from __future__ import annotations

from msgspec import UNSET

from protocol.replays import ReplayMoment
from server.knowledge.events import Scene
from server.knowledge.faces import face_by_hash
from server.knowledge.hidden import Viewer, asked_in_secret
from server.knowledge.views import Views, faces_in
from server.rooms.errors import Diverged
from server.rooms.game import Game
from server.rooms.replay import Turned, replay
from server.rooms.seats import Roster
from server.rooms.slices import Share, Slices
from server.rules.turn import Unreadable
from server.storage import Instructed, Journal


class Screening:
    """The steps of one game; made by `screening`."""

    def __init__(self, room: str, game: Game, steps: list[Turned], roster: Roster) -> None:
        self.room = room
        self._game = game
        self._steps = steps
        self._roster = roster
        self._seen: dict[Viewer, list[int]] = {}
        """By viewer the numbers of the inputs after which something is shown: not those that lead to a question of which the viewer
        may not know that it was asked.
        """

    def moment(self, step: int, viewer: Viewer) -> ReplayMoment:
        """A step as a seat or a spectator (None) saw it."""
        seen = self._seen_by(viewer)
        step = min(step, len(seen) - 1)
        state = self._steps[seen[step]].after
        views = Views(self._game)
        views.update(state, self._roster.result(state) if state.result is not None else None)
        tree = views.tree(viewer)
        since = seen[step - 1] + 1 if step else 0
        told = [Scene(t.before, t.after).write(t.events) for t in self._steps[since : seen[step] + 1]]
        return ReplayMoment(
            room=self.room,
            step=step,
            last=len(seen) - 1,
            turns=_beginnings([self._steps[number] for number in seen]),
            seat=UNSET if viewer is None else viewer,
            view=tree,
            faces={key: face_by_hash(key) for key in sorted(faces_in(tree))},
            events=[event for lines in told for line in lines if (event := line.of(viewer)) is not None],
        )

    def _seen_by(self, viewer: Viewer) -> list[int]:
        found = self._seen.get(viewer)
        if found is None:
            last = len(self._steps) - 1
            found = self._seen[viewer] = [
                number
                for number, turned in enumerate(self._steps)
                if number == last or not (told := asked_in_secret(turned.after)) or viewer in told
            ]
        return found


async def screening(journal: Journal, game: Game, share: Share | None = None) -> Screening:
    """Play a journal, as far as these rules can: a game that went on under other rules may end early here. `share` is whose time in
    the event loop that takes.
    """
    share = share or Slices().share()
    steps: list[Turned] = []
    roster = Roster(len(journal.setup.seats))
    try:
        async for turned in share.spread(replay(journal, game)):
            if isinstance(turned.entry, Instructed):
                continue
            steps.append(turned)
            roster.note(turned.after, turned.events)
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
