"""Serve tables over websockets until Ctrl-C.

Games are journaled under --data before anyone is told of them; started again, the server takes up every game at the
question at which it stood. Plain `GET /health` answers on the same port.
"""

from __future__ import annotations

import argparse

from server.command.data import add_data

EVERYWHERE = ("", "0.0.0.0", "::")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap serve`."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8802, help="0: a free one (default: %(default)s)")
    parser.add_argument("--name", default="apnap", help="what the server calls itself (default: %(default)s)")
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="a web origin whose pages may connect, besides this server's own (may be given again)",
    )
    parser.add_argument("--verbose", action="store_true", help="log more")
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Serve."""
    import logging
    import sys

    import trio

    from server.storage import StorageError

    if not 0 <= args.port <= 65535:
        print("apnap serve: --port takes 0 to 65535", file=sys.stderr)
        return 2
    logging.basicConfig(
        level=logging.INFO if args.verbose else logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s"
    )
    try:
        trio.run(_serve, args)
    except BaseException as fault:
        known = [leaf for leaf in _leaves(fault) if isinstance(leaf, OSError | StorageError)]
        if not known:
            raise
        print(f"apnap serve: {known[0]}", file=sys.stderr)
        return 1
    return 0


async def _serve(args: argparse.Namespace) -> None:
    import gc
    import signal

    import trio

    from server.command.data import folder
    from server.command.decks import house_decks
    from server.command.library import open_library
    from server.net.app import running
    from server.storage import open_sqlite

    data = folder(args)
    decks = house_decks(open_library(data, following=True))
    # States hold no cycles. By default the collector would walk all rooms again and again in search of some: with 200 rooms
    # that is a third of the CPU time. Modules and cards are never garbage, so it need not look at them at all.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    async with (
        open_sqlite(data) as storage,
        running(storage, decks, host=args.host, port=args.port, origins=args.origin, name=args.name) as app,
    ):
        # Signals are caught before anything is said, because whoever reads it may stop us at once.
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            for line in how_to_join(app.host, app.port, str(data)):
                print(line, flush=True)
            for table in app.lobby.tables.values():
                print(f"Room {table.id} goes on ({table.state}).", flush=True)
            async for _ in signals:
                break
        print("Closing; games stay in their journals.", flush=True)


def how_to_join(host: str, port: int, data: str) -> list[str]:
    """What is printed at the start: where the server is and how one comes in."""
    urls = [_url("127.0.0.1" if host in EVERYWHERE else host, port)]
    if host in EVERYWHERE:
        urls.append(_url(_own_address(), port))
    return [
        f"apnap serves at {urls[0]}",
        *(f"  on your network: {url}" for url in urls[1:]),
        f"  play:      apnap play {urls[-1]}",
        f"  a bot:     apnap bot {urls[-1]} --room ROOM",
        f"  journals:  {data}",
        "Ctrl-C stops it; games go on when it is started again.",
    ]


def _url(host: str, port: int) -> str:
    return f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"


def _own_address() -> str:
    """The address by which this machine is known on its network; 127.0.0.1 when it has none."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing; it only asks which address a packet would leave from.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _leaves(group: BaseException) -> list[BaseException]:
    """The exceptions in a group."""
    if isinstance(group, BaseExceptionGroup):
        return [leaf for part in group.exceptions for leaf in _leaves(part)]
    return [group]
