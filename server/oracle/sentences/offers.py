"""What other players may pay or have done, and what follows if they do, or if nobody does (117.12)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, filled

THAT_PLAYER = Noun("that player")
YOU = Noun("you")
_DOES = ("that player does", "the player does", "he or she does", "they do")
_DOES_NOT = ("they don't", "that player doesn't", "the player doesn't", "he or she doesn't")
_ANY = (("any opponent", Noun("each opponent")), ("any player", Noun("each player")))


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("theirs", _theirs_at, _theirs_words)
    _offered(g)
    _of_one(g)
    _of_any(g)
    _up_to_two(g)
    _tempting(g)
    _joining_forces(g)
    _so_much_life(g)
    _counters_of_each(g)


def _theirs_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What a player other than you may do: predicates of "that player"."""
    for one in reader.read("vp", place):
        value = filled(one.value, {"who": THAT_PLAYER})
        if reader.at(place) == one.words[0].rstrip("~"):
            value = value if isinstance(value, tuple) else (value,)
            yield Reading(one.end, value, one.words)
            for more in _theirs_at(reader, one.end + 1) if reader.at(one.end) == "and" else ():
                yield Reading(more.end, (*value, *more.value), (*one.words, "and", *more.words))


def _theirs_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple):
        return None
    words: list[str] = []
    for verb in value:
        one = printer.write("chain", (verb,))
        if one is None or one[:2] != ("that", "player"):
            whole = printer.write("chain", value)
            return whole[2:] if whole is not None and whole[:2] == ("that", "player") else None
        words += ("and", *one[2:]) if words else one[2:]
    return tuple(words)


def _tempting(g: Grammar) -> None:
    """ "Each opponent may create a token. For each opponent who does, create a token"."""
    for of in ("each opponent", "each player"):
        offered = f.ForEach(of=Noun(of), then=(f.May(then=S.v, who=THAT_PLAYER),))
        again = f.ForEach(times=n.ThatMuch(name="any did"), then=S.do)
        said = [f"{of} may <v:theirs> . for each {who} who does , <do:chain>" for who in ("player", "opponent")]
        g.rule("governed", said[0], (offered, again), *said[1:])


def _counters_of_each(g: Grammar) -> None:
    """ "Each player may put a counter on a creature they control. If a player does, ..." of that player."""
    added = (f.Pick(what=S.w, who=THAT_PLAYER), f.PutCounters(counter=S.k, what=Noun("it"), count=S.n))
    for of in ("each player", "each opponent"):
        told = f.May(then=(*added, f.If(condition=f.Did(), then=S.then)), who=THAT_PLAYER)
        said = f"{of} may put <n:count> <k:counter> counter|counters on <w:onechosen>"
        g.rule("governed", said, (f.PickEach(what=S.w, who=Noun(of), may=True), added[1]))
        does = [f"{said} . if {who} does , <then:chain>" for who in ("a player", "an opponent")]
        g.rule("governed", does[0], (f.ForEach(of=Noun(of), then=(told,)),), *does[1:])


def _joining_forces(g: Grammar) -> None:
    """ "Starting with you, each player may pay any amount of mana", and what is done with the total."""
    pays = f.May(cost=(f.ManaCost(mana="{X}"),), who=THAT_PLAYER)
    each = f.ForEach(of=Noun("each player"), then=(pays,), from_you=True)
    total = f.Bind(as_name="X", amount=n.ThatMuch(name="paid"))
    tail = "<do:chain> , where X is the total amount of mana paid this way"
    heads = ("starting with you , each player", "each player starting with you")
    said = [f"{head} may pay any amount of mana . {tail}" for head in heads]
    g.rule("do", said[0], (each, total, S["do"]), said[1], guard=lambda e: not isinstance(e["do"][0], f.May))


def _so_much_life(g: Grammar) -> None:
    """ "You may pay X life, where X is its power. If you do, draw X cards": so much, which nobody chooses."""
    pays = f.May(cost=(f.LifeCost(amount=n.X()),), then=S.then)
    said = "you may pay X life , where X is <a:amount> . if you do , <then:chain>"
    g.rule("governed", said, (f.Bind(as_name="X", amount=S.a), pays))


