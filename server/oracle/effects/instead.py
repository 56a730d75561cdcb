"""Rules for replacement effects on what is made, put, drawn or gained: tokens, counters, cards, life (614.1a); damage that is
something else, or less."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S, walk

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
TWICE: tuple[tuple[str, f.Scale], ...] = (
    ("twice that many", f.Scale(times=2)),
    ("three times that many", f.Scale(times=3)),
)
# How what was just spoken of is said again; the first is printed.
THINGS = ("it", "that creature", "that permanent", "{this}", "that permanent or player", "that land", "that artifact")


def install(g: Grammar) -> None:
    """Adds the rules."""
    empty = f.Holds(left=n.CardsIn(zone="library", of=Noun("you")), compare="=", right=0)
    drawn = f.Pattern(event="draw", subject=Noun("you"))
    wins = f.Replacement(event=drawn, rewrite=(f.Instead(do=(f.Win(),)),), condition=empty)
    g.rule(
        "static", "if you would draw a card while your library has no cards in it , you win the game instead", (wins,)
    )
    g.terminal("tokens", _tokens_at, lambda p, v: p.write("noun", v))
    _created(g)
    _counters(g)
    _players(g)
    _forced(g)
    _dying(g)
    _damage_instead(g)
    g.terminal("would", _would_at, lambda p, v: p.write("static", (v,)) if isinstance(v, f.Replacement) else None)
    for_a_while = f.Shield(effect=S.r, duration="end of turn")
    g.rule("do", "until end of turn , <r:would>", for_a_while)
    # 614.10: the next draw alone; what it aims at would be chosen now, for later.
    next_one = f.Shield(effect=f.Replacement(event=drawn, rewrite=(f.Instead(do=S.do),)), uses=1)
    head = "the next time you would draw a card this turn ,"
    g.rule("do", f"{head} <do:notmay> instead", next_one, f"{head} instead <do:notmay>", guard=_aims_at_nothing)


def _aims_at_nothing(e: dict[str, Any]) -> bool:
    return not any(isinstance(part, Noun) and "target" in part.text.split() for part in walk(e["do"]))


def _would_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A replacement effect in the words of a static ability."""
    for one in reader.read("static", place) if reader.at(place) == "if" else ():
        if len(one.value) == 1 and isinstance(one.value[0], f.Replacement) and one.value[0].condition is None:
            yield Reading(one.end, one.value[0], one.words)


def _static(g: Grammar, event: f.Pattern, rewrite: f.AnyRewrite, *templates: str, **fields: Any) -> None:
    """A replacement effect in several wordings."""
    shape = (f.Replacement(event=event, rewrite=(rewrite,), **fields),)
    wordings = tuple(dict.fromkeys(templates))
    g.rule("static", wordings[0], shape, *wordings[1:])


# --- tokens ---------------------------------------------------------------------------------------------------------------------


