"""Questions of every kind, drawn, and whether an answer to one is legal as far as the question tells."""

# Pyright does not narrow the members of a tuple that is matched.
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false

from __future__ import annotations

from hypothesis import strategies as st

from protocol.questions import (
    ActAnswer,
    Action,
    ActQuestion,
    Answer,
    Assigner,
    Attacker,
    AttackersAnswer,
    AttackersQuestion,
    Blocker,
    BlockersAnswer,
    BlockersQuestion,
    Choice,
    ChooseAnswer,
    ChooseQuestion,
    ConfirmAnswer,
    ConfirmQuestion,
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
    WordChoice,
)
from tests.client.tables import base

PURPOSES = ["target", "discard", "sacrifice", "mode", "color", "may", "mulligan", "x", "damage_order", "search", "odd"]


def choices(ids: list[str]) -> st.SearchStrategy[Choice]:
    words = ["red", "green", "destroy target creature", "draw two cards", "odd"]
    return st.one_of(
        st.sampled_from(ids).map(ObjectChoice),
        st.integers(0, 3).map(PlayerChoice),
        st.sampled_from(words).map(lambda word: WordChoice(word, word)),
    )


def _some(ids: list[str]) -> st.SearchStrategy[list[Choice]]:
    return st.lists(choices(ids), min_size=1, max_size=6)


def _objects(ids: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(ids), min_size=1, max_size=4, unique=True)


@st.composite
def _priority(draw: st.DrawFn, ids: list[str], hand: list[str]) -> Question:
    actions = [Action(type="pass", text="Pass")]
    for key in draw(st.lists(st.sampled_from(ids + hand), max_size=6)):
        type_ = draw(st.sampled_from(["play_land", "cast", "activate", "special", "new"]))
        text = draw(st.sampled_from(["{T}: It deals 1 damage to target creature or player.", "equip {1}", "", "+1: x"]))
        actions.append(Action(type=type_, object=key, ability=0, text=text, mana=draw(st.booleans())))
    return PriorityQuestion(**base("priority", PriorityAnswer(index=0)), actions=tuple(actions))


@st.composite
def _choose(draw: st.DrawFn, ids: list[str], hand: list[str]) -> Question:
    options = draw(_some(ids))
    least = draw(st.integers(0, len(options)))
    most = draw(st.integers(least, len(options)))
    default = ChooseAnswer(picks=tuple(range(least)))
    source = draw(st.sampled_from(ids + hand))
    return ChooseQuestion(
        **base(draw(st.sampled_from(PURPOSES)), default), options=tuple(options), least=least, most=most, source=source
    )


@st.composite
def _number(draw: st.DrawFn) -> Question:
    least = draw(st.integers(0, 3))
    most = least + draw(st.integers(0, 10**6))
    return NumberQuestion(**base(draw(st.sampled_from(PURPOSES)), NumberAnswer(number=least)), least=least, most=most)


@st.composite
def _divide(draw: st.DrawFn, ids: list[str]) -> Question:
    options = draw(_some(ids))
    each = draw(st.integers(0, 1))
    amount = draw(st.integers(each * len(options), 12))
    rest = amount - each * len(options)
    default = DivideAnswer(amounts=(each + rest, *(each for _ in options[1:])))
    return DivideQuestion(
        **base("divide", default), amount=amount, options=tuple(options), least_each=each, source=ids[0]
    )


@st.composite
def _attackers(draw: st.DrawFn, ids: list[str]) -> Question:
    found = [
        Attacker(key, tuple(draw(st.lists(st.integers(1, 3).map(PlayerChoice), min_size=1, unique=True))))
        for key in draw(_objects(ids))
    ]
    required = draw(st.integers(0, 1))
    return AttackersQuestion(
        **base("attackers", AttackersAnswer(attacks=())), attackers=tuple(found), required=required
    )


@st.composite
def _blockers(draw: st.DrawFn, ids: list[str]) -> Question:
    found = [
        Blocker(key, tuple(draw(st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True))))
        for key in draw(_objects(ids))
    ]
    return BlockersQuestion(**base("blockers", BlockersAnswer(blocks=())), blockers=tuple(found))


