"""What is on the wire and on disk keeps its names (`tests.storage.names`)."""

from __future__ import annotations

from typing import Literal

import pytest
from msgspec.structs import replace

from tests.storage.names import KINDS, Names, Row, in_code, lost, noted, spoken

OLD = Row("Draw", "do=draw", ("count", "who"), ("count",))
Verdict = Literal["kept", "lost"]


def test_no_name_on_the_wire_or_on_disk_is_lost() -> None:
    assert lost(noted(), in_code()) == [], (
        "a name of `names.json` is gone: give it back (`tag=`, `msgspec.field(name=...)`, `_RENAMED`)"
    )


@pytest.mark.parametrize("where", ["journals", "snapshot"])
@pytest.mark.parametrize(
    ("new", "verdict"),
    [
        (replace(OLD, called="DrawCards"), "kept"),
        (replace(OLD, fields=("count", "from", "who")), "kept"),
        (replace(OLD, tag="do=draws"), "lost"),
        (replace(OLD, tag=""), "lost"),
        (replace(OLD, fields=("number", "who"), required=("number",)), "lost"),
        (replace(OLD, fields=("who", "count")), "lost"),
        (replace(OLD, fields=("count", "from", "who"), required=("count", "from")), "lost"),
        (replace(OLD, array=True), "lost"),
    ],
)
def test_a_class_may_be_renamed_and_a_field_added_and_nothing_else(where: str, new: Row, verdict: Verdict) -> None:
    found = lost(_names(where, OLD), _names(where, new))
    assert (len(found) == 0) == (verdict == "kept"), found


def _names(where: str, row: Row) -> Names:
    if where == "snapshot":
        return Names({}, {"form.Draw": row}, (), ())
    return Names({where: (row,)}, {}, (), ())


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_that_no_code_says_any_more_is_lost(kind: str) -> None:
    key = "lives " + "regained"
    old = Names({}, {}, *(("spells", key) if one == kind else () for one in KINDS))
    assert lost(old, in_code()) == [f"{kind}: {key!r}"]


def test_all_names_of_today_are_written_down() -> None:
    """What is new is added by `python -m tests.storage.names`, or nothing would keep it."""
    assert lost(in_code(), noted()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_say_no_key_as_a_bare_word(kind: str) -> None:
    """What a scope binds and what a turn's history counts is declared (`bindings`, `turn_history` of the model), or is a text's own."""
    assert spoken()[kind] == set()
