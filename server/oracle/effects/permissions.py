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
from server.cards.nouns import Noun, Zone
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, phrase

YOU = Noun("you")
THIS = Noun("{this}")
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
    g.terminal("exiledcard", _exiled_at, lambda p, v: None)
    g.terminal("aspell", _spells_at, lambda p, v: p.write("noun", v))
    _own(g)
    _static(g)
    _for_a_while(g)
    _at_once(g)
    _exiled_for_its_cost(g)
    _several_for_nothing(g)
    _with_any_mana(g)
    shown = f.PlayerRule(rule="reveals top of library")
    g.rule("static", "play with the top card of your library revealed", (shown,))
    everyone = f.PlayerRule(rule="reveals top of library", who=Noun("each player"))
    g.rule("static", "players play with the top card of their libraries revealed", (everyone,),
           "players play with the top cards of their libraries revealed")  # fmt: skip
    looked = f.PlayerRule(rule="looks at top of library")
    any_time = "you may look at the top card of your library"
    g.rule("static", f"{any_time} any time", (looked,), any_time)


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
        if "kicked" in one.words:  # what will be kicked is not known as it is asked what can be cast
            continue
        if " card" in one.value.text and "cards" not in one.words and one.words[0] in ("a", "an", "one"):
            kind = one.value.text.replace(" card", " spell", 1)  # what is cast is a spell
            kind = _with_article(kind.removeprefix("one ")) if one.words[0] == "one" else kind
            spell = noun(kind)
            if spell is not None and isinstance(spell.reading, n.Choose) and spell.reading.of.zone == "stack":
                yield Reading(one.end, spell, noun_words(spell))
            continue
        if last and isinstance(reading, n.Choose | n.Things | n.Each) and one.words[0] not in ("each", "all"):
            yield one


def _exiled_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "An instant or sorcery card exiled with {this}", as the spell that it would be."""
    for end in range(place + 1, place + 8):
        if reader.words[end : end + 4] == ("card", "exiled", "with", "{this}"):
            spell = noun(" ".join((*reader.words[place:end], "spell")))
            if spell is not None and isinstance(spell.reading, n.Choose):
                yield Reading(end + 4, spell, noun_words(spell))


def _with_article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


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
    zones: tuple[tuple[Zone, str], ...] = (("graveyard", "your graveyard"), ("exile", "exile"))
    for zone, text in zones:
        rule = f.CastingRule(zone=zone)
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
            (f.CastingCost(name=f"from {zone}", cost=S.p, kind="permission", zone=zone),),
        )
        r(
            "static",
            f"you may cast {{this}} from {text} by <p:paying> rather than paying its mana cost",
            (f.CastingCost(name=f"from {zone}", cost=S.p, kind="alternative", zone=zone),),
        )
    both = tuple(f.CastingRule(zone=zone) for zone, _ in zones)
    r("static", "you may cast {this} from your graveyard or from exile", both)
    g.terminal("paying", _paying_at, _paying_words)
    r("static", "you can't spend mana to cast {this}", (f.CastingRule(no_mana=True),))


_GERUNDS = {
    "paying": "pay", "discarding": "discard", "sacrificing": "sacrifice", "exiling": "exile", "tapping": "tap",
    "returning": "return", "removing": "remove",
}  # fmt: skip


def _paying_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "discarding a card", "paying 3 life and exiling ..." as costs."""
    words = tuple(_GERUNDS.get(word, word) for word in reader.words[place:])
    if words[:1] == reader.words[place : place + 1] and not reader.at(place).startswith("{"):
        return  # mana stands alone as it is printed
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
        if limit == "once on each of your turns ,":
            variants += [f"once during each of your turns , you may {base} {t}" for t in tail]
        if limit == "once on each of your turns ," and more.get("mode") == "cast":  # "one creature spell" is one
            each = [f"during each of your turns , you may {base} {t}" for t in tail]
            g.wording("static", each[0], (rule,), *each[1:], guard=lambda e: isinstance(e["w"].reading, n.Choose))
        if limit == "as long as <c:scond> ,":
            variants += [f"you may {base} {t} as long as <c:scond>" for t in tail]
        cast = [f"you may play lands and cast {rest}" for rest in ()]
        g.rule("static", *_first(variants, (rule,)), *variants[1:], *cast)
        if rule.mode == "cast" and not limit and not tail[0]:
            _with_counters(g, base, rule)
    lands = f.PlayerRule(rule=PERMISSION, among=Noun("your graveyard"), mode="lands")
    g.wording("static", "you may play land cards from your graveyard", (lands,))
    top = f.PlayerRule(rule=PERMISSION, among=TOP, mode="lands")
    g.wording("static", "you may play the top card of your library if it's a land card", (top,))
    kinds = f.PlayerRule(rule=PERMISSION, among=S.a, mode="cast", what=S.w)
    g.rule(
        "static",
        "you may play lands and cast <w:aspell> from <a:among>",
        (f.PlayerRule(rule=PERMISSION, among=S.a, mode="lands"), kinds),
        guard=lambda e: e["w"].text != "spells" and not isinstance(e["w"].reading, n.Choose),
    )
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
        texts.append(
            f". if you cast a spell this way , you may spend mana as though it were mana of any {word} to cast it"
        )
        texts += [f", and mana of any {word} can be spent to cast {them}" for them in _THEM]
        found.append((tuple(texts), {"mana_as": mana}))
    return tuple(found)


