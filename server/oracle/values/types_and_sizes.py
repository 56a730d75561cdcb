"""What something is or becomes: "a 4/4 red Elemental creature with haste that's still a land" (205.1, 613).

The same description serves instructions ("becomes"), static abilities ("is") and the exceptions of copies ("except it's").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.values.tokens import colors_at

WHAT = S.what
_TYPES = ("artifact", "enchantment", "creature", "land", "planeswalker")
_MANY = {many: one for one in sorted(v.CREATURE_TYPES | v.LAND_TYPES) for many in v.plurals(one)}
_STILL: tuple[Words, ...] = tuple(
    tuple(text.split())
    for text in (
        "that's still a land",
        "that are still lands",
        "that's still a planeswalker",
        "that's still an Aura",
        "that's still an enchantment",
        "that are still enchantments",
    )
)
_SOLE: tuple[Words, ...] = (
    ("and", "it", "loses", "all", "other", "card", "types"),
    ("and", "loses", "all", "other", "card", "types"),
)
_ADDITION: tuple[tuple[Words, bool], ...] = tuple(
    (tuple(f"in addition to {whose} other {what}".split()), "colors" in what)
    for whose in ("its", "their", "his", "her")
    for what in (
        "types",
        "creature types",
        "land types",
        "colors and types",
        "types and colors",
        "colors and creature types",
    )
)


CHOSEN = "chosen"
"""Stands for the type that was chosen, as in `SetColors` for the colour."""


class Body(NamedTuple):
    """A description's parts. `added`: other types stay; `mixed`: other colours stay; `sole`: other card types go,
    as the words say; `every`: it has all creature types."""

    supertypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    colors: str | None = None
    size: f.SetPT | None = None
    gained: f.GainAbilities | None = None
    added: bool = False
    mixed: bool = False
    sole: bool = False
    every: bool = False

    def mods(self) -> tuple[Any, ...]:
        """The modifications that it comes to."""
        found: list[Any] = []
        every = "creature" if self.every else ""
        if self.supertypes or self.types or self.subtypes:
            replaces = not (self.added or self.sole) and bool(self.types or self.subtypes)
            lost = tuple(t for t in _TYPES if t not in self.types) if self.sole else ()
            found.append(f.SetTypes(self.types, self.subtypes, self.supertypes, replaces, lost, every))
        if self.colors is not None:
            found.append(f.SetColors(colors=self.colors, replace=not self.mixed))
        return (*found, *(part for part in (self.size, self.gained) if part is not None))


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("becoming", _becoming_at, _typed_words)
    g.terminal("openbecoming", _open_at, lambda p, v: None)
    g.terminal("lastbecoming", _last_at, _typed_words)
    for category, verb in (("mod", "become~"), ("smod", "are~")):
        g.rule(category, f"{verb} <b:becoming>", S.b)
    for tail in (
        "it's still a|an land|planeswalker|enchantment|artifact",
        "they're still lands|enchantments|artifacts",
    ):
        g.rule(
            "op",
            f"become~ <b:openbecoming> <d:until> . {tail}",
            f.Effect(what=WHAT, mods=S.b, duration=S.d),
        )
        g.rule(
            "op",
            f"become~ <b:openbecoming> until end of turn and <m:bans> this turn . {tail}",
            (
                f.Effect(what=WHAT, mods=S.b, duration="end of turn"),
                f.Effect(what=WHAT, mods=S.m, duration="end of turn"),
            ),
            guard=lambda e: isinstance(e.get("what", n.Noun("{this}")).reading, n.This),
        )
        g.rule("op", f"become~ <b:openbecoming> . {tail}", f.Effect(what=WHAT, mods=S.b, duration="forever"))
        early = f"until end of turn , <what:things> become~ <b:openbecoming> . {tail}"
        g.rule("do", early, f.Effect(what=WHAT, mods=S.b, duration="end of turn"))
        g.wording("static", f"<what:group> are~ <b:openbecoming> . {tail}", (f.Continuous(what=WHAT, mods=S.b),))
    added = f.Effect(what=WHAT, mods=S.b, duration="forever")
    g.rule("op", "become~ <b:lastbecoming>", added)
    both = replace(added, mods=(f.GainAbilities(keywords=S.k), S["b"]))
    g.rule("op", "gain~ <k:keywords> and become~ <b:lastbecoming>", both)
    g.wording("op", "is|are <b:lastbecoming>", added, guard=_keeps_types)


# --- reading ------------------------------------------------------------------------------------------------------------------


def _becoming_at(reader: Reader, place: int) -> Iterable[Reading]:
    for end, body in bodies_at(reader, place):
        if not (body.types or body.subtypes):
            continue
        if not body.types and not body.size and set(body.subtypes) <= set(v.LAND_TYPES) and not body.added:
            continue  # a land type alone replaces land types, which has a rule of its own (305.7)
        if {"artifact", "creature"} <= set(body.types):
            body = body._replace(added=True)  # 205.1b
        yield from _reading(reader, end, body)


def _open_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What stays what it was too, as the next sentence says."""
    for end, body in bodies_at(reader, place):
        if body.types and not body.added:
            yield from _reading(reader, end, body._replace(added=True))


