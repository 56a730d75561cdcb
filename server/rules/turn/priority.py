"""Priority (116): state-based actions and waiting triggers first, then the player is asked (704.3)."""

from __future__ import annotations

from collections.abc import Callable, Generator

from msgspec.structs import replace

from server.rules.casting import actions, announcing, play_land
from server.rules.characteristics import board
from server.rules.happenings import triggers
from server.rules.model import (
    Action,
    AnnounceFrame,
    AnyAnswer,
    AnyQuestion,
    Choice,
    Defect,
    Frame,
    Loop,
    Next,
    PriorityFrame,
    PriorityQuestion,
    ResolveFrame,
    State,
    Take,
    ask,
    events,
    lookup,
    of_board,
    player_ref,
    to_go_back_to,
)
from server.rules.turn import loops, state_based

#: So many resolutions in a row in which everybody only passed are a loop that nobody breaks (104.4b), whatever they are like.
LOOP_LIMIT = 2000

#: Under what is kept that nothing has to be done before somebody gets priority.
_NOTHING = "nothing before priority"

Out = Next | AnyQuestion | Generator[AnyQuestion, AnyAnswer, Next]


def step(state: State, frame: PriorityFrame) -> Out:
    """Someone would get priority: checks, then the question, then what was answered."""
    checked = before_priority(state, frame)
    if checked is not None:
        return checked
    holder = frame.holder
    if not lookup.present(state, holder):
        order = lookup.turn_order(state, holder)  # 800.4g: the next player in turn order gets it
        return Next(PriorityFrame(holder=order[0], passed=frame.passed))
    if not frame.answers:
        asked, number = lookup.decider(state, holder), state.questions + 1
        return PriorityQuestion(asked, "priority", number=number, for_seat=holder, actions=actions(state, holder))
    taken = frame.answers[0]
    if not isinstance(taken, Take):
        raise Defect(f"{taken!r} does not answer priority")
    if taken.index == 0:
        return _pass(state, frame)
    return _take(state, frame, taken)


def lets_go(passes: Callable[[State, int], bool]) -> Callable[[State], bool]:
    """Whether the next step of a state would be to ask somebody for priority who `passes`."""

    def stop(state: State) -> bool:
        frame = state.agenda[-1]
        if type(frame) is not PriorityFrame or frame.answers or before_priority(state, frame) is not None:
            return False
        return lookup.present(state, frame.holder) and passes(state, frame.holder)

    return stop


def handed_on(state: State, agenda: tuple[Frame, ...], given: AnyAnswer) -> tuple[Frame, ...] | None:
    """What is left to do after a pass: the next player has priority (116.3d), or after all players' the step ends where the stack is
    empty (116.4). None if this was no pass, or if something resolves."""
    frame = agenda[-1]
    if type(frame) is not PriorityFrame or type(given) is not Take or given.index or frame.answers:
        return None
    if not lookup.present(state, frame.holder):
        return None
    following = _following(state, frame)
    if following is not None:
        return (*agenda[:-1], following)
    return None if state.stack or state.passes else agenda[:-1]


def _following(state: State, frame: PriorityFrame) -> PriorityFrame | None:
    """Who gets priority after a pass of its holder, who is in the game: None after the last of all players."""
    passed = frame.passed + 1
    left = [p.seat for p in state.players if not p.lost]
    if passed >= len(left):
        return None
    if state.options.shared:
        began = frame.holder if frame.began < 0 else frame.began
        return PriorityFrame(holder=_by_teams(state, began)[passed], passed=passed, began=began)
    following = left[(left.index(frame.holder) + 1) % len(left)]
    return PriorityFrame(holder=following, passed=passed)


def before_priority(state: State, frame: Frame) -> Out | None:
    """What must be done before anybody gets priority (704.3, 603.3): None when there is nothing left."""
    if frame.answers and isinstance(frame.answers[0], Take):
        return None
    if not state.waiting and (state.memo.get(_NOTHING) or of_board(state).get(_NOTHING)):
        return None
    acts = state_based.check(state)
    if acts:
        return Next(frame, batch=acts)
    legends = state_based.legend_choice(state)
    if legends is not None:
        return _keep_one(frame, *legends)
    commander = state_based.commander_choice(state)
    if commander:
        return _commander_back(state, frame, commander)
    found = triggers.state_triggers(state)
    if found:
        return Next(frame, batch=(events.TriggeredAbilities(waiting=(*state.waiting, *found)),))
    waiting = triggers.next_waiting(state)
    if waiting is not None:
        return _put_on_stack(state, frame, *waiting)
    if state.waiting:
        # What is left belongs to players who have left the game (800.4d).
        return Next(frame, batch=(events.TriggeredAbilities(waiting=()),))
    lasts = state_based.is_calm(state) and "state" not in board(state).index.triggers
    (of_board(state) if lasts else state.memo)[_NOTHING] = True
    return None