def _for_a_while(g: Grammar) -> None:
    """ "You may play that card this turn", "until end of turn, you may cast those cards without paying their mana costs"."""
    r = g.rule
    r("span", "this turn", "end of turn", "until end of turn")
    r("span", "until the end of your next turn", "end of your next turn")
    r("span", "until your next turn", "your next turn")
    r("span", "for as long as {this} remains on the battlefield", "while source")
    r("span", "until your next end step", "your next end step")
    remains = [f"for as long as {it}" for it in ("it remains exiled", "they remain exiled", "that card remains exiled")]
    r("span", "for as long as it remains exiled", "forever", *remains[1:], "for as long as those cards remain exiled")
    led = f.Holds(left=n.Happened(what="attacked", of=Noun("commander you control")), compare=">=", right=1)
    rule = f.PlayerRule(rule=PERMISSION, among=S.w, mode="play", condition=led)
    turns = "during any turn you attacked with a commander , you may play <w:things>"
    r("do", turns, f.RuleEffect(rule=rule, duration="forever"), guard=_held)
    for mode, (tail, last) in product(("play", "cast"), _tails()):
        rule = f.PlayerRule(rule=PERMISSION, among=S.w, mode=mode, **last)
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
            if not after:  # of what is face down (406.3)
                looked = [v.replace("you may", "you may look at and", 1) for v in variants]
                g.wording("do", looked[0], (f.Look(what=S.w), shape), *looked[1:], guard=_held)
    for tail, last in _tails():
        kinds = f.PlayerRule(rule=PERMISSION, among=S.a, mode="cast", what=S.k, **last)
        heads = ("you may cast <k:aspell> from <a:among> <d:span>", "<d:span> , you may cast <k:aspell> from <a:among>")
        texts = [f"{head} {t}".strip() for head in heads for t in tail]
        r("do", texts[0], f.RuleEffect(rule=kinds, duration=S.d), *texts[1:], guard=_of_exiled)
    buried = f.PlayerRule(rule=PERMISSION, among=Noun("your graveyard"), mode="play")
    freely = f.RuleEffect(rule=buried, duration="end of turn")
    r("do", "until end of turn , you may play cards from your graveyard", freely)
    shown = [f"you may look at <w:things> {span}" for span in (*remains, "for as long as those cards remain exiled")]
    r("do", shown[0], f.Look(what=S.w), *shown[1:], guard=lambda e: e["w"].text != "it" and _held(e))
    g.wording("do", "you may look at it for as long as it remains exiled", f.Look(what=Noun("that card")))


