"""A stand-in for a server: one room, whose game asks one question after another. Over memory or real websockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import trio
from websockets.exceptions import ConnectionClosed
from websockets.trio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client_cli.channels import Channel, ServerEnd, memory_channels
from protocol import JSON_SUBPROTOCOL, SUBPROTOCOLS
from protocol.codec import BY_SUBPROTOCOL
from protocol.messages import (
    AnswerMessage,
    ClientMessage,
    Hello,
    Ok,
    Over,
    Pass,
    Patch,
    QuestionMessage,
    Refused,
    ServerMessage,
    Stops,
    Sync,
    ViewMessage,
    Welcome,
)
from protocol.options import RoomOptions
from protocol.printings import ListPrintings, Printing, Printings
from protocol.questions import Answer, Question
from protocol.rooms import (
    AddBot,
    ChooseDeck,
    Decks,
    DeckSummary,
    Join,
    Leave,
    ListDecks,
    ListRooms,
    Open,
    Ready,
    Resume,
    Room,
    Rooms,
    RoomState,
    RoomSummary,
    Seat,
    Start,
)
from protocol.view import Event, Result, Standing, digest, write
from tests.client.tables import Setting

Send = Callable[[ServerMessage], Awaitable[None]]


class Fake:
    """Answers every message. `script` are the questions to ask; `refuse` answers to refuse once."""

    def __init__(self, script: list[Question], setting: Setting | None = None) -> None:
        self.script = list(script)
        self.setting = setting or Setting()
        self.answers: list[Answer] = []
        self.got: list[ClientMessage] = []
        self.refuse: list[Answer] = []
        self.french: dict[str, str] = {}
        """Names of cards in French."""
        self.seats = [Seat(seat=i) for i in range(4)]
        self.state = "gathering"
        self.epoch = 0
        self.seq = 0
        self.drop_after: int | None = None
        """Hang up instead of replying to the answer of that number."""
        self.skip_patch = False
        """Lose one patch."""

    def room(self) -> RoomState:
        return RoomState(id="r1", state=self.state, options=RoomOptions(), seats=self.seats, host=0, you=0)

    def whole(self, *, events: list[Event] | None = None) -> ViewMessage:
        self.epoch += 1
        self.seq = 0
        tree = write(self.setting.view())
        extra = {"question": self.script[0]} if self.script else {}
        return ViewMessage(
            epoch=self.epoch,
            seq=0,
            view=tree,
            faces=self.setting.faces,
            events=events or [],
            digest=digest(tree),
            **extra,  # type: ignore[arg-type]
        )

    async def message(self, message: ClientMessage, send: Send) -> bool:
        """Reply; False to hang up."""
        self.got.append(message)
        match message:
            case Hello():
                name = message.name
                rooms = ["r1"] if message.token and self.state == "playing" else []
                await send(
                    Welcome(re=message.id, server="fake", version=1, person="p1", name=name, token="t1", rooms=rooms)
                )
            case ListRooms():
                summary = RoomSummary(id="r1", state="gathering", options=RoomOptions(), taken=1, host="Ann")
                await send(Rooms(re=message.id, rooms=[summary]))
            case ListPrintings(names=names):
                known = {name: Printing(name=self.french[name]) for name in names if name in self.french}
                await send(Printings(re=message.id, lang="fr", printings=known))
            case ListDecks():
                decks = [DeckSummary(name="Green", colors="G", cards=60), DeckSummary(name="Red", colors="R", cards=60)]
                await send(Decks(re=message.id, decks=decks, bots=["simple", "random"]))
            case Open() | Join():
                self.seats[0] = Seat(seat=0, kind="person", name="Ann", connected=True)
                await send(Room(re=message.id, room=self.room()))
            case ChooseDeck():
                self.seats[0] = Seat(seat=0, kind="person", name="Ann", deck=message.house, connected=True)
                await send(Ok(re=message.id))
                await send(Room(room=self.room()))
            case AddBot():
                at = next(i for i, seat in enumerate(self.seats) if seat.kind == "open")
                self.seats[at] = Seat(seat=at, kind="bot", name=f"Bot{at}", level="simple", deck="Red", ready=True)
                await send(Ok(re=message.id))
                await send(Room(room=self.room()))
            case Start():
                self.state = "playing"
                await send(Ok(re=message.id))
                await send(Room(room=self.room()))
                await send(self.whole())
            case Resume():
                await send(Room(re=message.id, room=self.room()))
                await send(self.whole())
            case Sync():
                await send(self.whole())
            case AnswerMessage():
                return await self._answer(message, send)
            case Leave() | Ready() | Pass() | Stops():
                await send(Ok(re=message.id))
            case _:
                await send(Refused(re=message.id, code="illegal", sentence="Not here."))
        return True

    async def _answer(self, message: AnswerMessage, send: Send) -> bool:
        if not self.script or message.question != self.script[0].id:
            await send(Refused(re=message.id, code="stale", sentence="Too late."))
            return True
        if message.answer in self.refuse:
            self.refuse.remove(message.answer)
            await send(Refused(re=message.id, code="illegal", sentence="Against the rules.", rule="509.1"))
            return True
        self.answers.append(message.answer)
        self.script.pop(0)
        if self.drop_after == len(self.answers):
            return False
        await send(Ok(re=message.id))
        await self._advance(send)
        return True

    async def _advance(self, send: Send) -> None:
        before = write(self.setting.view())
        self.setting.players[1]["life"] = int(self.setting.players[1]["life"]) - 1
        after = write(self.setting.view())
        from protocol.patch import diff

        self.seq += 1
        if self.skip_patch:
            self.skip_patch = False
            self.seq += 1
        await send(
            Patch(
                epoch=self.epoch,
                seq=self.seq,
                patch=diff(before, after),
                digest=digest(after),
                events=[Event(kind="damage", key="notice.joined", args={"name": f"Event{self.seq}"})],
            )
        )
        if self.script:
            await send(QuestionMessage(epoch=self.epoch, seq=self.seq, question=self.script[0]))
        else:
            standings = [Standing(seat=0, place=1, reason="lost.winner", turn=5), Standing(seat=1, place=2)]
            await send(Over(result=Result(winners=[0], standings=standings), seed="7", state_hash="abc"))

    # --- over memory and over websockets -----------------------------------------------------------------------------

    def dial_memory(self, nursery: trio.Nursery) -> Callable[[], Awaitable[Channel]]:
        """A dialler of this server within the process."""

        async def dial() -> Channel:
            channel, end = memory_channels()
            nursery.start_soon(self._serve_memory, end)
            return channel

        return dial

    async def _serve_memory(self, end: ServerEnd) -> None:
        async with end.outbox, end.inbox:
            async for message in end.inbox:
                try:
                    if not await self.message(message, end.outbox.send):
                        return
                except trio.BrokenResourceError:
                    return

    async def _serve_websocket(self, websocket: ServerConnection) -> None:
        codec = BY_SUBPROTOCOL[websocket.subprotocol or JSON_SUBPROTOCOL]

        async def send(message: ServerMessage) -> None:
            await websocket.send(codec.write(message))

        try:
            while await self.message(codec.read_client(await websocket.recv()), send):
                pass
        except ConnectionClosed:
            pass

    @asynccontextmanager
    async def websocket(self) -> AsyncIterator[str]:
        """Serve on a free port; the URL."""
        async with trio.open_nursery() as nursery:
            server = await nursery.start(
                lambda task_status: serve(
                    self._serve_websocket,
                    port=0,
                    host="127.0.0.1",
                    subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
                    task_status=task_status,
                )
            )
            port = server.listeners[0].socket.getsockname()[1]
            yield f"ws://127.0.0.1:{port}"
            nursery.cancel_scope.cancel()
