"""Runs the mutants: `python -m tests.mutants [--third [N]] [RULE ...]`, from the root of a checkout.

There are two sorts: the seed rules taken away one by one (`gone`, caught by a test of `tests/rules/seed` that is marked with the
rule), and their boundaries shifted (`tables`, caught by the tests and scenarios that the row names). Each is made in a process
of its own, in which those tests run. Before that the same tests must pass with nothing broken. Ends with "183 of 183 mutants
caught", and 1 if one was not.

`--third` runs all of the first sort and of the second the third that the commit's hash tells, or that which is named (1 to 3).
`--seek` looks for what catches shifted boundaries: it runs the tests nearest to the rule first and prints the names of what fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from tests.mutants.gone import MUTANTS
from tests.mutants.running import Bench, Mutant, with_tests
from tests.mutants.shifts import Shift, read_shifts, shift

#: Where the tests are that must catch a rule's absence.
FOLDER = "tests/rules/seed/"
SOUND = "nothing broken"
#: How many tests `--seek` is content with.
SOUGHT = 4
#: For how many seconds it looks for them.
SEARCH = 100


def third_of_commit() -> int:
    """1, 2 or 3 by the hash of the commit; 1 outside a repository."""
    said = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    return 1 + (int(said, 16) % 3 if said else 0)


def gone(bench: Bench, rules: list[str]) -> list[Mutant]:
    """The mutants without one of these rules."""
    tests = {rule: [i for i in bench.items if i.startswith(FOLDER) and rule in bench.rules(i)] for rule in rules}
    return [Mutant(rule, MUTANTS[rule], tuple(tests[rule])) for rule in rules]


def shifted(bench: Bench, rows: list[Shift]) -> list[Mutant]:
    """The mutants of these rows. Without items if a test or scenario that a row names is not there."""
    mutants: list[Mutant] = []
    for row in rows:
        items = [bench.named(name) for name in row.caught]
        found = tuple(i for some in items for i in some) if all(items) else ()
        mutants.append(Mutant(row.id, lambda row=row: shift(row), found))
    return mutants


def judge(bench: Bench, mutants: list[Mutant]) -> int:
    """Runs the mutants and tells which were not caught. 1 if there is one."""
    started = time.monotonic()
    everything = tuple(dict.fromkeys(i for mutant in mutants for i in mutant.items))
    halves = [Mutant(f"{SOUND} {n}", lambda: None, everything[n::2]) for n in range(2)]
    wrong = [result for result in bench.results(halves) if result.failed or result.fault]
    for result in wrong:
        print(f"with {SOUND}: {result.fault or ' '.join(result.failed)}")
    if wrong:
        return 1
    missed = 0
    for result in bench.results([mutant for mutant in mutants if mutant.items]):
        if not result.failed:
            missed += 1
            print(f"{result.id}: not caught ({result.fault or 'its tests pass'})")
    for mutant in mutants:
        if not mutant.items:
            missed += 1
            print(f"{mutant.id}: not caught (no test)")
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{len(mutants) - missed} of {len(mutants)} mutants caught")
    return 1 if missed else 0


def seek(bench: Bench, rows: list[Shift]) -> int:
    """Prints for each row the tests that fail with it, those of its rule and section first."""
    bench.seconds = SEARCH
    mutants: list[Mutant] = []
    for row in rows:
        section = row.rule.partition(".")[0]

        def far(nodeid: str, row: Shift = row, section: str = section) -> tuple[bool, ...]:
            rules = bench.rules(nodeid)
            near = any(r.partition(".")[0] == section for r in rules)
            return (row.rule not in rules, not near, FOLDER not in nodeid)

        mutants.append(Mutant(row.id, lambda row=row: shift(row), tuple(sorted(bench.items, key=far))))
    for result in bench.results(mutants, SOUGHT):
        print(f"{result.id}: {result.fault}", *(i.partition("::")[2] for i in result.failed), sep="\n    ", flush=True)
    return 0


def main() -> int:
    """Reads the arguments and runs. 2 if no mutant breaks a rule that is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("rule", nargs="*", help="the seed rules whose mutants are run (all), or single rows")
    parser.add_argument("--third", type=int, nargs="?", const=0, choices=(0, 1, 2, 3), help="of the boundaries a third")
    parser.add_argument("--seek", action="store_true", help="print what catches the boundaries of these rules")
    args = parser.parse_args()
    rows = read_shifts()
    unknown = [name for name in args.rule if name not in MUTANTS and name not in (row.id for row in rows)]
    if unknown:
        print(f"no mutant breaks {unknown[0]}", file=sys.stderr)
        return 2
    rules = [rule for rule in MUTANTS if not args.rule or rule in args.rule]
    rows = [row for row in rows if not args.rule or row.rule in args.rule or row.id in args.rule]
    if args.seek:
        return with_tests(lambda bench: seek(bench, rows))
    if args.third is not None:
        third = args.third or third_of_commit()
        print(f"third {third} of 3 of the boundaries")
        rows = rows[third - 1 :: 3]
    return with_tests(lambda bench: judge(bench, [*gone(bench, rules), *shifted(bench, rows)]))


if __name__ == "__main__":
    sys.exit(main())
