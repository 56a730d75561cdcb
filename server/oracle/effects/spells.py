"""What spells are given before they are cast: flashback, counters, keywords; how many may be cast."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, phrase

YOU = Noun("you")
THIS = Noun("{this}")
EACH = Noun("each player")

_OTHERS = (Noun("each other player"), Noun("each player other than that player"))


def _others_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("noun", place) if one.value in _OTHERS]


def install(g: Grammar) -> None:
    """Adds the rules."""
    _given(g)
    _how_many(g)
    own = f.CopySpell(what=Noun("that spell"), who=Noun("that player"))
    copied = f.ForEach(of=S.p, then=(own,))
    g.terminal("everyother", _others_at, lambda p, v: noun_words(v) if v in _OTHERS else None)
    tail = "copies that spell . each of those players may choose new targets for their copy"
    g.rule("do", f"<p:everyother> {tail}", copied)
    each = f.CopySpell(what=S.w, new_targets=False, who=S.p, each=S.k)
    spell = ("that", "that the")
    texts = [
        f"<p:person> copies <w:one> for each other <k:bare> {said} spell could target . each copy targets a different "
        f"one of those {kind}"
        for said in spell
        for kind in ("creatures", "permanents", "Golems")
    ]
    g.rule("do", texts[0], each, *texts[1:], guard=lambda e: e["p"] != YOU)
    mine = [text.replace("<p:person> copies", "copy") for text in texts]
    g.rule("do", mine[0], replace(each, who=YOU), *mine[1:])
    _how_many_of_a_kind(g)


def _given(g: Grammar) -> None:
    r = g.rule
    own = f.KeywordAbility(keyword="flashback")
    costs = (
        ". the flashback cost is equal to its mana cost",
        ". the flashback cost is equal to that card 's mana cost",
        ". the flashback cost is equal to the card 's mana cost",
        ". its flashback cost is equal to its mana cost",
    )
    gains = f.GainAbilities(abilities=(own,))
    r(
        "op",
        f"gain~ flashback until end of turn {costs[0]}",
        f.Effect(what=S.what, mods=(gains,)),
        *(f"gain~ flashback until end of turn {cost}" for cost in costs[1:]),
    )
    base = f"<w:group> has flashback {costs[0]}"
    has = [f"<w:group> {verb} flashback {cost}" for verb in ("has", "have") for cost in costs]
    r("static", base, (f.Continuous(what=S.w, mods=(gains,)),), *has[1:])
    r(
        "static",
        f"during your turn , {base}",
        (f.Continuous(what=S.w, mods=(gains,), condition=f.During(whose=YOU)),),
        *(f"during your turn , {text}" for text in has[1:]),
    )
    _given_for_its_cost(g)
    enters = f.Pattern(event="zone change", subject=S.what, to="battlefield")
    more = f.Replacement(event=enters, rewrite=(f.EnterWith(counter=S.c, count=S.m),))
    r(
        "op",
        "enter~ with an additional <c:counter> counter on it",
        f.Shield(effect=replace(more, rewrite=(f.EnterWith(counter=S.c),)), duration="forever"),
        guard=_spoken_of,
    )
    r(
        "op",
        "enter~ with <m:count> additional <c:counter> counters on it",
        f.Shield(effect=more, duration="forever"),
        guard=lambda e: e["m"] != 1 and _spoken_of(e),
    )
    _given_to_the_next(g)


def _given_for_its_cost(g: Grammar) -> None:
    """Other keywords whose cost is the mana cost of what is given them; and suspend, for which nothing is paid in exile."""
    r = g.rule
    for keyword in ("replicate", "emerge"):
        gains = f.GainAbilities(abilities=(f.KeywordAbility(keyword=keyword),))
        cost = f". the {keyword} cost is equal to its mana cost"
        given = (f.Continuous(what=S.w, mods=(gains,)),)
        r("static", f"<w:group> has {keyword} {cost}", given, guard=_is_cast)
        r("static", f"<w:spells> have {keyword} {cost}", given)
    exiled = f.ExileCost(what=S.c)
    own = f.ManaCost(mana="{0}", own=True)
    escape = f.GainAbilities(abilities=(f.KeywordAbility(keyword="escape", cost=(own, exiled)),))
    cost = ". the escape cost is equal to its mana cost plus exile <c:payable>"
    more = cost.replace("its", "the card 's")
    has = [f"<w:group> {verb} escape {said}" for verb in ("has", "have") for said in (cost, more)]
    r("static", has[0], (f.Continuous(what=S.w, mods=(escape,)),), *has[1:])
    suspended = f.GainAbilities(abilities=(f.KeywordAbility(keyword="suspend"),))
    r("op", "gain~ suspend", f.Effect(what=S.what, mods=(suspended,), duration="forever"))
    without = f.NotSo(condition=f.Is(what=Noun("it"), of=Noun("card with suspend")))
    cards = ("it", "that card", "the exiled card")
    r("cond", "it doesn't have suspend", without, *(f"{card} doesn't have suspend" for card in cards[1:]))


def _is_cast(e: dict[str, Any]) -> bool:
    return bool(e["w"].text.startswith("each ") and e["w"].text.endswith("spell you cast"))


def _given_to_the_next(g: Grammar) -> None:
    """What the next spell that is cast has."""
    r = g.rule
    g.terminal("nextspell", _next_at, _next_words)
    g.terminal("plainkeyword", _plain_at, _plain_words)
    rule = f.PlayerRule(rule="next spell has", what=S.w, gives=(S.k,))
    r("do", "the next <w:nextspell> you cast this turn has <k:plainkeyword>", f.RuleEffect(rule=rule))
    early = f.PlayerRule(rule="next spell has", what=S.w, gives=(f.CastingRule(timing="flash"),))
    later = ["the next <w:nextspell> you cast this turn can be cast as though it had flash"]
    later.append("the next <w:nextcard> you cast this turn can be cast as though it had flash")
    r("do", later[0], f.RuleEffect(rule=early), later[1])
    g.terminal("nextcard", _next_card_at, lambda p, v: None)
    safe = f.Continuous(what=THIS, mods=(f.Flag(rule="can't be countered"),))
    r(
        "do",
        "the next <w:nextspell> you cast this turn can't be countered",
        f.RuleEffect(rule=f.PlayerRule(rule="next spell has", what=S.w, gives=(safe,))),
    )
    back = f.Replacement(
        event=f.Pattern(event="zone change", subject=THIS, from_="stack", cause="resolve"),
        rewrite=(f.ToZone(to="hand"),),
    )
    kept = f.PlayerRule(rule="next spell has", what=S.w, gives=(back,))
    g.terminal("fromyourhand", _from_hand_at, _from_hand_words)
    hand = "put that card into your hand instead of into your graveyard as it resolves"
    r("do", f"the next time you cast <w:fromyourhand> this turn , {hand}", f.RuleEffect(rule=kept))


def _from_hand_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "An instant or sorcery spell from your hand", as a kind."""
    for one in reader.read("noun", place):
        if one.words[0] in ("a", "an") and one.words[-3:] == ("from", "your", "hand") and "spell" in one.words:
            made = noun(phrase(one.words[1:]))
            if made is not None and isinstance(made.reading, n.Things):
                yield Reading(one.end, made, one.words)


