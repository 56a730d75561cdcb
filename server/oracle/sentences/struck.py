"""What is said of "that creature" after "if a creature is dealt damage this way": it is the creature that was, and no other."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Printer, Reader, Reading, walk

STRUCK = Noun("a creature dealt damage this way")
EACH = Noun("each creature dealt damage this way")
THAT_CREATURE = Noun("that creature")


def of_struck(reader: Reader, before: Any, rest: Reading) -> Reading | None:
    """What follows as it is meant; None if it speaks of that creature in a way that cannot be said of the one that was dealt damage."""
    if not (isinstance(before, f.If) and before.condition == f.Exists(of=STRUCK)):
        return rest
    verb = rest.value[0]
    if not any(part == THAT_CREATURE for part in walk(verb)):
        return rest
    meant = replace(verb, per=EACH) if isinstance(verb, f.Shield) and verb.per == THAT_CREATURE else None
    tree = (meant, *rest.value[1:])
    words = Printer(reader.grammar).write("program", tree) if meant is not None else None
    return Reading(rest.end, tree, words) if words is not None else None
