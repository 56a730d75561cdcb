"""Rules for damage that is prevented or redirected (615, 614.9), and that can't be: instructions and static abilities.

A shield says what damage (all, the next so much, the next time), to whom, by what, and for how long, in any order. What is
one thing named as the effect is made ("target creature", "it") the shield is about; a group stays open to whatever fits then.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S, walk
from server.oracle.nouns import is_mixed, is_things, speaks_of_it

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
OTHERS = Noun("you and other permanents you control")
KINDS: tuple[tuple[str, bool | None], ...] = (("", None), ("combat ", True), ("noncombat ", False))


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("shielded", _shielded_at, lambda p, v: p.write("noun", v))
    g.terminal("open", _open_at, lambda p, v: p.write("noun", v))
    g.terminal("eachshielded", partial(_numbered_at, shared=False), lambda p, v: p.write("noun", v))
    g.terminal("sharingshield", partial(_numbered_at, shared=True), lambda p, v: p.write("noun", v))
    g.terminal("dealer", _dealers_at, lambda p, v: p.write("noun", v))
    g.terminal("opendealer", _open_dealers_at, lambda p, v: p.write("noun", v))
    g.terminal("ofchoice", _of_choice_at, lambda p, v: p.write("noun", v))
    _all_damage(g)
    _next_damage(g)
    _next_time(g)
    _ways(g)
    _unpreventable(g)
    _all_redirected(g)
    _life_floor(g)
    _loyalty_floor(g)


def _several(reading: n.Reading) -> bool:
    """Whether a reading is a group that an effect stays open to."""
    if isinstance(reading, n.Both):
        return any(_several(part) for part in reading.parts)
    return isinstance(reading, n.Each)


def _shielded_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Things and players that a shield is made for: not a group."""
    return [
        one
        for one in reader.read("noun", place)
        if is_mixed(one.value) and not _several(one.value.reading) and not isinstance(one.value.reading, n.Choose)
    ]


def _open_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A group that a shield stays open to, in the plural or with "each"."""
    return [one for one in reader.read("noun", place) if _several(one.value.reading) and one.words[0] != "all"]


def _open_dealers_at(reader: Reader, place: int) -> Iterable[Reading]:
    """The same of what deals damage, of which "sources you don't control" may be anywhere."""
    yield from _open_at(reader, place)
    for one in reader.read("noun", place):
        if isinstance(one.value.reading, n.Things) and one.words[0] == "sources":
            yield one


def _numbered_at(reader: Reader, place: int, *, shared: bool) -> Iterable[Reading]:
    """A group each of which has a shield of a number of its own (615.10), or that shares one: "you and/or permanents you control"."""
    return [one for one in _open_at(reader, place) if ("and/or" in one.words) == shared]


def _dealers_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One source of damage that is named as the shield is made."""
    return [
        one
        for one in reader.read("noun", place)
        if is_things(one.value) and not isinstance(one.value.reading, n.Each | n.Choose | n.Superlative)
    ]


def _of_choice_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a red source of your choice", without the last three words, which are left out as text is read: the kind."""
    return [
        one
        for one in reader.read("noun", place)
        if isinstance(one.value.reading, n.Choose) and one.value.reading.count == 1 and one.words[0] in ("a", "an")
    ]


class _Part(NamedTuple):
    """One way to say to or by whom: the words, and what the pattern and the shield get."""

    text: str
    pattern: dict[str, Any]
    shield: dict[str, Any]
    per: bool = False


TO = (
    _Part("", {}, {}),
    _Part("to <to:shielded>", {"object": IT}, {"per": S.to}, per=True),
    _Part("to <to:open>", {"object": S.to}, {}),
)
BY = (
    _Part("", {}, {}),
    _Part("<by:dealer>", {"subject": IT}, {"per": S.by}, per=True),
    _Part("<by:opendealer>", {"subject": S.by}, {}),
    _Part("<by:ofchoice>", {}, {"source_choice": S.by}),
)
EACH = _Part("to <to:eachshielded>", {"object": IT}, {"per": S.to}, per=True)
SHARED = _Part("to <to:sharingshield>", {"object": S.to}, {})
CONSTANT = _Part("to {this}", {"object": THIS}, {})
TIMES: tuple[tuple[str, f.Duration], ...] = (("this turn", "end of turn"), ("this combat", "end of combat"))


