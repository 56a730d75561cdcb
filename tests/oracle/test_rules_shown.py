"""Every rule of the text grammar is shown by a game: a rule that nobody has seen at work may mean anything."""

from __future__ import annotations

import pytest

from tests.oracle.rules_shown import unshown


@pytest.mark.slow
def test_every_rule_of_the_grammar_is_shown_by_a_scenario() -> None:
    """Of each family, one rule at least reads or prints a card that a scenario plays."""
    assert [f"{family[0][0]}: {family[0][1]}" for family in unshown()] == []
