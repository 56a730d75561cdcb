"""Check, as far as it can be from here, that this machine is ready to host, and a running server from where its friends come in.

apnap doctor                 this machine: the data directory, the disk, the addresses, the port, the settings
apnap doctor ADDRESS         the server at that address (what friends open): /ready, the page, websockets, clocks, its certificate;
                             with --config or --data this machine as well

Each line begins with ok, look (works, but read it) or bad. Ends with 1 when something is bad.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from server.command.data import add_data, folder

if TYPE_CHECKING:
    from server.settings import Settings

Grade: TypeAlias = Literal["ok", "look", "bad"]
Finding: TypeAlias = tuple[Grade, str]

FREE_BYTES = 200_000_000
"""Less free space than this is worth a look: a game's journal takes some 100 kB, copies and backups as much as all journals."""
CLOCK_S = 60
"""So far may the clocks of two machines be apart."""
CERTIFICATE_DAYS = 14
PATIENCE_S = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap doctor`."""
    parser.add_argument(
        "address", metavar="ADDRESS", nargs="?", default="", help="what friends open, to look at from here"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings file of `apnap serve`")
    parser.add_argument("--ca", default="", metavar="FILE", help="trust certificates of the authorities in this file")
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Print what was found; 1 when something is bad, 2 for an address or settings that cannot be read."""
    from client_cli.invitation import NoAddress, invited
    from client_cli.reaching import BadTrust, trust
    from protocol.words import say
    from server.command.settings import BadSettings, find

    try:
        settings = find(args.config).settings
        where = invited(args.address) if args.address else None
        tls = trust(args.ca, "")
    except (BadSettings, OSError) as fault:
        print(f"apnap doctor: {fault}", file=sys.stderr)
        return 2
    except NoAddress as fault:
        print(f"apnap doctor: {say('reach.address', text=str(fault))}", file=sys.stderr)
        return 2
    except BadTrust as fault:
        print(f"apnap doctor: {say(fault.key, lang='en', **fault.places)}", file=sys.stderr)
        return 2
    checks: list[Callable[[], Iterator[Finding]]] = [version]
    if where is None or args.data or args.config:
        checks += [lambda: data(folder(args)), lambda: listening(settings)]
    if where is not None:
        from server.command.doctor_far import server

        checks.append(lambda: server(where.url, tls))
    bad = False
    for check in checks:
        for grade, sentence in check():
            print(f"{grade:<4}  {sentence}", flush=True)
            bad = bad or grade == "bad"
    return int(bad)


def version() -> Iterator[Finding]:
    """This program and its Python."""
    from server.command.main import VERSION

    python = ".".join(map(str, sys.version_info[:3]))
    yield "ok", f"apnap {VERSION} with Python {python}"


def data(where: Path) -> Iterator[Finding]:
    """The data directory: whether it can be written, who may read it, how much room is left."""
    import os
    import tempfile

    there = where
    while not there.exists():
        there = there.parent
    if there == where:
        try:
            with tempfile.NamedTemporaryFile(dir=where):
                pass
            yield "ok", f"{where} can be written"
        except OSError as fault:
            yield "bad", f"{where} cannot be written: {fault.strerror}; give it to the user who runs apnap serve"
        open_to_others = where.stat().st_mode & 0o077
        if open_to_others:
            yield "look", f"{where} may be read by others on this machine; chmod 700 {where}"
    elif os.access(there, os.W_OK):
        yield "ok", f"{where} will be made when the server starts"
    else:
        yield "bad", f"{where} cannot be made: {there} cannot be written"
    free = shutil.disk_usage(there).free
    grade: Grade = "look" if free < FREE_BYTES else "ok"
    yield grade, f"{free // 1_000_000} MB are free there"


def listening(settings: Settings) -> Iterator[Finding]:
    """The addresses and the port of the settings."""
    from server.command.friends import addresses, page
    from server.command.serve import EVERYWHERE, bad_certificate, only_here

    listen = settings.listen
    fault = bad_certificate(listen)
    if fault:
        yield "bad", fault
    found = addresses()
    if not found:
        yield "look", "this machine has no address by which others could reach it: it is in no network"
    for address in found:
        yield "ok", f"in the same network: {page(address, listen.port, tls=bool(listen.tls_cert))}"
    if only_here(listen.host) and not listen.public_url:
        yield "look", "by these settings only this computer gets in; for friends: apnap serve --friends"
    if listen.public_url.startswith("http://") and listen.host in EVERYWHERE:
        yield "look", f"{listen.public_url} is not encrypted: names and chat can be read on the way"
    if listen.public_url.startswith("https://") and not listen.tls_cert and not listen.trusted_proxies:
        yield (
            "look",
            (
                "a proxy seems to stand before the server, and listen.trusted_proxies names none: all friends would count as one address"
            ),
        )
    yield _port(listen.host, listen.port)


def _port(host: str, port: int) -> Finding:
    """Whether the port is free, or taken by an apnap."""
    import errno
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            if fault.errno == errno.EADDRINUSE:
                return "ok", f"port {port} is in use: by your server, if one runs; else choose another with --port"
            return "bad", f"port {port} on {host or 'all addresses'} cannot be listened on: {fault.strerror}"
    return "ok", f"port {port} is free: no server runs there now"
