"""What is a person's own: decks, data, what they report; how long it is kept, and that it can be deleted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import trio

from protocol import messages as m
from protocol import people as p
from protocol.options import RoomOptions
from protocol.refusals import Code
from protocol.replays import FinishedGame
from server.lobby.lobby import Lobby
from server.lobby.people import Person
from server.rooms import replay
from server.settings import People, Privacy, Settings
from server.storage import MemoryStorage, Sitting, Storage, make_setup
from tests.lobby.parlour import Guest, lobby_of, refusal_of, table_of
from tests.rooms.fake import BEAR, FakeGame

OPEN = Settings(people=People(accounts="open", saved_decks=2))
SECRET = "correct horse battery"
LIST = "10 Bear"


def someone(guest: Guest) -> Person:
    assert guest.client.person is not None
    return guest.client.person


async def test_decks_are_kept_by_name_and_played() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, settings=OPEN) as lobby:
        ada = Guest(lobby)
        token = (await ada.hello("Ada")).token
        await ada.ask(p.SaveDeck(id="1", name="bears", text="old"))
        await ada.ask(p.SaveDeck(id="1", name=" bears ", text=LIST))
        await ada.ask(p.SaveDeck(id="2", name="more", text=LIST))
        assert await refusal_of(ada, p.SaveDeck(id="3", name="most", text=LIST)) == Code.TOO_MANY_DECKS
        await ada.ask(p.ForgetDeck(id="4", name="more"))
        assert await refusal_of(ada, p.ForgetDeck(id="4", name="more")) == Code.NO_SUCH_DECK
    async with lobby_of(storage, settings=OPEN) as lobby:
        ada, other = Guest(lobby), Guest(lobby)
        await ada.hello("Ada", token)
        await other.hello("Bob")
        kept = await ada.ask(p.ListSavedDecks(id="l"))
        assert isinstance(kept, p.SavedDecks) and kept.saved == {"bears": LIST}
        for guest in (ada, other):
            await guest.ask(m.Open(id="o"))
        await ada.ask(m.ChooseDeck(id="d", saved="bears"))
        assert await refusal_of(other, m.ChooseDeck(id="d", saved="bears")) == Code.NO_SUCH_DECK
        assert await refusal_of(ada, m.ChooseDeck(id="d", saved="bears", house="bears")) == Code.BAD_DECK


async def test_a_report_has_the_chat_before_it_and_the_place_in_the_journal() -> None:
    async with lobby_of(settings=Settings(privacy=Privacy(chat_lines=2))) as lobby:
        table = await table_of(lobby)
        await table[0].ask(m.Start(id="s"))
        for text in ("one", "two", "three"):
            await table[1].ask(m.Say(id="c", text=text))
        bad = someone(table[1])
        await table[0].ask(p.Report(id="r", person=bad.id, text="rude"))
        assert await refusal_of(table[0], p.Report(id="r", person="nobody")) == Code.NO_SUCH_PERSON
        (report,) = await lobby.personal.reports()
        assert (report.by_name, report.name, report.text) == ("P0", "P1", "rude")
        assert [line.text for line in report.chat] == ["two", "three"]
        running = lobby.tables[report.room].room
        assert running is not None and report.entry == running.seq
        stranger = Guest(lobby)
        await stranger.hello("X")
        assert await refusal_of(stranger, p.Report(id="r", person=bad.id)) == Code.NOT_IN_ROOM


async def test_a_report_has_all_the_chat_as_long_as_it_is_short() -> None:
    async with lobby_of(settings=Settings(privacy=Privacy(chat_lines=5))) as lobby:
        table = await table_of(lobby)
        await table[0].ask(m.Start(id="s"))
        for text in ("one", "two", "three"):
            await table[1].ask(m.Say(id="c", text=text))
        await table[0].ask(p.Report(id="r", person=someone(table[1]).id, text="rude"))
        (report,) = await lobby.personal.reports()
        assert [line.text for line in report.chat] == ["one", "two", "three"]


async def test_what_is_not_reported_is_not_written_down() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage) as lobby:
        table = await table_of(lobby)
        await table[0].ask(m.Start(id="s"))
        await table[1].ask(m.Say(id="c", text="between us"))
    assert b"between us" not in everything(storage)


async def test_people_are_told_how_long_things_are_kept() -> None:
    async with lobby_of(settings=Settings(privacy=Privacy(journal_days=7, chat_lines=3))) as lobby:
        guest = Guest(lobby)
        await guest.hello("Ada")
        told = await guest.ask(p.Privacy(id="p"))
        assert told == p.PrivacyMessage(re="p", journal_days=7, report_days=90, guest_days=365, chat_lines=3)


async def finished(lobby: Lobby) -> tuple[list[Guest], str]:
    """A game of two that is over, both still there."""
    table = await table_of(lobby)
    room = table[0].client.room
    await table[0].ask(m.Start(id="s"))
    await table[1].ask(m.Concede(id="c"))
    running = lobby.tables[room].room
    assert running is not None
    with trio.fail_after(5):
        await running.over.wait()
    return table, room


async def test_ones_data_are_told_and_deleted_and_replays_keep_a_pseudonym() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, settings=OPEN) as lobby:
        table, room = await finished(lobby)
        one = table[1]
        me = someone(one)
        await one.ask(p.MakeAccount(id="a", password=SECRET))
        await one.ask(p.SaveDeck(id="d", name="bears", text=LIST))
        await one.ask(m.Say(id="c", text="my words"))
        await table[0].ask(p.Report(id="r", person=me.id))
        await one.ask(p.Report(id="r", person=someone(table[0]).id, text="slow"))
        told = await one.ask(p.MyData(id="d"))
        assert isinstance(told, p.MyDataMessage)
        assert told.data["person"] == {"id": me.id, "name": "P1", "role": "account", "ignored": []}
        assert told.data["games"] == [room] and told.data["decks"] == {"bears": LIST}
        reports: Any = told.data["reports"]
        assert reports[0]["text"] == "slow"
        token = one.last(m.Welcome).token
        assert await refusal_of(one, p.ForgetMe(id="f", password="wrong wrong")) == Code.BAD_PASSWORD
        await one.ask(p.ForgetMe(id="f", password=SECRET))
        assert one.last(m.Closing).code == "forgotten"
        assert await refusal_of(Guest(lobby), m.Hello(id="h", name="P1", token=token)) == Code.BAD_TOKEN
        assert await refusal_of(Guest(lobby), m.Hello(id="h", name="P1", password=SECRET)) == Code.BAD_PASSWORD
        assert lobby.tables[room].places[1].person.name == "Player 2"  # type: ignore[union-attr]
    for trace in (me.id, '"P1"', "my words", LIST):
        assert trace.encode() not in everything(storage), trace
    setup = await storage.setup(room)
    assert [seat.name for seat in setup.seats] == ["P0", "Player 2"]
    *_, last = replay(await storage.load(room), FakeGame())
    assert last.after.result is not None, "the journal still replays"


async def test_who_has_a_seat_in_a_game_that_goes_on_is_not_forgotten() -> None:
    async with lobby_of() as lobby:
        table = await table_of(lobby)
        await table[0].ask(m.Start(id="s"))
        assert await refusal_of(table[0], p.ForgetMe(id="f")) == Code.IN_PLAY


async def test_a_replay_is_its_players_own_until_all_publish_it() -> None:
    async with lobby_of() as lobby:
        table, room = await finished(lobby)
        stranger = Guest(lobby)
        await stranger.hello("X")
        see = m.Replay(id="see", room=room)
        assert await refusal_of(table[0], see) == ""
        assert await refusal_of(stranger, see) == Code.NO_REPLAY
        await table[0].ask(p.Publish(id="p", room=room))
        assert await refusal_of(stranger, see) == Code.NO_REPLAY
        await table[1].ask(p.Publish(id="p", room=room))
        assert await refusal_of(stranger, see) == ""
        await table[1].ask(p.Publish(id="p", room=room, publish=False))
        assert await refusal_of(stranger, see) == Code.NO_REPLAY
        assert await refusal_of(stranger, p.Publish(id="p", room=room)) == Code.NOT_YOUR_GAME


async def test_a_game_of_bots_alone_has_been_published_by_nobody() -> None:
    bots = [Sitting(name=f"Bot{number}", kind="bot", deck=(BEAR,) * 10) for number in range(2)]
    setup = make_setup(room="r1", options=RoomOptions(seats=2), seed="s", sittings=bots)
    async with lobby_of() as lobby:
        guest = Guest(lobby)
        await guest.hello("Ada")
        assert not await lobby.personal.may_see(someone(guest), setup)


async def test_finished_games_are_listed_for_those_who_may_see_them() -> None:
    async with lobby_of() as lobby:
        table, room = await finished(lobby)
        stranger = Guest(lobby)
        await stranger.hello("X")

        async def seen_by(guest: Guest) -> list[FinishedGame]:
            reply = await guest.ask(m.ListReplays(id="which"))
            assert isinstance(reply, m.Replays)
            return reply.games

        await table[0].ask(p.Publish(id="p", room=room))
        (game,) = await seen_by(table[0])
        assert (game.room, game.names, game.mine, game.published, game.open) == (room, ["P0", "P1"], True, True, False)
        assert [game.published for game in await seen_by(table[1])] == [False]
        assert await seen_by(stranger) == []
        await table[1].ask(p.Publish(id="p", room=room))
        assert [(game.mine, game.open) for game in await seen_by(stranger)] == [(False, True)]


async def test_what_is_too_old_is_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = MemoryStorage()
    rules = Settings(privacy=Privacy(journal_days=10, report_days=10, guest_days=10))
    async with lobby_of(storage, settings=rules) as lobby:
        table, room = await finished(lobby)
        await table[0].ask(p.Report(id="r", person=someone(table[1]).id))
        for guest in table:
            lobby.depart(guest.client)
        await lobby.close_room(lobby.tables[room])
        await lobby.personal.sweep()
        assert await storage.rooms() and await lobby.personal.reports() and await storage.all("person")
        later = someone(table[0]).sessions[0].seen + 11 * 86_400
        monkeypatch.setattr("server.lobby.personal.time.time", lambda: later)
        await lobby.personal.sweep()
        assert not await storage.rooms() and not await lobby.personal.reports() and not await storage.all("person")


def everything(storage: Storage) -> bytes:
    """All that a memory storage holds."""
    assert isinstance(storage, MemoryStorage)
    setups = [data for data, _ in storage._setups.values()]
    entries = [line for lines in storage._entries.values() for line in lines]
    return b"\n".join([*storage._records.values(), *setups, *entries, msgspec.json.encode(list(storage._records))])
