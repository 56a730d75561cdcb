"""Rules for instructions about combat and damage that later sets brought: damage dealt at once, becoming blocked, pairs, excess."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import with_owner

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
WHAT = S.what


def install(g: Grammar) -> None:
    """Adds the rules."""
    _at_once(g)
    _combat(g)
    _goaded(g)
    _suspected(g)
    _ways(g)
    _limited(g)
    _others(g)
    _joining(g)


def _joining(g: Grammar) -> None:
    """What a creature on the battlefield is attacking all at once (current 508.4)."""
    for whose, of in (("that opponent", Noun("that opponent")), ("that player", Noun("that player"))):
        said = f"choose a player or planeswalker {whose} is attacking"
        joins = f.BecomeAttacking(what=THIS, of=of)
        g.rule("do", f"{said} . {{this}} is attacking that player or planeswalker", joins)


def _at_once(g: Grammar) -> None:
    """Damage that one source deals to several, or several to one, is one event (119.4)."""
    first = f.Damage(amount=S.n, to=S.to, source=WHAT)
    second = f.Damage(amount=S.m, to=S.to2, source=WHAT)
    third = f.Damage(amount=S.k, to=Noun("another target"), source=WHAT)
    two = "deal~ <n:number> damage to <to:mixed> , <m:number> damage to <to2:mixed> , and <k:number> damage to"
    g.rule("op", f"{two} a third target", f.AtOnce(parts=(first, second, third)))
    either = replace(third, to=Noun("another target creature or player"))
    g.rule("op", f"{two} a third target creature or player", f.AtOnce(parts=(first, second, either)))
    creature = replace(third, to=Noun("another target creature"))
    g.rule("op", f"{two} a third target creature", f.AtOnce(parts=(first, second, creature)))
    for stat in ("power", "toughness"):
        own: Any = n.StatOf(stat=stat, of=Noun("that source"))
        each = f.Damage(amount=own, to=S.to, source=WHAT)
        both = (
            f.Bind(as_name="first", what=S.a),
            f.Bind(as_name="second", what=S.b),
            replace(each, source=Noun("$first and $second")),
        )
        g.wording("op", f"each deal damage equal to their {stat} to <to:mixed>", each, guard=_no_two_targets)
        those = replace(each, source=Noun("those creatures"))
        g.wording("do", f"each of those creatures deals damage equal to its {stat} to <to:mixed>", those)
        g.rule(
            "do",
            f"<a:one> and <b:things> each deal damage equal to their {stat} to <to:mixed>",
            both,
            guard=_two_targets,
        )


def _two_targets(e: dict[str, Any]) -> bool:
    return isinstance(e["a"].reading, n.Target) and isinstance(e["b"].reading, n.Target)


def _no_two_targets(e: dict[str, Any]) -> bool:
    what = getattr(e.get("what", IT), "reading", None)
    return not (isinstance(what, n.Both) and any(isinstance(part, n.Target) for part in what.parts))


def _combat(g: Grammar) -> None:
    r = g.rule
    r("op", "become~ blocked", f.BecomeBlocked(what=WHAT))
    r(
        "do",
        "reselect which player or permanent <what:things> is attacking",
        f.Reselect(what=WHAT),
        "reselect which player <what:things> is attacking",
    )
    for text, rule in (("attack~", "attacks if able"), ("block~", "blocks if able")):
        flag: Any = f.Flag(rule=rule)  # type: ignore[arg-type]
        made = f.Effect(what=WHAT, mods=(flag,), duration=S.d)
        r("op", f"{text} <d:thisturn> if able", made, guard=_now_at_most)
        all_of = f"<what:things> {text} this turn if able"
        several = f.Effect(what=WHAT, mods=(flag,), following=True)
        r("do", all_of, several, guard=lambda e: not _single_subject(e))
    lured = f.Effect(what=WHAT, mods=(f.Flag(rule="must be blocked"),), duration=S.d)
    said = "must be blocked <d:thisturn> if able"
    r("op", said, lured, "must be blocked if able <d:thisturn>", guard=_now_at_most)
    sent = f.Effect(what=WHAT, mods=(f.Flag(rule="attacks if able"),), duration="during their next combat")
    r("op", "attack~ during its controller 's next combat phase if able", sent, guard=_single_subject)
    for one in (THIS, IT):
        facing = f.Effect(what=WHAT, mods=(f.Flag(rule="blocks if able", param=one),), duration=S.d)
        r("op", f"block~ {one.text} <d:thisturn> if able", facing, guard=_now_at_most)
    for whom in (YOU, Noun("that player"), THIS):
        whose = f.Flag(rule="attacks if able", param=whom)
        r("op", f"attack~ {whom.text} this turn if able", f.Effect(what=WHAT, mods=(whose,)), guard=_single_subject)
    lured = f.Effect(
        what=Noun("creatures that player controls"),
        mods=(f.Flag(rule="attacks if able", param=THIS),),
        duration="end of their next turn",  # creatures attack on their controller's turn alone
        following=True,
    )
    drawn = "'s next turn , creatures that player controls attack {this} if able"
    g.terminal("aimedplayer", _aimed_player_at, lambda p, v: p.write("person", v))
    r("do", f"during <p:aimedplayer> {drawn}", (f.Bind(as_name="player", what=S.p), lured))
    g.terminal("ownblockers", _blockers_at, lambda p, v: p.write("noun", v))
    cant = f.Continuous(what=S.q, mods=(f.Flag(rule="can't block"),))
    g.wording(
        "static",
        "your opponents can't block with <q:ownblockers>",
        (cant,),
        "your opponent can't block with <q:ownblockers>",
    )


def _aimed_player_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One target player."""
    return [one for one in reader.read("person", place) if isinstance(one.value.reading, n.Target)]


