"""Two servers on one database, of which one serves and the other stands by: whatever becomes of them, nothing that was acknowledged is
lost, nothing is played twice, and whoever stood still for too long writes nothing more.

As `tests/chaos`, with a PostgreSQL of the test's own. `APNAP_CLUSTER_ENDS` sets how many ends there are, `APNAP_CLUSTER_ANSWERS` how many
acknowledged answers at least, `APNAP_CLUSTER_ROOMS` in how many rooms, `APNAP_CLUSTER_SEED` the order of what happens.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from server.command.stores import open_store
from server.net.standby import stand_by
from server.settings import Listen, Settings, Store
from server.storage import Storage, StorageFault
from tests.chaos.guests import until
from tests.chaos.test_chaos import ROOT, Server, chaos, children_of
from tests.cluster.door import Door
from tests.pace import stretched
from tests.storage.cluster import Cluster, cluster

ENDS = ("killed", "stood still", "database killed", "asked to stop", "killed", "stood still")
ENDED = int(os.environ.get("APNAP_CLUSTER_ENDS", "4"))
ANSWERED = int(os.environ.get("APNAP_CLUSTER_ANSWERS", "120"))
SEED = int(os.environ.get("APNAP_CLUSTER_SEED", "0"))
LEASE = 2.0
AFTER = 1.0
"""Seconds after the lease within which another serves, at reference speed."""
ROOMS = int(os.environ.get("APNAP_CLUSTER_ROOMS", "3"))


class Node:
    """One `apnap serve --standby`, and what it has said."""

    def __init__(self, folder: Path, store: str, workers: int = 1) -> None:
        self.log = folder.with_name(f"{folder.name}.log")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        words = ["serve", "--port", str(self.port), "--data", str(folder), "--store", store, "--standby"]
        words += ["--workers", str(workers)] if workers > 1 else []
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "server.command.main", *words],
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=ROOT,
                text=True,
                env={**os.environ, "APNAP_STORE_LEASE_SECONDS": str(LEASE)},
            )
        self.lines: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def says(self, words: str) -> bool:
        """Whether it has said so."""
        return any(words in line for line in self.lines)

    def signal(self, number: int) -> None:
        """To all its processes."""
        for pid in (self.process.pid, *children_of(self.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> None:
        """At once."""
        self.signal(signal.SIGKILL)

    async def ended(self) -> int:
        """Its exit code, when it has ended."""
        return await trio.to_thread.run_sync(self.process.wait)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)


def page(port: int, path: str) -> tuple[int, Any]:
    """What a server answers, 0 while it does not."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as no:
        said = no.read()
        return no.code, json.loads(said) if said.startswith(b"{") else said
    except OSError:
        return 0, None


