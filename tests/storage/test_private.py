"""A data directory is its owner's alone, and one server's alone."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.storage import InUse, open_sqlite
from server.storage.backup import restore
from server.storage.cards import CardStore
from server.storage.lock import LOCK
from tests.storage.test_storage import entries_of, setup_of


@pytest.fixture(params=[0o000, 0o022, 0o777])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_to_others(folder: Path) -> None:
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)


def delete_the_lock(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name == LOCK or path.name.endswith(("-shm", "-wal")):
            path.unlink()


def modes(folder: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in (folder, *folder.iterdir())}


async def test_nobody_else_may_look_into_a_data_directory_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    data = tmp_path / "data"
    async with open_sqlite(data) as storage:
        await storage.create(setup_of())
        await storage.append("r1", entries_of())
        CardStore(data).close()
        await storage.backup(tmp_path / "copy")
        found = modes(data)
    assert found.pop("data") == 0o700
    assert {"apnap.sqlite3", "apnap.sqlite3-wal", "cards.sqlite3"} <= found.keys()
    assert set(found.values()) == {0o600}, found
    assert mode(tmp_path / "copy") == 0o600
    restore(tmp_path / "copy", tmp_path / "elsewhere")
    found = modes(tmp_path / "elsewhere")
    assert found.pop("elsewhere") == 0o700 and set(found.values()) == {0o600}


async def test_data_that_others_could_read_are_closed_to_them(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with open_sqlite(data) as storage:
        await storage.create(setup_of())
    open_to_others(data)
    async with open_sqlite(data):
        found = modes(data)
    assert found.pop("data") == 0o700 and set(found.values()) == {0o600}, found


async def test_a_directory_with_other_things_in_it_keeps_its_rights(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    open_to_others(tmp_path)
    os.mkdir(tmp_path / "letters")
    with caplog.at_level(logging.WARNING):
        async with open_sqlite(tmp_path):
            assert modes(tmp_path)["apnap.sqlite3"] == 0o600
    assert mode(tmp_path) == 0o755
    assert "others may look into it" in caplog.text


async def test_the_lock_cannot_be_deleted_away(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path) as storage:
        await storage.create(setup_of())
        await storage.backup(tmp_path / "copy")
        delete_the_lock(tmp_path)
        with pytest.raises(InUse):
            async with open_sqlite(tmp_path):
                pass
        with pytest.raises(InUse):
            restore(tmp_path / "copy", tmp_path)
    async with open_sqlite(tmp_path):
        pass


async def test_an_earlier_version_that_works_there_is_seen(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(InUse):
            async with open_sqlite(tmp_path):
                pass
