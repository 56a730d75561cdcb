"""What is wrong with card lists. Both are the list's author's faults.

ListFault       the file is refused: broken JSON, a wrong encoding, no card list; `line` and `column` where they are known
BadCard         one card of it is refused
"""

from __future__ import annotations


class ListFault(ValueError):
    """A file is no card list, or a broken one. `line` and `column` count from 1; 0 if the fault has no place."""

    def __init__(self, why: str, line: int = 0, column: int = 0) -> None:
        self.why = why
        self.line = line
        self.column = column
        super().__init__(f"line {line}, column {column}: {why}" if line else why)


class BadCard(ValueError):
    """One card is refused; the sentence says why."""
