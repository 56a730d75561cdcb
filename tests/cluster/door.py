"""Where people come in: an address that leads to the server that serves now, as a balancer or a name would."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Door:
    """Listens on a port of its own; who comes is passed on to `leads_to`, 0: nobody. A context manager."""

    def __init__(self) -> None:
        self.leads_to = 0
        self._open: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Door:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        self.cut()

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
                    far = socket.create_connection(("127.0.0.1", self.leads_to))
                except OSError:
                    near.close()
                    continue
                self._open |= {near, far}
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while data := here.recv(65536):
                there.sendall(data)
        for line in (here, there):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._open.discard(here)
        here.close()
