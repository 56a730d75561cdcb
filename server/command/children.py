"""What the children of `apnap serve --workers N` do (see `server.command.workers`): the keeper, and the workers."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from server.command.workers import KEEPER, PATIENCE_SECONDS, SIGNALS, Family
from server.net.workers.pulse import Stage

if TYPE_CHECKING:
    from trio import CancelScope, Event

    from server.net.workers.keeper import Keeper
    from server.net.workers.link import Link
    from server.rooms import Prepared
    from server.storage import Storage
    from server.storage.writing import WritingStorage

log = logging.getLogger("apnap.net")

MOMENT_SECONDS = 0.25
"""So long the parent may take to say that it stops, and so often it is looked which games have been taken up."""


def be(family: Family, who: int, life: int, parents: int, told: bool, go: int) -> NoReturn:
    """What a child does until its end; `go`: it is a spare, which is that worker when this can be read."""
    import trio

    from server.storage import StorageError

    code = 1
    try:
        os.close(parents)
        if go < 0:
            _is_there(family, who)
        else:
            family.pulses.beat(family.spare(who))
            _called(f"apnap-spare-{who}")
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        if who == KEEPER:
            trio.run(_keep, family, life)
        else:
            family.wire.close()  # else a worker could wait for ever in the line before a keeper that is gone
            trio.run(_work, family, who, told, life, go)
        code = 0
    except KeyboardInterrupt:
        code = 0
    except BaseException as fault:
        from server.command.serve import leaves
        from server.command.stores import Forgotten

        known = [leaf for leaf in leaves(fault) if isinstance(leaf, OSError | StorageError)]
        if known:  # a worker is started again, and tries again
            print(f"apnap serve: {known[0]}", file=sys.stderr)
        else:
            sys.excepthook(type(fault), fault, fault.__traceback__)
        if not known or who != KEEPER or isinstance(known[0], Forgotten):
            code = 2
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _is_there(family: Family, who: int) -> None:
    """From now on this process is that."""
    family.pulses.beat(who)
    _called("apnap-keeper" if who == KEEPER else f"apnap-worker-{who}")


def _called(name: str) -> None:
    """What `ps` and `top` show, on Linux."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name)


async def _keep(family: Family, life: int) -> None:
    """The keeper: until SIGTERM, or until the parent is gone."""
    import trio

    from server.net.desk import serve_desk
    from server.net.workers.desk import answer_for_all
    from server.net.workers.keeper import Keeper
    from server.net.workers.leading import Leading
    from server.net.workers.nodes import version_of
    from server.rooms import RULES

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_orphaned, life)
            waiting, leaving = trio.CancelScope(), trio.Event()
            # Our workers stop before us: they may serve with the keeper of another node.
            nursery.start_soon(_told_to_stop, signals, waiting, partial(_is_to_end, family.stage), leaving.set)
            async with _opened(family, leaving) as storage, trio.open_nursery() as serving:
                waiting.cancel()
                keeper = Keeper(storage, family.settings.workers, family.runs)
                serving.start_soon(keeper.run, family.wire)
                serving.start_soon(_say_games, keeper)
                if family.calls is not None:
                    store = family.settings.store
                    leading = Leading(keeper, storage, store, family.paths, version_of(RULES.version))
                    serving.start_soon(leading.run, family.calls)
                await serving.start(serve_desk, lambda request: answer_for_all(keeper, request), family.data)
                async for number in signals:
                    keeper.close()
                    if await _is_to_end(family.stage, number):
                        break
                serving.cancel_scope.cancel()
            nursery.cancel_scope.cancel()


async def _is_to_end(stage: Stage, number: int) -> bool:
    """Whether the keeper ends by that signal. Who stops all processes of a group at once, as systemd may, stops the parent, too: it says so
    in a moment, and when its workers, who have yet to write, are gone.
    """
    import trio

    if number != signal.SIGTERM:
        return False
    if stage.now == Stage.SERVES:
        await trio.sleep(MOMENT_SECONDS)
    return stage.now != Stage.STOPS


async def _say_games(keeper: Keeper) -> None:
    """How many games go on that were there as the keeper began, once all are taken up."""
    import trio

    from server.command.serve import games_go_on

    await keeper.settled.wait()
    there, states = keeper.states(), [""]
    while not all(states):
        await trio.sleep(MOMENT_SECONDS)
        states = [state for room, state in keeper.states().items() if room in there]
    if told := games_go_on(states):
        print(told, flush=True)


async def _orphaned(life: int) -> None:
    """Ends the process with its parent."""
    import trio

    await trio.lowlevel.wait_readable(life)
    os._exit(1)


async def _any(_: int) -> bool:
    return True


