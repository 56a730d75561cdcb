"""Copies (706): tokens that are copies, what becomes or enters as a copy, and "except it's an artifact and it has haste".

Exceptions are modifications of the copied card, in clauses about "it"; a token or a person may be named instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import ENTERS, Grammar, Printer, Reader, Reading, S, Words, row_at, row_words
from server.oracle.nouns import is_one, noun, noun_words
from server.oracle.values import becoming_words, bodies_at

WHO = S.who
WHAT = S.what


def install(g: Grammar) -> None:
    """Adds the rules."""
    _exceptions(g)
    _tokens(g)
    _becoming(g)
    _entering(g)


# --- exceptions -------------------------------------------------------------------------------------------------------------

_HAS = ("it has", "they have", "the token has", "the copy has", "{this} has", "has", "have", "it gains", "gains")
_ISNT = (
    "it isn't",
    "it's not",
    "they aren't",
    "they're not",
    "the token isn't",
    "the copy isn't",
    "the tokens aren't",
    "isn't",
    "{this} isn't",
)
_IS: tuple[Words, ...] = tuple(
    tuple(text.split())
    for text in (
        "it's", "they're", "the copy is", "the token is", "the tokens are", "that token is", "{this} is", "{this} 's",
        "it is", "they are", "is", "are", "its",
    )
)  # fmt: skip


def _exceptions(g: Grammar) -> None:
    def has(rest: str, *mods: Any) -> None:
        first, *others = (f"{subject} {rest}" for subject in _HAS)
        g.rule("exception", first, mods, *others)

    has("<k:keywords>", f.GainAbilities(keywords=S.k))
    has("<a:takers>", f.GainAbilities(abilities=S.a))
    has("<q:quoted>", f.GainAbilities(abilities=S.q))
    has("<k:keywords> and <q:quoted>", f.GainAbilities(keywords=S.k, abilities=S.q))
    has("this ability", f.GainThisAbility())
    has("<k:keywords> and this ability", f.GainAbilities(keywords=S.k), f.GainThisAbility())
    has("no mana cost", f.SetManaCost())
    first, *others = (f"{subject} legendary{tail}" for tail in ("", " if the spell is legendary") for subject in _ISNT)
    g.rule("exception", first, (f.SetTypes(lose=("legendary",)),), *others)
    g.rule(
        "exception",
        "its name is {this}",
        (f.SetName(name=f.THIS),),
        "{this} 's name is {this}",
        "its name is still {this}",
    )
    g.terminal("copybody", _body_at, _body_words)
    g.rule("exception", "<b:copybody>", S.b)
    g.terminal("exceptions", row_at("exception"), row_words("exception"))
    g.terminal("excepted", _excepted_at, _excepted_words)


def _excepted_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Nothing, or ", except ..."."""
    yield Reading(place, (), ())
    at = place + (reader.at(place) == ",")
    if reader.at(at) == "except":
        for one in reader.read("exceptions", at + 1 + (reader.at(at + 1) == "that")):
            yield Reading(one.end, one.value, (",", "except", *one.words))


def _excepted_words(printer: Printer, value: Any) -> Words | None:
    if value == ():
        return ()
    words = printer.write("exceptions", value)
    return None if words is None else (",", "except", *words)


def _body_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "it's a legendary 4/4 black Zombie creature in addition to its other types", "it's 1/1", "it's legendary"."""
    for subject in _IS:
        if reader.words[place : place + len(subject)] != subject:
            continue
        for end, body in bodies_at(reader, place + len(subject)):
            if body.types and not (body.added or body.sole):
                continue  # whether the other types stay is not said
            words = _body_words(Printer(reader.grammar), body.mods())
            if words is not None:
                yield Reading(end, body.mods(), words)


def _body_words(printer: Printer, value: Any) -> Words | None:
    words = becoming_words(printer, value) if isinstance(value, tuple) and value else None
    return None if words is None else ("it's", *words)


# --- tokens -------------------------------------------------------------------------------------------------------------------


def _tokens(g: Grammar) -> None:
    r = g.rule
    g.terminal("copied", _copied_at, lambda p, v: p.write("noun", v))
    of = "<of:copied> <x:excepted>"
    ways: tuple[tuple[dict[str, Any], str, tuple[str, ...], tuple[str, ...]], ...] = (
        ({}, "", (), ()),
        ({"tapped": True}, "tapped ", ("create~ a token tapped that's a copy of",), ()),
        (
            {"tapped": True, "attacking": True},
            "tapped and attacking ",
            (
                "create~ a token tapped and attacking that's a copy of",
                "create~ a token that's tapped and attacking and that's a copy of",
            ),
            ("and that's tapped and attacking", "that's tapped and attacking"),
        ),
    )
    for fields, before, heads, tails in ways:
        one = f.CreateToken(copy_of=S.of, who=WHO, excepting=S.x, **fields)
        r(
            "vp",
            f"create~ a {before}token that's a copy of {of}",
            one,
            f"create~ a {before}token that is a copy of {of}",
            f"put~ a {before}token onto the battlefield that's a copy of {of}",
            f"put~ a token that's a copy of <of:copied> onto the battlefield {before}<x:excepted>",
            *(f"{head} {of}" for head in heads),
            *(f"create~ a token that's a copy of <of:copied> {tail} <x:excepted>" for tail in tails),
        )
        several = f.CreateToken(copy_of=S.of, who=WHO, count=S.n, excepting=S.x, **fields)
        r(
            "vp",
            f"create~ <n:count> {before}tokens that are copies of {of}",
            several,
            f"put~ <n:count> {before}tokens onto the battlefield that are copies of {of}",
            guard=lambda e: e["n"] != 1,
        )
    another = f.CreateToken(copy_of=Noun("a creature token you control"))  # current 701.36
    r("do", "populate", another)
    r("do", "populate . the token enters tapped and attacking", replace(another, tapped=True, attacking=True))
    facing = f.CreateToken(copy_of=Noun("that creature"), blocking=Noun("that creature"))
    r("do", "create a token that's a copy of that creature and that's blocking that creature", facing)
    # What a token is given when it is made lasts.
    g.terminal("lastly", _lastly_at, lambda p, v: p.write("keywords", v))
    g.terminal("lastquoted", _last_quoted_at, lambda p, v: p.write("quoted", v))
    for shape, text in (
        (f.GainAbilities(keywords=S.k), "<k:lastly>"),
        (f.GainAbilities(abilities=S.q), "<q:lastquoted>"),
        (f.GainAbilities(keywords=S.k, abilities=S.q), "<k:keywords> and <q:lastquoted>"),
    ):
        forever = f.Effect(what=WHAT, mods=(shape,), duration="forever")
        r("op", f"gain~ {text}", forever, f"have~ {text}")


def _copied_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [
        one for one in reader.read("noun", place) if is_one(one.value) or one.value.reading == n.It(what="creature")
    ]


def _lastly_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Keywords at the end of their sentence."""
    if _in_exceptions(reader, place):
        return []
    return [one for one in reader.read("keywords", place) if reader.at(one.end) in (".", "", "\n")]


