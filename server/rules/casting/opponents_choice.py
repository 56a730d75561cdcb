"""An opponent chooses as something is announced: a target (601.2c) or a mode (601.2b). Its controller says which opponent.

The opponent is one within the controller's range of influence; if none is, the closest one to the left (801.5c). A target is within
the range of both (801.5a); what a mode speaks of need not be (801.5b).
"""

from __future__ import annotations

from collections.abc import Generator

from msgspec.structs import replace

from server.cards.nouns import Noun
from server.rules.functioning import target_part, who_may_choose
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundRefs,
    Entry,
    Scope,
    State,
    ask,
    lookup,
    player_ref,
    seat_of,
)


def with_chooser(
    state: State, entry: Entry, scope: Scope, noun: Noun | None = None
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, Entry]]:
    """The seat of the opponent who chooses (the controller's if there is none), and what is announced with that opponent as "that
    player". `noun` is the target to be chosen; None: a mode is."""
    who = who_may_choose(state, scope, noun)
    picked = yield from ask.choose_refs(scope.controller, who, 1, 1, "player", scope.source)
    if not picked:
        return scope.controller, entry
    told = tuple(pair for pair in entry.bindings if pair[0] != BoundRefs.PLAYER)
    return seat_of(picked[0]), replace(entry, bindings=(*told, (BoundRefs.PLAYER, picked)))


def who_aims(state: State, scope: Scope, noun: Noun) -> Generator[AnyQuestion, AnyAnswer, int]:
    """Who chooses a target: "that player", of whom the event spoke, if it is of that player's choice, else the controller. For one
    who has left the controller chooses another player, another opponent if that was one and there is one (800.4e)."""
    target, spoken_of = target_part(noun.reading), scope.refs(BoundRefs.PLAYER)
    if target is None or not target.by_player or not spoken_of:
        return scope.controller
    seat, mine = seat_of(spoken_of[0]), scope.controller
    if lookup.present(state, seat):
        return seat
    others = () if lookup.same_team(state, seat, mine) else lookup.opponents(state, mine)
    who = tuple(player_ref(other) for other in others or lookup.turn_order(state, mine))
    return seat_of((yield from ask.choose_refs(mine, who, 1, 1, "player", scope.source))[0])


def is_by_opponent(noun: Noun) -> bool:
    """Whether a target is of an opponent's choice."""
    target = target_part(noun.reading)
    return target is not None and target.by_opponent
