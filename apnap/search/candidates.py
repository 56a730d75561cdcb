"""Which answers are worth a thought beside the simple bot's own, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from client_cli.bots.board import Board
from client_cli.bots.simple import SimplePlayer
from client_cli.table import Table
from protocol.questions import (
    Answer,
    AttackersAnswer,
    AttackersQuestion,
    BlockersAnswer,
    BlockersQuestion,
    ChooseAnswer,
    ChooseQuestion,
    ConfirmAnswer,
    ConfirmQuestion,
    DivideAnswer,
    DivideQuestion,
    NumberAnswer,
    NumberQuestion,
    OrderAnswer,
    OrderQuestion,
    PlayerChoice,
    PriorityAnswer,
    PriorityQuestion,
    Question,
)

MOST = 40
"""So many are thought of at most."""
MOST_NUMBERS = 12


def others(player: SimplePlayer, table: Table, question: Question, best: Answer) -> list[Answer]:
    """Answers other than `best`, which is the simple bot's, in the order in which they are to be tried; not all need be legal."""
    found: dict[Answer, None] = {}
    for answer in islice(_every(player, table, question, best), MOST):
        if answer != best:
            found[answer] = None
    return list(found)


def _every(player: SimplePlayer, table: Table, question: Question, best: Answer) -> Iterator[Answer]:
    match question, best:
        case PriorityQuestion(), PriorityAnswer() if question.actions[best.index].type == "play_land":
            return iter(())  # what a land is worth is seen turns later
        case PriorityQuestion(), _:
            return _actions(player.ranked(table, question))
        case AttackersQuestion(), AttackersAnswer():
            return _attacks(table, question, best)
        case BlockersQuestion(), BlockersAnswer():
            return _blocks(table, question, best)
        case ChooseQuestion(), ChooseAnswer():
            return _picks(question, best)
        case ConfirmQuestion(), ConfirmAnswer():
            return iter((ConfirmAnswer(yes=not best.yes),))
        case NumberQuestion(), _:
            return _numbers(question)
        case OrderQuestion(), OrderAnswer():
            return _orders(best)
        case DivideQuestion(), _:
            return _divisions(question)
        case _:
            return iter((question.default,))


def _actions(ranked: list[int]) -> Iterator[Answer]:
    """The likeliest, to pass, and then the others."""
    first, *rest = (*ranked, 0) if ranked else (0,)
    for number in (first, 0, *rest):
        yield PriorityAnswer(index=number)


def _attacks(table: Table, question: AttackersQuestion, best: AttackersAnswer) -> Iterator[Answer]:
    """All on one player, nobody, and the simple bot's attack with one creature more, less, or elsewhere."""
    board = Board(table, question.seat)
    for seat in sorted(board.opponents, key=board.life):
        whole = tuple(
            (i, one.defenders.index(PlayerChoice(seat)))
            for i, one in enumerate(question.attackers)
            if PlayerChoice(seat) in one.defenders and board.strike(one.object) > 0
        )
        yield AttackersAnswer(attacks=whole)
    yield AttackersAnswer(attacks=())
    chosen = dict(best.attacks)
    worth = sorted(range(len(question.attackers)), key=lambda i: -board.strike(question.attackers[i].object))
    for i in worth:
        rest = {one: to for one, to in chosen.items() if one != i}
        if i in chosen:
            yield AttackersAnswer(attacks=tuple(rest.items()))
        for to in range(min(len(question.attackers[i].defenders), 6)):
            if chosen.get(i) != to:
                yield AttackersAnswer(attacks=tuple(sorted({**rest, i: to}.items())))


def _blocks(table: Table, question: BlockersQuestion, best: BlockersAnswer) -> Iterator[Answer]:
    """No blocks, and the simple bot's with one creature that blocks something else or nothing; the greatest attackers first."""
    board = Board(table, question.seat)
    yield BlockersAnswer(blocks=())
    chosen: dict[int, list[str]] = {}
    for i, attacker in best.blocks:
        chosen.setdefault(i, []).append(attacker)
    attackers = sorted({key for one in question.blockers for key in one.attackers}, key=lambda key: -board.strike(key))
    for attacker in attackers:
        for i, one in enumerate(question.blockers):
            rest = [(other, key) for other, keys in chosen.items() if other != i for key in keys]
            if chosen.get(i) == [attacker]:
                yield BlockersAnswer(blocks=tuple(rest))
            elif attacker in one.attackers:
                yield BlockersAnswer(blocks=tuple(sorted((*rest, (i, attacker)))))


def _picks(question: ChooseQuestion, best: ChooseAnswer) -> Iterator[Answer]:
    """Another in the place of each that is picked, one less, one more."""
    picks, count = best.picks, len(question.options)
    free = [i for i in range(count) if i not in picks]
    for place in range(len(picks) - 1, -1, -1):
        for i in free:
            yield ChooseAnswer(picks=(*picks[:place], i, *picks[place + 1 :]))
    if len(picks) > question.least:
        yield ChooseAnswer(picks=())
        for place in range(len(picks)):
            yield ChooseAnswer(picks=(*picks[:place], *picks[place + 1 :]))
    if len(picks) < question.most:
        for i in free:
            yield ChooseAnswer(picks=(*picks, i))


def _numbers(question: NumberQuestion) -> Iterator[Answer]:
    most = min(question.most, question.least + MOST_NUMBERS)
    for number in range(most, question.least - 1, -1):
        yield NumberAnswer(number=number)


def _orders(best: OrderAnswer) -> Iterator[Answer]:
    """Each of them first."""
    for first in best.order[1:]:
        yield OrderAnswer(order=(first, *(one for one in best.order if one != first)))


def _divisions(question: DivideQuestion) -> Iterator[Answer]:
    """All that is left over for one of them."""
    count = len(question.options)
    rest = question.amount - question.least_each * count
    for place in range(count if rest >= 0 else 0):
        yield DivideAnswer(amounts=tuple(question.least_each + (rest if i == place else 0) for i in range(count)))
