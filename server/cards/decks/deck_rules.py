"""Deck rules as data: how a club, a league or a draft makes its decks, beyond what the formats of the rules say. None are built in; a
host brings them as TOML, and Commander Draft (current 903.13) is such data, too.

    name = "sixty-of-ours"
    format = "commander"          # how the game begins: constructed, commander or brawl
    least = 60                    # cards with the commanders; `most` 0: as many as one likes
    copies = 1                    # of a name but basic lands; 0: any number
    life = 20                     # the starting life total, if it is another than the format's
    legal = "pauper"              # cards that the imported lists call legal so
    banned = ["Some Card"]
    banned_leaders = ["Some Other Card"]
    leads = [["planeswalker"], ["instant", "sorcery"]]    # who leads: a card for each list, of one of its kinds
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from server.cards.decks.legality import Kind
from server.cards.forms import Card
from server.cards.grammar import parse_types

BYTES = 256 * 1024
"""How large such a file may be."""
_Name = Annotated[str, Meta(min_length=1, max_length=150)]
_Names = Annotated[tuple[_Name, ...], Meta(max_length=5000)]
_Cards = Annotated[int, Meta(ge=0, le=500)]


class BadRules(Exception):
    """A file that holds no deck rules; its words say where."""


class DeckRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See the module. `sideboard` is how many cards a sideboard may have. With `single_colors_partner` two cards that could each lead a
    deck and are of one colour or none lead it together, as though they had partner (current 903.13f).
    """

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}$")]
    format: Kind = "constructed"
    least: _Cards = 60
    most: _Cards = 0
    copies: _Cards = 4
    sideboard: Annotated[int, Meta(ge=0, le=100)] = 15
    life: Annotated[int, Meta(ge=0, le=1000)] = 0
    legal: Annotated[str, Meta(max_length=32)] = ""
    banned: _Names = ()
    banned_leaders: _Names = ()
    leads: Annotated[
        tuple[Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=10)], ...], Meta(max_length=2)
    ] = ()
    single_colors_partner: bool = False

    @property
    def copies_of_a_name(self) -> int:
        """How many of a name a deck may have."""
        return self.copies or 500


def read_rules(data: bytes) -> DeckRules:
    """The rules of a file. Raises BadRules."""
    if len(data) > BYTES:
        raise BadRules(f"is larger than {BYTES} bytes")
    try:
        rules = msgspec.toml.decode(data, type=DeckRules)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise BadRules(str(fault)) from None
    if rules.most and rules.most < rules.least:
        raise BadRules(f"a deck of at most {rules.most} cards has not {rules.least}")
    if rules.leads and rules.format == "constructed":
        raise BadRules("nobody leads a deck of format constructed")
    return rules


def size_fault(rules: DeckRules, size: int) -> list[tuple[int, str]]:
    """What is wrong with the number of a deck's cards, its commanders among them."""
    if size < rules.least:
        return [(0, f"a deck has at least {rules.least} cards by {rules.name}, this one has {size}")]
    if rules.most and size > rules.most:
        return [(0, f"a deck has at most {rules.most} cards by {rules.name}, this one has {size}")]
    return []


def banned(rules: DeckRules, names: dict[str, int], leaders: Sequence[tuple[int, Card]]) -> list[tuple[int, str]]:
    """The banned cards of a deck, as (line, sentence). `names` are the names of all its cards, each with its line."""
    out, not_leading = ({name.casefold() for name in some} for some in (rules.banned, rules.banned_leaders))
    found = [(line, f"{name!r} is banned by {rules.name}") for name, line in names.items() if name.casefold() in out]
    led = ((line, card.name) for line, card in leaders if card.name.casefold() in not_leading)
    return [*found, *((line, f"{name!r} may not lead a deck by {rules.name}") for line, name in led)]


def leading(rules: DeckRules, leaders: Sequence[tuple[int, Card]]) -> tuple[int, str] | None:
    """What is wrong with those that lead a deck where the rules say of which kinds they are; in whatever order."""
    if len(leaders) != len(rules.leads):
        return 0, f"{len(rules.leads)} cards lead a deck by {rules.name}, this one names {len(leaders)}"
    orders = (leaders, leaders[::-1])
    if any(all(_is_one(card, kinds) for (_, card), kinds in zip(some, rules.leads, strict=True)) for some in orders):
        return None
    line, card = next((one for one in leaders if not any(_is_one(one[1], kinds) for kinds in rules.leads)), leaders[0])
    wanted = " and ".join(" or ".join(kinds) for kinds in rules.leads)
    return line, f"a deck is led by {wanted} by {rules.name}, not by {card.name!r}"


def _is_one(card: Card, kinds: tuple[str, ...]) -> bool:
    """Whether a card is of one of these kinds, each of which is some words of a type line."""
    supertypes, types, subtypes = parse_types(card.types)
    words = {word.casefold() for word in (*supertypes, *types, *subtypes)}
    return any(set(kind.casefold().split()) <= words for kind in kinds)
