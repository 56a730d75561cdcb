"""Tasks that wait for another thread, and for nothing else that it does."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.abc import Instrument

from server.storage import open_sqlite, writer
from server.storage.waits import Waits
from tests.storage.test_storage import database


class Turns(Instrument):
    """How many turns of the loop there have been."""

    count = 0

    def after_io_wait(self, timeout: float) -> None:
        self.count += 1


async def test_who_waits_for_a_thread_goes_on_in_the_turn_that_hears_of_it() -> None:
    turns, waits, found = Turns(), Waits(trio.lowlevel.reschedule), []
    trio.lowlevel.add_instrument(turns)

    async def wait() -> None:
        task = trio.lowlevel.current_task()
        thread = threading.Thread(target=waits.done, args=([task],))
        thread.start()
        thread.join()
        before = turns.count
        await trio.lowlevel.wait_task_rescheduled(lambda _: trio.lowlevel.Abort.FAILED)
        found.append(turns.count - before)

    await wait()
    assert found == [1]
    waits.close()


async def test_what_is_done_as_the_loop_ends_still_wakes() -> None:
    woken: list[int] = []
    waits = Waits(woken.append)
    waits.done([1, 2])
    waits.close()
    assert woken == [1, 2]


async def test_who_waits_for_a_commit_is_told_before_the_log_goes_to_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LOGGED_PAGES", 8)
    told, checkpoints = threading.Event(), list[bool]()

    def look(statement: str) -> None:
        if "wal_checkpoint" in statement:
            checkpoints.append(told.wait(10))

    async with open_sqlite(tmp_path) as storage:
        database(storage).set_trace_callback(look)
        await storage.put("kind", "key", b"one")
        assert not checkpoints, "the log is short"
        with trio.fail_after(5):
            await storage.put("kind", "key", b"two")
        told.set()
    assert checkpoints == [True]


async def test_the_log_goes_to_the_database_before_sqlite_does_so_within_a_commit(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        (pages,) = database(storage).execute("PRAGMA wal_autocheckpoint").fetchone()
    assert pages > writer.LOGGED_PAGES
