"""The door of a room: passwords and invitations, kicking, blocking and muting, limits, and a second connection."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol import people as p
from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from server.settings import Limits, People, Settings
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest, lobby_of, refusal_of, table_of

OPEN = Settings(people=People(accounts="open"))
SECRET = "open sesame"


async def opened(host: Guest, **options: object) -> str:
    reply = await host.ask(m.Open(id="o", options=RoomOptions(**options)))  # type: ignore[arg-type]
    assert isinstance(reply, m.Room)
    return reply.room.id


async def guests(lobby: object, *names: str) -> list[Guest]:
    found = [Guest(lobby) for _ in names]  # type: ignore[arg-type]
    for guest, name in zip(found, names, strict=True):
        await guest.hello(name)
    return found


async def id_of(guest: Guest) -> str:
    assert guest.client.person is not None
    return guest.client.person.id


async def test_a_locked_room_opens_by_password_and_by_invitation_even_unlisted() -> None:
    async with lobby_of() as lobby:
        host, bob, cy, dan = await guests(lobby, "Ada", "Bob", "Cy", "Dan")
        room = await opened(host, private=True, seats=4)
        await host.ask(p.RoomPassword(id="p", password=SECRET))
        state = host.last(m.Room).room
        assert state.locked and state.invitation
        assert await refusal_of(bob, m.Join(id="j", room=room)) == Code.LOCKED
        assert await refusal_of(bob, m.Watch(id="j", room=room)) == Code.LOCKED
        assert await refusal_of(bob, m.Join(id="j", room=room, password="open says me")) == Code.BAD_PASSWORD
        assert await refusal_of(bob, m.Join(id="j", room=room, invitation="guess")) == Code.BAD_PASSWORD
        await bob.ask(m.Join(id="j", room=room, password=SECRET))
        watching = await cy.ask(m.Watch(id="w", room=room, invitation=state.invitation))
        assert isinstance(watching, m.Room) and watching.room.invitation == "", "told to those with seats"
        await cy.ask(m.Leave(id="l"))
        await cy.ask(m.Resume(id="r", room=room))
        await host.ask(p.RoomPassword(id="p"))
        await dan.ask(m.Join(id="j", room=room))


async def test_how_much_of_an_invitation_is_right_is_told_neither_by_words_nor_by_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[tuple[bytes, bytes]] = []
    compare = hmac.compare_digest

    def noted(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", noted)
    async with lobby_of() as lobby:
        host, bob = await guests(lobby, "Ada", "Bob")
        room = await opened(host)
        await host.ask(p.RoomPassword(id="p", password=SECRET))
        code = host.last(m.Room).room.invitation
        wrong = [
            f"{code[:-1]}{'a' if code[-1] != 'a' else 'b'}",
            f"{'a' if code[0] != 'a' else 'b'}{code[1:]}",
            code[:-1],
            f"{code}a",
        ]
        told: set[tuple[str, str]] = set()
        for guess in wrong:
            with pytest.raises(Refusal) as no:
                await bob.ask(m.Join(id="j", room=room, invitation=guess))
            told.add((no.value.code, no.value.sentence))
        assert len(told) == 1
    assert [one for one in compared if one[1] == code.encode()] == [(guess.encode(), code.encode()) for guess in wrong]


async def test_only_the_host_or_an_admin_gives_orders_at_the_door() -> None:
    async with lobby_of(settings=OPEN) as lobby:
        host, bob, cy = await guests(lobby, "Ada", "Bob", "Cy")
        room = await opened(host)
        await bob.ask(m.Join(id="j", room=room))
        assert await refusal_of(bob, p.RoomPassword(id="p", password=SECRET)) == Code.NOT_HOST
        assert await refusal_of(bob, p.Kick(id="k", person=await id_of(host))) == Code.NOT_HOST
        await host.ask(p.RoomPassword(id="p", password=SECRET))
        link = await lobby.reception.make_link("login")
        admin = Guest(lobby)
        await admin.hello("Root", password=SECRET, link=link)
        await admin.ask(m.Watch(id="w", room=room))
        await admin.ask(p.Kick(id="k", person=await id_of(bob)))
        assert bob.client.room == ""


async def test_who_is_kicked_is_out_and_who_is_blocked_stays_out() -> None:
    async with lobby_of() as lobby:
        host, bob, cy = await guests(lobby, "Ada", "Bob", "Cy")
        room = await opened(host)
        await bob.ask(m.Join(id="j", room=room))
        await cy.ask(m.Watch(id="w", room=room))
        assert [w.name for w in host.last(m.Room).room.audience] == ["Cy"]
        await host.ask(p.Kick(id="k", person=await id_of(bob)))
        assert bob.last(m.Notice).key == "notice.kicked_out"
        await bob.ask(m.Join(id="j", room=room))
        for guest in (bob, cy):
            await host.ask(p.Kick(id="k", person=await id_of(guest), block=True))
            for again in (m.Join(id="j", room=room), m.Watch(id="w", room=room), m.Resume(id="r", room=room)):
                assert await refusal_of(guest, again) == Code.BLOCKED
        assert host.last(m.Room).room.blocked == [await id_of(bob), await id_of(cy)]
        await host.ask(p.Unblock(id="u", person=await id_of(bob)))
        await bob.ask(m.Join(id="j", room=room))
        assert await refusal_of(host, p.Kick(id="k", person=await id_of(host))) == Code.NO_SUCH_PERSON


async def test_nobody_is_kicked_out_of_a_game_and_the_door_survives_a_restart() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage) as lobby:
        table = await table_of(lobby)
        watcher = Guest(lobby)
        await watcher.hello("W")
        room = table[0].client.room
        await watcher.ask(m.Watch(id="w", room=room))
        await table[0].ask(m.Start(id="s"))
        assert await refusal_of(table[0], p.Kick(id="k", person=await id_of(table[1]))) == Code.GAME_ON
        await table[0].ask(p.Kick(id="k", person=await id_of(watcher), block=True))
        await table[0].ask(p.RoomPassword(id="p", password=SECRET))
        token = watcher.last(m.Welcome).token
        host = table[0].last(m.Welcome).token
        await lobby.people.keep(watcher.client.person)  # type: ignore[arg-type]
    async with lobby_of(storage) as lobby:
        back, watcher, other = Guest(lobby), Guest(lobby), Guest(lobby)
        await back.hello("P0", host)
        await back.ask(m.Resume(id="r", room=room))
        await watcher.hello("W", token)
        assert await refusal_of(watcher, m.Watch(id="w", room=room)) == Code.BLOCKED
        await other.hello("X")
        assert await refusal_of(other, m.Watch(id="w", room=room)) == Code.LOCKED


async def test_who_is_muted_says_nothing_and_who_is_ignored_is_not_heard() -> None:
    async with lobby_of() as lobby:
        host, bob, cy = await guests(lobby, "Ada", "Bob", "Cy")
        room = await opened(host)
        for guest in (bob, cy):
            await guest.ask(m.Join(id="j", room=room))
        await cy.ask(p.Ignore(id="i", person=await id_of(bob)))
        await bob.ask(m.Say(id="s", text="hey"))
        await bob.ask(m.Emote(id="e", emote="wow"))
        assert host.last(m.Chat).person == await id_of(bob)
        assert not any(isinstance(message, m.Chat | m.Emoted) for message in cy.read())
        await cy.ask(p.Ignore(id="i", person=await id_of(bob), ignore=False))
        await bob.ask(m.Say(id="s", text="hey again"))
        assert cy.last(m.Chat).text == "hey again"
        await host.ask(p.Mute(id="m", person=await id_of(bob)))
        assert await refusal_of(bob, m.Say(id="s", text="hey")) == Code.MUTED
        assert await refusal_of(bob, m.Emote(id="e", emote="wow")) == Code.MUTED
        await host.ask(p.Mute(id="m", person=await id_of(bob), mute=False))
        await bob.ask(m.Say(id="s", text="hey"))


async def test_another_device_takes_the_seat_over_and_both_are_told() -> None:
    async with lobby_of(settings=OPEN) as lobby:
        here, there = Guest(lobby), Guest(lobby)
        await here.hello("Ada")
        await here.ask(p.MakeAccount(id="a", password=SECRET))
        room = await opened(here)
        welcome = await there.hello("Ada", password=SECRET)
        assert welcome.rooms == [room]
        await there.ask(m.Resume(id="r", room=room))
        assert here.last(m.Notice).key == "notice.elsewhere" and here.client.room == ""
        assert there.last(m.Notice).key == "notice.took_over"
        assert there.last(m.Room).room.you == 0


async def test_a_second_connection_may_look_on_beside_the_seat_and_take_it_later() -> None:
    async with lobby_of() as lobby:
        table = await table_of(lobby)
        room = table[0].client.room
        await table[0].ask(m.Start(id="s"))
        beside = Guest(lobby)
        await beside.hello("P0", table[0].last(m.Welcome).token)
        await beside.ask(m.Watch(id="w", room=room))
        assert beside.last(m.Room).room.you is m.UNSET and table[0].client.room == room
        assert table[0].last(m.Notice).key == "notice.looks_on"
        assert beside.last(m.Notice).key == "notice.beside"
        await beside.ask(m.Resume(id="r", room=room))
        assert beside.last(m.Room).room.you == 0
        assert beside.client not in lobby.tables[room].watchers
        assert table[0].last(m.Notice).key == "notice.elsewhere"


async def test_a_seat_survives_any_number_of_lost_connections() -> None:
    async with lobby_of() as lobby:
        table = await table_of(lobby)
        room, token = table[1].client.room, table[1].last(m.Welcome).token
        await table[0].ask(m.Start(id="s"))
        guest = table[1]
        for _ in range(50):
            lobby.depart(guest.client)
            guest = Guest(lobby)
            assert (await guest.hello("P1", token)).rooms == [room]
            await guest.ask(m.Resume(id="r", room=room))
            assert guest.last(m.Room).room.you == 1
        assert len(lobby.people._known) == 2 and len(lobby.tables[room].clients()) == 2


async def test_the_rooms_of_one_person_are_limited() -> None:
    async with lobby_of(settings=Settings(limits=Limits(rooms_per_person=2))) as lobby:
        host = Guest(lobby)
        token = (await host.hello("Ada")).token
        for _ in range(2):
            await opened(host)
            lobby.depart(host.client)
            host = Guest(lobby)
            await host.hello("Ada", token)
        assert await refusal_of(host, m.Open(id="o")) == Code.TOO_MANY_SEATS


async def test_opening_and_entering_are_counted_for_each_person() -> None:
    async with lobby_of(settings=Settings(limits=Limits(opens_per_minute=2, entries_per_minute=2))) as lobby:
        host, other = Guest(lobby, "192.0.2.1"), Guest(lobby, "192.0.2.1")
        await host.hello("Ada")
        await other.hello("Bob")
        codes: list[str] = []
        for _ in range(3):
            codes.append(await refusal_of(host, m.Open(id="o")))
            if host.client.room:
                await host.ask(m.Leave(id="l"))
        assert codes == ["", "", Code.TOO_MANY_TRIES]
        codes = [await refusal_of(other, m.Join(id="j", room="nowhere")) for _ in range(3)]
        assert codes == [Code.NO_SUCH_ROOM, Code.NO_SUCH_ROOM, Code.TOO_MANY_TRIES], (
            "ids cannot be tried one after another"
        )


async def test_chat_is_counted_for_each_person() -> None:
    async with lobby_of(settings=Settings(limits=Limits(chat_per_minute=3))) as lobby:
        first, second = await table_of(lobby)
        codes = [await refusal_of(first, m.Say(id=first.id(), text="hey")) for _ in range(4)]
        assert codes == ["", "", "", Code.TOO_MANY_TRIES]
        assert await refusal_of(second, m.Say(id="s", text="quiet, please")) == ""


async def test_a_game_that_outgrows_its_journal_ends_at_once_with_notice() -> None:
    storage = MemoryStorage()
    async with lobby_of(storage, settings=Settings(limits=Limits(journal_entries=2))) as lobby:
        table = await table_of(lobby, 4)
        room = table[0].client.room
        await table[0].ask(m.Start(id="s"))
        await table[3].ask(m.Concede(id="c"))
        assert not any(isinstance(message, m.Over) for message in table[1].read())
        await table[2].ask(m.Concede(id="c"))
        await wait_all_tasks_blocked()
        assert any(isinstance(got, m.Notice) and got.key == "notice.too_long" for got in table[1].read())
        assert {standing.reason for standing in table[1].last(m.Over).result.standings} == {"lost.too_long"}
        assert lobby.tables[room].state == "over"
        (record,) = await storage.rooms()
        assert record.finished and record.entries == 3


async def four_entries(storage: MemoryStorage) -> tuple[str, Guest]:
    """A game that has begun, without a limit, and has four entries in its journal when the server stops; its room, and who made them."""
    async with lobby_of(storage) as lobby:
        ada, bob = await table_of(lobby)
        room = ada.client.room
        await ada.ask(m.Start(id="s"))
        for number in range(4):
            await bob.ask(m.Stops(id=f"n{number}", only_pass=number % 2 == 0))
        assert lobby.tables[room].state == "playing"
    return room, bob


async def test_a_journal_is_filled_by_whatever_is_written_and_its_limit_holds_after_a_restart_too() -> None:
    storage = MemoryStorage()
    room, bob = await four_entries(storage)
    small = Settings(limits=Limits(journal_entries=6))
    async with lobby_of(storage, settings=small) as lobby:
        table = lobby.tables[room]
        await wait_all_tasks_blocked()
        assert table.room is not None and (table.state, table.room.seq) == ("playing", 4)
        back = Guest(lobby)
        token = next(got.token for got in bob.got if isinstance(got, m.Welcome))
        await back.hello("P1", token)
        await back.ask(m.Resume(id="r", room=room))
        for number in range(2):
            assert table.state == "playing"
            await back.ask(m.Stops(id=f"o{number}", only_pass=number % 2 == 0))
        await wait_all_tasks_blocked()
        assert table.state == "over" and back.last(m.Over).result.standings[0].reason == "lost.too_long"


async def test_a_game_that_is_too_long_when_it_is_taken_up_ends() -> None:
    storage = MemoryStorage()
    room, _ = await four_entries(storage)
    async with lobby_of(storage, settings=Settings(limits=Limits(journal_entries=2))) as lobby:
        await wait_all_tasks_blocked()
        assert lobby.tables[room].state == "over"


@pytest.mark.parametrize("comes", [m.Join, m.Watch, m.Resume])
async def test_who_is_blocked_while_they_come_in_stays_out(
    comes: type[m.Join | m.Watch | m.Resume], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Coming in takes a while: something is written, or the room's turn has to come."""
    async with lobby_of() as lobby, trio.open_nursery() as nursery:
        host, bob = await guests(lobby, "Ada", "Bob")
        room = await opened(host, seats=3)
        await bob.ask(m.Watch(id="w", room=room))
        here, goes_on = trio.Event(), trio.Event()

        @asynccontextmanager
        async def waits(*_: object) -> AsyncIterator[None]:
            here.set()
            await goes_on.wait()
            yield

        async def waits_to_be_kept(_: object) -> None:
            async with waits():
                pass

        monkeypatch.setattr(lobby.people, "keep", waits_to_be_kept)
        monkeypatch.setattr("server.lobby.entrance._time_of", waits)
        refused: list[str] = []

        async def come() -> None:
            refused.append(await refusal_of(bob, comes(id="j", room=room)))

        nursery.start_soon(come)
        await here.wait()
        await host.ask(p.Kick(id="k", person=await id_of(bob), block=True))
        goes_on.set()
        await wait_all_tasks_blocked()
        assert refused == [Code.BLOCKED]
        assert host.last(m.Room).room.audience == [] and host.last(m.Room).room.seats[1].kind == "open"


