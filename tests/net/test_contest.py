"""Contests with bots that come over the network: they sit where the contest says, again for each game, and are told no more than others."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from client_cli import bot_kit, bots
from client_cli.bot_kit import Outcome
from client_cli.channels import Channel, memory_channels
from client_cli.errors import RequestRefused
from client_cli.player import Player
from client_cli.session import Session, open_session
from client_cli.table import Table
from protocol import JSON_SUBPROTOCOL
from protocol.messages import ClientMessage, Over
from protocol.questions import Answer, PriorityAnswer, PriorityQuestion, Question
from protocol.replays import ListReplays, Replay
from protocol.rooms import AddBot, Join, Open, Resume, Room, Start, Watch
from protocol.table import EndGame, Pause
from server.command.decks import house_decks
from server.command.main import main
from server.contests import HostedGame, HostedResult
from server.net.connection import MemoryConnection
from server.net.contest import Contest, hosting
from server.net.session import serve_connection
from server.settings import Listen
from tests.lobby.parlour import Guest

ROOT = Path(__file__).resolve().parents[2]


@asynccontextmanager
async def contest(*names: str) -> AsyncIterator[Contest]:
    with trio.fail_after(120):
        async with hosting(house_decks(), names, Listen(port=0)) as hosted:
            yield hosted


def game(number: int, *who: str, answer_ms: int = 0, most_turns: int = 200) -> HostedGame:
    return HostedGame(
        number=number,
        bots=who,
        decks=("emberclan", "rootmoot")[: len(who)] if len(who) == 2 else ("emberclan",) * len(who),
        seeds=tuple(range(len(who))),
        edition="current",
        seed=11,
        first=0,
        answer_ms=answer_ms,
        most_turns=most_turns,
    )


class Noting:
    """Plays as the simple bot, and notes in which seat and what it was dealt."""

    def __init__(self) -> None:
        self.dealt: list[tuple[int, list[str]]] = []
        self.anew()

    def anew(self) -> None:
        self._player, self._asked = bots.make("simple"), 0

    def answer(self, table: Table, question: Question) -> Answer:
        if not self._asked:
            seat = table.you or 0
            self.dealt.append((seat, sorted(map(table.name, table.view.players[str(seat)].hand))))
        self._asked += 1
        return self._player.answer(table, question)


async def come(session: Session, name: str, player: Player) -> Outcome:
    """One game."""
    await bot_kit.take_seat(session, name, deck="emberclan")
    return await bot_kit.play(session, player)


async def rounds(hosted: Contest, *games: HostedGame) -> list[HostedResult]:
    return [await hosted.play(one) for one in games]


async def test_one_connection_plays_the_mirrored_games_with_the_decks_and_the_seed_of_the_contest() -> None:
    notes = {"a": Noting(), "b": Noting()}
    outcomes: list[Outcome] = []
    async with contest("a", "b") as hosted, trio.open_nursery() as nursery:

        async def plays(name: str) -> None:
            async with open_session(hosted.url, "first", bot=True) as session:
                for _ in range(2):
                    notes[name].anew()
                    outcomes.append(await come(session, name, notes[name]))

        nursery.start_soon(plays, "a")
        nursery.start_soon(plays, "b")
        one, other = await rounds(hosted, game(1, "remote:a", "remote:b"), game(2, "remote:b", "remote:a"))
    assert (one.number, other.number) == (1, 2)
    assert one.winners == other.winners, "the same bot in both seats: the seat and its deck decide"
    assert one.answers == other.answers and min(one.answers) > 10
    assert one.failures == one.timeouts == (0, 0)
    assert all(ms > 0 for ms in one.ms)
    (a0, hand_a0), (a1, hand_a1) = notes["a"].dealt
    (b0, hand_b0), (b1, hand_b1) = notes["b"].dealt
    assert (a0, b0) == (0, 1) == (b1, a1)
    assert hand_a0 == hand_b1 != hand_b0 == hand_a1, "each is dealt what the other was"
    overs = [outcome.over for outcome in outcomes if outcome.over is not None]
    assert len(overs) == 4
    assert all(over.seed == over.salt == "" and over.state_hash for over in overs), "the seed is dealt again"


@asynccontextmanager
async def opponent(hosted: Contest, name: str) -> AsyncIterator[None]:
    """A simple bot that comes as often as it is wanted."""
    async with trio.open_nursery() as nursery:

        async def plays() -> None:
            async with open_session(hosted.url, name, bot=True) as session:
                while True:
                    await come(session, name, bots.make("simple"))

        nursery.start_soon(plays)
        yield
        nursery.cancel_scope.cancel()


async def test_a_bot_contends_until_the_contest_is_over() -> None:
    games: list[int] = []
    async with trio.open_nursery() as nursery, contest("a", "b") as hosted:

        async def contends() -> None:
            async with open_session(hosted.url, "first", bot=True) as session:
                games.append(await bot_kit.contend(session, "a", lambda: bots.make("simple")))

        nursery.start_soon(contends)
        async with opponent(hosted, "b"):
            await rounds(hosted, game(1, "remote:a", "remote:b"), game(2, "remote:b", "remote:a"))
    assert games == [2]


class Dying:
    """Dies at its twentieth question."""

    def __init__(self) -> None:
        self._count = 0

    def answer(self, table: Table, question: Question) -> Answer:
        self._count += 1
        if self._count == 20:
            raise KeyboardInterrupt
        return question.default


async def test_a_program_that_dies_comes_back_to_its_game_without_a_token() -> None:
    came: list[Outcome] = []
    async with contest("a", "b") as hosted, opponent(hosted, "b"), trio.open_nursery() as nursery:

        async def dies_and_comes_back() -> None:
            with pytest.raises(BaseExceptionGroup):
                async with open_session(hosted.url, "first", bot=True) as session:
                    await come(session, "a", Dying())
            async with open_session(hosted.url, "first", bot=True) as session:
                came.append(await come(session, "a", bots.make("simple")))

        nursery.start_soon(dies_and_comes_back)
        result = await hosted.play(game(1, "remote:a", "remote:b"))
    assert came[0].over is not None and came[0].decisions
    assert result.answers[0] == 19 + came[0].decisions
    assert hosted.lobby.came["a"] == 2
    assert result.failures == (0, 0)


async def test_who_waits_for_a_seat_is_listened_to() -> None:
    def pings(url: str) -> bool:
        with connect(url, subprotocols=[Subprotocol(JSON_SUBPROTOCOL)]) as socket:
            socket.send('{"type": "hello", "id": "1", "name": "first", "bot": true}')
            socket.recv()
            socket.send('{"type": "join", "id": "2", "room": "a"}')
            return socket.ping().wait(10)

    async with contest("a") as hosted:
        assert await trio.to_thread.run_sync(pings, hosted.url)


async def test_who_goes_as_soon_as_it_has_joined_harms_nobody() -> None:
    async with contest("a", "b") as hosted, opponent(hosted, "b"):
        guest = Guest(hosted.lobby)
        await guest.hello("first", bot=True)
        await hosted.lobby.handle(guest.client, Join(id="2", room="a"))
        hosted.lobby.depart(guest.client)
        await trio.testing.wait_all_tasks_blocked()
        async with opponent(hosted, "a"):
            result = await hosted.play(game(1, "remote:a", "remote:b"))
    assert result.winners


async def test_who_leaves_before_the_game_leaves_the_seat_to_the_next() -> None:
    async with contest("a", "b") as hosted, opponent(hosted, "b"), trio.open_nursery() as nursery:
        results: list[HostedResult] = []

        async def hosts() -> None:
            results.append(await hosted.play(game(1, "remote:a", "remote:b", most_turns=2)))

        nursery.start_soon(hosts)
        async with open_session(hosted.url, "first", bot=True) as session:
            await session.request(Join(id=session.new_id(), room="a"), Room)
        async with open_session(hosted.url, "first", bot=True) as session:
            outcome = await come(session, "a", bots.make("simple"))
    assert outcome.over is not None
    assert results[0].winners == (), "a game that is too long is drawn"
    assert results[0].turns == 3


class Wrong:
    """Answers what is not legal."""

    def answer(self, table: Table, question: Question) -> Answer:
        return PriorityAnswer(index=10_000) if isinstance(question, PriorityQuestion) else question.default


async def test_illegal_answers_are_counted_and_the_default_is_played() -> None:
    async with contest("a", "b") as hosted, opponent(hosted, "b"), trio.open_nursery() as nursery:
        outcomes: list[Outcome] = []

        async def plays() -> None:
            async with open_session(hosted.url, "first", bot=True) as session:
                outcomes.append(await come(session, "a", Wrong()))

        nursery.start_soon(plays)
        result = await hosted.play(game(1, "remote:a", "remote:b"))
    assert result.failures == (outcomes[0].refusals, 0)
    assert 0 < result.failures[0] < result.answers[0]
    assert result.winners == (1,)


async def test_several_programs_of_one_name_sit_at_one_table() -> None:
    names: list[list[str]] = []
    async with contest("a") as hosted, trio.open_nursery() as nursery:

        async def plays() -> None:
            async with open_session(hosted.url, "first", bot=True) as session:
                await come(session, "a", bots.make("simple"))
                assert session.table.room is not None
                names.append([seat.name for seat in session.table.room.seats])

        for _ in range(3):
            nursery.start_soon(plays)
        result = await hosted.play(game(1, "remote:a", "remote:a", "remote:a"))
    assert len(result.winners) == 1
    assert len(set(names[0])) == 3


async def test_a_bot_of_ours_plays_in_a_process_and_tells_what_it_did() -> None:
    async with contest("a") as hosted, opponent(hosted, "a"):
        result = await hosted.play(game(1, "random", "remote:a"))
    assert len(result.winners) == 1
    assert result.answers[0] > 10 and result.ms[0] > 0 and result.failures[0] == 0


ASKED: dict[str, Callable[[str], ClientMessage]] = {
    "a table of one's own": lambda room: Open(id="x"),
    "a seat that is another's": lambda room: Join(id="x", room=room),
    "a look at another's game": lambda room: Watch(id="x", room=room),
    "to come back where one never was": lambda room: Resume(id="x", room=room),
    "bots": lambda room: AddBot(id="x", level="simple"),
    "to start": lambda room: Start(id="x"),
    "an end without a winner": lambda room: EndGame(id="x"),
    "a pause": lambda room: Pause(id="x"),
    "the games before": lambda room: ListReplays(id="x"),
    "a game before": lambda room: Replay(id="x", room=room),
}


@pytest.mark.parametrize("what", ASKED)
async def test_nobody_is_given(what: str) -> None:
    async with contest("a", "b") as hosted, opponent(hosted, "b"), trio.open_nursery() as nursery:
        nursery.start_soon(hosted.play, game(1, "remote:a", "remote:b"))
        async with open_session(hosted.url, "stranger", bot=True) as stranger:
            await trio.testing.wait_all_tasks_blocked()
            while not (tables := list(hosted.lobby.tables)):
                await trio.lowlevel.checkpoint()
            with pytest.raises(RequestRefused) as refused:
                await stranger.do(ASKED[what](tables[0]))
        assert refused.value.refused.code in ("unknown_message", "no_such_room", "no_spectators")
        nursery.cancel_scope.cancel()


async def test_the_names_of_others_are_not_told() -> None:
    """Whoever joins by a name has its seat, and sees its hand, while its bot is gone."""
    async with contest("mine", "yours") as hosted, open_session(hosted.url, "stranger", bot=True) as stranger:
        with pytest.raises(RequestRefused) as refused:
            await stranger.do(Join(id="x", room="theirs"))
    said = refused.value.refused
    assert said.code == "no_such_room" and said.sentence
    assert "mine" not in said.sentence and "yours" not in said.sentence


@pytest.mark.parametrize("ready", [True, False])
async def test_who_does_not_answer_in_time_nor_says_ready_plays_the_default(
    ready: bool, autojump_clock: trio.testing.MockClock
) -> None:
    """Without sockets, so that the clock is ours."""
    async with (
        hosting(house_decks(), ("a", "b"), Listen(port=0), processes=0) as hosted,
        trio.open_nursery() as nursery,
    ):

        async def comes(name: str, play: Callable[[Session], Awaitable[object]]) -> None:
            channel, end = memory_channels()
            nursery.start_soon(serve_connection, MemoryConnection(end.inbox, end.outbox), hosted.lobby)

            async def dial() -> Channel:
                return channel

            session = Session(dial, name, bot=True)
            await session.connect()
            if ready or name == "b":
                await bot_kit.take_seat(session, name, deck="emberclan")
            else:
                await session.request(Join(id=session.new_id(), room=name), Room)
            await play(session)

        async def sleeps(session: Session) -> None:
            while not isinstance(await session.receive(), Over):
                pass

        nursery.start_soon(comes, "a", sleeps)
        nursery.start_soon(comes, "b", lambda session: bot_kit.play(session, bots.make("simple")))
        with trio.fail_after(6 * 60 * 60):  # by the clock that is ours
            result = await hosted.play(game(1, "remote:a", "remote:b", answer_ms=5000))
        nursery.cancel_scope.cancel()
    assert result.winners == (1,)
    assert result.timeouts[0] == result.answers[0] > 0 and result.timeouts[1] == 0
    assert result.ms[0] >= 5000 * result.answers[0]


@pytest.mark.slow
def test_the_arena_rates_a_program_that_plays_one_game_and_ends(tmp_path: Path) -> None:
    kept, page = tmp_path / "games.jsonl", tmp_path / "rating.html"
    words = ["arena", "remote:mine", "simple", "--rounds", "1", "--json", "--keep", str(kept), "--page", str(page)]
    start = f"{sys.executable} examples/first_bot.py {{url}} {{room}}"
    command = [sys.executable, "-m", "server.command.main", *words, "--listen", "127.0.0.1:0", "--start", start]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["games"] == 2 and report["stopped"] == "rounds"
    rated = {one["bot"]: one for one in report["standings"]}
    assert rated.keys() == {"remote:mine", "simple"}
    assert all(one["answers"] > 10 and one["ms_an_answer"] > 0 for one in rated.values())
    assert all(one["failures"] == one["timeouts"] == 0 for one in rated.values())
    assert len(kept.read_text().splitlines()) == 3 and "remote:mine" in page.read_text()
    again = subprocess.run([*command[:-1], "no-such-program"], cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert json.loads(again.stdout) == report, "all its games are kept"


@pytest.mark.slow
def test_a_program_that_does_not_sit_down_ends_the_contest(tmp_path: Path) -> None:
    words = ["arena", "remote:mine", "simple", "--listen", "127.0.0.1:0", "--start", f"{sys.executable} -c 'exit(3)'"]
    command = [sys.executable, "-m", "server.command.main", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 1
    assert "ends without a game (exit code 3)" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["remote:", "simple"],
        ["remote:mine", "simple", "--listen", "nowhere"],
        ["remote:mine", "simple", "--start", "a", "--start", "b"],
        ["remote:mine", "simple", "--answer-seconds", "0.5"],
    ],
)
def test_what_is_no_contest_is_said_to_be_none(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *words]) == 2
    assert "apnap arena:" in capsys.readouterr().err
