"""Static replacement and prevention effects: damage, deaths, life gained, cards drawn (614, 615)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import ENTERS, Grammar, Printer, Reader, Reading, S, Words, walk
from server.oracle.nouns import noun, noun_words, speaks_of_it

YOU = Noun("you")
THIS = Noun("{this}")
_TO_THEM = (
    "",
    " to that permanent or player",
    " to that player or permanent",
    " to that player",
    " to that creature or player",
)
"""How texts name again whom the damage would have been dealt to."""


def install(g: Grammar) -> None:
    """Adds the rules."""
    _damage(g)
    _others(g)
    _buried(g)


def _damage(g: Grammar) -> None:
    r = g.rule

    def prevented(**fields: Any) -> f.Replacement:
        return f.Replacement(event=f.Pattern(event="damage", **fields), rewrite=(f.Prevent(),))

    g.terminal("receiver", _receivers_at, lambda p, v: p.write("noun", v))
    for word, combat in (("", None), ("combat ", True), ("noncombat ", False)):
        head = f"prevent all {word}damage that would be dealt"
        r("static", f"{head} to <to:receiver>", (prevented(object=S.to, combat=combat),))
        r("static", f"{head} by <by:receiver>", (prevented(subject=S.by, combat=combat),))
        said = f"prevent all {word}damage that <by:receiver> would deal to <to:receiver>"
        both = (prevented(object=S.to, subject=S.by, combat=combat),)
        r("static", f"{head} to <to:receiver> by <by:receiver>", both, said)
        r(
            "static",
            f"{head} to and dealt by <to:receiver>",
            (prevented(object=S.to, combat=combat), prevented(subject=S.to, combat=combat)),
        )
        one = f"if <by:receiver> would deal {word}damage to <to:receiver> ,"
        event = f.Pattern(event="damage", subject=S.by, object=S.to, combat=combat)
        r(
            "static",
            f"{one} prevent <n:number> of that damage",
            (f.Replacement(event=event, rewrite=(f.Prevent(amount=S.n),)),),
        )
        for way in ("up", "down"):
            half = f.Prevent(amount=n.Times(number=1, of=n.ThatMuch(), half=way))
            said = f"{one.replace('receiver> ,', 'recipient> ,')} prevent half that damage , rounded {way}"
            r("static", said, (f.Replacement(event=event, rewrite=(half,)),))
        g.wording("static", f"{one} prevent that damage", (f.Replacement(event=event, rewrite=(f.Prevent(),)),))
        counted = f.PutCounters(counter="-1/-1", what=Noun("that creature"), count=n.ThatMuch())
        said = f"if <by:receiver> would deal {word}damage to <to:receiver> ,"
        wither = f.Replacement(event=event, rewrite=(f.Instead(do=(counted,)),))
        r("static", f"{said} put that many -1/-1 counters on that creature instead", (wither,))
        for to in ("to <to:receiver>", "to a permanent or player"):
            one = f"if <by:receiver> would deal {word}damage {to} ,"
            about = f.Pattern(event="damage", subject=S.by, object=S.to if "<" in to else None, combat=combat)
            for said, scale in (
                ("triple that damage", f.Scale(times=3)),
                ("that much damage plus <n:number>", f.Scale(plus=S.n)),
            ):
                more = [f"{one} it deals {said}{its} instead" for its in (*_TO_THEM, " to that creature")]
                r("static", more[0], (f.Replacement(event=about, rewrite=(scale,)),), *more[1:], guard=_said_otherwise)
            doubled = [
                f"{one} {it} double that damage{its} instead"
                for it in ("it deals", "that source deals")
                for its in _TO_THEM
            ]
            if "<" not in to:  # to whomever
                doubled.append(f"if <by:receiver> would deal {word}damage , it deals double that damage instead")
            r(
                "static",
                doubled[0],
                (f.Replacement(event=about, rewrite=(f.Scale(times=2),)),),
                *dict.fromkeys(doubled[1:]),
                guard=_said_otherwise,
            )
        _prevented_with(g, word, combat)


def _prevented_with(g: Grammar, word: str, combat: bool | None) -> None:
    """ "If damage would be dealt to X, prevent that damage" and what is done about it (615.5), perhaps only "while" something."""
    dealt = f.Pattern(event="damage", subject=S.by, object=S.to, combat=combat)
    done = (f.Replacement(event=dealt, rewrite=(f.Prevent(then=S.then),)),)
    head = f"if <by:receiver> would deal {word}damage to <to:receiver> , prevent that damage"
    g.wording("static", f"{head} . <then:aftermaths>", done, f"{head} and <then:aftermaths>", guard=_no_it)
    for whom, shape in (
        ("would be dealt to <to:receiver>", f.Pattern(event="damage", object=S.to, combat=combat)),
        (
            "would be dealt to <to:receiver> by <by:receiver>",
            f.Pattern(event="damage", object=S.to, subject=S.by, combat=combat),
        ),
    ):
        for held, condition in (("", None), (" while <c:scond>", S.c), (" while <c:itcond>", S.c)):
            made = f.Replacement(event=shape, rewrite=(f.Prevent(),), condition=condition)
            said = f"if {word}damage {whom}{held} , prevent that damage"
            struck = f"if {{this}} would be dealt {word}damage{held} , prevent that damage"
            if "by <" not in whom:
                own = replace(made, event=replace(shape, object=THIS), rewrite=(f.Prevent(then=S.then),))
                g.wording("static", f"{struck} and <then:selfaftermaths>", (own,))
            (g.wording if condition is None else g.rule)("static", said, (made,))
            then = replace(made, rewrite=(f.Prevent(then=S.then),))
            for category, guard in (("aftermaths", _no_it), ("selfaftermaths", _about_this)):
                g.rule("static", f"{said} . <then:{category}>", (then,), f"{said} and <then:{category}>", guard=guard)


def _no_it(e: dict[str, Any]) -> bool:
    return not speaks_of_it(e["then"])


def _about_this(e: dict[str, Any]) -> bool:
    return bool(e["to"] == THIS and any(part == THIS for part in walk(e["then"])))


def _receivers_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What deals or is dealt damage in a static ability: kinds, what it is attached to, {this}, you."""
    found: list[Reading] = []
    for one in reader.read("noun", place):
        reading = one.value.reading
        if (
            isinstance(reading, n.You | n.This | n.Attached)
            or isinstance(reading, n.Each)
            and one.words[0] not in ("all", "each")
            or isinstance(reading, n.Choose)
            and one.words[0] in ("a", "an", "another")
            or isinstance(reading, n.Things)
            and not reading.players
            and (one.words[-1] in ("sources", "spells") or one.words[0] == "sources")
        ):
            found.append(one)
    return found


