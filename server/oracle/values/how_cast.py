"""Rules for casting: what was paid and how something was cast, in conditions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.loading import READ_KEYWORDS
from server.cards.nouns import Noun
from server.oracle.engine import ENTERS, Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, phrase, with_owner

YOU = Noun("you")
THIS = Noun("{this}")

#: Keywords whose cost is spoken of by their own word ("if its prowl cost was paid").
_COSTS = (
    "blitz", "dash", "emerge", "evoke", "freerunning", "harmonize", "madness", "mayhem", "offspring", "overload",
    "plot", "prowl", "spectacle", "squad", "surge", "warp", "awaken", "sneak", "impending",
)  # fmt: skip
#: How else it is said that a keyword's cost was paid.
_SAID = (
    ("bargain", "was bargained"),
    ("escape", "escaped"),
    ("foretell", "was foretold"),
    ("teamwork", "was cast using teamwork"),
    ("web-slinging", "was cast using web-slinging"),
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    _paid(g)
    _found(g)
    _collects(g)
    _beholds(g)
    _made(g)
    _various(g)
    _held(g)
    _kicked(g)
    spell = Noun("$spell")
    power, toughness = (n.StatOf(stat=stat, of=Noun("creatures you control")) for stat in ("power", "toughness"))
    both = n.Plus(parts=(power, toughness))
    for said, total in (("power", power), ("toughness", toughness), ("power and toughness", both)):
        several = f"creatures you control have total {said} <n:number> or greater"
        g.rule("cond", several, f.Holds(left=total, compare=">=", right=S.n))
    g.rule("cond", "a card is exiled with it", f.Exists(of=Noun("the exiled card")), "a card is exiled with {this}")
    g.rule(
        "do",
        "counter <w:one> if its <stat> is <n:number>",
        (
            f.Bind(as_name="spell", what=S.w),
            f.If(
                condition=f.Holds(left=n.StatOf(stat=S.stat, of=spell), compare="=", right=S.n),
                then=(f.CounterSpell(what=spell),),
            ),
        ),
    )
    rewrite = f.EnterWith(counter=S.k, count=S.n)
    escaped = f.Replacement(event=ENTERS, rewrite=(rewrite,), condition=f.Paid(cost="escape"))
    g.wording("static", "{this} escapes with <n:count> <k:counter> counter|counters on it", (escaped,))


KICKER = "kicker"


def _kicked(g: Grammar) -> None:
    """By which of two kicker costs a spell was kicked (702.31d), and how often."""
    g.terminal("whichkicker", _kicker_at, _kicker_words)
    said = "was kicked with its <k:whichkicker>"
    g.rule("cond", f"it {said}", S.k, f"{{this}} {said}")
    g.rule("cond", "it was kicked twice", f.Paid(times=2), "{this} was kicked twice")


def _kicker_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("mana", place):
        if reader.at(one.end) == KICKER:
            yield Reading(one.end + 1, f.Paid(cost=f"{KICKER} {one.value}"), (*one.words, KICKER))


def _kicker_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Paid) or not value.cost.startswith(f"{KICKER} "):
        return None
    words = printer.write("mana", value.cost.removeprefix(f"{KICKER} "))
    return (*words, KICKER) if words is not None else None


def _held(g: Grammar) -> None:
    """What was controlled, or revealed as an additional cost, as the spell was cast."""
    held = f.AsCast(condition=S.of)
    g.terminal("revealed", _revealed_at, _revealed_words)
    g.rule("cond", "you controlled <of:controlled> as you cast {this}", held)
    either = f.OneOf(conditions=(f.Paid(cost="additional"), held))
    g.rule("cond", "you revealed <of:revealed> or controlled <of:controlled> as you cast {this}", either)


def _revealed_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a Dragon card" of a hand, as "a Dragon" that is controlled."""
    for one in reader.read("noun", place):
        if one.words[0] in ("a", "an") and one.words[-1] == "card":
            made = with_owner(phrase(one.words[:-1]), "you")
            if made is not None and isinstance(made.reading, n.Choose):
                yield Reading(one.end, f.Exists(of=made), one.words)


