"""Rules for what is done with cards that were looked at, revealed, milled or exiled from the top of a library: some of them
go somewhere, the rest goes elsewhere.

"You may put a creature card from among them into your hand" is a choice of up to one, which is how it is printed; what is not
taken is "the rest", however many instructions later.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, walk
from server.oracle.nouns import LOOKED, is_among, is_one, noun, noun_words, phrase

IT = Noun("it")
REST = Noun("the rest")
_PRONOUNS = ("it", "them", "that card", "those cards", "the card", "the revealed card", "the revealed cards")
# Where cards go, and what of `Move` says so.
PLACES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("into your hand", {"to": "hand"}),
    ("into your graveyard", {"to": "graveyard"}),
    ("onto the battlefield", {"to": "battlefield"}),
    ("onto the battlefield tapped", {"to": "battlefield", "tapped": True}),
    ("on top of your library", {"to": "library"}),
    ("on the bottom of your library", {"to": "library", "bottom": True}),
)
_LIBRARIES = ("your library", "that library", "their library", "that player 's library", "its owner 's library")
_REST = (
    "all cards revealed this way that weren't put onto the battlefield",
    "the rest",
    "the other",
    "the rest of the cards",
    "the rest of the revealed cards",
    "the rest of those cards",
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    _otherwise(g)
    g.terminal("picked", _picked_at, _picked_words)
    g.terminal("some", lambda r, at: [o for o in r.read("picked", at) if _is_up_to(o.value)], _some_words)
    g.terminal("bareupto", _bare_up_to_at, _bare_up_to_words)
    g.terminal("upto", _up_to_at, _some_words)
    _taken(g)
    _chosen(g)
    _rest(g)
    _arranged(g)


# --- some of them -----------------------------------------------------------------------------------------------------------


def _is_pick(value: Any) -> bool:
    """Whether it is some of what was looked at, or of two zones ("a card from that player's graveyard or hand")."""
    some = isinstance(value, Noun) and isinstance(value.reading, n.Choose | n.Each)
    return some and (is_among(value.text) or any(isinstance(part, n.LiesIn) for part in walk(value.reading)))


def _is_up_to(value: Any) -> bool:
    return (
        _is_pick(value) and isinstance(value.reading, n.Choose) and (value.reading.up_to or value.reading.count == -1)
    )


def is_pick(verb: f.Verb) -> bool:
    """Whether an instruction takes some of what was looked at: then "you may" is a choice of up to that many."""
    return isinstance(verb, f.Move | f.Pick) and _is_pick(verb.what) and isinstance(verb.what.reading, n.Choose)


def _picked_words(printer: Printer, value: Any) -> Words | None:
    return printer.write("noun", value) if _is_pick(value) else None


def _some_words(printer: Printer, value: Any) -> Words | None:
    return printer.write("noun", value) if _is_up_to(value) else None


def _picked_at(reader: Reader, place: int) -> Iterable[Reading]:
    found = [one for one in reader.read("noun", place) if _is_pick(one.value)]
    if reader.at(place) == "one" and reader.at(place + 1) in ("into", "onto", "on", "back"):  # "put one into your hand"
        found.append(Reading(place + 1, Noun(f"one of {LOOKED}"), ("one", "of", "them")))
    return found


def _up_to(text: str) -> Noun | None:
    """ "a land card from among them", which may be left, as "up to one land card from among them"."""
    first, _, rest = text.partition(" ")
    if first in ("a", "an", "one"):
        return noun(f"up to one {rest}")
    return noun(text) if text.startswith(("up to ", "any number of ")) else None


def _up_to_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("picked", place):
        made = _up_to(one.value.text) if " card and/or " not in one.value.text else None  # which is up to one of each
        if made is not None:
            words = Printer(reader.grammar).write("noun", made)
            if words is not None:
                yield Reading(one.end, made, words)


def _bare_up_to_at(reader: Reader, place: int) -> Iterable[Reading]:
    """The first of two kinds that share their "from among them"."""
    for one in reader.read("noun", place):
        if reader.at(one.end) in ("and/or", ",") and isinstance(one.value.reading, n.Choose):
            made = _up_to(f"{one.value.text} from among {LOOKED}")
            if made is not None and "card" in one.words:
                yield Reading(one.end, made, _bare_up_to_words(Printer(reader.grammar), made) or ())


def _bare_up_to_words(printer: Printer, value: Any) -> Words | None:
    tail = f" from among {LOOKED}"
    if not _is_up_to(value) or not value.text.endswith(tail):
        return None
    bare = noun(value.text[: -len(tail)])
    return None if bare is None else printer.write("noun", bare)


def _taken(g: Grammar) -> None:
    r = g.rule
    for place, fields in PLACES:
        more = ("back on top of your library", "back") if place == "on top of your library" else ()
        if fields["to"] in ("hand", "battlefield", "library", "graveyard"):
            shape = f.Move(what=S.k, **fields)
            up_to = [f"you may put <k:upto> {p}" for p in (place, *more)]
            if fields["to"] == "hand":
                up_to.append("you may return <k:upto> to your hand")
            r(
                "do",
                f"put <k:picked> {place}",
                shape,
                f"<k:picked> {place}",
                *(f"put <k:picked> {p}" for p in more),
                *up_to,
            )
            pair = (f.Move(what=S.a, **fields), f.Move(what=S.k, **fields))
            r("do", f"you may put <a:bareupto> and/or <k:upto> {place}", pair)
            shown_first = f.Move(what=S.k, reveal=True, **fields)
            for joint in ("and put", ", then put", ", put", "and then put"):
                up_to = [f"you may reveal <k:upto> {joint} {p} {place}" for p in _PRONOUNS]
                if joint == "and put":
                    rest = [f"reveal <k:some> and put {p} {place}" for p in _PRONOUNS[1:]]
                    r("do", f"reveal <k:some> and put it {place}", shown_first, *rest, *up_to)
                    both = (f.Move(what=S.a, reveal=True, **fields), f.Move(what=S.k, reveal=True, **fields))
                    said = [f"you may reveal <a:bareupto> and/or <k:upto> and put {p} {place}" for p in _PRONOUNS]
                    r("do", said[0], both, *said[1:])
                else:
                    r("do", f"reveal <k:some> and put it {place}", shown_first, *up_to)
    grown = f.Move(what=S.k, to="battlefield", counter=S.c, count=S.m)
    tail = "onto the battlefield with <m:count> <c:counter> counter|counters on it"
    r("do", f"put <k:some> {tail}", grown, f"you may put <k:upto> {tail}")
    r("do", "reveal it", f.Look(what=IT, reveal=True), "reveal that card")
    r("do", "exile <k:some>", f.Move(what=S.k, to="exile"), "you may exile <k:upto>")
    r("do", "exile <k:some> face down", f.Move(what=S.k, to="exile", face_down=True))


def _chosen(g: Grammar) -> None:
    """Cards of a revealed hand that are chosen, and what becomes of them."""
    r = g.rule
    r("vp", "reveal~ their|your hand", f.RevealHand(who=S.who))
    pick = f.Pick(what=S.k, as_name="chosen")
    r("do", "choose <k:picked>", pick, "you choose <k:picked>", "you may choose <k:upto>")
    g.terminal("oneofdone", _one_of_done_at, lambda p, v: p.write("noun", v) if _is_of_done(v) else None)
    r("do", "choose <k:oneofdone>", f.Pick(what=S.k))
    g.terminal("theirchoice", _of_opponents_choice_at, lambda p, v: _of_opponents_choice_words(v))
    asked = f.Pick(what=S.k, who=Noun("the chosen player"))
    for said, moved in (
        ("to your hand", f.Move(what=IT, to="hand")),
        ("to the battlefield", f.Move(what=IT, to="battlefield")),
    ):
        r("do", f"return <k:theirchoice> {said}", (f.ChooseWord(what="opponent"), asked, moved))
    below = (f.Look(what=IT, reveal=True), f.Move(what=IT, to="library", bottom=True), f.Draw(count=S.n, who=S.p))
    replaced = "<p:other> reveals the chosen card , puts it on the bottom of their library"
    g.wording(
        "do", f"{replaced} , then draws <n:count> card|cards", below, f"{replaced} , and draws <n:count> card|cards"
    )
    for many, card in ((False, Noun("that card")), (True, Noun("those cards"))):
        words = ("those cards", "them") if many else ("that card", "it", "the chosen card")
        discarded = f.Discard(what=card, who=S.who, all=True)
        r("vp", f"discard~ {words[0]}", discarded, *(f"discard~ {w}" for w in words[1:]))
        exiled = f.Move(what=card, to="exile")
        r("do", f"exile {words[0]}", exiled, *(f"that player exiles {w}" for w in words))


_CHOICE: Words = ("of", "an", "opponent", "'s", "choice")


def _of_opponents_choice_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What an opponent chooses, as a phrase without who does."""
    at = next((i for i in range(place, len(reader.words)) if reader.words[i : i + 5] == _CHOICE), -1)
    for end in range(at + 6, min(at + 12, len(reader.words) + 1)) if at > 0 else ():
        made = noun(phrase((*reader.words[place:at], *reader.words[at + 5 : end])))
        if made is not None and isinstance(made.reading, n.Choose) and made.reading.count == 1:
            yield Reading(end, made, _of_opponents_choice_words(made))