def _goaded(g: Grammar) -> None:
    """Goading (current 701.15)."""
    goaded = (f.Flag(rule="goaded"),)
    r = g.rule
    r("do", "goad <what:things>", f.Effect(what=WHAT, mods=goaded, duration="your next turn"))
    r("op", "are~ goaded <d:lasting>", f.Effect(what=WHAT, mods=goaded, duration=S.d))
    must = f.Effect(what=WHAT, mods=(f.Flag(rule="attacks if able"),), duration=S.d, following=True)  # 611.2c
    said = "<what:things> attack each combat if able"
    r("do", f"<d:until> , {said}", must, f"{said} <d:until>", guard=lambda e: isinstance(e["what"].reading, n.Each))
    r("op", "are~ goaded for the rest of the game", f.Effect(what=WHAT, mods=goaded, duration="forever"))
    r("smod", "are~ goaded", goaded)


def _suspected(g: Grammar) -> None:
    """Suspecting (current 701.60)."""
    suspects = f.Designate(what=WHAT, designation="suspected")
    g.rule("do", "suspect <what:things>", suspects)
    cleared = replace(suspects, no_longer=True)
    g.rule("op", "are~ no longer suspected", cleared)
    g.wording("do", "it's no longer suspected", replace(cleared, what=IT))


def _single_subject(e: dict[str, Any]) -> bool:
    return not isinstance(getattr(e.get("what", IT), "reading", None), n.Each)


def _now_at_most(e: dict[str, Any]) -> bool:
    """Whether it is said of one thing, and for this turn or combat."""
    return _single_subject(e) and e.get("d") != "your next turn"


def _blockers_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creatures with even mana values" that your opponents control."""
    for one in reader.read("plurals", place):
        made = with_owner(one.value.text, "your opponents")
        made = made or with_owner(one.value.text, "an opponent")
        if made is not None:
            yield Reading(one.end, made, one.words)


# --- what happened this way ------------------------------------------------------------------------------------------------------


def _ways(g: Grammar) -> None:
    r = g.rule
    theirs = f.Exists(of=Noun("each creature an opponent controls from among $excess"))
    r("way", "excess damage is dealt to the creature an opponent controls this way", theirs)
    r(
        "way",
        "excess damage is dealt to a creature this way",
        f.Exists(of=Noun("each creature from among $excess")),
        "excess damage was dealt this way",
        "excess damage was dealt to a creature this way",
        "excess damage was dealt to that creature this way",
        "excess damage is dealt this way",
        "excess damage is dealt to that creature this way",
    )
    some = f.Holds(left=n.ThatMuch(), compare=">=", right=1)
    r("way", "a player is dealt damage this way", f.AllOf(conditions=(some, f.Is(what=IT, of=Noun("a player")))))
    r(
        "amount",
        "the excess damage dealt this way",
        n.ThatMuch(name="excess damage"),
        "the amount of excess damage dealt this way",
        "the excess damage dealt to that creature this way",
        "the amount of excess damage dealt to that creature this way",
    )


# --- abilities that are activated but once -----------------------------------------------------------------------------------------


def _limited(g: Grammar) -> None:
    """Boast (current 702.142): only if it attacked this turn, once each turn. Exhaust (current 702.177): only once. Power-up
    (younger than the current edition's text): only once, for less by its own mana cost on the turn it entered."""
    read, write = g.readers["activated"], g.printers["activated"]
    g.terminal(
        "activated",
        lambda reader, place: [*read(reader, place), *_named_at(reader, place)],
        lambda printer, value: _named_words(printer, value) or write(printer, value),
    )


BOASTED = f.Is(what=THIS, of=Noun("creature that attacked this turn"))


NEW = f.Is(what=THIS, of=Noun("permanent that entered this turn"))
NAMED: dict[str, dict[str, Any]] = {
    "boast": {"limit": 1, "condition": BOASTED},
    "exhaust": {"limit": -1},
    "power-up": {"limit": -1, "changes": (f.CostChange(what=THIS, abilities=True, own_cost=True, condition=NEW),)},
}
"""The words before a dash that say when an ability can be activated and what it costs."""
PLAIN: dict[str, Any] = {"limit": 0, "condition": None, "changes": (), "keyword": ""}


def _named_at(reader: Reader, place: int) -> Iterable[Reading]:
    word = reader.at(place)
    if word not in NAMED or reader.at(place + 1) != "—":
        return
    for one in reader.read("activated", place + 2):
        if one.value == replace(one.value, **PLAIN):
            yield Reading(one.end, replace(one.value, **NAMED[word], keyword=word), (word, "—", *one.words))


def _named_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.ActivatedAbility) or value.keyword not in NAMED:
        return None
    plain = replace(value, **PLAIN)
    words = (
        printer.write("activated", plain)
        if value == replace(plain, **NAMED[value.keyword], keyword=value.keyword)
        else None
    )
    return None if words is None else (value.keyword, "—", *words)


# --- others ---------------------------------------------------------------------------------------------------------------------


def _others(g: Grammar) -> None:
    r = g.rule
    exchange = f.Exchange(left=YOU, right=S.who, what="life")
    r("do", "exchange your life total with <who:person>", exchange, "exchange life totals with <who:person>")
    opponent = f.Pick(what=Noun("each opponent"), random=True, as_name="player")
    r("do", "choose an opponent at random", opponent)
