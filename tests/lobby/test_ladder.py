"""The ladder: what counts for it, once and no more, and who is told what."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
import trio.testing

from protocol import messages as m
from protocol import people as p
from protocol.options import BankClock, RoomOptions
from protocol.refusals import Refusal
from server.command.main import main
from server.command.rating import ByPlackettLuce
from server.lobby.ladder import DUE, KIND, LadderRecord
from server.lobby.lobby import Lobby
from server.lobby.others import Alone
from server.lobby.upkeep import FORGET_SECONDS
from server.rules.turn import Corrected
from server.storage import (
    Amended,
    AnyEntry,
    Ended,
    MemoryStorage,
    SeatTaken,
    Stopped,
    StorageFault,
    TakenBack,
    open_sqlite,
)
from server.storage.migrating import migrate
from tests.lobby.parlour import Guest, lobby_of, refusal_of
from tests.rooms.fake import setup_of

RATE = ByPlackettLuce()
RATED = RoomOptions(seats=2, rated=True)


async def table(
    lobby: Lobby, options: RoomOptions = RATED, *, addresses: Sequence[str] = (), bot: bool = False
) -> list[Guest]:
    """Ann's table and who else sits there, with accounts unless they are bots, each from an address of their own, ready."""
    places = addresses or [f"192.0.2.{number}" for number in range(options.seats)]
    guests = [Guest(lobby, address) for address in places]
    for guest, name in zip(guests, ("Ann", "Ben", "Cid", "Dee"), strict=False):
        await guest.hello(name, bot=bot)
        assert guest.client.person is not None
        guest.client.person.role = "guest" if bot else "account"
    opened = await guests[0].ask(m.Open(id="o", options=options))
    assert isinstance(opened, m.Room)
    for guest in guests[1:]:
        await guest.ask(m.Join(id=guest.id(), room=opened.room.id))
    for guest in guests:
        await guest.prepare()
    return guests


async def forget(guest: Guest) -> None:
    """Delete all that is kept of somebody, who has no password."""
    assert guest.client.person is not None
    guest.client.person.role = "guest"
    await guest.ask(p.ForgetMe(id="f"))


async def play(lobby: Lobby, guests: Sequence[Guest], loser: int = 1) -> str:
    """One game, in which one concedes; the room."""
    await guests[0].ask(m.Start(id=guests[0].id()))
    room = guests[0].client.room
    await guests[loser].ask(m.Concede(id=guests[loser].id()))
    await trio.testing.wait_all_tasks_blocked()
    return room


async def ratings(guest: Guest, **asked: str) -> p.Ratings:
    told = await guest.ask(p.ListRatings(id=guest.id(), **asked))
    assert isinstance(told, p.Ratings)
    return told


async def test_who_wins_a_rated_game_stands_above_who_loses_it(autojump_clock: trio.testing.MockClock) -> None:
    async with lobby_of(rate=RATE) as lobby:
        ann, ben = await table(lobby)
        await play(lobby, (ann, ben))
        told = await ratings(ben, person=ben.last(m.Welcome).person)
    assert (told.ladder, told.ladders) == ("constructed", ["constructed"])
    assert [(one.name, one.games, one.wins) for one in told.rated] == [("Ann", 1, 1), ("Ben", 1, 0)]
    winner, loser = told.rated
    assert winner.rating > 25 > loser.rating
    assert 0 < winner.spread < 2 * 25 / 3, "surer than before any game"
    assert told.of == [loser]


async def test_a_game_that_did_not_ask_for_it_is_not_rated(autojump_clock: trio.testing.MockClock) -> None:
    async with lobby_of(rate=RATE) as lobby:
        ann, ben = await table(lobby, RoomOptions(seats=2))
        await play(lobby, (ann, ben))
        assert (await ratings(ann)).ladders == []


async def test_a_server_has_no_ladder_unless_its_host_wants_one() -> None:
    async with lobby_of() as lobby:
        guest = Guest(lobby)
        assert not (await guest.hello("Ann")).ladder
        assert await refusal_of(guest, m.Open(id="o", options=RATED)) == "unrated"
        assert await refusal_of(guest, p.ListRatings(id="r")) == "unrated"
    async with lobby_of(rate=RATE) as lobby:
        assert (await Guest(lobby).hello("Ann")).ladder


