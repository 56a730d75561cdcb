"""What a reader of deck lists makes."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Literal, TypeAlias

import msgspec

Section: TypeAlias = Literal["main", "sideboard", "commander", "companion", "none"]
"""Where a card goes. "commander": into the main deck, which it leads. "companion": it is one of the sideboard's, and chosen
before the game (current 702.139a). "none": into neither (tokens, planes, what the owner only thinks of)."""

MOST = 1000
_COUNT = re.compile(r"([0-9]+)[xX]?")


class Wanted(msgspec.Struct, frozen=True):
    """So many cards of a name, from that line of the list. Paragraphs are counted from 1; lists that have none say 0."""

    count: int
    name: str
    line: int
    paragraph: int = 0


class DeckList(msgspec.Struct):
    """A list as far as it was read. `commander` are those of `main` that lead the deck; `companion` are in no other. `faults`
    are (line, sentence), line 0 for what is wrong with the whole.
    """

    format: str
    name: str = ""
    about: str = ""
    main: list[Wanted] = msgspec.field(default_factory=list[Wanted])
    sideboard: list[Wanted] = msgspec.field(default_factory=list[Wanted])
    commander: list[Wanted] = msgspec.field(default_factory=list[Wanted])
    companion: list[Wanted] = msgspec.field(default_factory=list[Wanted])
    faults: list[tuple[int, str]] = msgspec.field(default_factory=list[tuple[int, str]])

    def fault(self, line: int, why: str) -> None:
        """Note a fault."""
        self.faults.append((line, why))

    def want(self, section: Section, count: str, name: str, line: int, paragraph: int = 0) -> None:
        """Note so many of a card, or the fault that its count or name is."""
        match = _COUNT.fullmatch(count.strip())
        name = " ".join(name.split())
        if match is None or not name:
            self.fault(line, f"{short(f'{count} {name}'.strip())} is not a count and a name, as in '4 Forest'")
        elif len(match[1]) > 4 or not 0 < int(match[1]) <= MOST:
            self.fault(line, f"{short(match[1])} is no count from 1 to {MOST}")
        elif section != "none":
            wanted = Wanted(int(match[1]), name, line, paragraph)
            if section == "companion":
                self.companion.append(wanted)
                return
            (self.sideboard if section == "sideboard" else self.main).append(wanted)
            if section == "commander":
                self.commander.append(wanted)

    def paragraphs(self) -> list[list[Wanted]]:
        """The main deck in the paragraphs of its list; one if it has none."""
        return [list(lines) for _, lines in groupby(self.main, lambda want: want.paragraph)]


def short(text: str) -> str:
    """The text in quotes, cut where it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
