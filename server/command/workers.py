"""`apnap serve --workers N`: a parent that holds the listening socket and starts again what ends, a keeper that writes, and N workers.

The parent reads the cards and forks; it has no loop, no thread and no open database then, which no fork could share. Children open
all of that themselves (`children`). When a worker ends, the keeper gives its rooms to the others, and the parent starts another;
when the keeper ends, all begin anew, as a server of one process does when it is started again, with the same socket. Who stands
still for longer than a lease (`store.lease_seconds`) is ended.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from server.net.workers.board import Board
from server.net.workers.pulse import Pulses, Readiness, Stage, Wish

if TYPE_CHECKING:
    from server.cards.decks import DeckRules
    from server.settings import Settings

log = logging.getLogger("apnap.net")

PATIENCE_SECONDS = 3.0
"""How long a port or a directory that another server is just letting go is waited for."""
SOON_SECONDS = 2.0
"""What has lived for less, and the time before too, is started again after so long as well."""
LOOK_SECONDS = 0.1
"""How often it is looked who stands still, and who is to be started."""
STOP_SECONDS = 60.0
"""How long workers, and then the keeper, may take to stop."""
STILL_SECONDS = 1.0
"""A spare that has not run for so long does not come: what it has ready is not worth a wait. Where we have not, nobody stands still."""
NOT_RUNNING_SECONDS = 1.5
"""A worker that has not run for so long, or half a lease, gets no new rooms, and others prepare those that it has."""
WISH_SECONDS = 10.0
"""How long what the keeper wishes holds: as long as it may take to take over from another server, without a look at its lease."""
BACKLOG = 256
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGALRM)
TOLD = (signal.SIGINT, signal.SIGTERM)
"""By which who is told to stop may end as well: told twice, as by Ctrl-C and by the parent, it ends by the second when it is done."""
KEEPER = -1
"""The keeper among the children."""
CHILDREN_IMPORT = (
    "server.command.children",
    "server.command.decks",
    "server.command.library",
    "server.command.serve",
    "server.command.stores",
    "server.net.app",
    "server.net.desk",
    "server.net.standby",
    "server.net.static",
    "server.net.workers.desk",
    "server.net.workers.following",
    "server.net.workers.keeper",
    "server.net.workers.leading",
    "server.net.workers.link",
    "server.storage.cards",
)
"""What they would each have to import as they begin, while games wait for them."""


def cannot(settings: Settings) -> str:
    """Why these settings cannot be served by several workers; "" if they can."""
    if not hasattr(os, "fork") or not hasattr(signal, "sigwait"):
        return "--workers needs a Unix; without it one process serves"
    if settings.listen.tls_cert:
        return (
            "--workers hands connections from process to process, which cannot be done in the midst of TLS: let a proxy "
            "such as Caddy end it (deploy/), or leave --tls-cert and --tls-key to one process"
        )
    return ""


def serve(settings: Settings, rules: Sequence[DeckRules], friends: bool, data: Path) -> int:
    """Serve until told to stop; the exit code. Raises OSError when it cannot listen, `StorageError` where no cards can be kept."""
    import gc
    from importlib import import_module

    from server.command.house_reading import HouseReading
    from server.storage.cards import CardStore

    house = HouseReading()
    listening = _listen(settings.listen.host, settings.listen.port)
    CardStore(data).close()  # made by one, before all open it
    for module in (*CHILDREN_IMPORT, *(["server.storage.postgresql"] if settings.store.address else [])):
        import_module(module)
    house.finish()
    _read_in()
    gc.freeze()  # what there is by now, modules, cards, decks and the page, the children share
    folder = Path(tempfile.mkdtemp(prefix="apnap-"))  # a short path, which no other user may enter
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        return Family(settings, rules, friends, data, folder, listening).live()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read_in() -> None:
    """What all children need and the parent can have: a takeover waits for none of them to read it."""
    from server.command.decks import read_house_decks
    from server.net.static import FOLDER, read_page
    from server.net.workers.nodes import version_of
    from server.rooms import RULES

    read_house_decks()
    read_page(FOLDER)
    version_of(RULES.version)


def _listen(host: str, port: int) -> list[socket.socket]:
    """The sockets of all addresses of a host. Raises OSError."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    made: list[socket.socket] = []
    for family, kind, number, _, address in dict.fromkeys(found):
        try:
            sock = socket.socket(family, kind, number)
        except OSError as fault:
            if fault.errno == errno.EAFNOSUPPORT and len(found) > 1:
                continue
            raise
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        _patiently(lambda sock=sock, address=address: sock.bind(address))
        sock.listen(BACKLOG)
        made.append(sock)
        if port == 0:
            break  # each address family would get a port of its own
    return made


