"""Kinds: the part of a noun phrase after its determiner ("nonblack creature an opponent controls with power 3 or less").

A kind is adjectives, heads and what follows them. The tables say which word means which predicate; the methods of
`KindReader` say how words join. `grammar.NounReader` builds whole phrases on it. Adjectives apply to all alternatives that
bring none of their own ("tapped artifact or creature"); what follows applies to all of them ("artifact or creature you
control"); a last "card" or "spell" too ("instant or sorcery card").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, cast

import msgspec

from server.cards import nouns as n
from server.cards import vocabulary as v
from server.cards.words import Cursor

Zone = n.Zone
Sort = Literal[
    "permanent", "spell", "activated ability", "triggered ability", "ability", "card", "token", "source", "commander"
]


class Kind(NamedTuple):
    """What a kind phrase means: its things, whether it is plural, and a superlative ("with the greatest power")."""

    things: n.Things
    plural: bool
    best: tuple[n.Stat, bool] | None = None


class Head(NamedTuple):
    """One head word: its predicate (None for players), the kind of player, the sort if it is one, and its number."""

    predicate: n.Predicate | None
    player: n.Players | None
    sort: str
    plural: bool


class Alternative(NamedTuple):
    """One of the alternatives of a kind ("tapped creature" in "artifact or tapped creature")."""

    adjectives: tuple[n.Predicate, ...]
    heads: tuple[Head, ...]
    article: bool = False


# --- tables ------------------------------------------------------------------------------------------------------------

STATS: dict[tuple[str, ...], n.Stat] = {
    ("power",): "power",
    ("toughness",): "toughness",
    ("mana", "value"): "mana value",
    ("converted", "mana", "cost"): "mana value",
    ("loyalty",): "loyalty",
}

# Sides of players whose first word is also an adjective, or no word by itself.
SIDES = ("active", "nonactive", "attacking", "defending")
STATUS_WORDS = (
    "tapped", "untapped", "attacking", "blocking", "blocked", "unblocked", "enchanted", "equipped",
    "foretold", "plotted", "warped", "renowned", "monstrous", "saddled", "rioted", "attached", "unpaired",
)  # fmt: skip


def _adjectives() -> dict[tuple[str, ...], n.Predicate]:
    table: dict[tuple[str, ...], n.Predicate] = {
        ("colorless",): n.ColorCount(compare="=", number=0),
        ("monocolored",): n.ColorCount(compare="=", number=1),
        ("multicolored",): n.ColorCount(compare=">=", number=2),
        ("colored",): n.ColorCount(compare=">=", number=1),
        ("face-down",): n.Status(status="face down"),
        ("face-up",): n.Status(status="face up"),
        ("nontoken",): n.Not(part=n.IsA(sort="token")),
        ("historic",): n.Any(
            parts=(n.HasType(type="artifact"), n.HasSupertype(supertype="legendary"), n.HasSubtype(subtype="Saga"))
        ),
        ("other",): n.Other(),
    }
    for word in STATUS_WORDS:
        table[(word,)] = msgspec.convert({"noun": "status", "status": word}, n.Status)
    for word, mask in v.COLORS.items():
        table[(word,)] = n.HasColor(mask=mask)
        table[(f"non{word}",)] = n.Not(part=n.HasColor(mask=mask))
    for word in v.SUPERTYPES:
        table[(word,)] = n.HasSupertype(supertype=word)
        table[(f"non{word}",)] = n.Not(part=n.HasSupertype(supertype=word))
    for word in v.CARD_TYPES:
        table[(f"non{word}",)] = n.Not(part=n.HasType(type=word))
    for word in v.SUBTYPES:
        table[(f"non-{word}",)] = n.Not(part=n.HasSubtype(subtype=word))
    return table


def _heads() -> dict[tuple[str, ...], Head]:
    table: dict[tuple[str, ...], Head] = {}

    def put(one: str, predicate: n.Predicate | None, player: n.Players | None = None, sort: str = "") -> None:
        for many in v.plurals(one):
            table[tuple(many.split())] = Head(predicate, player, sort, True)
        table[tuple(one.split())] = Head(predicate, player, sort, False)

    for word in v.CARD_TYPES:
        put(word, n.HasType(type=word))
    for word in v.SUBTYPES:
        put(word, n.HasSubtype(subtype=word))
    for sort in (
        "permanent",
        "spell",
        "activated ability",
        "triggered ability",
        "ability",
        "card",
        "token",
        "source",
        "commander",
    ):
        put(sort, n.IsA(sort=sort), sort=sort)
    put("activated or triggered ability", n.IsA(sort="ability"), sort="ability")
    put("player", None, n.Players())
    put("opponent", None, n.Players(which="opponent"))
    for which in SIDES:
        put(f"{which} player", None, n.Players(which=which))
    return table


# What a card or spell is that would be a permanent.
PERMANENT_TYPE = Head(n.Any(parts=tuple(n.HasType(type=word) for word in v.PERMANENT_TYPES)), None, "", False)
ADJECTIVES = _adjectives()
HEADS = _heads()
KEYWORDS: dict[tuple[str, ...], str] = {tuple(word.split()): word for word in v.KEYWORDS}
LINKS = (", and/or", ", or", ", and", "and/or", "or", "and", ",")
# Words that only say who chooses, which the verb or the determiner says already.
CHOOSER_TAILS = (
    "of your choice",
    "of their choice",
    "of his or her choice",
    "of that player 's choice",
    "of its controller 's choice",
)
# Words of names that are not in capital letters.
SMALL_WORDS = frozenset(("a", "an", "the", "of", "and", "to", "in", "for", "from", "with", "'s"))
ZONES: dict[tuple[str, ...], Zone] = {
    ("hand",): "hand",
    ("hands",): "hand",
    ("graveyard",): "graveyard",
    ("graveyards",): "graveyard",
    ("library",): "library",
    ("libraries",): "library",
}
COMPARES: dict[tuple[str, ...], n.Compare] = {
    ("less", "than", "or", "equal", "to"): "<=",
    ("greater", "than", "or", "equal", "to"): ">=",
    ("less", "than"): "<",
    ("greater", "than"): ">",
    ("equal", "to"): "=",
}
RELATIVES: dict[tuple[str, ...], n.Predicate] = {
    ("was", "exiled", "before", "this", "turn"): n.Status(status="arrived earlier"),
    ("was", "discarded", "this", "turn"): n.Status(status="discarded this turn"),
    ("was", "milled", "this", "turn"): n.Status(status="milled this turn"),
    ("were", "milled", "this", "turn"): n.Status(status="milled this turn"),
    ("were", "put", "there", "from", "libraries", "this", "turn"): n.Status(status="from library this turn"),
    ("attacked", "this", "turn"): n.Status(status="attacked this turn"),
    ("blocked", "this", "turn"): n.Status(status="blocked this turn"),
    ("entered", "this", "turn"): n.Status(status="entered this turn"),
    ("entered", "the", "battlefield", "this", "turn"): n.Status(status="entered this turn"),
    ("came", "under", "your", "control", "this", "turn"): n.Status(status="entered this turn"),
    ("came", "under", "your", "control", "since", "the", "beginning", "of", "your", "last", "upkeep"): n.Status(
        status="new since upkeep"
    ),
}


def joined(parts: tuple[n.Predicate, ...] | list[n.Predicate], either: bool = False) -> n.Predicate | None:
    """The parts as one predicate: all (or any) of them; None if there is none."""
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    return n.Any(parts=tuple(parts)) if either else n.All(parts=tuple(parts))


class KindReader(Cursor):
    """Reads kinds. Whole phrases inside of them ("that player" in "creatures that player controls") are `noun`s."""

    def noun(self) -> n.Reading:
        """A whole noun phrase; `grammar.NounReader` knows how."""
        raise NotImplementedError

    def possessor(self) -> n.Reading:
        """A noun phrase that leaves "'s hand" after it unread."""
        raise NotImplementedError

    # --- adjectives and heads ----------------------------------------------------------------------------------------

    def adjective(self) -> n.Predicate | None:
        """One adjective, or None."""
        if self.longest_head_is_player():
            return None
        found = self.longest(ADJECTIVES, 1)
        if found is None and self.peek().startswith("non-") and self.peek()[4:].capitalize() in v.SUBTYPES:
            found = n.Not(part=n.HasSubtype(subtype=self.peek()[4:].capitalize()))
            self.at += 1
        return found

    def longest_head_is_player(self) -> bool:
        """Whether "attacking player" and the like stand here, whose first word is no adjective."""
        return self.peek(1) in ("player", "players") and self.peek() in (
            "active",
            "nonactive",
            "attacking",
            "defending",
        )

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

    # --- the kind ------------------------------------------------------------------------------------------------------

    def kind(self) -> Kind:
        """A kind with all that follows it. Fails at the first word that belongs to none."""
        found = self.alternatives()
        tail = Tail()
        while self.follow(tail):
            pass
        if any(other.article for other in found) and not tail.is_shared():
            self.fail()  # "a Plains card or a creature card with ...": what follows is said of the last alone
        objects = [other for other in found if not _is_player(other)]
        players = [_player(other, found[0]) for other in found if _is_player(other)]
        if not objects:
            if tail.parts or tail.zone or tail.best:
                self.fail()
            return Kind(n.Things(players=_merged(players)), found[-1].heads[-1].plural)
        plural = bool(found[-1].heads) and found[-1].heads[-1].plural
        return Kind(_composed(objects, players, tail), plural, tail.best)

    # --- what follows ----------------------------------------------------------------------------------------------------

    def follow(self, tail: Tail) -> bool:
        """Reads one thing that may follow the heads into `tail`; False (not having moved) if none stands here."""
        if self.take(*CHOOSER_TAILS):
            return True
        for rule in (self.relation, self.having, self.placed, self.described, self.controlled):
            found = self.attempt(lambda rule=rule: self.tail_rule(rule, tail))
            if found:
                return True
        return False

    def tail_rule(self, rule: Callable[[Tail], bool], tail: Tail) -> bool:
        """Runs one rule on a copy of the tail, so that a failed one leaves nothing behind."""
        scratch = tail.copy()
        if not rule(scratch):
            return False
        tail.take_over(scratch)
        return True

    def controlled(self, tail: Tail) -> bool:
        """ "you control", "an opponent controls", "that player owns", "you don't control", "you cast"."""
        by = as_players(self.noun())
        word = self.take(
            "control",
            "controls",
            "controlled",
            "own",
            "owns",
            "don't control",
            "doesn't control",
            "don't own",
            "doesn't own",
            "cast",
            "casts",
        )
        if not word:
            self.fail()
        part: n.Predicate = n.OwnedBy(by=by) if "own" in word else n.ControlledBy(by=by)
        tail.parts.append(n.Not(part=part) if "n't" in word else part)
        return True

    def having(self, tail: Tail) -> bool:
        """ "with power 3 or greater", "with flying", "without flying", "with a +1/+1 counter on it", "named"."""
        if self.take("without"):
            part = self.feature(tail)
            tail.parts.append(n.Not(part=part) if part is not None else n.All(parts=()))
            return part is not None
        if not self.take("with"):
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
        if self.take("the"):
            return self.definite_feature(tail)
        if word := self.take("lesser", "greater"):
            than = self.longest(STATS, 3)
            if than is None:
                self.fail()
            compare: n.Compare = "<" if word == "lesser" else ">"
            return n.StatIs(
                stat=cast(n.Stat, than), compare=compare, amount=n.StatOf(stat=cast(n.Stat, than), of=n.Noun("it"))
            )
        if parity := self.take("even mana value", "odd mana value"):
            return n.EvenValue(odd=parity.startswith("odd"))
        if self.take("power or toughness"):
            compare, amount = self.comparison()
            stats: tuple[n.Stat, n.Stat] = ("power", "toughness")
            return n.Any(parts=tuple(n.StatIs(stat=stat, compare=compare, amount=amount) for stat in stats))
        if word := self.take("lesser", "greater"):  # than that of what was spoken of
            stat = self.longest(STATS, 3)
            if stat is None:
                self.fail()
            its = n.StatOf(stat=cast(n.Stat, stat), of=n.Noun("it"))
            return n.StatIs(stat=cast(n.Stat, stat), compare="<" if word == "lesser" else ">", amount=its)
        stat = self.longest(STATS, 3)
        if stat is not None:
            compare, amount = self.comparison()
            return n.StatIs(stat=stat, compare=compare, amount=amount)
        if self.take("no abilities"):
            return n.NoAbilities()
        if self.take("a single target"):
            return n.Targets(single=True)
        if self.take("no counters on"):
            self.need("it", "them")
            return n.Not(part=n.HasCounter())
        if self.take("counters on"):
            self.need("it", "them")
            return n.HasCounter()
        found = self.attempt(self.counter)
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
        return n.HasCounter(counter=kind, least=least if isinstance(least, int) else 1)

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

    def comparison(self) -> tuple[n.Compare, n.Amount]:
        """ "3 or greater", "2", "X or less", "less than or equal to 3"."""
        compare = self.longest(COMPARES, 5)
        amount = self.number()
        if compare is not None:
            return compare, amount
        if self.take("or greater", "or more"):
            return ">=", amount
        if self.take("or less", "or fewer"):
            return "<=", amount
        return "=", amount

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
            return int(word)
        if word in v.NUMBERS:
            return v.NUMBERS[word]
        self.at -= 1
        self.fail()
        return 0

    def placed(self, tail: Tail) -> bool:
        """ "in your graveyard", "from a graveyard", "in exile", "on the battlefield", "from among them", "on the stack"."""
        if self.take("from among", "among"):
            tail.parts.append(n.Among(of=self.noun()))
            return True
        if self.take("on the battlefield", "from the battlefield"):
            tail.zone = "battlefield"
        elif self.take("on the stack"):
            tail.zone = "stack"
        elif self.take("in exile", "from exile"):
            tail.zone = "exile"
        elif self.take("in the command zone", "from the command zone"):
            tail.zone = "command"
        elif self.take("from a single graveyard", "in a single graveyard"):
            tail.zone = "graveyard"
            tail.parts.append(n.Together())
        elif self.take("in", "from"):
            owner, tail.zone = self.owned_zone()
            if owner is not None:
                tail.parts.append(n.OwnedBy(by=owner))
        else:
            return False
        return True

    def owned_zone(self) -> tuple[n.Reading | None, Zone]:
        """ "your graveyard", "a graveyard", "that player's hand", "all graveyards": whose (None: anyone's) and which."""
        start = self.at
        if self.take("graveyards"):
            return None, "graveyard"
        if self.take("a", "any", "all", "each", "the") and (zone := self.longest(ZONES, 1)) is not None:
            return None, zone
        self.at = start
        owner: n.Reading
        if self.take("your"):
            owner = n.You()
        elif self.take("their", "his or her"):
            owner = n.It(what="player")
        elif self.take("its owner 's", "their owners 's", "their owner 's"):
            owner = n.OwnerOf(of=n.It())
        elif self.take("your opponents 's"):
            owner = n.Players(which="opponent")
        else:
            owner = as_players(self.possessor())
            self.need("'s")
        zone = self.longest(ZONES, 1)
        if zone is None:
            self.fail()
        return owner, cast(Zone, zone)

    def relation(self, tail: Tail) -> bool:
        """ "blocking it", "blocked by {this}", "attacking you", "attached to it", "dealt damage by it this turn"."""
        if self.take("dealt damage this turn"):
            tail.parts.append(n.Status(status="damaged this turn"))
        elif self.take("dealt damage by"):
            by = self.noun()
            self.need("this turn")
            tail.parts.append(n.DealtDamageBy(by=by))
        elif self.take("exiled with {this}"):
            tail.parts.append(n.Among(of=n.Linked()))
            tail.zone = "exile"
        elif self.take("attached to"):
            tail.parts.append(n.AttachedTo(to=self.noun()))
        elif self.take("exiled with {this}"):
            tail.parts.append(LINKED)
            tail.zone = "exile"
        elif self.take("other than"):
            other = self.noun()
            tail.parts.append(n.Other() if isinstance(other, n.This) else n.Not(part=n.Among(of=other)))
        elif self.take("attacking you or a planeswalker you control", "attacking you or planeswalkers you control"):
            tail.parts.append(n.Status(status="attacking you"))
        elif self.take("blocking or blocked by", "blocked by or blocking"):
            tail.parts.append(n.InCombatWith(relation="blocking or blocked by", with_=self.noun()))
        elif word := self.take("blocking", "blocked by", "attacking"):
            relation = cast(Literal["blocking", "blocked by", "attacking"], word)
            tail.parts.append(n.InCombatWith(relation=relation, with_=self.noun()))
        elif self.take("of the chosen"):
            word = self.need("color", "type", "name", "creature type", "player", "card type", "land type")
            what = cast(Literal["color", "type", "name", "player"], word.rpartition(" ")[2])
            tail.parts.append(n.OfChosen(what=what))
        else:
            return False
        return True

    def described(self, tail: Tail) -> bool:
        """ "named ...", "that attacked this turn", "that's red", "that isn't a Goblin", "that targets you"."""
        if self.take("named"):
            first = self.at
            while self.peek() and (
                self.at == first or self.peek() not in ("in", "from", "you", "that", "on", "with", ",")
            ):
                self.at += 1
            if self.at == first:
                self.fail()
            self.attempt(self.title)
            tail.parts.append(
                n.HasName(name=" ".join(self.words[first : self.at]).replace(" ,", ",").replace(" 's", "'s"))
            )
            return True
        if self.take("that is not", "that isn't", "that are not", "that aren't"):
            tail.parts.append(n.Not(part=self.description(tail)))
        elif self.take("that's", "that is", "that are"):
            tail.parts.append(self.description(tail))
        elif self.take("that was dealt damage this turn", "that were dealt damage this turn"):
            tail.parts.append(n.Status(status="damaged this turn"))
        elif self.take("that shares a creature type with", "that share a creature type with"):
            tail.parts.append(n.SharesCreatureType(with_=self.noun()))
        elif self.take("that shares a color with", "that share a color with"):
            tail.parts.append(n.SharesColor(with_=self.noun()))
        elif self.take("that blocked or was blocked by", "that blocked or were blocked by"):
            tail.parts.append(self.fought("either"))
        elif self.take("that was blocked by", "that were blocked by"):
            tail.parts.append(self.fought("was blocked by"))
        elif self.take("that targets", "that target"):
            tail.parts.append(n.Targets(of=self.noun()))
        elif self.take("that has", "that have"):
            tail.parts.append(self.counter())
        elif self.take("that"):
            found = self.longest(RELATIVES, 11)
            if found is None:
                self.fail()
            tail.parts.append(cast(n.Predicate, found))
        else:
            return False
        return True

    def title(self) -> str:
        """The second half of a name with a comma in it ("Ajani, Valiant Protector"), in capital letters but for small words."""
        self.need(",")
        start = self.at
        while self.peek()[:1].isupper() or self.peek() in SMALL_WORDS:
            self.at += 1
        if self.at == start or not self.peek(-1)[:1].isupper():
            return self.fail()
        return self.peek(-1)

    def fought(self, relation: Literal["blocked", "was blocked by", "either"]) -> n.Predicate:
        """Whom it blocked or was blocked by, and "this turn"."""
        with_ = self.noun()
        self.need("this turn")
        return n.FoughtThisTurn(relation=relation, with_=with_)

    def description(self, tail: Tail) -> n.Predicate:
        """What something is said to be: adjectives, a place in combat, or a kind ("a Goblin")."""
        scratch = Tail()
        if self.peek() in ("blocking", "blocked", "attacking", "attached", "of") and self.attempt(
            lambda: self.relation(scratch)
        ):
            return scratch.parts[0]
        if self.take("a", "an"):
            kinds = [self.kind().things]
            while self.take("or a", "or an", ", or a", ", or an", ", a", ", an"):
                kinds.append(self.kind().things)
            found = joined([kind.objects for kind in kinds if kind.objects is not None], either=True)
            return found if found is not None else n.All(parts=())
        if self.take("exactly"):
            count = self.number()
            self.need("colors", "color")
            if not isinstance(count, int):
                self.fail()
            return n.ColorCount(compare="=", number=cast(int, count))
        parts = self.adjectives()
        found = joined(parts)
        if found is None:
            self.fail()
        return cast(n.Predicate, found)


class Tail:
    """What followed the heads so far."""

    def __init__(self) -> None:
        self.parts: list[n.Predicate] = []
        self.zone: Zone | None = None
        self.best: tuple[n.Stat, bool] | None = None

    def copy(self) -> Tail:
        """A copy that may be changed."""
        other = Tail()
        other.parts, other.zone, other.best = list(self.parts), self.zone, self.best
        return other

    def is_shared(self) -> bool:
        """Whether what followed is said of all alternatives, also of those with an article of their own."""
        return self.best is None and all(isinstance(p, n.Among | n.OwnedBy | n.ControlledBy) for p in self.parts)

    def take_over(self, other: Tail) -> None:
        """Becomes like the other."""
        self.parts, self.zone, self.best = other.parts, other.zone, other.best


#: Exiled by a linked ability of this object (607.2a).
LINKED = n.Among(of=n.Linked())


def _composed(objects: list[Alternative], players: list[n.Players], tail: Tail) -> n.Things:
    """The things of these alternatives: shared adjectives, the alternatives, a shared sort, what followed."""
    own = any(other.adjectives or other.article for other in objects[1:])
    shared = () if own else objects[0].adjectives
    last_sort = _shared_sort(objects)
    either: list[n.Predicate] = []
    places: list[Zone | Literal[""]] = []
    for other in objects:
        heads = tuple(_permanent_card(other.heads, head) for head in other.heads if head is not last_sort)
        place = _place((*heads, last_sort) if last_sort is not None else heads)
        if place not in places:
            places.append(place)
        whole = joined(
            [*(other.adjectives if own else ()), *(head.predicate for head in heads if head.predicate is not None)]
        )
        if whole is not None:
            either.append(whole)
    parts: list[n.Predicate] = [*shared]
    if either:
        parts.append(cast(n.Predicate, joined(either, either=True)))
    if last_sort is not None:
        parts.append(cast(n.Predicate, last_sort.predicate))
    if LINKED in tail.parts:  # "each other card exiled with {this}" is other than the one spoken of
        parts = [n.Not(part=n.Among(of=n.It())) if isinstance(part, n.Other) else part for part in parts]
    return n.Things(
        objects=joined(_flat([*parts, *tail.parts])) or n.All(parts=()),
        players=_merged(players) if players else None,
        zone=tail.zone or (places[0] if len(places) == 1 else "") or "battlefield",
        anywhere=(len(places) > 1 or "" in places) and not tail.zone,
    )


def _permanent_card(heads: tuple[Head, ...], head: Head) -> Head:
    """The head; in "permanent card" and "permanent spell" it means a type (110.4a, 110.4b)."""
    sorts = {other.sort for other in heads}
    return PERMANENT_TYPE if head.sort == "permanent" and sorts & {"card", "spell"} else head


def _shared_sort(objects: list[Alternative]) -> Head | None:
    """The "card" or "spell" that the last alternative brings for all of them ("instant or sorcery card")."""
    last = objects[-1].heads
    if len(objects) < 2 or len(last) < 2 or last[-1].sort not in ("card", "spell"):
        return None
    return None if any(head.sort for other in objects[:-1] for head in other.heads) else last[-1]


def _place(heads: tuple[Head, ...]) -> Zone | Literal[""]:
    """Where things of these heads are unless said: "" leaves it open (cards, sources, a bare quality)."""
    sorts = {head.sort for head in heads}
    if not heads or sorts & {"card", "source"}:
        return ""
    if sorts & {"spell", "ability", "activated ability", "triggered ability"}:
        return "stack"
    if any(head.predicate in (n.HasType(type="instant"), n.HasType(type="sorcery")) for head in heads):
        return ""
    return "battlefield"


def _is_player(alternative: Alternative) -> bool:
    return bool(alternative.heads) and alternative.heads[0].player is not None


def _player(alternative: Alternative, first: Alternative) -> n.Players:
    """The kind of player; the only adjective there is for one is "other". Those of "red creature or player" are not its own."""
    player = alternative.heads[0].player or n.Players()
    if n.Other() in (*first.adjectives, *alternative.adjectives) and player.which == "any":
        return n.Players(which="other")
    if any(adjective != n.Other() for adjective in alternative.adjectives):
        raise n.NounError("a player is neither coloured nor tapped nor of a type")
    return player


def _merged(players: list[n.Players]) -> n.Players:
    return players[0] if len(set(players)) == 1 else n.Players()


def _flat(parts: list[n.Predicate]) -> list[n.Predicate]:
    """The parts without `All` in `All`."""
    flat: list[n.Predicate] = []
    for part in parts:
        flat += part.parts if isinstance(part, n.All) else (part,)
    return flat


def as_players(reading: n.Reading) -> n.Reading:
    """ "an opponent", "opponents", "each player" as who controls or owns: the kind of player."""
    kind = n.kind_of(reading)
    if isinstance(reading, n.Each | n.Choose | n.Things) and kind is not None and kind.objects is None:
        return kind.players or n.Players()
    if reading == n.It():  # "they control": only players control and own
        return n.It(what="player")
    return reading
