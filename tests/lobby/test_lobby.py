"""The lobby: people, rooms, seats, decks, bots, starting, coming back."""

from __future__ import annotations

import pytest
import trio

from protocol import messages as m
from protocol.options import RoomOptions
from protocol.questions import PriorityAnswer, PriorityQuestion
from protocol.refusals import Code
from server.lobby.bots import BotSeat, bot_name
from server.lobby.names import clean_name, clean_text
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest, lobby_of, refusal_of, table_of
from tests.rooms.fake import FakeGame


async def settle() -> None:
    for _ in range(20):
        await trio.lowlevel.checkpoint()


async def test_hello_comes_first_and_once() -> None:
    async with lobby_of() as lobby:
        guest = Guest(lobby)
        assert await refusal_of(guest, m.Ping(id="1")) == Code.HELLO_FIRST
        welcome = await guest.hello("  Ada   L. ")
        assert welcome.name == "Ada L." and welcome.token and welcome.rooms == []
        assert await refusal_of(guest, m.Hello(id="2", name="Ada")) == Code.HELLO_TWICE
        assert await guest.ask(m.Ping(id="3")) == m.Pong(re="3")


async def test_a_token_is_a_person_also_after_a_restart() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage) as lobby:
        guest, passer_by = Guest(lobby), Guest(lobby)
        first = await guest.hello("Ada")
        await guest.ask(m.Open(id="o"))
        unseated = await passer_by.hello("Bob")
        await guest.ask(m.Leave(id="l"))
        again = await Guest(lobby).hello("Countess", first.token)
        assert (again.person, again.name, again.token) == (first.person, "Countess", first.token)
        assert (await Guest(lobby).hello("Bob", unseated.token)).person == unseated.person
    async with lobby_of(storage) as lobby:
        back = await Guest(lobby).hello("Countess", first.token)
        assert (back.person, back.name) == (first.person, "Countess")
        for token in ("guess", unseated.token):
            # Who never sat down anywhere left nothing on disk.
            assert await refusal_of(Guest(lobby), m.Hello(id="1", name="Ada", token=token)) == Code.BAD_TOKEN


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\u202eb", " ", "\u200b"])
def test_names_print_and_do_nothing_else(name: str) -> None:
    with pytest.raises(Exception, match="bad_name"):
        clean_name(name)
    assert clean_text(f"hi {name}!").isprintable()


@pytest.mark.rule("current 800.5", "808.2", "810.3")
async def test_a_room_is_opened_listed_joined_and_left() -> None:
    async with lobby_of() as lobby:
        host, other = Guest(lobby), Guest(lobby)
        await host.hello("Ada")
        await other.hello("Bob")
        opened = await host.ask(m.Open(id="o", options=RoomOptions(title="Friday", seats=3)))
        assert isinstance(opened, m.Room) and opened.room.you == 0 and opened.room.host == 0
        listed = await other.ask(m.ListRooms(id="l"))
        assert isinstance(listed, m.Rooms)
        assert [(r.id, r.taken, r.host, r.state) for r in listed.rooms] == [(opened.room.id, 1, "Ada", "gathering")]
        joined = await other.ask(m.Join(id="j", room=opened.room.id, seat=2))
        assert isinstance(joined, m.Room) and joined.room.you == 2
        assert host.last(m.Room).room.seats[2].name == "Bob"
        await host.ask(m.Leave(id="x"))
        told = other.last(m.Room).room
        assert told.host == 2 and told.seats[0].kind == "open", "the next in line is the host"
        await other.ask(m.Leave(id="x"))
        assert lobby.tables == {}, "nobody is left"


async def test_a_private_room_is_not_listed_and_a_seed_not_told() -> None:
    async with lobby_of() as lobby:
        host, other = Guest(lobby), Guest(lobby)
        await host.hello("Ada")
        await other.hello("Bob")
        opened = await host.ask(m.Open(id="o", options=RoomOptions(private=True, seed=7)))
        assert isinstance(opened, m.Room) and opened.room.options == RoomOptions(private=True)
        assert await other.ask(m.ListRooms(id="l")) == m.Rooms(re="l")
        assert isinstance(await other.ask(m.Join(id="j", room=opened.room.id)), m.Room)


