"""Speed and memory of the engine alone, in CPU time: whole random games, one big combat, a fork, a game's memory.

Random legal play asks every priority; a decision is one question whose complete list of legal answers was made, those
with only a pass included. All seeds are fixed, so every run plays the same games. `reference` is a fixed piece of
plain Python timed in the same run: figures of different machines, or of one noisy machine, are compared by it, each as it would
be where that piece takes `REFERENCE_MS`.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from server import rules
from server.bench.decks import bench_deck_parts, bench_decks, house_decks
from server.bench.placed import Side, placed
from server.cards.forms import Card
from server.rules import State
from server.rules.model import Options
from server.rules.model import questions as q
from server.rules.turn import legal

Decks = Callable[[int, int], tuple[tuple[Card, ...], ...]]
MOST = 100_000
REFERENCE_MS = 86.0
"""What `reference` takes at reference speed."""


class Pace(msgspec.Struct, frozen=True):
    """Decisions and whole games a second of CPU time."""

    decisions_per_s: float
    games_per_s: float


class Figures(msgspec.Struct, frozen=True):
    """What `apnap bench engine --json` prints. Milliseconds, microseconds and MiB as the names say."""

    duel: Pace
    four_seats: Pace
    combat_ms: float
    fork_us: float
    game_mib: float


class Measured(msgspec.Struct, frozen=True):
    """The figures, and what is printed beside them. `reference_ms` is that of the fixed piece of plain Python,
    `games` how many duels and four-seat games were played, `notes` sentences for people."""

    figures: Figures
    reference_ms: float
    games: tuple[int, int]
    decisions: tuple[int, int]
    notes: tuple[str, ...]


def measure(*, house: bool = False, quick: bool = False, seed: int = 0) -> Measured:
    """All figures. `house`: with the house's decks instead of the plain ones. `quick`: a twentieth of the work."""
    decks = house_decks if house else _plain
    references = [reference()]
    play(decks(2, seed), 2, -1)  # definitions and caches of the process are made once, before the clock runs
    play(decks(4, seed), 4, -1)
    duels, fours = (4, 1) if quick else (80, 20)
    duel, duel_decisions = pace(decks, 2, duels, seed)
    references.append(reference())
    four, four_decisions = pace(decks, 4, fours, seed)
    references.append(reference())
    fork, after, straight = fork_cost(decks, 4 if quick else 40, seed)
    figures = Figures(
        duel=duel,
        four_seats=four,
        combat_ms=round(combat_ms(5 if quick else 100), 3),
        fork_us=round(fork, 3),
        game_mib=round(game_mib(decks, 2 if quick else 8, seed), 3),
    )
    references.append(reference())
    notes = (
        f"a decision from a state kept aside takes {after:.0f} us, the same decision the first time {straight:.0f} us",
    )
    return Measured(figures, round(min(references), 2), (duels, fours), (duel_decisions, four_decisions), notes)


def _plain(seats: int, seed: int) -> tuple[tuple[Card, ...], ...]:
    return bench_decks(seats)


def reference() -> float:
    """Milliseconds of CPU time for a fixed piece of plain Python: tuples, dicts and integers, as an engine uses them."""
    begun = time.process_time()
    table: dict[tuple[int, int], int] = {}
    total = 0
    for i in range(200_000):
        key = (i & 1023, i % 7)
        total = (total * 31 + table.get(key, i)) & 0xFFFFFFFF
        table[key] = total
    return (time.process_time() - begun) * 1000


def at_reference(milliseconds: float, reference_ms: float) -> float:
    """What took so long where the reference takes `reference_ms`, at reference speed."""
    return milliseconds * REFERENCE_MS / reference_ms


def reference_line(milliseconds: float) -> str:
    """What is said of the reference."""
    return f"reference: {milliseconds:.1f} ms for a fixed loop of plain Python in the same run ({REFERENCE_MS:.0f} at reference speed)"


def deal(decks: tuple[tuple[Card, ...], ...], seed: int, options: Options | None = None) -> State:
    """A new game at its first question; the seed goes into the options."""
    seats = tuple(rules.Seat(f"P{seat}", deck) for seat, deck in enumerate(decks))
    return rules.start(replace(options or Options(), seed=str(seed)), seats)[0]


def play(decks: tuple[tuple[Card, ...], ...], seats: int, seed: int, most: int = MOST) -> tuple[State, int]:
    """A random game, to its end or for `most` decisions; the state and how many decisions there were."""
    chance = random.Random(seed)
    state = deal(decks, seed)
    count = 0
    while count < most:
        question = state.pending
        if question is None:
            break
        state, _ = rules.submit(state, question.seat, legal.sample(question, state, chance))
        count += 1
    return state, count


