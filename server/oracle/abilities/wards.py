"""Protection that does not remove Auras which are there already: all of them, or the one that gives it (current 702.16c says
what protection does)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

_EFFECT = (".", "this", "effect", "doesn't", "remove")
_SPARED: tuple[tuple[str, Words], ...] = (("Auras", ("Auras",)), ("this", (f.THIS,)))


def install(g: Grammar) -> None:
    """Adds the rule."""
    g.terminal("sparing", _sparing_at, _sparing_words)
    g.rule("static", "<x:sparing>", S.x)


def _sparing_at(reader: Reader, place: int) -> Iterable[Reading]:
    if "remove" not in reader.present:
        return
    size = len(_EFFECT)
    end = next((i for i in range(place, len(reader.words)) if reader.words[i : i + size] == _EFFECT), None)
    for one in Reader(reader.grammar, reader.words[place:end]).read("static", 0) if end is not None else ():
        for spares, said in _SPARED:
            value = _with(one.value, spares)
            if end is not None and one.end == end - place and reader.at(end + size) == said[0] and value != one.value:
                yield Reading(end + size + 1, value, (*one.words, *_EFFECT, *said))


def _sparing_words(printer: Printer, value: Any) -> Words | None:
    for spares, said in _SPARED:
        plain = _with(value, "") if isinstance(value, tuple) else value
        if plain != value and _with(plain, spares) == value:
            words = printer.write("static", plain)
            return None if words is None else (*words, *_EFFECT, *said)
    return None


def _with(abilities: Any, spares: str) -> Any:
    """Static abilities with the protection that they give to what they are attached to sparing this."""
    return tuple(
        replace(one, mods=tuple(_modification(mod, spares) for mod in one.mods))
        if isinstance(one, f.Continuous)
        else one
        for one in abilities
    )


def _modification(mod: Any, spares: str) -> Any:
    if not isinstance(mod, f.GainAbilities):
        return mod
    given = tuple(
        replace(one, spares=spares) if isinstance(one, f.KeywordAbility) and one.keyword == "protection" else one
        for one in mod.abilities
    )
    return replace(mod, abilities=given)
