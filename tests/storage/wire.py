"""A line to PostgreSQL that can be cut where a test wants it: a socket in a folder of its own, behind which the real one lies."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path

NAME = ".s.PGSQL.5432"


class Wire:
    """Cut at the first messages in which the client sends `cut_at`, `times` (1) of them: before they are passed on, or after they were
    answered, where the client gets what is `instead` of the answer. `cuts` counts; connections after the last cut go through."""

    def __init__(self, folder: Path, real: Path) -> None:
        self.folder = folder
        self.cut_at = b""
        self.after = False
        self.times = 1
        self.instead = b""
        self.cuts = 0
        self._unheard: set[socket.socket] = set()  # ends of the server's of which the next answer is lost
        self._real = real / NAME
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / NAME))
        self._door.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """No more connections."""
        self._door.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(str(self._real))
                threading.Thread(target=self._pass_on, args=(near, far, True), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(far, near, False), daemon=True).start()

    def _pass_on(self, here: socket.socket, there: socket.socket, asking: bool) -> None:
        with suppress(OSError):
            while (data := here.recv(65536)) and here not in self._unheard:
                if asking and self.cut_at and self.cut_at in data:
                    self.cuts += 1
                    if self.cuts >= self.times:
                        self.cut_at = b""
                    if not self.after:
                        break
                    # The line is cut when the server has answered, not before: else the statement may not have counted yet.
                    self._unheard.add(there)
                there.sendall(data)
            if here in self._unheard:
                there.sendall(self.instead)
        for one in (here, there):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