@st.composite
def _damage(draw: st.DrawFn, ids: list[str]) -> Question:
    found = []
    for key in draw(_objects(ids)):
        options = draw(_some(ids))
        lethal = tuple(draw(st.integers(0, 4)) for _ in options)
        found.append(Assigner(key, draw(st.integers(1, 9)), tuple(options), lethal))
    default = DamageAnswer(amounts=tuple((a.power, *(0 for _ in a.options[1:])) for a in found))
    return DamageQuestion(**base("damage", default), assigners=tuple(found))


@st.composite
def _payment(draw: st.DrawFn, ids: list[str]) -> Question:
    actions = tuple(Action(type="activate", object=key, mana=True) for key in draw(_objects(ids)))
    auto = draw(st.booleans())
    return PaymentQuestion(
        **base("payment", PaymentAnswer(index=0 if auto else -1)), cost="{2}", actions=actions, can_auto=auto
    )


@st.composite
def _act(draw: st.DrawFn) -> Question:
    return ActQuestion(**base("by hand", ActAnswer()), text="Hum.", left=draw(st.integers(1, 20)))


def questions(ids: list[str], hand: list[str]) -> st.SearchStrategy[Question]:
    """Questions about a table with these objects."""
    return st.one_of(
        _act(),
        _priority(ids, hand),
        _choose(ids, hand),
        st.sampled_from(PURPOSES).map(lambda p: ConfirmQuestion(**base(p, ConfirmAnswer(yes=False)))),
        _number(),
        _some(ids).map(
            lambda options: OrderQuestion(
                **base("damage_order", OrderAnswer(order=tuple(range(len(options))))), options=tuple(options)
            )
        ),
        _divide(ids),
        _attackers(ids),
        _blockers(ids),
        _damage(ids),
        _payment(ids),
    )


def legal(question: Question, answer: Answer) -> bool:
    """Whether the answer is one of those the question allows, as far as it tells."""
    match question, answer:
        case PriorityQuestion(), PriorityAnswer():
            return 0 <= answer.index < len(question.actions)
        case ChooseQuestion(), ChooseAnswer():
            picks = answer.picks
            whole = all(0 <= i < len(question.options) for i in picks) and len(set(picks)) == len(picks)
            return whole and question.least <= len(picks) <= question.most
        case ConfirmQuestion(), ConfirmAnswer():
            return True
        case NumberQuestion(), NumberAnswer():
            return question.least <= answer.number <= question.most
        case OrderQuestion(), OrderAnswer():
            return sorted(answer.order) == list(range(len(question.options)))
        case DivideQuestion(), DivideAnswer():
            return (
                len(answer.amounts) == len(question.options)
                and sum(answer.amounts) == question.amount
                and min(answer.amounts) >= question.least_each
            )
        case AttackersQuestion(), AttackersAnswer():
            if question.required:
                return answer == question.default
            who = [i for i, _ in answer.attacks]
            return len(set(who)) == len(who) and all(
                0 <= j < len(question.attackers[i].defenders) for i, j in answer.attacks
            )
        case BlockersQuestion(), BlockersAnswer():
            who = [i for i, _ in answer.blocks]
            return all(
                key in question.blockers[i].attackers and who.count(i) <= question.blockers[i].most
                for i, key in answer.blocks
            )
        case DamageQuestion(), DamageAnswer():
            return len(answer.amounts) == len(question.assigners) and all(
                in_order(assigner, amounts)
                for assigner, amounts in zip(question.assigners, answer.amounts, strict=True)
            )
        case PaymentQuestion(), PaymentAnswer():
            return answer.index in range(1, len(question.actions) + 1) or answer.index == (
                0 if question.can_auto else -1
            )
        case ActQuestion(), ActAnswer():
            return len(answer.line) <= 300
        case _:
            return False


def in_order(assigner: Assigner, amounts: tuple[int, ...]) -> bool:
    """Rule 510.1c: lethal damage to each before the next gets any."""
    if len(amounts) != len(assigner.options) or sum(amounts) != assigner.power or min(amounts) < 0:
        return False
    return not any(any(amounts[i + 1 :]) and amount < assigner.lethal[i] for i, amount in enumerate(amounts))
