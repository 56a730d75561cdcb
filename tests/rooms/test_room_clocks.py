"""Clocks at a table: whose runs, what happens at zero, who is away, pauses; and that a room always comes to its end."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from trio.testing import MockClock

from protocol import messages as m
from protocol.options import BankClock, ChessClock, Clock, DecisionClock
from protocol.questions import PriorityAnswer
from server.rooms import Room, recover
from server.rooms.room import INBOX
from server.storage import Conceded, MemoryStorage
from tests.rooms.fake import FakeGame, q, setup_of
from tests.rooms.tables import Client, read_all, table


async def settle(clients: list[Client]) -> None:
    """Let the room take what it was sent; no time passes (the clocks of these tests jump when all tasks wait)."""
    for _ in range(30):
        await trio.lowlevel.checkpoint()
    read_all(clients)


async def begin(
    nursery: trio.Nursery, game: FakeGame | None = None, seats: int = 3, **options: object
) -> tuple[Room, list[Client], MemoryStorage]:
    storage = MemoryStorage()
    room = Room(setup_of(seats, **options), storage, game or FakeGame())  # type: ignore[arg-type]
    await nursery.start(room.run)
    clients = table(room)
    await settle(clients)
    return room, clients, storage


def clock_of(client: Client) -> m.ClockMessage:
    return next(message for message in reversed(client.got) if isinstance(message, m.ClockMessage))


async def test_everyone_sees_whose_clock_runs_and_what_is_left(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, clients, _ = await begin(nursery, clock=ChessClock(ms=60_000, increment_ms=1_000))
    for client in clients:
        clock = clock_of(client)
        assert (clock.seat, clock.by, clock.left_ms) == (0, "chess", 60_000)
    await trio.sleep(10)
    await clients[0].answer(0)
    await settle(clients)
    clock = clock_of(clients[2])
    assert clock.seat == 1 and clock.banks == {"0": 51_000, "1": 60_000, "2": 60_000}


async def test_a_bank_is_kept_over_a_restart(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        room, clients, storage = await begin(nursery, clock=BankClock(ms=60_000, grace_ms=5_000))
        await trio.sleep(25)
        await clients[0].answer(0)
        await settle(clients)
        nursery.cancel_scope.cancel()
    (again,) = await recover(storage, FakeGame())
    assert [seated.banks.bank for seated in again.seats] == [40_000, 60_000, 60_000]
    assert again.seats == room.seats


async def test_who_lets_the_clock_answer_too_often_concedes(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    room, clients, storage = await begin(
        nursery, FakeGame(turns=50), seats=2, clock=DecisionClock(ms=1_000), concede_after=3
    )
    with trio.fail_after(60):
        while not room.over.is_set():
            await trio.sleep(0.2)
            read_all(clients)
            if clients[1].question is not None:
                await clients[1].answer(0)
    assert room.result is not None and room.result.winners == [1]
    conceded = [entry for entry in (await storage.load("r1")).entries if isinstance(entry, Conceded)]
    assert [entry.seat for entry in conceded] == [0]


async def test_a_seat_that_is_away_has_a_clock_of_its_own(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    room, clients, _ = await begin(nursery, clock=DecisionClock(ms=5_000), away_ms=60_000)
    room.detach("c0")
    await settle(clients[1:])
    clock = clock_of(clients[1])
    assert (clock.seat, clock.by, clock.left_ms, clock.away) == (0, "away", 60_000, {"0": 60_000})
    await trio.sleep(40)
    assert room.state is not None and room.state.pending is not None and room.state.pending.seat == 0
    await trio.sleep(25)
    assert room.state.pending.seat == 1, "after a minute the default was answered"
    assert room.seats[0].banks.away == 0


async def test_who_goes_while_messages_fill_the_room_is_seen_to_go(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    room, clients, _ = await begin(nursery, clock=DecisionClock(ms=5_000), away_ms=60_000)
    refused = [await clients[1].answer(0) for _ in range(INBOX)]
    room.detach("c0")
    await settle(clients[1:])
    assert all(isinstance(clients[1].reply(re), m.Refused) for re in refused)
    clock = clock_of(clients[1])
    assert (clock.seat, clock.by, clock.away) == (0, "away", {"0": 60_000})


async def test_without_a_clock_only_who_is_away_is_timed(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    room, clients, _ = await begin(nursery)
    assert not any(isinstance(message, m.ClockMessage) for message in clients[1].got)
    await trio.sleep(3600)
    assert room.state is not None and room.state.pending is not None and room.state.pending.seat == 0
    room.detach("c0")
    await trio.sleep(301)
    assert room.state.pending.seat == 1


async def test_when_nobody_is_there_every_clock_stands(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    room, clients, _ = await begin(nursery, clock=DecisionClock(ms=5_000))
    for client in clients:
        room.detach(client.key)
    await trio.sleep(80_000)
    assert room.state is not None and room.state.pending is not None and room.state.pending.number == 1
    await trio.sleep(7_000)
    assert room.result is not None, "after a day the game is abandoned"
    assert {standing.reason for standing in room.result.standings} == {"lost.abandoned"}


def banks_of(room: Room) -> list[int]:
    return [seated.banks.bank for seated in room.seats]


async def test_who_takes_back_at_once_neither_wins_nor_loses_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    room, clients, storage = await begin(nursery, clock=ChessClock(ms=60_000, increment_ms=5_000))
    for seconds in (10, 5):
        await trio.sleep(seconds)
        await clients[0].answer(1)
        await settle(clients)
    await trio.sleep(2)
    assert banks_of(room) == [55_000, 60_000, 60_000]
    await clients[0].send(m.TakeBack(id="t", question=q(1)))
    await settle(clients)
    clock = clock_of(clients[1])
    assert banks_of(room) == [60_000] * 3 and (clock.seat, clock.left_ms) == (0, 43_000), "no increment for nothing"
    assert (await recover(storage, FakeGame()))[0].seats == room.seats
    await trio.sleep(3)
    await clients[0].answer(1)
    await settle(clients)
    assert banks_of(room)[0] == 60_000 - 20_000 + 5_000


async def test_who_asked_for_longer_clocks_since_has_longer_ones_after_going_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    room, clients, _ = await begin(nursery, clock=ChessClock(ms=60_000))
    await trio.sleep(10)
    await clients[0].answer(1)
    await clients[0].send(m.LongerClock(id="l", times=2))
    await settle(clients)
    assert banks_of(room)[0] == 100_000
    await clients[0].send(m.TakeBack(id="t", question=q(1)))
    await settle(clients)
    assert banks_of(room)[0] == 120_000 and clock_of(clients[1]).left_ms == 110_000


async def test_time_away_is_given_back_as_well(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    room, clients, storage = await begin(nursery, clock=DecisionClock(ms=5_000), away_ms=60_000)
    room.detach("c0")
    await trio.sleep(40)
    clients[0].attach()
    await settle(clients)
    await clients[0].answer(1)
    await settle(clients)
    assert room.seats[0].banks.away == 20_000
    await clients[0].send(m.TakeBack(id="t", question=q(1)))
    await settle(clients)
    assert room.seats[0].banks.away == 60_000
    assert (await recover(storage, FakeGame()))[0].seats == room.seats
    await clients[0].answer(1)
    await settle(clients)
    assert room.seats[0].banks.away == 20_000, "the time away is spent all the same"


async def test_a_decision_clock_is_not_wound_up_by_taking_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    room, clients, _ = await begin(nursery, clock=DecisionClock(ms=10_000))
    for number in range(2):
        await trio.sleep(4)
        await clients[0].answer(1)
        await settle(clients)
        await clients[0].send(m.TakeBack(id=f"t{number}"))
        await settle(clients)
    await trio.sleep(3)
    assert room.state is not None and room.state.pending is not None and room.state.pending.seat == 1


async def test_when_all_agree_to_go_back_everyone_has_their_time_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    room, clients, storage = await begin(nursery, seats=2, clock=ChessClock(ms=60_000))
    await clients[1].send(m.LongerClock(id="l", times=2))
    for client, seconds in ((clients[0], 10), (clients[1], 20)):
        await trio.sleep(seconds)
        await client.answer(1 if client is clients[1] else 0)
        await settle(clients)
    assert banks_of(room) == [50_000, 100_000]
    await clients[0].send(m.TakeBack(id="t", question=q(1)))
    await settle(clients)
    vote = next(message for message in clients[1].got if isinstance(message, m.Vote))
    await clients[1].send(m.Consent(id="y", vote=vote.vote))
    await settle(clients)
    assert banks_of(room) == [60_000, 120_000] and clock_of(clients[1]).left_ms == 60_000
    assert (await recover(storage, FakeGame()))[0].seats == room.seats


async def test_a_pause_needs_everyones_yes_and_ends_at_a_word(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    room, clients, _ = await begin(nursery, clock=DecisionClock(ms=10_000))
    await clients[2].send(m.Pause(id="p", ms=600_000))
    await settle(clients)
    vote = next(message for message in clients[0].got if isinstance(message, m.Vote))
    assert (vote.what, vote.by, vote.waiting) == ("pause", 2, [0, 1])
    for client in clients[:2]:
        await client.send(m.Consent(id="c", vote=vote.vote))
    await settle(clients)
    assert clock_of(clients[1]).paused_ms == 600_000 and clock_of(clients[1]).left_ms is UNSET
    await trio.sleep(300)
    assert room.state is not None and room.state.pending is not None and room.state.pending.seat == 0
    await clients[1].send(m.Unpause(id="u"))
    await trio.sleep(11)
    assert room.state.pending.seat == 1
    await clients[1].send(m.Unpause(id="u2"))
    await settle(clients)
    refused = clients[1].reply("u2")
    assert isinstance(refused, m.Refused) and refused.code == "not_paused"


async def test_a_pause_ends_by_itself(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    room, clients, _ = await begin(nursery, seats=2, clock=DecisionClock(ms=10_000))
    await clients[0].send(m.Pause(id="p", ms=60_000))
    await settle(clients)
    await clients[1].send(m.Consent(id="c", vote="v1"))
    await trio.sleep(59)
    assert room.state is not None and room.state.pending is not None and room.state.pending.seat == 0
    await trio.sleep(12)
    assert room.state.pending.seat == 1


async def test_a_seat_may_ask_for_longer_clocks(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    room, clients, _ = await begin(nursery, clock=DecisionClock(ms=10_000))
    await clients[0].send(m.LongerClock(id="l", times=10))
    await settle(clients)
    assert clients[0].reply("l") == m.Ok(re="l")
    assert clock_of(clients[1]).times == {"0": 10} and clock_of(clients[1]).left_ms == 100_000
    await trio.sleep(99)
    assert room.state is not None and room.state.pending is not None and room.state.pending.seat == 0


async def test_a_room_may_not_allow_longer_clocks(nursery: trio.Nursery) -> None:
    _, clients, _ = await begin(nursery, clock=DecisionClock(ms=10_000), longer_clocks=False)
    await clients[0].send(m.LongerClock(id="l", times=2))
    await settle(clients)
    refused = clients[0].reply("l")
    assert isinstance(refused, m.Refused) and refused.code == "bad_option"


async def test_one_no_fails_a_vote_and_silence_does(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    _, clients, _ = await begin(nursery)

    def last() -> m.Vote:
        return next(message for message in reversed(clients[0].got) if isinstance(message, m.Vote))

    await clients[0].send(m.EndGame(id="e"))
    await clients[1].send(m.Consent(id="c", vote="v1", yes=False))
    await settle(clients)
    assert last().result == "failed"
    await clients[0].send(m.EndGame(id="e2"))
    await clients[1].send(m.Pause(id="p"))
    await settle(clients)
    refused = clients[1].reply("p")
    assert isinstance(refused, m.Refused) and refused.code == "vote_open"
    await trio.sleep(61)
    read_all(clients)
    assert last().vote == "v2" and last().result == "failed"


async def test_all_may_agree_to_end_the_game(nursery: trio.Nursery) -> None:
    room, clients, storage = await begin(nursery, seats=2)
    await clients[0].send(m.EndGame(id="e"))
    await clients[1].send(m.EndGame(id="e"))
    await settle(clients)
    assert room.over.is_set() and room.result is not None and room.result.winners == []
    assert {standing.reason for standing in room.result.standings} == {"lost.agreed"}
    assert any(isinstance(message, m.Over) for message in clients[1].got)
    assert [record.finished for record in await storage.rooms()] == [True]


CLOCKS: list[Clock | None] = [
    None,
    DecisionClock(ms=3_000),
    ChessClock(ms=20_000, increment_ms=500),
    BankClock(ms=10_000, grace_ms=1_000),
]
ACTS = st.sampled_from(
    ["answer", "detach", "attach", "pause", "yes", "unpause", "stops", "pass", "longer", "concede", "sleep"]
)


@settings(max_examples=25, deadline=None)
@given(
    clock=st.sampled_from(CLOCKS),
    concede_after=st.integers(0, 3),
    acts=st.lists(st.tuples(ACTS, st.integers(0, 2)), max_size=25),
)
def test_whatever_people_do_or_do_not_do_the_room_moves_to_the_end(
    clock: Clock | None, concede_after: int, acts: list[tuple[str, int]]
) -> None:
    """People act at random and then do nothing more, there or not: the game comes to its end."""

    async def game() -> None:
        async with trio.open_nursery() as nursery:
            options: dict[str, Any] = {} if clock is None else {"clock": clock}
            room, clients, _ = await begin(
                nursery, FakeGame(turns=6), concede_after=concede_after, away_ms=5_000, **options
            )
            for act, seat in acts:
                if room.over.is_set():
                    break
                client = clients[seat]
                here = client.key in room._under_way.audience.viewers
                match act:
                    case "answer" if here and client.question is not None:
                        await client.answer(0)
                    case "detach":
                        room.detach(client.key)
                    case "attach" if not here:
                        client.attach()
                    case "pause" if here:
                        await client.send(m.Pause(id="p", ms=3_600_000))
                    case "yes" if here:
                        await client.send(m.Consent(id="y", vote="v1"))
                    case "unpause" if here:
                        await client.send(m.Unpause(id="u"))
                    case "stops" if here:
                        await client.send(m.Stops(id="s", only_pass=True, delay_ms=1000))
                    case "pass" if here:
                        await client.send(m.Pass(id="p", until="stack"))
                    case "concede" if here:
                        await client.send(m.Concede(id="c"))
                    case "longer" if here:
                        await client.send(m.LongerClock(id="l", times=3))
                    case _:
                        await trio.sleep(2)
                await settle(clients)
            with trio.fail_after(40 * 24 * 3600):
                await room.over.wait()
            nursery.cancel_scope.cancel()

    trio.run(game, clock=MockClock(autojump_threshold=0))


@pytest.mark.parametrize("clock", CLOCKS)
async def test_an_answer_that_is_not_this_seats_changes_no_clock(
    clock: Clock | None, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    options: dict[str, Any] = {} if clock is None else {"clock": clock}
    room, clients, _ = await begin(nursery, **options)
    before = room.clock()
    await clients[1].send(m.AnswerMessage(id="a", question=q(1), answer=PriorityAnswer(index=0)))
    await settle(clients)
    assert isinstance(clients[1].reply("a"), m.Refused) and room.clock() == before
