"""Rules for static abilities: one sentence (or a fixed pair of sentences) of a permanent's text is a tuple of abilities.

Category `static` is one of them, without the full stop; `statics` is a line of them, each with its full stop.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.abilities.triggers import filled_it
from server.oracle.engine import ENTERS, Grammar, Printer, Reader, Reading, S, Words, walk
from server.oracle.instructions import reprinted
from server.oracle.nouns import noun, speaks_of_it
from server.oracle.values import STATUS_CONDITIONS, in_status

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
EACH = Noun("each player")
OPPONENTS = Noun("your opponents")
WHAT = S.what
_TO_THEM = (
    "",
    " to that permanent or player",
    " to that player or permanent",
    " to that player",
    " to that creature or player",
)
"""How texts name again whom the damage would have been dealt to."""


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal(
        "notmay",
        lambda r, place: [one for one in r.read("chain", place) if not isinstance(one.value[0], f.May)],
        lambda p, v: p.write("chain", v),
    )
    g.terminal("scond", _conditions_at, lambda p, v: p.write("cond", v))
    g.terminal("aftermaths", _aftermaths_at, lambda p, v: p.write("program", v))
    g.terminal("selfaftermaths", _self_aftermaths_at, lambda p, v: p.write("program", v))
    g.terminal("attached", _attached_at, lambda p, v: p.write("noun", v))
    g.terminal("statics", _line_at, _line_words)
    _continuous(g)
    _entering(g)
    _damage(g)
    _others(g)
    _players(g)
    _costs(g)


# --- lines ------------------------------------------------------------------------------------------------------------------


def _line_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Static abilities to the end of the line."""
    for one in reader.read("static", place):
        end = one.end
        if reader.at(end) == ".":
            end += 1
        if end == len(reader.words) or reader.at(end) == "\n":
            yield Reading(end, one.value, (*one.words, "."))
        elif reader.at(end - 1) == ".":
            for rest in reader.read("statics", end):
                yield Reading(rest.end, (*one.value, *rest.value), (*one.words, ".", *rest.words))


def _line_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value:
        return None
    for size in range(min(3, len(value)), 0, -1):
        first = printer.write("static", value[:size])
        if first is None:
            continue
        if size == len(value):
            return (*first, ".")
        rest = _line_words(printer, value[size:])
        if rest is not None:
            return (*first, ".", *rest)
    return None


def _aftermaths_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Instructions to the end of the line, for what is done about prevented damage."""
    for one in reader.read("program", place):
        if one.end + (reader.at(one.end) == ".") == len(reader.words):
            yield one


def _self_aftermaths_at(reader: Reader, place: int) -> Iterable[Reading]:
    """The same where "it" is {this}, to which the damage would have been dealt."""
    for one in _aftermaths_at(reader, place):
        if speaks_of_it(one.value):
            yield Reading(one.end, filled_it(one.value), one.words)


def _conditions_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Conditions that speak of nothing said before: a static ability has no "it"."""
    return [one for one in reader.read("cond", place) if not speaks_of_it(one.value)]


def _attached_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("group", place) if isinstance(one.value.reading, n.Attached)]


# --- continuous effects -------------------------------------------------------------------------------------------------------


