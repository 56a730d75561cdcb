"""Speed and memory of a whole server: a server and its load in processes of their own, each on a core of its own.

`apnap serve` runs as a child with a journal on disk; this process is the load (`server.bench.load`). CPU times and memory of
the child are read from /proc, so that those figures need Linux (0 elsewhere). The reference, in the same run, is a bare
websocket server of the same library under the same load.
"""

from __future__ import annotations

import gc
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from server.bench.engine import at_reference, reference, reference_line
from server.bench.load import Load, LoadError
from server.bench.parts import Watch
from server.bench.wire import Wire, Wires

BENCH = {
    "APNAP_LOG_LEVEL": "warning",
    "APNAP_LIMITS_CONNECTIONS_PER_ADDRESS": "2000",
    "APNAP_LIMITS_CONNECTIONS": "4000",
    "APNAP_LIMITS_ADDRESS_SHARE": "10000",
    "APNAP_LIMITS_GUESTS_PER_MINUTE": "100000",
    "APNAP_LIMITS_HELLOS_PER_MINUTE": "100000",
    "APNAP_LIMITS_HANDSHAKES_PER_ADDRESS": "4000",
    "APNAP_LIMITS_ROOMS_PER_ADDRESS": "4000",
    "APNAP_LIMITS_BOTS_PER_ADDRESS": "40000",
    "APNAP_LIMITS_BOTS": "40000",
    "APNAP_GAMES_PASS_SECONDS": "0",
}
"""All clients come from one address, and in a storm before the server has seen that they are gone. They are programs, which look
for no secrets, and no answer waits for the sake of those who do."""
RATE = 200
"""Answers a second at which latency is measured."""


class Saturation(msgspec.Struct, frozen=True):
    """All questions answered as soon as they come. `server_us`: CPU time of the server an answer (four patches, the journal
    and the next question with it); `server_cpu` and `load_cpu` are parts of a core: who was the limit."""

    rooms: int
    answers_per_s: float
    server_us: float
    server_cpu: float
    load_cpu: float


class Latency(msgspec.Struct, frozen=True):
    """From an answer sent to the last of four clients having applied its patch, in milliseconds; the server's CPU time an answer."""

    rooms: int
    answers_per_s: float
    p50_ms: float
    p99_ms: float
    server_us: float = 0.0


class Bytes(msgspec.Struct, frozen=True):
    """Frames as JSON. A view is the whole one that each client gets at the start, packed, faces of cards included; a rejoin all
    that is sent from hello to the view to who comes back in the middle of a game. `looking_on`: the median patch to seats
    that had not just answered.
    """

    patch: float
    patch_p99: int
    view: float
    answer: float
    looking_on: float = 0.0
    rejoin: float = 0.0
    rejoin_most: int = 0


class Part(msgspec.Struct, frozen=True):
    """Microseconds of CPU time an answer that a part of the server takes (`server.bench.parts`)."""

    name: str
    us: float


class Memory(msgspec.Struct, frozen=True):
    """KiB of the server's RSS a room, its four connections included: with the game begun, and after play; `slope_kib` for each room
    more after play. `empty_mib` is what a server without rooms has.
    """

    rooms: int
    begun_kib: float
    played_kib: float
    slope_kib: float = 0.0
    empty_mib: float = 0.0


class Storm(msgspec.Struct, frozen=True):
    """All clients drop and come back at once: seconds until the last has its view and question again. `bare_s`: as many bare
    websockets opened, each of which is sent a frame of a rejoin's size.
    """

    clients: int
    seconds: float
    bare_s: float


class Echo(msgspec.Struct, frozen=True):
    """Bare websockets with frames of the same size: one answered by one, and one by four (to the sender and three others)."""

    frames: int
    per_s: float
    server_us: float
    p50_ms: float
    p99_ms: float


class Figures(msgspec.Struct, frozen=True):
    """What `apnap bench server --json` prints."""

    saturation: list[Saturation]
    latency: Latency
    bytes: Bytes
    memory: Memory
    echo: list[Echo]
    storm: Storm
    parts: list[Part]
    reference_ms: float