def _held(e: dict[str, Any]) -> bool:
    return _is_among(e["w"], n.Named | n.Linked) or isinstance(e["w"].reading, n.It | n.Named | n.Linked | n.Target)


def _is_among(value: Noun, which: Any) -> bool:
    """Whether it is those of a kind that are among others of which was spoken."""
    kind = n.kind_of(value.reading) if isinstance(value.reading, n.Each | n.Things) else None
    parts = kind.objects.parts if kind is not None and isinstance(kind.objects, n.All) else ()
    return any(isinstance(part, n.Among) and isinstance(part.of, which) for part in parts)


def _is_linked(value: Noun) -> bool:
    """Whether it is cards exiled with {this}, all of them or those of a kind."""
    return isinstance(value.reading, n.Linked) or _is_among(value, n.Linked)


def _of_exiled(e: dict[str, Any]) -> bool:
    """Whether it is any number of spells from among cards exiled with {this}, or "them": how often is nowhere counted."""
    among = e["a"]
    return not isinstance(e["k"].reading, n.Choose) and (_is_linked(among) or among.text == "them")


_AFTER = tuple(
    f". if {spell} would be put into {where} {when} , exile it instead".replace("  ", " ")
    for spell in ("that spell", "a spell cast this way", "it", "that card")
    for where in ("a graveyard", "your graveyard", "its owner 's graveyard", "the graveyard")
    for when in ("", "this turn")
)


# --- casting while something resolves -------------------------------------------------------------------------------------------


def _at_once(g: Grammar) -> None:
    """ "You may cast that card without paying its mana cost. If that spell would be put into a graveyard, exile it instead." """
    r, them = g.rule, Noun("them")
    r(
        "do",
        "you may cast any number of spells from among them without paying their mana costs",
        f.PlayCard(what=them, kind=Noun("spells"), free=True),
        *(
            f"you may cast any number of {cards} without paying their mana costs"
            for cards in (
                "the exiled nonland cards",
                "nonland cards exiled this way",
                "spells from among the nonland cards exiled this way",
                "the nonland cards exiled this way",
                "nonland cards from among them",
            )
        ),
    )
    led = f.PlayCard(what=Noun("commanders you own from the command zone"), kind=Noun("spells"), free=True, most=1)
    r("do", "you may cast your commander from the command zone without paying its mana cost", led)
    free = ("without paying its mana cost", "without paying their mana costs", "without paying that card 's mana cost")
    for after, gives in (("", ()), (_AFTER[0], EXILED_AFTER)):
        endings = _AFTER if after else ("",)

        def rules(
            head: str, make: Any, endings: tuple[str, ...] = endings, gives: Any = gives, guard: Any = _not_chosen
        ) -> None:
            """The rule for nothing and, if it speaks of one card, for its cost."""
            texts = [" ".join(f"{head} {t} {e}".split()) for t in free for e in endings]
            r("do", texts[0], replace(make, free=True, gives=gives), *texts[1:], guard=guard)
            if "<w:" in head:
                paid = [" ".join(f"{head} {e}".split()) for e in endings]
                r("do", paid[0], replace(make, gives=gives), *paid[1:], guard=_one)

        rules("you may cast <w:things>", f.PlayCard(what=S.w))
        rules("you may play <w:things>", f.PlayCard(what=S.w, lands=True))
        one = f.PlayCard(what=S.a, kind=S.k, most=1)
        rules("you may cast <k:aspell> from <a:among>", one, guard=_of_one)
        rules("you may cast any number of <k:aspell> from <a:among>", f.PlayCard(what=S.a, kind=S.k))
        if not after:
            exiled = f.PlayCard(what=Noun("cards exiled with {this}"), kind=S.k, most=1, free=True)
            g.wording("do", "you may cast <k:exiledcard> without paying its mana cost", exiled)
        several = "<n:count> times . you may cast the copies without paying their mana costs"
        copied = f.PlayCard(what=S.w, free=True, copies=1)
        if not after:
            once = "copy <w:things> . you may cast the copy without paying its mana cost"
            more = "you may copy <w:things> . if you do , you may cast the copy without paying its mana cost"
            r("do", once, copied, more, guard=_held)
            times = replace(copied, copies=S.n)
            r(
                "do",
                f"copy <w:things> {several}",
                times,
                guard=lambda e: _held(e) and isinstance(e["n"], int) and e["n"] > 2,
            )
        total = f.PlayCard(what=S.a, kind=Noun("spells"), total=S.n)
        rules("you may cast any number of spells with total mana value <n:number> or less from <a:among>", total)


