"""Whether a verb and its subject agree in number."""

from __future__ import annotations

from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Reader, Reading, third


def third_person(reader: Reader, reading: Reading, place: int) -> bool | None:
    """Whether a predicate's verb is in the third person singular; None if it shows no number."""
    canonical = reading.words[0]
    if not canonical.endswith("~"):
        return None
    word, base = reader.at(place), canonical[:-1]
    if word in (base, third(base)) or word in ("has", "doesn't", "is", "isn't"):
        return word != base
    return word.endswith("s") and not word.endswith("ss")  # a variant's verb


def takes_singular(noun: Noun) -> bool:
    """Whether a subject takes a verb in the third person singular."""
    reading = noun.reading
    if noun.text.startswith("each of") or isinstance(reading, n.You):
        return False
    if isinstance(reading, n.Both):
        return False
    first = noun.text.split()[0]
    if isinstance(reading, n.Each):
        return first == "each"
    if isinstance(reading, n.Target | n.Choose):
        if isinstance(reading, n.Target):
            return reading.most == 1 and not reading.x
        return reading.count == 1
    if isinstance(reading, n.ControllerOf | n.OwnerOf):
        return not noun.text.endswith(("controllers", "owners"))
    return noun.text not in ("them", "they") and not noun.text.startswith(("those", "the rest", "all", "both"))
