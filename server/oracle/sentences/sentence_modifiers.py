"""Rules for what governs the rest of its sentence: may, if, for each, unless, delayed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import PERMANENT_WORDS
from server.cards.nouns import Noun, Target
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, walk
from server.oracle.libraries import is_pick
from server.oracle.nouns import is_one, noun, noun_words
from server.oracle.sentences.conditions_behind import asks_of_chosen, excepts
from server.oracle.sentences.delayed_events import tells

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
THAT_PLAYER = Noun("that player")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _may(g)
    _may_of_others(g)
    _if(g)
    _both_for_a_while(g)
    _for_each(g)
    _delayed(g)
    _others(g)


def _may(g: Grammar) -> None:
    """What you may do, and what follows if you do."""
    r = g.rule
    r(
        "governed",
        "you may <do:optional> . if you do , <then:chain>",
        (f.May(then=(S["do"], f.If(condition=f.Did(), then=S.then))),),
        guard=lambda e: not is_pick(e["do"][0]) and not _is_toll(e["do"]),
    )
    r(
        "governed",
        "you may <do:optional> . when you do , <then:chain>",
        (f.May(then=(S["do"], f.If(condition=f.Did(), then=(f.Reflexive(then=S.then),)))),),
        guard=lambda e: not _is_toll(e["do"]),
    )
    r(
        "governed",
        "you may <t:toll> . if you do , <then:chain>",
        (f.May(cost=S.t, then=S.then),),
        guard=lambda e: _pays(e["t"]),
    )
    r(
        "governed",
        "you may <t:toll> . when you do , <then:chain>",
        (f.May(cost=S.t, then=(f.Reflexive(then=S.then),)),),
        guard=lambda e: _pays(e["t"]),
    )
    r(
        "governed",
        "<do:simple> . when you do , <then:chain>",
        (S["do"], f.If(condition=f.Did(), then=(f.Reflexive(then=S.then),))),
        guard=lambda e: len(e["do"]) == 1 and not isinstance(e["do"][0], f.If | f.May),
    )
    unpaid = (f.May(cost=S.t, otherwise=S.then),)
    r("governed", "you may <t:toll> . if you don't , <then:chain>", unpaid, guard=_is_given)
    pays = f.May(cost=(f.ManaCost(mana=S.m),), otherwise=S.then)  # nobody has to make mana (117.3c)
    g.wording("governed", "pay <m:mana> . if you don't , <then:chain>", (pays,))
    r(
        "governed",
        "<who:person> may <t:toll> . if they don't , <then:chain>",
        (f.May(cost=S.t, otherwise=S.then, who=S.who),),
        "<who:person> may <t:toll> . if that player doesn't , <then:chain>",
        guard=_is_given,
    )
    r(
        "governed",
        "you may <do:optional>",
        (f.May(then=S.do),),
        guard=lambda e: _is_plain(e["do"]),
    )
    g.terminal("threatened", _threatened_at, _threatened_words)
    r("governed", "<v:threatened>", S.v)


def _may_of_others(g: Grammar) -> None:
    """What other players may do; of several each is asked in turn order (101.4)."""
    r = g.rule
    may = f.May(then=S.v, who=S.who)
    did = f.May(then=(S["v"], f.If(condition=f.Did(), then=S.then)), who=S.who)
    each = (f.ForEach(of=S.of, then=(replace(may, who=THAT_PLAYER),)),)
    r("governed", "<of:others> may <v:theirs>", each)
    offered = f.ForEach(of=Noun("each opponent"), then=(replace(may, who=THAT_PLAYER),))
    told = f.If(condition=f.Did(anyone=True), then=S.then)
    asked = [
        f"any opponent may <v:theirs> . if {does} , <then:chain>" for does in ("a player does", "an opponent does")
    ]
    r("governed", asked[0], (offered, told), asked[1])
    offered_all = replace(offered, of=Noun("each player"))
    r("governed", "any player may <v:theirs> . if a player does , <then:chain>", (offered_all, told))
    does = ("that player does", "they do")
    r(
        "governed",
        f"<who:other> may <v:theirs> . if {does[0]} , <then:chain>",
        (did,),
        f"<who:other> may <v:theirs> . if {does[1]} , <then:chain>",
        "<who:other> may <v:theirs> . if the player does , <then:chain>",
    )
    r("governed", "<who:other> may <v:theirs>", (may,))
    g.terminal("other", _other_at, lambda p, v: p.write("person", v) if v != YOU else None)
    g.terminal("others", _others_at, lambda p, v: noun_words(v) if _is_everyone(v) else None)
    r(
        "governed",
        "unless <who:person> <t:toll> , you may <do:chain>",
        (f.Unless(cost=S.t, then=(f.May(then=S.do),), who=S.who),),
        "you may <do:simple> unless <who:person> <t:toll>",
    )
    # 117.12: each in turn order, until one of them pays.
    anyone = f.Unless(cost=S.t, then=S.do, who=Noun("each player"))
    some = "unless any player <t:toll> , <do:chain>"
    r("governed", some, (anyone,), "<do:simple> unless any player <t:toll>", "<do:simple> unless a player <t:toll>")
    r(
        "governed",
        "unless <who:person> <t:toll> , <do:chain>",
        (f.Unless(cost=S.t, then=S.do, who=S.who),),
        "<do:simple> unless <who:person> <t:toll>",
        guard=lambda e: (
            not (
                isinstance(e["do"][0], f.CounterSpell)
                or e["who"].text.startswith(("its ", "their "))
                or _aimed(e["who"], e["do"])
                or not _is_given(e)
                and (e["who"] == YOU or isinstance(e["do"][0], f.Damage))
                or (
                    len(e["do"]) == 1
                    and isinstance(e["do"][0], f.Sacrifice)
                    and e["do"][0].what in (THIS, IT)
                    and e["who"] == YOU
                )
            )
        ),
    )


def _is_given(e: dict[str, Any]) -> bool:
    """Whether it is no damage that is taken: "may have {this} deal 4 damage to them" is what that player may do (`allowed`)."""
    return not isinstance(e["t"][0], f.DamageCost)


def _if(g: Grammar) -> None:
    """What is done on a condition."""
    r = g.rule
    r(
        "governed",
        "if <c:cond> , <do:chain> . otherwise , <other:chain>",
        (f.If(condition=S.c, then=S.do, otherwise=S.other),),
    )
    # Of what an instruction names ("destroy target creature"), a condition behind it says "it".
    r(
        "governed",
        "<do:simple> if <c:cond>",
        (f.If(condition=S.c, then=S.do, trailing=True),),
        guard=lambda e: asks_of_named(e["c"], e["do"]) and not excepts(e["do"]),
    )
    plain = f.If(condition=S.c, then=S.do)
    r("governed", "if <c:cond> , <do:chain>", (plain,), guard=lambda e: not _much_spent(e["c"], e["do"]))
    r(
        "governed",
        "<do:simple> if <c:cond>",
        (plain,),
        guard=lambda e: not (asks_of_named(e["c"], e["do"]) or excepts(e["do"]) or asks_of_chosen(e["c"], e["do"])),
    )
    spared = f.If(condition=f.NotSo(condition=S.c), then=S.do)
    r(
        "governed",
        "<do:simple> unless <c:cond>",
        (spared,),
        guard=lambda e: not targets(e["do"]) and not is_may(e["do"]),
    )


def _much_spent(condition: Any, tree: Any) -> bool:
    """Whether "that much" would be the mana that a condition asks about, which is not what was dealt, gained or done."""
    asks = isinstance(condition, f.Holds) and isinstance(condition.left, n.ManaSpent)
    return asks and any(isinstance(part, n.ThatMuch) for part in walk(tree))


def _both_for_a_while(g: Grammar) -> None:
    """What two groups get for the same time."""
    one = f.Effect(what=S.a, mods=S.x, duration=S.d)
    other = f.Effect(what=S.b, mods=S.y, duration=S.d)
    g.wording("governed", "<d:until> , <a:things> <x:mods> and <b:things> <y:mods>", (one, other))
    g.wording("governed", "<a:things> <x:mods> and <b:things> <y:mods> <d:until>", (one, other))


def _for_each(g: Grammar) -> None:
    """What is done for each of some objects or players."""
    r = g.rule
    r(
        "governed",
        "for each <of:bare> , <do:chain>",
        (f.ForEach(of=S.of, then=S.do),),
        guard=lambda e: (
            (getattr(e["of"].reading, "zone", "") != "stack" or "control" in e["of"].text)
            and _targets_fit(e["of"], e["do"])
            and not (targets(e["do"]) and is_may(e["do"]))
        ),
    )
    r(
        "governed",
        "for each of them , <do:chain>",
        (f.ForEach(of=IT, then=S.do),),
        guard=lambda e: not targets(e["do"]),
    )
    # Up to one target for each player is as good as "you may": one who would not does not choose it.
    r(
        "governed",
        "for each <of:bare> , you may <do:chain>",
        (f.ForEach(of=S.of, then=S.do),),
        guard=lambda e: (
            bool(targets(e["do"])) and _targets_fit(e["of"], e["do"]) and all(t.least == 0 for t in targets(e["do"]))
        ),
    )


def _delayed(g: Grammar) -> None:
    """What is done at a later time (603.7)."""
    r = g.rule
    _once_this_turn(g)
    lasting = f.Delayed(when=S.e, then=S.do, once=False, duration=S.d)
    r("governed", "<d:until> , whenever <e:event> , <do:chain>", (lasting,), guard=_lasting)
    r(
        "governed",
        "until end of turn , whenever <e:event> , <do:chain>",
        (replace(lasting, duration="end of turn"),),
        "this turn , whenever <e:event> , <do:chain>",
        "whenever <e:event> this turn , <do:chain>",
        guard=lambda e: not targets(e["e"]) and not tells(e["e"]),
    )
    step = f.Pattern(event="step", step="end_turn")
    r(
        "governed",
        "at the beginning of the next end step , <do:chain>",
        (f.Delayed(when=(step,), then=S.do),),
        "<do:simple> at the beginning of the next end step",
        "<do:simple> at end of turn",
    )
    r(
        "governed",
        "at the beginning of the next turn 's upkeep , <do:chain>",
        (f.Delayed(when=(f.Pattern(event="step", step="upkeep"),), then=S.do),),
        "<do:simple> at the beginning of the next turn 's upkeep",
        "at the beginning of the next upkeep , <do:chain>",
        "<do:simple> at the beginning of the next upkeep",
    )
    combat = (f.Pattern(event="step", step="begin_combat"),)
    fights = "at the beginning of the next combat"
    r("governed", f"{fights} , <do:chain>", (f.Delayed(when=combat, then=S.do),), f"<do:simple> {fights}")
    for steps, said, *others in _YOUR_NEXT:
        names = (said, *others)
        texts = [f"at the beginning of your next {name} , <do:chain>" for name in names]
        texts += [f"<do:simple> at the beginning of your next {name}" for name in names]
        whens = tuple(f.Pattern(event="step", step=one, whose=YOU) for one in steps)
        r("governed", texts[0], (f.Delayed(when=whens, then=S.do),), *texts[1:])
    later = f.Pattern(event="step", step="upkeep", whose=YOU)
    eager = f.Effect(what=IT, mods=(f.GainAbilities(keywords=S.k),), duration="forever")
    r(
        "governed",
        "<do:simple> at the beginning of your next upkeep . it gains <k:keywords>",
        (f.Delayed(when=(later,), then=(S["do"], eager)),),
        guard=lambda e: len(e["do"]) == 1 and isinstance(e["do"][0], f.Move) and e["do"][0].to == "battlefield",
    )
    this_turns = f.Delayed(when=(f.Pattern(event="step", step="end_combat"),), then=S.do, duration="end of turn")
    r("governed", "at this turn 's next end of combat , <do:chain>", (this_turns,))
    r(
        "governed",
        "at end of combat , <do:chain>",
        (f.Delayed(when=(f.Pattern(event="step", step="end_combat"),), then=S.do),),
        "<do:simple> at end of combat",
    )


#: Steps and phases that one waits for, and what they are called.
_YOUR_NEXT: tuple[tuple[tuple[str, ...], *tuple[str, ...]], ...] = (
    (("upkeep",), "upkeep", "upkeep step"),
    (("draw",), "draw step"),
    (("precombat_main",), "precombat main phase", "first main phase"),
    (("precombat_main", "postcombat_main"), "main phase"),
    (("postcombat_main",), "postcombat main phase"),
    (("end_turn",), "end step"),
)


def _once_this_turn(g: Grammar) -> None:
    """What is done when something happens for the first time from then on (603.7)."""
    r = g.rule
    dies = f.Pattern(event="zone change", subject=IT, from_="battlefield", to="graveyard")
    r(
        "governed",
        "when that creature dies this turn , <do:chain>",
        (f.Delayed(when=(dies,), then=S.do, duration="end of turn"),),
        "when it dies this turn , <do:chain>",
    )
    aimed = (f.Bind(as_name="it", what=S.w), f.Delayed(when=(dies,), then=S.do, duration="end of turn"))
    r("governed", "when <w:aimed> dies this turn , <do:chain>", aimed, guard=lambda e: "creature" in e["w"].text)
    cast = f.Pattern(event="cast", subject=YOU, object=S.o)
    g.terminal("onespell", _next_spell_at, lambda p, v: p.write("spell", v))
    r(
        "governed",
        "when you next cast <o:spell> this turn , <do:chain>",
        (f.Delayed(when=(cast,), then=S.do, duration="end of turn"),),
        "when you cast your next <o:onespell> this turn , <do:chain>",
    )
    r(
        "governed",
        "when <e:event> this turn , <do:chain>",
        (f.Delayed(when=S.e, then=S.do, duration="end of turn"),),
        guard=lambda e: not targets(e["e"]) and not _has_words_of_its_own(e["e"], dies),
    )


def _has_words_of_its_own(when: Any, dies: f.Pattern) -> bool:
    """Whether another rule says when that is."""
    one = when[0]
    speaks = isinstance(one.subject, Noun) and isinstance(one.subject.reading, n.It)
    return len(when) == 1 and (
        one.event == "cast" and one.subject == YOU or speaks and replace(one, subject=IT) == dies
    )


def _next_spell_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "your next instant or sorcery spell": one such spell."""
    for one in reader.read("singular", place):
        made = noun(f"{'an' if one.value.text[0] in 'aeiou' else 'a'} {one.value.text}")
        words = Printer(reader.grammar).write("spell", made) if made is not None else None
        if words is not None:
            yield Reading(one.end, made, words)


