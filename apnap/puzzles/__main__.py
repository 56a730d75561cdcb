"""What `apnap puzzles` starts, with its options as JSON."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from apnap.arena.bots import UnknownBot, maker
from apnap.puzzles.collection import raw
from apnap.puzzles.scoring import Solved, score
from apnap.puzzles.variants import variant
from server.scenario import read


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of `apnap puzzles`."""

    bots: list[str]
    only: list[str]
    variants: int
    seed: int
    json: bool


def main(words: str) -> int:
    """Play and print. Exit code 2 for bots and puzzles that there are not."""
    wanted = msgspec.json.decode(words, type=Wanted)
    puzzles = [one for one in raw() if not wanted.only or one["id"] in wanted.only]
    if missing := set(wanted.only) - {one["id"] for one in puzzles}:
        return _wrong(f"there is no puzzle {', '.join(sorted(missing))}")
    if wanted.variants:
        puzzles = [variant(one, seed) for one in puzzles for seed in range(1, wanted.variants + 1)]
    sys.path.insert(0, "")  # modules of who calls
    try:
        for name in wanted.bots:
            maker(name)
    except UnknownBot as fault:
        return _wrong(str(fault))
    if not wanted.bots:
        print("\n".join(map(described, puzzles)))
        return 0
    scored = [score(name, [read(one) for one in puzzles], wanted.seed) for name in wanted.bots]
    print(msgspec.json.format(msgspec.json.encode(scored), indent=2).decode() if wanted.json else table(scored))
    return 0


def _wrong(sentence: str) -> int:
    print(f"apnap puzzles: {sentence}", file=sys.stderr)
    return 2


def table(scored: list[Solved]) -> str:
    """As lines of text: a bot each, then who solved which puzzle."""
    lines = [f"{'bot':<24} {'solved':>10} {'ms an answer':>13} {'failures':>9}"]
    for one in scored:
        of = f"{len(one.solved)} of {len(one.solved) + len(one.missed)}"
        lines.append(f"{one.bot:<24} {of:>10} {one.ms_an_answer:>13.1f} {one.failures:>9}")
    lines.extend(f"{one.bot} failed first by {one.fault}" for one in scored if one.fault)
    lines.append("")
    for name in sorted({*scored[0].solved, *scored[0].missed}):
        lines.append(f"{name:<40} " + " ".join("+" if name in one.solved else "-" for one in scored))
    return "\n".join(lines)


def described(puzzle: dict[str, Any]) -> str:
    """A puzzle in a few lines of text: its goal, and by players life, permanents and hand."""
    lines = [f"{puzzle['id']}: {puzzle['goal']} {goal(puzzle)}"]
    for seat in puzzle["seats"]:
        life, zones = 20, {"battlefield": list[str](), "hand": list[str]()}
        for one in puzzle["setup"]:
            if one["player"] == seat and one["zone"] == "life":
                life = one["life"]
            elif one["player"] == seat and one["zone"] in zones:
                count = f"{one['count']} " if one.get("count", 1) > 1 else ""
                zones[one["zone"]].append(f"{count}{one['card']}{' (tapped)' if one.get('tapped') else ''}")
        hand = f"; hand: {', '.join(zones['hand'])}" if zones["hand"] else ""
        lines.append(f"  {seat} ({life} life): {', '.join(zones['battlefield']) or 'nothing'}{hand}")
    return "\n".join(lines)


def goal(puzzle: dict[str, Any]) -> str:
    """What is to be reached, in words."""
    if any(one.get("lost") is False for one in puzzle["expect"]):
        return f"is to live through turn {puzzle['until']['turn']}"
    return "is to win this turn"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
