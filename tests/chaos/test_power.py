"""The power is lost while journals are written, at any moment: what was acknowledged is there, and nothing is said to be missing."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from server.storage import open_sqlite
from tests.chaos.power import Disk, Power, compiled

ROOT = Path(__file__).resolve().parents[2]
TIMES = 12


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = compiled(tmp_path_factory.mktemp("power"))
    if found is None:
        pytest.skip("no C compiler here, or no Linux: power cannot be lost")
    return found


def test_what_was_synced_stays_and_what_was_not_may_be_torn() -> None:
    """Of the builder itself: every mixture comes, and nothing that was synced goes."""
    disk = Disk(b"a" * 2048)
    disk.since = [(0, b"b" * 1024)]
    disk.sync()
    disk.since = [(512, b"c" * 2048)]
    left = {disk.left(Random(seed)) for seed in range(300)}
    assert all(found.startswith(b"b" * 512) and len(found) >= 2048 for found in left)
    assert b"b" * 1024 + b"a" * 1024 in left and b"b" * 512 + b"c" * 2048 in left
    assert any(b"c" in found[512:1024] and b"b" in found[512:1024] for found in left), "a torn sector"
    assert any(found[512:1024] == b"b" * 512 and found[1024:1536] == b"c" * 512 for found in left), "a later one first"


def written(power: Power, times: int) -> list[tuple[str, int, int]]:
    """What a process that writes has said: (room, entry, moment) of what was acknowledged."""
    words = [sys.executable, "-m", "tests.chaos.writes", str(power.folder), str(power.log), str(times)]
    done = subprocess.run(words, cwd=ROOT, env=power.begin(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    return [(room, int(seq), int(moment)) for room, seq, moment in lines]


async def check(folder: Path, acknowledged: dict[str, int], caplog: pytest.LogCaptureFixture, where: str) -> None:
    """All that was acknowledged is there; nothing is damaged, and nothing said to be lost; it can be written on."""
    caplog.clear()
    async with open_sqlite(folder) as storage:
        assert storage.gaps == {}, where
        assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == [], where
        assert await storage.audit() == [], where
        there = {record.room: record.entries for record in await storage.rooms()}
        for room, seq in acknowledged.items():
            assert there.get(room, 0) >= seq, where
            assert len((await storage.load(room)).entries) == there[room]
        await storage.put("person", "x", b"1")


async def test_what_was_acknowledged_outlives_a_loss_of_power_at_any_moment(
    tmp_path: Path, library: Path, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> None:
    data, aside = tmp_path / "data", tmp_path / "aside"
    aside.mkdir()
    power = Power(library, data, aside)
    acknowledged = written(power, TIMES)
    assert len(acknowledged) == 2 * 3 * TIMES
    moments = power.moments()
    seeds = range(3 if request.config.getoption("--all") else 1)
    chosen = moments if request.config.getoption("--all") else Random(1).sample(moments, 60)
    for moment in [0, *chosen, moments[-1]]:
        for seed in seeds:
            power.lose(Random(moment * 10 + seed), moment)
            told: dict[str, int] = {}
            for room, seq, heard in acknowledged:
                if heard <= moment:
                    told[room] = max(seq, told.get(room, 0))
            await check(data, told, caplog, f"moment {moment}, seed {seed}")


def test_bad_luck_with_the_disk_refuses_nothing_that_counts(tmp_path: Path, library: Path) -> None:
    """Slow, full, full in the midst of a write, unable to sync what it has: an entry is acknowledged or is not there."""
    (tmp_path / "aside").mkdir()
    power = Power(library, tmp_path / "data", tmp_path / "aside")
    words = [sys.executable, "-m", "tests.chaos.writes", str(power.folder), str(power.log), "0"]
    with subprocess.Popen(
        words, cwd=ROOT, env=power.begin(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None

        def write() -> tuple[int, int, str]:
            assert process.stdin is not None and process.stdout is not None
            print(file=process.stdin, flush=True)
            seq, seconds, error = process.stdout.readline().split()
            return int(seq), int(seconds), error

        now = write()[1]
        power.luck(clock=10**8)
        assert write()[1] >= now + 10**8, "the clock can be set wrong"
        power.luck(slow_us=200_000)
        begun = time.monotonic()
        assert write()[2] == "ok" and time.monotonic() - begun >= 0.2
        for ailment in ("full", "full after half of a write"):
            power.luck(disk=ailment)
            assert write()[2] == "StorageFault"
            power.luck()
            assert write()[2] == "ok"
        power.luck(disk="cannot sync")
        threading.Timer(1, power.luck).start()
        assert [write()[2], write()[2]] == ["ok", "ok"], "it is on the disk, and was waited for"
        process.stdin.close()
        assert process.wait() == 0
