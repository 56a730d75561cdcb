"""One game of the arena, and the rounds that games are drawn in: the same decks and seed once for each way to sit."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from apnap.arena.bots import Maker, Sitting, maker
from apnap.cards import CardLibrary, Deck, house_deck, house_decks, read_deck
from apnap.game import Game
from apnap.search.policy import Policy, after, passes
from server.contests import remote
from server.rules.model import questions as q

MOST_TURNS = 200
"""A game that is longer counts as drawn."""


class Setting(msgspec.Struct, frozen=True):
    """What all games of a contest have in common. `line_up` are bots by name, one for each seat; `decks` names of the house's or files
    of lists, of which each round draws one for each seat (none: of all of the house's). An answer of a bot that comes over the network
    may take `answer_ms` (0: a day).
    """

    line_up: tuple[str, ...]
    decks: tuple[str, ...] = ()
    edition: str = "current"
    seed: str = "0"
    answer_ms: int = 0

    @property
    def remote(self) -> tuple[str, ...]:
        """By which names bots come over the network."""
        return tuple(dict.fromkeys(name for bot in self.line_up if (name := remote(bot))))


class Played(msgspec.Struct, frozen=True):
    """A game: in which `round`, how far the line-up was `shifted`; by places of the line-up the `shares` of the win (a draw is
    divided), and how many `answers` were given, in how many `ms` of the CPU's time (of bots that come over the network: of the clock's),
    how many `failures`, answers that were none, and `timeouts`, those that the clock gave; `faults`, what each failed by first.
    """

    round: int
    shifted: int
    shares: tuple[float, ...]
    turns: int
    answers: tuple[int, ...]
    ms: tuple[float, ...]
    failures: tuple[int, ...]
    timeouts: tuple[int, ...] = ()
    faults: tuple[str, ...] = ()


def shifts(setting: Setting) -> range:
    """In how many ways the line-up sits down in a round."""
    return range(len(setting.line_up) if len(set(setting.line_up)) > 1 else 1)


def drawn(setting: Setting, number: int) -> tuple[list[Deck], str, int]:
    """The decks by seats, the seed and who begins, of a round: the same for each way to sit."""
    names, first = drawn_names(setting, number)
    return [deck_named(name) for name in names], f"{setting.seed}/{number}", first


def drawn_names(setting: Setting, number: int) -> tuple[list[str], int]:
    """The names of the decks by seats, and who begins."""
    chance = random.Random(f"{setting.seed}/{number}")
    names = setting.decks or tuple(name for name in house_decks() if not house_deck(name).commander)
    decks = [chance.choice(names) for _ in setting.line_up]
    return decks, chance.randrange(len(decks))


def deck_named(name: str) -> Deck:
    """The house deck of that name, or that of a file. Raises KeyError, OSError, DeckFault."""
    if name in house_decks():
        return house_deck(name)
    with open(name, encoding="utf-8") as file:
        return read_deck(file.read(), CardLibrary())


def seated(setting: Setting, shifted: int) -> list[int]:
    """By places of the line-up the seats."""
    count = len(setting.line_up)
    return [(place + shifted) % count for place in range(count)]


def play(setting: Setting, number: int, shifted: int) -> Played:
    """A game. Raises UnknownBot, and what reading decks raises."""
    makers: list[Maker] = [maker(name) for name in setting.line_up]
    count = len(makers)
    decks, seed, first = drawn(setting, number)
    sat = seated(setting, shifted)
    by_seat = {seat: Sitting(makers[place](bot_seed(setting, number, place)), decks) for place, seat in enumerate(sat)}
    state = Game.new(decks, edition=setting.edition, seed=seed, first=first).state
    policy = Policy()
    while (question := state.pending) is not None and state.turn.number <= MOST_TURNS:
        if passes(state, question):
            state = after(state, q.Take(0))
        else:
            state = after(state, by_seat[question.seat].answer(state, question, policy))
    shares = shares_of(state.result.winners if state.result is not None else (), count)
    sitting = [by_seat[seat] for seat in sat]
    return Played(
        round=number,
        shifted=shifted,
        shares=tuple(shares[seat] for seat in sat),
        turns=state.turn.number,
        answers=tuple(one.answers for one in sitting),
        ms=tuple(round(one.seconds * 1000, 1) for one in sitting),
        failures=tuple(one.failures for one in sitting),
        timeouts=(0,) * count,
        faults=tuple(one.fault for one in sitting),
    )


def bot_seed(setting: Setting, number: int, place: int) -> int:
    """Of the bot in that place of the line-up."""
    return random.Random(f"{setting.seed}/{number}/{place}").getrandbits(32)


def shares_of(winners: Sequence[int], count: int) -> Sequence[float]:
    """By seats the share of the win, of which all have the same where nobody has won."""
    if not winners:
        return [1 / count] * count
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(count)]
