"""Cards that are partly read, at a table: acts are typed, seen by all, kept in the journal, and played again from it."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import messages as m
from protocol.by_hand import LifeChange, TappedChange
from protocol.options import RoomOptions
from protocol.questions import ActAnswer, ActQuestion, Answer, ConfirmAnswer, PriorityAnswer, PriorityQuestion
from protocol.refusals import Code, Refusal
from protocol.view import read
from protocol.words import fill
from server.cards.forms import Card
from server.cards.loading import Entry
from server.command.decks import house_decks
from server.knowledge.questions import write_answer
from server.oracle.by_hand import read_partly
from server.rooms import RULES, Room, replay, restore
from server.rules.turn import legal
from server.storage import MemoryStorage, Sitting, make_setup
from tests.rooms.tables import Client, asked, read_all


def verse() -> Card:
    found = read_partly(Entry("Verse of Odds", cost="{0}", types="Sorcery", text="Hum along with everybody."))
    assert isinstance(found, Card)
    return found


class Table:
    """Two people, Ada and Ben, with decks of nothing but a spell that is not read."""

    def __init__(self, nursery: trio.Nursery) -> None:
        people = [Sitting(name=name, person=name, deck=(verse(),) * 60) for name in ("Ada", "Ben")]
        options = RoomOptions(seats=2, mulligans=False, by_hand="unread")
        self.storage = MemoryStorage()
        self.room = Room(
            make_setup(room="r", options=options, seed="hand", sittings=people, version=RULES.version), self.storage
        )
        self.nursery = nursery
        self.clients: list[Client] = []
        self._ids = 0

    async def begin(self) -> Table:
        await self.nursery.start(self.room.run)
        self.clients = [Client(self.room, f"c{seat}", seat if seat < 2 else None) for seat in range(3)]
        for client in self.clients:
            client.attach()
        await self.settle()
        return self

    @property
    def players(self) -> list[Client]:
        return self.clients[:2]

    async def answer(self, answer: Answer | None = None) -> m.ServerMessage:
        """The open question is answered, by its default if by nothing else; the reply."""
        client = asked(self.players)
        question = client.question
        assert question is not None
        state = self.room.state
        assert state is not None and state.pending is not None
        given = answer or write_answer(legal.default(state.pending, state))
        self._ids += 1
        re = f"a{self._ids}"
        await client.send(m.AnswerMessage(id=re, question=question.id, answer=given))
        await wait_all_tasks_blocked()
        read_all(self.clients)
        while not any(message.re == re for message in client.got):  # it is held until nobody can object any more
            await trio.sleep(0.1)
            read_all(self.clients)
        reply = client.reply(re)
        if isinstance(reply, m.Ok) and client.question is question:
            client.question = None
        await self.settle()
        return reply

    async def settle(self) -> None:
        """Until somebody is asked: the room passes for who can do nothing."""
        while sum(one.question is not None for one in self.players) != 1:
            await trio.sleep(0.1)
            read_all(self.clients)

    @property
    def question(self) -> object:
        return asked(self.players).question

    async def to_the_text(self) -> int:
        """The first who can casts the spell, and all pass until it resolves; whose it is."""
        for _ in range(40):
            question = self.question
            if isinstance(question, ActQuestion):
                return question.seat
            cast = 0
            if isinstance(question, PriorityQuestion) and self.room.state is not None and not self.room.state.stack:
                cast = next((i for i, a in enumerate(question.actions) if a.type == "cast"), 0)
            if isinstance(question, PriorityQuestion):
                await self.answer(PriorityAnswer(index=cast))
            else:
                await self.answer()
        raise AssertionError("nothing resolved")


async def test_an_act_is_typed_and_all_see_it(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    table = await Table(nursery).begin()
    seat = await table.to_the_text()
    question = table.question
    assert isinstance(question, ActQuestion)
    assert question.text == "Hum along with everybody."
    other = ("Ben", "Ada")[seat]
    assert isinstance(await table.answer(ActAnswer(line=f"{other} loses 3 life, then I draw two cards")), m.Ok)
    for client in table.clients:
        view = read(client.view)
        assert view.players[str(1 - seat)].life == 17
        told = [fill(event.key, event.args) for event in client.events if event.kind == "acted"]
        assert told == [
            f"{('Ada', 'Ben')[seat]} does by hand, for Verse of Odds: {other} loses 3 life, then I draw two cards"
        ]
    assert isinstance(await table.answer(ActAnswer()), m.Ok)
    assert not isinstance(table.question, ActQuestion)
    for client in table.clients[:2]:
        await client.send(m.Concede(id="gg"))
        await wait_all_tasks_blocked()
    assert table.room.result is not None and table.room.result.by_hand


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("frolic", Code.NOT_AN_ACT),
        ("destroy #1", "hidden"),
        ("repeat this process", "too_much"),
        ("destroy target creature", "no_target"),
    ],
)
async def test_what_cannot_be_done_is_refused_with_the_reason_and_can_be_tried_again(
    nursery: trio.Nursery, autojump_clock: MockClock, line: str, code: str
) -> None:
    table = await Table(nursery).begin()
    await table.to_the_text()
    before = table.room.state
    reply = await table.answer(ActAnswer(line=line))
    assert isinstance(reply, m.Refused) and reply.code == code and reply.sentence
    assert table.room.state is before
    assert isinstance(await table.answer(ActAnswer(line="I gain 1 life")), m.Ok)


async def test_the_face_says_which_paragraph_is_by_hand(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    table = await Table(nursery).begin()
    faces = [
        face
        for message in table.clients[0].got
        if isinstance(message, m.ViewMessage)
        for face in message.faces.values()
    ]
    assert [face.by_hand for face in faces if face.name == "Verse of Odds"] == [["Hum along with everybody."]]


async def test_a_journal_with_acts_plays_again_and_the_room_is_taken_up_between_two_of_them(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    table = await Table(nursery).begin()
    seat = await table.to_the_text()
    await table.answer(ActAnswer(line="create a 1/1 white Soldier creature token"))
    await table.answer(ActAnswer(line="Ada gains 2 life"))
    journal = await table.storage.load("r")
    last = list(replay(journal, RULES))[-1].after
    assert table.room.state is not None
    assert RULES.fingerprint(last) == RULES.fingerprint(table.room.state)
    again = await restore(journal, table.storage)
    for viewer in (0, 1, None):
        assert again.view(viewer) == table.room.view(viewer)
    assert again.state is not None and again.state.pending is not None and again.state.pending.seat == seat
    assert "Ada" not in str(list(journal.entries))


async def test_a_preview_of_an_act_is_unsure(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    table = await Table(nursery).begin()
    seat = await table.to_the_text()
    question = table.question
    assert isinstance(question, ActQuestion)
    await table.clients[seat].send(m.Preview(id="p", question=question.id, answer=ActAnswer(line="draw a card")))
    await wait_all_tasks_blocked()
    read_all(table.clients)
    told = table.clients[seat].reply("p")
    assert isinstance(told, m.Forecast) and told.effects is not None and told.effects.unsure


async def test_an_act_answers_no_other_question(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    table = await Table(nursery).begin()
    while not isinstance(table.question, PriorityQuestion):
        await table.answer(ConfirmAnswer(yes=True))
    reply = await table.answer(ActAnswer(line="draw a card"))
    assert isinstance(reply, m.Refused) and reply.code == Code.WRONG_KIND


# --- which rooms take such cards ----------------------------------------------------------------------------------------------

OWN = '[[card]]\nname = "Kettle Drake"\ntypes = "Creature — Drake"\ncost = "{2}{R}"\npower = "2"\ntoughness = "2"\ntext = "Frobnicate."\n'
LIST = "4 Kettle Drake\n56 Mountain"


async def test_a_deck_is_read_whole_or_by_hand_as_the_room_has_it() -> None:
    decks = house_decks()
    with pytest.raises(Refusal):
        await decks.read(LIST, OWN)
    deck = await decks.read(LIST, OWN, by_hand=True)
    assert deck.by_hand == ("Kettle Drake",)


async def test_a_tree_that_says_by_hand_comes_only_where_something_is_played_by_hand() -> None:
    tree = OWN.replace('text = "Frobnicate."', '[[card.abilities]]\nability = "by hand"\ntext = "Frobnicate."')
    with pytest.raises(Refusal) as refused:
        await house_decks().read(LIST, tree)
    assert refused.value.code == Code.BAD_DECK and "by hand" in refused.value.sentence
    assert (await house_decks().read(LIST, tree, by_hand=True)).by_hand == ("Kettle Drake",)


# --- what the table agrees to -------------------------------------------------------------------------------------------------


async def agreed(table: Table, seat: int, message: m.ClientMessage) -> m.Ballot:
    """The other one agrees to what a seat proposes; what came of it."""
    await table.clients[seat].send(message)
    await wait_all_tasks_blocked()
    read_all(table.clients)
    assert isinstance(table.clients[seat].reply(message.id), m.Ok)
    vote = next(one for one in reversed(table.clients[1 - seat].got) if isinstance(one, m.Ballot))
    await table.clients[1 - seat].send(m.Agree(id="yes", ballot=vote.ballot))
    await wait_all_tasks_blocked()
    read_all(table.clients)
    await table.settle()
    return vote


async def to_priority(table: Table) -> None:
    while not isinstance(table.question, PriorityQuestion):
        await table.answer()


async def test_a_correction_is_seen_by_all_before_they_agree_and_asked_anew_after_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Table(nursery).begin()
    await to_priority(table)
    before = table.question
    assert isinstance(before, PriorityQuestion)
    vote = await agreed(table, 0, m.Correct(id="c", changes=(LifeChange(seat=1, to=7),)))
    assert (vote.what, [text.key for text in vote.changes]) == ("correct", ["amend.life"])
    for client in table.clients:
        assert read(client.view).players["1"].life == 7
        assert [event.key for event in client.events if event.kind == "amended"] == ["amend.life"]
    assert isinstance(table.question, PriorityQuestion) and table.question.id != before.id
    journal = await table.storage.load("r")
    assert table.room.state is not None
    assert RULES.fingerprint(list(replay(journal, RULES))[-1].after) == RULES.fingerprint(table.room.state)


async def test_a_correction_waits_for_priority(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    table = await Table(nursery).begin()
    seat = await table.to_the_text()
    await agreed(table, 1 - seat, m.Correct(id="c", changes=(LifeChange(seat=1, to=7),)))
    assert isinstance(table.question, ActQuestion)
    assert read(table.clients[0].view).players["1"].life == 20
    await table.answer(ActAnswer())
    assert read(table.clients[0].view).players["1"].life == 7


async def test_other_words_hold_for_the_rest_of_the_game_and_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Table(nursery).begin()
    await to_priority(table)
    state = table.room.state
    assert state is not None
    mine = str(state.players[0].hand[0])
    vote = await agreed(table, 0, m.Reword(id="w", object=mine, line="You gain 5 life."))
    assert vote.what == "reword" and vote.changes[0].args["line"] == "You gain 5 life."
    journal = await table.storage.load("r")
    again = await restore(journal, table.storage)
    for viewer in (0, 1, None):
        assert again.view(viewer) == table.room.view(viewer)
    assert again.state is not None
    assert all(
        o.definition.card.text == "You gain 5 life." for o in again.state.objects.values() if o.zone == "library"
    )


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (m.Reword(id="x", object="999", line="Draw a card."), Code.NO_SUCH_OBJECT),
        (m.Correct(id="x", changes=(LifeChange(seat=9, to=1),)), Code.NO_SUCH_SEAT),
        (m.Correct(id="x", changes=(TappedChange(object="1", to=True),)), "hidden"),
    ],
)
async def test_what_cannot_be_changed_is_not_put_to_the_vote(
    nursery: trio.Nursery, autojump_clock: MockClock, message: m.ClientMessage, code: str
) -> None:
    table = await Table(nursery).begin()
    await to_priority(table)
    state = table.room.state
    assert state is not None
    if isinstance(message, m.Correct) and isinstance(message.changes[0], TappedChange):
        message = m.Correct(id="x", changes=(TappedChange(object=str(state.players[1].hand[0]), to=True),))
    await table.clients[0].send(message)
    await wait_all_tasks_blocked()
    read_all(table.clients)
    reply = table.clients[0].reply("x")
    assert isinstance(reply, m.Refused) and reply.code == code


async def test_a_room_that_plays_nothing_by_hand_corrects_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = Table(nursery)
    options = RoomOptions(seats=2, mulligans=False)
    people = [Sitting(name=name, person=name, deck=(verse(),) * 60) for name in ("Ada", "Ben")]
    setup = make_setup(room="r", options=options, seed="hand", sittings=people, version=RULES.version)
    table.room = Room(setup, table.storage)
    await table.begin()
    await table.clients[0].send(m.Correct(id="x", changes=(LifeChange(seat=1, to=7),)))
    await wait_all_tasks_blocked()
    read_all(table.clients)
    reply = table.clients[0].reply("x")
    assert isinstance(reply, m.Refused) and reply.code == Code.BAD_OPTION
