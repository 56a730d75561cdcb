"""Games judged from the rules text alone, by who did not build the engine.

`open.txt` beside them names those that the engine ends otherwise than the text has it, one id a line: they must still
fail, so that the one who mends it strikes the line out. An answer that no question took is no fault here: several of
these games offer a choice to show that it is not asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.command.scenario import scenarios_of
from server.scenario import CardSource, play, read

JUDGED = Path(__file__).parent.parent / "scenarios" / "judged"
OPEN = frozenset((JUDGED / "open.txt").read_text(encoding="utf-8").split())
#: The files whose first result has been gone through, disagreement by disagreement.
SETTLED = ("damage_and_combat", "effects", "effects_further")
SOURCE = CardSource()


def _games() -> dict[str, dict[str, object]]:
    games: dict[str, dict[str, object]] = {}
    for stem in SETTLED:
        for place, data in scenarios_of(JUDGED / f"{stem}.jsonl"):
            assert isinstance(data, dict), f"{place}: {data}"
            name = str(data["id"])
            assert name not in games, f"{place}: {name} is there twice"
            games[name] = data
    return games


GAMES = _games()


def _params() -> list[object]:
    params: list[object] = []
    for name, data in GAMES.items():
        rules = data.get("rule", ())
        numbers = (rules,) if isinstance(rules, str) else tuple(rules)  # pyright: ignore[reportArgumentType]
        params.append(pytest.param(name, id=name, marks=(pytest.mark.rule(*numbers),) if numbers else ()))
    return params


@pytest.mark.parametrize("name", _params())
def test_a_judged_game_ends_as_the_text_has_it_or_is_open(name: str) -> None:
    report = play(read(GAMES[name]), SOURCE)
    if name in OPEN:
        assert report.outcome == "failed", "ends right now: strike it out of open.txt"
    else:
        assert (report.outcome, report.why) == ("passed", "")


def test_what_is_open_is_a_judged_game() -> None:
    assert set(GAMES) >= OPEN
