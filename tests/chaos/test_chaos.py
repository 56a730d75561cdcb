"""A server that ends again and again while people play loses nothing that it acknowledged and plays nothing twice.

Each life of a real `apnap serve` ends at a random moment after some answers, in one of the ways of `ENDS`, and it is started again; the
clients come back by themselves. Before that, now and then, the clock jumps and the disk is full, slow or cannot sync for a while. While
the server is down its journals are read and played: every acknowledged answer is there once, as it was given; every client's last
view is one that the replayed game had. When it is back, answers of long ago are sent again: each is acknowledged again.
Nobody is told of a loss, nor is the log. At the end every game ends. `APNAP_CHAOS_ENDS` sets how many ends there are,
`APNAP_CHAOS_ANSWERS` how many acknowledged answers at least, `APNAP_CHAOS_ROOMS` how many rooms, `APNAP_CHAOS_SEED` the order of
what happens.
"""

from __future__ import annotations

import copy
import math
import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Self

import pytest
import trio

from protocol import messages as m
from protocol.patch import Tree
from server.knowledge.questions import ids_of, read_answer
from server.knowledge.views import Views
from server.rooms import RULES, replay
from server.rooms.game import Outcome, Rules
from server.rules.model import State
from server.storage import Answered, AnyEntry, Ended, Journal, Setup, Storage, open_sqlite
from tests.chaos.guests import Guest, until
from tests.chaos.power import Ailment, Power, compiled

ENDS = (
    "killed",
    "power",
    "killed",
    "asked to stop",
    "killed while starting",
    "stopped for a while",
    "power while starting",
)
"""By SIGKILL, by loss of power, by SIGTERM, by SIGKILL before it serves, by SIGSTOP and SIGCONT, by loss of power before it serves."""
LOSS = re.compile(
    r"(?:are|is) lost|another copy|not as it was written|the database is damaged|frozen|stands? still|Traceback"
    r"|ended by SIG(?!KILL|TERM|INT)"
)
"""What the log is not to say: nor that a process ended by a signal that nobody sent."""
AILING: tuple[Ailment, ...] = ("full", "full after half of a write", "cannot sync")
ROOMS = int(os.environ.get("APNAP_CHAOS_ROOMS", "8"))
ENDED = int(os.environ.get("APNAP_CHAOS_ENDS", "6"))
ANSWERED = int(os.environ.get("APNAP_CHAOS_ANSWERS", "200"))
SEED = int(os.environ.get("APNAP_CHAOS_SEED", "0"))
LIFE_SECONDS = 10.0
"""After so long a life ends, however few answers it has had."""
SHORT_LIVES = 0.2
"""How many lives end before all guests are back."""
MANY = 20
"""With more ends than that it is told of each one as it goes on."""
ROOT = Path(__file__).resolve().parents[2]
ASKED = ("priority", "waiting_for")
"""What a view says of who is asked."""
LOOKED_BACK = 400
"""States before those that are new in which a client's view may be found: it may not have been told of the new ones yet, of which
there are hundreds where its seat has lost and bots play on.
"""


