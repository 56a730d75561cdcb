"""Rooms of four clients that play random games against a running server: as fast as it answers, at a steady rate, or at a pace.

Every client decodes every message and applies every patch, as any client must. Every priority is asked (`only_pass`), or with
`usual_stops` those where people are asked who have changed nothing in their client.
"""

from __future__ import annotations

import heapq
import random
import time
from collections import deque
from itertools import count

import msgspec
from msgspec import UNSET

from client_cli.settings import Settings
from protocol import JSON_SUBPROTOCOL, codec, messages
from protocol import questions as q
from protocol.brief import full
from protocol.gathered import spread
from protocol.options import DecisionClock, RoomOptions
from protocol.packing import unpack
from protocol.patch import Tree, apply
from protocol.refusals import Code
from protocol.view import Face
from server.bench.wire import Wire, Wires

SEATS = 4
REPLY_SECONDS = 60.0
LEFT_TO_THE_CLOCK = 0.005
"""Of the questions at tables with a clock, so many are never answered by the clients."""


class LoadError(Exception):
    """The server refused or did not answer what a client has a right to."""


class Sizes(msgspec.Struct):
    """Bytes of the frames that came: `looking_on` are the patches to seats that had not just answered; `rejoins` all that came
    from a new connection's hello until its view, each.
    """

    patches: list[int] = []
    looking_on: list[int] = []
    views: list[int] = []
    answers: list[int] = []
    questions: list[int] = []
    rejoins: list[int] = []


class Client:
    """One seat's connection: its view as patched, and the reply it waits for."""

    def __init__(self, table: Table, seat: int, wire: Wire) -> None:
        self.table, self.seat = table, seat
        self.tree: Tree = {}
        self.faces: dict[str, Face] = {}
        self.at = (0, 0)
        self.token = self.room = ""
        self.returning = False
        self.came = 0
        """Bytes that have come over this connection."""
        self.take(wire)
        self.reply: messages.ServerMessage | None = None
        self._awaited = ""
        self._count = 0

    def take(self, wire: Wire) -> None:
        """Speak over this connection from now on."""
        self.wire = wire
        wire.on_text = self._text

    def come_back(self) -> None:
        """Over a new connection, as after a lost line, do not wait: say hello with the token; `resume` follows the welcome."""
        load = self.table.load
        self.returning, self.came = True, 0
        self.take(load.connect())
        self.send(self.hello())

    def hello(self) -> messages.Hello:
        """Who this is, and the faces it has."""
        name = f"load {self.table.number}.{self.seat}"
        return messages.Hello(
            id=self.new_id(),
            name=name,
            token=self.token,
            faces=list(self.faces),
            packed=True,
            brief=True,
            gathered=True,
        )

    def _welcomed(self, message: messages.Welcome) -> None:
        self.token = message.token
        if self.returning:
            epoch, seq = self.at
            self.send(messages.Resume(id=self.new_id(), room=self.room, epoch=epoch, seq=seq))

    def _seen(self, message: messages.ViewMessage) -> None:
        """A whole view."""
        self.faces.update(message.faces)
        self.tree, self.at = unpack(message.view, self.faces), (message.epoch, message.seq)
        if self.returning:
            self.table.load.sizes.rejoins.append(self.came)
            self.returning = False
        if isinstance(message.question, q.Asked):
            self.table.asked(self, spread(message.question))

    def new_id(self) -> str:
        """An id for a message."""
        self._count += 1
        return f"m{self._count}"

    def send(self, message: messages.ClientMessage) -> None:
        """Send a message and do not wait."""
        self.wire.send(msgspec.json.encode(message))

    def request(self, message: messages.ClientMessage) -> messages.ServerMessage:
        """Send a message and wait for its reply; other tables go on meanwhile. Raises LoadError for a refusal."""
        self._awaited, self.reply = message.id, None
        self.send(message)
        end = time.perf_counter() + REPLY_SECONDS
        while self.reply is None:
            self.table.load.wires.pump(0.5)
            if time.perf_counter() > end:
                raise LoadError(f"no reply to {message}")
        if isinstance(self.reply, messages.Refused):
            raise LoadError(f"{self.reply.sentence} ({type(message).__name__})")
        return self.reply

    def _text(self, data: bytes) -> None:
        table = self.table
        self.came += len(data)
        message = codec.JSON.read_server(data.decode())
        if isinstance(message, messages.Patch):
            self.tree = apply(self.tree, full(message.patch))
            self.at = (self.at[0], self.at[1] + 1)
            self.faces.update(message.faces)
            table.patched(self, len(data))
        elif isinstance(message, messages.QuestionMessage):
            table.load.sizes.questions.append(len(data))
            table.asked(self, spread(message.question))
        elif isinstance(message, messages.ViewMessage):
            if not self.returning:
                table.load.sizes.views.append(len(data))
            self._seen(message)
        elif isinstance(message, messages.Welcome):
            self._welcomed(message)
        elif isinstance(message, messages.Room):
            self.room = message.room.id
        elif isinstance(message, messages.Over):
            table.ended()
        elif isinstance(message, messages.Refused) and message.re != self._awaited:
            table.refused(message)
        if message.re and message.re == self._awaited:
            self.reply = message


