"""Taking an answer back: the state before it, in a game whose chance, ids and question numbers never go back.

So nobody learns what is to come, a question asked again has an id of its own, and a late answer to the old one is stale.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import compress
from operator import is_not

from msgspec.structs import replace

from server.knowledge.hidden import may_know, shown_by_question
from server.rules.model import Object, State, evolve


def taken_back(earlier: State, now: State) -> State:
    """The game at the open question of `earlier`, after it had come to `now`."""
    assert earlier.pending is not None
    number = now.questions + 1
    return evolve(
        earlier,
        chance=now.chance,
        next_id=now.next_id,
        questions=number,
        pending=replace(earlier.pending, number=number),
    )


def can_go_back(earlier: State, now: State) -> bool:
    """Whether the game may be brought back so far: nobody has left it since, and it is not over."""
    return now.result is None and all(a.lost == b.lost for a, b in zip(earlier.players, now.players, strict=True))


def reveals(before: State, after: State, seats: Collection[int]) -> Collection[int]:
    """For which of these seats anything hidden was seen between two states by anyone, but cards of the seat that it showed itself, or
    anything was left to chance.
    """
    if not seats:
        return ()
    if before.chance != after.chance:
        return seats
    if any(_is_news(after.objects[number], after) for number in shown_by_question(after)):
        return seats
    if before.objects is after.objects:
        return ()
    now = after.objects.get
    olds = before.objects.values()
    # Few of the hundreds are others by now, so they are looked for in C.
    changed = compress(olds, map(is_not, olds, map(now, before.objects)))
    seen = [
        old
        for old in changed
        if (new := now(old.id)) is None or new.known & ~old.known or new.face_down != old.face_down
    ]
    return {seat for seat in seats for old in seen if _is_hidden_from_someone(old, seat)}


def _is_news(thing: Object, state: State) -> bool:
    """Whether who is asked learns something by being shown that."""
    return thing.zone == "library" or state.pending is None or not may_know(thing, state.pending.seat)


def _is_hidden_from_someone(thing: Object, seat: int) -> bool:
    """Whether there is something to be learned of the object by others than the seat itself, or by the seat."""
    if thing.zone == "library":
        return True
    return not may_know(thing, seat)
