"""What players reveal one after the other and what comes of it, what is chosen of all, and what players get with permanents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

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
    _of_a_hand(g)
    _all_revealed(g)
    g.terminal("firstatype", _first_a_type_at, lambda p, v: None)
    r("do", "<t:firstatype>", S.t)
    g.terminal("cardofhand", _card_of_hand_at, lambda p, v: None)


def _of_a_hand(g: Grammar) -> None:
    """Cards of a hand that chance picks, or that another player picks of those that were revealed."""
    shown = f.Look(what=Noun("$revealed"), reveal=True)
    at_random = f.Pick(what=Noun("a card in $revealing's hand"), random=True, as_name="revealed")
    tree = (f.Bind(as_name="revealing", what=S.w), at_random, shown)
    g.rule("do", "<w:other> reveals a card from their hand at random", tree)
    own = (replace(at_random, what=Noun("a card in your hand")), shown)
    g.rule("do", "reveal a card from your hand at random", own)
    # Some that their player picks, of which another is picked by you.
    some = f.Pick(what=S.k, who=Noun("$revealing"), as_name="revealed")
    one = f.Pick(what=Noun("one of $revealed"), as_name="chosen")
    thrown = f.Discard(what=Noun("$chosen"), who=Noun("$revealing"), all=True)
    g.terminal("cardsofhand", _cards_of_hand_at, _cards_of_hand_words)
    tree = (f.Bind(as_name="revealing", what=S.w), some, shown, one, thrown)
    head = "<w:other> reveals <k:cardsofhand> from their hand"
    choose = (" and you choose one of them", ". you choose one of them")
    said = [f"{head} {then} . that player discards that card" for then in choose]
    g.rule("do", said[0], tree, *said[1:])
    g.terminal("anyofhand", _any_of_hand_at, lambda p, v: p.write("noun", v))
    any_number = f.Pick(what=S.k, as_name="revealed")
    g.rule("do", "reveal <k:anyofhand>", (any_number, f.Look(what=Noun("$revealed"), reveal=True)))
    each_top = f.Look(what=Noun("the top card of each player's library"), reveal=True)
    g.rule("do", "each player reveals the top card of their library", each_top)
    g.terminal("shownvalue", _shown_value_at, lambda p, v: None)
    g.rule("amount", "<a:shownvalue>", S.a)


_HAND = " in $revealing's hand"


def _cards_of_hand_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "three cards", "a number of cards ... equal to ..." of a hand, before "from their hand"."""
    for count in reader.read("count", place):
        if reader.at(count.end) in ("cards", "card"):
            made = noun(f"{' '.join(count.words)} {reader.at(count.end)}{_HAND}")
            if made is not None:
                yield Reading(count.end + 1, made, (*count.words, reader.at(count.end)))


def _cards_of_hand_words(_: Printer, value: Any) -> Words | None:
    text = value.text.removesuffix(_HAND) if isinstance(value, Noun) and value.text.endswith(_HAND) else ""
    return tuple(text.split()) or None


def _any_of_hand_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "any number of white cards in your hand", of which as many are revealed as is liked."""
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Choose) and reading.count == -1 and reading.of.zone == "hand":
            yield one


_SHOWN: Words = ("the", "revealed", "card", "'s", "mana", "value")


def _shown_value_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "The revealed card's mana value": of what was revealed in the same text, and not as a cost."""
    if reader.words[place : place + len(_SHOWN)] == _SHOWN and {"reveal", "reveals"} & set(reader.words[:place]):
        yield Reading(
            place + len(_SHOWN), n.StatOf(stat="mana value", of=THAT_CARD), ("that", "card", "'s", "mana", "value")
        )


def _all_revealed(g: Grammar) -> None:
    """All cards that were revealed until something was found, also that."""
    for random, how in ((False, "in any order"), (True, "in a random order")):
        back = f.Reorder(what=Noun("$looked"), bottom=True, random=random)
        said = [
            f"put {cards} on the bottom of your library {how}"
            for cards in ("the revealed cards", "all cards revealed this way", "all revealed cards")
        ]
        g.rule("do", said[0], back, *said[1:])


_OF_A_TYPE: Words = ("of", "the", "creature", "type")
_OF_CHOSEN: Words = ("of", "the", "chosen", "type")


def _first_a_type_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Destroy all creatures of the creature type of your choice": the type is chosen first, unless it is one of targets."""
    words = reader.words
    end = next((i for i in range(place, len(words)) if words[i] in (".", "\n", ":", '"')), len(words))
    spot = next((i for i in range(place, end) if words[i : i + 4] == _OF_A_TYPE), -1)
    if spot < 0 or {"target", "targets"} & set(words[place:end]):
        return
    inner = Reader(reader.grammar, (*words[:spot], *_OF_CHOSEN, *words[spot + 4 :]))
    for one in inner.read("top", place):
        if one.end == end:
            value = (f.ChooseWord(what="creature type"), *one.value)
            yield Reading(end, value, ("choose", "a", "creature", "type", ".", *one.words))


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
