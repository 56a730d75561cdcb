"""Teams in rooms, under the real rules: whose clock runs in a turn that a team shares, and who goes with whom who concedes or lets
their time run out (805, 809.5b, 810.8b)."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from trio.testing import MockClock

from protocol import messages as m
from protocol.options import ChessClock, DecisionClock
from server.knowledge.questions import write_answer
from server.rooms import RULES, Room, recover, replay
from server.rules.turn import legal
from server.storage import Conceded, MemoryStorage
from tests.rooms.tables import Client, asked, read_all, table
from tests.rooms.test_room_clocks import clock_of, settle
from tests.rooms.test_whole_games import setup_of

GIANTS: dict[str, Any] = {"variant": "two_headed_giant", "mulligans": False, "first": 0}
EMPERORS: dict[str, Any] = {"variant": "emperor", "mulligans": False, "first": 1}


async def begin(
    nursery: trio.Nursery, seats: int, edition: str = "2011", **options: Any
) -> tuple[Room, list[Client], MemoryStorage]:
    storage = MemoryStorage()
    room = Room(setup_of(seats, "shared", edition, **options), storage)
    await nursery.start(room.run)
    clients = table(room)
    await settle(clients)
    return room, clients, storage


async def answer(room: Room, clients: list[Client]) -> None:
    """Whoever is asked takes the default."""
    client = asked(clients)
    assert room.state is not None and room.state.pending is not None and client.question is not None
    question, client.question = client.question, None
    given = write_answer(legal.default(room.state.pending, room.state))
    await client.send(m.AnswerMessage(id=f"a{len(client.got)}", question=question.id, answer=given))
    await settle(clients)


async def silent(room: Room, clients: list[Client], seat: int) -> None:
    """All but one answer until the game is over, or that one is out of it."""
    with trio.fail_after(600):
        while not room.over.is_set() and room.state is not None and not room.state.players[seat].lost:
            await trio.sleep(0.2)
            read_all(clients)
            if clients[seat].question is None and any(client.question is not None for client in clients):
                await answer(room, clients)


@pytest.mark.rule("805.5")
@pytest.mark.parametrize("edition", ["2009", "2011", "current"])
async def test_each_head_has_its_own_clock_and_the_one_who_is_asked_runs(
    nursery: trio.Nursery, autojump_clock: MockClock, edition: str
) -> None:
    """The team has priority, and its players are asked one after the other."""
    room, clients, _ = await begin(nursery, 4, edition, **GIANTS, clock=ChessClock(ms=60_000, increment_ms=0))
    spent = [0, 0, 0, 0]
    for _ in range(6):
        seat = asked(clients).seat
        assert seat is not None and clock_of(clients[3]).seat == seat
        await trio.sleep(seat + 1)
        spent[seat] += seat + 1
        await answer(room, clients)
    assert spent[0] and spent[1], "both heads of the giant whose turn it is were asked"
    banks = clock_of(clients[0]).banks
    assert banks == {str(seat): 60_000 - 1_000 * spent[seat] for seat in range(4)}


@pytest.mark.rule("810.8b")
@pytest.mark.parametrize("late", [0, 1, 3])
async def test_a_head_whose_time_is_up_too_often_takes_the_giant_along(
    nursery: trio.Nursery, autojump_clock: MockClock, late: int
) -> None:
    room, clients, storage = await begin(nursery, 4, **GIANTS, clock=DecisionClock(ms=1_000), concede_after=3)
    await silent(room, clients, late)
    assert room.result is not None and room.result.winners == ([2, 3] if late < 2 else [0, 1])
    conceded = [entry for entry in (await storage.load("whole")).entries if isinstance(entry, Conceded)]
    assert [entry.seat for entry in conceded] == [late], "one of them has conceded, and the other goes with that one"


@pytest.mark.rule("810.8b")
@pytest.mark.parametrize("edition", ["2009", "2011", "current"])
async def test_who_concedes_takes_the_giant_along_whosever_turn_it_is(
    nursery: trio.Nursery, autojump_clock: MockClock, edition: str
) -> None:
    room, clients, storage = await begin(nursery, 4, edition, **GIANTS)
    await clients[3].send(m.Concede(id="c"))
    await settle(clients)
    assert room.over.is_set() and room.result is not None and room.result.winners == [0, 1]
    (said,) = [message.result for message in clients[2].got if isinstance(message, m.Over)]
    assert said.winners == [0, 1]
    *_, last = replay(await storage.load("whole"), RULES)
    assert last.after.result is not None and last.after.result.winners == (0, 1)


@pytest.mark.rule("809.5b")
@pytest.mark.parametrize(("late", "left"), [(1, {3, 4, 5}), (4, {0, 1, 2}), (2, {0, 1, 3, 4, 5})])
async def test_with_an_emperor_whose_time_is_up_goes_the_team_and_with_a_general_nobody(
    nursery: trio.Nursery, autojump_clock: MockClock, late: int, left: set[int]
) -> None:
    room, clients, _ = await begin(nursery, 6, **EMPERORS, clock=DecisionClock(ms=1_000), concede_after=2)
    await silent(room, clients, late)
    assert room.state is not None and {p.seat for p in room.state.players if not p.lost} == left
    assert room.over.is_set() is (late != 2)


@pytest.mark.rule("809.5b")
async def test_a_team_that_goes_on_without_its_general_does_so_after_a_restart(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        room, clients, storage = await begin(nursery, 6, **EMPERORS)
        await clients[2].send(m.Concede(id="c"))
        await settle(clients)
        before = [room.view(seat) for seat in range(6)]
        nursery.cancel_scope.cancel()
    (again,) = await recover(storage, RULES)
    assert [again.view(seat) for seat in range(6)] == before and not again.frozen
    assert again.state is not None and [p.seat for p in again.state.players if p.lost] == [2]
