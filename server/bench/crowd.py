"""What a quiet table has beside it: tables of bots, and one of a thousand tokens whose owners' triggers fill the stack.

Run as a process of its own (`python -m server.bench.crowd HOST PORT TABLES`), so that reading all of it costs only itself: prints
`ready` once the heavy table has its triggers on the stack, then plays until its input ends, and prints what it has seen.
"""

from __future__ import annotations

import selectors
import sys
import time
from collections.abc import Callable

import msgspec

from protocol import messages as m
from protocol import questions as q
from protocol.options import RoomOptions
from server.bench.load import Client, Load, LoadError, Table

SEATS = 9
"""At a table of bots; the tenth is the person who opened it, and only passes."""
TOKENS = 240
"""Creature tokens of each of four seats."""
TRIGGERS = 14
"""Abilities that each creature of the last spell triggers: 14 times 120 are 1,680."""
PREVIEWS = 10.0
"""Previews a second that the seat with the triggers asks for, as many as one person may."""
BY_HAND_SECONDS = 20.0
"""For so long it passes by hand, as soon as it is asked; then it lets the room pass."""
GATHER_SECONDS = 400.0
"""A busy machine is slow."""

_CARD = '[[card]]\nname = "{name}"\ntypes = "{types}"\ncost = "{{0}}"\ntext = """{text}"""\n'
_LEVY = "Put fifteen 1/1 white Soldier creature tokens onto the battlefield."
_MUSTER = "Put a 1/1 white Soldier creature token onto the battlefield for each creature you control."
_WATCH = "\n".join(
    ["Flash", *["Whenever a creature enters the battlefield, you gain 1 life."] * TRIGGERS],
)
_LEVIES = tuple(f"Levy of the {name} Road" for name in ("First", "Second", "Third", "Fourth", "Fifth", "Sixth"))
_CALLS = tuple(f"Call down the {name} Road" for name in ("First", "Second", "Third", "Fourth", "Fifth", "Sixth"))
WATCH = "Watch at the Crossing"
MUSTER = "Muster at the Crossing"
CARDS = "".join(
    [
        *(_CARD.format(name=name, types="Instant", text=_LEVY) for name in _LEVIES),
        *(_CARD.format(name=name, types="Instant", text="Draw two cards.") for name in _CALLS),
        _CARD.format(name=WATCH, types="Enchantment", text=_WATCH),
        _CARD.format(name=MUSTER, types="Instant", text=_MUSTER),
    ]
)
DECK = "\n".join(f"4 {name}" for name in (*_LEVIES, *_CALLS, WATCH, MUSTER)) + "\n4 Plains"


class Seen(msgspec.Struct):
    """What became of it: creature tokens on the battlefield as it began, the most triggers that were to be put on the stack or stood on it,
    patches to the heavy table, previews that were asked for, and messages that were refused.
    """

    tokens: int = 0
    triggers: int = 0
    patches: int = 0
    previews: int = 0
    refused: int = 0


