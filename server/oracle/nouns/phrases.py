"""Noun phrases in a text: which words may belong to one, each phrase that begins at a place, and a noun as words again.

A noun keeps its text, so that printing it is nothing; what it means is read by `server.cards.grammar.noun_phrases`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards.grammar import FIXED, NounReader, kind_words
from server.cards.nouns import Noun, NounError
from server.oracle.engine import Reader, Reading, Words, tokens
from server.oracle.nouns import among

# Words that a phrase needs and that no table of the noun grammar has: those that join, with which a phrase never ends, and others.
_JOINING = frozenset(
    (
        ",", "'s", "a", "an", "the", "of", "with", "without", "and", "or", "and/or", "from", "in", "on", "to", "by",
        "that", "another", "up", "number", "among", "than", "equal", "isn't", "aren't", "was", "were", "is", "are",
        "as", "if", "no", "but",
    )
)  # fmt: skip
_OTHERS = frozenset(
    (
        "target", "targets", "any", "all", "each", "every", "other", "others", "one", "two", "three", "four", "five",
        "six", "seven", "eight", "nine", "ten", "X", "controls", "control", "controlled", "controller", "controllers", "own",
        "owns", "owner", "owners", "your", "you", "their", "its", "it", "them", "they", "his", "her", "this", "turn", "dealt",
        "damage", "blocked", "blocking", "attacking", "attached", "hand", "hands", "graveyard", "graveyards", "library",
        "libraries", "exile", "battlefield", "stack", "command", "zone", "top", "bottom", "greatest", "highest", "most",
        "least", "lowest", "smallest", "power", "toughness", "mana", "value", "cost", "less", "greater", "more",
        "fewer", "named", "not", "don't", "doesn't", "had", "that's", "chosen", "color", "type", "name", "single",
        "counter", "counters", "+1/+1", "-1/-1", "same", "both", "rest", "tied", "choice", "{this}", "attacked",
        "entered", "came", "under", "instant", "sorcery", "card", "cards", "cast", "casts", "exiled", "sacrificed",
        "discarded", "destroyed", "countered", "first", "itself", "him", "she", "he", "who", "has", "have", "ability",
        "abilities", "activated", "triggered", "player", "players", "opponent", "opponents",
        "teammate", "teammates", "life", "only", "-0/-1", "share", "shares", "different", "names", "powers",
        "blocks", "activate", "charge", "many", "even", "odd", "values", "revealed", "lesser", "milled", "way",
        "except", "without", "for", "plus", "{X}", "{0}", "{1}", "cost", "costs",
        "exactly", "colors", "put", "there", "total", "contains", "returned", "drawn", "onto", "into", "anywhere",
        "life", "lost", "gained", "poison", "vote", "votes", "voted", "received", "didn't", "suspended",
    )
)  # fmt: skip
_WORDS: frozenset[str] = frozenset(
    (
        *_JOINING,
        *_OTHERS,
        *(w for key in kind_words.ADJECTIVES for w in key),
        *(w for key in kind_words.HEADS for w in key),
        *(w for key in kind_words.KEYWORDS for w in key),
        *(w for key in FIXED for w in key),
    )
)
# What only follows "less than or equal to" and the like.
_MEASURES = frozenset(("amount", "do", "life", "gained", "lost", "spent", "basic", "types", "lands"))
LONGEST = 26
_known: dict[str, Noun | None] = {}


def phrase(words: Words) -> str:
    """The words of a noun phrase as its text."""
    text = ""
    for word in words:
        if word == "'s":
            text += "'" if text.endswith("s") and not text.endswith(("this", "{this}")) else "'s"
        elif word == ",":
            text += ","
        else:
            text += (" " if text else "") + word
    return text


def noun_words(noun: Noun) -> Words:
    """A noun as words of the grammar; the opposite of `phrase`."""
    return among.shown(tuple(tokens(noun.text)))


def noun(text: str) -> Noun | None:
    """The noun of a phrase, or None if it is none."""
    if text not in _known:
        if len(_known) > 600_000:
            _known.clear()
        try:
            _known[text] = Noun(text)
        except NounError:
            _known[text] = None
    return _known[text]


_ENDS = frozenset((".", ":", "\n", "—", '"', ";"))  # of names too


def nouns_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Every noun phrase that begins at a place."""
    words = reader.words
    named = compared = False
    found: list[Reading] = []
    end = place
    while end < len(words) and end - place < LONGEST:
        word = words[end]
        counted = words[end + 1 : end + 2] in (("counter",), ("counters",)) and word not in _ENDS
        named_so = word.startswith("$")  # a thing that somebody at the table has named
        known = word in _WORDS or compared and word in _MEASURES
        if not known and (not named or word in _ENDS) and not _number(word) and not counted and not named_so:
            break
        named = named or word == "named"
        compared = compared or word == "than"
        end += 1
        if word in _JOINING:
            continue
        said = among.of_looked(words[place:end], words[:place])
        made = noun(phrase(said))
        if made is not None:
            found.append(Reading(end, made, among.shown(said)))
    if end > reader.furthest:
        reader.furthest = end if found else max(reader.furthest, place)
    return found


def _number(word: str) -> bool:
    power, stroke, toughness = word.partition("/")
    return power.isdecimal() and (not stroke or toughness.isdecimal())


def with_owner(text: str, who: str) -> Noun | None:
    """ "a creature" as "a creature you control", before what follows a kind."""
    owner = f"{who} control{'s' if who != 'you' else ''}"
    for mark in (" with ", " without ", " that ", " named ", " other than "):
        head, found, tail = text.partition(mark)
        if found:
            return noun(f"{head} {owner}{mark}{tail}")
    return noun(f"{text} {owner}")


def is_plural(noun: Noun) -> bool:
    """Whether a phrase is a bare kind in the plural."""
    reader = NounReader(noun.text)
    try:
        return reader.kind().plural and reader.at == len(reader.words)
    except ValueError:
        return False


def speaks_of_it(value: Any) -> bool:
    """Whether an amount speaks of "it"."""
    if isinstance(value, Noun):
        return value.text.split()[0] in ("it", "its")
    if isinstance(value, tuple):
        return any(speaks_of_it(part) for part in value)
    fields = getattr(value, "__struct_fields__", ())
    return any(speaks_of_it(getattr(value, field)) for field in fields)
