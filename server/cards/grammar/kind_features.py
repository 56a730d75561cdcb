"""What stands after "with" in a kind: "power 3 or less", "flying", "a +1/+1 counter on it", "the same name as it"."""

from __future__ import annotations

from typing import NamedTuple, cast

from server.cards import nouns as n
from server.cards.grammar.kind_heads import joined
from server.cards.grammar.kind_numbers import NumberReader
from server.cards.grammar.kind_words import KEYWORDS, STATS, Zone

BASIC_LAND_TYPES = ("Plains", "Island", "Swamp", "Mountain", "Forest")


class Kind(NamedTuple):
    """What a kind phrase means: its things, whether it is plural, and a superlative ("with the greatest power")."""

    things: n.Things
    plural: bool
    best: tuple[n.Stat, bool] | None = None


class Tail:
    """What followed the heads so far."""

    def __init__(self) -> None:
        self.parts: list[n.Predicate] = []
        self.zone: Zone | None = None
        self.best: tuple[n.Stat, bool] | None = None
        self.elsewhere = False  # "from anywhere other than ...", which only spells are

    def copy(self) -> Tail:
        """A copy that may be changed."""
        other = Tail()
        other.take_over(self)
        other.parts = list(self.parts)
        return other

    def is_shared(self) -> bool:
        """Whether what followed is said of all alternatives, also of those with an article of their own."""
        return self.best is None and all(isinstance(p, n.Among | n.OwnedBy | n.ControlledBy) for p in self.parts)

    def take_over(self, other: Tail) -> None:
        """Becomes like the other."""
        self.parts, self.zone, self.best, self.elsewhere = other.parts, other.zone, other.best, other.elsewhere


class FeatureReader(NumberReader):
    """Reads what things of a kind have. Whole phrases inside of it are `noun`s, kinds with all that follows them `kind`s."""

    def noun(self) -> n.Reading:
        """A whole noun phrase; `grammar.NounReader` knows how."""
        raise NotImplementedError

    def kind(self) -> Kind:
        """A kind with all that follows it; `kinds.KindReader` knows how."""
        raise NotImplementedError

    def having(self, tail: Tail) -> bool:
        """ "with power 3 or greater", "with flying", "without flying", "with a +1/+1 counter on it", "named"."""
        if self.take("without"):
            part = self.feature(tail)
            tail.parts.append(n.Not(part=part) if part is not None else n.All(parts=()))
            return part is not None
        if not self.take("with", "each with"):
            return False
        while True:
            part = self.feature(tail)
            if part is not None:
                tail.parts.append(part)
            start = self.at
            if not (self.take("and") and self.attempt(lambda: self.feature(tail.copy()) is not None)):
                self.at = start
                return True
            self.at = start
            self.take("and")

    def feature(self, tail: Tail) -> n.Predicate | None:
        """What stands after "with"; None for a superlative, which goes into the tail."""
        if self.take("the most votes or tied for most votes"):
            return n.Among(of=n.Named(name="most votes"))
        if self.take("one or more votes"):
            return n.Among(of=n.Named(name="voted for"))
        if self.take("the"):
            return self.definite_feature(tail)
        if word := self.take("lesser", "greater"):  # than that of what was spoken of
            than = self.longest(STATS, 3)
            if than is None:
                self.fail()
            its = n.StatOf(stat=cast(n.Stat, than), of=n.Noun("it"))
            return n.StatIs(stat=cast(n.Stat, than), compare="<" if word == "lesser" else ">", amount=its)
        if parity := self.take("even mana value", "odd mana value"):
            return n.EvenValue(odd=parity.startswith("odd"))
        if self.take("a basic land type"):
            return n.Any(parts=tuple(n.HasSubtype(subtype=word) for word in BASIC_LAND_TYPES))
        if self.take("{X} in its mana cost", "{X} in their mana costs", "a mana cost that contains {X}"):
            return n.HasX()
        if self.take("total"):
            stat = self.longest(STATS, 3)
            compare, amount = self.comparison()
            if stat is None or compare != "<=":
                self.fail()
            return n.TotalAtMost(stat=cast(n.Stat, stat), amount=amount)
        if self.take("power or toughness"):
            compare, amount = self.comparison()
            stats: tuple[n.Stat, n.Stat] = ("power", "toughness")
            return n.Any(parts=tuple(n.StatIs(stat=stat, compare=compare, amount=amount) for stat in stats))
        if self.take("toughness greater than its power", "toughness greater than their power"):
            return n.StatIs(stat="toughness", compare=">", amount=n.StatOf(stat="power", of=n.Noun("itself")))
        stat = self.longest(STATS, 3)
        if stat is not None:
            compare, amount = self.comparison()
            return n.StatIs(stat=stat, compare=compare, amount=amount)
        found = self.plain_feature() or self.attempt(self.counter)
        if found is not None:
            return found
        keywords = [self.keyword()]
        while True:
            start = self.at
            if self.take("or", ", or", ",") and (word := self.longest(KEYWORDS, 3)):
                keywords.append(n.HasKeyword(keyword=word))
            else:
                self.at = start
                return joined([*keywords], either=True)

    def plain_feature(self) -> n.Predicate | None:
        """What stands after "with" in fixed words: "no abilities", "a single target", "counters on it", "mana cost {0}"."""
        if self.peek() == "mana" and self.take("mana cost"):
            return self.mana_cost()
        if self.take("no abilities"):
            return n.NoAbilities()
        if self.take("that name"):
            return n.OfChosen(what="name")
        if self.take("a single target"):
            return n.Targets(single=True)
        if self.peek(1) == "counters" and self.peek(2) == "on":
            kind = self.peek()
            self.at += 3
            self.need("it", "them")
            return n.HasCounter(counter=kind)
        if word := self.take("no counters on", "counters on"):
            self.need("it", "them")
            return n.HasCounter() if word == "counters on" else n.Not(part=n.HasCounter())
        return None

    def definite_feature(self, tail: Tail) -> n.Predicate | None:
        """After "with the": "same name as ...", "chosen name", "greatest power"."""
        if self.take("same name as"):
            return n.SharesName(with_=self.noun())
        if self.take("chosen name"):
            return n.OfChosen(what="name")
        word = self.need("greatest", "highest", "most", "least", "lowest", "smallest")
        stat = self.longest(STATS, 3)
        if stat is None:
            self.fail()
        tail.best = (cast(n.Stat, stat), word in ("greatest", "highest", "most"))
        if self.take("among"):
            within = self.noun()
            kind = n.kind_of(within)
            tail.parts.append(kind.objects if kind is not None and kind.objects is not None else n.Among(of=within))
        return None