class Child:
    """A server process, on the first core if there are two."""

    def __init__(self, words: list[str], settings: Mapping[str, str] = {}) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *words],
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=_first_core,
            env={**os.environ, **settings},
        )
        self.samples = Path()
        """Where samples of its time go, if it takes any."""

    def line(self) -> str:
        """Its next line of output."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def cpu(self) -> float:
        """Seconds of CPU time so far."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss_kib(self) -> float:
        """Resident memory in KiB."""
        try:
            found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        except OSError:
            return 0.0
        return float(found[1]) if found else 0.0

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def _first_core() -> None:
    cores = _cores()
    if len(cores) > 1:
        os.sched_setaffinity(0, cores[:1])


@contextmanager
def last_core() -> Iterator[None]:
    """This process on the last core while the block runs; its children begin on any."""
    cores = _cores()
    if len(cores) > 1:
        os.sched_setaffinity(0, cores[-1:])
    try:
        yield
    finally:
        if len(cores) > 1:
            os.sched_setaffinity(0, cores)


@contextmanager
def serving(settings: Mapping[str, str] = BENCH) -> Iterator[tuple[Child, str, int]]:
    """`apnap serve` on a free port, with its journal in a folder of its own; `settings` as in the environment."""
    with tempfile.TemporaryDirectory(prefix="apnap-bench") as folder:
        samples, data = Path(folder, "samples"), str(Path(folder, "data"))
        child = Child(["-m", "server.bench.parts", str(samples), "serve", "--port", "0", "--data", data], settings)
        child.samples = samples
        try:
            found = re.search(r"ws://([^:]+):(\d+)", child.line())
            if found is None:
                raise LoadError("the server did not start")
            yield child, found[1], int(found[2])
        finally:
            child.stop()


