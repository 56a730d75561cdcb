"""Further conditions of one thing: its size as it is printed ("it's 1/1"), two ways to be in combat at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import kind_words
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun
from server.oracle.values.conditions import STATUS_CONDITIONS, in_status

IT = Noun("it")
THIS = Noun("{this}")
_SIZE = re.compile(r"(\d+)/(\d+)")
_SIZED = re.compile(r"creature with power (\d+) and toughness (\d+)")
SUSPENDED = f.Is(what=THIS, of=Noun("suspended card"))
_FIGHTING = Noun("attacking or blocking permanent")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _of_numbers(g)
    alike = Noun("a card that shares a creature type with {this}")
    g.rule("cond", "it shares a creature type with {this}", f.Is(what=IT, of=alike))
    g.rule("cond", "it was kicked", f.Paid(), "{this} was kicked")
    g.rule("cond", "it wasn't kicked", f.NotSo(condition=f.Paid()))
    g.rule("cond", "<of:one> has the chosen name", f.Is(what=S.of, of=Noun("card with the chosen name")))
    g.terminal("hadby", _had_by_at, lambda p, v: None)
    g.wording("cond", "<c:hadby>", S.c)
    yours = f.Is(what=Noun("that permanent"), of=Noun("permanent you control"))
    g.rule("cond", "you controlled that permanent", yours)
    both = f.AllOf(
        conditions=tuple(f.Exists(of=Noun(f"{one} card in your graveyard")) for one in ("an instant", "a sorcery"))
    )
    g.rule("cond", "there is an instant card and a sorcery card in your graveyard", both)
    g.rule("cond", "a creature is attacking you", f.Exists(of=Noun("a creature attacking you")))
    exactly = f.Holds(left=n.CardsIn(zone="hand", of=Noun("you")), compare="=", right=S.n)
    said = "you have exactly <n:count> cards in hand"
    g.rule("cond", said, exactly, f"{said.removesuffix('hand')}your hand", guard=lambda e: e["n"] != 1)
    alike_: tuple[tuple[n.Differing, str], ...] = (
        ("of one name", "with the same name"),
        ("of one creature type", "that share a creature type"),
    )
    for what, words in alike_:
        most = f.Holds(left=n.Distinct(what=what, of=S.of), compare=">=", right=S.n)
        said = f"you control <n:count> or more <of:mineplural> {words}"
        g.rule(
            "cond", said, most, *((f"{said} as one another",) if "name" in what else ()), guard=lambda e: e["n"] != 1
        )
    for color in v.COLORS:
        mine, others = (
            Noun(f"{color} permanents"),
            [Noun(f"{other} permanents") for other in v.COLORS if other != color],
        )
        most = tuple(f.Holds(left=n.Count(of=mine), compare=">=", right=n.Count(of=other)) for other in others)
        said = f"{color} is the most common color among all permanents or is tied for most common"
        g.rule("cond", said, f.AllOf(conditions=most))
    for word in STATUS_CONDITIONS:
        such = in_status(word)
        not_so = f.NotSo(condition=f.Is(what=IT, of=such))
        g.rule("cond", f"it's not {word}", not_so, f"it isn't {word}", f"it wasn't {word}")
        g.rule("cond", f"<what:thatone> is {word}", f.Is(what=S.what, of=such), f"<what:thatone> was {word}")
    g.terminal("printedsize", _size_at, _size_words)
    for what in ("that creature", "it"):
        said = f"{what} is <k:printedsize>"
        g.rule("cond", said, f.Is(what=Noun(what), of=S.k), *(("it's <k:printedsize>",) if what == "it" else ()))
    # As dethrone says it: nobody has more life than the player that it attacks (current 702.105a).
    theirs, whose = Noun("that player"), Noun("defending player")
    more = f.Holds(left=n.LifeOf(of=theirs), compare=">", right=n.LifeOf(of=whose))
    richest = f.NotSo(condition=f.SomePlayer(who=Noun("each player"), condition=more))
    attacks = f.Is(what=IT, of=Noun("a creature attacking a player"))
    said = "it's attacking the player with the most life or tied for most life"
    g.rule("cond", said, f.AllOf(conditions=(attacks, richest)), said.replace("for most", "for the most"))
    g.rule("cond", "it's attacking or blocking", f.Is(what=IT, of=_FIGHTING))
    g.rule("cond", "{this} is attacking or blocking", f.Is(what=THIS, of=_FIGHTING))
    g.rule("cond", "{this} is suspended", SUSPENDED)


def _had_by_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "A creature you control has flying": there is one."""
    for one in reader.read("noun", place) if reader.at(place) == "a" else ():
        if reader.at(one.end) != "has" or not one.value.text.endswith((" you control", " an opponent controls")):
            continue
        for word in sorted(kind_words.KEYWORDS, key=len, reverse=True):
            if reader.words[one.end + 1 : one.end + 1 + len(word)] == word:
                made = noun(f"{one.value.text} with {' '.join(word)}")
                if made is not None:
                    yield Reading(one.end + 1 + len(word), f.Exists(of=made), (*one.words, "has", *word))
                break


def _size_at(reader: Reader, place: int) -> Iterable[Reading]:
    found = _SIZE.fullmatch(reader.at(place))
    if found is not None:
        made = Noun(f"creature with power {found[1]} and toughness {found[2]}")
        yield Reading(place + 1, made, (reader.at(place),))


def _size_words(_: Printer, value: Any) -> Words | None:
    found = _SIZED.fullmatch(value.text) if isinstance(value, Noun) else None
    return (f"{found[1]}/{found[2]}",) if found is not None else None


def _of_numbers(g: Grammar) -> None:
    """How many there are of a kind, or of each color, or in a library."""
    g.wording("cond", "no opponent controls <of:enemy>", f.NotSo(condition=S.of))
    colors = tuple(f.Exists(of=Noun(f"a {color} permanent you control")) for color in v.COLORS)
    g.rule("cond", "you control a permanent of each color", f.AllOf(conditions=colors))
    g.terminal("buriedkind", _buried_at, lambda p, v: None)
    g.wording("cond", "<n:count> or more <k:buriedkind>", f.Exists(of=S.k, number=S.n), guard=lambda e: e["n"] != 1)
    g.rule("cond", "there are fewer than <n:count> <of:plural>", f.Exists(of=S.of, compare="<", number=S.n),
           guard=lambda e: e["n"] != 1 and e["of"].text != "cards in your graveyard")  # fmt: skip
    few = f.Holds(left=n.CardsIn(zone="library", of=Noun("that player")), compare="<=", right=S.n)
    g.rule("cond", "a library has <n:count> or fewer cards in it", f.SomePlayer(who=Noun("each player"), condition=few))


_LIES: Words = ("are", "in", "your", "graveyard")


def _buried_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creature cards are in your graveyard" as "creature cards in your graveyard"."""
    end = next((i for i in range(place + 2, place + 6) if reader.words[i : i + 4] == _LIES), place)
    made = noun(" ".join((*reader.words[place:end], *_LIES[1:]))) if end > place else None
    if made is not None and reader.at(end - 1) == "cards":
        yield Reading(end + 4, made, (*reader.words[place:end], *_LIES[1:]))
