"""How the simple bot attacks and blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from client_cli.bots.board import Board
from protocol.questions import (
    Attacker,
    AttackersAnswer,
    AttackersQuestion,
    BlockersAnswer,
    BlockersQuestion,
    Choice,
    ObjectChoice,
    PlayerChoice,
)

SAFE_LIFE = 3
"""Life that the bot wants to have left after the next attack on it."""
EMPERORS_LIFE = 12
"""The same of one with whom the whole team loses (809.5b)."""
_SYMBOL = re.compile(r"\{([^}]*)\}")


# --- attacking ------------------------------------------------------------------------------------------------------


def attack(board: Board, question: AttackersQuestion) -> AttackersAnswer:
    """Whom to attack with what: kill somebody if that looks possible, else each creature where it gains most, keeping
    enough at home.
    """
    kill = _kill(board, question.attackers)
    if kill is not None:
        return AttackersAnswer(attacks=_paid(board, question.attackers, kill))
    planned: list[tuple[float, int, int]] = []
    for i, attacker in enumerate(question.attackers):
        best: tuple[float, int] | None = None
        for j, defender in enumerate(attacker.defenders):
            score = _gain(board, attacker.object, defender)
            if best is None or score > best[0]:
                best = score, j
        if best is not None and best[0] > 0:
            planned.append((best[0], i, best[1]))
    planned = _keep_guard(board, question.attackers, planned)
    best_first = [(i, j) for _, i, j in sorted(planned, key=lambda plan: (-plan[0], plan[1]))]
    return AttackersAnswer(attacks=_paid(board, question.attackers, best_first))


def _paid(board: Board, attackers: tuple[Attacker, ...], attacks: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Of attacks, those that matter most first, as many as our lands pay for (508.1g)."""
    prices = [attackers[i].costs[j] if attackers[i].costs else "" for i, j in attacks]
    return tuple(sorted(attacks[n] for n in payable(prices, board.untapped_lands)))


def payable(prices: Sequence[str], lands: int) -> list[int]:
    """Which of these costs, the first before the others, so many lands pay for, whatever mana they make; other costs than mana are not
    paid.

    >>> payable(["{2}", "", "{1}{W}", "{1}", "pay 2 life"], 3)
    [0, 1, 3]
    """
    paid: list[int] = []
    for place, price in enumerate(prices):
        if _SYMBOL.sub("", price):
            continue
        mana = sum(int(symbol) if symbol.isdigit() else 1 for symbol in _SYMBOL.findall(price))
        if mana <= lands:
            lands -= mana
            paid.append(place)
    return paid


def _kill(board: Board, attackers: tuple[Attacker, ...]) -> list[tuple[int, int]] | None:
    """An attack of everybody on one player that looks as if that player cannot live through it."""
    for seat in sorted(board.opponents, key=board.life):
        able = [
            (i, j)
            for i, attacker in enumerate(attackers)
            for j, defender in enumerate(attacker.defenders)
            if defender == PlayerChoice(seat) and board.strike(attacker.object) > 0
        ]
        blockers = [key for key in board.creatures.get(seat, []) if _untapped(board, key)]
        able.sort(key=lambda pair: -board.strike(attackers[pair[0]].object))
        through = 0
        free = list(blockers)
        for i, _ in able:
            key = attackers[i].object
            stopper = next((blocker for blocker in free if board.may_block(blocker, key)), None)
            if stopper is None:
                through += board.strike(key)
            else:
                free.remove(stopper)
                if board.has(key, "trample"):
                    through += max(0, board.power(key) - board.toughness(stopper))
        if able and through >= board.life(seat):
            return able
    return None


def _untapped(board: Board, key: str) -> bool:
    thing = board.thing(key)
    return thing is not None and not thing.tapped


