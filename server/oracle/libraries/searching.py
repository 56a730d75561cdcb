"""Rules for searching: "search your library for a basic land card, put it onto the battlefield tapped, then shuffle".

Lists phrase the sentences after the kind in hundreds of ways ("and reveal it. Then shuffle and put that card on top"). They are
read clause by clause into the fields of one `Search`, which is printed in one way. A search whose cards go to several places
("put one onto the battlefield tapped and the other into your hand") only finds them; what follows puts them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, third
from server.oracle.nouns import THAT_PLAYER, is_person, noun_words

YOU = Noun("you")
ZONES = ("library", "graveyard", "hand")
_PRONOUNS: tuple[Words, ...] = tuple(
    tuple(text.split())
    for text in ("it", "them", "that card", "those cards", "the card", "the cards", "the revealed cards")
)
_PLACES: tuple[tuple[Words, dict[str, Any]], ...] = tuple(
    (tuple(text.split()), fields)
    for text, fields in (
        ("onto the battlefield tapped under your control", {"to": "battlefield", "tapped": True}),
        ("onto the battlefield tapped", {"to": "battlefield", "tapped": True}),
        ("onto the battlefield under your control", {"to": "battlefield"}),
        ("onto the battlefield", {"to": "battlefield"}),
        ("into your hand", {"to": "hand"}),
        ("into their hand", {"to": "hand"}),
        ("into your graveyard", {"to": "graveyard"}),
        ("into their graveyard", {"to": "graveyard"}),
    )
)
_TOP: tuple[Words, ...] = tuple(
    tuple(text.split())
    for text in (
        "on top of it in any order",
        "on top in any order",
        "on top of it",
        "on top of your library",
        "on top of that library",
        "on top of their library",
        "on top",
    )
)
#: How the library is shuffled only if it was searched: of "your library and/or graveyard" it need not be.
_IF_SEARCHED: tuple[Words, ...] = tuple(
    (*f". if you {verb} your library this way , shuffle".split(), *it)
    for verb in ("search", "searched")
    for it in (("it",), ())
)
_SHUFFLE: tuple[Words, ...] = tuple(
    tuple(text.split())
    for text in (
        ". then each player who searched their library this way shuffles it",
        ". then each player who searched their library this way shuffles",
        ", then that player shuffles",
        ". then that player shuffles",
        ". that player shuffles",
        ", then shuffle",
        ", then shuffles",
        ". then shuffle",
        ". shuffle",
        ", and shuffle",
        ", and shuffles",
        "and shuffle",
        "and shuffles",
        ", shuffle",
    )
)
_AND: tuple[Words, ...] = ((",", "and"), (",", "then"), ("and", "then"), (",",), ("and",), (".",))


class Clauses(NamedTuple):
    """What was said after the kind so far, and where it ended."""

    end: int
    fields: dict[str, Any]


class Places(NamedTuple):
    """Zones that are searched, or of which those are that who searches chooses."""

    zones: tuple[Any, ...]
    either: bool


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("searching", _searching_at, _searching_words)
    g.terminal("told", lambda r, at: _searching_at(r, at, True), lambda p, v: None)
    g.rule("vp", "<s:searching>", S.s)


def _after(reader: Reader, place: int, choices: Iterable[Words]) -> int:
    """Where the first of these phrases that stands here ends; -1 if none does."""
    for words in choices:
        if reader.words[place : place + len(words)] == words:
            return place + len(words)
    return -1


# --- reading ----------------------------------------------------------------------------------------------------------------


def _searching_at(reader: Reader, place: int, told: bool = False) -> Iterator[Reading]:
    """With `told` what is found stays where it is until what follows says where it goes, which must be read together with it."""
    if reader.at(place) not in ("search", "searches"):
        return
    for at, whose, searched in _where(reader, place + 1):
        if reader.at(at) != "for":
            continue
        places, either = searched
        if not either:
            yield from _several_at(reader, at + 1, whose, places)
        every = reader.at(at + 1) == "all"
        up_to = reader.words[at + 1 : at + 3] == ("up", "to")
        for kind_end, kind, count in _kinds(reader, at + 1):
            alike, tail = _alike_at(reader, kind_end, count)
            for start, bind in _where_x(reader, kind_end + len(tail)):
                for end, fields in _clauses(reader, start, told, either):
                    made = f.Search(
                        what=kind,
                        count=count,
                        every=every,
                        who=S.who,
                        whose=whose,
                        places=places,
                        either=either,
                        alike=alike,
                        exactly=count != -1 and not up_to and kind.text in _SIMPLY,
                        **fields,
                    )
                    words = _searching_words(Printer(reader.grammar), made)
                    if words is not None:
                        yield Reading(end, made if bind is None else (bind, made), words)


#: Cards of no stated quality, of which as many are found as there are to be (701.15c).
_SIMPLY = ("card", "cards")
_ALIKE: tuple[tuple[Any, Words], ...] = (
    ("land type", ("that", "share", "a", "land", "type")),
    ("different names", ("with", "different", "names")),
)


def _alike_at(reader: Reader, at: int, count: Any) -> tuple[Any, Words]:
    """What several cards that are found must be to each other, and the words that say it."""
    for alike, words in _ALIKE if count != 1 else ():
        if reader.words[at : at + len(words)] == words:
            return alike, words
    return "", ()


def _several_at(reader: Reader, at: int, whose: Noun | None, places: tuple[Any, ...]) -> Iterator[Reading]:
    """ "A basic Forest card and a basic Plains card": one after the other, and then the library is shuffled."""
    states: list[tuple[int, tuple[Noun, ...]]] = [(at, ())]
    while states:
        start, kinds = states.pop()
        for one in reader.read("singular", start + 1) if reader.at(start) in ("a", "an") else ():
            row = (*kinds, one.value)
            joint = _after(reader, one.end, ((",", "and"), ("and",), ("and/or",), (",",)))
            if joint > 0:
                states.append((joint, row))
            for end, fields in _clauses(reader, one.end) if len(row) > 1 else ():
                if not fields.get("shuffle") or fields.get("to") in ("library", "found"):
                    continue
                base = f.Search(what=row[-1], who=S.who, whose=whose, places=places, **fields)
                value = (*(replace(base, what=kind, shuffle=False) for kind in row[:-1]), base)
                words: list[str] = []
                for verb in value:
                    words += [*(["."] if words else []), *(_searching_words(Printer(reader.grammar), verb) or ())]
                yield Reading(end, value, tuple(words))


def _where(reader: Reader, at: int) -> Iterator[tuple[int, Noun | None, Places]]:
    """Whose zones: None for those of who searches."""
    if reader.at(at) in ("your", "their"):
        yield from ((end, None, places) for end, places in _zones(reader, at + 1))
    for one in reader.read("noun", at):
        if reader.at(one.end) == "'s" and is_person(one.value) and one.value != YOU:
            yield from ((end, one.value, places) for end, places in _zones(reader, one.end + 1))
    for text in ("its controller", "its owner"):
        words = (*text.split(), "'s")
        if reader.words[at : at + 3] == words:
            yield from ((end, Noun(text), places) for end, places in _zones(reader, at + 3))


def _zones(reader: Reader, at: int) -> Iterator[tuple[int, Places]]:
    """ "Graveyard, hand, and library", all of which are searched, or with "and/or" those of them that are chosen."""
    found: list[str] = []
    either = False
    while reader.at(at) in ZONES:
        found.append(reader.at(at))
        at += 1
        joint = _after(reader, at, ((",", "and/or"), (",", "and"), ("and/or",), ("and",), (",",)))
        if joint < 0 or reader.at(joint) not in ZONES:
            break
        either = either or reader.at(joint - 1) == "and/or"
        at = joint
    if found:
        yield at, Places(tuple(zone for zone in ZONES if zone in found), either)


def _kinds(reader: Reader, at: int) -> Iterator[tuple[int, Noun, Any]]:
    """What is searched for and how many: "a land card", "up to two basic land cards", "any number of", "all"."""
    if reader.at(at) in ("a", "an"):
        yield from ((one.end, one.value, 1) for one in reader.read("singular", at + 1))
    many = _after(reader, at, (("any", "number", "of"), ("all",)))
    if many > 0:
        yield from ((one.end, one.value, -1) for one in reader.read("plural", many))
    up_to = _after(reader, at, (("up", "to"),))
    for count in reader.read("count", up_to if up_to > 0 else at):
        if count.value != 1 or up_to > 0:
            category = "plural" if count.value != 1 else "singular"
            yield from ((one.end, one.value, count.value) for one in reader.read(category, count.end))


def _where_x(reader: Reader, at: int) -> Iterator[tuple[int, f.Bind | None]]:
    yield at, None
    if reader.words[at : at + 4] == (",", "where", "X", "is"):
        for amount in reader.read("amount", at + 4):
            yield amount.end, f.Bind(as_name="X", amount=amount.value)


def _clauses(reader: Reader, at: int, told: bool = False, either: bool = False) -> Iterator[Clauses]:
    """Revealing, a place, shuffling, each at most once and in this order; what is put on top is so after the shuffle. Where `either`
    zone is searched, it is said that a library that was searched is shuffled."""
    fields: dict[str, Any] = {}
    shown = _verb(reader, at, ("reveal", "reveals"))
    if shown > 0:
        fields["reveal"] = True
        at = shown
    placed = _placed(reader, at)
    if placed is not None:
        if told and _where_told(reader, at):
            yield Clauses(at, {**fields, "to": "found", "shuffle": False})
        at = placed.end
        fields.update(placed.fields)
        shuffled = _after(reader, at, _IF_SEARCHED if either else (*_SHUFFLE, *_IF_SEARCHED))
        if shuffled > 0 or not either:
            yield Clauses(shuffled if shuffled > 0 else at, {**fields, "shuffle": shuffled > 0})
        return
    if not either and _several(reader, at) or told and _where_told(reader, at):
        yield Clauses(at, {**fields, "to": "found", "shuffle": False})
    shuffled = _after(reader, at, _SHUFFLE) if not either else -1
    top = _placed(reader, shuffled) if shuffled > 0 else None
    if top is not None and top.fields.get("to") == "library":
        yield Clauses(top.end, {**fields, **top.fields})


def _verb(reader: Reader, at: int, verbs: tuple[str, str]) -> int:
    """Where "and reveal it" and the like end; -1 if they do not stand here."""
    for joint in (*_AND, ()):
        start = at + len(joint)
        if reader.words[at:start] == joint and reader.at(start) in verbs:
            return _after(reader, start + 1, _PRONOUNS)
    return -1


def _placed(reader: Reader, at: int) -> Clauses | None:
    """ "put it into your hand", "exile them", "put that card on top of it"."""
    gone = _verb(reader, at, ("exile", "exiles"))
    if gone > 0:
        return Clauses(gone, {"to": "exile"})
    put = _verb(reader, at, ("put", "puts"))
    for words, fields in _PLACES if put > 0 else ():
        if reader.words[put : put + len(words)] == words:
            return Clauses(put + len(words), fields)
    top = _after(reader, put, _TOP) if put > 0 else -1
    return Clauses(top, {"to": "library"}) if top > 0 else None


def _several(reader: Reader, at: int) -> bool:
    """Whether what follows puts some of the cards here and some there."""
    joint = _after(reader, at, _AND)
    return joint > 0 and reader.words[joint : joint + 2] == ("put", "one")


def _where_told(reader: Reader, at: int) -> bool:
    """Whether what follows says on what it depends where the card goes, or to what it is attached."""
    if reader.at(at) == ".":
        rest = reader.words[at + 1 :]
        return (
            rest[:1] == ("if",)
            and "otherwise" in rest
            or rest[:2] == ("you", "may")
            and "otherwise" in rest
            or (rest[:1] == ("put",) and "if" in rest and "otherwise" in rest)
        )
    put = _verb(reader, at, ("put", "puts"))
    return put > 0 and reader.words[put : put + 5] == ("onto", "the", "battlefield", "attached", "to")


# --- printing ---------------------------------------------------------------------------------------------------------------


def _searching_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Search) or value != replace(value, as_name="", top=False):
        return None
    if value.either and (value.whose is not None or value.who not in (YOU, S.who)):
        return None  # "if you search your library this way"
    words: list[str] = ["search~", *_whose_words(value), *_zone_words(value), "for"]
    if isinstance(value.count, int) and value.count < 0:
        words += ["all"] if value.every else ["any", "number", "of"]
    elif value.count != 1 and value.exactly:
        words += printer.write("count", value.count) or ()
    elif value.count != 1 or not value.exactly and value.what.text in _SIMPLY:
        words += ["up", "to", *(printer.write("count", value.count) or ())]
    else:
        words.append("an" if value.what.text[:1] in "aeiou" else "a")
    words += noun_words(value.what)
    words += dict(_ALIKE).get(value.alike, ())
    if value.reveal:
        words += [",", _said("reveal", value), _them(value)]
    if value.to == "found":
        return tuple(words)
    shuffle = (",", "then", _said("shuffle", value))
    if value.to == "library":
        return (*words, *shuffle, "and", _said("put", value), _them(value), "on", "top") if value.shuffle else None
    words += _place_words(value)
    if value.either:
        return (*words, *_IF_SEARCHED[1]) if value.shuffle else None
    return (*words, *shuffle) if value.shuffle else tuple(words)


def _said(verb: str, value: f.Search) -> str:
    """A further verb of the same subject, which stands too far away to agree by itself."""
    return verb if value.who in (YOU, S.who, THAT_PLAYER) else third(verb)


def _them(value: f.Search) -> str:
    """How the cards that are found are spoken of."""
    return "it" if value.count == 1 else "them"


def _whose_words(value: f.Search) -> Words:
    if value.whose is not None:
        return (*noun_words(value.whose), "'s")
    return ("your",) if value.who in (YOU, S.who) else ("their",)


def _zone_words(value: f.Search) -> Words:
    words: list[str] = []
    for place in value.places:
        words += (["and/or" if value.either else "and"] if words else []) + [place]
    return tuple(words)


def _place_words(value: f.Search) -> Words:
    if value.to == "exile":
        return (",", _said("exile", value), _them(value))
    if value.to == "battlefield":
        return (
            ",",
            _said("put", value),
            _them(value),
            "onto",
            "the",
            "battlefield",
            *(("tapped",) if value.tapped else ()),
        )
    return (",", _said("put", value), _them(value), "into", "your" if value.who in (YOU, S.who) else "their", value.to)
