"""Rules for permissions: from where cards may be cast or played, how often, for nothing, with which mana, and what is done
with a spell that was cast so.

Category `permitted` is what stands after "you may" in a static ability or an effect with a duration; `free` are
instructions to cast something while a spell or ability resolves.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, phrase

YOU = Noun("you")
THIS = Noun("{this}")
IT = Noun("it")
EACH = Noun("each player")
TOP = Noun("the top card of your library")
EXILED_AFTER = (
    f.Replacement(
        event=f.Pattern(event="zone change", subject=THIS, from_="stack", to="graveyard"),
        rewrite=(f.ToZone(to="exile"),),
    ),
)
PERMISSION = "play from zone"
#: How what may be cast for a while is spoken of again.
_THEM = ("it", "them", "that card", "those cards", "that spell", "those spells", "spells this way", "a spell this way")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("among", _among_at, _among_words)
    g.terminal("aspell", _spells_at, lambda p, v: p.write("noun", v))
    _own(g)
    _static(g)
    _for_a_while(g)
    _at_once(g)
    _mana(g)
    _given(g)
    _limited(g)
    shown = f.PlayerRule(rule="reveals top of library")
    g.rule("static", "play with the top card of your library revealed", (shown,))
    everyone = f.PlayerRule(rule="reveals top of library", who=Noun("each player"))
    g.rule("static", "players play with the top card of their libraries revealed", (everyone,),
           "players play with the top cards of their libraries revealed")  # fmt: skip
    looked = f.PlayerRule(rule="looks at top of library")
    g.rule("static", "you may look at the top card of your library any time", (looked,))


# --- which cards -------------------------------------------------------------------------------------------------------------


def _among_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Where cards may be played from: "the top of your library", "your graveyard", "among cards exiled with {this}"."""
    words = reader.words
    top = ("the", "top", "of", "your", "library")
    if words[place : place + 5] == top:
        yield Reading(place + 5, TOP, top)
    if reader.at(place) == "among":
        for one in reader.read("noun", place + 1):
            if isinstance(one.value.reading, n.Linked | n.Things | n.Each | n.It | n.Named):
                yield Reading(one.end, one.value, ("among", *one.words))
    for one in reader.read("noun", place):
        if one.words in (("your", "graveyard"), ("your", "hand"), ("their", "graveyard")):
            yield one


def _among_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, Noun):
        return None
    if value == TOP:
        return ("the", "top", "of", "your", "library")
    words = printer.write("noun", value)
    if words is None or value.text in ("your graveyard", "your hand", "their graveyard"):
        return words
    return ("among", *words)


def _spells_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A kind of spell, one or several: "a creature spell", "instant and sorcery spells", "spells"."""
    for one in reader.read("noun", place):
        last = ("spell" in one.words or "spells" in one.words) and "total" not in one.words  # that is said of several
        reading = one.value.reading
        if isinstance(reading, n.Choose) and (reading.count != 1 or reading.up_to):
            continue
        if " card" in one.value.text and "cards" not in one.words and one.words[0] in ("a", "an"):
            spell = noun(one.value.text.replace(" card", " spell", 1))  # what is cast is a spell
            if spell is not None and isinstance(spell.reading, n.Choose) and spell.reading.of.zone == "stack":
                yield Reading(one.end, spell, tuple("spell" if word == "card" else word for word in one.words))
            continue
        if last and isinstance(reading, n.Choose | n.Things | n.Each) and one.words[0] not in ("each", "all"):
            yield one


# --- the card itself ----------------------------------------------------------------------------------------------------------


def _own(g: Grammar) -> None:
    r = g.rule
    unpaid = f.OneOf(
        conditions=(
            f.NotSo(condition=f.CastFrom()),
            f.Holds(left=n.ManaSpent(), compare="=", right=0),
        )
    )
    enters = f.Pattern(event="zone change", subject=THIS, to="battlefield")
    r(
        "static",
        "if {this} would enter and it wasn't cast or no mana was spent to cast it , exile it instead",
        (f.Replacement(event=enters, rewrite=(f.ToZone(to="exile"),), condition=unpaid),),
    )
    for zone, text in (("graveyard", "your graveyard"), ("exile", "exile")):
        rule = f.CastingRule(zone=zone)  # type: ignore[arg-type]
        for verb in ("cast", "play"):
            if verb == "play" and zone == "exile":
                continue
            r("static", f"you may cast {{this}} from {text}", (rule,), f"you may play {{this}} from {text}")
            break
        r(
            "static",
            f"you may cast {{this}} from {text} as long as <c:scond>",
            (replace(rule, condition=S.c),),
            f"as long as <c:scond> , you may cast {{this}} from {text}",
            f"if <c:scond> , you may cast {{this}} from {text}",
            f"you may play {{this}} from {text} as long as <c:scond>",
        )
        r(
            "static",
            f"you may cast {{this}} from {text} by <p:paying> in addition to paying its other costs",
            (f.CastingCost(name=f"from {zone}", cost=S.p, kind="permission", zone=zone),),  # type: ignore[arg-type]
        )
    g.terminal("paying", _paying_at, _paying_words)
    r("static", "you can't spend mana to cast {this}", (f.CastingRule(no_mana=True),))


_GERUNDS = {
    "paying": "pay", "discarding": "discard", "sacrificing": "sacrifice", "exiling": "exile", "tapping": "tap",
    "returning": "return", "removing": "remove",
}  # fmt: skip


def _paying_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "discarding a card", "paying 3 life and exiling ..." as costs."""
    words = tuple(_GERUNDS.get(word, word) for word in reader.words[place:])
    if words[:1] == reader.words[place : place + 1]:
        return
    inner = Reader(reader.grammar, words)
    for one in inner.read("cost", 0):
        yield Reading(place + one.end, one.value, _gerund(one.words))


