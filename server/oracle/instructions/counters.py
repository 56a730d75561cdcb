"""Counters of several kinds at once, counters of a kind that is chosen, and what comes back with counters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import ENTERS, Grammar, Printer, Reader, Reading, S, Words

IT = Noun("it")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _one_or_the_other(g)
    _several(g)
    _chosen(g)
    _returning(g)
    _events(g)
    _moved(g)
    _doubled(g)


def _several(g: Grammar) -> None:
    a, b, c = (f"<{n}:count> <{k}:counter> counter|counters" for n, k in ("mj", "nk", "ol"))
    first = f.PutCounters(counter=S.j, what=S.what, count=S.m)
    second = f.PutCounters(counter=S.k, what=IT, count=S.n)
    third = f.PutCounters(counter=S.l, what=IT, count=S.o)
    g.rule("do", f"put {a} and {b} on <what:one>", (first, second))
    g.rule("do", f"put {a} , {b} , and {c} on <what:one>", (first, second, third))
    elsewhere = (f.PutCounters(counter=S.j, what=S.x, count=S.m), f.PutCounters(counter=S.k, what=S.y, count=S.n))
    g.wording(
        "do", f"put {a} on <x:things> and {b} on <y:things>", elsewhere, guard=lambda e: e["y"].text not in _SPOKEN
    )
    pair = (f.EnterWith(counter=S.j, count=S.m), f.EnterWith(counter=S.k, count=S.n))
    g.rule("static", f"{{this}} enters with {a} and {b} on it", (f.Replacement(event=ENTERS, rewrite=pair),))


_SPOKEN = ("it", "them")

# --- chosen kinds -------------------------------------------------------------------------------------------------------------


def _chosen(g: Grammar) -> None:
    g.terminal("counteroptions", _options_at, _options_words)
    put = f.PutCounters(counter="", what=S.what, options=S.o)
    g.rule("do", "put your choice of <o:counteroptions> on <what:one>", put)
    enter = (f.Replacement(event=ENTERS, rewrite=(f.EnterWith(options=S.o),)),)
    g.rule("static", "{this} enters with your choice of <o:counteroptions> on it", enter)


def _options_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a flying counter or a first strike counter", "a menace counter , a trample counter , or a reach counter"."""
    kinds: list[str] = []
    at = place
    while reader.at(at) in ("a", "an"):
        one = next(iter(reader.read("counter", at + 1)), None)
        if one is None or reader.at(one.end) != "counter":
            return
        kinds.append(one.value)
        at = one.end + 1
        last = reader.at(at - len(one.words) - 3) == "or"
        if last and len(kinds) > 1:
            yield Reading(at, tuple(kinds), _said(kinds))
            return
        at += reader.at(at) == ","
        at += reader.at(at) == "or"


def _said(kinds: Iterable[str]) -> Words:
    row = [("a", *kind.split(), "counter") for kind in kinds]
    if len(row) == 2:
        return (*row[0], "or", *row[1])
    return (*(word for one in row[:-1] for word in (*one, ",")), "or", *row[-1])


def _options_words(printer: Printer, value: Any) -> Words | None:
    return _said(value) if isinstance(value, tuple) and len(value) > 1 else None


# --- returning ----------------------------------------------------------------------------------------------------------------


def _returning(g: Grammar) -> None:
    """What is put onto the battlefield, or exiled, with counters on it (121.6)."""
    for what in (Noun("{this}"), IT):
        gone = f.Move(what=what, to="exile", counter=S.k, count=S.n)
        g.rule("do", f"exile {what.text} with <n:count> <k:counter> counter|counters on it", gone)
    others = f.Move(what=S.what, to="exile", counter=S.k, count=S.n)
    said = "exile <what:things> with <n:count> <k:counter> counter|counters on it"
    g.rule("do", said, others, guard=lambda e: e["what"] not in (IT, Noun("{this}")))
    timed = (
        f.CounterSpell(what=S.what, to="exile"),
        f.If(condition=f.Did(), then=(f.PutCounters(counter=S.k, what=IT, count=S.n),)),
    )
    late = [
        f"counter <what:one> . if {spell} is countered this way , exile it with <n:count> <k:counter> counters on it "
        "instead of putting it into its owner 's graveyard"
        for spell in ("that spell", "the spell")
    ]
    g.rule("do", late[0], timed, *late[1:], guard=lambda e: e["n"] != 1)
    whose = {
        None: ("", "under your control "),
        Noun("its owner"): ("under its owner 's control ", "under their owner 's control "),
    }
    for under, words in whose.items():
        for tapped in (False, True):
            base = f"return <what:things> to the battlefield {'tapped ' * tapped}"
            for one in (True, False):
                if one and under is None and not tapped:
                    continue  # among the rules about zones
                tail = "with a|an <k:counter> counter on it" if one else "with <n:count> <k:counter> counters on it"
                count = 1 if one else S.n
                shape = f.Move(what=S.what, to="battlefield", under=under, tapped=tapped, counter=S.k, count=count)
                first, *more = (f"{base}{said}{tail}" for said in words)
                if under is None:
                    more += [first.replace("return", "put", 1).replace(" to the", " onto the", 1)]
                g.rule("do", first, shape, *more, guard=lambda e: e.get("n") != 1)


# --- events -------------------------------------------------------------------------------------------------------------------

_ORDINALS = (
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)


#: What happens to counters, and the event that it is.
_MOVED: tuple[tuple[str, f.EventName], ...] = (("put on", "counters put"), ("removed from", "counters removed"))


