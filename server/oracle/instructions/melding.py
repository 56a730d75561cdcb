"""Rules for melding (current 701.42): "if you both own and control {this} and a creature named N, exile them, then meld them into M".

"Them" are this object and what the condition names, which the instruction is told (`with_counterparts`) after its ability is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from server.cards import forms as f
from server.cards.nouns import Noun, NounError
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, tokens, walk

THIS = Noun("{this}")
THEM = Noun("them")
_YOURS = "you own you control"
_OWN = f.Is(what=THIS, of=Noun(f"a permanent {_YOURS}"))
_FIGHTING = f.Is(what=THIS, of=Noun(f"an attacking creature {_YOURS}"))
_ENDS = frozenset((",", ".", "are"))


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    g.terminal("meldname", _name_at, _name_words)
    g.terminal("counterpart", _counterpart_at(False), _counterpart_words(False))
    g.terminal("fellowattacker", _counterpart_at(True), _counterpart_words(True))
    melds = f.Meld(other=THEM, into=S.m)
    r("do", "exile them , then meld them into <m:meldname>", melds)
    fights = replace(melds, tapped=True, attacking=True)
    into = "exile them , then meld them into <m:meldname> . it enters"
    r("do", f"{into} tapped and attacking", fights, f"{into} the battlefield tapped and attacking")
    own = "you both own and control {this} and <of:counterpart>"
    r("cond", own, f.AllOf(conditions=(_OWN, S.of)))
    many = f.Exists(of=S.cards, number=S.n)
    r(
        "cond",
        f"there are <n:count> or more <cards:plural> and {own}",
        f.AllOf(conditions=(many, _OWN, S.of)),
        guard=lambda e: e["n"] != 1,
    )
    attacking = "{this} and <of:fellowattacker> are attacking , and you both own and control them"
    r("cond", attacking, f.AllOf(conditions=(_FIGHTING, S.of)))


def _said(words: Iterable[str]) -> str:
    """A name as it is written."""
    return " ".join(words).replace(" ,", ",").replace(" 's", "'s")


def _name_at(reader: Reader, place: int) -> Iterable[Reading]:
    """All up to the end of the sentence."""
    end = next((i for i in range(place, len(reader.words)) if reader.words[i] == "."), len(reader.words))
    if end > place and reader.words[place][:1].isupper():
        words = reader.words[place:end]
        yield Reading(end, _said(words), words)


def _name_words(printer: Printer, value: object) -> Words | None:
    return tuple(tokens(value)) if isinstance(value, str) and value else None


def _counterpart_at(fights: bool) -> Callable[[Reader, int], Iterable[Reading]]:
    """ "A creature named N": that you control one that you own, which attacks if it `fights`."""

    def at(reader: Reader, place: int) -> Iterable[Reading]:
        article, kind = reader.at(place), reader.at(place + 1)
        if reader.at(place + 2) != "named" or article not in ("a", "an"):
            return
        for end in range(place + 4, len(reader.words)):
            if reader.words[end] not in _ENDS:
                continue
            name = _said(reader.words[place + 3 : end])
            try:
                noun = Noun(f"{'an attacking' if fights else article} {kind} {_YOURS} named {name}")
            except NounError:
                continue
            yield Reading(end, f.Exists(of=noun), reader.words[place:end])

    return at


def _counterpart_words(fights: bool) -> Callable[[Printer, object], Words | None]:
    def words(printer: Printer, value: object) -> Words | None:
        text = value.of.text if isinstance(value, f.Exists) and value == f.Exists(of=value.of) else ""
        kind, mark, name = text.partition(f" {_YOURS} named ")
        lead, _, word = kind.rpartition(" ")
        if not mark or (lead == "an attacking") != fights:
            return None
        return ("an" if word[:1] in "aeiou" else "a", word, "named", *tokens(name))

    return words


def with_counterparts(ability: Any) -> Any:
    """The ability with what its condition names as what is melded; None if there is no such condition, or more than one."""
    melds = any(isinstance(part, f.Meld) for part in walk(ability))
    if not melds:
        return ability
    found = [part.of for part in walk(ability) if isinstance(part, f.Exists) and f"{_YOURS} named " in part.of.text]
    return _told(ability, found[0]) if len(found) == 1 else None


def without_counterparts(ability: Any) -> Any:
    """The ability as it is printed."""
    return _told(ability, THEM) if any(isinstance(part, f.Meld) for part in walk(ability)) else ability


def _told(tree: Any, other: Noun) -> Any:
    if isinstance(tree, tuple):
        return tuple(_told(part, other) for part in tree)
    if isinstance(tree, f.Meld):
        return replace(tree, other=other)
    if not isinstance(tree, msgspec.Struct):
        return tree
    return replace(tree, **{name: _told(getattr(tree, name), other) for name in tree.__struct_fields__})
