"""Rules for conditions about what has happened this turn: what entered, died, left, was cast or attacked, life gained or lost.

Most of them count things of a kind ("two or more nonland permanents entered under your control this turn"); the kind is a
noun with its owner, the count the turn's history (`server.cards.nouns.Happened`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, with_owner
from server.oracle.values import comparisons

YOU = Noun("you")
OPPONENTS = Noun("your opponents")
EVERYONE = Noun("each player")

OWN = "own"
"""Instead of who controls something: it is one's own."""
# What is said after the kind, what of history it means, and whose things they are; the first wording of each is printed.
TAILS: tuple[tuple[str, n.Happening, str], ...] = (
    ("entered under your control this turn", "entered", "you"),
    ("entered the battlefield under your control this turn", "entered", "you"),
    ("died under your control this turn", "died", "you"),
    ("you controlled died this turn", "died", "you"),
    ("died this turn", "died", ""),
    ("was put into a graveyard from the battlefield this turn", "died", ""),
    ("were put into a graveyard from the battlefield this turn", "died", ""),
    ("left the battlefield under your control this turn", "left", "you"),
    ("you controlled left the battlefield this turn", "left", "you"),
    ("left the battlefield this turn", "left", ""),
    ("was put into your graveyard from the battlefield this turn", "died", OWN),
    ("was put into your hand from the battlefield this turn", "returned", OWN),
)
# What is said before the kind.
HEADS: tuple[tuple[str, n.Happening], ...] = (
    ("you've cast", "cast"),
    ("you cast", "cast"),
    ("you sacrificed", "sacrificed"),
    ("you've sacrificed", "sacrificed"),
    ("you attacked with", "attacked"),
    ("you've attacked with", "attacked"),
)


#: What you did with things of a kind, after it: "spells you've cast this turn".
DONE: tuple[tuple[str, n.Happening, str], ...] = (
    ("you've cast this turn", "cast", "you"),
    ("you cast this turn", "cast", "you"),
    ("you attacked with this turn", "attacked", "you"),
    ("you've sacrificed this turn", "sacrificed", "you"),
    ("you sacrificed this turn", "sacrificed", "you"),
)


#: Of what died and is its owner's: "creature put into your graveyard from the battlefield this turn".
THROWN: Words = ("put", "into", "your", "graveyard", "from", "the", "battlefield", "this", "turn")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("happened", _happened_at, _happened_words)
    g.rule("cond", "<c:happened>", S.c)
    g.terminal("deaths", _deaths_at, _deaths_words)
    g.rule("each", "<k:deaths>", S.k)
    g.rule("amount", "the number of <k:deaths>", S.k)
    _life(g)
    _nth(g)


def _one_kind_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a creature spell", "a noncreature permanent", as yours."""
    for one in reader.read("noun", place):
        if one.words[0] in ("a", "an") and isinstance(one.value.reading, n.Choose) and "you" not in one.words:
            made = with_owner(one.value.text, "you")
            if made is not None:
                yield Reading(one.end, made, one.words)


def _one_kind_words(_: Printer, value: Any) -> Words | None:
    bare = noun(value.text.replace(" you control", "", 1)) if isinstance(value, Noun) else None
    return noun_words(bare) if bare is not None and bare != value else None


