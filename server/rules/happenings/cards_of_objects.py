"""The cards that objects are, for a game that takes them from another."""

from __future__ import annotations

from server.rules.model import Object, lookup


def cards_of(found: Object) -> tuple[Object, ...]:
    """The cards that an object is, each as one in its owner's library, without an id: none if it is a token, a copy or an ability,
    several if it is merged (current 729.2). A companion that is outside the game stays what it is."""
    if lookup.is_companion(found):
        return (
            Object(0, found.definition, found.owner, found.owner, "command", base=found.owner, chosen=found.chosen),
        )
    parts = [(part.definition, part.owner, part.commander) for part in found.merged if not part.token]
    if not found.merged and not found.token and not _is_made(found):
        parts = [(found.printed or found.definition, found.owner, found.commander)]
    return tuple(
        Object(0, definition, owner, owner, "library", base=owner, commander=commander)
        for definition, owner, commander in parts
    )


def _is_made(found: Object) -> bool:
    """Whether it is an ability or a copy on the stack, or an emblem."""
    entry = found.entry
    return (entry is not None and (entry.copied or entry.ability is not None)) or (
        found.zone == "command" and not found.commander
    )