def _gerund(words: Words) -> Words:
    said = {verb: gerund for gerund, verb in _GERUNDS.items()}
    return tuple(said.get(w, w) if not i or words[i - 1] in (",", "and") else w for i, w in enumerate(words))


def _paying_words(printer: Printer, value: Any) -> Words | None:
    words = printer.write("cost", value)
    return None if words is None else _gerund(words)


# --- rules that let cards be played ---------------------------------------------------------------------------------------------


def _static(g: Grammar) -> None:
    """ "Once each turn, you may cast a creature spell from the top of your library without paying its mana cost." """
    limits: tuple[tuple[str, dict[str, Any]], ...] = (
        ("", {}),
        ("once each turn ,", {"number": 1}),
        ("once on each of your turns ,", {"number": 1, "condition": f.During(whose=YOU)}),
        ("during your turn ,", {"condition": f.During(whose=YOU)}),
        ("as long as <c:scond> ,", {"condition": S.c}),
    )
    bases: tuple[tuple[str, dict[str, Any]], ...] = (
        ("play lands and cast spells from <a:among>", {}),
        ("play cards from <a:among>", {}),
        ("play a land or cast a spell from <a:among>", {}),
        ("play lands from <a:among>", {"mode": "lands"}),
        ("cast <w:aspell> from <a:among>", {"mode": "cast", "what": S.w}),
        ("play <l:linked>", {}),
        ("cast <w:aspell> from among <l:linked>", {"mode": "cast", "what": S.w}),
    )
    g.terminal(
        "linked",
        lambda reader, place: [o for o in reader.read("noun", place) if isinstance(o.value.reading, n.Linked)],
        lambda p, v: p.write("noun", v) if isinstance(v, Noun) and isinstance(v.reading, n.Linked) else None,
    )
    for (limit, some), (base, more), (tail, last) in product(limits, bases, _tails()):
        among = S.a if "<a:" in base else S.l
        if "from among <l" in base:
            continue  # "among" reads it
        rule = f.PlayerRule(rule=PERMISSION, among=among, **{**more, **some, **last})
        variants = [f"{limit} you may {base} {t}" for t in tail]
        if limit == "once each turn ,":
            variants += [f"once during each turn , you may {base} {t}" for t in tail]
        if limit == "as long as <c:scond> ,":
            variants += [f"you may {base} {t} as long as <c:scond>" for t in tail]
        cast = [f"you may play lands and cast {rest}" for rest in ()]
        g.rule("static", *_first(variants, (rule,)), *variants[1:], *cast)
        if rule.mode == "cast" and not limit and not tail[0]:
            _with_counters(g, base, rule)
    both = f.PlayerRule(rule=PERMISSION, among=S.a, number=1, condition=f.During(whose=YOU))
    g.rule(
        "static",
        "during each of your turns , you may play a land and cast a spell from <a:among>",
        (replace(both, mode="lands"), replace(both, mode="cast")),
        "during your turn , you may play a land and cast a spell from <a:among>",
    )


