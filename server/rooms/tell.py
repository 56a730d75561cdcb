"""Telling viewers: whole views, patches, questions, the end. Every message of a room to a viewer is made here.

(epoch, seq) count per viewer: each whole view opens a new epoch, each patch adds one to the seq. An epoch stands for when the
room was taken up and how many whole views it has sent since, so that no two processes of the server give the same; it tells
neither, because it is opaque, and nothing of how many answers the game has had, because it does not count them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from protocol.gathered import gather
from protocol.messages import Closed, Notice, Over, Patch, QuestionMessage, ViewMessage
from protocol.packing import Packer
from protocol.patch import Tree
from protocol.questions import Question
from protocol.view import Event, Face, Result, digest
from protocol.words import fill
from server.knowledge.events import Line
from server.knowledge.faces import face_by_hash
from server.knowledge.hidden import Viewer, asked_in_secret
from server.knowledge.opaque import Permutation
from server.knowledge.parts import NOTHING, Changes, Parts, Public
from server.knowledge.questions import Again, Asker, ids_of, repeatable
from server.knowledge.views import Views, faces_in
from server.rooms.ballots import BIRTH
from server.rooms.game import Game
from server.rooms.memory import Memory
from server.rooms.seats import FRESH_LINES, NO_EVENTS, Asked, Log, Marks, Seeing
from server.rules.model import AnyQuestion, State
from server.storage import Setup

By: TypeAlias = Literal["seat", "pass", "clock"]
EPOCH_BITS = 52
"""So that every JSON reader has it exactly."""
WHOLE_BITS = 20
"""Whole views of one process that cannot meet the next one's: 2^20; the seconds between them have the other 32 bits."""

WHOLE_BYTES = 6 * 1024
"""Bytes of JSON that a whole view should take without its faces: with all else that who comes back is sent, at most 8 KiB."""
PACKED_FOR = 10
"""States after a whole view for which it is remembered how objects are packed: others come back at the same time, mostly."""
ASKED = ("priority", "waiting_for")
"""What a view says of who is asked."""
NO_FACES: dict[str, Face] = {}
"""The same value wherever no face is sent; nobody changes it."""
LEAST_EVENTS = 512
"""Bytes of events that a whole view brings however large the table is."""


