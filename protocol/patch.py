"""RFC 7386 merge patches over plain trees.

A tree is what JSON says: dicts with string keys, lists, strings, numbers, bools. Views hold no null, so a merge patch
can say everything: null in a patch removes, a map merges, anything else replaces. Trees are treated as values: no
function here changes what it is given, and results share what did not change; keep to that, and the same object on
both sides is skipped without a look.

Laws (tested): `apply(old, diff(old, new)) == new`; `diff(a, a) == {}`.
"""

from collections.abc import Iterable
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
    Tree: TypeAlias = "dict[str, Json]"
else:  # msgspec has no recursive aliases
    Json = Any
    Tree = dict[str, Any]

BIG = 24
"""Keys from which on it pays to see first whether they are the same: then nothing is done for each value that did not change."""


def diff(old: Tree, new: Tree) -> Tree:
    """The smallest merge patch that makes `new` of `old`; `{}` when they are equal. Neither may hold null."""
    if old is new:
        return {}
    patch: Tree = {}
    alike = len(new) >= BIG and len(old) == len(new) and [*old] == [*new]
    others: Iterable[str]
    if alike:
        others = compress(new, map(is_not, old.values(), new.values()))
    else:
        others = [key for key, value in new.items() if old.get(key) is not value]
    for key in others:
        before, value = old.get(key), new[key]
        if isinstance(value, dict):
            if isinstance(before, dict):
                inner = diff(before, value)
                if inner:
                    patch[key] = inner
            else:
                patch[key] = value
        elif before is None or before != value:
            patch[key] = value
    if not alike and (len(old) != len(new) or not old.keys() <= new.keys()):
        for key in old:
            if key not in new:
                patch[key] = None
    return patch


def apply(tree: Tree, patch: Tree) -> Tree:
    """The tree after the patch, as RFC 7386 says; `tree` stays as it was."""
    if not patch:
        return tree
    out = dict(tree)
    for key, value in patch.items():
        if value is None:
            out.pop(key, None)
        elif isinstance(value, dict):
            before = out.get(key)
            out[key] = apply(before, value) if isinstance(before, dict) else _bare(value)
        else:
            out[key] = value
    return out


def _bare(value: Tree) -> Tree:
    """A map that is put where none was, without the nulls in it, which have nothing to remove."""
    for inner in value.values():
        if inner is None or isinstance(inner, dict):
            break
    else:
        return value
    return {k: _bare(v) if isinstance(v, dict) else v for k, v in value.items() if v is not None}
