"""Declaring attackers and blockers: all lines of a turn are one declaration, each with another creature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from server.rules.combat import attack_rules, attackers, block_rules, blockers
from server.rules.model import Illegal, lookup
from server.rules.model import questions as q
from server.rules.turn import legal
from server.scenario.errors import Refused
from server.scenario.format import Attack, Block, TargetName

if TYPE_CHECKING:
    from server.scenario.runner import Game


def attack(game: Game, question: q.AttackersQuestion) -> None:
    """Declares the attackers of the turn's lines; without any, nothing attacks that need not. Raises Refused."""
    lines = [
        (i, line)
        for i, line in game.actions
        if isinstance(line, Attack) and i not in game.done and line.turn == game.state.turn.number
    ]
    lines = [(i, line) for i, line in lines if line.player in _declaring(game, question.whose)]
    made: dict[int, tuple[int, int]] = {}
    for index, line in lines:
        try:
            pair = _attack(game, question, index, line, [a for a, _ in made.values()])
        except Refused:
            if index != game.scenario.head.expect_illegal:
                raise
            game.take_back(index)
            continue
        if pair is not None:
            made[index] = pair
    costs = attack_rules(game.state)[1].costs
    _ask_price(game, question.whose, made, lambda a, d: (a, question.attackers[a].defenders[d]) in costs)
    rules = attack_rules(game.state)[1]

    def joined(pairs: Pairs) -> Pairs:
        return _attacks_joined(rules, question, pairs)

    game.submit(_legal(game, question, made, joined, lambda pairs: q.Attackers(pairs, _bands(game, made))))


def _declaring(game: Game, seat: int) -> tuple[str, ...]:
    """Whose lines a declaration is made of: everybody's of a team that declares together (810.7c, d)."""
    return tuple(game.seats[one] for one in lookup.together(game.state, seat))


def _own(game: Game, player: str | None, oids: Sequence[int]) -> tuple[q.Choice, ...]:
    """A player's own among the creatures of a declaration, each at its place."""
    if player is None:
        return tuple(q.Choice(ref=oid) for oid in oids)
    seat, objects = game.seats.index(player), game.state.objects
    return tuple(q.Choice(ref=oid if objects[oid].controller == seat else 0) for oid in oids)


def _attack(
    game: Game, question: q.AttackersQuestion, index: int, line: Attack, taken: list[int]
) -> tuple[int, int] | None:
    """(attacker index, defender index); None if its creature attacks already and it waits for the next combat."""
    state, answers = game.state, game.answers
    options = _own(game, line.player, [a.object for a in question.attackers])
    place = answers.find(state, options, taken, TargetName(name=line.attacker))
    if place is None and len(_declaring(game, question.whose)) > 1:
        options = tuple(q.Choice(ref=a.object) for a in question.attackers)
        place = answers.find(state, options, taken, TargetName(name=line.attacker))
    if place is None:
        if answers.find(state, options, (), TargetName(name=line.attacker)) is not None:
            game.waits.add(index)
            return None
        raise Refused(index, f"{line.attacker} cannot attack")
    defenders = question.attackers[place].defenders
    if line.defender is None:
        players = [d for d, ref in enumerate(defenders) if ref < 0]
        if len(players) != 1:
            raise Refused(index, f"{len(players)} players can be attacked: a defender must be named")
        return place, players[0]
    wanted = TargetName(name=line.defender.permanent, player=line.defender.player)
    found = answers.find(state, tuple(q.Choice(ref=ref) for ref in defenders), (), wanted)
    if found is None:
        raise Refused(index, f"{line.attacker} cannot attack {wanted.name or wanted.player}")
    return place, found


def block(game: Game, question: q.BlockersQuestion) -> None:
    """Declares the blockers of a player's lines. Raises Refused."""
    lines = [
        (i, line)
        for i, line in game.actions
        if isinstance(line, Block) and i not in game.done and line.turn == game.state.turn.number
    ]
    lines = [(i, line) for i, line in lines if line.player in _declaring(game, question.whose)]
    made: dict[int, tuple[int, int]] = {}
    for index, line in lines:
        try:
            made[index] = _block(game, question, index, line, list(made.values()))
        except Refused:
            if index != game.scenario.head.expect_illegal:
                raise
            game.take_back(index)
    costs = block_rules(game.state, question.whose)[1].costs
    _ask_price(game, question.whose, made, lambda b, a: (b, a) in costs)
    rules = block_rules(game.state, question.whose)[1]
    game.submit(_legal(game, question, made, lambda pairs: _blocks_joined(rules, pairs), q.Blockers))