class Table:
    """A room: its four clients and the question that is open."""

    def __init__(self, load: Load, number: int) -> None:
        self.load, self.number = load, number
        self.chance = random.Random(number)
        self.open: tuple[Client, q.Question] | None = None
        self.over = False
        self.games = 0
        self.sent_at = self.patched_at = 0.0
        self.moved_at = time.perf_counter()
        """When something last came of the game, or it began: it may have waited for that."""
        self._last: tuple[Client, q.Question] | None = None
        self.clients: list[Client] = []

    def connect(self) -> None:
        """Four connections say hello."""
        for seat in range(SEATS):
            client = Client(self, seat, self.load.connect())
            self.clients.append(client)
            client.request(client.hello())

    def start(self) -> None:
        """Open a room, sit down, choose decks, start the game."""
        self.open, self.over = None, False
        self.moved_at = time.perf_counter()
        self.games += 1
        host = self.clients[0]
        clock = UNSET if not self.load.clock_ms else DecisionClock(ms=self.load.clock_ms)
        options = RoomOptions(seats=SEATS, seed=self.number * 1000 + self.games, private=True, clock=clock)
        opened = host.request(messages.Open(id=host.new_id(), options=options))
        assert isinstance(opened, messages.Room)
        for client in self.clients:
            if client is not host:
                client.request(messages.Join(id=client.new_id(), room=opened.room.id, seat=client.seat))
            deck = self.load.decks[(client.seat + self.number + self.games) % len(self.load.decks)]
            client.request(messages.ChooseDeck(id=client.new_id(), house=deck))
            client.request(self.load.stops(client.new_id()))
            client.request(messages.Ready(id=client.new_id()))
        host.request(messages.Start(id=host.new_id()))

    def again(self) -> None:
        """Leave the finished game and start the next."""
        for client in self.clients:
            client.request(messages.Leave(id=client.new_id()))
        self.start()

    # --- what comes ---

    def asked(self, client: Client, question: q.Question) -> None:
        """A question is open: answer it at once, or in time, if the load says so."""
        self.open = (client, question)
        self.moved_at = time.perf_counter()
        if self.load.clock_ms and self.chance.random() < LEFT_TO_THE_CLOCK:
            self.load.left_to_the_clock += 1
        elif self.load.at_once:
            self.answer()
        elif self.load.pace:
            self.load.answer_later(self, question.id)

    def answer(self) -> None:
        """Answer the open question."""
        assert self.open is not None
        client, question = self._last = self.open
        self.open = None
        self._note_latency()
        self.sent_at = time.perf_counter()
        self.patched_at = 0.0
        if self.load.concede and self.chance.random() < self.load.concede:
            self.load.answers += 1
            client.send(messages.Concede(id=client.new_id()))
            return
        self._send(client, question.id, answer_to(question, self.chance))

    def _send(self, client: Client, question: str, answer: q.Answer) -> None:
        data = msgspec.json.encode(messages.AnswerMessage(id=client.new_id(), question=question, answer=answer))
        self.load.answers += 1
        self.load.sizes.answers.append(len(data))
        client.wire.send(data)

    def _note_latency(self) -> None:
        if self.patched_at and self.load.latencies is not None:
            self.load.latencies.append(self.patched_at - self.sent_at)

    def patched(self, client: Client, size: int) -> None:
        """One of the clients has applied a patch."""
        self.load.sizes.patches.append(size)
        if self._last is None or self._last[0] is not client:
            self.load.sizes.looking_on.append(size)
        self.patched_at = self.moved_at = time.perf_counter()

    def refused(self, message: messages.Refused) -> None:
        """A random declaration broke a requirement: the default instead. The clock may have been there first, and have ended
        the game."""
        if self.load.clock_ms and message.code in (Code.STALE, Code.NOT_YOUR_QUESTION, Code.GAME_OVER):
            return
        if self._last is None:
            raise LoadError(f"{message.sentence} ({message.code})")
        (client, question), self._last = self._last, None
        self.load.refusals += 1
        self._send(client, question.id, question.default)

    def ended(self) -> None:
        """The game is over."""
        if not self.over:
            self.over = True
            self.load.finished.append(self)


