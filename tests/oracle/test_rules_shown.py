"""Every rule of the text grammar is shown by a game, but for those that `rules_not_shown.txt` still names (it only shrinks)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.rules_shown import unshown

OPEN = Path(__file__).parent / "rules_not_shown.txt"


@pytest.mark.slow
def test_rules_that_no_scenario_shows_are_known() -> None:
    """The list holds the first rule of each family without a scenario: none is missing, none has got its scenario since."""
    listed = OPEN.read_text("utf-8").splitlines()
    assert sorted(f"{family[0][0]}: {family[0][1]}" for family in unshown()) == sorted(listed)
