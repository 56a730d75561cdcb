"""A two-way grammar of rules: what reads a sentence prints it too. Its words, terminals and paragraphs.

Knows no sentence of any card; rules of the other rooms are added to it.
"""

from __future__ import annotations

from server.oracle.engine import grammar, symbols, terminals
from server.oracle.engine.grammar import (
    Grammar,
    Printer,
    Reader,
    Reading,
    S,
    Slot,
    TooMany,
    Words,
    filled,
    matched,
    third,
)
from server.oracle.engine.paragraph import (
    line_words,
    paragraphs,
    with_costs,
    with_types_as_shown,
    with_whole_name,
)
from server.oracle.engine.printed_text import (
    text_of,
    tokens,
    with_ties_said,
    without_reminders,
    words_of,
)
from server.oracle.engine.terminals import (
    PLAIN,
    WORD_OF,
)
from server.oracle.engine.trees import (
    ENTERS,
    row_at,
    row_words,
    walk,
)

__all__ = [
    "ENTERS",
    "Grammar",
    "PLAIN",
    "Printer",
    "Reader",
    "Reading",
    "S",
    "Slot",
    "TooMany",
    "WORD_OF",
    "Words",
    "filled",
    "grammar",
    "line_words",
    "matched",
    "paragraphs",
    "row_at",
    "row_words",
    "symbols",
    "terminals",
    "text_of",
    "third",
    "tokens",
    "walk",
    "with_costs",
    "with_ties_said",
    "with_types_as_shown",
    "with_whole_name",
    "without_reminders",
    "words_of",
]
