"""Whether a quiet table feels a heavy one: beside a thousand tokens with more than a thousand triggers, a flood of
previews and twenty tables of bots (`server.bench.crowd`), four clients play at a pace; how long do they wait?

The crowd is read by a process of its own, so that what it costs to read it is none of the server's affair. `alone` is the same quiet
table at the same server before the crowd came: what the machine itself costs.
"""

from __future__ import annotations

import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from server.bench.bare import percentiles
from server.bench.child import BENCH, serving
from server.bench.crowd import Seen
from server.bench.load import Load, LoadError

SETTINGS = {**BENCH, "APNAP_PEOPLE_OWN_CARDS": "everybody"}
PACE = 0.1
"""Seconds that a quiet client thinks, on average."""


class Quiet(msgspec.Struct, frozen=True):
    """Milliseconds from an answer sent to the last of four clients having applied its patch."""

    answers: int
    p50_ms: float
    p99_ms: float
    most_ms: float


class Figures(msgspec.Struct, frozen=True):
    """What `apnap bench heavy --json` prints. `server_cpu`: of a core, beside the crowd."""

    alone: Quiet
    beside: Quiet
    crowd: Seen
    tables: int
    seconds: float
    server_cpu: float


def measure(seconds: float = 60.0, tables: int = 20, *, say: Callable[[str], None] = print) -> Figures:
    """Raises LoadError and WireError when the server refuses or hangs up."""
    with serving(SETTINGS) as (child, host, port):
        load = Load(host, port)
        load.open(1)
        alone = _quiet(load, min(seconds, 10.0))
        say(f"  alone   {_line(alone)}")
        with _crowd(load, tables) as crowd:
            cpu = child.cpu()
            beside = _quiet(load, seconds)
            cpu = (child.cpu() - cpu) / seconds
            assert crowd.stdin is not None and crowd.stdout is not None
            crowd.stdin.close()
            seen = msgspec.json.decode(crowd.stdout.readline(), type=Seen)
        load.close()
    say(f"  beside  {_line(beside)}, the server at {cpu:.0%} of a core")
    say(f"  crowd   {tables} tables of bots; {seen}")
    return Figures(alone, beside, seen, tables, seconds, round(cpu, 3))


def _quiet(load: Load, seconds: float) -> Quiet:
    found = load.play(seconds, PACE)
    if not found:
        raise LoadError("the quiet table got no answer at all")
    return Quiet(len(found), *percentiles(found), round(max(found) * 1000, 3))


def _line(quiet: Quiet) -> str:
    return f"{quiet.answers} answers: p50 {quiet.p50_ms} ms, p99 {quiet.p99_ms} ms, at most {quiet.most_ms} ms"


@contextmanager
def _crowd(load: Load, tables: int) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-m", "server.bench.crowd", load.host, str(load.port), str(tables)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            while not select.select([process.stdout], [], [], 0)[0]:
                load.wires.pump(0.05)  # the server asks whether the quiet ones are still there
            if process.stdout.readline().strip() != "ready":
                raise LoadError("the crowd has not come")
            yield process
        finally:
            process.terminate()
