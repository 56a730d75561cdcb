"""One player controls another over a real websocket: who is asked, what both see, and what stays the controlled player's own."""

from __future__ import annotations

import pytest
import trio

from client_cli.bots.simple import SimplePlayer
from client_cli.dialog import Dialog
from client_cli.errors import RequestRefused
from client_cli.session import Session, open_session
from client_cli.show import Show
from client_cli.table import Table
from protocol import messages as m
from protocol import questions as q
from protocol.options import RoomOptions
from server.command.decks import house_decks
from server.net.app import running
from server.settings import Listen, People, Settings
from server.storage import MemoryStorage

OWN = Settings(listen=Listen(port=0), people=People(own_cards="everybody"))
CARDS = """
[[card]]
name = "Yoke of Hours"
types = "Artifact"
cost = "{0}"
text = "{T}, Sacrifice Yoke of Hours: You control target player during that player's next turn."
[[card]]
name = "Hill Ox"
types = "Creature — Ox"
cost = "{0}"
power = "2"
toughness = "2"
"""
YOKES = "4 Yoke of Hours\n56 Plains\n"
OXEN = "4 Hill Ox\n56 Forest\n"


class Asked:
    """Plays the first card of all kinds that it can on the turn of whoever it decides for, and notes what it is shown."""

    def __init__(self) -> None:
        self.whose: list[int | None] = []
        self.seen: set[str] = set()
        self.controlled: set[tuple[int, int]] = set()
        self.said: set[str] = set()
        self.turns: dict[int, set[int]] = {}

    def answer(self, table: Table, question: q.Question) -> q.Answer:
        view, mine = table.view, table.you
        assert mine is not None and question.seat == mine
        whose = mine if question.for_seat is q.UNSET else question.for_seat
        self.turns.setdefault(view.turn, set()).add(whose)
        for seat, player in view.players.items():
            if player.controlled_by is not q.UNSET:
                self.controlled.add((int(seat), player.controlled_by))
        if whose != mine:
            self.seen |= {table.name(number) for number in view.players[str(whose)].hand}
            show = Show(table)
            self.said |= {Dialog(show, question).prompt, *show.board()}
        match question:
            case q.PriorityQuestion() if view.active == whose:
                for kind in ("play_land", "cast", "activate"):
                    for number, action in enumerate(question.actions):
                        if action.type == kind and not action.mana:
                            return q.PriorityAnswer(index=number)
                return question.default
            case q.ChooseQuestion() if question.purpose == "target":
                return q.ChooseAnswer(
                    picks=(next(n for n, o in enumerate(question.options) if o == q.PlayerChoice(1)),)
                )
            case _:
                return question.default


async def seated(ann: Session, ben: Session) -> None:
    options = RoomOptions(seats=2, first=0, mulligans=False, hand=20, seed=3, by_hand="never")
    room = (await ann.request(m.Open(id="o", options=options), m.Room)).room
    await ben.request(m.Join(id="j", room=room.id), m.Room)
    for session, deck in ((ann, YOKES), (ben, OXEN)):
        await session.do(m.ChooseDeck(id="d", text=deck, cards=CARDS))
        await session.do(m.Ready(id="r"))
    await ann.do(m.Start(id="go"))


async def until_turn(session: Session, brain: Asked | SimplePlayer, turn: int) -> None:
    """Answers as `brain` does until that turn, and leaves its first question open."""
    while session.table.view.turn < turn if session.table.started else True:
        if session.table.question is not None:
            question, session.table.question = session.table.question, None
            answer = brain.answer(session.table, question)
            await session.do(m.AnswerMessage(id=f"a{question.id}", question=question.id, answer=answer))
        else:
            await session.receive()


@pytest.mark.rule("712.4")
@pytest.mark.rule("712.5")
async def test_who_controls_a_player_is_asked_for_that_player_and_sees_the_hand() -> None:
    async with (
        running(MemoryStorage(), house_decks(), settings=OWN) as app,
        open_session(app.url, "Ann") as ann,
        open_session(app.url, "Ben") as ben,
    ):
        await seated(ann, ben)
        hers, his = Asked(), Asked()
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(until_turn, ben, his, 5)
                nursery.start_soon(until_turn, ann, hers, 5)
    assert 1 in hers.turns[2] and 0 in hers.turns[3], "she decides for him, and for herself"
    assert hers.seen >= {"Forest"} and hers.seen <= {"Forest", "Hill Ox"}
    assert any(line.startswith("You decide for Ben.") for line in hers.said)
    assert any(line.startswith("Hand of Ben: ") for line in hers.said)
    assert 2 not in his.turns, "he is asked nothing in that turn"
    assert all(turn == 2 or whose == {0} for turn, whose in hers.turns.items()), "the next one is his own"
    assert his.turns and set.union(*his.turns.values()) == {1}


@pytest.mark.rule("712.6")
async def test_a_controlled_player_is_not_asked_but_may_concede() -> None:
    async with (
        running(MemoryStorage(), house_decks(), settings=OWN) as app,
        open_session(app.url, "Ann") as ann,
        open_session(app.url, "Ben") as ben,
    ):
        await seated(ann, ben)
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(until_turn, ben, SimplePlayer(), 2)
                await until_turn(ann, Asked(), 2)
            while ann.table.question is None:
                await ann.receive()
            asked = ann.table.question
            assert asked.seat == 0 and asked.for_seat == 1
            with pytest.raises(RequestRefused) as refused:
                await ben.do(m.AnswerMessage(id="x", question=asked.id, answer=asked.default))
            assert refused.value.refused.code == "not_your_question"
            await ben.do(m.Concede(id="c"))
            while ann.table.over is None:
                await ann.receive()
            assert ann.table.over.result.winners == [0]


@pytest.mark.rule("712.5")
def test_a_bot_lets_an_opponent_whom_it_controls_do_nothing() -> None:
    """It passes, and has creatures attack whoever is no friend of its own."""
    attackers = (
        q.Attacker(object="7", defenders=(q.PlayerChoice(0),)),
        q.Attacker(object="8", defenders=(q.PlayerChoice(0), q.PlayerChoice(2))),
    )
    table = Table()
    table.tree = {"turn": 3, "phase": "combat", "step": "declare_attackers", "active": 1, "order": [0, 1, 2],
                  "players": {str(n): {"name": f"P{n}", "life": 20} for n in range(3)}}  # fmt: skip
    stays = q.AttackersAnswer(attacks=())
    question = q.AttackersQuestion(
        id="q",
        seat=0,
        for_seat=1,
        purpose="attackers",
        prompt=q.Text("ask.attackers"),
        default=stays,
        attackers=attackers,
    )
    assert SimplePlayer().answer(table, question) == q.AttackersAnswer(attacks=((1, 1),))
    passes = q.PriorityAnswer(index=0)
    holds = q.PriorityQuestion(
        id="q", seat=0, for_seat=1, purpose="priority", prompt=q.Text("ask.priority"), default=passes,
        actions=(q.Action(type="pass"), q.Action(type="cast", object="9", text="Hill Ox")),
    )  # fmt: skip
    assert SimplePlayer().answer(table, holds) == passes
