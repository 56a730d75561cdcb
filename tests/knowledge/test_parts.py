"""Views by their parts: what changed is found once for all who see the same, and is what comparing whole views finds."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol.brief import brief
from protocol.patch import Tree, apply, diff
from server.knowledge.parts import NO_MORE, NOTHING, Changes, Own, Parts, Public

Trees = st.dictionaries(
    st.sampled_from("abc"), st.integers(0, 1) | st.dictionaries(st.sampled_from("de"), st.integers(0, 1)), max_size=3
)
COMMON = st.fixed_dictionaries(
    {"turn": st.integers(0, 2)}, optional={"priority": st.integers(0, 1), "waiting_for": st.sampled_from([[0], [1]])}
)
MOMENTS = st.tuples(
    st.tuples(COMMON, Trees, Trees), st.tuples(Trees, Trees), st.sampled_from(["all else", "seat 0", "nobody's own"])
)
"""What everybody sees, what seat 0 sees beside it, and what is another than before: keys may be seen by all, by one and by nobody again."""


@given(st.lists(MOMENTS, min_size=2, max_size=6), st.booleans())
def test_what_changed_by_parts_is_what_changed_in_the_whole(moments: list[Any], briefly: bool) -> None:
    changes = Changes()
    public, own = NOTHING.public, NO_MORE
    last = {0: replace(NOTHING, viewer=0), 1: replace(NOTHING, viewer=1), None: NOTHING}
    for seen, mine, other in moments:
        public = public if other == "seat 0" and public.common else Public(*seen)
        own = own if other == "nobody's own" else Own(*mine)
        for seat in last:
            old, new = last[seat], Parts(public, own if seat == 0 else NO_MORE, seat)
            patch = changes.between(old, new, briefly=briefly)
            if old.public.common:
                whole = diff(old.whole(), new.whole())
                assert patch == (brief(whole, new.whole()) if briefly else whole)
                assert briefly or apply(old.whole(), patch) == new.whole()
            last[seat] = new


def test_who_saw_the_same_and_sees_the_same_is_told_the_same_value() -> None:
    players: Tree = {"0": {"life": 20, "hand_count": 1}, "1": {"life": 20}}
    own = Own({"0": {"life": 20, "hand_count": 1, "hand": ["1"]}}, {"1": {"zone": "hand"}})
    before = Public({"turn": 1, "priority": 0}, players, {"9": {"zone": "stack"}})
    passed = Public({"turn": 1, "priority": 1}, players, before.objects)
    seen: list[tuple[int | None, Own]] = [(0, own), (1, NO_MORE), (None, NO_MORE)]
    changes = Changes()
    told = [changes.between(Parts(before, its, seat), Parts(passed, its, seat)) for seat, its in seen]
    assert told[0] == {"priority": 1} and told[1] is told[0] and told[2] is told[0]
    hurt = Public(passed.common, {**players, "1": {"life": 19}}, {})
    told = [changes.between(Parts(passed, its, seat), Parts(hurt, its, seat)) for seat, its in seen]
    assert told[1] == {"players": {"1": {"life": 19}}, "objects": None} and told[2] is told[1]
    assert told[0] == {"players": {"1": {"life": 19}}, "objects": {"9": None}}, "its hand is left"
    drawn = Public(hurt.common, {**hurt.players, "0": {"life": 20, "hand_count": 2}}, {})
    more = Own({"0": {"life": 20, "hand_count": 2, "hand": ["1", "2"]}}, {**own.objects, "2": {"zone": "hand"}})
    told = [
        changes.between(Parts(hurt, its, seat), Parts(drawn, more if seat == 0 else its, seat)) for seat, its in seen
    ]
    assert told[1] == {"players": {"0": {"hand_count": 2}}} and told[2] is told[1], "who drew nothing is told the same"
    assert told[0] == {"players": {"0": {"hand_count": 2, "hand": ["1", "2"]}}, "objects": {"2": {"zone": "hand"}}}
