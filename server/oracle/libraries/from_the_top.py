"""Rules for what is found from the top of a library on, done with the tops of other players' libraries, taken at random, and
shuffled away as a whole zone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, third
from server.oracle.libraries.looking import IT
from server.oracle.nouns import noun


def install(g: Grammar) -> None:
    """Adds the rules."""
    _until(g)
    _at_random(g)
    _by_another(g)
    _shuffled_in(g)
    _shown(g)
    bottom = f.Move(what=Noun("the bottom card of their library"), to="graveyard", who=S.who)
    g.rule("vp", "put~ the bottom card of their library into their graveyard", bottom)
    g.terminal("topof", _top_of_at, _top_of_words)
    g.rule("do", "<t:topof>", S.t)


_THAT_CARD = ("that card", "those cards", "it", "them")


def _by_another(g: Grammar) -> None:
    """Cards of another player's library that this player puts somewhere."""
    r = g.rule
    for card in _THAT_CARD:
        named = Noun(card)
        for tapped in (False, True):
            there = f.Move(what=named, to="battlefield", under=S.who, tapped=tapped)
            said = f"<who:other> puts {card} onto the battlefield{' tapped' if tapped else ''}"
            r("do", said, there, f"{said} under their control")
        for zone in ("hand", "graveyard"):
            r("do", f"<who:other> puts {card} into their {zone}", f.Move(what=named, to=zone, under=S.who))


def _until(g: Grammar) -> None:
    """Cards from the top until something is found; it is "that card", the others are "the rest"."""
    r = g.rule
    g.terminal("sought", _sought_at, lambda p, v: p.write("noun", v))
    zones: tuple[tuple[str, n.Zone], ...] = (("reveal", "library"), ("exile", "exile"))
    for verb, to in zones:
        taken = f.TakeUntil(what=S.k, to=to, as_name="it")
        r("do", f"{verb} cards from the top of your library until you {verb} <k:sought>", taken)
        theirs = f.TakeUntil(what=S.k, to=to, who=S.who, as_name="it")
        head = f"{verb}~ cards from the top of their library until"
        if verb == "reveal":
            buried = replace(theirs, to="graveyard")
            tails = [
                f", then put~ {cards} into their graveyard" for cards in ("those cards", "all cards revealed this way")
            ]
            said = [
                f"{head} {until} <k:sought> {tail}"
                for until in ("they reveal", "they reveals", "that player reveals")
                for tail in tails
            ]
            r("vp", said[0], buried, *said[1:])
        r("vp", f"{head} they {verb} <k:sought>", theirs, f"{head} that player {third(verb)} <k:sought>")


def _sought_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What is looked for: "a creature card", "two land cards"."""
    return [
        one
        for one in reader.read("noun", place)
        if isinstance(one.value.reading, n.Choose)
        and not one.value.reading.up_to
        and one.value.reading.of.anywhere
        and one.words[-1] != "hand"
        and ("card" in one.words or "cards" in one.words)
    ]


# Zones that a player shuffles into a library as a whole.
_WHOLE = ("graveyard", "hand")


def _shuffled_in(g: Grammar) -> None:
    """ "Its owner shuffles their graveyard into their library": a whole zone goes into a library."""
    for zone in _WHOLE:
        g.terminal(f"{zone}owner", _zone_owner_at(zone), _zone_owner_words(zone))
        shuffled = f.Move(what=S.z, to="library", shuffle=True)
        g.rule("do", f"<z:{zone}owner> shuffles their {zone} into their library", shuffled)
    away = f.Move(what=S.w, to="library", shuffle=True)
    whose = ("the owner of <w:one>", "<w:one> 's owner")
    for said in whose:
        g.wording("do", f"{said} shuffles it into their library", away, guard=lambda e: e["w"] != Noun("{this}"))
    g.wording("do", "its owner shuffles it into their library", replace(away, what=IT))
    mine = f.Move(what=Noun("{this}"), to="library", shuffle=True)
    g.rule("do", "{this} 's owner shuffles it into their library", mine)


#: What other players do with the top of their libraries: by the verb.
_TOPS: tuple[tuple[str, f.VerbForm], ...] = (
    ("reveals", f.Look(what=IT, reveal=True)),
    ("exiles", f.Move(what=IT, to="exile")),
    (
        "manifests",
        f.Move(what=IT, to="battlefield", face_down=True, mark="manifested", under=Noun("its owner")),
    ),
)


def _top_of_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Defending player reveals the top card of their library": who is said first owns the library."""
    for who in reader.read("person", place):
        verb = next((shape for word, shape in _TOPS if reader.at(who.end) == word), None)
        if verb is None or who.value == Noun("you"):
            continue
        for cards in reader.read("toplibrary", who.end + 1):
            text = cards.value.text
            made = noun(f"{text.removesuffix('their library')}{who.value.text}'s library")
            if not text.endswith(" of their library") or made is None:
                continue
            value = replace(verb, what=made)
            words = _top_of_words(Printer(reader.grammar), value)
            if words is not None:
                yield Reading(cards.end, value, words)


