"""What a bot does with an opponent whom it controls (712.5): that player's turn is to come to nothing, or to harm others."""

from __future__ import annotations

from client_cli.bots.board import Board
from client_cli.table import Table
from protocol.questions import Answer, AttackersAnswer, AttackersQuestion, PlayerChoice, Question


def answer_for_opponent(table: Table, question: Question) -> Answer:
    """The default, which passes and declines; but creatures attack whoever is neither the bot nor of its team."""
    if isinstance(question, AttackersQuestion) and not question.required:
        return _attack_others(Board(table, question.seat), question)
    return question.default


def _attack_others(board: Board, question: AttackersQuestion) -> AttackersAnswer:
    attacks: list[tuple[int, int]] = []
    for index, attacker in enumerate(question.attackers):
        for place, defender in enumerate(attacker.defenders):
            costs = place < len(attacker.costs) and attacker.costs[place]
            if isinstance(defender, PlayerChoice) and not board.with_me(defender.seat) and not costs:
                attacks.append((index, place))
                break
    return AttackersAnswer(attacks=tuple(attacks))
