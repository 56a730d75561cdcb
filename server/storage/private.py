"""A data directory and its files are their owner's alone, whatever the umask: journals hold what no player may see yet."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

log = logging.getLogger("apnap.storage")

DIRECTORY = 0o700
FILE = 0o600
OURS = ("apnap.", "cards.sqlite3", "admin.sock", "lost+found")
"""How the names of what lies in a data directory begin."""


def private_folder(folder: Path) -> None:
    """Make the directory, or see that nobody else may look into it. One that holds other things than ours (somebody's home,
    say) is left as it is, with a line in the log. Raises OSError when it cannot be made.
    """
    folder.mkdir(mode=DIRECTORY, parents=True, exist_ok=True)
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode == DIRECTORY:
        return
    if all(found.startswith(OURS) for found in os.listdir(folder)):
        _set(folder, DIRECTORY)
    elif mode & 0o077:
        log.warning("%s holds other things than apnap's, and others may look into it (mode %o)", folder, mode)


def private_file(path: Path) -> None:
    """Make the file, empty, or see that nobody else may read it. SQLite gives the files beside a database its rights. Raises
    OSError when it cannot be made.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, FILE))
    except FileExistsError:
        pass
    for found in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        try:
            mode = stat.S_IMODE(found.stat().st_mode)
        except FileNotFoundError:
            continue
        if mode != FILE:
            _set(found, FILE)


def _set(path: Path, mode: int) -> None:
    try:
        path.chmod(mode)
    except OSError as fault:  # not ours, or a file system without rights
        log.warning("%s: others may be able to read it: %s", path, fault)
