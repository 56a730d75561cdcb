"""The noun grammar: rules English to readings (`server.cards.nouns`). The only place that knows English determiners.

`read_noun` reads one phrase whole or raises `NounError`, which names the first word that was not understood. Phrases that
mean one thing stand in the table `FIXED`; the rest is a determiner and a kind (`server.cards.grammar.kinds`).

| phrase | reading |
| --- | --- |
| target, up to two target, another target, any target | `Target` |
| each, all, plural without determiner | `Each` |
| a, an, two, up to three, any number of | `Choose` |
| singular without determiner; plural of spells, cards, sources, abilities | `Things`, `Players` |
| the ... with the greatest ... | `Superlative` |
| that creature, those cards, it, them | `It` |
| $name | `Named` |
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.grammar.kind_features import Kind
from server.cards.grammar.kind_tails import LINKED
from server.cards.grammar.kind_words import CHOSEN_THIS_WAY, DONE_THIS_WAY, OPPONENTS_CHOICE, ZONES, as_players
from server.cards.grammar.kinds import KindReader

PERMANENT_WORDS = (
    "creature", "permanent", "artifact", "land", "enchantment", "planeswalker", "Aura", "Equipment", "token", "Vehicle",
)  # fmt: skip


_EVERYONE = n.Each(of=n.Things(players=n.Players()))
_OPPONENTS = n.Each(of=n.Things(players=n.Players(which="opponent")))
_PHRASES: dict[str, n.Reading] = {
    "{this}": n.This(),
    "itself": n.This(),
    "this card": n.This(),
    "this spell": n.This(),
    "this ability": n.This(),
    "it": n.It(),
    "them": n.It(what=n.THEM),
    "they": n.It(),
    "him or her": n.It(what="player"),
    "he or she": n.It(what="player"),
    "each of them": n.It(),
    "all of them": n.It(),
    "both of them": n.It(),
    "you": n.You(),
    "your opponents": _OPPONENTS,
    "your team": n.Each(of=n.Things(players=n.Players(which="team"))),
    "all players": _EVERYONE,
    "defending player": n.DefendingPlayer(),
    "the defending player": n.DefendingPlayer(),
    "your commander": n.Each(
        of=n.Things(objects=n.All(parts=(n.IsA(sort="commander"), n.OwnedBy(by=n.You()))), anywhere=True)
    ),
    "your Ring-bearer": n.Each(
        of=n.Things(objects=n.All(parts=(n.Status(status="Ring-bearer"), n.ControlledBy(by=n.You()))))
    ),
    "the active player": n.Each(of=n.Things(players=n.Players(which="active"))),
    "the attacking player": n.Each(of=n.Things(players=n.Players(which="attacking"))),
    "its controller": n.ControllerOf(of=n.It()),
    "their controller": n.ControllerOf(of=n.It()),
    "their controllers": n.ControllerOf(of=n.It()),
    "its owner": n.OwnerOf(of=n.It()),
    "their owner": n.OwnerOf(of=n.It()),
    "their owners": n.OwnerOf(of=n.It()),
    "that player or that creature 's controller": n.ControllerOf(of=n.It()),
    "that creature 's controller or that player": n.ControllerOf(of=n.It()),
    "enchanted player": n.Attached(),
    "enchanted opponent": n.Attached(),
    "fortified land": n.Attached(),
    "the exiled card": n.Linked(),
    "the exiled cards": n.Linked(),
    "cards exiled with {this}": n.Linked(),
    "each card exiled with {this}": n.Linked(),
    "the creature it's paired with": n.PairedWith(of=n.It()),
    "all cards exiled with {this}": n.Linked(),
    "the chosen player": n.Linked(what="player"),
    "the chosen creature": n.Linked(what="creature"),
    "the creature put onto the battlefield with {this}": n.Linked(what="put"),
    "the creature it haunts": n.Linked(what="creature"),
    "the creature {this} haunts": n.Linked(what="creature"),
    "the chosen permanent": n.Linked(what="permanent"),
    "the chosen color": n.Things(objects=n.OfChosen(what="color"), anywhere=True),
    "the rest": n.Named(name="rest"),
    "that pile": n.Named(name="pile"),
    "the other": n.Named(name="rest"),
    "everything": n.Things(objects=n.All(parts=()), players=n.Players(), anywhere=True),
    "that spell or ability": n.It(what="spell"),
    "the attacking creature": n.It(what="attacker"),
    "the blocking creature": n.It(what="blocker"),
}


def _fixed() -> dict[tuple[str, ...], n.Reading]:
    words = dict(_PHRASES)
    for word in PERMANENT_WORDS:
        words[f"this {word}"] = n.This()
        words[f"enchanted {word}"] = n.Attached()
        words[f"equipped {word}"] = n.Attached()
        words[f"the sacrificed {word}"] = n.It(what="sacrificed")
    for word in v.BASIC_LANDS:
        words[f"enchanted {word}"] = n.Attached()
    for word in (*v.PERMANENT_TYPES, "permanent", "nonland", "instant", "sorcery"):
        words[f"that {word} card"] = words[f"those {word} cards"] = n.It(what="card")
    for word in ("creature", "card", "spell", "permanent"):
        words[f"the chosen {word}s"] = n.Named(name=CHOSEN_THIS_WAY)
        words[f"the discarded {word}"] = n.It(what="discarded")
        words[f"the countered {word}"] = n.It(what="countered")
        words[f"the destroyed {word}"] = n.It(what="destroyed")
    for word in ("creature", "permanent", "planeswalker"):
        kind = n.HasType(type=word) if word != "permanent" else n.IsA(sort="permanent")
        own = n.Things(objects=n.All(parts=(kind, n.ControlledBy(by=n.You()))))
        words[f"you or a {word} you control"] = n.Both(parts=(n.You(), n.Choose(of=own)))
    table: dict[tuple[str, ...], n.Reading] = {tuple(phrase.split()): reading for phrase, reading in words.items()}
    table["each", "player", "who", "doesn't", "win", "the", "subgame"] = n.Named(name="players who did not win")
    for one, what in _BACK.items():
        for many in v.plurals(one):
            table[("those", many)] = table[("the", many)] = n.It(what=what)
        table[("that", one)] = table[("the", one)] = n.It(what=what)
    return table


# What "that ..." and "those ..." look for among what was spoken of before.
_BACK = {
    **dict.fromkeys((*sorted(v.CREATURE_TYPES),), "creature"),
    **dict.fromkeys((*v.BASIC_LANDS,), "land"),
    **dict.fromkeys(("player", "opponent", "teammate"), "player"),
    **{word: word for word in (*PERMANENT_WORDS, "card", "spell", "ability", "source")},
}

FIXED = _fixed()
HIS_OR_HER, ITS_OWNERS = ("his", "or", "her"), ("its", "owner", "'s")


class NounReader(KindReader):
    """Reads whole noun phrases from a cursor."""

    def noun(self) -> n.Reading:
        """One phrase, or several joined by "and"."""
        parts = [self.one()]
        while True:
            start = self.at
            joint = self.take("and", ", and", "and/or", ",")
            following = self.attempt(self.one) if joint else None
            if joint == "and/or" and not isinstance(following, n.Each):
                following = None  # "a creature card and/or a land card" is up to one of each
            if following is None or isinstance(following, n.Things | n.Players):
                self.at = start
                return parts[0] if len(parts) == 1 else n.Both(parts=_in_one_zone(parts))
            parts.append(_besides_you(following) if n.You() in parts else following)

    def possessor(self) -> n.Reading:
        """Whose hand or graveyard: a phrase that leaves "'s hand" unread."""
        return self.one(zones=False)

    def one(self, zones: bool = True) -> n.Reading:
        """One phrase with the possessives after it ("that creature's controller", "that player's hand")."""
        found = self.base()
        if isinstance(found, n.This):
            self.attempt(self.own_zone)  # "{this} from your graveyard" is still {this}
            found = self.this_or_kind()
        while self.peek() == "'s" and self.peek(1) in ("controller", "controllers", "owner", "owners"):
            found = n.ControllerOf(of=found) if self.peek(1).startswith("controller") else n.OwnerOf(of=found)
            self.at += 2
        if zones and self.peek() == "'s" and (self.peek(1),) in ZONES:
            self.at += 2
            return _whole_zone(as_players(found), ZONES[(self.peek(-1),)])
        return found

    def own_zone(self) -> bool:
        """ "from your graveyard" and the like after {this}."""
        self.need("from", "in")
        if not self.take("exile", "the command zone"):
            self.owned_zone()
        return True

    def this_or_kind(self) -> n.Reading:
        """ "{this} or another creature you control" is one kind of which {this} is one, "{this} and/or other creatures you
        control" all of it; else just {this}."""
        start = self.at
        joint = self.take("or", "and/or")
        if not joint:
            return n.This()
        other = self.attempt(self.base)
        kind = n.kind_of(other) if isinstance(other, n.Choose if joint == "or" else n.Each) else None
        if kind is None or kind.objects is None:
            self.at = start
            return n.This()
        whole = n.Things(objects=n.Any(parts=(n.Among(of=n.This()), kind.objects)), zone=kind.zone)
        return n.Choose(of=whole) if joint == "or" else n.Each(of=whole)

    def base(self) -> n.Reading:
        """A phrase without possessives after it: the readers in order, the first that succeeds."""
        if self.peek().startswith("$"):
            self.at += 1
            return n.Named(name=self.peek(-1)[1:]) if len(self.peek(-1)) > 1 else n.Named(name=self.fail())
        if self.take("each of", "the controller of", "the controllers of", "the owner of", "the owners of"):
            word = self.peek(-2)
            if word == "each":
                return self.noun()
            return n.ControllerOf(of=self.noun()) if word.startswith("controller") else n.OwnerOf(of=self.noun())
        for reader in (
            self.of_library,
            self.top_of_graveyard,
            self.foremost,
            self.any_target,
            self.target,
            self.zone_of,
            self.superlative,
        ):
            found = self.attempt(reader)
            if found is not None:
                return found
        fixed = self.attempt(self.fixed)
        return fixed if fixed is not None else self.determined()

    def fixed(self) -> n.Reading:
        """A phrase of the table, unless the kind goes on after it ("the creature with ...")."""
        found = self.longest(FIXED, 8)
        if found is None:
            self.fail()
            raise AssertionError
        done = self.take(*DONE_THIS_WAY) if isinstance(found, n.It) else ""  # "the creature exiled this way"
        return n.Named(name=done) if done else found

    # --- targets -------------------------------------------------------------------------------------------------------

    def counted(self) -> tuple[int, int] | None:
        """How many: "up to two", "one or two", "any number of", "three", "another"; least and most (-1: any number)."""
        if self.take("any number of"):
            return 0, -1
        if self.take("up to"):
            most = self.number()
            return (0, most) if isinstance(most, int) else None
        if self.peek() in ("one", "two") and self.peek(1) == "," and self.take("one , two , or three"):
            return 1, 3
        least = self.attempt(self.number)
        if not isinstance(least, int):
            return (1, 1) if least is None else None
        if self.take("or"):
            most = self.number()
            return (least, most) if isinstance(most, int) else None
        return least, least

    def any_target(self) -> n.Reading:
        """ "any target", "any other target", "up to two targets", "any number of targets"."""
        other = bool(self.take("any other target"))
        if not other and self.take("another target"):
            other = True
            if self.attempt(self.kind) is not None:
                self.fail()  # "another target creature" says what it is
        if other or self.take("any target"):
            least, most = 1, 1
        else:
            count = self.counted()
            other = bool(self.take("other"))
            self.need("targets")
            if count is None:
                self.fail()
                raise AssertionError
            least, most = count
        objects = n.Any(parts=(n.HasType(type="creature"), n.HasType(type="planeswalker")))
        things = n.Things(objects=objects, players=n.Players())
        by_opponent = bool(self.take(OPPONENTS_CHOICE))
        return n.Target(of=things, least=least, most=most, other=other, any_target=True, by_opponent=by_opponent)

    def target(self) -> n.Reading:
        """ "target ...", "another target ...", "up to two other target ..."."""
        other = False
        announced = self.take("up to X", "X")
        if announced:
            other, count = bool(self.take("other")), (int(announced == "X"), 1)
        elif self.take("another"):
            other, count = True, (1, 1)
        else:
            count = self.counted()
            other = bool(self.take("other"))
        self.need("target")
        if count is None:
            self.fail()
            raise AssertionError
        things, chooser = self.aimed()
        creature = n.HasType(type="creature")
        planeswalker = n.HasType(type="planeswalker")
        everywhere = things.players == n.Players() and things.objects in (
            creature,
            n.Any(parts=(creature, planeswalker)),
        )
        if everywhere:
            things = n.Things(objects=n.Any(parts=(creature, planeswalker)), players=n.Players())
        only_players = things.players is not None and things.objects == planeswalker
        if other and things.objects is None and things.players is not None and things.players.besides is None:
            things = n.Things(players=replace(things.players, besides=n.It(what="player")))
        return n.Target(
            of=things,
            least=count[0],
            most=count[1],
            other=other,
            any_target=everywhere,
            or_planeswalker=only_players,
            x=bool(announced),
            by_opponent=chooser == "opponent",
            by_player=chooser == "player",
        )

    def aimed(self) -> tuple[n.Things, n.Chooser]:
        """The kind of a target, and who else than the controller chooses it."""
        self.aiming, self.chooser = True, ""
        try:
            return self.greatest(), self.chooser
        finally:
            self.aiming = False

    def greatest(self) -> n.Things:
        """The kind of a target; "with the greatest power" is a part of it, so that it is looked at again (608.2b)."""
        start = self.at
        kind = self.kind()
        if kind.best is None:
            return kind.things
        stat, greatest = kind.best
        among = n.Noun(" ".join(self.words[start : self.at]), n.Each(of=kind.things))
        best = n.StatIs(stat=stat, compare="=", amount=n.Most(stat=stat, of=among, greatest=greatest))
        objects = kind.things.objects
        rest = objects.parts if isinstance(objects, n.All) else (objects,) if objects is not None else ()
        return _with_objects(kind.things, n.All(parts=(*rest, best)))

    # --- libraries, hands, graveyards ----------------------------------------------------------------------------------

    def of_library(self) -> n.Reading:
        """ "the top three cards of your library", "the bottom card of that player's library"."""
        end = self.need("the top", "the bottom")
        count: n.Amount = 1
        if not self.take("card of"):
            count = self.number()
            self.need("cards of", "card of")
        owner, zone = self.owned_zone()
        if zone == "graveyard" and owner is not None and count == 1:
            return n.Top(of=owner, bottom=end.endswith("bottom"), buried=True)
        if zone != "library":
            self.fail()
        return n.Top(count=count, of=owner if owner is not None else n.Players(), bottom=end.endswith("bottom"))

    def top_of_graveyard(self) -> n.Reading:
        """ "The top creature card of your graveyard"."""
        self.need("the top creature card of")
        owner, zone = self.owned_zone()
        if zone != "graveyard" or owner is None:
            self.fail()
            raise AssertionError
        creatures = n.All(parts=(n.HasType(type="creature"), n.IsA(sort="card")))
        return n.Top(of=owner, buried=True, kind=n.Things(objects=creatures, zone="graveyard"))

    def foremost(self) -> n.Reading:
        """ "The player with the most life", "the player who controls the most Goblins"."""
        self.need("the player")
        if self.take("with the most life", "who has the most life"):
            return n.Foremost(most="life")
        if self.take("who has the most cards in hand"):
            return n.Foremost(most="hand")
        self.need("who controls the most")
        return n.Foremost(most="controls", kind=self.things())

    def zone_of(self) -> n.Reading:
        """ "your hand", "their graveyard", "its owner's library": all cards there (`one` reads "that player's hand")."""
        own = self.peek() in ("your", "their") or self.words[self.at : self.at + 3] in (HIS_OR_HER, ITS_OWNERS)
        if not own:
            self.fail()
        return _whole_zone(*self.owned_zone())

    # --- other determiners ---------------------------------------------------------------------------------------------

    def superlative(self) -> n.Reading:
        """ "the creature with the greatest power", "a creature with the least toughness", "each ... with the most ..."."""
        word = self.need("the", "a", "an", "each", "all")
        kind = self.kind()
        if kind.best is None:
            self.fail()
            raise AssertionError
        tie = "all" if word in ("each", "all") else "none" if word == "the" else "choose"
        if self.take(", your choice if tied"):
            tie = "choose"
        return n.Superlative(of=kind.things, stat=kind.best[0], greatest=kind.best[1], tie=tie)

    def determined(self) -> n.Reading:
        """Each, all, a number of, some; or no determiner at all."""
        if self.take("each other", "all other"):
            self.at -= 1
            return n.Each(of=self.things())
        if self.take("each", "all"):
            return n.Each(of=self.things())
        if self.take("the last"):
            last = self.things()
            exiled = last.objects.parts if isinstance(last.objects, n.All) else ()
            if LINKED not in exiled:
                self.fail()
            return n.Last(of=last)
        if self.take("another"):
            things = self.things()
            if things.objects is None:
                return n.Choose(of=n.Things(players=n.Players(which="other")))
            rest = things.objects.parts if isinstance(things.objects, n.All) else (things.objects,)
            return n.Choose(of=_with_objects(things, n.All(parts=(n.Other(), *rest))))
        if self.take("a", "an"):
            return n.Choose(of=self.things())
        if self.take("any number of"):
            return self.some(-1, True)
        if self.take("up to"):
            return self.some(self.number(), True)
        number = self.attempt(self.number)
        if number is not None:
            return self.some(number, False)
        kind = self.kind()
        if kind.best is not None:
            self.fail()
        return _bare(kind)

    def things(self) -> n.Things:
        """A kind without superlative."""
        kind = self.kind()
        if kind.best is not None:
            self.fail()
        return kind.things

    def some(self, count: n.Amount, up_to: bool) -> n.Reading:
        """So many of a kind, or of what was spoken of before ("one of them")."""
        if self.take("of") or count == -1 and (self.peek() in ("them", "those") or self.peek().startswith("$")):
            return n.Choose(of=n.Things(objects=n.Among(of=self.base()), anywhere=True), count=count, up_to=up_to)
        return n.Choose(of=self.things(), count=count, up_to=up_to)