def _priced(g: Grammar) -> None:
    """What enters only if it was cast, or after something is done instead of entering (614.1a)."""
    r = g.rule
    g.terminal("uncast", _uncast_at, _uncast_words)
    uncast = f.Pattern(event="zone change", subject=S.k, to="battlefield")
    r("static", "if <k:uncast> , exile it instead", (f.Replacement(event=uncast, rewrite=(f.ToZone(to="exile"),)),))
    onto = f.Move(what=THIS, to="battlefield")
    did = f.If(condition=f.Did(), then=(onto,), otherwise=(f.Move(what=THIS, to="graveyard"),))
    rest = "if you do , put {this} onto the battlefield . if you don't , put it into its owner 's graveyard"
    paid = f.Replacement(event=ENTERS, rewrite=(f.Instead(do=(S["do"], did)),))
    r("static", f"if {{this}} would enter , <do:notmay> instead . {rest}", (paid,))
    asked = f.Replacement(event=ENTERS, rewrite=(f.Instead(do=(f.May(then=S.do), did)),))
    r("static", f"if {{this}} would enter , you may <do:chain> instead . {rest}", (asked,))


_UNCAST = "that wasn't cast"
_ENTERS_UNCAST: Words = ("would", "enter", "and", "it", "wasn't", "cast")


def _uncast_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "A creature would enter and it wasn't cast", as a creature that wasn't: what a copy of a spell becomes was on the stack, too."""
    for one in reader.read("noun", place):
        end = one.end + len(_ENTERS_UNCAST)
        if one.words[0] in ("a", "an", "another") and reader.words[one.end : end] == _ENTERS_UNCAST:
            kind = noun(f"{one.value.text} {_UNCAST}")
            if kind is not None and isinstance(kind.reading, n.Choose):
                yield Reading(end, kind, (*one.words, *_ENTERS_UNCAST))


def _uncast_words(_: Printer, value: Any) -> Words | None:
    kind = noun(value.text.removesuffix(_UNCAST).strip()) if isinstance(value, Noun) else None
    return (*noun_words(kind), *_ENTERS_UNCAST) if kind is not None and kind != value else None


def _instead(g: Grammar, template: str, event: f.Pattern, rewrite: f.AnyRewrite, *more: str) -> None:
    g.rule("static", template, (f.Replacement(event=event, rewrite=(rewrite,)),), *more)


def _from_anywhere(g: Grammar) -> None:
    """Cards that are exiled instead of being put into a graveyard, perhaps with a counter on them."""
    for who, text in (("a", "a graveyard"), ("an opponent's", "an opponent 's graveyard"), ("your", "your graveyard")):
        card = noun({"a": "a card", "your": "a card you own"}.get(who, "a card an opponent owns"))
        if card is not None:
            _instead(
                g,
                f"if a card would be put into {text} from anywhere , exile it instead",
                f.Pattern(event="zone change", subject=card, to="graveyard"),
                f.ToZone(to="exile"),
                f"if a card would be put into {text} from anywhere , exile that card instead",
            )
            _instead(
                g,
                f"if a card would be put into {text} from anywhere , instead exile it with a <k:counter> counter on it",
                f.Pattern(event="zone change", subject=card, to="graveyard"),
                f.ToZone(to="exile", counter=S.k),
                f"if a card would be put into {text} from anywhere , exile it with a <k:counter> counter on it instead",
            )