class Pair(Server):
    """One that serves, one that stands by, and the door that leads to the first."""

    def __init__(self, folder: Path, database: Cluster, door: Door, workers: int = 1) -> None:
        super().__init__(folder / "node", workers=workers)
        self._folder = folder
        self._database = database
        self._address = database.new()
        self._leads = door
        self.door = door.port
        self._nodes: list[Node] = []
        self._serving: Node | None = None
        self._waiting: Node | None = None
        self._still: Node | None = None
        self.takeovers: list[tuple[str, float, float]] = []
        """How one server ended, the seconds from there to the first word of the next, and how many times as slow as an idle one the machine
        was before and after."""
        self._since = 0.0
        self._how = ""
        self._pace = 1.0

    def __exit__(self, *_: object) -> None:
        for node in self._nodes:
            node.kill()
            node.process.wait()

    def journals(self) -> AbstractAsyncContextManager[Storage]:
        from server.storage.postgresql import open_postgresql

        return open_postgresql(self._address, read_only=True)

    def said(self) -> str:
        return "\n".join(node.log.read_text() for node in self._nodes)

    def _node(self) -> Node:
        made = Node(self._folder / f"node{len(self._nodes)}", self._address, self.workers)
        self._nodes.append(made)
        return made

    async def start(self) -> None:
        if self._serving is None:
            self._serving = self._waiting or self._node()
            self._waiting = None
            with trio.fail_after(60):
                await until(lambda: self._serving is not None and self._serving.says("serves at"))
            if self._since:
                seconds = trio.current_time() - self._since
                self._pace = max(self._pace, await trio.to_thread.run_sync(stretched))
                self.takeovers.append((self._how, seconds, self._pace))
        if self._still is not None:
            # It goes on where it stood, and learns what has happened meanwhile.
            self._still.signal(signal.SIGCONT)
            assert await self._still.ended() == 1
            assert "another server has taken over" in self._still.log.read_text()
            self._still = None
        self._leads.leads_to = self._serving.port
        self.serves = True
        if self._waiting is None:
            self._waiting = node = self._node()
            with trio.fail_after(60):
                await until(lambda: node.says("Standing by"))
                await until(lambda: page(node.port, "/health") == (200, {"status": "ok", "standby": 1}))
            status, said = page(node.port, "/ready")
            assert (status, said["ready"]) == (503, False), said
            assert page(node.port, "/")[0] == 503

    async def kill(self) -> None:
        for node in (self._serving, self._waiting):
            if node is not None:
                node.kill()
                await node.ended()

    async def end(self, how: str, chance: random.Random, seen: Counter[str]) -> None:
        assert self._serving is not None
        self.serves = False
        seen["ends"] += 1
        seen[how] += 1
        self._how, self._pace = how, await trio.to_thread.run_sync(stretched)
        self._since = trio.current_time()
        if how == "database killed":
            self._since = 0.0
            await trio.to_thread.run_sync(self._database.stop)
            await trio.sleep(LEASE * chance.random() / 4)
            await trio.to_thread.run_sync(self._database.start)
            await trio.sleep(LEASE)  # whichever of them was first: the other one notices within a lease
            if self._serving.process.poll() is not None:
                self._serving = None
        elif how == "stood still":
            self._still, self._serving = self._serving, None
            self._still.signal(signal.SIGSTOP)
        else:
            if how == "asked to stop":
                self._serving.process.terminate()
            else:
                self._serving.kill()
            await self._serving.ended()
            self._serving = None
        self._leads.leads_to = 0
        self._leads.cut()


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_one_serves_whatever_becomes_of_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int
) -> None:
    with cluster() as database, Door() as door, capsys.disabled(), Pair(tmp_path, database, door, workers) as pair:
        seen = trio.run(partial(chaos, ways=ENDS, rooms=ROOMS), pair, ENDED, ANSWERED, SEED, partial(print, flush=True))
        print(f"\n{dict(seen)}, takeovers:")
        for how, seconds, pace in pair.takeovers:
            print(
                f"{how}: {seconds:.1f} s, of which {max(0, seconds - LEASE) / pace:.2f} s after the lease at reference speed"
            )
    assert (seen["lost"], seen["doubled"]) == (0, 0)
    assert seen["answers"] >= ANSWERED and seen["views"] > ENDED and seen["sent again"] > ENDED
    assert seen["unfinished"] == 0, "every game ends"
    assert pair.takeovers
    for how, seconds, pace in pair.takeovers:
        assert seconds <= LEASE + AFTER * pace, (how, seconds, pace)


@contextmanager
def before(folder: Path, *servers: int) -> Iterator[int]:
    """Caddy, by the file that hosts are given, before servers on those ports: its own port."""
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("caddy is not installed here")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    file = folder / "Caddyfile"
    file.write_text("{\n\tadmin off\n}\n" + (ROOT / "deploy" / "Caddyfile.several").read_text())
    said = {
        "APNAP_DOMAIN": f"http://127.0.0.1:{port}",
        "APNAP_UPSTREAM": " ".join(f"127.0.0.1:{one}" for one in servers),
    }
    words = [program, "run", "--adapter", "caddyfile", "--config", str(file)]
    with (
        (folder / "caddy.log").open("w") as log,
        subprocess.Popen(words, stdout=log, stderr=log, env={**os.environ, **said, "HOME": str(folder)}) as process,
    ):
        try:
            yield port
        finally:
            process.kill()


async def test_caddy_leads_to_who_serves(tmp_path: Path) -> None:
    with cluster() as database:
        address = database.new()
        nodes = [Node(tmp_path / f"node{number}", address) for number in range(2)]
        try:
            with trio.fail_after(120):
                await until(lambda: any(node.says("serves at") for node in nodes))
                await until(lambda: any(node.says("Standing by") for node in nodes))
                nodes.sort(key=lambda node: node.says("serves at"))  # who stands by is asked first
                with before(tmp_path, *(node.port for node in nodes)) as port:
                    await until(lambda: page(port, "/ready")[0] == 200)
                    assert page(port, "/metrics")[0] == 404
                    nodes[1].process.kill()
                    await until(lambda: page(port, "/ready")[0] == 200)
                    assert page(port, "/health")[1].get("standby") is None
        finally:
            for node in nodes:
                node.process.kill()
                await node.ended()


