"""Who voted for what, as abilities that trigger on the end of a vote speak of it (current 701.38)."""

from __future__ import annotations

from server.rules.model import Bindings, ballot, events, votes


def ballots(event: events.Event) -> Bindings:
    """Who voted for each choice, of a vote that is over (current 701.38)."""
    sides = event.ballots if isinstance(event, votes.Voted) else ()
    return tuple((ballot(number), voters) for number, voters in enumerate(sides))