async def test_what_is_refused_before_a_game() -> None:
    async with lobby_of() as lobby:
        host, other = Guest(lobby), Guest(lobby)
        await host.hello("Ada")
        await other.hello("ada")
        opened = await host.ask(m.Open(id="o", options=RoomOptions(seats=2)))
        assert isinstance(opened, m.Room)
        room = opened.room.id
        for guest, message, code in (
            (other, m.Join(id="1", room="nowhere"), Code.NO_SUCH_ROOM),
            (other, m.Join(id="1", room=room, seat=5), Code.NO_SUCH_SEAT),
            (other, m.Join(id="1", room=room, seat=0), Code.SEAT_TAKEN),
            (other, m.Join(id="1", room=room), Code.NAME_TAKEN),
            (other, m.Leave(id="1"), Code.NOT_IN_ROOM),
            (other, m.Say(id="1", text="hi"), Code.NOT_IN_ROOM),
            (host, m.Open(id="1"), Code.IN_A_ROOM),
            (host, m.ChooseDeck(id="1", house="dragons"), Code.UNKNOWN_DECK),
            (host, m.ChooseDeck(id="1"), Code.BAD_DECK),
            (host, m.ChooseDeck(id="1", house="bears", text="4 Bear"), Code.BAD_DECK),
            (host, m.ChooseDeck(id="1", text="4 Black Lotus"), Code.BAD_DECK),
            (host, m.Ready(id="1"), Code.NO_DECK),
            (host, m.AddBot(id="1", level="genius"), Code.UNKNOWN_BOT),
            (host, m.RemoveSeat(id="1", seat=1), Code.NO_SUCH_SEAT),
            (host, m.RemoveSeat(id="1", seat=0), Code.BAD_OPTION),
            (host, m.Start(id="1"), Code.NO_DECK),
            (host, m.Concede(id="1"), Code.NO_GAME),
            (host, m.Sync(id="1"), Code.NO_GAME),
            (host, m.Say(id="1", text="\x07"), Code.BAD_TEXT),
        ):
            assert await refusal_of(guest, message) == code, message
        other = Guest(lobby)
        await other.hello("Eve")
        await other.ask(m.Watch(id="w", room=room))
        for message, code in (
            (m.Start(id="1"), Code.NOT_HOST),
            (m.SetOptions(id="1", options=RoomOptions()), Code.NOT_HOST),
            (m.ChooseDeck(id="1", house="bears"), Code.NOT_SEATED),
            (m.Ready(id="1"), Code.NOT_SEATED),
        ):
            assert await refusal_of(other, message) == code, message


async def test_options_change_before_the_game() -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 3)
        host = guests[0]
        assert await refusal_of(host, m.SetOptions(id="1", options=RoomOptions(seats=2))) == Code.BAD_OPTION
        await guests[1].ask(m.Leave(id="l"))
        await host.ask(m.SetOptions(id="2", options=RoomOptions(seats=2, life=40)))
        told = guests[2].last(m.Room).room
        assert told.you == 1 and told.options.life == 40 and not told.seats[1].ready


async def test_a_game_is_started_played_and_over() -> None:
    async with lobby_of(game=FakeGame(turns=1)) as lobby:
        guests = await table_of(lobby, 2)
        watcher = Guest(lobby)
        await watcher.hello("Eve")
        room = guests[0].client.room
        await watcher.ask(m.Watch(id="w", room=room))
        assert await refusal_of(guests[1], m.Start(id="s")) == Code.NOT_HOST
        assert await guests[0].ask(m.Start(id="s")) == m.Ok(re="s")
        assert await refusal_of(guests[0], m.Start(id="t")) == Code.GAME_ON
        assert await refusal_of(guests[0], m.ChooseDeck(id="t", house="bears")) == Code.GAME_ON
        assert guests[0].last(m.Room).room.state == "playing" and guests[0].last(m.Room).room.chance
        assert watcher.last(m.ViewMessage).view.get("you") is None
        for guest in guests:
            await settle()
            guest.read()
            question = next(
                message.question
                for message in reversed(guest.got)
                if isinstance(message, m.QuestionMessage | m.ViewMessage) and message.question
            )
            assert isinstance(question, PriorityQuestion)
            answer = m.AnswerMessage(id="a", question=question.id, answer=PriorityAnswer(index=0))
            assert await guest.ask(answer) == m.Ok(re="a")
        await settle()
        assert watcher.last(m.Over).result.winners == [0]
        assert watcher.last(m.Room).room.state == "over"


