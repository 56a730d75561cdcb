"""The log that a room keeps for those who come back: whatever lies packed comes out as it was."""

from __future__ import annotations

from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace

from protocol.view import Event
from server.knowledge.events import Line
from server.rooms.seats import FRESH_LINES, KEPT_LINES, Log

SEATS = 2


Kind: TypeAlias = tuple[int | None, bool]
"""Which seat sees a line better than others (None: all see the same), and whether the others see anything."""


def line(number: int, kind: Kind) -> Line:
    """One that all see, that one seat alone sees, or of which one seat sees more than the others."""
    seer, public = kind
    drawn = Event(kind="draw", key="event.draw", args={"player": "Ada", "seat": 0, "number": number})
    if seer is None:
        return Line(drawn)
    seen = replace(drawn, key="event.draw_seen", args={**drawn.args, "cards": ["A", "B"]})
    return Line(drawn if public else None, {seer: seen})


kinds: some.SearchStrategy[Kind] = some.sampled_from([(None, True), (0, True), (0, False), (1, True), (1, False)])
# Lists of lists, because a list of many small draws is seldom long enough for anything to lie packed.
lines = some.lists(some.lists(kinds, min_size=1, max_size=60), max_size=KEPT_LINES // 40).map(
    lambda rounds: [line(number, kind) for number, kind in enumerate(kind for round_ in rounds for kind in round_)]
)


def logged(happened: list[Line], together: int) -> Log:
    """The log of what happened, so many lines at a time."""
    log = Log()
    for first in range(0, len(happened), together):
        log.add(happened[first : first + together])
    return log


@given(lines, some.integers(0, KEPT_LINES + 60), some.sampled_from([None, 0, 1]), some.integers(1, 50))
def test_someone_who_comes_back_hears_what_they_missed_however_long_ago(
    happened: list[Line], seen: int, viewer: int | None, together: int
) -> None:
    log = logged(happened, together)
    kept = happened[-KEPT_LINES:]
    position = max(seen, len(happened) - len(kept))
    missed = [event for line in happened[position:] if (event := line.of(viewer)) is not None]
    assert log.since(seen, viewer) == missed
    assert len(log.since(log.position(viewer, log.seen(viewer) - len(missed)), viewer)) == len(missed)


@given(lines, some.integers(1, 50))
def test_a_log_that_is_taken_up_again_goes_on_with_the_lines_it_was_given(happened: list[Line], together: int) -> None:
    log, again = logged(happened, together), Log()
    again.recall(log.last(FRESH_LINES), log.end, log.common, log.own)
    for viewer in (None, *range(SEATS)):
        assert again.seen(viewer) == log.seen(viewer)
        assert again.since(0, viewer) == log.since(0, viewer, FRESH_LINES)


@pytest.mark.parametrize("together", [1, 7, 3 * KEPT_LINES])
def test_what_lies_packed_is_what_was_put_in_for_everyone(together: int) -> None:
    happened = [line(number, kind) for number, kind in enumerate([(0, True), (1, False), (None, True)] * KEPT_LINES)]
    log = logged(happened, together)
    assert log.last(KEPT_LINES) == happened[-KEPT_LINES:]
    for viewer in (None, *range(SEATS)):
        everything = [event for one in happened[-KEPT_LINES:] if (event := one.of(viewer)) is not None]
        assert log.since(0, viewer) == everything
