"""Tactical puzzles: moments of games in which one seat can reach a goal, whatever the others answer.

A puzzle is a scenario with a `goal` (docs/scenarios.md). `play` sees whether somebody who answers for the seat reaches it against the
best that the others can do, `line` is a way that leads there. `collection` are those that come with apnap, `variant` is one of them with
other names, colours and seats, and `score` says which a bot of the arena solves.
"""

from __future__ import annotations

from apnap.puzzles.collection import collection, decks
from apnap.puzzles.playing import Answerer, line, play
from apnap.puzzles.scoring import Solved, score
from apnap.puzzles.variants import variant
from server.scenario.puzzle import Puzzle
from server.scenario.solving import Solver, TooLarge

__all__ = [
    "Answerer",
    "Puzzle",
    "Solved",
    "Solver",
    "TooLarge",
    "collection",
    "decks",
    "line",
    "play",
    "score",
    "variant",
]
