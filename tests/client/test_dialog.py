"""Questions as people answer them: every kind, step by step, and nonsense typed at all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.dialog import Dialog
from client_cli.show import Show
from protocol.questions import (
    Action,
    Answer,
    Assigner,
    Attacker,
    AttackersAnswer,
    AttackersQuestion,
    Blocker,
    BlockersAnswer,
    BlockersQuestion,
    ChooseAnswer,
    ChooseQuestion,
    ConfirmAnswer,
    DamageAnswer,
    DamageQuestion,
    DivideAnswer,
    DivideQuestion,
    NumberAnswer,
    NumberQuestion,
    ObjectChoice,
    OrderAnswer,
    OrderQuestion,
    PaymentAnswer,
    PaymentQuestion,
    PlayerChoice,
    PriorityAnswer,
    PriorityQuestion,
    Question,
)
from tests.client.legal import legal, questions
from tests.client.tables import Setting, base, confirm
from tests.client.test_bots import HAND, IDS, SETTING

S = Setting()
BEAR, OGRE, ELF = S.creature("Bear", 2, 2), S.creature("Ogre", 3, 3, 1), S.creature("Elf", 1, 1)
FOREST = S.land("Forest")
BOLT = S.card("Bolt", "instant", "Bolt deals 3 damage to target creature or player.", mana_value=1)
THINGS = (ObjectChoice(BEAR), ObjectChoice(OGRE), PlayerChoice(2))
ACTIONS = (
    Action(type="pass"),
    Action(type="activate", object=FOREST, ability=0, text="Forest: {T}: Add {G}.", mana=True),
    Action(type="cast", object=BOLT, text="Bolt"),
)
PRIORITY = PriorityQuestion(**base(default=PriorityAnswer(index=0)), actions=ACTIONS)
ONE = ChooseQuestion(**base(default=ChooseAnswer(picks=(0,))), options=THINGS, least=1, most=1)
SOME = ChooseQuestion(**base(default=ChooseAnswer(picks=())), options=THINGS, least=0, most=2)
NUMBER = NumberQuestion(**base(default=NumberAnswer(number=0)), least=0, most=30)
ORDER = OrderQuestion(**base(default=OrderAnswer(order=(0, 1, 2))), options=THINGS)
DIVIDE = DivideQuestion(**base(default=DivideAnswer(amounts=(5, 0, 0))), amount=5, options=THINGS, least_each=0)
FOES = (PlayerChoice(1), PlayerChoice(2))
ATTACK = AttackersQuestion(
    **base(default=AttackersAnswer(attacks=())), attackers=(Attacker(BEAR, FOES), Attacker(ELF, FOES[:1]))
)
BLOCK = BlockersQuestion(
    **base(default=BlockersAnswer(blocks=())), blockers=(Blocker(BEAR, (OGRE,)), Blocker(ELF, (OGRE, BEAR), 2))
)
DAMAGE = DamageQuestion(
    **base(default=DamageAnswer(amounts=((2, 0), (1, 2)))),
    assigners=(Assigner(BEAR, 2, THINGS[:2], (2, 3)), Assigner(OGRE, 3, THINGS[1:], (1, 0))),
)
PAY = PaymentQuestion(**base(default=PaymentAnswer(index=0)), cost="{1}", actions=ACTIONS[1:2], can_auto=True)


@pytest.mark.parametrize(
    ("question", "lines", "answer"),
    [
        (PRIORITY, [""], PriorityAnswer(index=0)),
        (PRIORITY, ["1"], PriorityAnswer(index=2)),  # mana abilities come last
        (PRIORITY, ["1m"], PriorityAnswer(index=2, manual=True)),
        (PRIORITY, ["2"], PriorityAnswer(index=1)),
        (ONE, ["2"], ChooseAnswer(picks=(1,))),
        (ONE, [""], ChooseAnswer(picks=(0,))),
        (SOME, [""], ChooseAnswer(picks=())),
        (SOME, ["3", "1", ""], ChooseAnswer(picks=(2, 0))),
        (SOME, ["3", "3", "2", ""], ChooseAnswer(picks=(1,))),
        (SOME, ["3, 2", ""], ChooseAnswer(picks=(2, 1))),
        (confirm(), ["y"], ConfirmAnswer(yes=True)),
        (confirm(), ["oui"], ConfirmAnswer(yes=True)),
        (confirm(), ["2"], ConfirmAnswer(yes=False)),
        (confirm(), [""], ConfirmAnswer(yes=False)),
        (NUMBER, ["17"], NumberAnswer(number=17)),
        (ORDER, ["3", "1"], OrderAnswer(order=(2, 0, 1))),
        (ORDER, ["2", ""], OrderAnswer(order=(1, 0, 2))),
        (ORDER, [""], OrderAnswer(order=(0, 1, 2))),
        (DIVIDE, ["1", "3"], DivideAnswer(amounts=(1, 3, 1))),
        (DIVIDE, ["0 0 5"], DivideAnswer(amounts=(0, 0, 5))),
        (ATTACK, [""], AttackersAnswer(attacks=())),
        (ATTACK, ["1", "2", ""], AttackersAnswer(attacks=((0, 1),))),
        (ATTACK, ["1 2", "2", ""], AttackersAnswer(attacks=((0, 1), (1, 0)))),
        (ATTACK, ["a", "1", ""], AttackersAnswer(attacks=((0, 0), (1, 0)))),
        (ATTACK, ["a 1", "2", ""], AttackersAnswer(attacks=((0, 0),))),
        (BLOCK, ["1", ""], BlockersAnswer(blocks=((0, OGRE),))),
        (BLOCK, ["2", "2", ""], BlockersAnswer(blocks=((1, BEAR),))),
        (BLOCK, ["2 1 2 2", ""], BlockersAnswer(blocks=((1, OGRE), (1, BEAR)))),
        (BLOCK, ["1", "1", ""], BlockersAnswer(blocks=())),
        (DAMAGE, [""], DamageAnswer(amounts=((2, 0), (1, 2)))),
        (DAMAGE, ["2 0", "1 2"], DamageAnswer(amounts=((2, 0), (1, 2)))),
        (DAMAGE, ["2 0", ""], DamageAnswer(amounts=((2, 0), (1, 2)))),
        (PAY, [""], PaymentAnswer(index=0)),
        (PAY, ["1"], PaymentAnswer(index=1)),
        (PAY, ["2"], PaymentAnswer(index=-1)),
    ],
)
def test_lines_become_an_answer(question: Question, lines: list[str], answer: Answer) -> None:
    dialog = Dialog(Show(S.table()), question)
    for line in lines[:-1]:
        got = dialog.feed(line)
        assert got is None or got == answer, got
        if got is not None:
            return
    assert dialog.feed(lines[-1]) == answer


@pytest.mark.parametrize(
    ("question", "line"),
    [
        (PRIORITY, "3"),
        (PRIORITY, "x"),
        (ONE, "0"),
        (ONE, "4"),
        (SOME, "1 2 3"),
        (confirm(), "perhaps"),
        (NUMBER, "31"),
        (ORDER, "1 1"),
        (DIVIDE, "6"),
        (ATTACK, "3"),
        (BLOCK, "0"),
        (DAMAGE, "1"),
        (DAMAGE, "1 2"),
        (PAY, "9"),
    ],
)
def test_nonsense_gets_a_sentence(question: Question, line: str) -> None:
    for lang in ("en", "fr"):
        problem = Dialog(Show(S.table(), lang), question).feed(line)
        assert isinstance(problem, str) and not problem.startswith("ui.")


def test_undo() -> None:
    dialog = Dialog(Show(S.table()), ATTACK)
    assert not dialog.undo()
    dialog.feed("1")
    assert "Bear" in dialog.prompt
    assert dialog.undo() and dialog.feed("") == AttackersAnswer(attacks=())
    dialog = Dialog(Show(S.table()), SOME)
    dialog.feed("1 2")
    assert dialog.undo() and dialog.feed("") == ChooseAnswer(picks=(0,))


def test_words_of_choices() -> None:
    dialog = Dialog(Show(S.table()), PRIORITY)
    assert dialog.choices == ["cast Bolt {1}", "use Forest: {T}: Add {G}."]
    assert dialog.subject(1) == BOLT
    assert Dialog(Show(S.table()), ONE).choices == ["Bear 2/2", "Ogre 3/3 [Bob]", "Cid"]
    dialog = Dialog(Show(S.table()), ATTACK)
    dialog.feed("2")
    assert dialog.choices == ["Bear 2/2", "Elf 1/1 -> Bob"]
    dialog = Dialog(Show(S.table(), "fr"), BLOCK)
    dialog.feed("1")
    assert dialog.choices[0] == "Bear 2/2 bloque Ogre"


@given(
    question=questions(IDS, HAND),
    lines=st.lists(
        st.one_of(st.integers(-1, 12).map(str), st.sampled_from(["", "a", "y", "1 2", "3m", "x"])), max_size=8
    ),
    lang=st.sampled_from(["en", "fr"]),
)
def test_any_lines_give_only_legal_answers_and_enter_ends_it(question: Question, lines: list[str], lang: str) -> None:
    dialog = Dialog(Show(SETTING.table(), lang), question)
    for line in [*lines, *[""] * 20]:
        assert dialog.prompt and isinstance(dialog.choices, list) and not dialog.keys.startswith("ui.")
        got = dialog.feed(line)
        if got is not None and not isinstance(got, str):
            if not isinstance(got, DamageAnswer | AttackersAnswer | BlockersAnswer | PaymentAnswer):
                assert legal(question, got) or got == question.default
            return
        if line == "" and isinstance(got, str):
            dialog.undo()
            if not dialog.undo():
                dialog = Dialog(Show(SETTING.table(), lang), question)
    raise AssertionError("no answer")


@pytest.mark.rule("508.1g", "509.1d")
def test_what_a_declaration_costs_stands_beside_it() -> None:
    attack = AttackersQuestion(
        **base(default=AttackersAnswer(attacks=())),
        attackers=(Attacker(BEAR, FOES, ("", "{2}")), Attacker(ELF, FOES[1:], ("{2}",))),
    )
    dialog = Dialog(Show(S.table()), attack)
    costly = [line.endswith("(costs {2})") for line in dialog.choices]
    assert costly == [False, True]
    dialog.feed("1")
    assert [line.endswith("(costs {2})") for line in dialog.choices] == [False, True]
    dialog.feed("2")
    assert dialog.choices[0].endswith("-> Cid (costs {2})")
    block = BlockersQuestion(
        **base(default=BlockersAnswer(blocks=())), blockers=(Blocker(BEAR, (OGRE,), cost="{1}"), Blocker(ELF, (OGRE,)))
    )
    assert [line.endswith("(costs {1})") for line in Dialog(Show(S.table()), block).choices] == [True, False]


def test_cards_of_a_library_or_hand_that_are_alike_are_one_choice() -> None:
    made = Setting()
    library = [made.land(name, 0, zone="library") for name in ("Forest", "Swamp", "Forest", "Forest")]
    table = Show(made.table())
    options = tuple(map(ObjectChoice, library))
    find = Dialog(table, ChooseQuestion(**base("find", ChooseAnswer(picks=())), options=options, least=0, most=1))
    assert find.choices == ["Forest, library x3", "Swamp, library"] and find.subject(2) == library[1]
    assert find.feed("2") == ChooseAnswer(picks=(1,))
    two = Dialog(table, ChooseQuestion(**base("find", ChooseAnswer(picks=())), options=options, least=0, most=2))
    assert len(two.choices) == 4
    hand = [made.land(name, 0, zone="hand") for name in ("Forest", "Forest", "Swamp")]
    plays = tuple(Action(type="play_land", object=key) for key in hand)
    asked = PriorityQuestion(**base(default=PriorityAnswer(index=0)), actions=(Action(type="pass"), *plays))
    priority = Dialog(Show(made.table()), asked)
    assert priority.choices == ["play Forest", "play Swamp"] and priority.feed("2") == PriorityAnswer(index=3)


def test_lands_in_the_same_state_are_one_choice_for_their_mana() -> None:
    made = Setting()
    lands = [made.land("Forest", 0) for _ in range(3)]
    made.card("Moss", "enchantment aura", "", zone="battlefield", attached_to=lands[2])
    actions = tuple(Action(type="activate", object=key, text="{T}: Add {G}.", mana=True) for key in lands)
    asked = PriorityQuestion(**base(default=PriorityAnswer(index=0)), actions=(Action(type="pass"), *actions))
    dialog = Dialog(Show(made.table()), asked)
    assert len(dialog.choices) == 2 and dialog.feed("2") == PriorityAnswer(index=3)


def test_all_attack_the_only_opponent_by_one_key() -> None:
    made = Setting(2)
    pair = [made.creature("Wolf", 2, 2) for _ in range(2)]
    attackers = tuple(Attacker(key, (PlayerChoice(1),)) for key in pair)
    dialog = Dialog(
        Show(made.table()), AttackersQuestion(**base(default=AttackersAnswer(attacks=())), attackers=attackers)
    )
    assert dialog.feed("A") is None and dialog.keys == "Enter: attack like this."
    assert dialog.feed("") == AttackersAnswer(attacks=((0, 0), (1, 0)))


def test_enter_says_that_it_goes_back_where_it_does() -> None:
    dialog = Dialog(Show(S.table()), ATTACK)
    assert dialog.feed("1") is None and dialog.keys == "Enter: back."
    assert dialog.feed("") is None and dialog.keys == "Enter: no attack."
