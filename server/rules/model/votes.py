"""What happens as players vote (current 701.38), or say in turn order what they will do (101.4), beside the other `events`."""

from __future__ import annotations

from server.rules.model.events import Event
from server.rules.model.questions import Ref


class Votes(Event, tag="votes"):
    """`subject` (a player) votes for `object`, or for the word `value` (current 701.38a)."""

    value: str = ""


class Decides(Event, tag="decides"):
    """`subject` (a player) says, before any of them does it, whether they do what each of several may do: `yes`, and with which
    `objects` that all see (101.4)."""

    yes: bool = False
    objects: tuple[Ref, ...] = ()


class Voted(Event, tag="voted"):
    """All have voted, `subject` first; `ballots` are who voted for each choice that got a vote."""

    ballots: tuple[tuple[Ref, ...], ...] = ()
