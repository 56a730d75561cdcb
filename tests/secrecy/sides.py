"""One of the two games of a pair: a real room with those who look on, and every frame that they were sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import trio

from protocol import messages as m
from protocol.codec import JSON
from server.knowledge.questions import ids_of, write_answer
from server.rooms import Outbox, Room, restore
from server.rooms.game import Outcome, Rules
from server.rooms.slices import Slices
from server.rules.model import State
from server.rules.model import questions as q
from server.storage import MemoryStorage, Setup
from tests.secrecy.facts import Facts, Viewer, shown

TIMES = re.compile(rb'"(left_ms|deadline_ms|paused_ms)":\d+|"(banks|away)":\{[^}]*\}')
"""Fields of time, and of what clocks have left."""
LATER = 1_800_000_000
"""When servers start again."""


class Started(Rules):
    """The real game from a moment on. It keeps what was answered, and what each viewer was shown."""

    def __init__(self, state: State, viewers: Sequence[Viewer]) -> None:
        self._state = state
        self.answers: dict[int, q.AnyAnswer] = {}
        self.shown: dict[Viewer, list[Facts]] = {viewer: [] for viewer in viewers}

    def start(self, setup: Setup) -> Outcome:
        return self._state, ()

    def submit(self, state: State, seat: int, answer: q.AnyAnswer) -> Outcome:
        after, events = super().submit(state, seat, answer)
        if state.pending is not None:
            self.answers[state.pending.number] = answer
        for viewer, said in self.shown.items():
            said.append(shown(events, state, after, viewer))
        return after, events

    def told(self, viewer: Viewer) -> Facts:
        said = tuple(part for one in self.shown[viewer] for part in one)
        self.shown[viewer].clear()
        return said


class Ear:
    """A connection that looks on, and the frames that it was sent."""

    def __init__(self, name: str, seat: Viewer, **said: Any) -> None:
        self.name = name
        self.seat = seat
        self.said = said
        self.outbox = Outbox(limit=100_000)
        self.frames: list[bytes] = []
        self.at = (0, 0)
        self.told = 0

    def reconnect(self) -> None:
        """Over another connection."""
        self.listen()
        self.outbox = Outbox(limit=100_000)

    def listen(self) -> None:
        while (message := self.outbox.get_nowait()) is not None:
            frame = JSON.write(message)
            frame = frame.encode() if isinstance(frame, str) else frame
            self.frames.append(TIMES.sub(b"", frame))
            if isinstance(message, m.ViewMessage):
                self.at, self.told = (message.epoch, message.seq), message.log
            elif isinstance(message, m.Patch):
                self.at, self.told = (message.epoch, message.seq), self.told + len(message.events)


class Side:
    """One of the two games."""

    def __init__(self, setup: Setup, state: State, ears: Sequence[Ear]) -> None:
        self.storage = MemoryStorage()
        self.game = Started(state, (None, *range(len(setup.seats))))
        self.room = Room(setup, self.storage, self.game)
        self.ears = {ear.name: ear for ear in ears}
        self.scope = trio.CancelScope()

    async def run(self, nursery: trio.Nursery) -> None:
        """Everyone looks on, and the room runs in a scope of its own. Its slices take no time: where they are cut, and so what somebody
        meets who comes back in the midst of them, is a matter of time.
        """
        self.room.share_time(Slices(clock=lambda: 0.0))
        for ear in self.ears.values():
            self.attach(ear)
        self.scope = trio.CancelScope()
        await nursery.start(self._run)

    async def _run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        with self.scope:
            await self.room.run(task_status=task_status)

    async def start_again(self, nursery: trio.Nursery) -> None:
        """The server is killed, and takes the game up again from its journal."""
        self.scope.cancel()
        self.room = await restore(await self.storage.take_up("pair"), self.storage, self.game, moment=LATER)
        for ear in self.ears.values():
            ear.reconnect()
        await self.run(nursery)
        for said in self.game.shown.values():
            said.clear()

    def attach(self, ear: Ear) -> None:
        """It looks on, perhaps again: it says what it saw last."""
        (epoch, seq), log = ear.at, ear.told or None
        self.room.attach(ear.name, ear.outbox, seat=ear.seat, known=set(), epoch=epoch, seq=seq, log=log, **ear.said)

    @property
    def state(self) -> State:
        assert self.room.state is not None
        return self.room.state

    @property
    def acts(self) -> list[str]:
        """The ballots of what was done by hand and can be objected to."""
        return [act.name for act in self.room._under_way.by_hand.objections.acts]

    @property
    def stands(self) -> bool:
        """Whether somebody objects to something, so that the game stands."""
        return self.room._under_way.by_hand.objections.stands

    @property
    def proposal(self) -> str | None:
        """What is proposed to be changed by hand."""
        proposal = self.room._under_way.by_hand.proposals.proposal
        return None if proposal is None else proposal.name

    @property
    def vote(self) -> str | None:
        """What is put to the vote."""
        ballot = self.room._under_way.votes.ballot
        return None if ballot is None else ballot.name

    @property
    def pending(self) -> q.AnyQuestion | None:
        return None if self.room.over.is_set() else self.state.pending

    @property
    def question(self) -> str:
        """The id of the open question."""
        assert self.state.pending is not None
        return ids_of(self.room.setup.fair.key).write(self.state.pending.number)

    async def answer(self, answer: q.AnyAnswer, re: str) -> None:
        pending = self.pending
        assert pending is not None
        message = m.AnswerMessage(id=re, question=self.question, answer=write_answer(answer))
        await self.room.submit(f"seat {pending.seat}", message)

    def listen(self) -> None:
        for ear in self.ears.values():
            ear.listen()
