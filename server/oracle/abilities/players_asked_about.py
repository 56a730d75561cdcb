"""Who "that player" cannot be: one of several players of whom a condition asks, since nothing remembers of whom it held."""

from __future__ import annotations

from typing import Any

from server.cards import nouns
from server.cards.forms import SomePlayer
from server.cards.nouns import Happened, Noun, TurnCount
from server.oracle.abilities.linked_abilities import parts_of
from server.oracle.engine import walk


def speaks_of_one_asked_about(ability: Any) -> bool:
    """Whether something is done with "that player" on a condition about any of several ("if an opponent has more life than you, that
    player loses 2 life"), and nobody else is spoken of."""
    parts = tuple(walk(ability))
    conditions = [told for part in parts if (told := getattr(part, "condition", None)) is not None]
    asked = {id(part) for told in conditions for part in walk(told)}
    said = [part for part in parts if isinstance(part, Noun) and id(part) not in asked]
    named = any(isinstance(one, nouns.Players) for noun in said for one in parts_of(noun.reading))
    return not named and any("that player" in noun.text for noun in said) and any(map(_asks_of_any, conditions))


def _asks_of_any(condition: Any) -> bool:
    return any(
        (isinstance(part, SomePlayer) and not part.every)
        or (isinstance(part, Happened | TurnCount) and "opponent" in part.of.text)
        for part in walk(condition)
    )