_AIMED = Noun("$aimed")
_ITS = Noun("$aimed's controller")


def _threatened_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Destroy target creature unless its controller pays {2}": the target is who may pay of it."""
    for one in reader.read("do", place):
        what = getattr(one.value, "what", None)
        aimed = isinstance(one.value, f.Destroy | f.Move | f.Tap) and isinstance(what, Noun) and is_one(what)
        if not aimed or not isinstance(what, Noun) or not isinstance(what.reading, n.Target):
            continue
        if reader.words[one.end : one.end + 3] != ("unless", "its", "controller"):
            continue
        for toll in reader.read("toll", one.end + 3):
            then = (replace(one.value, what=_AIMED),)
            value = (f.Bind(as_name="aimed", what=what), f.Unless(cost=toll.value, then=then, who=_ITS))
            yield Reading(toll.end, value, (*one.words, "unless", "its", "controller", *toll.words))


def _threatened_words(printer: Printer, value: Any) -> Words | None:
    match value:
        case (f.Bind(as_name="aimed", what=Noun() as what), f.Unless(cost=cost, then=(verb,), who=who)) if (
            who == _ITS and getattr(verb, "what", None) == _AIMED
        ):
            said, toll = printer.write("do", replace(verb, what=what)), printer.write("toll", cost)
            if said is not None and toll is not None:
                return (*said, "unless", "its", "controller", *toll)
    return None


