"""Random whole games in which the laws of the engine are checked after every decision.

After every decision: zones, counts and references, what a state says of itself, and every viewer's view by ids. After a
sample of them: every listed answer and some illegal ones tried on forks, views made anew and read word by word, the hash of the
state. At the end of each game it is replayed from its inputs, and the hashes compared. A game is known by its seed (and, where
its decks are drawn from card lists, by the lists).
"""

from __future__ import annotations

import multiprocessing
import random
import time
import traceback
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from server import rules
from server.bench.decks import house_decks, piles
from server.bench.drawn import board as begin_on_board
from server.bench.drawn import drawn_decks
from server.bench.engine import deal
from server.bench.invariants import Watch, answers_hold, deck_counts, followed, remembered, sound, structure
from server.bench.listed import Listed, began, drawn
from server.bench.presets import PRESETS, led, led_decks
from server.cards.forms import Card
from server.rules import State
from server.rules.characteristics import board
from server.rules.model import Options
from server.rules.model import questions as q
from server.rules.turn import legal

#: One of so many decisions has all its answers tried; one of so many has its views read closely; and its hash kept.
TRIED, READ, HASHED = 60, 40, 100
MOST_DECISIONS, MOST_OF_DRAWN = 60_000, 20_000
MOST_FAULTS = 5
LONG_STACK = 12
"""Objects on the stack from which on everyone passes."""
LONG_TURN = 800
"""Questions of one turn after which everyone passes for the rest of it: nobody may go on with a loop of actions for ever (715).
The fewer decisions a game has left the sooner, by the square of what is left: whoever can do something for nothing does it each turn.
"""

OVERGROWN = 500
"""Permanents and objects on the stack together from which on whoever is asked gives up, as a person would: a board of mandatory
triggers that doubles itself each turn has an end by the rules, but nobody lives to see it.
"""

EDITIONS_OF_TABLES = ("2011", "current", "2009")
"""By which editions the tables are played, three games each in turn."""

#: What was put into a game: a seat and its answer, None for a concession.
Input = tuple[int, q.AnyAnswer | None]
Decks = tuple[tuple[Card, ...], ...]
#: Decks, seed and options to the game's first question.
Begin = Callable[[Decks, int, Options], State]


class Run(msgspec.Struct, frozen=True):
    """How a game is run: begun, given up as a failure after `most` decisions, left as it stands after `enough` (0: never), its laws
    checked after `every` so many decisions and at its end. `oracle`: only the laws of the state itself, layers among them; no
    views, no forks, no replay.
    """

    begin: Begin = deal
    most: int = MOST_DECISIONS
    enough: int = 0
    every: int = 1
    oracle: bool = False


class GameReport(msgspec.Struct, frozen=True):
    """One game: how long it was, how much of it was checked, and the laws that broke, with where. `checked`: states of which the
    laws were checked, `ruled` of them those in which effects change some object.
    """

    seed: int
    decisions: int
    turns: int
    views: int
    tried: int
    hashes: int
    failures: tuple[str, ...] = ()
    overgrown: bool = False
    checked: int = 0
    ruled: int = 0


class Report(msgspec.Struct, frozen=True):
    """Many games. Seconds are of wall time."""

    games: int
    decisions: int
    turns: int
    views: int
    tried: int
    hashes: int
    seconds: float
    every: int
    failures: tuple[str, ...]
    overgrown: int = 0
    checked: int = 0
    ruled: int = 0

    def lines(self) -> list[str]:
        """For people."""
        closer = [
            f"  {self.views} views looked at; one decision in {READ} has them, and all that is cached, made anew, and read word by word",
            f"  {self.tried} decisions (one in {TRIED}) with every listed answer and illegal ones tried on forks",
            f"  every game replayed from its inputs, {self.hashes} hashes on the way equal to play",
        ]
        return [
            f"{self.games} random games, {self.turns} turns, {self.decisions} decisions in {self.seconds:.0f} s",
            f"  after every {nth(self.every)}decision: every card in exactly one zone and none lost or made, references whole, state-based",
            "    actions done before priority, layers followed equal to layers applied anew"
            + (", no hidden card's id in any viewer's view" if self.views else ""),
            f"    ({self.checked} states, of which {self.ruled} have objects that effects change)",
            *(closer if self.views else ()),
            *([f"  {self.overgrown} given up before a board of over {OVERGROWN} objects"] if self.overgrown else ()),
            *(f"BROKEN {failure}" for failure in self.failures),
            f"{len(self.failures)} broken" if self.failures else "none broken",
        ]


