"""Declarations of attackers and blockers, creature by creature (508.1, 509.1), and then bands (702.20c).

Where nothing is required, forbidden or to be paid, each choice is free. Otherwise one is offered if a legal declaration agrees with
it and all before. That one is the best for limits that leave the creatures decided no other choice and require each choice made, as one
requirement more each: the rules' own search finds it, and `legal.check` says whether it is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from apnap.steps.base import Draft, Meaning
from server import rules as game
from server.rules import State, legal
from server.rules.combat import attack_rules, attackers, block_rules, blockers, may_form
from server.rules.model import questions as q
from server.scenario.every import is_legal

Pair: TypeAlias = tuple[int, q.Ref]
Pairs: TypeAlias = tuple[Pair, ...]
Options: TypeAlias = tuple[tuple[q.Ref, ...], ...]
BANDING = frozenset({"banding", "bands with other"})


class _Sort(msgspec.Struct, frozen=True):
    """What attackers and blockers differ in: `find` is a legal declaration with some choices, from such options, None if there is
    none; `end` what comes when all creatures are decided. No `find`: all are legal.
    """

    creatures: tuple[q.Ref, ...]
    options: Options
    most: tuple[int, ...]
    end: Callable[[Pairs], Draft | q.AnyAnswer]
    read: Callable[[q.AnyAnswer], Pairs]
    find: Callable[[Pairs, Options], Pairs | None] | None = None


class _Creature:
    """0: attacks or blocks nobody (more); n: option n - 1. `first` is the least option that is open to the one whose turn it is,
    `whole` a legal declaration that goes on from what was `chosen`.
    """

    def __init__(self, sort: _Sort, chosen: Pairs, place: int, first: int, whole: Pairs) -> None:
        self._sort = sort
        self._chosen = chosen
        self._place = place
        self._first = first
        self._whole = whole
        self.count = len(sort.options[place]) + 1 if sort.options else 1
        self.about: q.Ref = sort.creatures[place] if sort.options else 0
        self._found: dict[int, Pairs | None] = {}

    @property
    def allowed(self) -> Sequence[int]:
        if self._sort.find is None:
            return (0, *range(self._first + 1, self.count))
        return [number for number in range(self.count) if self.allows(number)]

    def allows(self, number: int) -> bool:
        if number and not self._first < number < self.count or number < 0:
            return False
        return self._sort.find is None or self._goes_on(number) is not None

    def _goes_on(self, number: int) -> Pairs | None:
        if number not in self._found:
            chosen, place, first = self._after(number)
            options = self._open(chosen, place, first)
            if set(chosen) <= set(self._whole) and all(ref in options[i] for i, ref in self._whole):
                self._found[number] = self._whole
            else:
                assert self._sort.find is not None
                self._found[number] = self._sort.find(chosen, options)
        return self._found[number]

    def _after(self, number: int) -> tuple[Pairs, int, int]:
        """What is chosen then, whose turn it is, and from which option on."""
        if number == 0:
            return self._chosen, self._place + 1, 0
        chosen = (*self._chosen, (self._place, self._sort.options[self._place][number - 1]))
        taken = sum(place == self._place for place, _ in chosen)
        done = taken >= self._sort.most[self._place] or number == self.count - 1
        return (chosen, self._place + 1, 0) if done else (chosen, self._place, number)

    def _open(self, chosen: Pairs, place: int, first: int) -> Options:
        """The options that are left once so much is chosen."""
        made = [tuple(ref for at, ref in chosen if at == i) for i in range(min(place + 1, len(self._sort.options)))]
        if place < len(self._sort.options):
            made[place] = (*made[place], *self._sort.options[place][first:])
        return (*made, *self._sort.options[place + 1 :])

    def take(self, number: int) -> Draft | q.AnyAnswer:
        if not self._sort.options:
            return self._sort.end(())
        chosen, place, first = self._after(number)
        whole = self._whole if self._sort.find is None else self._goes_on(number)
        assert whole is not None
        if place >= len(self._sort.options):
            return self._sort.end(chosen)
        return _Creature(self._sort, chosen, place, first, whole)

    def means(self, number: int) -> Meaning:
        if number == 0 or not self._sort.options:
            return Meaning("none", self.about)
        return Meaning("at", self._sort.options[self._place][number - 1])

    def toward(self, answer: q.AnyAnswer) -> int:
        pairs = self._sort.read(answer)
        mine = [ref for place, ref in pairs if place == self._place]
        had = sum(place == self._place for place, _ in self._chosen)
        if not self._sort.options or len(mine) <= had:
            return 0
        return sorted(self._sort.options[self._place].index(ref) for ref in mine)[had] + 1


class _Band:
    """0: the attacker joins no band that there is; n: band n. Ends as bands are when all have been asked."""

    def __init__(self, state: State, creatures: tuple[q.Ref, ...], attacks: Pairs, answer: q.Attackers) -> None:
        self._state = state
        self._creatures = creatures
        self._attacks = attacks
        self._answer = answer
        """With all the groups so far as bands, those of one creature as well."""
        self._place = sum(map(len, answer.bands))
        self.count = len(answer.bands) + 1
        self.about: q.Ref = creatures[attacks[self._place][0]]

    @property
    def allowed(self) -> Sequence[int]:
        return [number for number in range(self.count) if self.allows(number)]

    def allows(self, number: int) -> bool:
        if number == 0:
            return True
        if not 0 < number < self.count:
            return False
        band = self._answer.bands[number - 1]
        attacked = dict(self._attacks)
        place, defender = self._attacks[self._place]
        return attacked[band[0]] == defender and may_form(self._state, [self._creatures[i] for i in (*band, place)])

    def take(self, number: int) -> Draft | q.AnyAnswer:
        place = self._attacks[self._place][0]
        bands = list(self._answer.bands)
        if number:
            bands[number - 1] = (*bands[number - 1], place)
        else:
            bands.append((place,))
        answer = replace(self._answer, bands=tuple(bands))
        if self._place + 1 < len(self._attacks):
            return _Band(self._state, self._creatures, self._attacks, answer)
        return replace(answer, bands=tuple(band for band in bands if len(band) > 1))

    def means(self, number: int) -> Meaning:
        if number == 0:
            return Meaning("none", self.about)
        return Meaning("joins", self._creatures[self._answer.bands[number - 1][0]], number)

    def toward(self, answer: q.AnyAnswer) -> int:
        if not isinstance(answer, q.Attackers):
            raise ValueError
        place = self._attacks[self._place][0]
        band = next((one for one in answer.bands if place in one), (place,))
        return next((n + 1 for n, one in enumerate(self._answer.bands) if one[0] in band), 0)


def begin_attack(state: State, question: q.AttackersQuestion) -> Draft:
    """The first step of a declaration of attackers."""
    creatures = tuple(one.object for one in question.attackers)
    options = tuple(one.defenders for one in question.attackers)
    _, limits = attack_rules(state)

    def indexed(pairs: Pairs) -> q.Attackers:
        return q.Attackers(tuple((i, options[i].index(ref)) for i, ref in pairs))

    def end(pairs: Pairs) -> Draft | q.AnyAnswer:
        answer = indexed(pairs)
        if not any(game.characteristics(state, creatures[i]).keywords & BANDING for i, _ in pairs):
            return answer
        return _Band(state, creatures, pairs, answer)

    def read(answer: q.AnyAnswer) -> Pairs:
        if not isinstance(answer, q.Attackers):
            raise ValueError
        return tuple((i, options[i][d]) for i, d in answer.attacks)

    def find(chosen: Pairs, open_: Options) -> Pairs | None:
        forced = tuple(attackers.AttackRequirement(i, (ref,)) for i, ref in chosen)
        costs = tuple(pair for pair in limits.costs if pair not in chosen)
        made = replace(limits, options=open_, requirements=(*limits.requirements, *forced), costs=costs)
        found = attackers.default_attack(made)
        return found if set(chosen) <= set(found) and is_legal(state, question, indexed(found)) else None

    free = not (limits.requirements or limits.restrictions or limits.costs)
    sort = _Sort(creatures, options, (1,) * len(options), end, read, None if free else find)
    return _Creature(sort, (), 0, 0, () if free else read(legal.default(question, state)))


def begin_blocks(state: State, question: q.BlockersQuestion) -> Draft:
    """The first step of a declaration of blockers."""
    creatures = tuple(one.object for one in question.blockers)
    options = tuple(one.attackers for one in question.blockers)
    _, limits = block_rules(state, question.whose)

    def read(answer: q.AnyAnswer) -> Pairs:
        if not isinstance(answer, q.Blockers):
            raise ValueError
        return answer.blocks

    def find(chosen: Pairs, open_: Options) -> Pairs | None:
        forced = tuple(blockers.MustBlock(i, (ref,)) for i, ref in chosen)
        costs = tuple(pair for pair in limits.costs if pair not in chosen)
        made = replace(limits, options=open_, requirements=(*limits.requirements, *forced), costs=costs)
        found = blockers.default_blocks(made)
        return found if set(chosen) <= set(found) and is_legal(state, question, q.Blockers(found)) else None

    free = not (limits.requirements or limits.restrictions or limits.costs)
    free = free and not any(one.least > 1 or one.most is not None for one in limits.attackers)
    sort = _Sort(
        creatures, options, tuple(one.most for one in question.blockers), q.Blockers, read, None if free else find
    )
    return _Creature(sort, (), 0, 0, () if free else read(legal.default(question, state)))