def _of_opponents_choice_words(value: Noun) -> Words:
    words = noun_words(value)
    at = next((i for i, word in enumerate(words) if word == "from"), len(words))
    return (*words[:at], *_CHOICE, *words[at:])


def _is_of_done(value: Any) -> bool:
    one = isinstance(value, Noun) and isinstance(value.reading, n.Choose) and value.reading.count == 1
    return one and value.text.endswith("card exiled this way")


def _one_of_done_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One of the cards with which something was done before ("a card exiled this way")."""
    return [one for one in reader.read("noun", place) if _is_of_done(one.value)]


# --- the rest ---------------------------------------------------------------------------------------------------------------


def _rest(g: Grammar) -> None:
    r = g.rule

    def rest(place: str, shape: f.Verb, *more: str) -> None:
        places = (place, *more)
        free = not isinstance(shape, f.Reorder) or shape.random  # of an order, who chooses it matters
        verbs = ("put ", "", "puts ") if free else ("put ", "")
        r(
            "do",
            f"put the rest {place}",
            shape,
            *(f"{verb}{w} {p}" for verb in verbs for w in _REST for p in places),
        )

    for bottom, side in ((True, "on the bottom of"), (False, "on top of")):
        order = ("in any order", "in a random order")
        for random, how in zip((False, True), order, strict=True):
            also = [f"{side} {library} {how}" for library in _LIBRARIES[1:]]
            if not bottom:
                also += ["back on top in any order", "back in any order", "on top in any order"] if not random else []
                also += [f"back {one}" for one in (f"{side} {library} {how}" for library in _LIBRARIES)]
            elif random:
                also += [f"{side} {library} in random order" for library in _LIBRARIES]
            else:
                also += ["on the bottom in any order"]
            rest(f"{side} your library {how}", f.Reorder(what=REST, bottom=bottom, random=random), *also)
    rest("into your hand", f.Move(what=REST, to="hand"), "into their hand")
    rest(
        "into your graveyard",
        f.Move(what=REST, to="graveyard"),
        "into their graveyard",
        "into that player 's graveyard",
    )
    rest("onto the battlefield", f.Move(what=REST, to="battlefield"), "onto the battlefield under your control")
    rest("onto the battlefield tapped", f.Move(what=REST, to="battlefield", tapped=True))
    rest("on the bottom of your library", f.Move(what=REST, to="library", bottom=True))
    rest("on top of your library", f.Move(what=REST, to="library"))
    shuffled = f.Move(what=REST, to="library", shuffle=True)
    wholes = ("your library", "their library")
    r(
        "do",
        "shuffle the rest into your library",
        shuffled,
        *(f"{said} {w} into {whole}" for said in ("shuffle", "shuffles") for w in _REST for whole in wholes),
    )
    exiled = f.Move(what=REST, to="exile")
    r("do", "exile the rest", exiled, *(f"exile {w}" for w in _REST))


def _arranged(g: Grammar) -> None:
    """All of them back in an order."""
    r = g.rule
    again = f.Move(what=Noun("all cards exiled this way"), to="library")
    r("do", "look at the exiled cards and put them on top of your library in any order", again)
    g.terminal("owncards", _own_cards_at, lambda p, v: p.write("things", v))
    for bottom, side in ((False, "on top of"), (True, "on the bottom of")):
        own = f.Reorder(what=S.w, bottom=bottom)
        said = f"put <w:owncards> {side} your library"  # in any order, whether that is said or not (401.4)
        r("do", f"{said} in any order", own, said, guard=lambda e: not is_one(e["w"]))
    g.terminal("looked", _looked_at, lambda p, v: ("them",) if v == Noun("them") else None)
    for bottom, side in ((False, "on top of"), (True, "on the bottom of")):
        for random, how in ((False, "in any order"), (True, "in a random order")):
            shape = f.Reorder(what=S.w, bottom=bottom, random=random)
            variants = [f"put <w:looked> {side} {library} {how}" for library in _LIBRARIES[1:]]
            if not bottom:
                variants += [f"put <w:looked> back {how}", f"put <w:looked> back on top of your library {how}"]
            r("do", f"put <w:looked> {side} your library {how}", shape, *variants)


def _own_cards_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Several cards in your hand or graveyard."""
    for one in reader.read("things", place):
        kind = n.kind_of(one.value.reading)
        placed = kind is not None and kind.zone in ("hand", "graveyard") and one.words[-2:-1] == ("your",)
        if placed and not is_one(one.value):
            yield one


def _looked_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What was looked at or chosen of it just before, as several cards."""
    for text in ("them", "those cards", "the cards"):
        words = tuple(text.split())
        if reader.words[place : place + len(words)] == words:
            yield Reading(place + len(words), Noun("them"), ("them",))


def _otherwise(g: Grammar) -> None:
    """What may be done with a card that one looked at and did not take."""
    rest = Noun("$rest")
    for place, move in (
        ("into your graveyard", f.Move(what=rest, to="graveyard")),
        ("on the bottom of your library", f.Move(what=rest, to="library", bottom=True)),
    ):
        then = f.If(condition=f.Exists(of=rest), then=(f.May(then=(move,)),))
        texts = [
            f"if you don't put {card} into your hand , you may put it {place}"
            for card in ("the card", "it", "that card")
        ]
        g.rule("governed", texts[0], (then,), *texts[1:])
