"""What a condition that is said last would be about: "destroy it if ...", "create a copy, except ... if ..."."""

from __future__ import annotations

from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import walk

IT = Noun("it")


def asks_of_chosen(condition: Any, tree: Any) -> bool:
    """Whether "it" in a condition behind would be what was chosen before ("destroy the chosen permanent if its ..."), which is not
    what was spoken of last."""
    chosen = any(isinstance(part, Noun) and isinstance(part.reading, n.Linked) for part in walk(tree))
    return chosen and any(part == IT for part in walk(condition))


def excepts(do: f.Tree) -> bool:
    """Whether exceptions of a copy stand last, so that a condition behind them would be one of theirs."""
    return isinstance(do[-1], f.CreateToken | f.CopySpell) and bool(do[-1].excepting)
