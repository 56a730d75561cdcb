"""A server that ends again and again while people play loses nothing that it acknowledged and plays nothing twice.

Each round a real `apnap serve` ends at a random moment, in one of the ways of `ENDS`, and is started again; the clients come back by
themselves. Before that, now and then, the clock jumps and the disk is full, slow or cannot sync for a while. While the server is down
its journals are read and played: every acknowledged answer is there once, as it was given; every client's last view is one that the
replayed game had. When it is back, answers of long ago are sent again: each is acknowledged again. Nobody is told of a loss, nor
is the log. At the end every game ends. `APNAP_CHAOS_ROUNDS` sets how many rounds there are.
"""

from __future__ import annotations

import copy
import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

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
from tests.chaos.power import Ailment, Power, compiled

ENDS = (
    "killed",
    "power",
    "killed",
    "asked to stop",
    "killed while starting",
    "stopped for a while",
    "power while starting",
)
"""By SIGKILL, by loss of power, by SIGTERM, by SIGKILL before it serves, by SIGSTOP and SIGCONT, by loss of power before it serves."""
BACK_SECONDS = 4.0
"""How long it is waited for guests to be back, who try less and less often."""
STARTING_SECONDS = 2.0
LOSS = re.compile(
    r"(?:are|is) lost|another copy|not as it was written|the database is damaged|frozen|stands? still|Traceback"
)
"""What the log is not to say."""
SENT_AGAIN = 4
"""Answers of a guest that are sent again when it is back."""
AILING: tuple[Ailment, ...] = ("full", "full after half of a write", "cannot sync")
LOSSES = ("notice.lost", "notice.gone_back", "notice.unknown_receipt", "notice.frozen", "notice.damaged")
ROOMS = 20
ROUNDS = int(os.environ.get("APNAP_CHAOS_ROUNDS", "6"))
ROOT = Path(__file__).resolve().parents[2]
ASKED = ("priority", "waiting_for")
"""What a view says of who is asked."""
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
        guest = self._guest
        if isinstance(message, m.Ok) and message.re in self._sent:
            guest.acknowledged.append(self._sent[message.re])
            guest.given.append(self._sent[message.re])
        if isinstance(message, m.Ok | m.ViewMessage | m.Patch) and message.receipt:
            guest.receipts[guest.session.room] = message.receipt
        if isinstance(message, m.Notice):
            assert message.key not in LOSSES, message
        return message

    async def aclose(self) -> None:
        self._guest.connected = False
        await self._channel.aclose()


