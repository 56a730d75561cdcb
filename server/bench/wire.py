"""The cheapest websocket client that speaks the protocol: non-blocking sockets, one epoll loop, frames read by hand.

A load must cost less than what it loads. Only what a server of ours sends is understood: whole unmasked frames, pings, the
close. Frames are masked with a key of zeros, which leaves them as they are.
"""

from __future__ import annotations

import base64
import os
import selectors
import socket
from collections.abc import Callable


class WireError(Exception):
    """The server hung up, or said what this client does not understand."""


class Wire:
    """One connection. `on_text` is called with each text frame, as bytes."""

    def __init__(self, host: str, port: int, path: str = "/", subprotocol: str = "") -> None:
        self.on_text: Callable[[bytes], None] = lambda _: None
        self._read = bytearray()
        self._unsent = b""
        self.socket = socket.create_connection((host, port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *([f"Sec-WebSocket-Protocol: {subprotocol}"] if subprotocol else []),
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self._read:
            self._take()
        head, _, rest = bytes(self._read).partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise WireError(head.decode("latin-1"))
        self._read = bytearray(rest)
        self.socket.setblocking(False)

    def send(self, data: bytes, opcode: int = 1) -> None:
        """Send a frame; what the socket does not take now goes with the next `flush`."""
        size = len(data)
        if size < 126:
            head = bytes((0x80 | opcode, 0x80 | size))
        elif size < 65536:
            head = bytes((0x80 | opcode, 0x80 | 126)) + size.to_bytes(2, "big")
        else:
            head = bytes((0x80 | opcode, 0x80 | 127)) + size.to_bytes(8, "big")
        self._unsent += head + b"\0\0\0\0" + data
        self.flush()

    def flush(self) -> None:
        """Send what is left to send."""
        if self._unsent:
            try:
                sent = self.socket.send(self._unsent)
            except BlockingIOError:
                return
            self._unsent = self._unsent[sent:]

    def ready(self) -> None:
        """Read what has come and hand on whole frames."""
        self._take()
        self.flush()
        buffer, at = self._read, 0
        while len(buffer) - at >= 2:
            opcode, size, start = buffer[at] & 15, buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[start : start + 2], "big"), start + 2
            elif size == 127:
                size, start = int.from_bytes(buffer[start : start + 8], "big"), start + 8
            if len(buffer) < start + size:
                break
            data = bytes(buffer[start : start + size])
            whole, at = buffer[at] & 0x80, start + size
            if opcode == 1 and whole:
                self.on_text(data)
            elif opcode == 9:
                self.send(data, 10)
            elif opcode == 8 or not whole:
                raise WireError("the server closed the connection")
        del buffer[:at]

    def _take(self) -> None:
        try:
            data = self.socket.recv(262_144)
        except BlockingIOError:
            return
        if not data:
            raise WireError("the server hung up")
        self._read += data

    def close(self) -> None:
        """Hang up."""
        self.socket.close()


class Wires:
    """Many connections in one loop."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._all: list[Wire] = []

    def add(self, wire: Wire) -> None:
        """Listen to one more."""
        self._all.append(wire)
        self._selector.register(wire.socket, selectors.EVENT_READ, wire)

    def drop(self, wire: Wire) -> None:
        """Hang up on one, as a line that breaks does."""
        self._all.remove(wire)
        self._selector.unregister(wire.socket)
        wire.close()

    def pump(self, timeout: float) -> None:
        """Hand on what has come; waits so many seconds at most for something to come."""
        for key, _ in self._selector.select(timeout):
            key.data.ready()

    def close(self) -> None:
        """Hang up on all."""
        for wire in self._all:
            self._selector.unregister(wire.socket)
            wire.close()
        self._selector.close()
