"""One server for one data directory: a lock on the directory itself, which nobody can delete while it is in use, and which the
system lets go when its process ends, however it ends.

Not on the database: its locks are SQLite's, and closing any descriptor of it would drop ours. The lock file is what earlier
versions of apnap look at; it is held as well, so that none of them works beside this one.
"""

from __future__ import annotations

import os
from pathlib import Path

from server.storage.errors import InUse
from server.storage.private import private_file

try:
    import fcntl
except ImportError:  # not a Unix: two servers on one directory are the host's affair
    fcntl = None

LOCK = "apnap.lock"


class Lock:
    """What is held until `close`."""

    def __init__(self, descriptors: list[int]) -> None:
        self._descriptors = descriptors

    def close(self) -> None:
        """Let the directory go."""
        while self._descriptors:
            os.close(self._descriptors.pop())


def lock(folder: Path) -> Lock | None:
    """Hold the directory for this process. Raises `InUse`, OSError where there is no such directory."""
    if fcntl is None:
        return None
    held = Lock([])
    try:
        private_file(folder / LOCK)
        for path, how in ((folder, os.O_RDONLY), (folder / LOCK, os.O_WRONLY)):
            descriptor = os.open(path, how | os.O_CLOEXEC)
            held._descriptors.append(descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.close()
        raise InUse(f"another server works on {folder}") from None
    except BaseException:
        held.close()
        raise
    return held