class Guest:
    """A person who plays one game after the other against bots, as long as the test goes on."""

    def __init__(self, number: int, url: str, nursery: trio.Nursery) -> None:
        self.number = number
        self.acknowledged: list[tuple[str, m.AnswerMessage]] = []
        """Since the journals were last looked at."""
        self.given: list[tuple[str, m.AnswerMessage]] = []
        """All, of games that go on."""
        self.again = 0
        """Answers that were sent again."""
        self.receipts: dict[str, str] = {}
        self._chance = random.Random(number)
        self.connected = False
        self.returned = False
        """There is a new connection, over which nothing was sent again yet."""
        self.ended: set[str] = set()
        self.stop = False
        self.person = ""
        """Its id, once it has had a seat: from then on the server knows it."""
        self._dial = websocket_dial(url, nursery)
        self.session = Session(self._recorded, f"Guest {number}", digests=True)

    async def _recorded(self) -> Channel:
        channel = await self._dial()
        self.connected = self.returned = True
        return Recording(channel, self)

    async def live(self) -> None:
        """Play until `stop`, then the game under way to its end."""
        session = self.session
        while True:
            welcome = await self._connect()
            try:
                begun = [room for room in welcome.rooms if room not in self.ended]
                if begun:
                    resume = m.Resume(id=session.new_id(), room=begun[0], receipt=self.receipts.get(begun[0], ""))
                    await session.request(resume, m.Room)
                elif self.stop:
                    return
                else:
                    await self._begin()
                await self._play()
                self.ended.add(session.room)
                self.given = [one for one in self.given if one[0] != session.room]
                await session.do(m.Leave(id=session.new_id()))
            except Unreachable:
                pass
            except RequestRefused as no:
                assert no.refused.code in ("no_such_room", "in_a_room", "not_in_room", "closing", "busy"), no
                await trio.sleep(0.05)

    async def _send_again(self) -> None:
        """Answers of this game, of long ago and of late, are acknowledged again."""
        mine = [answer for room, answer in self.given if room == self.session.room]
        for answer in [*self._chance.sample(mine, min(len(mine), SENT_AGAIN - 1)), *mine[-1:]]:
            sent = replace(answer, id=self.session.new_id())
            while True:
                try:
                    reply = await self.session.request(sent, m.Ok)
                except RequestRefused as no:
                    assert no.refused.code == "busy", (no, answer)
                    await trio.sleep(0.1)
                    sent = replace(answer, id=self.session.new_id())
                else:
                    break
            assert reply.again, answer
            self.again += 1

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
                if no.refused.code in ("busy", "closing"):
                    await trio.sleep(0.05)
                    continue
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
            if self.returned and isinstance(message, m.ViewMessage):
                self.returned = False
                await self._send_again()
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
    """`apnap serve` on one data directory and one port; a context manager that leaves no process behind. With `power` it can lose it."""

    def __init__(self, folder: Path, power: Power | None = None) -> None:
        self.folder = folder
        self.power = power
        self.log = folder.with_name(f"{folder.name}.log")
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
        self.spawn()
        first = await trio.to_thread.run_sync(self._first_line)
        assert "serves at" in first, (first, self.said()[-2000:])

    def spawn(self) -> None:
        """Start it, without waiting until it serves."""
        words = ["-m", "server.command.main", "serve", "--port", str(self.port), "--data", str(self.folder)]
        environment = None if self.power is None else self.power.begin()
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, *words], stdout=subprocess.PIPE, stderr=log, cwd=ROOT, text=True, env=environment
            )

    def _first_line(self) -> str:
        assert self.process is not None and self.process.stdout is not None
        return self.process.stdout.readline()

    def said(self) -> str:
        """What it has told its log, in all its lives."""
        return self.log.read_text()

    async def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        await trio.to_thread.run_sync(self.process.wait)

    async def end(self, how: str, chance: random.Random, seen: Counter[str]) -> None:
        """End it in one of the ways of `ENDS`; it was running."""
        assert self.process is not None
        seen["ends"] += 1
        if how == "asked to stop":
            self.process.terminate()
            assert await trio.to_thread.run_sync(self.process.wait) == 0
            return
        if how == "stopped for a while":
            self.process.send_signal(signal.SIGSTOP)
            await trio.sleep(chance.random())
            self.process.send_signal(signal.SIGCONT)
            await trio.sleep(0.3 * chance.random())
        await self.kill()
        if how.endswith("while starting"):
            seen["ends"] += 1
            self.spawn()
            await trio.sleep(STARTING_SECONDS * chance.random())
            await self.kill()
        if how.startswith("power") and self.power is not None:
            seen["power losses"] += 1
            await trio.to_thread.run_sync(self.power.lose, chance)


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
        self.finished = False
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
            # When all have passed the moment is shown once more with nobody asked, and the server may have ended there.
            asked = {key: None for key in ASKED if key not in view}
            if {**seen, "result": None, **asked} == {**view, "result": None, **asked}:
                self._found = copy.deepcopy(view)
                return True
        return False