class Teller:
    """Views, log and counters of one room."""

    def __init__(self, game: Game, setup: Setup) -> None:
        self._game = game
        self._fairness = setup.fair
        self._views = Views(game)
        self._packer = Packer()
        """For all viewers: most of what they see is the same. It is forgotten when nobody has had a whole view for some states."""
        self._packing = 0
        self._log = Log()
        self._unheard: list[Line] = []
        """Lines of the moment that has yet to be shown."""
        self._asked = Asked()
        self._changes = Changes()
        self._held: dict[Viewer, Parts] = {}
        """What those see who may not know that somebody is asked: the moment before."""
        self._again: dict[tuple[Viewer, bool], Again] = {}
        """The last question of priority to each seat, gathered or not."""
        self._bare: tuple[Public, Public] | None = None
        """Where nobody is to be seen asked: what everybody sees, and that without who is asked."""
        self._marks = Marks()
        self.receipt: Callable[[Seeing], str] = lambda _: ""
        """What a viewer is given to bring back (`server.rooms.receipts`)."""
        self._wholes = 0
        self.ids = ids_of(self._fairness.key)
        self._epochs = Permutation(f"epochs {self._fairness.key}", EPOCH_BITS)

    def add(self, lines: list[Line]) -> None:
        """Add lines to the log; they are told with the next moment that all may know of."""
        self._unheard.extend(lines)

    def counted(self, line: Line, question: int, seats: Sequence[int]) -> Line:
        """The line of a taking back, which tells each viewer how many of the `lines` before it that they were told happened after
        that question, and so count no more; nothing of it where that is not remembered."""
        start, event = self._asked.get(question), line.public
        if start is None or event is None:
            return line
        heard = self._log.end - start
        gone = [*self._log.last(max(0, heard)), *self._unheard[max(0, -heard) :]]

        def said(viewer: Viewer) -> Event:
            return replace(event, args={**event.args, "lines": sum(one.of(viewer) is not None for one in gone)})

        return Line(said(None), {seat: said(seat) for seat in seats})

    def remembered(self, memory: Memory, coming: Sequence[Line] = ()) -> Memory:
        """The memory with the log, as it is once those lines are added."""
        log, unheard = self._log, [*self._unheard, *coming]
        known = replace(memory, lines=log.last(FRESH_LINES), end=log.end, common=log.common, own=log.own)
        if not unheard:
            return known
        after = Log()
        after.recall(known.lines, known.end, known.common, known.own)
        after.add(unheard)
        return replace(memory, lines=after.last(FRESH_LINES), end=after.end, common=after.common, own=after.own)

    def recall(self, memory: Memory) -> None:
        """Take up the log after a restart."""
        self._log.recall(memory.lines, memory.end, memory.common, memory.own)

    def update(self, state: State, result: Result | None) -> None:
        """Take in a new state. Where a seat is asked in secret, the others go on seeing what they saw before."""
        asked = asked_in_secret(state)
        if not asked:
            self._held = {}
            if self._unheard:
                self._log.add(self._unheard)
                self._unheard = []
        elif self._views.made:
            everyone = (None, *(player.seat for player in state.players))
            self._held = {viewer: self._seen(viewer) for viewer in everyone if viewer not in asked}
        self._bare = None
        if self._packing:
            self._packing -= 1
            if not self._packing:
                self._packer.forget()
        if state.pending is not None:
            self._asked.put(state.pending.number, self._log.end + len(self._unheard))
        self._views.update(state, result)

    def nobody_asked(self) -> None:
        """All have passed, and nobody has priority until what is on top of the stack has resolved."""
        self._bare = (NOTHING.public, NOTHING.public)

    def holds(self, viewer: Viewer) -> bool:
        """Whether the viewer may not know that somebody is asked."""
        return viewer in self._held

    def taken_up(self, seconds: float) -> None:
        """After a restart, at these seconds since 1970: earlier processes have opened epochs, too."""
        self._wholes = max(self._wholes, max(0, int(seconds) - BIRTH) << WHOLE_BITS)

    def _next_epoch(self) -> int:
        self._wholes += 1
        return self._epochs.hide(self._wholes % (1 << EPOCH_BITS))

    def tree(self, viewer: Viewer) -> Tree:
        """The view of a seat, None: of a spectator."""
        return self._seen(viewer).whole()

    def _seen(self, viewer: Viewer) -> Parts:
        held = self._held.get(viewer)
        seen = self._views.parts(viewer) if held is None else held
        if self._bare is None:
            return seen
        if self._bare[0] is not seen.public:
            bare = {key: value for key, value in seen.public.common.items() if key not in ASKED}
            self._bare = (seen.public, replace(seen.public, common=bare))
        return replace(seen, public=self._bare[1])

    def position(self, viewer: Viewer, epoch: int, seq: int, seen: int | None) -> int:
        """Where in the log someone goes on who last saw that, or who has `seen` so many of its lines; at most the last
        lines come, and come to whom nothing is known of.
        """
        known = self._marks.get(epoch, seq)
        if known is None and seen is not None:
            known = self._log.position(viewer, seen)
        return max(0, self._log.end - FRESH_LINES, 0 if known is None else known)

    def before(self, epoch: int, seq: int, otherwise: int) -> int:
        """Where in the log someone goes on who did not get that view or patch."""
        known = self._marks.get(epoch, seq - 1)
        return otherwise if known is None else known

    # --- messages ---

    def whole(self, viewer: Seeing, state: State, asked: AnyQuestion | None, left_ms: int | None, re: str = "") -> None:
        """The whole view, in a new epoch, with the open question and the events since."""
        viewer.seen = self._seen(viewer.seat)
        tree = viewer.seen.whole()
        self._packing = PACKED_FOR
        shown = faces_in(tree)
        viewer.epoch, viewer.seq = self._next_epoch(), 1
        events = self._events(viewer)
        viewer.question = self.ids.write(asked.number) if asked is not None else ""
        message = ViewMessage(
            re=re,
            epoch=viewer.epoch,
            seq=viewer.seq,
            view=self._packer.pack(tree, {key: face_by_hash(key) for key in shown}) if viewer.packed else tree,
            question=UNSET if asked is None else self._written(viewer, state, asked, left_ms),
            log=self._log.seen(viewer.seat),
            digest=digest(tree) if viewer.digests else "",
            receipt=self.receipt(viewer),
        )
        events = _last(events, max(LEAST_EVENTS, WHOLE_BYTES - len(msgspec.json.encode(message))))
        viewer.outbox.put(replace(message, faces=_faces(viewer, shown), events=events))

    def patch(self, viewer: Seeing) -> None:
        """What has changed since; nothing, if nothing has that the viewer may see."""
        now = self._seen(viewer.seat)
        change = self._changes.between(viewer.seen, now, briefly=viewer.brief)
        end = self._log.end
        told = viewer.when_asked or viewer.position >= end
        events = NO_EVENTS if told else self._log.since(viewer.position, viewer.seat)
        if not change and not events:
            return
        viewer.seq += 1
        viewer.seen = now
        if viewer.position != end:
            viewer.position = end
            self._marks.put(viewer.epoch, viewer.seq, end)
        viewer.outbox.put(
            Patch(
                epoch=viewer.epoch,
                seq=viewer.seq,
                patch=change,
                faces=_faces(viewer, faces_in(change)) if "objects" in change else NO_FACES,
                events=events,
                digest=digest(now.whole()) if viewer.digests else "",
                receipt=self.receipt(viewer) if viewer.receipts else "",
            )
        )

    def ask(self, viewer: Seeing, state: State, question: AnyQuestion, left_ms: int | None) -> None:
        """The open question."""
        written = self._written(viewer, state, question, left_ms)
        viewer.question = written.id
        viewer.outbox.put(QuestionMessage(epoch=viewer.epoch, seq=viewer.seq, question=written))

    def close(self, viewer: Seeing, why: str) -> None:
        """The viewer's question is closed without its answer."""
        viewer.outbox.put(Closed(question=viewer.question, why=why))
        viewer.question = ""

    def over(self, viewer: Seeing, ending: tuple[Result, str]) -> None:
        """The game is over."""
        result, state_hash = ending
        if self._fairness.kept:
            viewer.outbox.put(Over(result=result, state_hash=state_hash))
            return
        viewer.outbox.put(
            Over(
                result=result,
                seed=self._fairness.secret,
                entropy=list(self._fairness.entropy) if any(self._fairness.entropy) else [],
                state_hash=state_hash,
                salt=self._fairness.salt,
            )
        )

    def notice(self, viewer: Seeing, key: str, **args: int) -> None:
        """Something that is no event of the game."""
        viewer.outbox.put(Notice(key=key, text=fill(key, args, viewer.lang), args=dict(args)))

    def _written(self, viewer: Seeing, state: State, question: AnyQuestion, left_ms: int | None) -> Question:
        looks, reader = self._views.looks_at_objects, (viewer.seat, viewer.gathered)
        again = self._again.get(reader)
        if again is not None and again.asks(question, looks):
            return again.at(self.ids.write(question.number), left_ms)
        written = self._asker(viewer, state).write(question, left_ms)
        if viewer.gathered:
            written = gather(written)
        if (again := repeatable(question, written, looks)) is not None:
            self._again[reader] = again
        return written

    def _asker(self, viewer: Seeing, state: State) -> Asker:
        return Asker(self._game, state, self.ids, lambda number: self._views.id_of(viewer.seat, number))

    def _events(self, viewer: Seeing) -> list[Event]:
        """The events for a whole view, whose predecessor stands for where the viewer was before it."""
        self._marks.put(viewer.epoch, viewer.seq - 1, viewer.position)
        events = self._log.since(viewer.position, viewer.seat)
        viewer.position = self._log.end
        self._marks.put(viewer.epoch, viewer.seq, self._log.end)
        return events


def _last(events: list[Event], room: int) -> list[Event]:
    """The last events that fit into so many bytes of JSON."""
    start = len(events)
    while start and (room := room - len(msgspec.json.encode(events[start - 1])) - 1) >= 0:
        start -= 1
    return events[start:]


def _faces(viewer: Seeing, needed: set[str]) -> dict[str, Face]:
    """The faces among these that the connection has not been sent; they count as sent now."""
    if needed <= viewer.known:
        return NO_FACES
    fresh = sorted(needed - viewer.known)
    viewer.known.update(fresh)
    return {key: face_by_hash(key) for key in fresh}