class Load:
    """Tables at one server. `decks` are names of house decks. `usual_stops`: asked only where the clients' own stops are.

    `clock_ms`: how long the rooms give for an answer, 0 for ever;
    `concede` is how often a client concedes where it should answer.

    `at_once`: every question is answered as soon as it comes; else with a `pace`, after so many seconds on average.
    """

    def __init__(
        self, host: str, port: int, clock_ms: int = 0, concede: float = 0.0, *, usual_stops: bool = False
    ) -> None:
        self.host, self.port, self.clock_ms, self.concede = host, port, clock_ms, concede
        self.usual_stops = usual_stops
        self.wires = Wires()
        self.tables: list[Table] = []
        self.finished: deque[Table] = deque()
        self.sizes = Sizes()
        self.latencies: list[float] | None = None
        self.at_once = False
        self.pace = 0.0
        self.answers = self.refusals = self.games = self.left_to_the_clock = 0
        self._chance = random.Random(0)
        self._numbers = count()
        self._later: list[tuple[float, int, Table, str]] = []
        self.decks: list[str] = []

    def open(self, tables: int) -> None:
        """So many tables, each with its game started and its first question open."""
        for number in range(tables):
            table = Table(self, number)
            self.tables.append(table)
            table.connect()
            if not self.decks:
                host = table.clients[0]
                told = host.request(messages.ListDecks(id=host.new_id()))
                assert isinstance(told, messages.Decks)
                self.decks = [deck.name for deck in told.decks if deck.format == "constructed"]
            table.start()

    def stops(self, message_id: str) -> messages.Stops:
        """Where a client wants to be asked."""
        return Settings().stops(message_id) if self.usual_stops else messages.Stops(id=message_id, only_pass=True)

    def connect(self) -> Wire:
        """One more connection."""
        wire = Wire(self.host, self.port, "/", JSON_SUBPROTOCOL)
        self.wires.add(wire)
        return wire

    def storm(self) -> float:
        """All clients drop and come back: seconds from the first that drops until all have their view and question again."""
        self.at_once, self.pace = False, 0.0
        self._run(0.5)
        clients = [client for table in self.tables for client in table.clients]
        for table in self.tables:
            table.open = None
        begun = time.perf_counter()
        for client in clients:
            self.wires.drop(client.wire)
        for client in clients:
            client.come_back()
        while any(client.returning for client in clients) or any(t.open is None and not t.over for t in self.tables):
            self.wires.pump(0.02)
            if time.perf_counter() > begun + REPLY_SECONDS:
                raise LoadError("not all have come back")
        return time.perf_counter() - begun

    def saturate(self, seconds: float) -> float:
        """Answer every question as soon as it comes; answers a second."""
        self.at_once = True
        for table in self.tables:
            if table.open is not None:
                table.answer()
        self._run(seconds / 4)
        before, begun = self.answers, time.perf_counter()
        self._run(seconds)
        rate = (self.answers - before) / (time.perf_counter() - begun)
        self.at_once = False
        self._run(0.3)
        return rate

    def play(self, seconds: float, pace: float) -> list[float]:
        """Answer for so long, each question after `pace` seconds on average, at once for 0. For each answer the seconds until the
        last of the four clients had applied its patch.
        """
        self.at_once, self.pace = pace == 0.0, pace
        self.latencies = latencies = []
        for table in self.tables:
            table.patched_at = 0.0
            if table.open is not None:
                table.asked(*table.open)
        self._run(seconds)
        self.latencies = None
        return latencies

    def answer_later(self, table: Table, question: str) -> None:
        """Answer a table's question in time, if it is still open then."""
        due = time.perf_counter() + self._chance.uniform(0.0, 2 * self.pace)
        heapq.heappush(self._later, (due, next(self._numbers), table, question))

    def _answer_what_is_due(self) -> None:
        now = time.perf_counter()
        while self._later and self._later[0][0] <= now:
            _, _, table, question = heapq.heappop(self._later)
            if table.open is not None and table.open[1].id == question:
                table.answer()

    def _run(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            wait = min(0.02, self._later[0][0] - now) if self._later else 0.02
            self.wires.pump(max(0.0, wait))
            self._answer_what_is_due()
            self._begin_again(end)

    def _begin_again(self, end: float) -> None:
        """Start new games where games are over, until a moment: a busy server may end them faster than it begins them."""
        while self.finished and time.perf_counter() < end:
            self.games += 1
            self.finished.popleft().again()

    def steady(self, rate: float, seconds: float) -> list[float]:
        """So many answers a second, in turn over the tables; for each the seconds until the last of the four clients had
        applied its patch. What cannot be sent in time, because no question is open, is sent later (and counted so)."""
        self.at_once = False
        self._run(0.5)
        for table in self.tables:
            table.patched_at = 0.0
        self.latencies = latencies = []
        waiting = deque(self.tables)
        begun = time.perf_counter()
        sent = 0
        while (now := time.perf_counter()) < begun + seconds:
            due = int((now - begun) * rate)
            for _ in range(len(waiting)):
                if sent >= due:
                    break
                table = waiting[0]
                waiting.rotate(-1)
                if table.open is not None:
                    table.answer()
                    sent += 1
            self.wires.pump(max(0.0, min(0.02, begun + (sent + 1) / rate - time.perf_counter())))
            self._begin_again(begun + seconds)
        self._run(0.3)
        self.latencies = None
        return latencies

    def close(self) -> None:
        """Hang up."""
        self.wires.close()


def answer_to(question: q.Question, chance: random.Random) -> q.Answer:
    """Any action but idle mana abilities, attacks and blocks by coin; the default of every other question."""
    if isinstance(question, q.PriorityQuestion):
        useful = [i for i, action in enumerate(question.actions) if not action.mana and action.type != "call"]
        return q.PriorityAnswer(index=chance.choice(useful))
    if isinstance(question, q.AttackersQuestion) and not question.required:
        attacks = [
            (i, chance.randrange(len(a.defenders))) for i, a in enumerate(question.attackers) if chance.random() < 0.5
        ]
        return q.AttackersAnswer(attacks=tuple(attacks))
    if isinstance(question, q.BlockersQuestion) and not question.required:
        blocks = [(i, chance.choice(b.attackers)) for i, b in enumerate(question.blockers) if chance.random() < 0.5]
        return q.BlockersAnswer(blocks=tuple(blocks))
    return question.default
