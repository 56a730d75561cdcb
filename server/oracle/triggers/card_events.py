"""Trigger events of cards: where from and where to they are put, and whose they are; and of what this is attached to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, filled
from server.oracle.nouns import noun, noun_words

YOU = Noun("you")
THIS = Noun("{this}")
SUBJECT = S.s


def install(g: Grammar) -> None:
    """Adds the rules."""
    _of_zones(g)
    _or_its_bearer(g)
    _forced(g)
    _dealt(g)
    _attacked(g)
    _led(g)
    put = Noun("the creature put onto the battlefield with {this}")
    dies = f.Pattern(event="zone change", subject=put, from_="battlefield", to="graveyard")
    g.rule("event", f"{put.text} dies", (dies,))


def _or_its_bearer(g: Grammar) -> None:
    """What happens to this or to what it is attached to, each by itself ("{this} or equipped creature attacks")."""
    strikes = f.Pattern(event="damage", subject=S.s, object=S.o, combat=True)
    happenings = (
        ("attacks", f.Pattern(event="attacks", subject=S.s)),
        ("becomes blocked", f.Pattern(event="becomes blocked", subject=S.s, grain="batch")),
        ("deals combat damage to <o:recipient>", strikes),
    )
    for bearer in ("equipped creature", "enchanted creature"):
        for said, shape in happenings:
            both = (filled(shape, {"s": THIS}), filled(shape, {"s": Noun(bearer)}))
            g.rule("event", f"{{this}} or {bearer} {said}", both)


def _of_zones(g: Grammar) -> None:
    """Cards that go to or from a graveyard, a library or exile: whose they are says whose zone it is."""
    anyone: tuple[tuple[str, str, str], ...] = (
        ("your", "your", "you own"),
        ("theirs", "an opponent 's", "an opponent owns"),
    )
    for whose, said, owner in anyone:
        g.terminal(f"{whose}card", _owned_at(owner, False), _owned_words(owner))
        g.terminal(f"{whose}cards", _owned_at(owner, True), _owned_words(owner))
        moves: tuple[tuple[str, dict[str, Any]], ...] = (
            (f"is put into {said} graveyard from anywhere", {"to": "graveyard"}),
            (
                f"is put into {said} graveyard from anywhere other than the battlefield",
                {"to": "graveyard", "not_from": "battlefield"},
            ),
            (f"is put into {said} graveyard from {said} library", {"from_": "library", "to": "graveyard"}),
            (f"leaves {said} graveyard", {"from_": "graveyard"}),
            (f"is put into exile from {said} graveyard", {"from_": "graveyard", "to": "exile"}),
            (f"is put into exile from {said} library", {"from_": "library", "to": "exile"}),
        )
        for text, fields in moves:
            pattern = f.Pattern(event="zone change", subject=SUBJECT, **fields)
            many = text.replace("is put", "are put").replace("leaves", "leave")
            for template, shape in (
                (f"<s:{whose}card> {text}", pattern),
                (f"one or more <s:{whose}cards> {many}", replace(pattern, grain="batch")),
            ):
                g.rule("event", template, (shape,))
                g.rule("event", f"{template} during your turn", (replace(shape, condition=f.During(whose=YOU)),))
    thrown = f.Pattern(event="zone change", subject=SUBJECT, to="graveyard")
    g.terminal("anyonescard", _owned_at("", False), _anyones_words)
    g.rule("event", "<s:anyonescard> is put into a graveyard from anywhere", (thrown,))
    counters = f.Pattern(event="counters put", subject=SUBJECT, grain="batch")
    g.rule("event", "one or more counters are put on <s:subject>", (counters,))
    # 702.70b: what is exiled for the champion ability of this.
    championed = f.Pattern(
        event="zone change", subject=SUBJECT, from_="battlefield", to="exile", cause="exile", by=THIS
    )
    g.rule("event", "<s:subject> is championed with {this}", (championed,))


def _owned_at(owner: str, many: bool) -> Any:
    """ "a creature card" as "a creature card you own", or without its number "creature cards"."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        for one in reader.read("noun", place):
            reading = one.value.reading
            kind = n.kind_of(reading)
            plural = isinstance(reading, n.Things)
            single = isinstance(reading, n.Choose) and reading.count == 1 and one.words[0] in ("a", "an", "another")
            last = "cards" if many else "card"
            if kind is None or kind.zone != "battlefield" or last not in one.words or "control" in one.words:
                continue
            made = noun(f"{one.value.text} {owner}".strip()) if (plural if many else single) else None
            if made is not None:
                yield Reading(one.end, made, one.words)

    return read


def _anyones_words(_: Printer, value: Any) -> Words | None:
    if not isinstance(value, Noun):
        return None
    words = noun_words(value)
    return words if words[-1] == "card" and words[0] in ("a", "an", "another") else None


def _owned_words(owner: str) -> Any:
    def write(printer: Printer, value: Any) -> Words | None:
        if not isinstance(value, Noun) or not value.text.endswith(f" {owner}"):
            return None
        kind = noun(value.text.removesuffix(f" {owner}"))
        return None if kind is None else noun_words(kind)

    return write


def _attacked(g: Grammar) -> None:
    """ "Whenever a player attacks enchanted player with one or more creatures": asked as attackers are declared (508.3)."""
    for whom in ("you", "enchanted player"):
        for count, said in ((1, "one or more creatures"), (2, "two or more creatures")):
            many = f.Exists(of=Noun(f"creatures attacking {whom}"), number=count)
            declared = f.Pattern(event="attackers declared", subject=S.w, condition=many)
            template = f"<w:player> attack~ {whom} with {said}"
            more = (f"<w:player> attack~ {whom}",) if count == 1 else ()
            g.rule("event", template, (declared,), *more, guard=lambda e: e["w"] != YOU)


def _led(g: Grammar) -> None:
    """ "Whenever an opponent attacks with one or more creatures", whomever they attack."""
    declared = f.Pattern(event="attackers declared", subject=S.w)
    g.rule("event", "<w:player> attack~ with one or more creatures", (declared,), guard=lambda e: e["w"] != YOU)


def _dealt(g: Grammar) -> None:
    """ "An opponent is dealt damage by a red spell you control" is that spell dealing damage."""
    by = f.Pattern(event="damage", subject=S.s, object=S.w)
    g.wording("event", "<w:player> is dealt damage by <s:subject>", (by,))
    either = (by, replace(by, subject=S.t))
    g.rule("event", "<w:player> is dealt damage by <s:subject> or by <t:subject>", either)


def _forced(g: Grammar) -> None:
    """ "When a spell or ability an opponent controls causes you to discard {this}"."""
    by = Noun("a source an opponent controls")
    head = "a spell or ability an opponent controls causes you to discard"
    g.rule("event", f"{head} {{this}}", (f.Pattern(event="discard", subject=YOU, object=THIS, by=by),))
    g.rule("event", f"{head} a card", (f.Pattern(event="discard", subject=YOU, by=by),))