def _pairs() -> Iterable[tuple[_Part, _Part]]:
    """Whom and by what, where the shield is made for one of the two at most."""
    for to in TO:
        for by in BY:
            if not (to.per and by.per):
                yield to, by
    yield CONSTANT, BY[1]
    yield _Part("to you", {"object": YOU}, {}), BY[1]


def _all_damage(g: Grammar) -> None:
    for word, combat in KINDS:
        for to, by in _pairs():
            event = f.Pattern(event="damage", combat=combat, **to.pattern, **by.pattern)
            effect = f.Replacement(event=event, rewrite=(f.Prevent(),))
            for time, duration in TIMES:
                shape = f.Shield(effect=effect, duration=duration, **to.shield, **by.shield)
                head = f"prevent all {word}damage"
                would = f"{head} that would be dealt"
                made_by = f"by {by.text}" if by.text else ""
                variants = [f"{would} {to.text} {made_by} {time}", f"{would} {to.text} {time} {made_by}"]
                variants += [f"{would} {time} {to.text} {made_by}", f"{would} {time} {made_by} {to.text}"]
                if by.text:
                    variants += [
                        f"{head} {by.text} would deal {to.text} {time}",
                        f"{head} that {by.text} would deal {to.text} {time}",
                    ]
                variants = list(dict.fromkeys(" ".join(v.split()) for v in variants))
                g.rule("do", variants[0], shape, *variants[1:])
                then = f.Shield(
                    effect=f.Replacement(event=event, rewrite=(f.Prevent(then=S.then),)),
                    duration=duration,
                    **to.shield,
                    **by.shield,
                )
                said = [f"{v} . <then:aftermath>" for v in variants]
                g.rule("do", said[0], then, *said[1:])
        head = f"prevent all {word}damage that would be dealt"
        g.rule(
            "do",
            f"{head} to and dealt by <to:shielded> this turn",
            (f.Bind(as_name="shielded", what=S.to), *_both_ways(combat, Noun("$shielded"))),
            f"{head} this turn to and dealt by <to:shielded>",
        )


def _both_ways(combat: bool | None, whom: Noun) -> tuple[f.Shield, ...]:
    """Shields of all damage to and by the same things."""
    sides: tuple[dict[str, Any], ...] = ({"object": IT}, {"subject": IT})
    return tuple(
        f.Shield(
            effect=f.Replacement(event=f.Pattern(event="damage", combat=combat, **side), rewrite=(f.Prevent(),)),
            per=whom,
        )
        for side in sides
    )


def _next_damage(g: Grammar) -> None:
    """ "The next 3 damage": a shield of a number (615.7), for each of a group one of its own (615.10) or for all of it one, or one that
    redirects so much (614.9)."""
    for word, combat in KINDS[:1]:
        for to in (*TO[1:-1], EACH, SHARED):
            for by in (BY[0], BY[3]):
                event = f.Pattern(event="damage", combat=combat, **to.pattern)
                said = f"by {by.text}" if by.text else ""
                base = f"prevent the next <n:number> {word}damage that would be dealt"
                variants = [f"{base} {to.text} this turn {said}", f"{base} {to.text} {said} this turn"]
                if by.text:
                    variants.append(
                        f"prevent the next <n:number> {word}damage that {by.text} would deal {to.text} this turn"
                    )
                variants = list(dict.fromkeys(" ".join(v.split()) for v in variants))
                prevent = f.Shield(
                    effect=f.Replacement(event=event, rewrite=(f.Prevent(shield=True),)),
                    amount=S.n,
                    **to.shield,
                    **by.shield,
                )
                g.rule("do", variants[0], prevent, *variants[1:])
                then = f.Shield(
                    effect=f.Replacement(event=event, rewrite=(f.Prevent(shield=True, then=S.then),)),
                    amount=S.n,
                    **to.shield,
                    **by.shield,
                )
                g.rule(
                    "do", f"{variants[0]} . <then:aftermath>", then, *(f"{v} . <then:aftermath>" for v in variants[1:])
                )
                _redirected(g, to, by, event)


