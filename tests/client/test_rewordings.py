"""At the terminal, before a game: cards of one's own deck in other words, and what others propose."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from msgspec.structs import replace

from client_cli.app import App
from client_cli.scenes import seen
from client_cli.session import Session
from protocol import messages as m
from protocol.by_hand import Paragraph, Rewording
from protocol.messages import ClientMessage
from protocol.rooms import Room, RoomState
from tests.client.fake import Fake, Send

TEXT = "Kettle Drake frobnicates."


class Gathering(Fake):
    """A room before its game, whose guest has proposed other words; ours are proposed as well."""

    def __init__(self) -> None:
        super().__init__([])
        other = {"card": "Odd Kin", "text": "Hum.", "line": "Flying", "read": "Flying"}
        self.proposed = [Rewording(ballot="w1", by=0, waiting=[0], **other)]

    def room(self) -> RoomState:
        return replace(super().room(), rewordings=self.proposed)

    async def message(self, message: ClientMessage, send: Send) -> bool:
        if isinstance(message, m.Paragraphs):
            self.got.append(message)
            told = [Paragraph(card="Wall", text="Hum."), Paragraph(card="Kettle Drake", text=TEXT)]
            await send(m.ParagraphsTold(re=message.id, paragraphs=told))
            return True
        if isinstance(message, m.Reword | m.Agree):
            self.got.append(message)
            self.proposed = [replace(one, waiting=[]) for one in self.proposed]
            await send(m.Ok(re=message.id))
            await send(Room(room=self.room()))
            return True
        return await super().message(message, send)


@asynccontextmanager
async def in_the_room(fake: Fake) -> AsyncIterator[App]:
    """A person in a room before its game."""
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session)
        await app.begin("r1")
        while app.room is None:
            await app.tell(await session.receive())
        yield app
        await session.aclose()
        nursery.cancel_scope.cancel()


async def test_what_is_by_hand_is_listed_and_said_in_other_words_by_its_number() -> None:
    fake = Gathering()
    async with in_the_room(fake) as app:
        await app.line("reword 2 Flying")
        assert "reword" in app.log[-1] and not any(isinstance(one, m.Reword) for one in fake.got)
        await app.line("reword")
        while app.reader is None:
            await app.tell(await app.session.receive())
        assert app.reader.lines[:2] == ["1. Wall: Hum.", f"2. Kettle Drake: {TEXT}"]
        app.reader = None
        await app.line("reword 2 Flying, trample")
        while not any(isinstance(one, m.Reword) for one in fake.got):
            await app.tell(await app.session.receive())
    (sent,) = (one for one in fake.got if isinstance(one, m.Reword))
    assert (sent.card, sent.text, sent.line) == ("Kettle Drake", TEXT, "Flying, trample")


async def test_what_is_proposed_stands_in_the_room_and_is_agreed_to_by_its_number() -> None:
    fake = Gathering()
    async with in_the_room(fake) as app:
        screen = seen(app)
        assert any("Odd Kin, as printed: Hum." in line for line in screen.body)
        at = next(i for i, choice in enumerate(screen.choices, 1) if choice == "agree: Odd Kin: Flying")
        await app.line(str(at))
        while "agree: Odd Kin: Flying" in seen(app).choices:
            await app.tell(await app.session.receive())
        assert any("the game begins with these words" in line for line in seen(app).body)
    assert [(one.ballot, one.yes) for one in fake.got if isinstance(one, m.Agree)] == [("w1", True)]
