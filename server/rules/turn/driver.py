"""The driver: runs what is left to do until somebody has to be asked or the game is over.

A step is run from an unchanged state with the answers so far. If it yields a question, the generator is thrown away and the
question stored; at the answer the step starts again. What it returns is applied here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from msgspec.structs import replace

from server.rules.casting import announce
from server.rules.combat import steps
from server.rules.happenings import batch, leave
from server.rules.instructions import resolve
from server.rules.model import (
    Action,
    AnnounceFrame,
    AnyAnswer,
    AnyQuestion,
    BatchFrame,
    BoundWord,
    CombatFrame,
    Defect,
    Frame,
    Next,
    PriorityFrame,
    PriorityQuestion,
    Question,
    ResolveFrame,
    RunFrame,
    StartFrame,
    State,
    Take,
    TurnFrame,
    asking,
    events,
    evolve,
    lookup,
    stepped,
)
from server.rules.turn import opening, priority, structure

Step = Callable[[State, Any], "Next | AnyQuestion | Generator[AnyQuestion, AnyAnswer, Next]"]

STEPS: dict[type[Frame], Step] = {
    StartFrame: opening.step,
    TurnFrame: structure.step,
    PriorityFrame: priority.step,
    AnnounceFrame: announce.step,
    ResolveFrame: resolve.step,
    RunFrame: resolve.run,
    BatchFrame: batch.batch_step,
    CombatFrame: steps.step,
}

#: So many steps without a question are a loop of mandatory actions that nobody can end (104.4b).
STEP_LIMIT = 100_000
PASSED = Take(0)


def advance(state: State, log: list[events.Event], stop: Callable[[State], bool] | None = None) -> State:
    """Runs steps until a question is open, the game has ended, or `stop` (asked before each step) says so. Raises Defect if
    the agenda is broken."""
    for _ in range(STEP_LIMIT):
        if state.result is not None:
            return state
        if stop is not None and stop(state):
            return state
        agenda = state.agenda
        frame = agenda[-1]
        out = STEPS[type(frame)](state, frame)
        if isinstance(out, Next):
            state = _apply(state, agenda, frame, out, log)
            continue
        if isinstance(out, Question):
            return _ask(state, out)
        asked = _feed(out, frame.answers)
        if isinstance(asked, Next):
            state = _apply(state, agenda, frame, asked, log)
            continue
        return _ask(state, asked)
    state = leave.draw(state, log)
    return state if state.result is not None else advance(state, log, stop)  # 715.5: only a subgame was a draw


def _feed(out: Generator[AnyQuestion, AnyAnswer, Next], answers: tuple[AnyAnswer, ...]) -> Next | AnyQuestion:
    try:
        asked = next(out)
        for answer in answers:
            asked = out.send(answer)
    except StopIteration as stop:
        done: Next = stop.value
        return done
    out.close()
    return asked


def answers_of(state: State) -> tuple[tuple[AnyQuestion, AnyAnswer], ...]:
    """The answers to the step under way so far, each with the question that it answers."""
    if not state.agenda or not state.agenda[-1].answers:
        return ()
    frame = state.agenda[-1]
    out = STEPS[type(frame)](state, frame)
    assert isinstance(out, Generator)
    pairs: list[tuple[AnyQuestion, AnyAnswer]] = []
    asked = next(out)
    for answer in frame.answers:
        pairs.append((_addressed(state, asked), answer))
        asked = out.send(answer)
    out.close()
    return tuple(pairs)


def ask_to_pass(state: State) -> State:
    """The state whose next step is to ask somebody for priority, with that question, whose list has passing alone."""
    frame = state.agenda[-1]
    assert isinstance(frame, PriorityFrame)
    return _ask(state, PriorityQuestion(frame.holder, "priority", actions=(Action("pass"),)))


def _ask(state: State, question: AnyQuestion) -> State:
    """The state with a question open; one that is numbered is addressed already."""
    return asking(state, question if question.number else _addressed(state, question, state.questions + 1))


def _addressed(state: State, question: AnyQuestion, number: int = 0) -> AnyQuestion:
    """To who decides for the player whose choice it is (712.5)."""
    whose = question.whose
    return replace(question, seat=lookup.decider(state, whose), for_seat=whose, number=number)


#: Frames that hand nothing on and bind nothing, as most do that are left after a step.
_PLAIN = (PriorityFrame, TurnFrame)


def _apply(state: State, agenda: tuple[Frame, ...], frame: Frame, out: Next, log: list[events.Event]) -> State:
    if out.state is not None:
        return out.state
    log.extend(out.told)
    fields = out.fields
    then = out.then
    if isinstance(then, _PLAIN) and not then.answers:
        after = (*agenda[:-1], then, *out.push)
        state = stepped(state, after) if fields is None else evolve(state, agenda=after, **fields)
        return _happened(state, frame, out.batch, log) if out.batch else state
    if then is not None and then.answers:
        then = replace(then, answers=())
    base = resolve.handed_on(agenda[:-1], frame) if then is None else (*agenda[:-1], then)
    if isinstance(frame, BatchFrame):
        # The batch has been replaced and expanded: it happens now, and what follows from it runs next.
        assert fields is not None
        before = len(log)
        state = evolve(state, agenda=(*base, *out.push))
        state = batch.finish(state, list(fields["batch"]), log)
        if out.push and base:  # what replaces a part of the batch comes before its instruction goes on
            below = resolve.with_results(state, base[-1])
            state = evolve(state, agenda=(*base[:-1], below, *state.agenda[len(base) :]))
        return leave.after(state, log, before)
    state = stepped(state, (*base, *out.push)) if fields is None else evolve(state, agenda=(*base, *out.push), **fields)
    if isinstance(then, RunFrame) and then.step == 1 and not out.batch and state.results:
        state = evolve(state, results=())  # an instruction that came to nothing, not to what happened before it
    return _happened(state, frame, out.batch, log) if out.batch else state


def _happened(state: State, frame: Frame, proposed: tuple[events.Event, ...], log: list[events.Event]) -> State:
    """The state after the batch that a step proposed: or before it, if it has to be asked about first."""
    before = len(log)
    applied = _applied(frame)
    done = batch.happen(state, proposed, log, applied)
    if done is None:
        return evolve(state, agenda=(*state.agenda, BatchFrame(events=proposed, applied=applied)))
    return leave.after(done, log, before)


def _applied(frame: Frame) -> tuple[str, ...]:
    """The effects that made the program which proposes a batch (614.5)."""
    if not isinstance(frame, RunFrame):
        return ()
    keys = frame.scope.word(BoundWord.APPLIED)
    return tuple(keys.split()) if keys else ()


def answer(
    state: State, given: AnyAnswer, log: list[events.Event], stop: Callable[[State], bool] | None = None
) -> State:
    """The state after a legal answer to the pending question, run on to the next question or to where `stop` says so."""
    if state.pending is None or not state.agenda:
        raise Defect("nothing was asked")
    return _answered(state, given, log, stop)


def let_go(state: State, log: list[events.Event], stop: Callable[[State], bool]) -> State:
    """The state after a pass of who would be asked for priority next and is not, as after one who was."""
    return _answered(evolve(state, questions=state.questions + 1), PASSED, log, stop)


def _answered(state: State, given: AnyAnswer, log: list[events.Event], stop: Callable[[State], bool] | None) -> State:
    agenda = priority.handed_on(state, state.agenda, given)
    if agenda is None:
        *below, top = state.agenda
        agenda = (*below, replace(top, answers=(*top.answers, given)))
    return advance(stepped(state, agenda), log, stop)