async def test_the_host_needs_everyone_ready() -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        await guests[1].ask(m.Ready(id="r", ready=False))
        assert await refusal_of(guests[0], m.Start(id="s")) == Code.NOT_READY
        await guests[1].ask(m.Leave(id="l"))
        assert await refusal_of(guests[0], m.Start(id="s")) == Code.NOT_READY


async def test_a_seat_waits_for_its_person_and_resuming_gives_one_whole_view() -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        await guests[0].ask(m.Start(id="s"))
        await settle()
        before = guests[0].last(m.ViewMessage)
        lobby.depart(guests[0].client)
        assert not guests[1].last(m.Room).room.seats[0].connected
        assert guests[1].last(m.Notice).key == "notice.lost_connection"

        back = Guest(lobby)
        token = next(g.token for g in guests[0].got if isinstance(g, m.Welcome))
        welcome = await back.hello("P0", token)
        assert welcome.rooms == [guests[1].client.room]
        await back.ask(m.Resume(id="r", room=welcome.rooms[0], epoch=before.epoch, seq=before.seq))
        views = [got for got in back.read() if isinstance(got, m.ViewMessage)]
        assert len(views) == 1 and views[0].view == before.view and views[0].question
        assert views[0].epoch != before.epoch
        assert guests[1].last(m.Notice).key == "notice.back"


async def test_the_newest_connection_holds_the_seat() -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        await guests[0].ask(m.Start(id="s"))
        token = next(g.token for g in guests[0].got if isinstance(g, m.Welcome))
        other = Guest(lobby)
        await other.hello("P0", token)
        await other.ask(m.Join(id="j", room=guests[1].client.room))
        assert other.last(m.Room).room.you == 0
        assert guests[0].last(m.Notice).key == "notice.elsewhere"
        assert await refusal_of(guests[0], m.Concede(id="c")) == Code.NOT_IN_ROOM
        lobby.depart(guests[0].client)
        assert other.last(m.Room).room.seats[0].connected, "the older connection's end is not the newer one's"


async def test_a_game_goes_on_after_a_restart() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage) as lobby:
        guests = await table_of(lobby, 2)
        await guests[0].ask(m.Start(id="s"))
        await settle()
        question = guests[0].last(m.ViewMessage).question
        assert isinstance(question, PriorityQuestion)
        played = m.AnswerMessage(id="a", question=question.id, answer=PriorityAnswer(index=1))
        assert await guests[0].ask(played) == m.Ok(re="a")
        await guests[0].ask(m.Sync(id="y"))
        view = guests[0].last(m.ViewMessage)
        token = next(g.token for g in guests[0].got if isinstance(g, m.Welcome))
        room = guests[0].client.room
    async with lobby_of(storage) as lobby:
        back = Guest(lobby)
        assert (await back.hello("P0", token)).rooms == [room]
        await back.ask(m.Resume(id="r", room=room, epoch=view.epoch, seq=view.seq))
        again = back.last(m.ViewMessage)
        played = m.AnswerMessage(id="a2", question=question.id, answer=PriorityAnswer(index=1))
        assert await back.ask(played) == m.Ok(re="a2", again=True), "acknowledged twice, played once"
        assert again.view == view.view and again.question == view.question


async def test_stops_may_be_left_before_the_game() -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        stops = m.Stops(id="st", mine=["end"], others=["end"])
        assert await guests[0].ask(stops) == m.Ok(re="st")
        await guests[0].ask(m.Start(id="s"))
        await settle()
        assert not any(isinstance(g, m.QuestionMessage) for g in guests[0].read()), "not asked where it has no stop"
        assert len([g for g in guests[0].got if g.re == "st"]) == 1
        asking = [g for g in guests[1].read() if isinstance(g, m.QuestionMessage | m.ViewMessage)]
        assert any(message.question and message.question.seat == 1 for message in asking)


