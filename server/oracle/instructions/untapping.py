"""What doesn't untap during somebody's next untap step: everything of a kind that is there then (611.2c)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words

_STAYS = (f.Flag(rule="doesn't untap"),)
_AIMED = ("target player", "target opponent")
_THEIRS: tuple[Words, ...] = tuple(
    ("don't", "untap", "during", *whose, "next", "untap", "step") for whose in (("their",), ("that", "player", "'s"))
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    own = f.Effect(what=S.what, mods=_STAYS, duration="your next untap step", following=True)
    said = "<what:things> don't untap during your next untap step"
    g.rule(
        "do",
        said,
        own,
        guard=lambda e: e["what"].text.endswith(" you control") and isinstance(e["what"].reading, n.Each),
    )
    g.terminal("kepttapped", _theirs_at, _theirs_words)
    g.rule("do", "<x:kepttapped>", (S["x"],))


def _theirs(who: Noun, what: Noun) -> f.Tree:
    kept = f.Effect(what=what, mods=_STAYS, duration="their next untap step", following=True)
    return (f.Bind(as_name="player", what=who), kept)


def _theirs_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Creatures target player controls don't untap during that player's next untap step"."""
    if "untap" not in reader.present:
        return
    for one in reader.read("things", place):
        tail = next((t for t in _THEIRS if reader.words[one.end : one.end + len(t)] == t), None)
        who = next((w for w in _AIMED if one.value.text.endswith(f" {w} controls")), None)
        if tail is None or who is None or not isinstance(one.value.reading, n.Each):
            continue
        what = noun(one.value.text.replace(who, "that player"))
        if what is not None:
            yield Reading(one.end + len(tail), _theirs(Noun(who), what), (*one.words, *_THEIRS[0]))


def _theirs_words(_: Printer, value: Any) -> Words | None:
    match value:
        case (f.Bind(what=Noun() as who), f.Effect(what=Noun() as kept)) if value == _theirs(who, kept):
            what = noun(kept.text.replace("that player", who.text)) if who.text in _AIMED else None
            words = noun_words(what) if what is not None else None
            return None if words is None else (*words, *_THEIRS[0])
        case _:
            return None