async def test_a_password_that_was_changed_while_it_was_tried_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby_of() as lobby:
        host, bob = await guests(lobby, "Ada", "Bob")
        room = await opened(host, seats=3)
        await host.ask(p.RoomPassword(id="p", password=SECRET))
        matches = lobby.reception.accounts.passwords.matches

        async def changed_meanwhile(hashed: str, password: str) -> bool:
            right = await matches(hashed, password)
            await host.ask(p.RoomPassword(id="q", password="another sesame"))
            return right

        monkeypatch.setattr(lobby.reception.accounts.passwords, "matches", changed_meanwhile)
        assert await refusal_of(bob, m.Join(id="j", room=room, password=SECRET)) == Code.BAD_PASSWORD


@pytest.mark.parametrize("takeover", [False, True])
async def test_an_answer_in_flight_is_refused_to_who_has_left_or_lost_the_seat_meanwhile(takeover: bool) -> None:
    """Each message has one reply, also one that the room has not come to yet; it counts only for who is still there."""
    async with lobby_of() as lobby:
        ada, bob = await table_of(lobby)
        await ada.ask(m.Start(id="s"))
        question = ada.last(m.ViewMessage).question
        assert question
        room, token = ada.client.room, ada.last(m.Welcome).token
        again = Guest(lobby)
        await again.hello("P0", token)
        answer = m.AnswerMessage(id="a", question=question.id, answer=question.default)
        assert await lobby.handle(ada.client, answer) is None
        if takeover:
            lobby._entrance.resume(again.client, room, "r")
        else:
            await lobby.handle(ada.client, m.Leave(id="l"))
        await wait_all_tasks_blocked()
        assert [got.code for got in ada.read() if isinstance(got, m.Refused) and got.re == "a"] == [Code.NOT_IN_ROOM]
        if not takeover:
            await again.ask(m.Resume(id="r", room=room))
        await again.ask(m.AnswerMessage(id="b", question=question.id, answer=question.default))


