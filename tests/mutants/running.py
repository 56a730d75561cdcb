"""Runs tests with something broken: collected once, then a process forked for each mutant, which runs those that are to catch it.

A mutant is caught when one of its tests fails as a test fails. A test that stumbles over the mutant itself (a NameError and the
like, or a scenario that ends in an error) shows nothing about the rule; such a mutant is not caught.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest

JOBS = 2
#: Seconds after which a mutant's tests are given up.
PATIENCE = 600
PLACES = ("tests/rules", "tests/scenario/test_scenarios.py", "tests/scenario/test_judged.py")
#: Errors that come of the change itself and not of the rule.
STUMBLES = (NameError, AttributeError, TypeError, ImportError, KeyError, IndexError)


class Mutant(msgspec.Struct, frozen=True):
    """Something to break (`breaks` does it for good in its process), and by which items it is to be caught."""

    id: str
    breaks: Callable[[], None]
    items: tuple[str, ...]


class Result(msgspec.Struct, frozen=True):
    """What the tests of a mutant came to: those that failed, and why it does not count as caught, if it does not."""

    id: str
    failed: tuple[str, ...] = ()
    fault: str = ""


class Bench:
    """The collected tests, as a plugin of pytest; `work` is done with them in place of running them."""

    def __init__(self, work: Callable[[Bench], int]) -> None:
        self.work = work
        self.items: dict[str, pytest.Item] = {}
        self.failed: list[str] = []
        self.stumbled: list[str] = []
        self.code = 1
        #: How long `run` goes on, which only a search ends early.
        self.seconds = math.inf

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Has the work done instead."""
        self.items = {item.nodeid: item for item in session.items}
        self.code = self.work(self)
        return True

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Notes what fails and how."""
        if call.excinfo is None or call.excinfo.errisinstance(pytest.skip.Exception):
            return
        error = call.excinfo.value
        crashed = isinstance(error, STUMBLES) or isinstance(error, AssertionError) and "('error'" in str(error)
        (self.stumbled if crashed else self.failed).append(item.nodeid)

    def rules(self, nodeid: str) -> tuple[str, ...]:
        """The rules that an item names."""
        return tuple(str(n) for mark in self.items[nodeid].iter_markers("rule") for n in mark.args)

    def named(self, name: str) -> list[str]:
        """The items of a test function, or of a scenario, of this name."""
        return self._names().get(name, [])

    def _names(self) -> dict[str, list[str]]:
        if not hasattr(self, "_known"):
            self._known: dict[str, list[str]] = {}
            for nodeid, item in self.items.items():
                function = getattr(item, "originalname", item.name)
                asked = item.name.removeprefix(f"{function}[").removesuffix("]") if item.name != function else ""
                for name in filter(None, (function, asked)):
                    self._known.setdefault(name, []).append(nodeid)
        return self._known

    def run(self, nodeids: Iterable[str], enough: int = 1) -> None:
        """Runs items in this process until enough of them have failed, or its time is over."""
        until = time.monotonic() + self.seconds
        for nodeid in nodeids:
            if len(self.failed) >= enough or time.monotonic() > until:
                return
            item = self.items[nodeid]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def results(self, mutants: list[Mutant], enough: int = 1) -> Iterable[Result]:
        """Each mutant with its items, several processes at a time, in the order in which they end."""
        waiting, running = list(mutants), dict[int, tuple[str, int]]()
        while waiting or running:
            while waiting and len(running) < JOBS:
                mutant = waiting.pop(0)
                pid, told = self._fork(mutant, enough)
                running[pid] = (mutant.id, told)
            pid, status = os.wait()
            name, told = running.pop(pid)
            with open(told, "rb") as pipe:
                said = pipe.read()
            if status or not said:
                yield Result(name, fault=f"its process ended with {os.waitstatus_to_exitcode(status)}")
            else:
                yield msgspec.json.decode(said, type=Result)

    def _fork(self, mutant: Mutant, enough: int) -> tuple[int, int]:
        """Starts the process of a mutant: its id, and where it will tell its result."""
        reading, writing = os.pipe()
        pid = os.fork()
        if pid:
            os.close(writing)
            return pid, reading
        code = 3
        try:
            signal.alarm(PATIENCE)
            mutant.breaks()
            self.failed, self.stumbled = [], []
            self.run(mutant.items, enough)
            fault = "" if self.failed else f"the change itself fails in {self.stumbled[0]}" if self.stumbled else ""
            with open(writing, "wb") as pipe:
                pipe.write(msgspec.json.encode(Result(mutant.id, tuple(self.failed[:100]), fault)))
            code = 0
        except BaseException as error:
            with open(writing, "wb") as pipe:
                pipe.write(msgspec.json.encode(Result(mutant.id, fault=f"{type(error).__name__}: {error}")))
            code = 0
        finally:
            os._exit(code)


def with_tests(work: Callable[[Bench], int], places: Iterable[str] = PLACES) -> int:
    """Collects the tests and hands them to `work`, whose number is returned; 3 if they can't be collected. What pytest says is
    thrown away unless it fails; `work` prints to the true output."""
    bench = Bench(_aside(work))
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        options = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no"]
        code = int(pytest.main([*options, *map(str, map(Path, places))], plugins=[bench]))
    if code not in (0, 5):
        print(said.getvalue())
        return 3
    return bench.code


def _aside(work: Callable[[Bench], int]) -> Callable[[Bench], int]:
    """Work that prints past what hides pytest's words."""
    import sys

    out = sys.stdout

    def done(bench: Bench) -> int:
        with contextlib.redirect_stdout(out):
            return work(bench)

    return done