def _nth(g: Grammar) -> None:
    """The how manieth spell of a kind it is, and what befell spells and libraries."""
    r = g.rule
    creature = n.Happened(what="cast", of=Noun("creature spell you control"))
    for nth, word in ((2, "second"), (3, "third")):
        such = f.Is(what=Noun("it"), of=Noun("a creature spell"))
        cast = f.AllOf(conditions=(such, f.Holds(left=creature, compare="=", right=nth)))
        r("cond", f"it's the {word} creature spell you cast this turn", cast)
    g.terminal("onekind", _one_kind_at, _one_kind_words)
    countered = f.Holds(left=n.Happened(what="countered", of=S.k), compare=">=", right=1)
    by = "was countered by a spell or ability an opponent controlled"
    r("cond", f"<k:onekind> you cast this turn {by}", countered)
    destroyed = f.Holds(left=n.Happened(what="destroyed", of=S.k), compare=">=", right=1)
    by = "was destroyed this turn by a spell or ability an opponent controlled"
    r("cond", f"<k:onekind> under your control {by}", destroyed)
    g.terminal("arrivals", _arrivals_at, _arrivals_words)
    arrived = f.SomePlayer(who=OPPONENTS, condition=S.k)
    r("cond", "an opponent had <k:arrivals> enter under their control this turn", arrived)
    searched = n.TurnCount(what="searches", of=OPPONENTS)
    r("cond", "an opponent searched their library this turn", f.Holds(left=searched, compare=">=", right=1))


_THEIRS = " that player controls"


