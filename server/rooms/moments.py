"""To which moments of this turn and the last a game may be brought back: before what people did, as all saw it."""

from __future__ import annotations

import msgspec

from protocol import by_hand
from protocol.questions import Text
from server.knowledge.hidden import asked_in_secret
from server.knowledge.questions import QuestionIds
from server.knowledge.views import step_word
from server.rooms.replay import Turned
from server.rules.model import State
from server.storage import Answered, TakenBack

KEPT = 200
"""Moments that are remembered; after a restart only those since the last snapshot are."""
TOLD = 100
PUBLIC = frozenset(("battlefield", "stack", "graveyard", "exile", "command"))


class Moment(msgspec.Struct, frozen=True):
    """Before `seat` answered a question, known by its number: where the game was, and what asked."""

    seat: int
    question: int
    turn: int
    active: int
    step: str
    kind: str
    purpose: str = ""
    source: str = ""

    def words(self, state: State) -> Text:
        """Where the game goes back to, for all to read before they agree."""
        args = {"number": self.turn, "step": f"step.{self.step}", "player": state.players[self.seat].name}
        return Text("amend.back", dict(args))


class Moments:
    """Folded from the turns of the game: what people did. What they passed stands nowhere, or one would see who was asked."""

    def __init__(self) -> None:
        self._kept: list[Moment] = []

    def note(self, turned: Turned) -> None:
        """After a turn."""
        entry, before = turned.entry, turned.before
        if isinstance(entry, TakenBack):
            self._kept = [moment for moment in self._kept if moment.question < entry.question]
        elif isinstance(entry, Answered) and entry.by == "seat" and not turned.passes and not asked_in_secret(before):
            self._kept.append(_moment(before, entry))
            del self._kept[:-KEPT]

    def told(self, state: State, ids: QuestionIds) -> list[by_hand.Moment]:
        """Those of this turn and the last, the latest first."""
        return [
            by_hand.Moment(
                question=ids.write(moment.question),
                seat=moment.seat,
                turn=moment.turn,
                active=moment.active,
                step=moment.step,
                kind=moment.kind,
                purpose=moment.purpose,
                source=moment.source,
            )
            for moment in [one for one in reversed(self._kept) if _is_late(one, state)][:TOLD]
        ]

    def find(self, state: State, number: int | None) -> Moment | None:
        """The moment of that question, None if the game cannot go back there."""
        return next((one for one in self._kept if one.question == number and _is_late(one, state)), None)


def _is_late(moment: Moment, state: State) -> bool:
    return moment.turn >= state.turn.number - 1


def _moment(before: State, entry: Answered) -> Moment:
    pending, turn = before.pending, before.turn
    assert pending is not None
    asks = before.objects.get(pending.source)
    seen = asks is not None and asks.zone in PUBLIC and not asks.face_down
    return Moment(
        seat=entry.seat,
        question=entry.question,
        turn=turn.number,
        active=turn.active,
        step=step_word(turn.step),
        kind=str(pending.__struct_config__.tag),
        purpose=pending.purpose if seen else "",
        source=asks.definition.name if asks is not None and seen else "",
    )
