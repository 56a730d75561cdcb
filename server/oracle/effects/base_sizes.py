"""Base power and toughness that become others: "have its base power and toughness become 4/2", "change ... to", and what lasts
for good because nothing says for how long (611.2a). What they become is determined once (608.2g); all is printed as "has base ...".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.oracle.engine import Grammar, Reader, Reading, S, walk

_SIZED = f.SetPT(power=n.StatOf(stat="power", of=S.o), toughness=n.StatOf(stat="toughness", of=S.o))
_FOR_A_WHILE = (("except",), ("until",), ("while",), ("this", "turn"), ("as", "long", "as"))
"""What says of the rest of a sentence when, or of what, it is so."""
_WHOLE = "power and toughness"


def install(g: Grammar) -> None:
    """Adds the rules."""
    for category in ("mod", "smod"):
        g.rule(category, f"have~ base {_WHOLE} equal to <o:one> 's {_WHOLE}", (_SIZED,), guard=_is_no_target)
        for side in ("power", "toughness"):
            equal = (f.SetPT(**{side: S.a}),)
            g.rule(category, f"have~ base {side} equal to <a:amount>", equal, guard=_is_computed)
    g.terminal("forgood", _for_good_at, lambda p, v: p.write("mods", v) if _lasts(v) else None)
    g.rule("op", "<m:forgood>", f.Effect(what=S.what, mods=S.m, duration="forever"), guard=lambda e: _lasts(e["m"]))
    for end, duration in ((" <d:until>", S.d), ("", "forever")):
        _become(g, end, duration)
    _become(g, "", "end of turn", "until end of turn , ")


def _become(g: Grammar, end: str, duration: Any, start: str = "") -> None:
    """What becomes of the base power or toughness of something, by its owner's genitive or behind "of"."""
    for whole, sizes in (
        (
            _WHOLE,
            (("<s:fixedsize>", S.s), (f"<o:one> 's {_WHOLE}", _SIZED), (f"the {_WHOLE} of <o:one>", _SIZED)),
        ),
        ("power", (("<a:amount>", f.SetPT(power=S.a)),)),
        ("toughness", (("<a:amount>", f.SetPT(toughness=S.a)),)),
    ):
        for said, size in sizes:
            tree = f.Effect(what=S.w, mods=(size,), duration=duration)
            for whose in (f"<w:one> 's base {whole}", f"the base {whole} of <w:things>"):
                if start or end:
                    equal = "" if said.startswith("<s") else "equal to "
                    both = (f"{start}{whose} become|becomes {equal}{said}{end}",)
                    plain = (f"{start}{whose} become|becomes {said}{end}",) if equal and "<a" in said else ()
                    g.wording("do", both[0], tree, *plain, guard=_is_no_target)
                if not start:
                    g.wording("do", f"change {whose} to {said}{end}", tree, guard=_is_no_target)


def _is_no_target(e: dict[str, Any]) -> bool:
    """What is said twice would be two targets."""
    return "o" not in e or not any(isinstance(part, n.Target) for part in walk(e["o"].reading))


def _is_computed(e: dict[str, Any]) -> bool:
    return not isinstance(e["a"], int | n.X)


def _lasts(mods: tuple[Any, ...]) -> bool:
    """Whether it is what only stays: what a size is, and what else is said in one breath with it."""
    return any(isinstance(mod, f.SetPT) for mod in mods) and not any(isinstance(mod, f.AddPT) for mod in mods)


def _for_good_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Modifications at the end of their sentence of which one says a size, where nothing before says for how long."""
    if "base" not in reader.present and "becomes" not in reader.present:
        return []
    start = place
    while start > 0 and reader.at(start - 1) not in (".", '"', "\n"):
        start -= 1
        if any(reader.words[start : start + len(said)] == said for said in _FOR_A_WHILE):
            return []
    return [one for one in reader.read("mods", place) if reader.at(one.end) in (".", "", "\n") and _lasts(one.value)]
