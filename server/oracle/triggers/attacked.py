"""Events of combat that speak of who is among those that attack, or of what dealt the damage."""

from __future__ import annotations

from collections.abc import Iterable

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S
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
    dealt = f.Pattern(event="damage", subject=S.k, object=Noun("your opponents"), combat=True, grain="batch")
    g.terminal("anyofkind", _any_at, lambda p, v: None)
    g.wording(
        "event", "your opponents are dealt combat damage , if any of that damage was dealt by <k:anyofkind>", (dealt,)
    )


def _any_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a Warrior", as the kind "Warriors"."""
    for one in reader.read("kind", place):
        words = noun_words(one.value)
        made = noun(" ".join(words[1:]) + "s") if words[0] in ("a", "an") else None
        if made is not None and isinstance(made.reading, n.Each) and made.reading.of == n.kind_of(one.value.reading):
            yield Reading(one.end, made, noun_words(made))
