"""Adjectives and heads of kinds ("tapped artifact or creature"), and how alternatives of them join.

Adjectives apply to all alternatives that bring none of their own; that is for `kinds` to compose.
"""

from __future__ import annotations

from typing import NamedTuple

from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.grammar.cursor import Cursor
from server.cards.grammar.kind_words import ADJECTIVES, HEADS, LINKS, SIDES, Head


class Alternative(NamedTuple):
    """One of the alternatives of a kind ("tapped creature" in "artifact or tapped creature")."""

    adjectives: tuple[n.Predicate, ...]
    heads: tuple[Head, ...]
    article: bool = False


def joined(parts: tuple[n.Predicate, ...] | list[n.Predicate], either: bool = False) -> n.Predicate | None:
    """The parts as one predicate: all (or any) of them; None if there is none."""
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    return n.Any(parts=tuple(parts)) if either else n.All(parts=tuple(parts))


class HeadReader(Cursor):
    """Reads adjectives and heads."""

    def adjective(self) -> n.Predicate | None:
        """One adjective, or None."""
        if self.longest_head_is_player():
            return None
        found = self.longest(ADJECTIVES, 1)
        if found is None and self.peek().startswith("non-") and self.peek()[4:].capitalize() in v.SUBTYPES:
            found = n.Not(part=n.HasSubtype(subtype=self.peek()[4:].capitalize()))
            self.at += 1
        if found is None and "/" in self.peek() and self.at and self.peek(-1) == "target":  # others are tokens' sizes
            power, _, toughness = self.peek().partition("/")
            if power.isdecimal() and toughness.isdecimal():
                sides: tuple[tuple[n.Stat, str], ...] = (("power", power), ("toughness", toughness))
                found = n.All(parts=tuple(n.StatIs(stat=s, compare="=", amount=int(side)) for s, side in sides))
                self.at += 1
        return found

    def longest_head_is_player(self) -> bool:
        """Whether "attacking player" and the like stand here, whose first word is no adjective."""
        return self.peek(1) in ("player", "players") and self.peek() in SIDES

    def adjectives(self) -> list[n.Predicate]:
        """All adjectives that stand here; "white or blue" is one of them, "nonwhite, nonblack" two."""
        found: list[n.Predicate] = []
        while (first := self.adjective()) is not None:
            row, either = [first], False
            while True:
                start = self.at
                link = self.take(", or", "or", "and/or", ",")
                following = self.adjective() if link else None
                if following is None:
                    self.at = start
                    break
                row.append(following)
                either = either or link != ","
            if either:
                found.append(n.Any(parts=tuple(row)))
            else:
                found += row
        return found

    def alternative(self) -> Alternative:
        """Adjectives and heads up to the next word that is neither."""
        before = self.adjectives()
        heads: list[Head] = []
        while (head := self.longest(HEADS, 4)) is not None:
            if head.player is not None and heads:  # "creature | defending player controls"
                self.at -= 2 if head.player.which in SIDES else 1
                break
            heads.append(head)
            if head.player is not None:
                break
        return Alternative(tuple(before), tuple(heads))

    def alternatives(self) -> list[Alternative]:
        """One alternative or several joined by "or", "and", commas; fails if nothing stands here."""
        found = [self.alternative()]
        if not found[0].heads and not found[0].adjectives:
            self.fail()
        while found[-1].heads:
            start = self.at
            linked = bool(self.take(*LINKS))
            article = linked and self.peek(-1) == "or" and bool(self.take("a", "an"))
            following = self.alternative() if linked else None
            if following is None or not following.heads:
                self.at = start
                break
            found.append(following._replace(article=article))
        return found
