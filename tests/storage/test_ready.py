"""Of servers that wait for a lease to end, the one that has prepared its games takes over; it is the other's turn a moment later."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path

import pytest
import trio

from server.command import stores
from server.command.stores import BACK_SECONDS, GRACE_SECONDS, LATE, _Opening, open_store
from server.settings import Store
from server.storage import StorageFault
from server.storage.postgresql import Timelines, held
from tests.chaos.guests import until
from tests.storage.test_postgresql import deaf

NEVER = GRACE_SECONDS * 100


def opening(tmp_path: Path, ready: Callable[[], bool] = lambda: False, lease: float = 2.0) -> _Opening:
    store = Store(address="postgresql:///none", lease_seconds=lease)
    return _Opening(store, Timelines(tmp_path), "us", bool, ready)


async def servers(database: str, tmp_path: Path, prepared: dict[str, bool]) -> list[str]:
    """By their names, whether each has prepared its games; those who serve, until one does."""
    serve: list[str] = []

    async def wait_for(name: str, ready: bool, nursery: trio.Nursery) -> None:
        folder = tmp_path / name
        folder.mkdir()
        store = Store(address=database, lease_seconds=60.0, standby=True)
        async with open_store(store, folder, connections=name, ready=lambda: ready):
            serve.append(name)
            nursery.cancel_scope.cancel()

    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            for name, ready in prepared.items():
                nursery.start_soon(wait_for, name, ready, nursery)
    return serve


@pytest.mark.parametrize("order", [("ready", "begun just now"), ("begun just now", "ready")])
async def test_who_has_prepared_its_games_takes_over(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: tuple[str, str]
) -> None:
    monkeypatch.setattr(stores, "GRACE_SECONDS", NEVER)
    async with deaf(database):
        assert await servers(database, tmp_path, {name: name == "ready" for name in order}) == ["ready"]


@pytest.mark.parametrize("ready", [True, False])
async def test_who_begins_just_as_a_lease_runs_out_leaves_it_too(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ready: bool
) -> None:
    """It is as little ready as one that has begun sooner."""
    waits = list[bool]()
    leaves_it = _Opening._leaves_it
    monkeypatch.setattr(stores, "GRACE_SECONDS", NEVER)

    def seen(one: _Opening) -> bool:
        waits.append(leaves_it(one))
        monkeypatch.setattr(stores, "GRACE_SECONDS", 0.0)
        return waits[-1]

    monkeypatch.setattr(_Opening, "_leaves_it", seen)
    async with deaf(database):
        await until(lambda: held(database) < 0)
        assert await servers(database, tmp_path, {"begins": ready}) == ["begins"]
    assert waits == ([False] if ready else [True, False])


@pytest.mark.parametrize(("ready", "unseen"), [(False, 0), (True, 1)])
async def test_who_begins_shortly_before_a_lease_runs_out_does_not_try_to_take_it_until_it_has(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ready: bool, unseen: int
) -> None:
    """While it connects the lease would run out, and it would come before others, which have prepared their games."""
    seen = [0.1, 0.02, -0.03, 1.95]  # another has taken it

    async def looked(_: _Opening) -> float:
        return seen.pop(0)

    monkeypatch.setattr(_Opening, "_looked", looked)
    await opening(tmp_path, lambda: ready)._let_others()
    assert len(seen) == unseen


async def test_who_has_not_takes_over_a_moment_later_where_nobody_has(database: str, tmp_path: Path) -> None:
    async with deaf(database):
        assert await servers(database, tmp_path, {"begun just now": False}) == ["begun just now"]


async def test_a_lease_that_ran_out_is_left_to_others_for_a_moment(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    ready = False
    one = opening(tmp_path, lambda: ready)
    for left in (1.9, LATE * 2.0 - 0.1, 0.0):
        one._is_late(left)
    assert one._leaves_it()
    await trio.sleep(GRACE_SECONDS / 2)
    one._is_late(-GRACE_SECONDS / 2)
    assert one._leaves_it(), "it is looked at again, and the moment goes on"
    ready = True
    assert not one._leaves_it()
    ready = False
    await trio.sleep(GRACE_SECONDS / 2)
    assert not one._leaves_it()


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param([1.9, 1.6, -inf], id="its server stops"),
        pytest.param([-inf], id="there was nobody"),
        pytest.param([-GRACE_SECONDS], id="nobody has taken it for long"),
        pytest.param([1.0, -inf], id="it was renewed late and then let go of"),
        pytest.param([1.0, -0.1, -inf], id="it was renewed too late and then let go of"),
    ],
)
async def test_one_that_was_let_go_of_is_taken_at_once(tmp_path: Path, seen: list[float]) -> None:
    """Whoever stops has handed its games over; nobody has had a sign to prepare any."""
    one = opening(tmp_path)
    for left in seen:
        one._is_late(left)
    assert not one._leaves_it()


@pytest.mark.parametrize("seen", [[1.9], [1.0], [1.0, 0.0]], ids=["renewed before", "late before", "out before"])
async def test_a_lease_that_ran_out_with_the_database_away_is_left_to_who_had_it(
    autojump_clock: trio.testing.MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: list[float]
) -> None:
    """That server may be there all the while, and renew it now: then nobody is hung up on."""
    left: list[float | StorageFault] = [*seen, StorageFault("no route"), 0.0]

    def held(*_: object) -> float:
        found = left.pop(0)
        if isinstance(found, StorageFault):
            raise found
        return found

    monkeypatch.setattr("server.storage.postgresql.held", held)
    one = opening(tmp_path, lambda: True)
    while left:
        try:
            one._is_late(await one._looked())
        except StorageFault:
            await trio.sleep(60)
    await trio.sleep(BACK_SECONDS - 0.1)
    assert one._leaves_it()
    await trio.sleep(0.1)
    assert not one._leaves_it(), "it is there no more"
    for again in (1.9, 0.9, 0.0):
        one._is_late(again)
    assert not one._leaves_it(), "this time it was seen how it ran out"
