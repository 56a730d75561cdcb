"""Kinds: the part of a noun phrase after its determiner ("nonblack creature an opponent controls with power 3 or less").

A kind is adjectives, heads (`kind_heads`) and what follows them (`kind_tails`); tables of words (`kind_words`) say which means
which predicate. `grammar.NounReader` builds whole phrases on it. Adjectives apply to all alternatives that
bring none of their own ("tapped artifact or creature"); what follows applies to all of them ("artifact or creature you
control"); a last "card" or "spell" too ("instant or sorcery card").
"""

from __future__ import annotations

from typing import Literal, cast

from msgspec.structs import replace

from server.cards import nouns as n
from server.cards.grammar.kind_features import Kind, Tail
from server.cards.grammar.kind_heads import Alternative, joined
from server.cards.grammar.kind_tails import LINKED, TailReader
from server.cards.grammar.kind_words import DONE_THIS_WAY, PERMANENT_TYPE, SUSPENDED, Head, Zone
from server.cards.grammar.player_words import EACH_PLAYER, MEASURED, PLAYER_WORDS

PERMANENT = n.IsA(sort="permanent")
CREATURE = n.HasType(type="creature")
SHARING = (n.SharesColor, n.SharesCreatureType, n.SharesName, n.SharesType)


class KindReader(TailReader):
    """Reads kinds."""

    def kind(self) -> Kind:
        """A kind with all that follows it. Fails at the first word that belongs to none."""
        if self.take("suspended card", "suspended cards"):
            return self.suspended()
        exiled = self.peek(1) in ("card", "cards") and bool(self.take("exiled"))
        found = self.alternatives()
        if all(map(_is_player, found)) and self.take("who controls", "who control"):
            players = _merged([_player(other, found[0]) for other in found])
            return Kind(n.Things(players=self.controlling(players)), found[-1].heads[-1].plural)
        if all(map(_is_player, found)) and self.take("other than"):
            players = replace(_merged([_player(other, found[0]) for other in found]), besides=self.noun())
            return Kind(n.Things(players=players), found[-1].heads[-1].plural)
        told = self.of_player() if all(map(_is_player, found)) else None
        if told is not None:
            players = _merged([_player(other, found[0]) for other in found])
            amount, compare, number = told
            players = replace(players, amount=amount, compare=compare, number=number)
            return Kind(n.Things(players=players), found[-1].heads[-1].plural)
        tail = Tail()
        while self.follow(tail):
            pass
        if exiled:  # those of one player, wherever they were exiled: "the exiled cards" are others
            if tail.zone or not any(isinstance(part, n.OwnedBy) for part in tail.parts):
                self.fail()
            tail.zone = "exile"
        if any(other.article for other in found) and not tail.is_shared():
            self.fail()  # "a Plains card or a creature card with ...": what follows is said of the last alone
        objects = [other for other in found if not _is_player(other)]
        players = [_player(other, found[0]) for other in found if _is_player(other)]
        if tail.elsewhere and not all(_place(other.heads) == "stack" for other in found):
            self.fail()  # only spells are cast from somewhere
        if not objects:
            if tail.parts or tail.zone or tail.best:
                self.fail()
            return Kind(n.Things(players=_merged(players)), found[-1].heads[-1].plural)
        plural = bool(found[-1].heads) and found[-1].heads[-1].plural
        things = _composed(objects, players, tail)
        if things.zone == "battlefield" and not things.anywhere and not players and self.take("or suspended card"):
            said = _flat([cast(n.Predicate, things.objects)])
            there = cast(n.Predicate, joined(said if PERMANENT in said else [*said, PERMANENT]))
            exiled = cast(n.Predicate, self.suspended().things.objects)
            things = n.Things(objects=n.Any(parts=(there, exiled)), anywhere=True)
        return Kind(things, plural, tail.best)

    def suspended(self) -> Kind:
        """A suspended card and whose it is, which the words before do not say of it ("permanent you control or suspended card")."""
        plural = self.peek(-1) == "cards"
        whose = (n.OwnedBy(by=n.You()),) if self.take("you own") else ()
        return Kind(n.Things(objects=n.All(parts=(*SUSPENDED, *whose)), zone="exile"), plural)

    def of_player(self) -> tuple[n.Amount, n.Compare, n.Amount] | None:
        """What is said of a player by an amount: a row of `player_words`, or how many cards or how much life there is."""
        if (row := self.longest(PLAYER_WORDS, 9)) is not None:
            return row
        return self.attempt(self.holding)

    def holding(self) -> tuple[n.Amount, n.Compare, n.Amount]:
        """ "with four or more cards in hand", "who has three or more poison counters"."""
        self.need("with", "who has", "who have")
        number = self.number()
        compare: n.Compare = ">=" if self.need("or more", "or fewer", "or less") == "or more" else "<="
        what = self.need("cards in hand", "cards in their hand", "life", "poison counters", "cards in their graveyard")
        if not isinstance(number, int):
            self.fail()
        return MEASURED[what], compare, number

    def controlling(self, players: n.Players) -> n.Players:
        """After "who controls": "a creature with power 4 or greater", "more lands than you"."""
        beside = self.take("more", "fewer", "the most")
        start = self.at
        if not beside and self.peek() not in ("a", "an"):
            self.fail()
        self.at += not beside
        self.kind()
        what = " ".join(self.words[start : self.at]).replace(" 's", "'s").replace(" ,", ",")
        if not beside:
            return replace(players, controls=n.Noun(_with_controller(what, "that player controls")))
        if beside == "the most":
            count = n.Count(of=n.Noun(_with_controller(what, "that player controls")))
            most = n.MostOfPlayers(what=count, of=EACH_PLAYER)
            return replace(players, amount=count, compare=">=", number=most)
        self.need("than you do", "than you")
        theirs, yours = (n.Noun(_with_controller(what, who)) for who in ("that player controls", "you control"))
        return replace(players, controls=theirs, than=yours, fewer=beside == "fewer")


