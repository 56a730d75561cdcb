"""Serve tables over websockets until Ctrl-C.

Games are journaled under --data before anyone is told of them; started again, the server takes up every game at the
question at which it stood. Plain `GET /health` answers on the same port.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.settings import Listen, Settings

FILES = 200
"""Open files for everything but connections."""
EVERYWHERE = ("", "0.0.0.0", "::")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap serve`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a settings file (see `apnap config show`)")
    parser.add_argument("--host", dest="listen.host", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", dest="listen.port", type=int, help="0: a free one (default: 8802)")
    parser.add_argument("--name", dest="name", help="what the server calls itself (default: apnap)")
    parser.add_argument(
        "--origin",
        dest="listen.origins",
        action="append",
        metavar="URL",
        help="a web origin whose pages may connect, besides this server's own (may be given again)",
    )
    parser.add_argument(
        "--tls-cert", dest="listen.tls_cert", metavar="FILE", help="a certificate chain (PEM): serve wss"
    )
    parser.add_argument("--tls-key", dest="listen.tls_key", metavar="FILE", help="its private key (PEM)")
    parser.add_argument(
        "--log", dest="log.format", choices=("text", "json"), help="lines for people or JSON (default: text)"
    )
    parser.add_argument("--verbose", dest="log.level", action="store_const", const="debug", help="log more")
    parser.add_argument(
        "--data", dest="data", metavar="DIR", help="where the journals lie (default: the user's data folder)"
    )


def run(args: argparse.Namespace) -> int:
    """Serve."""
    import sys

    import trio

    from server.command.logs import set_up
    from server.command.settings import BadSettings, find, keys
    from server.storage import StorageError

    given = vars(args)
    try:
        options = {key: given[key] for key in keys() if given.get(key) is not None}
        settings = find(args.config, options=options).settings
    except (BadSettings, OSError) as fault:
        print(f"apnap serve: {fault}", file=sys.stderr)
        return 2
    set_up(settings.log)
    try:
        trio.run(_serve, settings)
    except BaseException as fault:
        known = [leaf for leaf in _leaves(fault) if isinstance(leaf, OSError | StorageError)]
        if not known:
            raise
        print(f"apnap serve: {known[0]}", file=sys.stderr)
        return 1
    return 0


def _allow_files(wanted: int) -> None:
    """As many open files as there may be connections, if the system lets us: out of the box it is a thousand."""
    try:
        import resource
    except ImportError:  # no Unix
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
        )


async def _serve(settings: Settings) -> None:
    import gc
    import signal

    import trio

    from server.command.data import default_folder
    from server.command.decks import house_decks
    from server.command.library import open_library
    from server.net.app import running
    from server.storage import open_sqlite

    data = Path(settings.data) if settings.data else default_folder()
    _allow_files(settings.limits.connections + settings.limits.handshakes + FILES)
    decks = house_decks(open_library(data, following=True))
    # States hold no cycles. By default the collector would walk all rooms again and again in search of some: with 200 rooms
    # that is a third of the CPU time. Modules and cards are never garbage, so it need not look at them at all.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    async with (
        open_sqlite(data) as storage,
        running(storage, decks, settings=settings, desk=data) as app,
    ):
        # Signals are caught before anything is said, because whoever reads it may stop us at once.
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            for line in how_to_join(settings.listen, app.port, str(data)):
                print(line, flush=True)
            first_login = await app.lobby.reception.first_login()
            if first_login:
                print(f"The first admin comes in by {_link(settings.listen, app.port, first_login)} (once)", flush=True)
            for table in app.lobby.tables.values():
                print(f"Room {table.id} goes on ({table.state}).", flush=True)
            async for _ in signals:
                break
        print("Closing; games stay in their journals.", flush=True)


def how_to_join(listen: Listen, port: int, data: str) -> list[str]:
    """What is printed at the start: where the server is and how one comes in."""
    scheme = "wss" if listen.tls_cert else "ws"
    everywhere = listen.host in EVERYWHERE
    urls = [_url(scheme, "127.0.0.1" if everywhere else listen.host, port)]
    if everywhere:
        urls.append(_url(scheme, _own_address(), port))
    if listen.public_url:
        urls.append(_websocket(listen.public_url))
    return [
        f"apnap serves at {urls[0]}",
        *(f"  on your network: {url}" for url in urls[1:2] if everywhere),
        *(f"  for everyone: {listen.public_url}" for _ in urls[:1] if listen.public_url),
        f"  page:      {_page(urls[-1])}",
        f"  play:      apnap play {urls[-1]}",
        f"  a bot:     apnap bot {urls[-1]} --room ROOM",
        f"  journals:  {data}",
        "Ctrl-C stops it; games go on when it is started again.",
    ]


def _link(listen: Listen, port: int, code: str) -> str:
    """The page with a one-time link, at the address that reaches furthest."""
    from server.lobby.reception import link_url

    scheme = "wss" if listen.tls_cert else "ws"
    host = _own_address() if listen.host in EVERYWHERE else listen.host
    return link_url(listen.public_url or _page(_url(scheme, host, port)), code)


def _page(url: str) -> str:
    """The address of the page on the same port: what a friend opens, with nothing to install."""
    return f"http{url.removeprefix('ws')}"


def _url(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _websocket(url: str) -> str:
    """The address for programs behind the address for people: https is wss."""
    return "ws" + url.removeprefix("http") if url.startswith("http") else url


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
