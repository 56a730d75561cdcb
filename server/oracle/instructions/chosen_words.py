"""What is chosen as an instruction is followed: a colour, a type, a card name, a player (608.2d)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, phrase


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    r("do", "choose a color", f.ChooseWord(what="color"))
    for kind in ("creature type", "land type", "basic land type"):
        r("do", f"choose a {kind}", f.ChooseWord(what=kind))
    r("do", "choose a card type", f.ChooseWord(what="type"))
    r("do", "choose a permanent type", f.ChooseWord(what="permanent type"))
    r("do", "choose a card name", f.ChooseWord(what="name"), "name a card")
    g.terminal("cardname", _card_kind_at, _card_kind_words)
    named = f.ChooseWord(what="name", kind=S.k)
    r("do", "choose a|an <k:cardname> card name", named, "name a|an <k:cardname> card")
    r("do", "choose an opponent", f.ChooseWord(what="opponent"))
    r("do", "choose a player", f.ChooseWord(what="player"))


def _card_kind_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What stands before "card name" or "card": "nonland", "noncreature , nonland", as a kind of card."""
    end = next((i for i in range(place, min(place + 6, len(reader.words))) if reader.words[i] == "card"), place)
    made = noun(phrase((*reader.words[place:end], "card"))) if end > place else None
    if made is not None and isinstance(made.reading, n.Things):
        yield Reading(end, made, reader.words[place:end])


def _card_kind_words(_: Printer, value: Any) -> Words | None:
    words = noun_words(value) if isinstance(value, Noun) else ()
    return words[:-1] if len(words) > 1 and words[-1] == "card" else None
