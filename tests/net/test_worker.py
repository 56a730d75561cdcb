"""Work for people in a process of its own: bounded in time and memory, in turn, and whatever it does, only that piece is refused."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import trio
import trio.testing
from msgspec import UNSET
from msgspec.structs import replace

from protocol import messages as m
from protocol.messages import Forecast
from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from server.command.decks import HouseDecks
from server.lobby.lobby import Lobby
from server.net.app import running
from server.rooms import RULES
from server.rooms.foresight import Foreseen, Foresight
from server.rooms.slices import Slices
from server.rooms.worker import NICE, PYTHON_NEEDS, WAITING, Worker, WorkerError, open_process
from server.rules.model import Take
from server.rules.turn import legal
from server.settings import Limits, Listen, Settings
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest, refusal_of
from tests.net.test_websocket import REQUEST, says, wired
from tests.rooms.test_whole_games import setup_of

DOES = """
import json, os, sys, time
from server.rooms.worker import begin_work
work = begin_work()
while (body := work.next()) is not None:
    match body:
        case b"sleeps": time.sleep(60)
        case b"dies": os._exit(3)
        case b"raises": raise ValueError("no")
        case b"tells": body = json.dumps([dict(os.environ), sorted(os.listdir("/proc/self/fd"))]).encode()
        case b"prints": print("x" * 100)
        case b"fills":
            try: bytearray(2 << 30)
            except MemoryError: work.answer(b""); continue
        case _: pass
    work.answer(b"%d %s" % (os.getpid(), body))
