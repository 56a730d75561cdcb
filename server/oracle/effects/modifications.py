"""What continuous effects make of objects: "gets +1/+1 and has flying", "can't attack or block", "is a Swamp".

Category `mods` is what an instruction does for a duration ("gains"), `smods` what a static ability does ("has"); both are
lists of modifications, one tuple. Category `bans` are rules about objects that stand before "this turn".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.effects import sizes
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, row_at, row_words, text_of, walk
from server.oracle.nouns import is_kind


def install(g: Grammar) -> None:
    """Adds the rules."""
    sizes.install(g)
    _common(g)
    _bans(g)
    g.terminal("plurals", _plurals_at, lambda p, v: p.write("noun", v))
    g.terminal("mods", row_at("mod"), row_words("mod"))
    g.terminal("smods", row_at("smod"), row_words("smod"))
    g.terminal("bans", row_at("ban"), row_words("ban"))


# --- abilities, types, colours ------------------------------------------------------------------------------------------------


def _common(g: Grammar) -> None:
    r = g.rule
    gained = (("mod", "gain~|have~"), ("smod", "have~"))
    for category, verb in gained:
        r(
            category,
            f"{verb.split('|')[0]} <k:keywords>",
            (f.GainAbilities(keywords=S.k),),
            *_second(verb, "<k:keywords>"),
        )
        r(category, f"{verb.split('|')[0]} <a:takers>", (f.GainAbilities(abilities=S.a),), *_second(verb, "<a:takers>"))
        r(
            category,
            f"{verb.split('|')[0]} <k:keywords> and <a:takers>",
            (f.GainAbilities(keywords=S.k, abilities=S.a),),
            *_second(verb, "<k:keywords> and <a:takers>"),
        )
    be = (("mod", "become~"), ("smod", "are~"))
    for category, verb in be:
        r(category, f"{verb} <c:colors>", (f.SetColors(colors=S.c),))
        r(
            category,
            f"{verb} <c:colors> in addition to its other colors",
            (f.SetColors(colors=S.c, replace=False),),
            f"{verb} <c:colors> in addition to their other colors",
        )
        r(
            category,
            f"{verb} a|an <t:subtypes>",
            (f.SetTypes(subtypes=S.t, replace=True),),
            f"{verb} <t:subtypes>",
            f"{verb} <t:manylands>",
            guard=lambda e: all(t in v.LAND_TYPES for t in e["t"]),
        )
    g.terminal("manylands", _many_lands_at, lambda p, v: None)
    r("mod", "gain~ all activated abilities of <o:things>", (f.GainsActivatedOf(of=S.o),))
    for supertype in ("legendary", "snow"):
        more = (f.SetTypes(supertypes=(supertype,)),)
        r("smod", f"are~ {supertype}", more, f"are~ {supertype} in addition to their other types")
    r("smod", "are~ every nonbasic land type", (f.SetTypes(all_subtypes="nonbasic land"),))
    all_lands = "are~ every land type in addition to its|their other types"
    r("smod", all_lands, (f.SetTypes(all_subtypes="land"),))
    r("smod", "are~ every creature type", (f.SetTypes(all_subtypes="creature"),))
    r("mod", "gain~ all creature types", (f.SetTypes(all_subtypes="creature"),))
    r("mod", "switch~ power and toughness", (f.SwitchPT(),))
    g.terminal("quoted", _quoted_at, _quoted_words)
    r("mod", "gain~ <q:quoted>", (f.GainAbilities(abilities=S.q),), "have~ <q:quoted>")
    r("smod", "have~ <q:quoted>", (f.GainAbilities(abilities=S.q),))
    both = (f.GainAbilities(keywords=S.k, abilities=S.q),)
    r("mod", "gain~ <k:keywords> and <q:quoted>", both, "have~ <k:keywords> and <q:quoted>")
    r("smod", "have~ <k:keywords> and <q:quoted>", both)
    r("mod", "are~ indestructible", (f.IsIndestructible(),))
    r("smod", "are~ indestructible", (f.IsIndestructible(),))
    # Keyword abilities that take something, as a tuple of abilities ("protection from red and from blue").
    g.terminal("takers", _takers_at, _takers_words)


_MANY_LANDS = {many: one for one in v.LAND_TYPES for many in v.plurals(one) if many != one}


def _many_lands_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A land type in the plural ("Mountains")."""
    one = _MANY_LANDS.get(reader.at(place))
    return [] if one is None else [Reading(place + 1, (one,), (one,))]


