"""Serve tables over websockets until Ctrl-C.

Games are journaled under --data before anyone is told of them; started again, the server takes up every game at the
question at which it stood. Plain `GET /health` answers on the same port.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AsyncExitStack

    from server.cards.decks import DeckRules
    from server.lobby.decks import Decks
    from server.lobby.ladder import Rater
    from server.net.app import App
    from server.rooms.worker import Worker
    from server.settings import Listen, Settings

FILES = 200
"""Open files for everything but connections."""
REPLAY_SECONDS = 60.0
"""For a game to be played again that somebody wants to look at."""
EVERYWHERE = ("", "0.0.0.0", "::")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap serve`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a settings file (see `apnap config show`)")
    parser.add_argument(
        "--friends",
        action="store_true",
        help="listen on all addresses, and print links and a QR code for friends, with the ways in from far away",
    )
    parser.add_argument(
        "--public-url",
        dest="listen.public_url",
        metavar="URL",
        help="what friends open, where a proxy or tunnel stands before",
    )
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
    _of_several(parser)


def _of_several(parser: argparse.ArgumentParser) -> None:
    """Options for several processes, and several machines."""
    parser.add_argument(
        "--workers", dest="workers", type=int, metavar="N", help="processes that share the tables (default: 1)"
    )
    parser.add_argument(
        "--store",
        dest="store.address",
        metavar="ADDRESS",
        help="keep journals and people in PostgreSQL (postgresql://...)",
    )
    parser.add_argument(
        "--standby",
        dest="store.standby",
        action="store_const",
        const=True,
        help="wait while another server writes there, then take over",
    )
    parser.add_argument(
        "--node",
        dest="store.node",
        metavar="HOST:PORT",
        help="where other servers there reach this one: they serve together",
    )
    parser.add_argument(
        "--node-url",
        dest="store.node_url",
        metavar="URL",
        help="where clients reach this very node (https://...)",
    )


def run(args: argparse.Namespace) -> int:
    """Serve."""
    import logging
    import sys
    from importlib.util import find_spec

    import trio

    from server.command import workers
    from server.command.logs import set_up
    from server.command.settings import BadSettings, find, keys

    given = vars(args)
    try:
        options = {key: given[key] for key in keys() if given.get(key) is not None}
        settings = find(args.config, options=options).settings
        rules = added_rules(settings.games.deck_rules)
    except (BadSettings, OSError) as fault:
        print(f"apnap serve: {fault}", file=sys.stderr)
        return 2
    set_up(settings.log)
    if settings.games.ladder and find_spec("openskill") is None:
        print("apnap serve: games.ladder wants more than is installed: pip install 'apnap[arena]'", file=sys.stderr)
        return 2
    if doubt := doubtful(settings):
        logging.getLogger("apnap").warning(doubt)
    fault = bad_certificate(settings.listen)
    if fault:
        print(f"apnap serve: {fault}", file=sys.stderr)
        return 1
    if args.friends:
        settings = for_friends(settings, host_given="listen.host" in options)
    try:
        data = data_of(settings)
        if settings.workers > 1 or settings.store.node:
            if no := workers.cannot(settings):
                print(f"apnap serve: {no}", file=sys.stderr)
                return 2
            _allow_files(settings.limits.connections + settings.limits.handshakes + FILES)
            return workers.serve(settings, rules, args.friends, data)
        trio.run(_serve, settings, rules, args.friends)
    except BaseException as fault:
        known = [leaf for leaf in leaves(fault) if is_known(leaf)]
        if not known:
            raise
        print(f"apnap serve: {_sentence(known[0], settings.listen.host, settings.listen.port)}", file=sys.stderr)
        return 1
    return 0


def doubtful(settings: Settings) -> str:
    """What these settings hardly mean, to be logged; "" where there is nothing."""
    if settings.games.ladder and settings.people.accounts == "off":
        return "games.ladder rates people by their accounts, but people.accounts is off: nobody but bots will be rated"
    return ""


def rater(settings: Settings) -> Rater | None:
    """What makes ratings, None where the host wants none."""
    if not settings.games.ladder:
        return None
    from server.command.rating import ByPlackettLuce

    return ByPlackettLuce()


def for_friends(settings: Settings, *, host_given: bool) -> Settings:
    """The same, listening on all addresses, with a link that works in the network as the one that invitations carry."""
    from msgspec.structs import replace

    from server.command.friends import addresses, page

    listen = settings.listen
    if not host_given:
        # Without a name: the addresses of both kinds, as long as the port is known, which is one for each otherwise.
        listen = replace(listen, host="" if listen.port else "0.0.0.0")
    found = addresses()
    if not listen.public_url and found and listen.port:
        listen = replace(listen, public_url=page(found[0], listen.port, tls=bool(listen.tls_cert)))
    return replace(settings, listen=listen)


def added_rules(files: Sequence[str]) -> tuple[DeckRules, ...]:
    """The deck rules of the files. Raises BadSettings, OSError for a file that cannot be read."""
    from server.cards.decks import BadRules, read_rules
    from server.command.settings import BadSettings

    found: dict[str, DeckRules] = {}
    for file in files:
        try:
            rules = read_rules(Path(file).read_bytes())
        except BadRules as fault:
            raise BadSettings(f"games.deck_rules: {file}: {fault}") from None
        if rules.name in found:
            raise BadSettings(f"games.deck_rules: {file}: there are deck rules {rules.name!r} already")
        found[rules.name] = rules
    return tuple(found.values())


def bad_certificate(listen: Listen) -> str:
    """What is wrong with the certificate and its key; "" if nothing is, or there are none."""
    import ssl

    if not listen.tls_cert:
        return ""
    for file, holds in ((listen.tls_cert, "CERTIFICATE"), (listen.tls_key, "PRIVATE KEY")):
        try:
            text = Path(file).read_text("ascii", errors="replace")
        except OSError as fault:
            return f"{file} cannot be read: {fault.strerror}"
        if f"{holds}-----" not in text:
            what = "certificate" if holds == "CERTIFICATE" else "private key"
            return (
                f"{file} holds no {what} in PEM (-----BEGIN ...); --tls-cert takes the certificate, --tls-key its key"
            )
    try:
        # Asked for no password: nobody may be there to type one.
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(listen.tls_cert, listen.tls_key, lambda: "")
    except (ssl.SSLError, ValueError):
        return (
            f"{listen.tls_key} is not the private key of the first certificate in {listen.tls_cert}, or has a password"
        )
    return ""


def _sentence(fault: BaseException, host: str, port: int) -> str:
    """What went wrong, with what to do where that is known."""
    import errno
    import socket

    from server.command.friends import addresses

    leaves = [fault, fault.__cause__]
    no_address = any(isinstance(leaf, OSError) and leaf.errno == errno.EADDRNOTAVAIL for leaf in leaves)
    if no_address or any(isinstance(leaf, socket.gaierror) for leaf in leaves):
        own = ", ".join(("127.0.0.1", *addresses()))
        return f"{host} is no address of this machine, which has {own}; choose one with --host, or --friends for all"
    if any(isinstance(leaf, OSError) and leaf.errno == errno.EADDRINUSE for leaf in leaves):
        return f"port {port} is taken, maybe by another apnap; choose another with --port, or --port 0 for a free one"
    if any(isinstance(leaf, OSError) and leaf.errno == errno.EACCES for leaf in leaves) and port < 1024:
        return f"port {port} is for the system's own services; choose one above 1023 with --port"
    return str(fault)


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


def data_of(settings: Settings) -> Path:
    """The directory of journals."""
    from server.command.data import default_folder

    return Path(settings.data) if settings.data else default_folder()


def tune() -> None:
    """Set Python up for tables that wait for nothing."""
    import gc
    import sys

    # States hold no cycles. By default the collector would walk all rooms again and again in search of some: with 200 rooms
    # that is a third of the CPU time. Modules and cards are never garbage, so it need not look at them at all. Of the others it looks at
    # the young ones, few at a time (fifty thousand every table feels), and often; at all of them, for which every table waits a tenth of
    # a second, only now and then.
    gc.freeze()
    gc.set_threshold(5_000, 20, 10_000)
    # While a thread works, the event loop waits so long each time that it comes back from waiting. By default ten times as long, which a
    # table feels at each of the turns of the loop that an answer takes.
    sys.setswitchinterval(0.0005)


class Helpers(NamedTuple):
    """What a server has beside its tables: decks, and the processes that do what takes long."""

    decks: Decks
    replayer: Worker
    foreseer: Worker


async def helpers(
    stack: AsyncExitStack, data: Path, rules: Sequence[DeckRules], read: Callable[[], None] | None = None
) -> Helpers:
    """They, closed with the stack; `read` is done before the house's decks are."""
    import sys
    from contextlib import aclosing

    from server.command.decks import house_decks
    from server.command.library import open_library
    from server.rooms.worker import Worker

    async def made(*words: str, seconds: float | None = None) -> Worker:
        worker = Worker([sys.executable, "-m", *words], *([] if seconds is None else [seconds]))
        return await stack.enter_async_context(aclosing(worker))

    reader = await made("server.command.deck_reader", str(data))
    replayer = await made("server.lobby.replayer", seconds=REPLAY_SECONDS)
    foreseer = await made("server.rooms.foreseer")
    library = open_library(data, following=True)
    if read is not None:
        read()
    return Helpers(house_decks(library, reader, rules), replayer, foreseer)