def _up_to_two(g: Grammar) -> None:
    """ "Its controller may draw up to two cards": how many is chosen before the first is drawn."""
    many = tuple(f.Mode(do=(f.Draw(count=n, who=S.who),), text=text) for n, text in ((2, "Draw two"), (1, "Draw one")))
    may = f.May(who=S.who, then=(f.Either(options=many, who=S.who),))
    head = "<who:person> may draw up to two cards"
    g.rule("governed", head, (may,))
    later = f.Delayed(when=(f.Pattern(event="step", step="upkeep"),), then=(may,))
    g.rule("governed", f"{head} at the beginning of the next turn 's upkeep", (later,))


def _offered(g: Grammar) -> None:
    """ "have {this} deal 4 damage to them", "have you draw a card": what somebody lets happen."""
    struck = f.Damage(amount=S.n, to=THAT_PLAYER, source=S.s)
    head = "have <s:one> deal <n:number> damage to"
    g.rule("allowed", f"{head} that player", (struck,), f"{head} them", f"{head} him or her")
    g.rule("allowed", "have <d:simple>", S.d, guard=lambda e: _done_by_you(e["d"]))


def _done_by_you(tree: f.Tree) -> bool:
    """Whether you do all of it."""
    return all(getattr(verb, "who", None) == YOU for verb in tree)


def _of_one(g: Grammar) -> None:
    """What one other player may pay or allow."""
    r = g.rule
    pays = f.May(cost=S.t, then=S.then, who=S.who)
    paid = [f"<who:other> may <t:toll> . if {does} , <then:chain>" for does in _DOES]
    r("governed", paid[0], (pays,), *paid[1:], guard=_is_plain_price)
    unpaid = [f"<who:other> may <t:toll> . if {does} , <then:chain>" for does in _DOES_NOT[2:]]
    refused = f.May(cost=S.t, otherwise=S.then, who=S.who)
    g.wording("governed", unpaid[0], (refused,), *unpaid[1:], guard=_is_plain_price)
    either = f.Tap(what=S.w, either=True, who=S.who)
    r("governed", "<who:other> may tap or untap <w:things>", (f.May(then=(either,), who=S.who),))
    allows = f.May(then=S.v, who=S.who)
    did = [f"<who:other> may <v:allowed> . if {does} , <then:chain>" for does in _DOES]
    r("governed", did[0], (replace(allows, then=(S["v"], f.If(condition=f.Did(), then=S.then))),), *did[1:])
    refused = replace(allows, otherwise=S.then)
    not_so = [f"<who:other> may <v:allowed> . if {does} , <then:chain>" for does in _DOES_NOT]
    r("governed", not_so[0], (refused,), *not_so[1:])
    r("governed", "<who:other> may <v:allowed>", (allows,))
    r(
        "governed",
        not_so[0].replace("allowed", "theirs"),
        (refused,),
        *(t.replace("allowed", "theirs") for t in not_so[1:]),
        guard=lambda e: not _is_paid(e["v"][0]),
    )


def _is_paid(verb: Any) -> bool:
    """Whether it is what one may pay: a card is discarded, or something of a kind is sacrificed."""
    return isinstance(verb, f.Discard) or isinstance(verb, f.Sacrifice) and isinstance(verb.what.reading, n.Choose)


def _of_any(g: Grammar) -> None:
    """What each of several may pay or allow, asked in turn order; it is told whether one of them did."""
    r = g.rule
    one_did = f.If(condition=f.Did(anyone=True), then=S.then)
    no_one = f.If(condition=f.NotSo(condition=f.Did(anyone=True)), then=S.then)
    for said, of in _ANY:
        for slot, may, guard in (
            ("t:toll", f.May(cost=S.t, who=THAT_PLAYER), _is_plain_price),
            ("v:allowed", f.May(then=S.v, who=THAT_PLAYER), None),
        ):
            each = f.ForEach(of=of, then=(may,))
            asked = f"{said} may <{slot}>"
            does = [f"{asked} . if {who} does , <then:chain>" for who in ("a player", "an opponent")]
            r("governed", does[0], (each, one_did), *does[1:], guard=guard)
            r("governed", f"{asked} . if no one does , <then:chain>", (each, no_one),
              f"{asked} . if no player does , <then:chain>", guard=guard)  # fmt: skip


def doubly_may(verb: Any) -> bool:
    """Whether one may do something and, if one does, may do another thing."""
    then = verb.then[-1] if isinstance(verb, f.May) and verb.then else None
    return isinstance(then, f.If) and then.condition == f.Did() and isinstance(then.then[-1], f.May)


def _is_plain_price(e: dict[str, Any]) -> bool:
    """Whether it is mana or life: what is sacrificed or discarded is read as what the player may do."""
    return all(isinstance(part, f.ManaCost | f.LifeCost) for part in e["t"])
