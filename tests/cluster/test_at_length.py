"""One long run: two nodes of two workers each on a PostgreSQL with a synchronous standby, rooms of bots, and all that can end, one after
the other: processes, nodes and the database are killed, nodes and workers stand still for longer than their lease, the line from a node to
the database is cut, the machine of the database is lost for good and its standby promoted.

`make chaos` plays all of it. `APNAP_LONG_PERCENT` says how much of that is done, `APNAP_LONG_MINUTES` for how long at most,
`APNAP_LONG_ROOMS` in how many rooms, `APNAP_LONG_ANSWERS` after about how many answers each comes, `APNAP_LONG_SEED` in which order.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import trio

from tests.chaos.test_chaos import chaos
from tests.cluster.door import DatabaseLine, Door
from tests.cluster.test_nodes import LEASE, TAKEN_OVER, Both, Node
from tests.pace import crowded
from tests.storage.cluster import Cluster, cluster

psycopg: Any = pytest.importorskip("psycopg")

PERCENT = float(os.environ.get("APNAP_LONG_PERCENT", "4"))
ROOMS = int(os.environ.get("APNAP_LONG_ROOMS", "6"))
ANSWERS = int(os.environ.get("APNAP_LONG_ANSWERS", "60"))
MINUTES = float(os.environ.get("APNAP_LONG_MINUTES", "inf"))
SEED = int(os.environ.get("APNAP_LONG_SEED", "0"))
AFTER = 1.0
"""Seconds after the lease within which games have been taken up on a machine without other work."""
KILLS = {"worker killed": 70, "keeper killed": 40, "killed": 60, "database killed": 20, "all killed": 10}
FREEZES = {"stood still": 35, "worker frozen for long": 15}
CUTS = {"line cut": 25, "line dead": 25}
FAILOVERS = {"failed over": 10}
WAYS = KILLS | FREEZES | CUTS | FAILOVERS
"""How often each comes in the whole of it."""
UNDISTURBED_SECONDS = 8.0
"""So long at most games are taken up while nobody plays and nothing is looked at, which is work for two cores by itself."""
STILL_SECONDS = 0.5
"""When none has been taken up for so long they all are."""
NO_TAKEOVER = {"all killed", "database killed", "failed over"}
"""Nobody is left, or it depends on whether that took longer than a lease."""
ADOPTED = re.compile(r"^(\S+)Z .*rooms are taken up here", re.M)
LATE = "a late write"
REFUSED = "cannot be written: another server writes in this one's place"
#: Each statement that writes entries notes under which server's line; one whose line is gone is late, and is to have written none.
WATCH = f"""
CREATE TABLE IF NOT EXISTS watched (no bigserial PRIMARY KEY, node bigint);
CREATE OR REPLACE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE found bigint := (SELECT max(id) FROM node WHERE connections = current_setting('application_name'));
BEGIN
    IF found IS NULL THEN RAISE LOG '{LATE}'; END IF;
    IF EXISTS (SELECT FROM fresh) THEN INSERT INTO watched (node) VALUES (found); END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER watched AFTER INSERT ON entry REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION watch();