@pytest.mark.parametrize(
    "messages",
    [
        (m.Ready(id="1"), m.Ready(id="2", ready=False)),
        (m.Commit(id="1", hash="a" * 64), m.Commit(id="2", hash="b" * 64)),
        (p.Unblock(id="1", person="x"), p.Unblock(id="2", person="y")),
    ],
)
async def test_what_the_table_is_told_each_time_is_counted(messages: Sequence[m.ClientMessage]) -> None:
    """Who is ready, and not, and is again: each time the whole room is told to everybody who sits or watches there."""
    async with lobby_of(settings=Settings(limits=Limits(setups_per_minute=20))) as lobby:
        ada, _, cy = await table_of(lobby, seats=3)
        said = [await refusal_of(ada, messages[number % 2]) for number in range(40)]
        assert said.count("") <= 20 and said[-1] == Code.TOO_MANY_TRIES
        assert len([got for got in cy.read() if isinstance(got, m.Room)]) < 30


async def test_nobody_is_cut_off_by_what_another_puts_to_the_vote() -> None:
    """Votes wait for a slow reader, who is cut off when too many do."""
    async with lobby_of(settings=Settings(limits=Limits(chat_per_minute=10))) as lobby:
        ada, bob = await table_of(lobby)
        await ada.ask(m.Start(id="s"))
        bob.client.outbox.hard = 40
        said: list[str] = []
        for number in range(30):
            said.append(await refusal_of(ada, m.Pause(id=f"p{number}", ms=1000)))
            said.append(await refusal_of(ada, m.Consent(id=f"c{number}", vote=f"v{number + 1}", yes=False)))
        assert Code.TOO_MANY_TRIES in said and not bob.client.outbox.overflowed
