"""Plays a scenario: builds its beginning, answers every question as the script has it, and checks what was expected.

The script's lines are done at the first priority in their step, one at each priority; attacks and blocks at their
declarations. A line that turns out to be illegal, at once or while it is announced, leaves no trace: the state from before
it is taken up again.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from server.cards.nouns import STEPS
from server.rules.casting import targets_so_far
from server.rules.happenings import leave
from server.rules.model import (
    AnnounceFrame,
    BatchFrame,
    CombatFrame,
    Illegal,
    Options,
    PriorityFrame,
    RulesError,
    State,
    TurnFrame,
    events,
    evolve,
    lookup,
)
from server.rules.model import questions as q
from server.rules.turn import driver, legal, setup, variants
from server.scenario import checking, checks, declarations, priority
from server.scenario.acting import Acting
from server.scenario.answers import Answers
from server.scenario.build import build
from server.scenario.errors import BadScenario, Refused, ScenarioError, Unmet, Unsupported
from server.scenario.format import ActionLine, AddCounters, Attack, Block, Raw, Scenario, WaitStack
from server.scenario.names import name_of
from server.scenario.seen import Seen, named
from server.scenario.source import CardSource
from server.scenario.verdict import Outcome, Report

#: More questions than any sensible scenario asks: a game that goes in circles.
QUESTIONS = 20_000


def play(scenario: Scenario, source: CardSource) -> Report:
    """The report of a scenario. Never raises: what the engine raises is the outcome "error"."""
    game: Game | None = None
    outcome: Outcome = "passed"
    why = ""
    try:
        game = Game(scenario, source)
        game.run()
    except Unmet as fault:
        outcome, why = "failed", str(fault)
    except Refused as fault:
        outcome, why = "illegal", str(fault)
    except Unsupported as fault:
        outcome, why = "unsupported", str(fault)
    except ScenarioError as fault:
        outcome, why = "error", str(fault)
    except (RulesError, Exception) as fault:
        outcome, why = "error", f"{type(fault).__name__}: {fault}"
    unused = game.answers.unused() if game is not None else ()
    return Report(scenario.id, outcome, why, unused)


class Game:
    """A scenario under way. `done` holds the script lines that are done, `waits` those that wait for another combat."""

    def __init__(self, scenario: Scenario, source: CardSource) -> None:
        head = scenario.head
        self.scenario = scenario
        self.seats = head.seats
        self.answers = Answers(scenario.script, head.seats)
        self.log: list[events.Event] = []
        self.names: dict[int, str] = {}
        self.done: set[int] = set()
        self.waits: set[int] = set()
        self.refused = False
        self.acting: Acting | None = None
        self.announced: set[int] = set()  # what was put on the stack, its targets counted
        self.slots = (
            0,
            0,
        )  # the object being announced, and how many of its target slots have been asked for or filled
        self.color = ""  # the letter of the mana that the mana ability just activated was asked for
        kind = head.format or ("duel" if len(head.seats) == 2 else "free-for-all")
        options = Options(
            edition=head.rules,
            format=kind,
            life=variants.starting_life(kind, len(head.seats)),
            attack=head.attack,
            range_of_influence=head.range or 0,
            ranges=head.ranges,
            teams=head.teams,
            first_draw=_first_draw(head, kind),
            mulligans=False,
            seed=head.id,
        )
        options = _said(variants.with_variant(options, head.variant, len(head.seats), life=head.life), head)
        self.state, self.aliases = build(options, scenario, source, self._setup_answer)
        self.answers.aliases, self.answers.names = self.aliases, self.names
        self.state = evolve(self.state, fixed_chance=self.answers.chance())
        self.actions = [(i, line) for i, line in enumerate(scenario.script) if isinstance(line, ActionLine)]
        self.waited: dict[int, set[int]] = {i: set() for i, line in self.actions if line.player is None}

    def _setup_answer(self, state: State, question: q.AnyQuestion) -> q.AnyAnswer:
        """What is there as the game begins is untapped as the setup says: nothing is paid for that, and no answer of the script used."""
        if isinstance(question, q.ConfirmQuestion) and question.purpose == "pay":
            return q.Confirm(False)
        return self.answers.answer(state, question)

    # --- the game ------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Plays to `until` and checks. Raises a ScenarioError for whatever is not as the scenario has it."""
        self.state, log = setup.begin(self.state, self.stop)
        self.note(list(log))
        asked = 0
        while self.state.pending is not None:
            asked += 1
            if asked > QUESTIONS:
                raise BadScenario(f"more than {QUESTIONS} questions: the game does not come to its end")
            try:
                self.answer(self.state.pending)
            except Refused as fault:
                if fault.line != self.scenario.head.expect_illegal:
                    raise
                self.take_back(fault.line)
        self.answers.chance_used(self.state)
        self.finish()

    def answer(self, question: q.AnyQuestion) -> None:
        """Answers the open question as the script has it."""
        if isinstance(question, q.PriorityQuestion):
            self.color = ""
            priority.answer(self, question)
        elif isinstance(question, q.AttackersQuestion):
            declarations.attack(self, question)
        elif isinstance(question, q.BlockersQuestion):
            declarations.block(self, question)
        elif self.color and (place := _of_color(question, self.color)) is not None:
            self.color = ""
            self.submit(q.Pick((place,)))
        else:
            self._choose(question)

    def _choose(self, question: q.AnyQuestion) -> None:
        """Answers a question with what the line under way names, then with the answers that wait."""
        if isinstance(question, q.ChooseQuestion) and question.purpose == "target":
            self._ask_slot(question.whose)
        if self.acting is not None and self.acting.concerns(self.state, question):
            self.submit(self.acting.answer(self.state, question, self.answers))
        else:
            self.submit(self.answers.answer(self.state, question))

    def submit(self, answer: q.AnyAnswer) -> None:
        """Gives an answer and runs on; an announcement that is over is looked at."""
        assert self.state.pending is not None
        legal.check(self.state, self.state.pending, answer)
        log: list[events.Event] = []
        self.state = driver.answer(self.state, answer, log, self.stop)
        self.note(log)
        self._count_stack()
        if self.acting is not None and not _announcing(self.state):
            acting, self.acting = self.acting, None
            acting.verify(self.state, self.log[acting.logged :], self.answers)

    def _ask_slot(self, seat: int) -> None:
        """Counts the slot that is asked for, and before it those that were filled without asking."""
        frame, filling = self.state.agenda[-1], targets_so_far(self.state)
        if isinstance(frame, AnnounceFrame) and filling is not None:
            on_stack, slots = filling
            self._forced(slots[self._counted(on_stack) :], seat, None if frame.trigger is not None else self.acting)
            self.slots = (on_stack, len(slots) + 1)

    def _count_stack(self) -> None:
        """Of what has been put on the stack, counts the slots that were filled without asking after the last asked for."""
        frame = self.state.agenda[-1] if self.state.agenda else None
        choosing = isinstance(frame, AnnounceFrame) and frame.at == "choose"
        for oid in self.state.stack:
            entry = self.state.objects[oid].entry
            if oid in self.announced or entry is None or (choosing and oid == self.state.stack[-1]):
                continue
            self.announced.add(oid)
            if not entry.copied:
                acting = None if entry.kind == "triggered" else self.acting
                self._forced(entry.targets[self._counted(oid) :], self.state.objects[oid].controller, acting)

    def _counted(self, on_stack: int) -> int:
        return self.slots[1] if self.slots[0] == on_stack else 0

    def _forced(self, slots: tuple[tuple[q.Ref, ...], ...], seat: int, acting: Acting | None) -> None:
        """Targets that had only one legal choice count as asked: a name given for one is used up."""
        for ref in (ref for slot in slots for ref in slot):
            if acting is None or not acting.take(self.state, ref, self.answers):
                self.answers.take_target(self.state, seat, ref)

    def take_back(self, line: int) -> None:
        """An illegal line that was expected: it is done with, and nothing of it has happened."""
        self.refused = True
        self.done.add(line)

    def note(self, log: list[events.Event]) -> None:
        """Keeps the log, and the names of objects that may be gone when somebody asks for them."""
        self.log.extend(log)
        for event in log:
            if isinstance(event, events.Move) and event.last is not None:
                self.names.setdefault(event.last.object.id, event.last.object.definition.name)
                self.names.setdefault(event.became, event.last.object.definition.name)
        for oid, found in self.state.objects.items():
            if oid not in self.names:
                self.names[oid] = name_of(self.state, found)

    def seen(self) -> Seen:
        """The game as checks see it now."""
        return Seen(self.state, self.log, self.aliases, self.names)

    def check(self, one: checks.Check, path: str) -> None:
        """Raises Unmet, with the place, if a check does not hold."""
        try:
            checking.check(self.seen(), one)
        except Unmet as fault:
            raise Unmet(f"{path}: {fault}") from None

    # --- lines that are done at once -------------------------------------------------------------------------------------

    def add_counters(self, index: int, line: AddCounters) -> None:
        """Counters on the first permanent of that name, before the player goes on with the same priority."""
        found = named(self.seen(), line.card, None)
        if not found:
            raise Refused(index, f"there is no {line.card}")
        put = events.PutCounters(subject=found[0].id, amount=line.count, counter=line.counter)
        agenda = (*self.state.agenda, BatchFrame(events=(put,)))
        self._run(lambda log: driver.advance(evolve(self.state, agenda=agenda, pending=None), log, self.stop))

    def concede(self, seat: int) -> None:
        """The player concedes (104.3a)."""

        def left(log: list[events.Event]) -> State:
            state = leave.concede(self.state, seat, log)
            return state if state.result is not None else driver.advance(state, log, self.stop)

        self._run(left)

    def _run(self, make: Callable[[list[events.Event]], State]) -> None:
        log: list[events.Event] = []
        self.state = make(log)
        self.note(log)

    # --- where the game stands -----------------------------------------------------------------------------------------

    def stop(self, state: State) -> bool:
        """Whether `until` is over. Asked before each step of the engine, so it also notices declarations that nobody could
        make."""
        frame, turn, until = state.agenda[-1], state.turn, self.scenario.head.until
        if frame.at == "begin" and isinstance(frame, TurnFrame):
            if turn.step in ("declare_attackers", "declare_blockers"):
                self._undeclared(state)
            return False
        ends = isinstance(frame, TurnFrame) and frame.at == "next"
        if not turn.number or not (ends or frame.at == "act" or isinstance(frame, PriorityFrame | CombatFrame)):
            return False
        if turn.number != until.turn:
            return turn.number > until.turn
        if turn.step == "cleanup" and turn.steps:
            return False  # 514.3a: another cleanup step follows
        here, there = STEPS.index(turn.step), STEPS.index(until.step)
        return here >= there and len(turn.steps) < 12 if ends else here > there

    def _undeclared(self, state: State) -> None:
        """Attack and block lines of this combat that no declaration took were not legal."""
        kind = Attack if state.turn.step == "declare_attackers" else Block
        for index, line in self.actions:
            if not isinstance(line, kind) or index in self.done or line.turn != state.turn.number:
                continue
            if index in self.waits:
                self.waits.discard(index)
            elif kind is Block or lookup.is_active(state, self.seats.index(line.player)):
                if index != self.scenario.head.expect_illegal:
                    who = line.attacker if isinstance(line, Attack) else line.blocker
                    raise Refused(index, f"{who} cannot {'attack' if kind is Attack else 'block'}")
                self.take_back(index)

    def finish(self) -> None:
        """Every action was done, and every expectation holds."""
        expected = self.scenario.head.expect_illegal
        for index, line in self.actions:
            if index not in self.done and not isinstance(line, WaitStack):
                do = line.__struct_config__.tag
                raise Unmet(f"script[{index}]: the moment to {do} (turn {line.turn}, {line.step}) never came")
        if expected is not None and not self.refused:
            raise Unmet(f"script[{expected}]: was accepted as legal")
        for i, one in enumerate(self.scenario.expect):
            self.check(one, f"expect[{i}]")


def _announcing(state: State) -> bool:
    return any(isinstance(frame, AnnounceFrame) and frame.trigger is None for frame in state.agenda)


__all__ = ["Game", "Illegal", "play"]


def _of_color(question: q.AnyQuestion, letter: str) -> int | None:
    """The place of a colour among those that mana can have; None for any other question."""
    if not isinstance(question, q.ChooseQuestion) or question.purpose != "mana":
        return None
    return next((i for i, option in enumerate(question.options) if option.word == letter), None)


def _said(options: Options, head: Raw) -> Options:
    """The options of a variant but for what the scenario says by itself."""
    ranges = head.ranges or ((head.range,) * len(head.seats) if head.range else options.ranges)
    return replace(options, ranges=ranges, teams=head.teams or options.teams)


def _first_draw(head: Raw, kind: str) -> bool | None:
    """Whether the first turn has its draw: as the scenario has it, else as the variant or the number of players (103.7a, 810.6)."""
    if head.first_draw is not None:
        return head.first_draw
    return None if head.variant == "two_headed_giant" else kind != "duel"
