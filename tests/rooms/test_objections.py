"""What is done by hand and what the others say of it: acts are done at once and can be objected to, or wait where they show something."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import messages as m
from protocol.by_hand import BackChange, Change, LifeChange, TokenChange, TurnChange
from protocol.options import DecisionClock, RoomOptions
from protocol.questions import ActAnswer, ActQuestion, PriorityQuestion
from protocol.refusals import Code, Refusal
from protocol.view import read
from server.rooms import RULES, Room, replay, restore
from server.storage import Sitting, TakenBack, make_setup
from tests.rooms.tables import Client, read_all
from tests.rooms.test_by_hand import Table, to_priority, verse

NAMES = ("Ada", "Ben", "Cyd", "Dee")


class Four(Table):
    """A table of so many people, and bots, with nothing but a spell that is not read."""

    def __init__(self, nursery: trio.Nursery, seats: int = 4, bots: int = 0, **options: object) -> None:
        super().__init__(nursery)
        people = [
            Sitting(name=name, person=name, deck=(verse(),) * 60, kind="bot" if number >= seats - bots else "person")
            for number, name in enumerate(NAMES[:seats])
        ]
        chosen = RoomOptions(**{"seats": seats, "mulligans": False, "by_hand": "unread", **options})
        self.seats = seats
        self.room = Room(
            make_setup(room="r", options=chosen, seed="hand", sittings=people, version=RULES.version), self.storage
        )

    async def begin(self) -> Four:
        await self.nursery.start(self.room.run)
        self.clients = [Client(self.room, f"c{seat}", seat) for seat in range(self.seats)]
        for client in self.clients:
            client.attach()
        await self.settle()
        return self

    @property
    def players(self) -> list[Client]:
        return self.clients

    @property
    def asked(self) -> Client | None:
        read_all(self.clients)
        found = [one for one in self.clients if one.question is not None]
        return found[0] if len(found) == 1 else None

    async def settle(self) -> None:
        for _ in range(600):
            if self.asked is not None:
                return
            await trio.sleep(0.1)
        raise AssertionError("nobody is asked")

    @property
    def question(self) -> object:
        assert self.asked is not None
        return self.asked.question

    async def give(self, line: str = "") -> str:
        """The open act question is answered; the id of the message."""
        client = self.asked
        assert client is not None and isinstance(client.question, ActQuestion)
        self._ids += 1
        re = f"g{self._ids}"
        await client.send(m.AnswerMessage(id=re, question=client.question.id, answer=ActAnswer(line=line)))
        await self.still()
        if any(isinstance(message, m.Ok) and message.re == re for message in client.got):
            await self.settle()
        return re

    async def still(self) -> None:
        await wait_all_tasks_blocked()
        read_all(self.clients)

    async def say(self, seat: int, *, yes: bool) -> m.ServerMessage:
        """A seat says what it thinks of the ballot that it was told of last."""
        self._ids += 1
        re = f"s{self._ids}"
        await self.clients[seat].send(m.Agree(id=re, ballot=self.ballot.ballot, yes=yes))
        await self.still()
        return self.clients[seat].reply(re)

    @property
    def ballot(self) -> m.Ballot:
        return next(one for one in reversed(self.clients[0].got) if isinstance(one, m.Ballot))

    def others(self, seat: int) -> list[int]:
        return [(seat + n) % self.seats for n in range(1, self.seats)]

    def life(self, seat: int) -> int:
        return read(self.clients[0].view).players[str(seat)].life

    def reply_or_none(self, re: str) -> m.ServerMessage | None:
        return next((message for client in self.clients for message in client.got if message.re == re), None)


async def test_an_act_is_done_at_once_and_undone_when_more_than_half_of_the_others_object(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    table = await Four(nursery).begin()
    seat = await table.to_the_text()
    one, two, three = table.others(seat)
    await table.give("I gain 5 life")
    assert table.life(seat) == 25
    told = table.ballot
    assert (told.what, told.by, told.need, told.left_ms, told.held, told.result) == ("act", seat, 2, 5000, False, "")
    assert told.changes[0].args["said"] == "I gain 5 life"
    assert isinstance(await table.say(one, yes=False), m.Ok)
    assert table.ballot.stands and table.ballot.waiting == sorted((two, three)) and table.life(seat) == 25
    assert isinstance(await table.say(two, yes=False), m.Ok)
    await table.settle()
    assert (table.ballot.result, table.life(seat)) == ("failed", 20)
    assert isinstance(table.question, ActQuestion)
    assert [event.key for event in table.clients[0].events if event.kind == "taken_back"] == ["event.objected"]
    journal = await table.storage.load("r")
    assert isinstance(journal.entries[-1], TakenBack) and table.room.state is not None
    assert RULES.fingerprint(list(replay(journal, RULES))[-1].after) == RULES.fingerprint(table.room.state)


async def test_an_act_stands_when_half_of_the_others_do_not_object_and_the_objection_is_lost(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    table = await Four(nursery).begin()
    seat = await table.to_the_text()
    one, two, three = table.others(seat)
    for lost in range(1, 4):
        await table.give("I gain 1 life")
        await table.say(one, yes=False)
        await table.say(two, yes=True)
        assert table.ballot.result == "", "the third may still object"
        await table.say(three, yes=True)
        assert (table.ballot.result, table.life(seat)) == ("passed", 20 + lost)
    assert table.ballot.spent == [one]
    await table.give("I gain 1 life")
    refused = await table.say(one, yes=False)
    assert isinstance(refused, m.Refused) and refused.code == Code.NO_OBJECTION
    assert isinstance(await table.say(two, yes=False), m.Ok), "another may object"


async def test_while_an_objection_stands_the_game_and_the_clocks_stand(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Four(nursery, clock=DecisionClock(ms=20_000)).begin()
    seat = await table.to_the_text()
    await table.give("I gain 1 life")
    await table.say(table.others(seat)[0], yes=False)
    refused = table.reply_or_none(await table.give("I gain 2 life"))
    assert isinstance(refused, m.Refused) and refused.code == Code.OBJECTED
    assert table.room.state is not None and table.room.state.pending is not None
    number = table.room.state.pending.number
    await trio.sleep(29)
    assert table.room.state.pending.number == number, "the clock of 20 s did not run"
    await trio.sleep(2)
    await table.still()
    assert table.ballot.result == "passed", "who says nothing is for the act"
    await trio.sleep(21)
    assert table.room.state.pending.number != number


async def test_an_act_that_shows_something_is_held_before_it_is_done(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Four(nursery).begin()
    seat = await table.to_the_text()
    before = table.room.state
    re = await table.give("I draw two cards")
    assert table.ballot.held and table.room.state is before and table.reply_or_none(re) is None
    one, two, _ = table.others(seat)
    await table.say(one, yes=False)
    await table.say(two, yes=False)
    refused = table.reply_or_none(re)
    assert isinstance(refused, m.Refused) and refused.code == Code.OBJECTED
    assert (table.ballot.result, table.room.state) == ("failed", before), "nobody saw a card"
    re = await table.give("I draw two cards")
    await trio.sleep(5.1)
    await table.still()
    assert isinstance(table.reply_or_none(re), m.Ok) and table.ballot.result == "passed"
    assert table.room.state is not before


async def test_the_paragraph_is_not_done_before_its_acts_can_be_objected_to_no_more(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Four(nursery).begin()
    seat = await table.to_the_text()
    await table.give("I gain 1 life")
    re = await table.give()
    assert table.reply_or_none(re) is None
    for other in table.others(seat):
        await table.say(other, yes=True)  # all have seen it: nobody need wait any more
    await table.still()
    assert isinstance(table.reply_or_none(re), m.Ok) and table.life(seat) == 21


async def test_who_objects_to_the_first_of_two_acts_undoes_both(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Four(nursery, seats=2).begin()
    seat = await table.to_the_text()
    await table.give("I gain 1 life")
    first = table.ballot
    await table.give("I gain 2 life")
    assert table.life(seat) == 23
    await table.clients[1 - seat].send(m.Agree(id="no", ballot=first.ballot, yes=False))
    await table.still()
    await table.settle()
    assert table.life(seat) == 20
    results = {one.ballot: one.result for one in table.clients[0].got if isinstance(one, m.Ballot) and one.result}
    assert sorted(results.values()) == ["failed", "withdrawn"]


async def test_bots_and_who_is_away_are_for_the_act_and_where_nobody_could_object_nothing_waits(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    table = await Four(nursery, bots=2, first=0).begin()
    seat = await table.to_the_text()
    assert isinstance(table.reply_or_none(await table.give("I draw a card")), m.Ok)
    assert not any(isinstance(one, m.Ballot) for one in table.clients[0].got)
    assert seat == 0


async def test_an_act_that_is_taken_back_by_its_player_is_no_more_objected_to(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Four(nursery).begin()
    seat = await table.to_the_text()
    await table.give("I gain 1 life")
    await table.clients[seat].send(m.TakeBack(id="t"))
    await table.still()
    assert isinstance(table.clients[seat].reply("t"), m.Ok)
    assert (table.ballot.result, table.life(seat)) == ("withdrawn", 20)


async def test_who_leaves_in_the_middle_of_an_objection_leaves_the_act_standing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Four(nursery).begin()
    seat = await table.to_the_text()
    one, two, _ = table.others(seat)
    await table.give("I gain 1 life")
    await table.say(one, yes=False)
    await table.clients[two].send(m.Concede(id="gg"))
    await table.still()
    assert (table.ballot.result, table.life(seat)) == ("passed", 21)
    assert table.room.frozen is False


# --- proposals ----------------------------------------------------------------------------------------------------------------


async def proposed(table: Four, seat: int, message: m.ClientMessage) -> m.ServerMessage:
    await table.clients[seat].send(message)
    await table.still()
    return table.clients[seat].reply(message.id)


async def test_a_correction_needs_everybody_in_a_public_room_and_most_among_friends(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    for agreement, passes in (("all", False), ("most", True)):
        async with trio.open_nursery() as inner:
            table = await Four(inner, private=True, agreement=agreement).begin()
            await to_priority(table)
            assert isinstance(await proposed(table, 0, m.Correct(id="c", changes=(LifeChange(seat=3, to=7),))), m.Ok)
            await table.say(1, yes=True)
            assert table.ballot.need == (3 if passes else 4) and table.ballot.result == ""
            await table.say(2, yes=True)
            await table.say(3, yes=False)
            await table.still()
            assert table.ballot.result == ("passed" if passes else "failed")
            assert table.life(3) == (7 if passes else 20)
            inner.cancel_scope.cancel()


async def test_a_correction_that_waits_for_priority_is_seen_and_can_be_withdrawn(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    table = await Four(nursery).begin()
    seat = await table.to_the_text()
    by, *others = table.others(seat)
    await proposed(table, by, m.Correct(id="c", changes=(LifeChange(seat=0, to=7),)))
    for voter in (*others, seat):
        await table.say(voter, yes=True)
    assert (table.ballot.result, table.ballot.left_ms, table.ballot.waiting) == ("", 0, [])
    refused = await proposed(table, seat, m.Correct(id="d", changes=(LifeChange(seat=0, to=8),)))
    assert isinstance(refused, m.Refused) and refused.code == Code.BALLOT_OPEN
    late = Client(table.room, "late", None)
    late.attach()
    late.read()
    assert any(isinstance(one, m.Ballot) and one.what == "correct" for one in late.got)
    await table.say(by, yes=False)
    assert table.ballot.result == "withdrawn" and table.life(0) == 20


async def test_so_many_corrections_of_a_seat_in_a_turn_unless_the_room_is_open(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    for option, code in (("unread", Code.TOO_MANY_CORRECTIONS), ("open", "")):
        async with trio.open_nursery() as inner:
            table = await Four(inner, seats=2, by_hand=option).begin()
            await to_priority(table)
            reply: m.ServerMessage | None = None
            for number in range(6):
                reply = await proposed(table, 0, m.Correct(id=f"c{number}", changes=(LifeChange(seat=0, to=number),)))
                if isinstance(reply, m.Refused):
                    break
                await table.say(0, yes=False)
            assert (reply.code if isinstance(reply, m.Refused) else "") == code
            many = tuple(LifeChange(seat=0, to=number) for number in range(30))
            reply = await proposed(table, 1, m.Correct(id="many", changes=many))
            assert isinstance(reply, m.Refused) == (option == "unread")
            inner.cancel_scope.cancel()


async def corrected(table: Four, *changes: Change) -> None:
    """Everybody agrees to a correction."""
    await proposed(table, 0, m.Correct(id=f"x{len(table.clients[0].got)}", changes=changes))
    for seat in range(1, table.seats):
        await table.say(seat, yes=True)
    await table.settle()


async def test_tokens_more_and_another_step_of_another_turn(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    table = await Four(nursery).begin()
    await to_priority(table)
    await corrected(table, TokenChange(seat=2, line="a 4/4 white Angel creature token with flying", count=2))
    view = read(table.clients[0].view)
    assert [view.objects[i].power for i in view.battlefield] == [4, 4]
    await corrected(table, TurnChange(seat=3, step="postcombat_main"))
    view = read(table.clients[0].view)
    assert (view.active, view.step, view.priority) == (3, "postcombat_main", 3)
    assert table.ballot.result == "passed" and isinstance(table.question, PriorityQuestion)
    journal = await table.storage.load("r")
    again = await restore(journal, table.storage)
    assert again.view(0) == table.room.view(0)


async def test_the_table_goes_back_to_a_moment_that_is_listed(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    table = await Four(nursery, seats=2).begin()
    seat = await table.to_the_text()
    await table.give("I gain 5 life")
    await table.give()
    await trio.sleep(6)
    await to_priority(table)
    await table.clients[1].send(m.Moments(id="m"))
    await table.still()
    told = table.clients[1].reply("m")
    assert isinstance(told, m.MomentsTold)
    assert [(one.kind, one.seat) for one in told.moments][-2:] == [("act", seat), ("priority", seat)]
    act = next(one for one in reversed(told.moments) if one.kind == "act")
    await corrected(table, BackChange(question=act.question))
    assert (table.ballot.result, table.life(seat)) == ("passed", 20)
    assert isinstance(table.question, ActQuestion)
    refused = await proposed(table, 0, m.Correct(id="z", changes=(BackChange(question="q999"),)))
    assert isinstance(refused, m.Refused) and refused.code == Code.NO_MOMENT


# --- a game that a defect froze -----------------------------------------------------------------------------------------------


async def frozen(table: Four) -> Callable[[], None]:
    """The spell's text makes the rules fail; what mends them."""
    await to_priority(table)
    submit = RULES.submit

    def fails(state, seat, answer):
        if state.stack:
            raise RuntimeError("a defect of ours")
        return submit(state, seat, answer)

    broken = pytest.MonkeyPatch()
    broken.setattr(RULES, "submit", fails)
    client = table.asked
    assert client is not None and isinstance(client.question, PriorityQuestion)
    while True:
        question = table.question
        assert isinstance(question, PriorityQuestion)
        cast = next((i for i, a in enumerate(question.actions) if a.type == "cast"), 0)
        assert table.asked is not None
        await table.asked.answer(cast)
        await table.still()
        if table.room.frozen:
            return broken.undo
        await table.settle()
        if table.room.state is not None and table.room.state.stack:
            await table.asked.answer(0)
            await table.still()
            assert table.room.frozen
            return broken.undo


