"""Words and numbers that mean nothing here, and rooms that one is put out of: a person is told, and nothing is answered."""

from __future__ import annotations

import pytest
import trio.testing

from client_cli.layout import wrapped
from client_cli.scenes import seen
from protocol.messages import Notice, Vote
from protocol.questions import ConfirmAnswer
from protocol.words import catalogue, say
from tests.client.fake import Fake
from tests.client.tables import confirm
from tests.client.test_app import _screen as screen_of
from tests.client.test_app import at_a_table, pressed, setting


def test_a_number_that_no_choice_has_does_not_stay_in_the_line() -> None:
    few = screen_of(["a", "b", "c"])
    assert pressed(["9", "1"], few) == ["9", "1"]
    assert pressed(["0", "enter"], few) == [None, "0"]  # may be what Enter alone does
    assert pressed(["0", "2"], few) == [None, "2"]
    assert pressed(["1", "3"]) == [None, "13"]  # of twelve


async def test_what_was_typed_for_another_question_is_dropped_with_a_word() -> None:
    fake = Fake([confirm(1), confirm(2)], setting())
    async with at_a_table(fake) as app:
        await app.line("1", "question q0")
        assert not fake.answers and app.log[-1].endswith("nothing was answered.")
        await app.line("")
        assert not fake.answers and app.log[-1].startswith("Nothing was answered")
        await app.line("1", "question q1")
        await app.tell(await app.session.receive())
        assert len(fake.answers) == 1


async def test_a_word_that_is_none_here_is_told_so() -> None:
    fake = Fake([confirm(1)], setting())
    async with at_a_table(fake) as app:
        await app.line("keep")
        assert app.log[-1].startswith('! "keep" is no word here')
        await app.line("deck mine.txt")
        assert app.log[-1] == '! "deck" is for a room before its game.'
        await app.line("9")
        assert app.log[-1] == "! A number from 1 to 2, please."
        app.place = "room"
        await app.line("sitin 2")
        assert app.log[-1] == '! "sitin" is for the table of a game.'
        assert not fake.answers


@pytest.mark.parametrize("word", ["yes", "no"])
async def test_yes_and_no_answer_a_question_for_yes_or_no_where_nothing_is_put_to_the_vote(word: str) -> None:
    fake = Fake([confirm(1), confirm(2)], setting())
    async with at_a_table(fake) as app:
        await app.tell(Vote(vote="v1", what="pause", by=1, yes=[1], waiting=[0], left_ms=60_000, ms=300_000))
        await app.line(word)
        assert not fake.answers
        await app.tell(Vote(vote="v1", what="pause", by=1, yes=[1], result="failed"))
        await app.line(word, "question q0")
        assert not fake.answers and "nothing was answered" in app.log[-1]
        await app.line(word)
        await trio.testing.wait_all_tasks_blocked()
        assert fake.answers == [ConfirmAnswer(yes=word == "yes")]


async def test_who_is_put_out_of_a_room_is_at_the_list_of_tables_and_does_not_come_back_by_itself() -> None:
    fake = Fake([confirm(1)], setting())
    async with at_a_table(fake) as app:
        room = app.session.room
        for other in ("another", room):
            assert app.place == "table"
            notice = Notice(key="notice.elsewhere", text="elsewhere", args={"room": other})
            app.session._note(notice)
            await app.tell(notice)
        assert app.place == "rooms" and app.session.room == ""
        assert app.log[-1] == "You are connected from elsewhere; this connection has left the room."
        await app.tell(await app.session.receive())
        assert "open a table for four" in seen(app).choices


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_wrong_with_a_line_is_told_in_the_lines_of_the_smallest_screen(lang: str) -> None:
    """The log has three lines there: a longer sentence would lose its beginning."""
    for key in (key for key in catalogue(lang) if key.endswith(("_how", "_wrong")) and key.startswith("ui.")):
        if key not in ("ui.stops_how", "ui.paste_how"):  # these are read in full
            assert len(wrapped(["! " + say(key, lang)], 80)) <= 3, key
