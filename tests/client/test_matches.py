"""Cards exchanged with a sideboard at the terminal, in a line."""

from __future__ import annotations

import pytest

from client_cli.matches import BadSwap, swapped

MAIN = {"Forest": 20, "Asking for Rain": 4, "Hill Ox": 36}
SIDE = {"Plains": 3, "Waiting for Rain": 2, "Hill Ox": 1}


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("2 Forest for Plains", {"Forest": 18, "Plains": 2}),
        ("forest for pla", {"Forest": 19, "Plains": 1}),
        ("4 Hill Ox for Waiting for Rain", None),
        ("Asking for Rain for Waiting for Rain", {"Asking for Rain": 3, "Waiting for Rain": 1}),
        ("Forest for Hill Ox", {"Forest": 19, "Hill Ox": 37}),
        ("4 Forest for Plains", None),
        ("Forest", None),
        ("Swamp for Plains", None),
        ("0 Forest for Plains", None),
    ],
)
def test_a_line_says_how_many_of_which_card_for_which(line: str, after: dict[str, int] | None) -> None:
    if after is None:
        with pytest.raises(BadSwap):
            swapped(MAIN, SIDE, line)
        return
    assert swapped(MAIN, SIDE, line) == {**MAIN, **after}