@pytest.mark.parametrize("skip", [True, False])
async def test_a_table_takes_its_frozen_game_up_with_or_without_the_step_that_failed(
    nursery: trio.Nursery, autojump_clock: MockClock, skip: bool
) -> None:
    table = await Four(nursery, seats=2).begin()
    mend = await frozen(table)
    try:
        state = table.room.state
        assert state is not None and len(state.stack) == 1
        refused = await refused_of(table, m.Correct(id="c", changes=(LifeChange(seat=0, to=7),)))
        assert refused == Code.FROZEN
        if not skip:
            mend()
        await proposed(table, 0, m.TakeUp(id="up", skip=skip, changes=(LifeChange(seat=0, to=7),)))
        assert table.ballot.what == "take_up"
        await table.say(1, yes=True)
        assert not table.room.frozen and table.ballot.result == "passed"
        assert table.room.state is not None and len(table.room.state.stack) == (0 if skip else 1)
        assert table.life(0) == 7
        assert isinstance(table.question, PriorityQuestion if skip else ActQuestion)
        journal = await table.storage.load("r")
        assert RULES.fingerprint(list(replay(journal, RULES))[-1].after) == RULES.fingerprint(table.room.state)
    finally:
        mend()


async def refused_of(table: Four, message: m.ClientMessage) -> str:
    with pytest.raises(Refusal) as no:
        await table.clients[0].send(message)
    return no.value.code


async def test_a_game_that_is_not_frozen_is_not_taken_up(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    table = await Four(nursery, seats=2).begin()
    await to_priority(table)
    refused = await proposed(table, 0, m.TakeUp(id="up"))
    assert isinstance(refused, m.Refused) and refused.code == Code.NOT_FROZEN