def _with_counters(g: Grammar, base: str, rule: f.PlayerRule) -> None:
    """ "If you cast a spell this way, that creature enters with a finality counter on it." """
    enters = f.Pattern(event="zone change", subject=THIS, to="battlefield")
    gives = (f.Replacement(event=enters, rewrite=(f.EnterWith(counter=S.k, count=S.m),)),)
    texts = [
        f"you may {base} . if you cast {spell} this way , {it} enters with <m:count> <k:counter> counter on it"
        for spell in ("a spell", "a creature spell", "a permanent spell")
        for it in ("that creature", "it", "that permanent")
    ]
    g.rule("static", texts[0], (replace(rule, gives=gives),), *texts[1:])


def _first(variants: list[str], shape: Any) -> tuple[str, Any]:
    return variants[0].strip(), shape


def _tails() -> tuple[tuple[tuple[str, ...], dict[str, Any]], ...]:
    """What may follow a permission: for nothing, with mana of any colour or type."""
    free = ("without paying their mana costs", "without paying its mana cost")
    found: list[tuple[tuple[str, ...], dict[str, Any]]] = [(("",), {}), (free, {"free": True})]
    for word, mana in (("color", "color"), ("type", "type")):
        texts = [
            f"{comma} you may spend mana as though it were mana of any {word} to cast {them}"
            for comma in (", and", "and")
            for them in _THEM
        ]
        found.append((tuple(texts), {"mana_as": mana}))
    return tuple(found)


def _for_a_while(g: Grammar) -> None:
    """ "You may play that card this turn", "until end of turn, you may cast those cards without paying their mana costs"."""
    r = g.rule
    r("span", "this turn", "end of turn", "until end of turn")
    r("span", "until the end of your next turn", "end of your next turn")
    r("span", "until your next turn", "your next turn")
    r("span", "until your next end step", "your next end step")
    remains = [f"for as long as {it}" for it in ("it remains exiled", "they remain exiled", "that card remains exiled")]
    r("span", "for as long as it remains exiled", "forever", *remains[1:], "for as long as those cards remain exiled")
    for mode, (tail, last) in product(("play", "cast"), _tails()):
        rule = f.PlayerRule(rule=PERMISSION, among=S.w, mode=mode, **last)  # type: ignore[arg-type]
        for after, gives in (("", ()), (_AFTER[0], EXILED_AFTER)):
            shape = f.RuleEffect(rule=replace(rule, gives=gives), duration=S.d)
            variants: list[str] = []
            for t, ending in product(tail, _AFTER if after else ("",)):
                variants.append(f"you may {mode} <w:things> <d:span> {t} {ending}")
                variants.append(f"<d:span> , you may {mode} <w:things> {t} {ending}")
                if t:
                    variants.append(f"you may {mode} <w:things> {t} <d:span> {ending}")
            variants = [" ".join(v.split()) for v in variants]
            r("do", variants[0], shape, *variants[1:], guard=_held)


def _held(e: dict[str, Any]) -> bool:
    return isinstance(e["w"].reading, n.It | n.Named | n.Linked | n.Target)


_AFTER = tuple(
    f". if {spell} would be put into {where} {when} , exile it instead".replace("  ", " ")
    for spell in ("that spell", "a spell cast this way", "it", "that card")
    for where in ("a graveyard", "your graveyard", "its owner 's graveyard", "the graveyard")
    for when in ("", "this turn")
)


# --- casting while something resolves -------------------------------------------------------------------------------------------


