"""Cards and permanents of their own that players move, each choosing: "each player returns a creature card from their graveyard
to their hand" (101.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S, walk
from server.oracle.nouns import is_one

_THEY = n.It(what="player")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("own", _own_at, lambda p, v: p.write("noun", v) if _is_own(v) else None)
    _owners(g)
    _rule(g, "exile~ <k:own>", {"to": "exile"})
    _rule(g, "exile~ <k:own> face down", {"to": "exile", "face_down": True})
    _rule(
        g,
        "return~ <k:own> to its owner 's hand",
        {"to": "hand"},
        "return~ <k:own> to their hand",
        "return~ <k:own> to their owner 's hand",
        "put~ <k:own> into their hand",
        "return~ <k:own> to their owners 's hands",
    )
    for tapped, word in ((False, ""), (True, " tapped")):
        _rule(
            g,
            f"put~ <k:own> onto the battlefield{word}",
            {"to": "battlefield", "tapped": tapped},
            f"put~ <k:own> onto the battlefield{word} under their control",
            f"return~ <k:own> to the battlefield{word}",
            f"return~ to the battlefield{word} <k:own>",
            f"return~ <k:own> to the battlefield{word} under their control",
        )
    for side, bottom in (("on top of", False), ("on the bottom of", True)):
        fields = {"to": "library", "bottom": bottom}
        _rule(g, f"put~ <k:own> {side} their library", fields, guard=lambda e: is_one(e["k"]))
        ordered = f"put~ <k:own> {side} their library in any order"
        _rule(g, ordered, fields, f"put~ <k:own> {side} their library", guard=lambda e: not is_one(e["k"]))
    some = {"to": "library", "shuffle": True}  # a whole zone goes there by `looking`
    whole = f.Move(what=Noun("all cards from their hand and/or graveyard"), to="library", shuffle=True, who=S.who)
    said = "shuffle~ their hand and graveyard into their library"
    g.rule("vp", said, whole, said.replace("hand and graveyard", "graveyard and hand"))
    mine = f.Move(what=Noun("all cards from your hand and/or graveyard"), to="library", shuffle=True)
    yours = "shuffle your hand and graveyard into your library"
    g.rule("do", yours, mine, yours.replace("hand and graveyard", "graveyard and hand"))
    theirs = Noun("all cards from their graveyard")
    everybody = f.Move(what=theirs, to="library", shuffle=True, who=Noun("each player"))
    g.rule("do", "each player shuffles their graveyard into their library", everybody)
    _rule(g, "shuffle~ <k:own> into their library", some, guard=lambda e: " card" in e["k"].text)
    _rule(g, "put~ <k:own> into their graveyard", {"to": "graveyard"})
    theirs = f.Move(what=Noun("all cards exiled this way"), to="hand")
    g.wording("vp", "return~ to their hand each card they exiled this way", theirs)
    back = f.Move(what=Noun("all cards exiled this way"), to="battlefield", under=Noun("its owner"))
    g.wording("vp", "put~ all cards they exiled this way onto the battlefield", back)


def _owners(g: Grammar) -> None:
    """What an owner shuffles away, and what comes of the library then."""
    away = f.Move(what=S.w, to="library", shuffle=True)
    owner, top = Noun("its owner"), Noun("the top card of its owner's library")
    head = "the owner of <w:one> shuffles it into their library"
    there = f.Move(what=Noun("it"), to="battlefield", under=owner)
    found = f.If(condition=f.Is(what=Noun("it"), of=Noun("a permanent card")), then=(there,))
    put = "onto the battlefield"
    tails = [
        f"then reveals the top card of their library . if it's a permanent card , {they} {put}"
        for they in ("they put it", "that player puts it")
    ]
    shown = (away, f.Look(what=top, reveal=True), found)
    g.rule("do", f"{head} , {tails[0]}", shown, f"{head} , {tails[1]}")
    drawn = (away, f.Draw(count=S.n, who=owner))
    g.rule("do", f"{head} , then draws <n:count> cards", drawn, guard=lambda e: e["n"] != 1)


def _rule(g: Grammar, said: str, fields: dict[str, Any], *variants: str, guard: Any = None) -> None:
    g.rule("vp", said, f.Move(what=S.k, who=S.who, **fields), *variants, guard=guard)


def _is_own(noun: Any) -> bool:
    """Whether a phrase speaks of what the acting players choose, or have all of, among what is theirs."""
    if not isinstance(noun, Noun) or not isinstance(noun.reading, n.Choose | n.Each):
        return False
    kind = n.kind_of(noun.reading)
    whose = [part.by for part in walk(kind.objects) if isinstance(part, n.OwnedBy | n.ControlledBy)] if kind else []
    return whose == [_THEY] and not any(isinstance(part, n.It) and part != _THEY for part in walk(noun.reading))


def _own_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("noun", place) if _is_own(one.value)]
