"""Frames to messages and back: JSON text frames, or MessagePack binary frames.

The server reads strictly (`Codec.read_client`): unknown fields are refused, what does not fit is refused with the
path to it. No message nests deep, so how deep a frame does is looked at only to say why it is none.
Clients read leniently (`Codec.read_server`): unknown fields are ignored, unknown messages become `messages.Unknown`.
Frames are `str` in JSON and `bytes` in MessagePack; a frame of the other type is malformed.
"""

import re
from itertools import islice
from typing import Any, Literal, TypeAlias

import msgspec

from protocol import JSON_SUBPROTOCOL, MAX_CLIENT_FRAME, MAX_DEPTH, MSGPACK_SUBPROTOCOL
from protocol.messages import ClientMessage, ServerMessage, Unknown
from protocol.refusals import Code, Refusal

Frame: TypeAlias = str | bytes
Format: TypeAlias = Literal["json", "msgpack"]


class Malformed(Refusal):
    """A frame that is no message. `re` is its id where that could be read."""

    re: str = ""


class _Id(msgspec.Struct):
    """What the server looks for in a frame it could not read whole."""

    id: str = ""


class _Head(msgspec.Struct):
    """What a client looks for in a message it does not know."""

    type: str
    re: str = ""


_JSON_TOKENS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
"""Strings (one that never ends runs to the end, so that this stays linear) and brackets."""
_LOOKED_AT = 2_000
"""Strings, lists and maps of a frame that are looked at one by one: somebody who sends nothing but such frames is to hold nobody."""
_FAILURES = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, OverflowError, TypeError, AttributeError)
_PATH = re.compile(r" - at `(?:key in )?\$?\.?([^`]*)`$")
_UNKNOWN_TYPE = re.compile(r"^(Invalid value '.*'|Object missing required field `type`.*)$", re.DOTALL)


def json_depth(frame: bytes) -> int:
    """How deep the lists and maps of a JSON text nest, as far as it is looked at, brackets in strings not counted."""
    depth = deepest = 0
    for found in islice(_JSON_TOKENS.finditer(frame), _LOOKED_AT):
        head = found[0][0]
        if head in b"[{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > MAX_DEPTH:
                break
        elif head in b"]}":
            depth -= 1
    return deepest


def msgpack_depth(frame: bytes) -> int:
    """How deep the lists and maps of a MessagePack value nest, as far as it is looked at; a broken frame as far as it can be read."""
    left: list[int] = []
    deepest = at = 0
    for _ in range(_LOOKED_AT):
        while left and left[-1] == 0:
            left.pop()
        if at >= len(frame) or deepest > MAX_DEPTH:
            break
        if left:
            left[-1] -= 1
        items, at = _msgpack_item(frame, at)
        if items:
            left.append(items)
            deepest = max(deepest, len(left))
    return deepest


_FIXED = {0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_FIXEXT = {0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17}
_LENGTHS = {
    0xC4: (1, 0),
    0xC5: (2, 0),
    0xC6: (4, 0),
    0xC7: (1, 1),
    0xC8: (2, 1),
    0xC9: (4, 1),
    0xD9: (1, 0),
    0xDA: (2, 0),
    0xDB: (4, 0),
}
_COUNTS = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}


def _msgpack_item(frame: bytes, at: int) -> tuple[int, int]:
    """For the item at a position: how many items it holds (0 for scalars and empty containers), and where the next
    begins.
    """
    head = frame[at]
    at += 1
    if 0x80 <= head <= 0x8F:
        return (head & 15) * 2, at
    if 0x90 <= head <= 0x9F:
        return head & 15, at
    if 0xA0 <= head <= 0xBF:
        return 0, at + (head & 31)
    if head in _COUNTS:
        width, each = _COUNTS[head]
        return int.from_bytes(frame[at : at + width], "big") * each, at + width
    if head in _LENGTHS:
        width, extra = _LENGTHS[head]
        return 0, at + width + extra + int.from_bytes(frame[at : at + width], "big")
    return 0, at + _FIXED.get(head, 0) + _FIXEXT.get(head, 0)


