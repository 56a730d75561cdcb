"""Where people come in: an address that leads to the server that serves now, as a balancer or a name would; and the line from a server to
its database, which can be cut."""

from __future__ import annotations

import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self


class Door:
    """Listens on a port of its own; who comes is passed on to `leads_to`, 0: nobody. A context manager."""

    def __init__(self) -> None:
        self.leads_to = 0
        self._open: set[socket.socket] = set()
        self._passes = threading.Event()
        self._passes.set()
        self._listening = self._listen()
        self.port = self._port()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        self.cut()
        self._passes.set()

    def _port(self) -> int:
        return int(self._listening.getsockname()[1])

    def _listen(self) -> socket.socket:
        return socket.create_server(("127.0.0.1", 0))

    def _far(self) -> socket.socket:
        """The other end. Raises OSError where there is none."""
        return socket.create_connection(("127.0.0.1", self.leads_to))

    def cut(self) -> None:
        """All lines through it."""
        for line in tuple(self._open):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                try:
                    far = self._far()
                except OSError:
                    near.close()
                    continue
                self._open |= {near, far}
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while data := here.recv(65536):
                self._passes.wait()
                there.sendall(data)
        for line in (here, there):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._open.discard(here)
        here.close()


class DatabaseLine(Door):
    """Leads from a socket in a folder of its own to that of a PostgreSQL in another (`of`), while it `holds`."""

    def __init__(self, of: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="apnap-line-"))
        self.holds = True
        self.of = of
        super().__init__()

    def cut_off(self, *, dead: bool) -> None:
        """From now on nothing comes through: lines are closed, or, `dead`, open and silent, as when a cable is drawn."""
        self.holds = False
        if dead:
            self._passes.clear()
        else:
            self.cut()

    def mend(self) -> None:
        """New lines are made again; what was dead is closed."""
        self.cut()
        self._passes.set()
        self.holds = True

    def _port(self) -> int:
        return 0

    def _listen(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        made.bind(str(self.folder / ".s.PGSQL.5432"))
        made.listen()
        return made

    def _far(self) -> socket.socket:
        if not self.holds:
            raise ConnectionRefusedError
        far = socket.socket(socket.AF_UNIX)
        far.connect(str(self.of / ".s.PGSQL.5432"))
        return far
