"""What a table is asked to change by hand, as the rules take it, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never, get_args

from msgspec import UNSET

from protocol.by_hand import (
    BackChange,
    Change,
    CountersChange,
    DamageChange,
    GoneChange,
    LifeChange,
    MoveChange,
    Reword,
    TappedChange,
    TokenChange,
    TurnChange,
)
from protocol.questions import Text
from protocol.refusals import Code, Refusal
from server.cards.loading import paragraphs_by_hand
from server.knowledge.amended import amended
from server.knowledge.events import Scene
from server.knowledge.views import step_word
from server.oracle.acts import ActFault, read_token
from server.oracle.rewording import reworded
from server.rooms.history import History
from server.rooms.moments import Moment
from server.rules.model import Definition, State, Step, player_ref
from server.rules.turn import amending

STEPS: dict[str, Step] = {step_word(step): step for step in get_args(Step)}
"""The steps by the protocol's words."""


def corrected_of(state: State, seat: int, changes: Sequence[Change]) -> amending.Corrected:
    """A correction. Raises `Refusal`: no_such_object; Illegal."""
    change = amending.Corrected(tuple(_change(state, one) for one in changes))
    amending.check_amendment(state, seat, change)
    return change


def moment_of(state: State, history: History, changes: Sequence[Change]) -> Moment:
    """The moment to which a correction goes back. Raises `Refusal`: invalid, no_moment."""
    match changes:
        case (BackChange(question=question),):
            found = history.moments.find(state, history.ids.read(question))
            if found is None:
                raise Refusal(Code.NO_MOMENT)
            return found
        case _:
            raise Refusal(Code.INVALID, "Nothing else is changed where the game goes back.", path="changes")


def reworded_of(state: State, seat: int, message: Reword) -> tuple[amending.Reworded, str]:
    """A rewording, and how it is understood. Raises `Refusal`: no_such_object, not_an_act."""
    found = state.objects.get(_object(message.object))
    if found is None or not amending.may_name(state, seat, found.id):
        raise Refusal(Code.NO_SUCH_OBJECT)
    definition = found.printed or found.definition
    whole: Definition = definition.whole or definition
    texts = paragraphs_by_hand(whole.card)
    text = message.text or (texts[0] if len(texts) == 1 else "")
    if text not in texts:
        raise Refusal(
            Code.NOT_AN_ACT, "Say which paragraph: " + " / ".join(texts) if texts else "Nothing of it is by hand."
        )
    try:
        card, understood = reworded(whole.card, text, message.line)
    except ActFault as fault:
        raise Refusal(Code.NOT_AN_ACT, fault.why, path="line") from None
    return amending.Reworded(was=whole.key, card=card, text=text, line=message.line.strip()), understood


def _change(state: State, one: Change) -> amending.Correction:
    match one:
        case LifeChange():
            return amending.SetLife(seat=_seat(state, one.seat), to=one.to)
        case CountersChange():
            if (one.seat is UNSET) == (one.object == ""):
                raise Refusal(Code.INVALID, "Counters are on an object or on a player.", path="changes")
            ref = _object(one.object) if one.seat is UNSET else player_ref(_seat(state, one.seat))
            return amending.SetCounters(ref=ref, counter=one.counter, to=one.to)
        case DamageChange():
            return amending.SetDamage(object=_object(one.object), to=one.to)
        case TappedChange():
            return amending.SetTapped(object=_object(one.object), to=one.to)
        case MoveChange():
            return amending.MoveTo(object=_object(one.object), to=one.to, bottom=one.bottom)
        case TokenChange():
            return _tokens(state, one)
        case GoneChange():
            return amending.Remove(object=_object(one.object))
        case TurnChange():
            seat = -1 if one.seat is UNSET else _seat(state, one.seat)
            return amending.SetTurn(seat=seat, step="" if one.step is UNSET else STEPS[one.step])
        case BackChange():
            raise Refusal(Code.INVALID, "Nothing else is changed where the game goes back.", path="changes")
        case _:
            assert_never(one)


def _tokens(state: State, one: TokenChange) -> amending.MakeTokens:
    if (one.line == "") == (one.object == ""):
        raise Refusal(Code.INVALID, "Tokens are as a line says, or copies of an object.", path="changes")
    seat = _seat(state, one.seat)
    if one.object:
        return amending.MakeTokens(seat=seat, count=one.count, object=_object(one.object))
    try:
        return amending.MakeTokens(seat=seat, count=one.count, card=read_token(one.line))
    except ActFault as fault:
        raise Refusal(Code.NOT_AN_ACT, fault.why, path="changes") from None


def _seat(state: State, seat: int) -> int:
    if seat >= len(state.players):
        raise Refusal(Code.NO_SUCH_SEAT)
    return seat


def _object(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise Refusal(Code.NO_SUCH_OBJECT)
    return int(text)


def told(state: State, change: amending.AnyAmendment, understood: str = "") -> tuple[Text, ...]:
    """What would be so, for all to read before they agree."""
    if isinstance(change, amending.Reworded):
        words = {"card": change.card.name, "text": change.text, "line": change.line, "read": understood}
        return (Text("amend.reword", dict(words)),)
    return tuple(Text(key, args) for key, args in amended(Scene(state, state), change))
