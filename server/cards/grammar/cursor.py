"""Words of a phrase and a cursor over them: what the noun grammar reads with. Knows no English but the apostrophe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from server.cards.grammar.vocabulary import SUBTYPES
from server.cards.nouns import NounError

T = TypeVar("T")

# Words whose apostrophe is not a possessive.
CONTRACTIONS = frozenset(("that's", "it's", "C'tan", "Urza's"))
LONGEST_PHRASE = 200  # characters; the longest printed noun phrase has about 120


def split(text: str) -> tuple[str, ...]:
    """The words of a phrase: commas and possessives stand alone ("that creature's owner": that, creature, 's, owner).

    Raises NounError for an empty or too long phrase.
    """
    if not text.strip() or len(text) > LONGEST_PHRASE:
        raise NounError("an empty phrase is no noun" if not text.strip() else f"a phrase of {len(text)} characters")
    words: list[str] = []
    for word in text.replace("’", "'").replace(",", " , ").split():
        if word.endswith("'s") and word not in CONTRACTIONS and word not in SUBTYPES:
            words += [word[:-2], "'s"]
        elif word.endswith("s'"):
            words += [word[:-1], "'s"]
        else:
            words.append(word)
    return tuple(words)


class Cursor:
    """A place in a row of words, with the ways to move on. `furthest` remembers where reading failed last of all."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = split(text)
        self.at = 0
        self.furthest = 0

    def peek(self, ahead: int = 0) -> str:
        """The word so far ahead; "" after the last."""
        place = self.at + ahead
        return self.words[place] if place < len(self.words) else ""

    def take(self, *phrases: str) -> str:
        """Moves past the first of the phrases that stands here and returns it, else returns ""."""
        for phrase in phrases:
            parts = tuple(phrase.split())
            if self.words[self.at : self.at + len(parts)] == parts:
                self.at += len(parts)
                return phrase
        return ""

    def need(self, *phrases: str) -> str:
        """As `take`, but fails if none stands here."""
        return self.take(*phrases) or self.fail()

    def longest(self, table: Mapping[tuple[str, ...], T], most: int) -> T | None:
        """The entry of the table with the longest key (of at most `most` words) that stands here; moves past it."""
        for length in range(min(most, len(self.words) - self.at), 0, -1):
            found = table.get(self.words[self.at : self.at + length])
            if found is not None:
                self.at += length
                return found
        return None

    def attempt(self, read: Callable[[], T]) -> T | None:
        """What `read` reads here, or None, not having moved, if it fails."""
        start = self.at
        try:
            return read()
        except NounError:
            self.at = start
            return None

    def fail(self) -> str:
        """Raises NounError naming the word here (or an earlier attempt's, if that came further)."""
        self.furthest = max(self.furthest, self.at)
        word = self.words[self.furthest] if self.furthest < len(self.words) else ""
        if word:
            raise NounError(f"the word {word!r} was not understood in {self.text!r}")
        raise NounError(f"{self.text!r} ends too soon")
