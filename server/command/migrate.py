"""Move all journals, people and records from a data directory to PostgreSQL, or back, and prove by a hash that they are the same.

No server may work on either meanwhile. Where they are to go there must be nothing yet; where they come from everything stays. Where it is
cut short, no server starts on what has come until that is emptied and all is moved again. What the database does not hold (settings,
imported cards) stays in the data directory. What stays behind of the database is where its nodes reach each other, and the secret by which
they do: nobody serves by it elsewhere, and no copy of the other store is to hold a key to these nodes.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Define the command line."""
    from server.command.data import add_data

    parser.add_argument("store", metavar="postgresql://…", help="the database")
    parser.add_argument("--back", action="store_true", help="from the database to the data directory")
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Move; 1 where that cannot be done, or was not done right."""
    import trio

    from server.command.data import folder
    from server.storage import StorageError

    try:
        found = trio.run(partial(_migrate, args.store, folder(args), back=args.back))
    except (StorageError, OSError, BaseExceptionGroup) as fault:
        known = _first(fault)
        if not isinstance(known, StorageError | OSError):
            raise
        print(f"apnap migrate: {known}", file=sys.stderr)
        return 1
    print(found)
    return 0


def _first(fault: BaseException) -> BaseException:
    return _first(fault.exceptions[0]) if isinstance(fault, BaseExceptionGroup) else fault


async def _migrate(address: str, data: Path, *, back: bool) -> str:
    from server.command.stores import NEEDED
    from server.net.workers.nodes import KIND
    from server.storage import NoSuchRoom, StorageFault, open_sqlite
    from server.storage.migrating import migrate
    from server.storage.schema import FILE

    try:
        from server.storage.postgresql import Timelines, open_postgresql
    except ImportError:
        raise StorageFault(NEEDED) from None
    if not back and not (data / FILE).exists():
        raise NoSuchRoom(f"no journals in {data}")
    # The directory's server may know that another database has taken the place of that one.
    async with open_sqlite(data) as here, open_postgresql(address, timelines=Timelines(data)) as there:
        moved = await (migrate(there, here, {KIND}) if back else migrate(here, there, {KIND}))
    return f"{moved.rooms} rooms with {moved.entries} entries, {moved.records} records; at both ends the hash is {moved.hash}"