def _second(verb: str, rest: str) -> tuple[str, ...]:
    return tuple(f"{other} {rest}" for other in verb.split("|")[1:])


def _quoted_at(reader: Reader, place: int) -> Iterable[Reading]:
    """An ability in quotation marks, as a tuple of abilities; or several of them."""
    opened, closed = reader.at(place), {'"': '"', "«": "»"}.get(reader.at(place))
    if closed is None:
        return
    end = place + 1
    while reader.at(end) not in (closed, ""):
        end += 1
    if not reader.at(end):
        return
    quoted = reader.words[place + 1 : end]
    if quoted and quoted[-1] == ",":  # where the sentence around it goes on
        quoted = (*quoted[:-1], ".")
    inner = Reader(reader.grammar, quoted)
    for category in ("triggered", "activated", "statics", "takers"):
        for one in inner.read(category, 0):
            if getattr(one.value, "limit", 0) and "first" in quoted:
                continue  # what was done to it before it had the ability was the first time, too
            if one.end + (category == "takers" and inner.words[-1] == ".") == len(inner.words):
                value = one.value if category in ("statics", "takers") else (_told(one),)
                words = (opened, *one.words, closed)
                yield Reading(end + 1, value, words)
                if reader.words[end + 1 : end + 3] == ("and", '"'):
                    for more in _quoted_at(reader, end + 2):
                        yield Reading(more.end, (*value, *more.value), (*words, "and", *more.words))


def _told(one: Reading) -> Any:
    """The ability with its own words, by which people name it."""
    return replace(one.value, text=text_of(one.words))


def _quoted_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value:
        return None
    for category in ("triggered", "activated"):
        words = printer.write(category, value[0]) if len(value) == 1 else None
        if words is not None:
            return ('"', *_inner(words), '"')
    words = printer.write("statics", value)
    if words is not None:
        return ('"', *_inner(words), '"')
    if len(value) == 1:
        return None
    first, rest = _quoted_words(printer, value[:1]), _quoted_words(printer, value[1:])
    return None if first is None or rest is None else (*first, "and", *rest)


def _inner(words: Words) -> Words:
    """The words of a quotation; quotation marks in it are those of one inside of another."""
    marks = iter("«»" * words.count('"'))
    return tuple(next(marks) if word == '"' else word for word in words)


def _takers_at(reader: Reader, place: int) -> Iterable[Reading]:
    printer = Printer(reader.grammar)
    for one in reader.read("taker", place):
        told = tuple(replace(a, text=text_of(printer.write("taker", (a,)) or ())) for a in one.value)
        yield Reading(one.end, told, one.words)


def _takers_words(printer: Printer, value: Any) -> Words | None:
    return printer.write("taker", value)


# --- rules about objects ----------------------------------------------------------------------------------------------------


