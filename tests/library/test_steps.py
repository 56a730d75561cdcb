"""Answers in small steps: every legal answer is reached, nothing else is, and nowhere is a dead end."""

from __future__ import annotations

import itertools
import random

import pytest

import apnap
from apnap.steps import Draft, begin, path
from server import rules
from server.bench.engine import deal, house_decks
from server.bench.placed import Side, placed
from server.cards.forms import Card
from server.rules import Illegal, State, legal
from server.rules.model import questions as q
from server.scenario.every import LISTED

ENOUGH = 200
"""So many answers of one question are compared at most."""


def ends(draft: Draft) -> set[q.AnyAnswer]:
    """Every answer that steps lead to."""
    found: set[q.AnyAnswer] = set()
    open_: list[Draft] = [draft]
    while open_ and len(found) <= ENOUGH:
        step = open_.pop()
        assert step.allowed, "a dead end"
        for number in step.allowed:
            assert step.means(number)
            following = step.take(number)
            if isinstance(following, q.Answer):
                found.add(following)
            else:
                open_.append(following)
    return found


def sorted_blocks(answer: q.AnyAnswer) -> q.AnyAnswer:
    return q.Blockers(tuple(sorted(answer.blocks))) if isinstance(answer, q.Blockers) else answer


def legal_answers(state: State, question: q.AnyQuestion) -> set[q.AnyAnswer] | None:
    """All of them as the rules have it, bands left out; None if those to try are too many."""
    tried = list(itertools.islice(LISTED[type(question)](question), 1000))
    if len(tried) == 1000:
        return None
    found: set[q.AnyAnswer] = set()
    for answer in tried:
        try:
            legal.check(state, question, answer)
        except Illegal:
            continue
        found.add(answer)
    return found


def assert_same(state: State) -> bool:
    """Steps lead to what is legal and to nothing else; whether that was compared."""
    question = state.pending
    assert question is not None
    wanted = legal_answers(state, question)
    if wanted is None or len(wanted) > ENOUGH:
        return False
    if isinstance(question, q.ChooseQuestion):  # listed without their orders
        found = {q.Pick(tuple(sorted(one.picks))) for one in ends(begin(state, question)) if isinstance(one, q.Pick)}
        assert found == wanted or len(found) >= ENOUGH // 2
        return True
    if isinstance(question, q.PriorityQuestion):
        wanted = {one for one in wanted if isinstance(one, q.Take) and not question.actions[one.index].mana}
    assert {sorted_blocks(one) for one in ends(begin(state, question))} == {sorted_blocks(one) for one in wanted}
    return True


@pytest.mark.parametrize("seats", [2, 3])
def test_steps_lead_to_what_is_legal_and_to_nothing_else(seats: int) -> None:
    compared: set[type[q.Question]] = set()
    for seed in range(5):
        state, chance = deal(house_decks(seats, seed), seed), random.Random(seed)
        for _ in range(500):
            question = state.pending
            if question is None:
                break
            if not isinstance(question, q.PriorityQuestion) or chance.random() < 0.02:
                if assert_same(state):
                    compared.add(type(question))
            state, _ = rules.submit(state, question.seat, legal.sample(question, state, chance))
    assert {q.PriorityQuestion, q.ChooseQuestion, q.AttackersQuestion, q.BlockersQuestion} <= compared


def creature(name: str, text: str, power: str = "2", toughness: str = "2") -> Card:
    return apnap.read_card(name, types="Creature — Bear", cost="{1}{G}", text=text, power=power, toughness=toughness)


PLAIN = creature("Plain Bear", "")
EAGER = creature("Eager Bear", "Eager Bear attacks each turn if able.")
SHY = creature("Shy Bear", "Shy Bear can't attack alone.")
SHY_TOO = creature("Shy Guard", "Shy Guard can't block alone.")
FEARED = creature("Feared Bear", "Feared Bear can't be blocked except by two or more creatures.")
LURE = creature("Loud Bear", "All creatures able to block Loud Bear do so.")
KIN = creature("Kin Bear", "Banding")


def at_declaration(
    mine: list[Card], theirs: list[Card], kind: type[q.Question], seats: int = 2, bold: bool = True
) -> State:
    """The first question of a kind where the first player has some creatures, and the others have some each."""
    forests = tuple(apnap.house_card("Forest") for _ in range(20))
    sides = [Side(tuple(mine), (), forests), *(Side(tuple(theirs), (), forests) for _ in range(seats - 1))]
    state = placed(sides, 20)
    while not isinstance(state.pending, kind):
        question = state.pending
        assert question is not None
        answer = legal.default(question, state)
        if bold and isinstance(question, q.AttackersQuestion):
            answer = q.Attackers(tuple((i, 0) for i in range(len(question.attackers))))
        state, _ = rules.submit(state, question.seat, answer)
    return state


BOARDS = [
    [PLAIN, PLAIN],
    [EAGER, PLAIN],
    [SHY, PLAIN],
    [SHY, SHY, EAGER],
    [SHY],
    [EAGER, EAGER, SHY, PLAIN],
]


