"""What differs between the editions: each field of `Edition` is in the document, with games that end differently by each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from server.cards.forms import Card
from server.command.scenario import scenarios_of
from server.rules.model import EDITIONS, Edition, Options
from server.rules.model import questions as q
from server.rules.turn import Seat, game, legal
from server.scenario import CardSource, play, read

TESTS = Path(__file__).parent.parent
DOCUMENT = TESTS.parent / "docs" / "editions.md"
SOURCE = CardSource()
#: What names an edition and its numbers differs by itself.
OF_ITSELF = {"name", "numbers"}
#: The editions that each table of the document compares.
TABLES = {"## What differs\n": ("2011", "current"), "## What differs from 2009 to 2011\n": ("2009", "2011")}


class Row(NamedTuple):
    """One difference of the document: the editions, its field and what shows it."""

    what: str
    old: str
    new: str
    field: str
    shown: tuple[str, ...]


def rows(heading: str, old: str, new: str) -> list[Row]:
    text = DOCUMENT.read_text(encoding="utf-8").partition(heading)[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [
        Row(what, old, new, field.strip("`"), tuple(re.findall(r"`([^`]+)`", shown)))
        for what, _, _, field, shown in cells[2:]
    ]


ROWS = [row for heading, editions in TABLES.items() for row in rows(heading, *editions)]
GAMES: dict[str, dict[str, Any]] = {
    str(data["id"]): data
    for path in sorted((*(TESTS / "scenarios").glob("*.jsonl"), *(TESTS / "scenarios").glob("*.toml")))
    for _, data in scenarios_of(path)
    if isinstance(data, dict)
}
PAIRS = [(row.old, row.new, name) for row in ROWS for name in row.shown if "::" not in name]


@pytest.mark.parametrize(("old", "new"), TABLES.values())
def test_each_field_in_which_editions_differ_is_in_the_document(old: str, new: str) -> None:
    fields = set(Edition.__struct_fields__) - OF_ITSELF
    differ = {name for name in fields if getattr(EDITIONS[old], name) != getattr(EDITIONS[new], name)}
    assert {row.field for row in ROWS if (row.old, row.new) == (old, new)} == differ


def test_each_field_of_an_edition_differs_somewhere() -> None:
    assert {row.field for row in ROWS} == set(Edition.__struct_fields__) - OF_ITSELF


def test_each_difference_is_shown() -> None:
    assert not [row.what for row in ROWS if not row.shown]
    for row in ROWS:
        for name in row.shown:
            if "::" in name:
                path, _, function = name.partition("::")
                assert f"def {function}(" in (TESTS.parent / path).read_text(encoding="utf-8"), name


@pytest.mark.parametrize(("old", "new", "name"), PAIRS)
def test_a_pair_of_games_ends_differently(old: str, new: str, name: str) -> None:
    """Each passes by its own edition, and at least one of them not by the other."""
    first, second = GAMES[f"{name}/{old}"], GAMES[f"{name}/{new}"]
    assert (first.get("rules", "2011"), second.get("rules", "2011")) == (old, new)
    assert [play(read(game), SOURCE).outcome for game in (first, second)] == ["passed"] * 2
    crossed = [play(read({**first, "rules": new}), SOURCE), play(read({**second, "rules": old}), SOURCE)]
    assert {report.outcome for report in crossed} & {"failed", "illegal"}


@pytest.mark.rule("103.4", "800.5")
@pytest.mark.parametrize(("edition", "seats", "hands"), [
    ("2011", "AB", (7, 6, 5)),
    ("2011", "ABC", (7, 7, 6)),
    ("current", "AB", (7, 7, 7)),
    ("current", "ABC", (7, 7, 7)),
])  # fmt: skip
def test_cards_of_a_mulligan(edition: str, seats: str, hands: tuple[int, ...]) -> None:
    """The hands of a player who takes two mulligans, and after them the cards kept (current 103.5)."""
    filler = Card(name="Filler", types="Artifact", cost="{9}")
    state, _ = game.start(Options(edition=edition), tuple(Seat(s, (filler,) * 20) for s in seats), 0)
    seen: list[int] = []
    while isinstance(state.pending, q.ConfirmQuestion) and state.pending.purpose == "mulligan":
        seat = state.pending.seat
        if seat == 0:
            seen.append(len(state.players[0].hand))
        state, _ = game.submit(state, seat, q.Confirm(yes=seat == 0 and len(seen) < 3))
    assert tuple(seen) == hands
    if edition == "current":
        assert state.pending is not None and state.pending.purpose == "bottom"
        state, _ = game.submit(state, 0, legal.default(state.pending, state))
    assert len(state.players[0].hand) == (5 if seats == "AB" else 6)