def _redirected(g: Grammar, to: _Part, by: _Part, event: f.Pattern) -> None:
    """ "The next 1 damage that would be dealt to X this turn is dealt to Y instead"."""
    elsewhere = f.Bind(as_name="elsewhere", what=S.new)
    redirect = f.Replacement(event=event, rewrite=(f.Redirect(to=Noun("$elsewhere")),))
    if by.text:
        template = f"the next <n:number> damage that {by.text} would deal {to.text} this turn is dealt to <new:shielded> instead"
        whole = f"the next time {by.text} would deal damage {to.text} this turn , that damage is dealt to <new:shielded> instead"
    else:
        template = (
            f"the next <n:number> damage that would be dealt {to.text} this turn is dealt to <new:shielded> instead"
        )
        whole = (
            f"the next time damage would be dealt {to.text} this turn , that damage is dealt to <new:shielded> instead"
        )
    if to.per:  # what is protected is named first
        bound = f.Bind(as_name="shielded", what=S.to)
        shape: Any = (bound, elsewhere, f.Shield(effect=redirect, amount=S.n, per=Noun("$shielded"), **by.shield))
        once: Any = (bound, elsewhere, f.Shield(effect=redirect, uses=1, per=Noun("$shielded"), **by.shield))
    else:
        shape = (elsewhere, f.Shield(effect=redirect, amount=S.n, **by.shield))
        once = (elsewhere, f.Shield(effect=redirect, uses=1, **by.shield))
    g.rule("do", template, shape)
    g.rule("do", whole, once)


def _next_time(g: Grammar) -> None:
    """ "The next time a source of your choice would deal damage to you this turn, prevent that damage" (615.8)."""
    for word, combat in KINDS:
        for to in TO:
            for by in BY[1:]:
                if to.per and by.per:
                    continue
                event = f.Pattern(event="damage", combat=combat, **to.pattern, **by.pattern)
                head = " ".join(
                    f"the next time {by.text} would deal {word}damage {to.text} this turn , prevent that damage".split()
                )
                fields: dict[str, Any] = {"uses": 1, **to.shield, **by.shield}
                g.rule("do", head, f.Shield(effect=f.Replacement(event=event, rewrite=(f.Prevent(),)), **fields))
                then = f.Replacement(event=event, rewrite=(f.Prevent(then=S.then),))
                g.rule(
                    "do", f"{head} . <then:aftermath>", f.Shield(effect=then, **fields), f"{head} and <then:aftermath>"
                )


# --- what is done about what was prevented ---------------------------------------------------------------------------------------