class HeavyTable(Table):
    """Four seats that fill the battlefield; then the first, whose turn it is, looks at previews and passes as slowly as a person."""

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(load, number)
        self.seen = Seen()
        self.full = False
        self._previews = 0
        self._passes_on = False

    def start(self) -> None:
        host = self.clients[0]
        opened = host.request(m.Open(id=host.new_id(), options=RoomOptions(seats=4, seed=3, private=True)))
        assert isinstance(opened, m.Room)
        for client in self.clients:
            if client is not host:
                client.request(m.Join(id=client.new_id(), room=opened.room.id, seat=client.seat))
            client.request(m.ChooseDeck(id=client.new_id(), text=DECK, cards=CARDS))
            client.request(m.Stops(id=client.new_id(), only_pass=True))
            client.request(m.Ready(id=client.new_id()))
        host.request(m.Start(id=host.new_id()))

    def asked(self, client: Client, question: q.Question) -> None:
        """Cast until the table is full; then wait."""
        self.open = (client, question)
        if self.full and isinstance(question, q.ChooseQuestion):
            self.seen.triggers = max(self.seen.triggers, len(question.options))
        if not self.full:
            self.answer_with(self._filling(client, question))

    def answer_with(self, answer: q.Answer) -> None:
        """Answer the open question."""
        assert self.open is not None
        client, question = self._last = self.open
        self.open = None
        self._send(client, question.id, answer)

    def go_on(self, seconds: float) -> None:
        """Ask for previews, answer, and in the end pass for all that comes. `seconds` since it began."""
        host = self.clients[0]
        if seconds > BY_HAND_SECONDS and not self._passes_on:
            self._passes_on = True
            for client in self.clients:
                client.send(m.Stops(id=client.new_id()))
                client.send(m.Pass(id=client.new_id(), until="end_of_turn"))
        if self.open is None:
            return
        client, question = self.open
        if client is host and self._previews < seconds * PREVIEWS:
            self._previews += 1
            self.seen.previews += 1
            client.send(m.Preview(id=client.new_id(), question=question.id, answer=question.default))
        self.answer_with(question.default)

    def patched(self, client: Client, size: int) -> None:
        """Count."""
        self.seen.patches += 1
        stack = client.tree.get("stack")
        if isinstance(stack, list):
            self.seen.triggers = max(self.seen.triggers, len(stack))

    def refused(self, message: m.Refused) -> None:
        """A preview too many, or of a question that is closed."""
        self.seen.refused += 1

    def _filling(self, client: Client, question: q.Question) -> q.Answer:
        if not isinstance(question, q.PriorityQuestion):
            return question.default
        wanted = self._wanted(client)
        stack = client.tree.get("stack") or []
        for index, action in enumerate(question.actions):
            name = self._name(client, action.object) if action.type == "cast" else ""
            if not stack and name and any(name.startswith(one) for one in wanted):
                return q.PriorityAnswer(index=index)
        return q.PriorityAnswer(index=0)

    def _wanted(self, client: Client) -> tuple[str, ...]:
        """What the seat casts next: creatures until it has enough; the one whose turn it is stops at half, and lets the others come to
        theirs before it has something that triggers."""
        mine, half = self.tokens(client, client.seat), TOKENS // 2
        first = client.seat == 0
        if mine < (half if first else TOKENS):
            return ("Levy", "Call")
        if not first:
            return ()
        if any(self.tokens(client, seat) < TOKENS for seat in range(4) if seat != client.seat):
            return ()
        if not any(self._name(client, key) == WATCH for key in client.tree.get("battlefield") or []):  # type: ignore[union-attr]
            return (WATCH, "Call")
        self.full = mine >= TOKENS
        self.seen.tokens = sum(self.tokens(client, seat) for seat in range(4))
        return () if self.full else (MUSTER, "Call")

    def tokens(self, client: Client, seat: int) -> int:
        """How many creature tokens the seat has."""
        objects = client.tree.get("objects") or {}
        assert isinstance(objects, dict)
        return sum(1 for one in objects.values() if one.get("kind") == "token" and one.get("controller") == seat)  # type: ignore[union-attr]

    def _name(self, client: Client, key: object) -> str:
        objects = client.tree.get("objects") or {}
        assert isinstance(objects, dict)
        thing = objects.get(str(key)) or {}
        assert isinstance(thing, dict)
        face = client.faces.get(str(thing.get("face", "")))
        return face.name if face is not None else str(thing.get("name", ""))


class Crowd:
    """All of them at one server."""

    def __init__(self, host: str, port: int, tables: int) -> None:
        self.load = Load(host, port)
        self.heavy = HeavyTable(self.load, 0)
        self.load.tables.append(self.heavy)
        self._tables = tables

    def gather(self) -> None:
        """Seat everyone, and play until the triggers are there."""
        self.heavy.connect()
        self.heavy.start()
        end = time.perf_counter() + GATHER_SECONDS
        while not self.heavy.full:
            self.load.wires.pump(0.02)
            if time.perf_counter() > end:
                raise LoadError(f"the heavy table is not full: {self.heavy.seen}")
        for number in range(self._tables):
            self._open_bots(number)

    def _open_bots(self, number: int) -> None:
        """A person who only passes, and nine bots."""
        host = Client(Watching(self.load, number), 0, self.load.connect())
        host.request(host.hello())
        options = RoomOptions(seats=SEATS + 1, seed=number, private=True)
        host.request(m.Open(id=host.new_id(), options=options))
        told = host.request(m.ListDecks(id=host.new_id()))
        assert isinstance(told, m.Decks)
        host.request(
            m.ChooseDeck(id=host.new_id(), house=next(d.name for d in told.decks if d.format == "constructed"))
        )
        for _ in range(SEATS):
            host.request(m.AddBot(id=host.new_id()))
        host.request(m.Ready(id=host.new_id()))
        host.request(m.Start(id=host.new_id()))

    def play(self, ends: Callable[[], bool]) -> None:
        """Go on until it is over."""
        begun = time.perf_counter()
        while not ends():
            self.load.wires.pump(0.005)
            self.heavy.go_on(time.perf_counter() - begun)


class Watching(Table):
    """A table of bots, whose person gives the default of every question."""

    def asked(self, client: Client, question: q.Question) -> None:
        """Answer at once."""
        self._send(client, question.id, question.default)

    def patched(self, client: Client, size: int) -> None:
        """Nothing."""

    def refused(self, message: m.Refused) -> None:
        """Nothing."""

    def ended(self) -> None:
        """Nothing: no other game follows."""


def main(host: str, port: int, tables: int) -> None:
    """See the module."""
    crowd = Crowd(host, port, tables)
    crowd.gather()
    print("ready", flush=True)
    with selectors.DefaultSelector() as selector:
        selector.register(sys.stdin, selectors.EVENT_READ)
        crowd.play(lambda: bool(selector.select(0)))
    print(msgspec.json.encode(crowd.heavy.seen).decode(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