def _last_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A description at the end of its sentence; what it says lasts."""
    return [one for one in reader.read("becoming", place) if reader.at(one.end) in (".", "", "\n")]


def _reading(reader: Reader, end: int, body: Body) -> Iterable[Reading]:
    mods = body.mods()
    words = becoming_words(Printer(reader.grammar), mods)
    if words is not None:
        yield Reading(end, mods, words)


def bodies_at(reader: Reader, place: int) -> Iterable[tuple[int, Body]]:
    """Every description that begins here, with its end."""
    at = place + (reader.at(place) in ("a", "an"))
    supertypes = ("legendary",) if reader.at(at) == "legendary" else ()
    at += len(supertypes)
    size, at = _size_at(reader, at)
    at += size is not None and reader.at(at) == "and" and reader.at(at + 1) in (*v.COLORS, "colorless")
    colors, at = colors_at(reader, at)
    subtypes, at = _chosen_at(reader, at) or _subtypes_at(reader, at)
    types, at = _types_at(reader, at)
    at += reader.at(at) in ("token", "tokens")
    body = Body(supertypes, tuple(types), tuple(subtypes), colors, size)
    for end, tailed in _tails(reader, at, body):
        yield end, tailed
        if reader.at(end) == "with":
            for last, gained in _with(reader, end + 1, tailed):
                yield last, gained
                if tailed is body:
                    yield from (pair for pair in _tails(reader, last, gained) if pair[1] is not gained)


def _tails(reader: Reader, at: int, body: Body) -> Iterable[tuple[int, Body]]:
    """The description as it stands, or with what says that other types stay."""
    for tail, mixed in _ADDITION:
        if reader.words[at : at + len(tail)] == tail:
            yield at + len(tail), body._replace(added=True, mixed=mixed)
            return
    start = at + (reader.at(at) == ",")
    for tail in _SOLE:
        if reader.words[start : start + len(tail)] == tail and body.types:
            yield start + len(tail), body._replace(sole=True)
            return
    for tail in _STILL:
        if reader.words[at : at + len(tail)] == tail:
            yield at + len(tail), body._replace(added=True)
            return
    yield at, body


_EVERY: Words = ("all", "creature", "types")


def _with(reader: Reader, at: int, body: Body) -> Iterable[tuple[int, Body]]:
    if reader.words[at : at + 3] == _EVERY and "creature" in body.types:
        yield at + 3, body._replace(every=True)
        return
    base = at + (reader.at(at) == "base")
    if body.size is None and reader.words[base : base + 3] == ("power", "and", "toughness"):
        size, end = _size_at(reader, base + 3)
        if size is not None:
            yield end, body._replace(size=size)
            for joint in ((",",), (",", "and"), ("and",)):
                if reader.words[end : end + len(joint)] == joint:
                    for last, gained in _gained(reader, end + len(joint)):
                        yield last, body._replace(size=size, gained=gained)
        if reader.words[base + 3 : base + 6] == ("each", "equal", "to"):
            for one in reader.read("amount", base + 6):
                if not isinstance(one.value, int):
                    yield one.end, body._replace(size=f.SetPT(power=one.value, toughness=one.value))
        return
    for end, gained in _gained(reader, at):
        yield end, body._replace(gained=gained)


def _gained(reader: Reader, at: int) -> Iterable[tuple[int, f.GainAbilities]]:
    """Keywords, an ability in quotation marks, or both."""
    for one in reader.read("keywords", at):
        yield one.end, f.GainAbilities(keywords=one.value)
        if reader.at(one.end) == "and":
            for category in ("quoted", "takers"):
                for more in reader.read(category, one.end + 1):
                    yield more.end, f.GainAbilities(keywords=one.value, abilities=more.value)
    for category in ("quoted", "takers"):
        for one in reader.read(category, at):
            yield one.end, f.GainAbilities(abilities=one.value)


def _size_at(reader: Reader, at: int) -> tuple[f.SetPT | None, int]:
    for one in reader.read("fixedsize", at):
        return one.value, one.end
    return None, at


_CHOSEN: tuple[Words, ...] = tuple(
    tuple(f"{which} {kind}".split())
    for which in ("the chosen", "that")
    for kind in ("type", "creature type", "land type", "basic land type")
)


def _chosen_at(reader: Reader, at: int) -> tuple[list[str], int] | None:
    """The type that was chosen; nothing else of the kind stands beside it."""
    for words in _CHOSEN:
        if reader.words[at : at + len(words)] == words:
            return [CHOSEN], at + len(words)
    return None


def _subtypes_at(reader: Reader, at: int) -> tuple[list[str], int]:
    """Subtypes; a plural is the last ("Zombies")."""
    found: list[str] = []
    while reader.at(at) in v.SUBTYPES:
        found.append(reader.at(at))
        at += 1
    return ([*found, _MANY[reader.at(at)]], at + 1) if reader.at(at) in _MANY else (found, at)


def _types_at(reader: Reader, at: int) -> tuple[list[str], int]:
    """Card types; a plural is the last ("creatures")."""
    found: list[str] = []
    while reader.at(at) in _TYPES:
        found.append(reader.at(at))
        at += 1
    return ([*found, reader.at(at)[:-1]], at + 1) if reader.at(at)[:-1] in _TYPES else (found, at)


# --- printing -----------------------------------------------------------------------------------------------------------------


def _typed_words(printer: Printer, value: Any) -> Words | None:
    """As `becoming_words`, of what becomes something: sizes, colours and keywords alone are gained in other words."""
    typed = isinstance(value, tuple) and any(isinstance(mod, f.SetTypes) for mod in value)
    return becoming_words(printer, value) if typed else None


def becoming_words(printer: Printer, value: Any) -> Words | None:
    """The words of modifications that make a description; None if they make none."""
    body = _body_of(value) if isinstance(value, tuple) else None
    if body is None or body.mods() != value or value == (body.gained,):
        return None
    words: list[str] = list(body.supertypes)
    equal: Words = ()
    if body.size is not None and not _is_fixed(body.size):
        amount = printer.write("amount", body.size.power)
        if amount is None or body.size.power != body.size.toughness or body.gained is not None:
            return None
        equal = ("with", "base", "power", "and", "toughness", "each", "equal", "to", *amount)
    elif body.size is not None:
        words += printer.write("fixedsize", body.size) or ()
    if body.colors is not None:
        bare = body.size is not None and not (body.types or body.subtypes)
        words += ["and"] if bare else []
        words += printer.write("colors", body.colors) or ()
    if body.subtypes == (CHOSEN,) and (words or body.types):
        return None
    words += ["the", "chosen", "type"] if body.subtypes == (CHOSEN,) else _spelled(body.subtypes)
    words += body.types
    if (body.types or body.subtypes) and words[0] != "the":
        words.insert(0, "an" if words[0][0].lower() in "aeiou" or words[0].startswith("8") else "a")
    if body.added and (body.types or body.subtypes):
        words += f"in addition to its other {'colors and types' if body.mixed else 'types'}".split()
    sole = _SOLE[0] if body.sole else ()
    if body.every:
        return (*words, "with", *_EVERY, *sole) if "creature" in body.types and body.gained is None else None
    if body.gained is None or not words:
        return (*words, *equal, *sole) or None
    gained = printer.write("mod", (body.gained,))
    return None if gained is None else (*words, "with", *gained[1:], *sole)


def _is_fixed(size: f.SetPT) -> bool:
    return all(isinstance(side, int | n.X) for side in (size.power, size.toughness))


def _spelled(subtypes: tuple[str, ...]) -> list[str]:
    return [word for subtype in subtypes for word in subtype.split()]


def _body_of(mods: tuple[Any, ...]) -> Body | None:
    types = f.SetTypes()
    colors: f.SetColors | None = None
    size: f.SetPT | None = None
    gained: f.GainAbilities | None = None
    for mod in mods:
        match mod:
            case f.SetTypes() if mod is mods[0]:
                types = mod
            case f.SetColors() if colors is None:
                colors = mod
            case f.SetPT() if size is None:
                size = mod
            case f.GainAbilities() if mod is mods[-1]:
                gained = mod
            case _:
                return None
    some = bool(types.types or types.subtypes)
    mixed = colors is not None and not colors.replace
    return Body(
        types.supertypes, types.types, types.subtypes, colors.colors if colors else None, size, gained,
        some and not types.replace and not types.lose, mixed, bool(types.lose), types.all_subtypes == "creature",
    )  # fmt: skip


def _keeps_types(e: dict[str, Any]) -> bool:
    first = e["b"][0]
    return isinstance(first, f.SetTypes) and not first.replace
