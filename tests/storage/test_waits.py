"""Tasks that wait for another thread."""

from __future__ import annotations

import threading

import trio
import trio.testing
from trio.abc import Instrument

from server.storage.waits import Waits


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
