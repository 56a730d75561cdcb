"""Tables: bots that sit in, rematches, the live list, who hears what, idle rooms, games among those who are away."""

from __future__ import annotations

import gc
import time
import weakref
from typing import Any

import msgspec
import pytest
import trio
import trio.testing

from protocol import messages as m
from protocol import people as p
from protocol.options import RoomOptions
from protocol.patch import Tree, apply
from protocol.questions import PriorityAnswer
from protocol.refusals import Code
from server.lobby.bots import BotSeat
from server.lobby.lobby import Lobby
from server.rooms.tell import Teller
from server.settings import Limits, Settings
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest, lobby_of, refusal_of, table_of
from tests.rooms.fake import FakeGame


async def settle() -> None:
    for _ in range(40):
        await trio.lowlevel.checkpoint()


async def started(lobby: Lobby, seats: int = 2, **options: object) -> list[Guest]:
    guests = await table_of(lobby, seats, **options)
    await guests[0].ask(m.Start(id="start"))
    await settle()
    return guests


class Sitters:
    """A runner of bots that only look: whoever it is given sits in the room until it is cancelled."""

    def __init__(self) -> None:
        self.lobby: Lobby | None = None
        self.seated: list[BotSeat] = []

    async def __call__(self, bot: BotSeat) -> None:
        assert self.lobby is not None
        guest = Guest(self.lobby)
        try:
            await guest.hello(bot.name, bot.token)
            await guest.ask(m.Resume(id="r", room=bot.room))
            self.seated.append(bot)
            await trio.sleep_forever()
        finally:
            self.lobby.depart(guest.client)


async def lose(lobby: Lobby, guest: Guest) -> str:
    """The guest's connection is lost; its token."""
    lobby.depart(guest.client)
    await settle()
    return next(message.token for message in guest.got if isinstance(message, m.Welcome))


async def test_a_bot_plays_for_who_is_away_until_they_are_back() -> None:
    sitters, storage = Sitters(), MemoryStorage()
    async with lobby_of(storage, bots=sitters) as lobby:
        sitters.lobby = lobby
        ada, bob, cyd = await started(lobby, 3)
        room = ada.client.room
        assert await refusal_of(ada, m.BotFor(id="b0", seat=1)) == Code.NOT_AWAY
        token = await lose(lobby, bob)
        assert await refusal_of(ada, m.BotFor(id="b1", seat=1, level="genius")) == Code.UNKNOWN_BOT
        await ada.ask(m.BotFor(id="b2", seat=1))
        await cyd.ask(m.Consent(id="c", vote="v1"))
        await settle()
        assert [(bot.seat, bot.level) for bot in sitters.seated] == [(1, "simple")]
        seat = ada.last(m.Room).room.seats[1]
        assert (seat.kind, seat.stands_in, seat.name) == ("bot", True, "P1 (bot)")
        back = Guest(lobby)
        assert (await back.hello("P1", token)).rooms == [room]
        await back.ask(m.Resume(id="r", room=room))
        await settle()
        seat = ada.last(m.Room).room.seats[1]
        assert (seat.kind, seat.stands_in, seat.name, seat.connected) == ("person", False, "P1", True)
        table = lobby.tables[room]
        assert table.room is not None and table.room.bots == {}
        assert (await back.ask(m.Pass(id="p", until="my_turn"))) == m.Ok(re="p")


async def test_a_bot_that_plays_for_someone_still_does_after_a_restart(autojump_clock: trio.abc.Clock) -> None:
    sitters, storage = Sitters(), MemoryStorage()
    async with lobby_of(storage, bots=sitters) as lobby:
        sitters.lobby = lobby
        ada, bob = await started(lobby)
        room, token = ada.client.room, await lose(lobby, bob)
        await ada.ask(m.BotFor(id="b", seat=1))
        await settle()
        assert len(sitters.seated) == 1
    async with lobby_of(storage, bots=sitters) as lobby:
        sitters.lobby = lobby
        await trio.sleep(1)
        assert [bot.seat for bot in sitters.seated] == [1, 1]
        back = Guest(lobby)
        await back.hello("P1", token)
        reply = await back.ask(m.Join(id="j", room=room))
        assert isinstance(reply, m.Room) and reply.room.you == 1


