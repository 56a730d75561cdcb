"""Rules for cards that are searched for and then go where a condition or an opponent says, or onto the battlefield attached:
"search your library for an artifact card and reveal it. Put it onto the battlefield if ... Otherwise, put it into your hand."

What is found is "it" to what follows, or "$looked".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

YOU, IT = Noun("you"), Noun("it")
_CARD = ("it", "that card")
#: How a library is shuffled in the end: that of a search for what is in one of several zones only if it was searched.
_THEN = (". then shuffle",)
_IF_SEARCHED = (". if you search your library this way , shuffle", ". if you search your library this way , shuffle it")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("onefound", _one_found_at, _one_found_words)
    _as_it_is(g)
    _attached(g)
    _opponent_chooses(g)


def _one_found_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A search of yours for one card, which stays where it is."""
    for one in reader.read("told", place):
        value = replace(one.value, who=YOU) if isinstance(one.value, f.Search) else None
        words = _one_found_words(Printer(reader.grammar), value)
        if words is not None and reader.at(place) == "search":
            yield Reading(one.end, value, words)


def _one_found_words(printer: Printer, value: Any) -> Words | None:
    alone = isinstance(value, f.Search) and value.to == "found" and value.count == 1 and value.who == YOU
    words = printer.write("searching", value) if alone and value.whose is None else None
    return None if words is None else ("search", *words[1:])


def _as_it_is(g: Grammar) -> None:
    """ "Put it onto the battlefield if it's a land card. Otherwise, put it into your hand. Then shuffle." """
    hand = (f.Move(what=IT, to="hand"),)
    for where, tapped in (("onto the battlefield", False), ("onto the battlefield tapped", True)):
        put = (f.Move(what=IT, to="battlefield", tapped=tapped),)
        for may, then in (("", put), ("you may ", (f.May(then=put, otherwise=hand),))):
            shape = (S.s, f.If(condition=S.c, then=then, otherwise=hand))
            texts = [
                f"<s:onefound> . {said} . otherwise , put {again} into your hand"
                for card in _CARD
                for said in (f"{may}put {card} {where} if <c:cond>", f"if <c:cond> , {may}put {card} {where}")
                for again in _CARD
            ]
            _shuffled(g, texts, shape, _THEN)


def _shuffled(g: Grammar, texts: list[str], shape: tuple[Any, ...], ends: tuple[str, ...]) -> None:
    """What ends with shuffling the library, which where one of several zones is searched is done if it was that."""
    for searched, said in ((False, (*ends, *_IF_SEARCHED)), (True, _IF_SEARCHED)):
        ways = [f"{text} {end}" for text in texts for end in said]
        whole = (*shape, f.Shuffle(searched=searched))
        g.rule("do", ways[0], whole, *ways[1:], guard=lambda e, so=searched: e["s"].either == so)


def _attached(g: Grammar) -> None:
    """ "And put it onto the battlefield attached to {this}. If you search your library this way, shuffle it." """
    put = f.Move(what=IT, to="battlefield", attached_to=S.t)
    texts = [f"<s:onefound> {joint} it onto the battlefield attached to <t:one>" for joint in ("and put", ", put")]
    _shuffled(g, texts, (S.s, put), (*_THEN, ", then shuffle"))


def _opponent_chooses(g: Grammar) -> None:
    """Of several cards of different names two go where an opponent, or a person that is named, says."""
    search = f.Search(what=S.k, to="found", count=S.n, reveal=True, shuffle=False, alike="different names")
    pick = f.Pick(what=Noun("two of $looked"), least=2, most=2, who=S.w, as_name="chosen")
    chosen, rest = Noun("$chosen"), Noun("the rest")
    buried = f.Move(what=chosen, to="graveyard")
    base = "search your library for up to <n:count> <k:plural> with different names and reveal them"
    untold = replace(pick, who=Noun("the chosen player"))
    for said, after in (
        (
            "put the chosen cards into your graveyard and the rest into your hand",
            (buried, f.Move(what=rest, to="hand")),
        ),
        (
            "put the chosen cards into your graveyard and the rest onto the battlefield tapped",
            (buried, f.Move(what=rest, to="battlefield", tapped=True)),
        ),
    ):
        ends = (f"{said} . then shuffle", f"{said} , then shuffle")
        told = [f"{base} . <w:person> chooses two of those cards . {end}" for end in ends]
        g.rule("do", told[0], (search, pick, *after, f.Shuffle()), *told[1:], guard=_enough)
        other = [f"{base} . an opponent chooses two of those cards . {end}" for end in ends]
        shape = (search, f.ChooseWord(what="opponent"), untold, *after, f.Shuffle())
        g.rule("do", other[0], shape, *other[1:], guard=_enough)


def _enough(e: dict[str, Any]) -> bool:
    told = "w" not in e or not isinstance(e["w"].reading, n.Choose)
    return told and isinstance(e["n"], int) and e["n"] > 2
