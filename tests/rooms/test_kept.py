"""What a room keeps of the last questions and heads: the last of them, in rows instead of dicts."""

from __future__ import annotations

from server.rooms.seats import FRESH_LINES, KEPT_HEADS, Asked, Heads


def test_where_the_log_ended_is_known_of_the_last_questions() -> None:
    asked = Asked()
    for question in range(100):
        asked.put(question, question // 2)
    assert [asked.get(question) for question in (99, 100 - FRESH_LINES)] == [49, (100 - FRESH_LINES) // 2]
    assert asked.get(99 - FRESH_LINES) is asked.get(100) is None


def test_a_question_that_is_shown_again_stands_where_the_log_ends_now() -> None:
    asked = Asked()
    asked.put(3, 10)
    asked.put(3, 12)
    assert asked.get(3) == 12


def test_of_the_heads_the_last_are_known() -> None:
    heads = Heads()
    assert heads.last == b""
    for seq in range(2 * KEPT_HEADS):
        heads.put(seq, bytes([seq]))
    assert heads.last == bytes([2 * KEPT_HEADS - 1])
    assert heads.after(KEPT_HEADS) == bytes([KEPT_HEADS])
    assert heads.after(KEPT_HEADS - 1) is heads.after(2 * KEPT_HEADS) is None