def _aimed(who: Noun, do: f.Tree) -> bool:
    """Whether "that player" is the target that only what is done would speak of: `cost_changes` reads that."""
    subject = getattr(do[0], "who", None)
    return who.text == "that player" and isinstance(subject, Noun) and isinstance(subject.reading, Target)


def _pays(cost: f.Costs) -> bool:
    """Whether what is offered is a cost and no instruction: mana, life, counters; one of two costs, or one beside mana."""
    paid = [isinstance(part, f.ManaCost | f.LifeCost | f.CountersCost | f.EitherCost) for part in cost]
    return all(paid) or len(cost) == 2 and isinstance(cost[0], f.ManaCost)


def targets(value: Any) -> list[n.Target]:
    """The target slots of instructions."""
    if isinstance(value, tuple):
        return [target for part in value for target in targets(part)]
    if isinstance(value, Noun):
        return targets(value.reading)
    if isinstance(value, n.Target):
        return [value]
    return [t for field in getattr(value, "__struct_fields__", ()) for t in targets(getattr(value, field))]


def asks_of_named(condition: Any, do: f.Tree) -> bool:
    """Whether a condition behind an instruction asks of "it" what the instruction names: a target, or what has this attached."""
    named = targets(do) or any(isinstance(part, Noun) and isinstance(part.reading, n.Attached) for part in walk(do[0]))
    return bool(named) and any(isinstance(part, Noun) and _is_of_it(part) for part in walk(condition))