def _events(g: Grammar) -> None:
    put = f.Pattern(event="counters put", subject=S.s, counter=S.k)
    g.rule("event", "one or more <k:counter> counters|counter are put on <s:subject>", (put,))
    # Current 122.6a: on what enters with them, who controls it puts them.
    own = replace(put, by=Noun("a source you control"))
    g.rule("event", "you put one or more <k:counter> counters on <s:subject>", (own,))
    every = replace(own, counter="", grain="batch")
    g.rule("event", "you put one or more counters on <s:subject>", (every,))
    for nth, word in enumerate(_ORDINALS, 2):
        reached = f.Pattern(event="counters put", subject=S.s, counter=S.k, nth=nth)
        g.rule("event", f"the {word} <k:counter> counter is put on <s:subject>", (reached,))
    for said, event in _MOVED:
        single = f.Pattern(event=event, subject=S.s, counter=S.k, grain="single")
        g.rule("event", f"a|an <k:counter> counter is {said} <s:subject>", (single,))
    none_left = f.Holds(left=n.CountersOn(counter=S.k, of=Noun(f.THIS)), compare="=", right=0)
    last = f.Pattern(event="counters removed", subject=Noun(f.THIS), counter=S.k, condition=none_left)
    g.rule("event", "the last <k:counter> counter is removed from {this}", (last,))


def _doubled(g: Grammar) -> None:
    one = f.DoubleCounters(what=S.w, counter=S.k)
    g.rule("do", "double the number of <k:counter> counters on <w:things>", one)
    g.rule("do", "double the number of each kind of counter on <w:things>", f.DoubleCounters(what=S.w))
    g.rule("do", "double the number of each kind of counter you have", f.DoubleCounters(what=Noun("you")))

    # Current 701.10b: as much more as it has then, which is less if that is below 0.
    stats: tuple[tuple[str, tuple[n.Stat, ...]], ...] = (
        ("power", ("power",)),
        ("toughness", ("toughness",)),
        ("power and toughness", ("power", "toughness")),
    )
    for said, doubled in stats:
        for whose, of in ((S.w, IT), (Noun(f.THIS), Noun(f.THIS))):
            effect = f.Effect(what=whose, mods=(_as_much_more(of, doubled),), duration="end of turn")
            who = "<w:one>" if of == IT else f.THIS
            texts = [f"double {who} 's {said} until end of turn", f"double the {said} of {who} until end of turn"]
            g.rule("do", texts[0], effect, texts[1], guard=None if of != IT else _another)
        its = f.Effect(what=IT, mods=(_as_much_more(IT, doubled),), duration="end of turn")
        g.rule("do", f"double its {said} until end of turn", its)
        each = f.ForEach(of=S.k, then=(its,))
        g.rule("do", f"double the {said} of <k:things> until end of turn", each, guard=lambda e: _each(e["k"]))


def _as_much_more(of: Noun, stats: tuple[n.Stat, ...]) -> f.AddPT:
    """As much more of these as there is."""
    power, toughness = (n.StatOf(stat=stat, of=of) if stat in stats else 0 for stat in ("power", "toughness"))
    return f.AddPT(power=power, toughness=toughness)


def _another(e: dict[str, Any]) -> bool:
    return e["w"] not in (IT, Noun(f.THIS))


def _each(value: Any) -> bool:
    return isinstance(value, Noun) and isinstance(value.reading, n.Each)


def _moved(g: Grammar) -> None:
    """ "Move a +1/+1 counter from target creature onto {this}" (121.5)."""
    one = f.MoveCounters(source=S.a, to=S.b, counter=S.k, count=S.n)
    every = f.MoveCounters(source=S.a, to=S.b, counter=S.k, all=True)
    whole = f.MoveCounters(source=S.a, to=S.b, all=True)
    for head, shape in (
        ("move <n:count> <k:counter> counter|counters", one),
        ("move all <k:counter> counters", every),
        ("move all counters", whole),
        ("move any number of <k:counter> counters", f.MoveCounters(source=S.a, to=S.b, counter=S.k, some="any number")),
        ("move any number of counters", f.MoveCounters(source=S.a, to=S.b, some="any number")),
        ("move a counter", f.MoveCounters(source=S.a, to=S.b, some="one")),
        ("move one or more counters", f.MoveCounters(source=S.a, to=S.b, some="one or more")),
    ):
        g.rule("do", f"{head} from <a:one> onto <b:one>", shape, f"{head} from <a:one> to <b:one>")
    new = f.MoveCounters(source=S.a, to=Noun("{this}"), missing=True)
    each = "move a counter of each kind not on {this} from <a:one>"
    g.rule("do", f"{each} onto {{this}}", new, f"{each} to {{this}}")
    left = f.PutCounters(counter="", what=S.b, as_on=IT)
    own = replace(left, as_on=Noun("{this}"))
    g.rule("do", "put {this} 's counters on <b:one>", own)
    marked = f.Holds(left=n.CountersOn(counter="", of=Noun("{this}")), compare=">=", right=1)
    g.rule("cond", "{this} has counters on it", marked, "{this} has one or more counters on it")
    g.rule("do", "put those counters on <b:one>", left, "put its counters on <b:one>")


def _one_or_the_other(g: Grammar) -> None:
    """A counter put on something or removed from it, as its controller likes as that resolves."""
    g.rule("do", "remove a counter from <what:one>", f.RemoveCounters(counter="", what=S.what))
    put, removed = f.PutCounters(counter=S.c, what=S.what), f.RemoveCounters(counter=S.d, what=Noun("it"))
    both = f.Either(options=(f.Mode(do=(put,), text="put"), f.Mode(do=(removed,), text="remove")))
    g.rule(
        "do",
        "put a <c:counter> counter on <what:one> or remove a <d:counter> counter from it",
        both,
        guard=lambda e: e["c"] == e["d"],
    )