async def finish(guests: list[Guest]) -> None:
    for guest in guests[1:]:
        await guest.ask(m.Concede(id="x"))
    await settle()


async def test_a_rematch_is_the_same_again_in_a_new_room() -> None:
    async with lobby_of() as lobby:
        guests = await started(lobby, 2, title="Friday")
        first = guests[0].client.room
        assert await refusal_of(guests[0], m.Rematch(id="early")) == Code.NOT_OVER
        await finish(guests)
        reply = await guests[1].ask(m.Rematch(id="again"))
        assert isinstance(reply, m.Room) and reply.room.id != first and reply.room.state == "gathering"
        assert guests[0].last(m.Room).room.rematch == reply.room.id
        assert await guests[0].ask(m.Rematch(id="again")) is not None
        await settle()
        room = guests[1].last(m.Room).room
        assert (room.id, room.state, room.options.title) == (reply.room.id, "playing", "Friday")
        assert [seat.name for seat in room.seats] == ["P0", "P1"]
        assert room.options.first == 1, "between two, who has lost plays first (103.2)"
        assert guests[0].last(m.ViewMessage).view["turn"] == 1


async def test_a_rematch_waits_for_no_one_who_has_gone() -> None:
    async with lobby_of() as lobby:
        guests = await started(lobby, 3)
        await finish(guests)
        await guests[2].ask(m.Leave(id="l"))
        for guest in guests[:2]:
            await guest.ask(m.Rematch(id="again"))
        room = guests[0].last(m.Room).room
        assert room.state == "gathering" and [seat.kind for seat in room.seats] == ["person", "person", "open"]
        assert room.host == 0


async def test_a_rematch_begins_when_one_who_was_lost_is_back() -> None:
    """Before the others had come, or only after they had gone on: with the deck of the game before, also for who came to look on."""
    for lost_first, comes in ((True, m.Resume), (False, m.Resume), (False, m.Watch)):
        async with lobby_of() as lobby:
            ada, bob = await started(lobby, 2)
            await finish([ada, bob])
            if not lost_first:
                await bob.ask(m.Rematch(id="again"))
            token = await lose(lobby, bob)
            await ada.ask(m.Rematch(id="again"))
            assert ada.last(m.Room).room.state == "gathering"
            again = Guest(lobby)
            rooms = (await again.hello("P1", token)).rooms
            await again.ask(comes(id="r", room=rooms[0] if lost_first else rooms[1]))
            if lost_first:
                await again.ask(m.Rematch(id="again"))
            await settle()
            assert ada.last(m.Room).room.state == "playing"


async def test_who_comes_to_a_rematch_with_fewer_seats_is_at_their_own() -> None:
    async with lobby_of() as lobby:
        guests = await started(lobby, 4)
        await finish(guests)
        await guests[1].ask(m.Leave(id="l"))
        await guests[0].ask(m.Rematch(id="again"))
        await guests[0].ask(m.SetOptions(id="o", options=RoomOptions(seats=3)))
        for seat, guest in enumerate((guests[2], guests[3]), 1):
            reply = await guest.ask(m.Rematch(id="again"))
            assert isinstance(reply, m.Room) and reply.room.you == seat
        assert [seat.connected for seat in guests[0].last(m.Room).room.seats] == [True, True, True]


async def test_who_asks_for_a_rematch_that_has_begun_with_them_is_in_its_game() -> None:
    async with lobby_of() as lobby:
        ada, bob = await started(lobby, 2)
        await finish([ada, bob])
        for guest in (ada, bob):
            await guest.ask(m.Rematch(id="again"))
        await settle()
        token = await lose(lobby, bob)
        again = Guest(lobby)
        over, _ = (await again.hello("P1", token)).rooms
        await again.ask(m.Resume(id="r", room=over))
        await settle()
        again.read().clear()
        await again.ask(m.Rematch(id="again"))
        await settle()
        assert again.last(m.ViewMessage).view["turn"] == 1, "of the new game"