def _plurals_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A plural kind in a rule ("creatures with flying", "Walls", "artifact creatures")."""
    return [
        one
        for one in reader.read("noun", place)
        if isinstance(one.value.reading, n.Each)
        and one.words[0] not in ("each", "all")
        and is_kind(one.value)
        and one.value.reading.of.players is None
    ]


def flag(rule: str, **more: Any) -> tuple[f.Flag, ...]:
    """The flag of a rule as modifications."""
    return (f.Flag(rule=rule, **more),)  # type: ignore[arg-type]


_UNTAP = (
    "doesn't|don't untap during its controller 's untap step",
    "doesn't|don't untap during their controllers 's untap steps",
    "doesn't|don't untap during their controller 's untap step",
    "doesn't|don't untap during your untap step",
    "doesn't|don't untap during their controllers 's untap step",
)


def _bans(g: Grammar) -> None:
    """What stands before "this turn", and the same of static abilities."""
    for category in ("ban", "smod"):
        _cant_attack_or_block(g, category)
        _can_block(g, category)
        _cant_be_target(g, category)
    _static_bans(g)


def _cant_attack_or_block(g: Grammar, category: str) -> None:
    """Restrictions on attacking and blocking (508.1c, 509.1b)."""
    r = g.rule
    r(category, "can't attack", flag("can't attack"))
    whole = tuple(f"can't attack you or {w} you control" for w in ("planeswalkers", "a planeswalker"))
    for said, whom in ((("can't attack you",), "you"), (whole, "you or a planeswalker you control")):
        r(category, said[0], flag("can't attack", param=Noun(whom)), *said[1:])
    r(category, "can't block", flag("can't block"))
    r(category, "can't be blocked by more than one creature", flag("blocked by at most", number=1))
    r(
        category,
        "can't be blocked by more than <m:count> creatures",
        flag("blocked by at most", number=S.m),
        guard=lambda e: isinstance(e["m"], int) and e["m"] > 1,
    )
    r(category, "can't attack or block", flag("can't attack or block"), "can't block or attack")
    silent = (*flag("can't attack or block"), *flag("can't activate abilities"))
    said = ("can't attack or block , and its activated abilities can't be activated",)
    r(category, said[0], silent, said[0].replace(" ,", ""))
    r(category, "can't attack or block alone", (*flag("can't attack alone"), *flag("can't block alone")))
    r(category, "can't attack alone", flag("can't attack alone"))
    r(category, "can't block alone", flag("can't block alone"))
    r(category, "can't be blocked", flag("can't be blocked"), "are~ unblockable")
    r(category, "can't be blocked except by <q:plurals>", flag("can't be blocked except by", param=S.q))
    r(category, "can't be blocked by <q:plurals>", flag("can't be blocked by", param=S.q))
    r(category, "can't block <q:plurals>", flag("can't block", param=S.q))
    apart = (*flag("can't block", param=S.q), *flag("can't be blocked by", param=S.q))
    r(category, "can't block or be blocked by <q:plurals>", apart)
    strength = "as though its power were <m:number> greater"
    for said, kinds in (("crew~ Vehicles", "Vehicles"), ("saddle~ Mounts and crew~ Vehicles", "Mounts and Vehicles")):
        stronger = flag("crews as though stronger", number=S.m, param=Noun(kinds))
        r(category, f"{said} {strength}", stronger)
    r(category, "can't block {this}", flag("can't block", param=Noun("{this}")))


def _can_block(g: Grammar, category: str) -> None:
    """How many and what may be blocked."""
    r = g.rule
    r(
        category,
        "can't be blocked except by <m:count> or more creatures",
        flag("blocked by at least", number=S.m),
        guard=lambda e: isinstance(e["m"], int) and e["m"] > 1,
    )
    r(category, "can block only <q:plurals>", flag("can block only", param=S.q))
    r(
        category,
        "can block an additional creature each combat",
        flag("can block additional", number=1),
        "can block an additional creature",
    )
    r(
        category,
        "can block an additional <m:count> creatures each combat",
        flag("can block additional", number=S.m),
        "can block an additional <m:count> creatures",
        guard=lambda e: isinstance(e["m"], int) and 1 < e["m"] < 99,
    )
    r(category, "can block any number of creatures", flag("can block additional", number=99))
    r(
        category,
        "can attack as though it didn't have defender",
        flag("can attack as though no defender"),
        "can attack as though they didn't have defender",
        "can attack as though {this} didn't have defender",
    )


def _cant_be_target(g: Grammar, category: str) -> None:
    """Regeneration and targets; requirements (508.1d, 509.1c)."""
    r = g.rule
    r(category, "can't be regenerated", flag("can't be regenerated"))
    r(category, "can't phase out", flag("can't phase out"))
    r(
        category,
        "can't be the target of spells or abilities",
        flag("can't be the target"),
        "can't be the targets of spells or abilities",
    )
    theirs = flag("can't be the target", param=Noun("sources your opponents control"))
    said = "of spells or abilities your opponents control"
    r(category, f"can't be the target {said}", theirs, f"can't be the targets {said}")
    spells = flag("can't be the target", param=S.q)
    r(category, "can't be the target of <q:spells>", spells, "can't be the targets of <q:spells>", guard=_spells_only)
    for color in (*v.COLORS, *(f"non{color}" for color in v.COLORS)):
        sources = flag("can't be the target", param=Noun(f"{color} sources"))
        said = f"of {color} spells or abilities from {color} sources"
        r(category, f"can't be the target {said}", sources, f"can't be the targets {said}")
    r(
        category,
        "attack~ if able",
        flag("attacks if able"),
        *(("attack~ each turn if able", "attack~ each combat if able") if category == "smod" else ()),
    )
    r(
        category,
        "block~ if able",
        flag("blocks if able"),
        *(("block~ each turn if able", "block~ each combat if able") if category == "smod" else ()),
    )
    if category == "smod":
        either = (*flag("attacks if able"), *flag("blocks if able"))
        r(category, "attack~ or block~ each combat if able", either, "attack~ or block~ each turn if able")


def _is_sacrifice(e: dict[str, Any]) -> bool:
    """Whether something is sacrificed for it and nothing else is given."""
    return len(e["t"]) == 1 and isinstance(e["t"][0], f.SacrificeCost)


def _static_bans(g: Grammar) -> None:
    """What only static abilities say."""
    r = g.rule
    r("smod", "isn't a creature", (f.SetTypes(lose=("creature",)),), "aren't creatures")
    r("smod", _UNTAP[0], flag("doesn't untap"), *_UNTAP[1:])
    for ban in ("can't attack", "can't block", "can't attack or block"):
        r("smod", f"{ban} if <u:scond>", flag(ban, unless=f.NotSo(condition=S.u)), guard=_of_who_defends)
        r("smod", f"{ban} unless <u:scond>", flag(ban, unless=S.u))
        toll = flag(ban, cost=(f.ManaCost(mana=S.c),))
        r("smod", f"{ban} unless its controller pay~ <c:mana>", toll)
        each = flag(ban, cost=(f.ManaCost(mana=S.c, per=S.e),))
        r("smod", f"{ban} unless its controller pay~ <c:mana> for each <e:each>", each)
        own = (f.Continuous(what=Noun("{this}"), mods=toll),)
        g.wording("static", f"{{this}} {ban} unless you pay <c:mana>", own)
        given = flag(ban, cost=S.t)
        r("smod", f"{ban} unless its controller <t:toll>", given, guard=_is_sacrifice)
        own = (f.Continuous(what=Noun("{this}"), mods=given),)
        g.wording("static", f"{{this}} {ban} unless you <t:toll>", own, guard=_is_sacrifice)
    r("smod", "must be blocked if able", flag("must be blocked"))
    r("smod", "can't be countered", flag("can't be countered"), "can't be countered by spells or abilities")
    r("smod", "can't be sacrificed", flag("can't be sacrificed"))
    r("smod", "can't transform", flag("can't transform"))
    r("smod", "can't have counters put on it", flag("can't have counters"), "can't have counters put on them")
    kind = flag("can't have counters", keyword=S.k)
    r("smod", "can't have <k:counter> counters put on it", kind, "can't have <k:counter> counters put on them")
    r("smod", "assign~ combat damage equal to its toughness rather than its power", flag("assigns damage by toughness"))
    r("smod", "assign~ no combat damage", flag("deals no combat damage"))
    silent = (f.Continuous(what=S.what, mods=flag("can't activate abilities")),)
    r(
        "static",
        "<what:attached> 's activated abilities can't be activated",
        silent,
        guard=lambda e: isinstance(e["what"].reading, n.Attached),
    )
    r("static", "activated abilities of <what:plurals> can't be activated", silent)
    r("smod", "can't be equipped", flag("can't be equipped"))
    r("smod", "can't be enchanted", flag("can't be enchanted"))
    r("smod", "its activated abilities can't be activated", flag("can't activate abilities"))
    barred = flag("can't activate abilities", keyword="mana")
    but_mana = "its activated abilities can't be activated unless they're mana abilities"
    r("smod", but_mana, barred)
    both = (*flag("can't attack or block"), *barred)
    r("smod", f"can't attack or block , and {but_mana}", both, f"can't attack or block and {but_mana}")
    if_creature = (
        f.Continuous(what=S.what, mods=barred),
        f.Continuous(what=S.what, mods=flag("can't attack or block")),
    )
    said = "<what:attached> 's activated abilities can't be activated unless they're mana abilities"
    r("static", said, if_creature[:1])
    more = ". if enchanted permanent is a creature , it can't attack or block"
    g.wording("static", f"{said} {more}", if_creature)


def _of_who_defends(e: dict[str, Any]) -> bool:
    """Whether a condition speaks of defending player, who is not the same for each attack: no condition of the whole ability."""
    return any(isinstance(part, Noun) and "defending player" in part.text for part in walk(e["u"]))


def _spells_only(e: dict[str, Any]) -> bool:
    return "spells" in e["q"].text and "abilities" not in e["q"].text
