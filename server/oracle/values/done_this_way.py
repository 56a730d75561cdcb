"""Rules for conditions about what was done before ("if a creature is destroyed this way", "if you discarded a land card this way")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import DONE_THIS_WAY
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, filled
from server.oracle.nouns import noun, noun_words

# What somebody did, as it is said of them, and of what they did it to.
_ACTIVE = {
    "discard": "discarded",
    "discarded": "discarded",
    "sacrifice": "sacrificed",
    "sacrificed": "sacrificed",
    "exile": "exiled",
    "exiled": "exiled",
    "destroy": "destroyed",
    "destroyed": "destroyed",
    "return": "returned",
    "returned": "returned",
    "tap": "tapped",
    "tapped": "tapped",
}
_WHO = (("you",), ("they",), ("that", "player"), ("a", "player"))


# Whose it was: by who discards or does something else, and by whether that is you.
_OWNERS = ((" that player controls", " you control"), (" that player owns", " you own"))


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("doneto", _done_at, _done_words)
    g.rule("cond", "<k:doneto>", f.Exists(of=S.k))
    g.terminal("cond", _you_discarded_at, lambda p, v: None)
    g.terminal("intohand", _into_hand_at, _into_hand_words)
    none = f.NotSo(condition=f.Exists(of=S.k))
    g.rule("cond", "you didn't put <k:intohand>", none, "you don't put <k:intohand>")
    g.wording("cond", "you put <k:intohand>", f.Exists(of=S.k))
    g.wording(
        "cond",
        "you put no cards into your hand this way",
        filled(none, {"k": n.Noun("a card you own returned this way")}),
    )


_IN_HAND: Words = ("into", "your", "hand", "this", "way")
_RETURNED = " you own returned this way"


def _into_hand_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a land card into your hand this way": one that an instruction moved there, which is returned this way."""
    for one in reader.read("noun", place):
        if reader.words[one.end : one.end + len(_IN_HAND)] == _IN_HAND and one.words[0] in ("a", "an"):
            made = noun(one.value.text + _RETURNED)
            if made is not None:
                yield Reading(one.end + len(_IN_HAND), made, (*one.words, *_IN_HAND))


def _into_hand_words(_: Printer, value: Any) -> Words | None:
    bare = (
        noun(value.text.removesuffix(_RETURNED))
        if isinstance(value, n.Noun) and value.text.endswith(_RETURNED)
        else None
    )
    single = bare is not None and isinstance(bare.reading, n.Choose)
    return (*noun_words(bare), *_IN_HAND) if bare is not None and single else None


def _said_before(reader: Reader, place: int) -> bool:
    """Whether others discarded too, so that it is asked what was discarded by whom."""
    return "discards" in reader.words[:place]


def _you_discarded_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "You discarded a land card this way", where you alone discarded, perhaps as a cost: the discarded card is a land card."""
    if reader.words[place : place + 2] != ("you", "discarded") or _said_before(reader, place):
        return
    for one in reader.read("kindof", place + 2):
        if reader.words[one.end : one.end + 2] == ("this", "way"):
            words = ("the", "discarded", "card", "is", *one.words)
            yield Reading(one.end + 2, f.Is(what=n.Noun("the discarded card"), of=one.value), words)


def _done_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a creature card is discarded this way", "you discarded a creature card this way"."""
    for who in _WHO:
        verb = _ACTIVE.get(reader.at(place + len(who)))
        if who == ("you",) and verb == "discarded" and not _said_before(reader, place):
            continue
        if reader.words[place : place + len(who)] == who and verb is not None:
            nobodys = who == ("a", "player") or verb == "exiled"  # what is exiled may be anybody's
            owner = "" if nobodys else _OWNERS[verb == "discarded"][who == ("you",)]
            for one in reader.read("noun", place + len(who) + 1):
                if reader.words[one.end : one.end + 2] == ("this", "way"):
                    yield from _made(one, one.end + 2, f"{verb} this way", owner)
    for one in reader.read("noun", place):
        if reader.at(one.end) not in ("is", "was", "are", "were"):
            continue
        for done in DONE_THIS_WAY:
            words = tuple(done.split())
            if reader.words[one.end + 1 : one.end + 1 + len(words)] == words:
                yield from _made(one, one.end + 1 + len(words), done)


def _made(one: Reading, end: int, done: str, owner: str = "") -> Iterable[Reading]:
    reading = one.value.reading
    single = isinstance(reading, n.Choose) and reading.count == 1 and one.words[0] in ("a", "an")
    made = noun(f"{one.value.text}{owner} {done}") if single else None
    if made is not None:
        yield Reading(end, made, (*one.words, *owner.split(), "is", *done.split()))


def _done_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, n.Noun):
        return None
    done = next((done for done in DONE_THIS_WAY if value.text.endswith(f" {done}")), "")
    bare = noun(value.text.removesuffix(f" {done}")) if done else None
    return None if bare is None or not isinstance(bare.reading, n.Choose) else (*noun_words(bare), "is", *done.split())