"""


class Takeover(NamedTuple):
    """How something ended, the seconds from there until others had its games, and how many times as long as alone everything took."""

    how: str
    seconds: float
    pace: float

    def beyond(self) -> float:
        """How long after the lease it would have been on a machine without other work."""
        return max(0.0, self.seconds - LEASE) / self.pace


class Long(Both):
    """Two nodes whose database has a synchronous standby, which takes its place when it is lost."""

    def __init__(self, folder: Path, nodes: list[Node], door: Door, lines: list[DatabaseLine], first: Machine) -> None:
        super().__init__(folder, nodes, door, lines, first.database, first.database.new())
        self.takeovers: list[Takeover] = []
        self.tried = 0
        """Late writes, by the logs of databases that are gone."""
        self._primary = first
        self._standby: Machine | None = None
        self._pace = 1.0
        self._acted: tuple[str, float] | None = None
        self._places = [0 for _ in nodes]
        """How much of each node's log was there at the last end."""

    def __exit__(self, *_: object) -> None:
        for node in self._nodes:
            with suppress(ProcessLookupError):
                node.signal(signal.SIGKILL)
            node.__exit__()
        for machine in (self._standby, self._primary):
            if machine is not None:
                machine.lose()

    async def start(self) -> None:
        begun = self._standby is not None
        await super().start()
        if not begun:
            await trio.to_thread.run_sync(self._watch)

    async def end(self, how: str, chance: random.Random, seen: Counter[str]) -> None:
        self._note()
        self._places = [node.log.stat().st_size for node in self._nodes]
        began = time.time()
        if how == "failed over":
            self.serves = False
            seen["ends"] += 1
            seen[how] += 1
            await trio.to_thread.run_sync(self._fail_over)
            self._leads.leads_to = 0
            self._leads.cut()
        elif how.startswith(("worker", "keeper")):
            self.serves = False
            node = self._nodes[chance.randrange(2)]
            if (
                node.process is None or node.process.poll() is not None
            ):  # it has learnt late that it was taken over from
                assert TAKEN_OVER in node.said()
                await node.start()
                await node.ready()
            await node.end(how, chance, seen)
        else:
            await super().end(how, chance, seen)
        self._acted = None if how in NO_TAKEOVER else (how, began)
        if self._acted is not None:
            await self._taken_up(began)

    async def _taken_up(self, began: float) -> None:
        """Wait until others have the games, if any has to be taken up, and see what neighbours take of the machine then."""
        latest = began
        with trio.move_on_after(UNDISTURBED_SECONDS):
            while latest == began or time.time() - latest < STILL_SECONDS:
                await trio.sleep(0.1)
                latest = max([latest, *self._adoptions(began)])
        self._pace = await trio.to_thread.run_sync(crowded)

    def _adoptions(self, began: float) -> list[float]:
        """When games were taken up since then, by what the nodes have said since the last end."""
        said: list[str] = []
        for node, place in zip(self._nodes, self._places, strict=True):
            with node.log.open() as log:
                log.seek(place)
                said += ADOPTED.findall(log.read())
        return [at for one in said if (at := datetime.fromisoformat(f"{one}+00:00").timestamp()) > began]

    def _note(self) -> None:
        """How long it took until others had the games, by what they have said since the last end."""
        acted, self._acted = self._acted, None
        if acted is None:
            return
        how, began = acted
        if after := self._adoptions(began):
            self.takeovers.append(Takeover(how, max(after) - began, self._pace))

    def _watch(self) -> None:
        with psycopg.connect(self.store, autocommit=True) as db:
            db.execute(WATCH)
        self._have_standby()

    def _have_standby(self) -> None:
        """Make one, for which every commit is waited with from then on."""
        with psycopg.connect(self.store, autocommit=True) as db:
            self._standby = Machine(of=self._primary.database)
            while not db.execute("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'").fetchone():
                time.sleep(0.05)
            db.execute("ALTER SYSTEM SET synchronous_standby_names = 'copy'")
            db.execute("ALTER SYSTEM SET wal_retrieve_retry_interval = '200ms'")
            db.execute("SELECT pg_reload_conf()")

    def _fail_over(self) -> None:
        """The machine of the database is lost, with all that is on it."""
        lost, standby = self._primary, self._standby
        assert standby is not None
        self.tried += lost.late()
        lost.lose()
        standby.database.promote()
        self.store = self.store.replace(str(lost.database.folder), str(standby.database.folder))
        with psycopg.connect(self.store, autocommit=True) as db:
            db.execute("ALTER SYSTEM RESET synchronous_standby_names")
            db.execute("SELECT pg_reload_conf()")
        for line in self._lines:
            line.of = standby.database.folder
        self._primary, self._database = standby, standby.database
        self._have_standby()

    def late_writes(self) -> tuple[int, int, int]:
        """Of those who were taken over from: how many statements that write came to the database, how often a room was refused, how many
        were not."""
        with psycopg.connect(self.store, autocommit=True) as db:
            writers = [row[0] for row in db.execute("SELECT node FROM watched ORDER BY no").fetchall()]
        assert writers
        latest, accepted = 0, 0
        for writer in writers:
            accepted += writer is None or writer < latest
            latest = max(latest, writer or 0)
        return self.tried + self._primary.late(), self.said().count(REFUSED), accepted


class Machine:
    """Of a database, a standby `of` another: its files are gone with it."""

    def __init__(self, of: Cluster | None = None) -> None:
        self._stack = ExitStack()
        self.database = self._stack.enter_context(cluster(of))

    def lose(self) -> None:
        self._stack.close()

    def late(self) -> int:
        """Late writes that were tried."""
        return (self.database.folder / "log").read_text(errors="replace").count(LATE)


@contextmanager
def made(folder: Path) -> Iterator[Long]:
    first = Machine()
    with ExitStack() as stack:
        door = stack.enter_context(Door())
        lines = [stack.enter_context(DatabaseLine(first.database.folder)) for _ in range(2)]
        nodes = [Node(folder / f"node{n}", door, "") for n in range(2)]
        long = stack.enter_context(Long(folder / "both", nodes, door, lines, first))
        for node, line in zip(nodes, lines, strict=True):
            node.store = long.store.replace(str(first.database.folder), str(line.folder))
        yield long


def drawn() -> list[str]:
    """What ends, in order; of each at least one."""
    ways = [how for how, count in WAYS.items() for _ in range(max(1, round(count * PERCENT / 100)))]
    random.Random(SEED).shuffle(ways)
    return ways


@pytest.mark.slow
@pytest.mark.usefixtures("one_address")
def test_nothing_of_all_that_can_end_loses_or_doubles_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APNAP_STORE_LEASE_SECONDS", str(LEASE))
    ways = drawn()
    with made(tmp_path) as long, capsys.disabled():
        play = partial(chaos, ways=ways, rooms=ROOMS, seconds=60 * MINUTES)
        seen = trio.run(play, long, len(ways), 5 * ANSWERS, SEED, partial(print, flush=True))
        tried, refused, accepted = long.late_writes()
        print(
            f"\n{dict(seen)}, late writes: {refused} refused to rooms, {tried} tried in the database, {accepted} not refused"
        )
        for how in WAYS:
            found = [one for one in long.takeovers if one.how == how]
            if found:
                worst = max(found, key=lambda one: one.beyond())
                print(
                    f"{how}: taken over {len(found)} times, at most {worst}, {worst.beyond():.2f} s beyond a lease but for other work"
                )
    assert (seen["lost"], seen["doubled"], accepted) == (0, 0, 0)
    assert seen["views"] > seen["ends"] and seen["sent again"] > seen["ends"]
    assert seen["unfinished"] == 0, "every game ends"
    assert long.takeovers
    assert [one for one in long.takeovers if one.beyond() > AFTER] == []
