"""Pairs of games that differ only in what some of their viewers may not know, played side by side through real rooms.

A pair begins from one moment of a game. In the second game hidden things are changed: which cards lie where in hands,
libraries and face down, which seats let the room pass for them. Then both get the same inputs, as far as anybody can see; a
player whose hidden cards differ does the same with each, and where it chooses in secret it may choose otherwise. `facts` says up
to where a viewer may know no difference; as long, every frame that it was sent must be the same in both, but for the time.

Nothing here asks the server who may know what.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from server import rules
from server.knowledge.questions import write_answer
from server.knowledge.veiled import veiled
from server.rooms.foresight import foresee
from server.rooms.screening import screening
from server.rules.model import Illegal, State
from server.rules.model import questions as q
from server.rules.turn import legal, snapshot
from tests.secrecy.changes import RULES, Plan, begun, changed, insiders, prepared, setup_of
from tests.secrecy.facts import Facts, Viewer, facts, shown
from tests.secrecy.kinds import drawn_act, drawn_proposal
from tests.secrecy.likeness import first_difference, kind_of, redacted_otherwise, renamed, sort_of, translated
from tests.secrecy.sides import Ear, Side

TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"')
SETTLE = 30.0
"""Seconds, of the tests' clock, after which a room has done all that it does by itself."""


@dataclass(frozen=True)
class Difference:
    """A viewer was told something else: a leak."""

    plan: Plan
    viewer: str
    first: bytes
    second: bytes

    def __str__(self) -> str:
        return f"{self.plan.change}, seed {self.plan.seed}: {self.viewer} was sent\n  {self.first!r}\n  {self.second!r}"


