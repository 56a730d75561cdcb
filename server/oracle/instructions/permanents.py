"""What is done to permanents ("op", with `what`) and looked at: tapping, control, effects that last, counters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import is_plural, noun, noun_words, speaks_of_it

IT = Noun("it")
WHAT = S.what


def install(g: Grammar) -> None:
    """Adds the rules."""
    _acted_on(g)
    _continuous_effects(g)
    _in_combat_and_untap(g)
    _libraries(g)
    _counters(g)


def _acted_on(g: Grammar) -> None:
    """What is tapped, regenerated, attached, exchanged, copied, or fights."""
    r = g.rule
    r("do", "tap <what:things>", f.Tap(what=WHAT), guard=lambda e: not _is_x_untapped(e["what"]))
    r("do", "untap <what:things>", f.Tap(what=WHAT, untap=True))
    r("do", "tap or untap <what:things>", f.Tap(what=WHAT, either=True))
    r("do", "regenerate <what:things>", f.Regenerate(what=WHAT))
    some = f.Tap(what=S.k)
    tapped = f.May(then=(some, f.Bind(as_name="X", amount=n.Count(of=Noun("permanents tapped this way"))), S["do"]))
    r("governed", "you may tap X <k:somany> . if you do , <do:chain>", (tapped,))
    g.terminal("somany", _so_many_at, _so_many_words)
    g.terminal("aimed", _aimed_at, lambda p, v: p.write("noun", v))
    r("do", "choose <what:aimed>", f.Bind(as_name="it", what=WHAT))
    one = f.Pick(what=Noun("them"), random=True)
    r("do", "destroy one of them at random", (one, f.Destroy(what=IT)))
    r("do", "remove <what:things> from combat", f.RemoveFromCombat(what=WHAT))
    r("do", "attach {this} to <to:one>", f.Attach(to=S.to))
    r("do", "attach it to <to:one>", f.Attach(to=S.to, what=IT))
    r("do", "attach <what:things> to <to:one>", f.Attach(what=WHAT, to=S.to), guard=_attachable)
    r("do", "unattach {this}", f.Attach(to=None))
    r("op", "fight~ <right:one>", f.Fight(left=WHAT, right=S.right))
    r("op", "phase~ out", f.PhaseOut(what=WHAT))
    lost = f.Effect(what=WHAT, mods=(f.LoseAbilities(keywords=S.k),), duration="forever")
    r("op", "lose~ <k:lostforgood>", lost)
    g.terminal("lostforgood", _lost_for_good_at, lambda p, v: p.write("keywords", v))
    turned = f.Effect(what=WHAT, mods=(f.SetTypes(subtypes=S.t, replace=True),), duration="forever")
    r("op", "become~ a|an <t:subtypes>", turned, guard=lambda e: all(t in v.BASIC_LANDS for t in e["t"]))
    r("do", "gain control of <what:things>", f.Effect(what=WHAT, mods=(f.GainControl(),), duration="forever"))
    r("do", "gain control of <what:things> <d:until>", f.Effect(what=WHAT, mods=(f.GainControl(),), duration=S.d))
    both = f.Exchange(left=S.left, right=S.right)
    # "That creature" would be the other of the two, which no target knows while it is chosen.
    r(
        "do",
        "exchange control of <left:one> and <right:one>",
        both,
        guard=lambda e: e["right"] is not None and "that creature" not in e["right"].text,
    )
    g.terminal("two", _two_at, lambda p, v: p.write("noun", v))
    r("do", "exchange control of <w:two>", f.Exchange(left=S.w))
    lives = f.Exchange(left=Noun("each player"), what="lives")
    r("do", "redistribute any number of players 's life totals", lives)
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


def _last_colors_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Colors at the end of their sentence: nothing says for how long."""
    return [one for one in reader.read("colors", place) if reader.at(one.end) in (".", "", "\n")]