async def test_who_was_blocked_in_a_rematch_does_not_come_back_by_the_room_before() -> None:
    async with lobby_of() as lobby:
        ada, bob, cleo = await started(lobby, 3)
        await finish([ada, bob, cleo])
        for guest in (ada, bob):
            await guest.ask(m.Rematch(id="again"))
        assert bob.client.person is not None
        await ada.ask(p.Kick(id="k", person=bob.client.person.id, block=True))
        over = cleo.client.room
        await bob.ask(m.Resume(id="r", room=over))
        assert await refusal_of(bob, m.Rematch(id="again")) == Code.BLOCKED
        assert bob.client.room == over


async def test_the_list_of_rooms_is_live_and_filtered(autojump_clock: trio.abc.Clock) -> None:
    async with lobby_of() as lobby:
        reader = Guest(lobby)
        await reader.hello("Reader")
        reply = await reader.ask(m.ListRooms(id="l", live=True, free=True, text="fri"))
        assert isinstance(reply, m.Rooms) and (reply.rooms, reply.seq) == ([], 1)
        guests = [Guest(lobby) for _ in range(3)]
        for number, guest in enumerate(guests):
            await guest.hello(f"P{number}")
        opened = await guests[0].ask(m.Open(id="o", options=RoomOptions(title="Friday", seats=2)))
        assert isinstance(opened, m.Room)
        await guests[1].ask(m.Open(id="o", options=RoomOptions(title="Monday", seats=2)))
        await trio.sleep(1)
        (patch,) = [message for message in reader.read() if isinstance(message, m.RoomsPatch)]
        tree: Tree = apply({}, patch.patch)
        assert patch.seq == 2 and list(tree) == [opened.room.id]
        assert tree[opened.room.id]["taken"] == 1  # type: ignore[index,call-overload]
        await guests[2].ask(m.Join(id="j", room=opened.room.id))
        await trio.sleep(1)
        patches = [message for message in reader.read() if isinstance(message, m.RoomsPatch)]
        assert [p.seq for p in patches] == [2, 3] and patches[-1].patch == {opened.room.id: None}
        await reader.ask(m.ListRooms(id="l2"))
        await guests[2].ask(m.Leave(id="x"))
        await trio.sleep(1)
        assert len([message for message in reader.read() if isinstance(message, m.RoomsPatch)]) == 2


async def watched(lobby: Lobby, **options: object) -> tuple[list[Guest], Guest]:
    guests = await started(lobby, 2, **options)
    watcher = Guest(lobby)
    await watcher.hello("Watcher")
    await watcher.ask(m.Watch(id="w", room=guests[0].client.room))
    return guests, watcher


def heard(guest: Guest) -> list[str]:
    return [message.text for message in guest.read() if isinstance(message, m.Chat)]


async def test_who_hears_what_is_said() -> None:
    async with lobby_of() as lobby:
        (ada, _), watcher = await watched(lobby)
        await ada.ask(m.Say(id="1", text="to all"))
        await ada.ask(m.Say(id="2", text="to seats", to="seats"))
        await watcher.ask(m.Say(id="3", text="to watchers", to="watchers"))
        await watcher.ask(m.Say(id="4", text="out loud"))
        assert heard(ada) == ["to all", "to seats", "out loud"]
        assert heard(watcher) == ["to all", "to seats", "to watchers", "out loud"]


async def test_watchers_may_have_to_be_quiet_while_the_game_is_on() -> None:
    async with lobby_of() as lobby:
        (ada, _), watcher = await watched(lobby, quiet_watchers=True)
        await watcher.ask(m.Say(id="1", text="attack!"))
        await watcher.ask(m.Emote(id="2", emote="wow"))
        assert heard(ada) == [] and heard(watcher) == ["attack!"]
        assert not any(isinstance(message, m.Emoted) for message in ada.read())


