"""What follows the heads of a kind: "you control", "with power 3 or less", "in your graveyard", "blocking it", "that's red"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from server.cards import nouns as n
from server.cards.grammar.kind_features import FeatureReader, Tail
from server.cards.grammar.kind_heads import joined
from server.cards.grammar.kind_words import (
    CHOOSER_TAILS,
    CHOSEN_THIS_WAY,
    DONE_THIS_WAY,
    OPPONENTS_CHOICE,
    PLAYERS_CHOICE,
    RELATIVES,
    SMALL_WORDS,
    THAT_WAS_DONE,
    TOGETHER,
    ZONES,
    Zone,
    as_players,
)

#: Exiled by a linked ability of this object (607.2a).
LINKED = n.Among(of=n.Linked())


class TailReader(FeatureReader):
    """Reads what follows heads. Whole phrases inside of it ("that player" in "creatures that player controls") are `noun`s. While
    `aiming` the kind is that of a target, which can be of an opponent's or that player's choice: then `chooser` tells so."""

    aiming = False
    chooser: n.Chooser = ""

    def together(self, tail: Tail) -> bool:
        """What targets of one slot are beside each other: a row of `TOGETHER`."""
        for words, alike in TOGETHER.items() if self.aiming else ():
            if self.take(words):
                if self.peek() == "with" and words.startswith("that "):
                    self.fail()
                tail.parts.append(alike)
                return True
        return False

    def follow(self, tail: Tail) -> bool:
        """Reads one thing that may follow the heads into `tail`; False (not having moved) if none stands here."""
        if self.take(*CHOOSER_TAILS):
            return True
        if self.aiming and not self.chooser and (said := self.take(OPPONENTS_CHOICE, PLAYERS_CHOICE)):
            self.chooser = "opponent" if said == OPPONENTS_CHOICE else "player"
            if said == OPPONENTS_CHOICE and self.take("they control", "he or she controls", "that player controls"):
                tail.parts.append(n.ControlledBy(by=n.It(what="player")))
            return True
        for rule in (self.together, self.relation, self.having, self.placed, self.described, self.controlled):
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
        if word in ("control", "controls") and self.take("but don't own", "but doesn't own"):
            tail.parts.append(n.Not(part=n.OwnedBy(by=by)))
        elif word in ("own", "owns") and self.take("and control", "and controls"):
            tail.parts.append(n.ControlledBy(by=by))
        elif word in ("own", "owns") and self.take("but don't control", "but doesn't control"):
            tail.parts.append(n.Not(part=n.ControlledBy(by=by)))
        return True

    def placed(self, tail: Tail) -> bool:
        """ "in your graveyard", "from a graveyard", "in exile", "on the battlefield", "from among them", "on the stack"."""
        if self.take("from among", "among"):
            tail.parts.append(n.Among(of=self.noun()))
            return True
        if self.take("from anywhere other than your hand", "from anywhere other than their hand"):
            tail.parts.append(n.Not(part=n.WasCastFrom(zone="hand")))
            tail.elsewhere = True
        elif self.take("on the battlefield or in the command zone"):
            tail.parts.append(n.LiesIn(zones=("battlefield", "command")))
        elif self.take("on the battlefield", "from the battlefield"):
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
            other = self.attempt(self.other_zone)
            if other is not None and owner is not None:
                tail.parts.append(n.LiesIn(zones=(tail.zone, other)))
                tail.zone = None
        else:
            return False
        return True

    def other_zone(self) -> Zone:
        """After "your hand": "or graveyard", "and/or your graveyard"."""
        self.need("or your", "and/or your", "or", "and/or")
        zone = self.longest(ZONES, 1)
        if zone is None:
            self.fail()
        return cast(Zone, zone)

    def owned_zone(self) -> tuple[n.Reading | None, Zone]:
        """ "your graveyard", "a graveyard", "that player's hand", "all graveyards": whose (None: anyone's) and which."""
        start = self.at
        if self.take("graveyards"):
            return None, "graveyard"
        if self.take("a", "any", "all", "each", "the") and (zone := self.longest(ZONES, 1)) is not None:
            return None, zone
        self.at = start
        owner: n.Reading
        if self.take("your opponents 's"):
            owner = n.Players(which="opponent")
        elif self.take("your"):
            owner = n.You()
        elif self.take("their", "his or her"):
            owner = n.It(what="player")
        elif self.take("its owner 's", "their owners 's", "their owner 's"):
            owner = n.OwnerOf(of=n.It())
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
        elif done := self.take(*DONE_THIS_WAY):
            tail.parts.append(n.Among(of=n.Named(name=done)))
        elif whose := self.take("put into your graveyard this way", "put into that graveyard this way"):
            tail.parts.append(n.Among(of=n.Named(name="put into a graveyard this way")))
            if "your" in whose:
                tail.parts.append(n.OwnedBy(by=n.You()))
        elif (source := self.attempt(self.from_source)) is not None:
            tail.parts.append(source)
        elif self.take("attached to"):
            tail.parts.append(n.AttachedTo(to=self.noun()))
        elif self.take("exiled with {this}"):
            tail.parts.append(LINKED)
            tail.zone = "exile"
        elif self.take("except for"):
            kept = [n.kind_of(part) for part in _parts(self.noun())]
            kinds = [kind.objects for kind in kept if kind is not None and kind.objects is not None]
            if len(kinds) != len(kept):
                self.fail()
            tail.parts.append(n.Not(part=cast(n.Predicate, joined(kinds, either=True))))
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
        elif word := self.take("of that type", "of that color"):  # that was chosen just before
            tail.parts.append(n.OfChosen(what="type" if word.endswith("type") else "color"))
        elif self.take("of the chosen"):
            word = self.need("color", "type", "name", "creature type", "player", "card type", "land type")
            what = cast(Literal["color", "type", "name", "player"], word.rpartition(" ")[2])
            tail.parts.append(n.OfChosen(what=what))
        else:
            return False
        return True

    def described(self, tail: Tail) -> bool:
        """ "named ...", "that attacked this turn", "that's red", "that isn't a Goblin", "that targets you"."""
        if word := self.take("not named", "named"):
            first = self.at
            while self.peek() and (
                self.at == first
                or self.peek() not in ("in", "from", "you", "that", "on", "with", "and/or", ",")
                and not (self.peek() == "and" and self.peek(1) in ("all", "each", "target", "up", "another"))
            ):
                self.at += 1
            if self.at == first:
                self.fail()
            self.attempt(self.title)
            name = n.HasName(name=" ".join(self.words[first : self.at]).replace(" ,", ",").replace(" 's", "'s"))
            tail.parts.append(name if word == "named" else n.Not(part=name))
            return True
        if self.take("that is not", "that isn't", "that are not", "that aren't"):
            tail.parts.append(n.Not(part=self.description(tail)))
        elif self.take("that's", "that is", "that are"):
            tail.parts.append(self.description(tail))
        elif (done := self.done_with_others()) is not None:
            tail.parts.append(done)
        elif self.take(*(f"that {were} put into your graveyard from the battlefield this turn" for were in WERE)):
            tail.parts += [n.OwnedBy(by=n.You()), n.Status(status="from battlefield this turn")]
            tail.zone = "graveyard"
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

    def from_source(self) -> n.FromSource:
        """ "from an artifact source", of an ability."""
        self.need("from a", "from an")
        things = self.kind().things
        parts = things.objects.parts if isinstance(things.objects, n.All) else ()
        if n.IsA(sort="source") not in parts:
            self.fail()
        return n.FromSource(of=things)

    def done_with_others(self) -> n.Predicate | None:
        """What it did to others or they did to it, what it shares with them: a row of `WITH_OTHERS`."""
        for words, predicate in WITH_OTHERS.items():
            if self.take(*words):
                return predicate(self)
        done = self.take(*THAT_WAS_DONE)
        return n.Among(of=n.Named(name=THAT_WAS_DONE[done])) if done else None

    def only_target(self) -> n.Targets:
        """What alone a spell targets: "a single Golem", "{this}"."""
        if self.take("a single"):
            return n.Targets(of=n.Choose(of=self.kind().things), only=True)
        return n.Targets(of=self.noun(), only=True)

    def title(self) -> str:
        """The second half of a name with a comma in it ("Ajani, Valiant Protector"), in capital letters but for small words."""
        self.need(",")
        start = self.at
        while _is_proper(self.peek()) or self.peek() in SMALL_WORDS:
            self.at += 1
        if self.at == start or not _is_proper(self.peek(-1)):
            return self.fail()
        return self.peek(-1)

    def shares_type(self) -> n.SharesCreatureType:
        """With whom it shares a creature type: of "each" of several one would not be enough."""
        if self.peek() == "each":
            self.fail()
        return n.SharesCreatureType(with_=self.noun())

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
        if self.take("one or more colors"):
            return n.ColorCount(compare=">=", number=1)
        if self.take("both"):
            return self.both_adjectives()
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

    def both_adjectives(self) -> n.Predicate:
        """After "both": "white and black", each of which it is."""
        first = self.adjectives()
        self.need("and")
        second = self.adjectives()
        if len(first) != 1 or len(second) != 1:
            self.fail()
        return n.All(parts=(first[0], second[0]))


WERE = ("was", "were")
WITH_OTHERS: dict[tuple[str, ...], Callable[[TailReader], n.Predicate]] = {
    ("that was dealt damage this turn", "that were dealt damage this turn"): lambda _: n.Status(
        status="damaged this turn"
    ),
    ("that dealt damage this turn",): lambda _: n.DealtDamageTo(),
    ("that dealt damage to you this turn",): lambda _: n.DealtDamageTo(to=n.You()),
    ("that dealt damage to an opponent this turn",): lambda _: n.DealtDamageTo(
        to=n.Each(of=n.Things(players=n.Players(which="opponent")))
    ),
    ("that shares a creature type with", "that share a creature type with"): lambda reader: reader.shares_type(),
    ("that shares a color with", "that share a color with"): lambda reader: n.SharesColor(with_=reader.noun()),
    ("that has the same name as", "that have the same name as"): lambda reader: n.SharesName(with_=reader.noun()),
    ("that shares a card type with", "that share a card type with"): lambda reader: n.SharesType(with_=reader.noun()),
    ("that shares a permanent type with", "that share a permanent type with"): lambda reader: n.SharesType(
        with_=reader.noun(), permanent=True
    ),
    ("that blocked or was blocked by", "that blocked or were blocked by"): lambda reader: reader.fought("either"),
    ("that was blocked by", "that were blocked by"): lambda reader: reader.fought("was blocked by"),
    ("not chosen this way", "that wasn't chosen this way", "that weren't chosen this way"): lambda _: n.Not(
        part=n.Among(of=n.Named(name=CHOSEN_THIS_WAY))
    ),
    ("that targets only", "that target only"): lambda reader: reader.only_target(),
    ("that targets", "that target"): lambda reader: n.Targets(of=reader.noun()),
}
"""What a text says of something beside others, by the words with which that begins."""


def _parts(reading: n.Reading) -> tuple[n.Reading, ...]:
    return reading.parts if isinstance(reading, n.Both) else (reading,)


def _is_proper(word: str) -> bool:
    """Whether a word has a capital letter at its begin, or behind a particle ("d'Or")."""
    return word[:1].isupper() or word[1:2] == "'" and word[2:3].isupper()
