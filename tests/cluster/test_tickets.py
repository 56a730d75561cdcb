"""Tickets to another address of the server's: of use once, for a while, for who got them."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from protocol import messages as m
from protocol.people import ForgetMe
from protocol.refusals import Code
from server.lobby.lobby import Lobby
from server.net.workers import tickets
from server.net.workers.nodes import Far
from server.net.workers.passing import Ways
from server.net.workers.tickets import SECONDS, Tickets
from tests.cluster.test_together import two
from tests.lobby.parlour import Guest, refusal_of


async def test_a_ticket_is_redeemed_once() -> None:
    issued = Tickets()
    issued.issue("key", b"said")
    assert issued.redeem("other") is None
    assert issued.redeem("key") == b"said"
    assert issued.redeem("key") is None


async def test_a_ticket_is_good_for_half_a_minute(autojump_clock: trio.testing.MockClock) -> None:
    issued = Tickets()
    for key in ("early", "late"):
        issued.issue(key, b"said")
        await trio.sleep(SECONDS - 1)
    assert issued.redeem("early") is None
    assert issued.redeem("late") == b"said"


async def test_tickets_that_nobody_uses_do_not_pile_up(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tickets, "MOST", 3)
    issued = Tickets()
    for key in "abcd":
        issued.issue(key, b"said")
    assert issued.redeem("a") is None and issued.redeem("b") == b"said"
    await trio.sleep(SECONDS + 1)
    issued.issue("e", b"said")
    assert len(issued) == 1


async def ticket_of(lobby: Lobby, room: str) -> tuple[Guest, str]:
    """Ada, who has said hello there, and a ticket of hers."""
    ada = Guest(lobby, "192.0.2.1")
    await ada.hello("Ada")
    assert ada.client.person is not None
    await lobby.people.keep(ada.client.person)
    return ada, await lobby.reception.issue(ada.client, room)


async def test_who_comes_by_a_ticket_is_who_got_it_with_the_same_session() -> None:
    async with two() as (here, there):
        ada, ticket = await ticket_of(here, "r")
        came = Guest(there, "192.0.2.1")
        welcome = await came.hello("Somebody", ticket=ticket)
        assert welcome.name == "Ada" and welcome.token == ""
        assert ada.client.person is not None and welcome.person == ada.client.person.id
        assert came.client.session == ada.client.session


async def test_a_ticket_is_no_good_when_its_session_has_ended() -> None:
    async with two() as (here, there):
        ada, ticket = await ticket_of(here, "r")
        person = ada.client.person
        assert person is not None
        await here.people.begin(person, "another device")
        await here.people.end(person, person.sessions[0])
        assert len(person.sessions) == 1, "the other one goes on"
        came = Guest(there, "192.0.2.1")
        assert await refusal_of(came, m.Hello(id="h", name="Ada", ticket=ticket)) == Code.BAD_TICKET


async def test_a_ticket_counts_as_a_hello_of_its_address() -> None:
    async with two() as (_, there):
        came = Guest(there, "192.0.2.1")
        tries = there.settings.limits.hellos_per_minute
        said = [await refusal_of(came, m.Hello(id="h", name="Ada", ticket="forged")) for _ in range(tries + 1)]
        assert set(said[:-1]) == {Code.BAD_TICKET} and said[-1] == Code.TOO_MANY_TRIES


async def test_who_came_for_a_room_does_nothing_before_it_asks_for_that() -> None:
    async with two() as (here, there):
        host = Guest(there, "192.0.2.2")
        await host.hello("Cleo")
        opened = await host.ask(m.Open(id="o"))
        assert isinstance(opened, m.Room)
        _, ticket = await ticket_of(here, opened.room.id)
        came = Guest(there, "192.0.2.1")
        await came.hello("Ada", ticket=ticket)
        asked = (m.Open(id="1"), m.Join(id="2", room="other"), m.Join(id="3", room="other"), ForgetMe(id="4"))
        for first in (*asked, m.ListRooms(id="5")):
            assert await refusal_of(came, first) == Code.BAD_TICKET
        assert isinstance(await came.ask(m.Join(id="j", room=opened.room.id)), m.Room)
        await came.ask(m.Leave(id="l"))
        assert await refusal_of(came, m.Open(id="p")) == "", "from then on as anybody"


@pytest.mark.parametrize(
    ("url", "there"),
    [
        ("https://two.table.example/", "wss://two.table.example/ws"),
        ("http://two.table.example:8802", "ws://two.table.example:8802/ws"),
        ("", ""),
    ],
)
def test_nobody_is_sent_to_a_node_that_says_no_address_of_its_own(url: str, there: str) -> None:
    far = Far("10.0.0.2:8803", 0, b"", "", url)
    assert Ways(lambda _: far).url_of(1) == there
    assert Ways(lambda _: "/a/worker/of/this/node").url_of(1) == ""
