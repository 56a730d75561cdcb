"""Proving a puzzle by trying everything: the seat needs one answer that leads to the goal, the others have none that prevents it.

What is left out loses nothing: abilities that only make mana (payment finds them), and of answers that differ by objects between which the
game knows no difference all but one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import Protocol, TypeAlias

from msgspec.structs import replace

from server.rules import RulesError, State, characteristics
from server.rules.model import AnnounceFrame
from server.rules.model import questions as q
from server.scenario.errors import ScenarioError, Unsupported
from server.scenario.every import every
from server.scenario.format import Scenario
from server.scenario.puzzle import Puzzle
from server.scenario.shape import fights, kind, shape, tied
from server.scenario.source import CardSource
from server.scenario.verdict import Report

MOST = 400_000
"""So many states are looked at unless said otherwise."""


class TooLarge(ScenarioError):
    """There are more states than may be looked at; nothing is proved."""


class Goal(Protocol):
    """What a seat is to reach."""

    @property
    def seat(self) -> int:
        """Whose goal it is."""
        ...

    def decided(self, state: State) -> bool | None:
        """Whether it is reached; None while that is open."""
        ...

    def after(self, state: State, answer: q.AnyAnswer, /) -> State:
        """What a legal answer leads to."""
        ...


Listed: TypeAlias = Callable[[State, q.AnyQuestion], Iterable[q.AnyAnswer]]


class Solver:
    """What was found out of the states on the way to a goal. One of them serves a whole play, so that nothing is looked at twice.
    `listed` gives the answers that are tried, at least one.
    """

    def __init__(self, goal: Goal, most: int = MOST, listed: Listed | None = None) -> None:
        self._goal = goal
        self._most = most
        self._listed = listed or answers
        self._known: dict[Hashable, bool] = {}
        self.states = 0

    def holds(self, state: State) -> bool:
        """Whether the seat reaches the goal from here. Raises TooLarge, and what `Goal.decided` raises."""
        while (found := self._goal.decided(state)) is None:
            question = state.pending
            assert question is not None
            self.states += 1
            if self.states > self._most:
                raise TooLarge(f"more than {self._most} states")
            options = iter(self._listed(state, question))
            first, second = next(options), next(options, None)
            if second is not None:
                return self._chosen(state, question, chain((first, second), options))
            state = self._goal.after(state, first)
        return found

    def _chosen(self, state: State, question: q.AnyQuestion, options: Iterable[q.AnyAnswer]) -> bool:
        """The same where there is a choice: only such moments are remembered."""
        key = shape(state)
        found = None if key is None else self._known.get(key)
        if found is None:
            found = self._found(state, question, options)
            if key is not None:
                self._known[key] = found
        return found

    def _found(self, state: State, question: q.AnyQuestion, options: Iterable[q.AnyAnswer]) -> bool:
        mine = question.seat == self._goal.seat
        for answer in options:
            if self.holds(self._goal.after(state, answer)) == mine:
                return mine
        return not mine

    def sorted(self, state: State) -> tuple[list[q.AnyAnswer], list[q.AnyAnswer]]:
        """The answers to the open question that lead to the goal, and those that do not. Raises TooLarge."""
        good: list[q.AnyAnswer] = []
        bad: list[q.AnyAnswer] = []
        if state.pending is not None:
            for answer in self._listed(state, state.pending):
                (good if self.holds(self._goal.after(state, answer)) else bad).append(answer)
        return good, bad


def prove(scenario: Scenario, source: CardSource, most: int = MOST) -> Report:
    """The report of a scenario with a goal: passed if its seat can reach that whatever the others answer. Never raises."""
    try:
        puzzle = Puzzle(scenario, source)
        holds = Solver(puzzle, most).holds(puzzle.first())
    except Unsupported as fault:
        return Report(scenario.id, "unsupported", str(fault))
    except ScenarioError as fault:
        return Report(scenario.id, "error", str(fault))
    except (RulesError, Exception) as fault:
        return Report(scenario.id, "error", f"{type(fault).__name__}: {fault}")
    if holds:
        return Report(scenario.id, "passed")
    return Report(scenario.id, "failed", f"goal: {scenario.head.goal} can be prevented from what is expected")


def answers(state: State, question: q.AnyQuestion) -> Iterator[q.AnyAnswer]:
    """The answers that are worth trying: the default first, of those that are alike one."""
    if isinstance(question, q.PriorityQuestion) and all(one.mana or one.type == "pass" for one in question.actions):
        yield q.Take(0)
        return
    alike = _Alike(state, question)
    seen: set[object] = set()
    for answer in every(state, question):
        if isinstance(question, q.PriorityQuestion) and isinstance(answer, q.Take):
            if question.actions[answer.index].mana:
                continue
        key = alike.key(answer)
        if key not in seen:
            seen.add(key)
            yield answer


class _Alike:
    """Tells answers apart by what they are about: objects count by what they are."""

    def __init__(self, state: State, question: q.AnyQuestion) -> None:
        self._state = state
        self._question = question
        self._named = _named(state)
        self._fights = fights(state)
        self._what: dict[int, object] = {}

    def key(self, answer: q.AnyAnswer) -> object:
        """Equal for answers between which the game knows no difference."""
        question = self._question
        if isinstance(question, q.PriorityQuestion) and isinstance(answer, q.Take):
            action = question.actions[answer.index]
            return (action.type, self._of(action.object), action.ability, action.way, action.side)
        if isinstance(question, q.ChooseQuestion) and isinstance(answer, q.Pick):
            picked = [question.options[i] for i in answer.picks]
            return tuple((self._of(one.ref) if one.ref else 0, one.word) for one in picked)
        if isinstance(question, q.AttackersQuestion) and isinstance(answer, q.Attackers):
            pairs = ((question.attackers[i], d) for i, d in answer.attacks)
            return _counted((self._of(one.object), one.defenders[d]) for one, d in pairs)
        if isinstance(question, q.BlockersQuestion) and isinstance(answer, q.Blockers):
            return self._blocks(question, answer)
        return answer

    def _blocks(self, question: q.BlockersQuestion, answer: q.Blockers) -> object:
        """By attacker the blockers' kinds; of attackers alike (that attack the same) only what blocks them counts."""
        by: dict[int, list[object]] = {}
        for i, attacker in answer.blocks:
            by.setdefault(attacker, []).append(self._of(question.blockers[i].object))
        return _counted((self._of(attacker), _counted(kinds)) for attacker, kinds in by.items())

    def _of(self, ref: q.Ref) -> object:
        if ref not in self._what:
            found = self._state.objects.get(ref)
            if found is None or ref in self._named or tied(found) or self._fights is None:
                self._what[ref] = ref
            else:
                now = repr(characteristics(self._state, ref))
                self._what[ref] = (kind(self._state, found), now, self._fights.get(ref))
        return self._what[ref]


def _counted(kinds: Iterator[object] | list[object]) -> object:
    """How many there are of each, in no order."""
    counts: dict[object, int] = {}
    for one in kinds:
        counts[one] = counts.get(one, 0) + 1
    return frozenset(counts.items())


def _named(state: State) -> set[int]:
    """The objects that effects, triggers, what is on the stack or what is under way speak of, which are therefore like no others."""
    # What an announcement goes back to if it is taken back is the whole state, which speaks of everything.
    frames = [replace(one, before=None) if isinstance(one, AnnounceFrame) else one for one in state.agenda]
    spoken = (state.effects, state.delayed, state.waiting, frames, [state.objects[oid].entry for oid in state.stack])
    return {int(number) for number in re.findall(r"\d+", repr(spoken))}
