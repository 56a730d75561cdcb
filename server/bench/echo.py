"""The reference for a server's figures: bare websockets of the same library, no game behind them.

`/echo?SIZE` answers each message with one of SIZE bytes; `/four/GROUP?SIZE` sends that to every connection of the group.
Run as a process of its own (`python -m server.bench.echo`): prints its port, then serves until it is killed.
"""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

import trio
from websockets.exceptions import ConnectionClosed
from websockets.trio.server import ServerConnection, serve


async def _handle(groups: dict[str, list[ServerConnection]], websocket: ServerConnection) -> None:
    assert websocket.request is not None
    parts = urlsplit(websocket.request.path)
    payload = "x" * int(parts.query)
    group = [websocket] if parts.path == "/echo" else groups.setdefault(parts.path, [])
    if websocket not in group:
        group.append(websocket)
    try:
        async for _ in websocket:
            for member in group:
                await member.send(payload)
    except ConnectionClosed:
        pass  # the load hangs up when it has measured


async def _main() -> None:
    groups: dict[str, list[ServerConnection]] = {}
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(serve, partial(_handle, groups), listeners=listeners, compression=None))
        print(listeners[0].socket.getsockname()[1], flush=True)


if __name__ == "__main__":
    trio.run(_main)
