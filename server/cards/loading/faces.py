"""Cards of several faces: their names, and the cards that are made of faces (708, 709, 711)."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards.forms import Card, KeywordAbility, ManaCost, SpellAbility
from server.cards.grammar import CREATURE_TYPES, parse_types
from server.cards.loading.entries import FACES
from server.cards.nouns import Noun


def faces_of(card: Card) -> tuple[Card, ...]:
    """All faces of a card, each alone; the card itself if it has but one. Of a meld card its own, and the combined back face."""
    if card.layout == "split":
        return card.faces
    if card.layout == "meld":
        return (replace(card, layout="", faces=()), card.faces[0])
    return (replace(card, layout="", faces=()), *card.faces) if card.faces else (card,)


def names_of(card: Card) -> tuple[str, ...]:
    """What a card may be called: its whole name, and where it has several faces each of theirs."""
    if not card.faces:
        return (card.name,)
    faces = tuple(face.name for face in faces_of(card))
    if card.layout == "meld":  # by its combined back face no card is called, but that of the pair which has both
        return (card.name, FACES.join(faces))
    return (FACES.join(faces), *faces)


def split_card(left: Card, right: Card) -> Card:
    """The split card of two halves."""
    halves = (left, right)
    return Card(
        name=FACES.join(half.name for half in halves),
        types=_type_line(halves),
        cost="".join(half.cost for half in halves),
        text=f"\n{FACES.strip()}\n".join(half.text for half in halves),
        layout="split",
        faces=halves,
    )


def _type_line(halves: tuple[Card, ...]) -> str:
    """The type line that has all types of both halves."""
    parts: list[list[str]] = [[], [], []]
    for half in halves:
        for part, words in zip(parts, parse_types(half.types), strict=True):
            part.extend(word for word in words if word not in part)
    supertypes, types, subtypes = parts
    left = " ".join(word.capitalize() for word in (*supertypes, *types))
    return f"{left} — {' '.join(subtypes)}" if subtypes else left


def bestowed_card(card: Card) -> Card:
    """A card with bestow as the Aura spell that it becomes (current 702.103b)."""
    supertypes, types, subtypes = parse_types(card.types)
    words = [word.capitalize() for word in (*supertypes, *(t for t in types if t != "creature"))]
    kept = [word for word in subtypes if word not in CREATURE_TYPES]
    return replace(
        card,
        types=f"{' '.join(words)} — {' '.join((*kept, 'Aura'))}",
        power="",
        toughness="",
        abilities=(
            *card.abilities,
            KeywordAbility(keyword="enchant", quality=Noun("creature"), text="Enchant creature"),
        ),
    )


def prototyped_card(card: Card, prototype: KeywordAbility) -> Card:
    """A card with prototype as it is cast so: its other mana cost, power and toughness (current 718.3b)."""
    power, _, toughness = prototype.size.partition("/")
    mana = "".join(part.mana for part in prototype.cost if isinstance(part, ManaCost))
    return replace(card, cost=mana, power=power, toughness=toughness)


def fused_card(card: Card) -> Card:
    """Both halves of a split card as one spell, which follows the left one's instructions first (current 702.102b, d)."""
    spells = [a for half in card.faces for a in half.abilities if isinstance(a, SpellAbility)]
    others = tuple(a for half in card.faces for a in half.abilities if not isinstance(a, SpellAbility))
    keywords = tuple(dict.fromkeys(word for half in card.faces for word in half.keywords))
    both = SpellAbility(do=tuple(verb for spell in spells for verb in spell.do), text=card.text)
    return replace(card, layout="", faces=(), keywords=keywords, abilities=(*others, both))
