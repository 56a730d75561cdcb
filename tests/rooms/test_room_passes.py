"""What a room passes for its seats: stops, standing passes, and a wait that tells nobody whether there was anything to do."""

from __future__ import annotations

import trio
import trio.lowlevel
from msgspec import structs
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.questions import ConfirmAnswer, ConfirmQuestion
from server.rooms.slices import Slices
from server.rules.model import Action, PriorityQuestion, State
from server.storage import Answered, Check, Passed
from tests.rooms.fake import FakeGame, q
from tests.rooms.tables import asked, table
from tests.rooms.test_room import open_room, settle


async def test_only_pass_is_passed_for_a_seat(nursery: trio.Nursery) -> None:
    """With empty hands and libraries the room plays to the end by itself, in batches."""
    room, storage = await open_room(nursery, FakeGame(turns=300))
    room.share_time(Slices(clock=lambda: 0.0))  # however busy the machine is
    clients = table(room)
    await settle(clients)
    while not room.over.is_set():
        client = asked(clients)
        await client.answer(1)
        await settle(clients)
    entries = (await storage.load("r1")).entries
    assert sum(isinstance(e, Answered) and e.by == "seat" for e in entries) == 30
    assert sum(e.number for e in entries if isinstance(e, Passed)) > 600
    assert sum(isinstance(e, Check) for e in entries) >= 5
    assert storage.appends < 60


async def test_stops_and_only_pass(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery)
    clients = table(room)
    await settle(clients)
    await clients[1].send(m.Stops(id="a", mine=["precombat_main"], others=[]))
    await clients[2].send(m.Stops(id="b", mine=[], others=[]))
    await settle(clients)
    assert clients[1].reply("a") == m.Ok(re="a")
    await clients[0].answer(0)
    await settle(clients)
    assert asked(clients) is clients[1]  # its own turn: the others' priority in the first was passed
    assert clients[1].view["turn"] == 2


async def test_a_standing_pass_closes_the_open_question(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery, FakeGame(turns=60))
    clients = table(room)
    await settle(clients)
    await clients[0].send(m.Pass(id="a", until="my_turn"))
    await settle(clients)
    assert m.Closed(question=q(1), why="pass") in clients[0].got
    await clients[1].send(m.Pass(id="b", until="my_turn"))
    await clients[2].send(m.Pass(id="b", until="end_of_turn"))
    await settle(clients)
    # Turn 1 has passed. Turn 2 is seat 1's, so its pass is over.
    assert asked(clients) is clients[1]
    await clients[1].answer(0)
    await settle(clients)
    assert asked(clients) is clients[2]
    await clients[2].send(m.Pass(id="c", until="my_turn"))
    await settle(clients)
    assert clients[0].view["turn"] == 3
    assert asked(clients) is clients[2]


async def test_a_question_ends_a_pass_until_something(nursery: trio.Nursery) -> None:
    room, _ = await open_room(nursery, FakeGame(confirm_at=(4,)))
    clients = table(room)
    await settle(clients)
    for client in clients:
        await client.send(m.Pass(id=f"p{client.key}", until="something"))
    await settle(clients)
    assert isinstance(asked(clients).question, ConfirmQuestion)
    client = asked(clients)
    await client.send(m.AnswerMessage(id="y", question=q(4), answer=ConfirmAnswer(yes=True)))
    client.question = None
    await settle(clients)
    assert asked(clients) is client


class NothingToDo(FakeGame):
    """The same game, but a seat has nothing to do with its cards."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat

    def _ask(self, state: State, seat: int) -> State:
        asked = super()._ask(state, seat)
        if seat != self.seat:
            return asked
        return structs.replace(asked, pending=PriorityQuestion(seat, number=asked.questions, actions=(Action("pass"),)))


async def seen_by_others(game: FakeGame, *, answers: bool) -> list[tuple[float, list[m.ServerMessage]]]:
    """What everyone but seat 1 is sent and when, while seat 1, which passes only after a second, has priority."""
    seen: list[tuple[float, list[m.ServerMessage]]] = []
    async with trio.open_nursery() as nursery:
        room, _ = await open_room(nursery, game, answer_ms=5000)
        clients = table(room, spectators=1)
        await settle(clients)
        await clients[1].send(m.Stops(id="a", delay_ms=1000))
        await settle(clients)
        begun = trio.current_time()
        await clients[0].answer(0)
        for wait in (0, 0.999, 0.001):
            await trio.sleep(wait)
            if wait == 0.001 and answers:
                await clients[1].answer(0)
            await wait_all_tasks_blocked()
            others = [clients[0], *clients[2:]]
            seen.extend((round(trio.current_time() - begun, 3), other.read()) for other in others)
            clients[1].read()
        nursery.cancel_scope.cancel()
    return seen


async def test_nobody_sees_whether_a_seat_had_nothing_to_do_or_thought_it_over(autojump_clock: trio.abc.Clock) -> None:
    could_not = await seen_by_others(NothingToDo(1), answers=False)
    would_not = await seen_by_others(FakeGame(), answers=True)
    assert could_not == would_not
    assert [any(isinstance(got, m.Patch) for got in messages) for _, messages in could_not] == [True] * 3 + [
        False
    ] * 3 + [True] * 3
