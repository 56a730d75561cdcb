"""Making the next state out of this one.

`evolve` is a `msgspec.structs.replace` that knows what the memo depends on: a change of the agenda or of the open question
keeps it, any other change begins a new one.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from msgspec.structs import replace

from server.rules.model.questions import AnyQuestion, PriorityQuestion
from server.rules.model.state import Combat, Frame, Object, State

#: Fields on which nothing in the memo depends: what is kept of what just happened says no more than what it still is.
_QUIET = frozenset(
    ("agenda", "pending", "questions", "waiting", "results", "passes", "loop", "chance", "result", "next_id", "delayed")
) | {"known_then"}
#: Fields on which what continuous effects make of the objects does not depend if it is `lasting`.
_PASSING = _QUIET | {"turn", "combat", "history", "hurt", "last", "clock"}
#: What the memo holds about objects and zones alone, in a dict of its own ("elsewhere", "own control", "phased").
_OF_ZONES = "of zones"
#: What it holds about them and what effects make of them, in another: abilities in force of each kind, mana abilities that only have to
#: be untapped, actions that do not depend on the time, that no state-based action is due, that nothing looks at steps.
_OF_BOARD = "of board"
#: What it holds under what it was made of, in a third that goes on from state to state: whoever looks there compares.
_OF_PARTS = "of parts"
#: The states in which a card is looked at as the spell that it would be, in a fourth, while a list of actions or an announcement is made:
#: each has objects of its own, and none is needed while a player thinks.
_OF_SPELLS = "of spells"


def evolve(state: State, **changes: Any) -> State:
    """The state with these fields changed; of the memo is kept what none of them matters to."""
    if _QUIET.issuperset(changes):
        return replace(state, **changes)
    old = state.memo.get
    board = old("board")
    # An index is about a tuple of ids, and is made anew where that is another by now.
    index, parts = old("index"), old(_OF_PARTS)
    if not _PASSING.issuperset(changes):
        memo = {"index": index, _OF_PARTS: parts, "before": board or old("before")}
    elif board is None or not board.lasting:
        memo = {"index": index, _OF_PARTS: parts, "before": board or old("before"), _OF_ZONES: old(_OF_ZONES)}
    else:
        memo = {"index": index, _OF_PARTS: parts, "board": board, _OF_ZONES: old(_OF_ZONES), _OF_BOARD: old(_OF_BOARD)}
    changes["memo"] = memo
    return replace(state, **changes)


def including(objects: dict[int, Object], found: Object) -> dict[int, Object]:
    """These objects with one entered or updated. From a dict out of which any was taken, a display and `dict` make another by putting
    all in anew, one by one; its own copy takes a sixth of that."""
    made = objects.copy()
    made[found.id] = found
    return made


def stepped(state: State, agenda: tuple[Frame, ...]) -> State:
    """`evolve` where nothing changes but what is left to do, as after most steps: then no question is open."""
    return replace(state, agenda=agenda, pending=None)


def to_go_back_to(state: State, agenda: tuple[Frame, ...]) -> State:
    """`evolve` where nothing changes but what is left to do, for a frame of what follows to keep. Its memo is its own: what is kept of the
    state may hold that frame, and states are no part of Python's search for cycles.
    """
    return replace(state, agenda=agenda, memo={})


def asking(state: State, question: AnyQuestion) -> State:
    """`evolve` where nothing changes but that a question is open, the next by its number."""
    if type(question) is PriorityQuestion:
        state.memo.pop(_OF_SPELLS, None)
    return replace(state, pending=question, questions=question.number)


def of_board(state: State) -> dict[Any, Any]:
    """What the memo keeps as long as no object, player or effect is another; all these states share it."""
    kept: dict[Any, Any] | None = state.memo.get(_OF_BOARD)
    if kept is None:
        kept = state.memo[_OF_BOARD] = {}
    return kept


def of_zones(state: State) -> dict[str, Any]:
    """What the memo keeps as long as no object or zone is another; all these states share it."""
    kept: dict[str, Any] | None = state.memo.get(_OF_ZONES)
    if kept is None:
        kept = state.memo[_OF_ZONES] = {}
    return kept


def of_parts(state: State) -> dict[Any, Any]:
    """What the memo keeps together with what it was made of; all later states share it."""
    kept: dict[Any, Any] | None = state.memo.get(_OF_PARTS)
    if kept is None:
        kept = state.memo[_OF_PARTS] = {}
    return kept


def of_spells(state: State) -> dict[Any, State]:
    """What the memo keeps of states that are only asked about this one's cards, until a player has priority."""
    kept: dict[Any, State] | None = state.memo.get(_OF_SPELLS)
    if kept is None:
        kept = state.memo[_OF_SPELLS] = {}
    return kept


def out_of_combat(combat: Combat, gone: Set[int]) -> Combat:
    """The combat without these objects: as attackers, blockers or attacked planeswalkers (506.4). An attacker that was blocked
    stays blocked (509.1h); one whose planeswalker is gone goes on attacking nothing (506.4c)."""
    attackers = [a for a in combat.attackers if a.id not in gone]
    for place, a in enumerate(attackers):
        if a.defender in gone or not gone.isdisjoint(a.blockers):
            left = tuple(i for i in a.blockers if i not in gone)
            attackers[place] = replace(a, blockers=left, defender=0 if a.defender in gone else a.defender)
    blockers = [b for b in combat.blockers if b.id not in gone]
    for place, b in enumerate(blockers):
        if not gone.isdisjoint(b.attackers):
            blockers[place] = replace(b, attackers=tuple(i for i in b.attackers if i not in gone))
    return replace(combat, attackers=tuple(attackers), blockers=tuple(blockers))
