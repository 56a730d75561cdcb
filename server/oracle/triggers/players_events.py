"""Trigger events of players: what they do, cast, draw, lose or sacrifice, and objects that somebody moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, with_owner
from server.oracle.triggers.trigger_events import THIS, YOU, is_subject

_LANDS = ("land", *v.BASIC_LANDS)


def _is_land(e: dict[str, Any]) -> bool:
    return e["o"].text != "a land" and e["o"].text.split()[-1] in _LANDS


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule

    def event(template: str, **fields: Any) -> None:
        r("event", template, (f.Pattern(**fields),))

    both = f.Pattern(event="zone change", subject=S.s, to="battlefield", grain="batch")
    r("event", "{this} and/or one or more <s:withothers> enter", (both,))
    g.terminal("withothers", _with_others_at, _with_others_words)
    who = S.w
    event("<w:player> cast~ <o:spell>", event="cast", subject=who, object=S.o)
    held = f.Pattern(event="cast", subject=who, object=S.o, condition=S.c)
    r("event", "<w:player> cast~ <o:spell> while <c:scond>", (held,), guard=lambda e: not _of_symbol(e["c"]))
    then = f.Pattern(event="cast", subject=who, object=S.o)
    theirs = f.During(whose=Noun("your opponents"))
    on_turn = ("<w:player> cast~ <o:spell> during an opponent 's turn",)
    r("event", on_turn[0], (replace(then, condition=theirs),))
    r("event", "<w:player> cast~ <o:spell> during your turn", (replace(then, condition=f.During(whose=YOU)),))
    event("<w:player> scry~", event="scry", subject=who)
    activated = f.Pattern(event="activated", subject=YOU, object=Noun("an ability"))
    r("event", "you cast <o:spell> or activate an ability", (replace(then, subject=YOU), activated))
    first = f.Pattern(event="cast", subject=YOU, nth=1)  # so the first of that turn
    r("event", "you cast your first spell during each opponent 's turn", (replace(first, condition=theirs),))
    mine = (replace(first, condition=f.During(whose=YOU)),)
    r("event", "you cast your first spell during each of your turns", mine)
    copied = f.Pattern(event="copied", subject=who, object=S.o)
    r("event", "<o:spell> is countered", (f.Pattern(event="countered", subject=S.o),))
    r("event", "<w:player> cast~ or copy~ <o:spell>", (f.Pattern(event="cast", subject=who, object=S.o), copied))
    event("you cast {this}", event="cast", subject=YOU, object=THIS)
    event("<w:player> gain~ life", event="life gain", subject=who)
    event("<w:player> play~ a land", event="land played", subject=who)
    other = f.Pattern(event="land played", subject=who, object=S.o)
    r("event", "<w:player> play~ <o:subject>", (other,), guard=_is_land)
    event("<w:player> commit~ a crime", event="crime", subject=who)
    event("<w:player> lose~ life", event="life loss", subject=who)
    event("<w:player> draw~ a card", event="draw", subject=who)
    discards = (f.Pattern(event="discard", subject=who),)
    r("event", "<w:player> discard~ a card", discards, "<w:player> cycle~ or discard~ a card")
    r(
        "event",
        "<w:player> discard~ <o:subject>",
        (f.Pattern(event="discard", subject=who, object=S.o),),
        guard=lambda e: e["o"].text.endswith(" card") and e["o"].text != "a card",
    )
    together = f.Pattern(event="discard", subject=who, grain="batch")
    r("event", "<w:player> discard~ one or more cards", (together,))
    kind = f.Pattern(event="discard", subject=who, object=S.o, grain="batch")
    r("event", "<w:player> discard~ one or more <o:cardkind>", (kind,))
    g.terminal("cardkind", _card_kinds_at, _card_kind_words)
    for nth, word in ((1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth")):
        for whose, player in (("your", YOU), ("their", None)):
            said = "you" if player is not None else "<w:player>"
            by = player if player is not None else who
            event(f"{said} draw~ {whose} {word} card each turn", event="draw", subject=by, nth=nth)
            event(f"{said} cast~ {whose} {word} spell each turn", event="cast", subject=by, nth=nth)
    _of_cards_and_life(g)
    _activated(g)


def _activated(g: Grammar) -> None:
    """Abilities that are activated: none of those that make mana, of which no event tells."""
    used = f.Pattern(event="activated", subject=S.w)
    tails = ("that isn't a mana ability", ", if it isn't a mana ability")
    for said, shape in (
        ("<w:player> activate~ an ability", used),
        ("<w:player> activate~ an ability of <o:subject>", replace(used, by=S.o)),
    ):
        g.rule("event", f"{said} {tails[0]}", (shape,), f"{said} {tails[1]}")
    loyal = replace(used, cause="loyalty")
    g.rule("event", "<w:player> activate~ a loyalty ability", (loyal,))
    g.rule("event", "<w:player> activate~ a loyalty ability of <o:subject>", (replace(loyal, by=S.o),))


def _of_cards_and_life(g: Grammar) -> None:
    """What is sacrificed, cycled and discarded, and life and damage of players."""
    r = g.rule

    def event(template: str, **fields: Any) -> None:
        r("event", template, (f.Pattern(**fields),))

    who = S.w
    g.terminal("sacrificed", _sacrificed_at, lambda p, v: None)
    r("event", "<a:sacrificed>", S.a)
    event("you cycle {this}", event="cycled", subject=YOU, object=THIS)
    event("you cycle a card", event="cycled", subject=YOU)
    another = Noun("another card")
    event("you cycle another card", event="cycled", subject=YOU, object=another)
    again = (f.Pattern(event="discard", subject=YOU, object=another),)
    r("event", "you discard another card", again, "you cycle or discard another card")
    event("a player cycles a card", event="cycled")
    opponents = Noun("your opponents")
    for verb in ("gain", "lose"):
        life = f.Pattern(event=f"life {'gain' if verb == 'gain' else 'loss'}", subject=opponents, grain="batch")  # type: ignore[arg-type]
        r("event", f"one or more opponents {verb} life", (life,))
        exactly = f.Holds(left=n.ThatMuch(), compare="=", right=S.n)
        r("event", f"one or more opponents each {verb} exactly <n:number> life", (replace(life, condition=exactly),))
    r("event", "you discard {this}", (f.Pattern(event="discard", subject=YOU, object=THIS),), "you discard it")
    hurt = f.Pattern(event="damage dealt to", subject=who)
    for word, combat in (("", None), ("combat ", True), ("noncombat ", False)):
        text = f"<w:player> is dealt {word}damage"
        r("event", text, (replace(hurt, combat=combat),), guard=lambda e: e["w"] != YOU)
    event("you're dealt damage", event="damage dealt to", subject=YOU)


def _of_symbol(condition: f.AnyCondition) -> bool:
    """Whether it is what a station or level symbol says, or speed, beside which the ability stands."""
    of = condition.left if isinstance(condition, f.Holds) else None
    return isinstance(of, n.Speed) or isinstance(of, n.CountersOn) and of.counter in ("charge", "level")


def _card_kinds_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "land cards": each of them is a land card."""
    for one in reader.read("noun", place):
        if isinstance(one.value.reading, n.Things) and one.words[-1] == "cards" and len(one.words) > 1:
            made = noun(f"a {one.value.text.removesuffix('s')}")
            if made is not None and isinstance(made.reading, n.Choose):
                yield Reading(one.end, made, one.words)