def _exiled_for_its_cost(g: Grammar) -> None:
    """ "You may cast an Ally spell from among cards you own exiled with {this}": for its mana cost."""
    one = f.PlayCard(what=S.a, kind=S.k, most=1)
    for gives, endings in (((), ("",)), (EXILED_AFTER, _AFTER)):
        paid = [f"you may cast <k:aspell> from <a:among> {ending}".strip() for ending in endings]
        g.rule("do", paid[0], replace(one, gives=gives), *paid[1:], guard=_one_of_exiled)


def _several_for_nothing(g: Grammar) -> None:
    """ "You may cast spells from among cards exiled this way without paying their mana costs": any number of them."""
    free = "without paying their mana costs"
    several = f.PlayCard(what=S.a, kind=S.k, free=True)
    g.wording("do", f"you may cast <k:aspell> from <a:among> {free}", several, guard=lambda e: not _of_one(e))
    hand = f.PlayCard(what=Noun("your hand"), kind=S.k, most=1, free=True)
    g.wording("do", "you may cast <k:sized> without paying its mana cost", hand)
    g.terminal("sized", _sized_at, lambda p, v: None)
    both = f.PlayCard(what=S.w, free=True, lands=True)
    g.rule("do", f"you may play land cards and cast spells from <w:among> {free}", both)


_FROM_HAND: Words = ("from", "your", "hand", "with")


def _sized_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "An artifact spell from your hand with mana value 3 or less": the spell is of that size, wherever its zone is said."""
    at = next((i for i in range(place + 1, place + 8) if reader.words[i : i + 4] == _FROM_HAND), 0)
    end = next((i for i in range(at, len(reader.words)) if reader.words[i] == "without"), 0) if at else 0
    if reader.at(place - 4) == "then" and reader.words[end - 2 : end] == ("that", "damage"):
        return  # what was done meanwhile, as drawing a card, would be that much
    spell = noun(phrase((*reader.words[place:at], *reader.words[at + 3 : end]))) if end else None
    if (
        spell is not None
        and isinstance(spell.reading, n.Choose)
        and spell.reading.count == 1
        and not spell.reading.up_to
    ):
        yield Reading(end, spell, noun_words(spell))


def _with_any_mana(g: Grammar) -> None:
    """ "You may cast target card from that player's graveyard, and mana of any type can be spent to cast that spell." """
    for tail, last in _tails():
        one, linked = f.PlayCard(what=S.w, **last), f.PlayCard(what=S.a, kind=S.k, most=1, **last)
        if "mana_as" not in last:
            continue
        told = [f"you may cast <w:things> {t}" for t in tail]
        g.rule("do", told[0], one, *told[1:], guard=_one)
        told = [f"you may cast <k:aspell> from <a:among> {t}" for t in tail]
        g.rule("do", told[0], linked, *told[1:], guard=_one_of_exiled)


def _one_of_exiled(e: dict[str, Any]) -> bool:
    return _of_one(e) and _is_linked(e["a"])


def _of_one(e: dict[str, Any]) -> bool:
    """Whether it is one spell that may be cast ("a creature spell")."""
    return isinstance(e["k"].reading, n.Choose)


def _not_chosen(e: dict[str, Any]) -> bool:
    """Choosing among several is said by rules of its own."""
    return "w" not in e or not isinstance(e["w"].reading, n.Choose | n.This)


def _one(e: dict[str, Any]) -> bool:
    """Casting for its cost while something resolves is said of what was just spoken of, or of a target."""
    what = e.get("w")
    return what is not None and isinstance(what.reading, n.It | n.Named | n.Linked | n.Target)
