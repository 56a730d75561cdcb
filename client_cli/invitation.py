"""Addresses that people are sent: of a server, of a room with its invitation, of a one-time link. The page's own form."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

WEBSOCKET = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


@dataclass(frozen=True)
class Invited:
    """Where an address leads: the server's websocket, a room and the code that opens it, a one-time link's code; "" for none."""

    url: str
    room: str = ""
    invitation: str = ""
    link: str = ""


def invited(address: str) -> Invited:
    """`https://table.example/#/room/ROOM/CODE`, `.../#/link/CODE`, or just a server's address."""
    parts = urlsplit(address)
    scheme = WEBSOCKET.get(parts.scheme, parts.scheme)
    url = f"{scheme}://{parts.netloc}{parts.path}".rstrip("/")
    kind, *rest = [unquote(part) for part in parts.fragment.strip("/").split("/")]
    if kind == "room" and rest:
        return Invited(url, room=rest[0], invitation=rest[1] if len(rest) > 1 else "")
    if kind == "link" and rest:
        return Invited(url, link=rest[0])
    return Invited(url)


def link_code(text: str) -> str:
    """The code of a one-time link that is given whole or as the code alone."""
    return invited(text).link if "#" in text else text
