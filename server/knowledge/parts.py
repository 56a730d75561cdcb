"""A view by its parts, and what has changed between two of them.

Most of what one viewer sees is what all see, and most of what happens is a pass, which changes nothing else: it is compared once for
all who saw the same before and see the same now, and then they are told the same value.

Law (tested): `diff(old.whole(), new.whole()) == Changes().between(old, new)`.
"""

from __future__ import annotations

import msgspec

from protocol.brief import brief
from protocol.patch import Tree, diff
from server.knowledge.hidden import Viewer


class Public(msgspec.Struct, frozen=True):
    """What everybody sees: the table, players and objects. Each part is the same value as long as nothing in it has changed."""

    common: Tree
    players: Tree
    objects: Tree


class Own(msgspec.Struct, frozen=True):
    """Of which players and objects a viewer sees more than everybody, and what: it stands in the place of what everybody sees. The same
    value as long as nothing in it has changed.
    """

    players: Tree
    objects: Tree


class Parts(msgspec.Struct, frozen=True):
    """What a `viewer` sees. A value."""

    public: Public
    own: Own
    viewer: Viewer

    def whole(self) -> Tree:
        """The view."""
        players, objects = self.public.players, self.public.objects
        if self.own.players:
            players = {**players, **self.own.players}
        if self.own.objects:
            objects = {**objects, **self.own.objects}
        return self.tree(players, objects)

    def tree(self, players: Tree, objects: Tree) -> Tree:
        """The view, of which these are the players and objects."""
        tree: Tree = {**self.public.common, "players": players}
        if self.viewer is not None:
            tree["you"] = self.viewer
        if objects:
            tree["objects"] = objects
        return tree


NO_MORE = Own({}, {})
"""Nothing but what everybody sees."""
NOTHING = Parts(Public({}, {}, {}), NO_MORE, None)


class _Change(msgspec.Struct, frozen=True):
    """What has changed of what everybody sees, and all of it as one patch, for who sees no more than that."""

    common: Tree
    players: Tree
    objects: Tree
    patch: Tree


class Changes:
    """What has changed between the views of one table. The same patch is the same value for all of whom it is true."""

    def __init__(self) -> None:
        self._known: dict[bool, tuple[Public, Public, _Change]] = {}
        """The last change of what everybody sees, as it is told plainly and in brief: old, new, change."""

    def between(self, old: Parts, new: Parts, *, briefly: bool = False) -> Tree:
        """The patch that makes the new view of the old one, of the same viewer; `briefly`: see `protocol.brief`. A value."""
        known = self._known.get(briefly)
        if known is None or known[0] is not old.public or known[1] is not new.public:
            change = _change(old.public, new.public, briefly=briefly)
            self._known[briefly] = (old.public, new.public, change)
        else:
            change = known[2]
        if old.own is new.own and not (change.players or change.objects):
            return change.patch
        players = _with_own(change.players, old.public.players, new.public.players, old.own.players, new.own.players)
        objects = _with_own(change.objects, old.public.objects, new.public.objects, old.own.objects, new.own.objects)
        if players is change.players and objects is change.objects and (new.public.objects or not new.own.objects):
            return change.patch
        return _patch(change.common, players, objects, left=bool(new.public.objects or new.own.objects))


def _change(old: Public, new: Public, *, briefly: bool) -> _Change:
    common = diff(old.common, new.common)
    if briefly:
        common = brief(common, new.common)
    players, objects = diff(old.players, new.players), diff(old.objects, new.objects)
    return _Change(common, players, objects, _patch(common, players, objects, left=bool(new.objects)))


def _patch(common: Tree, players: Tree, objects: Tree, *, left: bool) -> Tree:
    """The patch of a view; `left`: there are objects in the new one."""
    if not players and not objects:
        return common
    patch: Tree = {**common}
    if players:
        patch["players"] = players
    if objects:
        patch["objects"] = objects if left else None
    return patch


def _with_own(change: Tree, old: Tree, new: Tree, own: Tree, own_now: Tree) -> Tree:
    """What has changed between `{**old, **own}` and `{**new, **own_now}`, where `change` is what has between `old` and `new`."""
    if own is own_now and own.keys().isdisjoint(change):
        return change
    came_or_gone = own.keys() ^ own_now.keys()
    if not (came_or_gone.isdisjoint(old) and came_or_gone.isdisjoint(new)):
        return diff({**old, **own}, {**new, **own_now})
    if not own_now.keys().isdisjoint(change):
        change = {key: value for key, value in change.items() if key not in own_now}
    mine = diff(own, own_now)
    return {**change, **mine} if mine else change