def _continuous(g: Grammar) -> None:
    r = g.rule
    r(
        "static",
        "as long as <c:scond> , <what:group> <m:smods>",
        (f.Continuous(what=WHAT, mods=S.m, condition=S.c),),
        "<what:group> <m:smods> as long as <c:scond>",
        "if <c:scond> , <what:group> <m:smods>",
    )
    yours = f.During(whose=YOU)
    for said, when in (("during your turn", yours), ("during turns other than yours", f.NotSo(condition=yours))):
        limited = (f.Continuous(what=WHAT, mods=S.m, condition=when),)
        g.wording("static", f"{said} , <what:group> <m:smods>", limited)
    r("static", "<what:group> <m:smods>", (f.Continuous(what=WHAT, mods=S.m),))
    # "It" is what the condition speaks of.
    for word in STATUS_CONDITIONS:
        held = f.Is(what=WHAT, of=in_status(word))
        it = f.Continuous(what=WHAT, mods=S.m, condition=held)
        r("static", f"as long as <what:group> is {word} , it <m:smods>", (it,))
    about = f.Continuous(what=WHAT, mods=S.m, condition=f.Is(what=WHAT, of=S.k))
    g.wording("static", "as long as <what:group> is <k:kindof> , it <m:smods>", (about,))
    pair = f.Continuous(
        what=Noun("{this} and the creature it's paired with"),
        mods=S.m,
        condition=f.Exists(of=Noun("the creature it's paired with")),
    )
    base = "as long as {this} is paired with another creature ,"
    r("static", f"{base} each of those creatures <m:smods>", (pair,), f"{base} both creatures <m:smods>")
    g.terminal("itcond", _it_at, lambda p, v: p.write("cond", v))
    g.wording(
        "static",
        "as long as <c:itcond> , {this} <m:smods>",
        (f.Continuous(what=THIS, mods=S.m, condition=S.c),),
        "{this} <m:smods> as long as <c:itcond>",
    )
    r("static", "you control <what:attached>", (f.Continuous(what=WHAT, mods=(f.GainControl(),)),))
    r(
        "static",
        "you may choose not to untap {this} during your untap step",
        (f.Continuous(what=THIS, mods=(f.Flag(rule="may not untap"),)),),
    )
    r(
        "static",
        "all creatures able to block <what:group> do so",
        (f.Continuous(what=WHAT, mods=(f.Flag(rule="must be blocked by all"),)),),
    )
    r(
        "static",
        "you may have {this} assign its combat damage as though it weren't blocked",
        (f.Continuous(what=THIS, mods=(f.Flag(rule="assigns as though unblocked"),)),),
    )
    g.wording(
        "static",
        "creatures with power less than {this} 's power can't block it",
        (
            f.Continuous(
                what=THIS,
                mods=(f.Flag(rule="can't be blocked by", param=Noun("creatures with power less than {this}'s power")),),
            ),
        ),
    ) if (noun("creatures with power less than {this}'s power")) else None
    define: tuple[tuple[str, Any], ...] = (
        ("{this} 's power and toughness are each equal to <a:amount>", f.DefinePT(power=S.a, toughness=S.a)),
        ("{this} 's power is equal to <a:amount>", f.DefinePT(power=S.a)),
        ("{this} 's toughness is equal to <a:amount>", f.DefinePT(toughness=S.a)),
        (
            "{this} 's power is equal to <a:amount> and its toughness is equal to that number plus 1",
            f.DefinePT(power=S.a, toughness=n.Plus(parts=(S.a, 1))),
        ),
    )
    for template, shape in define:
        r("static", template, (f.Continuous(what=THIS, mods=(shape,)),), guard=_computed)


