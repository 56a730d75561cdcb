"""Questions go out with string ids and words; answers come back; defaults survive the round trip."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from protocol import questions as wire
from protocol.refusals import Refusal
from server.cards import forms
from server.knowledge.questions import Asker, QuestionIds, check_kind, read_answer, write_answer
from server.rooms import RULES
from server.rules.model import questions as ask
from tests.rooms.fake import FakeGame
from tests.rooms.states import everything
from tests.rules.play import BEAR, FOREST, Game, creature, enchantment, noun
from tests.rules.seed.table import static

ANSWERS: list[Any] = [
    ask.Take(2, True),
    ask.Pick((1, 0)),
    ask.Confirm(True),
    ask.Number(7),
    ask.Order((2, 0, 1)),
    ask.Divide((1, 2)),
    ask.Attackers(((0, 1), (1, 0)), ((0, 1),)),
    ask.Blockers(((0, 10), (1, 13))),
    ask.AssignDamage(((1, 1), (2,))),
    ask.Pay(-1),
]
OPTIONS = (ask.Choice(ref=10), ask.Choice(ref=-2), ask.Choice(word="red", text="Red"))
QUESTIONS: list[tuple[Any, Any]] = [
    (ask.PriorityQuestion(0, number=5, actions=(ask.Action("pass"), ask.Action("cast", 4))), ask.Take(0)),
    (ask.ChooseQuestion(0, "target", 30, 5, options=OPTIONS, least=1, most=2), ask.Pick((0,))),
    (ask.ConfirmQuestion(0, "may", 10, 5, text="Draw a card?"), ask.Confirm(False)),
    (ask.NumberQuestion(0, "x", number=5, least=1, most=4), ask.Number(1)),
    (ask.OrderQuestion(0, "triggers", number=5, options=OPTIONS), ask.Order((0, 1, 2))),
    (ask.DivideQuestion(0, "divide", number=5, amount=3, options=OPTIONS[:2], least_each=1), ask.Divide((2, 1))),
    (ask.AttackersQuestion(0, number=5, attackers=(ask.CanAttack(10, (-2, 12)),), required=1), ask.Attackers()),
    (ask.BlockersQuestion(0, number=5, blockers=(ask.CanBlock(13, (10,)),)), ask.Blockers()),
    (
        ask.DamageQuestion(0, number=5, assigners=(ask.Assigner(10, 4, (13, -3), (2, 0)),)),
        ask.AssignDamage(((2, 2),)),
    ),
    (ask.PaymentQuestion(0, number=5, cost="{G}", can_auto=True), ask.Pay(0)),
]

IDS = QuestionIds("a seed")


class Defaults(FakeGame):
    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def default(self, state: Any, question: Any) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: type(a).__name__)
def test_answers_round_trip(answer: Any) -> None:
    said = write_answer(answer)
    decoded = msgspec.json.decode(msgspec.json.encode(said), type=wire.Answer)
    assert read_answer(decoded) == answer


@pytest.mark.parametrize(("question", "default"), QUESTIONS, ids=lambda q: type(q).__name__)
def test_questions_go_over_the_wire(question: Any, default: Any) -> None:
    written = Asker(Defaults(default), everything(), IDS).write(question, 900)
    said = msgspec.json.encode(written)
    read: Any = msgspec.json.decode(said, type=wire.Question)
    assert read == written
    assert (read.id, read.seat, read.deadline_ms) == (IDS.write(question.number), 0, 900)
    assert read_answer(read.default) == default
    assert b"null" not in said
    assert type(read).__struct_config__.tag == type(question).__struct_config__.tag
    check_kind(question, default)


def test_words() -> None:
    game = Defaults(ask.Pick(()))
    state = everything()
    choose: Any = Asker(game, state, IDS).write(QUESTIONS[1][0])
    assert choose.prompt.key == "ask.target" and choose.source == "30"
    assert choose.options == (
        wire.ObjectChoice("10"),
        wire.PlayerChoice(1),
        wire.WordChoice("red", "Red"),
    )
    priority: Any = Asker(Defaults(ask.Take(0)), state, IDS).write(QUESTIONS[0][0])
    assert [action.text for action in priority.actions] == ["Pass", "Secret Plan"]
    confirm: Any = Asker(Defaults(ask.Confirm(False)), state, IDS).write(QUESTIONS[2][0])
    assert confirm.prompt == wire.Text("ask.confirm", {"text": "Draw a card?", "source": "Bear"})


def test_ids_tell_nobody_how_many_questions_there_were() -> None:
    ids = [IDS.write(number) for number in range(1, 500)]
    assert [IDS.read(text) for text in ids] == list(range(1, 500))
    assert len(set(ids)) == len(ids) and sorted(ids) != ids
    assert ids[0] != QuestionIds("another game").write(1)
    for bad in ("", "q", "5", "q5", "q" + "9" * 30, "q٥٥٥٥٥٥٥٥", "Q00000000", "q0000000g"):
        assert IDS.read(bad) is None


def test_bad_answers() -> None:
    for bad in ("x", "", "-1", "1" * 20, "٣"):
        with pytest.raises(Refusal, match="invalid"):
            read_answer(wire.BlockersAnswer(blocks=((0, bad),)))
    with pytest.raises(Refusal, match="wrong_kind"):
        check_kind(QUESTIONS[0][0], ask.Confirm(True))


# --- what declarations cost --------------------------------------------------------------------------------------------


@pytest.mark.rule("508.1g", "802.3a")
def test_the_attack_question_says_what_attacking_whom_costs() -> None:
    toll = enchantment("Toll", forms.PlayerRule(rule="attack tax", who=noun("you"), cost=(forms.ManaCost(mana="{2}"),)))
    game = Game("ABC")
    game.put("B", toll, number=2)
    game.put("A", FOREST, number=4)
    game.put("A", BEAR)
    game.begin()
    game.pass_until(purpose="attackers")
    asked: Any = Asker(RULES, game.state, IDS).write(game.question)
    assert asked.attackers[0].defenders == (wire.PlayerChoice(1), wire.PlayerChoice(2))
    assert asked.attackers[0].costs == ("{4}", "")


@pytest.mark.rule("509.1d")
def test_the_block_question_says_what_blocking_costs() -> None:
    price = (forms.ManaCost(mana="{1}"), forms.LifeCost(amount=2), forms.SacrificeCost(what=noun("a land")))
    shy = creature("Shy", 2, 2, abilities=(static("can't block", cost=price),))
    game = Game("AB")
    bear = game.put("A", BEAR)
    game.put("B", FOREST, number=2)
    one, two = game.put("B", shy), game.put("B", BEAR)
    game.begin()
    game.attack({bear: "B"})
    game.pass_until(purpose="blockers")
    asked: Any = Asker(RULES, game.state, IDS).write(game.question)
    costs = {blocker.object: blocker.cost for blocker in asked.blockers}
    assert costs == {str(one): "{1}, pay 2 life, sacrifice a land", str(two): msgspec.UNSET}
    assert b"cost" not in msgspec.json.encode(asked.blockers[1])
