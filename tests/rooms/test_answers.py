"""What a room remembers of its seats' answers: the last of each, so that one sent again is known again."""

from __future__ import annotations

from server.rooms.seats import KEPT_ANSWERS, Answers
from server.rules.model.questions import Take


def test_a_seat_that_has_answered_often_is_known_by_its_last_answers() -> None:
    answers = Answers(2)
    for question in range(1, KEPT_ANSWERS + 2):
        answers.put(question % 2, question * 2, Take(question))
        answers.put(0, question * 2 + 1, None)
    assert answers.same(1, 2, Take(1)) and not answers.was_asked(0, 3)
    assert [len(kept) for kept in answers.remembered()] == [KEPT_ANSWERS, KEPT_ANSWERS // 2 + 1]
    assert answers.same(0, KEPT_ANSWERS * 2, Take(KEPT_ANSWERS))
    assert answers.last_own(0) == KEPT_ANSWERS * 2 and answers.last_own(1) == KEPT_ANSWERS * 2 + 2


def test_what_is_answered_anew_takes_no_other_answers_place() -> None:
    answers = Answers(1)
    for question in range(KEPT_ANSWERS):
        answers.put(0, question, Take(question))
    answers.put(0, 7, Take(9))
    assert answers.same(0, 7, Take(9)) and answers.same(0, 0, Take(0)) and not answers.same(0, KEPT_ANSWERS, Take(0))


def test_answers_that_were_taken_back_are_of_questions_that_were_asked() -> None:
    answers, again = Answers(1), Answers(1)
    for question in range(5, 9):
        answers.put(0, question, Take(question))
    answers.forget_from(7, 8)
    again.recall(answers.remembered(), answers.taken_back)
    for known in (answers, again):
        assert known.last_own(0) == 6 and known.was_asked(0, 8) and not known.same(0, 8, Take(8))
        assert known.counts(6) and not known.counts(8)
