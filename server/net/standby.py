"""A server that waits until it may write: on its port it says that it lives and why it does not serve, so that whoever looks after servers
leaves it alone, and whoever spreads people over servers sends nobody there.
"""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import TypeAlias

import trio
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from server.net.endpoint import METHODS, figures, path_of, tls_context
from server.net.line import Gone, Line, SecureLine
from server.net.porch import Doorway, Porch
from server.net.websocket import Websocket
from server.settings import Settings

log = logging.getLogger("apnap.net")

Why: TypeAlias = Callable[[], str]
"""Why a server does not serve at this moment."""


async def stand_by(settings: Settings, why: Why, sockets: Sequence[socket.socket] = ()) -> None:
    """Answer until cancelled, on these sockets if there are any, which stay open. Where it cannot listen nobody is answered: another
    server may have the port until this one is to serve."""
    listen = settings.listen
    if not listen.port and not sockets:
        return
    try:
        secured = tls_context(listen.tls_cert, listen.tls_key) if listen.tls_cert else None
        if sockets:
            listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(one.dup())) for one in sockets]
        else:
            listeners = await trio.open_tcp_listeners(listen.port, host=listen.host or None)
    except OSError as fault:
        log.warning("while it stands by this server answers nobody: %s", fault)
        return
    porch = Porch(settings.limits, lambda _: False)

    async def come_in(line: Line) -> None:
        try:
            secure = None if secured is None else SecureLine(line, secured)
            with trio.move_on_after(settings.limits.handshake_seconds):
                if secure is not None:
                    await secure.shake_hands()
                await Websocket(secure or line, settings.limits.send_seconds).open(partial(_respond, why, line.address))
        except Gone:
            pass
        except Exception:
            log.exception("a connection failed")
        finally:
            porch.gone(line)
            line.close()

    await trio.serve_listeners(come_in, [Doorway(one, porch) for one in listeners])


def _respond(why: Why, address: str, protocol: ServerProtocol, request: Request) -> Response:
    if request.method not in METHODS:
        return protocol.reject(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD here.\n")
    match path_of(request.path):
        case "/health":
            return figures(protocol, HTTPStatus.OK, json.dumps({"status": "ok", "standby": 1}) + "\n")
        case "/ready":
            said = {"ready": False, "why": why(), "you": address}
            return figures(protocol, HTTPStatus.SERVICE_UNAVAILABLE, json.dumps(said) + "\n")
        case _:
            return protocol.reject(HTTPStatus.SERVICE_UNAVAILABLE, f"{why().capitalize()}.\n")