class Pair:
    """Two games side by side. `met` counts, for each viewer kind, the question kinds that it was compared over."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.chance = random.Random(f"pair {plan.seed}")
        self.setup = setup_of(plan)
        first = prepared(begun(self.setup, plan), plan)
        self.insiders = insiders(first, plan)
        """The seats that know a difference from the beginning."""
        self.states = first, changed(first, plan)
        if plan.change not in ("passed for", "secret choices"):
            self.states = first, rules.ask_again(self.states[1])
        self.met: Counter[tuple[str, str]] = Counter()
        self.within: Counter[str] = Counter()
        """How often viewers were compared "within" a subgame (715), and "after" one."""
        self.found: list[Difference] = []
        self.compared = 0
        self.inputs = 0
        self.asked_more = 0
        """How many questions the first game has asked more than the second."""
        self.declined = 0
        self.previews = 0
        """How often it was compared what a process that looks ahead would be told."""
        self._told: tuple[list[bytes], ...] = ()

    @property
    def names(self) -> list[str]:
        return list(self.sides[0].ears)

    async def run(self, nursery: trio.Nursery) -> None:
        """Play both, and compare as long as anybody may know no difference."""
        self.sides = tuple(Side(self.setup, state, self._ears()) for state in self.states)
        await self._begin(nursery)
        self.watching = {name for name in self.names if self._may_watch(name)}
        await self._settled()
        for _ in range(self.plan.inputs):
            if not self.watching or self.found or any(side.pending is None for side in self.sides):
                break
            if any(side.room.frozen for side in self.sides):
                raise AssertionError(f"a room is frozen: {self.plan.change}, seed {self.plan.seed}")
            self.inputs += 1
            if self.inputs == self.plan.restart:
                for side in self.sides:
                    await side.start_again(nursery)
            elif self.chance.random() < 0.1:
                await self._take_back()
            elif self.setup.options.by_hand != "never" and self.chance.random() < 0.1:
                await self._propose()
            else:
                acts = isinstance(self.sides[0].pending, q.ActQuestion)
                await self._step()
                if acts:
                    await self._object()
            await self._settled()
        await self._replay()

    def _ears(self) -> list[Ear]:
        seats = [Ear(f"seat {seat}", seat, digests=True) for seat in range(len(self.plan.decks))]
        return [*seats, Ear("spectator", None), Ear("packed", None, packed=True, brief=True, gathered=True, lang="fr")]

    def _may_watch(self, name: str) -> bool:
        return self.plan.change == "libraries" or self.seat(name) not in self.insiders

    async def _begin(self, nursery: trio.Nursery) -> None:
        for side in self.sides:
            await side.run(nursery)
        if self.plan.change == "passed for":
            side, key = self.sides[1], f"seat {self.plan.owner}"
            whim = self.chance.randrange(3)
            if whim:
                await side.room.submit(key, m.Stops(id="stops", mine=[], others=["end"]))
            if whim != 1:
                await side.room.submit(key, m.Pass(id="pass", until="end_of_turn"))

    # --- comparing ---

    async def _settled(self) -> None:
        """Wait until both games stand at the same question, and compare what was sent since they did so last."""
        await self._wait()
        for _ in range(200):
            first, second = (side.pending for side in self.sides)
            if first is None or second is None:
                break
            ahead = first.number - second.number - self.asked_more
            if ahead == 0:
                if not await self._declined():
                    break
                continue
            behind, other, number = (
                (self.sides[1], self.sides[0], second.number + self.asked_more)
                if ahead > 0
                else (self.sides[0], self.sides[1], first.number - self.asked_more)
            )
            answer = other.game.answers.get(number)
            if answer is None or not await self._caught_up(behind, answer):
                break
        self._compare()

    async def _caught_up(self, behind: Side, answer: q.AnyAnswer) -> bool:
        """The game that is behind has answered as the other did; False if it cannot."""
        assert behind.pending is not None
        if type(answer) is not legal.ANSWERS[type(behind.pending)]:
            return False
        await behind.answer(answer, f"behind{self.inputs}")
        await self._wait()
        return True

    async def _declined(self) -> bool:
        """Where only one game asks the owner of what is hidden something, it has declined; False if there is no such thing."""
        first, second = (side.pending for side in self.sides)
        assert first is not None and second is not None
        if sort_of(first) == sort_of(second):
            return False
        for side, more in zip(self.sides, (1, -1), strict=True):
            pending = side.pending
            if pending is not None and pending.whose in self.insiders and not isinstance(pending, q.PriorityQuestion):
                self.asked_more += more
                self.declined += 1
                await side.answer(legal.default(pending, side.state), f"declined{self.declined}")
                await self._wait()
                return True
        return False

    async def _wait(self) -> None:
        await trio.sleep(SETTLE)
        await wait_all_tasks_blocked()
        for side in self.sides:
            side.listen()

    def _compare(self) -> None:
        one, two = self.sides
        told = {viewer: [side.game.told(viewer) for side in self.sides] for viewer in one.game.shown}
        for name in sorted(self.watching):
            ear, other = one.ears[name], two.ears[name]
            same = facts(one.state, ear.seat) == facts(two.state, ear.seat) and told[ear.seat][0] == told[ear.seat][1]
            if not same or one.room.over.is_set() or two.room.over.is_set():
                self.watching.discard(name)
                continue
            if not self._same_frames(ear.frames, other.frames):
                self.found.append(Difference(self.plan, name, *first_difference(ear.frames, other.frames)))
                return
            asked = one.pending is not None and ear.seat == one.pending.seat
            if ear.seat is not None and asked and not self._same_for_process(ear.seat):
                self.found.append(
                    Difference(self.plan, f"the process that looks ahead for {name}", *first_difference(*self._told))
                )
                return
            if ear.seat is not None and (parts := redacted_otherwise(one.state, two.state, ear.seat)):
                self.found.append(Difference(self.plan, f"{name}, redacted", *parts))
                return
            self.compared += len(ear.frames)
            self.within["within" if one.state.main is not None else "after" if self.within["within"] else "before"] += 1
            if one.pending is not None:
                self.met[self._role(ear, one.pending), kind_of(one.pending)] += 1
        for side in self.sides:
            for ear in side.ears.values():
                ear.frames.clear()

    def _same_for_process(self, seat: int) -> bool:
        """Whether a process that looks ahead for that seat would be told of the same cards, and of no chance. How the rules number what
        happened is no affair of the seat, but of nobody else's either: the process tells nothing but what would come of an answer. Nor
        is how often a text stands there: what cards have in common is written with the first of them.
        """
        written = [snapshot.write(veiled(side.state, seat), ()) for side in self.sides]
        self.previews += 1
        texts = [sorted({text for text in TEXT.findall(one) if not text[1:-1].isdigit()}) for one in written]
        self._told = tuple([b"\n".join(one)] for one in texts)
        return self._told[0] == self._told[1] and self.setup.fair.seed.encode() not in written[0]

    def _same_frames(self, first: list[bytes], second: list[bytes]) -> bool:
        """The ids of questions are opaque: where one game has asked somebody more, they are others, each for each."""
        if not self.asked_more:
            return first == second
        return renamed(first) == renamed(second)

    def _role(self, ear: Ear, pending: q.AnyQuestion) -> str:
        if ear.seat is None:
            return "late" if self.setup.options.delay_ms else ear.name
        if pending.seat == ear.seat:
            return "asked" if pending.whose == ear.seat else "in control"
        if pending.whose == ear.seat:
            return "controlled"
        teams = self.sides[0].state.options.teams
        return "teammate" if teams and teams[ear.seat] == teams[pending.seat] else "other"

    async def _replay(self) -> None:
        """The game seen again, step by step."""
        if not self.watching or self.found:
            return
        shown = [await screening(await side.storage.load("pair"), side.game) for side in self.sides]
        for name in sorted(self.watching - {"packed"}):
            seat = self.seat(name)
            last = [one.moment(10**6, seat).step for one in shown]
            if last[0] != last[1]:
                self.found.append(Difference(self.plan, f"{name} again", b"%d" % last[0], b"%d" % last[1]))
                return
            for step in range(last[0] + 1):
                first, second = (msgspec.json.encode(one.moment(step, seat)) for one in shown)
                if first != second:
                    self.found.append(Difference(self.plan, f"{name} again", *first_difference([first], [second])))
                    return
            self.met["replay" if seat is not None else "replay spectator", "step"] += last[0] + 1

    # --- inputs ---

    async def _take_back(self) -> None:
        """A seat that has nothing to hide takes its last answer back; where that is put to the vote, all agree or one does not."""
        seats = [seat for seat in range(len(self.plan.decks)) if seat not in self.insiders]
        seat, yes = self.chance.choice(seats), self.chance.random() < 0.8
        for side in self.sides:
            await side.room.submit(f"seat {seat}", m.TakeBack(id=f"t{self.inputs}"))
        await trio.sleep(0.1)
        for voter in range(len(self.plan.decks)):
            for side in self.sides:
                if voter != seat and side.vote is not None:
                    agrees = yes or voter in self.insiders
                    await side.room.submit(f"seat {voter}", m.Consent(id=f"v{self.inputs}", vote=side.vote, yes=agrees))
            await trio.sleep(0.1)
        self.met["took back", kind_of(self.sides[0].pending)] += 1

    async def _object(self) -> None:
        """Some object to what was done by hand just now, or let it stand."""
        await trio.sleep(0.1)
        acts = self.sides[0].acts
        if not acts or self.chance.random() < 0.4:
            return
        stood = False
        for voter in range(len(self.plan.decks)):
            yes = self.chance.random() < 0.4
            for side in self.sides:
                await side.room.submit(f"seat {voter}", m.Agree(id=f"o{self.inputs}", ballot=acts[0], yes=yes))
            await trio.sleep(0.1)
            stood = stood or self.sides[0].stands
        self.met["objected", kind_of(self.sides[0].pending)] += stood

    async def _propose(self) -> None:
        """Somebody who hides nothing proposes what the table is to change by hand; all agree, or one does not."""
        seats = [seat for seat in range(len(self.plan.decks)) if seat not in self.insiders]
        seat, yes = self.chance.choice(seats), self.chance.random() < 0.8
        message = drawn_proposal(self.sides[0].state, self.chance, f"c{self.inputs}")
        kind = kind_of(self.sides[0].pending)
        for side in self.sides:
            await side.room.submit(f"seat {seat}", m.Moments(id=f"m{self.inputs}"))
            await side.room.submit(f"seat {seat}", message)
        await trio.sleep(0.1)
        self.met["proposed", kind] += self.sides[0].proposal is not None
        for voter in range(len(self.plan.decks)):
            for side in self.sides:
                if voter != seat and side.proposal is not None:
                    agrees = yes or voter in self.insiders
                    agree = m.Agree(id=f"y{self.inputs}", ballot=side.proposal, yes=agrees)
                    await side.room.submit(f"seat {voter}", agree)
            await trio.sleep(0.1)

    async def _step(self) -> None:
        """The same input for both, as far as those who watch can see."""
        first, second = (side.pending for side in self.sides)
        assert first is not None and second is not None
        if type(first) is not type(second) or first.seat != second.seat:
            self.watching.clear()
            return
        whim = self.chance.random()
        await self._aside(whim)
        answers = self._answers()
        if answers is None:
            self.watching.clear()
            return
        if self.chance.random() < 0.1:
            for side, answer in zip(self.sides, answers, strict=True):
                preview = m.Preview(
                    id=f"p{self.inputs}",
                    question=side.question,
                    answer=write_answer(answer),
                )
                await side.room.submit(f"seat {first.seat}", preview)
            self._foreseen(first.seat, answers)
        for side, answer in zip(self.sides, answers, strict=True):
            await side.answer(answer, f"a{self.inputs}")

    def _foreseen(self, seat: int, answers: tuple[q.AnyAnswer, q.AnyAnswer]) -> None:
        """A process that looks ahead says the same of both games, where the seat may know no difference."""
        name = f"seat {seat}"
        if name not in self.watching:
            return
        told: list[bytes] = []
        for side, answer in zip(self.sides, answers, strict=True):
            there = snapshot.read(snapshot.write(veiled(side.state, seat), ()), ())
            told.append(msgspec.json.encode(foresee(RULES, there, seat, answer)))
        self.met["foreseen", kind_of(self.sides[0].pending)] += 1
        if told[0] != told[1]:
            self.found.append(Difference(self.plan, f"{name} from the process that looks ahead", *told))

    async def _aside(self, whim: float) -> None:
        """Sometimes somebody looks anew, or comes back."""
        name = self.chance.choice(self.names)
        for side in self.sides:
            ear = side.ears[name]
            if whim < 0.05:
                await side.room.submit(name, m.Sync(id=f"s{self.inputs}"))
            elif whim < 0.1:
                side.room.detach(name)
                ear.reconnect()
                side.attach(ear)
        if whim < 0.1:
            self.met["back", kind_of(self.sides[0].pending)] += 1

    def _answers(self) -> tuple[q.AnyAnswer, q.AnyAnswer] | None:
        """An answer for each game, after which nobody who watches may know a difference; None if none is found."""
        one, two = (side.state for side in self.sides)
        assert one.pending is not None and two.pending is not None
        for mine, its in self._tries(one, two):
            if self._looks_alike((one, two), (mine, its)):
                return mine, its
        passed = legal.default(one.pending, one), legal.default(two.pending, two)
        return passed if type(passed[0]) is type(passed[1]) else None

    def _looks_alike(self, states: tuple[State, State], answers: tuple[q.AnyAnswer, q.AnyAnswer]) -> bool:
        """Whether nobody who watches may know a difference after these answers, once what only one game asks is declined."""
        forks: list[State] = list(states)
        viewers = {self.seat(name) for name in self.watching}
        told: list[dict[Viewer, Facts]] = [dict.fromkeys(viewers, ()), dict.fromkeys(viewers, ())]

        def submit(number: int, answer: q.AnyAnswer) -> None:
            before, pending = forks[number], forks[number].pending
            assert pending is not None
            forks[number], events = RULES.submit(before, pending.seat, answer)
            for viewer in viewers:
                told[number][viewer] += shown(events, before, forks[number], viewer)

        try:
            for number, answer in enumerate(answers):
                submit(number, answer)
        except Illegal:
            return False
        for _ in range(5):
            first, second = (fork.pending for fork in forks)
            if first is None or second is None or sort_of(first) == sort_of(second):
                break
            mine = [
                number
                for number, pending in enumerate((first, second))
                if pending.whose in self.insiders and not isinstance(pending, q.PriorityQuestion)
            ]
            if not mine:
                return False
            submit(mine[0], legal.default((first, second)[mine[0]], forks[mine[0]]))
        return told[0] == told[1] and all(facts(forks[0], viewer) == facts(forks[1], viewer) for viewer in viewers)

    def seat(self, name: str) -> Viewer:
        return self.sides[0].ears[name].seat

    def _tries(self, one: State, two: State) -> Iterator[tuple[q.AnyAnswer, q.AnyAnswer]]:
        assert one.pending is not None and two.pending is not None
        secret = self.plan.change == "secret choices" and one.pending.whose in self.insiders
        if isinstance(one.pending, q.ActQuestion):
            act = drawn_act(self.chance)
            yield act, act
        for _ in range(8):
            mine = self._manual(one.pending, legal.sample(one.pending, one, self.chance))
            if secret and not isinstance(one.pending, q.PriorityQuestion):
                yield mine, legal.sample(two.pending, two, self.chance)
            its = translated(one, two, mine)
            if its is not None:
                yield mine, its

    def _manual(self, question: q.AnyQuestion, answer: q.AnyAnswer) -> q.AnyAnswer:
        if isinstance(answer, q.Take) and question.actions[answer.index].type == "cast" and self.chance.random() < 0.3:  # type: ignore[union-attr]
            return replace(answer, manual=True)
        return answer
