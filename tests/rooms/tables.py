"""Rooms with viewers, for tests: who is told what, patched together as a client would."""

from __future__ import annotations

from collections.abc import Sequence

import trio
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.patch import Tree, apply
from protocol.questions import PriorityAnswer, Question
from protocol.view import Event, digest
from server.rooms import Outbox, Room


class Client:
    """A viewer that keeps its view by patches, and everything it was sent."""

    def __init__(self, room: Room, key: str, seat: int | None, outbox: Outbox | None = None) -> None:
        self.room = room
        self.key = key
        self.seat = seat
        self.outbox = outbox or Outbox(limit=100_000)
        self.view: Tree = {}
        self.epoch = self.seq = 0
        self.question: Question | None = None
        self.events: list[Event] = []
        self.got: list[m.ServerMessage] = []
        self.known: set[str] = set()
        self._ids = 0

    def attach(self, epoch: int = 0, seq: int = 0) -> None:
        self.room.attach(self.key, self.outbox, seat=self.seat, known=self.known, digests=True, epoch=epoch, seq=seq)

    def read(self) -> list[m.ServerMessage]:
        """Take in all that waits."""
        fresh: list[m.ServerMessage] = []
        while (message := self.outbox.get_nowait()) is not None:
            fresh.append(message)
            self._take(message)
        self.got.extend(fresh)
        return fresh

    def _take(self, message: m.ServerMessage) -> None:
        match message:
            case m.ViewMessage():
                assert message.epoch != self.epoch
                self.view, self.epoch, self.seq = message.view, message.epoch, message.seq
                self.events.extend(message.events)
                self.question = message.question if message.question else None
                assert message.digest == digest(self.view)
                self._check()
            case m.Patch():
                assert (message.epoch, message.seq) == (self.epoch, self.seq + 1)
                self.view, self.seq = apply(self.view, message.patch), message.seq
                self.events.extend(message.events)
                assert message.digest == digest(self.view)
                self._check()
            case m.QuestionMessage():
                assert (message.epoch, message.seq) == (self.epoch, self.seq)
                self.question = message.question
            case m.Closed():
                assert self.question is not None and self.question.id == message.question
                self.question = None
            case _:
                pass

    def _check(self) -> None:
        """No null, and every id in a list is an object of the view."""
        assert "null" not in repr(self.view).split()
        objects = self.view.get("objects", {})
        assert isinstance(objects, dict)
        for name in ("battlefield", "stack", "exile", "command"):
            for key in self.view.get(name, []):  # type: ignore[union-attr]
                assert key in objects

    async def send(self, message: m.ClientMessage) -> None:
        await self.room.submit(self.key, message)

    async def answer(self, index: int = 0, question: str = "") -> str:
        """Answer the open priority question; returns the id of the message."""
        self._ids += 1
        re = f"{self.key}-{self._ids}"
        asked = question or (self.question.id if self.question is not None else "q0")
        if not question:
            self.question = None
        await self.send(m.AnswerMessage(id=re, question=asked, answer=PriorityAnswer(index=index)))
        return re

    def reply(self, re: str) -> m.ServerMessage:
        return next(message for message in self.got if message.re == re)


def table(room: Room, spectators: int = 0) -> list[Client]:
    """A client for each seat, then the spectators, all attached."""
    clients = [Client(room, f"c{seat}", seat) for seat in range(len(room.setup.seats))]
    clients += [Client(room, f"s{number}", None) for number in range(spectators)]
    for client in clients:
        client.attach()
    return clients


def read_all(clients: Sequence[Client]) -> None:
    for client in clients:
        client.read()


async def running(nursery: trio.Nursery, room: Room) -> list[Client]:
    """The room runs in the nursery; a client for each seat has read what there is."""
    await nursery.start(room.run)
    clients = table(room)
    await wait_all_tasks_blocked()
    read_all(clients)
    return clients


def asked(clients: Sequence[Client]) -> Client:
    """The one client that holds a question."""
    found = [client for client in clients if client.question is not None]
    assert len(found) == 1
    return found[0]
