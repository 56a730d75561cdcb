"""Objects that change zones: destroyed, countered, exiled, returned, shuffled away."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S
from server.oracle.nouns import is_one, noun, noun_words

YOU = Noun("you")
IT = Noun("it")
_OWNERS_HANDS = ("its owner 's hand", "their owner 's hand", "their owners 's hands", "their owners 's hand")
_THEIR_HANDS = tuple(("to", *hand.split(), "except", "for") for hand in _OWNERS_HANDS)
THIS = Noun("{this}")
_JUST_CAST = ("it", "that spell")
WHAT = S.what


def install(g: Grammar) -> None:
    """Adds the rules."""
    _destroyed(g)
    _countered(g)
    _countered_for_more(g)
    _countered_for_sure(g)
    _lapsed(g)
    _of_same_value(g)
    _sacrificed_or_exiled(g)
    _to_hand(g)
    _commander_to_hand(g)
    _to_battlefield(g)
    _attached(g)
    _to_library_or_graveyard(g)


def _destroyed(g: Grammar) -> None:
    """Permanents that are destroyed (701.6)."""
    r = g.rule
    r("do", "destroy <what:things>", f.Destroy(what=WHAT))
    r(
        "do",
        "destroy <what:things> . it can't be regenerated",
        f.Destroy(what=WHAT, no_regeneration=True),
        "destroy <what:things> . they can't be regenerated",
        "destroy <what:things> . a creature destroyed this way can't be regenerated",
        "destroy <what:things> . that creature can't be regenerated",
        "destroy <what:things> . the creature can't be regenerated",
        "destroy <what:things> . creatures destroyed this way can't be regenerated",
        "destroy <what:things> . those creatures can't be regenerated",
    )
    so_many = (f.Bind(as_name="X", amount=S.a), f.Destroy(what=WHAT, no_regeneration=True))
    g.wording("do", "destroy <what:things> , where X is <a:amount> . they can't be regenerated", so_many)


def _countered(g: Grammar) -> None:
    """Spells and abilities that are countered (701.5), and what is paid against it."""
    r = g.rule
    r(
        "do",
        "counter <what:things>",
        f.CounterSpell(what=WHAT),
        guard=lambda e: not isinstance(e["what"].reading, n.Choose),
    )
    r(
        "do",
        "counter <what:things> . if that spell is countered this way , exile it instead of putting it into its owner 's graveyard",
        f.CounterSpell(what=WHAT, to="exile"),
    )
    r(
        "do",
        "counter <what:one> unless its controller pay~ <mana>",
        (
            f.Bind(as_name="spell", what=WHAT),
            f.Unless(
                who=Noun("$spell's controller"),
                cost=(f.ManaCost(mana=S.mana),),
                then=(f.CounterSpell(what=Noun("$spell")),),
            ),
        ),
    )
    saved = f.Unless(who=Noun("$spell's controller"), cost=S.t, then=(f.CounterSpell(what=Noun("$spell")),))
    given = (f.Bind(as_name="spell", what=WHAT), saved)
    r("do", "counter <what:one> unless its controller <t:toll>", given, guard=_is_other_toll)
    for who in ("you", "that player"):  # who cast it, whoever controls it now
        by_other = (given[0], replace(saved, who=Noun(who)))
        r("do", f"counter <what:one> unless {who} <t:toll>", by_other, guard=lambda e: e["what"].text in _JUST_CAST)
    r(
        "do",
        "counter <what:one> unless its controller pay~ <mana> . if that spell is countered this way , exile it instead of putting "
        "it into its owner 's graveyard",
        (
            f.Bind(as_name="spell", what=WHAT),
            f.Unless(
                who=Noun("$spell's controller"),
                cost=(f.ManaCost(mana=S.mana),),
                then=(f.CounterSpell(what=Noun("$spell"), to="exile"),),
            ),
        ),
    )
    r(
        "do",
        "counter <what:one> unless its controller pay~ <mana> for each <e:each>",
        (
            f.Bind(as_name="spell", what=WHAT),
            f.Unless(
                who=Noun("$spell's controller"),
                cost=(f.ManaCost(mana=S.mana, per=S.e),),
                then=(f.CounterSpell(what=Noun("$spell")),),
            ),
        ),
    )


def _countered_for_more(g: Grammar) -> None:
    """Spells against which so much is paid, and as much again for each of something."""
    more = f.ManaCost(mana=S.mana, per=n.Plus(parts=(1, S.e)))
    spared = f.Unless(who=Noun("$spell's controller"), cost=(more,), then=(f.CounterSpell(what=Noun("$spell")),))
    said = "counter <what:one> unless its controller pay~ <mana> plus an additional <mana> for each <e:each>"
    g.rule("do", said, (f.Bind(as_name="spell", what=WHAT), spared))


def _countered_for_sure(g: Grammar) -> None:
    """Spells against which nothing can be paid if something is so."""
    r = g.rule
    spared = f.Unless(
        who=Noun("$spell's controller"), cost=(f.ManaCost(mana=S.mana),), then=(f.CounterSpell(what=Noun("$spell")),)
    )
    surely = f.InsteadIf(first=(spared,), condition=S.c, instead=(f.CounterSpell(what=Noun("$spell")),))
    r(
        "do",
        "counter <what:one> unless its controller pay~ <mana> . if <c:cond> , counter that spell instead",
        (f.Bind(as_name="spell", what=WHAT), surely),
        "counter <what:one> unless its controller pay~ <mana> . if <c:cond> , instead counter that spell",
    )


def _of_same_value(g: Grammar) -> None:
    """A spell that is countered if a card that was just revealed is worth as much."""
    spell, shown = Noun("that spell"), Noun("$looked")
    same = f.Holds(left=n.StatOf(stat="mana value", of=spell), compare="=", right=n.StatOf(stat="mana value", of=shown))
    said = "counter that spell if it has the same mana value as the revealed card"
    g.rule("do", said, f.If(condition=same, then=(f.CounterSpell(what=spell),)))


_OTHER_TOLLS = (f.DamageCost, f.DiscardCost, f.EitherCost, f.LifeCost, f.SacrificeCost)


def _is_other_toll(e: dict[str, object]) -> bool:
    """Whether something else than mana would be given against it."""
    toll = e["t"]
    return isinstance(toll, tuple) and len(toll) == 1 and isinstance(toll[0], _OTHER_TOLLS)


def _lapsed(g: Grammar) -> None:
    """Countered spells that are put elsewhere than into a graveyard."""
    r = g.rule
    tails = ("its owner 's graveyard", "that player 's graveyard", "their graveyard", "the graveyard")
    lapse = "counter <what:things> . if that spell is countered this way , put it"
    for place, fields in (
        ("on top of its owner 's library", {"to": "library", "top": True}),
        ("on the bottom of its owner 's library", {"to": "library"}),
        ("into its owner 's hand", {"to": "hand"}),
    ):
        forms = [f"{lapse} {place} instead of into {tail}" for tail in tails]
        r("do", forms[0], f.CounterSpell(what=WHAT, **fields), *forms[1:])  # type: ignore[arg-type]
    spell = Noun("$spell")
    above = f.CounterSpell(what=spell, to="library", top=True)
    either = (f.Mode(do=(above,), text="On top"), f.Mode(do=(replace(above, top=False),), text="On the bottom"))
    where = "on the top or bottom of its owner 's library"
    ends = [f"put {card} {where} instead of into {tail}" for card in ("that card", "it") for tail in tails]
    heads = [f"counter <what:one> . if that spell is countered this way , {end}" for end in ends]
    r("do", heads[0], (f.Bind(as_name="spell", what=WHAT), f.Either(options=either)), *heads[1:])


def _sacrificed_or_exiled(g: Grammar) -> None:
    """What is sacrificed unless something is paid, or exiled."""
    r = g.rule
    r("do", "sacrifice {this} unless you <t:toll>", f.Unless(cost=S.t, then=(f.Sacrifice(what=THIS),), who=YOU))
    r("do", "sacrifice it unless you <t:toll>", f.Unless(cost=S.t, then=(f.Sacrifice(what=IT),), who=YOU))
    for what in (THIS, IT):
        often = f.Unless(cost=(f.ManaCost(mana=S.m),), then=(f.Sacrifice(what=what),), who=YOU, times=S.e)
        r("do", f"sacrifice {what.text} unless you pay <m:mana> for each <e:each>", often)
    r("do", "exile <what:things>", f.Move(what=WHAT, to="exile"))
    r("do", "exile <what:things> face down", f.Move(what=WHAT, to="exile", face_down=True))
    own = f.Move(what=Noun("{this} from your graveyard"), to="library")
    g.wording("do", "put {this} on top of your library from your graveyard", own)
    theirs = Noun("all cards from all opponents' hands and all cards from all opponents' graveyards")
    said = "exile all cards from all opponents 's hands and graveyards"
    g.wording("do", said, f.Move(what=theirs, to="exile"))
    g.wording("do", "exile all graveyards", f.Move(what=Noun("all cards from all graveyards"), to="exile"))
    many = f.Move(what=Noun("the top that many cards of your library"), to="exile")
    g.wording("do", "exile that many cards from the top of your library", many)
    r(
        "do",
        "exile <what:things> until {this} leaves the battlefield",
        f.Move(what=WHAT, to="exile", until="source leaves"),
    )


def _to_hand(g: Grammar) -> None:
    """What is put into hands."""
    r = g.rule
    hand = (
        "its owner 's hand",
        "their owner 's hand",
        "their owners 's hands",
        "their owners 's hand",
        "your hand",
        "their hand",
        "that player 's hand",
    )
    r(
        "do",
        f"return <what:things> to {hand[0]}",
        f.Move(what=WHAT, to="hand"),
        *(f"return <what:things> to {h}" for h in hand[1:]),
        "return to your hand <what:things>",
        "put <what:things> into your hand",
        "put <what:things> into its owner 's hand",
        "put <what:things> into their owner 's hand",
    )
    g.wording("do", "put that many cards from the top of your library into your hand",
              f.Move(what=Noun("the top that many cards of your library"), to="hand"))  # fmt: skip
    there = f.Is(
        what=Noun("that card"), of=Noun("card in your graveyard")
    )  # not if it went elsewhere (madness, 702.33a)
    gone = f.If(condition=there, then=(f.Move(what=Noun("that card"), to="exile"),))
    r("do", "exile that card from your graveyard", gone)
    g.terminal("allbut", _all_but, lambda p, v: None)
    g.wording("do", "return <what:allbut>", f.Move(what=WHAT, to="hand"))


def _commander_to_hand(g: Grammar) -> None:
    """A commander that is put into the hand from the command zone."""
    own = f.Move(what=Noun("a commander you own from the command zone"), to="hand")
    g.rule("do", "put your commander into your hand from the command zone", own)


def _all_but(reader: Reader, place: int) -> Iterable[Reading]:
    """ "all creatures to their owners' hands except for Krakens and Serpents": who stays stands last."""
    if "except" not in reader.present:
        return
    for one in reader.read("noun", place):
        tail = next((t for t in _THEIR_HANDS if reader.words[one.end : one.end + len(t)] == t), None)
        for kept in reader.read("noun", one.end + len(tail)) if tail is not None else ():
            what = noun(f"{one.value.text} except for {kept.value.text}")
            if what is not None and isinstance(one.value.reading, n.Each):
                yield Reading(kept.end, what, noun_words(what))


def _to_battlefield(g: Grammar) -> None:
    """What is put onto the battlefield: tapped, attacking, under whose control, with what on it."""
    r = g.rule
    r(
        "do",
        "return <what:things> to the battlefield",
        f.Move(what=WHAT, to="battlefield"),
        "return <what:things> to the battlefield under your control",
        "return to the battlefield <what:things>",
        "put <what:things> onto the battlefield",
        "put <what:things> onto the battlefield under your control",
    )
    r(
        "do",
        "return <what:things> to the battlefield face down",
        f.Move(what=WHAT, to="battlefield", face_down=True),
        "return <what:things> to the battlefield face down under your control",
    )
    r(
        "do",
        "return <what:things> to the battlefield tapped",
        f.Move(what=WHAT, to="battlefield", tapped=True),
        "return <what:things> to the battlefield tapped under your control",
        "put <what:things> onto the battlefield tapped",
        "put <what:things> onto the battlefield tapped under your control",
    )
    for tapped, said in ((False, "attacking"), (True, "tapped and attacking")):
        r(
            "do",
            f"put <what:things> onto the battlefield {said}",
            f.Move(what=WHAT, to="battlefield", tapped=tapped, attacking=True),
            f"put <what:things> onto the battlefield {said} under your control",
            f"return <what:things> to the battlefield {said}",
        )
    r(
        "do",
        "return <what:things> to the battlefield under its owner 's control",
        f.Move(what=WHAT, to="battlefield", under=Noun("its owner")),
        "put <what:things> onto the battlefield under its owner 's control",
        "return <what:things> to the battlefield under their owner 's control",
        "return <what:things> to the battlefield under their owners 's control",
        "return <what:things> to the battlefield under the control of that creature 's owner",
    )
    r(
        "do",
        "return <what:things> to the battlefield tapped under its owner 's control",
        f.Move(what=WHAT, to="battlefield", under=Noun("its owner"), tapped=True),
        "return <what:things> to the battlefield tapped under their owner 's control",
    )
    r(
        "do",
        "return <what:things> to the battlefield with a <counter> counter on it",
        f.Move(what=WHAT, to="battlefield", counter=S.counter),
        "return <what:things> to the battlefield under your control with a <counter> counter on it",
        "put <what:things> onto the battlefield with a <counter> counter on it",
        "put <what:things> onto the battlefield under your control with a <counter> counter on it",
    )


def _attached(g: Grammar) -> None:
    """What is put onto the battlefield attached to something."""
    r = g.rule
    r(
        "do",
        "return {this} from your graveyard to the battlefield attached to <to:thatone>",
        f.Move(what=Noun("{this} from your graveyard"), to="battlefield", attached_to=S.to),
    )
    r(
        "do",
        "put <what:things> onto the battlefield attached to <to:attachable>",
        f.Move(what=WHAT, to="battlefield", attached_to=S.to),
        "put <what:things> onto the battlefield under your control attached to <to:attachable>",
        guard=lambda e: "Aura" in e["what"].text,
    )
    back = f.Move(what=THIS, to="battlefield", attached_to=S.to)
    g.rule("do", "return {this} to the battlefield attached to <to:thatone>", back)
    g.terminal("attachable", _attachable_at, lambda p, v: p.write("noun", v))


_LIBRARIES = ("its owner 's", "your", "their owner 's")


def _to_library_or_graveyard(g: Grammar) -> None:
    """What is put into libraries and graveyards."""
    r = g.rule
    r(
        "do",
        "put <what:things> on top of its owner 's library",
        f.Move(what=WHAT, to="library"),
        "put <what:things> on top of your library",
        "put <what:things> on top of their owner 's library",
        guard=lambda e: is_one(e["what"]),
    )
    r(
        "do",
        "put <what:things> on the bottom of its owner 's library",
        f.Move(what=WHAT, to="library", bottom=True),
        "put <what:things> on the bottom of your library",
        "put <what:things> on the bottom of their owner 's library",
        "put <what:things> on the bottom of that player 's library",
        guard=lambda e: is_one(e["what"]),
    )
    for place, position in (("second", 1), ("third", 2)):
        below = f.Move(what=WHAT, to="library", position=position)
        into = [f"put <what:things> into {whose} library {place} from the top" for whose in _LIBRARIES]
        r("do", into[0], below, *into[1:], guard=lambda e: is_one(e["what"]))
    for side, bottom in (("on top of", False), ("on the bottom of", True)):
        theirs = f"put <what:things> {side} their owners 's libraries"
        r("do", theirs, f.Move(what=WHAT, to="library", bottom=bottom), guard=lambda e: not is_one(e["what"]))
    r(
        "do",
        "shuffle <what:things> into its owner 's library",
        f.Move(what=WHAT, to="library", shuffle=True),
        "shuffle <what:things> into your library",
        "shuffle <what:things> into their owner 's library",
        "shuffle <what:things> into their owners 's libraries",
        "shuffle <what:things> into their library",
    )
    r(
        "do",
        "put <what:things> into its owner 's graveyard",
        f.Move(what=WHAT, to="graveyard"),
        "put <what:things> into your graveyard",
        "return <what:things> to its owner 's graveyard",
        "put <what:things> into their owners 's graveyards",
        "put <what:things> into their owner 's graveyard",
        guard=lambda e: not isinstance(e["what"].reading, n.Top),
    )


def _attachable_at(reader: Reader, place: int) -> Iterable[Reading]:
    """{this} or one creature that is spoken of, to which an Aura that is put onto the battlefield is attached."""
    return [
        one for one in reader.read("one", place) if isinstance(one.value.reading, n.This | n.It | n.Target | n.Attached)
    ]
