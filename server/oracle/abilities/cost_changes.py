"""Rules for what spells and abilities cost more or less, and for additional costs that leave a choice (601.2b, f)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, filled, tokens
from server.oracle.nouns import noun, phrase
from server.oracle.sentences import as_tree

YOU = Noun("you")
THIS = Noun("{this}")
NOT_BELOW_ONE = (
    ". this effect can't reduce the mana in that cost to less than one mana",
    ". this effect can't reduce the amount of mana an ability costs to activate to less than one mana",
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("less", _less_at, _less_words)
    g.terminal("targeting", _targeting_at, _targeting_words)
    g.terminal("toll", _tolls_at, _tolls_words)
    g.terminal("tolled", _tolled_at, _tolled_words)
    g.rule("governed", "<x:tolled>", S.x, guard=lambda e: isinstance(e["x"], tuple) and len(e["x"]) == 2)
    _spells(g)
    _abilities(g)
    _either(g)
    _alternative(g)
    _forbidden(g)


def _spells(g: Grammar) -> None:
    r = g.rule
    own = f.CostChange(what=THIS)
    each = replace(own, generic=n.Times(number=S.d, of=S.e))
    r("static", "{this} costs <d:less> to cast for each <e:each>", (each,), guard=_counted)
    fewer = f.CostChange(what=S.w, generic=n.Times(number=-1, of=S.a))
    r("static", "<w:spells> cost {X} less to cast , where X is <a:amount>", (fewer,), guard=_counted_amount)
    beyond = "{this} costs <m:mana> more to cast for each target beyond the first"
    r("static", beyond, (replace(own, mana=S.m, per_target=True),))
    amount = replace(own, generic=n.Times(number=-1, of=S.a))
    r("static", "{this} costs {X} less to cast , where X is <a:amount>", (amount,))
    aimed = replace(own, condition=f.Is(what=THIS, of=S.t))
    r("static", "{this} costs <d:delta> to cast if it targets <t:targeting>", (replace(aimed, generic=S.d),))
    r("static", "{this} costs <m:reduction> less to cast if it targets <t:targeting>", (replace(aimed, reduce=S.m),))
    r("static", "{this} costs <m:reduction> less to cast if <c:scond>", (replace(own, reduce=S.m, condition=S.c),))
    r("static", "{this} costs <m:reduction> less to cast", (replace(own, reduce=S.m),))
    kinds = f.CostChange(what=S.w, generic=n.Times(number=S.d, of=S.e))
    r("static", "<w:spells> cost <d:less> to cast for each <e:each>", (kinds,), guard=_counted)
    less = "<w:spells> cost <m:reduction> less to cast"
    r("static", less, (f.CostChange(what=S.w, reduce=S.m),))
    only = f"{less} . this effect reduces only the amount of colored mana you pay"
    r("static", only, (f.CostChange(what=S.w, reduce=S.m, only_colored=True),))
    g.terminal("reduction", _reduction_at, lambda p, v: (v,) if isinstance(v, str) and v else None)


def _counted(e: dict[str, Any]) -> bool:
    return isinstance(e["d"], int) and not isinstance(e["e"], int)


def _counted_amount(e: dict[str, Any]) -> bool:
    return e["w"] != THIS and not isinstance(e["a"], int | n.X)


def _less_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "{2} less" as -2."""
    return [one for one in reader.read("delta", place) if isinstance(one.value, int)]


def _less_words(printer: Printer, value: Any) -> Words | None:
    return printer.write("delta", value)


def _reduction_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Coloured mana that a cost is reduced by."""
    return [
        one
        for one in reader.read("mana", place)
        if not one.value[1:-1].isdecimal() and "X" not in one.value and "/" not in one.value
    ]


def _targeting_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a tapped creature" as "spell that targets a tapped creature"."""
    for one in reader.read("noun", place):
        if isinstance(one.value.reading, n.Choose | n.You | n.This):
            made = noun(f"spell that targets {phrase(one.words)}")
            if made is not None:
                yield Reading(one.end, made, one.words)


def _targeting_words(printer: Printer, value: Any) -> Words | None:
    head = "spell that targets "
    return tuple(tokens(value.text[len(head) :])) if isinstance(value, Noun) and value.text.startswith(head) else None


