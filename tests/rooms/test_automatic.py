"""What a room answers for a seat: yields, answers always alike, loops, triggers that are alike."""

from __future__ import annotations

import pytest

from protocol.refusals import Refusal
from protocol.table import Always, Forget, Pass, Repeat, Yield
from server.cards import forms
from server.knowledge.questions import QuestionIds
from server.rooms.automatic import Automation
from server.rooms.clocks import Terms
from server.rooms.replay import Turned
from server.rooms.seated import Seats, automatic, begin, follow, instructed
from server.rules.model import State
from server.rules.model import questions as q
from server.rules.turn import game as rules
from server.storage import Answered, Passed
from tests.rules.play import BEAR, Game, creature, enchantment, instant, noun, tapping, whenever

TERMS = Terms()
IDS = QuestionIds("a seed")
BLESS = whenever(
    forms.Pattern(event="zone change", subject=noun("a creature"), to="battlefield"),
    forms.GainLife(amount=1),
    text="Whenever a creature enters the battlefield, you gain 1 life.",
)
MAY = whenever(
    forms.Pattern(event="zone change", subject=noun("a creature"), to="battlefield"),
    forms.May(then=(forms.GainLife(amount=1),)),
    text="Whenever a creature enters the battlefield, you may gain 1 life.",
)


class Seats2:
    """A played game with what its seats have left with their room."""

    def __init__(self, game: Game) -> None:
        self.state: State = game.state
        self.seats: Seats = begin(len(game.letters), TERMS)
        self.by_room = 0

    def tell(self, seat: int, message: Yield | Always | Forget | Repeat | Pass) -> None:
        changed = instructed(self.seats[seat], message, self.state, seat, IDS)
        self.seats = (*self.seats[:seat], changed, *self.seats[seat + 1 :])

    def answer(self, answer: q.AnyAnswer, by: str = "seat") -> None:
        before, pending = self.state, self.state.pending
        assert pending is not None
        after, events = rules.submit(before, pending.seat, answer)
        entry = (
            Passed(seq=0, question=pending.number)
            if by == "pass"
            else Answered(seq=0, seat=pending.seat, question=pending.number, answer=answer, by=by)  # type: ignore[arg-type]
        )
        self.seats = follow(self.seats, TERMS, IDS, Turned(entry, before, after, events))
        self.state = after

    def run(self, most: int = 100) -> None:
        """All that the room answers by itself."""
        for _ in range(most):
            reply = automatic(self.seats, self.state)
            if reply is None or reply.wait_ms:
                return
            self.by_room += reply.by == "room"
            self.answer(reply.answer, reply.by)

    def take(self, name: str) -> None:
        """Take the action with that card."""
        pending = self.state.pending
        assert isinstance(pending, q.PriorityQuestion)
        found = [n for n, a in enumerate(pending.actions) if a.object and self.name(a.object) == name and not a.mana]
        self.answer(q.Take(found[0]))

    def name(self, number: int) -> str:
        return self.state.objects[number].definition.name

    @property
    def asked(self) -> tuple[int, str]:
        pending = self.state.pending
        assert pending is not None
        return pending.seat, pending.purpose or str(pending.__struct_config__.tag)


def answers(seat: Automation) -> list[str]:
    return [rule.does for rule in seat.rules]


@pytest.mark.rule("603.3b")
def test_triggers_that_are_alike_are_put_on_the_stack_without_asking() -> None:
    game = Game("AB")
    game.put("A", enchantment("Shrine", BLESS), number=3)
    game.put("A", BEAR, "hand")
    game.put("B", instant("Answer", forms.GainLife(amount=1)), "hand")
    game.begin()
    seats = Seats2(game)
    seats.take("Bear")
    seats.answer(q.Take(0))
    seats.run()
    seats.answer(q.Take(0))  # B lets it resolve
    seats.run()
    assert len(seats.state.stack) == 3 and seats.by_room == 2


@pytest.mark.rule("603.3b")
def test_triggers_that_differ_are_asked_about() -> None:
    game = Game("AB")
    game.put("A", enchantment("Shrine", BLESS))
    game.put("A", enchantment("Odd Well", MAY))
    game.put("A", BEAR, "hand")
    game.begin()
    seats = Seats2(game)
    seats.take("Bear")
    seats.answer(q.Take(0))
    seats.run()
    assert seats.asked == (0, "trigger order")


