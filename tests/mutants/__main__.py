"""Runs the mutants: `python -m tests.mutants [RULE ...]`, from the root of a checkout.

Each rule is broken in a process of its own, in which the tests marked with that rule run; a mutant is caught if one of them
fails. Before that the same tests must pass unbroken. Ends with "61 of 61 mutants caught", and 1 if one was not.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

import pytest

from server.command.rules import shown_by
from tests.mutants.mutants import MUTANTS

JOBS = 2
FOLDER = "tests/rules/seed/"


def tests_of(rules: list[str]) -> dict[str, list[str]]:
    """The tests of the seed rules that show each rule."""
    shown = shown_by(Path("tests"))
    return {rule: [t for t in shown.get(rule, []) if t.startswith(FOLDER)] for rule in rules}


def run(nodes: list[str], mutant: str = "") -> int:
    """Runs tests in this process, a rule broken or not. What pytest says is thrown away; its exit code is returned."""
    if mutant:
        MUTANTS[mutant]()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return int(
            pytest.main(["-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", *nodes])
        )


def fork(nodes: list[str], mutant: str) -> int:
    """Starts a process that runs the tests; its id."""
    pid = os.fork()
    if pid == 0:
        code = 3
        try:
            code = run(nodes, mutant)
        finally:
            os._exit(code)
    return pid


def codes(rules: list[str], tests: dict[str, list[str]]) -> dict[str, int]:
    """For each rule the exit code of its tests with the rule broken, several processes at a time."""
    found: dict[str, int] = {}
    waiting, running = list(rules), dict[int, str]()
    while waiting or running:
        while waiting and len(running) < JOBS:
            rule = waiting.pop(0)
            running[fork(tests[rule], rule)] = rule
        pid, status = os.wait()
        found[running.pop(pid)] = os.waitstatus_to_exitcode(status)
    return found


def main(rules: list[str]) -> int:
    """Runs the mutants of these rules (all without any)."""
    unknown = [rule for rule in rules if rule not in MUTANTS]
    if unknown:
        print(f"no mutant breaks {unknown[0]}", file=sys.stderr)
        return 2
    rules = rules or list(MUTANTS)
    tests = tests_of(rules)
    nodes = sorted({node for found in tests.values() for node in found})
    sound = os.waitstatus_to_exitcode(os.waitpid(fork(nodes, ""), 0)[1]) if nodes else 1
    if sound != 0:
        print("the tests fail with nothing broken", file=sys.stderr)
        return 1
    found = codes([rule for rule in rules if tests[rule]], tests)
    caught = [rule for rule in rules if found.get(rule) == 1]  # pytest's code for "tests failed"
    for rule in rules:
        if rule not in caught:
            why = "no test" if not tests[rule] else f"pytest ended with {found[rule]}"
            print(f"{rule}: not caught by {len(tests[rule])} tests ({why})")
    print(f"{len(caught)} of {len(rules)} mutants caught")
    return 0 if len(caught) == len(rules) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