def nth(number: int) -> str:
    """ "20th " for 20, nothing for 1."""
    return "" if number == 1 else f"{number}th "


def run_games(
    games: int,
    *,
    first: int = 0,
    seats: int = 4,
    jobs: int = 2,
    pool: tuple[Card, ...] = (),
    every: int = 1,
    preset: str = "",
    decks: tuple[Listed, ...] = (),
    oracle: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Report:
    """So many games, in processes of their own; decks drawn from the pool if there is one, and then every other game begins on a
    generated board. A `preset` says how many sit at the table, how it is divided and how it begins; `decks` are people's
    (`listed_game`). The laws are checked after every so many decisions, with
    `oracle` those of the state alone. Never raises for what a game does: that is a failure in the report.
    """
    begun = time.perf_counter()
    said = begun
    done: list[GameReport] = []
    work = [(first + game, PRESETS[preset].seats if preset else seats) for game in range(games)]
    jobs = min(jobs, games)
    context = multiprocessing.get_context("spawn")  # each with a hash seed of its own
    with context.Pool(jobs, _take_pool, (pool, preset, decks, Run(every=every, oracle=oracle))) as workers:
        for report in workers.imap_unordered(_work, work, chunksize=1):
            done.append(report)
            if progress is None:
                continue
            for failure in report.failures:
                progress(f"seed {report.seed}: {failure}")
            if time.perf_counter() - said > 15:
                said = time.perf_counter()
                progress(f"{len(done)} of {games} games, {said - begun:.0f} s")
    done.sort(key=lambda report: report.seed)
    return Report(
        games=len(done),
        decisions=sum(report.decisions for report in done),
        turns=sum(report.turns for report in done),
        views=sum(report.views for report in done),
        tried=sum(report.tried for report in done),
        hashes=sum(report.hashes for report in done),
        seconds=round(time.perf_counter() - begun, 1),
        every=every,
        failures=tuple(f"seed {report.seed}: {failure}" for report in done for failure in report.failures),
        overgrown=sum(report.overgrown for report in done),
        checked=sum(report.checked for report in done),
        ruled=sum(report.ruled for report in done),
    )


#: The cards from which this process draws decks; none: the house's.
_pool: tuple[Card, ...] = ()
_preset = ""
_listed: tuple[Listed, ...] = ()
_run = Run()


def _take_pool(pool: tuple[Card, ...], preset: str, decks: tuple[Listed, ...], run: Run) -> None:
    global _pool, _preset, _listed, _run
    _pool, _preset, _listed, _run = pool, preset, decks, run


def _work(job: tuple[int, int]) -> GameReport:
    seed, seats = job
    if _listed:
        return listed_game(_listed, seats, seed, _run)
    if _preset:
        return preset_game(_preset, seed, _pool, _run)
    if not _pool:
        return fuzz_game(seed, seats, run=_run)
    run = replace(_run, begin=begin_on_board if seed % 2 else deal, most=MOST_OF_DRAWN)
    return fuzz_game(seed, seats, drawn_decks(_pool, seats, seed), run=run)


def preset_game(name: str, seed: int, pool: tuple[Card, ...], run: Run) -> GameReport:
    """One game at such a table; three games by each edition in turn."""
    preset = PRESETS[name]
    options = preset.options(Options(edition=EDITIONS_OF_TABLES[seed // 3 % 3]), preset.seats)
    if pool:
        decks = drawn_decks(pool, preset.seats, seed)
    else:
        decks = led_decks(preset.seats, seed) if preset.begin is led else decks_of(seed, preset.seats)
    most = MOST_OF_DRAWN if pool else MOST_DECISIONS
    return fuzz_game(seed, preset.seats, decks, options, replace(run, begin=preset.begin, most=most))


def listed_game(decks: tuple[Listed, ...], seats: int, seed: int, run: Run) -> GameReport:
    """One game by such decks, each another one: each fourth one of Commander, by the current edition; of the others two in three are
    duels, by the editions and options of other random games. Where only decks of one kind are enough, all are of that kind.
    """
    led_by = tuple(deck for deck in decks if deck.commander)
    others = tuple(deck for deck in decks if not deck.commander)
    commander = len(led_by) >= seats and (seed % 4 == 0 or len(others) < seats)
    seats = 2 if seed % 2 and not commander else seats
    mine = drawn(led_by if commander else others, seats, seed)
    options = PRESETS["commander"].options(Options(edition="current"), seats) if commander else options_of(seed)

    def begin(_: Decks, seed: int, options: Options) -> State:
        return began(mine, seed, options)

    cards = tuple((*deck.commander, *deck.cards) for deck in mine)
    return fuzz_game(seed, seats, cards, options, replace(run, begin=begin, most=MOST_OF_DRAWN))


def decks_of(seed: int, seats: int) -> tuple[tuple[Card, ...], ...]:
    """Three games in four are of house decks, the fourth of cards thrown together."""
    return piles(seats, seed) if seed % 4 == 3 else house_decks(seats, seed)


def options_of(seed: int) -> Options:
    """Both editions in turn; one game in five with other options of multiplayer (801 to 803)."""
    edition = "current" if seed % 2 else "2011"
    other = seed % 25
    if other == 4:
        return Options(edition=edition, range_of_influence=1)
    if other in (9, 14):
        return Options(edition=edition, attack="left" if other == 9 else "right")
    if other == 19:
        return Options(edition=edition, attack="single", life=30)
    if other == 24:
        return Options(edition=edition, range_of_influence=1, attack="left", life=40)
    return Options(edition=edition)


def fuzz_game(
    seed: int,
    seats: int = 4,
    decks: Decks | None = None,
    options: Options | None = None,
    run: Run | None = None,
) -> GameReport:
    """One game, by the seed alone: its decks, options, chance, answers and concessions. An exception is a failure."""
    try:
        game = _Fuzzed(seed, decks or decks_of(seed, seats), options or options_of(seed), run or Run())
    except Exception:
        return GameReport(seed, 0, 0, 0, 0, 0, (f"does not begin: {_fault()}",))
    try:
        game.play()
        if not game.run.oracle:
            game.replay()
    except Exception:
        game.broken.append(f"decision {len(game.inputs)}: {_fault()}")
    return GameReport(
        seed=seed,
        decisions=len(game.inputs),
        turns=game.state.turn.number,
        views=game.views,
        tried=game.tried,
        hashes=len(game.hashes),
        failures=tuple(game.broken[:MOST_FAULTS]),
        overgrown=game.overgrown,
        checked=game.checked,
        ruled=game.ruled,
    )


def _fault() -> str:
    """The exception at hand and the innermost places of its traceback."""
    lines = traceback.format_exc().strip().splitlines()
    places = [line.split("/")[-1].replace('", line ', ":").split(",")[0] for line in lines if line.startswith("  File")]
    return f"{lines[-1]} at {' < '.join(places[::-1][:4])}"


class _Fuzzed:
    """A game that is being played and checked."""

    def __init__(self, seed: int, decks: Decks, options: Options, run: Run) -> None:
        self.seed, self.decks, self.options, self.run = seed, decks, options, run
        self.chance = random.Random(f"fuzz {seed}")
        self.samples = random.Random(f"samples {seed}")
        """Which laws are looked at when: of its own, so that a game is the same however often they are."""
        self.counts = deck_counts(decks)
        self.state = run.begin(decks, seed, options)
        self.inputs: list[Input] = []
        self.hashes: list[tuple[int, str]] = []
        self.broken: list[str] = []
        self.watch = Watch()
        self.views = self.tried = self.checked = self.ruled = 0
        self.turn = self.begun = 0
        self.overgrown = False
        self.concedes = 0.0005 if seed % 3 == 0 else 0.0

    def play(self) -> None:
        """To the end, or to the first law that breaks."""
        self.check(None)
        while self.state.pending is not None and not self.broken:
            if self.run.enough and len(self.inputs) >= self.run.enough:
                break
            if len(self.inputs) >= self.run.most:
                self.broken.append(f"not over after {self.run.most} decisions")
                return
            before = self.state
            given = self.next_input()
            self.inputs.append(given)
            self.state = put(before, given)
            if len(self.inputs) % self.run.every == 0 or self.state.pending is None:
                self.check(before if self.run.every == 1 else None)
        if not self.run.oracle:
            self.hashes.append((len(self.inputs), rules.fingerprint(self.state)))

    def next_input(self) -> Input:
        """What is put in next: mostly a random legal answer; now and then mana by hand, an idle mana ability, a concession."""
        chance, state, question = self.chance, self.state, self.state.pending
        assert question is not None
        if self.concedes and chance.random() < self.concedes:
            return chance.choice([p.seat for p in state.players if not p.lost]), None
        if len(state.battlefield) + len(state.stack) > OVERGROWN:
            self.overgrown = True
            return question.seat, None
        if isinstance(question, q.PaymentQuestion) and question.actions and chance.random() < 0.7:
            least = 0 if question.can_auto else 1
            return question.seat, q.Pay(least + chance.randrange(len(question.actions) + 1 - least))
        if isinstance(question, q.PriorityQuestion):
            # Whoever can do something for nothing would else do it for ever.
            if self.turn != state.turn.number:
                self.turn, self.begun = state.turn.number, len(self.inputs)
            left = 1 - len(self.inputs) / self.run.most
            late = len(self.inputs) - self.begun > LONG_TURN * left * left
            if late or len(state.stack) > LONG_STACK or chance.random() < 0.3:
                return question.seat, q.Take(0)
            if chance.random() < 0.01:
                return question.seat, q.Take(chance.randrange(len(question.actions)))
        answer = legal.sample(question, state, chance)
        if isinstance(answer, q.Take) and answer.index and chance.random() < 0.1:
            answer = q.Take(answer.index, manual=True)
        return question.seat, answer

    def check(self, before: State | None) -> None:
        """All laws, those that what was done can have broken."""
        state = self.state
        broken: list[str] = []
        if before is None or state.objects is not before.objects or state.players is not before.players:
            broken += structure(state, self.counts)
        broken += sound(state)
        broken += followed(state)
        self.checked += 1
        self.ruled += bool(board(state).changed)
        if not self.run.oracle:
            broken += self._looked_at(state)
        self.broken += [f"decision {len(self.inputs)}: {fault}" for fault in broken]

    def _looked_at(self, state: State) -> list[str]:
        """What viewers see, and of a sample what is made anew and tried on forks."""
        closely = self.samples.randrange(READ) == 0
        broken = self.watch.look(state, closely=closely)
        if closely:
            broken += remembered(state)
        self.views += len(state.players) + 1
        if self.samples.randrange(TRIED) == 0:
            self.tried += 1
            broken += answers_hold(state, self.counts, random.Random(self.samples.random()))
        if self.samples.randrange(HASHED) == 0:
            self.hashes.append((len(self.inputs), rules.fingerprint(state)))
        return broken

    def replay(self) -> None:
        """Play the inputs again and compare the hashes."""
        state = self.run.begin(self.decks, self.seed, self.options)
        hashes = dict(self.hashes)
        for number, given in enumerate(self.inputs):
            self._compare(state, number, hashes)
            state = put(state, given)
        self._compare(state, len(self.inputs), hashes)

    def _compare(self, state: State, number: int, hashes: dict[int, str]) -> None:
        wanted = hashes.get(number)
        if wanted is not None and rules.fingerprint(state) != wanted:
            self.broken.append(f"decision {number}: the replay is another game")


def put(state: State, given: Input) -> State:
    """The state after an input."""
    seat, answer = given
    return (rules.concede(state, seat) if answer is None else rules.submit(state, seat, answer))[0]