def _it_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Conditions in which "it" is {this}: "as long as it's attacking", "as long as it has a +1/+1 counter on it"."""
    found: list[Reading] = []
    for one in reader.read("cond", place):
        if isinstance(one.value, f.Is) and one.value.what == IT:
            found += reprinted(reader, "cond", one.end, f.Is(what=THIS, of=one.value.of))
    if reader.at(place) == "it":
        inner = Reader(reader.grammar, ("{this}", *reader.words[place + 1 :]))
        found += [Reading(one.end + place, one.value, one.words) for one in inner.read("cond", 0)]
    return found


def _computed(e: dict[str, Any]) -> bool:
    return not isinstance(e["a"], int | n.X | n.ThatMuch) and not speaks_of_it(e["a"])


# --- entering -----------------------------------------------------------------------------------------------------------------


def _entering(g: Grammar) -> None:
    r = g.rule

    def enters(template: str, condition: Any = None, *more: str, guard: Any = None, **fields: Any) -> None:
        """An ability about how {this} enters, in a template or several."""
        shape = (f.Replacement(event=ENTERS, rewrite=(f.EnterWith(**fields),), condition=condition),)
        r("static", template, shape, *more, guard=guard)

    counters: tuple[tuple[str, Any], ...] = (
        ("with <n:count> <k:counter> counter|counters on it|{this}", S.n),
        ("with a|an <k:counter> counter on it|{this} for each <e:each>", S.e),
        ("with a number of <k:counter> counters on it|{this} equal to <a:amount>", S.a),
    )
    where = "with X <k:counter> counters on it|{this} , where X is <a:amount>"
    enters("{this} enters tapped", tapped=True)
    under = f.Replacement(event=ENTERS, rewrite=(f.EnterUnder(control=n.Noun("an opponent")),))
    r("static", "{this} enters under the control of an opponent", (under,))
    for text, count in counters:
        for tapped in (False, True):
            said = " tapped" if tapped else ""
            kind = {"counter": S.k, "count": count, "tapped": tapped}
            guard = counted if count in (S.e, S.a) else None
            more = (f"{{this}} enters{said} {where}",) if count == S.a else ()
            enters(f"{{this}} enters{said} {text}", None, *more, guard=guard, **kind)
            enters(
                f"if <c:scond> , {{this}} enters{said} {text}",
                S.c,
                f"{{this}} enters{said} {text} if <c:scond>",
                f"if <c:scond> , it enters{said} {text}",
                guard=guard,
                **kind,
            )
    enters(
        "{this} enters tapped unless <c:scond>",
        f.NotSo(condition=S.c),
        tapped=True,
        guard=lambda e: not isinstance(e["c"], f.NotSo),
    )
    enters(
        "{this} enters tapped if <c:scond>",
        S.c,
        "if <c:scond> , {this} enters tapped",
        tapped=True,
        guard=lambda e: not isinstance(e["c"], f.NotSo),
    )
    for what, text in (
        ("color", "a color"),
        ("creature type", "a creature type"),
        ("opponent", "an opponent"),
        ("player", "a player"),
        ("name", "a card name"),
        ("type", "a card type"),
        ("land type", "a land type"),
        ("basic land type", "a basic land type"),
    ):
        more = ("as {this} enters , name a card",) if what == "name" else ()
        enters(f"as {{this}} enters , choose {text}", None, *more, choose=what)
    begins = "if {this} is in your opening hand , you may begin the game with it on the battlefield"
    r("static", begins, (f.OpeningHand(),), begins.replace("with it", "with {this}"))
    tapped = ("{this} enters tapped", "it enters tapped", "put it onto the battlefield tapped")
    for price, shape in (
        ("pay <n:number> life", f.LifeCost(amount=S.n)),
        ("reveal <w:fromhand>", f.RevealCost(what=S.w)),
        ("discard <w:fromhand>", f.DiscardCost(what=S.w)),
    ):
        base = f"as {{this}} enters , you may {price} . if you don't ,"
        enters(f"{base} {tapped[0]}", None, *(f"{base} {t}" for t in tapped[1:2]), tapped=True, unless=(shape,))
    # Other permanents.
    r(
        "static",
        "<q:plurals> enter tapped",
        (
            f.Replacement(
                event=f.Pattern(event="zone change", subject=S.q, to="battlefield"), rewrite=(f.EnterWith(tapped=True),)
            ),
        ),
    )
    r(
        "static",
        "<q:plurals> enter with an additional <k:counter> counter on them",
        (
            f.Replacement(
                event=f.Pattern(event="zone change", subject=S.q, to="battlefield"), rewrite=(f.EnterWith(counter=S.k),)
            ),
        ),
    )


def counted(e: dict[str, Any]) -> bool:
    """Whether an amount is computed, and not of what was said before."""
    value = e.get("e", e.get("a"))
    return not isinstance(value, int | n.X) and not speaks_of_it(value)


# --- damage -------------------------------------------------------------------------------------------------------------------


def _damage(g: Grammar) -> None:
    r = g.rule

    def prevented(**fields: Any) -> f.Replacement:
        return f.Replacement(event=f.Pattern(event="damage", **fields), rewrite=(f.Prevent(),))

    g.terminal("receiver", _receivers_at, lambda p, v: p.write("noun", v))
    for word, combat in (("", None), ("combat ", True), ("noncombat ", False)):
        head = f"prevent all {word}damage that would be dealt"
        r("static", f"{head} to <to:receiver>", (prevented(object=S.to, combat=combat),))
        r("static", f"{head} by <by:receiver>", (prevented(subject=S.by, combat=combat),))
        r("static", f"{head} to <to:receiver> by <by:receiver>", (prevented(object=S.to, subject=S.by, combat=combat),))
        r(
            "static",
            f"{head} to and dealt by <to:receiver>",
            (prevented(object=S.to, combat=combat), prevented(subject=S.to, combat=combat)),
        )
        one = f"if <by:receiver> would deal {word}damage to <to:receiver> ,"
        event = f.Pattern(event="damage", subject=S.by, object=S.to, combat=combat)
        r(
            "static",
            f"{one} prevent <n:number> of that damage",
            (f.Replacement(event=event, rewrite=(f.Prevent(amount=S.n),)),),
        )
        g.wording("static", f"{one} prevent that damage", (f.Replacement(event=event, rewrite=(f.Prevent(),)),))
        for to in ("to <to:receiver>", "to a permanent or player"):
            one = f"if <by:receiver> would deal {word}damage {to} ,"
            about = f.Pattern(event="damage", subject=S.by, object=S.to if "<" in to else None, combat=combat)
            for said, scale in (
                ("triple that damage", f.Scale(times=3)),
                ("that much damage plus <n:number>", f.Scale(plus=S.n)),
            ):
                more = [f"{one} it deals {said}{its} instead" for its in (*_TO_THEM, " to that creature")]
                guard = lambda e: getattr(e.get("to"), "text", "") != "a permanent or player"  # noqa: E731
                r("static", more[0], (f.Replacement(event=about, rewrite=(scale,)),), *more[1:], guard=guard)
            doubled = [
                f"{one} {it} double that damage{its} instead"
                for it in ("it deals", "that source deals")
                for its in _TO_THEM
            ]
            r(
                "static",
                doubled[0],
                (f.Replacement(event=about, rewrite=(f.Scale(times=2),)),),
                *dict.fromkeys(doubled[1:]),
                guard=lambda e: getattr(e.get("to"), "text", "") != "a permanent or player",
            )
        _prevented_with(g, word, combat)


def _prevented_with(g: Grammar, word: str, combat: bool | None) -> None:
    """ "If damage would be dealt to X, prevent that damage" and what is done about it (615.5), perhaps only "while" something."""
    for whom, shape in (
        ("would be dealt to <to:receiver>", f.Pattern(event="damage", object=S.to, combat=combat)),
        (
            "would be dealt to <to:receiver> by <by:receiver>",
            f.Pattern(event="damage", object=S.to, subject=S.by, combat=combat),
        ),
    ):
        for held, condition in (("", None), (" while <c:scond>", S.c), (" while <c:itcond>", S.c)):
            made = f.Replacement(event=shape, rewrite=(f.Prevent(),), condition=condition)
            said = f"if {word}damage {whom}{held} , prevent that damage"
            (g.wording if condition is None else g.rule)("static", said, (made,))
            then = replace(made, rewrite=(f.Prevent(then=S.then),))
            for category, guard in (("aftermaths", _no_it), ("selfaftermaths", _about_this)):
                g.rule("static", f"{said} . <then:{category}>", (then,), f"{said} and <then:{category}>", guard=guard)


def _no_it(e: dict[str, Any]) -> bool:
    return not speaks_of_it(e["then"])


def _about_this(e: dict[str, Any]) -> bool:
    return bool(e["to"] == THIS and any(part == THIS for part in walk(e["then"])))


def _receivers_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What deals or is dealt damage in a static ability: kinds, what it is attached to, {this}, you."""
    found: list[Reading] = []
    for one in reader.read("noun", place):
        reading = one.value.reading
        if (
            isinstance(reading, n.You | n.This | n.Attached)
            or isinstance(reading, n.Each)
            and one.words[0] not in ("all", "each")
            or isinstance(reading, n.Choose)
            and one.words[0] in ("a", "an", "another")
        ):
            found.append(one)
    return found


