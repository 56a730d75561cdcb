"""A server that is killed again and again while bots play loses nothing that it acknowledged and plays nothing twice.

Each round a real `apnap serve` is killed with SIGKILL at a random moment and started again; the clients come back by themselves.
While it is down its journals are read and played: every acknowledged answer is there once, as it was given; every client's last
view is one that the replayed game had. At the end every game ends. `APNAP_CHAOS_ROUNDS` sets how many rounds there are.
"""

from __future__ import annotations

import copy
import os
import random
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from client_cli.bots import make
from client_cli.channels import Channel, websocket_dial
from client_cli.errors import Disconnected, RequestRefused, Unreachable
from client_cli.session import Session
from protocol import messages as m
from protocol.options import RoomOptions
from protocol.patch import Tree
from server.knowledge.questions import ids_of, read_answer
from server.knowledge.views import Views
from server.rooms import RULES, replay
from server.rooms.game import Outcome, Rules
from server.rules.model import State
from server.storage import Answered, AnyEntry, Ended, Journal, Setup, open_sqlite

ROOMS = 20
ROUNDS = int(os.environ.get("APNAP_CHAOS_ROUNDS", "10"))
ROOT = Path(__file__).resolve().parents[2]
LOOKED_BACK = 400
"""States before those that are new in which a client's view may be found: it may not have been told of the new ones yet, of which
there are hundreds where its seat has lost and bots play on.
"""


class Recording:
    """A channel that remembers what was acknowledged."""

    def __init__(self, channel: Channel, guest: Guest) -> None:
        self._channel = channel
        self._guest = guest
        self._sent: dict[str, tuple[str, m.AnswerMessage]] = {}

    async def send(self, message: m.ClientMessage) -> None:
        if isinstance(message, m.AnswerMessage):
            self._sent[message.id] = self._guest.session.room, message
        try:
            await self._channel.send(message)
        except Disconnected:
            self._guest.connected = False
            raise

    async def receive(self) -> m.ServerMessage:
        try:
            message = await self._channel.receive()
        except Disconnected:
            self._guest.connected = False
            raise
        if isinstance(message, m.Ok) and message.re in self._sent:
            self._guest.acknowledged.append(self._sent[message.re])
        return message

    async def aclose(self) -> None:
        self._guest.connected = False
        await self._channel.aclose()


class Guest:
    """A person who plays one game after the other against bots, as long as the test goes on."""

    def __init__(self, number: int, url: str, nursery: trio.Nursery) -> None:
        self.number = number
        self.acknowledged: list[tuple[str, m.AnswerMessage]] = []
        self.connected = False
        self.ended: set[str] = set()
        self.stop = False
        self.person = ""
        """Its id, once it has had a seat: from then on the server knows it."""
        self._dial = websocket_dial(url, nursery)
        self.session = Session(self._recorded, f"Guest {number}", digests=True)

    async def _recorded(self) -> Channel:
        channel = await self._dial()
        self.connected = True
        return Recording(channel, self)

    async def live(self) -> None:
        """Play until `stop`, then the game under way to its end."""
        session = self.session
        while True:
            welcome = await self._connect()
            try:
                begun = [room for room in welcome.rooms if room not in self.ended]
                if begun:
                    await session.request(m.Resume(id=session.new_id(), room=begun[0]), m.Room)
                elif self.stop:
                    return
                else:
                    await self._begin()
                await self._play()
                self.ended.add(session.room)
                await session.do(m.Leave(id=session.new_id()))
            except Unreachable:
                pass
            except RequestRefused as no:
                assert no.refused.code in ("no_such_room", "in_a_room", "not_in_room", "closing"), no

    async def _connect(self) -> m.Welcome:
        """A new connection, as soon as there is a server."""
        session = self.session
        while True:
            await session._hang_up()
            session.room = ""
            try:
                welcome = await session.connect()
            except Unreachable:
                await trio.sleep(0.05)
            except RequestRefused as no:
                assert no.refused.code == "bad_token" and not self.person, no
                session.token = ""
            else:
                assert self.person in ("", welcome.person), "it is somebody else now"
                return welcome

    async def _begin(self) -> None:
        session = self.session
        options = RoomOptions(seats=2 + self.number % 3, life=6, private=True)
        opened = await session.request(m.Open(id=session.new_id(), options=options), m.Room)
        self.person = opened.room.seats[0].person
        decks = (await session.request(m.ListDecks(id=session.new_id()), m.Decks)).decks
        await session.do(m.ChooseDeck(id=session.new_id(), house=decks[self.number % len(decks)].name))
        for _ in range(options.seats - 1):
            await session.do(m.AddBot(id=session.new_id(), level="simple"))
        await session.do(m.Start(id=session.new_id()))

    async def _play(self) -> None:
        """Answer what is asked until the game is over, or gone because it was over when the server stopped."""
        session = self.session
        player = make("simple", self.number)
        while True:
            message = await session.receive()
            match message:
                case m.ViewMessage() | m.QuestionMessage():
                    question = message.question or None
                    if question is None and session.table.view.result:
                        return
                    if question is not None:
                        try:
                            answer = player.answer(session.table, question)
                        except Exception:
                            answer = question.default
                        await session.answer(question.id, answer)
                case m.Refused() if message.code == "no_such_room":
                    return
                case m.Refused() if message.code not in ("stale", "not_your_question"):
                    question = session.table.question
                    if question is not None:
                        await trio.sleep(0.02)
                        await session.answer(question.id, question.default)
                case m.Over():
                    return
                case _:
                    pass