def _with_controller(text: str, control: str) -> str:
    """ "A creature with power 4 or greater" as "a creature that player controls with power 4 or greater"."""
    for mark in (" with ", " without ", " that ", " named "):
        head, found, rest = text.partition(mark)
        if found:
            return f"{head} {control}{mark}{rest}"
    return f"{text} {control}"


def _composed(objects: list[Alternative], players: list[n.Players], tail: Tail) -> n.Things:
    """The things of these alternatives: shared adjectives, the alternatives, a shared sort, what followed."""
    own = any(other.adjectives or other.article for other in objects[1:]) or _stands_alone(objects)
    shared = () if own else objects[0].adjectives
    last_sort = _shared_sort(objects)
    either: list[n.Predicate] = []
    lists = [
        tuple(_permanent_card(other.heads, head) for head in other.heads if head is not last_sort) for other in objects
    ]
    placed: list[Zone | Literal[""]] = [
        _place((*heads, last_sort) if last_sort is not None else heads) for heads in lists
    ]
    places = list(dict.fromkeys(placed))
    of_last = [part for part in tail.parts if _of_creatures(part)] if _creature_alone(lists) else []
    for other, heads, place in zip(objects, lists, placed, strict=True):
        said = [*(other.adjectives if own else ()), *(head.predicate for head in heads if head.predicate is not None)]
        if "stack" in places and place == "battlefield" and PERMANENT not in said:
            said.append(PERMANENT)  # in "noncreature spell or creature" no creature spell is meant (109.2)
        if other is objects[-1]:
            said += of_last
        whole = joined(said)
        if whole is not None:
            either.append(whole)
    parts: list[n.Predicate] = [*shared]
    if either:
        parts.append(cast(n.Predicate, joined(either, either=True)))
    if last_sort is not None:
        parts.append(cast(n.Predicate, last_sort.predicate))
    # "Each other card exiled with {this}", "other creatures that share a color with it" are others than the one spoken of.
    if LINKED in tail.parts or any(isinstance(part, SHARING) and part.with_ == n.It() for part in tail.parts):
        parts = [n.Not(part=n.Among(of=n.It())) if isinstance(part, n.Other) else part for part in parts]
    lies = any(isinstance(part, n.LiesIn) for part in tail.parts)
    if (
        lies
        and places != [""]
        and not any(isinstance(part, n.LiesIn) and "command" in part.zones for part in tail.parts)
    ):
        raise n.NounError("what lies in one of two zones is a card")
    if places == ["stack"] and tail.zone not in (None, "stack"):  # "a spell from exile" was cast from there
        tail.parts.append(n.WasCastFrom(zone=tail.zone))
        tail.zone = "stack"
    return n.Things(
        objects=joined(_flat([*parts, *(part for part in tail.parts if part not in of_last)])) or n.All(parts=()),
        players=_merged(players) if players else None,
        zone=tail.zone or (places[0] if len(places) == 1 else "") or "battlefield",
        anywhere=(len(places) > 1 or "" in places or lies or _done(tail)) and not tail.zone,
    )


def _creature_alone(lists: list[tuple[Head, ...]]) -> bool:
    """Whether only the last of several alternatives is a creature, and the others are of other card types."""
    *first, last = lists
    others = [head.predicate for heads in first for head in heads]
    typed = all(isinstance(one, n.HasType) and one != CREATURE for one in others)
    return bool(others) and typed and [head.predicate for head in last] == [CREATURE]


def _of_creatures(part: n.Predicate) -> bool:
    """Whether only a creature is so: in "artifact, enchantment, or creature with flying" any artifact is meant."""
    if isinstance(part, n.Not):
        return _of_creatures(part.part)
    return part == n.HasKeyword(keyword="flying") or isinstance(part, n.StatIs) and part.stat in ("power", "toughness")


def _done(tail: Tail) -> bool:
    """Whether they are what an instruction before did something to, wherever that is now."""
    return any(isinstance(p, n.Among) and isinstance(p.of, n.Named) and p.of.name in DONE_THIS_WAY for p in tail.parts)


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


def _stands_alone(objects: list[Alternative]) -> bool:
    """Whether the first is a whole phrase, whose sort another says again: "basic land card or Gate card" is any Gate card."""
    first, *others = ({head.sort for head in other.heads} & {"card", "spell"} for other in objects)
    return any(first & sorts for sorts in others)


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
    """The kind of player; the only adjective there is for one is "other": another player than you, another opponent than the
    one spoken of. Those of "red creature or player" are not its own."""
    player = alternative.heads[0].player or n.Players()
    if n.Other() in (*first.adjectives, *alternative.adjectives):
        if player.which == "any":
            return n.Players(which="other")
        if player == n.Players(which="opponent"):
            return replace(player, besides=n.It(what="player"))
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
