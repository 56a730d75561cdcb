"""Corrections and other words as a person types them."""

from __future__ import annotations

import pytest

from client_cli.amending import correction, rewording
from protocol.by_hand import Change, CountersChange, DamageChange, LifeChange, MoveChange, TappedChange
from protocol.messages import Correct, Reword

PLAYERS = {"Ann": 0, "Ben the Bold": 1}
SAID: dict[str, Change] = {
    "life Ben the Bold 17": LifeChange(seat=1, to=17),
    "life Ann -2": LifeChange(seat=0, to=-2),
    "tap #104": TappedChange(object="104", to=True),
    "untap #104": TappedChange(object="104", to=False),
    "damage #104 3": DamageChange(object="104", to=3),
    "counters #104 +1/+1 2": CountersChange(object="104", counter="+1/+1", to=2),
    "counters Ann poison 4": CountersChange(seat=0, counter="poison", to=4),
    "move #104 graveyard": MoveChange(object="104", to="graveyard"),
    "move #104 bottom library": MoveChange(object="104", to="library", bottom=True),
}


@pytest.mark.parametrize("line", SAID)
def test_a_line_is_a_change(line: str) -> None:
    assert correction("m", line, PLAYERS) == Correct(id="m", changes=(SAID[line],))


def test_several_changes_are_one_correction() -> None:
    found = correction("m", "; ".join(SAID), PLAYERS)
    assert found == Correct(id="m", changes=tuple(SAID.values()))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "life",
        "life Cid 3",
        "life Ann x",
        "life Ann 99999",
        "tap 104",
        "move #104",
        "move #104 moon",
        "counters #1 2",
        "tap #1; hum",
    ],
)
def test_a_line_that_is_no_correction_is_none(line: str) -> None:
    assert correction("m", line, PLAYERS) is None


def test_other_words() -> None:
    assert rewording("m", "#7 Flying, trample") == Reword(id="m", object="7", line="Flying, trample")
    assert rewording("m", "7 Flying") is None
    assert rewording("m", "#7 ") is None
