"""Patches without what their reader can know, for who says `brief` in `hello`.

- `epoch` and `seq` are left out: a patch follows on the view or patch before it;
- a patch that has `priority` leaves out `waiting_for` where that comes to who has priority, and to nobody where nobody has it.

Law (tested): `apply(old, full(brief(diff(old, new), new))) == new`.
"""

from typing import TypeVar

from msgspec.structs import replace

from protocol.messages import Patch, ServerMessage
from protocol.patch import Json, Tree

M = TypeVar("M", bound=ServerMessage)


def unnumbered(message: M) -> M:
    """A message for a reader who counts by itself."""
    return replace(message, epoch=0, seq=0) if isinstance(message, Patch) else message


def brief(patch: Tree, new: Tree) -> Tree:
    """The patch, which makes the tree `new`, without what `full` adds to it."""
    if "priority" not in patch:
        return patch
    told = new.get("waiting_for")
    if told == _who(patch["priority"]):
        return {key: value for key, value in patch.items() if key != "waiting_for"}
    return patch if "waiting_for" in patch else {**patch, "waiting_for": told}


def full(patch: Tree) -> Tree:
    """What a patch stands for that was sent to who asked for brief ones."""
    if "priority" not in patch or "waiting_for" in patch:
        return patch
    return {**patch, "waiting_for": _who(patch["priority"])}


def _who(priority: Json) -> Json:
    return None if priority is None else [priority]