def test_a_second_server_says_who_is_there(tmp_path: Path) -> None:
    from server.storage.postgresql import PostgresqlStorage

    with cluster() as database:
        address = database.new()

        async def serve() -> str:
            storage = PostgresqlStorage(address, name="the first")
            try:
                words = ["serve", "--port", "0", "--data", str(tmp_path / "second"), "--store", address]
                done = await trio.run_process(
                    [sys.executable, "-m", "server.command.main", *words], capture_stderr=True, check=False, cwd=ROOT
                )
                assert done.returncode == 1
                return done.stderr.decode()
            finally:
                await storage.aclose()

        assert "another server works on this database: the first" in trio.run(serve)


@pytest.mark.parametrize(
    ("more", "code"), [([], -signal.SIGTERM), (["--workers", "2"], 0), (["--workers", "2", "--node", "127.0.0.1:0"], 0)]
)
async def test_who_begins_while_a_standby_is_missing_says_so_and_can_be_stopped(
    tmp_path: Path, more: list[str], code: int
) -> None:
    import psycopg

    with socket.create_server(("127.0.0.1", 0)) as free, socket.create_server(("127.0.0.1", 0)) as other:
        port, calls = free.getsockname()[1], other.getsockname()[1]
    with cluster() as database, psycopg.connect(database.address(), autocommit=True) as db:
        words = ["--port", str(port), "--data", str(tmp_path), "--store", database.new()]
        words += [word.replace(":0", f":{calls}") for word in more]
        db.execute("ALTER SYSTEM SET synchronous_standby_names = 'ghost'")
        db.execute("SELECT pg_reload_conf()")
        await until(lambda: db.execute("SHOW synchronous_standby_names").fetchone() == ("ghost",))
        waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        process = await trio.lowlevel.open_process(
            [sys.executable, "-m", "server.command.main", "serve", *words], cwd=ROOT
        )
        try:
            with trio.fail_after(60):
                await until(lambda: db.execute(waits).fetchone() == (1,))
                await until(lambda: page(port, "/ready")[0] == 503)
            why = page(port, "/ready")[1]["why"]
            assert "acknowledges nothing: of the standbys that it waits for 0 are attached, of 1" in why
            process.terminate()
            with trio.fail_after(20):
                assert await process.wait() == code
        finally:
            process.kill()


@pytest.mark.parametrize("stops", [False, True], ids=["serves", "stops"])
@pytest.mark.parametrize(("more", "code"), [([], -signal.SIGTERM), (["--workers", "2"], 0)])
async def test_who_is_not_heard_writing_first_says_so_and_serves_when_it_is_or_stops(
    tmp_path: Path, more: list[str], code: int, stops: bool
) -> None:
    """The standby was there as this server took the database over, and is missing right after."""
    import psycopg

    from server.storage.postgresql import STILL, PostgresqlStorage

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with cluster() as database:
        address = database.new()
        await PostgresqlStorage(address).aclose()
        with psycopg.connect(address) as db:
            db.execute("LOCK TABLE record IN EXCLUSIVE MODE")
            words = ["--port", str(port), "--data", str(tmp_path), "--store", address, *more]
            process = await trio.lowlevel.open_process(
                [sys.executable, "-m", "server.command.main", "serve", *words], cwd=ROOT
            )
            try:
                with trio.fail_after(60):
                    await until(lambda: page(port, "/ready")[0] == 503)
                assert page(port, "/ready")[1]["why"] == STILL
                if not stops:
                    db.rollback()
                    with trio.fail_after(60):
                        await until(lambda: page(port, "/ready")[0] == 200)
                process.terminate()
                with trio.fail_after(20):
                    assert await process.wait() == (code if stops else 0)
            finally:
                process.kill()


async def test_who_stands_by_leaves_a_port_that_another_has(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        await stand_by(Settings(listen=Listen(port=taken.getsockname()[1])), str)
    assert "answers nobody" in caplog.text


async def test_without_psycopg_it_is_said_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "server.storage.postgresql", None)
    with pytest.raises(StorageFault, match="apnap\\[postgresql\\]"):
        async with open_store(Store(address="postgresql://db.example/apnap"), tmp_path):
            pass