async def check(folder: Path, guests: list[Guest], rooms: dict[str, Checked], seen: Counter[str]) -> None:
    """Compare journals with what was acknowledged and shown."""
    async with open_sqlite(folder, read_only=True) as storage:
        for record in await storage.rooms():
            if record.room in rooms and rooms[record.room].finished:
                assert record.entries == len(rooms[record.room].entries)
                continue
            journal = await storage.load(record.room)
            assert not journal.torn
            if record.room not in rooms:
                rooms[record.room] = Checked(journal.setup)
            rooms[record.room].read(journal)
            rooms[record.room].finished = record.finished
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


async def bad_luck(power: Power, chance: random.Random, seen: Counter[str]) -> None:
    """For a moment: the clock jumps, the disk is slow, or it is full or cannot sync."""
    clock = chance.randrange(-100, 100) * 86_400
    match chance.randrange(3):
        case 0:
            seen["clock jumps"] += 1
            power.luck(clock=clock)
            return
        case 1:
            seen["slow disks"] += 1
            power.luck(clock=clock, slow_us=chance.randrange(100_000))
        case _:
            seen["ailing disks"] += 1
            power.luck(clock=clock, disk=chance.choice(AILING))
    await trio.sleep(0.5 * chance.random())
    if chance.random() < 0.7:  # else it ends in the midst of it
        power.luck(clock=clock)
        await trio.sleep(0.5 * chance.random())


async def chaos(folder: Path, ends: int, rooms: int, power: Power | None = None, seed: int = 0) -> Counter[str]:
    """So many ends; what was seen: acknowledged answers, answers sent again, views compared, games begun and ended."""
    chance = random.Random(seed)
    seen: Counter[str] = Counter()
    checked: dict[str, Checked] = {}
    with Server(folder, power) as server:
        async with trio.open_nursery() as connections, trio.open_nursery() as players:
            guests = [Guest(number, f"ws://127.0.0.1:{server.port}", connections) for number in range(rooms)]
            await server.start()
            for guest in guests:
                players.start_soon(guest.live)
            for how in cycle(ENDS):
                if seen["ends"] >= ends:
                    break
                with trio.move_on_after(BACK_SECONDS):  # now and then it ends before all are back
                    for guest in guests:
                        await until(lambda guest=guest: guest.connected)
                await trio.sleep(0.3 + chance.random() * 1.5)
                if power is not None and chance.random() < 0.4:
                    await bad_luck(power, chance, seen)
                await server.end(how, chance, seen)
                with trio.fail_after(60):
                    for guest in guests:
                        await until(lambda guest=guest: not guest.connected)
                await check(folder, guests, checked, seen)
                assert not LOSS.search(server.said()), LOSS.findall(server.said())
                await server.start()
            for guest in guests:
                guest.stop = True
            with trio.fail_after(600):
                await until(lambda: not players.child_tasks)
            seen["ended"] = sum(len(guest.ended) for guest in guests)
            seen["sent again"] = sum(guest.again for guest in guests)
            await server.kill()
            await check(folder, [], checked, seen)
            connections.cancel_scope.cancel()
    async with open_sqlite(folder, read_only=True) as storage:
        for record in await storage.rooms():
            last = (await storage.load(record.room)).entries[-1:]
            seen["games"] += 1
            seen["unfinished"] += not record.finished or not isinstance(last[0] if last else None, Ended)
    return seen


def test_ended_again_and_again(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "aside").mkdir()
    library = compiled(tmp_path / "aside")
    power = None if library is None else Power(library, tmp_path / "data", tmp_path / "aside")
    seen = trio.run(chaos, tmp_path / "data", ROUNDS, ROOMS, power)
    with capsys.disabled():
        print(f"\n{dict(seen)}{'' if power else ' (no C compiler here: no power was lost)'}")
    assert seen["answers"] > ROUNDS and seen["views"] > ROUNDS and seen["sent again"] > ROUNDS
    assert power is None or seen["power losses"] >= ROUNDS // 5
    assert seen["ended"] >= min(ROOMS, 2 * ROUNDS) and seen["unfinished"] == 0, "every game ends"
