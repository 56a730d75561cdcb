"""Views by their parts: what changed is found once for all who see the same, and is what comparing whole views finds."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from protocol.brief import brief
from protocol.patch import Tree, apply, diff
from server.knowledge.parts import NOTHING, Changes, Parts

Trees = st.dictionaries(
    st.sampled_from("abc"), st.integers(0, 1) | st.dictionaries(st.sampled_from("de"), st.integers(0, 1)), max_size=3
)
COMMON = st.fixed_dictionaries(
    {"turn": st.integers(0, 2)}, optional={"priority": st.integers(0, 1), "waiting_for": st.sampled_from([[0], [1]])}
)
VIEWS = st.tuples(COMMON, Trees, Trees)


@given(st.lists(VIEWS, min_size=2, max_size=5), st.booleans())
def test_what_changed_by_parts_is_what_changed_in_the_whole(views: list[Any], briefly: bool) -> None:
    changes = Changes()
    last = {0: NOTHING._replace(viewer=0), 1: NOTHING._replace(viewer=1)}
    for common, players, objects in views:
        for seat in last:
            old, new = last[seat], Parts(common, {str(seat): 1, **players}, objects, seat)
            patch = changes.between(old, new, briefly=briefly)
            if old.common:
                whole = diff(old.whole(), new.whole())
                assert patch == (brief(whole, new.whole()) if briefly else whole)
                assert briefly or apply(old.whole(), patch) == new.whole()
            last[seat] = new


def test_who_saw_the_same_and_sees_the_same_is_told_the_same_value() -> None:
    before: Tree = {"turn": 1, "priority": 0}
    after: Tree = {"turn": 1, "priority": 1}
    hand: Tree = {"1": {"zone": "hand"}}
    seen: list[tuple[int | None, Tree]] = [(0, hand), (1, {}), (None, {})]
    changes = Changes()
    told = [
        changes.between(Parts(before, {}, objects, seat), Parts(after, {}, objects, seat)) for seat, objects in seen
    ]
    assert told[0] == {"priority": 1} and told[1] is told[0] and told[2] is told[0]
    drawn = changes.between(Parts(before, {}, {}, 0), Parts(after, {}, hand, 0))
    assert drawn == {"priority": 1, "objects": hand} and told[0] == {"priority": 1}
