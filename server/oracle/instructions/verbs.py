"""Rules for instructions. "vp" are predicates of players (with `who`), "op" of objects (with `what`), "do" whole
instructions. What governs a whole sentence is in `governing`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S
from server.oracle.nouns import is_one, is_plural

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
THAT_PLAYER = Noun("that player")
WHO = S.who
WHAT = S.what


def speaks_of_it(value: Any) -> bool:
    """Whether an amount speaks of "it"."""
    if isinstance(value, Noun):
        return value.text.split()[0] in ("it", "its")
    if isinstance(value, tuple):
        return any(speaks_of_it(part) for part in value)
    fields = getattr(value, "__struct_fields__", ())
    return any(speaks_of_it(getattr(value, field)) for field in fields)


def install(g: Grammar) -> None:
    """Adds the rules."""
    _players(g)
    _damage(g)
    _zones(g)
    _objects(g)
    _library(g)
    _counters(g)


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


# --- players ----------------------------------------------------------------------------------------------------------------


def _players(g: Grammar) -> None:
    r = g.rule
    own = lambda e: not isinstance(e.get("n"), n.ThatMuch) or True  # noqa: E731
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
        r("vp", f"{verb}~ a card for each <e:each>", make(S.e))
        r(
            "vp",
            f"{verb}~ <m:count> cards for each <e:each>",
            make(n.Times(number=S.m, of=S.e)),
            guard=lambda e: isinstance(e["m"], int) and e["m"] > 1,
        )
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
    # Of several players each would draw "that many" for itself.
    r("do", "discard any number of cards", f.Discard(count=-1, up_to=True))
    r("do", "discard up to <n:count> cards", f.Discard(count=S.n, up_to=True))
    r("do", "<w:other> discards any number of cards", f.Discard(count=-1, up_to=True, who=S.w))
    for verb, kind in (("gain", f.GainLife), ("lose", f.LoseLife)):
        scaled(g, "vp", f"{verb}~ @ life", lambda a, kind=kind: kind(amount=a, who=WHO), "amount")
        r("vp", f"{verb}~ life equal to <a:amount>", kind(amount=S.a, who=WHO))
    r(
        "vp",
        "lose~ half their life , rounded up",
        f.LoseLife(amount=n.Times(number=1, of=n.LifeOf(of=THAT_PLAYER), half="up"), who=WHO),
    )
    r("do", "your life total becomes <a:amount>", f.SetLife(amount=S.a, who=YOU))
    r("do", "<p:other> 's life total becomes <a:amount>", f.SetLife(amount=S.a, who=S.p))
    r("vp", "sacrifice~ <k:things>", f.Sacrifice(what=S.k, who=WHO), guard=lambda e: _sacrificed(e["k"]))
    r("vp", "lose~ the game", f.Lose(who=WHO))
    r("vp", "win~ the game", f.Win(who=WHO))
    r("vp", "shuffle~", f.Shuffle(who=WHO))
    r("vp", "scry~ <n:number>", f.Scry(count=S.n, who=WHO))
    g.wording("vp", "get~ <count> poison counter|counters", f.PutCounters(counter="poison", what=WHO, count=S.count))
    r("vp", "take~ an extra turn after this one", f.ExtraTurn(who=WHO))
    r("vp", "take~ <n:count> extra turns after this one", f.ExtraTurn(who=WHO, count=S.n))
    for step, text in (("untap", "untap step"), ("draw", "draw step"), ("combat", "combat phase"), ("turn", "turn")):
        r("vp", f"skip~ their|your next {text}", f.SkipNext(step=step, who=WHO), f"skip~ your next {text}")
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
    r("vp", "add~ <mana:made>", f.AddMana(mana=S.mana, who=WHO))
    r(
        "vp",
        "add~ <n:count> <mana:made>",
        f.AddMana(mana=S.mana, count=S.n, who=WHO),
        guard=lambda e: isinstance(e["n"], int) and e["n"] > 1 and e["mana"].count("{") == 1,
    )
    r("vp", "add~ X <mana:made>", f.AddMana(mana=S.mana, count=n.X(), who=WHO))
    r("vp", "add~ one mana of any color", f.AddMana(choice="any", who=WHO))
    r("vp", "add~ <n:count> mana of any one color", f.AddMana(choice="any", count=S.n, who=WHO))
    r(
        "vp",
        "add~ <n:count> mana in any combination of colors",
        f.AddMana(choice="any", count=S.n, different=True, who=WHO),
    )
    r("vp", "add~ one mana of the chosen color", f.AddMana(choice="chosen", who=WHO))
    each = f.AddMana(mana=S.mana, count=S.e, who=WHO)
    r("vp", "add~ <mana:made> for each <e:each>", each, "add~ an additional <mana:made> for each <e:each>")
    r("vp", "add~ <c:choice>", f.AddMana(choice=S.c, who=WHO))
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
    _ = own
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


def _sacrificed(noun: Noun) -> bool:
    return not isinstance(noun.reading, n.Target)


# --- damage -----------------------------------------------------------------------------------------------------------------


def _source_said(e: dict[str, Any]) -> bool:
    return not speaks_of_it(e["a"])


def _damage(g: Grammar) -> None:
    r = g.rule
    r("op", "deal~ <n:number> damage to <to:mixed>", f.Damage(amount=S.n, to=S.to, source=WHAT))
    r(
        "op",
        "deal~ damage equal to <a:amount> to <to:mixed>",
        f.Damage(amount=S.a, to=S.to, source=WHAT),
        "deal~ damage to <to:mixed> equal to <a:amount>",
        guard=_source_said,
    )
    r(
        "do",
        "{this} deal~ damage equal to its <stat> to <to:mixed>",
        f.Damage(amount=n.StatOf(stat=S.stat, of=THIS), to=S.to, source=THIS),
        "{this} deal~ damage to <to:mixed> equal to its <stat>",
    )
    r(
        "do",
        "{this} deal~ damage equal to the number of <k:counter> counters on it to <to:mixed>",
        f.Damage(amount=n.CountersOn(counter=S.k, of=THIS), to=S.to, source=THIS),
    )
    r(
        "do",
        "it deal~ damage equal to its <stat> to <to:mixed>",
        f.Damage(amount=n.StatOf(stat=S.stat, of=IT), to=S.to, source=IT),
        "it deal~ damage to <to:mixed> equal to its <stat>",
    )
    r(
        "do",
        "<w:one> deal~ damage equal to its <stat> to <to:mixed>",
        (
            f.Bind(as_name="dealer", what=S.w),
            f.Damage(amount=n.StatOf(stat=S.stat, of=Noun("$dealer")), to=S.to, source=Noun("$dealer")),
        ),
        "<w:one> deal~ damage to <to:mixed> equal to its <stat>",
        guard=lambda e: isinstance(e["w"].reading, n.Target),
    )
    g.terminal(
        "thatone",
        lambda reader, place: [
            o
            for o in reader.read("one", place)
            if isinstance(o.value.reading, n.It) and o.value.text.startswith("that ")
        ],
        lambda p, v: p.write("one", v) if isinstance(v.reading, n.It) and v.text.startswith("that ") else None,
    )
    r(
        "do",
        "<w:thatone> deal~ damage equal to its <stat> to <to:mixed>",
        f.Damage(amount=n.StatOf(stat=S.stat, of=S.w), to=S.to, source=S.w),
        "<w:thatone> deal~ damage to <to:mixed> equal to its <stat>",
    )
    r(
        "op",
        "deal~ <n:number> damage to <to:mixed> for each <e:each>",
        f.Damage(amount=n.Times(number=S.n, of=S.e), to=S.to, source=WHAT),
        guard=lambda e: isinstance(e["n"], int) and e["n"] > 1,
    )
    r("op", "deal~ 1 damage to <to:mixed> for each <e:each>", f.Damage(amount=S.e, to=S.to, source=WHAT))
    r(
        "op",
        "deal~ <n:number> damage divided as you choose among <to:mixed>",
        f.Damage(amount=S.n, to=S.to, source=WHAT, divided=True),
        guard=_several_targets,
    )
    r(
        "op",
        "deal~ <n:number> damage to <to:mixed> and <m:number> damage to <to2:mixed>",
        f.AtOnce(parts=(f.Damage(amount=S.n, to=S.to, source=WHAT), f.Damage(amount=S.m, to=S.to2, source=WHAT))),
    )


def _several_targets(env: dict[str, Any]) -> bool:
    """Whether targets are named among which an amount may be divided (601.2d)."""
    of = env["to"].reading
    return isinstance(of, n.Target) and of.most != 1 and not of.x and not env["to"].text.startswith("each of")


# --- zones ------------------------------------------------------------------------------------------------------------------


def _zones(g: Grammar) -> None:
    r = g.rule
    r("do", "destroy <what:things>", f.Destroy(what=WHAT))
    for them in ("it", "they", "that creature"):
        _ = them
    r(
        "do",
        "destroy <what:things> . it can't be regenerated",
        f.Destroy(what=WHAT, no_regeneration=True),
        "destroy <what:things> . they can't be regenerated",
        "destroy <what:things> . a creature destroyed this way can't be regenerated",
        "destroy <what:things> . that creature can't be regenerated",
    )
    r(
        "do",
        "counter <what:things>",
        f.CounterSpell(what=WHAT),
        guard=lambda e: not isinstance(e["what"].reading, n.Choose),
    )
    r(
        "do",
        "counter <what:things> . if that spell is countered this way , exile it instead of putting it into its owner 's graveyard",
        f.CounterSpell(what=WHAT, to="exile"),
    )
    lapse = "counter <what:things> . if that spell is countered this way , put it"
    for place, fields in (
        ("on top of its owner 's library", {"to": "library", "top": True}),
        ("on the bottom of its owner 's library", {"to": "library"}),
        ("into its owner 's hand", {"to": "hand"}),
    ):
        tails = ("its owner 's graveyard", "that player 's graveyard", "their graveyard", "the graveyard")
        forms = [f"{lapse} {place} instead of into {tail}" for tail in tails]
        r("do", forms[0], f.CounterSpell(what=WHAT, **fields), *forms[1:])  # type: ignore[arg-type]
    r(
        "do",
        "counter <what:one> unless its controller pay~ <mana>",
        (
            f.Bind(as_name="spell", what=WHAT),
            f.Unless(
                who=Noun("$spell's controller"),
                cost=(f.ManaCost(mana=S.mana),),
                then=(f.CounterSpell(what=Noun("$spell")),),
            ),
        ),
    )
    for each in ("",):
        _ = each
    r(
        "do",
        "counter <what:one> unless its controller pay~ <mana> for each <e:each>",
        (
            f.Bind(as_name="spell", what=WHAT),
            f.Unless(
                who=Noun("$spell's controller"),
                cost=(f.ManaCost(mana=S.mana, per=S.e),),
                then=(f.CounterSpell(what=Noun("$spell")),),
            ),
        ),
    )
    r("do", "sacrifice {this} unless you <t:toll>", f.Unless(cost=S.t, then=(f.Sacrifice(what=THIS),), who=YOU))
    r("do", "sacrifice it unless you <t:toll>", f.Unless(cost=S.t, then=(f.Sacrifice(what=IT),), who=YOU))
    r("do", "exile <what:things>", f.Move(what=WHAT, to="exile"))
    r(
        "do",
        "exile <what:things> until {this} leaves the battlefield",
        f.Move(what=WHAT, to="exile", until="source leaves"),
    )
    hand = (
        "its owner 's hand",
        "their owner 's hand",
        "their owners 's hands",
        "their owners 's hand",
        "your hand",
        "their hand",
        "that player 's hand",
    )
    r(
        "do",
        f"return <what:things> to {hand[0]}",
        f.Move(what=WHAT, to="hand"),
        *(f"return <what:things> to {h}" for h in hand[1:]),
        "put <what:things> into your hand",
        "put <what:things> into its owner 's hand",
        guard=lambda e: _not_whole(e["what"]),
    )
    r(
        "do",
        "return <what:things> to the battlefield",
        f.Move(what=WHAT, to="battlefield"),
        "return <what:things> to the battlefield under your control",
        "put <what:things> onto the battlefield",
        "put <what:things> onto the battlefield under your control",
    )
    r(
        "do",
        "return {this} from your graveyard to the battlefield attached to <to:thatone>",
        f.Move(what=Noun("{this} from your graveyard"), to="battlefield", attached_to=S.to),
    )
    r(
        "do",
        "return <what:things> to the battlefield tapped",
        f.Move(what=WHAT, to="battlefield", tapped=True),
        "return <what:things> to the battlefield tapped under your control",
        "put <what:things> onto the battlefield tapped",
        "put <what:things> onto the battlefield tapped under your control",
    )
    for tapped, said in ((False, "attacking"), (True, "tapped and attacking")):
        r(
            "do",
            f"put <what:things> onto the battlefield {said}",
            f.Move(what=WHAT, to="battlefield", tapped=tapped, attacking=True),
            f"put <what:things> onto the battlefield {said} under your control",
            f"return <what:things> to the battlefield {said}",
        )
    r(
        "do",
        "return <what:things> to the battlefield under its owner 's control",
        f.Move(what=WHAT, to="battlefield", under=Noun("its owner")),
        "return <what:things> to the battlefield under their owner 's control",
        "return <what:things> to the battlefield under their owners 's control",
    )
    r(
        "do",
        "return <what:things> to the battlefield tapped under its owner 's control",
        f.Move(what=WHAT, to="battlefield", under=Noun("its owner"), tapped=True),
        "return <what:things> to the battlefield tapped under their owner 's control",
    )
    r(
        "do",
        "return <what:things> to the battlefield with a <counter> counter on it",
        f.Move(what=WHAT, to="battlefield", counter=S.counter),
        "return <what:things> to the battlefield under your control with a <counter> counter on it",
    )
    r(
        "do",
        "put <what:things> on top of its owner 's library",
        f.Move(what=WHAT, to="library"),
        "put <what:things> on top of your library",
        "put <what:things> on top of their owner 's library",
        guard=lambda e: _single(e["what"]),
    )
    r(
        "do",
        "put <what:things> on the bottom of its owner 's library",
        f.Move(what=WHAT, to="library", bottom=True),
        "put <what:things> on the bottom of your library",
        "put <what:things> on the bottom of their owner 's library",
        guard=lambda e: _single(e["what"]),
    )
    r(
        "do",
        "shuffle <what:things> into its owner 's library",
        f.Move(what=WHAT, to="library", shuffle=True),
        "shuffle <what:things> into your library",
        "shuffle <what:things> into their owner 's library",
        "shuffle <what:things> into their owners 's libraries",
        "shuffle <what:things> into their library",
    )
    r(
        "do",
        "put <what:things> into its owner 's graveyard",
        f.Move(what=WHAT, to="graveyard"),
        "put <what:things> into your graveyard",
        "return <what:things> to its owner 's graveyard",
        "put <what:things> into their owners 's graveyards",
        guard=lambda e: not isinstance(e["what"].reading, n.Top),
    )


def _aimed_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What is targeted first and spoken of afterwards."""
    return [
        one
        for one in reader.read("noun", place)
        if isinstance(one.value.reading, n.Target) and one.value.reading.most == 1 and not one.value.reading.x
    ]


