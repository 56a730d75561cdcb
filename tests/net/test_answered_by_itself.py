"""Each message is answered though nothing comes after it that could wake the server, in whatever pieces it came.

Whoever sends is a thread with a blocking socket, and the server's clock stands still: what is not answered at once never is.
"""

from __future__ import annotations

import json
import random
import socket
import ssl
import struct
from contextlib import closing
from typing import Any

import pytest
import trio
import trio.testing

from server.net.app import App
from server.net.line import READ_BYTES
from server.settings import Limits, Listen, Settings
from tests.net.test_net import app_of
from tests.net.test_websocket import CONTINUED, FINAL, PING, REQUEST, TEXT
from tests.net.test_websocket import tls as tls
from tests.rooms.fake import FakeGame

SECONDS = 20.0
"""Nothing takes so long, however busy the machine is."""
BATCHES = 200
UNKNOWN = {"kind": "priority", "index": 0}


class Sender:
    """A client. `question`: the one that is open to it; `room`: the id of the room that it is in."""

    def __init__(self, app: App, name: str, chance: random.Random, context: ssl.SSLContext | None) -> None:
        sock = socket.create_connection((app.host, app.port), timeout=SECONDS)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = sock if context is None else context.wrap_socket(sock, server_hostname="127.0.0.1")
        self.name = name
        self.question: dict[str, Any] | None = None
        self.room = ""
        self.answered = 0
        self._chance = chance
        self._count = 0
        self._came = b""

    def opens(self) -> None:
        """The opening handshake, with what follows it at once."""
        data = REQUEST + self._frames([self.says("hello", name=self.name), self.says("decks")])
        self.socket.sendall(data)
        while not self._came.endswith(b"\r\n\r\n"):
            self._came += self.socket.recv(1)
        self._came = b""
        self.read_until({f"{self.name}1", f"{self.name}2"})

    def says(self, kind: str, **more: object) -> bytes:
        """A message with an id of its own: the name and a number."""
        self._count += 1
        return json.dumps({"type": kind, "id": f"{self.name}{self._count}", **more}).encode()

    def asks(self, *messages: bytes, between: Sender | None = None) -> None:
        """Messages in pieces as chance has it, and the answers to all of them. What was sent is read now and then before the next piece
        goes out: then `between` has had an answer meanwhile."""
        data = self._frames(messages)
        cuts = sorted(self._chance.choices(range(len(data)), k=self._chance.choice((0, 0, 1, 3))))
        for start, end in zip((0, *cuts), (*cuts, len(data)), strict=True):
            if start and between is not None and self._chance.random() < 0.5:
                between.asks(between.says("ping"))
            self.socket.sendall(data[start:end])
        self.read_until({json.loads(message)["id"] for message in messages})

    def read_until(self, awaited: set[str]) -> None:
        """Until each of these has been answered. Raises TimeoutError."""
        while awaited:
            opcode, body = self._frame()
            if opcode != TEXT:
                continue
            got = json.loads(body)
            awaited.discard(got.get("re", ""))
            if got["type"] in ("view", "question"):
                self.question = got.get("question") or self.question
            elif got["type"] == "room":
                self.room = got["room"]["id"]

    def _frame(self) -> tuple[int, bytes]:
        head, size = self._take(2)
        if size >= 126:
            size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
        return head & 15, self._take(size)

    def _take(self, size: int) -> bytes:
        while len(self._came) < size:
            more = self.socket.recv(65536)
            assert more, "the server has hung up"
            self._came += more
        taken, self._came = self._came[:size], self._came[size:]
        return taken

    def _frames(self, messages: list[bytes] | tuple[bytes, ...]) -> bytes:
        """Most in one frame each; some in two, with a ping between them; some so long that they take several reads."""
        data = b""
        for message in messages:
            chance = self._chance.random()
            if chance < 0.1:
                at = self._chance.randrange(len(message))
                data += masked(TEXT, message[:at]) + masked(FINAL | PING, b"?")
                data += masked(FINAL | CONTINUED, message[at:])
            else:
                longer = b" " * (READ_BYTES - len(message) + self._chance.randrange(-9, 9)) if chance > 0.9 else b""
                data += masked(FINAL | TEXT, message + longer)
        return data


def masked(head: int, body: bytes) -> bytes:
    """A client's frame (RFC 6455, 5.2)."""
    size = bytes((0x80 | len(body),)) if len(body) < 126 else bytes((0x80 | 126,)) + len(body).to_bytes(2, "big")
    return bytes((head,)) + size + bytes(4) + body


def batch_of(sender: Sender, chance: random.Random) -> list[bytes]:
    """What somebody who plays says at once: answers the open question, and others besides."""
    batch: list[bytes] = []
    for _ in range(chance.choice((1, 1, 1, 2, 3, 7))):
        question, which = sender.question, chance.random()
        if question is not None and which < 0.6:
            sender.question = None
            sender.answered += 1
            batch.append(sender.says("answer", question=question["id"], answer=question["default"]))
        elif which < 0.8:
            batch.append(sender.says("answer", question="q", answer=UNKNOWN))
        else:
            batch.append(sender.says(chance.choice(("ping", "sync", "list", "decks"))))
    return batch


def plays(app: App, chance: random.Random, context: ssl.SSLContext | None) -> int:
    """Two people at one table, of whom the other comes between; how many questions they have answered."""
    ada, ben = (Sender(app, name, chance, context) for name in ("Ada", "Ben"))
    with closing(ada.socket), closing(ben.socket):
        ada.opens()
        ben.opens()
        ada.asks(ada.says("open", options={"seats": 2}), ada.says("deck", house="bears"), between=ben)
        ben.asks(ben.says("join", room=ada.room), ben.says("deck", house="bears"), ben.says("ready"), between=ada)
        ada.asks(ada.says("start"), between=ben)
        for _ in range(BATCHES):
            sender, other = chance.sample((ada, ben), 2)
            sender.asks(*batch_of(sender, chance), between=other)
        # In the midst of a frame, and by a reset.
        ada.socket.sendall(masked(FINAL | TEXT, b"{}")[:-1])
        ada.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        ada.socket.close()
        ben.asks(ben.says("ping"))
    return ada.answered + ben.answered


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("secure", [False, True])
async def test_each_message_is_answered_by_itself(
    mock_clock: trio.testing.MockClock, secure: bool, seed: int, tls: tuple[str, ssl.SSLContext]
) -> None:
    assert mock_clock.rate == 0, "no timer wakes anybody"
    pem, context = tls
    listen = Listen(port=0, tls_cert=pem, tls_key=pem) if secure else Listen(port=0)
    settings = Settings(listen=listen, limits=Limits(views_per_minute=100_000, lists_per_minute=100_000))
    chance = random.Random(seed)
    async with app_of(FakeGame(turns=1000), settings=settings) as app:
        assert await trio.to_thread.run_sync(plays, app, chance, context if secure else None) > BATCHES / 10
