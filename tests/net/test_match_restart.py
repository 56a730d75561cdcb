"""A match through a restart of the server: its score is in the journal of the game that is played."""

from __future__ import annotations

import trio
import trio.testing
from msgspec import UNSET

from client_cli.session import open_session
from protocol import messages as m
from server.command.decks import house_decks
from server.net.app import running
from tests.net.test_match import OWN, concedes, match, match_of, next_table, room_of, until_state


async def test_the_score_and_the_sideboards_outlive_a_restart() -> None:
    async with match() as (_, storage, ann, ben):
        await concedes(ben, ann)
        await next_table(ann, ben)
        for session in (ann, ben):
            await session.do(m.Ready(id="r"))
        await until_state(ann, "playing", 2)
        assert ann.welcome is not None and ben.welcome is not None
        tokens, room = (ann.welcome.token, ben.welcome.token), room_of(ann).id
    async with (
        running(storage, house_decks(), settings=OWN) as app,
        open_session(app.url, "Ann", token=tokens[0]) as ann,
        open_session(app.url, "Ben", token=tokens[1]) as ben,
    ):
        with trio.fail_after(60):
            for session in (ann, ben):
                session.table.room = (await session.request(m.Resume(id="b", room=room), m.Room)).room
            assert match_of(ann).wins == [1, 0] and match_of(ann).game == 2
            await concedes(ann, ben)
            assert match_of(ann).wins == [1, 1] and match_of(ann).game == 3
            await next_table(ann, ben)
            assert match_of(ben).sideboard == {"Plains": 3} and match_of(ben).chooser == 0


async def test_between_two_games_a_match_outlives_a_restart() -> None:
    """Both are seated again at the table where its next game begins, with the decks of the game before."""
    async with match() as (_, storage, ann, ben):
        await concedes(ben, ann)
        await next_table(ann, ben)
        assert ann.welcome is not None and ben.welcome is not None
        tokens, room = (ann.welcome.token, ben.welcome.token), room_of(ann).id
    async with (
        running(storage, house_decks(), settings=OWN) as app,
        open_session(app.url, "Ann", token=tokens[0]) as ann,
        open_session(app.url, "Ben", token=tokens[1]) as ben,
    ):
        with trio.fail_after(60):
            for session in (ann, ben):
                session.table.room = (await session.request(m.Resume(id="b", room=room), m.Room)).room
            assert room_of(ann).state == "gathering"
            assert match_of(ann).wins == [1, 0] and match_of(ann).game == 2 and match_of(ben).chooser == 1
            assert match_of(ben).left_ms is not UNSET and match_of(ben).sideboard == {"Plains": 3}
            for session in (ann, ben):
                await session.do(m.Ready(id="r"))
            await until_state(ann, "playing", 2)
            setup = (await storage.load(room)).setup
            assert setup.match is not None and (setup.match.game, setup.match.wins, setup.first) == (2, (1, 0), 1)
            assert await storage.all("match") == {}, "the journal has it now"


async def test_a_match_whose_table_is_no_more_does_not_come_back() -> None:
    async with match() as (app, storage, ann, ben):
        await concedes(ben, ann)
        await next_table(ann, ben)
        assert len(await storage.all("match")) == 1
        for session in (ann, ben):
            await session.do(m.Leave(id="l"))
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert await storage.all("match") == {}
    async with running(storage, house_decks(), settings=OWN) as app:
        assert app.lobby.tables == {}
