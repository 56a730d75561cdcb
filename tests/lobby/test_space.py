"""Who may have how much of the server: nobody fills it, and whoever comes gets in."""

from __future__ import annotations

import pytest
import trio

from protocol import messages as m
from protocol import people as p
from protocol.options import RoomOptions
from protocol.refusals import Code
from server.lobby.bots import BotSeat
from server.lobby.lobby import Lobby
from server.lobby.people import Person
from server.settings import Limits, Settings
from tests.lobby.parlour import Guest, lobby_of, refusal_of


async def guest_of(lobby: Lobby, name: str, address: str) -> Guest:
    guest = Guest(lobby, address)
    await guest.hello(name)
    return guest


async def opened(lobby: Lobby, name: str, address: str, seats: int = 4) -> tuple[Guest, str]:
    """A guest with a room; the code of the refusal, if any."""
    guest = await guest_of(lobby, name, address)
    return guest, await refusal_of(guest, m.Open(id="o", options=RoomOptions(seats=seats)))


@pytest.mark.parametrize(
    ("limits", "code"), [(Limits(rooms=2), Code.TOO_MANY_ROOMS), (Limits(seats=8), Code.TOO_MANY_SEATS)]
)
async def test_rooms_with_people_in_them_are_not_closed_for_their_neighbours(limits: Limits, code: Code) -> None:
    async with lobby_of(settings=Settings(limits=limits)) as lobby:
        codes = [(await opened(lobby, f"A{n}", f"192.0.2.{n}"))[1] for n in range(3)]
        assert codes == ["", "", code]


@pytest.mark.parametrize("limits", [Limits(rooms=3), Limits(seats=12)])
async def test_where_the_server_is_full_rooms_that_were_left_before_their_game_go_first(limits: Limits) -> None:
    async with lobby_of(settings=Settings(limits=limits)) as lobby:
        hosts = [(await opened(lobby, f"A{n}", f"192.0.2.{n}"))[0] for n in range(3)]
        first, second, third = [host.client.room for host in hosts]
        lobby.depart(hosts[1].client)
        assert (await opened(lobby, "Bob", "192.0.2.9"))[1] == ""
        assert second not in lobby.tables and {first, third} <= lobby.tables.keys()


async def test_who_fills_the_server_makes_room_for_others(caplog: pytest.LogCaptureFixture) -> None:
    """Of the network that has most, the room where nothing was done for longest."""
    async with lobby_of(settings=Settings(limits=Limits(rooms=4))) as lobby:
        flood = [(await opened(lobby, f"A{n}", "198.51.100.7"))[0] for n in range(4)]
        rooms = [guest.client.room for guest in flood]
        honest, code = await opened(lobby, "Bob", "192.0.2.1")
        assert code == "" and rooms[0] not in lobby.tables
        assert flood[0].last(m.Notice).key == "notice.made_room" and flood[0].client.room == ""
        assert (await opened(lobby, "Cy", "192.0.2.2"))[1] == "", "a neighbour of the honest one"
        assert (await opened(lobby, "Dee", "192.0.2.3"))[1] == Code.TOO_MANY_ROOMS, "now they have as many"
        assert honest.client.room in lobby.tables


async def test_a_game_that_goes_on_is_closed_for_nobody() -> None:
    async with lobby_of(settings=Settings(limits=Limits(rooms=2))) as lobby:
        for number in range(2):
            host, _ = await opened(lobby, f"A{number}", "198.51.100.7", seats=2)
            other = await guest_of(lobby, f"B{number}", "198.51.100.7")
            await other.ask(m.Join(id="j", room=host.client.room))
            for guest in (host, other):
                await guest.prepare()
            await host.ask(m.Start(id="s"))
            lobby.depart(host.client)
            lobby.depart(other.client)
        assert (await opened(lobby, "Bob", "192.0.2.1"))[1] == Code.TOO_MANY_ROOMS


async def test_an_address_and_a_network_have_so_many_rooms() -> None:
    async with lobby_of(settings=Settings(limits=Limits(rooms_per_address=2, network_share=2))) as lobby:
        addresses = ["198.51.100.1"] * 3 + ["198.51.100.2"] * 3 + ["198.51.100.3", "192.0.2.1"]
        found = [await opened(lobby, f"A{n}", address) for n, address in enumerate(addresses)]
        full = Code.TOO_MANY_ROOMS
        assert [code for _, code in found] == ["", "", full, "", "", full, full, ""]
        lobby.depart(found[0][0].client)
        assert (await opened(lobby, "Bob", "198.51.100.3"))[1] == "", "one that was left goes for a neighbour"


async def test_bots_are_limited_for_each_address_its_network_and_all() -> None:
    async def bot(_: BotSeat) -> None:
        return

    limits = Limits(bots_per_address=4, network_share=2, bots=9)
    async with lobby_of(settings=Settings(limits=limits), bots=bot) as lobby:

        async def bots(name: str, address: str) -> int:
            """How many bots a guest from there can seat."""
            host, code = await opened(lobby, name, address, seats=10)
            assert not code
            return [await refusal_of(host, m.AddBot(id=host.id(), level="simple")) for _ in range(9)].count("")

        addresses = ("198.51.100.1", "198.51.100.2", "198.51.100.3", "192.0.2.1")
        assert [await bots(f"A{n}", address) for n, address in enumerate(addresses)] == [4, 4, 0, 1]


