"""Copies (706): tokens that are copies, what becomes or enters as a copy, and "except it's an artifact and it has haste".

Exceptions are modifications of the copied card, in clauses about "it"; a token or a person may be named instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.core import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.mods import row_at, row_words
from server.oracle.statics import ENTERS
from server.oracle.terminals import is_one, noun, noun_words
from server.oracle.tokens import colors_at

WHO = S.who
WHAT = S.what


def install(g: Grammar) -> None:
    """Adds the rules."""
    _exceptions(g)
    _tokens(g)
    _becoming(g)
    _entering(g)


# --- exceptions -------------------------------------------------------------------------------------------------------------

_HAS = ("it has", "they have", "the token has", "he has", "she has", "has", "have", "it gains", "gains")
_ISNT = (
    "it isn't",
    "it's not",
    "they aren't",
    "they're not",
    "the token isn't",
    "the tokens aren't",
    "isn't",
    "he isn't",
)
_IS: tuple[Words, ...] = tuple(
    tuple(text.split())
    for text in (
        "it's", "they're", "the token is", "the tokens are", "that token is", "he's", "she's", "it is", "they are", "is",
        "are", "its",
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
    has("no mana cost", f.SetManaCost())
    first, *others = (f"{subject} legendary" for subject in _ISNT)
    g.rule("exception", first, (f.SetTypes(lose=("legendary",)),), *others)
    g.rule("exception", "its name is {this}", (f.SetName(name=f.THIS),), "his name is {this}", "her name is {this}")
    g.terminal("copybody", _body_at, _body_words)
    g.rule("exception", "<b:copybody>", S.b)
    g.rule("exception", "<b:copybody> with <k:keywords>", (S["b"], f.GainAbilities(keywords=S.k)))
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


_TYPES = ("artifact", "enchantment", "creature", "land")
_ADDITION: tuple[tuple[Words, bool], ...] = tuple(
    (tuple(f"in addition to {whose} other {what}".split()), "colors" in what)
    for whose in ("its", "their", "his", "her")
    for what in ("types", "creature types", "colors and types", "types and colors")
)


def _body_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "it's a legendary 4/4 black Zombie creature in addition to its other types", "it's 1/1", "it's legendary"."""
    for subject in _IS:
        if reader.words[place : place + len(subject)] != subject:
            continue
        at = place + len(subject)
        at += reader.at(at) in ("a", "an")
        supertypes = ("legendary",) if reader.at(at) == "legendary" else ()
        at += len(supertypes)
        size: f.SetPT | None = None
        for one in reader.read("fixedsize", at):
            size, at = one.value, one.end
        at += size is not None and reader.at(at) == "and" and reader.at(at + 1) in (*v.COLORS, "colorless")
        colors, at = colors_at(reader, at)
        subtypes, at = _while(reader, at, v.SUBTYPES)
        types, at = _types_at(reader, at)
        at += reader.at(at) in ("token", "tokens")
        for tail, mixed in (*_ADDITION, ((), False)):
            if (
                reader.words[at : at + len(tail)] != tail
                or (types and not tail)
                or (tail and not (types or subtypes or supertypes))
            ):
                continue
            mods = _body(supertypes, tuple(types), tuple(subtypes), not tail, colors, not mixed, size)
            words = _body_words(Printer(reader.grammar), mods)
            if mods and words is not None:
                yield Reading(at + len(tail), mods, words)
            break


def _while(reader: Reader, at: int, known: Any) -> tuple[list[str], int]:
    found: list[str] = []
    while reader.at(at) in known:
        found.append(reader.at(at))
        at += 1
    return found, at


def _types_at(reader: Reader, at: int) -> tuple[list[str], int]:
    """Card types; a plural is the last ("creatures")."""
    found, at = _while(reader, at, _TYPES)
    if reader.at(at)[:-1] in _TYPES:
        return [*found, reader.at(at)[:-1]], at + 1
    return found, at


def _body(
    supertypes: tuple[str, ...],
    types: tuple[str, ...],
    subtypes: tuple[str, ...],
    alone: bool,
    colors: str | None,
    only: bool,
    size: f.SetPT | None,
) -> tuple[Any, ...]:
    mods: list[Any] = []
    if supertypes or types or subtypes:
        replaces = alone and bool(subtypes)
        mods.append(f.SetTypes(supertypes=supertypes, types=types, subtypes=subtypes, replace=replaces))
    if colors is not None:
        mods.append(f.SetColors(colors=colors, replace=only))
    if size is not None:
        mods.append(size)
    return tuple(mods)


def _body_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value:
        return None
    types, colors, size = f.SetTypes(), None, None
    for mod in value:
        match mod:
            case f.SetTypes() if mod is value[0] and not mod.lose:
                types = mod
            case f.SetColors() if colors is None:
                colors = mod
            case f.SetPT() if mod is value[-1]:
                size = mod
            case _:
                return None
    added = bool(types.types or types.subtypes) and not types.replace
    words: list[str] = list(types.supertypes)
    for part, category in ((size, "fixedsize"), (colors and colors.colors, "colors")):
        if part is not None:
            said = printer.write(category, part)
            if said is None:
                return None
            words += ["and", *said] if size is not None and category == "colors" and len(value) == 2 else said
    words += [*types.subtypes, *types.types]
    if types.types or types.subtypes:
        words.insert(0, "an" if words[0][0].lower() in "aeiou" else "a")
    if added:
        mixed = colors is not None and not colors.replace
        words += f"in addition to its other {'colors and types' if mixed else 'types'}".split()
    remade = _body(
        types.supertypes, types.types, types.subtypes, not added, colors.colors if colors else None,
        colors is None or colors.replace, size,
    )  # fmt: skip
    return ("it's", *words) if remade == value else None


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
    r("do", "populate", f.CreateToken(copy_of=Noun("a creature token you control")))  # 701.30 (current: 701.36)
    # What a token is given when it is made lasts.
    g.terminal("lastly", _lastly_at, lambda p, v: p.write("keywords", v))
    r("op", "gain~ <k:lastly>", f.Effect(what=WHAT, mods=(f.GainAbilities(keywords=S.k),), duration="forever"))


def _copied_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [
        one for one in reader.read("noun", place) if is_one(one.value) or one.value.reading == n.It(what="creature")
    ]


def _lastly_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Keywords at the end of their sentence."""
    return [one for one in reader.read("keywords", place) if reader.at(one.end) in (".", "", "\n")]


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