async def test_an_emote_is_for_all_and_not_for_a_flood() -> None:
    async with lobby_of() as lobby:
        (ada, bob), watcher = await watched(lobby)
        await ada.ask(m.Emote(id="1", emote="good_game"))
        for guest in (bob, watcher):
            assert guest.last(m.Emoted) == m.Emoted(name="P0", emote="good_game", seat=0)
        assert await refusal_of(ada, m.Emote(id="2", emote="wow")) == Code.TOO_FAST


async def test_an_idle_room_is_closed_with_notice() -> None:
    async with lobby_of() as lobby:
        host = Guest(lobby)
        await host.hello("Ada")
        opened = await host.ask(m.Open(id="o"))
        assert isinstance(opened, m.Room)
        table = lobby.tables[opened.room.id]
        table.acted = time.monotonic() - 7000
        await lobby.upkeep.sweep()
        assert host.last(m.Notice).key == "notice.idle" and opened.room.id in lobby.tables
        await host.ask(m.Say(id="s", text="still here"))
        table.acted -= 7100
        await lobby.upkeep.sweep()
        table.acted -= 3600
        await lobby.upkeep.sweep()
        assert host.last(m.Notice).key == "notice.idle_closed" and lobby.tables == {}
        assert await refusal_of(host, m.Say(id="s", text="hello?")) == Code.NOT_IN_ROOM


async def test_watchers_see_the_game_late(autojump_clock: trio.abc.Clock) -> None:
    async with lobby_of(game=FakeGame(turns=4)) as lobby:
        (ada, bob), watcher = await watched(lobby, delay_ms=60_000)
        await trio.sleep(30)
        assert not any(isinstance(message, m.ViewMessage) for message in watcher.read())
        question = ada.last(m.ViewMessage).question
        assert question
        await ada.ask(m.AnswerMessage(id="a", question=question.id, answer=PriorityAnswer(index=1)))
        await trio.sleep(35)
        view = watcher.last(m.ViewMessage).view
        assert "battlefield" not in view and "battlefield" in bob.last(m.Patch).patch
        await trio.sleep(30)
        assert "battlefield" in apply(view, watcher.last(m.Patch).patch)
        await bob.ask(m.Concede(id="c"))
        await trio.sleep(10)
        assert not any(isinstance(message, m.Over) for message in watcher.read())
        assert (ada.last(m.Room).room.state, watcher.last(m.Room).room.state) == ("over", "playing")
        await trio.sleep(60)
        assert watcher.last(m.Over).result.winners == [0] and watcher.last(m.Room).room.state == "over"


async def test_late_watchers_hear_the_players_as_late_as_they_see_the_game(autojump_clock: trio.abc.Clock) -> None:
    async with lobby_of(game=FakeGame(turns=4)) as lobby:
        (ada, bob), watcher = await watched(lobby, delay_ms=60_000)
        other = Guest(lobby)
        await other.hello("Other")
        await other.ask(m.Watch(id="w", room=ada.client.room))
        await ada.ask(m.Say(id="1", text="I have the counterspell"))
        await ada.ask(m.Emote(id="2", emote="wow"))
        await watcher.ask(m.Say(id="3", text="who wins?"))
        assert heard(bob) == ["I have the counterspell", "who wins?"] and bob.last(m.Emoted).emote == "wow"
        assert heard(watcher) == heard(other) == ["who wins?"], "what watchers say is of no moment of the game"
        await trio.sleep(59)
        assert heard(other) == ["who wins?"]
        assert not any(isinstance(got, m.Emoted) for got in other.read()), "an emote is said as late as a word"
        await trio.sleep(2)
        assert heard(watcher) == ["who wins?", "I have the counterspell"] and watcher.last(m.Emoted).emote == "wow"
        await bob.ask(m.Concede(id="c"))
        await bob.ask(m.Say(id="4", text="well played"))
        await trio.sleep(30)
        assert "well played" not in heard(watcher), "the game is not over for them yet"
        await trio.sleep(31)
        assert heard(watcher)[-1] == "well played"
        await bob.ask(m.Say(id="5", text="again?"))
        assert heard(watcher)[-1] == "again?"


