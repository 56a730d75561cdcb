"""Lines between the nodes of one server: who calls says what for, and both prove that they read the same database.

A node is a machine (or a process family) with workers of its own; one of them has the keeper, which says in the database where it is and
with what secret (`Leads`). A line begins with a number by which whoever is called challenges the caller; the caller's `Call` and the reply
to it are proved by the secret. What the line is for follows it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from functools import lru_cache
from typing import TypeAlias

import msgspec
import trio

from server.net.workers.messages import FromKeeper, FromWorker
from server.net.workers.moving import HEAD, MOST_BYTES, Moved, read_moved

KIND, KEY = "node", "leads"
"""The record that says which node has the keeper."""
SECONDS = 5.0
"""How long a call may take to be made."""
PROOF = 32
LONGEST = 1024
"""Bytes of a call."""
CHUNK = 65_536
HALF_OPEN = 64
"""Calls that may be being made at once."""
TAKEN = b"\x01"
LEAVES = b"!"
"""What a node that is about to stop says instead of a beat."""
STILL = 0x80
"""And a worker's place among those of its node, of which there are fewer: that one does not run."""


class Leads(msgspec.Struct, frozen=True):
    """Where the node with the keeper is reached, and the secret of all its lines."""

    address: str
    secret: bytes


class _Call(msgspec.Struct, frozen=True, array_like=True, tag=True, forbid_unknown_fields=True):
    """What a line is for."""


class Follow(_Call, frozen=True):
    """The caller's workers serve with the keeper's; it is reached at that address, and by clients at `url`, if at any. Answered with the
    number of the node.
    """

    address: str
    url: str = ""


class WireFor(_Call, frozen=True):
    """The wire of a worker of that node."""

    node: int


class Arrive(_Call, frozen=True):
    """An open connection for the worker at that place; `Moved` follows, then what its client sends."""

    place: int


class Order(_Call, frozen=True):
    """An order of the host's; it follows, and its reply comes back."""


class TakenOver(_Call, frozen=True):
    """The caller has the keeper now, and the database: who is called has neither any more, and may be cut off from where that is read."""


Call: TypeAlias = Follow | WireFor | Arrive | Order | TakenOver


class _Proved(msgspec.Struct, frozen=True, array_like=True):
    """A call, the version of the caller, and the proof."""

    version: str
    call: bytes
    proof: bytes


class NotOurs(OSError):
    """Who was called is no node of this server, or of another version; or its keeper is another one by now."""


def version_of(rules: str) -> str:
    """The version of a node: that of its rules, and what nodes say to each other."""
    return f"{rules} {_said(Call, Moved, FromWorker, FromKeeper)}"


@lru_cache(maxsize=1)
def _said(*messages: object) -> str:
    """A digest of what these messages may be, which the parent makes for its children."""
    return hashlib.sha256(repr(msgspec.inspect.multi_type_info(messages)).encode()).hexdigest()[:16]


async def call(address: str, secret: bytes, version: str, what: Call) -> trio.SocketStream:
    """A line to a node. Raises OSError when it is not there, `NotOurs`."""
    host, _, port = address.rpartition(":")
    why = "has hung up"
    with trio.move_on_after(SECONDS):
        stream = await trio.open_tcp_stream(host.strip("[]"), int(port))
        try:
            challenge = await exactly(stream, PROOF)
            why = f"does not take calls of this server's version {version}"
            body = msgspec.msgpack.encode(what)
            proof = _proof(secret, challenge, version.encode(), body)
            await send(stream, msgspec.msgpack.encode(_Proved(version, body, proof)))
            if not hmac.compare_digest(await exactly(stream, PROOF), _proof(secret, proof)):
                raise NotOurs(f"{address} is no node of this server")
        except (trio.BrokenResourceError, EOFError):
            await trio.aclose_forcefully(stream)
            raise NotOurs(f"{address} {why}") from None
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream
    raise NotOurs(f"{address} does not answer")


