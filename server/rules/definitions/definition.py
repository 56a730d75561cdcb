"""A card as the engine holds it: printed characteristics (109.3) and abilities sorted by what they do.

A `Definition` is made once for each card, token or ability on the stack and shared by all its objects, so that "the same
definition" is `is`. What else a card can be (the other face of a flip or double-faced card, each half of a split card, the
adventure of a creature: 708, 709, 711; 712, 715 and 720 of the current edition) is a `Definition` of its own, a *side* of the
card, with a number from 1; 0 is the card itself. A side knows its card (`whole`), so an object that has become one keeps the
card as `Object.printed`, and is the card again in the next zone.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from server.cards.forms import Ability, Card
from server.cards.loading import bestowed_card, fused_card, prototyped_card
from server.cards.nouns import Noun
from server.rules.definitions.abilities import make_abilities
from server.rules.definitions.intrinsic import ADVENTURE, OMEN
from server.rules.definitions.printed import Characteristics, printed
from server.rules.definitions.remembered import remember
from server.rules.editions import Edition

BESTOW = "bestow"
PROTOTYPE = "prototype"
#: Supertypes, types and subtypes that state-based actions look for on permanents (704.5).
WATCHED = frozenset(("legendary", "world", "planeswalker", "Aura", "Saga", "Role"))
#: Keywords for which the state-based actions look at a permanent (current 704.5z).
STARTERS = frozenset(("start your engines!",))


def is_inert(c: Characteristics) -> bool:
    """Whether no state-based action concerns a permanent with just these characteristics (704.5)."""
    if "creature" in c.types and (c.toughness or 0) <= 0 or not WATCHED.isdisjoint(c.types):
        return False
    return WATCHED.isdisjoint(c.subtypes) and WATCHED.isdisjoint(c.supertypes) and STARTERS.isdisjoint(c.keywords)


class Definition:
    """A card, token or ability as the engine holds it. `key` is its fingerprint (a hash of the form), the same on every
    machine; `base` the printed characteristics. `inert`: no state-based action concerns a permanent with just these
    characteristics, no damage and nothing else on it (704.5). Another face, a *side* of the card `whole`, has its number in
    `side`."""

    __slots__ = ("__weakref__", "_sides", "base", "card", "inert", "key", "side", "text", "variants", "whole")

    def __init__(self, card: Card, whole: Definition | None = None, side: int = 0, digest: bytes = b"") -> None:
        self.card = card
        self.whole = whole
        self.side = side
        self.key = f"{whole.key}{side}" if whole is not None else (digest or form_digest(card)).hex()[:16]
        self.text = card.text
        self.base = base = printed(card)
        self.inert = is_inert(base)
        self.variants: dict[object, Characteristics] = {}
        self._sides: tuple[Definition, ...] | None = None

    @property
    def sides(self) -> tuple[Definition, ...]:
        """What else the card can be ; nothing for a card of one face."""
        if self._sides is None:
            self._sides = _make_sides(self)
        return self._sides

    @property
    def name(self) -> str:
        """The printed name."""
        return self.base.name

    def __repr__(self) -> str:
        return f"Definition({self.card.name!r})"


def encode_card(card: Card) -> bytes:
    """The card as canonical JSON; nouns as their text."""
    return msgspec.json.encode(card, enc_hook=lambda noun: noun.text if isinstance(noun, Noun) else str(noun))


def form_digest(card: Card) -> bytes:
    """The SHA-256 of the card's form."""
    return hashlib.sha256(encode_card(card)).digest()


def _make_sides(whole: Definition) -> tuple[Definition, ...]:
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
            more = ADVENTURE if card.layout == "adventure" else OMEN
            return tuple(_with(Definition(face, whole, i + 1), more) for i, face in enumerate(card.faces))
        case "transform":
            # The back face has a mana value of its own only by 711 as of 2011; current 712.8e takes the front's.
            back = [Definition(face, whole, i + 1) for i, face in enumerate(card.faces)]
            back += [Definition(face, whole, len(back) + i + 1) for i, face in enumerate(card.faces)]
            for side in back[len(card.faces) :]:
                side.base = replace(side.base, mana_value=whole.base.mana_value)
            return tuple(back)
        case "meld":
            # Current 202.3c: the mana values of both cards together; a copy, which is of the face alone, has none.
            result, other = (Definition(face, whole, i + 1) for i, face in enumerate(card.faces))
            total = whole.base.mana_value + other.base.mana_value
            result.base = replace(result.base, mana_value=total)
            return (result, other)
        case _ if whole.base.abilities.quality(BESTOW):
            return (Definition(bestowed_card(card), whole, 1),)
        case _ if prototypes := whole.base.abilities.quality(PROTOTYPE):
            return (Definition(prototyped_card(card, prototypes[0]), whole, 1),)
        case _:
            return tuple(Definition(face, whole, i + 1) for i, face in enumerate(card.faces))


def _with(definition: Definition, ability: Ability) -> Definition:
    card = definition.card
    abilities = make_abilities((*card.abilities, ability), card.keywords)
    definition.base = replace(definition.base, abilities=abilities)
    return definition


DEFINITIONS = 8192
"""Card forms whose definitions are found without a look at what they say."""
_definitions: dict[int, tuple[Card, Definition]] = {}
_by_form: WeakValueDictionary[bytes, Definition] = WeakValueDictionary()
"""All definitions in use, by what is written of their cards."""


def define(card: Card) -> Definition:
    """The definition of a card form: the same for equal forms, as long as anything uses it."""
    known = _definitions.get(id(card))
    if known is not None and known[0] is card:
        return known[1]
    digest = form_digest(card)
    definition = _by_form.get(digest)
    if definition is None:
        definition = _by_form[digest] = Definition(card, digest=digest)
    return remember(_definitions, id(card), (card, definition), DEFINITIONS)[1]


_named: dict[int, tuple[Card, Card]] = {}


def named_token(token: Card, edition: Edition) -> Card:
    """A token's form with the name that it has by an edition: what is called by its subtypes is a "Soldier Token" in one that has
    it so (current 111.4)."""
    if not edition.token_names or not token.name or token.name != token.types.partition("—")[2].strip():
        return token
    known = _named.get(id(token))
    if known is None or known[0] is not token:
        known = remember(_named, id(token), (token, replace(token, name=f"{token.name} Token")))
    return known[1]


def ability_definition(name: str, text: str) -> Definition:
    """A definition for an ability on the stack: it has text and no other characteristics (603.3)."""
    return _ability_definition(name, text)


@lru_cache(maxsize=8192)
def _ability_definition(name: str, text: str) -> Definition:
    return define(Card(name=name, types="", text=text))