def _at_once(g: Grammar) -> None:
    """ "You may cast that card without paying its mana cost. If that spell would be put into a graveyard, exile it instead." """
    r = g.rule
    them = Noun("them")
    r(
        "do",
        "you may cast any number of spells from among them without paying their mana costs",
        f.PlayCard(what=them, kind=Noun("spells"), free=True),
        *(
            f"you may cast any number of {cards} without paying their mana costs"
            for cards in (
                "the exiled nonland cards",
                "nonland cards exiled this way",
                "spells from among those cards",
                "spells from among the exiled cards",
                "spells from among cards exiled this way",
                "spells from among the nonland cards exiled this way",
                "the nonland cards exiled this way",
                "nonland cards from among them",
            )
        ),
    )
    free = ("without paying its mana cost", "without paying their mana costs", "without paying that card 's mana cost")
    for after, gives in (("", ()), (_AFTER[0], EXILED_AFTER)):
        endings = _AFTER if after else ("",)

        def rules(head: str, make: Any, endings: tuple[str, ...] = endings, gives: Any = gives) -> None:
            """The rule for nothing and, if it speaks of one card, for its cost."""
            texts = [" ".join(f"{head} {t} {e}".split()) for t in free for e in endings]
            r("do", texts[0], replace(make, free=True, gives=gives), *texts[1:], guard=_not_chosen)
            if "<w:" in head:
                paid = [" ".join(f"{head} {e}".split()) for e in endings]
                r("do", paid[0], replace(make, gives=gives), *paid[1:], guard=_one)

        rules("you may cast <w:things>", f.PlayCard(what=S.w))
        rules("you may play <w:things>", f.PlayCard(what=S.w, lands=True))
        rules("you may cast <k:aspell> from <a:among>", f.PlayCard(what=S.a, kind=S.k, most=1))
        rules("you may cast any number of <k:aspell> from <a:among>", f.PlayCard(what=S.a, kind=S.k))
        total = f.PlayCard(what=S.a, kind=Noun("spells"), total=S.n)
        rules("you may cast any number of spells with total mana value <n:number> or less from <a:among>", total)


def _not_chosen(e: dict[str, Any]) -> bool:
    """Choosing among several is said by rules of its own."""
    return "w" not in e or not isinstance(e["w"].reading, n.Choose | n.This)


def _one(e: dict[str, Any]) -> bool:
    """Casting for its cost while something resolves is said of what was just spoken of, or of a target."""
    what = e.get("w")
    return what is not None and isinstance(what.reading, n.It | n.Named | n.Linked | n.Target)


# --- mana ----------------------------------------------------------------------------------------------------------------------


def _mana(g: Grammar) -> None:
    r = g.rule
    for who, text in ((YOU, "you"), (EACH, "players")):
        for word in ("color", "type"):
            head = f"{text} may spend mana as though it were mana of any {word}"
            rule = f.PlayerRule(rule="spend mana as any color", who=who, mana_as=word)  # type: ignore[arg-type]
            r("static", head, (rule,))
            r("static", f"{head} to cast <w:aspell>", (replace(rule, what=S.w),))
            r(
                "static",
                f"{head} to activate abilities of <o:group>",
                (replace(rule, among=S.o),),
                f"{head} to activate <o:group> 's abilities",
                f"{head} to pay the activation costs of <o:group> 's abilities",
            )
    for word, symbol in (("white", "{W}"), ("blue", "{U}"), ("black", "{B}"), ("red", "{R}"), ("green", "{G}")):
        rule = f.PlayerRule(rule="spend mana as any color", mana_as="color", mana=symbol)
        head = f"you may spend {word} mana as though it were mana of any color"
        r("static", head, (rule,))
        r("static", f"{head} to cast <w:aspell>", (replace(rule, what=S.w),))
        r(
            "static",
            f"{head} to pay the activation costs of <o:group> 's abilities",
            (replace(rule, among=S.o),),
        )


# --- mana for some things only ------------------------------------------------------------------------------------------------

_SPEND = ("spend", "this", "mana", "only", "to")


