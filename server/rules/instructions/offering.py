"""What each of several players may do: they say in turn order whether they will, each knowing what was said before, and then all who
will do it do it at once (101.4)."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.casting import seats
from server.rules.characteristics import amount
from server.rules.costs import costs
from server.rules.instructions.paying import can_pay, having_paid, payment, says_x, verb_text, with_x
from server.rules.instructions.possible import possible
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundRefs,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    events,
    player_ref,
    seat_of,
    votes,
    walk,
)
from server.rules.verbs import VERBS, Asking, goes_on, through

#: Who said whether they will, what they chose openly, what they pay or do, and the X of what they pay.
Decision: TypeAlias = "tuple[Ref, bool, tuple[Ref, ...], tuple[events.Event, ...], int]"

THAT_PLAYER = nouns.It(what="player")
#: What several players do at once as one instruction, each choosing among their own.
_TOGETHER = (
    forms.CreateToken,
    forms.Damage,
    forms.Discard,
    forms.Draw,
    forms.GainLife,
    forms.LoseLife,
    forms.Mill,
    forms.Move,
    forms.Sacrifice,
    forms.Scry,
    forms.Search,
)
#: Zones of which nobody else sees what is chosen (101.4a).
_HIDDEN = ("hand", "library")
#: Words that mean of each player something else.
_PERSONAL = frozenset(("they", "them", "their", "his", "her", "he", "she"))


def offered(verb: forms.ForEach) -> forms.May | None:
    """What each of several players may do; None of any other loop, and of one that begins with you and is gone through in turns."""
    may = verb.then[0] if len(verb.then) == 1 else None
    if verb.of is None or verb.from_you or not isinstance(may, forms.May) or may.otherwise:
        return None
    plain = all(isinstance(part, forms.ManaCost | forms.LifeCost) for part in may.cost)  # of which all is seen
    return may if plain and may.who.reading == THAT_PLAYER else None


def offer(state: State, frame: RunFrame, verb: forms.ForEach, may: forms.May) -> Asking:
    """One player after the other decides, which is told; then what they do is done."""
    assert verb.of is not None
    made = cast("tuple[Decision, ...]", frame.memory)
    asked = [ref for ref, *_ in made]
    for ref in map(player_ref, seats(state, verb.of, frame.scope)):
        if ref in asked:
            continue
        scope = through(frame.scope.bind(BoundNumber.PAID, 0), ref).bind(BoundNumber.DID, 1)
        price = may.cost * amount(state, may.times, scope)
        if scope.number(BoundNumber.X) is not None:
            price = costs.with_told_x(state, price, scope)
        sooner = [event for *_, done, _ in made for event in done]
        before = having_paid(state, sooner)
        if not (can_pay(before, seat_of(ref), price, scope) if price else possible(state, may.then, scope)):
            continue
        decision = yield from _decision(before, may, ref, price, scope)
        told = votes.Decides(subject=ref, by=scope.source, yes=decision[1], objects=decision[2])
        return Next(replace(frame, memory=(*made, decision)), batch=(told,))
    return _done(frame, may, [one for one in made if one[1]])


def _decision(
    state: State, may: forms.May, ref: Ref, price: forms.Costs, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, Decision]:
    """What one player says: whether to do it, and what is chosen for it of what all see."""
    seat, x = seat_of(ref), 0
    purpose = "pay" if may.cost else "may"
    if not (yield from ask.confirm(seat, purpose, scope.source, text=verb_text(may))):
        return ref, False, (), (), 0
    if says_x(price):
        price, x = yield from with_x(state, seat, price, scope)
    if price:
        return ref, True, (), (yield from payment(state, seat, price, scope)), x
    verb = _openly_chosen(may)
    if verb is None:
        return ref, True, (), (), 0
    out = VERBS[type(verb)](state, RunFrame(program=may.then, scope=scope), verb)
    does = out if isinstance(out, Next) else (yield from out)
    told = cast("dict[str, tuple[Ref, ...]]", dict(cast(RunFrame, does.then).memory))
    return ref, True, told.get(BoundRefs.IT, ()), does.batch, 0


def _done(frame: RunFrame, may: forms.May, made: list[Decision]) -> Next:
    """What those who will do it do, all at once; where that is not one instruction for all of them, they do it in turn order."""
    scope = frame.scope
    who = tuple(ref for ref, *_ in made)
    batch = tuple(event for *_, done, _ in made for event in done)
    chosen = tuple(one for _, _, picked, *_ in made for one in picked)
    before = scope.bind(BoundRefs.GATHERED, ()).bind(BoundNumber.PAID, sum(x for *_, x in made))
    openly = _openly_chosen(may) is not None
    if openly or not may.then or not says_x(may.cost) and _is_for_all(may.then):
        spoken = scope.bind(BoundRefs.PLAYER, who).bind(BoundRefs.LOOP, scope.refs(BoundRefs.IT) or ())
        then = RunFrame(program=may.then, scope=spoken, tells="together")
        if openly:  # it has been chosen: the instruction goes on when it has happened
            then = replace(then, step=1, memory=((BoundRefs.IT, chosen),))
        does = (then,) if made and may.then and (batch or not openly) else ()
        return Next(goes_on(frame, before.bind(BoundNumber.ANY_DID, len(made))).then, batch=batch, push=does)
    turns: list[RunFrame] = []
    for ref, _, _, _, x in made:
        turn = through(scope.bind(BoundNumber.PAID, 0), ref).bind(BoundNumber.DID, 1)
        turn = turn.bind(BoundNumber.X, x) if says_x(may.cost) else turn
        turn = turn.bind(BoundRefs.LOOP, turn.refs(BoundRefs.IT) or ())
        turns.append(RunFrame(program=may.then, scope=turn, tells="each"))
    after = goes_on(frame, before.bind(BoundNumber.ANY_DID, 0), push=tuple(turns)[::-1])
    return Next(after.then, batch=batch, push=after.push)


def _openly_chosen(may: forms.May) -> forms.Sacrifice | forms.Move | None:
    """The one instruction for which each chooses of what all see, which belongs to the decision (101.4)."""
    verb = may.then[0] if len(may.then) == 1 and not may.cost else None
    if not isinstance(verb, forms.Sacrifice | forms.Move) or verb.who is None or verb.who.reading != THAT_PLAYER:
        return None
    kind = nouns.kind_of(verb.what.reading)
    seen = kind is not None and not kind.anywhere and kind.zone not in _HIDDEN
    return verb if seen and _is_plain(verb) else None


def _is_plain(verb: forms.VerbForm) -> bool:
    """Whether an instruction is over with one batch."""
    return not (isinstance(verb, forms.Move) and (verb.until or verb.attacking))


def _is_for_all(program: forms.Tree) -> bool:
    """Whether each of these instructions can be followed by several players as one, who are "that player" of it."""
    return all(isinstance(verb, _TOGETHER) and _is_plain(verb) and _of_them_alone(verb) for verb in program)


def _of_them_alone(verb: forms.VerbForm) -> bool:
    """Whether an instruction speaks of the players as who does it, or whom it is done to, and of nothing else of theirs but where each
    chooses among their own."""
    whom = verb.to if isinstance(verb, forms.Damage) else getattr(verb, "who", None)
    if not isinstance(whom, Noun) or whom.reading != THAT_PLAYER:
        return False
    own = isinstance(verb, forms.Move | forms.Sacrifice | forms.Discard)
    kinds = [verb.what] if own else []
    of_each = isinstance(verb, forms.Draw)  # who draw by their own numbers do so by turns
    others = (part for part in walk(verb) if isinstance(part, Noun) and part not in (whom, *kinds))
    return of_each or not any(_is_personal(part) for part in others)


def _is_personal(noun: Noun) -> bool:
    return bool(_PERSONAL & set(noun.text.split())) or any(part == THAT_PLAYER for part in walk(noun.reading))
