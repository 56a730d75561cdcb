"""Fair shuffles: the server commits to a secret, seats to entropy of their own; nobody chose the cards, and all can check it."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from msgspec import UNSET
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from client_cli.asides import OwnChance
from protocol import messages as m
from protocol.fairness import commitment, faults, seed_of
from protocol.refusals import Code
from server.rooms import RULES
from server.rooms.verify import verify
from server.storage import Fairness, Journal, MemoryStorage
from tests.lobby.parlour import Guest, lobby_of, refusal_of, table_of
from tests.rooms.test_recover import begun, goes_on, taken_up

ENTROPY = ("the first one's own chance", "", "the third one's own chance")


async def settle() -> None:
    await wait_all_tasks_blocked()


def test_the_seed_is_made_of_the_secret_and_all_entropy() -> None:
    assert seed_of("secret", ()) == seed_of("secret", ("", "")) == "secret"
    seeds = {seed_of("secret", e) for e in (("a", "b"), ("b", "a"), ("a", ""), ("", "a"), ("a", "b", ""))}
    assert len(seeds) == 5


def test_what_does_not_fit_is_found() -> None:
    commits = tuple(commitment(text) if text else "" for text in ENTROPY)
    chance = commitment("secret")
    assert faults("secret", chance, ENTROPY, commits) == []
    assert len(faults("another", chance, ENTROPY, commits)) == 1
    assert len(faults("secret", chance, ("other", "", ENTROPY[2]), commits)) == 1
    assert len(faults("secret", chance, (ENTROPY[0], "late", ENTROPY[2]), commits)) == 1
    assert len(faults("secret", chance, ENTROPY[:2], commits)) == 1


async def commit(guest: Guest, text: str) -> None:
    number = guest.id()
    assert await guest.ask(m.Commit(id=number, hash=commitment(text))) == m.Ok(re=number)


async def test_a_game_is_dealt_from_what_everyone_revealed() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage) as lobby:
        guests = await table_of(lobby, 3)
        chance = guests[0].last(m.Room).room.chance
        assert len(chance) == 64
        for guest, text in zip(guests, ENTROPY, strict=True):
            if text:
                await commit(guest, text)
        assert [seat.commit for seat in guests[1].last(m.Room).room.seats] == [
            commitment(text) if text else "" for text in ENTROPY
        ]
        early = m.Reveal(id="early", entropy=ENTROPY[0])
        assert await refusal_of(guests[0], early) == Code.BAD_ENTROPY
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await settle()
        wanted = guests[2].last(m.RevealWanted)
        assert wanted.chance == chance and wanted.commits[0] == commitment(ENTROPY[0])
        assert await refusal_of(guests[0], m.Reveal(id="wrong", entropy="something else....")) == Code.BAD_ENTROPY
        for guest, text in zip(guests, ENTROPY, strict=True):
            if text:
                assert await guest.ask(m.Reveal(id="re", entropy=text)) == m.Ok(re="re")
        await settle()
        state = guests[1].last(m.Room).room
        assert state.state == "playing" and state.chance == chance and tuple(state.entropy) == ENTROPY
        room = lobby.tables[state.id].room
        assert room is not None and room.setup.rules.seed == seed_of(room.fairness.secret, ENTROPY)
        for guest in guests[:2]:
            await guest.ask(m.Concede(id="bye"))
        await settle()
        over = guests[2].last(m.Over)
        assert commitment(over.seed) == chance and tuple(over.entropy) == ENTROPY
        assert faults(over.seed, chance, over.entropy, wanted.commits) == []


async def test_who_does_not_reveal_keeps_the_game_from_starting(autojump_clock: trio.abc.Clock) -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        chance = guests[0].last(m.Room).room.chance
        await commit(guests[0], ENTROPY[0])
        await commit(guests[1], ENTROPY[2])
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await settle()
        await guests[0].ask(m.Reveal(id="r", entropy=ENTROPY[0]))
        await trio.sleep(11)
        await settle()
        refused = next(got for got in guests[0].read() if isinstance(got, m.Refused) and got.re == "go")
        assert refused.code == Code.NOT_REVEALED and "P1" in refused.sentence
        told = [got for got in guests[1].read() if isinstance(got, m.Notice)]
        assert [one.args["names"] for one in told] == ["P1"], "the others are told why, too"
        state = guests[0].last(m.Room).room
        assert state.state == "gathering" and state.chance != chance, (
            "another secret: somebody knows too much of this one"
        )
        assert not any(seat.commit for seat in state.seats)
        await lobby.handle(guests[0].client, m.Start(id="again"))
        for guest, text in zip(guests, (ENTROPY[0], ENTROPY[2]), strict=True):
            await commit(guest, text)
        await settle()
        for guest, text in zip(guests, (ENTROPY[0], ENTROPY[2]), strict=True):
            await guest.ask(m.Reveal(id="r", entropy=text))
        await settle()
        assert guests[0].last(m.Room).room.state == "playing"


async def test_a_game_waits_ten_seconds_for_entropy_that_was_announced(autojump_clock: trio.abc.Clock) -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        for guest in guests:
            guest.client.commits = True
        await commit(guests[0], ENTROPY[0])
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await settle()
        assert not any(isinstance(got, m.RevealWanted) for got in guests[0].read())
        assert await refusal_of(guests[1], m.Ready(id="r", ready=False)) == Code.GAME_ON
        await trio.sleep(9.9)
        assert not any(isinstance(got, m.RevealWanted) for got in guests[0].read())
        await trio.sleep(0.2)
        assert any(isinstance(got, m.RevealWanted) for got in guests[0].read())
        assert await refusal_of(guests[1], m.Commit(id="late", hash=commitment(ENTROPY[2]))) == Code.GAME_ON
        await guests[0].ask(m.Reveal(id="r", entropy=ENTROPY[0]))
        await settle()
        state = guests[1].last(m.Room).room
        assert state.state == "playing" and state.entropy == [ENTROPY[0], ""]


@pytest.mark.parametrize("gone", [False, True])
async def test_a_game_waits_no_longer_than_until_the_last_has_added_entropy_or_has_gone(
    autojump_clock: trio.abc.Clock, gone: bool
) -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        for guest in guests:
            guest.client.commits = True
        await commit(guests[0], ENTROPY[0])
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await trio.sleep(1)
        assert not any(isinstance(got, m.RevealWanted) for got in guests[0].read())
        if gone:
            lobby.depart(guests[1].client)
        else:
            await commit(guests[1], ENTROPY[2])
        await trio.sleep(1)
        wanted = guests[0].last(m.RevealWanted)
        assert wanted.commits == [commitment(ENTROPY[0]), "" if gone else commitment(ENTROPY[2])]


@pytest.mark.parametrize("revealing", [False, True])
async def test_a_host_who_leaves_while_entropy_is_awaited_calls_the_start_off(
    autojump_clock: trio.abc.Clock, revealing: bool
) -> None:
    """Their seat is free at once, somebody else is the host, and the table can be filled and started again."""
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 3)
        for guest in guests:
            guest.client.commits = True
        for guest, text in zip(guests, ("a" * 32, "b" * 32, "c" * 32), strict=True):
            if revealing or guest is not guests[2]:
                await commit(guest, text)
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await settle()
        chance = guests[1].last(m.Room).room.chance
        await guests[0].ask(m.Leave(id="out"))
        await settle()
        refused = next(got for got in guests[0].read() if isinstance(got, m.Refused) and got.re == "go")
        assert refused.code == Code.NOT_READY
        state = guests[1].last(m.Room).room
        assert [seat.kind for seat in state.seats] == ["open", "person", "person"] and state.host == 1
        assert state.state == "gathering" and state.chance != chance and not any(seat.commit for seat in state.seats)
        await guests[1].ask(m.SetOptions(id="two", options=replace(state.options, seats=2)))
        for guest in guests[1:]:
            await guest.ask(m.Ready(id="r"))
            await commit(guest, "d" * 32)
        await lobby.handle(guests[1].client, m.Start(id="go"))
        await settle()
        for guest in guests[1:]:
            await guest.ask(m.Reveal(id="v", entropy="d" * 32))
        await settle()
        assert guests[1].last(m.Room).room.state == "playing"


async def test_who_leaves_before_the_wait_for_entropy_has_begun_calls_the_start_off(
    autojump_clock: trio.abc.Clock,
) -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 3)
        for guest in guests:
            guest.client.commits = True
        began = trio.current_time()
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await lobby.handle(guests[2].client, m.Leave(id="out"))
        await settle()
        refused = next(got for got in guests[0].read() if isinstance(got, m.Refused) and got.re == "go")
        assert refused.code == Code.NOT_READY and trio.current_time() - began < 1


async def test_who_comes_back_while_entropy_is_revealed_is_asked_for_it_again(autojump_clock: trio.abc.Clock) -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        for guest, text in zip(guests, ("a" * 32, "b" * 32), strict=True):
            await commit(guest, text)
        room = guests[1].client.room
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await settle()
        token = guests[1].last(m.Welcome).token
        lobby.depart(guests[1].client)
        back = Guest(lobby)
        await back.hello("P1", token)
        await back.ask(m.Resume(id="back", room=room))
        assert any(isinstance(got, m.RevealWanted) for got in back.read())
        for guest, text in ((guests[0], "a" * 32), (back, "b" * 32)):
            await guest.ask(m.Reveal(id="v", entropy=text))
        await settle()
        assert back.last(m.Room).room.state == "playing"


async def test_all_are_told_why_a_rematch_does_not_begin(autojump_clock: trio.abc.Clock) -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        await guests[0].ask(m.Start(id="go"))
        await settle()
        await guests[0].ask(m.Concede(id="x"))
        await settle()
        await guests[0].ask(m.Rematch(id="again"))
        await commit(guests[0], ENTROPY[0])
        await guests[1].ask(m.Rematch(id="again"))
        await trio.sleep(11)
        for guest in guests:
            assert "P0" in guest.last(m.Notice).text
        assert guests[0].last(m.Room).room.state == "gathering"


async def test_a_room_with_a_seed_takes_no_entropy() -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        options = replace(guests[0].last(m.Room).room.options, seed=7)
        await guests[0].ask(m.SetOptions(id="o", options=options))
        assert await refusal_of(guests[0], m.Commit(id="c", hash=commitment("x"))) == Code.BAD_ENTROPY
        state = guests[0].last(m.Room).room
        assert state.seeded and state.options.seed is UNSET


async def test_a_client_adds_entropy_by_itself_and_checks_the_end() -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, 2)
        chances = [OwnChance(), OwnChance()]

        async def talk() -> None:
            await settle()
            for guest, chance in zip(guests, chances, strict=True):
                fresh, guest.got = guest.read(), []
                for message in fresh:
                    said = chance.said(message, guest.id)
                    if said is not None:
                        await guest.ask(said)

        await talk()
        await talk()
        assert all(place.commit for place in lobby.tables[guests[0].client.room].places)
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await talk()
        await settle()
        assert lobby.tables[guests[0].client.room].state == "playing"
        await guests[0].ask(m.Concede(id="bye"))
        await talk()
        assert [chance.faults for chance in chances] == [[], []]


async def test_a_finished_game_is_verified_from_its_journal() -> None:
    storage = MemoryStorage()
    await begun(storage, 10)
    await goes_on(await taken_up(storage))
    journal = await storage.load("whole")
    assert journal.setup.fairness is not None
    assert list(verify(journal, RULES, journal.setup.fairness.chance)) == []
    assert list(verify(journal, RULES, "another")) == ["The secret is not the one that was committed to."]
    cut = Journal(journal.setup, journal.entries[:-3])
    assert list(verify(cut, RULES)) == ["The journal does not reach the end of a game."]
    stacked = replace(journal.setup, fairness=Fairness(secret="another"))
    assert "was not dealt from the seed" in next(iter(verify(Journal(stacked, journal.entries), RULES)))
    teams = replace(journal.setup.options, teams=[0, 1, 0, 1][: len(journal.setup.seats)], draw_teams=True)
    said = next(iter(verify(Journal(replace(journal.setup, options=teams), journal.entries), RULES)))
    assert said == "The teams were not drawn by that seed."
    other = replace(journal.setup, rules=replace(journal.setup.rules, seed="another"))
    assert len(list(verify(Journal(other, journal.entries), RULES))) == 2, "and its answers do not fit"


@pytest.fixture
def autojump_clock() -> trio.abc.Clock:
    return trio.testing.MockClock(autojump_threshold=0)
