"""Tactical puzzles: moments of games in which one seat can reach a goal, whatever the others answer.

A puzzle is a scenario with a `goal` (docs/scenarios.md). `play` sees whether somebody who answers for the seat reaches it against the
best that the others can do, `line` is a way that leads there.
"""

from __future__ import annotations

from apnap.puzzles.playing import Answerer, line, play
from server.scenario.puzzle import Puzzle
from server.scenario.solving import Solver, TooLarge

__all__ = ["Answerer", "Puzzle", "Solver", "TooLarge", "line", "play"]
