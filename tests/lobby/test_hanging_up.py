"""What was begun for somebody is done whole, or not at all, though their connection is lost meanwhile."""

from __future__ import annotations

import trio
import trio.lowlevel

from protocol import messages as m
from protocol import people as p
from protocol.refusals import Code
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest, lobby_of, refusal_of
from tests.lobby.test_people import INVITED, OPEN, SECRET, hello


class Fragile(MemoryStorage):
    """A disk during the writes of which the connection of whoever waits is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.connection = trio.CancelScope()

    async def put(self, kind: str, key: str, data: bytes) -> None:
        await super().put(kind, key, data)
        self.connection.cancel()
        await trio.lowlevel.checkpoint()

    async def delete(self, kind: str, key: str) -> None:
        await super().delete(kind, key)
        self.connection.cancel()
        await trio.lowlevel.checkpoint()

    async def hangs_up(self, guest: Guest, message: m.ClientMessage) -> None:
        with trio.CancelScope() as self.connection:
            await guest.ask(message)


async def test_a_link_lets_one_in_though_its_connection_is_lost() -> None:
    disk = Fragile()
    async with lobby_of(disk, settings=INVITED) as lobby:
        link = await lobby.reception.make_link("invitation")
        await disk.hangs_up(Guest(lobby), hello("Ada", password=SECRET, link=link))
        assert lobby.reception.accounts.find("Ada") is not None
        assert await refusal_of(Guest(lobby), hello("Bob", password=SECRET, link=link)) == Code.BAD_LINK
        assert (await Guest(lobby).hello("Ada", password=SECRET)).role == "account"


async def test_another_password_signs_out_elsewhere_though_the_connection_is_lost() -> None:
    disk = Fragile()
    async with lobby_of(disk, settings=OPEN) as lobby:
        here, there = Guest(lobby), Guest(lobby)
        await here.hello("Ada")
        await disk.hangs_up(here, p.MakeAccount(id="a", password=SECRET))
        token = (await there.hello("Ada", password=SECRET)).token
        await disk.hangs_up(here, p.ChangePassword(id="c", old=SECRET, new="another secret"))
        assert there.last(m.Closing).code == "signed_out"
        assert await refusal_of(Guest(lobby), hello("Ada", token=token)) == Code.BAD_TOKEN


async def test_who_is_forgotten_is_forgotten_though_the_connection_is_lost() -> None:
    disk = Fragile()
    async with lobby_of(disk, settings=OPEN) as lobby:
        ada = Guest(lobby)
        await ada.hello("Ada")
        await ada.ask(p.MakeAccount(id="a", password=SECRET))
        await ada.ask(p.SaveDeck(id="d", name="bears", text="10 Bear"))
        await disk.hangs_up(ada, p.ForgetMe(id="f", password=SECRET))
        assert await refusal_of(Guest(lobby), hello("Ada", password=SECRET)) == Code.BAD_PASSWORD