class Codec:
    """One subprotocol's reader and writer. Stateless; one of each is enough: `JSON` and `MSGPACK`."""

    def __init__(self, form: Format) -> None:
        self.format: Format = form
        if form == "json":
            self.subprotocol = JSON_SUBPROTOCOL
            self._client: Any = msgspec.json.Decoder(ClientMessage)
            self._server: Any = msgspec.json.Decoder(ServerMessage)
            self._plain: Any = msgspec.json.Decoder()
            self._head: Any = msgspec.json.Decoder(_Head)
            self._id: Any = msgspec.json.Decoder(_Id)
            self._encoder: Any = msgspec.json.Encoder()
        else:
            self.subprotocol = MSGPACK_SUBPROTOCOL
            self._client = msgspec.msgpack.Decoder(ClientMessage)
            self._server = msgspec.msgpack.Decoder(ServerMessage)
            self._plain = msgspec.msgpack.Decoder()
            self._head = msgspec.msgpack.Decoder(_Head)
            self._id = msgspec.msgpack.Decoder(_Id)
            self._encoder = msgspec.msgpack.Encoder()

    def write(self, message: ClientMessage | ServerMessage) -> Frame:
        """A message as a frame: text in JSON, bytes in MessagePack."""
        data = self.encode(message)
        return data.decode() if self.format == "json" else data

    def encode(self, message: ClientMessage | ServerMessage) -> bytes:
        """A frame's bytes."""
        data: bytes = self._encoder.encode(message)
        return data

    def read_client(self, frame: Frame) -> ClientMessage:
        """A client's frame, strictly. Raises `Malformed`."""
        data = self._bytes(frame)
        if len(data) > MAX_CLIENT_FRAME:
            raise Malformed(Code.TOO_LARGE)
        try:
            message: ClientMessage = self._client.decode(data)
            return message
        except _FAILURES as fault:
            raise self._refuse(data, fault) from None

    def read_server(self, frame: Frame) -> ServerMessage:
        """A server's frame, leniently. Raises `Malformed` only for what is no message at all.

        An unknown message is an `Unknown`; a view whose question is of a kind this client does not know comes without
        it.
        """
        data = self._bytes(frame)
        try:
            message: ServerMessage = self._server.decode(data)
            return message
        except msgspec.ValidationError as fault:
            return self._leniently(data, fault)
        except _FAILURES as fault:
            raise Malformed(Code.MALFORMED, f"Not readable: {fault}") from None

    def _leniently(self, data: bytes, fault: msgspec.ValidationError) -> ServerMessage:
        """What can be had of a message from a newer server."""
        try:
            plain: dict[str, Any] = self._plain.decode(data)
            if plain.get("type") == "view" and "question" in plain:
                del plain["question"]
                message: ServerMessage = msgspec.convert(plain, ServerMessage)
                return message
            head: _Head = self._head.decode(data)
        except _FAILURES:
            raise Malformed(Code.INVALID, str(fault)) from None
        return Unknown(re=head.re, name=head.type)

    def _bytes(self, frame: Frame) -> bytes:
        """The frame's bytes. Raises `Malformed` for the wrong sort of frame, and for text that has no UTF-8 form."""
        if isinstance(frame, str) is not (self.format == "json"):
            kind = "text" if self.format == "json" else "binary"
            raise Malformed(Code.MALFORMED, f"{self.subprotocol} takes {kind} frames.")
        if isinstance(frame, bytes):
            return frame
        try:
            return frame.encode()
        except UnicodeError:
            raise Malformed(Code.MALFORMED, "The text is not valid Unicode.") from None

    def _refuse(self, data: bytes, fault: Exception) -> Malformed:
        """The refusal for a client's frame that could not be read: what was wrong, where, and in reply to what."""
        depth = json_depth(data) if self.format == "json" else msgpack_depth(data)
        if depth > MAX_DEPTH:
            return Malformed(Code.MALFORMED, f"Lists and maps nest deeper than {MAX_DEPTH}.")
        if not isinstance(fault, msgspec.ValidationError):
            return Malformed(Code.MALFORMED, f"Not readable as {self.format}: {fault}")
        said = str(fault)
        where = _PATH.search(said)
        path = where[1] if where else ""
        sentence = said[: where.start()] if where else said
        code = Code.INVALID
        if path in ("", "type") and _UNKNOWN_TYPE.match(sentence):
            code = Code.UNKNOWN_MESSAGE
        refusal = Malformed(code, f"{sentence}, at {path}." if path else f"{sentence}.", path=path)
        try:
            refusal.re = self._id.decode(data).id[:64]
        except _FAILURES:
            pass
        return refusal


JSON = Codec("json")
MSGPACK = Codec("msgpack")
BY_SUBPROTOCOL = {JSON_SUBPROTOCOL: JSON, MSGPACK_SUBPROTOCOL: MSGPACK}