def measure(
    rooms: tuple[int, ...] = (1, 50, 200), *, quick: bool = False, say: Callable[[str], None] = print
) -> Figures:
    """All figures. `quick`: seconds instead of minutes, rougher."""
    allow_files(max(rooms) * 4 + 200)
    seconds = 1.0 if quick else 8.0
    saturation: list[Saturation] = []
    latency, memory, sizes = Latency(0, 0.0, 0.0, 0.0), Memory(0, 0.0, 0.0), Bytes(0.0, 0, 0.0, 0.0)
    parts: list[Part] = []
    storm = 0.0
    played: dict[int, float] = {}
    references = [reference()]
    middle = sorted(rooms)[len(rooms) // 2]
    say("rooms of four clients each, every priority asked, random play of house decks")
    for count in rooms:
        with serving() as (child, host, port):
            empty = child.rss_kib()
            load = Load(host, port)
            load.open(count)
            begun = child.rss_kib()
            gc.collect()
            with last_core():
                found = _saturate(child, load, count, seconds)
                references.append(reference())
                saturation.append(found)
                say(_saturation_line(found, min(references)))
                played[count] = child.rss_kib()
                if count == max(rooms):
                    memory = Memory(
                        count,
                        round((begun - empty) / count, 1),
                        round((played[count] - empty) / count, 1),
                        _slope(played, middle, count),
                        round(empty / 1024, 1),
                    )
                if count == middle:
                    parts = _parts(child, load, seconds)
                    latency = _latency(child, load, count, seconds)
                    storm = load.storm()
                    sizes = _bytes(load)
            load.close()
    bare = _bare_storm(middle * 4, max(1, round(sizes.rejoin)))
    echo = _echoes(max(1, round(sizes.answer)), max(1, round(sizes.patch)), middle, seconds)
    came_back = Storm(middle * 4, round(storm, 3), round(bare, 3))
    figures = Figures(
        saturation, latency, sizes, memory, echo, came_back, parts, round(min(*references, reference()), 2)
    )
    for line in _lines(figures):
        say(line)
    return figures


def _slope(played: Mapping[int, float], few: int, many: int) -> float:
    """KiB a room from so many rooms to so many, without what is the same for any number; 0 where there is only one."""
    return round((played[many] - played[few]) / (many - few), 1) if many > few else 0.0


def _saturation_line(found: Saturation, reference_ms: float) -> str:
    return (
        f"  {found.rooms:4} room{'s' if found.rooms > 1 else ' '}  {found.answers_per_s:8,.0f} answers/s, "
        f"{found.server_us:.0f} us of the server's CPU each "
        f"(server {found.server_cpu:.0%} of a core, load {found.load_cpu:.0%}); at reference speed "
        f"{1e6 / at_reference(found.server_us, reference_ms):,.0f} answers/s a core"
    )


def _lines(figures: Figures) -> Iterator[str]:
    """All but the saturation, for people."""
    latency, sizes, memory, storm = figures.latency, figures.bytes, figures.memory, figures.storm
    yield (
        f"  latency    {latency.p50_ms:.2f} ms p50, {latency.p99_ms:.2f} ms p99, at {latency.answers_per_s:.0f} answers/s"
        f" over {latency.rooms} rooms: from an answer sent to the last of four clients having applied its patch;"
        f" {latency.server_us:.0f} us of the server's CPU each"
    )
    yield (
        f"  bytes      {sizes.patch:.0f} a patch (p99 {sizes.patch_p99}; median to who looks on {sizes.looking_on:.0f}),"
        f" {sizes.view:.0f} a first view, faces with it, {sizes.rejoin:.0f} to who comes back (at most {sizes.rejoin_most})"
    )
    yield (
        f"  memory     {memory.begun_kib:.0f} KiB of RSS a room with four connections as its game begins,"
        f" {memory.played_kib:.0f} after play ({memory.rooms} rooms; {memory.slope_kib:.0f} for each room more),"
        f" {memory.empty_mib:.0f} MiB without any"
    )
    yield "  an answer  us of CPU time by part, as it is and at reference speed"
    for part in figures.parts:
        yield f"      {part.us:6.0f} {at_reference(part.us, figures.reference_ms):6.0f}  {part.name}"
    yield (
        f"  storm      {storm.clients} clients drop at once: {storm.seconds:.2f} s until all have view and question again"
        f" (as many bare websockets opened and sent as much: {storm.bare_s:.2f} s)"
    )
    for each in figures.echo:
        yield (
            f"  reference: bare websocket, 1 frame in, {each.frames} out of the size of a patch: {each.per_s:,.0f}/s,"
            f" {each.server_us:.0f} us; at {RATE}/s {each.p50_ms:.2f} ms p50, {each.p99_ms:.2f} ms p99"
        )
    yield reference_line(figures.reference_ms)


def _parts(child: Child, load: Load, seconds: float) -> list[Part]:
    """CPU time an answer by part, the largest first."""
    watch, answers = Watch(child.process.pid, child.samples), load.answers
    watch.begin()
    load.saturate(seconds)
    found, done = watch.end(), max(1, load.answers - answers)
    us = {name: spent / done * 1e6 for name, spent in found.parts.items()}
    return [Part(name, round(us[name], 1)) for name in sorted(us, key=lambda name: -us[name])]


def _saturate(child: Child, load: Load, rooms: int, seconds: float) -> Saturation:
    load.at_once = True
    answers, cpu, own, begun = load.answers, child.cpu(), time.process_time(), time.perf_counter()
    rate = load.saturate(seconds)
    spent = child.cpu() - cpu
    wall = time.perf_counter() - begun - 0.3
    done = max(1, load.answers - answers)
    return Saturation(
        rooms=rooms,
        answers_per_s=round(rate, 1),
        server_us=round(spent / done * 1e6, 1),
        server_cpu=round(spent / wall, 3),
        load_cpu=round((time.process_time() - own) / wall, 3),
    )


def _latency(child: Child, load: Load, rooms: int, seconds: float) -> Latency:
    cpu, answers = child.cpu(), load.answers
    found = load.steady(RATE, seconds)
    spent = (child.cpu() - cpu) / max(1, load.answers - answers)
    return Latency(rooms, round(len(found) / seconds, 1), *percentiles(found), round(spent * 1e6, 1))


def percentiles(seconds: list[float]) -> tuple[float, float]:
    """The 50th and 99th percentile in milliseconds."""
    if not seconds:
        return 0.0, 0.0
    ordered = sorted(seconds)
    return tuple(round(ordered[min(len(ordered) - 1, int(len(ordered) * p))] * 1000, 3) for p in (0.5, 0.99))  # type: ignore[return-value]


def _bytes(load: Load) -> Bytes:
    patches, views, answers = sorted(load.sizes.patches), load.sizes.views, load.sizes.answers
    if not patches or not views:
        return Bytes(0.0, 0, 0.0, 0.0)
    return Bytes(
        patch=round(sum(patches) / len(patches), 1),
        patch_p99=patches[int(len(patches) * 0.99)],
        view=round(sum(views) / len(views), 1),
        answer=round(sum(answers) / max(1, len(answers)), 1),
        looking_on=statistics.median(load.sizes.looking_on or [0]),
        rejoin=round(sum(load.sizes.rejoins) / max(1, len(load.sizes.rejoins)), 1),
        rejoin_most=max(load.sizes.rejoins, default=0),
    )


def allow_files(wanted: int) -> None:
    """As many open files as four connections a room need, here and in the children."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


# --- the reference -------------------------------------------------------------------------------------------------------


def _echoes(answer: int, patch: int, groups: int, seconds: float) -> list[Echo]:
    child = Child(["-m", "server.bench.echo"])
    try:
        port = int(child.line())
        with last_core():
            return [
                _Echoing(child, port, f"/echo?{patch}", groups, 1, answer).measure(seconds / 2),
                _Echoing(child, port, "/four/{}?" + str(patch), groups, 4, answer).measure(seconds / 2),
            ]
    finally:
        child.stop()


def _bare_storm(clients: int, size: int) -> float:
    """Seconds until so many bare websockets are open and each has been sent a frame of that size."""
    child = Child(["-m", "server.bench.echo"])
    try:
        port = int(child.line())
        wires = Wires()
        missing = clients

        def came(_: bytes) -> None:
            nonlocal missing
            missing -= 1

        with last_core():
            begun = time.perf_counter()
            for _ in range(clients):
                wire = Wire("127.0.0.1", port, f"/echo?{size}")
                wire.on_text = came
                wires.add(wire)
                wire.send(b"x")
            while missing:
                wires.pump(0.02)
            taken = time.perf_counter() - begun
        wires.close()
        return taken
    finally:
        child.stop()


class _Group:
    """Connections of which the first sends; all that are sent back are counted."""

    def __init__(self, wires: list[Wire]) -> None:
        self.wires = wires
        self.missing = 0
        self.sent_at = self.came_at = 0.0
        for wire in wires:
            wire.on_text = self._text

    def send(self, data: bytes) -> None:
        self.missing = len(self.wires)
        self.sent_at = time.perf_counter()
        self.wires[0].send(data)

    def _text(self, data: bytes) -> None:
        self.missing -= 1
        self.came_at = time.perf_counter()


class _Echoing:
    """The load for the bare server: as many groups as there were rooms."""

    def __init__(self, child: Child, port: int, path: str, groups: int, frames: int, size: int) -> None:
        self.child, self.frames, self.data = child, frames, b"x" * size
        self.wires = Wires()
        self.groups: list[_Group] = []
        for number in range(groups):
            wires = [Wire("127.0.0.1", port, path.format(number)) for _ in range(frames)]
            for wire in wires:
                self.wires.add(wire)
            self.groups.append(_Group(wires))

    def measure(self, seconds: float) -> Echo:
        count, cpu, begun = 0, self.child.cpu(), time.perf_counter()
        while time.perf_counter() < begun + seconds:
            for group in self.groups:
                if not group.missing:
                    group.send(self.data)
                    count += 1
            self.wires.pump(0.02)
        wall, spent = time.perf_counter() - begun, self.child.cpu() - cpu
        while any(group.missing for group in self.groups):
            self.wires.pump(0.02)
        p50, p99 = percentiles(self._steady(seconds))
        self.wires.close()
        return Echo(self.frames, round(count / wall, 1), round(spent / count * 1e6, 1), p50, p99)

    def _steady(self, seconds: float) -> list[float]:
        found: list[float] = []
        begun = time.perf_counter()
        sent = 0
        while (now := time.perf_counter()) < begun + seconds:
            if sent < int((now - begun) * RATE):
                group = self.groups[sent % len(self.groups)]
                if not group.missing:
                    if group.sent_at:
                        found.append(group.came_at - group.sent_at)
                    group.send(self.data)
                    sent += 1
            self.wires.pump(max(0.0, min(0.02, begun + (sent + 1) / RATE - time.perf_counter())))
        return found[len(self.groups) :]
