"""What a card of several faces can be besides itself: the other face of a flip or double-faced card, each half of a split
card, the adventure of a creature (708, 709, 711; 712, 715 and 720 of the current edition).

Each is a `Definition` of its own, a *side* of the card, with a number from 1; 0 is the card itself. A side knows its card
(`whole`), so an object that has become one keeps the card as `Object.printed`, and is the card again in the next zone.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms
from server.cards.faces import bestowed_card, fused_card, prototyped_card
from server.cards.forms import Ability, Card
from server.cards.nouns import Noun
from server.rules import mana
from server.rules.definition import Characteristics, Definition, make_kit, printed
from server.rules.keywords_casting import leaves_stack

THIS = Noun(forms.THIS)
BESTOW = "bestow"
PROTOTYPE = "prototype"
#: Ways to cast a card by which it is its first side.
SIDE_WAYS = frozenset((BESTOW, PROTOTYPE))
#: Layouts whose further faces can be cast (708.2a; current 712.11b, 715.3, 720.3).
CASTABLE = frozenset(("split", "modal", "adventure", "omen"))
#: After its adventure the card lies in exile, from where its other face may be cast (current 715.3d).
_ADVENTURE = leaves_stack("exile", "resolve", None, mark="adventuring")
#: Current 720.3d.
_OMEN = forms.Replacement(
    event=forms.Pattern(event="zone change", subject=THIS, from_="stack", cause="resolve"),
    rewrite=(forms.ToZone(to="library", shuffle=True),),
)
#: Current 715.3d.
AFTER_ADVENTURE = forms.CastingRule(zone="exile", condition=forms.Is(what=THIS, of=Noun("adventuring card")))


def make_sides(whole: Definition) -> tuple[Definition, ...]:
    """The sides of a card, in the order of its faces; a split card with fuse, which can be cast as both, has a third."""
    card = whole.card
    match card.layout:
        case "split":
            sides = [Definition(half, whole, i + 1) for i, half in enumerate(card.faces)]
            if any("fuse" in half.keywords for half in card.faces):  # current 702.102b
                sides.append(Definition(fused_card(card), whole, len(sides) + 1))
            return tuple(sides)
        case "flip":
            # 709.1c: colour and mana cost do not change.
            return tuple(
                Definition(replace(face, cost=card.cost, colors=card.colors), whole, i + 1)
                for i, face in enumerate(card.faces)
            )
        case "adventure" | "omen":
            more = _ADVENTURE if card.layout == "adventure" else _OMEN
            return tuple(_with(Definition(face, whole, i + 1), more) for i, face in enumerate(card.faces))
        case "transform":
            # The back face has a mana value of its own only by 711 as of 2011; current 712.8e takes the front's.
            back = [Definition(face, whole, i + 1) for i, face in enumerate(card.faces)]
            back += [Definition(face, whole, len(back) + i + 1) for i, face in enumerate(card.faces)]
            for side in back[len(card.faces) :]:
                side.base = replace(side.base, mana_value=whole.base.mana_value)
            return tuple(back)
        case _ if whole.base.kit.quality(BESTOW):
            return (Definition(bestowed_card(card), whole, 1),)
        case _ if prototypes := whole.base.kit.quality(PROTOTYPE):
            return (Definition(prototyped_card(card, prototypes[0]), whole, 1),)
        case _:
            return tuple(Definition(face, whole, i + 1) for i, face in enumerate(card.faces))


def is_bestowed(definition: Definition) -> bool:
    """Whether an object is an Aura because of its bestow (current 702.103b)."""
    return definition.side > 0 and bool(definition.base.kit.quality(BESTOW)) and not definition.card.power


def _with(definition: Definition, ability: Ability) -> Definition:
    card = definition.card
    kit = make_kit((*card.abilities, ability), card.keywords)
    definition.base = replace(definition.base, kit=kit)
    return definition


def both_halves(card: Card) -> Characteristics:
    """The characteristics of a split card that is no spell: those of both halves (708.2; combined in current 709.4)."""
    halves = tuple(printed(half) for half in card.faces)
    costs = [half.cost for half in halves if half.cost is not None]
    cost = costs[0] if costs else None
    for more in costs[1:]:
        cost = mana.plus(cost or mana.ZERO, more)
    abilities = tuple(a for half in card.faces for a in half.abilities if not isinstance(a, forms.SpellAbility))
    keywords = tuple(dict.fromkeys(word for half in card.faces for word in half.keywords))
    colors = 0
    for half in halves:
        colors |= half.colors
    return Characteristics(
        name=card.name,
        cost=cost,
        mana_value=sum(half.mana_value for half in halves),
        colors=colors,
        supertypes=frozenset[str]().union(*(half.supertypes for half in halves)),
        types=frozenset[str]().union(*(half.types for half in halves)),
        subtypes=frozenset[str]().union(*(half.subtypes for half in halves)),
        kit=make_kit(abilities, keywords),
        halves=halves,
    )


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
