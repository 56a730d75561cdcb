"""Bots that people watch: they wait until what was before has been seen, and a moment more; not before what does nothing."""

from __future__ import annotations

import trio
import trio.testing
from msgspec.structs import replace

from client_cli.bot_kit import play
from client_cli.session import Session
from client_cli.watching import FIGHT, LAND, MOST, PLAYED, THINKS, TURN, WENT, Watched, seconds
from protocol.messages import AnswerMessage, ClientMessage, Patch
from protocol.questions import ConfirmAnswer, PlayerChoice
from protocol.view import AttackView, CombatView, ObjectView, PlayerView, View
from tests.client.fake import Fake, Send
from tests.client.tables import confirm
from tests.client.test_session import Fixed, seated

QUESTIONS = 20
SHORT, LONG = (QUESTIONS * one for one in THINKS)
QUIET = View(
    turn=5,
    phase="combat",
    step="declare_attackers",
    active=0,
    players={str(seat): PlayerView(name="Elm", life=20) for seat in range(2)},
    battlefield=["1", "2"],
)


class Going(Fake):
    """Before each question so many turns have gone by."""

    turns = 0

    async def message(self, message: ClientMessage, send: Send) -> bool:
        if self.turns and isinstance(message, AnswerMessage):
            self.seq += 1
            await send(Patch(epoch=1, seq=self.seq, patch={"turn": 5 + self.turns * self.seq}))
        return await super().message(message, send)


async def played(watched: Watched | None, *, yes: bool = True, turns: int = 0) -> float:
    """Seconds that a bot takes that always says the same."""
    fake = Going([confirm(i) for i in range(QUESTIONS)])
    fake.turns = turns
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        session = Session(fake.dial_memory(nursery), "Elm")
        await seated(session)
        outcome = await play(session, Fixed(ConfirmAnswer(yes=yes)), watched)
        await session.aclose()
    assert outcome.decisions == QUESTIONS
    return trio.current_time() - start


async def test_a_watched_bot_waits_until_what_was_before_has_been_seen(autojump_clock: trio.testing.MockClock) -> None:
    seen = (QUESTIONS - 1) * FIGHT  # with each answer somebody loses life
    assert SHORT + seen <= await played(Watched(3)) <= LONG + seen


async def test_however_much_has_happened_it_does_not_wait_for_ever(autojump_clock: trio.testing.MockClock) -> None:
    taken = await played(Watched(3), turns=9)
    assert SHORT + (QUESTIONS - 1) * MOST <= taken <= LONG + (QUESTIONS - 1) * MOST


async def test_what_has_been_seen_meanwhile_is_not_waited_for(autojump_clock: trio.testing.MockClock) -> None:
    watched, question = Watched(3), confirm()
    assert watched.wait(QUIET, question, question.default) == 0
    await trio.sleep(TURN)
    least, most = THINKS
    assert least <= watched.wait(replace(QUIET, turn=6), question, ConfirmAnswer(yes=True)) <= most


async def test_it_passes_at_once(autojump_clock: trio.testing.MockClock) -> None:
    assert await played(Watched(3), yes=False, turns=1) == 0


async def test_a_bot_that_nobody_watches_does_not_wait(autojump_clock: trio.testing.MockClock) -> None:
    assert await played(None, turns=1) == 0


def test_what_is_seen_is_read_from_what_has_changed() -> None:
    attack = CombatView(attackers={"1": AttackView(defender=PlayerChoice(seat=1))})
    blocked = CombatView(attackers={"1": AttackView(defender=PlayerChoice(seat=1), blockers=["2"])})
    hurt = {**QUIET.players, "1": PlayerView(name="Elm", life=18)}
    assert seconds(QUIET, replace(QUIET, step="end")) == 0
    assert seconds(QUIET, replace(QUIET, stack=["7", "8"])) == 2 * PLAYED
    assert seconds(QUIET, replace(QUIET, combat=attack)) == FIGHT
    assert seconds(replace(QUIET, combat=attack), replace(QUIET, combat=blocked)) == FIGHT
    assert seconds(QUIET, replace(QUIET, players=hurt)) == FIGHT
    for types, lasts in (["land"], LAND), (["creature"], PLAYED):
        thing = ObjectView(zone="battlefield", owner=0, controller=0, types=types)
        came = replace(QUIET, objects={"3": thing}, battlefield=["1", "2", "3"])
        assert seconds(QUIET, came) == lasts
    assert seconds(QUIET, replace(QUIET, battlefield=["1"])) == WENT
