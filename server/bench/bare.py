"""The reference of a whole server: a bare websocket server of the same library (`echo`) under the same load."""

from __future__ import annotations

import time

import msgspec

from server.bench.child import Child, last_core
from server.bench.wire import Wire, Wires

RATE = 200
"""Answers a second at which latency is measured."""


class Echo(msgspec.Struct, frozen=True):
    """Bare websockets with frames of the same size: one answered by one, and one by four (to the sender and three others). `server_us`
    is the server's CPU time for each as fast as it goes, `steady_us` at the rate at which latency is measured."""

    frames: int
    per_s: float
    server_us: float
    p50_ms: float
    p99_ms: float
    steady_us: float = 0.0


def percentiles(seconds: list[float]) -> tuple[float, float]:
    """The 50th and 99th percentile in milliseconds."""
    if not seconds:
        return 0.0, 0.0
    ordered = sorted(seconds)

    def at(part: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000, 3)

    return at(0.5), at(0.99)


def echoes(answer: int, patch: int, groups: int, seconds: float) -> list[Echo]:
    """Answered by one and by four, by so many groups of connections; bytes of an answer and of a patch."""
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


def bare_storm(clients: int, size: int) -> float:
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
        cpu = self.child.cpu()
        found, sent = self._steady(seconds)
        steady = (self.child.cpu() - cpu) / max(1, sent)
        self.wires.close()
        each = round(spent / count * 1e6, 1)
        return Echo(self.frames, round(count / wall, 1), each, *percentiles(found), round(steady * 1e6, 1))

    def _steady(self, seconds: float) -> tuple[list[float], int]:
        """How long each took but the first of each group, in seconds, and how many were sent."""
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
        return found[len(self.groups) :], sent
