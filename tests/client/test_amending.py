"""Corrections and other words as a person types them."""

from __future__ import annotations

import pytest

from client_cli.amending import correction, rewording
from protocol.by_hand import (
    Change,
    CountersChange,
    DamageChange,
    GoneChange,
    LifeChange,
    MoveChange,
    TappedChange,
    TokenChange,
    TurnChange,
)
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
    "gone #104": GoneChange(object="104"),
    "token Ben the Bold 2 1/1 white Soldier creature": TokenChange(seat=1, line="1/1 white Soldier creature", count=2),
    "token Ann a 4/4 white Angel creature token": TokenChange(seat=0, line="a 4/4 white Angel creature token"),
    "token Ann 3 #104": TokenChange(seat=0, object="104", count=3),
    "turn Ben the Bold draw": TurnChange(seat=1, step="draw"),
    "turn Ann": TurnChange(seat=0),
    "turn postcombat main": TurnChange(step="postcombat_main"),
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
        "gone",
        "token Ann",
        "token Cid a 1/1 white Soldier creature",
        "token Ann 21 Treasure",
        "turn",
        "turn Cid",
        "turn d",
    ],
)
def test_a_line_that_is_no_correction_is_none(line: str) -> None:
    assert correction("m", line, PLAYERS) is None


def test_other_words() -> None:
    texts = {"7": ["Hum.", "Sing."]}.__getitem__
    assert rewording("m", "#7 Flying, trample", texts) == Reword(id="m", object="7", line="Flying, trample")
    assert rewording("m", "#7 2 Flying", texts) == Reword(id="m", object="7", line="Flying", text="Sing.")
    assert rewording("m", "#7 3 Flying", texts) is None
    assert rewording("m", "7 Flying", texts) is None
    assert rewording("m", "#7 ", texts) is None