def _arrivals_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "two or more creatures", "an artifact": so many of one player entered this turn."""
    for end, count, text, _ in _kinds_at(reader, place):
        kind = with_owner(text, "that player")
        if kind is not None and reader.at(end) == "enter":
            value = f.Holds(left=n.Happened(what="entered", of=kind), compare=">=", right=count)
            words = _arrivals_words(Printer(reader.grammar), value)
            if words is not None:
                yield Reading(end, value, words)


def _arrivals_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Holds) or not isinstance(value.left, n.Happened) or value.left.what != "entered":
        return None
    text, count = value.left.of.text, value.right
    kind = noun(text.replace(_THEIRS, "", 1)) if _THEIRS in text else None
    number = printer.write("count", count) if isinstance(count, int) and count > 1 else ()
    if kind is None or number is None or value.compare != ">=":
        return None
    return (*number, *(("or", "more") if number else ()), *noun_words(kind))


def _life(g: Grammar) -> None:
    r = g.rule
    for done in ("entered", "attacked", "blocked"):
        such = f.Is(what=Noun("{this}"), of=Noun(f"permanent that {done} this turn"))
        r("cond", f"{{this}} {done} this turn", such)
    for who, of in (("you were", YOU), ("an opponent was", OPPONENTS), ("a player was", EVERYONE)):
        r(
            "cond",
            f"{who} dealt damage this turn",
            f.Holds(left=n.TurnCount(what="damage", of=of), compare=">=", right=1),
        )
    for who, of in (("you've", YOU), ("an opponent has", OPPONENTS)):
        drawn = n.TurnCount(what="drawn" if of == YOU else "most drawn", of=of)
        several = f.Holds(left=drawn, compare=">=", right=S.n)
        older = f"{who.rpartition(' ')[0] or 'you'} drew <n:count> or more cards this turn"
        r("cond", f"{who} drawn <n:count> or more cards this turn", several, older, guard=lambda e: e["n"] != 1)
    r("amount", "the number of cards you've drawn this turn", n.TurnCount(what="drawn", of=YOU))
    r("each", "card you've drawn this turn", n.TurnCount(what="drawn", of=YOU))
    _counted(g)
    _of_one_player(g)
    crimes = f.Holds(left=n.TurnCount(what="crimes", of=YOU), compare=">=", right=1)
    r("cond", "you've committed a crime this turn", crimes, "you committed a crime this turn")
    whose = (("you", YOU), ("an opponent", OPPONENTS), ("that player", Noun("that player")))
    for who, of in whose:
        for verb in ("gained", "lost"):
            count = n.TurnCount(what=f"life {verb}", of=of)
            if who != "an opponent":  # of several opponents each would have to be asked
                more = f.Holds(left=count, compare=">=", right=S.n)
                r("cond", f"{who} {verb} <n:number> or more life this turn", more, guard=lambda e: e["n"] != 1)
            if (who, verb) not in (("you", "gained"), ("an opponent", "lost")):
                some = f.Holds(left=count, compare=">=", right=1)
                r("cond", f"{who} {verb} life this turn", some)
        counts = [n.TurnCount(what=f"life {verb}", of=of) for verb in ("gained", "lost")]
        if who != "an opponent":
            both = f.AllOf(conditions=tuple(f.Holds(left=one, compare=">=", right=1) for one in counts))
            r("cond", f"{who} gained and lost life this turn", both)
        either = n.Plus(parts=tuple(counts))
        r("cond", f"{who} gained or lost life this turn", f.Holds(left=either, compare=">=", right=1))


def _of_one_player(g: Grammar) -> None:
    """What one player did so often, whoever of several it is: life lost, damage suffered, cards discarded or gone from a graveyard."""
    r = g.rule
    for who, of in (("an opponent", OPPONENTS), ("a player", EVERYONE)):
        most = f.Holds(left=n.TurnCount(what="most life lost", of=of), compare=">=", right=S.n)
        r("cond", f"{who} lost <n:number> or more life this turn", most, guard=lambda e: e["n"] != 1)
        discarded = f.Holds(left=n.TurnCount(what="discards", of=of), compare=">=", right=1)
        r("cond", f"{who} discarded a card this turn", discarded)
    most = f.Holds(left=n.TurnCount(what="most damage", of=OPPONENTS), compare=">=", right=S.n)
    r("cond", "an opponent was dealt <n:number> or more damage this turn", most, guard=lambda e: e["n"] != 1)
    suffered = f.Holds(left=n.TurnCount(what="damage", of=YOU), compare=">=", right=S.n)
    r("cond", "you were dealt <n:number> or more damage this turn", suffered, guard=lambda e: e["n"] != 1)
    for what, said, more in (
        ("discards", "you've discarded {} this turn", ("you discarded {} this turn",)),
        ("left graveyard", "{} left your graveyard this turn", ()),
    ):
        some = f.Holds(left=n.TurnCount(what=what, of=YOU), compare=">=", right=1)
        ways = [one.format(cards) for cards in ("a card", "one or more cards") for one in (said, *more)]
        r("cond", ways[0], some, *ways[1:])
        several = [one.format("<n:count> or more cards") for one in (said, *more)]
        r("cond", several[0], replace(some, right=S.n), *several[1:], guard=lambda e: e["n"] != 1)
    for what, said in (("discards", "you've discarded"), ("left graveyard", "that left your graveyard")):
        count = n.TurnCount(what=what, of=YOU)
        r("amount", f"the number of cards {said} this turn", count)
        r("each", f"card {said} this turn", count)
    cycled = n.TurnCount(what="discards", of=YOU)  # cycling a card discards it (702.27a)
    g.wording("each", "card you've cycled or discarded this turn", cycled)
    no_land = f.Holds(left=n.TurnCount(what="lands played", of=YOU), compare="=", right=0)
    r("cond", "you didn't play a land this turn", no_land, "you haven't played a land this turn")


def _counted(g: Grammar) -> None:
    """What the turn counts: tokens created, cards put into graveyards (current 700.11), spells warped, combat phases."""
    r = g.rule
    tokens = f.Holds(left=n.TurnCount(what="tokens created", of=YOU), compare=">=", right=1)
    r("cond", "you created a token this turn", tokens, "you've created a token this turn")
    times = n.TurnCount(what="descended", of=YOU)
    r("cond", "you descended this turn", f.Holds(left=times, compare=">=", right=1))
    r("amount", "the number of times you descended this turn", times)
    warped = f.Holds(left=n.TurnCount(what="warped", of=EVERYONE), compare=">=", right=1)
    left = f.Holds(left=n.Happened(what="left", of=Noun("nonland permanent")), compare=">=", right=1)
    void = f.OneOf(conditions=(left, warped))  # an ability word: void
    r("cond", "a nonland permanent left the battlefield this turn or a spell was warped this turn", void)
    for said, _, mask in comparisons.BOUNDS:
        r("cond", f"X is <n:number> {said}", f.Holds(left=n.X(), compare=mask, right=S.n))
    g.wording("cond", "X is <n:number> or greater", f.Holds(left=n.X(), compare=">=", right=S.n))
    played = f.Holds(left=n.TurnCount(what="lands played", of=YOU), compare=">=", right=1)
    r("cond", "you played a land this turn", played, "you've played a land this turn")
    phases = n.TurnCount(what="most combat phases", of=Noun("the active player"))
    first = f.Holds(left=phases, compare="=", right=1)
    r("cond", "it's the first combat phase of the turn", first, "it is the first combat phase of the turn")


# --- things of a kind ------------------------------------------------------------------------------------------------------------


def _kinds_at(reader: Reader, place: int) -> Iterable[tuple[int, int, str, Words]]:
    """ "a creature", "another creature", "two or more nonland permanents": (end, how many, the kind, its words)."""
    start, count = place, 1
    several = next(
        (
            c
            for c in reader.read("count", place)
            if isinstance(c.value, int) and reader.words[c.end : c.end + 2] == ("or", "more")
        ),
        None,
    )
    if several is not None:
        start, count = several.end + 2, several.value
    for one in reader.read("noun", start):
        reading = one.value.reading
        single = isinstance(reading, n.Choose) and reading.count == 1 and not reading.up_to
        if single and several is None and one.words[0] in ("a", "an", "another"):
            yield one.end, 1, one.value.text, one.words
        elif several is not None and isinstance(reading, n.Each | n.Things) and one.words[0] not in ("each", "all"):
            yield one.end, count, one.value.text, one.words


def _happened_at(reader: Reader, place: int) -> Iterable[Reading]:
    for end, count, text, _ in _kinds_at(reader, place):
        for said, what, owner in TAILS:
            tail = tuple(said.split())
            if reader.words[end : end + len(tail)] == tail:
                yield from _made(reader, end + len(tail), what, text, owner, count)
    for said, what in HEADS:
        head = tuple(said.split())
        if reader.words[place : place + len(head)] != head:
            continue
        for end, count, text, _ in _kinds_at(reader, place + len(head)):
            if reader.words[end : end + 2] == ("this", "turn"):
                yield from _made(reader, end + 2, what, text, "you", count)
    if reader.words[place : place + 2] == ("you", "had"):
        for end, count, text, _ in _kinds_at(reader, place + 2):
            if reader.words[end : end + len(_ARRIVED)] == _ARRIVED:
                yield from _made(reader, end + len(_ARRIVED), "entered", text, "you", count)
    yield from _never_at(reader, place)


_ARRIVED: Words = ("enter", "under", "your", "control", "this", "turn")
#: What was not done, before the kind.
NEVER: tuple[tuple[str, n.Happening, str], ...] = (
    ("that player didn't cast", "cast", "that player"),
    ("that player hasn't cast", "cast", "that player"),
)


def _none(count: n.Happened) -> f.Holds:
    return f.Holds(left=count, compare="=", right=0)


def _never_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "You didn't cast a creature spell this turn", "no creatures died this turn"."""
    found: list[tuple[int, n.Happening, str, str]] = []
    for said, what, owner in NEVER:
        head = tuple(said.split())
        if reader.words[place : place + len(head)] == head:
            for end, count, text, _ in _kinds_at(reader, place + len(head)):
                if count == 1 and reader.words[end : end + 2] == ("this", "turn"):
                    found.append((end + 2, what, text, owner))
    for one in reader.read("plurals", place + 1) if reader.at(place) == "no" else ():
        for said, what, owner in TAILS:
            if owner != OWN and reader.words[one.end : one.end + len(said.split())] == tuple(said.split()):
                found.append((one.end + len(said.split()), what, one.value.text, owner))
    for end, what, text, owner in found:
        kind = with_owner(text, owner) if owner else noun(text)
        if kind is not None and (what == "cast") is ("spell" in text):
            value = _none(n.Happened(what=what, of=kind))
            words = _never_words(value)
            if words is not None:
                yield Reading(end, value, words)