def pace(decks: Decks, seats: int, games: int, seed: int) -> tuple[Pace, int]:
    """Whole games, one after the other; also how many decisions were made."""
    dealt = [decks(seats, seed + game) for game in range(games)]
    gc.collect()
    decisions = 0
    begun = time.process_time()
    for game in range(games):
        decisions += play(dealt[game], seats, seed + game)[1]
    spent = time.process_time() - begun
    return Pace(round(decisions / spent, 1), round(games / spent, 3)), decisions


# --- a fork --------------------------------------------------------------------------------------------------------------


def fork_cost(decks: Decks, games: int, seed: int) -> tuple[float, float, float]:
    """Microseconds that a copy of a state costs a look-ahead, and what one decision takes from the copy and straight on.

    A state is a value, so that the copy is the reference to it. What could still cost is that both go on: caches made for
    the one and missed by the other. So states of games in progress are played on by an answer, then, from the state kept
    aside, by the same answer once more; what the second takes longer than the first (in the median), if anything, is added
    to the copy.
    """
    clock = time.process_time
    first: list[float] = []
    second: list[float] = []
    for game in range(games):
        chance = random.Random(seed + game)
        state = deal(decks(4, seed + game), seed + game)
        for count in range(300):
            question = state.pending
            if question is None:
                break
            answer = legal.sample(question, state, chance)
            kept = state
            begun = clock()
            state, _ = rules.submit(kept, question.seat, answer)
            middle = clock()
            if count % 10 == 9:
                first.append(middle - begun)
                begun = clock()
                rules.submit(kept, question.seat, answer)
                second.append(clock() - begun)
    straight, after = statistics.median(first) * 1e6, statistics.median(second) * 1e6
    more = statistics.median(b - a for a, b in zip(first, second, strict=True)) * 1e6
    begun = time.process_time()
    copies: list[State | None] = [None] * 100_000
    state = deal(decks(4, seed), seed)
    for i in range(len(copies)):
        copies[i] = state
    copy = (time.process_time() - begun) / len(copies) * 1e6
    return copy + max(0.0, more), after, straight


# --- memory --------------------------------------------------------------------------------------------------------------


def game_mib(decks: Decks, games: int, seed: int) -> float:
    """MiB that a four-seat game in progress takes, with its caches and all answers so far: as allocated, by tracemalloc."""
    dealt = [decks(4, seed + game) for game in range(games)]
    gc.collect()
    tracemalloc.start()
    kept: list[tuple[State, list[q.AnyAnswer]]] = []
    for game in range(games):
        chance = random.Random(seed + game)
        state = deal(dealt[game], seed + game)
        answers: list[q.AnyAnswer] = []
        for _ in range(900):
            question = state.pending
            if question is None:
                break
            answers.append(legal.sample(question, state, chance))
            state, _ = rules.submit(state, question.seat, answers[-1])
        kept.append((state, answers))
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return held / len(kept) / 2**20


# --- a combat ------------------------------------------------------------------------------------------------------------


def combat_ms(repeats: int) -> float:
    """Milliseconds from the question for attackers to the end of combat damage: 12 attackers on 3 players, 12 blockers.

    Every player has six lands and seven cards in hand, so that each priority has its actions to list. Each defending
    player blocks one attacker with two creatures and two with one each; one attacker is not blocked.
    """
    state = before = combat_state()
    while not isinstance(state.pending, q.AttackersQuestion):
        before = state
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, q.Take(0))
    run_combat(before)
    gc.collect()
    begun = time.process_time()
    for _ in range(repeats):
        run_combat(before)
    return (time.process_time() - begun) / repeats * 1000


def combat_state() -> State:
    """Seat 0's turn before combat, with twelve creatures against three times four."""
    creatures, lands, burn = bench_deck_parts()
    sides: list[Side] = []
    for seat in range(4):
        fighters = (creatures[(i + seat) % len(creatures)] for i in range(12 if seat == 0 else 4))
        battlefield = (*fighters, *(lands[i % 2] for i in range(6)))
        hand = (burn, burn, *creatures[:3], *lands)
        sides.append(Side(battlefield, hand, tuple(creatures[i % 7] for i in range(30))))
    return placed(sides, 40)


def run_combat(state: State) -> int:
    """Plays the combat from the pass that leads to it until its damage is dealt; how many questions that were."""
    count = 0
    while state.turn.step != "end_combat":
        question = state.pending
        assert question is not None
        if isinstance(question, q.AttackersQuestion):
            pairs = tuple((i, i // 4) for i in range(len(question.attackers)))
            answer = q.Attackers(pairs)
        elif isinstance(question, q.BlockersQuestion):
            answer = _blocks(question)
        else:
            answer = legal.default(question, state)
        state, _ = rules.submit(state, question.seat, answer)
        count += 1
    return count


def _blocks(question: q.BlockersQuestion) -> q.Blockers:
    """Two blockers on the first attacker, one on each of the next two."""
    attackers = question.blockers[0].attackers
    return q.Blockers(tuple((i, attackers[max(0, i - 1)]) for i in range(len(question.blockers))))
