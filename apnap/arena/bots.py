"""Who plays in the arena, by name: bots of ours, and anybody's from a Python module or file."""

from __future__ import annotations

import importlib
import importlib.util
import random
import re
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias, cast, runtime_checkable

from apnap.cards import Card, Deck
from apnap.game import Game
from apnap.known import Knowledge
from apnap.search import Search
from apnap.search.policy import Policy
from client_cli import bots
from client_cli.player import Player
from protocol.questions import Answer
from server.knowledge.questions import read_answer
from server.rules import State, legal
from server.rules.model import questions as q

Decks: TypeAlias = Sequence[Deck | Sequence[Card]]
_SEARCH = re.compile(r"search[ -]([1-9]\d*)[ -]?(ms|games)")


@runtime_checkable
class Thinker(Protocol):
    """A bot by the library: it is given what its seat knows, and by seats the decks, which are open."""

    def think(self, known: Knowledge, decks: Decks, /) -> Answer:
        """A legal answer to the question that the seat is asked."""
        ...


AnyBot: TypeAlias = Player | Thinker
Maker: TypeAlias = Callable[[int], AnyBot]
"""Makes a bot for one game, from a seed."""


class UnknownBot(Exception):
    """There is no bot of that name."""


class Searcher:
    """The bot that thinks ahead."""

    def __init__(self, seed: int, *, ms: float | None = None, iterations: int | None = None) -> None:
        self._chance = random.Random(seed)
        self._ms = ms
        self._iterations = iterations

    def think(self, known: Knowledge, decks: Decks, /) -> Answer:
        """See `Thinker`."""
        return Search(decks, ms=self._ms, iterations=self._iterations).answer(known, self._chance)


class Sitting:
    """A bot in a seat, and what is counted of it: its `answers`, the `failures` among them, and `seconds` of CPU time; `fault` is what
    the first failure was, and where.
    """

    def __init__(self, bot: AnyBot, decks: Decks) -> None:
        self._bot = bot
        self._decks = decks
        self.answers = 0
        self.failures = 0
        self.fault = ""
        self.seconds = 0.0

    def answer(self, state: State, question: q.AnyQuestion, policy: Policy) -> q.AnyAnswer:
        """Its answer, the default where it gives none."""
        self.answers += 1
        began = time.thread_time()
        try:
            read = read_answer(self._asked(state, question, policy))
            legal.check(state, question, read)
        except (Exception, SystemExit) as fault:  # a stranger's bot: whatever it does, the game goes on
            self.failures += 1
            self.fault = self.fault or _told(fault)
            return legal.default(question, state)
        finally:
            self.seconds += time.thread_time() - began
        return read

    def _asked(self, state: State, question: q.AnyQuestion, policy: Policy) -> Answer:
        if isinstance(self._bot, Thinker):
            return self._bot.think(Game.at(state).knowledge(question.seat), self._decks)
        return self._bot.answer(*policy.look(state, question))


def maker(name: str) -> Maker:
    """By a name: `simple`, `random`, `search 500 ms`, `search 40 games`, `package.module:Name`, `path/to/file.py:Name`, of which
    `Name(seed)` makes a bot. Raises UnknownBot.
    """
    if name in bots.LEVELS:
        return lambda seed: bots.make(name, seed)
    if found := _SEARCH.fullmatch(name):
        number = int(found[1])
        if found[2] == "ms":
            return lambda seed: Searcher(seed, ms=number)
        return lambda seed: Searcher(seed, iterations=number)
    where, _, what = name.rpartition(":")
    if not where:
        raise UnknownBot(f"there is no bot {name!r}: simple, random, search 500 ms, module:Name or file.py:Name")
    try:
        made = getattr(_module(where), what)
    except (ImportError, OSError, AttributeError) as fault:
        raise UnknownBot(f"{name}: {fault}") from fault
    if not callable(made):
        raise UnknownBot(f"{name}: it makes no bot")
    return partial(_made, name, cast(Callable[[int], object], made))


def _made(name: str, make: Callable[[int], object], seed: int) -> AnyBot:
    """A stranger's bot. Raises UnknownBot where its class takes no seed, fails, or makes something that answers nothing."""
    try:
        bot = make(seed)
    except Exception as fault:
        raise UnknownBot(f"{name}: `{name.rpartition(':')[2]}(seed)` makes no bot: {_told(fault)}") from fault
    if not callable(getattr(bot, "answer", None)) and not callable(getattr(bot, "think", None)):
        raise UnknownBot(f"{name}: it has neither `answer(table, question)` nor `think(known, decks)`")
    return cast(AnyBot, bot)


def _told(fault: BaseException) -> str:
    """What went wrong, and the innermost line that did it."""
    frames = traceback.extract_tb(fault.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(fault).__name__}: {fault}{where}"


def _module(where: str) -> object:
    if not where.endswith(".py"):
        return importlib.import_module(where)
    spec = importlib.util.spec_from_file_location(Path(where).stem, where)
    if spec is None or spec.loader is None:
        raise ImportError(f"{where} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
