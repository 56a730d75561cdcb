"""Write a room's journal to a file of JSON lines (to standard output without --to).

The file holds the whole game, hidden cards too. `apnap replay FILE` plays it again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from server.command.data import add_data


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap export`."""
    parser.add_argument("room", metavar="ROOM", nargs="?", help="a room's id (absent: list the rooms)")
    parser.add_argument("--to", type=Path, metavar="FILE", help="the file to write")
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file."""
    import sys

    import trio

    from server.command.data import find_journal, folder
    from server.storage import StorageError
    from server.storage.files import lines

    try:
        if args.room is None:
            return trio.run(_list, folder(args))
        journal = trio.run(find_journal, args.room, folder(args))
        if args.to is None:
            sys.stdout.buffer.writelines(lines(journal))
        else:
            with args.to.open("wb") as file:
                file.writelines(lines(journal))
    except BrokenPipeError:
        raise  # whoever read our output went away: main knows
    except (OSError, StorageError) as fault:
        print(f"apnap export: {fault}", file=sys.stderr)
        return 1
    return 0


async def _list(data: Path) -> int:
    """Print all rooms that have a journal."""
    import time

    from server.storage import open_sqlite

    async with open_sqlite(data, read_only=True) as storage:
        for room in await storage.rooms():
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(room.created))
            print(f"{room.room}  {when}  {room.entries} entries{'' if room.finished else ', unfinished'}")
    return 0