def _revealed_words(printer: Printer, value: Any) -> Words | None:
    words = printer.write("controlled", value)
    return (*words, "card") if words is not None and words[0] in ("a", "an") else None


def _collects(g: Grammar) -> None:
    """Evidence (current 701.59)."""
    r = g.rule
    evidence = f.EvidenceCost(amount=S.n)
    r("costpart", "collect evidence <n:number>", evidence)
    r("toll", "collect~ evidence <n:number>", (evidence,))
    r(
        "static",
        "as an additional cost to cast {this} , you may collect evidence <n:number>",
        (f.CastingCost(name="collect evidence", cost=(evidence,), optional=True),),
    )
    paid = f.Paid(cost="collect evidence")
    r("cond", "evidence was collected", paid)
    r("governed", "you may collect evidence <n:number>", (f.May(cost=(evidence,)),))
    event = f.Pattern(event="evidence collected", subject=YOU)
    r("event", "you collect evidence", (event,))


def _beholds(g: Grammar) -> None:
    """Beholding (current 701.4)."""
    g.rule("costpart", "behold <what:payable>", f.BeholdCost(what=S.what))
    g.wording("cond", "<k:payable> was beheld", f.Paid(cost="additional"))


def _made(g: Grammar) -> None:
    """Mana of abilities that trigger on mana, and mana like that of others (605.1b, 106.7)."""
    r = g.rule
    tapped = f.Pattern(event="tapped for mana", subject=S.s)
    r("event", "you tap <s:subject> for mana", (replace(tapped, object=YOU),))
    r("event", "<w:player> tap~ <s:subject> for mana", (replace(tapped, object=S.w),))
    r("event", "<s:subject> is tapped for mana", (tapped,))
    for symbol in "WUBRGC":
        of_it = replace(tapped, condition=f.MadeMana(type=symbol))
        r("event", f"you tap <s:subject> for {{{symbol}}}", (replace(of_it, object=YOU),))
    of_chosen = replace(tapped, condition=f.MadeMana(type="chosen"))
    r("event", "<s:subject> is tapped for mana of the chosen color", (of_chosen,))
    any_one = f.AddMana(choice="any", who=S.who)
    g.wording("vp", "add~ an additional <mana:made>", f.AddMana(mana=S.mana, who=S.who))
    g.wording("vp", "add~ an additional one mana of any color", any_one)
    g.wording("vp", "add~ an additional one mana of the chosen color", replace(any_one, choice="chosen"))
    produced = [f"add~ one mana of any type that {kind} produced" for kind in ("permanent", "land", "creature")]
    more = [text.replace("one mana", "an additional one mana") for text in produced]
    r("vp", produced[0], replace(any_one, choice="produced"), *produced[1:], *more)
    could = replace(any_one, choice="producible", of=S.l)
    r("vp", "add~ one mana of any color that <l:lands> could produce", could)
    r("vp", "add~ one mana of any type that <l:lands> could produce", replace(could, any_type=True))
    among = replace(could, choice="among")
    r("vp", "add~ one mana of any of the exiled card 's colors", replace(among, of=Noun("the exiled card")))
    r("vp", "add~ one mana of any color among <l:lands>", among)
    g.wording("do", "choose a color of <l:lands> . add one mana of that color", replace(among, who=YOU))
    g.terminal(
        "lands",
        lambda reader, place: [o for o in reader.read("noun", place) if isinstance(o.value.reading, n.Choose | n.Each)],
        lambda p, v: p.write("noun", v),
    )
    g.terminal("mine", _mine_at, _mine_words)
    for zone in ("graveyard", "hand", "library"):
        arrives = f.Pattern(event="zone change", subject=S.s, from_=zone, to="battlefield")
        r("event", f"<s:mine> enters from your {zone}", (arrives,))
    for zone, said in (("graveyard", "a graveyard"), ("exile", "exile")):
        r("event", f"<s:subject> enters from {said}", (replace(arrives, from_=zone),))


