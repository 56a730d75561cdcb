"""What players do and suffer, as predicates ("vp", with `who`): cards, life, turns, mana."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S, walk

YOU = Noun("you")
THAT_PLAYER = Noun("that player")
WHO = S.who


def install(g: Grammar) -> None:
    """Adds the rules."""
    _cards(g)
    _life(g)
    _turns(g)
    _mana(g)
    _colors_of_mana(g)
    _discarded(g)


def scaled(g: Grammar, category: str, template: str, shape: Any, field: str) -> None:
    """A rule for a number ("<n:number>" in the template), and the same "for each"."""
    g.rule(category, template.replace("@", "<n:number>"), shape(S.n))
    g.rule(category, template.replace("@", "1") + " for each <e:each>", shape(S.e), guard=lambda env: env["e"] != 1)
    g.rule(
        category,
        template.replace("@", "<n:number>") + " for each <e:each>",
        shape(n.Times(number=S.n, of=S.e)),
        guard=lambda env: isinstance(env["n"], int) and env["n"] > 1,
    )


def _extra_at(reader: Reader, place: int) -> Iterable[Reading]:
    """How many more: "one", "two"."""
    number = v.NUMBERS.get(reader.at(place))
    return [] if number is None else [Reading(place + 1, number, (reader.at(place),))]


def _cards(g: Grammar) -> None:
    """Drawing, discarding, milling (120, 701)."""
    r = g.rule
    for verb, make in (
        ("draw", lambda c: f.Draw(count=c, who=WHO)),
        ("discard", lambda c: f.Discard(count=c, who=WHO)),
        ("mill", lambda c: f.Mill(count=c, who=WHO)),
    ):
        more: tuple[str, ...] = ()
        if verb == "mill":
            more = tuple(f"put~ the top <count> cards of {w} library into {w} graveyard" for w in ("their", "your"))
            r(
                "vp",
                "mill~ a card",
                make(1),
                *(f"put~ the top card of {w} library into {w} graveyard" for w in ("their", "your")),
            )
        r("vp", f"{verb}~ <count> card|cards", make(S.count), *more)
        r(
            "vp",
            f"{verb}~ cards equal to <a:amount>",
            make(S.a),
            f"{verb}~ a number of cards equal to <a:amount>",
        )
        if verb == "mill":
            for whose in ("their", "your"):
                older = (
                    f"put~ a number of cards equal to <a:amount> from the top of {whose} library into {whose} graveyard"
                )
                g.wording("vp", older, make(S.a))
        r("vp", f"{verb}~ a card for each <e:each>", make(S.e))
        r(
            "vp",
            f"{verb}~ <m:count> cards for each <e:each>",
            make(n.Times(number=S.m, of=S.e)),
            guard=lambda e: isinstance(e["m"], int) and e["m"] > 1,
        )
    more_than_that = f.Draw(count=n.Plus(parts=(n.ThatMuch(), S.n)), who=WHO)
    g.wording("vp", "draw~ that many cards plus <n:extra>", more_than_that)
    g.terminal("extra", _extra_at, lambda p, v: None)
    g.wording("vp", "draw~ an additional card", f.Draw(who=WHO))
    g.wording("vp", "draw~ <count> additional cards", f.Draw(count=S.count, who=WHO))
    r("vp", "discard~ <count> card|cards at random", f.Discard(count=S.count, who=WHO, random=True))
    r(
        "vp",
        "discard~ their hand|hands",
        f.Discard(who=WHO, all=True),
        "discard~ your hand",
        "discard~ all the cards in their hand",
    )
    r("vp", "discard~ <k:discarded>", f.Discard(what=S.k, who=WHO))
    r("vp", "discard~ <k:allofhand>", f.Discard(what=S.k, who=WHO, all=True))
    # Of several players each would draw "that many" for itself.
    r("do", "discard any number of cards", f.Discard(count=-1, up_to=True))
    r("do", "discard up to <n:count> cards", f.Discard(count=S.n, up_to=True))
    r("do", "<w:other> discards any number of cards", f.Discard(count=-1, up_to=True, who=S.w))


def _life(g: Grammar) -> None:
    """Life, and what is sacrificed or lost for it (118)."""
    r = g.rule
    for verb, kind in (("gain", f.GainLife), ("lose", f.LoseLife)):
        scaled(g, "vp", f"{verb}~ @ life", lambda a, kind=kind: kind(amount=a, who=WHO), "amount")
        r("vp", f"{verb}~ life equal to <a:amount>", kind(amount=S.a, who=WHO))
        for times, word in ((2, "twice"), (3, "three times")):
            more = ("two times X life",) if times == 2 else ()
            shape = kind(amount=n.Times(number=times, of=n.X()), who=WHO)
            g.wording("vp", f"{verb}~ {word} X life", shape, *(f"{verb}~ {said}" for said in more))
    r(
        "vp",
        "lose~ half their life , rounded up",
        f.LoseLife(amount=n.Times(number=1, of=n.LifeOf(of=THAT_PLAYER), half="up"), who=WHO),
    )
    for way in ("up", "down"):
        mine = f.LoseLife(amount=n.Times(number=1, of=n.LifeOf(of=YOU), half=way))
        g.wording("do", f"you lose half your life , rounded {way}", mine)
    r("do", "your life total becomes <a:amount>", f.SetLife(amount=S.a, who=YOU))
    same = ("<p:other> 's life total becomes equal to <a:amount>",)
    r("do", "<p:other> 's life total becomes <a:amount>", f.SetLife(amount=S.a, who=S.p), *same)
    g.wording("do", "your life total becomes equal to <a:amount>", f.SetLife(amount=S.a, who=YOU))
    of_each = f.SetLife(amount=n.Count(of=Noun("creatures that player controls")), who=Noun("each player"))
    r("do", "each player 's life total becomes the number of creatures they control", of_each)
    everyone = f.SetLife(amount=S.a, who=Noun("each player"))
    r("do", "each player 's life total becomes <a:amount>", everyone, guard=_same_for_all)
    r("vp", "sacrifice~ <k:things>", f.Sacrifice(what=S.k, who=WHO), guard=lambda e: _sacrificed(e["k"]))
    r("vp", "lose~ the game", f.Lose(who=WHO))
    alike = (f.GainLife(amount=S.a), f.Draw(count=S.a))
    g.wording("do", "you gain life and draw cards equal to <a:amount>", alike)
    r("vp", "win~ the game", f.Win(who=WHO))
    r("vp", "shuffle~", f.Shuffle(who=WHO))
    r("vp", "scry~ <n:number>", f.Scry(count=S.n, who=WHO))
    for kind in ("poison", "experience"):
        marked = f.PutCounters(counter=kind, what=WHO, count=S.count)
        g.wording("vp", f"get~ <count> {kind} counter|counters", marked)
        r("vp", f"lose~ all {kind} counters", f.RemoveCounters(counter=kind, what=WHO, all=True))
    searched = f.PlayerRule(rule="can't search", who=WHO)
    r("vp", "can't search libraries this turn", f.RuleEffect(rule=searched, duration="end of turn"))


def _turns(g: Grammar) -> None:
    """Turns, steps, and what players may not do in them (500, 611)."""
    r = g.rule
    r("vp", "take~ an extra turn after this one", f.ExtraTurn(who=WHO))
    r("vp", "take~ <n:count> extra turns after this one", f.ExtraTurn(who=WHO, count=S.n))
    for step, text in (("untap", "untap step"), ("draw", "draw step"), ("combat", "combat phase"), ("turn", "turn")):
        r("vp", f"skip~ their|your next {text}", f.SkipNext(step=step, who=WHO), f"skip~ your next {text}")
    controls: tuple[tuple[str, f.Duration], ...] = (
        ("turn", "during their next turn"),
        ("combat phase", "during their next combat"),
    )
    for phase, lasts in controls:
        taken = f.RuleEffect(rule=f.PlayerRule(rule="controlled", who=S.p), duration=lasts)
        said = [
            f"{verb} <p:other> during {whose} next {phase}"
            for whose in ("that player 's", "their", "his or her")
            for verb in ("you control", "you gain control of")
        ]
        r("do", said[0], taken, *said[1:])
    r(
        "vp",
        "can't gain life <d:thisturn>",
        f.RuleEffect(rule=f.PlayerRule(rule="can't gain life", who=WHO), duration=S.d),
    )
    no_gain = f.PlayerRule(rule="can't gain life", who=WHO)
    r("vp", "can't gain life for the rest of the game", f.RuleEffect(rule=no_gain, duration="forever"))
    r("vp", "can't cast spells <d:thisturn>", f.RuleEffect(rule=f.PlayerRule(rule="can't cast", who=WHO), duration=S.d))
    r(
        "vp",
        "have~ no maximum hand size <d:rest>",
        f.RuleEffect(rule=f.PlayerRule(rule="no maximum hand size", who=WHO), duration=S.d),
    )
    r("rest", "this turn", "end of turn")
    r("rest", "for the rest of the game", "forever")
    r(
        "do",
        "you may play an additional land this turn",
        f.RuleEffect(rule=f.PlayerRule(rule="additional lands", number=1)),
    )
    r(
        "do",
        "you may play up to <n:count> additional lands this turn",
        f.RuleEffect(rule=f.PlayerRule(rule="additional lands", number=S.n)),
    )


def _mana(g: Grammar) -> None:
    """Mana that players add to their pools (106)."""
    r = g.rule
    r("vp", "add~ <mana:made>", f.AddMana(mana=S.mana, who=WHO))
    r(
        "vp",
        "add~ <n:count> <mana:made>",
        f.AddMana(mana=S.mana, count=S.n, who=WHO),
        guard=lambda e: isinstance(e["n"], int) and e["n"] > 1 and e["mana"].count("{") == 1,
    )
    for where in ("", " to your mana pool"):
        symbols = f"add~ {{X}}{where} , where X is <n:amount>"
        g.wording("vp", symbols, f.AddMana(mana="{C}", count=S.n, who=WHO))
    r("vp", "add~ X <mana:made>", f.AddMana(mana=S.mana, count=n.X(), who=WHO))
    r("vp", "add~ one mana of any color", f.AddMana(choice="any", who=WHO))
    r("vp", "add~ <n:count> mana of any one color", f.AddMana(choice="any", count=S.n, who=WHO))
    r(
        "vp",
        "add~ <n:count> mana in any combination of colors",
        f.AddMana(choice="any", count=S.n, different=True, who=WHO),
    )
    identity = "in your commander 's color identity"
    r("vp", f"add~ one mana of any color {identity}", f.AddMana(choice="commander", who=WHO))
    r(
        "do",
        "choose a color . add an amount of mana of that color equal to your devotion to that color",
        f.AddMana(choice="any", count=n.Devotion(colors="chosen")),
    )
    many = f.AddMana(choice="any", count=S.e)
    r("do", "choose a color . add one mana of that color for each <e:each>", many)
    r("vp", "add~ one mana of the chosen color", f.AddMana(choice="chosen", who=WHO))
    for letter in "WUBRG":
        r("vp", f"add~ {{{letter}}} or one mana of the chosen color", f.AddMana(choice=f"chosen{letter}", who=WHO))
    each = f.AddMana(mana=S.mana, count=S.e, who=WHO)
    r("vp", "add~ <mana:made> for each <e:each>", each, "add~ an additional <mana:made> for each <e:each>")
    r("vp", "add~ <c:choice>", f.AddMana(choice=S.c, who=WHO))


def _colors_of_mana(g: Grammar) -> None:
    """Mana of one of some colours, or of two in any combination."""
    r = g.rule
    letters = "WUBRGC"
    for a in letters:
        r("vp", f"add~ an amount of {{{a}}} equal to <n:amount>", f.AddMana(mana=f"{{{a}}}", count=S.n, who=WHO))
        for b in letters:
            if a != b:
                r("choice", f"{{{a}}} or {{{b}}}", a + b)
                both = f.AddMana(choice=a + b, count=2, different=True, who=WHO)
                if letters.index(a) < letters.index(b):
                    pairs = [f"{{{x}}}{{{x}}} , {{{x}}}{{{y}}} , or {{{y}}}{{{y}}}" for x, y in ((a, b), (b, a))]
                    mixed = [f"{{{x}}}{{{x}}} , {{{y}}}{{{x}}} , or {{{y}}}{{{y}}}" for x, y in ((a, b), (b, a))]
                    r("vp", f"add~ {pairs[0]}", both, *(f"add~ {said}" for said in (pairs[1], *mixed)))
                    mixture = f.AddMana(choice=a + b, count=S.n, different=True, who=WHO)
                    said = f"add~ <n:count> mana in any combination of {{{a}}} and/or {{{b}}}"
                    back = f"add~ <n:count> mana in any combination of {{{b}}} and/or {{{a}}}"
                    r("vp", said, mixture, back, guard=lambda e: e["n"] != 2)
            for c in letters:
                if len({a, b, c}) == 3:
                    r("choice", f"{{{a}}} , {{{b}}} , or {{{c}}}", a + b + c)


def _discarded(g: Grammar) -> None:
    """A card of a kind that is discarded by choice, or all of them."""
    g.terminal("allofhand", _all_of_hand_at, lambda p, v: p.write("noun", v))
    g.terminal(
        "discarded",
        lambda reader, place: [
            one
            for one in reader.read("noun", place)
            if isinstance(one.value.reading, n.Choose)
            and one.value.reading.count == 1
            and "card" in one.words
            and len(one.words) > 2
            and one.value.reading.of.anywhere
        ],
        lambda p, v: p.write("noun", v),
    )


def _all_of_hand_at(reader: Reader, place: int) -> Iterable[Reading]:
    """All cards of a kind ("all cards with that name"), which are those of the hand."""
    for one in reader.read("noun", place) if reader.at(place) == "all" else ():
        alike = any(isinstance(part, n.Other | n.SharesName) for part in walk(one.value.reading))
        if (
            isinstance(one.value.reading, n.Each)
            and one.value.reading.of.anywhere
            and "cards" in one.words
            and not alike
        ):
            yield one


def _sacrificed(noun: Noun) -> bool:
    return not isinstance(noun.reading, n.Target)


def _same_for_all(e: dict[str, Any]) -> bool:
    """Whether the amount names nobody, of whom it could be another for each player."""
    return not any(isinstance(part, Noun) for part in walk(e["a"]))