async def _told_to_stop(
    signals: AsyncIterator[int],
    waiting: CancelScope,
    ends: Callable[[int], Awaitable[bool]] = _any,
    soon: Callable[[], None] = lambda: None,
) -> None:
    """Ends the process as long as it waits for another, with nothing begun, at signals that end it; any says that it will end `soon`."""
    with waiting:
        async for number in signals:
            soon()
            if await ends(number):
                os._exit(0)


@asynccontextmanager
async def _opened(family: Family, leaving: Event) -> AsyncIterator[WritingStorage]:
    """The journals. Where another server writes, or the database acknowledges nothing, it is waited for as `store.standby` says, and a
    moment in a directory that is just being let go."""
    import trio

    from server.command.stores import open_store, reading_store
    from server.net.standby import stand_by
    from server.net.workers.following import Following
    from server.net.workers.nodes import version_of
    from server.rooms import RULES
    from server.storage import InUse

    store = family.settings.store
    waiting = partial(stand_by, family.settings, sockets=family.listening)
    following: Following | None = None
    if family.calls is not None:
        reading = partial(reading_store, store, family.data)
        sockets = family.listening, family.wire, family.calls
        version, wishes = version_of(RULES.version), (family.spares.wish, family.ahead.wish)
        following = Following(
            family.settings, reading, *sockets, family.paths, family.data, version, leaving, *wishes, family.runs
        )
        waiting = following.run

    def soon(soon: bool) -> None:
        family.ahead.wish(soon or (following is not None and following.alone))
        if following is not None:
            following.soon(soon)

    until = trio.current_time() + PATIENCE_SECONDS
    async with AsyncExitStack() as stack:
        while True:
            opened = open_store(store, family.data, waiting, family.connections, soon, family.ready)
            try:
                storage = await stack.enter_async_context(opened)
                break
            except InUse:
                if store.address or trio.current_time() > until:
                    raise
            await trio.sleep(0.05)
        family.spares.wish(False)  # those that there are come in the place of workers now, which need no more
        yield storage


async def _work(family: Family, number: int, told: bool, life: int, go: int) -> None:
    """A worker: until SIGTERM, or until the keeper is gone. A spare is none before it is told to `go`."""
    import trio

    from server.command.serve import helpers, rater, say_how, tune
    from server.net.app import Joined, running
    from server.net.workers.link import Link

    link = Link(number)
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
        signals = stack.enter_context(trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM))
        nursery.start_soon(_orphaned, life)
        waiting, begun = trio.CancelScope(), trio.CancelScope()
        nursery.start_soon(_told_to_stop, signals, waiting)

        async def begin() -> None:
            if go >= 0:
                await trio.lowlevel.wait_readable(go)
                _is_there(family, number)
            await nursery.start(link.run, family.wire_path, partial(os._exit, 3))
            begun.cancel()

        nursery.start_soon(begin)
        tune()
        made = await helpers(stack, family.data, family.rules)
        storage, prepared = await _readied(family, link, begun, number if go < 0 else family.spare(number))
        waiting.cancel()
        joined = Joined(link, family.listening, family.arrivals[number], family.paths, family.board)
        app = await stack.enter_async_context(
            running(
                storage,
                made.decks,
                settings=family.settings,
                replayer=made.replayer,
                foreseer=made.foreseer,
                joined=joined,
                rate=rater(family.settings),
                prepared=prepared,
            )
        )
        await say_how(app, family.settings, family.data, family.friends, silent=told or number > 0)
        async for _ in signals:
            break
        if number == 0:
            print("Closing; games stay in their journals.", flush=True)
        await stack.aclose()
        nursery.cancel_scope.cancel()


async def _readied(family: Family, link: Link, begun: CancelScope, who: int) -> tuple[Storage, Prepared]:
    """What is read in, and the rooms that are played by the time at which all have `begun`. From then on people wait. Before it the lease
    of another server may have to end, if they share a database; in a directory there is nothing that can be read before. `who`: the
    number by which it is told whether all are.
    """
    import trio

    from server.command.stores import reading_store
    from server.rooms import Prepared

    store = family.settings.store
    if not store.address:
        with begun:
            await trio.sleep_forever()
        storage = reading_store(store, family.data, link)
        return storage, Prepared(storage)
    storage = reading_store(store, family.data, link)
    prepared = Prepared(storage)
    told = partial(family.readiness.note, who)
    with begun:
        await prepared.run(link.place, family.settings.workers, lambda: bool(family.ahead), told)
    told(False)  # of what comes next nothing is prepared
    rooms = link.to_take_up()
    prepared.only(rooms)
    if rooms:
        log.info("of %d rooms that this worker takes up %d are prepared", len(rooms), len(prepared))
    return storage, prepared