class Server:
    """`apnap serve` on one data directory and one port; a context manager that leaves no process behind. With `power` it can lose it."""

    def __init__(self, folder: Path, power: Power | None = None, workers: int = 1) -> None:
        self.folder = folder
        self.workers = workers
        self.power = power
        self.log = folder.with_name(f"{folder.name}.log")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.door = self.port
        """Where people come in."""
        self.process: subprocess.Popen[str] | None = None
        self.serves = False
        self._starting = 2.0
        """Seconds that the last start took."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            children = self.children()
            self.process.kill()
            self.process.wait()
            for child in children:  # they end with it, unless they were stopped
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

    async def start(self) -> None:
        self.spawn()
        begun = trio.current_time()
        first = await trio.to_thread.run_sync(self._first_line)
        assert "serves at" in first, (first, self.said()[-2000:])
        self.serves = True
        self._starting = trio.current_time() - begun

    def spawn(self) -> None:
        """Start it, without waiting until it serves."""
        words = ["-m", "server.command.main", *self.words()]
        environment = None if self.power is None else self.power.begin()
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, *words], stdout=subprocess.PIPE, stderr=log, cwd=ROOT, text=True, env=environment
            )

    def journals(self) -> AbstractAsyncContextManager[Storage]:
        """What it has written, to be read."""
        return open_sqlite(self.folder, read_only=True)

    def words(self) -> list[str]:
        """What it is started with."""
        more = ["--workers", str(self.workers)] if self.workers > 1 else []
        return ["serve", "--port", str(self.port), "--data", str(self.folder), *more]

    def children(self) -> list[int]:
        """The keeper and the workers, while they are there."""
        return [] if self.process is None or self.workers == 1 else children_of(self.process.pid)

    def _first_line(self) -> str:
        assert self.process is not None and self.process.stdout is not None
        return self.process.stdout.readline()

    def said(self) -> str:
        """What it has told its log, in all its lives."""
        return self.log.read_text()

    async def kill(self) -> None:
        assert self.process is not None
        children = self.children()
        self.process.kill()
        code = await trio.to_thread.run_sync(self.process.wait)
        assert code >= 0 or -code in (signal.SIGKILL, signal.SIGTERM), f"it has ended by {signal.Signals(-code).name}"
        with trio.fail_after(30):  # they end with it
            await until(lambda: not any(map(lives, children)))

    async def end(self, how: str, chance: random.Random, seen: Counter[str]) -> None:
        """End it in one of the ways of `ENDS`; it was running."""
        assert self.process is not None
        self.serves = False
        seen["ends"] += 1
        if how == "asked to stop":
            self.process.terminate()
            if (
                self.power is not None
            ):  # a disk that cannot sync is waited for, and well again before that takes too long
                await trio.sleep(chance.random())
                self.power.luck()
            assert await trio.to_thread.run_sync(self.process.wait) == 0
            return
        if how == "stopped for a while":
            self.process.send_signal(signal.SIGSTOP)
            await trio.sleep(chance.random())
            self.process.send_signal(signal.SIGCONT)
            await trio.sleep(0.3 * chance.random())
        await self.kill()
        if how.endswith("while starting"):
            seen["ends"] += 1
            self.spawn()
            await trio.sleep(1.2 * self._starting * chance.random())
            await self.kill()
        if how.startswith("power") and self.power is not None:
            seen["power losses"] += 1
            await trio.to_thread.run_sync(self.power.lose, chance)


def children_of(pid: int) -> list[int]:
    """Of a process, but for what reads the house set, which writes nothing."""
    found: list[int] = []
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with suppress(OSError):  # it has just ended
                if b"house_reading" not in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
    return found


class Continued(Rules):
    """The rules of a game that goes on from a state."""

    def __init__(self, state: State) -> None:
        self._from = state

    def start(self, setup: Setup) -> Outcome:
        return self._from, ()


class Checked:
    """A room's journal as far as it was checked: the entries, the state after them, the states before."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.entries: tuple[AnyEntry, ...] = ()
        self.states: list[State] = [RULES.start(setup)[0]]
        self.answers: dict[int, Answered] = {}
        self.finished = False
        self._found: Tree | None = None
        """The view that was found last: to a client that nothing reached since, the game may have gone on for long."""

    def read(self, journal: Journal) -> int:
        """Play what is new; how many questions it answers that were answered before. Raises `Diverged`."""
        assert journal.entries[: len(self.entries)] == self.entries, "what was written has changed"
        fresh = journal.entries[len(self.entries) :]
        doubled = 0
        del self.states[:-LOOKED_BACK]
        for turned in replay(Journal(self.setup, fresh, bases=journal.bases), Continued(self.states[-1])):
            self.states.append(turned.after)
        for entry in fresh:
            if isinstance(entry, Answered):
                doubled += entry.question in self.answers
                self.answers[entry.question] = entry
        self.entries = journal.entries
        return doubled

    def holds(self, answer: m.AnswerMessage) -> bool:
        """Whether the seat's answer stands in the journal, as it was given."""
        number = ids_of(self.setup.rules.seed).read(answer.question)
        assert number is not None
        found = self.answers.get(number)
        return found is not None and found.answer == read_answer(answer.answer) and found.by == "seat"

    def has(self, seat: int, view: Tree) -> bool:
        """Whether the seat saw that."""
        if view == self._found:
            return True
        for number, state in enumerate(reversed(self.states)):
            if number and state.turn.number < view.get("turn", 0):  # type: ignore[operator]
                break
            views = Views(RULES)
            views.update(state)
            seen = views.tree(seat)
            # When all have passed the moment is shown once more with nobody asked, and the server may have ended there.
            asked = {key: None for key in ASKED if key not in view}
            if {**seen, "result": None, **asked} == {**view, "result": None, **asked}:
                self._found = copy.deepcopy(view)
                return True
        return False


async def check(server: Server, guests: list[Guest], rooms: dict[str, Checked], seen: Counter[str]) -> None:
    """Compare journals with what was acknowledged and shown."""
    async with server.journals() as storage:
        for record in await storage.rooms():
            if record.room in rooms and rooms[record.room].finished:
                assert record.entries == len(rooms[record.room].entries)
                continue
            journal = await storage.load(record.room)
            assert not journal.torn
            if record.room not in rooms:
                rooms[record.room] = Checked(journal.setup)
            seen["doubled"] += rooms[record.room].read(journal)
            rooms[record.room].finished = record.finished
    for guest in guests:
        for room, answer in guest.acknowledged:
            seen["lost"] += room not in rooms or not rooms[room].holds(answer)
        seen["answers"] += len(guest.acknowledged)
        guest.acknowledged.clear()
        table = guest.session.table
        assert table.mismatches == 0
        if guest.session.room in rooms and table.tree:
            assert rooms[guest.session.room].has(0, table.tree), "a view that the game never had"
            seen["views"] += 1
    played = {guest.session.room for guest in guests}
    for room, checked in rooms.items():
        if checked.finished and room not in played:
            del checked.states[:-1]


