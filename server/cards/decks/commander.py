"""What makes a deck a Commander deck: who leads it, how large it is, and the colours it may have (903.3 to 903.5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from server.cards.decks import deck_rules
from server.cards.decks.deck_rules import DeckRules
from server.cards.decks.legality import Kind
from server.cards.forms import Card
from server.cards.grammar import BASIC_LANDS, parse_types
from server.cards.loading import chosen_colors, color_identity

SIZE = 100
"""Cards of a deck, its commander among them (903.5a)."""
BRAWL_SIZE = 60
"""Those of a deck for Brawl (current 903.12d)."""
_REMINDER = re.compile(r"\([^()]*\)")
_LINE = re.MULTILINE | re.IGNORECASE
_MAY_LEAD = re.compile(r"\bcan be your commander\b", re.IGNORECASE)
_PARTNER = re.compile(
    r"^(?:partner\b(?! with)(?:\s?[—-]{1,2}\s?(?P<text>[^\n,]+?))?|(?P<older>friends forever))\s*$", _LINE
)
_PARTNER_WITH = re.compile(r"^partner with (?P<name>[^\n]+?)\s*$", _LINE)
_BACKGROUND = re.compile(r"^choose a background\b", _LINE)
_DOCTORS = re.compile(r"^doctor['’]s companion\b", _LINE)


def may_lead(card: Card) -> bool:
    """Whether a card can be a commander by itself: a legendary creature (903.3), and by the current 903.3 a legendary Vehicle,
    or a legendary Spacecraft that has power and toughness; or a card that says so of itself (current 903.3a).
    """
    supertypes, types, subtypes = parse_types(card.types)
    if "legendary" not in supertypes:
        return False
    hull = "Vehicle" in subtypes or ("Spacecraft" in subtypes and bool(card.power))
    return "creature" in types or hull or bool(_MAY_LEAD.search(card.text))


def may_lead_brawl(card: Card) -> bool:
    """Whether a card can be a commander in Brawl: a legendary planeswalker, too (current 903.12c)."""
    supertypes, types, _ = parse_types(card.types)
    return may_lead(card) or ("legendary" in supertypes and "planeswalker" in types)


def may_lead_together(first: Card, second: Card) -> bool:
    """Whether two cards lead a deck by one of the partner abilities, which do not mix (current 702.124f): each has `partner`
    (current 702.124h), the same `partner` with a text (current 702.124i), each is named by the other
    (current 702.124j); one chooses a Background, and the other is one (current 702.124k); one is a Doctor's companion, and the
    other a Doctor (current 702.124m).
    """
    legendary = all("legendary" in parse_types(card.types)[0] for card in (first, second))
    return legendary and (
        bool(_partners(first) & _partners(second))
        or (_named(first, second) and _named(second, first))
        or any(_follows(one, other) for one, other in ((first, second), (second, first)))
    )


def _partners(card: Card) -> set[str]:
    """The partner abilities of a card that its partner has too: "" for the one without a text."""
    return {
        (found["text"] or found["older"] or "").lower()
        for found in _PARTNER.finditer(_REMINDER.sub("", card.text))
        if may_lead(card)
    }


def _named(card: Card, by: Card) -> bool:
    found = _PARTNER_WITH.search(_REMINDER.sub("", by.text))
    return found is not None and found["name"].strip().lower() == card.name.lower() and may_lead(card)


def _follows(one: Card, other: Card) -> bool:
    """Whether the first says of itself that it leads beside such a card as the second."""
    text = _REMINDER.sub("", one.text)
    _, types, subtypes = parse_types(other.types)
    if _BACKGROUND.search(text):
        return may_lead(one) and "enchantment" in types and "Background" in subtypes
    return bool(_DOCTORS.search(text)) and "creature" in types and set(subtypes) == {"Time Lord", "Doctor"}


def faults(
    commanders: Sequence[tuple[int, Card]],
    cards: Sequence[tuple[int, int, Card]],
    kind: Kind = "commander",
    own: DeckRules | None = None,
) -> list[tuple[int, str]]:
    """What keeps a deck from being played, as (line, sentence). `commanders` are (line, card), `cards` (line, count, card) for
    the whole deck, its commanders among them. `own` are rules that say otherwise than the format's.
    """
    size = sum(count for _, count, _ in cards)
    brawl = kind == "brawl"
    found = _size(size, brawl) if own is None else deck_rules.size_fault(own, size)
    if own is not None and own.leads:
        leading = deck_rules.leading(own, commanders)
    else:
        free = own is not None and own.single_colors_partner
        leading = _leading(commanders, may_lead_brawl if brawl else may_lead, free)
    if leading is not None:
        return [*found, leading]
    identity = {color for _, leader in commanders for color in color_identity(leader)}
    identity |= set("".join(chosen_colors([leader for _, leader in commanders], [card for _, _, card in cards])))
    free = _free_land([card for _, _, card in cards]) if brawl and not identity else ""
    for at, _, card in cards:
        if free and _basic_type(card) == free:
            continue
        strange = "".join(color for color in color_identity(card) if color not in identity)
        if strange:
            found.append((at, f"{card.name!r} has a colour that its commander has not: {strange} (903.5c)"))
    return found


def _size(size: int, brawl: bool) -> list[tuple[int, str]]:
    if brawl and size != BRAWL_SIZE:
        return [(0, f"a Brawl deck has exactly {BRAWL_SIZE} cards with its commander, not {size} (current 903.12d)")]
    if not brawl and size != SIZE:
        return [(0, f"a Commander deck has exactly {SIZE} cards with its commander, this one has {size} (903.5a)")]
    return []


def _free_land(cards: Sequence[Card]) -> str:
    """The type of basic lands that a deck with a colourless commander has all the same: that of the first (current 903.12e)."""
    return next((_basic_type(card) for card in cards if _basic_type(card)), "")


def _basic_type(card: Card) -> str:
    """The basic land type of a basic land, "" of any other card."""
    supertypes, _, subtypes = parse_types(card.types)
    return next((kind for kind in subtypes if kind in BASIC_LANDS), "") if "basic" in supertypes else ""


def _leading(
    commanders: Sequence[tuple[int, Card]], leads: Callable[[Card], bool], single_colors_partner: bool = False
) -> tuple[int, str] | None:
    """What is wrong with those that lead a deck."""
    if len(commanders) == 2:
        (_, first), (line, second) = commanders
        single = all(leads(card) and len(color_identity(card)) < 2 for card in (first, second))
        if may_lead_together(first, second) or (single_colors_partner and single):
            return None
        return line, f"{first.name!r} and {second.name!r} are no partners and do not lead together (current 702.124a)"
    if len(commanders) != 1:
        named = f"this one names {len(commanders)}" if commanders else "name it below a line 'Commander'"
        return 0, f"a Commander deck has one commander, {named} (903.3)"
    line, leader = commanders[0]
    if not leads(leader):
        return line, f"{leader.name!r} is no legendary creature and leads no deck (903.3)"
    return None
