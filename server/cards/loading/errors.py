"""What can be wrong with cards and decks. All are the author's faults, none is ours.

CardFault                  a card or a file of cards is refused; `source`, `path` and `why` say where and what
├── Oversized              a cap was passed (size, depth, number of parts) before or after decoding
├── Malformed              no TOML, no JSON, or not the shape of the tree (unknown field, wrong type, missing key)
│   ├── UnreadNoun         a noun phrase with a word that the grammar does not know
│   └── UnreadText         a printed text that is not read whole
└── Unsound                well formed, but against a rule of `server.cards.loading.check`
DeckFault                  a deck list is refused; `faults` names each line
"""

from __future__ import annotations


class CardFault(ValueError):
    """A card (or file) is refused. `source` names the file, `card` the card ("" if none yet), `path` the place in it."""

    def __init__(self, why: str, *, source: str = "", card: str = "", path: str = "") -> None:
        self.why = why
        self.source = source
        self.card = card
        self.path = path
        super().__init__(str(self))

    def __str__(self) -> str:
        place = [part for part in (self.source, self.card, self.path) if part]
        return ": ".join([*place, self.why])

    def within(self, *, source: str = "", card: str = "") -> CardFault:
        """The same fault with its place completed."""
        return type(self)(self.why, source=self.source or source, card=self.card or card, path=self.path)


class Oversized(CardFault):
    """A cap was passed: the size of a card or file, its depth, or the number of its parts."""


class Malformed(CardFault):
    """No TOML or JSON, or not the shape of the tree."""


class UnreadNoun(Malformed):
    """A noun phrase has a word that the grammar does not know."""


class UnreadText(Malformed):
    """A card is given by its printed text, which is not read whole."""


class Unsound(CardFault):
    """A well-formed card that breaks a rule which `server.cards.loading.check` keeps."""


class DeckFault(ValueError):
    """A deck list is refused. `faults` holds (line number, sentence), line 0 for what is wrong with the whole."""

    def __init__(self, faults: tuple[tuple[int, str], ...], source: str = "") -> None:
        self.faults = faults
        self.source = source
        lines = [f"line {line}: {why}" if line else why for line, why in faults]
        super().__init__("; ".join(f"{source}: {line}" if source else line for line in lines))