async def say_how(app: App, settings: Settings, data: Path, friends: bool, *, silent: bool = False) -> None:
    """What is printed once it serves; `silent`: another has said it."""
    app.lobby.reception.address = _address(settings.listen, app.port)
    if silent:
        return
    for line in how_to_join(settings.listen, app.port, str(data), friends=friends):
        print(line, flush=True)
    first_login = await app.lobby.reception.first_login()
    if first_login:
        print(f"The first admin comes in by {app.lobby.reception.page(first_login)} (once)", flush=True)
    for table in app.lobby.tables.values():
        print(f"Room {table.id} goes on ({table.state}).", flush=True)


def games_go_on(states: Sequence[str]) -> str:
    """How many games go on, of rooms in these states, and how many stand still; "" where there are none."""
    goes, stands = states.count("playing"), states.count("frozen")
    parts = [f"{goes} {'game goes' if goes == 1 else 'games go'} on"] if goes else []
    parts += [f"{stands} {'game stands' if stands == 1 else 'games stand'} still (frozen)"] if stands else []
    return f"{', '.join(parts)}." if parts else ""


async def _serve(settings: Settings, rules: Sequence[DeckRules] = (), friends: bool = False) -> None:
    import secrets
    import sys
    from contextlib import AsyncExitStack

    from msgspec.structs import replace

    from server.command.house_reading import HouseReading
    from server.command.stores import Forgotten

    data = data_of(settings)
    _allow_files(settings.limits.connections + settings.limits.handshakes + FILES)
    house = HouseReading()
    ports: list[int] = []
    ours = f"apnap {secrets.token_hex(8)}"  # its own lease is no other server's, though the database lost what gave it back
    async with AsyncExitStack() as stack:
        made = await helpers(stack, data, rules, house.finish)
        tune()
        while True:
            try:
                return await _until_stopped(settings, data, made, friends, ports, ours)
            except BaseException as fault:
                lost = next((leaf for leaf in leaves(fault) if isinstance(leaf, Forgotten)), None)
                if lost is None or not all(map(is_known, leaves(fault))):
                    raise
            print(f"apnap serve: {lost}", file=sys.stderr)
            for port in ports:  # the one that clients come back to
                settings = replace(settings, listen=replace(settings.listen, port=port))


