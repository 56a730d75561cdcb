"""What may be paid rather than the mana costs of spells of a kind (601.2b): the spells have that alternative cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun_words

_MAY: Words = ("you", "may")
_RATHER: Words = ("rather", "than", "pay", "the", "mana", "cost", "for")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("substitute", _substitute_at, _substitute_words)
    g.rule("static", "<a:substitute>", (S.a,))


def _substitute_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "You may pay {0} rather than pay the mana cost for Zombie creature spells you cast"."""
    if reader.words[place : place + 2] != _MAY:
        return
    for cost in reader.read("cost", place + 2):
        if reader.words[cost.end : cost.end + len(_RATHER)] != _RATHER:
            continue
        for spells in reader.read("spells", cost.end + len(_RATHER)):
            if not _are_cast(spells.value):
                continue
            said = " ".join(cost.words)
            instead = f.CastingCost(name=said, cost=cost.value, kind="alternative")
            value = f.Continuous(what=spells.value, mods=(f.GainAbilities(abilities=(instead,)),))
            words = _substitute_words(Printer(reader.grammar), value)
            if words is not None:
                yield Reading(spells.end, value, words)


def _are_cast(spells: Noun) -> bool:
    """Whether they are spells that "you cast", by whatever name."""
    return isinstance(spells.reading, n.Things) and spells.reading.zone == "stack" and spells.text.endswith("you cast")


def _substitute_words(printer: Printer, value: Any) -> Words | None:
    match value:
        case f.Continuous(
            what=what,
            mods=(f.GainAbilities(keywords=(), abilities=(f.CastingCost(kind="alternative", cost=cost),)),),
            condition=None,
        ) if _are_cast(what):
            said = printer.write("cost", cost)
            return None if said is None else (*_MAY, *said, *_RATHER, *noun_words(what))
    return None
