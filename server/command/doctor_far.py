"""What `apnap doctor ADDRESS` finds out about a server as its friends reach it: over the network, like a browser and a client."""

from __future__ import annotations

import email.utils
import ipaddress
import json
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

from server.command.doctor import CERTIFICATE_DAYS, CLOCK_S, PATIENCE_S, Finding
from server.command.friends import addresses
from server.command.serve import only_here


def server(url: str, tls: ssl.SSLContext | None) -> Iterator[Finding]:
    """`url` is the websocket address."""
    page = "http" + url.removeprefix("ws")
    yield from _ready(page, tls)
    yield from _websocket(url, page, tls)
    if url.startswith("wss:"):
        yield from _certificate(url, tls)


UNBUILT = "where the server runs from a checkout, say make page and start it again"


def _ready(page: str, tls: ssl.SSLContext | None) -> Iterator[Finding]:
    """/ready and the clock, and the page itself."""
    try:
        with _get(f"{page}/ready", tls) as reply:
            said, date = json.load(reply), reply.headers.get("Date", "")
        yield ("ok", f"{page} takes new people") if said.get("ready") else ("bad", f"{page}: {said.get('why')}")
        yield from _clock(date)
        yield from counted(urlsplit(page).hostname or "", str(said.get("you", "")))
    except urllib.error.HTTPError as fault:
        said = fault.read(500).decode(errors="replace").strip()
        yield "bad", f"{page}/ready answers {fault.code}: {said or fault.reason}"
    except (OSError, ValueError, AttributeError) as fault:
        yield "bad", f"{page}/ready: {_why(fault)}"
        return
    try:
        with _get(f"{page}/", tls) as reply:
            built = b"<script" in reply.read(100_000)
        yield ("ok", f"{page}/ is the page") if built else ("bad", f"{page}/ is not the page: {UNBUILT}")
    except (OSError, ValueError) as fault:
        yield "bad", f"{page}/: {getattr(fault, 'reason', None) or fault}: {UNBUILT}"


def counted(host: str, you: str) -> Iterator[Finding]:
    """Whether the server counts us by our own address (`you`), or all who come through a proxy by the proxy's."""
    try:
        seen = ipaddress.ip_address(you)
    except ValueError:
        return  # it does not say
    if (seen.is_loopback and only_here(host)) or not seen.is_private or you in addresses():
        yield "ok", f"it counts you as {you}"
        return
    yield (
        "look",
        f"it counts you as {you}: if that is a proxy's or tunnel's address, all friends count as one; "
        "name it in listen.trusted_proxies, and let it send X-Forwarded-For",
    )


def _why(fault: Exception) -> str:
    """What went wrong, with what to do where that is known."""
    import socket

    cause = fault.reason if isinstance(fault, urllib.error.URLError) else fault
    match cause:
        case ssl.SSLCertVerificationError():
            why = getattr(cause, "verify_message", "") or str(cause)
            return f"the certificate is not trusted ({why}); name its authority by --ca FILE, or have another one"
        case ssl.SSLError():
            return (
                "what answers does not speak TLS; try http in the address, or give apnap serve --tls-cert and --tls-key"
            )
        case socket.gaierror():
            return "there is no machine of that name; look at the address, or at the name's entry in the DNS"
        case ConnectionRefusedError():
            return "nothing listens there; start apnap serve, or look at the port"
        case TimeoutError():
            return "no answer; open the port in the firewall, or forward it in the router"
        case ValueError() | AttributeError():
            return "what answers is no apnap server; look at the address and the port"
        case _:
            return str(cause)


def _get(url: str, tls: ssl.SSLContext | None):
    handlers = [urllib.request.HTTPSHandler(context=tls)] if tls is not None else []
    return urllib.request.build_opener(*handlers).open(url, timeout=PATIENCE_S)


def _clock(date: str) -> Iterator[Finding]:
    """Whether the server's clock and this one agree."""
    told = email.utils.parsedate_to_datetime(date).timestamp() if date else None
    if told is None:
        return
    apart = abs(time.time() - told)
    if apart > CLOCK_S:
        yield "look", f"its clock and this one are {apart:.0f} s apart: one of them is wrong"
    else:
        yield "ok", "its clock and this one agree"


def _websocket(url: str, page: str, tls: ssl.SSLContext | None) -> Iterator[Finding]:
    """Whether a page of that address gets a websocket through whatever stands before the server."""
    from websockets.exceptions import InvalidHandshake, InvalidStatus
    from websockets.sync.client import connect
    from websockets.typing import Origin, Subprotocol

    from protocol import JSON_SUBPROTOCOL

    parts = page.split("/", 3)
    origin = "/".join(parts[:3])
    try:
        with connect(
            url,
            origin=Origin(origin),
            subprotocols=[Subprotocol(JSON_SUBPROTOCOL)],
            ssl=tls if url.startswith("wss:") else None,
            open_timeout=PATIENCE_S,
            close_timeout=1,
            proxy=None,
        ):
            yield "ok", f"websockets come through, also from pages of {origin}"
    except InvalidStatus as fault:
        status = fault.response.status_code
        if status == 403:
            yield (
                "bad",
                f"pages of {origin} may not connect: set listen.public_url, or apnap serve --public-url {origin}",
            )
        else:
            yield "bad", f"no websocket: {status}; a proxy must pass Upgrade and Connection on"
    except (OSError, InvalidHandshake) as fault:
        yield "bad", f"no websocket: {_why(fault)}"


def _certificate(url: str, tls: ssl.SSLContext | None) -> Iterator[Finding]:
    """How long the certificate is good for."""
    import socket

    parts = urlsplit(url)
    context = tls or ssl.create_default_context()
    try:
        with (
            socket.create_connection((parts.hostname or "", parts.port or 443), timeout=PATIENCE_S) as plain,
            context.wrap_socket(plain, server_hostname=parts.hostname) as secured,
        ):
            until = ssl.cert_time_to_seconds(str((secured.getpeercert() or {}).get("notAfter", "")))
    except (OSError, ValueError) as fault:
        yield "bad", f"the certificate: {_why(fault)}"
        return
    days = int((until - time.time()) // 86_400)
    yield ("look" if days < CERTIFICATE_DAYS else "ok"), f"the certificate is good for {days} days more"
