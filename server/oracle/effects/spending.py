"""As what mana may be spent, and mana that may be spent on some things only (106.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import ENTERS, Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, phrase

YOU = Noun("you")
THIS = Noun("{this}")
IT = Noun("it")
EACH = Noun("each player")
SOURCE = Noun("source")
LEADING = Noun("a commander spell you own")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _mana(g)
    _limited(g)
    g.terminal("manycards", _many_cards_at, lambda p, v: None)
    buried = f.PlayCard(what=Noun("your graveyard"), kind=S.k, free=True)
    said = "cast any number of <k:manycards> from your graveyard without paying their mana costs"
    g.wording("do", said, buried)


def _many_cards_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Red instant and/or sorcery cards" as the spells that they would be."""
    end = next((i for i in range(place, min(place + 8, len(reader.words))) if reader.words[i] == "cards"), 0)
    said = tuple("and" if word == "and/or" else word for word in reader.words[place:end])
    spells = noun(phrase((*said, "spells"))) if said else None
    if spells is not None and isinstance(spells.reading, n.Each | n.Things) and n.kind_of(spells.reading) is not None:
        yield Reading(end + 1, spells, noun_words(spells))


def _mana(g: Grammar) -> None:
    r = g.rule
    for who, text in ((YOU, "you"), (EACH, "players")):
        for word in ("color", "type"):
            head = f"{text} may spend mana as though it were mana of any {word}"
            rule = f.PlayerRule(rule="spend mana as any color", who=who, mana_as=word)
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
        bled = f.PlayerRule(rule="pays life for mana", mana=symbol)
        r("static", f"for each {symbol} in a cost , you may pay 2 life rather than pay that mana", (bled,))
        rule = f.PlayerRule(rule="spend mana as any color", mana_as="color", mana=symbol)
        head = f"you may spend {word} mana as though it were mana of any color"
        r("static", head, (rule,))
        r("static", f"{head} to cast <w:aspell>", (replace(rule, what=S.w),))
        r(
            "static",
            f"{head} to pay the activation costs of <o:group> 's abilities",
            (replace(rule, among=S.o),),
        )


def _row(text: str) -> Words:
    return tuple(text.split())


#: How mana is said to stay in the pool (500.4, current 500.5).
_KEPT: dict[str, Words] = {
    "end of turn": _row("until end of turn , you don't lose this mana as steps and phases end"),
    "end of combat": _row("until end of combat , you don't lose this mana as steps end"),
}
_LASTS: dict[Words, Any] = {
    **{words: lasts for lasts, words in _KEPT.items()},
    _row("until end of turn , you don't lose this mana as steps or phases end"): "end of turn",
    _row("until end of turn , this mana doesn't empty from your mana pool as steps and phases end"): "end of turn",
}
_ACTIVATE = ("activate abilities", "activate an ability")
_SPEND = ("spend", "this", "mana", "only", "to")
_UNSPENT = ("this", "mana", "can't", "be", "spent", "to")


def _limited(g: Grammar) -> None:
    """ "Add {G}. Spend this mana only to cast creature spells", "... When you spend this mana to cast ..., ..." (106.6)."""
    r = g.rule
    g.terminal("sources", _sources_at, _sources_words)
    r("spending", "cast <w:aspell>", f.Spending(spells=S.w))
    r("spending", "activate abilities", f.Spending(abilities=Noun("source")))
    both = f.Spending(spells=S.w, abilities=S.o)
    cast = "cast <w:aspell> or"
    for group in ("group", "sources"):
        head, *more = (f"{verb} of <o:{group}>" for verb in _ACTIVATE)
        r("spending", head, f.Spending(abilities=S.o), *more)
        r(
            "spending",
            f"{cast} {head}",
            both,
            f"{cast} to {head}",
            *(f"{cast} {to}{m}" for m in more for to in ("", "to ")),
        )
    r(
        "spending",
        "cast <w:aspell> or activate abilities",
        f.Spending(spells=S.w, abilities=Noun("source")),
        "cast <w:aspell> or to activate abilities",
        "cast <w:aspell> or activate an ability",
        "cast <w:aspell> or to activate an ability",
    )
    g.terminal("onething", _one_thing_at, lambda p, v: p.write("noun", v))
    r("spending", f"{cast} activate an ability of <o:onething>", both, f"{cast} to activate an ability of <o:onething>")
    r(
        "unspent",
        "cast a nonartifact spell",
        f.Spending(spells=Noun("an artifact spell"), abilities=SOURCE, others=True),
    )
    g.wording("spending", "cast your commander", f.Spending(spells=LEADING))
    g.terminal("limited", _limited_at, _limited_words)
    r("governed", "<m:limited>", (S.m,), guard=lambda e: isinstance(e["m"], f.AddMana))
    g.terminal("keptoftwo", _kept_of_two_at, lambda p, v: None)
    g.wording("governed", "<m:keptoftwo>", S.m)
    when = ("when you spend this mana to cast", "when that mana is spent to cast")
    r("following", f"{when[0]} <w:aspell> , <t:chain>", (S.w, (), S.t))
    # What becomes the target of a copy is told of it by no event yet, and so no copy is made here.
    g.wording("following", f"{when[1]} <w:aspell> , <t:chain>", (S.w, (), S.t), guard=_copies_nothing)
    g.wording("following", f"{when[0]} your commander , <t:chain>", (LEADING, (), S.t))
    _entering(g)
    _given_for_good(g)
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