def _never_words(value: f.Holds) -> Words | None:
    left = value.left
    if not isinstance(left, n.Happened) or value != _none(left):
        return None
    text = left.of.text
    owners = {"you": " you control", "that player": " that player controls"}
    owner = next((who for who, mark in owners.items() if mark in text), "")
    kind = noun(text.replace(owners[owner], "", 1) if owner else text)
    if kind is None:
        return None
    for said, what, whose in NEVER:
        if (what, whose) == (left.what, owner):
            return (*said.split(), *noun_words(kind), "this", "turn")
    told = next((said for said, what, whose in TAILS if (what, whose) == (left.what, owner)), None)
    return ("no", *noun_words(kind), *told.split()) if told is not None else None


def _deaths_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creature that died this turn", "creatures that entered the battlefield under your control this turn": how many."""
    for one in reader.read("noun", place):
        reading = one.value.reading
        if not isinstance(reading, n.Things | n.Each) or one.words[0] in ("each", "all"):
            continue
        thrown = noun(f"{one.value.text} you own")
        if reader.words[one.end : one.end + len(THROWN)] == THROWN and thrown is not None:
            yield Reading(one.end + len(THROWN), n.Happened(what="died", of=thrown), (*one.words, *THROWN))
        for said, what, owner in (*TAILS, *DONE):
            tail = (*(() if (said, what, owner) in DONE else ("that",)), *said.split())
            if owner == OWN or reader.words[one.end : one.end + len(tail)] != tail:
                continue
            kind = with_owner(one.value.text, owner) if owner else one.value
            if (said, what, owner) in DONE and one.value.text in ("spell", "spells"):
                continue  # of all spells the turn counts how many they are
            if kind is not None and (what == "cast") is ("spell" in one.value.text):
                value = n.Happened(what=what, of=kind)
                words = _deaths_words(Printer(reader.grammar), value)
                if words is not None:
                    yield Reading(one.end + len(tail), value, words)


