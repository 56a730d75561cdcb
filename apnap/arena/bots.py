"""Who plays in the arena, by name: bots of ours, and anybody's from a Python module or file."""

from __future__ import annotations

import importlib
import importlib.util
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias, cast, runtime_checkable

from apnap.cards import Card, Deck
from apnap.known import Knowledge
from apnap.search import Search
from client_cli import bots
from client_cli.player import Player
from protocol.questions import Answer

Decks: TypeAlias = Sequence[Deck | Sequence[Card]]
_SEARCH = re.compile(r"search[ -](\d+)[ -]?(ms|games)")


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
    return cast(Maker, made)


def _module(where: str) -> object:
    if not where.endswith(".py"):
        return importlib.import_module(where)
    spec = importlib.util.spec_from_file_location(Path(where).stem, where)
    if spec is None or spec.loader is None:
        raise ImportError(f"{where} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
