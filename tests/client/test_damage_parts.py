"""The last damage event, unfolded in the terminal client (119.4)."""

from __future__ import annotations

import pytest

from client_cli.show import Show
from client_cli.table import Table
from protocol.view import Event

DEALT = {"part": 1, "source": "Witherer", "amount": 2, "target": "Bear"}


def shown(*events: Event) -> Show:
    table = Table()
    table.events.extend(events)
    return Show(table, "en")


@pytest.mark.rule("119.4")
def test_three_parts_each_with_its_rule() -> None:
    show = shown(
        Event(kind="cast", key="event.cast"),
        Event(kind="damage", key="event.damage", rule="119.4a", args=DEALT),
        Event(
            kind="counters put",
            key="event.counters_wither",
            rule="119.3d",
            args={"part": 2, "source": "Witherer", "amount": 2, "counter": "-1/-1", "target": "Bear"},
        ),
        Event(kind="damage happened", key="event.damage_happened", rule="119.4c", args={"part": 3}),
        Event(kind="destroy", key=""),
    )
    assert show.damage() == [
        "1. dealt",
        "   Witherer deals 2 damage to Bear. [119.4a]",
        "2. results",
        "   Bear gets 2 -1/-1 counter(s) instead of marked damage: Witherer has wither. [119.3d]",
        "3. happens",
        "   The damage event happens, all its results at once. [119.4c]",
    ]


def test_only_the_last_of_two_damage_events() -> None:
    happened = Event(kind="damage happened", key="event.damage_happened", rule="119.4c", args={"part": 3})
    show = shown(
        Event(kind="damage", key="event.damage", rule="119.4a", args={**DEALT, "source": "First"}),
        happened,
        Event(kind="damage", key="event.damage", rule="119.4a", args={**DEALT, "source": "Second"}),
        happened,
    )
    assert [line for line in show.damage() if "deals" in line] == ["   Second deals 2 damage to Bear. [119.4a]"]


def test_nothing_before_any_damage() -> None:
    assert shown().damage() == []


@pytest.mark.rule("119.4")
def test_the_log_tells_damage_once() -> None:
    told = (
        Event(kind="damage", key="event.damage", rule="119.4a", args=DEALT),
        Event(kind="mark", key="event.mark", rule="119.3e", args={"part": 2, "amount": 2, "target": "Bear"}),
        Event(kind="damage happened", key="event.damage_happened", rule="119.4c", args={"part": 3}),
    )
    show = shown(*told)
    assert [line for event in told if (line := show.logged(event))] == ["Witherer deals 2 damage to Bear."]