def _deaths_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, n.Happened):
        return None
    own = noun(value.of.text.removesuffix(" you own"))
    if own is not None and own != value.of:
        return (*noun_words(own), *THROWN) if value.what == "died" else None
    owner = "you" if " you control" in value.of.text else ""
    kind = noun(value.of.text.replace(" you control", "", 1) if owner else value.of.text)
    for said, known, whose in DONE if owner else ():
        if kind is not None and (known, whose) == (value.what, owner):
            return (*noun_words(kind), *said.split())
    for said, known, whose in TAILS:
        if kind is not None and (known, whose) == (value.what, owner):
            return (*noun_words(kind), "that", *said.split())
    return None


def _made(reader: Reader, end: int, what: n.Happening, text: str, owner: str, count: int) -> Iterable[Reading]:
    kind = noun(f"{text} you own") if owner == OWN else with_owner(text, owner) if owner else noun(text)
    if kind is None or (what == "cast") is not ("spell" in text):
        return
    value = f.Holds(left=n.Happened(what=what, of=kind), compare=">=", right=count)
    words = _happened_words(Printer(reader.grammar), value)
    if words is not None:
        yield Reading(end, value, words)


def _happened_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, f.Holds) and value.compare == "=":
        return _never_words(value)
    if not isinstance(value, f.Holds) or not isinstance(value.left, n.Happened) or value.compare != ">=":
        return None
    what, text, count = value.left.what, value.left.of.text, value.right
    owner = "you" if " you control" in text else OWN if text.endswith(" you own") else ""
    kind = noun(text.replace(" you control" if owner == "you" else " you own", "", 1) if owner else text)
    number = printer.write("count", count) if isinstance(count, int) and count > 1 else ()
    if kind is None or number is None or not isinstance(count, int):
        return None
    words = (*number, *(("or", "more") if number else ()), *noun_words(kind))
    for said, known in HEADS:
        if known == what:
            return (*said.split(), *words, "this", "turn") if owner else None
    for said, known, whose in TAILS:
        if (known, whose) == (what, owner):
            return (*words, *said.split())
    return None