def _from_hand_words(_: Printer, value: Any) -> Words | None:
    words = noun_words(value)
    if words is None or words[-3:] != ("from", "your", "hand") or "spell" not in words:
        return None
    return ("an" if words[0][0] in "aeiou" else "a", *words)


def _how_many(g: Grammar) -> None:
    """How many spells may be cast, and which keywords spells of a kind have."""
    r = g.rule
    spells = n.TurnCount(what="spells", of=YOU)
    limit = f.PlayerRule(
        rule="can't cast", condition=f.Holds(left=spells, compare=">=", right=n.ThatMuch(name="spells"))
    )
    bind = f.Bind(as_name="spells", amount=n.Plus(parts=(spells, 1)))
    r("do", "you can cast only one more spell this turn", (bind, f.RuleEffect(rule=limit)))
    firm = f.Effect(what=S.q, mods=(f.Flag(rule="can't be countered"),), following=True)
    firmly = [f"<q:spells> can't be countered{by} this turn" for by in ("", " by spells or abilities")]
    r("do", firmly[0], firm, firmly[1], "this turn , <q:spells> can't be countered")
    r("static", "<w:spells> have <k:keywords>", (f.Continuous(what=S.w, mods=(f.GainAbilities(keywords=S.k),)),))
    r("static", "<w:spells> have <k:takers>", (f.Continuous(what=S.w, mods=(f.GainAbilities(abilities=S.k),)),))
    for text, who in (("each player", EACH), ("you", YOU), ("each opponent", Noun("your opponents"))):
        r(
            "static",
            f"{text} can't cast more than one spell each turn",
            (f.PlayerRule(rule="can't cast", who=who, number=1),),
            *(f"{more} can't cast more than one spell each turn" for more in _PLURAL.get(text, ())),
        )
        r(
            "static",
            f"{text} can't cast more than <n:count> spells each turn",
            (f.PlayerRule(rule="can't cast", who=who, number=S.n),),
            *(f"{more} can't cast more than <n:count> spells each turn" for more in _PLURAL.get(text, ())),
            guard=lambda e: e["n"] != 1,
        )