class Server:
    """`apnap serve` on one data directory and one port; a context manager that leaves no process behind."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    async def start(self) -> None:
        first = await trio.to_thread.run_sync(self._start)
        assert "serves at" in first, first

    def _start(self) -> str:
        words = ["-m", "server.command.main", "serve", "--port", str(self.port), "--data", str(self.folder)]
        self.process = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, cwd=ROOT, text=True)
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    async def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        await trio.to_thread.run_sync(self.process.wait)


class Continued(Rules):
    """The rules of a game that goes on from a state."""

    def __init__(self, state: State) -> None:
        self._from = state

    def start(self, setup: Setup) -> Outcome:
        return self._from, ()


class Checked:
    """A room's journal as far as it was checked: the entries, the state after them, the states before."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.entries: tuple[AnyEntry, ...] = ()
        self.states: list[State] = [RULES.start(setup)[0]]
        self.answers: dict[int, Answered] = {}
        self._found: Tree | None = None
        """The view that was found last: to a client that nothing reached since, the game may have gone on for long."""

    def read(self, journal: Journal) -> None:
        """Play what is new. Raises `Diverged`."""
        assert journal.entries[: len(self.entries)] == self.entries, "what was written has changed"
        fresh = journal.entries[len(self.entries) :]
        del self.states[:-LOOKED_BACK]
        for turned in replay(Journal(self.setup, fresh), Continued(self.states[-1])):
            self.states.append(turned.after)
        for entry in fresh:
            if isinstance(entry, Answered):
                assert entry.question not in self.answers, "a question is answered twice"
                self.answers[entry.question] = entry
        self.entries = journal.entries

    def has(self, seat: int, view: Tree) -> bool:
        """Whether the seat saw that."""
        if view == self._found:
            return True
        for number, state in enumerate(reversed(self.states)):
            if number and state.turn.number < view.get("turn", 0):  # type: ignore[operator]
                break
            views = Views(RULES)
            views.update(state)
            seen = views.tree(seat)
            if {**seen, "result": None} == {**view, "result": None}:
                self._found = copy.deepcopy(view)
                return True
        return False


async def check(folder: Path, guests: list[Guest], rooms: dict[str, Checked], seen: Counter[str]) -> None:
    """Compare journals with what was acknowledged and shown."""
    async with open_sqlite(folder, read_only=True) as storage:
        for record in await storage.rooms():
            journal = await storage.load(record.room)
            assert not journal.torn
            if record.room not in rooms:
                rooms[record.room] = Checked(journal.setup)
            rooms[record.room].read(journal)
    for guest in guests:
        for room, answer in guest.acknowledged:
            checked = rooms[room]
            number = ids_of(checked.setup.rules.seed).read(answer.question)
            assert number is not None
            assert checked.answers[number].answer == read_answer(answer.answer)
            assert checked.answers[number].by == "seat"
        seen["answers"] += len(guest.acknowledged)
        guest.acknowledged.clear()
        table = guest.session.table
        assert table.mismatches == 0
        if guest.session.room in rooms and table.tree:
            assert rooms[guest.session.room].has(0, table.tree), "a view that the game never had"
            seen["views"] += 1


async def until(true: Callable[[], bool]) -> None:
    """Wait for what another process does."""
    while not true():  # noqa: ASYNC110
        await trio.sleep(0.02)


async def chaos(folder: Path, rounds: int, rooms: int, seed: int = 0) -> Counter[str]:
    """So many rounds; what was seen: acknowledged answers, views compared, games begun and ended."""
    chance = random.Random(seed)
    seen: Counter[str] = Counter()
    checked: dict[str, Checked] = {}
    with Server(folder) as server:
        async with trio.open_nursery() as connections, trio.open_nursery() as players:
            guests = [Guest(number, f"ws://127.0.0.1:{server.port}", connections) for number in range(rooms)]
            await server.start()
            for guest in guests:
                players.start_soon(guest.live)
            for _ in range(rounds):
                await trio.sleep(0.3 + chance.random() * 1.5)
                await server.kill()
                with trio.fail_after(60):
                    for guest in guests:
                        await until(lambda guest=guest: not guest.connected)
                await check(folder, guests, checked, seen)
                await server.start()
            for guest in guests:
                guest.stop = True
            with trio.fail_after(600):
                await until(lambda: not players.child_tasks)
            seen["ended"] = sum(len(guest.ended) for guest in guests)
            await server.kill()
            await check(folder, [], checked, seen)
            connections.cancel_scope.cancel()
    async with open_sqlite(folder, read_only=True) as storage:
        for record in await storage.rooms():
            last = (await storage.load(record.room)).entries[-1:]
            seen["games"] += 1
            seen["unfinished"] += not record.finished or not isinstance(last[0] if last else None, Ended)
    return seen


def test_killed_again_and_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = trio.run(chaos, tmp_path, ROUNDS, ROOMS)
    with capsys.disabled():
        print(f"\n{ROUNDS} kills: {dict(seen)}")
    assert seen["answers"] > ROUNDS and seen["views"] > ROUNDS
    assert seen["ended"] >= min(ROOMS, 2 * ROUNDS) and seen["unfinished"] == 0, "every game ends"
