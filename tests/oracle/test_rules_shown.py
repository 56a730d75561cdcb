"""Every rule of the text grammar is shown by a game: a rule that nobody has seen at work may mean anything."""

from __future__ import annotations

import pytest

from server.oracle.engine import Grammar, Printer, Reader
from tests.oracle.rules_shown import Placed, unshown


@pytest.mark.slow
def test_every_rule_of_the_grammar_is_shown_by_a_scenario() -> None:
    """Of each family, one rule at least reads or prints a card that a scenario plays."""
    assert [f"{family[0][0]}: {family[0][1]}" for family in unshown()] == []


def test_a_wording_is_read_but_the_more_general_rule_prints() -> None:
    """Both are families that a game has to show."""
    Placed.places = {}
    grammar: Grammar = Placed()
    grammar.rule("life", "gain one life", 1)
    grammar.wording("life", "one more life is yours", 1)
    assert [one.value for one in Reader(grammar, ("one", "more", "life", "is", "yours")).read("life", 0)] == [1]
    assert Printer(grammar).write("life", 1) == ("gain", "one", "life")
    assert list(Placed.places.values()) == [
        {("life", "gain one life"): None},
        {("life", "one more life is yours"): None},
    ]
