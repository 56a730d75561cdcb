"""Laws of merge patches."""

import copy

from hypothesis import given
from hypothesis import strategies as st

from protocol.brief import brief, full
from protocol.patch import BIG, Tree, apply, diff

KEYS = st.text("abc", max_size=2)
LEAVES = st.booleans() | st.integers(-3, 3) | st.text("xy", max_size=2)
VALUES = st.recursive(
    LEAVES | st.lists(LEAVES, max_size=3), lambda inner: st.dictionaries(KEYS, inner, max_size=4), max_leaves=20
)
TREES = st.dictionaries(KEYS, VALUES, max_size=5)


@given(TREES, TREES)
def test_a_patch_leads_from_one_tree_to_the_other(old, new):
    before = copy.deepcopy((old, new))
    assert apply(old, diff(old, new)) == new
    assert (old, new) == before, "trees are values"


@given(TREES)
def test_equal_trees_differ_by_nothing(tree):
    assert diff(tree, copy.deepcopy(tree)) == {}
    assert apply(tree, {}) == tree
    assert apply({}, tree) == tree


@given(TREES, TREES, TREES)
def test_patches_in_a_row(a, b, c):
    assert apply(apply(a, diff(a, b)), diff(b, c)) == c


@given(TREES, TREES)
def test_what_did_not_change_is_shared(old, new):
    after = apply(old, diff(old, new))
    assert all(after[key] is old[key] for key in old if key in new and old[key] == new[key])


@given(TREES, st.dictionaries(KEYS, VALUES, max_size=5), st.sets(st.integers(0, 2 * BIG)), st.randoms())
def test_big_trees_have_the_patches_that_their_parts_have(old, new, gone, chance):
    """Beside what changes are many values that stay the same; some are gone, or stand in another order."""
    stays: Tree = {f"same {number}": {"number": number} for number in range(2 * BIG)}
    kept = [(key, value) for number, (key, value) in enumerate(stays.items()) if number not in gone]
    chance.choice((chance.shuffle, len))(kept)
    patch = diff({**stays, **old}, {**dict(kept), **new})
    assert patch == {**diff(old, new), **dict.fromkeys(f"same {number}" for number in gone if number < 2 * BIG)}
    assert diff({**stays, **old}, {**stays, **new}) == diff(old, new)
    assert apply({**stays, **old}, patch) == {**dict(kept), **new}


def test_examples_of_the_rfc():
    """RFC 7386, appendix A: those whose target and patch are objects."""
    examples: list[tuple[Tree, Tree, Tree]] = [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ]
    for target, patch, result in examples:
        assert apply(target, patch) == result


WHO = st.none() | st.integers(0, 2)
TURNS = st.builds(
    lambda tree, priority, waiting: {
        **tree,
        **({} if priority is None else {"priority": priority}),
        **({} if waiting is None else {"waiting_for": waiting}),
    },
    TREES,
    WHO,
    st.none() | st.lists(st.integers(0, 2), max_size=2),
)


@given(TURNS, TURNS)
def test_a_brief_patch_stands_for_a_full_one(old, new):
    told = brief(diff(old, new), new)
    assert apply(old, full(told)) == new


def test_who_has_priority_is_who_is_waited_for_unless_a_brief_patch_says_otherwise():
    mine = {"priority": 1, "waiting_for": [1]}
    assert brief(diff(mine, {"priority": 2, "waiting_for": [2]}), {"priority": 2, "waiting_for": [2]}) == {
        "priority": 2
    }
    assert brief(diff(mine, {"turn": 3}), {"turn": 3}) == {"turn": 3, "priority": None}
    other: Tree = {"priority": 2, "waiting_for": [1]}
    assert brief(diff(mine, other), other) == {"priority": 2, "waiting_for": [1]}, (
        "another decides for who has it (712.5)"
    )
    secret: Tree = {"priority": 2}
    assert brief(diff({"priority": 1}, secret), secret) == {"priority": 2, "waiting_for": None}
