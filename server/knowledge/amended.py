"""What a table has changed by hand, as lines of the log and as what is proposed."""

from __future__ import annotations

from protocol.questions import Arg
from protocol.view import Event
from server.knowledge.events import Line, Scene
from server.knowledge.views import step_word
from server.rules.model import player_ref
from server.rules.turn import (
    AnyAmendment,
    Correction,
    MakeTokens,
    MoveTo,
    Remove,
    Reworded,
    SetCounters,
    SetDamage,
    SetLife,
    SetTapped,
    SetTurn,
    Skipped,
)


def amendment(s: Scene, seat: int, change: AnyAmendment) -> list[Line]:
    """What the table has changed by hand, a line for each change; told of the state before it."""
    told = amended(s, change)
    return [Line(Event(kind="amended", key=key, args={**s.who(player_ref(seat)), **args})) for key, args in told]


def amended(s: Scene, change: AnyAmendment) -> list[tuple[str, dict[str, Arg]]]:
    """Each change as the key of a sentence, and what fills its places."""
    if isinstance(change, Reworded):
        return [("amend.reworded", {"card": change.card.name, "text": change.text, "line": change.line})]
    if isinstance(change, Skipped):
        return [("amend.skip", {})]
    return [_amended(s, one) for one in change.changes]


def _amended(s: Scene, one: Correction) -> tuple[str, dict[str, Arg]]:
    match one:
        case SetLife():
            return "amend.life", {"of": s.player(player_ref(one.seat)), "number": one.to}
        case SetCounters():
            of = s.player(one.ref) if one.ref < 0 else s.name(one.ref)
            return "amend.counters", {"of": of, "counter": one.counter, "number": one.to}
        case SetDamage():
            return "amend.damage", {"of": s.name(one.object), "number": one.to}
        case SetTapped():
            return ("amend.tapped" if one.to else "amend.untapped"), {"of": s.name(one.object)}
        case MoveTo():
            return f"amend.to_{one.to}", {"of": s.name(one.object)}
        case MakeTokens():
            name = one.card.name if one.card is not None else s.name(one.object)
            player = s.player(player_ref(one.seat))
            return "amend.token", {"player": player, "number": one.count, "name": name}
        case Remove():
            return "amend.gone", {"of": s.name(one.object)}
        case SetTurn():
            turn = s.before.turn
            player = s.player(player_ref(one.seat if one.seat >= 0 else turn.active))
            return "amend.turn", {"player": player, "step": f"step.{step_word(one.step or turn.step)}"}