def _keep_one(frame: Frame, seat: int, ids: tuple[int, ...]) -> Generator[AnyQuestion, AnyAnswer, Next]:
    kept = yield from ask.choose_refs(seat, ids, 1, 1, "legend rule")
    moves = tuple(events.Move(subject=i, to="graveyard", cause="legend rule") for i in ids if i != kept[0])
    return Next(frame, batch=moves)


def _commander_back(state: State, frame: Frame, oid: int) -> Generator[AnyQuestion, AnyAnswer, Next]:
    found = state.objects[oid]
    if (yield from ask.confirm(found.owner, "commander to the command zone", oid)):
        return Next(frame, batch=(events.Move(subject=oid, to="command", controller=found.owner, cause="commander"),))
    what, value = state_based.STAYS
    return Next(frame, batch=(events.Chosen(subject=oid, what=what, value=value),))


def _put_on_stack(
    state: State, frame: Frame, seat: int, mine: tuple[int, ...]
) -> Generator[AnyQuestion, AnyAnswer, Next]:
    """The player picks which of several triggered abilities goes on the stack next (603.3b). Nobody has passed on it yet."""
    picked = 0
    if isinstance(frame, PriorityFrame) and frame.passed:  # somebody has left between two passes
        frame = replace(frame, passed=0, began=-1)
    if len(mine) > 1:
        options = tuple(_describe(state, i) for i in mine)
        picks = yield from ask.choose(seat, options, 1, 1, "trigger order")
        picked = picks[0]
    index = mine[picked]
    trigger = state.waiting[index]
    announce = AnnounceFrame(seat=seat, object=trigger.source, ability=trigger.index, trigger=trigger)
    rest = events.TriggeredAbilities(waiting=triggers.without(state, index))
    return Next(frame, batch=(rest,), push=(announce,))


def _describe(state: State, index: int) -> Choice:
    trigger = state.waiting[index]
    text = getattr(trigger.ability, "text", "")
    return Choice(ref=trigger.source, word=triggers.source_name(state, trigger), text=text)


def _pass(state: State, frame: PriorityFrame) -> Next:
    following = _following(state, frame)
    if following is not None:
        return Next(following)
    if not state.stack:
        return Next(fields={"passes": 0})  # 116.4: the step or phase ends
    count = state.passes + 1
    loop = loops.watch(state, count)
    if count > LOOP_LIMIT or loops.is_endless(loop):
        return _drawn(state, loop)
    top = state.stack[-1]
    again = PriorityFrame(holder=_first(state))
    return Next(again, push=(ResolveFrame(object=top),), fields={"passes": count, "loop": loop})


def _drawn(state: State, loop: Loop | None) -> Next:
    """104.4b; with limited ranges of influence a draw for those who control what is in the loop, and who is in their range (801.18)."""
    if not state.options.limited or not state.edition.loops_in_range or loop is None:
        return Next(batch=(events.GameDrawn(cause="loop"),))
    drawn = tuple(events.GameDrawn(subject=player_ref(seat), cause="loop") for seat in loop.seats)
    return Next(PriorityFrame(holder=_first(state)), batch=drawn, fields={"passes": 0, "loop": None})


def _by_teams(state: State, began: int) -> tuple[int, ...]:
    """Who is asked, one after the other, where teams have priority (805.5): first the rest of the team of who began."""
    mine = lookup.together(state, began)
    at = mine.index(began)
    return (*mine[at:], *mine[:at], *(s for s in lookup.turn_order(state, began) if s not in mine))


def _first(state: State) -> int:
    """Who gets priority first: the active player, or the next one if that player has left (800.4g)."""
    order = lookup.turn_order(state)
    return order[0] if order else state.turn.active


def _play_land(state: State, frame: PriorityFrame, action: Action) -> Generator[AnyQuestion, AnyAnswer, Next]:
    """Playing a land uses no stack (305.1); whose permission is used may have to be asked."""
    yield PriorityQuestion(frame.holder, "priority", actions=actions(state, frame.holder))  # answered: by this action
    batch = yield from play_land(state, frame.holder, action)
    return Next(PriorityFrame(holder=frame.holder), batch=batch, fields={"passes": 0})


def _take(state: State, frame: PriorityFrame, taken: Take) -> Out:
    holder = frame.holder
    action = actions(state, holder)[taken.index]
    again = PriorityFrame(holder=holder)
    if action.type == "play_land":
        return _play_land(state, frame, action)
    if action.type == "call":
        called, fields = announcing(state, action)
        return Next(again, push=(called,), fields={**fields, "passes": 0})
    before = to_go_back_to(state, (*state.agenda[:-1], replace(frame, answers=())))
    announce = AnnounceFrame(
        seat=holder,
        object=action.object,
        ability=action.ability,
        way=action.way,
        manual=taken.manual,
        before=before,
        special=action.type == "special",
        side=action.side,
    )
    return Next(again, push=(announce,), fields={"passes": 0})
