"""The log that a room keeps for those who come back: whatever lies packed comes out as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from protocol.view import Event
from server.rooms.events import Line
from server.rooms.seats import FRESH_LINES, KEPT_LINES, Log

SEATS = 2


def line(number: int, seen_by: int | None) -> Line:
    """One that all see, or that only one seat sees."""
    event = Event(
        kind="draw", key="event.draw", args={"player": "Ada", "seat": 0, "number": number, "cards": ["A", "B"]}
    )
    return Line(event) if seen_by is None else Line(None, {seen_by: event})


lines = some.lists(some.sampled_from([None, 0, 1]), max_size=KEPT_LINES + 60).map(
    lambda seers: [line(number, seer) for number, seer in enumerate(seers)]
)


@given(lines, some.integers(0, KEPT_LINES + 60), some.sampled_from([None, 0, 1]))
def test_someone_who_comes_back_hears_what_they_missed_however_long_ago(
    happened: list[Line], seen: int, viewer: int | None
) -> None:
    log = Log()
    log.add(happened)
    kept = happened[-KEPT_LINES:]
    position = max(seen, len(happened) - len(kept))
    missed = [event for line in happened[position:] if (event := line.of(viewer)) is not None]
    assert log.since(seen, viewer) == missed
    assert len(log.since(log.position(viewer, log.seen(viewer) - len(missed)), viewer)) == len(missed)


@given(lines)
def test_a_log_that_is_taken_up_again_goes_on_with_the_lines_it_was_given(happened: list[Line]) -> None:
    log, again = Log(), Log()
    log.add(happened)
    again.recall(log.last(FRESH_LINES), log.end, log.common, log.own)
    for viewer in (None, *range(SEATS)):
        assert again.seen(viewer) == log.seen(viewer)
        assert again.since(0, viewer) == log.since(0, viewer, FRESH_LINES)