async def called(stream: trio.SocketStream, secret: bytes, version: str) -> Call | None:
    """What a line is for; None for one that is not of this server."""
    challenge = secrets.token_bytes(PROOF)
    try:
        with trio.fail_after(SECONDS):
            await stream.send_all(challenge)
            proved = msgspec.msgpack.decode(await receive(stream, LONGEST), type=_Proved)
            proof = _proof(secret, challenge, proved.version.encode(), proved.call)
            if proved.version != version or not hmac.compare_digest(proof, proved.proof):
                return None
            found = msgspec.msgpack.decode(proved.call, type=Call)
            await stream.send_all(_proof(secret, proof))
    except (trio.BrokenResourceError, trio.TooSlowError, EOFError, msgspec.MsgspecError):
        return None
    return found


class Callers:
    """Who calls and has not said what for: where they are too many, the oldest goes, for a node says it at once."""

    def __init__(self, secret: bytes, version: str, most: int = HALF_OPEN) -> None:
        self._secret = secret
        self._version = version
        self._most = most
        self._here: dict[trio.CancelScope, None] = {}

    async def called(self, stream: trio.SocketStream) -> Call | None:
        """See `called`."""
        if len(self._here) >= self._most:
            oldest = next(iter(self._here))
            del self._here[oldest]
            oldest.cancel()
        with trio.CancelScope() as scope:
            self._here[scope] = None
            try:
                return await called(stream, self._secret, self._version)
            finally:
                self._here.pop(scope, None)
        return None


def _proof(secret: bytes, *parts: bytes) -> bytes:
    lengths = b"".join(HEAD.pack(len(part)) for part in parts)
    return hmac.digest(secret, lengths + b"".join(parts), "sha256")


async def send(stream: trio.SocketStream, body: bytes) -> None:
    """Its length, then what is to be sent. Raises trio.BrokenResourceError."""
    await stream.send_all(HEAD.pack(len(body)) + body)


async def receive(stream: trio.SocketStream, longest: int = MOST_BYTES) -> bytes:
    """What `send` sent. Raises EOFError where it comes in part or is too long, trio.BrokenResourceError."""
    (length,) = HEAD.unpack(await exactly(stream, HEAD.size))
    if length > longest:
        raise EOFError
    return await exactly(stream, length)


async def exactly(stream: trio.SocketStream, count: int) -> bytes:
    """So many bytes. Raises EOFError when they are not sent, trio.BrokenResourceError."""
    found = bytearray()
    while len(found) < count:
        part = await stream.receive_some(count - len(found))
        if not part:
            raise EOFError("it has hung up")
        found += part
    return bytes(found)


class Far(msgspec.Struct, frozen=True):
    """A worker of another node: where that is reached, by clients at `url`, if at any, and the worker's place there."""

    address: str
    place: int
    secret: bytes
    version: str
    url: str = ""

    async def hand_over(self, moved: Moved) -> trio.SocketStream:
        """A line over which it goes on with a connection. Raises OSError when it does not take it."""
        if not self.address:
            raise NotOurs("that node serves no more")
        stream = await call(self.address, self.secret, self.version, Arrive(self.place))
        try:
            await send(stream, msgspec.msgpack.encode(moved))
            await exactly(stream, len(TAKEN))
        except (trio.BrokenResourceError, EOFError):
            await trio.aclose_forcefully(stream)
            raise NotOurs(f"{self.address} does not take a connection") from None
        return stream


def websocket_of(url: str) -> str:
    """Where websockets are at a server's address: "https://example.org" to "wss://example.org/ws"."""
    return f"ws{url.removeprefix('http').rstrip('/')}/ws"


Way: TypeAlias = str | Far
"""To a worker: the path of its socket, or another node."""


async def arrived(stream: trio.SocketStream) -> Moved:
    """The connection that comes over a line, which is its client's from then on. Raises EOFError, trio.BrokenResourceError,
    msgspec.MsgspecError."""
    moved = read_moved(await receive(stream))
    await stream.send_all(TAKEN)
    return moved


async def relay(one: trio.SocketStream, other: trio.SocketStream) -> None:
    """What comes from each to the other, until either is gone."""

    async def pump(source: trio.SocketStream, sink: trio.SocketStream) -> None:
        while data := await source.receive_some(CHUNK):
            await sink.send_all(data)

    async def pumping(source: trio.SocketStream, sink: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await pump(source, sink)
        nursery.cancel_scope.cancel()

    async with one, other, trio.open_nursery() as nursery:
        nursery.start_soon(pumping, one, other)
        nursery.start_soon(pumping, other, one)