@pytest.mark.parametrize(
    "options",
    [{"by_hand": "unread"}, {"by_hand": "open"}, {"seed": 7}, {"agreement": "most", "private": True}],
    ids=str,
)
async def test_what_is_rated_has_no_acts_by_hand_nor_a_known_seed_and_is_ended_by_no_majority(
    options: dict[str, str | int],
) -> None:
    wanted = msgspec.convert({"seats": 2, "rated": True, **options}, RoomOptions)
    async with lobby_of(rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ann")
        assert await refusal_of(guest, m.Open(id="o", options=wanted)) == "unrated"
        await guest.ask(m.Open(id="o", options=RATED))
        assert await refusal_of(guest, m.SetOptions(id="s", options=wanted)) == "unrated"


@pytest.mark.parametrize("said", [{}, {"answer_ms": 20_000}, {"clock": {"kind": "chess", "ms": 600_000}}], ids=str)
async def test_nobody_saves_their_rating_by_saying_nothing(said: dict[str, Any]) -> None:
    wanted = msgspec.convert({"seats": 2, "rated": True, **said}, RoomOptions)
    async with lobby_of(rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ann")
        opened = await guest.ask(m.Open(id="o", options=wanted))
        assert isinstance(opened, m.Room)
        options = opened.room.options
        assert options.clock == (wanted.clock if said else BankClock(ms=1_800_000, grace_ms=15_000))
        assert options.answer_ms == wanted.answer_ms


@pytest.mark.parametrize("guest", [0, 1])
async def test_people_are_rated_by_accounts_since_names_cost_nothing(guest: int) -> None:
    async with lobby_of(rate=RATE) as lobby:
        both = await table(lobby)
        person = both[guest].client.person
        assert person is not None
        person.role = "guest"
        assert await refusal_of(both[0], m.Start(id="s")) == "unrated"
        person.role = "account"
        assert await refusal_of(both[0], m.Start(id="s")) == ""


async def test_two_bots_from_one_place_may_be_one() -> None:
    async with lobby_of(rate=RATE) as lobby:
        ann, ben = await table(lobby, addresses=("192.0.2.1", "192.0.2.1"), bot=True)
        assert await refusal_of(ann, m.Start(id="s")) == "unrated"
        for guest in (ann, ben):
            assert guest.client.person is not None
            guest.client.person.role = "account"
        assert await refusal_of(ann, m.Start(id="s")) == ""


async def test_who_is_away_from_a_rated_game_neither_waits_for_ever_nor_ends_it_soon() -> None:
    wanted = RoomOptions(seats=2, rated=True, away_ms=86_400_000, abandon_ms=60_000)
    async with lobby_of(rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ann")
        opened = await guest.ask(m.Open(id="o", options=wanted))
        assert isinstance(opened, m.Room)
        assert (opened.room.options.away_ms, opened.room.options.abandon_ms) == (300_000, 3_600_000)
        shorter = msgspec.structs.replace(wanted, away_ms=20_000, abandon_ms=7_200_000)
        await guest.ask(m.SetOptions(id="s", options=shorter))
        told = lobby.tables[opened.room.id].options
        assert (told.away_ms, told.abandon_ms) == (20_000, 7_200_000)


async def test_nobody_lengthens_their_own_clock_alone_in_a_rated_game() -> None:
    async with lobby_of(rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ann")
        opened = await guest.ask(m.Open(id="o", options=RATED))
        assert isinstance(opened, m.Room) and not opened.room.options.longer_clocks
        await guest.ask(m.SetOptions(id="s", options=RoomOptions(seats=2)))
        assert lobby.tables[opened.room.id].options.longer_clocks


async def test_a_bot_of_the_server_has_no_seat_in_a_rated_game() -> None:
    async def plays(_bot: object) -> None:
        await trio.sleep_forever()

    async with lobby_of(rate=RATE, bots=plays) as lobby:
        ann = Guest(lobby)
        await ann.hello("Ann")
        await ann.ask(m.Open(id="o", options=RATED))
        await ann.prepare()
        await ann.ask(m.AddBot(id="b"))
        assert await refusal_of(ann, m.Start(id="s")) == "unrated"


async def test_nobody_has_a_bot_play_for_them() -> None:
    async def plays(_bot: object) -> None:
        await trio.sleep_forever()

    async with lobby_of(rate=RATE, bots=plays) as lobby:
        ann, ben = await table(lobby)
        await ann.ask(m.Start(id="s"))
        lobby.depart(ben.client)
        assert await refusal_of(ann, m.BotFor(id="b", seat=1)) == "unrated"


async def test_bots_are_rated_apart_from_people(autojump_clock: trio.testing.MockClock) -> None:
    async with lobby_of(rate=RATE) as lobby:
        ann, ben = await table(lobby, bot=True)
        await play(lobby, (ann, ben))
        assert (await ratings(ann)).ladders == ["bots constructed"]
        person, program = Guest(lobby, "192.0.2.8"), Guest(lobby, "192.0.2.9")
        await person.hello("Eve")
        await program.hello("Fay", bot=True)
        opened = await person.ask(m.Open(id="o", options=RATED))
        assert isinstance(opened, m.Room)
        await program.ask(m.Join(id="j", room=opened.room.id))
        for guest in (person, program):
            await guest.prepare()
        assert await refusal_of(person, m.Start(id="s")) == "unrated"


async def test_bots_are_bots_in_a_rematch_after_a_restart(
    autojump_clock: trio.testing.MockClock,
) -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, rate=RATE) as lobby:
        guests = await table(lobby, bot=True)
        await guests[0].ask(m.Start(id="s"))
        room, tokens = guests[0].client.room, [guest.last(m.Welcome).token for guest in guests]
    async with lobby_of(storage, rate=RATE) as lobby:
        guests = [Guest(lobby, f"192.0.2.{number}") for number in range(2)]
        for guest, token in zip(guests, tokens, strict=True):
            await guest.hello("", token=token, bot=True)
            await guest.ask(m.Resume(id="r", room=room))
        await guests[1].ask(m.Concede(id="c"))
        await trio.testing.wait_all_tasks_blocked()
        for guest in guests:
            await guest.ask(m.Rematch(id="m"))
        await guests[1].ask(m.Concede(id="d"))
        await trio.testing.wait_all_tasks_blocked()
        told = await ratings(guests[0])
    assert told.ladders == ["bots constructed"]
    assert [one.games for one in told.rated] == [2, 2]


async def test_a_match_of_bots_is_one_of_bots_when_the_server_has_started_anew_between_two_games(
    autojump_clock: trio.testing.MockClock,
) -> None:
    storage, options = MemoryStorage(), msgspec.structs.replace(RATED, best_of=3, sideboarding_ms=5_000)
    async with lobby_of(storage, rate=RATE) as lobby:
        guests = await table(lobby, options, bot=True)
        await play(lobby, guests)
        await guests[0].ask(m.Rematch(id="m"))
        room = guests[0].client.room
        assert lobby.tables[room].room is None
    async with lobby_of(storage, rate=RATE) as lobby:
        await trio.sleep(6)  # nobody is back: the next game begins without them
        dealt = lobby.tables[room].room
        assert dealt is not None and dealt.setup.ladder == "bots constructed"


async def test_a_game_that_all_end_does_not_count(autojump_clock: trio.testing.MockClock) -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, rate=RATE) as lobby:
        ann, ben = await table(lobby)
        await ann.ask(m.Start(id="s"))
        assert await storage.all(DUE)
        await ann.ask(m.EndGame(id="e"))
        await ben.ask(m.Consent(id="c", vote=ben.last(m.Vote).vote))
        await trio.testing.wait_all_tasks_blocked()
        assert (await ratings(ann)).ladders == []
        assert not await storage.all(DUE)


async def test_nobody_ends_a_rated_game_while_the_other_is_away(autojump_clock: trio.testing.MockClock) -> None:
    async with lobby_of(rate=RATE) as lobby:
        ann, ben = await table(lobby)
        await ann.ask(m.Start(id="s"))
        room, token = ann.client.room, ann.last(m.Welcome).token
        lobby.depart(ann.client)  # who is about to win, for a moment
        await ben.ask(m.EndGame(id="e"))
        await trio.testing.wait_all_tasks_blocked()
        ann = Guest(lobby, "192.0.2.1")
        await ann.hello("", token=token)
        await ann.ask(m.Resume(id="r", room=room))
        assert lobby.tables[room].state == "playing"
        await ben.ask(m.Concede(id="c"))
        await trio.testing.wait_all_tasks_blocked()
        assert [one.name for one in (await ratings(ann)).rated] == ["Ann", "Ben"]


ENDED = Ended(seq=0, winners=(0,), why="lost.life", hash="")
ENTRIES: dict[str, tuple[list[AnyEntry], int]] = {
    "as it was played": ([ENDED], 2),
    "after a seat had taken an answer back": ([TakenBack(seq=0, seat=0, question=1), ENDED], 2),
    "after a correction": ([Amended(seq=0, seat=0, change=Corrected(changes=())), ENDED], 0),
    "after it went back to be corrected": ([TakenBack(seq=0, seat=0, question=1, why="corrected"), ENDED], 0),
    "after an objection": ([TakenBack(seq=0, seat=0, question=1, why="objected"), ENDED], 0),
    "after a bot had played for somebody": ([SeatTaken(seq=0, seat=1, level="simple"), ENDED], 0),
    "ended by all": ([Stopped(seq=0, why="lost.agreed")], 0),
}


@pytest.mark.parametrize("how", ENTRIES)
async def test_what_had_ended_when_the_server_stopped_counts_as_it_would_have(how: str) -> None:
    storage, (entries, people) = MemoryStorage(), ENTRIES[how]
    setup = msgspec.structs.replace(setup_of(2), ladder="constructed")
    await storage.create(setup)
    await storage.append(setup.room, [msgspec.structs.replace(one, seq=seq) for seq, one in enumerate(entries, 1)])
    await storage.put(DUE, setup.room, b"constructed")
    async with lobby_of(storage, rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ann")
        assert len((await ratings(guest)).rated) == people
    assert not await storage.all(DUE)


class Second(Alone):
    """Seen from the second of several workers."""

    number, first = 1, False


async def test_what_had_ended_when_a_worker_died_counts_when_it_begins_again_and_what_goes_on_does_not() -> None:
    storage = MemoryStorage()
    for number, entries in enumerate([[msgspec.structs.replace(ENDED, seq=1)], []]):
        setup = msgspec.structs.replace(setup_of(2), ladder="constructed", room=f"room-{number}")
        await storage.create(setup)
        await storage.append(setup.room, entries)
        await storage.put(DUE, setup.room, b"constructed")
    async with lobby_of(storage, rate=RATE, others=Second()) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ann")
        assert [one.games for one in (await ratings(guest)).rated] == [1, 1]
    assert list(await storage.all(DUE)) == ["room-1"]


async def test_no_game_counts_twice_wherever_the_server_stopped(autojump_clock: trio.testing.MockClock) -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, rate=RATE) as lobby:
        ann, ben = await table(lobby)
        room = await play(lobby, (ann, ben))
        before = await ratings(ann)
    await storage.put(DUE, room, b"constructed")  # as it is where the ladder is written, and no more
    async with lobby_of(storage, rate=RATE) as lobby:
        await lobby.ladder.count(room)
        guest = Guest(lobby)
        await guest.hello("Eve")
        assert (await ratings(guest)).rated == before.rated
    assert not await storage.all(DUE)


class Full(MemoryStorage):
    """A disk that takes no ladder."""

    full = True

    async def put(self, kind: str, key: str, data: bytes) -> None:
        if kind == KIND and self.full:
            raise StorageFault("full")
        await super().put(kind, key, data)


async def test_a_game_whose_rating_cannot_be_written_counts_at_the_next_start(
    autojump_clock: trio.testing.MockClock,
) -> None:
    storage = Full()
    async with lobby_of(storage, rate=RATE) as lobby:
        ann, ben = await table(lobby)
        await play(lobby, (ann, ben))
        assert (await ratings(ann)).ladders == []
    storage.full = False
    async with lobby_of(storage, rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Eve")
        assert [one.name for one in (await ratings(guest)).rated] == ["Ann", "Ben"]


async def test_a_team_is_rated_together(autojump_clock: trio.testing.MockClock) -> None:
    async with lobby_of(rate=RATE) as lobby:
        guests = await table(lobby, RoomOptions(seats=4, teams=[0, 1, 0, 1], rated=True))
        await guests[0].ask(m.Start(id="s"))
        room = lobby.tables[guests[0].client.room].room
        assert room is not None
        setup = room.setup
        after = lobby.ladder._after(LadderRecord(), setup, (1, 3))
    wins = {one.name: one.wins for one in after.people.values()}
    assert wins == {"Ann": 0, "Ben": 1, "Cid": 0, "Dee": 1}


async def test_who_wants_to_be_forgotten_is_on_no_ladder_and_knows_before_where_they_stood(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with lobby_of(rate=RATE) as lobby:
        ann, ben = await table(lobby)
        await play(lobby, (ann, ben))
        data = await ben.ask(p.MyData(id="d"))
        assert isinstance(data, m.MyDataMessage)
        kept = msgspec.convert(data.data["ratings"], dict[str, dict[str, Any]])
        assert kept["constructed"]["games"] == 1
        await forget(ben)
        assert [one.name for one in (await ratings(ann)).rated] == ["Ann"]
        with pytest.raises(Refusal):
            await ratings(ann, person="nobody")


async def test_who_was_forgotten_before_their_game_counted_stands_nowhere(
    autojump_clock: trio.testing.MockClock,
) -> None:
    storage = Full()
    async with lobby_of(storage, rate=RATE) as lobby:
        ann, ben = await table(lobby)
        await play(lobby, (ann, ben))
        await forget(ben)
    storage.full = False
    async with lobby_of(storage, rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Eve")
        assert [(one.name, one.wins) for one in (await ratings(guest)).rated] == [("Ann", 1)]


async def test_a_ladder_that_cannot_be_read_ends_no_server(autojump_clock: trio.testing.MockClock) -> None:
    storage = MemoryStorage()
    await storage.put(KIND, "constructed", b"{")
    async with lobby_of(storage, rate=RATE) as lobby:
        await play(lobby, await table(lobby))
        assert await storage.all(DUE), "until the host has mended it"
    async with lobby_of(storage, rate=RATE):
        pass
    await storage.put(KIND, "constructed", b"{}")
    async with lobby_of(storage, rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Eve")
        assert len((await ratings(guest)).rated) == 2


async def test_a_game_counts_whose_worker_has_ended_with_it(autojump_clock: trio.testing.MockClock) -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, rate=RATE) as lobby:
        for room, entries in (("ended", [ENDED]), ("goes-on", [])):  # both of another worker, of which one is no more
            setup = msgspec.structs.replace(setup_of(2), ladder="constructed", room=room)
            await storage.create(setup)
            await storage.append(room, [msgspec.structs.replace(one, seq=1) for one in entries])
            await storage.put(DUE, room, b"constructed")
        await trio.sleep(FORGET_SECONDS + 1)
        guest = Guest(lobby)
        await guest.hello("Eve")
        assert [one.games for one in (await ratings(guest)).rated] == [1, 1]
        assert list(await storage.all(DUE)) == ["goes-on"]


def test_a_server_that_is_to_have_a_ladder_says_what_it_lacks_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("APNAP_GAMES_LADDER", "true")
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "openskill" else found(name))
    assert "openskill" in sys.modules, "but for what is looked for"
    assert main(["serve", "--port", "0"]) == 2
    assert "pip install 'apnap[arena]'" in capsys.readouterr().err


async def test_a_ladder_is_kept_as_all_that_is_about_people_is_and_moves_with_it(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "here") as here:
        async with lobby_of(here, rate=RATE) as lobby:
            ann, ben = await table(lobby)
            await play(lobby, (ann, ben))
            with trio.fail_after(5):
                while await here.all(DUE):
                    await trio.lowlevel.checkpoint()
            before = await ratings(ann)
        async with open_sqlite(tmp_path / "there") as there:
            await migrate(here, there)
    async with open_sqlite(tmp_path / "there") as there, lobby_of(there, rate=RATE) as lobby:
        guest = Guest(lobby)
        await guest.hello("Eve")
        assert len(before.rated) == 2 and (await ratings(guest)).rated == before.rated
