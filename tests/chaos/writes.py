"""A process that writes to a database as a server does, and says after each acknowledgement how far the power log had come then.

`python -m tests.chaos.writes FOLDER LOG TIMES`: a line "ROOM SEQ MOMENT" for each entry that was acknowledged. TIMES 0: one entry
for each line of its input, and a line "SEQ SECONDS ERROR" for it, with the day's time and "ok" for no error.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import trio

from server.storage import RoomExists, SqliteStorage, StorageError, open_sqlite
from tests.storage.test_storage import entries_of, setup_of, snapshot_of

ROOMS = 3


async def main(folder: Path, log: Path, times: int) -> None:
    """Write, close, open again, write on."""
    for half in (0, 1):
        async with open_sqlite(folder) as storage, trio.open_nursery() as nursery:
            for number in range(ROOMS):
                nursery.start_soon(write, storage, f"r{number}", log, half * times, times)


async def write(storage: SqliteStorage, room: str, log: Path, after: int, times: int) -> None:
    """So many entries more, some with a snapshot."""
    try:
        await storage.create(setup_of(room))
    except RoomExists:
        pass
    for seq in range(after + 1, after + times + 1):
        await storage.append(room, entries_of(seq, 1), snapshot_of(seq) if seq % 5 == 0 else None)
        print(room, seq, os.stat(log).st_size, flush=True)


async def as_told(folder: Path) -> None:
    """Write one entry for each line of input."""
    async with open_sqlite(folder) as storage:
        await storage.create(setup_of())
        seq = 1
        while await trio.to_thread.run_sync(sys.stdin.readline):
            error = "ok"
            try:
                await storage.append("r1", entries_of(seq, 1))
            except StorageError as fault:
                error = type(fault).__name__
            print(seq, int(time.time()), error, flush=True)
            seq += error == "ok"


if __name__ == "__main__":
    if int(sys.argv[3]):
        trio.run(main, Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
    else:
        trio.run(as_told, Path(sys.argv[1]))
