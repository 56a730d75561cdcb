"""Cards from outside the game: "you may reveal a sorcery card you own from outside the game and put it into your hand" (400.10b)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.oracle.engine import Grammar, Reader, Reading, S, walk
from server.oracle.nouns import noun_words

_CARD, _MINE = n.IsA(sort="card"), n.OwnedBy(by=n.You())
_HAND = ("put it into your hand", "put that card into your hand")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("ownedcard", _owned_at, lambda p, v: noun_words(v) if _is_owned(v) else None)
    for place, exile in (("from outside the game", False), ("from outside the game or in exile", True)):
        card = f"<k:ownedcard> {place}"
        _rules(g, card, exile)
    told = "reveal <k:ownedcard> from outside the game or choose <e:faceupexile>"
    g.terminal("faceupexile", _exiled_at, lambda p, v: None)
    g.wording("vp", f"{told} . {_HAND[1]}", f.FromOutside(what=S.k, who=S.who, exile=True, reveal=True),
              guard=lambda e: _plain(e["e"].text) == _plain(f"{e['k'].text} in exile"))  # fmt: skip
    g.rule("vp", "choose <k:ownedcards> from outside the game and shuffle them into your library",
           f.FromOutside(what=S.k, who=S.who, to="shuffled"))  # fmt: skip
    g.terminal("ownedcards", _several_at, lambda p, v: noun_words(v) if _is_several(v) else None)


def _rules(g: Grammar, card: str, exile: bool) -> None:
    shown = f.FromOutside(what=S.k, who=S.who, exile=exile, reveal=True)
    unseen = f.FromOutside(what=S.k, who=S.who, exile=exile)
    g.rule("vp", f"reveal {card} and {_HAND[0]}", shown, f"reveal {card} and {_HAND[1]}",
           *(f"choose {card} , reveal that card , and {hand}" for hand in _HAND),
           *(f"choose {card} , reveal it , and {hand}" for hand in _HAND))  # fmt: skip
    g.rule("vp", f"put {card} into your hand", unseen, *(f"choose {card} and {hand}" for hand in _HAND))
    g.rule("vp", f"put {card} on top of your library", f.FromOutside(what=S.k, who=S.who, exile=exile, to="top"))


def _cards(value: Any) -> n.Choose | None:
    """What is chosen, if it is cards that you own, wherever they are."""
    reading = value.reading if isinstance(value, f.Noun) else None
    if not isinstance(reading, n.Choose) or not reading.of.anywhere:
        return None
    return reading if all(any(part == one for part in walk(reading)) for one in (_CARD, _MINE)) else None


def _is_owned(value: Any) -> bool:
    chosen = _cards(value)
    return chosen is not None and chosen.count == 1 and not chosen.up_to


def _is_several(value: Any) -> bool:
    chosen = _cards(value)
    return chosen is not None and chosen.count != 1


def _owned_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("noun", place) if _is_owned(one.value)]


def _several_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("noun", place) if _is_several(one.value)]


def _exiled_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("noun", place) if " face-up " in f" {one.value.text}"]


def _plain(text: str) -> str:
    """Without how it lies there and without its article."""
    return text.replace("face-up ", "").split(" ", 1)[1]
