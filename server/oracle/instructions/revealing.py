"""What players reveal one after the other and what comes of it, what is chosen of all, and what players get with permanents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, phrase

THAT_PLAYER = Noun("that player")
THAT_CARD = Noun("that card")


def install(g: Grammar) -> None:
    """Adds the rules."""
    shown = f.Look(what=Noun("the top card of that player's library"), reveal=True)
    lost = f.LoseLife(amount=n.StatOf(stat="mana value", of=THAT_CARD), who=THAT_PLAYER)
    taken = f.ForEach(of=S.of, then=(shown, lost, f.Move(what=THAT_CARD, to="hand")))
    loses = "loses life equal to that card 's mana value"
    g.rule("do", f"<of:others> reveals the top card of their library , {loses} , then puts it into their hand", taken)
    r = g.rule
    spared = f.Pick(what=S.k, least=0, as_name="spared")
    all_else = (spared, f.Destroy(what=Noun("the rest")))
    r("do", "choose up to one <k:spared> . destroy the rest", all_else)
    g.terminal("spared", _spared_at, _spared_words)
    shielded = f.RuleEffect(rule=f.PlayerRule(rule="can't be the target", number=1))
    own = f.Effect(what=S.w, mods=(f.GainAbilities(keywords=("hexproof",)),))
    r("do", "you and <w:plurals> gain hexproof until end of turn", (shielded, own))
    also = f.Effect(what=S.w, mods=(f.GainAbilities(keywords=S.k),))
    g.wording("do", "<w:plurals> also gain <k:keywords> until end of turn", also)
    leaves = f.Pattern(event="zone change", subject=Noun("it"), from_="battlefield")
    r("governed", "when that creature leaves the battlefield , <do:chain>", (f.Delayed(when=(leaves,), then=S.do),))
    cast = f.PlayCard(what=Noun("those cards"), kind=S.k, most=1, free=True)
    g.wording("do", "you may cast <k:cardofhand> from it without paying its mana cost", cast)
    g.terminal("cardofhand", _card_of_hand_at, lambda p, v: None)


def _spared_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creature" after "choose up to one", as all creatures."""
    for one in reader.read("noun", place):
        made = noun(f"each {one.value.text}") if isinstance(one.value.reading, n.Things) else None
        if made is not None and isinstance(made.reading, n.Each) and made.reading.of.players is None:
            yield Reading(one.end, made, one.words)


def _spared_words(_: Printer, value: Any) -> Words | None:
    words = noun_words(value) if isinstance(value, Noun) else None
    return words[1:] if words is not None and words[0] == "each" else None


def _card_of_hand_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "an instant or sorcery card" of a hand that was revealed, as the spell that it would be."""
    for one in reader.read("noun", place):
        if one.words[0] in ("a", "an") and one.words[-1] == "card":
            made = noun(phrase((*one.words[:-1], "spell")))
            if made is not None and isinstance(made.reading, n.Choose):
                yield Reading(one.end, made, one.words)
