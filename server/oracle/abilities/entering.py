"""Rules for what other permanents enter the battlefield with (614.1c)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.oracle.abilities.statics import in_graveyard
from server.oracle.effects import counted
from server.oracle.engine import Grammar, Reader, Reading, S


def install(g: Grammar) -> None:
    """ "Each other creature you control enters with an additional +1/+1 counter on it", perhaps only while something holds."""
    event = f.Pattern(event="zone change", subject=S.q, to="battlefield")
    g.terminal("everyone", _everyone_at, lambda p, v: p.write("noun", v) if v.text.startswith("each ") else None)
    for said, count in (
        ("an additional <k:counter> counter on it", 1),
        ("<n:additional> additional <k:counter> counters on it", S.n),
        ("an additional <k:counter> counter on it for each <e:each>", S.e),
    ):
        made = f.Replacement(event=event, rewrite=(f.EnterWith(counter=S.k, count=count),))
        g.rule("static", f"<q:everyone> enters with {said}", (made,))
        arrives = [f"{when} , <q:everyone> enters with {said}" for when in ("this turn", "until end of turn")]
        g.rule("do", arrives[0], f.Shield(effect=made), arrives[1], f"<q:everyone> enters with {said} this turn")
        held = replace(made, condition=S.c)
        template = f"as long as <c:scond> , <q:everyone> enters with {said}"
        g.rule("static", template, (held,), guard=lambda e: not in_graveyard(e["c"]))
        g.rule("static", template, (replace(held, zone="graveyard"),), guard=lambda e: in_graveyard(e["c"]))
    where = f.Replacement(event=event, rewrite=(f.EnterWith(counter=S.k, count=S.a),))
    said = "an additional X <k:counter> counters on it , where X is <a:amount>"
    equal = "a number of additional <k:counter> counters on it equal to <a:amount>"
    g.rule("static", f"<q:everyone> enters with {said}", (where,), f"<q:everyone> enters with {equal}", guard=counted)
    changed = (f.EnterWith(counter=S.k, count=S.a, subtypes=S.t),)
    types = "and as a|an <t:subtypes> in addition to its other types"
    g.rule("static", f"<q:everyone> enters with {equal} {types}", (replace(where, rewrite=changed),), guard=counted)
    barred = replace(event, subject=S.what)
    g.rule("static", "<what:group> can't enter", (_never(barred),))
    away = (_never(replace(barred, from_="graveyard")), _never(replace(barred, from_="library")))
    g.rule("static", "<what:barred> can't enter from graveyards or libraries", away)
    g.terminal("barred", _barred_at, lambda p, v: p.write("noun", v))
    g.terminal("additional", _additional_at, lambda p, v: p.write("count", v))


def _never(event: f.Pattern) -> f.Replacement:
    """Nothing happens instead."""
    return f.Replacement(event=event, rewrite=(f.Instead(do=()),))


def _barred_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Cards of a kind, wherever they are ("creature cards")."""
    return [one for one in reader.read("noun", place) if isinstance(one.value.reading, n.Things)]


def _everyone_at(reader: Reader, place: int) -> Iterable[Reading]:
    """All of a kind of permanents ("each other creature you control")."""
    if reader.at(place) != "each":
        return
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Each) and reading.of.players is None and reading.of.zone == "battlefield":
            yield one


def _additional_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("count", place) if isinstance(one.value, int) and one.value > 1]
