"""The errors of the rules floor.

RulesError
├── Illegal      a player's fault: a refusal with code, sentence and rule; the state is unchanged
└── Defect       ours: an invariant is broken; the room that holds the game freezes
"""

from __future__ import annotations

from server.rules.editions import Rule


class RulesError(Exception):
    """The common base."""


class Illegal(RulesError):
    """An answer that the rules (or the question) do not allow. Nothing changed.

    `code` is a short key ("illegal_attack"), `sentence` says what is wrong in English, `rule` is what forbids it.
    """

    def __init__(self, code: str, sentence: str, rule: Rule | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.rule = rule


class Defect(RulesError):
    """Something that cannot happen has happened; the message says what, with ids."""
