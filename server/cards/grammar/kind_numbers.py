"""What kinds count and compare: "3 or greater", "X or less", "a +1/+1 counter on it", a keyword, a mana cost."""

from __future__ import annotations

from functools import cache
from typing import cast

from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.grammar.kind_heads import HeadReader
from server.cards.grammar.kind_words import COMPARES, KEYWORDS, STATS


@cache
def _measures() -> dict[tuple[str, ...], n.Amount]:
    """What is compared to in words of its own."""
    you = n.Noun("you")
    basic = n.Distinct(what="basic land types", of=n.Noun("lands you control"))
    return {
        tuple(words.split()): amount
        for words, amount in (
            ("that damage", n.ThatMuch()),
            ("the amount of life you gained this turn", n.TurnCount(what="life gained", of=you)),
            ("the amount of life you lost this turn", n.TurnCount(what="life lost", of=you)),
            ("the amount of mana spent to cast {this}", n.ManaSpent()),
            ("the amount of mana spent to cast this spell", n.ManaSpent()),
            ("the number of colors of mana spent to cast {this}", n.ColorsSpent()),
            ("the number of colors of mana spent to cast this spell", n.ColorsSpent()),
            ("the number of basic land types among lands you control", basic),
        )
    }


class NumberReader(HeadReader):
    """Reads numbers, comparisons and what else stands after "with". Whole phrases inside of it are `possessor`s."""

    def possessor(self) -> n.Reading:
        """A noun phrase that leaves "'s hand" after it unread."""
        raise NotImplementedError

    def mana_cost(self) -> n.ManaCostIs:
        """After "mana cost": "{0} or {1}"."""
        costs = [self.peek()]
        self.at += 1
        while self.peek() == "or" and self.peek(1).startswith("{"):
            costs.append(self.peek(1))
            self.at += 2
        if not all(cost.startswith("{") for cost in costs):
            self.fail()
        return n.ManaCostIs(costs=tuple(costs))

    def keyword(self) -> n.HasKeyword:
        """A keyword's name."""
        word = self.longest(KEYWORDS, 3)
        return n.HasKeyword(keyword=word if word is not None else self.fail())

    def counter(self) -> n.Predicate:
        """ "a +1/+1 counter on it", "one or more charge counters on them", "three or more +1/+1 counters on it"."""
        least: n.Amount = 1
        if not self.take("a", "an", "one or more"):
            least = self.number()
            self.need("or more")
        kind = "" if self.peek() in ("counter", "counters") else self.peek()
        self.at += 1 if kind else 0
        self.need("counter on", "counters on")
        self.need("it", "them", "him or her")
        if not isinstance(least, int):
            self.fail()
        return n.HasCounter(counter=kind, least=cast(int, least))

    def comparison(self) -> tuple[n.Compare, n.Amount]:
        """ "3 or greater", "2", "X or less", "less than or equal to 3"."""
        compare = self.longest(COMPARES, 5)
        amount = self.measured() if compare is not None else None
        if amount is None:
            amount = self.number_of() if compare is not None and self.take("the number of") else self.number()
        if compare is not None:
            return compare, amount
        if self.take("or greater", "or more"):
            return ">=", amount
        if self.take("or less", "or fewer"):
            return "<=", amount
        return "=", amount

    def measured(self) -> n.Amount | None:
        """What something is compared to: "that creature's power", "the life you gained this turn"; None for a number."""
        fixed = self.longest(_measures(), 12)
        if fixed is not None:
            return fixed
        if self.take("the greatest"):
            stat = self.longest(STATS, 3)
            self.need("among")
            start = self.at
            self.possessor()
            return n.Most(stat=cast(n.Stat, stat or self.fail()), of=n.Noun(" ".join(self.words[start : self.at])))
        return self.stat_of() if self.peek() == "that" or self.peek().startswith("$") else None

    def number_of(self) -> n.Amount:
        """After "the number of": things, or counters on them. What is said from where stands behind belongs to the whole phrase."""
        if self.peek(1) == "counters" and self.peek(2) == "on" and self.peek(3) == "{this}":
            kind = self.peek()
            self.at += 4
            return n.CountersOn(counter=kind, of=n.Noun("{this}"))
        end = next((i for i in range(self.at, len(self.words)) if self.words[i] in ("from", ",")), len(self.words))
        for stop in range(end, self.at, -1):
            text = " ".join(self.words[self.at : stop]).replace(" 's", "'s")
            try:
                things = n.Noun(text)
            except n.NounError:
                continue
            if not isinstance(things.reading, n.Each) or text.split()[0] in ("each", "all"):
                return cast(n.Amount, self.fail())
            self.at = stop
            return n.Count(of=things)
        return cast(n.Amount, self.fail())

    def number(self) -> n.Amount:
        """A number in digits or words, or X."""
        if self.take("that many"):
            return n.ThatMuch()
        word = self.peek()
        self.at += 1
        if word == "X":
            return n.X()
        if word == "{this}" and self.take("'s"):
            stat = self.longest(STATS, 3)
            if stat is None:
                self.fail()
            return n.StatOf(stat=cast(n.Stat, stat), of=n.Noun("{this}"))
        if word.isdecimal() and len(word) < 4:
            return n.Plus(parts=(int(word), self.stat_of())) if self.take("plus") else int(word)
        if word in v.NUMBERS:
            return v.NUMBERS[word]
        self.at -= 1
        self.fail()
        return 0

    def stat_of(self) -> n.StatOf:
        """ "the sacrificed creature's mana value"."""
        start = self.at
        self.possessor()
        text = " ".join(self.words[start : self.at])
        self.need("'s")
        stat = self.longest(STATS, 3)
        if stat is None:
            self.fail()
        return n.StatOf(stat=cast(n.Stat, stat), of=n.Noun(text))
