"""What the games of rule 802 share: a few cards, and how an answer is refused."""

from __future__ import annotations

from typing import Any

import pytest

from server.cards import forms
from server.rules import Illegal
from server.rules.model import questions as q
from tests.rules.play import Game, creature, instant, noun

ATTACKS = forms.Pattern(event="attacks", subject=noun("{this}"))
KILL = instant("Kill", forms.Destroy(what=noun("target planeswalker")))
OGRE = creature("Ogre", 4, 4)


def static(rule_name: str, what: str = "{this}", **more: Any) -> forms.Continuous:
    """A static ability that puts a rule on objects."""
    return forms.Continuous(what=noun(what), mods=(forms.Flag(rule=rule_name, **more),))  # type: ignore[arg-type]


def refused(game: Game, answer: q.AnyAnswer) -> Illegal:
    """The refusal of an answer, which leaves the game as it was."""
    before = game.state
    with pytest.raises(Illegal) as caught:
        game.submit(answer)
    game.asked.pop()
    assert game.state is before
    return caught.value


def forbidden_by(game: Game, answer: q.AnyAnswer) -> str:
    """The number of 2011-09-30 of the rule by which an answer is refused; "" for none."""
    rule = refused(game, answer).rule
    return rule.in_2011 if rule is not None else ""
