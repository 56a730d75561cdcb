"""What another player chooses of what was looked at, or of what that player has, before something is done with it (608.2d)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S, Words, walk
from server.oracle.nouns import noun_words

_CHOSEN_PLAYER = Noun("the chosen player")
_OTHERS: Words = (".", "other")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("offeredone", _offered_at, lambda p, v: noun_words(v) if _is_offered(v) else None)
    g.terminal("ownone", _own_at, lambda p, v: noun_words(v) if _is_own(v) else None)
    # Which opponent that is, is for you to say.
    by_opponent = (f.ChooseWord(what="opponent"), f.Pick(what=S.k, who=_CHOSEN_PLAYER))
    g.rule("do", "an opponent chooses <k:offeredone>", by_opponent)
    g.rule("do", "<p:other> chooses <k:offeredone>", f.Pick(what=S.k, who=S.p))
    # Of each of several players something else says what they choose ("each player may put a counter on a creature they control").
    own = f.Pick(what=S.k, who=S.p)
    g.rule("do", "<p:other> chooses <k:ownone>", own, guard=lambda e: e["p"] != Noun("that player"))


def _so_many(value: Any) -> bool:
    """Whether it is a number of things that somebody chooses, all of them."""
    reading = value.reading if isinstance(value, Noun) else None
    return isinstance(reading, n.Choose) and not reading.up_to and isinstance(reading.count, int) and reading.count > 0


def _is_offered(value: Any) -> bool:
    """Whether it is of all that was shown or is spoken of: of what is left of one kind alone "the rest" would not be the rest."""
    return _so_many(value) and isinstance(value.reading.of.objects, n.Among)


def _is_own(value: Any) -> bool:
    """Whether it is of what that player controls or owns."""
    owned = (n.ControlledBy(by=n.It(what="player")), n.OwnedBy(by=n.It(what="player")))
    return _so_many(value) and any(part in owned for part in walk(value.reading))


def _offered_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("noun", place) if _is_offered(one.value)]


def _own_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What "other creatures" are beside afterwards is not said of this object: that is not read."""
    found = [one for one in reader.read("noun", place) if _is_own(one.value)]
    return [one for one in found if reader.words[one.end : one.end + 2] != _OTHERS]
