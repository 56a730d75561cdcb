"""Sessions: hello, requests, patches, the lost connection; and bots that play over them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import trio
from msgspec import structs

from client_cli.asides import OwnChance
from client_cli.bot_kit import play, take_seat
from client_cli.bots import make
from client_cli.channels import websocket_dial
from client_cli.errors import RequestRefused, Unreachable
from client_cli.session import Session, open_session
from client_cli.show import Show
from client_cli.table import Table
from protocol import MSGPACK_SUBPROTOCOL
from protocol.messages import ClientMessage, Hello, Notice, Ok, Over, Patch, Ping, Refused, Sync, ViewMessage
from protocol.options import RoomOptions
from protocol.printings import ListPrintings, Printings
from protocol.questions import Answer, ConfirmAnswer, PriorityAnswer, Question
from protocol.rooms import Commit, Join, Leave, Open, Resume, RevealWanted, Room, RoomState, Seat, Start
from protocol.view import Event, Result
from tests.client.fake import Fake, Send
from tests.client.tables import Setting, confirm


@dataclass
class Fixed:
    """A player of few words."""

    say: Answer

    def answer(self, table: Table, question: Question) -> Answer:
        return self.say


YES = Fixed(ConfirmAnswer(yes=True))


async def seated(session: Session) -> None:
    await session.connect()
    await take_seat(session, "r1")
    await session.request(Start(id=session.new_id()), Ok)


@pytest.mark.parametrize("subprotocol", ["apnap.v1.json", MSGPACK_SUBPROTOCOL])
async def test_a_bot_plays_over_a_real_websocket(subprotocol: str) -> None:
    fake = Fake([confirm(i) for i in range(5)])
    async with fake.websocket() as url:
        with trio.fail_after(10):
            async with open_session(url, "Ann", subprotocol=subprotocol) as session:
                await take_seat(session, "r1")
                await session.request(Start(id=session.new_id()), Ok)
                outcome = await play(session, YES)
    assert outcome.over is not None and outcome.over.state_hash == "abc"
    assert (outcome.decisions, outcome.refusals, outcome.failures) == (5, 0, 0)
    assert fake.answers == [ConfirmAnswer(yes=True)] * 5
    assert session.table.view == fake.setting.view()
    assert session.table.mismatches == 0


async def test_the_same_over_memory(autojump_clock: trio.testing.MockClock) -> None:
    fake = Fake([confirm(i) for i in range(5)])
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await seated(session)
        outcome = await play(session, make("simple"))
        await session.aclose()
    assert outcome.over is not None and outcome.decisions == 5


async def test_a_lost_connection_is_resumed(autojump_clock: trio.testing.MockClock) -> None:
    fake = Fake([confirm(i) for i in range(6)])
    fake.drop_after = 3
    lost: list[str] = []
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        session.on_lost = lost.append
        await seated(session)
        outcome = await play(session, YES)
        await session.aclose()
    assert outcome.over is not None
    assert len(fake.answers) == 6
    assert len(lost) == 1
    hellos = [message for message in fake.got if isinstance(message, Hello)]
    assert [hello.token for hello in hellos] == ["", "t1"]
    assert set(hellos[1].faces) == set(fake.setting.faces)
    (resume,) = [message for message in fake.got if isinstance(message, Resume)]
    assert (resume.room, resume.epoch, resume.seq) == ("r1", 1, 2)


class HangsUp(Fake):
    """Hangs up at a ping; who comes back is told again what happened since the view that it had."""

    async def message(self, message: ClientMessage, send: Send) -> bool:
        if isinstance(message, Ping):
            return False
        if isinstance(message, Resume):
            await send(Room(re=message.id, room=self.room()))
            missed = [Event(kind="damage", key="notice.joined", args={"name": f"Event{n}"}) for n in (1, 2, 3)]
            await send(self.whole(events=missed[message.seq : self.seq]))
            return True
        return await super().message(message, send)


async def test_what_was_not_read_before_a_connection_broke_is_told_once(autojump_clock: trio.testing.MockClock) -> None:
    fake = HangsUp([confirm(i) for i in range(3)])
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await seated(session)
        while not session.table.started:
            await session.receive()
        await session.answer(fake.script[0].id, ConfirmAnswer(yes=True))
        with pytest.raises(Unreachable):
            await session.do(Ping(id=session.new_id()))
        while not isinstance(await session.receive(), ViewMessage):
            pass
        await session.aclose()
        nursery.cancel_scope.cancel()
    assert [event.args["name"] for event in session.table.events] == ["Event1"]


class TwoRooms(Fake):
    """Whoever comes back to its room finds the game over; then it has another room and another game."""

    name = "r1"

    def room(self) -> RoomState:
        return structs.replace(super().room(), id=self.name)

    async def message(self, message: ClientMessage, send: Send) -> bool:
        if isinstance(message, Open):
            self.name, self.script = "r2", [confirm(i) for i in range(3)]
        going_on = await super().message(message, send)
        if isinstance(message, Resume):
            await send(Over(result=Result(winners=[1], standings=[]), seed="1", state_hash="old"))
        return going_on


async def test_the_end_of_one_game_is_not_the_end_of_the_next(autojump_clock: trio.testing.MockClock) -> None:
    fake = TwoRooms([])
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        await session.request(Resume(id=session.new_id(), room="r1"), Room)
        assert isinstance(await session.receive(), ViewMessage)
        await session.do(Leave(id=session.new_id()))  # before anybody has read that the game is over
        await session.request(Open(id=session.new_id()), Room)
        await session.do(Start(id=session.new_id()))
        outcome = await play(session, YES)
        await session.aclose()
    assert outcome.decisions == 3 and outcome.over is not None and outcome.over.state_hash == "abc"


async def test_a_bot_whose_room_is_gone_after_a_restart_stops(autojump_clock: trio.testing.MockClock) -> None:
    class Gone(Fake):
        async def message(self, message: ClientMessage, send: Send) -> bool:
            if isinstance(message, Resume):
                await send(Refused(re=message.id, code="no_such_room", sentence="There is none."))
                return True
            return await super().message(message, send)

    fake = Gone([confirm(i) for i in range(3)])
    fake.drop_after = 1
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await seated(session)
        with trio.fail_after(60):
            outcome = await play(session, YES)
        await session.aclose()
    assert outcome.over is None and outcome.decisions == 1


async def test_nothing_is_said_of_a_chance_that_came_too_late(autojump_clock: trio.testing.MockClock) -> None:
    class Begun(Fake):
        """A room whose game begins as soon as one is in it, as after a rematch."""

        def room(self) -> RoomState:
            return structs.replace(super().room(), chance="ab" * 32)

        async def message(self, message: ClientMessage, send: Send) -> bool:
            if not isinstance(message, Commit):
                return await super().message(message, send)
            await send(Refused(re=message.id, code="game_on", sentence="Too late."))
            await send(Notice(key="notice.rematch", text="next"))
            return True

    async with trio.open_nursery() as nursery:
        session = Session(Begun([]).dial_memory(nursery), "Ann", adds_entropy=True)
        await session.connect()
        await session.send(Join(id=session.new_id(), room="r1"))
        told: list[object] = []
        while not told or not isinstance(told[-1], Notice):
            told.append(await session.receive())
        assert not any(isinstance(message, Refused) for message in told)
        await session.aclose()
        nursery.cancel_scope.cancel()


def test_one_game_is_not_measured_by_the_chance_of_the_one_before() -> None:
    chance = OwnChance()
    room = RoomState(id="r1", state="gathering", options=RoomOptions(), seats=[], you=0, chance="ab" * 32)
    assert isinstance(chance.said(Room(room=room), lambda: "1"), Commit)
    chance.said(RevealWanted(chance="ab" * 32, commits=["cd", ""]), lambda: "2")
    chance.said(Room(room=structs.replace(room, id="r2", chance="cd" * 32)), lambda: "3")
    chance.said(Over(result=Result(), seed="another", entropy=[], state_hash="", salt=""), lambda: "4")
    assert chance.faults is None


def test_who_has_left_a_room_and_is_back_commits_to_another_chance() -> None:
    """The server waits for it: the seat is taken anew, without what was committed to before."""
    chance = OwnChance()

    def in_room(committed: str) -> ClientMessage | None:
        seats = [Seat(seat=0, commit="ef" * 32), Seat(seat=1, commit=committed)]
        room = RoomState(id="r1", state="gathering", options=RoomOptions(), seats=seats, you=1, chance="ab" * 32)
        return chance.said(Room(room=room), lambda: "1")

    first = in_room("")
    assert isinstance(first, Commit)
    assert in_room("") is None, "the room has not taken it yet"
    assert in_room(first.hash) is None
    second = in_room("")
    assert isinstance(second, Commit) and second.hash != first.hash
    assert in_room("") is None


async def test_nobody_there() -> None:
    async with trio.open_nursery() as nursery:
        with pytest.raises(Unreachable):
            await websocket_dial("ws://127.0.0.1:9", nursery)()


async def test_gives_up_in_the_end(autojump_clock: trio.testing.MockClock) -> None:
    fake = Fake([confirm(i) for i in range(6)])
    fake.drop_after = 1
    async with trio.open_nursery() as nursery:
        real = fake.dial_memory(nursery)
        dialled = 0

        async def dial():
            nonlocal dialled
            dialled += 1
            if dialled > 1:
                raise Unreachable("gone")
            return await real()

        session = Session(dial, "Ann")
        await seated(session)
        with pytest.raises(Unreachable, match="no connection any more"):
            await play(session, YES)
        assert dialled > 10
        await session.aclose()


async def test_a_missed_patch_is_made_good(autojump_clock: trio.testing.MockClock) -> None:
    fake = Fake([confirm(i) for i in range(6)])
    fake.skip_patch = True
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await seated(session)
        outcome = await play(session, YES)
        await session.aclose()
    assert outcome.over is not None
    assert session.table.view == fake.setting.view()
    assert sum(isinstance(message, Sync) for message in fake.got) == 1


async def test_a_refused_answer_becomes_the_default(autojump_clock: trio.testing.MockClock) -> None:
    fake = Fake([confirm(1), confirm(2)])
    fake.refuse = [ConfirmAnswer(yes=True)]
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await seated(session)
        outcome = await play(session, YES)
        await session.aclose()
    assert fake.answers == [ConfirmAnswer(yes=False), ConfirmAnswer(yes=True)]
    assert outcome.refusals == 1 and "Against the rules." in outcome.last_refusal


class Broken:
    def answer(self, table: Table, question: Question) -> Answer:
        raise ZeroDivisionError


@pytest.mark.parametrize("player", [Broken(), Fixed(PriorityAnswer(index=0))])
async def test_a_broken_player_does_not_stop_the_game(player, autojump_clock: trio.testing.MockClock) -> None:
    fake = Fake([confirm(1)])
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await seated(session)
        outcome = await play(session, player)
        await session.aclose()
    assert fake.answers == [ConfirmAnswer(yes=False)]
    assert outcome.failures == 1


async def test_requests_bring_the_refusal(autojump_clock: trio.testing.MockClock) -> None:
    fake = Fake([])
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann")
        await session.connect()
        with pytest.raises(RequestRefused, match="Not here"):
            await session.do(Ping(id=session.new_id()))
        await session.request(Open(id=session.new_id()), Room)
        assert session.room == "r1"
        await session.send(Leave(id=session.new_id()))
        await session.receive()
        assert session.room == ""
        await session.aclose()


# --- the table ----------------------------------------------------------------------------------------------------


def test_patches_and_epochs() -> None:
    table = Table()
    fake = Fake([])
    assert table.feed(fake.whole())
    assert table.feed(Patch(epoch=1, seq=1, patch={"turn": 6}))
    assert table.view.turn == 6
    assert not table.feed(Patch(epoch=1, seq=3, patch={"turn": 8}))
    assert table.feed(Patch(epoch=1, seq=4, patch={"turn": 9}))  # asked for once only
    assert table.view.turn == 6
    assert table.feed(fake.whole())
    assert table.feed(Patch(epoch=1, seq=5, patch={"turn": 10}))  # an old one, still on its way
    assert table.view.turn == 5
    assert table.feed(Patch(epoch=2, seq=1, patch={"turn": 6}, digest="wrong"))
    assert (table.view.turn, table.mismatches) == (6, 1)


def test_names() -> None:
    setting = Setting()
    bear = setting.creature("Bear", 2, 2)
    table = setting.table()
    assert table.name(bear) == "Bear"
    assert table.name("99") == "99"
    assert isinstance(Fake([], setting).whole(), ViewMessage)


async def test_cards_are_read_in_french_by_who_reads_french(autojump_clock: trio.testing.MockClock) -> None:
    setting = Setting()
    bear = setting.creature("Grove Bear", 2, 2)
    fake = Fake([confirm()], setting)
    fake.french = {"Grove Bear": "Ours du bosquet"}
    for lang, name, asked in (("fr", "Ours du bosquet", [["Grove Bear"]]), ("en", "Grove Bear", [])):
        async with trio.open_nursery() as nursery:
            session = Session(fake.dial_memory(nursery), "Ann", lang=lang)
            fake.got.clear()
            await seated(session)
            while not session.table.started or (lang == "fr" and not session.table.printings):
                await session.receive()
            show = Show(session.table, lang)
            line = Event(kind="attack", key="event.attack", args={"card": "Grove Bear", "target": "Bob"})
            assert show.card(bear)[0].startswith(name) and name in show.event(line) and name in show.thing(bear)
            assert [one.names for one in fake.got if isinstance(one, ListPrintings)] == asked
            await session.aclose()
            nursery.cancel_scope.cancel()


async def test_a_server_that_has_no_words_in_french_says_nothing_of_it(autojump_clock: trio.testing.MockClock) -> None:
    class Older(Fake):
        async def message(self, message: ClientMessage, send: Send) -> bool:
            if isinstance(message, ListPrintings):
                self.got.append(message)
                await send(Refused(re=message.id, code="bad_message", sentence="What?"))
                return True
            return await super().message(message, send)

    setting = Setting()
    setting.creature("Grove Bear", 2, 2)
    fake = Older([confirm(1), confirm(2)], setting)
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann", lang="fr")
        await seated(session)
        while not session.table.question:
            await session.receive()
        await session.answer("q1", ConfirmAnswer(yes=True))
        heard = [await session.receive() for _ in range(2)]
        assert any(isinstance(one, ListPrintings) for one in fake.got)
        assert not any(isinstance(one, Refused | Printings) for one in heard)
        await session.aclose()
        nursery.cancel_scope.cancel()