def _ways(g: Grammar) -> None:
    some = f.Holds(left=n.ThatMuch(), compare=">=", right=1)
    g.rule(
        "way",
        "that much is at least 1",
        some,
        "damage is prevented this way",
        "damage from that source is prevented this way",
        "one or more counters are removed from {this} this way",
        "one or more counters are removed this way",
        "you lose life this way",
        "you gain life this way",
    )
    g.rule("governed", "if <w:way> , <then:chain>", (f.If(condition=S.w, then=S.then),))
    said = f.If(condition=S.w, then=S.then)
    later = replace(said, then=(f.Reflexive(then=S.then),))
    g.rule("governed", "you may <do:chain> . if <w:way> , <then:chain>", (f.May(then=(S["do"], said)),))
    g.rule("governed", "you may <do:chain> . when <w:way> , <then:chain>", (f.May(then=(S["do"], later)),))
    g.rule("governed", "when <w:way> , <then:chain>", (f.If(condition=S.w, then=(f.Reflexive(then=S.then),)),))
    from_top = (f.Bind(as_name="X", amount=S.a), f.Move(what=Noun("the top X cards of your library"), to="exile"))
    g.rule(
        "do",
        "exile cards from the top of your library equal to <a:amount>",
        from_top,
        "exile a number of cards from the top of your library equal to <a:amount>",
        guard=lambda e: not isinstance(e["a"], int | n.X),
    )
    g.terminal("aftermath", _aftermath_at, lambda p, v: p.write("program", v))
    source = Noun("that source")
    creature = f.Is(what=source, of=Noun("creature"))
    back = f.If(condition=creature, then=(f.Damage(amount=n.ThatMuch(), to=source),))
    theirs = f.Damage(amount=n.ThatMuch(), to=Noun("that source's controller"))
    to_whom = (back, f.If(condition=f.NotSo(condition=creature), then=(theirs,)))
    said = "if damage from a {} source is prevented this way , {{this}} deals that much damage to {}"
    both = (said.format("creature", "that creature"), said.format("noncreature", "the source 's controller"))
    g.rule("aftermath", " . ".join(both), to_whom)


def _aftermath_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Instructions that speak of the damage just prevented; others are the spell's own."""
    for one in reader.read("sentence", place):
        whole = reader.at(one.end) in (".", "", "\n", "•", '"')
        if whole and speaks_of_prevented(one.value):
            yield one


# --- damage that can't be prevented -------------------------------------------------------------------------------------------------


def _unpreventable(g: Grammar) -> None:
    for word, combat in KINDS[:2]:
        rewrite = (f.CantPrevent(),)
        everything = f.Replacement(event=f.Pattern(event="damage", combat=combat), rewrite=rewrite)
        by = f.Replacement(event=f.Pattern(event="damage", subject=S.by, combat=combat), rewrite=rewrite)
        g.rule("static", f"{word}damage can't be prevented", (everything,))
        g.rule("static", f"{word}damage that would be dealt by <by:receiver> can't be prevented", (by,))
        g.rule("do", f"{word}damage can't be prevented this turn", f.Shield(effect=everything))
    sure = (f.Flag(rule="can't be countered"), f.Flag(rule="damage can't be prevented"))
    certain = f.Continuous(what=THIS, mods=sure, condition=S.c)
    g.rule("static", "if <c:scond> , {this} can't be countered and the damage can't be prevented", (certain,))
    hits = f.Damage(amount=S.n, to=S.to, source=S.what, unpreventable=True)
    said = "deal~ <n:number> damage to <to:mixed>"
    g.rule("op", f"{said} . the damage can't be prevented", hits, f"{said} and the damage can't be prevented")


# --- damage that always goes elsewhere, or no further --------------------------------------------------------------------------------


