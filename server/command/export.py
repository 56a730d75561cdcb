"""Write a room's journal to a file of JSON lines (to standard output without --to).

The file holds the whole game, hidden cards too. `apnap replay FILE` plays it again. A journal that is damaged is written as
it lies on the disk.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from server.command.data import add_data

if TYPE_CHECKING:
    from collections.abc import Iterator


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap export`."""
    parser.add_argument("room", metavar="ROOM", nargs="?", help="a room's id (absent: list the rooms)")
    parser.add_argument("--to", type=Path, metavar="FILE", help="the file to write")
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file. 1 when nothing could be written, or what was written is damaged."""
    import sys

    import trio

    from server.command.data import find_journal, folder
    from server.storage import Damaged, StorageError
    from server.storage.files import lines

    done = 0
    try:
        if args.room is None:
            return trio.run(_list, folder(args))
        try:
            found = lines(trio.run(find_journal, args.room, folder(args)))
        except Damaged as fault:
            found = trio.run(_unread, args.room, folder(args))
            print(f"apnap export: {fault}; written as it lies", file=sys.stderr)
            done = 1
        if args.to is None:
            sys.stdout.buffer.writelines(found)
        else:
            with args.to.open("wb") as file:
                file.writelines(found)
    except BrokenPipeError:
        raise  # whoever read our output went away: main knows
    except (OSError, StorageError) as fault:
        print(f"apnap export: {fault}", file=sys.stderr)
        return 1
    return done


async def _unread(room: str, data: Path) -> Iterator[bytes]:
    """The lines of a damaged journal."""
    from server.storage import open_sqlite
    from server.storage.files import lines_unread

    async with open_sqlite(data, read_only=True) as storage:
        return lines_unread(*await storage.unread(room))


async def _list(data: Path) -> int:
    """Print all rooms that have a journal."""
    import time

    from server.storage import open_sqlite

    async with open_sqlite(data, read_only=True) as storage:
        for room in await storage.rooms():
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(room.created))
            print(f"{room.room}  {when}  {room.entries} entries{'' if room.finished else ', unfinished'}")
    return 0