def _continuous_effects(g: Grammar) -> None:
    """What lasts: modifications, bans, permissions to attack (611.2)."""
    r = g.rule
    # Continuous effects with a duration.
    r("op", "<m:mods> <d:until>", f.Effect(what=WHAT, mods=S.m, duration=S.d))
    for_good = f.Effect(what=WHAT, mods=(f.SetColors(colors=S.c),), duration="forever")
    g.terminal("lastcolors", _last_colors_at, lambda p, v: p.write("colors", v))
    r("op", "become~ <c:lastcolors>", for_good)
    g.wording("op", "also <m:mods> <d:until>", f.Effect(what=WHAT, mods=S.m, duration=S.d))
    r(
        "do",
        "<what:things> <m:mods> until end of turn",
        f.Effect(what=WHAT, mods=S.m, duration="end of turn"),
        "until end of turn , <what:things> <m:mods>",
        "until end of turn , <what:things> each <m:mods>",
    )
    early = f.Effect(what=WHAT, mods=S.m, duration=S.d)
    g.wording("do", "<d:until> , <what:things> <m:mods>", early, guard=_begins)
    g.wording("do", "<d:until> , <what:one> <m:bans>", early, guard=_begins)
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
    silent = f.Effect(what=S.w, mods=(f.Flag(rule="can't activate abilities"),), duration="forever")
    r("do", "<w:one> 's activated abilities can't be activated", silent, guard=lambda e: e["w"] != IT)
    r("do", "its activated abilities can't be activated", replace(silent, what=IT))
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


def _in_combat_and_untap(g: Grammar) -> None:
    """What is done with combat damage, blocking and untapping for a while."""
    r = g.rule
    r(
        "op",
        "assign~ no combat damage <d:thisturn>",
        f.Effect(what=WHAT, mods=(f.Flag(rule="deals no combat damage"),), duration=S.d),
    )
    lure = f.Effect(what=WHAT, mods=(f.Flag(rule="must be blocked by all"),), duration="end of turn")
    r("do", "all creatures able to block <what:one> this turn do so", lure)
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
    kept.append("don't untap during their controllers 's untap steps <d:lasting>")
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
        "don't untap during their next untap step",
        "don't untap during your next untap step",
    )


_SAID = ("{this}", "it", "they", "them")


def _attachable(e: dict[str, Any]) -> bool:
    """Whether Auras and Equipment are named (of {this} and it other rules speak); "another creature" would be one that they are not on."""
    what, to = e["what"], e["to"]
    kinds = ("Aura", "Equipment", "Fortification")
    return what.text not in _SAID and any(kind in what.text for kind in kinds) and not to.text.startswith("another")


def _begins(e: dict[str, Any]) -> bool:
    """A duration that stands before its sentence; the end of the turn has a rule of its own."""
    return e["d"] in ("your next turn", "your next upkeep", "end of your next turn", "end of combat")


def _is_x_untapped(what: Noun) -> bool:
    """Whether so many are tapped as X is, which is chosen with them."""
    reading = what.reading
    return isinstance(reading, n.Choose) and reading.count == n.X() and what.text.startswith("X untapped ")


def _so_many_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Of what X is how many are chosen as the instruction is followed ("untapped Myr you control"): any number of them."""
    for one in reader.read("noun", place):
        made = noun(f"any number of {one.value.text}")
        if made is not None and isinstance(one.value.reading, n.Each | n.Things) and one.words[0] == "untapped":
            yield Reading(one.end, made, one.words)


def _so_many_words(printer: Printer, value: Any) -> Words | None:
    text = value.text if isinstance(value, Noun) else ""
    bare = noun(text.removeprefix("any number of ")) if text.startswith("any number of untapped ") else None
    return None if bare is None else noun_words(bare)


def _aimed_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What is targeted first and spoken of afterwards."""
    return [one for one in reader.read("noun", place) if _is_aimed(one.value.reading)]


def _is_aimed(reading: n.Reading) -> bool:
    if isinstance(reading, n.Both):
        return all(_is_aimed(part) for part in reading.parts)
    return isinstance(reading, n.Target) and not reading.x


def _two_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Two targets of one slot ("two target creatures")."""
    return [
        one
        for one in reader.read("things", place)
        if isinstance(one.value.reading, n.Target) and one.value.reading.least == one.value.reading.most == 2
    ]


def _libraries(g: Grammar) -> None:
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
        "put <n:count> <counter> counters on <what:mixed> for each <e:each>",
        f.PutCounters(counter=S.counter, what=WHAT, count=n.Times(number=S.n, of=S.e)),
        guard=lambda e: isinstance(e["n"], int) and e["n"] > 1,
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


def _lost_for_good_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Keywords that are lost where nothing says for how long, neither of them nor of what is gained for them."""
    for one in reader.read("keywords", place):
        gained = [one.end]
        if reader.words[one.end : one.end + 2] in (("and", "gains"), ("and", "gain")):
            gained += [more.end for more in reader.read("keywords", one.end + 2)]
        if any(reader.at(end) in (".", "", "\n") for end in gained):
            yield one