async def test_previews_are_counted() -> None:
    async with lobby_of(settings=Settings(limits=Limits(previews_per_minute=2))) as lobby:
        ada, _ = await started(lobby)
        question = ada.last(m.ViewMessage).question
        assert question
        codes = [
            await refusal_of(ada, m.Preview(id=f"p{n}", question=question.id, answer=PriorityAnswer(index=1)))
            for n in range(3)
        ]
        assert codes == ["", "", Code.TOO_MANY_TRIES]


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ({"first": 1}, "first", 1),
        ({"teams": [0, 1]}, "teams", (0, 1)),
        ({"hand": 5}, "hand_size", 5),
        ({"mulligans": False}, "mulligans", False),
        ({"first_draw": True}, "first_draw", True),
    ],
)
async def test_options_of_the_rules_reach_the_game(options: dict[str, object], field: str, value: object) -> None:
    storage = MemoryStorage()
    async with lobby_of(storage) as lobby:
        guests = await started(lobby, 2, **options)
        setup = (await storage.load(guests[0].client.room)).setup
    assert getattr(setup if field == "first" else setup.rules, field) == value


@pytest.mark.parametrize(
    "options",
    [
        {"seats": 2, "first": 5},
        {"seats": 3, "teams": [0, 1]},
        {"seats": 2, "teams": [1, 1]},
        {"answer_ms": 5000, "clock": {"kind": "chess", "ms": 5000}},
    ],
)
async def test_options_that_do_not_go_together_are_refused(options: dict[str, object]) -> None:
    async with lobby_of() as lobby:
        guest = Guest(lobby)
        await guest.hello("Ada")
        message = m.Open(id="o", options=msgspec.convert(options, RoomOptions))
        assert await refusal_of(guest, message) == Code.BAD_OPTION


async def test_a_room_that_all_have_left_is_put_away_within_seconds(autojump_clock: trio.testing.MockClock) -> None:
    async with lobby_of(settings=Settings(limits=Limits(empty_room_seconds=1e-9))) as lobby:
        guests = await started(lobby)
        await guests[0].ask(m.Concede(id="c"))
        await settle()
        for guest in guests:
            lobby.depart(guest.client)
        assert lobby.tables
        await trio.sleep(6)
        assert not lobby.tables


async def test_a_room_that_is_closed_is_gone_without_the_collector(autojump_clock: trio.testing.MockClock) -> None:
    """The collector of cycles comes round after hours: until then every game that was ever played would be kept."""
    async with lobby_of() as lobby:
        gc.collect()
        gc.disable()
        try:
            guests = await table_of(lobby)
            await guests[0].ask(m.Start(id="s"))
            room = next(iter(lobby.tables.values())).room
            assert room is not None
            gone = weakref.ref(room)
            del room
            await lobby.close_room(next(iter(lobby.tables.values())))
            for guest in guests:
                lobby.depart(guest.client)
            await trio.sleep(1)
            assert not lobby.tables and gone() is None
        finally:
            gc.enable()


async def test_who_come_back_at_once_are_shown_the_table_one_after_the_other(
    autojump_clock: trio.abc.Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In slices of no length each whole view is made in a turn of the loop of its own; the last of a thousand objects takes long."""
    turn, turns, whole = 0, list[int](), Teller.whole

    class Turns(trio.abc.Instrument):
        def after_io_wait(self, timeout: float) -> None:
            nonlocal turn
            turn += 1

    def shown(*given: Any) -> None:
        turns.append(turn)
        whole(*given)

    async with lobby_of() as lobby:
        guests = await started(lobby, 3)
        room = guests[0].client.room
        lobby.slices.seconds = 0.0
        trio.lowlevel.add_instrument(Turns())
        monkeypatch.setattr(Teller, "whole", shown)
        async with trio.open_nursery() as nursery:
            for number, guest in enumerate(guests):
                nursery.start_soon(guest.ask, m.Resume(id=f"r{number}", room=room))
            for number in range(3):
                watcher = Guest(lobby)
                await watcher.hello(f"Watcher {number}")
                nursery.start_soon(watcher.ask, m.Watch(id="w", room=room))
    assert len(set(turns)) == len(turns) == 6
