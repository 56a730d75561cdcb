"""Frames of messages. A patch that several readers are told in the same words is written once."""

from __future__ import annotations

from websockets.frames import Opcode

from protocol.brief import unnumbered
from protocol.codec import Codec
from protocol.messages import Patch, ServerMessage
from server.net.websocket import frame

REMEMBERED = 64
"""Frames, of which one is needed as long as a turn of the loop, in which all readers of a room are written to."""


class Frames:
    """Those of one codec, for all connections that speak it."""

    def __init__(self, codec: Codec) -> None:
        self._encode = codec.encode
        self._opcode = Opcode.TEXT if codec.format == "json" else Opcode.BINARY
        self._alike: dict[tuple[int, int], tuple[Patch, bytes]] = {}
        """By the identities of patch and events: who is told the same is told the same values."""

    def of(self, message: ServerMessage) -> bytes:
        """The message's frame."""
        return frame(self._encode(message), self._opcode)

    def unnumbered(self, message: ServerMessage) -> bytes:
        """The frame for a reader who counts views and patches by itself."""
        if type(message) is not Patch:
            return self.of(message)
        if message.faces or message.digest or message.receipt:
            return self.of(unnumbered(message))
        key = (id(message.patch), id(message.events))
        known = self._alike.get(key)
        if known is None:
            if len(self._alike) >= REMEMBERED:
                self._alike.clear()
            known = self._alike[key] = (message, self.of(unnumbered(message)))
        return known[1]
