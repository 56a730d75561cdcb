"""Which noun phrases a slot takes: `things` are what an instruction acts on, `who` is players, `kind` is a description for patterns
and counts, `group` what a static ability is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, Words, walk
from server.oracle.nouns.phrases import noun, noun_words, nouns_at

A_PLAYER = "player"
"""How the names begin that people at the table give players ("$player0")."""


def _players(reading: n.Reading) -> bool:
    match reading:
        case n.You() | n.DefendingPlayer() | n.ControllerOf() | n.OwnerOf() | n.Players() | n.Foremost():
            return True
        case n.It(what) | n.Linked(what):
            return what in ("player", "opponent", "teammate")
        case n.Named(name):
            return name.startswith(A_PLAYER)
        case n.Attached():
            return False
        case n.Each(of) | n.Target(of) | n.Choose(of):
            return of.players is not None and (of.objects is None or (isinstance(reading, n.Target) and _only(reading)))
        case n.Both(parts):
            return all(_players(part) for part in parts)
        case _:
            return False


def _only(reading: n.Target) -> bool:
    return reading.or_planeswalker


def _chooses(reading: n.Reading) -> bool:
    if isinstance(reading, n.Both):
        return any(_chooses(part) for part in reading.parts)
    return isinstance(reading, n.Choose)


def is_who(noun: Noun) -> bool:
    """Players that do or suffer something: not "an opponent", whom nobody would ask to be chosen."""
    return _players(noun.reading) and not _chooses(noun.reading) and not isinstance(noun.reading, n.Players)


def is_person(noun: Noun) -> bool:
    """Exactly one player."""
    reading = noun.reading
    match reading:
        case n.You() | n.DefendingPlayer() | n.ControllerOf() | n.OwnerOf() | n.Foremost():
            return True
        case n.It(what) | n.Linked(what):
            return what in ("player", "opponent", "teammate")
        case n.Named(name):
            return name.startswith(A_PLAYER)
        case n.Target():
            return _players(reading) and reading.most == 1 and not reading.x
        case _:
            return False


_STRUCK = "dealt damage this way"


def is_things(noun: Noun) -> bool:
    """Objects that an instruction acts on (no bare kind)."""
    reading = noun.reading
    match reading:
        case n.Choose() if noun.text.endswith(
            _STRUCK
        ):  # nobody chooses "a creature dealt damage this way": it is that one
            return False
        case n.Each(of) | n.Target(of) | n.Choose(of) | n.Superlative(of):
            return of.objects is not None and of.players is None
        case n.It(what):
            return what not in ("player", "opponent", "teammate") and noun.text not in ("he or she", "him or her")
        case n.Linked(what):
            return what not in ("player",)
        case n.Named(name) if name.startswith(A_PLAYER):
            return False
        case n.This() | n.Named() | n.Attached() | n.Top():
            return noun.text not in ("enchanted player", "enchanted opponent")
        case n.Both(parts):
            return all(not _players(part) for part in parts)
        case _:
            return False


def is_one(noun: Noun) -> bool:
    """Exactly one object."""
    reading = noun.reading
    if not is_things(noun) or isinstance(reading, n.Each):
        return False
    if isinstance(reading, n.It):
        return (
            noun.text not in ("them", "they", "each of them", "all of them", "both of them")
            and "those" not in noun.text
        )
    if isinstance(reading, n.Target):
        return reading.most == 1 and not reading.x
    return not isinstance(reading, n.Choose) or reading.count == 1


def is_mixed(noun: Noun) -> bool:
    """Objects or players or both: what damage is dealt to and counters are put on."""
    if isinstance(noun.reading, n.Things | n.Players):
        return False
    if _players(noun.reading):
        return is_who(noun)
    return True


def is_kind(noun: Noun) -> bool:
    """A description for patterns ("a creature you control", "an opponent", "{this}", "enchanted creature")."""
    return not has_target(noun.reading) and not isinstance(noun.reading, n.Superlative | n.Top)


def is_bare(noun: Noun) -> bool:
    """A kind without determiner in the singular ("creature you control")."""
    reading = noun.reading
    return isinstance(reading, n.Things | n.Players)


def is_group(noun: Noun) -> bool:
    """What a static ability modifies: a plural kind, what it is attached to, or itself."""
    reading = noun.reading
    if isinstance(reading, n.Each):
        return reading.of.players is None
    if isinstance(reading, n.Both):
        return all(isinstance(p, n.This | n.Each | n.Attached) for p in reading.parts)
    return isinstance(reading, n.This | n.Attached) and noun.text not in ("enchanted player", "enchanted opponent")


# Subtypes that are their own plural: "Equipment you control have ...", "other Merfolk you control get ...".
INVARIABLE = frozenset(word for word in v.SUBTYPES if word.endswith("folk")) | frozenset(
    (
        "Equipment", "Kithkin", "Eldrazi", "Kor", "Samurai", "Vedalken", "Naga", "Metathran", "Aurochs", "Fish", "Jellyfish",
        "Starfish", "Myr", "Kavu", "Viashino", "Nephilim", "Aetherborn", "Azra", "Zubera",
    )
)  # fmt: skip


def own_commander(reader: Reader, place: int, text: str) -> list[Reading]:
    """ "Your commander" in an event: one of what the text says."""
    if reader.words[place : place + 2] != ("your", "commander"):
        return []
    return [Reading(place + 2, Noun(text), tuple(text.split()))]


_SHARING = (n.SharesColor, n.SharesCreatureType, n.SharesName, n.SharesType)


def _shares_with_it(reading: n.Reading) -> bool:
    """Whether a kind is told by what it shares with "it" or "that card", of which no static ability speaks."""
    return any(isinstance(part, _SHARING) and isinstance(part.with_, n.It) for part in walk(reading))


def _groups_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("noun", place):
        if _shares_with_it(one.value.reading):
            continue
        if is_group(one.value):
            yield one
        elif isinstance(one.value.reading, n.Things) and any(word in INVARIABLE for word in one.words[:2]):
            made = noun(f"all {one.value.text}")
            if made is not None and is_group(made):
                yield Reading(one.end, made, ("all", *one.words))


def has_target(reading: object) -> bool:
    """Whether a phrase says "target" somewhere."""
    if isinstance(reading, n.Target):
        return True
    if isinstance(reading, tuple):
        return any(has_target(part) for part in reading)
    fields = getattr(reading, "__struct_fields__", ())
    return any(has_target(getattr(reading, field)) for field in fields)


def _nouns(test: Callable[[Noun], bool]) -> Callable[[Reader, int], Iterable[Reading]]:
    def read(reader: Reader, place: int) -> Iterable[Reading]:
        return [one for one in reader.read("noun", place) if test(one.value)]

    return read


def _noun_printer(test: Callable[[Noun], bool]) -> Callable[[Printer, Any], Words | None]:
    def write(printer: Printer, value: Any) -> Words | None:
        return noun_words(value) if isinstance(value, Noun) and test(value) else None

    return write


THAT_PLAYER = Noun("that player")


def _who_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Players; "they" among them means that player."""
    if reader.at(place) in ("they", "them"):
        return [Reading(place + 1, THAT_PLAYER, ("that", "player"))]
    return [one for one in reader.read("noun", place) if is_who(one.value)]


def _person_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in _who_at(reader, place) if is_person(one.value)]


def install(g: Grammar) -> None:
    """Adds the categories of nouns to a grammar."""
    g.terminal("noun", nouns_at, _noun_printer(lambda _: True))
    tests: dict[str, Callable[[Noun], bool]] = {
        "things": is_things,
        "one": is_one,
        "mixed": is_mixed,
        "kind": is_kind,
        "bare": is_bare,
    }
    for name, test in tests.items():
        g.terminal(name, _nouns(test), _noun_printer(test))
    g.terminal("group", _groups_at, _noun_printer(is_group))
    g.terminal("who", _who_at, _noun_printer(is_who))
    g.terminal("person", _person_at, _noun_printer(is_person))