async def test_an_address_may_do_as_much_as_some_people_and_a_network_as_some_addresses() -> None:
    limits = Limits(chat_per_minute=2, address_share=2, network_share=2)
    async with lobby_of(settings=Settings(limits=limits)) as lobby:
        host, _ = await opened(lobby, "Host", "192.0.2.1", seats=10)
        said: list[int] = []
        for number, address in enumerate([*["198.51.100.1"] * 3, *["198.51.100.2"] * 3, "198.51.100.3", "203.0.113.1"]):
            guest = await guest_of(lobby, f"A{number}", address)
            await guest.ask(m.Join(id="j", room=host.client.room))
            said.append([await refusal_of(guest, m.Say(id=guest.id(), text="x")) for _ in range(3)].count(""))
        assert said == [2, 2, 0, 2, 2, 0, 0, 2]


async def test_new_guests_are_counted_for_each_address_and_come_back_freely() -> None:
    limits = Limits(guests_per_minute=2, network_share=2)
    async with lobby_of(settings=Settings(limits=limits)) as lobby:
        token = (await (first := Guest(lobby, "198.51.100.1")).hello("A0")).token
        await first.ask(m.Open(id="o"))
        addresses = ["198.51.100.1"] * 2 + ["198.51.100.2"] * 3 + ["198.51.100.3", "192.0.2.1"]
        codes = [
            await refusal_of(Guest(lobby, address), m.Hello(id="h", name=f"B{n}"))
            for n, address in enumerate(addresses)
        ]
        full = Code.TOO_MANY_TRIES
        assert codes == ["", full, "", "", full, full, ""]
        assert (await Guest(lobby, "198.51.100.1").hello("A0", token)).token == token


async def test_who_is_here_is_not_forgotten_for_new_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby.people.REMEMBERED", 10)
    async with lobby_of() as lobby:
        here = Guest(lobby)
        token = (await here.hello("Ada")).token
        gone = Guest(lobby)
        lost = (await gone.hello("Bob")).token
        lobby.depart(gone.client)
        for number in range(20):
            flood = Guest(lobby)
            await flood.hello(f"A{number}")
            lobby.depart(flood.client)
        assert await refusal_of(Guest(lobby), m.Hello(id="h", name="Ada", token=token)) == ""
        assert await refusal_of(Guest(lobby), m.Hello(id="h", name="Bob", token=lost)) == Code.BAD_TOKEN


async def test_what_is_kept_and_read_again_is_counted_for_each_person_and_address() -> None:
    """A saved deck is written down, the list of all is read again, and a password takes long to hash."""
    limits = Limits(setups_per_minute=2, replays_per_minute=2, tries_per_minute=2, address_share=2)
    async with lobby_of(settings=Settings(limits=limits)) as lobby:
        ada, bob, cy = [Guest(lobby, "192.0.2.1") for _ in range(3)]
        for guest in (ada, bob, cy):
            await guest.hello(f"N{guest.client.key}")
            await guest.ask(m.Open(id="o"))
        for message in (
            p.SaveDeck(id="d", name="bears", text="10 Bear"),
            p.ListSavedDecks(id="l"),
            p.RoomPassword(id="p", password="open sesame"),
        ):
            said = [await refusal_of(guest, message) for guest in (ada, ada, ada, bob, bob, cy)]
            assert said == ["", "", Code.TOO_MANY_TRIES, "", "", Code.TOO_MANY_TRIES], message


async def test_other_words_are_read_so_often_for_each_person_and_address() -> None:
    """Reading six hundred letters takes sixty milliseconds of everybody's time."""
    settings = Settings(limits=Limits(opens_per_minute=2, address_share=2))
    async with lobby_of(settings=settings) as lobby:
        ada, bob, cy = [Guest(lobby, "192.0.2.1") for _ in range(3)]
        for guest in (ada, bob, cy):
            await guest.hello(f"N{guest.client.key}")
        message = m.Reword(id="w", card="Bear", line="You gain 1 life, then you lose 1 life.")
        said = [await refusal_of(guest, message) for guest in (ada, ada, ada, bob, bob, cy)]
        full = Code.TOO_MANY_TRIES
        assert [code == full for code in said] == [False, False, True, False, False, True]


async def test_the_decks_of_one_person_are_bounded_together() -> None:
    async with lobby_of(settings=Settings(limits=Limits(setups_per_minute=1000))) as lobby:
        ada = Guest(lobby)
        await ada.hello("Ada")
        most = "x" * 16_000
        said = [await refusal_of(ada, p.SaveDeck(id="d", name=f"deck {n}", text=most)) for n in range(20)]
        assert said == [""] * 12 + [Code.TOO_MANY_DECKS] * 8
        await ada.ask(p.SaveDeck(id="d", name="deck 3", text="10 Bear"))
        await ada.ask(p.SaveDeck(id="d", name="deck 12", text=most))


async def test_who_hangs_up_while_their_room_is_opened_leaves_a_room_that_can_be_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with lobby_of() as lobby:
        ada = Guest(lobby)
        token = (await ada.hello("Ada")).token
        keep = lobby.people.keep
        with trio.CancelScope() as connection:

            async def gone_meanwhile(person: Person) -> None:
                await keep(person)
                connection.cancel()

            monkeypatch.setattr(lobby.people, "keep", gone_meanwhile)
            await ada.ask(m.Open(id="o", options=RoomOptions(seats=2)))
        lobby.depart(ada.client)
        monkeypatch.undo()
        (table,) = lobby.all_tables()
        again = Guest(lobby)
        await again.hello("Ada", token)
        await again.ask(m.Join(id="j", room=table.id))
        assert table.nursery is not None
