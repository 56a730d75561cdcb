"""A server killed at any moment loses no answer that it acknowledged, and its games go on where they stood."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio

from protocol import messages as m
from server.knowledge.questions import write_answer
from server.rooms import RULES, Room, recover, replay
from server.rules.turn import legal
from server.storage import open_sqlite
from tests.rooms.tables import Client
from tests.rooms.test_whole_games import Chance, setup_of

ROUNDS = 2


async def play_on(folder: Path) -> None:
    """Take the game in a folder up, or start one, and play it; print the journal's length at each acknowledgement."""
    async with open_sqlite(folder) as storage, trio.open_nursery() as nursery:
        rooms = await recover(storage)
        room = rooms[0] if rooms else Room(setup_of(3, "crash"), storage)
        chance = Chance(str(room.seq))
        await nursery.start(room.run)
        clients = [Client(room, f"c{seat}", seat) for seat in range(3)]
        for client in clients:
            client.attach()
        while not room.over.is_set():
            for client in clients:
                for message in client.read():
                    if isinstance(message, m.Ok):
                        print(room.seq, flush=True)
                if client.question is not None:
                    state, client_question = room.state, client.question
                    client.question = None
                    assert state is not None and state.pending is not None
                    answer = write_answer(legal.sample(state.pending, state, chance))
                    await client.send(m.AnswerMessage(id="a", question=client_question.id, answer=answer))
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_killed_at_a_random_moment(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    acknowledged = 0
    for _ in range(2):
        words = [
            sys.executable,
            "-c",
            "import sys; sys.path.insert(0, '.'); from tests.rooms.test_crash import main; main()",
        ]
        root = Path(__file__).resolve().parents[2]
        with subprocess.Popen([*words, str(tmp_path)], stdout=subprocess.PIPE, cwd=root, text=True) as process:
            assert process.stdout is not None
            first = process.stdout.readline()  # killed only once something was acknowledged, however slow the machine
            time.sleep(chance.random() * 0.1)
            process.kill()
            said = (first + process.stdout.read()).split("\n")
            acknowledged = max([acknowledged, *(int(line) for line in said[:-1] if line)])

        async def look() -> int:
            async with open_sqlite(tmp_path, read_only=True) as storage:
                (record,) = await storage.rooms()
                journal = await storage.load(record.room)
                assert not journal.torn
                for _ in replay(journal, RULES):
                    pass
                return len(journal.entries)

        assert trio.run(look) >= acknowledged > 0


def main() -> None:
    trio.run(play_on, Path(sys.argv[1]))