def _all_redirected(g: Grammar) -> None:
    """ "All damage that would be dealt to X is dealt to Y instead" (614.9), always or for a turn."""
    g.terminal("recipient", _recipients_at, lambda p, v: p.write("noun", v))
    for word, combat in KINDS[:2]:
        head = f"all {word}damage that would be dealt"
        for made_by, pattern in (("", {}), (" by <by:receiver>", {"subject": S.by})):
            event = f.Pattern(event="damage", object=S.to, combat=combat, **pattern)
            always = f.Replacement(event=event, rewrite=(f.Redirect(to=S.new),))
            said = f"{head} to <to:recipient>{made_by} is dealt to <new:receiver> instead"
            # "You or another permanent you control" is no noun of its own.
            others = replace(always, event=replace(event, object=OTHERS))
            either = f"{head} to you or another permanent you control{made_by} is dealt to <new:receiver> instead"
            both = f"{head} to you and other permanents you control{made_by} is dealt to <new:receiver> instead"
            g.rule("static", either, (others,), both, guard=_to_one)
            g.rule("static", said, (always,), guard=lambda e: _to_one(e) and e["to"] != OTHERS)
            held = replace(always, condition=S.c)
            g.rule("static", f"as long as <c:scond> , {said}", (held,), guard=_to_one)
        elsewhere = f.Bind(as_name="elsewhere", what=S.new)
        redirect = (f.Redirect(to=Noun("$elsewhere")),)
        for to, by in _pairs():
            if not to.text:
                continue
            event = f.Pattern(event="damage", combat=combat, **to.pattern, **by.pattern)
            made_by = f" by {by.text}" if by.text else ""
            fields: dict[str, Any] = {**to.shield, **by.shield}
            shape: Any = f.Shield(effect=f.Replacement(event=event, rewrite=redirect), **fields)
            steps: tuple[Any, ...] = (elsewhere, shape)
            theirs: Any = replace(shape, effect=f.Replacement(event=event, rewrite=(f.Redirect(to=S.new),)))
            if to.per or by.per:  # what is named first is named first (608.2c)
                whom = S.to if to.per else S.by
                steps = (f.Bind(as_name="shielded", what=whom), elsewhere, replace(shape, per=Noun("$shielded")))
            there = "is dealt to <new:shielded> instead"
            variants = [f"{head} {to.text} this turn{made_by} {there}", f"{head} this turn {to.text}{made_by} {there}"]
            if made_by:
                variants.append(f"{head} {to.text}{made_by} this turn {there}")
            g.rule("do", variants[0], steps, *variants[1:], guard=lambda e: not speaks_of_it(e["new"]))
            if to.per or by.per:
                g.rule("do", variants[0], theirs, *variants[1:], guard=lambda e: speaks_of_it(e["new"]))


def _recipients_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Whom a static ability protects: one of what "receiver" reads, or several ("you or another permanent you control")."""
    yield from reader.read("receiver", place)
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Both) and all(isinstance(p, n.You | n.Each | n.Choose) for p in reading.parts):
            yield one


def _to_one(e: dict[str, Any]) -> bool:
    return isinstance(e["new"].reading, n.You | n.This | n.Attached)


def _life_floor(g: Grammar) -> None:
    """ "Damage that would reduce your life total to less than 1 reduces it to 1 instead" (119.4b: the loss is replaced)."""
    loss = f.Pattern(event="life loss", subject=YOU, cause="damage")
    for least in (1, 7):
        floor = f.Replacement(event=loss, rewrite=(f.AtMost(life_floor=least),))
        said = f"damage that would reduce your life total to less than {least} reduces it to {least} instead"
        g.rule("static", said, (floor,))
        held = replace(floor, condition=S.c)
        g.rule("static", f"as long as <c:scond> , {said}", (held,), f"if <c:scond> , {said}")
        g.rule("do", f"until end of turn , {said}", f.Shield(effect=floor))


def _loyalty_floor(g: Grammar) -> None:
    """ "If damage dealt to a planeswalker you control would result in all loyalty counters on it being removed, instead all but one of
    those counters are removed" (614.1a)."""
    removed = f.Pattern(event="counters removed", subject=S.s, counter="loyalty", cause="damage")
    floor = f.Replacement(event=removed, rewrite=(f.AtMost(counters_floor=1),))
    result = "would result in all loyalty counters on it being removed"
    said = f"if damage dealt to <s:subject> {result} , instead all but one of those counters are removed"
    g.rule("static", said, (floor,))
    g.rule("static", f"as long as <c:scond> , {said}", (replace(floor, condition=S.c),))


def speaks_of_prevented(tree: f.Tree) -> bool:
    """Whether instructions are about damage that an effect prevents: how much, or its source."""
    return any(
        isinstance(part, n.ThatMuch) or isinstance(part, Noun) and "that source" in part.text for part in walk(tree)
    )
