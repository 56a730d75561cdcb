"""Of which type the mana is that was made (current 106.12a): what an ability asks that triggers on it."""

from __future__ import annotations

from server.cards import forms
from server.rules.continuous import choice_of
from server.rules.model import BoundWord, Scope, State, object_or_last

COLOR_LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


def made_mana(state: State, c: forms.MadeMana, scope: Scope) -> bool:
    """Whether some of the mana that the event was about is of that type."""
    chosen = choice_of(state, object_or_last(state, scope.source), "color") if c.type == "chosen" else None
    letter = COLOR_LETTERS.get(chosen or "", "") if c.type == "chosen" else c.type
    return bool(letter) and letter in str(scope.word(BoundWord.PRODUCED) or "")
