"""Damage that is dealt: how much, to whom, by what, divided (119, 601.2d)."""

from __future__ import annotations

from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S
from server.oracle.nouns import speaks_of_it

IT = Noun("it")
THIS = Noun("{this}")
WHAT = S.what


def install(g: Grammar) -> None:
    """Adds the rules."""
    _damage(g)
    burnt = f.Effect(what=Noun("each creature dealt damage this way"), mods=(f.Flag(rule="can't be regenerated"),))
    g.rule("do", "a creature dealt damage this way can't be regenerated this turn", burnt)
    _damage_by_that_one(g)
    _dealt_back(g)
    _on_conditions(g)
    _or_to_its_controller(g)
    _or_that_much(g)
    _spilling(g)
    _at_random(g)


def _at_random(g: Grammar) -> None:
    """What is dealt to somebody whom chance chooses."""
    opponent = f.Pick(what=Noun("each opponent"), random=True, as_name="player")
    tail = "to an opponent chosen at random"
    struck = f.Damage(amount=S.n, to=Noun("that player"), source=WHAT)
    g.rule("op", f"deal~ <n:number> damage {tail}", (opponent, struck))
    much = f.Damage(amount=S.a, to=Noun("that player"), source=WHAT)
    said = f"deal~ damage {tail} equal to <a:amount>"
    g.rule("op", f"deal~ damage equal to <a:amount> {tail}", (opponent, much), said, guard=_source_said)


def _source_said(e: dict[str, Any]) -> bool:
    return not speaks_of_it(e["a"])


def _damage(g: Grammar) -> None:
    r = g.rule
    r("op", "deal~ <n:number> damage to <to:mixed>", f.Damage(amount=S.n, to=S.to, source=WHAT))
    g.wording("op", "also deal~ <n:number> damage to <to:mixed>", f.Damage(amount=S.n, to=S.to, source=WHAT))
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


def _damage_by_that_one(g: Grammar) -> None:
    """What "that creature" deals, and damage for each, divided, or of two amounts."""
    r = g.rule
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
    evenly = f.Damage(amount=S.n, to=S.to, source=WHAT, evenly=True)
    said = "deal~ <n:number> damage divided evenly , rounded down , among <to:mixed>"
    r("op", said, evenly, guard=_several_targets)
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


def _dealt_back(g: Grammar) -> None:
    """What several deal to a creature, and it to some of them as its controller divides it."""
    own = n.StatOf(stat="power", of=Noun("that source"))
    dealers, aimed = Noun("$dealers"), Noun("$aimed")
    shape = (
        f.Bind(as_name="dealers", what=S.d),
        f.Bind(as_name="aimed", what=S.to),
        f.Damage(amount=own, to=aimed, source=dealers),
        f.Damage(amount=own, to=dealers, source=aimed, divider=Noun("$aimed's controller")),
    )
    back = "that creature deals damage equal to its power divided as its controller chooses among any number of those"
    said = f"<d:things> deals damage equal to its power to <to:one> . {back}"
    g.rule("do", f"{said} creatures", shape, f"{said} <w:plurals>", guard=_aims_from_each)


def _aims_from_each(e: dict[str, Any]) -> bool:
    """Whether each of some, which are creatures as they are called again, deals damage to a target."""
    each = isinstance(e["d"].reading, n.Each) and e["d"].text.startswith("each ")
    return each and isinstance(e["to"].reading, n.Target) and ("w" not in e or _head(e["d"]) == _head(e["w"]))


def _head(noun: Noun) -> n.Predicate | None:
    """What something is called, without what is said of it ("Wolf" of "each Wolf tapped this way")."""
    kind = n.kind_of(noun.reading)
    objects = kind.objects if kind is not None else None
    return objects.parts[0] if isinstance(objects, n.All) else objects


def _on_conditions(g: Grammar) -> None:
    """Damage to these if one thing is so, and to those if another is."""
    first = f.If(condition=S.c, then=(f.Damage(amount=S.n, to=S.to),))
    second = f.If(condition=S.d, then=(f.Damage(amount=S.m, to=S.to2),))
    g.wording(
        "do",
        "{this} deal~ <n:number> damage to <to:mixed> if <c:cond> and <m:number> damage to <to2:mixed> if <d:cond>",
        (first, second),
        guard=lambda e: all(isinstance(e[to].reading, n.Each) for to in ("to", "to2")),
    )


def _spilling(g: Grammar) -> None:
    """Damage of which what is excess is dealt to a controller instead (current 120.4a)."""
    tail = ". excess damage is dealt to that creature 's controller instead"
    spills = f.Damage(amount=S.n, to=S.to, source=WHAT, spills=True)
    one = "deal~ <n:number> damage to <to:one>"
    g.rule("op", f"{one} {tail}", spills)
    own = f.Damage(amount=n.StatOf(stat=S.stat, of=IT), to=S.to, source=IT, spills=True)
    g.rule("do", f"it deal~ damage equal to its <stat> to <to:one> {tail}", own)
    g.wording(
        "op", "deal~ twice X damage to <to:mixed>", f.Damage(amount=n.Times(number=2, of=n.X()), to=S.to, source=WHAT)
    )


def _or_to_its_controller(g: Grammar) -> None:
    """Damage to a creature unless its controller lets damage be dealt to that player."""
    aimed = Noun("$aimed")
    spared = f.Damage(amount=S.m, to=Noun("that player"))
    instead = f.May(who=Noun("$aimed's controller"), then=(spared,), otherwise=(f.Damage(amount=S.n, to=aimed),))
    head = "{this} deal~ <n:number> damage to <w:one> unless"
    texts = [
        f"{head} {who} 's controller has {{this}} deal <m:number> damage to {them}"
        for who in ("that creature", "that permanent")
        for them in ("them", "that player")
    ]
    texts.append(f"{head} its controller has {{this}} deal <m:number> damage to them")
    shape = (f.Bind(as_name="aimed", what=S.w), instead)
    g.rule("do", texts[0], shape, *texts[1:], guard=lambda e: isinstance(e["w"].reading, n.Target))


def _or_that_much(g: Grammar) -> None:
    """The same by counters on {this}: as much would be dealt to the player."""
    aimed = Noun("$aimed")
    marks = n.CountersOn(counter=S.k, of=THIS)
    spared = f.Damage(amount=marks, to=Noun("that player"))
    instead = f.May(who=Noun("$aimed's controller"), then=(spared,), otherwise=(f.Damage(amount=marks, to=aimed),))
    shape = (f.Bind(as_name="aimed", what=S.w), f.If(condition=f.Exists(of=aimed), then=(instead,)))
    head = "{this} deal~ damage equal to the number of <k:counter> counters on it to <w:one> unless"
    said = [
        f"{head} that creature 's controller has {{this}} deal that much damage to {t}" for t in ("them", "that player")
    ]
    g.rule("do", said[0], shape, said[1], guard=lambda e: isinstance(e["w"].reading, n.Target))


def _several_targets(env: dict[str, Any]) -> bool:
    """Whether targets are named among which an amount may be divided (601.2d)."""
    of = env["to"].reading
    return isinstance(of, n.Target) and of.most != 1 and not of.x and not env["to"].text.startswith("each of")
