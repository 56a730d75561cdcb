"""How long a server with many games in hand takes to start again, after SIGKILL and after a drain, and what a game costs on disk.

A few four-seat games of house decks are played to different lengths in rooms of their own; their journals are then written
as those of so many rooms, as a server would have left them. `apnap serve` runs as a child: the time is from its start to
its first line, when every room is taken up and clients may come. Twice: with the last entries still to be played, as after
a kill, and after that server was asked to stop, which leaves a snapshot of each room as it stands.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import trio
import trio.lowlevel
from msgspec import UNSET
from msgspec.structs import replace

from protocol.messages import AnswerMessage, Over, QuestionMessage, ViewMessage
from protocol.options import RoomOptions
from server.bench.child import Child
from server.bench.decks import house_decks
from server.knowledge.questions import write_answer
from server.rooms import RULES, Outbox, Room
from server.rules.turn import legal
from server.storage import Journal, MemoryStorage, Sitting, make_setup, open_sqlite
from server.storage.schema import FILE

SEATS = 4
GAMES = 6


class Figures(msgspec.Struct, frozen=True):
    """What `apnap bench restart --json` prints. `entries` and `turn` are medians of the games; `again` is how many entries a
    room has to play after a kill, on average. Seconds of CPU time beside those of the clock tell a busy machine. Bytes are of the
    whole database by its rooms, and of one room's snapshot. KiB of RSS are of the server with all games taken up, beyond those of
    one without games, by its rooms; `empty_*`, the reference, are that server's start.
    """

    rooms: int
    empty_s: float
    empty_cpu_s: float
    entries: int
    turn: int
    again: float
    killed_s: float
    killed_cpu_s: float
    drained_s: float
    drained_cpu_s: float
    drain_s: float
    rss_kib_a_room: float
    bytes_a_room: float
    snapshot_bytes: float


def measure(rooms: int, *, inputs: int = 400, say: Callable[[str], None] = lambda _: None) -> Figures:
    """Play, write, start, stop, start. `inputs`: answers of the longest game. Raises OSError."""
    games = trio.run(_games, inputs)
    turns = sorted(turn for _, _, turn in games)
    say(f"{len(games)} games played, up to turn {turns[-1]}; now in {rooms} rooms")
    with tempfile.TemporaryDirectory(prefix="apnap-bench-") as place:
        folder = Path(place)
        trio.run(_write, folder, [(whole, last) for whole, last, _ in games], rooms)
        size = (folder / FILE).stat().st_size
        empty, empty_cpu, child = _start(folder / "empty", 0)
        bare = child.rss_kib()
        child.stop()
        killed, killed_cpu, child = _start(folder, rooms)
        rss = child.rss_kib() - bare
        say(f"taken up after a kill in {killed:.1f} s (a server without games starts in {empty:.1f} s)")
        begun = time.perf_counter()
        child.stop()
        drain = time.perf_counter() - begun
        drained, drained_cpu, child = _start(folder, rooms)
        say(f"after a drain in {drained:.1f} s")
        child.process.kill()
        child.stop()
        packed = trio.run(_snapshot_bytes, folder)
    return Figures(
        rooms=rooms,
        empty_s=round(empty, 2),
        empty_cpu_s=round(empty_cpu, 2),
        entries=sorted(len(whole.entries) for whole, _, _ in games)[len(games) // 2],
        turn=turns[len(turns) // 2],
        again=round(sum(len(last.entries) for _, last, _ in games) / len(games), 1),
        killed_s=round(killed, 2),
        killed_cpu_s=round(killed_cpu, 2),
        drained_s=round(drained, 2),
        drained_cpu_s=round(drained_cpu, 2),
        drain_s=round(drain, 2),
        rss_kib_a_room=round(rss / rooms, 1),
        bytes_a_room=round(size / rooms),
        snapshot_bytes=round(packed),
    )


async def _games(inputs: int) -> list[tuple[Journal, Journal, int]]:
    """Games in progress: the whole journal, the journal from its last snapshot on, and the turn reached."""
    found: list[tuple[Journal, Journal, int]] = []
    seed = 0
    while len(found) < GAMES:
        seed += 1
        storage = MemoryStorage()
        sittings = [
            Sitting(name=f"Player {seat}", person=f"p{seat}", deck=deck, deck_name="house")
            for seat, deck in enumerate(house_decks(SEATS, seed))
        ]
        setup = make_setup(
            room="bench", options=RoomOptions(), seed=str(seed), sittings=sittings, version=RULES.version
        )
        room = Room(setup, storage)
        await play(room, inputs * (len(found) + 1) // GAMES, random.Random(seed))
        if room.state is not None and room.result is None:
            found.append((await storage.load("bench"), await storage.take_up("bench"), room.state.turn.number))
    return found


async def play(room: Room, most: int, chance: random.Random) -> None:
    """So many random legal answers."""
    outboxes = [Outbox(limit=1000) for _ in range(SEATS)]
    async with trio.open_nursery() as nursery:
        await nursery.start(room.run)
        for seat, outbox in enumerate(outboxes):
            room.attach(str(seat), outbox, seat=seat)
        for number in range(most):
            seat, question = await _asked(outboxes)
            state = room.state
            if state is None or state.pending is None or not question:
                break
            answer = write_answer(legal.sample(state.pending, state, chance))
            await room.submit(str(seat), AnswerMessage(id=f"a{number}", question=question, answer=answer))
            while (await outboxes[seat].get()).re != f"a{number}":
                pass
        nursery.cancel_scope.cancel()


async def _asked(outboxes: list[Outbox]) -> tuple[int, str]:
    """The seat that is asked, and the id of its question; "" once the game is over. Standing passes may be played before."""
    while True:
        for seat, outbox in enumerate(outboxes):
            question = ""
            while (message := outbox.get_nowait()) is not None:
                if isinstance(message, Over):
                    return seat, ""
                if isinstance(message, QuestionMessage | ViewMessage) and message.question is not UNSET:
                    question = message.question.id
            if question:
                return seat, question
        await trio.lowlevel.checkpoint()


async def _write(folder: Path, games: list[tuple[Journal, Journal]], rooms: int) -> None:
    async with open_sqlite(folder) as storage, trio.open_nursery() as nursery:
        for number in range(rooms):
            whole, last = games[number % len(games)]
            name = f"room-{number}"

            async def write(name: str = name, whole: Journal = whole, last: Journal = last) -> None:
                await storage.create(replace(whole.setup, room=name))
                await storage.append(name, whole.entries, last.snapshot)

            nursery.start_soon(write)


async def _snapshot_bytes(folder: Path) -> float:
    """Of one room's snapshot as it lies on disk, on average."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(folder / FILE)) as db:
        return db.execute("SELECT avg(length(state) + length(data)) FROM snapshot").fetchone()[0] or 0.0


def _start(folder: Path, rooms: int) -> tuple[float, float, Child]:
    """Seconds until the server says where it serves, of the clock and of CPU time, and the server. Raises OSError if it
    took up fewer rooms."""
    begun = time.perf_counter()
    child = Child(["-m", "server.command.main", "serve", "--port", "0", "--data", str(folder)])
    first = child.line()
    taken, cpu = time.perf_counter() - begun, child.cpu()
    found = 0
    while found < rooms:
        line = child.line()
        if not line:
            break
        found += line.startswith("Room ") and line.rstrip().endswith("(playing).")
    if "serves at" not in first or found < rooms:
        child.stop()
        raise OSError(f"the server took up {found} of {rooms} rooms")
    return taken, cpu, child