def _two_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Two targets of one slot ("two target creatures")."""
    return [
        one
        for one in reader.read("things", place)
        if isinstance(one.value.reading, n.Target) and one.value.reading.least == one.value.reading.most == 2
    ]


def _not_whole(noun: Noun) -> bool:
    return True


def _single(noun: Noun) -> bool:
    return is_one(noun)


# --- objects ----------------------------------------------------------------------------------------------------------------


def _objects(g: Grammar) -> None:
    r = g.rule
    r("do", "tap <what:things>", f.Tap(what=WHAT))
    r("do", "untap <what:things>", f.Tap(what=WHAT, untap=True))
    r("do", "tap or untap <what:things>", f.Tap(what=WHAT, either=True))
    r("do", "regenerate <what:things>", f.Regenerate(what=WHAT))
    g.terminal("aimed", _aimed_at, lambda p, v: p.write("noun", v))
    r("do", "choose <what:aimed>", f.Bind(as_name="it", what=WHAT))
    r("do", "remove <what:things> from combat", f.RemoveFromCombat(what=WHAT))
    r("do", "attach {this} to <to:one>", f.Attach(to=S.to))
    r("do", "attach it to <to:one>", f.Attach(to=S.to, what=IT))
    r("do", "unattach {this}", f.Attach(to=None))
    r("op", "fight~ <right:one>", f.Fight(left=WHAT, right=S.right))
    r("op", "phase~ out", f.PhaseOut(what=WHAT))
    r("do", "gain control of <what:things>", f.Effect(what=WHAT, mods=(f.GainControl(),), duration="forever"))
    r("do", "gain control of <what:things> <d:until>", f.Effect(what=WHAT, mods=(f.GainControl(),), duration=S.d))
    r("do", "exchange control of <left:one> and <right:one>", f.Exchange(left=S.left, right=S.right))
    g.terminal("two", _two_at, lambda p, v: p.write("noun", v))
    r("do", "exchange control of <w:two>", f.Exchange(left=S.w))
    r("do", "two target players exchange life totals", f.Exchange(left=Noun("two target players"), what="life"))
    r(
        "do",
        "copy <what:one> <x:excepted> . you may choose new targets for the copy",
        f.CopySpell(what=WHAT, excepting=S.x),
        "copy <what:one> <x:excepted> and you may choose new targets for the copy",
    )
    other = Noun("the creature it's paired with")
    also = f.Effect(what=other, mods=S.m, duration="end of turn")
    r(
        "do",
        "if it's paired with a creature , that creature also <m:mods> until end of turn",
        f.If(condition=f.Exists(of=other), then=(also,)),
    )
    # Continuous effects with a duration.
    r("op", "<m:mods> <d:until>", f.Effect(what=WHAT, mods=S.m, duration=S.d))
    r(
        "do",
        "<what:things> <m:mods> until end of turn",
        f.Effect(what=WHAT, mods=S.m, duration="end of turn"),
        "until end of turn , <what:things> <m:mods>",
    )
    # 700.4, 611.2c: as long as it was no ability, what came later had it too.
    r(
        "do",
        "<what:things> are indestructible this turn",
        f.Effect(what=WHAT, mods=(f.IsIndestructible(),), duration="end of turn", following=True),
        guard=lambda e: isinstance(e["what"].reading, n.Each),
    )
    r(
        "op",
        "<m:bans> <d:thisturn>",
        f.Effect(what=WHAT, mods=S.m, duration=S.d),
        guard=lambda e: not isinstance(e.get("what", IT).reading, n.Each),
    )
    free = (f.Flag(rule="can attack as though no defender"),)
    late = [f"can attack <d:thisturn> as though {it} didn't have defender" for it in ("it", "they", "{this}")]
    aimed = f.Effect(what=WHAT, mods=free, duration=S.d)
    r("op", late[0], aimed, *late[1:], guard=lambda e: not isinstance(e.get("what", IT).reading, n.Each))
    group = [f"<what:things> {text}" for text in late]
    following = f.Effect(what=WHAT, mods=free, duration=S.d, following=True)
    r("do", group[0], following, *group[1:], guard=lambda e: isinstance(e["what"].reading, n.Each))
    r(
        "do",
        "<what:things> <m:bans> <d:thisturn>",
        f.Effect(what=WHAT, mods=S.m, duration=S.d, following=True),
        guard=lambda e: isinstance(e["what"].reading, n.Each),
    )
    r(
        "op",
        "assign~ no combat damage <d:thisturn>",
        f.Effect(what=WHAT, mods=(f.Flag(rule="deals no combat damage"),), duration=S.d),
    )
    evasive = f.Effect(what=WHAT, mods=(f.Flag(rule="can't be blocked except by", param=S.q),), duration="end of turn")
    r("op", "can't be blocked this turn except by <q:plurals>", evasive)
    menacing = f.Effect(what=WHAT, mods=(f.Flag(rule="blocked by at least", number=S.m),), duration="end of turn")
    r(
        "op",
        "can't be blocked this turn except by <m:count> or more creatures",
        menacing,
        guard=lambda e: isinstance(e["m"], int) and e["m"] > 1,
    )
    kept = [
        f"doesn't|don't untap during {whose} untap step <d:lasting>"
        for whose in ("its controller 's", "their controller 's", "their controllers 's", "its owner 's")
    ]
    r("op", kept[0], f.Effect(what=WHAT, mods=(f.Flag(rule="doesn't untap"),), duration=S.d), *kept[1:])
    r(
        "op",
        "don't untap during its controller 's next untap step",
        f.Effect(what=WHAT, mods=(f.Flag(rule="doesn't untap"),), duration="next untap step"),
        "doesn't untap during its controller 's next untap step",
        "don't untap during their controller 's next untap step",
        "don't untap during their controllers 's next untap steps",
        "doesn't untap during your next untap step",
        "don't untap during that player 's next untap step",
        "don't untap during its owner 's next untap step",
        "don't untap during that player 's next untap step",
        "doesn't untap during that player 's next untap step",
        "don't untap during their controller 's next untap step",
    )


# --- libraries --------------------------------------------------------------------------------------------------------------


def _library(g: Grammar) -> None:
    r = g.rule
    g.terminal(
        "singular",
        lambda reader, place: [o for o in reader.read("bare", place) if not is_plural(o.value)],
        lambda p, v: p.write("bare", v),
    )
    g.terminal(
        "plural",
        lambda reader, place: [o for o in reader.read("noun", place) if is_plural(o.value)],
        lambda p, v: p.write("noun", v),
    )
    g.terminal(
        "toplibrary",
        lambda reader, place: [o for o in reader.read("noun", place) if isinstance(o.value.reading, n.Top)],
        lambda p, v: p.write("noun", v) if isinstance(v.reading, n.Top) else None,
    )
    r("do", "look at <t:toplibrary>", f.Look(what=S.t))
    r("do", "look at <t:handof>", f.Look(what=S.t))
    g.terminal(
        "handof",
        lambda reader, place: [
            o
            for o in reader.read("noun", place)
            if o.words[-1] == "hand" and isinstance(o.value.reading, n.Each) and "'s" in o.words
        ],
        lambda p, v: p.write("noun", v) if v.text.endswith("'s hand") else None,
    )
    r("do", "reveal <t:toplibrary>", f.Look(what=S.t, reveal=True))


# --- counters -----------------------------------------------------------------------------------------------------------------


def _counters(g: Grammar) -> None:
    r = g.rule
    r(
        "do",
        "put <count> <counter> counter|counters on <what:mixed>",
        f.PutCounters(counter=S.counter, what=WHAT, count=S.count),
    )
    r(
        "do",
        "put a|an <counter> counter on <what:mixed> for each <e:each>",
        f.PutCounters(counter=S.counter, what=WHAT, count=S.e),
    )
    r(
        "do",
        "put a number of <counter> counters on <what:mixed> equal to <a:amount>",
        f.PutCounters(counter=S.counter, what=WHAT, count=S.a),
        guard=lambda e: not speaks_of_it(e["a"]),
    )
    r(
        "do",
        "distribute <count> <counter> counters among <what:things>",
        f.PutCounters(counter=S.counter, what=WHAT, count=S.count, distribute=True),
        guard=lambda e: isinstance(e["what"].reading, n.Target),
    )
    r(
        "do",
        "remove <count> <counter> counter|counters from <what:things>",
        f.RemoveCounters(counter=S.counter, what=WHAT, count=S.count),
    )
    r(
        "do",
        "remove all <counter> counters from <what:things>",
        f.RemoveCounters(counter=S.counter, what=WHAT, all=True),
    )
