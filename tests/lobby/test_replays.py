"""Finished games seen again over the protocol: any step, from any seat, by those who played; nobody else, and never before the end."""

from __future__ import annotations

import trio.testing

from protocol import messages as m
from protocol.refusals import Code
from protocol.view import read
from server.settings import Limits, Settings
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest, lobby_of, refusal_of, table_of


async def test_a_finished_game_is_seen_again_step_by_step() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage) as lobby:
        guests = await table_of(lobby, 2)
        room = guests[0].client.room
        await guests[0].ask(m.Start(id="go"))
        assert await refusal_of(guests[0], m.Replay(id="early", room=room)) == Code.NO_REPLAY, (
            "others still hold their cards"
        )
        views = [guests[0].last(m.ViewMessage).view]
        await guests[0].ask(m.Concede(id="bye"))
        await trio.testing.wait_all_tasks_blocked()
        first = await guests[1].ask(m.Replay(id="r0", room=room, seat=0))
        assert isinstance(first, m.ReplayMoment)
        assert (first.step, first.last, first.turns) == (0, 1, [0])
        assert {**first.view, "waiting_for": None} == {**views[0], "waiting_for": None}
        shown = read(first.view)
        assert set(first.faces) == {thing.face for thing in shown.objects.values()} != set()
        end = await guests[1].ask(m.Replay(id="r1", room=room, step=99, seat=1))
        assert isinstance(end, m.ReplayMoment) and end.step == 1 and end.view["result"]
        assert [event.kind for event in end.events] == ["player loses"]
        watching = await guests[1].ask(m.Replay(id="r2", room=room))
        assert isinstance(watching, m.ReplayMoment)
        assert not any(thing.zone == "hand" for thing in read(watching.view).objects.values())
        assert await refusal_of(guests[1], m.Replay(id="r3", room=room, seat=7)) == Code.NO_SUCH_SEAT
        stranger = Guest(lobby)
        await stranger.hello("Stranger")
        assert await refusal_of(stranger, m.Replay(id="r4", room=room)) == Code.NO_REPLAY
        assert await refusal_of(stranger, m.Replay(id="r5", room="nowhere")) == Code.NO_REPLAY
        token = guests[1].last(m.Welcome).token
    async with lobby_of(storage) as lobby:
        back = Guest(lobby)
        await back.hello("P1", token)
        assert isinstance(await back.ask(m.Replay(id="r6", room=room, step=1)), m.ReplayMoment)


async def test_games_that_must_be_played_anew_and_lists_are_counted_but_not_each_step() -> None:
    async with lobby_of(settings=Settings(limits=Limits(replays_per_minute=2))) as lobby:
        guests = await table_of(lobby, 2)
        room = guests[0].client.room
        await guests[0].ask(m.Start(id="go"))
        await guests[0].ask(m.Concede(id="bye"))
        await trio.testing.wait_all_tasks_blocked()
        steps = [await refusal_of(guests[0], m.Replay(id=f"r{n}", room=room, step=n % 2)) for n in range(9)]
        assert steps == [""] * 9
        assert await refusal_of(guests[0], m.ListReplays(id="one")) == ""
        assert await refusal_of(guests[0], m.ListReplays(id="two")) == Code.TOO_MANY_TRIES
        assert await refusal_of(guests[0], m.Replay(id="other", room="nowhere")) == Code.TOO_MANY_TRIES
        assert await refusal_of(guests[1], m.ListReplays(id="hers")) == "", "the other has her own"
