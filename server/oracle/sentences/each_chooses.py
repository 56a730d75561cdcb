"""What each of several players chooses, one after the other, and what is done then with all of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words

THAT_PLAYER = Noun("that player")
First = Literal["", "you", "opponent"]
_FIRST: dict[First, Words] = {
    "you": ("starting", "with", "you", ","),
    "opponent": ("starting", "with", "the", "next", "opponent", "in", "turn", "order", ","),
    "": (),
}
_WHO: tuple[Words, ...] = (("each", "player"), ("each", "opponent"), ("each", "other", "player"))
_CONTROLS: Words = ("player", "controls")
_OF_LIBRARY: Words = ("of", "their", "library")
_NEW: Words = ("that", "hasn't", "been", "chosen")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("eachchooses", _each_at, _each_words)
    g.rule("do", "<x:eachchooses>", S.x)
    one = f.Pick(what=S.k, who=THAT_PLAYER)
    it = Noun("it")
    # What each does at once with what that player chose, in turn order (101.4).
    for text, verb in (
        ("puts a <c:counter> counter on it", f.PutCounters(counter=S.c, what=it)),
        ("exiles it", f.Move(what=it, to="exile")),
    ):
        each = f.ForEach(of=S.w, then=(one, verb))
        g.rule("do", f"<w:eachone> chooses <k:onechosen> and {text}", each)
    back = f.Move(what=Noun("the chosen cards"), to="battlefield")
    g.wording("do", "return the chosen card to the battlefield", back)
    # A target for each of any number of opponents is up to one target for each of them.
    g.terminal("oneoftheirs", _theirs_at, lambda p, v: None)
    for said, verb in (("destroy", f.Destroy(what=S.w)), ("exile", f.Move(what=S.w, to="exile"))):
        for_some = (f.ForEach(of=Noun("opponent"), then=(verb,)),)
        g.wording("governed", f"for any number of opponents , {said} <w:oneoftheirs>", for_some)
    g.terminal("eachexiles", _exiles_at, lambda p, v: None)
    g.wording("do", "<x:eachexiles>", S.x)
    g.terminal("eachone", _who_at, lambda p, v: noun_words(v) if v.text.startswith("each ") else None)
    g.terminal("onechosen", _one_at, lambda p, v: p.write("noun", v))


def _who_at(reader: Reader, place: int) -> Iterable[Reading]:
    for words in _WHO:
        if reader.words[place : place + len(words)] == words:
            yield Reading(place + len(words), Noun(" ".join(words)), words)


def _exiles_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Each player exiles the top two cards of their library": at once."""
    for who in _who_at(reader, place):
        start = who.end + 1
        end = next((at for at in (start + 3, start + 4) if reader.words[at : at + 3] == _OF_LIBRARY), 0)
        said = reader.words[start:end]
        if reader.at(who.end) == "exiles" and said[:2] == ("the", "top"):
            made = noun(" ".join((*said, "of", f"{' '.join(who.words)}'s", "library")))
            if made is not None:
                yield Reading(end + 3, f.Move(what=made, to="exile"), ("exile", *noun_words(made)))


def _theirs_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One target "that player controls", as up to one."""
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Target) and reading.least == reading.most == 1 and one.words[-2:] == _CONTROLS:
            made = noun(f"up to one {one.value.text}")
            if made is not None:
                yield Reading(one.end, made, noun_words(made))


def _one_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One thing that is chosen without a target."""
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Choose) and reading.count == 1 and reading.of.players is None:
            yield one


def _first_at(reader: Reader, place: int) -> tuple[First, int]:
    """With whom the choosing starts, and where what follows begins."""
    for name, words in _FIRST.items():
        if reader.words[place : place + len(words)] == words:
            return name, place + len(words)
    return "", place


def _each_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Starting with you, each player may choose a creature"; "each opponent chooses a different card from among them"."""
    first, start = _first_at(reader, place)
    for who in _who_at(reader, start):
        may = reader.at(who.end) == "may" and reader.at(who.end + 1) == "choose"
        if not may and reader.at(who.end) != "chooses":
            continue
        at = who.end + 1 + may
        head = (*_FIRST[first], *who.words, *(("may", "choose") if may else ("chooses",)))
        different = reader.at(at) == "a" and reader.at(at + 1) == "different"
        for what in _kinds(reader, at, different):
            after = reader.words[what.end : what.end + 5]
            if "rest" in after and {"sacrifice", "sacrifices"} & set(after):
                continue  # what players keep of their own is said otherwise
            new = not different and reader.words[what.end : what.end + 4] == _NEW
            tree = f.PickEach(what=what.value, who=who.value, first=first, different=different or new, may=may)
            words = noun_words(what.value)
            said = ("a", "different", *words[1:]) if different or new else words
            yield Reading(what.end + 4 * new, tree, (*head, *said))


def _kinds(reader: Reader, place: int, different: bool) -> Iterable[Reading]:
    for one in reader.read("bare", place + 2) if different else ():
        made = noun(f"a {one.value.text}")
        if made is not None and isinstance(made.reading, n.Choose):
            yield Reading(one.end, made, one.words)
    for one in reader.read("noun", place) if not different else ():
        reading = one.value.reading
        if isinstance(reading, n.Choose) and reading.of.objects is not None and reading.of.players is None:
            yield one


def _each_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.PickEach):
        return None
    words = noun_words(value.what)
    said = ("a", "different", *words[1:]) if value.different else words
    verb = ("may", "choose") if value.may else ("chooses",)
    return (*_FIRST[value.first], *noun_words(value.who), *verb, *said)
