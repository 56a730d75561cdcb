"""Whatever a client sends over a real socket, every message has one reply."""

from __future__ import annotations

import json
from typing import Any

import trio
import trio.testing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol import messages as m
from protocol.codec import JSON
from protocol.refusals import Code
from server.net.session import serve_connection
from tests.lobby.parlour import lobby_of
from tests.net.test_net import Silent

WORDS = st.sampled_from(["", "a", "room", "q1", "bears", "simple", "off", "end"]) | st.text(max_size=5)
MESSAGES = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                "list",
                "decks",
                "open",
                "join",
                "watch",
                "resume",
                "leave",
                "options",
                "add_bot",
                "remove",
                "deck",
                "ready",
                "start",
            ]
        )
    },
    optional={
        "id": WORDS,
        "room": WORDS,
        "seat": st.integers(-1, 11),
        "options": st.fixed_dictionaries({}, optional={"seats": st.integers(0, 12), "life": st.integers()}),
        "house": WORDS,
        "text": WORDS,
        "ready": st.booleans(),
        "level": WORDS,
        "question": WORDS,
        "until": WORDS,
    },
)


@given(st.lists(MESSAGES | st.dictionaries(WORDS, WORDS) | st.text(max_size=30), max_size=25))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_sent_every_message_has_one_reply(frames: list[Any]) -> None:
    """Fuzz: each frame is answered once, in order, never with a defect; and the lobby lives."""

    async def main() -> None:
        async with lobby_of() as lobby, trio.open_nursery() as nursery:
            connection = _Frames([json.dumps(frame) if isinstance(frame, dict) else frame for frame in frames])
            nursery.start_soon(serve_connection, connection, lobby)
            with trio.fail_after(20):
                await connection.done.wait()
            nursery.cancel_scope.cancel()
        replies = [got for got in connection.sent if got.re or isinstance(got, m.Refused)]
        assert len(replies) == len(frames) + 2
        for got in replies:
            assert not (isinstance(got, m.Refused) and got.code == Code.DEFECT)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


class _Frames(Silent):
    """Hello, some frames, and a ping; `done` when the pong has come."""

    def __init__(self, frames: list[str]) -> None:
        super().__init__()
        hello, ping = '{"type":"hello","id":"first","name":"x"}', '{"type":"ping","id":"last"}'
        self._frames = [ping, *reversed(frames), hello]
        self.done = trio.Event()

    async def receive(self) -> m.ClientMessage:
        await trio.lowlevel.checkpoint()
        if not self._frames:
            await trio.sleep_forever()
        return JSON.read_client(self._frames.pop())

    async def send(self, message: m.ServerMessage) -> None:
        await super().send(message)
        if isinstance(message, m.Pong):
            self.done.set()
