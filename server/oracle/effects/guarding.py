"""Players who gain hexproof or protection from colours, alone or with what they control (current 702.11e)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words

HEXPROOF_FROM = "hexproof from"
_HEAD: Words = ("you", "and")
_GAIN: Words = ("gain", "hexproof", "from")
_TAIL: Words = ("until", "end", "of", "turn")


def install(g: Grammar) -> None:
    """Adds the rules."""
    guarded = f.RuleEffect(rule=f.PlayerRule(rule="protection", who=S.who, what=S.q), duration=S.d)
    said = "gain~ protection from <q:bare> <d:until>"
    g.rule("vp", said, guarded, guard=lambda e: e["q"].text in v.COLORS)
    g.terminal("guarding", _guarding_at, _guarding_words)
    g.rule("governed", "<v:guarding>", S.v)


def _guarding_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "You and permanents you control gain hexproof from blue and from black until end of turn"."""
    if reader.words[place : place + 2] != _HEAD:
        return
    for one in reader.read("plurals", place + 2):
        at = one.end + len(_GAIN)
        if reader.words[one.end : at] != _GAIN:
            continue
        colors = [reader.at(at)]
        while reader.words[at + 1 : at + 3] == ("and", "from"):
            at += 3
            colors.append(reader.at(at))
        end = at + 1 + len(_TAIL)
        if reader.words[at + 1 : end] == _TAIL and set(colors) <= set(v.COLORS):
            value = _guarding(one.value, colors)
            yield Reading(end, value, _guarding_words(Printer(reader.grammar), value) or ())


def _guarding(what: Noun, colors: list[str]) -> f.Tree:
    source = noun(f"{' or '.join(colors)} source")
    given = tuple(
        f.KeywordAbility(keyword=HEXPROOF_FROM, quality=Noun(color), text=f"Hexproof from {color}") for color in colors
    )
    yours = f.RuleEffect(rule=f.PlayerRule(rule="can't be the target", number=1, what=source))
    return (yours, f.Effect(what=what, mods=(f.GainAbilities(abilities=given),)))


def _guarding_words(printer: Printer, value: Any) -> Words | None:
    match value:
        case (f.RuleEffect(), f.Effect(what=Noun() as what, mods=(f.GainAbilities(abilities=given),))):
            colors = [a.quality.text for a in given if isinstance(a, f.KeywordAbility) and a.quality is not None]
            if not colors or len(colors) != len(given) or value != _guarding(what, colors):
                return None
            words = [word for color in colors for word in ("and", "from", color)][1:]
            return (*_HEAD, *noun_words(what), *_GAIN[:-1], *words, *_TAIL)
    return None