# --- other replacements ---------------------------------------------------------------------------------------------------------


def _others(g: Grammar) -> None:
    r = g.rule

    def instead(template: str, event: f.Pattern, rewrite: f.AnyRewrite, *more: str, **fields: Any) -> None:
        r("static", template, (f.Replacement(event=event, rewrite=(rewrite,), **fields),), *more)

    dies = f.Pattern(event="zone change", subject=S.what, from_="battlefield", to="graveyard")
    for where, to in (
        ("exile it", f.ToZone(to="exile")),
        ("return it to its owner 's hand", f.ToZone(to="hand")),
        ("put it on top of its owner 's library", f.ToZone(to="library")),
    ):
        instead(f"if <what:receiver> would die , {where} instead", dies, to)
    gone = f.Pattern(event="zone change", subject=THIS, to="graveyard")
    library = f.ToZone(to="library", shuffle=True, reveal=True)
    head = "if {this} would be put into a graveyard from anywhere ,"
    instead(
        f"{head} reveal {{this}} and shuffle it into its owner 's library instead",
        gone,
        library,
        f"{head} reveal it and shuffle it into its owner 's library instead",
    )
    instead(f"{head} exile it instead", gone, f.ToZone(to="exile"))
    token = Noun("a card or token")
    instead(
        "if a card or token would be put into a graveyard from anywhere , exile it instead",
        f.Pattern(event="zone change", subject=token, to="graveyard"),
        f.ToZone(to="exile"),
    )
    for who, text in (("a", "a graveyard"), ("an opponent's", "an opponent 's graveyard")):
        card = noun("a card") if who == "a" else noun("a card an opponent owns")
        if card is not None:
            instead(
                f"if a card would be put into {text} from anywhere , exile it instead",
                f.Pattern(event="zone change", subject=card, to="graveyard"),
                f.ToZone(to="exile"),
            )
    instead("if {this} would be destroyed , regenerate it", f.Pattern(event="destroy", subject=THIS), f.Regenerates())
    gain = f.Pattern(event="life gain", subject=YOU)
    instead("if you would gain life , you gain twice that much life instead", gain, f.Scale(times=2))
    instead("if you would gain life , you gain that much life plus <n:number> instead", gain, f.Scale(plus=S.n))
    draw = f.Pattern(event="draw", subject=YOU)
    instead(
        "if you would draw a card , <do:notmay> instead",
        draw,
        f.Instead(do=S.do),
        "if you would draw a card , instead <do:notmay>",
    )
    instead(
        "if you would draw a card , you may <do:chain> instead",
        draw,
        f.Instead(do=S.do),
        "if you would draw a card , you may instead <do:chain>",
        optional=True,
    )


