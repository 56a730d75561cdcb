"""The byte law: who may know no difference between two games is sent the same bytes, but for the time.

Pairs come from `twins`, the judge of what may be known is `facts`; neither asks the server. A sample is played for every
commit, all of them with `--all`, which also counts what they have covered.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
import trio

from server.bench.decks import house_decks, piles
from server.knowledge.views import Views
from server.rules.model import State
from tests.secrecy.changes import CHANGES, Plan
from tests.secrecy.kinds import by_hand, controlling, every_kind, sudden, telling
from tests.secrecy.twins import Pair

PAIRS = 320
APART = 13
"""Numbers between two pairs of the sample: of no common divisor with the number of changes, so that all come."""
LEAST = 10
CONTROLLED = 8
"""Further pairs, in which players control each other."""
TEAMS = 32
"""Further pairs, of teams that see each other's hands: of two heads, of three, with emperors."""
TEAMS_APART = 3
"""Numbers between two of them in the sample, so that all variants come, and all changes."""
VARIANTS = (("two_headed_giant", 4), ("emperor", 6), ("two_headed_giant", 6), ("team_vs_team", 4))
TOLD = 6
"""Further pairs, in which games are played within the game."""
BY_HAND = 8
"""In each such pair much is done by hand, objected to, and proposed."""

KINDS = (
    "priority",
    "choose",
    "confirm",
    "number",
    "order",
    "divide",
    "attackers",
    "blockers",
    "damage",
    "payment",
    "act",
)
VIEWERS = (
    "asked",
    "other",
    "teammate",
    "spectator",
    "packed",
    "late",
    "back",
    "took back",
    "objected",
    "proposed",
    "foreseen",
    "replay",
    "replay spectator",
)


def plan(number: int) -> Plan:
    """The pair of that number: cards, players, options and change are drawn."""
    chance = random.Random(f"plan {number}")
    seats = chance.choice((2, 2, 3, 4))
    decks = chance.choice((house_decks, piles, every_kind, every_kind, sudden))(seats, number)
    options: dict[str, Any] = {}
    if chance.random() < 0.3:
        options["delay_ms"] = 5000
    if chance.random() < 0.3:
        options["answer_ms"] = 600_000
    if seats == 4 and chance.random() < 0.5:
        options["teams"] = [0, 0, 1, 1]
    if chance.random() < 0.3:
        options["edition"] = "current"
    restart = chance.randrange(5, 30) if chance.random() < 0.3 else 0
    before = chance.choice((0, 20, 60, 120, 200))
    change = CHANGES[number % len(CHANGES)]
    if number % BY_HAND == BY_HAND - 1:
        decks, before, options["by_hand"] = by_hand(seats, number), min(before, 60), "open"
    if number >= PAIRS + CONTROLLED + TEAMS:
        options.pop("teams", None)
        return Plan(number, telling(2, number), 0, change, owner=chance.randrange(2), inputs=240, options=options)
    if number >= PAIRS + CONTROLLED:
        return team_plan(number, chance)
    if number >= PAIRS:
        decks, before = controlling(seats, number), max(before, 60)
    return Plan(number, decks, before, change, owner=chance.randrange(seats), restart=restart, options=options)


