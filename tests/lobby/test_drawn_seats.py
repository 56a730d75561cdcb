"""A room in which it is drawn who sits where (806.3)."""

from __future__ import annotations

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from client_cli.session import open_session
from protocol import messages as m
from protocol.fairness import commitment
from protocol.options import RoomOptions
from server.command.decks import house_decks
from server.lobby.lobby import Lobby
from server.net.app import running
from server.rooms.verify import verify
from server.storage import Journal, MemoryStorage
from server.storage.encoding import read_setup, write_setup
from tests.lobby.parlour import Guest, lobby_of, table_of
from tests.rooms.fake import FakeGame


def seat_of(guest: Guest) -> int:
    """In which seat somebody is told to be."""
    seat = guest.last(m.Room).room.you
    assert isinstance(seat, int)
    return seat


async def seated(lobby: Lobby, seed: int, **options: object) -> tuple[list[Guest], list[int]]:
    """Four people in a game, and in which seat each is told to be."""
    guests = await table_of(lobby, 4, seed=seed, **options)
    await lobby.handle(guests[0].client, m.Start(id="go"))
    await wait_all_tasks_blocked()
    return guests, list(map(seat_of, guests))


@pytest.mark.rule("806.3")
async def test_who_sits_where_is_drawn_by_the_seed_and_everybody_plays_there() -> None:
    found: set[tuple[int, ...]] = set()
    async with lobby_of() as lobby:
        for seed in range(6):
            guests, seats = await seated(lobby, seed, draw_seats=True)
            found.add(tuple(seats))
            assert sorted(seats) == [0, 1, 2, 3]
            state = guests[0].last(m.Room).room
            assert [state.seats[seat].name for seat in seats] == ["P0", "P1", "P2", "P3"] and state.host == seats[0]
            for guest, seat in zip(guests, seats, strict=True):
                view = guest.last(m.ViewMessage)
                assert view.view["you"] == seat
                await guest.ask(m.Concede(id="bye"))
            await wait_all_tasks_blocked()
    assert len(found) > 2


@pytest.mark.rule("806.3")
async def test_the_journal_says_who_sat_where_before_and_is_verified_by_it() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage) as lobby:
        guests = await table_of(lobby, 4, draw_seats=True)
        texts = [f"what the one in seat {seat} adds" for seat in range(4)]
        for guest, text in zip(guests, texts, strict=True):
            await guest.ask(m.Commit(id=guest.id(), hash=commitment(text)))
        await lobby.handle(guests[0].client, m.Start(id="go"))
        await wait_all_tasks_blocked()
        for guest, text in zip(guests, texts, strict=True):
            await guest.ask(m.Reveal(id=guest.id(), entropy=text))
        await wait_all_tasks_blocked()
        room = str(guests[0].client.room)
        seats = list(map(seat_of, guests))
        for guest in guests[:3]:
            await guest.ask(m.Concede(id=guest.id()))
        await wait_all_tasks_blocked()
        journal = await storage.load(room)
    setup = journal.setup
    assert [setup.drawn[seat] for seat in seats] == [0, 1, 2, 3]
    assert [setup.fair.entropy[setup.drawn[seat]] for seat in seats] == texts
    assert list(verify(journal, FakeGame())) == []
    for drawn, sentence in (
        (tuple(reversed(setup.drawn)), "The seats were not drawn by that seed."),
        ((), "It is not written who sat where before the seats were drawn."),
    ):
        assert list(verify(Journal(replace(setup, drawn=drawn), journal.entries), FakeGame())) == [sentence]
    decoded = read_setup(write_setup(replace(setup, drawn=())))  # as written before that was kept
    assert decoded.drawn == () and decoded.options.draw_seats


async def test_elsewhere_everybody_sits_where_they_sat_down() -> None:
    async with lobby_of() as lobby:
        assert (await seated(lobby, 1))[1] == [0, 1, 2, 3]


@pytest.mark.rule("806.3")
async def test_bots_play_in_the_seats_that_are_drawn() -> None:
    async with running(MemoryStorage(), house_decks()) as app, open_session(app.url, "Ann") as ann:
        with trio.fail_after(60):
            made = RoomOptions(seats=4, seed=4, draw_seats=True)
            await ann.request(m.Open(id="o", options=made), m.Room)
            await ann.do(m.ChooseDeck(id="d", house="emberclan"))
            for number in range(1, 4):
                await ann.do(m.AddBot(id=f"b{number}", level="simple"))
            await ann.do(m.Start(id="s"))
            while not ann.table.started:
                await ann.receive()
            you = ann.table.you
            assert you and ann.table.view.players[str(you)].name == "Ann"
            await ann.do(m.Concede(id="c"))
            while ann.table.view.turn < 3:
                await ann.receive()