def _how_many_of_a_kind(g: Grammar) -> None:
    limited = (f.PlayerRule(rule="can't cast", who=EACH, what=S.q, number=1),)
    head = "each player can't cast more than one <q:bare> each turn"
    g.rule("static", head, limited, "players can't cast more than one <q:bare> each turn", guard=_is_spell)
    said = "each player who has cast a|an <q:bare> this turn can't cast additional <x:spells>"
    g.wording("static", said, limited, guard=lambda e: _is_spell(e) and e["x"].text == f"{e['q'].text}s")


def _is_spell(e: dict[str, Any]) -> bool:
    return e["q"].text.endswith(" spell")


def _spoken_of(e: dict[str, Any]) -> bool:
    """A spell that was just cast, of which is said how it will enter."""
    return "what" not in e or isinstance(e["what"].reading, n.It)


_PLURAL = {"each player": ("players",), "each opponent": ("your opponents", "opponents")}


def _next_at(reader: Reader, place: int) -> Iterable[Reading]:
    """The kind of a spell, before "you cast": "spell", "instant or sorcery spell"."""
    for end in range(place + 1, min(place + 8, len(reader.words))):
        if reader.words[end] == "you" and reader.words[end - 1] == "spell":
            made = noun(phrase(reader.words[place:end]))
            if made is not None:
                yield Reading(end, made, reader.words[place:end])


def _next_card_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A kind of card that is cast: the spell."""
    end = next((i for i in range(place, len(reader.words)) if reader.words[i] == "you"), 0)
    made = noun(phrase((*reader.words[place : end - 1], "spell"))) if reader.at(end - 1) == "card" else None
    if made is not None:
        yield Reading(end, made, noun_words(made))


def _next_words(printer: Printer, value: Any) -> Words | None:
    return printer.write("noun", value)


def _plain_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("keyword", place):
        yield Reading(one.end, f.KeywordAbility(keyword=one.value), one.words)
    for one in reader.read("taker", place):
        if len(one.value) == 1:
            yield Reading(one.end, one.value[0], one.words)


def _plain_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.KeywordAbility):
        return None
    if value == f.KeywordAbility(keyword=value.keyword):
        return printer.write("keyword", value.keyword)
    return printer.write("taker", (value,))
