"""The puzzles that come with apnap: duels and tables of four, to win this turn or to live through the next one."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from apnap.cards import Card
from server.cards.loading import Unread
from server.scenario import Scenario, read
from server.scenario.errors import Unsupported
from server.scenario.source import CardSource

FILES = Path(__file__).parent / "data"


@cache
def collection() -> tuple[Scenario, ...]:
    """All of them, by their files and places."""
    return tuple(read(one) for one in raw())


def raw() -> tuple[dict[str, Any], ...]:
    """All of them as they are written (docs/scenarios.md)."""
    files = sorted(FILES.glob("*.toml"))
    return tuple(one for file in files for one in tomllib.loads(file.read_text(encoding="utf-8"))["scenario"])


def decks(scenario: Scenario, source: CardSource | None = None) -> list[list[Card]]:
    """By seats the cards that each owns: what a bot is told of the decks. Raises Unsupported for a card that is not read."""
    source = source or CardSource()
    own = source.own(scenario.head.cards)
    found: dict[str, list[Card]] = {seat: [] for seat in scenario.head.seats}
    for one in scenario.setup:
        if one.card:
            card = source.get(one.card, own)
            if isinstance(card, Unread):
                raise Unsupported(card.word)
            found[one.player].extend([card] * one.count)
    return list(found.values())
