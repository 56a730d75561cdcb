"""The endpoint: websockets and plain HTTP on one port. Who may come in, what plain requests are told, how many are here."""

from __future__ import annotations

import ipaddress
import json
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from http import HTTPStatus
from urllib.parse import urlsplit

import trio
from prometheus_client import CONTENT_TYPE_LATEST
from websockets.datastructures import MultipleValuesError
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from server.lobby.lobby import Lobby
from server.lobby.rates import peer_of
from server.metrics import CONNECTIONS, Gauges
from server.net.connection import WebsocketConnection
from server.net.flusher import Flusher
from server.net.line import Gone, Line, SecureLine
from server.net.porch import Doorway, Porch
from server.net.reader import Reader
from server.net.session import serve_connection
from server.net.static import Page
from server.net.websocket import AnyResponse, Websocket
from server.net.workers.figures import counted, exposition
from server.net.workers.messages import Nodes, What
from server.net.workers.moving import Moved
from server.net.workers.nodes import websocket_of
from server.net.workers.passing import Ways
from server.settings import Settings

log = logging.getLogger("apnap.net")

PATHS = ("/", "/ws")
"""Where a websocket may be opened."""
METHODS = ("GET", "HEAD")
LOOKS = 4
"""How often who is silent is looked for in the time after which it is pinged."""


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
        self._of_nodes: frozenset[str] = frozenset()
        """Origins of the pages of other nodes."""
        self._proxies = tuple(ipaddress.ip_network(network) for network in listen.trusted_proxies)
        self.porch = Porch(settings.limits, self._is_proxy)
        """Of this worker and all others."""
        self._flusher = Flusher(settings.limits.idle_seconds / 3 / LOOKS)
        self._reader = Reader()
        self._secured: ssl.SSLContext | None = None
        self.connections = 0
        self.ways = Ways()
        """To workers that are to go on with a connection."""
        self.ask_all: Callable[[What], Awaitable[list[bytes]]] | None = None
        """What all workers say to that, where there are several."""
        self._empty = trio.Event()
        self._accepting = trio.CancelScope()

    def know(self, nodes: Nodes) -> None:
        """Those serve together now: pages of each may come to all."""
        self.ways.only(set(nodes.addresses))
        self._of_nodes = frozenset(map(origin_of, nodes.urls.values()))
        self._page.reach(sorted(origin_of(websocket_of(url)) for url in nodes.urls.values()))

    def close(self) -> None:
        """Nobody new comes in here; who is here stays."""
        self._accepting.cancel()

    async def serve(
        self, sockets: Sequence[socket.socket] = (), *, task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Listen until cancelled, on these sockets if there are any; reports the port listened on. Raises OSError when it cannot, or
        cannot read its certificate.
        """
        listen = self._settings.listen
        self._secured = tls_context(listen.tls_cert, listen.tls_key) if listen.tls_cert else None
        if sockets:
            listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(one)) for one in sockets]
        else:
            listeners = await trio.open_tcp_listeners(listen.port, host=listen.host or None)
        if listen.port == 0:
            # Each address family got a port of its own; keep the first listener only.
            for extra in listeners[1:]:
                await extra.aclose()
            del listeners[1:]
        port = listeners[0].socket.getsockname()[1]
        doorways = [Doorway(listener, self.porch) for listener in listeners]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._flusher.run)
            nursery.start_soon(self._reader.run)
            nursery.start_soon(self.porch.run)
            nursery.start_soon(self._listen, doorways, nursery)
            task_status.started(port)

    async def _listen(self, doorways: list[Doorway], nursery: trio.Nursery) -> None:
        with self._accepting:
            await trio.serve_listeners(self._come_in, doorways, handler_nursery=nursery)

    async def _come_in(self, line: Line) -> None:
        """One connection, from its first byte to its last. Whatever happens in it, it ends only itself, and always ends."""
        limits = self._settings.limits
        try:
            secure = None if self._secured is None else SecureLine(line, self._secured)
            websocket, opened = Websocket(secure or line, limits.send_seconds), False
            with trio.move_on_after(limits.handshake_seconds):
                if secure is not None:
                    await secure.shake_hands()
                opened = await websocket.open(partial(self.respond, line.address))
            if opened:
                self.porch.gone(line)
                await self._go_on(line, websocket, line.address)
        except Gone:
            pass
        except Exception:
            log.exception("a connection failed")
        finally:
            self.porch.gone(line)
            line.close()

    async def arrive(self, sock: socket.socket, moved: Moved) -> None:
        """One connection that another worker has opened, to its last byte; or of which we have the line, which is given back."""
        if self.ways.is_ours(moved.passed):
            await self.ways.given_back(trio.SocketStream(trio.socket.from_stdlib_socket(sock)), moved)
            return
        line = Line(sock)
        try:
            websocket = Websocket.again(line, self._settings.limits.send_seconds, moved.unread)
            await self._go_on(line, websocket, moved.address, moved)
        except Gone:
            pass
        except Exception:
            log.exception("a connection failed")
        finally:
            line.close()

    async def _go_on(self, line: Line, websocket: Websocket, direct: str, moved: Moved | None = None) -> None:
        """Until the connection is gone. While another node goes on with it, it is that node's, and counts there."""
        line.reader = self._reader
        limits = self._settings.limits
        while True:
            direct, websocket.request = self.address_of(direct, websocket.request), None  # nobody reads it any more
            connection = WebsocketConnection(websocket, self._flusher, limits)
            self._has_come(direct, new=moved is None)
            try:
                ahead = await serve_connection(connection, self._lobby, limits, direct, moved=moved, ways=self.ways)
            finally:
                self._has_gone(direct)
            if ahead is None or (returned := await self.ways.pass_on(line, ahead)) is None:
                return
            moved, direct = returned.moved, returned.moved.address
            websocket = Websocket.again(line, limits.send_seconds, moved.unread, returned.more)

    def _has_come(self, address: str, *, new: bool) -> None:
        """Count a connection; `new`: no other worker had it before."""
        if new:
            CONNECTIONS.inc()
        self.connections += 1
        self._lobby.peers.come(peer_of(address, self._settings.limits))

    def _has_gone(self, address: str) -> None:
        """Count it no more."""
        self.connections -= 1
        self._lobby.peers.go(peer_of(address, self._settings.limits))
        if not self.connections:
            self._empty.set()
            self._empty = trio.Event()

    async def empty(self) -> None:
        """Wait until no connection is left."""
        while self.connections:
            await self._empty.wait()

    def respond(self, direct: str, protocol: ServerProtocol, request: Request) -> AnyResponse | None:
        """Answer plain HTTP, refuse what may not become a websocket, let the rest (None) go on. `direct` is the address at the other
        end of the line.
        """
        if request.method not in METHODS:
            response = protocol.reject(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD here.\n")
            response.headers["Allow"] = ", ".join(METHODS)
            return response
        path = path_of(request.path)
        if path in PAGES:
            what, page = PAGES[path]
            address = self.address_of(direct, request)
            if what == "figures" and not self._may_measure(address):  # before anybody counts
                return protocol.reject(HTTPStatus.FORBIDDEN, "Metrics are not for this address (operating.metrics).\n")
            say = partial(page, self, address, protocol)
            return say([self.own(what)]) if self.ask_all is None else _said(self.ask_all(what), say)
        if path not in PATHS or not _wants_websocket(request):
            nothing = protocol.reject(HTTPStatus.NOT_FOUND, "Nothing here. The page at /, websockets at /ws.\n")
            return (self._page.respond(path, request) if path != "/ws" else None) or nothing
        try:
            origin = request.headers.get("Origin")
            host = request.headers.get("Host", "")
        except MultipleValuesError:
            return protocol.reject(HTTPStatus.BAD_REQUEST, "More than one Origin or Host.\n")
        if not self.allows(origin, host):
            return protocol.reject(HTTPStatus.FORBIDDEN, "Pages of that origin may not connect here.\n")
        limits = self._settings.limits
        peers = self._lobby.peers
        if peers.of("") >= limits.connections:
            return protocol.reject(HTTPStatus.SERVICE_UNAVAILABLE, "Full; come back later.\n")
        peer = peer_of(self.address_of(direct, request), limits)
        most = limits.connections_per_address
        if peers.of(peer.address) >= most or peers.of(peer.network) >= most * limits.network_share:
            return protocol.reject(HTTPStatus.TOO_MANY_REQUESTS, "Too many connections from your address.\n")
        return None

    def address_of(self, address: str, request: Request | None) -> str:
        """Who is at the other end: behind trusted proxies, the last address in `X-Forwarded-For` that is none of theirs."""
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
        if origin is None or origin.lower() in self._origins | self._of_nodes:
            return True
        try:
            page, asked = urlsplit(origin.lower()), urlsplit(f"//{host.lower()}")
            return page.netloc == asked.netloc and _is_address(page.hostname or "")
        except ValueError:
            return False

    def own(self, what: What) -> bytes:
        """What this worker says when all are asked."""
        match what:
            case "health":
                return json.dumps({"connections": self.connections, **self._lobby.health()}).encode()
            case "unready":
                return self._lobby.unready().encode()
            case _:
                return counted(Gauges(self._gauges))

    def health(self, _: str, protocol: ServerProtocol, of_all: list[bytes]) -> Response:
        """`/health`: the process lives, and a few figures."""
        body: dict[str, str | int] = {"status": "ok"}
        sums: dict[str, int] = {}
        for of_one in of_all:
            for name, figure in json.loads(of_one).items():
                sums[name] = sums.get(name, 0) + figure
        body |= sums
        return figures(protocol, HTTPStatus.OK, json.dumps(body) + "\n")

    def ready(self, address: str, protocol: ServerProtocol, of_all: list[bytes]) -> Response:
        """`/ready`: 200 when a new player is welcome, 503 while games are taken up, the disk takes nothing, or the server stops. One of
        several workers is enough for them; what is wrong with the disk each of them says.
        `you` is who asks, so that `apnap doctor` sees whether a proxy's word for it is believed.
        """
        why = "" if b"" in of_all else (of_all or [b"no worker answers"])[0].decode()
        status = HTTPStatus.SERVICE_UNAVAILABLE if why else HTTPStatus.OK
        said = {"ready": not why, "why": why, "you": address}
        return figures(protocol, status, json.dumps(said) + "\n")

    def _may_measure(self, address: str) -> bool:
        who = self._settings.operating.metrics
        return who != "off" and (who != "local" or _is_here(address))

    def metrics(self, _: str, protocol: ServerProtocol, of_all: list[bytes]) -> Response:
        """`/metrics`, for those who may read it."""
        return figures(protocol, HTTPStatus.OK, exposition(of_all).decode(), CONTENT_TYPE_LATEST)

    def _gauges(self) -> Iterable[tuple[str, str, str, dict[str, float]]]:
        yield (
            "apnap_handshakes",
            "Connections that have not said yet what they want.",
            "",
            {"": len(self.porch)},
        )
        yield "apnap_open_connections", "Connections that are open.", "", {"": self.connections}
        yield from self._lobby.gauges()


#: Plain pages for programs: what all workers are asked for one, and who says it.
PAGES: dict[str, tuple[What, Callable[[Endpoint, str, ServerProtocol, list[bytes]], Response]]] = {
    "/health": ("health", Endpoint.health),
    "/ready": ("unready", Endpoint.ready),
    "/metrics": ("figures", Endpoint.metrics),
}


async def _said(of_all: Awaitable[list[bytes]], say: Callable[[list[bytes]], Response]) -> Response:
    return say(await of_all)


def figures(protocol: ServerProtocol, status: HTTPStatus, text: str, kind: str = "application/json") -> Response:
    """A plain page for programs, of this very moment."""
    response = protocol.reject(status, text)
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
    """The path of what is asked for. One that begins by two strokes is a path as well, and not the address of a machine before one: a
    proxy that keeps `/metrics` to itself passes `//x/metrics` on.
    """
    if target.startswith("/"):
        return target.partition("?")[0]
    try:
        return urlsplit(target).path
    except ValueError:  # the address of a machine, and a broken one
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


def _is_address(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
