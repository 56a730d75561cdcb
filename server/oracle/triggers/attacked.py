"""Events of combat that speak of who is among those that attack, or of what dealt the damage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words

YOU = Noun("you")
THIS = Noun("{this}")


def install(g: Grammar) -> None:
    """Adds the rules. Who attacks as attackers are declared has been declared with them (508.1)."""
    mine = f.Is(what=THIS, of=Noun("attacking creature"))
    commander = f.Exists(of=Noun("attacking commanders you own"))
    led = f.Pattern(event="attackers declared", subject=YOU, condition=f.OneOf(conditions=(mine, commander)))
    g.rule("event", "you attack with {this} and/or your commander", (led,))
    # All that is dealt at the same time is one event for all opponents, and so is the trigger (603.2c).
    dealt = f.Pattern(event="damage", subject=S.k, object=Noun("each opponent"), combat=True, grain="batch")
    g.terminal("anyofkind", _any_at, _any_words)
    g.rule(
        "event",
        "your opponents are dealt combat damage , if any of that damage was dealt by <k:anyofkind>",
        (dealt,),
    )


def _any_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a Warrior", as each of that kind."""
    for one in reader.read("kind", place):
        words = noun_words(one.value)
        made = noun(" ".join(("each", *words[1:]))) if words[0] in ("a", "an") else None
        if made is not None and isinstance(made.reading, n.Each):
            yield Reading(one.end, made, words)


def _any_words(_: Printer, value: Any) -> Words | None:
    first, *rest = noun_words(value) if isinstance(value, Noun) else ("",)
    return ("an" if rest[0][:1] in "AEIOUaeiou" else "a", *rest) if first == "each" and rest else None