@pytest.mark.rule("508.1d")
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("board", BOARDS)
def test_attackers_are_decided_one_by_one_whatever_is_required_of_them(board: list[Card], seats: int) -> None:
    assert assert_same(at_declaration(board, [PLAIN], q.AttackersQuestion, seats))


@pytest.mark.rule("509.1c")
@pytest.mark.parametrize("mine", [[PLAIN], [FEARED], [FEARED, PLAIN], [LURE, PLAIN], [LURE, FEARED], [LURE, LURE]])
@pytest.mark.parametrize("theirs", [[PLAIN], [PLAIN, PLAIN], [SHY_TOO, PLAIN], [SHY_TOO, SHY_TOO, PLAIN]])
def test_blockers_are_decided_one_by_one_whatever_is_required_of_them(mine: list[Card], theirs: list[Card]) -> None:
    assert assert_same(at_declaration(mine, theirs, q.BlockersQuestion))


@pytest.mark.rule("702.20c")
def test_bands_are_formed_after_the_attack_is_declared() -> None:
    state = at_declaration([KIN, KIN, PLAIN, PLAIN], [PLAIN], q.AttackersQuestion)
    assert state.pending is not None
    found = [one for one in ends(begin(state, state.pending)) if isinstance(one, q.Attackers)]
    for answer in found:
        legal.check(state, state.pending, answer)
    attacks = ((0, 0), (1, 0), (2, 0), (3, 0))
    bands = {one.bands for one in found if one.attacks == attacks}
    assert {(), ((0, 1),), ((0, 1, 3),), ((0, 3), (1, 2)), ((0, 2), (1, 3))} <= bands
    assert ((0, 1, 2, 3),) not in bands and ((2, 3),) not in bands


def test_one_who_may_block_several_is_asked_again_until_it_blocks_no_more() -> None:
    wide = creature("Wide Bear", "Wide Bear can block an additional creature each combat.")
    state = at_declaration([PLAIN, PLAIN, FEARED], [wide, PLAIN], q.BlockersQuestion)
    assert assert_same(state)


def damage(*assigners: q.Assigner) -> q.DamageQuestion:
    return q.DamageQuestion(0, assigners=assigners)


ORDERED = q.Assigner(1, 4, (11, 12, 13), (2, 2, 1))
TRAMPLING = q.Assigner(2, 3, (11, -2), (2, 0), trample=True)
LOOSE = q.Assigner(3, 3, (11, 12, -2), (2, 2, 0), ordered=False, trample=True)


@pytest.mark.rule("510.1e")
@pytest.mark.parametrize(
    "asked",
    [
        damage(ORDERED),
        damage(TRAMPLING, ORDERED),
        damage(ORDERED, TRAMPLING),
        damage(LOOSE, TRAMPLING),
        damage(q.Assigner(4, 5, (11, -2, -3), (2, 0, 0), trample=True, heads=2)),
    ],
)
def test_every_amount_of_damage_is_offered_that_some_assignment_has(asked: q.DamageQuestion) -> None:
    state = deal(house_decks(2, 0), 0)
    found = ends(begin(state, asked))
    wanted = legal_answers(state, asked)
    assert wanted and found == wanted


def test_more_numbers_than_there_is_room_for_are_told_digit_by_digit() -> None:
    state = deal(house_decks(2, 0), 0)
    asked = q.NumberQuestion(0, least=3, most=100_000)
    for number in (3, 4, 77_777, 100_000):
        taken = list(path(begin(state, asked), q.Number(number)))
        assert len(taken) == 3 and all(0 <= digit < 128 for digit in taken)
    chosen = q.ChooseQuestion(0, options=tuple(q.Choice(word=str(n)) for n in range(300)), least=2, most=2)
    assert len(list(path(begin(state, chosen), q.Pick((299, 3))))) == 4
    everything = q.DivideQuestion(0, amount=10**9, options=(q.Choice(ref=-1), q.Choice(ref=-2)), least_each=1)
    assert len(list(path(begin(state, everything), q.Divide((10**9 - 1, 1))))) == 5
    great = damage(q.Assigner(1, 10**6, (11, 12), (2, 2)))
    assert q.AssignDamage(((2, 10**6 - 2),)) in ends(begin(state, great))


def test_paying_by_hand_is_offered_where_it_is_wanted() -> None:
    chance = random.Random(3)
    state, paid = deal(house_decks(2, 5), 5), 0
    for _ in range(1500):
        question = state.pending
        if question is None:
            break
        step: Draft | q.AnyAnswer = begin(state, question, by_hand=True)
        while not isinstance(step, q.Answer):
            step = step.take(step.allowed[chance.randrange(len(step.allowed))])
        paid += isinstance(step, q.Pay)
        state, _ = rules.submit(state, question.seat, step)
    assert paid


def test_a_path_is_told_to_no_illegal_answer() -> None:
    state = at_declaration([EAGER], [PLAIN], q.AttackersQuestion)
    assert state.pending is not None
    assert list(path(begin(state, state.pending), q.Attackers(((0, 0),)))) == [1]
    with pytest.raises(ValueError, match="not allowed"):
        list(path(begin(state, state.pending), q.Attackers()))