def _bare(kind: Kind) -> n.Reading:
    """A kind without determiner: plural permanents and players are all of them, the rest is just the kind."""
    things = kind.things
    if kind.plural and not things.anywhere and things.zone != "stack":
        return n.Each(of=things)
    if things.objects is None and things.players is not None:
        return things.players
    return things


def _whole_zone(owner: n.Reading | None, zone: n.Zone) -> n.Reading:
    """All cards of that zone of that player (of every player)."""
    part: n.Predicate = n.IsA(sort="card")
    return n.Each(of=n.Things(objects=part if owner is None else n.All(parts=(part, n.OwnedBy(by=owner))), zone=zone))


def _in_one_zone(parts: list[n.Reading]) -> tuple[n.Reading, ...]:
    """The parts of a phrase, cards without a zone being in that of the last ("target creature card and target land card from your
    graveyard")."""
    last = n.kind_of(parts[-1])
    if last is None or last.zone == "battlefield":
        return tuple(parts)
    objects = last.objects.parts if isinstance(last.objects, n.All) else (last.objects,)
    whose = tuple(part for part in objects if isinstance(part, n.OwnedBy))
    return tuple(_placed(part, last.zone, whose) for part in parts)


def _besides_you(part: n.Reading) -> n.Reading:
    """The second of "you and another target player", who is another than you, whoever was spoken of before."""
    if not isinstance(part, n.Target) or not part.other or part.of.objects is not None or part.of.players is None:
        return part
    return replace(part, of=n.Things(players=replace(part.of.players, besides=n.You())))


def _placed(part: n.Reading, zone: n.Zone, whose: tuple[n.Predicate, ...]) -> n.Reading:
    if not isinstance(part, n.Each | n.Target | n.Choose) or not part.of.anywhere or part.of.objects is None:
        return part
    own = part.of.objects.parts if isinstance(part.of.objects, n.All) else (part.of.objects,)
    return replace(part, of=n.Things(objects=n.All(parts=(*own, *whose)), zone=zone))


def _with_objects(things: n.Things, objects: n.Predicate) -> n.Things:
    return n.Things(objects=objects, players=things.players, zone=things.zone, anywhere=things.anywhere)


@lru_cache(maxsize=20_000)
def read_noun(text: str) -> n.Reading:
    """The reading of a whole phrase. Raises NounError naming the first word that was not understood."""
    reader = NounReader(text)
    try:
        found = reader.noun()
        if reader.peek():
            reader.fail()
    except RecursionError:
        raise n.NounError(f"{text!r} is nested too deeply") from None
    if isinstance(found, n.Choose | n.Target) and " from each " in text:
        raise n.NounError(f"'each' is not understood in {text!r}")  # not one of all of them, but one of each
    return found


n.reads_nouns(read_noun)
