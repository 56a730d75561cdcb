"""Where a server's time goes: CPU time by part, from samples of what its event loop is at.

`python -m server.bench.parts FILE serve ...` is `apnap serve ...` in which a sample is taken every few milliseconds of CPU time between
SIGUSR1 and SIGUSR2, which writes them to the file. A sample counts for the CPU time that the loop's thread has used since the last; what
the process has used beyond that are its other threads, of which the journal's writes.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import msgspec

EVERY_SECONDS = 0.001
"""Of CPU time; kernels that count it in ticks make it as long as one of those."""
ANSWER_SECONDS = 10.0
"""How long a process may take to write its samples."""
JOURNAL = "journal: its thread"
LOOP = "event loop, waiting included"
OTHER = "other"
PARTS: dict[str, str] = {
    "prometheus_client": "metrics",
    "server.metrics": "metrics",
    "logging": "log",
    "structlog": "log",
    "server.net.line:Line.send": "sockets: sending",
    "server.net.line:Line.receive": "sockets: receiving",
    "server.net.reader": "sockets: receiving",
    "server.net.flusher": "outboxes, frames, encoding",
    "server.net.connection:WebsocketConnection.flush": "outboxes, frames, encoding",
    "server.rooms.outbox": "outboxes, frames, encoding",
    "server.net": "messages: frames, reading",
    "websockets": "messages: frames, reading",
    "protocol.codec": "messages: frames, reading",
    "server.lobby": "lobby",
    "server.storage": "journal: in the loop",
    "server.rooms.slices": "slices",
    "server.rooms.history": "room: history, seats",
    "server.rooms.seated": "room: history, seats",
    "server.rooms.passes": "room: history, seats",
    "server.rooms.automatic": "room: history, seats",
    "server.rooms.clocks": "room: clocks",
    "server.rooms.timekeeper": "room: clocks",
    "server.rooms.tell": "views, patches",
    "server.rooms.audience": "views, patches",
    "server.rooms.seats": "views, patches",
    "protocol.patch": "views, patches",
    "server.rooms": "room: the rest",
    "server.knowledge.questions": "questions",
    "server.knowledge.prices": "questions",
    "server.knowledge.aims": "questions",
    "server.knowledge.opaque": "questions",
    "server.knowledge.events": "log lines",
    "server.knowledge.citations": "log lines",
    "server.knowledge": "views, patches",
    "server.rules": "rules",
    "server.cards": "rules",
    "server.oracle": "rules",
    "trio": LOOP,
}
"""By what a frame of the stack is in: a module, all below it, or a function of it. The innermost that stands here counts."""


class Sampled(msgspec.Struct, frozen=True):
    """What one run of samples found: seconds of CPU time by part."""

    parts: dict[str, float]


class Sampler:
    """Samples of the thread that makes it, the main one. `file` is where they go."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._parts: defaultdict[str, float] = defaultdict(float)
        self._known: dict[str, str] = {}
        self._thread = self._process = 0.0

    def listen(self) -> None:
        """Begin and end by signals."""
        signal.signal(signal.SIGPROF, self._sample)
        signal.signal(signal.SIGUSR1, self._begin)
        signal.signal(signal.SIGUSR2, self._end)

    def _begin(self, *_: object) -> None:
        self._parts.clear()
        self._thread, self._process = time.thread_time(), time.process_time()
        signal.setitimer(signal.ITIMER_PROF, EVERY_SECONDS, EVERY_SECONDS)

    def _end(self, _: int, frame: FrameType | None) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        self._sample(0, frame)
        others = time.process_time() - self._process - sum(self._parts.values())
        found = Sampled({**self._parts, JOURNAL: max(0.0, others)})
        fresh = self._file.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(found))
        os.replace(fresh, self._file)

    def _sample(self, _: int, frame: FrameType | None) -> None:
        now = time.thread_time()
        spent, self._thread = now - self._thread, now
        self._parts[next((part for name in _stack(frame) if (part := self._part(name))), OTHER)] += spent

    def _part(self, name: str) -> str:
        """The part for a `module:function`, "" if none stands for it."""
        if name not in self._known:
            module, _, _ = name.partition(":")
            ways = [name, *(module.rsplit(".", cut)[0] for cut in range(module.count(".") + 1))]
            self._known[name] = next((PARTS[way] for way in ways if way in PARTS), "")
        return self._known[name]


def _stack(frame: FrameType | None) -> Iterator[str]:
    """`module:function` of a frame and of all that called it."""
    while frame is not None:
        yield f"{frame.f_globals.get('__name__', '')}:{frame.f_code.co_qualname}"
        frame = frame.f_back


class Watch:
    """From outside: asks a process that runs this module for samples."""

    def __init__(self, process: int, file: Path) -> None:
        self._process, self._file = process, file

    def begin(self) -> None:
        """From now on."""
        self._file.unlink(missing_ok=True)
        os.kill(self._process, signal.SIGUSR1)

    def end(self) -> Sampled:
        """Until now. Raises TimeoutError where nothing comes."""
        os.kill(self._process, signal.SIGUSR2)
        until = time.monotonic() + ANSWER_SECONDS
        while not self._file.exists():
            if time.monotonic() > until:
                raise TimeoutError("no samples came")
            time.sleep(0.01)
        return msgspec.json.decode(self._file.read_bytes(), type=Sampled)


if __name__ == "__main__":
    Sampler(Path(sys.argv[1])).listen()
    sys.argv[1:] = sys.argv[2:]
    runpy.run_module("server.command.main", run_name="__main__", alter_sys=True)