def _patiently(bind: Callable[[], None]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return bind()
        except OSError as fault:
            if fault.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise
        time.sleep(0.05)


class Family:
    """The parent and its children."""

    def __init__(
        self,
        settings: Settings,
        rules: Sequence[DeckRules],
        friends: bool,
        data: Path,
        folder: Path,
        listening: list[socket.socket],
    ) -> None:
        self.settings = settings
        self.rules = rules
        self.friends = friends
        self.data = data
        self.listening = listening
        self.port: int = listening[0].getsockname()[1]
        count = settings.workers
        self.paths = [str(folder / f"worker-{number}") for number in range(count)]
        self.arrivals = [_local(path) for path in self.paths]
        self.wire_path = str(folder / "keeper")
        self.wire = _local(self.wire_path)
        self.calls = _calls(settings.store.node) if settings.store.node else None
        """Where other nodes call."""
        self.pulses = Pulses(2 * count + 1)
        self.board = Board(count, settings.limits.handshakes)
        self._children: dict[int, tuple[int, float]] = {}
        """What each process is, a worker's number or `KEEPER`, and when it was started."""
        self._given_up: set[int] = set()
        """Those of them that were ended because they stood still."""
        self.ahead = Wish(WISH_SECONDS)
        """That workers which wait prepare rooms: the journals may be ours soon."""
        self.readiness = Readiness(2 * count)
        """Which workers, and spares, have prepared the rooms that come to them."""
        self.stage = Stage()
        self.spares = Wish(WISH_SECONDS)
        """That for each worker there is a spare."""
        self._spares: dict[int, tuple[int, int]] = {}
        """By the worker in whose place each is to come, its process and what tells it to."""
        self._wished = 0.0
        """When there were last to be some."""
        self._no_spares_until = 0.0
        """What has ended by itself is started again after a moment."""
        self._due: dict[int, float] = {}
        """Who is to be started, and when."""
        self._short_lived: set[int] = set()
        """What had ended soon when it ended last."""
        self._looked = time.monotonic()
        self._awake = self._looked
        """Since when we have not stood still ourselves: what nobody wrote before tells nothing of the others."""
        self._life, self._ours = os.pipe()
        """Closed with us, so that nobody outlives us."""
        self.connections = f"apnap {secrets.token_hex(8)}"
        """The name of all that its keepers, one after the other, have to a database."""
        self._told = False

    def runs(self, worker: int) -> bool:
        """Whether a worker does, or stands still."""
        return self.pulses.silent(worker) < min(NOT_RUNNING_SECONDS, self.settings.store.lease_seconds / 2)

    def spare(self, worker: int) -> int:
        """By which number the pulse of the spare of that worker goes."""
        return self.settings.workers + worker

    def ready(self) -> bool:
        """Whether all rooms are prepared, by the workers or by those who come in their place."""
        workers = range(self.settings.workers)
        return all(self._has_prepared(one) or self._has_prepared(self.spare(one)) for one in workers)

    def _has_prepared(self, number: int) -> bool:
        return self.readiness[number] and self.pulses.silent(number) < STILL_SECONDS

    def live(self) -> int:
        """Start all, and start again what ends, until told to stop."""
        self._all_due()
        signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
        try:
            while True:
                self._start_due()
                if signal.sigwait(SIGNALS) in (signal.SIGINT, signal.SIGTERM):
                    self._stop()
                    return 0
                for who, code, since in self._ended():
                    if who == KEEPER and code == 1:  # it has said why
                        self._stop()
                        return 1
                    when = self._again(who, since)
                    if who == KEEPER:
                        print(
                            "apnap serve: the process that writes has ended; all begin anew",
                            file=sys.stderr,
                            flush=True,
                        )
                        self._kill()
                        self._all_due(when)
                        break
                    self._due[who] = when
                self._look()
                self._have_spares()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _again(self, who: int, since: float) -> float:
        """When what has ended is started again: people wait for it, unless it cannot live."""
        now = time.monotonic()
        if now - since >= SOON_SECONDS:
            self._short_lived.discard(who)
        elif who in self._short_lived:
            return now + SOON_SECONDS
        else:
            self._short_lived.add(who)
        return now

    def _all_due(self, when: float = 0.0) -> None:
        self._due = dict.fromkeys((KEEPER, *range(self.settings.workers)), when)

    def _start_due(self) -> None:
        for who, when in list(self._due.items()):
            if when <= time.monotonic():
                del self._due[who]
                self._start(who)

    def _look(self) -> None:
        """End whoever stands still. A child that only computes does not, nor any while we stood still ourselves."""
        now = time.monotonic()
        if now - self._looked > STILL_SECONDS:
            self._awake = now
        self._looked = now
        for pid, (who, _) in self._children.items():
            if (seconds := self.pulses.silent(who, self._awake)) > self.settings.store.lease_seconds:
                if pid not in self._given_up:
                    log.warning("%s has stood still for %.1f seconds and is ended", _name(who), seconds)
                self._given_up.add(pid)
                os.kill(pid, signal.SIGKILL)

    def _start(self, who: int) -> None:
        self.pulses.note(who)
        if who in self._spares and self.pulses.silent(self.spare(who), self._awake) > STILL_SECONDS:
            self._end_spare(who)
        if (spare := self._spares.pop(who, None)) is not None:
            pid, go = spare
            with suppress(BrokenPipeError):  # it has ended, which is noticed next
                os.write(go, b".")
            os.close(go)
        else:
            pid = self._fork(who, self._told)
        self._children[pid] = who, time.monotonic()
        self._told = self._told or who == 0

    def _fork(self, who: int, told: bool, go: int = -1) -> int:
        """A process that is that; at once, or when `go` can be read."""
        from server.command.children import be

        if who != KEEPER:
            self.readiness.note(who if go < 0 else self.spare(who), False)
        return os.fork() or be(self, who, self._life, self._ours, told, go)

    def _have_spares(self) -> None:
        """As long as that is wished, others are ready to come in the place of workers; a moment longer, for these may be about to end."""
        now = time.monotonic()
        if self.spares:
            self._wished = now
            for who, _ in list(self._children.values()):
                if who != KEEPER and who not in self._spares and now > self._no_spares_until:
                    go, ours = os.pipe()
                    self.pulses.note(self.spare(who))
                    self._spares[who] = self._fork(who, True, go), ours
                    os.close(go)
        elif now - self._wished > SOON_SECONDS:
            self._end_spares()

    def _end_spares(self) -> None:
        for who in list(self._spares):
            self._end_spare(who)

    def _end_spare(self, who: int) -> None:
        pid, go = self._spares.pop(who)
        os.kill(pid, signal.SIGKILL)
        os.close(go)

    def _ended(self) -> list[tuple[int, int, float]]:
        """What has ended by now: what it was, its exit code (negative: the signal), since when it had lived."""
        found: list[tuple[int, int, float]] = []
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    break
                code = os.waitstatus_to_exitcode(status)
                self._given_up.discard(pid)
                if pid in self._children:
                    who, since = self._children.pop(pid)
                    if who != KEEPER:
                        self.board.clear(who)
                    found.append((who, code, since))
                    if self.stage.now == Stage.SERVES or -code not in TOLD:
                        _tell(_name(who), code)
                for who in [who for who, (spare, _) in self._spares.items() if spare == pid]:
                    _tell(f"the spare of {_name(who)}", code)
                    os.close(self._spares.pop(who)[1])
                    self._no_spares_until = time.monotonic() + SOON_SECONDS
        return sorted(found)

    def _stop(self) -> None:
        """The workers first, so that the keeper has all that they write."""
        self.stage.comes(Stage.STOPS)
        self._end_spares()
        keeper = [pid for pid, (who, _) in self._children.items() if who == KEEPER]
        workers = [pid for pid, (who, _) in self._children.items() if who != KEEPER]
        for pid in keeper:
            os.kill(pid, signal.SIGINT)  # no room changes its worker any more
        for pids in (workers, keeper):
            if pids is keeper:
                self.stage.comes(Stage.ENDS)
            for pid in self._children.keys() & pids:  # the others have ended by themselves
                os.kill(pid, signal.SIGTERM)
            until = time.monotonic() + STOP_SECONDS
            while not self._children.keys().isdisjoint(pids):
                self._look()
                if time.monotonic() > until:
                    for pid in self._children.keys() & pids:
                        os.kill(pid, signal.SIGKILL)
                time.sleep(0.02)
                self._ended()

    def _kill(self) -> None:
        self.spares.wish(False)
        self._end_spares()
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)
        for pid in self._children:
            os.waitpid(pid, 0)
        self._children.clear()


def _name(who: int) -> str:
    return "the keeper" if who == KEEPER else f"worker {who}"


def _tell(whom: str, code: int) -> None:
    """That a child has ended by a signal; in any other way it has told why itself."""
    if code < 0:
        log.warning("%s has ended by %s", whom, signal.Signals(-code).name)


def _calls(node: str) -> socket.socket:
    """Listens for other nodes, there or, where that is an address of something before this machine, everywhere. Raises OSError, which
    says that it is about that."""
    host, _, port = node.rpartition(":")
    try:
        try:
            return _listen(host.strip("[]"), int(port))[0]
        except OSError as fault:
            if fault.errno != errno.EADDRNOTAVAIL:
                raise
        return _listen("", int(port))[0]
    except OSError as fault:
        raise OSError(f"other nodes cannot be listened for at {node} (--node): {fault.strerror or fault}") from None


def _local(path: str) -> socket.socket:
    """Listens for others of our own processes; nobody else may enter its folder."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.bind(path)
    sock.listen(BACKLOG)
    return sock