def _top_of_words(printer: Printer, value: Any) -> Words | None:
    for word, shape in _TOPS:
        what = getattr(value, "what", None)
        if type(value) is not type(shape) or not isinstance(what, Noun) or replace(shape, what=what) != value:
            continue
        cards, _, owner = what.text.removesuffix("'s library").partition(" of ")
        who = noun(owner) if what.text.endswith("'s library") and cards.startswith("the top ") else None
        said = printer.write("person", who) if who is not None else None
        if said is not None:
            return (*said, word, *cards.split(), "of", "their", "library")
    return None


def _zone_owner_at(zone: str) -> Any:
    def read(reader: Reader, place: int) -> Iterable[Reading]:
        for one in reader.read("other", place):
            made = noun(f"{one.value.text}'s {zone}")
            if made is not None and isinstance(made.reading, n.Each):
                yield Reading(one.end, made, one.words)

    return read


def _zone_owner_words(zone: str) -> Any:
    def write(printer: Printer, value: Any) -> Words | None:
        tail = f"'s {zone}"
        text = value.text if isinstance(value, Noun) and value.text.endswith(tail) else ""
        owner = noun(text.removesuffix(tail)) if text else None
        return None if owner is None else printer.write("other", owner)

    return write


# --- at random ----------------------------------------------------------------------------------------------------------------


def _shown(g: Grammar) -> None:
    """ "You may reveal that card. If an instant or sorcery card is revealed this way, ..." """
    told = f.If(condition=f.AllOf(conditions=(f.Did(), f.Is(what=IT, of=S.k))), then=S.then)
    reveals = f.May(then=(f.Look(what=IT, reveal=True),))
    texts = [
        f"you may reveal {card} . if <k:kindof> is revealed this way , <then:chain>" for card in ("that card", "it")
    ]
    g.rule("governed", texts[0], (reveals, told), texts[1])


def _at_random(g: Grammar) -> None:
    """ "Return a creature card at random from your graveyard to your hand"."""
    g.terminal("somecard", _some_card_at, lambda p, v: p.write("noun", v))
    picked = f.Pick(what=S.k, random=True, as_name="random")
    chosen = Noun("$random")
    moves: tuple[tuple[str, str, n.Zone, tuple[str, ...]], ...] = (
        ("return", "to your hand", "hand", ("put {} into your hand",)),
        ("return", "to the battlefield", "battlefield", ("put {} onto the battlefield",)),
        ("exile", "", "exile", ()),
    )
    for head, tail, to, more in moves:
        shape = (picked, f.Move(what=chosen, to=to))
        template = f"{head} <k:somecard> at random {tail}".strip()
        g.rule("do", template, shape, *(m.format("<k:somecard> at random") for m in more))


def _some_card_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("noun", place):
        reading = one.value.reading
        if (
            isinstance(reading, n.Choose)
            and not reading.up_to
            and reader.words[one.end : one.end + 2] == ("at", "random")
        ):
            yield one
