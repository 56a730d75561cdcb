"""What a viewer is told is what it would be if nothing were remembered of what was told before."""

from __future__ import annotations

from server.rooms.seats import KEPT_EPOCHS, KEPT_MARKS, Marks


def test_a_place_in_the_log_stands_for_all_messages_until_the_next_one() -> None:
    marks = Marks()
    for seq, place in ((0, 4), (1, 9), (5, 12)):
        marks.put(7, seq, place)
    assert [marks.get(7, seq) for seq in range(-1, 8)] == [None, 4, 9, 9, 9, 9, 12, 12, 12]
    assert marks.get(8, 1) is None
    for seq in range(6, KEPT_MARKS + 20):
        marks.put(7, seq, 2 * seq)
    assert marks.get(7, 5) is None, "the oldest are forgotten"
    assert marks.get(7, KEPT_MARKS + 19) == 2 * (KEPT_MARKS + 19)


def test_epochs_in_which_something_was_told_lately_are_remembered() -> None:
    marks = Marks()
    for epoch in range(KEPT_EPOCHS):
        marks.put(epoch, 1, 3)
    marks.put(0, 2, 8)
    for epoch in range(1000, 1010):
        marks.put(epoch, 1, 9)
    assert marks.get(0, 2) == 8, "the oldest, but spoken in since"
    assert [marks.get(epoch, 1) for epoch in range(1, 12)] == [None] * 10 + [3]
