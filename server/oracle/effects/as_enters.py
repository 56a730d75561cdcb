"""What is done as a permanent enters, by which its counters are counted (614.1c): counters are removed, permanents sacrificed."""

from __future__ import annotations

from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.oracle.engine import ENTERS, Grammar, S

_PAID = n.ThatMuch("paid")


def install(g: Grammar) -> None:
    """Adds the rules."""
    for kind, said in (("", "all counters"), (S.c, "all <c:counter> counters")):
        removed = f.CountersCost(counter=kind, count=-1, of=S.w)
        head = f"as {{this}} enters , remove {said} from <w:everything> ."
        _enters(g, f"{head} {{this}} enters with a <k:counter> counter on it for each counter removed this way",
                (removed,), _PAID)  # fmt: skip
    g.terminal("everything", lambda r, at: [o for o in r.read("things", at) if isinstance(o.value.reading, n.Each)],
               lambda p, v: p.write("things", v))  # fmt: skip
    given = (f.SacrificeCost(what=S.w),)
    head = "as {this} enters , sacrifice <w:anynumber> ."
    _enters(g, f"{head} {{this}} enters with that many <k:counter> counters on it", given, _PAID,
            f"{head} it enters with that many <k:counter> counters on it")  # fmt: skip
    head = "as {this} enters , you may sacrifice <w:anynumber> . if you do ,"
    tail = "enters with twice that many <k:counter> counters on it"
    _enters(g, f"{head} it {tail}", given, n.Times(number=2, of=_PAID), f"{head} {{this}} {tail}")
    g.terminal("anynumber", lambda r, at: [o for o in r.read("things", at) if o.value.text.startswith("any number ")],
               lambda p, v: p.write("things", v))  # fmt: skip


def _enters(g: Grammar, template: str, paying: Any, count: Any, *more: str) -> None:
    rewrite = f.EnterWith(counter=S.k, count=count, paying=paying)
    g.rule("static", template, (f.Replacement(event=ENTERS, rewrite=(rewrite,)),), *more)