def _tokens_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Tokens of a kind ("creature tokens")."""
    return [
        one
        for one in reader.read("noun", place)
        if isinstance(one.value.reading, n.Each) and one.words[-1] == "tokens" and len(one.words) > 1
    ]


def _created(g: Grammar) -> None:
    for kind, noun in (("tokens", None), ("<k:tokens>", S.k)):
        yours = f.Pattern(event="token created", subject=YOU, object=noun)
        anyone = f.Pattern(event="token created", object=noun)
        for event, under in ((yours, " under your control"), (anyone, "")):
            head = f"if one or more {kind} would be created{under} ,"
            effect = f"if an effect would create one or more {kind}{under} , it creates"
            you = f"if you would create one or more {kind} ,"
            for times, scale in TWICE:
                said = [
                    f"{head} {times} of those tokens are created instead",
                    f"{effect} {times} of those tokens instead",
                ]
                if under:
                    said += [
                        f"{you} instead create {times} of those tokens",
                        f"{you} create {times} of those tokens instead",
                    ]
                _static(g, event, scale, *said)
            if not under:
                continue
            more = f.Also(do=(f.CreateToken(token=S.t),))
            plus = [f"those tokens plus {one} <t:token>" for one in ("an additional", "a|an")]
            said = [f"{head} {tokens} are created instead" for tokens in plus]
            said += [f"{you} instead create {tokens}" for tokens in plus]
            _static(g, event, more, *said)
            as_many = f.Also(do=(f.CreateToken(token=S.t, count=n.ThatMuch()),))
            many = "those tokens plus that many <t:token>"
            _static(g, event, as_many, f"{head} {many} are created instead", f"{you} instead create {many}")
            others = f.TokensInstead(token=S.t)
            that = "that many <t:token>"
            _static(g, event, others, f"{head} {that} are created instead", f"{you} instead create {that}")


# --- counters -------------------------------------------------------------------------------------------------------------------


def _counters(g: Grammar) -> None:
    for kind, counter in (("", ""), ("<k:counter> ", S.k)):
        put = f.Pattern(event="counters put", subject=S.s, counter=counter)
        by_effect = replace(put, cause="effect")
        by_you = replace(put, by=Noun("a source you control"))
        by_them = replace(put, by=Noun("a source an opponent controls"))
        kinds = ("of each of those kinds of ", "of those ") if not kind else (kind, "of those ")
        plus = f"that many plus one {kind or 'of each of those kinds of '}"
        amounts: list[tuple[tuple[str, ...], f.Scale]] = [
            (tuple(f"{times} {those}counters" for those in kinds for times in (said,)), scale) for said, scale in TWICE
        ]
        amounts.append(((f"{plus}counters",), f.Scale(plus=1)))
        for said, scale in amounts:
            passive = [
                f"if one or more {kind}counters would be put on <s:receiver> , {a} are put on {it} instead"
                for a in said
                for it in THINGS
            ]
            _static(g, put, scale, *passive)
            effect = [
                f"if an effect would put one or more {kind}counters on <s:receiver> , it puts {a} on {it} instead"
                for a in reversed(said)
                for it in THINGS
            ]
            _static(g, by_effect, scale, *effect)
            active = [
                f"if you would put one or more {kind}counters on <s:receiver> , {how.format(a, it)}"
                for a in said
                for it in THINGS
                for how in ("put {} on {} instead", "instead put {} on {}")
            ]
            _static(g, by_you, scale, *active)
        half = [
            f"if an opponent would put one or more {kind}counters on <s:receiver> , "
            f"they put half that many {those}counters on {it} instead , rounded down"
            for those in kinds
            for it in THINGS
        ]
        _static(g, by_them, f.Scale(half="down"), *half)


# --- players --------------------------------------------------------------------------------------------------------------------


def _players(g: Grammar) -> None:
    for who, they, noun in (
        ("an opponent", "that player", Noun("an opponent")),
        ("a player", "that player", Noun("a player")),
    ):
        gain = f.Pattern(event="life gain", subject=noun)
        loss = f.Pattern(event="life loss", subject=noun)
        _static(g, gain, f.Instead(do=S.do), f"if {who} would gain life , <do:notmay> instead")
        _static(g, gain, f.Instead(), f"if {who} would gain life , {they} gains no life instead")
        _static(g, loss, f.Scale(times=2), f"if {who} would lose life , {they} loses twice that much life instead")
        yours = f.During(whose=YOU)
        said = [
            f"if {who} would lose life during your turn , {them} twice that much life instead"
            for them in ("they lose", f"{they} loses")
        ]
        _static(g, loss, f.Scale(times=2), *said, condition=yours)
        draw = f.Pattern(event="draw", subject=noun)
        _static(
            g,
            draw,
            f.Instead(do=S.do),
            f"if {who} would draw a card , instead <do:notmay>",
            f"if {who} would draw a card , <do:notmay> instead",
        )
        head = f"if {who} would draw a card except the first one they draw in each of their draw steps ,"
        _static(
            g, replace(draw, nth=-1), f.Instead(do=S.do), f"{head} instead <do:notmay>", f"{head} <do:notmay> instead"
        )
        several = f.Pattern(event="draw several", subject=noun)
        _static(g, several, f.Instead(do=S.do), f"if {who} would draw two or more cards , instead <do:notmay>")
    mine = f.Pattern(event="draw", subject=YOU, nth=-1)
    head = "if you would draw a card except the first one you draw in each of your draw steps ,"
    _static(g, mine, f.Instead(do=S.do), f"{head} <do:notmay> instead", f"{head} instead <do:notmay>")
    gain = f.Pattern(event="life gain", subject=YOU)
    _static(g, gain, f.Instead(do=S.do), "if you would gain life , <do:notmay> instead")


# --- dying ----------------------------------------------------------------------------------------------------------------------


def _forced(g: Grammar) -> None:
    """ "If a spell or ability an opponent controls causes you to discard {this}, put it onto the battlefield instead ..." """
    by = Noun("a source an opponent controls")
    this = Noun("{this}")
    discarded = f.Pattern(event="zone change", subject=this, from_="hand", to="graveyard", cause="discard", by=by)
    head = "if a spell or ability an opponent controls causes you to discard {this} ,"
    graveyard = "instead of putting it into your graveyard"
    onto = f"{head} put it onto the battlefield {graveyard}"
    _static(
        g,
        discarded,
        f.ToZone(to="battlefield"),
        onto,
        f"{head} put it onto the battlefield instead of into your graveyard",
        zone="hand",
    )


def _dying(g: Grammar) -> None:
    """ "If that creature would die this turn, exile it instead", said of what was just spoken of."""
    dies = f.Pattern(event="zone change", subject=IT, from_="battlefield", to="graveyard")
    exile = f.Replacement(event=dies, rewrite=(f.ToZone(to="exile"),))
    leaves = f.Replacement(event=replace(dies, to=None), rewrite=(f.ToZone(to="exile"),))
    g.rule(
        "do",
        "if it would leave the battlefield , exile it instead of putting it anywhere else",
        f.Shield(effect=leaves, duration="forever", per=IT),
        "if that creature would leave the battlefield , exile it instead of putting it anywhere else",
    )
    g.rule(
        "do",
        "if it would die this turn , exile it instead",
        f.Shield(effect=exile, per=IT),
        "if that creature or planeswalker would die this turn , exile it instead",
        "if that permanent would die this turn , exile it instead",
        "if the creature would die this turn , exile it instead",
    )
    for kind in ("creature", "permanent"):  # one whose damage was prevented is none of them (119.1)
        struck = f.Shield(effect=exile, per=Noun(f"each {kind} dealt damage this way"))
        g.rule("do", f"if a {kind} dealt damage this way would die this turn , exile it instead", struck)
    named = f.Shield(effect=exile, per=Noun("that creature"))
    g.rule("do", "if that creature would die this turn , exile it instead", named)
    anyone = f.Shield(effect=replace(exile, event=replace(dies, subject=S.w)))
    g.rule("do", "if <w:subject> would die this turn , exile it instead", anyone, guard=_is_any)


def _is_any(e: dict[str, Any]) -> bool:
    """Whether it is any of a kind ("a creature an opponent controls"), and nothing that was spoken of before."""
    noun: n.Noun = e["w"]
    return isinstance(noun.reading, n.Choose) and "this way" not in noun.text and "dealt damage" not in noun.text


def _damage_instead(g: Grammar) -> None:
    """ "If damage would be dealt to {this}, put that many counters on it instead" (614.1a), and damage that is halved or less by one."""
    put = f.PutCounters(counter=S.k, what=THIS, count=n.ThatMuch())
    for whom, there in ((THIS, "it"), (YOU, "{this}")):
        event = f.Pattern(event="damage", object=whom)
        made = f.Replacement(event=event, rewrite=(f.Instead(do=(put,)),))
        said = f"if damage would be dealt to {whom.text} , put that many <k:counter> counters on {there} instead"
        g.rule("static", said, (made,))
    about = f.Pattern(event="damage", subject=S.by, object=S.to)
    halved = f.Replacement(event=about, rewrite=(f.Scale(half="down"),))
    less = replace(halved, rewrite=(f.Scale(plus=-1),))
    head = "if <by:receiver> would deal damage to <to:receiver> , it deals"
    for whom in (" to that creature or player", " to that permanent or player", " to that creature", ""):
        add = g.rule if whom == " to that creature or player" else g.wording
        add("static", f"{head} half that damage , rounded down ,{whom} instead", (halved,))
        add("static", f"{head} that much damage minus 1{whom} instead", (less,))
