"""How many decks of a file can be played with the option `by_hand`, and that they are: `python bench/by_hand.py DECKS.jsonl CARDS.jsonl`.

Each deck is read whole and with paragraphs by hand, then dealt to two seats and played to turn 5 by random legal answers; whoever is
asked for an act has nothing to do. Asks for a file of decks (`apnap decks coverage` has its form) and a card list.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from server.cards import decks
from server.cards.loading import DeckFault, paragraphs_by_hand
from server.command.library import Library, open_library
from server.oracle.deck_coverage import Deck, read_decks
from server.rules.model import ActQuestion, Options
from server.rules.turn import Seat, legal, start, submit

TURNS = 5
MOST = 5000
"""Answers of one game."""


def listed(deck: Deck) -> str:
    """The deck as a list."""
    lines = ["Commander", *(f"1 {name}" for name in deck.commander), "", "Deck"] if deck.commander else []
    return "\n".join([*lines, *(f"{count} {name}" for name, count in deck.main.items())])


def read(deck: Deck, library: Library, by_hand: bool) -> decks.Deck | None:
    """The deck by its format's rules, None if it is refused."""
    format_ = deck.format if deck.format in decks.KINDS else "constructed"
    try:
        return decks.read_deck(listed(deck), library.partly() if by_hand else library, deck.id, format_)
    except DeckFault:
        return None


def play(deck: decks.Deck, number: int) -> tuple[bool, int]:
    """Whether a game of two reaches its fifth turn, and how often somebody was asked for an act."""
    chance, asked = random.Random(number), 0
    seats = tuple(Seat(name, deck.cards, deck.commander) for name in "AB")
    state, _ = start(Options(edition="current", seed=str(number), life=40 if deck.commander else 20), seats)
    for _ in range(MOST):
        question = state.pending
        if state.result is not None or question is None or state.turn.number >= TURNS:
            return True, asked
        asked += isinstance(question, ActQuestion)
        sampled = chance.random() < 0.7
        answer = legal.sample(question, state, chance) if sampled else legal.default(question, state)
        state, _ = submit(state, question.seat, answer)
    return False, asked


def main(arguments: Sequence[str]) -> None:
    """Print the figures."""
    found = read_decks(Path(arguments[0]))
    with tempfile.TemporaryDirectory() as empty:
        library = open_library(Path(empty), [Path(arguments[1])])
        whole = sum(read(deck, library, by_hand=False) is not None for deck in found)
        taken = [one for deck in found if (one := read(deck, library, by_hand=True)) is not None]
    paragraphs: Counter[int] = Counter()
    for deck in taken:
        cards = {card.name: card for card in (*deck.cards, *deck.commander)}
        paragraphs[sum(len(paragraphs_by_hand(card)) for card in cards.values())] += 1
    games = [play(deck, number) for number, deck in enumerate(taken)]
    print(f"{len(found)} decks: {whole} whole, {len(taken)} with paragraphs by hand")
    print("paragraphs by hand in a deck:", ", ".join(f"{n}: {decks}" for n, decks in sorted(paragraphs.items())))
    print(
        f"to turn {TURNS}: {sum(done for done, _ in games)} of {len(games)}; acts asked for: {sum(n for _, n in games)}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
