"""What happens as players vote (current 701.38), beside the other `events`."""

from __future__ import annotations

from server.rules.model.events import Event
from server.rules.model.questions import Ref


class Votes(Event, tag="votes"):
    """`subject` (a player) votes for `object`, or for the word `value` (current 701.38a)."""

    value: str = ""


class Voted(Event, tag="voted"):
    """All have voted, `subject` first; `ballots` are who voted for each choice that got a vote."""

    ballots: tuple[tuple[Ref, ...], ...] = ()
