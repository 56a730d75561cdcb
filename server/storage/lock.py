"""One server for one data directory: the lock file, which the system lets go when its process ends, however it ends."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from server.storage.errors import InUse

try:
    import fcntl
except ImportError:  # not a Unix: two servers on one directory are the host's affair
    fcntl = None

LOCK = "apnap.lock"


def lock(folder: Path) -> IO[str] | None:
    """Hold the directory's lock file for this process. Raises `InUse`."""
    if fcntl is None:
        return None
    file = (folder / LOCK).open("w", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InUse(f"another server works on {folder}") from None
    return file
