"""Where journals lie: `--data`, else $APNAP_DATA, else the user's data directory; and where that lies which can be made again."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.storage import Journal


def default_folder() -> Path:
    """The directory used when none is named."""
    named = os.environ.get("APNAP_DATA")
    if named:
        return Path(named)
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "apnap"


def cache_folder() -> Path:
    """The directory for what can be made again. Raises RuntimeError where the user has no home."""
    named = os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "apnap"


def add_data(parser: argparse.ArgumentParser) -> None:
    """The option `--data`."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where the journals lie (default: $APNAP_DATA or the user's data folder)",
    )


def folder(args: argparse.Namespace) -> Path:
    """The directory that the arguments say."""
    return args.data or default_folder()


async def find_journal(name: str, data: Path) -> Journal:
    """The journal in a file of that name, else of the room of that id. Raises OSError, `server.storage.StorageError`."""
    import trio

    from server.storage import NoSuchRoom, open_sqlite
    from server.storage.files import read_file

    file = Path(name)
    if await trio.Path(name).is_file():
        return read_file(file)
    try:
        async with open_sqlite(data, read_only=True) as storage:
            return await storage.load(name)
    except NoSuchRoom:
        raise NoSuchRoom(f"{name} is neither a file nor a room in {data}") from None
