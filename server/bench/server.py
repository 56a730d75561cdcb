"""Speed and memory of a whole server: a server and its load in processes of their own, each on a core of its own.

`apnap serve` runs as a child with a journal on disk; this process is the load (`server.bench.load`). CPU times and memory of
the child are read from /proc, so that those figures need Linux (0 elsewhere). The reference, in the same run, is a bare
websocket server of the same library under the same load.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Mapping

import msgspec

from server.bench.bare import RATE, Echo, bare_storm, echoes, percentiles
from server.bench.child import Child, allow_files, last_core, serving
from server.bench.engine import at_reference, reference, reference_line
from server.bench.load import SEATS, Load
from server.bench.parts import Watch


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


class Usual(msgspec.Struct, frozen=True):
    """Rooms whose clients have the stops that people begin with, so that the room passes for them elsewhere: as saturated, and at a
    steady rate of half that many: an answer comes to many moments, so that the rate of the other load is more than one core
    does. `patches`: what one client is sent an answer, one for each moment that follows.
    """

    saturation: Saturation
    patches: float
    latency: Latency


class Bytes(msgspec.Struct, frozen=True):
    """Frames as JSON. A view is the whole one that each client gets at the start, packed, faces of cards included; a rejoin all
    that is sent from hello to the view to who comes back in the middle of a game. `looking_on`: the median patch to seats
    that had not just answered.
    """

    patch: float
    patch_p99: int
    view: float
    answer: float
    question: float = 0.0
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


class Figures(msgspec.Struct, frozen=True):
    """What `apnap bench server --json` prints."""

    saturation: list[Saturation]
    usual: Usual
    latency: Latency
    bytes: Bytes
    memory: Memory
    echo: list[Echo]
    storm: Storm
    parts: list[Part]
    reference_ms: float


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
    usual = _usual(middle, seconds)
    bare = bare_storm(middle * 4, max(1, round(sizes.rejoin)))
    echo = echoes(max(1, round(sizes.answer)), max(1, round(sizes.patch)), middle, seconds)
    came_back = Storm(middle * 4, round(storm, 3), round(bare, 3))
    figures = Figures(
        saturation, usual, latency, sizes, memory, echo, came_back, parts, round(min(*references, reference()), 2)
    )
    for line in _lines(figures):
        say(line)
    return figures


def _usual(rooms: int, seconds: float) -> Usual:
    """A server of its own for people's usual stops."""
    with serving() as (child, host, port):
        load = Load(host, port, usual_stops=True)
        load.open(rooms)
        with last_core():
            answers, patches = load.answers, len(load.sizes.patches)
            found = _saturate(child, load, rooms, seconds)
            each = (len(load.sizes.patches) - patches) / max(1, load.answers - answers) / SEATS
            latency = _latency(child, load, rooms, seconds, min(RATE, found.answers_per_s / 2))
        load.close()
    return Usual(found, round(each, 2), latency)


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


def _latency_line(found: Latency) -> str:
    return (
        f"  latency    {found.p50_ms:.2f} ms p50, {found.p99_ms:.2f} ms p99, at {found.answers_per_s:.0f} answers/s"
        f" over {found.rooms} rooms: from an answer sent to the last of four clients having applied its last patch;"
        f" {found.server_us:.0f} us of the server's CPU each"
    )


def _lines(figures: Figures) -> Iterator[str]:
    """All but the saturation, for people."""
    latency, sizes, memory, storm = figures.latency, figures.bytes, figures.memory, figures.storm
    usual = figures.usual
    yield f"  with people's usual stops, {usual.patches:.1f} patches an answer to each client:"
    yield _saturation_line(usual.saturation, figures.reference_ms)
    yield _latency_line(usual.latency)
    yield "  where every priority is asked:"
    yield _latency_line(latency)
    yield (
        f"  bytes      {sizes.patch:.0f} a patch (p99 {sizes.patch_p99}; median to who looks on {sizes.looking_on:.0f}),"
        f" {sizes.question:.0f} a question, {sizes.view:.0f} a first view, faces with it,"
        f" {sizes.rejoin:.0f} to who comes back (at most {sizes.rejoin_most})"
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
            f" {each.server_us:.0f} us; at {RATE}/s {each.p50_ms:.2f} ms p50, {each.p99_ms:.2f} ms p99, {each.steady_us:.0f} us"
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


def _latency(child: Child, load: Load, rooms: int, seconds: float, rate: float = RATE) -> Latency:
    cpu, answers = child.cpu(), load.answers
    found = load.steady(rate, seconds)
    spent = (child.cpu() - cpu) / max(1, load.answers - answers)
    return Latency(rooms, round(len(found) / seconds, 1), *percentiles(found), round(spent * 1e6, 1))


def _bytes(load: Load) -> Bytes:
    patches, views, answers = sorted(load.sizes.patches), load.sizes.views, load.sizes.answers
    if not patches or not views:
        return Bytes(0.0, 0, 0.0, 0.0)
    return Bytes(
        patch=round(sum(patches) / len(patches), 1),
        patch_p99=patches[int(len(patches) * 0.99)],
        view=round(sum(views) / len(views), 1),
        answer=round(sum(answers) / max(1, len(answers)), 1),
        question=round(sum(load.sizes.questions) / max(1, len(load.sizes.questions)), 1),
        looking_on=statistics.median(load.sizes.looking_on or [0]),
        rejoin=round(sum(load.sizes.rejoins) / max(1, len(load.sizes.rejoins)), 1),
        rejoin_most=max(load.sizes.rejoins, default=0),
    )