def test_a_yield_passes_on_the_same_ability_of_any_card_of_that_name() -> None:
    game = Game("AB")
    game.put("A", enchantment("Shrine", BLESS), number=2)
    game.put("A", BEAR, "hand")
    game.put("B", instant("Answer", forms.GainLife(amount=1)), "hand")
    game.begin()
    seats = Seats2(game)
    seats.take("Bear")
    seats.answer(q.Take(0))
    seats.run()
    seats.answer(q.Take(0))
    seats.run()
    assert seats.asked == (1, "priority") and len(seats.state.stack) == 2
    seats.tell(1, Yield(id="y", object=str(seats.state.stack[-1])))
    assert [(r.does, r.name) for r in seats.seats[1].automation.rules] == [("pass", "Shrine")]
    seats.run()
    assert seats.state.players[0].life == 22, "both have resolved without asking again"
    with pytest.raises(Refusal, match="no_such_object"):
        seats.tell(1, Yield(id="y", object="1"))


def test_always_no_answers_the_question_and_each_like_it() -> None:
    game = Game("AB")
    game.put("A", enchantment("Odd Well", MAY), number=2)
    game.put("A", BEAR, "hand")
    game.begin()
    seats = Seats2(game)
    seats.take("Bear")
    for _ in range(20):
        seats.run()
        pending = seats.state.pending
        assert pending is not None
        if isinstance(pending, q.ConfirmQuestion):
            break
        seats.answer(q.Take(0) if isinstance(pending, q.PriorityQuestion) else q.Pick((0,)))
    pending = seats.state.pending
    assert isinstance(pending, q.ConfirmQuestion)
    with pytest.raises(Refusal, match="not_your_question"):
        seats.tell(1, Always(id="a", question=IDS.write(pending.number), yes=False))
    seats.tell(0, Always(id="a", question=IDS.write(pending.number), yes=False))
    seats.run()
    assert not seats.state.stack and seats.state.players[0].life == 20
    assert answers(seats.seats[0].automation) == ["no"]
    seats.tell(0, Forget(id="f", key=seats.seats[0].automation.rules[0].key))
    assert answers(seats.seats[0].automation) == []


def loop() -> Seats2:
    """A may untap its bear again and again, and gain a life each time."""
    untap = forms.ActivatedAbility(
        cost=(forms.TapCost(),), do=(forms.GainLife(amount=1), forms.Tap(what=noun("{this}"), untap=True)), text="Purr."
    )
    game = Game("AB")
    game.put("A", creature("Cat", 1, 1, abilities=(untap,)))
    game.put("B", creature("Dog", 1, 1, abilities=(tapping(forms.GainLife(amount=1)),)))
    game.begin()
    return Seats2(game)


def test_a_loop_of_own_actions_is_repeated_in_one_answer() -> None:
    seats = loop()
    seats.tell(1, Pass(id="p", until="end_of_turn"))
    first = seats.state.pending
    assert first is not None
    seats.take("Cat")
    seats.run()
    seats.answer(q.Take(0))
    seats.run()
    assert seats.state.players[0].life == 21
    seats.tell(0, Repeat(id="r", since=IDS.write(first.number), times=30))
    seats.run(most=1000)
    assert seats.state.players[0].life == 51 and seats.asked == (0, "priority")
    assert seats.seats[0].automation.rounds == 0


def test_a_loop_stops_when_someone_does_something() -> None:
    seats = loop()
    first = seats.state.pending
    assert first is not None
    seats.take("Cat")
    seats.run()
    if seats.asked[0] == 0:
        seats.answer(q.Take(0))
    seats.answer(q.Take(0))
    seats.run()
    assert seats.state.players[0].life == 21
    seats.tell(0, Repeat(id="r", since=IDS.write(first.number), times=30))
    seats.run(most=1000)
    assert seats.asked == (1, "priority"), "the other is asked as ever"
    seats.take("Dog")
    assert seats.seats[0].automation.rounds == 0


def test_there_must_be_something_to_repeat() -> None:
    seats = loop()
    first = seats.state.pending
    assert first is not None
    with pytest.raises(Refusal, match="no_repeat"):
        seats.tell(0, Repeat(id="r", since=IDS.write(first.number), times=3))
