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
_THEN = (
    ". then shuffle",
    ". if you search your library this way , shuffle it",
    ". if you search your library this way , shuffle",
)


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
            shape = (S.s, f.If(condition=S.c, then=then, otherwise=hand), f.Shuffle())
            texts = [
                f"<s:onefound> . {said} . otherwise , put {again} into your hand {end}"
                for card in _CARD
                for said in (f"{may}put {card} {where} if <c:cond>", f"if <c:cond> , {may}put {card} {where}")
                for again in _CARD
                for end in _THEN
            ]
            g.rule("do", texts[0], shape, *texts[1:])


def _attached(g: Grammar) -> None:
    """ "And put it onto the battlefield attached to {this}. If you search your library this way, shuffle it." """
    put = f.Move(what=IT, to="battlefield", attached_to=S.t)
    ends = (*_THEN, ", then shuffle")
    texts = [
        f"<s:onefound> {joint} it onto the battlefield attached to <t:one> {end}"
        for joint in ("and put", ", put")
        for end in ends
    ]
    g.rule("do", texts[0], (S.s, put, f.Shuffle()), *texts[1:])


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
