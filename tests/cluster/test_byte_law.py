"""The byte law at the line, from several workers, and out of PostgreSQL: of two games that differ in one player's library and hand,
whoever may not know that is sent the same bytes but for the time.

`tests.secrecy` has the law with all its kinds of differences, at the room.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from websockets.trio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol import JSON_SUBPROTOCOL
from tests.cluster.door import Door
from tests.cluster.test_workers import Workers
from tests.storage.cluster import cluster

OF_THE_ROOM = re.compile(
    r'"(left_ms|deadline_ms|paused_ms|epoch)":\d+|"(id|question)":"q[0-9a-z]+"|"(banks|away)":\{[^}]*\}'
)
"""Fields of time, and what each room counts by a key of its own."""
TOLD = ("view", "patch", "question", "closed", "notice", "automatic", "over")
LEAST = 20
"""Frames that each of them is sent."""


class Person:
    """Somebody at one connection, who answers each question as is proposed; `frames` are what they were sent of the game."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self.frames: list[str] = []
        self.asked: list[str] = []
        self.replies: dict[str, Any] = {}
        self._came = trio.Event()
        self._ids = 0

    async def read(self) -> None:
        async for frame in self._line:
            assert isinstance(frame, str)
            message = json.loads(frame)
            if "re" in message:
                self.replies[message["re"]] = message
            if message["type"] in TOLD:
                self.frames.append(OF_THE_ROOM.sub("", frame))
            question = message.get("question") if message["type"] in ("view", "question") else None
            if isinstance(question, dict):
                self.asked.append(question["kind"])
                if question["kind"] != "choose":  # what is discarded is seen
                    await self._say(type="answer", question=question["id"], answer=question["default"])
            self._came.set()
            self._came = trio.Event()

    async def _say(self, **message: Any) -> str:
        self._ids += 1
        await self._line.send(json.dumps({**message, "id": f"m{self._ids}"}))
        return f"m{self._ids}"

    async def ask(self, **message: Any) -> dict[str, Any]:
        """The reply to a message."""
        re = await self._say(**message)
        while re not in self.replies:
            await self._came.wait()
        assert self.replies[re]["type"] != "refused", self.replies[re]
        return self.replies[re]

    async def chooses(self) -> None:
        """Until they are asked which cards they discard."""
        while "choose" not in self.asked:
            await self._came.wait()


@asynccontextmanager
async def people(port: int, *names: str) -> AsyncIterator[list[Person]]:
    async with trio.open_nursery() as nursery:
        found: list[Person] = []
        for name in names:
            line = connect(f"ws://127.0.0.1:{port}", proxy=None, subprotocols=[Subprotocol(JSON_SUBPROTOCOL)])
            found.append(Person(await line.connect(nursery)))
            nursery.start_soon(found[-1].read)
            await found[-1].ask(type="hello", name=name, digests=True)
        yield found
        nursery.cancel_scope.cancel()


async def sent(port: int, deck: str) -> list[list[str]]:
    """What Ada and Zoe, who looks on, are sent of a game in which Bo plays that deck, until the first card is discarded."""
    options = {"seats": 2, "seed": 7, "first": 0}
    async with people(port, "Ada", "Bo", "Zoe") as (ada, bo, zoe):
        # A table of hers, so that, where there are several workers, she comes to the game from another.
        await zoe.ask(type="open", options={"seats": 2})
        room = (await ada.ask(type="open", options=options))["room"]["id"]
        await bo.ask(type="join", room=room)
        house = (await ada.ask(type="decks"))["decks"][0]["name"]
        await ada.ask(type="deck", house=house)
        await bo.ask(type="deck", text=deck)
        await bo.ask(type="ready")
        await zoe.ask(type="leave")
        await zoe.ask(type="watch", room=room)
        await ada.ask(type="start")
        await bo.chooses()
        for one in (ada, zoe):
            await one.ask(type="ping")  # whatever was sent before has come
        return [ada.frames, zoe.frames]


@pytest.fixture(params=["in a folder", pytest.param("in PostgreSQL", marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workers]:
    with ExitStack() as stack:
        store = stack.enter_context(cluster()).new() if request.param == "in PostgreSQL" else ""
        yield stack.enter_context(Workers(tmp_path / "data", stack.enter_context(Door()), store))


async def test_who_may_not_know_anothers_cards_is_sent_the_same_whatever_they_are(server: Workers) -> None:
    with trio.fail_after(120):
        await server.start()
        forests, mountains = [await sent(server.port, f"60 {land}") for land in ("Forest", "Mountain")]
    for viewer, one, other in zip(("Ada", "a spectator"), forests, mountains, strict=True):
        assert len(one) >= LEAST, "there was something to be seen"
        for first, second in zip(one, other, strict=True):
            assert first == second, viewer
