"""All processes of a server are told to stop at once, as by Ctrl-C in a terminal, or by systemd where it stops all of a service."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import cast

import pytest
import trio

from protocol import messages as m
from protocol.questions import Question
from server.lobby.lobby import Lobby
from server.net.workers.link import Link
from tests.chaos.guests import until
from tests.cluster.test_keeper import Hall, kept, nothing
from tests.cluster.test_workers import Caller, calling, served

if sys.platform != "linux":
    pytest.skip("children are found by /proc", allow_module_level=True)


async def closing(caller: Caller) -> m.Closing:
    """What somebody is told at last."""
    while True:
        message = await caller.channel.receive()
        if isinstance(message, m.Closing):
            return message


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
async def test_workers_stop_in_order_also_where_their_keeper_is_told_before_them(
    tmp_path: Path, number: signal.Signals
) -> None:
    with served(tmp_path) as server:
        await server.start()
        assert server.process is not None
        keeper, workers = await server.named("keeper"), [await server.named(f"worker-{n}") for n in (0, 1)]
        async with calling(server, "Ada") as ada, calling(server, "Bo") as bo:
            await ada.open("one")
            await bo.open("other")
            for pid in (keeper, *workers, server.process.pid):
                os.kill(pid, number)
            with trio.fail_after(20):
                assert [(await closing(one)).code for one in (ada, bo)] == ["closing", "closing"]
        assert await trio.to_thread.run_sync(server.process.wait) == 0
        assert "has ended" not in server.said()  # by a signal, or with its rooms


async def question(caller: Caller) -> Question:
    """What somebody is asked next."""
    while True:
        message = await caller.channel.receive()
        if isinstance(message, m.ViewMessage | m.QuestionMessage) and message.question:
            return message.question


def descendants(pid: int) -> list[int]:
    """All that a process has started, and what that has."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = [int(one) for task in tasks for one in (task / "children").read_text().split()]
    return [*children, *(one for child in children for one in descendants(child))]


async def test_bots_play_until_their_worker_ends_though_they_are_told_as_well(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        await server.start()
        assert server.process is not None
        async with calling(server, "Ada") as ada:
            await ada.open("with a bot")
            for message in (m.ChooseDeck(id="d", house="emberclan"), m.AddBot(id="b"), m.Start(id="s")):
                await ada.ask(message, m.Ok)
            with trio.fail_after(60):
                for _ in range(2):  # the second time the bot has answered, too
                    asked = await question(ada)
                    await ada.channel.send(m.AnswerMessage(id=ada.id(), question=asked.id, answer=asked.default))
            all_ = descendants(server.process.pid)
            assert len(all_) > 3
            for pid in reversed(all_):
                os.kill(pid, signal.SIGTERM)
            server.process.terminate()
        assert await trio.to_thread.run_sync(server.process.wait) == 0
        assert "failed" not in server.said() and "process of the bots" not in server.said()


async def test_a_keeper_that_is_told_to_stop_alone_does_so_and_all_begin_anew(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        await server.start()
        before = await server.named("keeper"), await server.named("worker-0")
        os.kill(before[0], signal.SIGTERM)
        await server.named("keeper", but=before[0])
        await server.named("worker-0", but=before[1])


async def test_while_a_server_stops_no_worker_has_anybody_to_hand_a_game_to(tmp_path: Path) -> None:
    async with kept(tmp_path) as made, trio.open_nursery() as nursery:
        links = [Link(0), Link(1)]
        async with trio.open_nursery() as beginning:
            for link in links:
                beginning.start_soon(nursery.start, link.run, made.path, lambda: None)
        for link in links:
            link.serve(cast(Lobby, Hall()), nothing)
            nursery.start_soon(link.settled, nursery)
        with trio.fail_after(5):
            await until(lambda: all(link.could_give() for link in links))
            made.keeper.close()
            await until(lambda: not any(link.could_give() for link in links))
        assert not await links[0].leave()
        nursery.cancel_scope.cancel()
