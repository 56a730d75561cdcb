"""Trigger events of several things at once (603.2c): who is attacked, what is blocked by or deals damage to one or more others; and
of {this} as it goes on in a second event ("when {this} enters and whenever it attacks")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S
from server.oracle.nouns import with_owner

YOU = Noun("you")
THIS = Noun("{this}")
_CREATURES = Noun("creatures")
_MINE = Noun("creatures you control")
_PLAYER = Noun("a player")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _attacked(g)
    _blocked(g)
    _struck(g)
    put = f.Pattern(event="counters put", subject=S.s, counter=S.k, grain="batch")
    said = "one or more <k:counter> counters are put on one or more <s:plurals>"
    g.rule("event", said, (put,), guard=lambda e: _many(e["s"]))


def _many(about: Noun | None) -> bool:
    return about is not None and isinstance(about.reading, n.Each)


def _one_with_many(e: dict[str, Any]) -> bool:
    return not _many(e["s"]) and _many(e["o"]) and e["o"].text not in _MANY


def _many_with_many(e: dict[str, Any]) -> bool:
    return _many(e["s"]) and _many(e["o"]) and e["o"].text not in _MANY


def _one_with_players(e: dict[str, Any]) -> bool:
    return not _many(e["s"]) and e["o"] is not None and e["o"].text in _MANY


def _many_with_players(e: dict[str, Any]) -> bool:
    return _many(e["s"]) and e["o"] is not None and e["o"].text in _MANY


def _to_things(e: dict[str, Any]) -> bool:
    """Whether it is damage to objects of a kind: players are said otherwise."""
    return e["o"] is not None and e["o"].text not in _MANY


def _attacked(g: Grammar) -> None:
    """Who attacks whom with how many: for each player who is attacked once (current 508.3d)."""
    together = f.Pattern(event="attacks", subject=_CREATURES, object=Noun("enchanted player"), grain="batch")
    g.rule("event", "enchanted player is attacked", (together,))
    mine = replace(together, subject=_MINE, object=_PLAYER)
    g.wording("event", "you attack a player", (mine,), "you attack a player with one or more creatures")
    g.terminal("ownplurals", _own_at, lambda p, v: None)
    such = replace(together, subject=S.s, object=_PLAYER)
    g.wording("event", "you attack a player with one or more <s:ownplurals>", (such,))
    # "Whenever you attack with one or more Elves, draw that many cards": so many Elves, whatever else attacks.
    g.wording("event", "you attack with one or more <s:ownplurals>", (replace(such, object=None),))
    g.terminal("ownhorde", _horde_at, lambda p, v: None)
    g.wording("event", "<c:ownhorde> attack", (f.Pattern(event="attackers declared", subject=YOU, condition=S.c),))


def _own_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creatures with power 4 or greater" that you control; creatures alone are said otherwise."""
    for one in reader.read("plurals", place):
        made = with_owner(one.value.text, "you")
        if made is not None and one.value != _CREATURES and isinstance(made.reading, n.Each):
            yield Reading(one.end, made, one.words)


def _horde_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "two or more Ships you control": how many of them you attack with."""
    for count in reader.read("count", place):
        if not isinstance(count.value, int) or reader.words[count.end : count.end + 2] != ("or", "more"):
            continue
        for one in reader.read("plurals", count.end + 2) if count.value > 1 else ():
            head, mine, rest = one.value.text.partition(" you control")
            made = with_owner(f"attacking {head}{rest}", "you") if mine else None
            if made is not None and isinstance(made.reading, n.Each):
                yield Reading(one.end, f.Exists(of=made, number=count.value), (*count.words, "or", "more", *one.words))


def _blocked(g: Grammar) -> None:
    """What blocks, or is blocked by, one or more of a kind: all of them at once."""
    by = f.Pattern(event="becomes blocked by", subject=S.o, object=S.s, grain="batch")
    g.rule("event", "<s:subject> becomes blocked by one or more <o:plurals>", (by,), guard=_one_with_many)
    blocks = f.Pattern(event="blocks", subject=S.s, object=S.o, grain="batch")
    both = "<s:subject> blocks or becomes blocked by one or more <o:plurals>"
    g.rule("event", both, (blocks, by), guard=_one_with_many)


def _struck(g: Grammar) -> None:
    """To how many at once something deals damage."""
    for word, combat in (("", None), ("combat ", True), ("noncombat ", False)):
        deals: dict[str, Any] = {"event": "damage", "object": S.o, "combat": combat, "grain": "batch"}
        said = f"{word}damage to one or more <o:plurals>"
        shape = (f.Pattern(subject=S.s, **deals),)
        g.rule("event", f"<s:subject> deals {said}", shape, guard=lambda e: _one_with_many(e) and _to_things(e))
        several = f"one or more <s:plurals> deal {said}"
        g.rule("event", several, shape, guard=lambda e: _many_with_many(e) and _to_things(e))
        anyone = f"{word}damage to one or more <o:manyplayers>"
        struck = (f.Pattern(subject=S.s, **deals),)
        g.rule("event", f"<s:subject> deals {anyone}", struck, guard=_one_with_players)
        g.rule("event", f"one or more <s:plurals> deal {anyone}", struck, guard=_many_with_players)
    g.terminal("manyplayers", _players_at, lambda p, v: _MANY.get(v.text) if isinstance(v, Noun) else None)


_MANY = {"each player": ("players",), "your opponents": ("of", "your", "opponents")}


def _players_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "players", "of your opponents": however many of them."""
    for text, words in _MANY.items():
        if reader.words[place : place + len(words)] == words:
            yield Reading(place + len(words), Noun(text), words)
