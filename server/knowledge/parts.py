"""A view by its parts, and what has changed between two of them.

Most of what one viewer sees is what all see, and most of what happens is a pass, which changes nothing else: it is compared once for
all who saw the same before and see the same now.

Law (tested): `diff(old.whole(), new.whole()) == Changes().between(old, new)`.
"""

from __future__ import annotations

from typing import NamedTuple

from protocol.brief import brief
from protocol.patch import Tree, diff
from server.knowledge.hidden import Viewer


class Parts(NamedTuple):
    """What a `viewer` sees: what is the same for all, the players, the objects. Values: each is the same one as long as nothing in it
    has changed, for all viewers for whom it is the same.
    """

    common: Tree
    players: Tree
    objects: Tree
    viewer: Viewer

    def whole(self) -> Tree:
        """The view."""
        tree: Tree = {**self.common, "players": self.players}
        if self.viewer is not None:
            tree["you"] = self.viewer
        if self.objects:
            tree["objects"] = self.objects
        return tree


NOTHING = Parts({}, {}, {}, None)


class Changes:
    """What has changed between the views of one table. The same patch is the same value for all of whom it is true."""

    def __init__(self) -> None:
        self._known: dict[bool, tuple[Tree, Tree, Tree]] = {}
        """The last change of what is the same for all, as it is told plainly and in brief: old, new, patch."""

    def between(self, old: Parts, new: Parts, *, briefly: bool = False) -> Tree:
        """The patch that makes the new view of the old one, of the same viewer; `briefly`: see `protocol.brief`. A value."""
        patch = self._common(old.common, new.common, briefly=briefly)
        if old.players is not new.players:
            players = diff(old.players, new.players)
            if players:
                patch = {**patch, "players": players}
        if old.objects is not new.objects:
            objects = diff(old.objects, new.objects)
            if objects:
                patch = {**patch, "objects": objects if new.objects else None}
        return patch

    def _common(self, old: Tree, new: Tree, *, briefly: bool) -> Tree:
        known = self._known.get(briefly)
        if known is None or known[0] is not old or known[1] is not new:
            patch = diff(old, new)
            known = self._known[briefly] = (old, new, brief(patch, new) if briefly else patch)
        return known[2]
