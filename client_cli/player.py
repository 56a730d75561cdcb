"""What a bot is, without a line to a table: whoever answers questions; and what bots have in common."""

from __future__ import annotations

import random
import zlib
from typing import Protocol, runtime_checkable

import msgspec

from client_cli.table import Table
from protocol.base import Step
from protocol.questions import Answer, Question

BOT_STOPS: tuple[tuple[Step, ...], tuple[Step, ...]] = (
    ("precombat_main", "declare_attackers", "declare_blockers", "postcombat_main"),
    ("declare_attackers", "declare_blockers", "end"),
)
"""Where the simple bot wants priority with an empty stack: in its own turns and in others'."""


class Player(Protocol):
    """Somebody who answers. Called between two messages, so answer quickly; keep no clock and draw no chance of your
    own.
    """

    def answer(self, table: Table, question: Question, /) -> Answer:
        """A legal answer to the question."""
        ...


@runtime_checkable
class KnowingPlayer(Player, Protocol):
    """Somebody who also thinks ahead, from what its seat may know."""

    def answer_knowing(self, table: Table, question: Question, known: str, /) -> Answer:
        """A legal answer to the question; `known` is what `protocol.table.Known` brings. Called in a thread, while nothing else is done
        with the table, and may take its time. `answer` is asked instead where the server tells nothing.
        """
        ...


class Chance:
    """Numbers that look drawn, the same for the same seed, number of decisions before, and question."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._count = 0

    def draw(self, question: Question) -> random.Random:
        """A generator for one question. Ids and deadlines do not count, since another room numbers them anew."""
        self._count += 1
        bare = msgspec.json.encode(msgspec.structs.replace(question, id="", deadline_ms=msgspec.UNSET))
        return random.Random(f"{self.seed}/{self._count}/{zlib.crc32(bare)}")