def team_plan(number: int, chance: random.Random) -> Plan:
    """In one of three the mates know the difference, too, so that hands differ; else it is in what they may not know either."""
    variant, seats = VARIANTS[number % len(VARIANTS)]
    change = CHANGES[number // len(VARIANTS) % len(CHANGES)]
    decks = chance.choice((every_kind, every_kind, sudden, controlling))(seats, number)
    options: dict[str, Any] = {"variant": variant, "edition": chance.choice(("2009", "2011", "2011", "current"))}
    restart = chance.randrange(5, 30) if chance.random() < 0.3 else 0
    before, mates = chance.choice((0, 60, 120, 200)), change != "passed for" and chance.random() < 0.4
    return Plan(number, decks, before, change, chance.randrange(seats), restart=restart, mates=mates, options=options)


async def compared(number: int) -> Pair:
    pair = Pair(plan(number))
    async with trio.open_nursery() as nursery:
        await pair.run(nursery)
        nursery.cancel_scope.cancel()
    return pair


@pytest.mark.parametrize("number", range(0, PAIRS, APART))
async def test_who_may_know_no_difference_is_sent_the_same_bytes(number: int, autojump_clock: object) -> None:
    pair = await compared(number)
    assert pair.found == [], "\n".join(map(str, pair.found))


@pytest.mark.parametrize("number", [7, 15, 23])
async def test_the_law_holds_for_what_is_done_by_hand(number: int, autojump_clock: object) -> None:
    pair = await compared(number)
    assert pair.found == [], "\n".join(map(str, pair.found))


@pytest.mark.rule("712.4")
async def test_the_law_holds_where_one_player_controls_another(autojump_clock: object) -> None:
    """Who is in control sees what the controlled player sees, and nobody else more than before."""
    met: Counter[tuple[str, str]] = Counter()
    for number in range(PAIRS, PAIRS + CONTROLLED):
        pair = await compared(number)
        assert pair.found == [], "\n".join(map(str, pair.found))
        met += pair.met
    for viewer in ("in control", "controlled"):
        assert {kind for role, kind in met if role == viewer} >= {"priority", "choose", "attackers"}, met
    assert met["other", "priority"] >= LEAST


@pytest.mark.rule("715.1", "715.4")
async def test_the_law_holds_in_a_game_within_the_game(autojump_clock: object) -> None:
    """What was hidden in the main game stays so while it waits, and when it goes on."""
    met: Counter[str] = Counter()
    for number in range(PAIRS + CONTROLLED + TEAMS, PAIRS + CONTROLLED + TEAMS + TOLD):
        pair = await compared(number)
        assert pair.found == [], "\n".join(map(str, pair.found))
        met.update(pair.within)
    assert met["within"] >= LEAST and met["after"] >= LEAST, met


@pytest.mark.rule("808.5", "809.7", "810.5")
@pytest.mark.parametrize("apart", [TEAMS_APART, pytest.param(1, marks=pytest.mark.slow)])
async def test_the_law_holds_for_team_mates_who_see_each_others_hands(apart: int, autojump_clock: object) -> None:
    """They see hands, and no further: not libraries, nor what lies face down, nor what another chooses in secret."""
    met: Counter[tuple[str, str]] = Counter()
    shared: Counter[bool] = Counter()
    for number in range(PAIRS + CONTROLLED, PAIRS + CONTROLLED + TEAMS, apart):
        pair = await compared(number)
        assert pair.found == [], "\n".join(map(str, pair.found))
        met += pair.met
        shared[pair.plan.mates] += pair.compared > 0
    assert min(shared[True], shared[False]) >= TEAMS // apart // 4, shared
    assert {kind for role, kind in met if role == "teammate"} >= {"priority", "choose", "attackers", "payment"}, met
    assert min(met[role, "priority"] for role in ("teammate", "other", "asked")) >= LEAST, met


@pytest.mark.slow
async def test_all_pairs_over_every_kind_of_question_and_viewer(autojump_clock: object) -> None:
    kinds: Counter[str] = Counter()
    viewers: Counter[str] = Counter()
    changes: Counter[str] = Counter()
    leaks: list[str] = []
    previews = 0
    for number in range(PAIRS):
        pair = await compared(number)
        leaks.extend(map(str, pair.found))
        previews += pair.previews
        changes[pair.plan.change] += pair.compared > 0
        for (viewer, kind), times in pair.met.items():
            viewers[viewer] += times
            kinds[kind] += times
    print(
        f"{sum(changes.values())} pairs compared: {dict(changes)}, {previews} times what looks ahead\n{dict(kinds)}\n{dict(viewers)}"
    )
    assert leaks == [], "\n".join(leaks)
    assert sum(changes.values()) >= 300 and min(changes[change] for change in CHANGES) >= LEAST
    assert min(kinds[kind] for kind in KINDS) >= LEAST, kinds
    assert min(viewers[viewer] for viewer in VIEWERS) >= LEAST, viewers


async def test_the_law_would_find_a_leak(monkeypatch: pytest.MonkeyPatch, autojump_clock: object) -> None:
    """Who is told how many cards of each name lie in all libraries; and who is told nothing but an id that a hidden card has."""

    def counted(self: Views, state: State, *rest: Any, **more: Any) -> None:
        update(self, state, *rest, **more)
        top = [state.objects[player.library[-1]].definition.name for player in state.players if player.library]
        self._common = {**self._common, "tops": list[Any](sorted(top))}

    update = Views.update
    monkeypatch.setattr(Views, "update", counted)
    number = next(n for n in range(PAIRS) if plan(n).change == "libraries")
    pair = await compared(number)
    assert len(pair.found) == 1 and b"tops" in pair.found[0].first
