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
import ssl
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlsplit

import trio
from prometheus_client import CONTENT_TYPE_LATEST
from websockets.datastructures import MultipleValuesError
from websockets.exceptions import ConnectionClosed, NegotiationError
from websockets.http11 import Request, Response
from websockets.trio.messages import Assembler
from websockets.trio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from protocol import MAX_CLIENT_FRAME, SUBPROTOCOLS
from server.lobby.lobby import Lobby
from server.lobby.rates import peer_of
from server.metrics import CONNECTIONS, Gauges, exposition
from server.net.connection import WebsocketConnection
from server.net.porch import Porch
from server.net.session import serve_connection
from server.net.static import Page
from server.settings import Settings

log = logging.getLogger("apnap.net")


NO_ERROR = (trio.ClosedResourceError, trio.BrokenResourceError, ConnectionClosed)


def _worth_telling(record: logging.LogRecord) -> bool:
    """False for what websockets reports as an internal error when we close a socket under it, or when nobody answers at the
    other end any more: that is no error of ours.
    """
    return not (record.exc_info and isinstance(record.exc_info[1], NO_ERROR))


_LIBRARY_LOG = logging.getLogger("apnap.websockets")
_LIBRARY_LOG.addFilter(_worth_telling)

NOWHERE = "0.0.0.0"
"""The address of a connection that is gone before it could be asked."""
PATHS = ("/", "/ws")
"""Where a websocket may be opened."""
READ_BYTES = 4096
"""The most that is read from a socket at once; a longer frame takes several reads."""