def _in_exceptions(reader: Reader, place: int) -> bool:
    """Whether the sentence so far has come to the exceptions of a copy, which are no instructions of their own."""
    while place > 0 and reader.at(place - 1) != ".":
        place -= 1
        if reader.at(place) == "except":
            return True
    return False


def _of_new_tokens(reader: Reader, place: int) -> bool:
    """Whether it is what tokens of the sentence before have, which they were made with (110.5b) and their copies have, too."""
    if reader.words[place - 3 : place] not in ((".", "it", "has"), (".", "they", "have")):
        return False
    start = place - 4
    while start > 0 and reader.at(start - 1) not in (".", "\n", '"'):
        start -= 1
    sentence = reader.words[start : place - 3]
    return bool({"create", "creates"} & {*sentence}) and not {"copy", "copies"} & {*sentence}


def _last_quoted_at(reader: Reader, place: int) -> Iterable[Reading]:
    """An ability in quotation marks whose full stop ends the sentence around it."""
    told = _in_exceptions(reader, place) or _of_new_tokens(reader, place)
    found = () if told else reader.read("quoted", place)
    return [one for one in found if reader.at(one.end) in (".", "", "\n") or reader.at(one.end - 2) == "."]


# --- becoming and entering ----------------------------------------------------------------------------------------------------


def _becoming(g: Grammar) -> None:
    r = g.rule
    copy = (f.BecomeCopy(of=S.of, excepting=S.x),)
    r(
        "op",
        "become~ a copy of <of:copied> <d:until> <x:excepted>",
        f.Effect(what=WHAT, mods=copy, duration=S.d),
        "become~ a copy of <of:copied> <x:excepted> <d:until>",
        "become~ copies of <of:copied> <d:until> <x:excepted>",
        guard=lambda e: e.get("d") != "forever",
    )
    r("op", "become~ a copy of <of:copied> <x:excepted>", f.Effect(what=WHAT, mods=copy, duration="forever"))
    still = (f.BecomeCopy(of=S.of, excepting=(f.GainThisAbility(),)),)
    older = "become~ a copy of <of:copied> and gain~ this ability"
    g.wording("op", older, f.Effect(what=WHAT, mods=still, duration="forever"))
    r(
        "do",
        "<what:things> become~ a copy of <of:copied> until end of turn <x:excepted>",
        f.Effect(what=WHAT, mods=copy, duration="end of turn"),
        "until end of turn , <what:things> become~ a copy of <of:copied> <x:excepted>",
    )


def _entering(g: Grammar) -> None:
    g.terminal("copychoice", _choice_at, lambda p, v: p.write("noun", v))
    for optional, head in ((True, "you may have {this} enter"), (False, "{this} enters")):
        for tapped in (False, True):
            base = f"{head}{' tapped' if tapped else ''} as a copy of <of:copychoice>"
            fields: dict[str, Any] = {"copy": S.of, "optional": optional, "tapped": tapped}
            _enters(g, f"{base} <x:excepted>", excepting=S.x, **fields)
            extra = f"{base} , except it enters with"
            _enters(g, f"{extra} an additional <k:counter> counter on it", counter=S.k, **fields)
            more = f"{extra} an additional <n:count> <k:counter> counters on it"
            _enters(
                g, f"{extra} <n:count> additional <k:counter> counters on it", more, counter=S.k, count=S.n, **fields
            )


def _enters(g: Grammar, template: str, *more: str, **fields: Any) -> None:
    g.rule("static", template, (f.Replacement(event=ENTERS, rewrite=(f.EnterWith(**fields),)),), *more)


def _choice_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One thing of a kind; "any creature" is a creature."""
    anyone = reader.at(place) == "any"
    for one in reader.read("bare" if anyone else "noun", place + anyone):
        text = one.value.text.removesuffix(" on the battlefield")
        made = noun(f"{'an' if text[0].lower() in 'aeiou' else 'a'} {text}" if anyone else text)
        if made is not None and isinstance(made.reading, n.Choose) and made.reading.count == 1:
            yield Reading(one.end, made, noun_words(made))
