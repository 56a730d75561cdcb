"""Trigger events of players beside cards and life: coins, titles, libraries, energy, the how manieth spell of a kind, and two deeds
of one player in a row ("whenever you scry or surveil")."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, walk
from server.oracle.nouns import noun, noun_words, with_owner

YOU = Noun("you")
THAT_PLAYER = Noun("that player")
WHO = S.w
_NTH = ((1, "first"), (2, "second"), (3, "third"))
#: What a player does or what befalls one, and the event that it is.
_DEEDS: tuple[tuple[str, f.Pattern, tuple[str, ...]], ...] = (
    ("<w:player> win~ a coin flip", f.Pattern(event="coin flipped", subject=WHO, cause="won"), ()),
    ("<w:player> lose~ a coin flip", f.Pattern(event="coin flipped", subject=WHO, cause="lost"), ()),
    ("<w:player> become~ the monarch", f.Pattern(event="designated", subject=WHO, cause="monarch"), ()),
    ("<w:player> shuffle~", f.Pattern(event="shuffle", subject=WHO), ()),
    (
        "a spell or ability causes its controller to shuffle",
        f.Pattern(event="shuffle", subject=Noun("a player"), cause="own"),
        (),
    ),
    (
        "a spell or ability causes <w:player> to shuffle",
        f.Pattern(event="shuffle", subject=WHO, cause="effect"),
        (),
    ),
    ("<w:player> copy~ <o:spell>", f.Pattern(event="copied", subject=WHO, object=S.o), ()),
    ("<w:player> lose~ the game", f.Pattern(event="player loses", subject=WHO), ()),
    (
        "<w:player> activate~ an exhaust ability",
        f.Pattern(event="activated", subject=WHO, cause="exhaust"),
        ("<w:player> activate~ an exhaust ability that isn't a mana ability",),
    ),
    (
        "you get one or more {E}",
        f.Pattern(event="counters put", subject=YOU, counter="energy", grain="batch"),
        (),
    ),
    (
        "you pay one or more {E}",
        f.Pattern(event="counters removed", subject=YOU, counter="energy", cause="cost", grain="batch"),
        (),
    ),
    # Current 709.5h; nothing that can be fully unlocked is read yet.
    (
        "you fully unlock a Room",
        f.Pattern(event="designated", subject=Noun("a Room you control"), cause="unlocked"),
        (),
    ),
    ("<w:player> give~ a gift", f.Pattern(event="keyword action", subject=WHO, cause="gift"), ()),
    ("you're dealt combat damage", f.Pattern(event="damage dealt to", subject=YOU, combat=True), ()),
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    for template, pattern, more in _DEEDS:
        r("event", template, (pattern,), *more)
    later = f.Pattern(event="draw", subject=WHO, nth=-1)
    often = "except the first one they draw in each of their draw steps"
    r("event", f"<w:player> draw~ a card {often}", (later,), guard=lambda e: e["w"] != YOU)
    often = "except the first one you draw in each of your draw steps"
    r("event", f"you draw a card {often}", (replace(later, subject=YOU),))
    searched = f.Pattern(event="search", subject=WHO, cause="own")
    r("event", "<w:player> search~ their library", (searched,), guard=lambda e: e["w"] != YOU)
    r("event", "you search your library", (replace(searched, subject=YOU),))
    _cast(g)
    _in_a_row(g)
    g.terminal("sacrifices", _sacrificed_together_at, lambda p, v: None)
    r("event", "<a:sacrifices>", S.a)
    # "Each of their turns": nobody else's life is looked at then, so that all that is lost at a moment is the first together.
    first = f.AllOf(
        conditions=(
            f.During(whose=THAT_PLAYER),
            f.Holds(left=n.TurnCount(what="life losses", of=THAT_PLAYER), compare="=", right=1),
        )
    )
    lost = f.Pattern(event="life loss", subject=WHO, grain="batch", condition=first)
    often = "for the first time during each of their turns"
    r("event", f"<w:player> lose~ life {often}", (lost,), guard=lambda e: e["w"] != YOU)


def _cast(g: Grammar) -> None:
    """Spells by when they are cast, and how many of the kind were."""
    r = g.rule
    cast = f.Pattern(event="cast", subject=WHO, object=S.o)
    played = f.Pattern(event="land played", subject=WHO)
    plain = "<w:player> play~ a land or cast~ <o:spell>"
    r(
        "event",
        plain,
        (played, cast),
        guard=lambda e: not any(isinstance(p, n.WasCastFrom) for p in walk(e["o"].reading)),
    )
    elsewhere = (
        replace(played, not_from="hand"),
        replace(cast, object=Noun("a spell from anywhere other than your hand")),
    )
    r("event", "<w:player> play~ a land or cast~ a spell from anywhere other than your hand", elsewhere)
    from_exile = (replace(played, cause="exile"), replace(cast, object=Noun("a spell from exile")))
    again = "<w:player> play~ a land from exile or cast~ a spell from exile"
    r("event", "<w:player> play~ a card from exile", from_exile, again)
    main = f.During(step="main", whose=YOU)
    r("event", "you cast <o:spell> during your main phase", (replace(cast, subject=YOU, condition=main),))
    g.terminal("spellofkind", *spell_of_kind("you", " you control"))
    for nth, word in _NTH:
        count = f.Holds(left=n.Happened(what="cast", of=S.k), compare="=", right=nth)
        such = f.Pattern(event="cast", subject=YOU, object=S.k, condition=count)
        r("event", f"you cast your {word} <k:spellofkind> each turn", (such,))


def spell_of_kind(
    owner: str, tail: str
) -> tuple[Callable[[Reader, int], Iterable[Reading]], Callable[[Printer, Any], Words | None]]:
    """How "instant spell" after "your first" or "their first" is read and printed: one that `owner` casts, `tail` of its noun."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        for one in reader.read("singular", place):
            made = with_owner(one.value.text, owner) if one.words[-1] == "spell" and len(one.words) > 1 else None
            if made is not None and isinstance(made.reading, n.Things) and made.reading.zone == "stack":
                yield Reading(one.end, made, one.words)

    def write(_: Printer, value: Any) -> Words | None:
        text = value.text if isinstance(value, Noun) else ""
        bare = noun(text.removesuffix(tail)) if text.endswith(f" spell{tail}") else None
        return noun_words(bare) if bare is not None else None

    return read, write


