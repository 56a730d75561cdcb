"""What is done for each of several things, and for all of them at once."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.characteristics import select
from server.rules.model import BoundNumber, BoundRefs, Ref, RunFrame, State, walk


def copies_together(verb: forms.ForEach, refs: tuple[Ref, ...]) -> forms.CreateToken | None:
    """The one instruction that creates a copy of each of these objects, where that is all that is done for each: the tokens are created
    in one event (110.5), which what looks at tokens sees together. None where it is not.
    """
    if len(verb.then) != 1 or verb.of is None or not refs or min(refs) < 0:
        return None
    made = verb.then[0]
    if (
        not isinstance(made, forms.CreateToken)
        or made.copy_of is None
        or not isinstance(made.copy_of.reading, nouns.It)
    ):
        return None
    speaks = any(isinstance(part, Noun) for part in walk(made.excepting))
    for_itself = speaks or made.attacking or made.whom or made.blocking or made.attached_to or made.also
    if for_itself or made.count != 1 or not isinstance(made.who.reading, nouns.You):
        return None
    return replace(made, copy_of=verb.of)


def of_each(state: State, frame: RunFrame) -> tuple[RunFrame, ...]:
    """The frames of an instruction of several players that says "that many" after one of the same players ("each player discards their
    hand, then draws that many cards"): for each it is as many as that player's. None of any other."""
    verb, before = frame.program[frame.place], frame.program[frame.place - 1] if frame.place else None
    who, scope = getattr(verb, "who", None), frame.scope
    if not isinstance(who, Noun) or getattr(before, "who", None) != who or isinstance(who.reading, nouns.You):
        return ()
    counts = [getattr(verb, name, None) for name in ("count", "amount")]
    players = select(state, who, scope)
    if len(players) < 2 or not any(isinstance(p, nouns.ThatMuch) and not p.name for c in counts for p in walk(c)):
        return ()
    told, own = scope.refs(BoundRefs.OF_EACH) or (), (replace(verb, who=Noun("that player")),)
    scopes = ((scope.bind(BoundRefs.PLAYER, (ref,)), told.count(ref)) for ref in players)
    return tuple(RunFrame(program=own, scope=one.bind(BoundNumber.AMOUNT, n), tells="each") for one, n in scopes)