def _mine_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "A creature" that enters from your graveyard is "a creature you own": cards lie with their owners (400.3)."""
    for one in reader.read("subject", place):
        made = one.value if one.value.text == "{this}" else noun(f"{one.value.text} you own")
        if made is not None and not {"own", "control"} & set(one.words):
            yield Reading(one.end, made, one.words)


def _mine_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, Noun) or not (value.text == "{this}" or value.text.endswith(" you own")):
        return None
    kind = noun(value.text.removesuffix(" you own"))
    return None if kind is None else noun_words(kind)


def _various(g: Grammar) -> None:
    """Spells cast during a turn, players with protection, copies for each, what is less or expended."""
    r = g.rule
    cast = f.Pattern(event="cast", subject=S.w, object=S.o, condition=f.During(whose=YOU))
    r("event", "<w:player> cast~ <o:spell> during your turn", (cast,))
    g.wording("when", "whenever <a:single> or when <b:single>", (S.a, S.b), "when <a:single> or whenever <b:single>")
    g.terminal("single", _single_at, lambda p, v: p.write("event", (v,)))
    r("vp", "gain~ protection from everything <d:until>", f.RuleEffect(rule=_shielded("protection"), duration=S.d))
    r("vp", "gain~ hexproof <d:until>", f.RuleEffect(rule=_shielded("can't be the target", 1), duration=S.d))
    r("vp", "gain~ shroud <d:until>", f.RuleEffect(rule=_shielded("can't be the target", 0), duration=S.d))
    r(
        "limit",
        "any player may activate this ability but only during their draw step",
        f.ActivatedAbility(cost=(), by="any player", condition=f.During(step="draw", whose=YOU)),
    )
    r(
        "limit",
        "any player may activate this ability but only during their turn",
        f.ActivatedAbility(cost=(), by="any player", timing="your turn"),
        "any player may activate this ability but only during their own turn",
    )
    theirs = f.ActivatedAbility(cost=(), by="opponent")
    r("limit", "only any opponent may activate this ability", theirs, "only your opponents may activate this ability")
    before = f.CopySpell(what=S.w, count=n.ThatMuch(name="instants before"))
    texts = [
        f"copy <w:one> for each {other}instant and|or sorcery spell you've cast before it this turn{end}"
        for other in ("other ", "")
        for end in (" . you may choose new targets for the copies",)
    ]
    r("do", texts[0], before, *texts[1:])
    r("do", "copy <w:one>", f.CopySpell(what=S.w, new_targets=False))
    other = f.CopySpell(what=S.w, new_targets=False, excepting=S.x)
    r("do", "copy <w:one> <x:excepted>", other, guard=lambda e: bool(e["x"]))
    again = f.CopySpell(what=THIS, who=S.who)
    said = [
        f"copy~ {{this}} and may choose {some} for {which} copy"
        for some in ("a new target", "new targets")
        for which in ("that", "the")
    ]
    r("vp", said[0], again, *said[1:], guard=lambda e: e.get("who") != YOU)
    less = n.Minus(left=n.StatOf(stat=S.stat, of=S.o), right=S.m)
    r("amount", "its <stat> minus <m:literal>", replace(less, left=n.StatOf(stat=S.stat, of=Noun("it"))))
    r("amount", "<o:one> 's <stat> minus <m:literal>", less)
    r("event", "you expend <m:literal>", (f.Pattern(event="expended", subject=YOU, reached=S.m),))
    g.terminal(
        "literal",
        lambda reader, place: [o for o in reader.read("number", place) if isinstance(o.value, int)],
        lambda p, v: p.write("number", v) if isinstance(v, int) and v else None,
    )


def _single_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One of two events of an ability."""
    return [Reading(o.end, o.value[0], o.words) for o in reader.read("event", place) if len(o.value) == 1]


def _shielded(rule: str, number: int = 0) -> f.PlayerRule:
    return f.PlayerRule(rule=rule, who=S.who, number=number)  # type: ignore[arg-type]


def _found(g: Grammar) -> None:
    """Cards found from the top of a library and cast at once (current 701.57)."""
    found, rest = Noun("$found"), Noun("$rest")
    g.rule(
        "do",
        "discover <n:number>",
        (
            f.TakeUntil(what=Noun("a nonland card"), below=n.Plus(parts=(S.n, 1))),
            f.PlayCard(what=found, free=True),
            f.If(condition=f.NotSo(condition=f.Did()), then=(f.Move(what=found, to="hand"),)),
            f.Move(what=rest, to="library", bottom=True),
        ),
    )