# --- players --------------------------------------------------------------------------------------------------------------------


def _players(g: Grammar) -> None:
    r = g.rule

    def rule(template: str, name: str, *more: str, guard: Any = None, **fields: Any) -> None:
        made = f.PlayerRule(rule=name, **fields)  # type: ignore[arg-type]
        r("static", template, (made,), *more, guard=guard)

    rule("you have no maximum hand size", "no maximum hand size")
    rule("players have no maximum hand size", "no maximum hand size", "each player has no maximum hand size", who=EACH)
    rule("you may play an additional land on each of your turns", "additional lands", number=1)
    rule(
        "you may play <m:count> additional lands on each of your turns",
        "additional lands",
        number=S.m,
        guard=lambda e: isinstance(e["m"], int) and e["m"] > 1,
    )
    for step, text in (("draw", "draw"), ("untap", "untap"), ("upkeep", "upkeep")):
        rule(f"skip your {text} step", "skip step", step=step)
        rule(
            f"players skip their {text} steps", "skip step", f"each player skips their {text} step", step=step, who=EACH
        )
    rule("you have protection from everything", "protection", what=Noun("everything"))
    rule("you have protection from the chosen card name", "protection", what=Noun("source with the chosen name"))
    rule("you have protection from <q:bare>", "protection", "you have protection from <q:plurals>", what=S.q)
    rule("you have hexproof", "can't be the target", number=1)
    rule("you have shroud", "can't be the target")
    for text, who in (("players", EACH), ("your opponents", OPPONENTS), ("you", YOU)):
        rule(f"{text} can't gain life", "can't gain life", who=who)
        rule(f"{text} can't cast <q:spells>", "can't cast", who=who, what=S.q)
        yours = f"{text} can't cast <q:spells> during your turn"
        early = f"during your turn , {text} can't cast <q:spells>"
        rule(yours, "can't cast", early, who=who, what=S.q, condition=f.During(whose=YOU))
        rule(f"{text} can't lose the game", "can't lose the game", who=who)
        rule(f"{text} can't win the game", "can't win the game", who=who)
        rule(f"{text} can't play lands", "can't play lands", who=who)
        rule(f"{text} may cast <q:spells> as though they had flash", "cast as though flash", who=who, what=S.q)
    r(
        "static",
        "you can't lose the game and your opponents can't win the game",
        (f.PlayerRule(rule="can't lose the game"), f.PlayerRule(rule="can't win the game", who=OPPONENTS)),
    )
    rule(
        "creatures can't attack you unless their controller pays <c:mana> for each creature they control that's attacking you",
        "attack tax",
        "creatures can't attack you unless their controller pays <c:mana> for each creature attacking you",
        cost=(f.ManaCost(mana=S.c),),
    )
    whole = "creatures can't attack you or planeswalkers you control unless their controller pays <c:mana> for each"
    each = [
        f"{head} {tail}"
        for head in (whole, whole.replace("planeswalkers you", "a planeswalker you"))
        for tail in ("of those creatures", "creature they control that's attacking you or a planeswalker you control")
    ]
    rule(each[0], "attack tax", each[1], cost=(f.ManaCost(mana=S.c),), what=Noun("planeswalker"))
    for count, text in ((1, "one creature"), (2, "two creatures")):
        rule(
            f"no more than {text} can attack you each combat",
            "attackers at most",
            f"no more than {text} can attack you each turn",
            number=count,
        )
        rule(
            f"no more than {text} can attack each combat",
            "attackers at most",
            f"no more than {text} can attack each turn",
            number=count,
            who=EACH,
        )
        rule(
            f"no more than {text} can block each combat",
            "blockers at most",
            f"no more than {text} can block each turn",
            number=count,
            who=EACH,
        )
    firm = f.Continuous(what=S.q, mods=(f.Flag(rule="can't be countered"),))
    r("static", "<q:spells> can't be countered", (firm,), "<q:spells> can't be countered by spells or abilities")
    g.terminal("spells", _spells_at, lambda p, v: p.write("noun", v))


