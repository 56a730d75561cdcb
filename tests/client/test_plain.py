"""The terminal client line by line: which question a line was meant for."""

from __future__ import annotations

import io

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from client_cli import plain
from client_cli.app import App, Quit
from client_cli.scenes import seen
from client_cli.session import Session
from protocol.messages import Over, QuestionMessage
from protocol.rooms import MatchState
from protocol.view import Result
from tests.client.fake import Fake
from tests.client.tables import confirm
from tests.client.test_app import at_a_table, setting


@pytest.mark.parametrize(("typed", "begun"), [(True, "question q1"), (False, None)])
async def test_of_two_questions_a_typed_line_was_begun_for_the_first_a_piped_one_for_any(
    typed: bool, begun: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    come = trio.Event()
    got: list[tuple[str, str | None]] = []

    async def read() -> str:
        await come.wait()
        return "y\n"

    async def line(text: str, begun: str | None = None) -> None:
        got.append((text, begun))
        raise Quit("")

    async with at_a_table(Fake([confirm(1)], setting())) as app, trio.open_nursery() as nursery:
        monkeypatch.setattr(app, "line", line)
        interface = plain.Plain(app, read, io.StringIO(), typed=typed)
        interface.paint()
        nursery.start_soon(interface.run, app.session)
        await trio.testing.wait_all_tasks_blocked()
        app.session.table.question = confirm(2)
        await app.tell(QuestionMessage(epoch=1, seq=0, question=confirm(2)))
        interface.paint()
        come.set()
    assert got == [("y\n", begun)]


async def test_what_is_typed_while_nothing_is_asked_is_told_so() -> None:
    async with at_a_table(Fake([confirm(1)], setting())) as app:
        app.dialog = None
        for text in ("bananas", "99"):
            said = len(app.log)
            await app.line(text)
            assert app.log[said:] and app.log[-1].startswith("! ")


async def test_a_confirmation_about_a_game_ends_with_the_game() -> None:
    async with at_a_table(Fake([confirm(1)], setting())) as app:
        await app.line("end")
        assert app.confirming.top is not None
        await app.tell(Over(result=Result(winners=[0], standings=[])))
        assert app.confirming.top is None


async def test_between_games_the_host_is_not_yet_ready_and_an_exchange_prints_the_deck_it_makes() -> None:
    out = io.StringIO()
    async with trio.open_nursery() as nursery:
        session = Session(Fake([]).dial_memory(nursery), "Ann")
        await session.connect()
        app = App(session)
        await app.begin("r1")
        while app.room is None or session.waiting:
            await app.tell(await session.receive())
        interface = plain.Plain(app, trio.sleep_forever, out, typed=True)
        assert "ready" in seen(app).body[0]
        unready = [replace(seat, ready=False) for seat in app.room.seats]
        match = MatchState(best_of=3, game=2, wins=[1, 0], left_ms=60000, main={"Forest": 20}, sideboard={"Hill Ox": 2})
        session.table.room = replace(app.room, seats=unready, match=match)
        assert "ready" not in seen(app).body[0]
        interface.paint()
        exchanged = replace(match, main={"Forest": 19, "Hill Ox": 1}, sideboard={"Hill Ox": 1, "Forest": 1})
        session.table.room = replace(app.room, match=exchanged)
        interface.paint()
        interface.paint()
        nursery.cancel_scope.cancel()
    assert out.getvalue().count("20 Forest") == 1
    assert out.getvalue().count("19 Forest, 1 Hill Ox") == 1
