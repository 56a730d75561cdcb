"""A moment of the game as scenarios speak of it, and who and what is meant there by a name."""

from __future__ import annotations

from typing import NamedTuple

from server.rules.model import Object, State, events
from server.scenario.errors import BadScenario
from server.scenario.names import is_called


class Seen(NamedTuple):
    """A moment of the game as checks see it; `names` are of objects that may be gone, `log` what happened so far."""

    state: State
    log: list[events.Event]
    aliases: dict[str, int]
    names: dict[int, str]


def seat_named(state: State, name: str) -> int:
    """The seat of a player's name. Raises BadScenario if nobody has it."""
    for player in state.players:
        if player.name == name:
            return player.seat
    raise BadScenario(f"nobody is called {name!r}")


def named(seen: Seen, name: str | None, player: str | None, zone: str = "battlefield") -> list[Object]:
    """The objects of a zone with that name (or alias) that the player controls (elsewhere: owns), in order of arrival."""
    state = seen.state
    seat = seat_named(state, player) if player is not None else None
    if zone == "battlefield":
        ids: tuple[int, ...] = state.battlefield
    elif zone in ("exile", "command"):
        ids = getattr(state, zone)
    else:
        ids = tuple(oid for p in state.players for oid in getattr(p, zone))
    found = [state.objects[oid] for oid in sorted(ids)]
    if zone == "battlefield":
        found = [o for o in found if not o.phased_out]
    if seat is not None:
        found = [o for o in found if (o.controller if zone == "battlefield" else o.owner) == seat]
    if name is None:
        return found
    if name.startswith("@"):
        return [o for o in found if o.id == seen.aliases.get(name[1:])]
    return [o for o in found if is_called(state, o, name)]
