"""Whole games under the rules on the real server, in which one client answers nonsense before it answers anything else.

Nonsense is refused, or happens to be legal; never is it a defect, and never does it change what is seen when refused.
"""

from __future__ import annotations

import random

import pytest
import trio

from protocol import messages as m
from protocol import questions as q
from protocol.options import RoomOptions
from protocol.patch import apply
from protocol.refusals import Code
from server.command.decks import house_decks
from server.net.app import running
from server.net.connection import MemoryConnection
from server.net.session import serve_connection
from server.storage import MemoryStorage


def nonsense(chance: random.Random, question: q.Question) -> q.Answer:
    """An answer of the right kind and of any content, or of another kind."""

    def some(most: int = 4) -> tuple[int, ...]:
        return tuple(chance.randint(-1, 9) for _ in range(chance.randint(0, most)))

    answers: list[q.Answer] = [
        q.PriorityAnswer(index=chance.randint(-1, 400), manual=chance.random() < 0.5),
        q.ChooseAnswer(picks=some()),
        q.NumberAnswer(number=chance.randint(-(10**9), 10**9)),
        q.OrderAnswer(order=some()),
        q.DivideAnswer(amounts=some()),
        q.AttackersAnswer(attacks=tuple(zip(some(), some(), strict=False)), bands=(some(),)),
        q.BlockersAnswer(blocks=tuple((n, str(n)) for n in some())),
        q.BlockersAnswer(blocks=((0, "no such id"),)),
        q.DamageAnswer(amounts=(some(), some())),
        q.PaymentAnswer(index=chance.randint(-1, 50)),
    ]
    same = [answer for answer in answers if type(answer) is type(question.default)]
    return chance.choice(same if same and chance.random() < 0.8 else answers)


class Nuisance:
    """A client that keeps the view and checks that refused answers leave it alone."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.tree: m.Tree = {}
        self.seq = (0, 0)
        self.refused: dict[str, int] = {}
        self.over = False
        self._count = 0

    async def play(
        self, send: trio.MemorySendChannel[m.ClientMessage], receive: trio.MemoryReceiveChannel[m.ServerMessage]
    ) -> None:
        open_: q.Question | None = None
        sent: dict[str, q.Question] = {}
        async for message in receive:
            match message:
                case m.ViewMessage():
                    self.tree, self.seq = message.view, (message.epoch, message.seq)
                    open_ = message.question or None
                case m.Patch():
                    assert (message.epoch, message.seq) == (self.seq[0], self.seq[1] + 1)
                    self.tree, self.seq = apply(self.tree, message.patch), (message.epoch, message.seq)
                    continue
                case m.QuestionMessage():
                    assert (message.epoch, message.seq) == self.seq
                    open_ = message.question
                case m.Refused():
                    assert message.code not in (Code.DEFECT, Code.FROZEN) and message.sentence
                    self.refused[message.code] = self.refused.get(message.code, 0) + 1
                    if message.code in (Code.STALE, Code.NOT_YOUR_QUESTION, Code.GAME_OVER):
                        continue
                    open_ = sent.get(message.re)
                case m.Over():
                    self.over = True
                    return
                case m.Room():
                    assert message.room.state != "frozen"
                    continue
                case _:
                    continue
            if open_ is not None:
                self._count += 1
                answer = nonsense(self.chance, open_) if self.chance.random() < 0.6 else open_.default
                sent[str(self._count)] = open_
                await send.send(m.AnswerMessage(id=str(self._count), question=open_.id, answer=answer))
                open_ = None


@pytest.mark.parametrize("seed", [1, 2])
async def test_nonsense_in_whole_games(seed: int) -> None:
    async with running(MemoryStorage(), house_decks()) as app, trio.open_nursery() as nursery:
        to_server, inbox = trio.open_memory_channel[m.ClientMessage](64)
        outbox, from_server = trio.open_memory_channel[m.ServerMessage](4096)
        nursery.start_soon(serve_connection, MemoryConnection(inbox, outbox), app.lobby)
        names = [deck.name for deck in house_decks().summaries()]
        for message in (
            m.Hello(id="a", name="Nuisance"),
            m.Open(id="b", options=RoomOptions(seats=3, seed=seed)),
            m.ChooseDeck(id="c", house=names[seed]),
            m.Stops(id="d", only_pass=True),
            m.AddBot(id="e", level="random"),
            m.AddBot(id="f"),
            m.Start(id="g"),
        ):
            await to_server.send(message)
        nuisance = Nuisance(seed)
        with trio.fail_after(90):
            await nuisance.play(to_server, from_server)
        assert nuisance.over and sum(nuisance.refused.values()) > 20
        nursery.cancel_scope.cancel()
