"""All processes of a server are told to stop at once, as by Ctrl-C in a terminal, or by systemd where it stops all of a service."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
import trio

from protocol import messages as m
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
            link.serve(Hall(), nothing)  # type: ignore[arg-type]
            nursery.start_soon(link.settled, nursery)
        with trio.fail_after(5):
            await until(lambda: all(link.could_give() for link in links))
            made.keeper.close()
            await until(lambda: not any(link.could_give() for link in links))
        assert not await links[0].leave()
        nursery.cancel_scope.cancel()