async def _until_stopped(
    settings: Settings, data: Path, made: Helpers, friends: bool, ports: list[int], connections: str
) -> None:
    """Serve, on a port that is added to `ports`; `connections` is as `open_store`'s. Raises an exception group, also of `Forgotten`:
    whoever serves begins anew then."""
    import signal
    from contextlib import AsyncExitStack
    from functools import partial

    import trio

    from server.command.stores import open_store
    from server.net.app import running
    from server.net.standby import stand_by

    async with AsyncExitStack() as stack:
        storage = await stack.enter_async_context(
            open_store(settings.store, data, partial(stand_by, settings), connections)
        )
        app = await stack.enter_async_context(
            running(
                storage,
                made.decks,
                settings=settings,
                desk=data,
                replayer=made.replayer,
                foreseer=made.foreseer,
                rate=rater(settings),
            )
        )
        # Signals are caught before anything is said, because whoever reads it may stop us at once.
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            await say_how(app, settings, data, friends, silent=bool(ports))
            ports.append(app.port)
            async for _ in signals:
                break
        print("Closing; games stay in their journals.", flush=True)


def how_to_join(listen: Listen, port: int, data: str, *, friends: bool = False) -> list[str]:
    """What is printed at the start: where the server is and how one comes in. Links never carry an address that only this computer
    has, but where the server listens on no other.
    """
    from server.command.friends import addresses, far_away, page, qr
    from server.net.static import FOLDER, read_page

    tls = bool(listen.tls_cert)
    here = "127.0.0.1" if listen.host in EVERYWHERE else listen.host
    alone = only_here(listen.host)
    found = addresses() if listen.host in EVERYWHERE else ([] if alone else [listen.host])
    links = [page(address, port, tls=tls) for address in found]
    if listen.public_url:
        links = [listen.public_url, *(link for link in links if link != listen.public_url)]
    local = page(here, port, tls=tls)
    link = links[0] if links else local
    lines = [f"apnap serves at {_websocket(local)}", f"  on this computer: {local}"]
    lines += [f"  for friends:      {one}" for one in links]
    lines += [
        f"  in a terminal:    apnap play {link}",
        f"  a bot:            apnap bot {_websocket(link)} --room ROOM",
        f"  journals:         {data}",
    ]
    if tls:
        lines.append(f"  certificate:      SHA-256 {_fingerprint(listen.tls_cert)}")
    if alone and not listen.public_url:
        lines.append(f"Only this computer gets in. For friends: {typed_here()} serve --friends")
    if friends and links:
        lines += [*qr(link), *far_away(found[0] if found else here, port, tls=tls)]
    elif friends:
        lines.append("This machine has no address by which others could reach it: it is in no network.")
    if not read_page(FOLDER):
        lines.append("The page is not built, so that these links show none: say make page, and start it again.")
    return [*lines, "Ctrl-C stops it; games go on when it is started again."]


