"""What a decision costs on big boards: four players with a hundred permanents each and with two hundred, and a long stack.

On every board 40 in 100 permanents are what the board is named after, 40 creatures without abilities, 20 lands; everyone has cards to play.
Play is random and legal, attacks and blocks included, its seeds fixed. Measured is each answer by itself, in CPU time:
the mean tells what a table feels, the longest what a server feels.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable

import msgspec

from server import rules
from server.bench.decks import bench_deck_parts
from server.bench.placed import Side, placed
from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Count, Noun
from server.rules import State
from server.rules.model import questions as q
from server.rules.turn import legal

SEATS = 4
SIZES = (100, 200)
DECISIONS = 200
"""Of one game on a board."""
STACKED = 50
LIFE = 400
"""So that nobody dies while it is measured."""


class Board(msgspec.Struct, frozen=True):
    """One board: milliseconds of CPU time a decision, on average and of the longest, and of how many."""

    name: str
    each: int
    mean_ms: float
    most_ms: float
    decisions: int


def _creature(name: str, *abilities: forms.Ability, size: str = "2") -> Card:
    return Card(name=name, types="Creature — Beast", cost="{2}{G}", power=size, toughness=size, abilities=abilities)


def _static(what: str, *mods: forms.AnyModification) -> forms.Continuous:
    return forms.Continuous(what=Noun(what), mods=mods)


def _leads(keyword: str = "") -> Card:
    bigger = forms.AddPT(power=1, toughness=1)
    mods = (bigger, forms.GainAbilities(keywords=(keyword,))) if keyword else (bigger,)
    return _creature(f"Leader of {keyword or 'Beasts'}", _static("other Beast creatures you control", *mods))


def _counts() -> tuple[Card, Card]:
    all_of_yours = Count(Noun("creatures you control"))
    others = Count(Noun("other creatures you control"))
    return (
        _creature("As Many", _static(forms.THIS, forms.DefinePT(power=all_of_yours, toughness=all_of_yours)), size="*"),
        _creature("Many More", _static(forms.THIS, forms.AddPT(power=others, toughness=0))),
    )


def _pings() -> Card:
    shot = forms.Damage(amount=1, to=Noun("any target"))
    return _creature("Pinger", forms.ActivatedAbility(cost=(forms.TapCost(),), do=(shot,), text="{T}: 1 damage."))


def _greets() -> Card:
    entered = forms.Pattern(event="zone change", subject=Noun("another creature you control"), to="battlefield")
    gain = forms.GainLife(amount=1)
    return _creature("Greeter", forms.TriggeredAbility(when=(entered,), do=(gain,), text="Gain 1 life."))


KINDS: dict[str, tuple[Card, ...]] = {
    "vanilla": (_creature("Beast of the Board"),),
    "lords": (_leads(),),
    "keyword lords": (_leads("trample"), _leads("vigilance"), _leads("first strike")),
    "counting P/T": _counts(),
    "pingers": (_pings(),),
    "enter-triggers": (_greets(),),
}


def table(kind: str, each: int) -> State:
    """A board of that kind with so many permanents for each player, at its first question."""
    chiefs = KINDS[kind]
    creatures, lands, burn = bench_deck_parts()
    own = each * 2 // 5
    battlefield = [chiefs[i % len(chiefs)] for i in range(own)]
    battlefield += [creatures[i % len(creatures)] for i in range(own)]
    battlefield += [lands[i % len(lands)] for i in range(each - 2 * own)]
    hand = (burn, burn, *(chiefs * 3)[:3], *lands)
    library = tuple((*creatures, *chiefs, *lands, burn)[i % 11 % (len(creatures) + 3)] for i in range(40))
    return placed([Side(tuple(battlefield), hand, library)] * SEATS, LIFE)


def stacked() -> State:
    """Ten creatures a seat; the first player has fifty instants in hand and as many lands."""
    creatures, lands, burn = bench_deck_parts()
    ten = tuple(creatures[i % len(creatures)] for i in range(10))
    mine = Side((*ten, *(lands[i % len(lands)] for i in range(2 * STACKED))), (burn,) * STACKED, ten)
    return placed([mine, *[Side((*ten, *lands), (burn,), ten)] * (SEATS - 1)], LIFE)


class _Times:
    """CPU times of answers, each by itself."""

    def __init__(self) -> None:
        self.spent: list[float] = []

    def submit(self, state: State, answer: q.AnyAnswer) -> State:
        assert state.pending is not None
        begun = time.process_time()
        state, _ = rules.submit(state, state.pending.seat, answer)
        self.spent.append(time.process_time() - begun)
        return state

    def board(self, name: str, each: int) -> Board:
        mean = sum(self.spent) / len(self.spent)
        return Board(name, each, round(mean * 1000, 4), round(max(self.spent) * 1000, 3), len(self.spent))


def play(kind: str, each: int, decisions: int, seed: int = 0) -> Board:
    """A random game on a board, for so many decisions."""
    chance = random.Random(f"{kind} {seed}")
    state, times = table(kind, each), _Times()
    gc.collect()
    while state.pending is not None and len(times.spent) < decisions:
        state = times.submit(state, legal.sample(state.pending, state, chance))
    return times.board(kind, each)


def play_stacked() -> Board:
    """Fifty spells cast at creatures and players one above the other, then resolved."""
    chance = random.Random("stacked")
    state, times = stacked(), _Times()
    gc.collect()
    while len(state.stack) < STACKED:
        state = times.submit(state, _next_spell(state, chance))
    while state.stack:
        assert state.pending is not None
        state = times.submit(state, legal.default(state.pending, state))
    return times.board(f"{STACKED} spells", STACKED)


def _next_spell(state: State, chance: random.Random) -> q.AnyAnswer:
    question = state.pending
    assert question is not None
    if not isinstance(question, q.PriorityQuestion) or question.seat:
        return legal.sample(question, state, chance) if not question.seat else legal.default(question, state)
    return q.Take(next(i for i, action in enumerate(question.actions) if action.type == "cast"))


def measure(
    *, quick: bool = False, kinds: tuple[str, ...] = (), say: Callable[[Board], None] = lambda board: None
) -> tuple[Board, ...]:
    """Every board of these kinds (none: all), and the stack. `quick`: a tenth of the decisions."""
    found: list[Board] = []
    for kind in kinds or KINDS:
        for each in SIZES:
            found.append(play(kind, each, DECISIONS // 10 if quick else DECISIONS))
            say(found[-1])
    found.append(play_stacked())
    say(found[-1])
    return tuple(found)
