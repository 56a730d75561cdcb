"""Those who look at a room's game, and what they are sent: the seats and spectators, or the spectators who see it late.

An audience knows one moment of the game, the last that it was shown; a late one is shown moments that are past.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import msgspec

from protocol.messages import ServerMessage
from protocol.patch import Tree
from protocol.refusals import Code, Refusal
from protocol.view import Result
from server.knowledge.amended import amendment
from server.knowledge.events import Line, Scene
from server.knowledge.hidden import Viewer
from server.rooms.game import Game
from server.rooms.memory import Memory
from server.rooms.replay import Turned
from server.rooms.seats import Seeing
from server.rooms.tell import Teller
from server.rules.model import AnyQuestion, State
from server.storage import Amended, Setup, TakenBack

KEPT_WORDS = 1000
"""Lines of chat that wait for late spectators."""


class Moment(msgspec.Struct, frozen=True):
    """A moment of the game: the state, whether its question is asked of the seat (and not answered by the room), how the game ended,
    with the hash of its last state, and whether it `resolves` what was on top of the stack, all having passed.
    """

    state: State
    asks: bool
    ending: tuple[Result, str] | None = None
    resolves: bool = False


class Audience:
    """See the module. `left_ms` tells what is left for the open question, None for no limit."""

    def __init__(self, game: Game, setup: Setup, left_ms: Callable[[], int | None]) -> None:
        self._left_ms = left_ms
        self.teller = Teller(game, setup)
        self.viewers: dict[str, Seeing] = {}
        self.moment: Moment | None = None

    def tree(self, viewer: Viewer) -> Tree:
        """The view as it was last shown."""
        return self.teller.tree(viewer)

    def attach(self, viewer: Seeing, epoch: int, seq: int, seen: int | None = None) -> None:
        """Someone looks on, who last saw that, or has seen so many lines of the log."""
        self.viewers[viewer.key] = viewer
        viewer.outbox.on_drained = lambda lost: self._drained(viewer, lost.first, lost.faces)
        if self.moment is not None:
            viewer.position = self.teller.position(viewer.seat, epoch, seq, seen)
            self.whole(viewer)

    def observe(self, turned: Turned) -> None:
        """Take a turn into the log."""
        self.teller.add(self._lines_now(turned))

    def remembered(self, memory: Memory, coming: Turned | None) -> Memory:
        """The memory with the log, after a turn that is to be observed where one is given."""
        return self.teller.remembered(memory, [] if coming is None else self._lines_now(coming))

    def _lines_now(self, turned: Turned) -> list[Line]:
        if not isinstance(turned.entry, TakenBack):
            return lines_of(turned)
        question, seats = turned.entry.question, [player.seat for player in turned.before.players]
        return [self.teller.counted(line, question, seats) for line in lines_of(turned)]

    def show(self, moment: Moment, why: str = "") -> None:
        """Tell everyone of the next moment at once."""
        for _ in self.showing(moment, why):
            pass

    def showing(self, moment: Moment, why: str = "") -> Iterator[None]:
        """Tell everyone of the next moment: patches, closed questions and the open one; the end, once. `why` is what
        closes the question that was open. A piece of it at a time, between which somebody may come or go.
        """
        over = self.moment is not None and self.moment.ending is not None
        if moment.resolves and self.moment is not None:
            # Shown by itself, because what follows may be a question of which nobody else may know.
            self.teller.nobody_asked()
            for viewer in self.viewers.values():
                if viewer.epoch and not viewer.when_asked:
                    self.teller.patch(viewer)
        self.moment = moment
        self.teller.update(moment.state, moment.ending[0] if moment.ending is not None else None)
        pending = moment.state.pending if moment.asks else None
        for viewer in list(self.viewers.values()):
            if viewer.epoch == 0:
                self.whole(viewer)
                continue
            asked = pending if pending is not None and pending.seat == viewer.seat else None
            if self.teller.holds(viewer.seat) or (viewer.when_asked and self._need_not_know(viewer, moment)):
                continue
            epoch = viewer.epoch
            yield
            if self.viewers.get(viewer.key) is not viewer or viewer.epoch != epoch:
                continue  # it is gone, or has had a whole view meanwhile
            self.teller.patch(viewer)
            if asked is not None or viewer.question:
                self._ask(viewer, moment, asked, why)
            if moment.ending is not None and not over:
                self.teller.over(viewer, moment.ending)

    def _need_not_know(self, viewer: Seeing, moment: Moment) -> bool:
        """Whether a viewer who wants to know only what it is asked neither is nor was."""
        return moment.ending is None and not viewer.question and _asked(moment, viewer) is None

    def whole(self, viewer: Seeing, re: str = "") -> None:
        """A whole view, with the question that is open to the viewer; the end, if it is over."""
        moment = self.moment
        if moment is None:
            if re:
                raise Refusal(Code.NO_GAME)
            return
        self.teller.whole(viewer, moment.state, _asked(moment, viewer), self._left_ms(), re)
        if moment.ending is not None:
            self.teller.over(viewer, moment.ending)

    def put(self, message: ServerMessage, seat: Viewer = None) -> None:
        """The same message to everyone, or to those who look from that seat."""
        for viewer in self.viewers.values():
            if seat is None or viewer.seat == seat:
                viewer.outbox.put(message)

    def notice(self, key: str, **args: int) -> None:
        """Something that is no event of the game, to everyone."""
        for viewer in self.viewers.values():
            self.teller.notice(viewer, key, **args)

    def _ask(self, viewer: Seeing, moment: Moment, asked: AnyQuestion | None, why: str) -> None:
        """The open question to the viewer if it is asked that; the one that it held is closed."""
        open_ = self.teller.ids.write(asked.number) if asked is not None else ""
        if viewer.question and viewer.question != open_:
            self.teller.close(viewer, why)
        if asked is not None and viewer.question != open_:
            self.teller.ask(viewer, moment.state, asked, self._left_ms())

    def _drained(self, viewer: Seeing, first: tuple[int, int] | None, faces: set[str]) -> None:
        """A slow reader has caught up: one whole view makes good for what was dropped."""
        if self.viewers.get(viewer.key) is not viewer:
            return
        viewer.known -= faces
        if first is not None:
            viewer.position = self.teller.before(*first, viewer.position)
        self.teller.notice(viewer, "notice.missed")
        self.whole(viewer)


class LateAudience(Audience):
    """Spectators who see everything `delay_ms` later."""

    def __init__(self, game: Game, setup: Setup) -> None:
        super().__init__(game, setup, lambda: None)
        self.delay_ms = setup.options.delay_ms
        self._coming: deque[tuple[int, list[Line], Moment]] = deque()
        self._lines: list[Line] = []
        self._words: deque[tuple[int, Callable[[], None]]] = deque(maxlen=KEPT_WORDS)

    def observe(self, turned: Turned) -> None:
        """Keep the lines for when they are due."""
        self._lines.extend(lines_of(turned))

    def keep(self, moment: Moment, now: int) -> None:
        """Show the moment when it is due. Times are milliseconds."""
        self._coming.append((now + self.delay_ms, self._lines, moment))
        self._lines = []

    def keep_words(self, say: Callable[[], None], now: int) -> None:
        """Say what the players say at this moment when it is due; the oldest words are forgotten where there are too many."""
        self._words.append((now + self.delay_ms, say))

    def due(self) -> int | None:
        """When there is something to show or to say, None if nothing waits."""
        return min((waiting[0][0] for waiting in (self._coming, self._words) if waiting), default=None)

    def releasing(self, now: int) -> Iterator[None]:
        """Show and say what is due, a piece at a time, between which somebody may come or go."""
        while self._coming and self._coming[0][0] <= now:
            _, lines, moment = self._coming.popleft()
            self.teller.add(lines)
            yield from self.showing(moment)
            yield
        while self._words and self._words[0][0] <= now:
            self._words.popleft()[1]()


def lines_of(turned: Turned) -> list[Line]:
    """The log of one turn."""
    if not turned.events and not isinstance(turned.entry, TakenBack | Amended):
        return []  # a pass, mostly
    scene = Scene(turned.before, turned.after)
    if isinstance(turned.entry, TakenBack):
        return [scene.taken_back(turned.entry.seat, turned.entry.why)]
    if isinstance(turned.entry, Amended):
        return [
            *amendment(Scene(turned.before, turned.before), turned.entry.seat, turned.entry.change),
            *scene.write(turned.events),
        ]
    return scene.write(turned.events)


def _asked(moment: Moment, viewer: Seeing) -> AnyQuestion | None:
    """The question, if it is open to the viewer."""
    pending = moment.state.pending
    return pending if moment.asks and pending is not None and pending.seat == viewer.seat else None
