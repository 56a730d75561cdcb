"""How many decks of a file can be played with the option `by_hand`, and that they are: `python bench/by_hand.py DECKS.jsonl CARDS.jsonl`.

Each deck is read whole and with paragraphs by hand, then dealt to two seats and played to turn 5 by random legal answers; whoever is
asked for an act has nothing to do. Asks for a file of decks (`apnap decks coverage` has its form) and a card list.

With a number of games behind (and the number of the first), games of four with the first forty decks that have three such paragraphs
or more are played instead, in which a script does much by hand (`server.bench.by_hand`); what it did is counted.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from server.bench import by_hand
from server.cards import decks
from server.cards.loading import DeckFault, paragraphs_by_hand
from server.command.library import Library, open_library
from server.oracle.deck_coverage import Deck, read_decks
from server.rules.model import ActQuestion, Options
from server.rules.turn import Seat, legal, start, submit

DECKS, LEAST, ACTS = 40, 3, 40
"""Decks from which games are drawn, paragraphs by hand that each has at least, acts of a game."""
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


def much(arguments: Sequence[str]) -> None:
    """Games in which much is done by hand: a line for each, and how much of each kind there was in all."""
    path, cards, games, *first = arguments
    with tempfile.TemporaryDirectory() as empty:
        library = open_library(Path(empty), [Path(cards)])
        taken: list[decks.Deck] = []
        for deck in read_decks(Path(path)):
            one = read(deck, library, by_hand=True) if len(taken) < DECKS else None
            if one is not None and len({text for card in one.cards for text in paragraphs_by_hand(card)}) >= LEAST:
                taken.append(one)
    total: Counter[str] = Counter()
    begin = int(first[0]) if first else 0
    for seed in range(begin, begin + int(games)):
        four = random.Random(seed).sample(taken, 4)
        played = by_hand.play([(deck.cards, deck.commander) for deck in four], seed, ACTS)
        total.update({f"act: {kind}": count for kind, count in played.acts.items()})
        total.update({f"correction: {kind}": count for kind, count in played.corrections.items()})
        total.update(rewordings=played.rewordings, refused=played.refused, restarts=played.restarts)
        total.update(games=1, enough=played.accepted >= 30, decisions=played.decisions, broken=len(played.broken))
        print(seed, played.accepted, "by hand;", played.decisions, "decisions;", played.broken or "sound", flush=True)
    for kind, count in sorted(total.items()):
        print(f"{count:7} {kind}")


def main(arguments: Sequence[str]) -> None:
    """Print the figures."""
    if len(arguments) > 2:
        much(arguments)
        return
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
