"""A local socket over which messages go both ways: four bytes of length, then MessagePack. What waits is written together."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec
import trio

HEAD = struct.Struct("!I")
CHUNK = 65_536
MOST_BYTES = 64 * 1024 * 1024
"""What may wait for an end that does not read, as one that stands still; beyond that it is gone."""
T = TypeVar("T")


class Wire(Generic[T]):
    """See the module. `read` decodes what comes; `put` may be called at any time, `run` once."""

    def __init__(self, stream: trio.SocketStream, read: Callable[[bytes], T]) -> None:
        self._stream = stream
        self._read = read
        self._encode = msgspec.msgpack.Encoder().encode
        self._unsent = bytearray()
        self._more = trio.Event()
        self._scope = trio.CancelScope()

    def put(self, message: msgspec.Struct) -> None:
        """Send a message after those that wait."""
        if len(self._unsent) > MOST_BYTES:
            self.cut()
        if self._scope.cancel_called:
            return
        body = self._encode(message)
        self._unsent += HEAD.pack(len(body))
        self._unsent += body
        self._more.set()

    def cut(self) -> None:
        """End it, with what waits."""
        self._unsent.clear()
        self._scope.cancel()

    async def run(self, take: Callable[[T], None]) -> None:
        """Send what is put, and hand over each message that comes, in order, until the other end is gone."""
        with self._scope:
            await self._run(take)

    async def _run(self, take: Callable[[T], None]) -> None:
        async with self._stream, trio.open_nursery() as nursery:
            nursery.start_soon(self._write)
            try:
                await self._receive(take)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                pass
            nursery.cancel_scope.cancel()

    async def _receive(self, take: Callable[[T], None]) -> None:
        data = bytearray()
        while part := await self._stream.receive_some(CHUNK):
            data += part
            at = 0
            while len(data) - at >= HEAD.size:
                end = at + HEAD.size + HEAD.unpack_from(data, at)[0]
                if len(data) < end:
                    break
                take(self._read(bytes(data[at + HEAD.size : end])))
                at = end
            del data[:at]

    async def _write(self) -> None:
        try:
            while True:
                while not self._unsent:
                    self._more = trio.Event()
                    await self._more.wait()
                now, self._unsent = self._unsent, bytearray()
                await self._stream.send_all(now)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # whoever reads notices