"""


@asynccontextmanager
async def worker(seconds: float = 30.0) -> AsyncIterator[Worker]:
    made = Worker([sys.executable, "-c", DOES], seconds)
    with trio.fail_after(60):
        try:
            yield made
        finally:
            await made.aclose()


async def asked(one: Worker, body: bytes, who: str = "") -> tuple[bytes, bytes]:
    process, _, answer = (await one.ask(body, who)).partition(b" ")
    return process, answer


async def test_one_process_does_one_piece_of_work_after_the_other() -> None:
    async with worker() as one:
        first, answer = await asked(one, b"this")
        assert answer == b"this"
        assert await asked(one, b"prints") == (first, b"prints"), "what is printed is no answer"
        assert await asked(one, b"x" * 1_000_000) == (first, b"x" * 1_000_000)


@pytest.mark.parametrize("what", [b"dies", b"raises", b"fills"])
async def test_work_that_ends_its_process_or_has_no_room_is_refused_and_the_next_is_done_anew(what: bytes) -> None:
    async with worker() as one:
        before, _ = await asked(one, b"this")
        with pytest.raises(WorkerError):
            await one.ask(what)
        after, answer = await asked(one, b"that")
        assert answer == b"that" and after != before


async def test_work_that_takes_too_long_is_refused_and_the_next_is_done_anew() -> None:
    async with worker() as one:
        before, _ = await asked(one, b"this")
        one._seconds = 0.2
        with pytest.raises(WorkerError, match="longer than"):
            await one.ask(b"sleeps")
        one._seconds = 30.0
        after, _ = await asked(one, b"that")
        assert after != before


async def test_what_nobody_waits_for_any_more_holds_nobody() -> None:
    async with worker() as one:
        await asked(one, b"this")
        with trio.move_on_after(0.2) as given_up:
            await one.ask(b"sleeps")
        assert given_up.cancelled_caught
        assert (await asked(one, b"that"))[1] == b"that"


async def test_who_asks_for_much_waits_behind_themselves_and_for_more_is_refused() -> None:
    async with worker() as one:
        done: list[str] = []

        async def ask(who: str) -> None:
            await one.ask(b"this", who)
            done.append(who)

        async with trio.open_nursery() as nursery:
            for _ in range(WAITING):
                nursery.start_soon(ask, "Greedy")
            await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(Refusal) as no:
                await one.ask(b"this", "Greedy")
            assert no.value.code == Code.BUSY
            nursery.start_soon(ask, "Modest")
        assert done.index("Modest") <= 2
        assert (await asked(one, b"that", "Greedy"))[1] == b"that"


async def test_who_asks_under_many_names_waits_behind_their_own_address() -> None:
    async with worker() as one:
        done: list[str] = []

        async def ask(who: str, around: tuple[str, str]) -> None:
            await one.ask(b"this", who, around)
            done.append(who)

        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(ask, f"Greedy {number}", ("192.0.2.0/24", "192.0.2.7"))
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(ask, "Neighbour", ("192.0.2.0/24", "192.0.2.8"))
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(ask, "Modest", ("198.51.100.0/24", "198.51.100.1"))
        assert done.index("Modest") <= 3 and done.index("Neighbour") <= 5


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="looks into /proc")
async def test_a_process_that_works_for_people_has_none_of_our_files_and_no_secret_of_our_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("APNAP_PEOPLE_ADMIN", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "a secret")
    with (tmp_path / "journal").open("w") as ours:
        os.set_inheritable(ours.fileno(), True)
        async with worker() as one:
            environment, files = json.loads((await asked(one, b"tells"))[1])
    assert set(environment) <= {*PYTHON_NEEDS, "LC_CTYPE"}, "Python says itself that it writes UTF-8"
    assert len(files) <= 5, "its input, output and errors, where it answers, and the list itself"


async def test_who_hangs_up_while_they_wait_for_their_turn_is_counted_no_more() -> None:
    """Not even where what they went on to send is still unread."""
    settings = Settings(listen=Listen(port=0), limits=Limits(idle_seconds=0.6))
    async with worker() as one, trio.open_nursery() as nursery:
        nursery.start_soon(one.ask, b"this", "somebody else")
        one._busy = True
        async with running(MemoryStorage(), HouseDecks(worker=one), settings=settings) as app:
            async with wired(app) as ada:
                lists = [says("check_deck", f"c{number}", text="60 Mountain") for number in range(2)]
                await ada.send(says("hello", "h", name="Ada"), *lists, first=REQUEST)
                with trio.fail_after(5):
                    while len(one._asked) < 2:
                        await trio.testing.wait_all_tasks_blocked(0.01)
                assert app.endpoint.connections == 1
            with trio.fail_after(5):
                await app.endpoint.empty()
            assert list(one._asked) == ["somebody else"]
        one._next()


DRAKE = '[[card]]\nname = "Kettle Drake"\ntypes = "Creature — Drake"\ncost = "{2}{R}"\npower = "2"\ntoughness = "2"\ntext = "Flying"\n'


async def test_decks_are_read_in_a_process_of_their_own_as_they_are_here(tmp_path: Path) -> None:
    reader = Worker([sys.executable, "-m", "server.command.deck_reader", str(tmp_path)])
    there, here = HouseDecks(worker=reader), HouseDecks()
    with trio.fail_after(60):
        try:
            list_ = "4 Kettle Drake\n56 Mountain"
            assert await there.read(list_, DRAKE) == await here.read(list_, DRAKE)
            for text, own in ((list_, ""), (list_, DRAKE.replace("Flying", "Frobnicate.")), (list_, "no toml")):
                with pytest.raises(Refusal) as no:
                    await here.read(text, own)
                with pytest.raises(Refusal) as same:
                    await there.read(text, own)
                assert (same.value.code, same.value.sentence) == (no.value.code, no.value.sentence)
            assert await there.check("60 Mountain") == await here.check("60 Mountain")
            assert await there.check("60 Montain") == await here.check("60 Montain")
            assert reader._process is not None
            reader._process.kill()
            await reader._process.wait()  # another begins
            assert len((await there.read("60 Mountain")).cards) == 60
        finally:
            await reader.aclose()


async def seated(guests: list[Guest], lobby: Lobby) -> None:
    """At one table, where the game has begun."""
    room = ""
    for number, guest in enumerate(guests):
        await guest.hello(f"P{number}")
        opens = m.Open(id="o", options=RoomOptions(seats=2)) if not number else m.Join(id="j", room=room)
        await guest.ask(opens)
        room = guest.client.room
        await guest.ask(m.ChooseDeck(id="d", house=lobby.decks.summaries()[number].name))
        await guest.ask(m.Ready(id="r"))
    await guests[0].ask(m.Start(id="s"))


async def test_finished_games_are_played_again_in_a_process_of_their_own_and_show_what_they_show_here() -> None:
    storage, decks = MemoryStorage(), HouseDecks()
    player = Worker([sys.executable, "-m", "server.lobby.replayer"])
    lobby = Lobby(storage, decks, game=RULES, replayer=player)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            await nursery.start(lobby.run)
            guests = [Guest(lobby) for _ in range(2)]
            await seated(guests, lobby)
            room = guests[0].client.room
            assert await refusal_of(guests[1], m.Replay(id="early", room=room)) == Code.NO_REPLAY
            assert player._process is not None, "it was asked, and knew nothing"
            await guests[0].ask(m.Concede(id="c"))
            await trio.testing.wait_all_tasks_blocked()
            here = Lobby(storage, decks, game=RULES)
            for step in (0, 1):
                for seat in (0, 1, UNSET):
                    asked = m.Replay(id="a", room=room, step=step, seat=seat)
                    there = await guests[1].ask(asked)
                    assert guests[1].client.person is not None
                    assert there == replace(await here._replays.show(guests[1].client.person, asked), re="a")
            assert await refusal_of(guests[1], m.Replay(id="b", room=room, seat=7)) == Code.NO_SUCH_SEAT
            stranger = Guest(lobby)
            await stranger.hello("Stranger")
            assert await refusal_of(stranger, m.Replay(id="b", room=room)) == Code.NO_REPLAY
            assert lobby._replays.at_hand(room)
            player._process.kill()
            await player._process.wait()
            assert not lobby._replays.at_hand(room), "it has to be played again, which counts"
            assert isinstance(await guests[1].ask(m.Replay(id="z", room=room)), m.ReplayMoment)
            nursery.cancel_scope.cancel()
        await player.aclose()


async def test_previews_of_large_tables_are_looked_at_in_a_process_of_their_own_and_say_what_they_say_here() -> None:
    setup, chance, told = setup_of(3, "f2"), random.Random(3), Forecast(question="q")
    process, share = Worker([sys.executable, "-m", "server.rooms.foreseer"]), Slices().share()
    here, there = Foresight(setup, RULES), Foresight(setup, RULES)
    there.elsewhere, there._too_many = process.ask, 0
    state, _ = RULES.start(setup)
    effects = 0
    with trio.fail_after(60):
        try:
            for _ in range(150):
                pending = state.pending
                assert pending is not None
                answer = legal.sample(pending, state, chance)
                if answer != RULES.default(state, pending):
                    seen = await there.look(told, share, state, pending.seat, answer)
                    assert seen == await here.look(told, share, state, pending.seat, answer)
                    effects += bool(seen.effects is not None and (seen.effects.life or seen.effects.taps))
                state, _ = RULES.submit(state, pending.seat, answer)
            assert effects > 3
            assert state.pending is not None
            no = await there.look(told, share, state, state.pending.seat, Take(77))
            assert not no.legal and no == await here.look(told, share, state, state.pending.seat, Take(77))
        finally:
            await process.aclose()


async def test_previews_elsewhere_wait_in_the_turn_of_their_person_and_of_where_they_are() -> None:
    """Else a person at many tables, or many guests of one address, would wait as if they were as many people."""
    asked: list[tuple[str, tuple[str, str]]] = []

    class Told(Worker):
        async def ask(self, body: bytes, who: str = "", around: tuple[str, str] = ("", "")) -> bytes:
            asked.append((who, around))
            return msgspec.msgpack.encode(Foreseen(code="elsewhere"))

    lobby = Lobby(MemoryStorage(), HouseDecks(), game=RULES)
    lobby.foreseer = Told([])
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            await nursery.start(lobby.run)
            guests = [Guest(lobby, address) for address in ("192.0.2.7", "198.51.100.1")]
            await seated(guests, lobby)
            room = lobby.tables[guests[0].client.room].room
            assert room is not None
            room._requests.foresight._too_many = 0
            await trio.testing.wait_all_tasks_blocked()
            asks: list[tuple[Guest, m.Question]] = []
            while not asks:
                await trio.sleep(0.01)
                for one in guests:
                    one.read()
                    told = [each for each in one.got if isinstance(each, m.QuestionMessage | m.ViewMessage)]
                    asks += [(one, each.question) for each in told if each.question]
            guest, question = asks[0]
            answer = await guest.ask(m.Preview(id="p", question=question.id, answer=question.default))
            assert isinstance(answer, Forecast) and answer.code == "elsewhere"
            assert guest.client.person is not None
            assert asked == [(guest.client.person.id, (guest.client.peer.network, guest.client.peer.address))]
            assert all(asked[0][1])
            nursery.cancel_scope.cancel()


async def test_a_preview_goes_elsewhere_once_it_takes_long_here_and_those_of_as_large_tables_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setup, told, share = setup_of(3, "f2"), Forecast(question="q"), Slices().share()
    state, _ = RULES.start(setup)
    assert state.pending is not None
    asked: list[bytes] = []
    begun: list[int] = []

    async def elsewhere(body: bytes, who: str) -> bytes:
        asked.append(body)
        return msgspec.msgpack.encode(Foreseen(code="elsewhere"))

    def steps(*given: object) -> Iterator[None]:
        begun.append(1)
        while True:
            yield None

    monkeypatch.setattr("server.rooms.foresight.forecasting", steps)
    foresight = Foresight(setup, RULES)
    foresight.elsewhere = elsewhere
    answer = RULES.default(state, state.pending)
    for _ in range(2):
        assert (await foresight.look(told, share, state, state.pending.seat, answer)).code == "elsewhere"
    assert len(begun) == 1 and len(asked) == 2 and asked[0] is not asked[1] and asked[0] == asked[1]


async def test_what_works_for_a_server_is_behind_its_tables_from_its_first_import_on() -> None:
    process = await open_process([sys.executable, "-c", "import sys; sys.stdin.read()"])
    assert process.stdin is not None and process.stdout is not None
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
    await process.stdin.aclose()
    await process.stdout.aclose()
    assert await process.wait() == 0


async def test_where_no_process_may_step_back_what_works_for_a_server_begins_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuses(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refuses)
    process = await open_process([sys.executable, "-c", "import sys; sys.stdin.read()"])
    assert process.stdin is not None and process.stdout is not None
    await process.stdin.aclose()
    await process.stdout.aclose()
    assert await process.wait() == 0