async def bad_luck(power: Power, chance: random.Random, seen: Counter[str]) -> None:
    """For a moment: the clock jumps, the disk is slow, or it is full or cannot sync."""
    clock = chance.randrange(-100, 100) * 86_400
    match chance.randrange(3):
        case 0:
            seen["clock jumps"] += 1
            power.luck(clock=clock)
            return
        case 1:
            seen["slow disks"] += 1
            power.luck(clock=clock, slow_us=chance.randrange(100_000))
        case _:
            seen["ailing disks"] += 1
            power.luck(clock=clock, disk=chance.choice(AILING))
    await trio.sleep(0.5 * chance.random())
    if chance.random() < 0.7:  # else it ends in the midst of it
        power.luck(clock=clock)
        await trio.sleep(0.5 * chance.random())


class Chaos:
    """Guests who play at a server that ends again and again."""

    def __init__(self, server: Server, guests: list[Guest], seed: int) -> None:
        self.server = server
        self.guests = guests
        self.chance = random.Random(seed)
        self.seen: Counter[str] = Counter(lost=0, doubled=0)
        self._checked: dict[str, Checked] = {}

    async def live(self, answers: int) -> None:
        """Until the guests have had about so many answers acknowledged in this life, or it has lasted for `LIFE_SECONDS`; some
        lives are short.
        """
        if self.chance.random() >= SHORT_LIVES:
            wanted = answers * (0.5 + self.chance.random())
            with trio.move_on_after(LIFE_SECONDS):
                await until(lambda: sum(len(guest.acknowledged) for guest in self.guests) >= wanted)
        await trio.sleep(self.chance.random())
        if self.server.power is not None and self.chance.random() < 0.4:
            await bad_luck(self.server.power, self.chance, self.seen)

    async def end(self, how: str) -> None:
        """The server ends, and what it leaves is looked at."""
        await self.server.end(how, self.chance, self.seen)
        with trio.fail_after(60):
            for guest in self.guests:
                await until(lambda guest=guest: not guest.connected)
        self.seen["lives"] += 1
        await self.check()

    async def check(self) -> None:
        """All that was acknowledged is there once, and nobody has seen what is not."""
        await check(self.server, self.guests, self._checked, self.seen)
        said = self.server.said()
        found = LOSS.search(said)
        assert found is None, said[max(0, found.start() - 1000) : found.start() + 4000]
        self.seen["sent again"] = sum(guest.again for guest in self.guests)


async def chaos(
    server: Server,
    ends: int,
    answers: int,
    seed: int,
    tell: Callable[[str], None],
    *,
    ways: Sequence[str] = ENDS,
    rooms: int = ROOMS,
    seconds: float = math.inf,
) -> Counter[str]:
    """So many ends and answers at least, or as many as so many `seconds` take; what was seen: lives and ends, acknowledged answers, those
    of them that are lost or doubled, those that were sent again and acknowledged again, views compared, games begun and ended.
    """
    async with trio.open_nursery() as connections, trio.open_nursery() as players:
        url = f"ws://127.0.0.1:{server.door}"
        guests = [Guest(number, url, connections, lambda: server.serves) for number in range(rooms)]
        played = Chaos(server, guests, seed)
        seen = played.seen
        await server.start()
        for guest in guests:
            players.start_soon(guest.live)
        over = trio.current_time() + seconds
        for how in cycle(ways):
            if seen["ends"] >= ends and seen["answers"] >= answers or trio.current_time() > over:
                break
            await played.live(answers * len(ways) // (ends * 5))
            await played.end(how)
            if ends > MANY:
                tell(f"{how}: {dict(seen)}")
            await server.start()
        for guest in guests:
            guest.stop = True
        with trio.fail_after(600 + 20 * rooms):
            await until(lambda: not players.child_tasks)
        seen["ended"] = sum(len(guest.ended) for guest in guests)
        await server.kill()
        await played.check()
        connections.cancel_scope.cancel()
    async with server.journals() as storage:
        for record in await storage.rooms():
            last = (await storage.load(record.room)).entries[-1:]
            seen["games"] += 1
            seen["unfinished"] += not record.finished or not isinstance(last[0] if last else None, Ended)
    return seen


def lives(pid: int) -> bool:
    """Whether a process, or what is left of it, may still write."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_ended_again_and_again(tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:
    (tmp_path / "aside").mkdir()
    library = compiled(tmp_path / "aside")
    power = None if library is None else Power(library, tmp_path / "data", tmp_path / "aside")
    with capsys.disabled(), Server(tmp_path / "data", power, workers) as server:
        seen = trio.run(chaos, server, ENDED, ANSWERED, SEED, partial(print, flush=True))
        print(f"\n{dict(seen)}{'' if power else ' (no C compiler here: no power was lost)'}")
    assert (seen["lost"], seen["doubled"]) == (0, 0)
    assert seen["answers"] >= ANSWERED and seen["views"] > ENDED and seen["sent again"] > ENDED
    assert power is None or seen["power losses"] >= ENDED // 5
    assert seen["ended"] >= min(ROOMS, 2 * ENDED) and seen["unfinished"] == 0, "every game ends"
