"""What is said at the table beside answers: the lines a person types, and what the server tells, in words."""

from __future__ import annotations

import pytest
import trio

from client_cli.app import App
from client_cli.scenes import seen
from client_cli.session import Session
from protocol import messages as m
from protocol.by_hand import Ballot
from protocol.questions import PriorityAnswer
from protocol.table import Effects
from tests.client.fake import Fake
from tests.client.tables import confirm
from tests.client.test_app import priority, setting, typed


def sent(fake: Fake, kind: type[m.ClientMessage]) -> list[m.ClientMessage]:
    return [message for message in fake.got if isinstance(message, kind)]


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("pause 5", m.Pause, {"ms": 300_000}),
        ("pause", m.Pause, {"ms": 600_000}),
        ("go", m.Unpause, {}),
        ("slow 3", m.LongerClock, {"times": 3}),
        ("sitin 2", m.BotFor, {"seat": 1}),
        ("end\n1", m.EndGame, {}),
        ("forget", m.Forget, {"key": ""}),
        ("e good_game", m.Emote, {"emote": "good_game"}),
        ("always", m.Always, {"question": "q0", "yes": True}),
        ("never", m.Always, {"question": "q0", "yes": False}),
        ("w y", m.Preview, {"question": "q0"}),
    ],
)
async def test_a_line_is_one_message(line: str, kind: type[m.ClientMessage], fields: dict[str, object]) -> None:
    fake = Fake([confirm(0), confirm(1)], setting())
    await typed(fake, f"2\n4\n{line}\n", room="r1")
    (message,) = sent(fake, kind)
    for name, value in fields.items():
        assert getattr(message, name) == value


async def test_the_top_of_the_stack_is_yielded_to() -> None:
    made = setting()
    fake = Fake([priority(made)], made)
    await typed(fake, "2\n4\nyield\nw 1\n", room="r1")
    (message,) = sent(fake, m.Yield)
    assert isinstance(message, m.Yield) and message.object == made.view().stack[-1]
    (preview,) = sent(fake, m.Preview)
    assert isinstance(preview, m.Preview) and preview.answer == PriorityAnswer(index=1)


async def test_answers_are_taken_back_and_repeated_by_their_questions() -> None:
    fake = Fake([confirm(0), confirm(1), confirm(2)], setting())
    out, _ = await typed(fake, "2\n4\nback\nloop 2 9\ny\ny\nback 2\nloop 2 9\n", room="r1")
    assert [message.question for message in sent(fake, m.TakeBack)] == ["q0"]  # type: ignore[union-attr]
    assert [(message.since, message.times) for message in sent(fake, m.Repeat)] == [("q0", 9)]  # type: ignore[union-attr]
    assert "That cannot be taken back." in out and "There is nothing to repeat." in out


async def told(*messages: m.ServerMessage, lang: str = "en") -> App:
    """An app at a table that is told these messages."""
    made = setting()
    fake = Fake([priority(made)], made)
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Ann", lang=lang)
        await session.connect()
        app = App(session, lang)
        session.table.feed(m.ViewMessage(epoch=1, seq=1, view=fake.whole().view, faces=made.faces))
        for message in messages:
            await app.tell(message)
        await session.aclose()
        nursery.cancel_scope.cancel()
    return app


async def test_a_vote_is_asked_in_words_and_its_end_is_told() -> None:
    vote = m.Vote(vote="v1", what="pause", by=1, yes=[1], waiting=[0, 2], left_ms=60_000, ms=300_000)
    app = await told(vote, m.Vote(vote="v1", what="pause", by=1, yes=[0, 1, 2], result="passed"))
    assert app.log == ["Bob wants a pause of 5 minutes.", "Agreed."]


async def test_our_own_vote_is_told_by_our_name() -> None:
    app = await told(m.Vote(vote="v1", what="pause", by=0, yes=[0], waiting=[1, 2], left_ms=60_000, ms=300_000))
    assert app.log == ["Ann wants a pause of 5 minutes."]


async def test_a_vote_is_a_numbered_choice_until_one_has_said() -> None:
    vote = m.Vote(vote="v1", what="pause", by=1, yes=[1], waiting=[0, 2], left_ms=60_000, ms=300_000)
    app = await told(vote)
    assert seen(app).prompt == "Bob wants a pause of 5 minutes."
    assert seen(app).numbered() == ["1. agree", "2. do not agree", "3. decide later (the words yes and no)"]
    await app.tell(m.Vote(vote="v1", what="pause", by=1, yes=[0, 1], waiting=[2], left_ms=60_000, ms=300_000))
    assert app.confirming.top is None


async def test_a_vote_is_open_no_more_when_the_connection_is_lost_unless_it_is_told_again() -> None:
    vote = m.Vote(vote="v1", what="takeback", by=1, yes=[1], waiting=[0, 2], left_ms=60_000)
    app = await told(vote)
    assert app.session.on_lost is not None
    app.session.on_lost("the server is gone")
    assert app.confirming.top is None
    await app.tell(m.Vote(vote="v1", what="end", by=2, yes=[2], waiting=[0, 1], left_ms=60_000))
    assert seen(app).prompt == "Cid wants to end the game without a result."


async def test_a_ballot_is_open_no_more_when_the_connection_is_lost_unless_it_is_told_again() -> None:
    ballot = Ballot(ballot="b1", what="correct", by=1, yes=[1], waiting=[0, 2], left_ms=60_000)
    app = await told(ballot)
    assert app.confirming.top is not None and app.session.on_lost is not None
    app.session.on_lost("the server is gone")
    assert app.confirming.top is None
    await app.tell(ballot)
    assert app.confirming.top is not None


async def test_a_forecast_is_told_in_words() -> None:
    effects = Effects(life={"1": -3}, loses=[1], unsure=True)
    app = await told(
        m.Forecast(re="1", question="q1", effects=effects),
        m.Forecast(re="2", question="q1"),
        m.Forecast(re="3", question="q1", legal=False, code="x", sentence="No.", rule="509.1b"),
    )
    assert app.log == [
        "Bob: -3 life.",
        "Bob would lose.",
        "The rest depends on what nobody knows yet.",
        "Nothing would change.",
        "! No. (509.1b)",
    ]
    french = await told(m.Forecast(re="1", question="q1", effects=effects), lang="fr")
    assert french.log[1] == "Bob perdrait la partie."


async def test_whose_clock_runs_is_in_the_first_line() -> None:
    app = await told(m.ClockMessage(seat=1, by="bank", left_ms=65_000))
    assert app.orders.clock() == "Bob 1:05"
