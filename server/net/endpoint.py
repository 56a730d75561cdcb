"""The endpoint: websockets and plain HTTP on one port, on `websockets.trio`.

What is learnt about that library (17.4) is kept here: with `subprotocols=` alone a client that offers none gets 400, so the
choice is ours; an exception in a connection's own tasks would end the server, so they are guarded; compression is
off, because it costs more memory than it saves.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import logging
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from urllib.parse import urlsplit

import trio
from websockets.datastructures import MultipleValuesError
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.trio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from protocol import MAX_CLIENT_FRAME, SUBPROTOCOLS
from server.lobby.lobby import Lobby
from server.net.connection import SEND_SECONDS, WebsocketConnection
from server.net.session import serve_connection

log = logging.getLogger("apnap.net")


def _worth_telling(record: logging.LogRecord) -> bool:
    """False for what websockets reports as an internal error when we close a socket under it: that is only our closing."""
    return not (record.exc_info and isinstance(record.exc_info[1], trio.ClosedResourceError | trio.BrokenResourceError))


_LIBRARY_LOG = logging.getLogger("apnap.websockets")
_LIBRARY_LOG.addFilter(_worth_telling)

PATHS = ("/", "/ws")
"""Where a websocket may be opened."""
MAX_CONNECTIONS = 4000


class Endpoint:
    """One port. `origins` are web origins ("https://example.org") whose pages may connect, besides pages of this very
    server under an address or `localhost`.
    """

    def __init__(
        self,
        lobby: Lobby,
        *,
        origins: Sequence[str] = (),
        send_seconds: float = SEND_SECONDS,
        max_connections: int = MAX_CONNECTIONS,
    ) -> None:
        self._lobby = lobby
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self._send_seconds = send_seconds
        self._max_connections = max_connections
        self.connections = 0
        self._empty = trio.Event()

    async def serve(
        self, host: str, port: int, *, task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Listen until cancelled; reports the port listened on (`port` 0: a free one). Raises OSError when it cannot."""
        listeners = await trio.open_tcp_listeners(port, host=host)
        if port == 0:
            # Each address family got a port of its own; keep the first listener only.
            for extra in listeners[1:]:
                await extra.aclose()
            del listeners[1:]
        async with trio.open_nursery() as nursery:
            start = partial(
                serve,
                self._handle,
                listeners=listeners,
                subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
                select_subprotocol=select_subprotocol,
                compression=None,
                process_request=self.process_request,
                server_header=None,
                max_size=MAX_CLIENT_FRAME,
                create_connection=_Guarded,
                logger=_LIBRARY_LOG,
            )
            server: Server = await nursery.start(start)
            task_status.started(server.listeners[0].socket.getsockname()[1])

    async def _handle(self, websocket: ServerConnection) -> None:
        self.connections += 1
        try:
            await serve_connection(WebsocketConnection(websocket, self._send_seconds), self._lobby)
        finally:
            self.connections -= 1
            if not self.connections:
                self._empty.set()
                self._empty = trio.Event()

    async def empty(self) -> None:
        """Wait until no connection is left."""
        while self.connections:
            await self._empty.wait()

    def process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer plain HTTP, refuse what may not become a websocket, let the rest (None) go on."""
        path = urlsplit(request.path).path
        if path == "/health":
            return self._health(connection)
        if path not in PATHS:
            return connection.respond(HTTPStatus.NOT_FOUND, "Nothing here. Websockets at /, health at /health.\n")
        try:
            origin = request.headers.get("Origin")
            host = request.headers.get("Host", "")
        except MultipleValuesError:
            return connection.respond(HTTPStatus.BAD_REQUEST, "More than one Origin or Host.\n")
        if not self.allows(origin, host):
            return connection.respond(HTTPStatus.FORBIDDEN, f"Pages of {origin} may not connect here.\n")
        if self.connections >= self._max_connections:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "Full; come back later.\n")
        return None

    def allows(self, origin: str | None, host: str) -> bool:
        """Whether a connection with that `Origin` header may come in. None: no browser (a bot, a terminal client).

        A page is ours when its host is the one it asked for, and that is an address or `localhost`: a name could be made to
        point here by anybody (DNS rebinding), so names have to be listed.
        """
        if origin is None or origin.lower() in self._origins:
            return True
        try:
            page, asked = urlsplit(origin.lower()), urlsplit(f"//{host.lower()}")
            return page.netloc == asked.netloc and _is_address(page.hostname or "")
        except ValueError:
            return False

    def _health(self, connection: ServerConnection) -> Response:
        body = {"status": "ok", "connections": self.connections, **self._lobby.health()}
        response = connection.respond(HTTPStatus.OK, json.dumps(body) + "\n")
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json"
        response.headers["Cache-Control"] = "no-store"
        return response


def select_subprotocol(connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first offered subprotocol that is spoken here; JSON, unnamed, for a client that offers none."""
    for name in offered:
        if name in SUBPROTOCOLS:
            return name
    if offered:
        raise NegotiationError(f"subprotocols spoken here: {', '.join(SUBPROTOCOLS)}")
    return None


class _Guarded(ServerConnection):
    """A connection whose own tasks end only itself, whatever happens in them, and always end."""

    async def send_data(self) -> None:
        """One write for all frames that wait: each write is a call of the system, and dearer than all else about a frame."""
        async with self.send_lock:
            waiting = self.protocol.data_to_send()
            if all(waiting):
                if waiting:
                    await self.stream.send_all(b"".join(waiting))
                return
            for data in waiting:
                if data:
                    await self.stream.send_all(data)
                elif isinstance(self.stream, trio.abc.HalfCloseableStream):
                    with contextlib.suppress(Exception):
                        await self.stream.send_eof()
                else:
                    await self.stream.aclose()

    async def close_stream(self) -> None:
        try:
            await super().close_stream()
        finally:
            # Reading that was paused, because we had not kept up, would never be told that there is nothing left to read.
            if self.recv_flow_control is not None:
                self.resume_reading()

    async def recv_events(self) -> None:
        try:
            await super().recv_events()
        except Exception:
            log.exception("reading a websocket failed")
            await trio.aclose_forcefully(self.stream)

    async def keepalive(self) -> None:
        try:
            await super().keepalive()
        except Exception:
            log.exception("keeping a websocket alive failed")
            await trio.aclose_forcefully(self.stream)


def _is_address(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
