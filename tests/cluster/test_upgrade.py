"""A version takes over from the one before it while games go on, on one database: `APNAP_BEFORE` is a checkout of that one, set up (`make
setup`). Skipped without it.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
import trio

from protocol.patch import Tree
from server.storage import Answered, Journal
from tests.chaos import test_chaos
from tests.chaos.guests import until
from tests.chaos.test_chaos import Checked, chaos
from tests.cluster.door import DatabaseLine, Door
from tests.cluster.test_failover import page
from tests.cluster.test_nodes import LEASE, Both, Node
from tests.storage.cluster import Cluster, cluster

BEFORE = os.environ.get("APNAP_BEFORE", "")
ANSWERED = int(os.environ.get("APNAP_CLUSTER_ANSWERS", "200"))
ROOMS = int(os.environ.get("APNAP_CLUSTER_ROOMS", "6"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BEFORE, reason="wants APNAP_BEFORE, a checkout of the version before"),
]


class NodeBefore(Node):
    """One of the version before."""

    def spawn(self) -> None:
        words = [str(Path(BEFORE) / ".venv/bin/python"), "-m", "server.command.main", *self.words()]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, cwd=BEFORE, text=True)


class Upgraded(Both):
    """A node of the version before serves; one of this version is started beside it, and takes over when that one is asked to stop."""

    async def start(self) -> None:
        before, after = self._nodes
        if before.process is None:
            await before.start()
            await before.ready()
            self._leads.leads_to = before.port
            self.serves = True
            return
        await after.start()
        await after.ready()
        self._leads.leads_to = after.port
        self.serves = True

    async def end(self, how: str, chance: random.Random, seen: Counter[str]) -> None:
        before, after = self._nodes
        assert before.process is not None
        if before.process.poll() is not None:  # the new one is asked to stop, too
            assert after.process is not None
            seen["ends"] += 1
            self.serves = False
            after.process.terminate()
            assert await trio.to_thread.run_sync(after.process.wait) == 0
            self._leads.leads_to = 0
            self._leads.cut()
            return
        after.spawn()
        with trio.fail_after(60):
            await until(lambda: page(after.port, "/health") == (200, {"status": "ok", "standby": 1}))
        self.serves = False
        seen["ends"] += 1
        since = trio.current_time()
        before.process.terminate()
        assert await trio.to_thread.run_sync(before.process.wait) == 0
        self._leads.leads_to = 0
        self._leads.cut()
        await after.ready()
        seen["ms until the new one serves"] = round((trio.current_time() - since) * 1000)

    async def kill(self) -> None:
        for node in self._nodes:
            if node.process is not None:
                await node.kill()


class Unplayed(Checked):
    """A journal of which a part is of other rules: answers are looked for, and nothing is played."""

    def read(self, journal: Journal) -> int:
        assert journal.entries[: len(self.entries)] == self.entries, "what was written has changed"
        fresh = [entry for entry in journal.entries[len(self.entries) :] if isinstance(entry, Answered)]
        doubled = len(fresh) - len({entry.question for entry in fresh} - self.answers.keys())
        self.answers |= {entry.question: entry for entry in fresh}
        self.entries = journal.entries
        return doubled

    def has(self, seat: int, view: Tree) -> bool:
        return True


@pytest.fixture
def upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Upgraded]:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    monkeypatch.setattr(test_chaos, "Checked", Unplayed)
    with cluster() as database, ExitStack() as stack:
        yield stack.enter_context(_made(tmp_path, database, stack))


def _made(folder: Path, database: Cluster, stack: ExitStack) -> Upgraded:
    store, door = database.new(), stack.enter_context(Door())
    lines = [stack.enter_context(DatabaseLine(database.folder)) for _ in range(2)]
    reached = [store.replace(str(database.folder), str(line.folder)) for line in lines]
    before = stack.enter_context(NodeBefore(folder / "before", door, reached[0]))
    after = stack.enter_context(Node(folder / "after", door, reached[1]))
    return Upgraded(folder / "both", (before, after), door, lines, database, store)


@pytest.mark.usefixtures("one_address")
def test_games_go_on_in_the_version_that_takes_over(upgraded: Upgraded, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        seen = trio.run(
            partial(chaos, ways=("upgraded",), rooms=ROOMS), upgraded, 1, ANSWERED, 0, partial(print, flush=True)
        )
        print(f"\n{dict(seen)}")
    assert (seen["lost"], seen["doubled"]) == (0, 0)
    assert seen["answers"] >= ANSWERED and seen["unfinished"] == 0