def _card_kind_words(printer: Printer, value: Any) -> Words | None:
    words = noun_words(value) if isinstance(value, Noun) else ()
    return (*words[1:-1], "cards") if len(words) > 2 and words[0] == "a" and words[-1] == "card" else None


def _sacrificed_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "you sacrifice a permanent" is "a permanent you control is sacrificed"."""
    for who in reader.read("player", place):
        if reader.at(who.end) != ("sacrifice" if who.value == YOU else "sacrifices"):
            continue
        for one in reader.read("subject", who.end + 1):
            text = one.value.text
            owned = "you" if who.value == YOU else "an opponent" if who.value.text == "an opponent" else ""
            made = with_owner(text, owned) if owned and text != "{this}" else one.value
            if made is not None and is_subject(made) and who.value.text in ("you", "an opponent", "a player"):
                pattern = f.Pattern(event="sacrifice", subject=made)
                yield Reading(one.end, (pattern,), (*noun_words(made), "is", "sacrificed"))


_WITH_THIS = "{this} and/or "


def _with_others_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "other nontoken creatures you control" that enter beside {this}, with it."""
    for one in reader.read("plurals", place):
        made = noun(f"{_WITH_THIS}{one.value.text}") if one.words[0] == "other" else None
        if made is not None and isinstance(made.reading, n.Each):
            yield Reading(one.end, made, one.words)


def _with_others_words(_: Printer, value: Any) -> Words | None:
    text = value.text if isinstance(value, Noun) else ""
    many = noun(text.removeprefix(_WITH_THIS)) if text.startswith(_WITH_THIS) else None
    return noun_words(many) if many is not None else None
