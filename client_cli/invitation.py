"""Addresses that people are sent: of a server, of a room with its invitation, of a one-time link. The page's own form."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

PORT = 8802
"""Where a server listens of which only the name is given."""
PAGES = ("", "/", "/index.html")
WEBSOCKET = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}

PAGE = {"ws": "http", "wss": "https", "http": "http", "https": "https"}


@dataclass(frozen=True)
class Invited:
    """Where an address leads: the server's websocket, a room and the code that opens it, a one-time link's code; "" for none."""

    url: str
    room: str = ""
    invitation: str = ""
    link: str = ""


class NoAddress(ValueError):
    """What was given is no address at all."""


def invited(address: str) -> Invited:
    """What people type or paste: `HOST`, `HOST:PORT`, `https://table.example/#/room/ROOM/CODE`, `.../#/link/CODE`, with or without
    the scheme or brackets around it. Raises `NoAddress`.
    """
    text = address.strip().strip("<>\"'").strip()
    bare = "://" not in text
    if bare:
        text = f"ws://{text}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise NoAddress(address) from None
    scheme = WEBSOCKET.get(parts.scheme)
    if scheme is None or not host or not _host(host):
        raise NoAddress(address)
    if bare and port is None:
        port = PORT
    host = f"[{host}]" if ":" in host else host
    path = "" if parts.path in PAGES else parts.path.rstrip("/")
    url = f"{scheme}://{host}{'' if port is None else f':{port}'}{path}"
    kind, *rest = [unquote(part) for part in parts.fragment.strip("/").split("/")]
    if kind == "room" and rest and rest[0]:
        return Invited(url, room=rest[0], invitation=rest[1] if len(rest) > 1 else "")
    if kind == "link" and rest:
        return Invited(url, link=rest[0])
    return Invited(url)


def _host(host: str) -> bool:
    """Whether that can be a machine's name or address."""
    return all(letter.isalnum() or letter in "-._:%" for letter in host)


def room_link(address: str, room: str, code: str = "") -> str:
    """The link that invites to a room, at a server's address of any scheme."""
    scheme, _, rest = address.rstrip("/").partition("://")
    return f"{PAGE[scheme]}://{rest}/#/room/{room}{f'/{code}' if code else ''}"


def only_here(address: str) -> bool:
    """Whether that is an address which only this computer has."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def link_code(text: str) -> str:
    """The code of a one-time link that is given whole or as the code alone."""
    return invited(text).link if "#" in text else text.strip()