@pytest.mark.parametrize("pauses", [False, True])
async def test_bots_take_their_time_only_where_the_room_wants_it(pauses: bool) -> None:
    seated: list[BotSeat] = []

    async def play(seat: BotSeat) -> None:
        seated.append(seat)
        await trio.sleep_forever()

    async with lobby_of(bots=play) as lobby:
        host = Guest(lobby)
        await host.hello("Ada")
        await host.ask(m.Open(id="o", options=RoomOptions(seats=2, bot_pauses=pauses)))
        await host.ask(m.AddBot(id="b"))
        await settle()
    assert [seat.pauses for seat in seated] == [pauses] and not RoomOptions().bot_pauses


async def test_bots_are_seated_and_removed() -> None:
    seated: list[BotSeat] = []
    gone: list[int] = []

    async def play(seat: BotSeat) -> None:
        guest = Guest(lobby)
        seated.append(seat)
        await guest.hello(seat.name, seat.token)
        await guest.ask(m.Resume(id="r", room=seat.room))
        try:
            await trio.sleep_forever()
        finally:
            lobby.depart(guest.client)
            gone.append(seat.seat)

    async with lobby_of(bots=play) as lobby:
        host = Guest(lobby)
        await host.hello("Ada")
        await host.ask(m.Open(id="o", options=RoomOptions(seats=3, seed=1)))
        await host.prepare()
        await host.ask(m.AddBot(id="b", deck="secrets"))
        await host.ask(m.AddBot(id="b"))
        assert await refusal_of(host, m.AddBot(id="b")) == Code.ROOM_FULL
        await settle()
        seats = host.last(m.Room).room.seats
        assert [(s.kind, s.connected, s.ready) for s in seats[1:]] == [("bot", True, True)] * 2
        assert seats[1].deck == "secrets" and seats[2].deck and len({s.name for s in seats}) == 3
        await host.ask(m.RemoveSeat(id="x", seat=1))
        await settle()
        assert gone == [1] and host.last(m.Room).room.seats[1].kind == "open"
        token = next(seat.token for seat in seated if seat.seat == 1)
        assert await refusal_of(Guest(lobby), m.Hello(id="h", name="x", token=token)) == Code.BAD_TOKEN
        await host.ask(m.AddBot(id="b"))
        await host.ask(m.Start(id="s"))
        await settle()
        assert host.last(m.Room).room.state == "playing"


def test_bots_have_names_of_their_own() -> None:
    taken: set[str] = set()
    for _ in range(30):
        taken.add(bot_name(taken))
    assert len(taken) == 30


async def test_a_bot_that_fails_is_started_again(autojump_clock: trio.testing.MockClock) -> None:
    tries: list[int] = []

    async def play(seat: BotSeat) -> None:
        tries.append(seat.seat)
        raise RuntimeError("a stranger's bot")

    async with lobby_of(bots=play) as lobby:
        host = Guest(lobby)
        await host.hello("Ada")
        await host.ask(m.Open(id="o"))
        await host.ask(m.AddBot(id="b"))
        await trio.sleep(100)
        assert len(tries) == 5
        assert await host.ask(m.Ping(id="p")) == m.Pong(re="p")


async def test_a_deck_list_is_judged_before_one_sits_anywhere() -> None:
    async with lobby_of() as lobby:
        guest = Guest(lobby)
        await guest.hello("Ada")
        fine = await guest.ask(m.CheckDeck(id="1", text="4 Bear"))
        assert isinstance(fine, m.DeckReport) and fine.cards and not fine.faults
        faulty = await guest.ask(m.CheckDeck(id="2", text="4 Black Lotus"))
        assert isinstance(faulty, m.DeckReport)
        assert [fault.line for fault in faulty.faults] == [1]


async def test_a_bot_that_fails_as_the_server_stops_ends_nothing_else() -> None:
    """Its fault and the end of its task come as one group."""
    failing = trio.Event()

    async def bot(_: BotSeat) -> None:
        async with trio.open_nursery() as nursery:

            async def fail() -> None:
                failing.set()
                try:
                    await trio.sleep_forever()
                finally:
                    raise RuntimeError("a defect")

            nursery.start_soon(fail)
            nursery.start_soon(trio.sleep_forever)

    async with lobby_of(bots=bot) as lobby:
        host = Guest(lobby)
        await host.hello("Ada")
        await host.ask(m.Open(id="o", options=RoomOptions(seats=2)))
        await host.ask(m.AddBot(id="b", level="simple"))
        await failing.wait()
