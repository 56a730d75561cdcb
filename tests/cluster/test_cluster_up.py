"""`apnap cluster up`: several nodes and their database come up by one command, serve as one, and leave nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from server.bench.cluster import Figures
from server.bench.cores import Cores
from server.bench.postgres import program
from server.command import cluster as command
from server.command.admin import ask
from server.command.main import main
from server.lobby import desk
from tests.chaos.test_chaos import ROOT
from tests.cluster.test_failover import page

pytest.importorskip("psycopg")
pytestmark = pytest.mark.skipif(program("initdb") is None, reason="PostgreSQL is not installed here")
LINE = re.compile(r"http://127\.0\.0\.1:(\d+)  \(apnap admin nodes --data (\S+); process (\d+)\)")


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary ones, which the database's user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_two_nodes_come_up_serve_as_one_and_are_gone(temporary: Path) -> None:
    words = [sys.executable, "-m", "server.command.main", "cluster", "up", "--nodes", "2"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, "TMPDIR": str(temporary)}
    ) as process:
        assert process.stdout is not None
        found = [LINE.fullmatch(process.stdout.readline().strip()) for _ in range(2)]
        assert "2 nodes serve as one" in process.stdout.readline()
        ports = [int(one[1]) for one in found if one]
        assert [page(port, "/ready")[0] for port in ports] == [200, 200]
        with urllib.request.urlopen(f"http://127.0.0.1:{ports[0]}/", timeout=5) as reply:
            assert f"ws://127.0.0.1:{ports[1]}" in reply.headers["Content-Security-Policy"], "pages go there themselves"
        for one in found:
            assert one is not None
            said = ask(Path(one[2]), desk.ListNodes())
            assert isinstance(said, desk.Nodes) and [row.keeps for row in said.nodes] == [True, False]
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()
    assert not list(temporary.iterdir()), "all of it was there"
    assert page(ports[0], "/ready")[0] == 0


@contextmanager
def coming_up(temporary: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`apnap cluster up` with one node, or another of its commands."""
    command = [sys.executable, "-m", "server.command.main", *(words or ("cluster", "up", "--nodes", "1"))]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        try:
            yield process
        finally:
            process.terminate()


def test_who_is_killed_leaves_nothing_either(temporary: Path) -> None:
    with coming_up(temporary) as process:
        assert process.stdout is not None
        found = LINE.fullmatch(process.stdout.readline().strip())
        assert found and page(int(found[1]), "/ready")[0] == 200
        process.kill()
        process.stdout.read()  # until whoever cleans up has ended, too
    assert not list(temporary.iterdir()) and page(int(found[1]), "/ready")[0] == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_bench_that_is_ended_leaves_no_database(temporary: Path, number: int) -> None:
    with coming_up(temporary, "bench", "cluster", "--rooms", "2", "--rate", "10") as process:
        assert process.stdout is not None
        deadline = time.monotonic() + 60
        while not list(temporary.glob("apnap-bench-*/*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert list(temporary.glob("apnap-pg-*/data/postmaster.pid")) and process.poll() is None
        process.send_signal(number)
        process.stdout.read()  # as above
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("made", ["PG_VERSION", "postmaster.pid"])
def test_who_is_stopped_twice_while_a_database_is_made_leaves_nothing(temporary: Path, made: str) -> None:
    with coming_up(temporary) as process:
        assert process.stdout is not None
        deadline = time.monotonic() + 30
        while not list(temporary.glob(f"apnap-pg-*/data/{made}")) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.terminate()
        process.terminate()
        assert process.wait(60) == 0 and "Stopped" in process.stdout.read()
    assert not list(temporary.iterdir())


def test_what_cannot_be_brought_up_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["cluster", "up", "--nodes", "11"]) == 2
    assert "1 to 10" in capsys.readouterr().err
    monkeypatch.setattr("server.bench.postgres.program", lambda _: None)
    assert main(["cluster", "up"]) == 1
    assert capsys.readouterr().err.strip() == command.MISSING


@pytest.mark.slow
def test_what_a_database_costs_is_measured_by_process(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "cluster", "--json", "--rooms", "2", "--rate", "30", "--seconds", "2"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out, type=Figures)
    assert found.turns == found.kept
    folder, database, node_folder, node = found.kept
    assert all(one.answers > 30 and one.plays_us > 0 and one.p99_ms >= one.p50_ms > 0 for one in found.kept)
    assert folder.keeper_us == folder.database_us == database.keeper_us == node_folder.database_us == 0
    assert database.database_us > 0 and node.database_us > 0 and node.keeper_us > 0 and node_folder.keeper_us > 0
    assert found.ratio == pytest.approx(database.plays_us / folder.plays_us, abs=0.001)
    on_database, on_disk = node.plays_us + node.keeper_us, node_folder.plays_us + node_folder.keeper_us
    assert found.node_ratio == pytest.approx(on_database / on_disk, abs=0.001)


@pytest.mark.slow
def test_what_two_cores_play_more_than_one_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "cluster", "--cores", "--json", "--rooms", "2", "--seconds", "2"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out, type=Cores)
    (turn,) = found.turns
    assert min(*turn.per_s, *turn.loops_per_s, *turn.cores) > 0
    assert found.by_cpu == pytest.approx(turn.us[0] / turn.us[1] / (turn.loop_us[0] / turn.loop_us[1]), abs=0.001)
    mine, loops = turn.per_s[1] / turn.per_s[0], turn.loops_per_s[1] / turn.loops_per_s[0]
    assert found.by_clock == pytest.approx(mine / loops, abs=0.001)