def _others(g: Grammar) -> None:
    r = g.rule

    def instead(template: str, event: f.Pattern, rewrite: f.AnyRewrite, *more: str, **fields: Any) -> None:
        r("static", template, (f.Replacement(event=event, rewrite=(rewrite,), **fields),), *more)

    dies = f.Pattern(event="zone change", subject=S.what, from_="battlefield", to="graveyard")
    for where, to in (
        ("exile it", f.ToZone(to="exile")),
        ("return it to its owner 's hand", f.ToZone(to="hand")),
        ("put it on top of its owner 's library", f.ToZone(to="library")),
        ("put it on the bottom of its owner 's library", f.ToZone(to="library", bottom=True)),
        ("shuffle it into its owner 's library", f.ToZone(to="library", shuffle=True)),
    ):
        instead(f"if <what:receiver> would die , {where} instead", dies, to)
    _priced(g)
    gone = f.Pattern(event="zone change", subject=THIS, to="graveyard")
    library = f.ToZone(to="library", shuffle=True, reveal=True)
    head = "if {this} would be put into a graveyard from anywhere ,"
    instead(
        f"{head} reveal {{this}} and shuffle it into its owner 's library instead",
        gone,
        library,
        f"{head} reveal it and shuffle it into its owner 's library instead",
    )
    instead(f"{head} exile it instead", gone, f.ToZone(to="exile"))
    token = Noun("a card or token")
    instead(
        "if a card or token would be put into a graveyard from anywhere , exile it instead",
        f.Pattern(event="zone change", subject=token, to="graveyard"),
        f.ToZone(to="exile"),
    )
    _from_anywhere(g)
    instead("if {this} would be destroyed , regenerate it", f.Pattern(event="destroy", subject=THIS), f.Regenerates())
    gain = f.Pattern(event="life gain", subject=YOU)
    instead("if you would gain life , you gain twice that much life instead", gain, f.Scale(times=2))
    instead("if you would gain life , you gain that much life plus <n:number> instead", gain, f.Scale(plus=S.n))
    draw = f.Pattern(event="draw", subject=YOU)
    instead(
        "if you would draw a card , <do:notmay> instead",
        draw,
        f.Instead(do=S.do),
        "if you would draw a card , instead <do:notmay>",
    )
    instead(
        "if you would draw a card , you may <do:chain> instead",
        draw,
        f.Instead(do=S.do),
        "if you would draw a card , you may instead <do:chain>",
        optional=True,
    )


def _buried(g: Grammar) -> None:
    """Cards of a kind that are exiled instead of being put into graveyards."""
    r = g.rule
    dies = f.Pattern(event="zone change", subject=S.a, from_="battlefield", to="graveyard")
    kind = f.Pattern(event="zone change", subject=S.k, to="graveyard")
    buried = f.Replacement(event=kind, rewrite=(f.ToZone(to="exile"),))
    said = "if <k:receiver> would be put into a graveyard from anywhere , exile it instead"
    r("static", said, (buried,), guard=lambda e: _of_cards(e["k"]))
    for whose, text in (("a card", "a graveyard"), ("a card you own", "your graveyard")):
        gone = f.Pattern(event="zone change", subject=Noun(whose), to="graveyard")
        shield = f.Shield(effect=f.Replacement(event=gone, rewrite=(f.ToZone(to="exile"),)))
        head = f"if a card would be put into {text} from anywhere this turn ,"
        r("do", f"{head} exile it instead", shield, f"{head} exile that card instead")
    theirs = Noun("a creature card an opponent owns")
    elsewhere = f.Pattern(event="zone change", subject=theirs, to="graveyard", not_from="battlefield")
    gone_too = tuple(f.Replacement(event=event, rewrite=(f.ToZone(to="exile"),)) for event in (dies, elsewhere))
    r(
        "static",
        "if <a:receiver> would die or a creature card not on the battlefield would be put into an opponent 's graveyard , "
        "exile that card instead",
        gone_too,
    )


def _of_cards(kind: Noun) -> bool:
    """Whether it is cards of a kind, or cards and tokens; of all of them a template of their own speaks."""
    return kind.text.endswith((" card", " card or token")) and kind.text != "a card or token"


def _said_otherwise(e: dict[str, Any]) -> bool:
    """Whether the receiver is not the one that has a template of its own."""
    return getattr(e.get("to"), "text", "") != "a permanent or player" and e.get("n") != -1