def _gain(board: Board, attacker: str, defender: Choice) -> float:
    """What an attack by one creature on one defender promises, if the defender answers it well."""
    seat = board.controller(defender)
    if seat is None or board.with_me(seat):
        return -1.0
    hit = _hit(board, attacker, defender)
    if hit <= 0:
        return -1.0
    blockers = [key for key in board.creatures.get(seat, []) if board.may_block(key, attacker)]
    if board.needs_two(attacker) and len(blockers) < 2:
        blockers = []
    if not blockers:
        return hit
    mine = board.body(attacker).worth
    worst = hit
    for blocker in blockers:
        dies, kills = board.fight(attacker, blocker)
        worst = min(worst, (board.body(blocker).worth if kills else 0.1) - (mine if dies else 0.0))
    gang = sum(board.power(key) for key in blockers)
    if len(blockers) > 1 and gang >= board.toughness(attacker):
        worst -= 0.25 * mine
    # The later it gets, the less anyone is served by waiting.
    return worst + min(4.0, board.view.turn / 16)


def _hit(board: Board, attacker: str, defender: Choice) -> float:
    """What it is worth to have it unblocked."""
    power = board.strike(attacker)
    if isinstance(defender, ObjectChoice):
        thing = board.thing(defender.id)
        loyalty = (thing.loyalty or 0) if thing is not None else 0
        return min(power, loyalty) * 0.9 + (3.0 if loyalty and power >= loyalty else 0.0)
    if isinstance(defender, PlayerChoice):
        life = max(1, board.life(defender.seat))
        strongest = max(board.opponents, key=board.threat, default=defender.seat)
        weight = 0.4 + 0.6 * max(0.0, (20 - life) / 20) + (0.15 if defender.seat == strongest else 0.0)
        felled = 1.5 if defender.seat in board.view.emperors else 1.0
        return felled * power * weight + (2.0 if power * 2 >= life else 0.0)
    return 0.0


def _keep_guard(
    board: Board, attackers: tuple[Attacker, ...], planned: list[tuple[float, int, int]]
) -> list[tuple[float, int, int]]:
    """Leave out the least useful attackers until what stays home can hold off the next attacks."""
    planned = sorted(planned, key=lambda plan: (-plan[0], plan[1]))
    worry = max(0.0, 1 - max(0, board.view.turn - 24) / 60)
    spare = board.life(board.me) - (EMPERORS_LIFE if board.me in board.view.emperors else SAFE_LIFE)
    armies = [_army(board, seat) for seat in board.opponents]
    away = {attackers[i].object for _, i, _ in planned if not board.has(attackers[i].object, "vigilance")}
    while planned:
        home = [key for key in board.mine if key not in away]
        flyers = sum(board.body(key).reaches for key in home)
        dangers = sorted((_danger(army, len(home), flyers) for army in armies), reverse=True)
        if not dangers or (dangers[0] + 0.35 * sum(dangers[1:])) * worry <= spare:
            break
        for at in range(len(planned) - 1, -1, -1):
            key = attackers[planned[at][1]].object
            if key in away:
                del planned[at]
                away.discard(key)
                break
        else:
            break
    return planned


def _army(board: Board, seat: int) -> list[tuple[int, bool]]:
    """What a player could attack with next turn: damage and whether it flies, the most dangerous first."""
    bodies = [board.body(key) for key in board.creatures.get(seat, []) if not board.has(key, "defender")]
    return sorted(((body.strike, body.flies) for body in bodies), reverse=True)


def _danger(army: list[tuple[int, bool]], blockers: int, flyers: int) -> int:
    """Damage an army would do to one who blocks with so many creatures, `flyers` of which can block what flies."""
    walkers = blockers - flyers
    through = 0
    for strike, flies in army:
        if not flies and walkers:
            walkers -= 1
        elif flyers:
            flyers -= 1
        else:
            through += strike
    return through


# --- blocking -------------------------------------------------------------------------------------------------------