def typed_here() -> str:
    """What is typed for this program: its path, as in a checkout after `make run`, where the shell does not find it by its name."""
    import shutil
    import sys

    called = Path(sys.argv[0])
    if called.name != "apnap" or shutil.which("apnap"):
        return "apnap"
    here = Path.cwd()
    return str(called.absolute().relative_to(here) if called.absolute().is_relative_to(here) else called)


def only_here(host: str) -> bool:
    """Whether that is an address which only this computer has."""
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _fingerprint(certificate: str) -> str:
    """The SHA-256 of the first certificate in a file, as `apnap play --fingerprint` takes it."""
    import hashlib
    import ssl

    text = Path(certificate).read_text("ascii", errors="ignore")
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    first = text[text.find(begin) : text.find(end) + len(end)]
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(first)).hexdigest()


def _address(listen: Listen, port: int) -> str:
    """The page's address that reaches furthest: for links that the host hands out."""
    from server.command.friends import addresses, page

    found = addresses() if listen.host in EVERYWHERE else [listen.host]
    host = found[0] if found else "127.0.0.1"
    return listen.public_url or page(host, port, tls=bool(listen.tls_cert))


def _websocket(url: str) -> str:
    """The address for programs behind the address for people: https is wss."""
    return "ws" + url.removeprefix("http") if url.startswith("http") else url


def is_known(fault: BaseException) -> bool:
    """Whether it is no defect: what it says is all that is to be said of it."""
    from server.storage import StorageError

    return isinstance(fault, OSError | StorageError)


def leaves(group: BaseException) -> list[BaseException]:
    """The exceptions in a group."""
    if isinstance(group, BaseExceptionGroup):
        return [leaf for part in group.exceptions for leaf in leaves(part)]
    return [group]
