"""Which side of a card of several faces it can be cast as, and is when it is turned over (708, 709, 711; 712, 715 and 720 of
the current edition)."""

from __future__ import annotations

from server.rules.definitions.definition import BESTOW, PROTOTYPE, Definition

#: Ways to cast a card by which it is its first side.
SIDE_WAYS = frozenset((BESTOW, PROTOTYPE))
#: Layouts whose further faces can be cast (708.2a; current 712.11b, current 715.3, current 720.3).
CASTABLE = frozenset(("split", "modal", "adventure", "omen"))


def is_bestowed(definition: Definition) -> bool:
    """Whether an object is an Aura because of its bestow (current 702.103b)."""
    return definition.side > 0 and bool(definition.base.abilities.quality(BESTOW)) and not definition.card.power


def castable_sides(definition: Definition, zone: str) -> tuple[int, ...]:
    """The numbers of the sides by which a card could be cast or played from a zone, besides itself."""
    card = definition.card
    if card.layout not in CASTABLE:
        return ()
    numbers = range(1, len(definition.sides) + 1)
    fused = len(definition.sides) > len(card.faces) and zone != "hand"  # current 702.102a
    return tuple(numbers[:-1] if fused else numbers)


def turned_over(definition: Definition, how: str, value_of_front: bool) -> Definition | None:
    """What a permanent is when it is transformed or flipped; None if it stays what it is (701.25b, 709.4)."""
    whole = definition.whole or definition
    if whole.card.layout != how:
        return None
    if definition.side:
        return whole if how == "transform" else None  # 709.4: flipping is a one-way process
    other = whole.sides[-1 if value_of_front else 0]
    return None if other.base.types & {"instant", "sorcery"} else other  # current 701.27d


def melded(one: Definition, other: Definition) -> Definition | None:
    """What two cards are as one permanent; None if they are not the two of one pair (current 701.42b)."""
    pair = one.card, other.card
    if any(card.layout != "meld" for card in pair) or pair[0].faces[0] != pair[1].faces[0]:
        return None
    named = [(card.name, card.faces[1].name) for card in pair]
    return one.sides[0] if named[0] == named[1][::-1] and pair[0].name != pair[1].name else None


def is_flipped(definition: Definition) -> bool:
    """Whether it is a flip card's other side."""
    return definition.side > 0 and definition.whole is not None and definition.whole.card.layout == "flip"


def when_flipped(definition: Definition) -> Definition:
    """What a flipped permanent shows of what it is (709.2)."""
    return definition.sides[0] if definition.card.layout == "flip" else definition