def block(board: Board, question: BlockersQuestion) -> BlockersAnswer:
    """Blocks that win or hold first, then good trades, then two against one; throws creatures in the way only when
    the damage would otherwise be deadly.
    """
    able: dict[str, list[int]] = {}
    for i, blocker in enumerate(question.blockers):
        for key in blocker.attackers:
            able.setdefault(key, []).append(i)
    names = [blocker.object for blocker in question.blockers]
    free = set(range(len(names)))
    blocks: list[tuple[int, str]] = []
    attackers = sorted(able, key=lambda key: (-board.body(key).worth, key))
    for key in attackers:
        chosen = _best_single(board, key, [i for i in able[key] if i in free], names)
        if chosen is not None:
            free.discard(chosen)
            blocks.append((chosen, key))
    stopped = {key for _, key in blocks}
    for key in attackers:
        if key not in stopped:
            pair = _pair(board, key, [i for i in able[key] if i in free], names)
            if pair is not None:
                free -= set(pair)
                blocks += [(i, key) for i in pair]
                stopped.add(key)
    _throw_in_the_way(board, able, names, free, blocks, stopped)
    prices = {i: blocker.cost or "" for i, blocker in enumerate(question.blockers)}
    paid = payable([prices[i] for i, _ in blocks], board.untapped_lands)
    return BlockersAnswer(blocks=tuple(sorted(blocks[n] for n in paid)))


def _best_single(board: Board, attacker: str, candidates: list[int], names: list[str]) -> int | None:
    """The blocker that does best against an attacker alone, if any does well."""
    if board.needs_two(attacker):
        return None
    theirs = board.body(attacker).worth
    best: tuple[float, int] | None = None
    for i in candidates:
        mine = board.body(names[i]).worth
        dies, kills = board.fight(names[i], attacker)
        if not dies:
            score = 10.0 + (theirs if kills else 0.0) - 0.1 * mine
        elif kills and theirs >= mine * 0.9:
            score = theirs - mine + 1.0
        else:
            continue
        if best is None or score > best[0]:
            best = score, i
    return best[1] if best is not None else None


def _pair(board: Board, attacker: str, candidates: list[int], names: list[str]) -> tuple[int, int] | None:
    """Two blockers that kill an attacker together, of whom at most one dies."""
    if board.only_one(attacker):
        return None
    if board.has(attacker, "first strike") or board.has(attacker, "double strike"):
        return None
    if board.has(attacker, "indestructible") or board.has(attacker, "deathtouch"):
        return None
    theirs = board.body(attacker).worth
    best: tuple[float, int, int] | None = None
    for at, i in enumerate(candidates):
        for j in candidates[at + 1 :]:
            one, other = names[i], names[j]
            if board.power(one) + board.power(other) < board.toughness(attacker):
                continue
            if board.power(attacker) >= board.toughness(one) + board.toughness(other):
                continue
            lost = max(board.body(key).worth if board.kills(attacker, key) else 0.0 for key in (one, other))
            if theirs > lost and (best is None or theirs - lost > best[0]):
                best = theirs - lost, i, j
    return (best[1], best[2]) if best is not None else None


def _throw_in_the_way(
    board: Board,
    able: dict[str, list[int]],
    names: list[str],
    free: set[int],
    blocks: list[tuple[int, str]],
    stopped: set[str],
) -> None:
    """Add chump blocks while the damage to come would leave too little life."""
    combat = board.view.combat
    if not combat:
        return
    at_us = tuple(map(PlayerChoice, board.heads))
    at_me = [key for key, attack in combat.attackers.items() if attack.defender in at_us]
    life = board.life(board.me)
    while True:
        coming = sum(board.strike(key) for key in at_me if key not in stopped)
        least = SAFE_LIFE if board.me in board.view.emperors else 2
        if life - coming >= (1 if life <= SAFE_LIFE else least) or not free:
            return
        open_ones = [
            key
            for key in at_me
            if key not in stopped and not board.needs_two(key) and any(i in free for i in able.get(key, []))
        ]
        if not open_ones:
            return
        key = max(open_ones, key=lambda k: (board.strike(k) - (100 if board.has(k, "trample") else 0), k))
        thrown = min((i for i in able[key] if i in free), key=lambda i: (board.body(names[i]).worth, i))
        free.discard(thrown)
        blocks.append((thrown, key))
        stopped.add(key)