def _your_spell_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creature spell you cast"."""
    return [one for one in reader.read("bare", place) if one.words[-3:] == ("spell", "you", "cast")]


def _spells_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Spells by kind ("creature spells", "white spells you cast")."""
    return [
        one
        for one in reader.read("noun", place)
        if isinstance(one.value.reading, n.Things | n.Each)
        and ("spells" in one.words)
        and one.words[0] not in ("each", "all")
        and "spell" not in one.words
    ]


# --- costs ------------------------------------------------------------------------------------------------------------------------


def _costs(g: Grammar) -> None:
    r = g.rule
    g.terminal("delta", _delta_at, _delta_words)
    none_yet = f.Holds(left=n.Happened(what="cast", of=WHAT), compare="=", right=0)
    first = f.CostChange(what=WHAT, generic=S.d, condition=none_yet)
    r("static", "the first <what:yourspell> each turn costs <d:delta> to cast", (first,))
    g.terminal("yourspell", _your_spell_at, lambda p, v: p.write("bare", v) if v.text.endswith(" you cast") else None)
    for template, shape in (
        ("<what:spells> cost <d:delta> to cast", f.CostChange(what=WHAT, generic=S.d)),
        ("{this} costs <d:delta> to cast", f.CostChange(what=THIS, generic=S.d)),
    ):
        r("static", template, (shape,))
    r("static", "<what:spells> cost <m:coloured> more to cast", (f.CostChange(what=WHAT, mana=S.m),))
    g.terminal("coloured", _coloured_at, lambda p, v: (v,) if isinstance(v, str) and v else None)
    ours = f.CostChange(what=THIS, generic=S.d, condition=f.During(whose=YOU))
    r("static", "{this} costs <d:delta> to cast during your turn", (ours,))
    conditional = f.CostChange(what=THIS, generic=S.d, condition=S.c)
    r(
        "static",
        "{this} costs <d:delta> to cast if <c:scond>",
        (conditional,),
        "if <c:scond> , {this} costs <d:delta> to cast",
        "{this} costs <d:delta> to cast as long as <c:scond>",
        guard=lambda e: not isinstance(e["d"], n.Times),
    )
    # Additional and alternative costs (601.2b).
    r("static", "as an additional cost to cast {this} , <c:cost>", (f.CastingCost(name="additional", cost=S.c),))
    r(
        "static",
        "if <w:scond> , you may cast {this} without paying its mana cost",
        (f.CastingCost(name="free", cost=(), kind="alternative", condition=S.w),),
    )
    for timing, text in (
        ("combat", "cast {this} only during combat"),
        ("before blockers", "cast {this} only during combat before blockers are declared"),
        ("after blockers", "cast {this} only during combat after blockers are declared"),
        ("your turn", "cast {this} only during your turn"),
        ("opponent's turn", "cast {this} only during an opponent 's turn"),
    ):
        r("static", text, (f.CastingRule(timing=timing),))  # type: ignore[arg-type]
    attacked = f.Exists(of=Noun("creatures attacking you"))
    declared = f.During(step="declare_attackers")
    threatened = f.CastingRule(condition=f.AllOf(conditions=(declared, attacked)))
    said = "cast {this} only during the declare attackers step"
    r("static", f"{said} and only if you've been attacked this step", (threatened,))
    r("static", said, (f.CastingRule(condition=declared),))
    r(
        "static",
        "cast {this} only during the declare blockers step",
        (f.CastingRule(condition=f.During(step="declare_blockers")),),
    )
    r("static", "cast {this} only if <c:scond>", (f.CastingRule(condition=S.c),))
    for whose, they in (("your", YOU), ("an opponent 's", OPPONENTS)):
        for step in ("upkeep", "draw step", "end step"):
            when = f.During(step={"upkeep": "upkeep", "draw step": "draw", "end step": "end_turn"}[step], whose=they)
            r("static", f"cast {{this}} only during {whose} {step}", (f.CastingRule(condition=when),))


def _delta_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "{2} less", "{1} more", "{1} less to cast for each ..." without the "to cast": generic mana, negative if less."""
    word = reader.at(place)
    if not (word.startswith("{") and word[1:-1].isdecimal()) or reader.at(place + 1) not in ("less", "more"):
        return
    number = int(word[1:-1]) * (-1 if reader.at(place + 1) == "less" else 1)
    yield Reading(place + 2, number, (word, reader.at(place + 1)))


def _delta_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, bool) or not isinstance(value, int) or value == 0:
        return None
    return ("{" + str(abs(value)) + "}", "less" if value < 0 else "more")


def _coloured_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("mana", place) if not one.value[1:-1].isdecimal() and "X" not in one.value]
