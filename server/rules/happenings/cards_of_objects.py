"""The cards that objects are, for a game that takes them from another, and what they keep of it."""

from __future__ import annotations

from server.cards.loading import has_color_to_choose
from server.rules.model import Definition, Object, lookup, rare


def cards_of(found: Object) -> tuple[Object, ...]:
    """The cards that an object is, each as one in its owner's library, without an id: none if it is a token, a copy or an ability,
    several if it is merged (current 729.2). A companion that is outside the game stays what it is."""
    seat = found.owner
    if lookup.is_companion(found):
        return (Object(0, found.definition, seat, seat, "command", base=seat, rare=rare(chosen=found.chosen)),)
    parts = [(part.definition, part.owner, part.commander) for part in found.merged if not part.token]
    if not found.merged and not found.token and not _is_made(found):
        parts = [(found.printed or found.definition, found.owner, found.commander)]
    return tuple(
        Object(
            0,
            definition,
            owner,
            owner,
            "library",
            base=owner,
            rare=rare(commander=leads, chosen=color_of(found, definition, leads)),
        )
        for definition, owner, leads in parts
    )


def color_of(found: Object, definition: Definition, commander: int) -> tuple[tuple[str, str], ...]:
    """The color that was chosen for a commander before the game, which it keeps wherever it goes (current 903.4b); () for any other card.
    `definition` is that of the card, which may be one of several that the object is."""
    kept = commander and has_color_to_choose(definition.card)
    return tuple(pair for pair in found.chosen if pair[0] == "color") if kept else ()


def _is_made(found: Object) -> bool:
    """Whether it is an ability or a copy on the stack, or an emblem."""
    entry = found.entry
    return (entry is not None and (entry.copied or entry.ability is not None)) or (
        found.zone == "command" and not found.commander
    )
