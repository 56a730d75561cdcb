"""Making the next state out of this one.

`evolve` is a `msgspec.structs.replace` that knows what the memo depends on: a change of the agenda or of the open question
keeps it, any other change begins a new one.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from msgspec.structs import force_setattr

from server.rules.model.state import State

#: Fields on which nothing in the memo depends.
_QUIET = frozenset(
    ("agenda", "pending", "questions", "waiting", "results", "passes", "loop", "chance", "result", "next_id", "delayed")
)
#: Fields on which what continuous effects make of the objects does not depend if it is `lasting`.
_PASSING = _QUIET | {"turn", "combat", "history", "hurt", "last", "clock"}
#: What the memo holds about objects and zones alone.
_OF_ZONES = ("elsewhere", "own control", "phased")
#: What it holds about them and what effects make of them: abilities in force of each kind, mana abilities that only have to be untapped.
_OF_BOARD = ("cost_changes", "player_rules", "replacements", "taps")

_copied: Callable[[State], State] = attrgetter("__copy__")(State)


def evolve(state: State, **changes: Any) -> State:
    """The state with these fields changed; of the memo is kept what none of them matters to."""
    # A copy in which fields are set takes half as long as `replace`; nobody else has it yet.
    made = _copied(state)
    quiet = passing = True
    for name, value in changes.items():
        force_setattr(made, name, value)
        if name not in _QUIET:
            quiet = False
            passing = passing and name in _PASSING
    if quiet:
        return made
    old = state.memo
    board = old.get("board")
    # What is about certain tuples of ids is looked at anew where a zone is another tuple by now.
    memo = {"index": old.get("index"), "outside": old.get("outside"), "before": board or old.get("before")}
    if passing:
        if board is not None and board.lasting:
            memo["board"] = board
            for key in _OF_BOARD:
                if key in old:
                    memo[key] = old[key]
        for key in _OF_ZONES:
            if key in old:
                memo[key] = old[key]
    force_setattr(made, "memo", memo)
    return made