def _given_for_good(g: Grammar) -> None:
    """What a spell gains for as long as it is that object, as the permanent too that it becomes (400.7a)."""
    lasting = f.Effect(what=IT, mods=(f.GainAbilities(keywords=S.k),), duration="forever")
    texts = [f"{head} <w:aspell> , it gains <k:keywords>" for head in _IF]
    g.rule("following", texts[0], (S.w, (), (lasting,)), *texts[1:])


def _copies_nothing(e: dict[str, Any]) -> bool:
    return not any(isinstance(verb, f.CopySpell) for verb in e["t"])


_IF = tuple(f"if {mana} is spent {how}" for mana in ("that mana", "this mana", "it") for how in ("to cast", "on")) + (
    "if you spend this mana to cast",
)


def _entering(g: Grammar) -> None:
    """ "... If this mana is spent to cast a creature spell, that creature enters with an additional +1/+1 counter on it"."""
    r = g.rule
    casts = n.CommanderCasts(of=THIS)
    times = "the number of times it's been cast from the command zone this game"
    for tail, count in (
        ("an additional <k:counter> counter on it", 1),
        ("<c:count> additional <k:counter> counters on it", S.c),
        (f"a number of additional <k:counter> counters on it equal to {times}", casts),
    ):
        arrives = f.Replacement(event=ENTERS, rewrite=(f.EnterWith(counter=S.k, count=count),))
        said = [f"{head} <w:aspell> , {what} enters with {tail}" for head in _IF for what in ("that creature", "it")]
        r("following", said[0], (S.w, (arrives,), ()), *said[1:], guard=lambda e: e.get("c") != 1)
        own = (LEADING, (arrives,), ())
        for head in _IF:
            g.wording("following", f"{head} your commander , it enters with {tail}", own)
    told = (f.Scry(count=n.CommanderCasts(of=IT)),)
    r(
        "following",
        f"when you spend this mana to cast your commander , scry X , where X is {times}",
        (LEADING, (), told),
    )


def _one_thing_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "an Elemental", "a Cleric, Rogue, Warrior, or Wizard": one permanent of the kind."""
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Choose) and reading.count == 1 and reading.of.zone == "battlefield":
            if not reading.of.anywhere and one.words[0] in ("a", "an"):
                yield one


def _sources_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Elemental sources", "a Hero source", "a creature or creature card": what is of the kind, wherever it is (not a permanent
    alone)."""
    for one in reader.read("noun", place):
        bare = one.words[1:] if one.words[0] in ("a", "an") else one.words
        size = (len(bare) - 2) // 2
        if bare[size : size + 1] == ("or",) and bare[-1] == "card" and bare[:size] == bare[size + 1 : -1]:
            bare = (*bare[:size], "source")
        made = noun(phrase((*bare[:-1], "source"))) if bare[-1] in ("source", "sources") and len(bare) > 1 else None
        if made is not None and isinstance(made.reading, n.Things):
            yield Reading(one.end, made, _sources_words(Printer(reader.grammar), made) or ())


def _sources_words(_: Printer, value: Any) -> Words | None:
    words = noun_words(value) if isinstance(value, Noun) else ()
    return (*words[:-1], "sources") if len(words) > 1 and words[-1] == "source" else None


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
        if reader.words[after : after + len(_UNSPENT)] == _UNSPENT:
            for spent in reader.read("unspent", after + len(_UNSPENT)):
                yield Reading(spent.end, replace(made, only=spent.value), (*one.words, ".", *_UNSPENT, *spent.words))
        for said, lasts in _LASTS.items():
            if reader.words[after : after + len(said)] == said and not made.lasts:
                kept = _KEPT[lasts]
                yield Reading(after + len(said), replace(made, lasts=lasts), (*one.words, ".", *kept))
        for more in reader.read("following", after):
            on, gives, then = more.value
            yield Reading(more.end, replace(made, on=on, gives=gives, then=then), (*one.words, ".", *more.words))


def _kept_of_two_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Add {W} and you gain 3 life. Until end of turn, you don't lose this mana": it is the mana of the first of both."""
    if reader.at(place) not in ("add", "adds"):
        return
    for one in reader.read("vp", place):
        if not isinstance(one.value, f.AddMana) or reader.at(one.end) != "and":
            continue
        for more in reader.read("simple", one.end + 1):
            for said, lasts in _LASTS.items() if reader.at(more.end) == "." else ():
                if reader.words[more.end + 1 : more.end + 1 + len(said)] == said:
                    made = (replace(one.value, who=YOU, lasts=lasts), *more.value)
                    words = (*one.words, ".", *_KEPT[lasts], ".", *more.words)
                    yield Reading(more.end + 1 + len(said), made, words)


def _limited_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.AddMana) or value.only is None and value.on is None and not value.lasts:
        return None
    plain = replace(value, only=None, on=None, gives=(), then=(), lasts="", who=S.who)
    base = printer.write("vp", plain)
    if base is None or value.lasts and (value.only is not None or value.on is not None):
        return None
    if value.lasts:
        return (*base, ".", *_KEPT[value.lasts])
    if value.only is None:
        more = printer.write("following", (value.on, value.gives, value.then))
        return None if more is None else (*base, ".", *more)
    spent = printer.write("spending", value.only)
    if spent is None:
        spent = printer.write("unspent", value.only)
        return None if spent is None else (*base, ".", *_UNSPENT, *spent)
    tail = (",", "and", "that", "spell", "can't", "be", "countered") if value.gives else ()
    return (*base, ".", *_SPEND, *spent, *tail)
