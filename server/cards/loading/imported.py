"""A card as a card list has it: its entry, what the entry has no place for, and what stands on it in other languages."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from server.cards.loading.entries import Entry, called

Kind: TypeAlias = Literal["card", "token", "other"]
"""A deck holds cards only; "other" are emblems, art cards and the like."""

MULTIFACED = frozenset(
    {"split", "flip", "transform", "modal_dfc", "double_faced_token", "aftermath", "adventure", "omen"}
)
"""Layouts of more than one face, named as card lists name them."""

READ_LAYOUTS = frozenset({"normal", "leveler", "class", "case", "token", "saga", "mutate", "meld"}) | MULTIFACED
"""Layouts that are read. Cards of another layout are kept, but named as unread."""


Status: TypeAlias = Literal["legal", "restricted", "banned"]
"""What a format says of a card; what it does not know at all it does not name. "restricted": one copy (100.6 leaves it to the DCI)."""


class Foreign(msgspec.Struct, frozen=True):
    """The card's name, or that of its face number `face` (0: the whole card), in the language `lang` ("fr"); its type line and its
    rules text, where the list has them."""

    lang: str
    name: str
    face: int = 0
    types: str = ""
    text: str = ""


class Imported(msgspec.Struct, frozen=True):
    """One card of a list. `colors` is the colour indicator's, by face ("" or "U" or " // R"); `funny` marks cards that
    no sanctioned game knows, which give way where a name is taken. `legalities` are (format, status) in the order of names,
    formats named in small letters; none if the list does not say.
    """

    entry: Entry
    layout: str = "normal"
    kind: Kind = "card"
    colors: str = ""
    funny: bool = False
    foreign: tuple[Foreign, ...] = ()
    legalities: tuple[tuple[str, Status], ...] = ()

    @property
    def title(self) -> str:
        """What the whole card is called: all its faces' names, and a meld card its own."""
        return self.faces[0] if self.layout == "meld" else self.entry.name

    @property
    def faces(self) -> tuple[str, ...]:
        """The names of its faces; one for most cards, and for a meld card its own."""
        return called(self.entry.name)