def _is_of_it(noun: Noun) -> bool:
    """Whether a phrase speaks of a thing named before: "it", "that creature", "its controller"."""
    words = ("", "card", "spell", *PERMANENT_WORDS)
    return any(isinstance(part, n.It) and part.what in words for part in walk(noun.reading))


def _targets_fit(of: Noun, do: f.Tree) -> bool:
    """Targets stand inside of "for each" only as one slot for each player, of what that player controls or owns."""
    of_player = (n.ControlledBy(by=n.It(what="player")), n.OwnedBy(by=n.It(what="player")))
    for target in targets(do):
        parts = target.of.objects.parts if isinstance(target.of.objects, n.All) else (target.of.objects,)
        if not isinstance(of.reading, n.Players) or not any(part in of_player for part in parts):
            return False
    return True


def _lasting(e: dict[str, Any]) -> bool:
    return e["d"] in ("end of combat", "your next turn")


def _other_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("person", place) if one.value != YOU]


def _is_everyone(noun: Noun) -> bool:
    return isinstance(noun.reading, n.Each) and noun.reading.of.objects is None


def _others_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("who", place) if _is_everyone(one.value)]


def _is_toll(tree: f.Tree) -> bool:
    """Whether instructions are what "you may pay" reads as a cost: counters removed from {this}."""
    verb = tree[0] if len(tree) == 1 else None
    return isinstance(verb, f.RemoveCounters) and verb.what == THIS and not verb.all and bool(verb.counter)