def _sacrificed_together_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "you sacrifice one or more Treasures" is "one or more Treasures you control are sacrificed"."""
    if reader.words[place : place + 5] != ("you", "sacrifice", "one", "or", "more"):
        return
    for one in reader.read("plurals", place + 5):
        made = with_owner(one.value.text, "you")
        if made is not None and isinstance(made.reading, n.Each):
            value = (f.Pattern(event="sacrifice", subject=made, grain="batch"),)
            words = Printer(reader.grammar).write("event", value)
            if words is not None:
                yield Reading(one.end, value, words)


def _in_a_row(g: Grammar) -> None:
    """Two deeds of one player ("you gain life or scry"), whose subject stands once."""
    g.terminal("deedrow", _row_at, _row_words)
    g.rule("event", "<a:deedrow>", S.a)


def _row_at(reader: Reader, place: int) -> Iterable[Reading]:
    if reader.at(place) != "you":
        return
    for joint in [i for i in range(place + 2, len(reader.words)) if reader.words[i] == "or"][:2]:
        if "," in reader.words[place:joint]:
            return
        first = [
            one
            for one in Reader(reader.grammar, reader.words[place:joint]).read("event", 0)
            if one.end == joint - place
        ]
        if not first or len(first[0].value) != 1:
            continue
        rest = Reader(reader.grammar, ("you", *reader.words[joint + 1 :]))
        for one in rest.read("event", 0):
            if len(one.value) == 1 and _by_you(one.value[0]) and _by_you(first[0].value[0]):
                words = (*first[0].words, "or", *one.words[1:])
                yield Reading(joint + one.end, (*first[0].value, *one.value), words)


def _by_you(pattern: f.Pattern) -> bool:
    return pattern.subject == YOU and pattern.condition is None and pattern.event != "land played"


def _row_words(printer: Printer, value: Any) -> Words | None:
    if (
        not isinstance(value, tuple)
        or len(value) != 2
        or not all(isinstance(p, f.Pattern) and _by_you(p) for p in value)
    ):
        return None
    first, second = (printer.write("event", (pattern,)) for pattern in value)
    if first is None or second is None or first[0] != "you" or second[0] != "you" or "or" in (*first, *second):
        return None
    return (*first, "or", *second[1:])
