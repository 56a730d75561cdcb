"""What is said to lose all others: "is a colorless land with ... and loses all other card types and abilities" (205.1a, 613)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, row_at, row_words

WHAT = S.what
_HEADS: tuple[Words, ...] = tuple(
    tuple(f"{joint} {verb} all other".split())
    for joint in ("and", ", and", ", and it", "and it")
    for verb in ("lose", "loses")
)
_TYPES = ("artifact", "enchantment", "creature", "land", "planeswalker")
# What goes, in words: abilities, card types, creature types.
_GONE: tuple[tuple[Words, bool, bool, bool], ...] = tuple(
    (tuple(text.split()), "abilities" in text, "card types" in text, "creature types" in text)
    for text in (
        "abilities",
        "abilities and card types",
        "card types and abilities",
        "abilities and creature types",
        "creature types and abilities",
        "abilities , card types , and creature types",
        "card types , creature types , and abilities",
    )
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    for rows, one in (("smods", "smod"), ("mods", "mod")):
        row = f"{one}row"
        g.terminal(row, row_at(one), row_words(one))
        g.terminal(f"{one}alone", partial(_alone_at, row, rows), lambda p, v: None)
        g.wording(rows, f"<x:{one}alone>", S.x)
    g.terminal("endalone", _last_at, lambda p, v: None)
    g.wording("op", "<m:endalone>", f.Effect(what=WHAT, mods=S.m, duration="forever"))


def _alone_at(row: str, rows: str, reader: Reader, place: int) -> Iterable[Reading]:
    """A row of modifications and what of others goes with them: first everything is lost, then that is there."""
    if "other" not in reader.present:
        return
    for one in reader.read(row, place):
        head = next((h for h in _HEADS if reader.words[one.end : one.end + len(h)] == h), None)
        if head is None:
            continue
        at = one.end + len(head)
        for words, abilities, types, creature_types in _GONE:
            mods = _without(one.value, types, creature_types)
            if reader.words[at : at + len(words)] != words or mods is None:
                continue
            mods = ((f.LoseAbilities(),) if abilities else ()) + mods
            written = Printer(reader.grammar).write(rows, mods)
            if written is not None:
                yield Reading(at + len(words), mods, written)


def _without(mods: tuple[Any, ...], types: bool, creature_types: bool) -> tuple[Any, ...] | None:
    """The modifications that leave no other card types or creature types; None where no type is given in place of them."""
    if not (types or creature_types):
        return mods
    place = next((i for i, mod in enumerate(mods) if isinstance(mod, f.SetTypes) and mod.types), None)
    if place is None:
        return None
    given = mods[place]
    lost = tuple(t for t in _TYPES if t not in given.types) if types else given.lose
    made = replace(given, replace=False, lose=lost)
    before = (f.SetTypes(lose=("creature types",)),) if creature_types else ()
    return (*before, *mods[:place], made, *mods[place + 1 :])


def _last_at(reader: Reader, place: int) -> Iterable[Reading]:
    """At the end of the sentence: nothing says for how long."""
    return [one for one in reader.read("modalone", place) if reader.at(one.end) in (".", "", "\n")]
