"""Making the next state out of this one.

`evolve` is `msgspec.structs.replace` that knows what the memo depends on: a change of the agenda or of the open question
keeps it, any other change begins a new one.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.rules.model.state import State

#: Fields on which nothing in the memo depends.
_QUIET = frozenset(
    ("agenda", "pending", "questions", "waiting", "results", "passes", "loop", "chance", "result", "next_id", "delayed")
)
#: Fields on which what continuous effects make of the objects does not depend if it is `lasting`.
_PASSING = _QUIET | {"turn", "combat", "history", "hurt", "last", "clock"}
#: What the memo holds about objects and zones alone.
_OF_ZONES = ("elsewhere", "own control", "phased")


def evolve(state: State, **changes: Any) -> State:
    """The state with these fields changed; of the memo is kept what none of them matters to."""
    if _QUIET.issuperset(changes):
        return replace(state, **changes)
    old = state.memo
    # What is about certain tuples of ids is looked at anew where a zone is another tuple by now.
    before = old.get("board") or old.get("before")
    memo = {"index": old.get("index"), "outside": old.get("outside"), "before": before}
    if _PASSING.issuperset(changes):
        board = old.get("board")
        if board is not None and board.lasting:
            memo["board"] = board
        for key in _OF_ZONES:
            if key in old:
                memo[key] = old[key]
    return replace(state, memo=memo, **changes)