def _abilities(g: Grammar) -> None:
    r = g.rule
    made = f.ActivatedAbility(cost=())
    for template, change in (
        ("this ability costs <d:less> to activate for each <e:each>", _own(generic=n.Times(number=S.d, of=S.e))),
        ("this ability costs <d:delta> to activate if <c:scond>", _own(generic=S.d, condition=S.c)),
        ("this ability costs <m:reduction> less to activate if <c:scond>", _own(reduce=S.m, condition=S.c)),
        (
            "this ability costs {X} less to activate , where X is <a:amount>",
            _own(generic=n.Times(number=-1, of=S.a)),
        ),
        (
            "this ability costs <d:delta> to activate if it targets <t:targeting>",
            _own(generic=S.d, condition=f.Is(what=THIS, of=S.t)),
        ),
    ):
        shape = replace(made, changes=(change,))
        r("limit", template, shape, guard=None if "each" not in template else _counted)
        r(
            "limit",
            f"activate only as a sorcery . {template}",
            replace(shape, timing="sorcery"),
            f"{template} . activate only as a sorcery",
            guard=None if "each" not in template else _counted,
        )
    less = "this ability costs <m:reduction> less to activate if <c:scond>"
    seldom = replace(made, changes=(_own(reduce=S.m, condition=S.c),), limit=1)
    r("limit", f"{less} . activate only once each turn", seldom)
    change = f.CostChange(what=S.w, generic=S.d, abilities=True)
    least = replace(change, minimum=1)
    of_kind = "activated abilities of <w:plurals> cost <d:delta> to activate"
    of_bearer = "activated abilities of <w:attached> cost <d:delta> to activate"
    theirs = "activated abilities of sources your opponents control cost <d:delta> to activate"
    said = "abilities your opponents activate cost <d:delta> to activate"
    r("static", theirs, (replace(change, what=Noun("source your opponents control")),))
    # "Abilities you activate" may be of what others control, and those that others activate of what you control are none.
    anything = Noun("source")
    r("static", f"activated {said}", (replace(change, what=anything, by=Noun("an opponent")),), said)
    own = replace(change, what=anything, by=Noun("you"), keyword=S.k)
    g.terminal("abilityword", _ability_word_at, lambda p, v: (v,) if v in _ACTIVATED else None)
    paid = "<k:abilityword> abilities you activate cost <d:delta> to activate"
    r("static", paid, (own,), "<k:abilityword> costs you pay cost <d:delta>")
    yours = "abilities you activate that aren't mana abilities cost <d:delta> to activate"
    for text, what in ((yours, anything), (of_kind, S.w), (of_bearer, S.w)):
        not_mana, by = text == yours, Noun("you") if text == yours else None
        for one, end in ((replace(least, what=what), NOT_BELOW_ONE), (replace(change, what=what), ("",))):
            one = replace(one, not_mana=not_mana, by=by)
            r("static", f"{text} {end[0]}".strip(), (one,), *(f"{text} {more}" for more in end[1:]))
    everywhere = "activated abilities cost <d:delta> to activate"
    for text, what in ((everywhere, anything), (of_kind, S.w), (of_bearer, S.w)):
        other = replace(change, what=what, not_mana=True)
        r("static", f"{text} unless they're mana abilities", (other,))


#: Keywords of abilities that are activated, as costs are spoken of.
_ACTIVATED = frozenset(("boast", "crew", "cycling", "equip", "exhaust", "ninjutsu", "outlast", "power-up", "unearth"))


def _ability_word_at(reader: Reader, place: int) -> Iterable[Reading]:
    word = reader.at(place)
    if word in _ACTIVATED:
        yield Reading(place + 1, word, (word,))


def _own(**fields: Any) -> f.CostChange:
    return f.CostChange(what=THIS, abilities=True, **fields)


def _either(g: Grammar) -> None:
    """ "As an additional cost to cast this spell, discard a card or pay {2}", "you may sacrifice a creature"."""
    r = g.rule
    head = "as an additional cost to cast {this} ,"
    either = f.CastingCost(name="additional", cost=(), options=(S.a, S.b))
    r("eithercost", "pay <m:mana>", (f.ManaCost(mana=S.m),))
    r("eithercost", "<c:cost>", S.c, guard=lambda e: not isinstance(e["c"][0], f.ManaCost))
    r("static", f"{head} <a:eithercost> or <b:eithercost>", (either,))
    maybe = f.CastingCost(name="additional", cost=S.a, optional=True)
    r("static", f"{head} you may <a:eithercost>", (maybe,), guard=lambda e: not isinstance(e["a"][0], f.EvidenceCost))
    paid = f.Paid(cost="additional")
    r("cond", "{this} 's additional cost was paid", paid, "its additional cost was paid", "this cost is paid")


