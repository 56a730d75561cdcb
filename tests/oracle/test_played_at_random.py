"""What counts as playable is played: cards drawn from the lists, on generated boards, by random legal answers, under every law.

$APNAP_SEED chooses the cards; without it a run of all tests draws others each time, and a quick one always the same.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from server.bench.decks import any_land
from server.bench.drawn import board, playable
from server.bench.fuzz import Run, fuzz_game
from server.cards.forms import Card

CARDS, SEATS, EACH, LANDS = 300, 4, 9, 20
DECISIONS = 400
GAMES = -(-CARDS // (SEATS * EACH))


def seed_of(config: pytest.Config) -> str:
    return os.environ.get("APNAP_SEED") or (str(random.randrange(10**9)) if config.getoption("--all") else "quick")


@pytest.fixture(scope="module")
def drawn(
    shared: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, tuple[Card, ...]]:
    """The seed, and 300 playable cards drawn by it from both lists."""
    seed = seed_of(request.config)
    chance = random.Random(f"drawn {seed}")
    found: list[Card] = []
    for name in ("classic.jsonl", "modern.jsonl"):
        lines = (shared / "cards" / name).read_bytes().splitlines()
        some = tmp_path_factory.mktemp("lists") / name
        some.write_bytes(b"\n".join(chance.sample(lines, 2 * CARDS)))
        found += chance.sample(playable([some]), CARDS // 2)
    chance.shuffle(found)
    return seed, tuple(found)


@pytest.mark.parametrize("game", range(GAMES))
def test_drawn_cards_play(game: int, drawn: tuple[str, tuple[Card, ...]]) -> None:
    seed, cards = drawn
    mine = [cards[number % len(cards)] for number in range(game * SEATS * EACH, (game + 1) * SEATS * EACH)]
    decks = tuple((*mine[seat * EACH : (seat + 1) * EACH], *(any_land(),) * LANDS) for seat in range(SEATS))
    report = fuzz_game(game, SEATS, decks, run=Run(begin=board, enough=DECISIONS))
    assert not report.failures, f"APNAP_SEED={seed}, {', '.join(card.name for card in mine)}"
    assert report.decisions > 50
