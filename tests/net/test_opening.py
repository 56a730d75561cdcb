"""The request that opens a websocket, in whatever pieces it comes: what is agreed on holds, and what follows is read behind it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from protocol import MSGPACK_SUBPROTOCOL
from server.net.websocket import Websocket
from tests.net.test_websocket import FINAL, PING, PONG, REQUEST, TEXT

OFFERED = REQUEST[:-2] + b"Sec-WebSocket-Protocol: later.v9, " + MSGPACK_SUBPROTOCOL.encode() + b"\r\n\r\n"
BEHIND = bytes((FINAL | PING, FINAL)) + bytes(4) + bytes((FINAL | TEXT, FINAL | 2)) + bytes(4) + b"hi"
"""A ping, and a message."""


class Pieces:
    """A line over which just these come; `sent` is what has left."""

    stalled = closed = hung_up = False

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)
        self.sent = b""

    async def receive(self, _: Any = None) -> bytes:
        return self._pieces.pop(0)

    def waits(self, _: Any) -> None:
        return None

    def send(self, data: bytes) -> bool:
        self.sent += data
        return True


@pytest.mark.parametrize("last", range(1, 7))
@pytest.mark.parametrize("before", ["whole", "byte by byte"])
async def test_what_was_agreed_on_holds_however_the_request_comes(last: int, before: str) -> None:
    first, rest = OFFERED[:-last], OFFERED[-last:] + BEHIND
    begun = [first] if before == "whole" else [first[i : i + 1] for i in range(len(first))]
    line = cast("Any", Pieces(*begun, rest))
    websocket = Websocket(line, 1)
    assert await websocket.open(lambda _protocol, _request: None)
    assert websocket.subprotocol == MSGPACK_SUBPROTOCOL
    assert await websocket.receive() == "hi"
    response, _, pong = line.sent.partition(b"\r\n\r\n")
    assert response.startswith(b"HTTP/1.1 101") and pong == bytes((FINAL | PONG, 0))
    assert Websocket.again(line, 1, websocket.unread()).subprotocol == MSGPACK_SUBPROTOCOL, "in another process, too"
