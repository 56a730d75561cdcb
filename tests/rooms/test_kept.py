"""What a room keeps of the last questions, answers and heads: the last of them, in rows instead of dicts."""

from __future__ import annotations

from server.rooms.automatic import Automation
from server.rooms.memory import Memory, read_memory, write_memory
from server.rooms.seated import Seated
from server.rooms.seats import FRESH_LINES, KEPT_HEADS, Asked, Heads
from server.rooms.steps import KEPT, Recent, Step
from server.rules.model.questions import Number, Take


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


def recent(last: int) -> Recent:
    made = Recent()
    for number in range(1, last + 1):
        made = made.followed(number, Take(number % 3), ("priority/priority", ((number, "cast"),)))
    return made


def test_of_own_answers_the_last_are_steps_of_a_loop() -> None:
    steps = list(recent(KEPT + 5))
    assert [step.number for step in steps] == list(range(6, KEPT + 6))
    assert steps[0] == Step(6, "priority/priority", Take(0), ((6, "cast"),))
    assert recent(KEPT + 5).since(KEPT) == tuple(steps[-6:])


def test_own_answers_that_were_taken_back_are_forgotten_and_others_follow() -> None:
    before = recent(9).before(8)
    assert before == recent(7) != recent(8)
    assert before.followed(8, Take(2), ("priority/priority", ((8, "cast"),))) == recent(8)
    assert before == recent(7)


def test_own_answers_are_remembered_as_the_list_of_steps_that_they_were_first() -> None:
    written = (
        b'{"inputs":2,"seats":[{"automation":{"recent":['
        b'{"number":3,"sort":"priority/priority","answer":{"kind":"priority","index":1,"manual":false},"picked":[[7,"cast"]]},'
        b'{"number":70000,"sort":"number/x","answer":{"kind":"number","number":4}}]}}]}'
    )
    steps = Recent((Step(3, "priority/priority", Take(1), ((7, "cast"),)), Step(70000, "number/x", Number(4))))
    memory = Memory(inputs=2, seats=[Seated(automation=Automation(recent=steps))])
    assert write_memory(memory) == written
    assert read_memory(written) == memory
