"""A bot whose answers a server does not take now."""

from __future__ import annotations

import trio
import trio.testing

from client_cli.bot_kit import LATER_SECONDS, play
from client_cli.session import Session
from client_cli.table import Table
from protocol.messages import AnswerMessage, ClientMessage, Refused
from protocol.questions import Answer, Question
from protocol.rooms import Resume
from tests.client.fake import Fake, Send
from tests.client.tables import confirm


class Passive:
    def answer(self, _table: Table, question: Question, /) -> Answer:
        return question.default


class Full(Fake):
    """Its disk takes no answer for so many seconds; `tried` is when there were some."""

    seconds = 100.0

    def __init__(self) -> None:
        super().__init__([confirm(0), confirm(1)])
        self.state = "playing"
        self.tried: list[float] = []

    async def message(self, message: ClientMessage, send: Send) -> bool:
        if isinstance(message, AnswerMessage):
            self.tried.append(trio.current_time())
            if trio.current_time() < self.seconds:
                await send(Refused(re=message.id, code="busy", sentence="The disk is full."))
                return True
        return await super().message(message, send)


async def test_a_bot_tries_again_soon_then_later(autojump_clock: trio.testing.MockClock) -> None:
    server = Full()
    async with trio.open_nursery() as nursery:
        session = Session(server.dial_memory(nursery), "Bot")
        await session.connect()
        await session.send(Resume(id="r", room="r1"))
        nursery.start_soon(play, session, Passive())
        await trio.sleep(server.seconds + 5)
        nursery.cancel_scope.cancel()
    assert server.tried[1] - server.tried[0] < LATER_SECONDS / 10
    assert len(server.tried) < 1.2 * server.seconds / LATER_SECONDS
    assert len(server.answers) == 2
