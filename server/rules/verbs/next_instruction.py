"""How handlers of verbs go on: with a batch, with the next instruction, and told of what a part of them came to."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from msgspec.structs import replace

from server.cards.forms import Tree
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundRefs,
    Frame,
    Next,
    Ref,
    RunFrame,
    Scope,
    events,
    instead_of,
)

#: A handler that asks, and says at last how the game goes on.
Asking = Generator[AnyQuestion, AnyAnswer, Next]
Picking = Generator[AnyQuestion, AnyAnswer, "tuple[Ref, ...]"]


def after(
    frame: RunFrame,
    batch: Sequence[events.Event],
    it: tuple[Ref, ...] | None = None,
    player: tuple[Ref, ...] | None = None,
    push: tuple[Frame, ...] = (),
) -> Next:
    """Does the batch, then goes on with the next instruction, "it" being what this one was about."""
    memory: list[tuple[BoundRefs, tuple[Ref, ...]]] = []
    if it is not None:
        objects = tuple(r for r in it if r > 0)
        people = tuple(r for r in it if r < 0)
        if objects or not people:
            memory.append((BoundRefs.IT, objects))
        else:
            memory.append((BoundRefs.IT, people))
        if people:
            memory.append((BoundRefs.PLAYER, people))
    if player:
        memory.append((BoundRefs.PLAYER, player))
    return Next(replace(frame, step=1, memory=tuple(memory)), batch=tuple(batch), push=push)


def goes_on(frame: RunFrame, scope: Scope | None = None, push: tuple[Frame, ...] = ()) -> Next:
    """Goes on with the next instruction at once, or after what is pushed."""
    then = replace(frame, place=frame.place + 1, step=0, memory=(), scope=scope if scope is not None else frame.scope)
    return Next(then, push=push)


def told(frame: RunFrame, below: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The frames below one that is through, which know what it spoke of ("You may sacrifice it. If you do, ... It ...")."""
    at = len(below) - 1
    while frame.tells == "each" and at >= 0 and _is_turn(below[at], frame.program):
        at -= 1
    whole = below[at] if at >= 0 else None
    if not frame.tells or not isinstance(whole, RunFrame):
        return below
    scope = whole.scope
    if frame.tells in ("all", "outcome"):
        own = frame.scope.bindings if frame.tells == "outcome" else scope.bindings
        kept = tuple(pair for pair in own if pair[0] == BoundNumber.DID)
        more = tuple(pair for pair in frame.scope.bindings if pair[0] != BoundNumber.DID)
        scope = Scope(scope.source, scope.controller, scope.entry, (*more, *kept))
    else:
        if frame.tells == "each" and frame.scope.number(BoundNumber.DID):
            scope = scope.bind(BoundNumber.ANY_DID, (scope.number(BoundNumber.ANY_DID) or 0) + 1)
        if paid := frame.scope.number(BoundNumber.PAID):
            scope = scope.bind(BoundNumber.PAID, (scope.number(BoundNumber.PAID) or 0) + paid)
        made = frame.scope.refs(BoundRefs.IT) or ()
        if made and made != frame.scope.refs(BoundRefs.LOOP):
            gathered = (*(scope.refs(BoundRefs.GATHERED) or ()), *made)
            scope = scope.bind(BoundRefs.GATHERED, gathered).bind(BoundRefs.IT, gathered)
    return (*below[:at], replace(whole, scope=scope), *below[at + 1 :])


def _is_turn(frame: Frame, program: Tree) -> bool:
    return isinstance(frame, RunFrame) and frame.tells == "each" and frame.program is program


def done_instead(scope: Scope, word: str) -> tuple[tuple[Ref, ...], Scope]:
    """What was done this way by what replaced part of the instruction, and the scope that has forgotten it."""
    found = scope.refs(instead_of(word)) or ()
    if not found:
        return (), scope
    return found, scope.without(instead_of(word))


def through(scope: Scope, ref: Ref) -> Scope:
    """The scope in which "that player" is this one."""
    return scope.bind(BoundRefs.PLAYER, (ref,)) if ref < 0 else scope.bind(BoundRefs.IT, (ref,))