def _paid(g: Grammar) -> None:
    r = g.rule
    for whose in ("{this}", "it"):  # the spell itself, or what it has become
        r("amount", f"the number of colors of mana spent to cast {whose}", n.ColorsSpent())
        r("each", f"color of mana spent to cast {whose}", n.ColorsSpent())
    times = "time you've cast your commander from the command zone this game"
    r("each", times, n.CommanderCasts(), times.replace("your", "a", 1))
    r("cond", "the gift was promised", f.Paid(cost="gift"))
    r("cond", "the gift wasn't promised", f.NotSo(condition=f.Paid(cost="gift")))
    r("cond", "tribute wasn't paid", f.NotSo(condition=f.Is(what=THIS, of=Noun("tributed permanent"))))
    for word in _COSTS:
        if word in READ_KEYWORDS:
            r(
                "cond",
                f"its {word} cost was paid",
                f.Paid(cost=word),
                f"it was cast for its {word} cost",
                f"{{this}} was cast for its {word} cost",
                f"{{this}} 's {word} cost was paid",
            )
    for word, said in _SAID:
        r("cond", f"it {said}", f.Paid(cost=word), f"{{this}} {said}")
        r("cond", f"it {_denied(said)}", f.NotSo(condition=f.Paid(cost=word)), f"{{this}} {_denied(said)}")
    for zone, text in (("hand", "your hand"), ("graveyard", "a graveyard"), ("exile", "exile")):
        r("cond", f"it was cast from {text}", f.CastFrom(zone=zone), f"{{this}} was cast from {text}")  # type: ignore[arg-type]
        r("cond", f"you cast it from {text}", f.CastFrom(zone=zone, by=YOU))  # type: ignore[arg-type]
    for word, letter in (
        ("white", "W"),
        ("blue", "U"),
        ("black", "B"),
        ("red", "R"),
        ("green", "G"),
        ("colorless", "C"),
    ):
        amount = n.ManaSpent(colors=letter)
        symbol = "{" + letter + "}"
        for count, symbols in ((1, symbol), (2, symbol * 2)):
            if count == 1 or letter != "C":
                some = f.Holds(left=amount, compare=">=", right=count)
                r("cond", f"{symbols} was spent to cast it", some, f"{symbols} was spent to cast {{this}}")
        many = f"at least <n:count> {word} mana was spent to cast it"
        several = f.Holds(left=amount, compare=">=", right=S.n)
        r("cond", many, several, many.replace(" it", " {this}"), guard=lambda e: e["n"] != 1)
    alike = tuple(f.Holds(left=n.ManaSpent(colors=color), compare=">=", right=S.n) for color in "WUBRG")
    of_one = "at least <n:count> mana of the same color was spent to cast it"
    r("cond", of_one, f.OneOf(conditions=alike), of_one.replace(" it", " {this}"), guard=lambda e: e["n"] != 1)
    for kind in ("Treasure", "Cave", "Desert"):
        made = f.Holds(left=n.ManaSpent(source=kind), compare=">=", right=1)
        r("cond", f"mana from a {kind} was spent to cast it", made, f"mana from a {kind} was spent to cast {{this}}")
    none = f.Holds(left=n.ManaSpent(), compare="=", right=0)
    r("cond", "no mana was spent to cast it", none, "no mana was spent to cast {this}")
    uncast = f.OneOf(conditions=(f.NotSo(condition=f.CastFrom()), none))
    r("cond", "it wasn't cast or no mana was spent to cast it", uncast)
    freely = f.Holds(left=n.ManaSpent(of=Noun("them")), compare="=", right=0)  # what was not cast was cast for none
    r("cond", "none of them were cast or no mana was spent to cast them", freely)
    r("cond", "you cast it", f.CastFrom(by=YOU))
    r("cond", "it was cast", f.CastFrom(), "{this} was cast")


def _denied(said: str) -> str:
    return said.replace("was ", "wasn't ") if said.startswith("was ") else f"hasn't {said}"