def _tolls_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "sacrifice a creature or discard a card", each of which other rules read."""
    firsts: list[Reading] = []
    for template in reader.grammar.by_word.get("toll", {}).get(reader.at(place), ()):
        reader.apply(template, place, firsts)
    for first in firsts:
        for second in reader.read("toll", first.end + 1) if reader.at(first.end) == "or" else ():
            if not isinstance(second.value[0], f.EitherCost):
                made = f.EitherCost(options=(first.value, second.value))
                yield Reading(second.end, (made,), (*first.words, "or", *second.words))
        if isinstance(first.value[0], f.ManaCost) and len(first.value) == 1 and reader.at(first.end) == "and":
            for second in reader.read("toll", first.end + 1):
                if len(second.value) == 1 and isinstance(second.value[0], _BESIDE_MANA):
                    yield Reading(second.end, (*first.value, *second.value), (*first.words, "and", *second.words))


_BESIDE_MANA = (f.SacrificeCost, f.DiscardCost)


def _tolls_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], _BESIDE_MANA):
        both = [printer.write("toll", (part,)) for part in value]
        return None if both[0] is None or both[1] is None else (*both[0], "and", *both[1])
    if not (isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], f.EitherCost)):
        return None
    said = [printer.write("toll", option) for option in value[0].options]
    if len(said) != 2 or said[0] is None or said[1] is None:
        return None
    return (*said[0], "or", *said[1])


PLAYER = Noun("$player")


def _tolled_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Target opponent loses 3 life unless they sacrifice a creature": the target is who may pay."""
    for who in reader.read("person", place):
        for one in reader.read("vp", who.end) if isinstance(who.value.reading, n.Target) else ():
            for said in (("unless", "they"), ("unless", "that", "player")):
                if reader.words[one.end : one.end + len(said)] != said:
                    continue
                for toll in reader.read("toll", one.end + len(said)):
                    then = as_tree(filled(one.value, {"who": PLAYER}))
                    value = (
                        f.Bind(as_name="player", what=who.value),
                        f.Unless(cost=toll.value, then=then, who=PLAYER),
                    )
                    yield Reading(toll.end, value, (*who.words, *one.words, "unless", "they", *toll.words))


def _tolled_words(printer: Printer, value: Any) -> Words | None:
    match value:
        case (f.Bind(as_name="player", what=Noun() as who), f.Unless(cost=cost, then=(verb,), who=unless)) if (
            unless == PLAYER and getattr(verb, "who", None) == PLAYER
        ):
            said = printer.write("vp", replace(verb, who=S.who))
            toll = printer.write("toll", cost)
            subject = printer.write("person", who)
            if said is not None and toll is not None and subject is not None:
                return (*subject, *said, "unless", "they", *toll)
    return None


def _alternative(g: Grammar) -> None:
    r = g.rule
    instead = f.CastingCost(name="alternative", cost=S.c, kind="alternative", condition=S.w)
    paid = replace(instead, cost=(f.ManaCost(mana=S.c),))
    for shape, price in ((paid, "pay <c:mana>"), (instead, "<c:cost>")):
        texts = (
            f"you may {price} rather than pay {{this}} 's mana cost",
            f"rather than pay {{this}} 's mana cost , you may {price}",
        )
        r("static", f"if <w:scond> , {texts[0]}", (shape,), f"if <w:scond> , {texts[1]}")
        r("static", texts[0], (replace(shape, condition=None),), texts[1])
    r("costpart", "have an opponent gain <n:number> life", f.GiveLifeCost(amount=S.n))
    r("costpart", "have each other player gain <n:number> life", f.GiveLifeCost(amount=S.n, each=True))
    both = f.AllOf(conditions=(S.w, S.v))
    free = f.CastingCost(name="free", cost=(), kind="alternative", condition=both)
    r("static", "if <w:scond> and <v:scond> , you may cast {this} without paying its mana cost", (free,))


def _forbidden(g: Grammar) -> None:
    r = g.rule
    for text, who in (("players", Noun("each player")), ("your opponents", Noun("your opponents"))):
        life = f.PlayerRule(rule="can't pay life", who=who)
        kept = f.PlayerRule(rule="can't sacrifice to pay", who=who, what=S.w)
        to_pay = "to cast spells or activate abilities"
        r("static", f"{text} can't pay life or sacrifice <w:plurals> {to_pay}", (life, kept))
        r("static", f"{text} can't pay life {to_pay}", (life,))
        r("static", f"{text} can't sacrifice <w:plurals> {to_pay}", (kept,))