def _limited(g: Grammar) -> None:
    """ "Add {G}. Spend this mana only to cast creature spells", "... When you spend this mana to cast ..., ..." (106.6)."""
    r = g.rule
    abilities = ("activate abilities of <o:group>", "activate abilities of <o:aspell>")
    r("spending", "cast <w:aspell>", f.Spending(spells=S.w))
    r("spending", abilities[0], f.Spending(abilities=S.o))
    r("spending", "activate abilities", f.Spending(abilities=Noun("source")))
    both = f.Spending(spells=S.w, abilities=S.o)
    r("spending", f"cast <w:aspell> or {abilities[0]}", both, f"cast <w:aspell> or to {abilities[0]}")
    r(
        "spending",
        "cast <w:aspell> or activate abilities",
        f.Spending(spells=S.w, abilities=Noun("source")),
        "cast <w:aspell> or to activate abilities",
    )
    g.terminal("limited", _limited_at, _limited_words)
    r("governed", "<m:limited>", (S.m,), guard=lambda e: isinstance(e["m"], f.AddMana))
    r("following", "when you spend this mana to cast <w:aspell> , <t:chain>", (S.w, (), S.t))
    safe = f.Continuous(what=THIS, mods=(f.Flag(rule="can't be countered"),))
    r(
        "following",
        "if that mana is spent on <w:aspell> , that spell can't be countered",
        (S.w, (safe,), ()),
        "if this mana is spent to cast <w:aspell> , that spell can't be countered",
        "if that mana is spent to cast <w:aspell> , that spell can't be countered",
    )
    r(
        "following",
        "if that mana is spent on <w:aspell> , it gains <k:keywords> until end of turn",
        (S.w, (), (f.Effect(what=IT, mods=(f.GainAbilities(keywords=S.k),)),)),
        "if this mana is spent to cast <w:aspell> , it gains <k:keywords> until end of turn",
        "if this mana is spent on <w:aspell> , it gains <k:keywords> until end of turn",
    )


def _limited_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Mana that is added, with the sentence that says what it may be spent on or what spending it does."""
    if reader.at(place) not in ("add", "adds"):
        return
    for one in reader.read("vp", place):
        if not isinstance(one.value, f.AddMana) or reader.at(one.end) != ".":
            continue
        made = replace(one.value, who=YOU)
        after = one.end + 1
        if reader.words[after : after + 5] == _SPEND:
            for spent in reader.read("spending", after + 5):
                words = (*one.words, ".", *_SPEND, *spent.words)
                yield Reading(spent.end, replace(made, only=spent.value), words)
                tail = (",", "and", "that", "spell", "can't", "be", "countered")
                if spent.value.spells is not None and reader.words[spent.end : spent.end + 7] == tail:
                    safe = f.Continuous(what=THIS, mods=(f.Flag(rule="can't be countered"),))
                    sure = replace(made, only=spent.value, on=spent.value.spells, gives=(safe,))
                    yield Reading(spent.end + 7, sure, (*words, *tail))
        for more in reader.read("following", after):
            on, gives, then = more.value
            yield Reading(more.end, replace(made, on=on, gives=gives, then=then), (*one.words, ".", *more.words))


def _limited_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.AddMana) or value.only is None and value.on is None:
        return None
    plain = replace(value, only=None, on=None, gives=(), then=(), who=S.who)
    base = printer.write("vp", plain)
    if base is None:
        return None
    if value.only is None:
        more = printer.write("following", (value.on, value.gives, value.then))
        return None if more is None else (*base, ".", *more)
    spent = printer.write("spending", value.only)
    if spent is None:
        return None
    tail = (",", "and", "that", "spell", "can't", "be", "countered") if value.gives else ()
    return (*base, ".", *_SPEND, *spent, *tail)


# --- what spells are given ------------------------------------------------------------------------------------------------------


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
    g.terminal("nextspell", _next_at, _next_words)
    g.terminal("plainkeyword", _plain_at, _plain_words)
    rule = f.PlayerRule(rule="next spell has", what=S.w, gives=(S.k,))
    r("do", "the next <w:nextspell> you cast this turn has <k:plainkeyword>", f.RuleEffect(rule=rule))
    safe = f.Continuous(what=THIS, mods=(f.Flag(rule="can't be countered"),))
    r(
        "do",
        "the next <w:nextspell> you cast this turn can't be countered",
        f.RuleEffect(rule=f.PlayerRule(rule="next spell has", what=S.w, gives=(safe,))),
    )
    spells = n.TurnCount(what="spells", of=YOU)
    limit = f.PlayerRule(
        rule="can't cast", condition=f.Holds(left=spells, compare=">=", right=n.ThatMuch(name="spells"))
    )
    bind = f.Bind(as_name="spells", amount=n.Plus(parts=(spells, 1)))
    r("do", "you can cast only one more spell this turn", (bind, f.RuleEffect(rule=limit)))
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