def _block(
    game: Game, question: q.BlockersQuestion, index: int, line: Block, made: list[tuple[int, int]]
) -> tuple[int, int]:
    """(blocker index, attacker id): a creature that may block another attacker comes after one that blocks none yet."""
    state, answers = game.state, game.answers
    options = _own(game, line.player, [b.object for b in question.blockers])
    full = [i for i, b in enumerate(question.blockers) if sum(x == i for x, _ in made) >= b.most]
    busy = [i for i, _ in made]
    blocker = TargetName(name=line.blocker)
    place = answers.find(state, options, busy, blocker)
    if place is None:
        place = answers.find(state, options, full, blocker)
    if place is None and len(_declaring(game, question.whose)) > 1:
        options = tuple(q.Choice(ref=b.object) for b in question.blockers)
        place = answers.find(state, options, busy, blocker)
    if place is None:
        raise Refused(index, f"{line.blocker} cannot block")
    attackers = tuple(q.Choice(ref=ref) for ref in question.blockers[place].attackers)
    chosen = [i for i, a in enumerate(attackers) if any(a.ref == x for _, x in made)]
    mine = [i for i, a in enumerate(attackers) if (place, a.ref) in made]
    wanted = TargetName(name=line.attacker)
    found = answers.find(state, attackers, chosen, wanted)
    if found is None:
        found = answers.find(state, attackers, mine, wanted)
    if found is None:
        raise Refused(index, f"{line.blocker} cannot block {line.attacker}")
    return place, attackers[found].ref


def _ask_price(game: Game, seat: int, made: dict[int, tuple[int, int]], costs: Callable[[int, int], bool]) -> None:
    """To declare what costs something is an optional payment (508.1g, 509.1d): it takes a yes or no, and a no leaves it out."""
    for index, pair in tuple(made.items()):
        if costs(*pair) and game.answers.yes(seat) is False:
            del made[index]
            game.done.add(index)


Pairs = tuple[tuple[int, int], ...]


def _bands(game: Game, made: dict[int, tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The bands that the lines of a declaration name, each with its attackers (702.20c)."""
    bands: dict[str, list[int]] = {}
    for index, (attacker, _) in made.items():
        line = game.scenario.script[index]
        if isinstance(line, Attack) and line.band:
            bands.setdefault(line.band, []).append(attacker)
    return tuple(tuple(members) for members in bands.values())


def _legal(
    game: Game,
    question: q.AnyQuestion,
    made: dict[int, tuple[int, int]],
    joined: Callable[[Pairs], Pairs],
    build: Callable[[Pairs], q.AnyAnswer],
) -> q.AnyAnswer:
    """The declaration of these lines, and of what must join them; if it is illegal as one of them is expected to be, without
    that line, which nothing joins. Raises Refused."""
    pairs = tuple(made.values())
    why = _why(game, question, build(pairs))
    expected = game.scenario.head.expect_illegal
    if why is not None and expected in made:
        del made[expected]
        game.take_back(expected)
        return _legal(game, question, made, joined, build)
    if why is not None:
        pairs = (*pairs, *joined(pairs))
        if _why(game, question, build(pairs)) is not None:
            raise Refused(next(iter(made), 0), why)
    game.done.update(made)
    return build(pairs)


def _attacks_joined(rules: attackers.AttackRules, question: q.AttackersQuestion, pairs: Pairs) -> Pairs:
    """What must attack besides these (508.1d): as few as possible, and none but those of whom something is required."""
    index = {(a, ref): (a, d) for a, one in enumerate(question.attackers) for d, ref in enumerate(one.defenders)}
    wanted = tuple((a, question.attackers[a].defenders[d]) for a, d in pairs)
    must = {r.attacker for r in rules.requirements} | {a for a, _ in attackers.default_attack(rules)}
    found = attackers.repair(rules, wanted)
    more = found if set(wanted) <= set(found) else attackers.default_attack(rules)
    listed = {a for a, _ in wanted}
    return tuple(index[pair] for pair in more if pair[0] not in listed and pair[0] in must)


def _blocks_joined(rules: blockers.BlockRules, pairs: Pairs) -> Pairs:
    """What must block besides these (509.1c)."""
    required = blockers.default_blocks(rules)
    must_block = {r.blocker for r in rules.requirements if isinstance(r, blockers.MustBlock)}
    must_be_blocked = {r.attacker for r in rules.requirements if not isinstance(r, blockers.MustBlock)}
    found = blockers.repair_blocks(rules, pairs)
    if set(pairs) <= set(found):
        more = [pair for pair in found if pair[0] in must_block or pair[1] in must_be_blocked or pair in required]
        return tuple(pair for pair in more if pair not in pairs)
    listed = {b for b, _ in pairs}
    return tuple(pair for pair in required if pair[0] not in listed)


def _why(game: Game, question: q.AnyQuestion, answer: q.AnyAnswer) -> str | None:
    try:
        legal.check(game.state, question, answer)
    except Illegal as fault:
        return str(fault)
    return None
