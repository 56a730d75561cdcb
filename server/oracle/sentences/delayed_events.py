"""What is done when something happens to what was spoken of: "whenever that creature deals combat damage to a player this turn" (603.7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, filled, third
from server.oracle.nouns import noun_words

IT = Noun("it")
_NEXT = "during their next combat"
_DIES = f.Pattern(event="zone change", subject=IT, from_="battlefield", to="graveyard")


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    g.terminal("toldevent", _told_at, _told_words)
    once = f.Delayed(when=S.e, then=S.do, duration="end of turn")
    r("governed", "when <e:toldevent> this turn , <do:chain>", (once,), guard=lambda e: not _dies(e["e"]))
    always = f.Delayed(when=S.e, then=S.do, once=False, duration="end of turn")
    r("governed", "whenever <e:toldevent> this turn , <do:chain>", (always,))
    later = f.Delayed(when=S.e, then=S.do)
    r("governed", "when <e:toldevent> , <do:chain>", (later,), "<do:simple> when <e:toldevent>", guard=_leaves)

    _that_combat(g)


def _that_combat(g: Grammar) -> None:
    """ "After this phase, there is an additional combat phase. Each of those creatures attacks that combat if able": the next one."""
    sent = f.Effect(what=Noun("them"), mods=(f.Flag(rule="attacks if able"),), duration=_NEXT)
    barred = f.Flag(rule="can't attack", param=Noun("you or a planeswalker you control"))
    elsewhere = f.Effect(what=Noun("they"), mods=(barred,), duration=_NEXT)
    phase = "after this phase , there is an additional combat phase"
    attacks = f"{phase} . each of those creatures attacks that combat if able"
    spared = f"{attacks} . they can't attack you or a planeswalker you control that combat"
    g.rule("do", attacks, (f.ExtraPhase(main=False), sent))
    g.rule("do", spared, (f.ExtraPhase(main=False), sent, elsewhere), spared.replace("a planeswalker", "planeswalkers"))


def _told_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "that creature deals combat damage to a player", "it leaves the battlefield": one that is known already."""
    for one in reader.read("one", place):
        if not _is_told(one.value):
            continue
        for happens in reader.read("happens", one.end):
            patterns = tuple(filled(pattern, {"s": one.value}) for pattern in happens.value)
            if all(one.value in (p.subject, p.object) for p in patterns):
                yield Reading(happens.end, patterns, (*one.words, *_singular(happens.words)))


def _is_told(value: Noun) -> bool:
    return isinstance(value.reading, n.It) and (value == IT or value.text.startswith("that "))


def tells(when: tuple[f.Pattern, ...]) -> bool:
    """Whether such an event is about what was spoken of."""
    return any(isinstance(noun, Noun) and _is_told(noun) for p in when for noun in (p.subject, p.object))


def _singular(words: Words) -> Words:
    return tuple(third(word[:-1]) if word.endswith("~") else word for word in words)


def _told_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value or not all(isinstance(p, f.Pattern) for p in value):
        return None
    for rule in printer.grammar.rules.get("happens", ()):
        env: dict[str, Any] = {}
        words = printer.by_rule(rule, value, env)
        about = env.get("s")
        if words is not None and isinstance(about, Noun) and _is_told(about):
            return (*noun_words(about), *_singular(words))
    return None


def _dies(when: tuple[f.Pattern, ...]) -> bool:
    """Whether it dies, which has words of its own."""
    return len(when) == 1 and replace(when[0], subject=IT) == _DIES


def _leaves(e: dict[str, Any]) -> bool:
    """Whether it is gone with it: it dies or leaves the battlefield, and so no other time comes. What {this} has become by then is
    not known, so nothing is done with it elsewhere than on the battlefield."""
    moved = any(isinstance(verb, f.Move) and verb.what.text.startswith("{this}") for verb in e["do"])
    return not moved and all(p.event == "zone change" and p.from_ == "battlefield" for p in e["e"])