class Endpoint:
    """One port. Pages of the public address and of the listed origins may connect, besides pages of this very server under an
    address or `localhost`.
    """

    def __init__(self, lobby: Lobby, settings: Settings) -> None:
        self._lobby = lobby
        self._settings = settings
        pictures = settings.page.pictures
        self._page = Page(pictures=[origin_of(pictures)] if pictures else [])
        listen = settings.listen
        self._origins = frozenset(origin_of(url) for url in (*listen.origins, listen.public_url) if url)
        self._proxies = tuple(ipaddress.ip_network(network) for network in listen.trusted_proxies)
        self._by_peer: Counter[str] = Counter()
        self._porches: list[Porch] = []
        self.connections = 0
        self._empty = trio.Event()

    async def serve(self, *, task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED) -> None:
        """Listen until cancelled; reports the port listened on. Raises OSError when it cannot, or cannot read its certificate."""
        listen, limits = self._settings.listen, self._settings.limits
        secured = tls_context(listen.tls_cert, listen.tls_key) if listen.tls_cert else None
        listeners = await trio.open_tcp_listeners(listen.port, host=listen.host or None)
        if listen.port == 0:
            # Each address family got a port of its own; keep the first listener only.
            for extra in listeners[1:]:
                await extra.aclose()
            del listeners[1:]
        self._porches = [Porch(listener, limits, self._is_proxy) for listener in listeners]
        async with trio.open_nursery() as nursery:
            start = partial(
                serve,
                self._handle,
                listeners=cast(list[trio.SocketListener], self._porches),
                ssl=secured,
                ping_interval=limits.idle_seconds / 3,
                ping_timeout=limits.idle_seconds * 2 / 3,
                open_timeout=limits.handshake_seconds,
                close_timeout=min(10.0, limits.idle_seconds / 3),
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
        limits = self._settings.limits
        address = self.address_of(websocket, websocket.request)
        peer = set(peer_of(address, limits))
        for porch in self._porches:
            porch.gone_in(websocket.stream)
        CONNECTIONS.inc()
        self.connections += 1
        self._by_peer.update(peer)
        try:
            await serve_connection(WebsocketConnection(websocket, limits.send_seconds), self._lobby, limits, address)
        finally:
            self.connections -= 1
            self._by_peer.subtract(peer)
            self._by_peer += Counter()  # an address without connections is forgotten
            if not self.connections:
                self._empty.set()
                self._empty = trio.Event()

    async def empty(self) -> None:
        """Wait until no connection is left."""
        while self.connections:
            await self._empty.wait()

    def process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer plain HTTP, refuse what may not become a websocket, let the rest (None) go on."""
        path = path_of(request.path)
        if path in PAGES:
            return PAGES[path](self, connection, request)
        if path not in PATHS or not _wants_websocket(request):
            nothing = connection.respond(HTTPStatus.NOT_FOUND, "Nothing here. The page at /, websockets at /ws.\n")
            return (self._page.respond(path, request) if path != "/ws" else None) or nothing
        try:
            origin = request.headers.get("Origin")
            host = request.headers.get("Host", "")
        except MultipleValuesError:
            return connection.respond(HTTPStatus.BAD_REQUEST, "More than one Origin or Host.\n")
        if not self.allows(origin, host):
            return connection.respond(HTTPStatus.FORBIDDEN, "Pages of that origin may not connect here.\n")
        limits = self._settings.limits
        if self.connections >= limits.connections:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "Full; come back later.\n")
        peer = peer_of(self.address_of(connection, request), limits)
        most = limits.connections_per_address
        if self._by_peer[peer.address] >= most or self._by_peer[peer.network] >= most * limits.network_share:
            return connection.respond(HTTPStatus.TOO_MANY_REQUESTS, "Too many connections from your address.\n")
        return None

    def address_of(self, connection: ServerConnection, request: Request | None) -> str:
        """Who is at the other end: behind trusted proxies, the last address in `X-Forwarded-For` that is none of theirs."""
        try:
            address = str(connection.remote_address[0]) if connection.remote_address else ""
        except OSError:  # gone while it was shaking hands
            address = NOWHERE
        forwarded = ",".join(request.headers.get_all("X-Forwarded-For")) if request is not None else ""
        hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
        while hops and self._is_proxy(address):
            address = hops.pop()
        return address

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)

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

    def health(self, connection: ServerConnection, _: Request) -> Response:
        """`/health`: the process lives, and a few figures."""
        body = {"status": "ok", "connections": self.connections, **self._lobby.health()}
        return _figures(connection, HTTPStatus.OK, json.dumps(body) + "\n", "application/json")

    def ready(self, connection: ServerConnection, _: Request) -> Response:
        """`/ready`: 200 when a new player is welcome, 503 while games are taken up, the disk takes nothing, or the server stops."""
        why = self._lobby.unready()
        status = HTTPStatus.SERVICE_UNAVAILABLE if why else HTTPStatus.OK
        return _figures(connection, status, json.dumps({"ready": not why, "why": why}) + "\n", "application/json")

    def metrics(self, connection: ServerConnection, request: Request) -> Response:
        """`/metrics`, for those who may read it."""
        who = self._settings.operating.metrics
        near = _is_here(self.address_of(connection, request))
        if who == "off" or (who == "local" and not near):
            return connection.respond(HTTPStatus.FORBIDDEN, "Metrics are not for this address (operating.metrics).\n")
        text = exposition(Gauges(self._gauges)).decode()
        return _figures(connection, HTTPStatus.OK, text, CONTENT_TYPE_LATEST)

    def _gauges(self) -> Iterable[tuple[str, str, str, dict[str, float]]]:
        yield (
            "apnap_handshakes",
            "Connections that have not said yet what they want.",
            "",
            {"": sum(map(len, self._porches))},
        )
        yield "apnap_open_connections", "Connections that are open.", "", {"": self.connections}
        yield from self._lobby.gauges()


#: Plain pages for programs.
PAGES: dict[str, Callable[[Endpoint, ServerConnection, Request], Response]] = {
    "/health": Endpoint.health,
    "/ready": Endpoint.ready,
    "/metrics": Endpoint.metrics,
}


def _figures(connection: ServerConnection, status: HTTPStatus, text: str, kind: str) -> Response:
    response = connection.respond(status, text)
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = kind
    response.headers["Cache-Control"] = "no-store"
    return response


def _wants_websocket(request: Request) -> bool:
    return any("websocket" in value.lower() for value in request.headers.get_all("Upgrade"))


def _is_here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def path_of(target: str) -> str:
    """The path of what is asked for. `//[::1` reads as the address of a machine, and a broken one: nothing is there."""
    try:
        return urlsplit(target).path
    except ValueError:
        return target


def origin_of(url: str) -> str:
    """The web origin of an address: "https://example.org/table" to "https://example.org"."""
    parts = urlsplit(url.lower())
    return f"{parts.scheme}://{parts.netloc}"


def tls_context(certificate: str, key: str) -> ssl.SSLContext:
    """Raises OSError when the files cannot be read or do not belong together."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def select_subprotocol(connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first offered subprotocol that is spoken here; JSON, unnamed, for a client that offers none. A browser's page has to
    offer one: what speaks to us from a browser without knowing us is no client of ours.
    """
    for name in offered:
        if name in SUBPROTOCOLS:
            return name
    if offered or (connection.request is not None and "Origin" in connection.request.headers):
        raise NegotiationError(f"subprotocols spoken here: {', '.join(SUBPROTOCOLS)}")
    return None


class _Frames(Assembler):
    """Messages from frames: a text that is not UTF-8 is a message like others, which the codec refuses, and no end of its connection."""

    async def get(self, decode: bool | None = None) -> Any:
        try:
            return await super().get(decode)
        except UnicodeDecodeError as fault:
            return bytes(fault.object).decode(errors="surrogateescape")


class _Guarded(ServerConnection):
    """A connection whose own tasks end only itself, whatever happens in them, and always end; that reads a little at a time."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        theirs = self.recv_messages
        self.recv_messages = _Frames(theirs.high, theirs.low, pause=theirs.pause, resume=theirs.resume)

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
        _read_little(self.stream)
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


def _read_little(stream: trio.abc.Stream) -> None:
    """By default trio makes room for 64 KiB at each read, and of that the few bytes that came stay where they are while the
    connection waits for the next. With hundreds of connections the heap is full of holes that are too small for the next 64 KiB:
    it grew by 5 MiB a minute. The stream must remain a `SocketStream` (websockets asks it for addresses), which is final.
    """
    if isinstance(stream, trio.SSLStream):
        stream = cast(trio.abc.Stream, stream.transport_stream)
    receive = stream.receive_some

    async def receive_some(max_bytes: int | None = None) -> bytes | bytearray:
        return await receive(READ_BYTES if max_bytes is None else max_bytes)

    stream.receive_some = receive_some


def _is_address(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