def _is_plain(tree: f.Tree) -> bool:
    """Whether instructions are no choice, price or condition of their own, so that "you may" says no more than that one may."""
    last = tree[-1]
    told = isinstance(last, f.If) and isinstance(last.then[0], f.Reflexive) and _is_toll(tree[:-1])
    return not (is_may(tree) or is_pick(tree[0]) or isinstance(tree[0], f.Unless) or told)


def is_may(tree: f.Tree) -> bool:
    """Whether a program begins with what somebody may do."""
    return bool(tree) and isinstance(tree[0], f.May)


def _others(g: Grammar) -> None:
    r = g.rule
    r("do", "end the turn", f.EndTurn())
    r("do", "end the combat phase", f.EndTurn(combat=True))
    r("do", "restart the game , leaving in exile <k:things>", f.Restart(leaving=S.k))
    r("do", "players play a Magic subgame , using their libraries as their decks", f.PlaySubgame())
    grown = f.PutCounters(counter="+1/+1", what=THIS, count=S.n)
    monstrous = f.NotSo(condition=f.Is(what=THIS, of=Noun("monstrous permanent")))
    designated = f.Designate(what=THIS, designation="monstrous")
    r("do", "monstrosity <n:number>", f.If(condition=monstrous, then=(grown, designated)))  # current 701.37a
    r("vp", "get~ an emblem with <q:quoted>", f.Emblem(abilities=S.q, who=S.who))
    r(
        "do",
        "after this phase , there is an additional combat phase followed by an additional main phase",
        f.ExtraPhase(),
        "after this main phase , there is an additional combat phase followed by an additional main phase",
        "there is an additional combat phase after this phase followed by an additional main phase",
        "there is an additional combat phase after this phase , followed by an additional main phase",
    )
    r(
        "do",
        "after this phase , there is an additional combat phase",
        f.ExtraPhase(main=False),
        "there is an additional combat phase after this phase",
        "there's an additional combat phase after this phase",
        "after this combat phase , there is an additional combat phase",
        "there is an additional combat phase after this one",
    )
    r("do", "the game is a draw", f.DrawGame())
    r(
        "do",
        "flip a coin . if you win the flip , <won:chain> . if you lose the flip , <lost:chain>",
        f.FlipCoin(won=S.won, lost=S.lost),
    )
    r("do", "flip a coin . if you win the flip , <won:chain>", f.FlipCoin(won=S.won))
    r("do", "flip a coin . if you lose the flip , <lost:chain>", f.FlipCoin(lost=S.lost))
    r("do", "where X is <a:amount>", f.Bind(as_name="X", amount=S.a))
