"""The grammar's terminals: nouns (read by `server.cards.grammar`), numbers, mana, sizes, keywords, counters.

A noun keeps its text, so that printing it is nothing. Which phrases a slot takes depends on what it is for: `things` are
what an instruction acts on, `who` is players, `kind` is a description for patterns and counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from server.cards import kinds
from server.cards import nouns as n
from server.cards import vocabulary as v
from server.cards.built import READ_KEYWORDS
from server.cards.forms import AddPT, SetPT
from server.cards.grammar import FIXED
from server.cards.nouns import Noun, NounError
from server.oracle import among
from server.oracle.core import Grammar, Printer, Reader, Reading, Words

# --- nouns --------------------------------------------------------------------------------------------------------------

_GLUE = [
    ",",
    "'s",
    "a",
    "an",
    "the",
    "of",
    "with",
    "without",
    "and",
    "or",
    "and/or",
    "from",
    "in",
    "on",
    "to",
    "by",
    "that",
    "target",
    "targets",
    "any",
    "all",
    "each",
    "every",
    "another",
    "other",
    "others",
    "up",
    "number",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "X",
    "controls",
    "control",
    "controller",
    "controllers",
    "own",
    "owns",
    "owner",
    "owners",
    "your",
    "you",
    "their",
    "its",
    "it",
    "them",
    "they",
    "his",
    "her",
    "this",
    "turn",
    "dealt",
    "damage",
    "blocked",
    "blocking",
    "attacking",
    "attached",
    "among",
    "hand",
    "hands",
    "graveyard",
    "graveyards",
    "library",
    "libraries",
    "exile",
    "battlefield",
    "stack",
    "command",
    "zone",
    "top",
    "bottom",
    "greatest",
    "highest",
    "most",
    "least",
    "lowest",
    "smallest",
    "power",
    "toughness",
    "mana",
    "value",
    "cost",
    "less",
    "greater",
    "more",
    "fewer",
    "than",
    "equal",
    "or",
    "named",
    "not",
    "isn't",
    "aren't",
    "don't",
    "doesn't",
    "was",
    "were",
    "had",
    "that's",
    "is",
    "are",
    "chosen",
    "color",
    "type",
    "name",
    "single",
    "counter",
    "counters",
    "+1/+1",
    "-1/-1",
    "same",
    "as",
    "both",
    "rest",
    "tied",
    "if",
    "choice",
    "it",
    "{this}",
    "'s",
    "attacked",
    "entered",
    "came",
    "under",
    "battlefield",
    "instant",
    "sorcery",
    "card",
    "cards",
    "cast",
    "casts",
    "exiled",
    "sacrificed",
    "discarded",
    "destroyed",
    "countered",
    "first",
    "itself",
    "him",
    "she",
    "he",
    "who",
    "has",
    "have",
    "ability",
    "abilities",
    "activated",
    "triggered",
    "player",
    "players",
    "opponent",
    "opponents",
    "no",
    "only",
    "-0/-1",
    "shares",
    "blocks",
    "activate",
    "charge",
    "many",
    "even",
    "odd",
    "values",
    "revealed",
    "lesser",
    "milled",
    "way",
    "exactly",
    "colors",
    "put",
    "there",
]
_WORDS: frozenset[str] = frozenset(
    (
        *_GLUE,
        *(w for key in kinds.ADJECTIVES for w in key),
        *(w for key in kinds.HEADS for w in key),
        *(w for key in kinds.KEYWORDS for w in key),
        *(w for key in FIXED for w in key),
    )
)
# A phrase never ends with one of these.
_OPEN = frozenset(
    [
        ",",
        "a",
        "an",
        "the",
        "of",
        "with",
        "without",
        "and",
        "or",
        "and/or",
        "from",
        "in",
        "on",
        "to",
        "by",
        "that",
        "target",
        "each",
        "all",
        "another",
        "other",
        "up",
        "with",
        "any",
        "number",
        "'s",
        "or",
        "greater",
        "less",
        "than",
        "equal",
        "non",
        "if",
        "is",
        "are",
        "was",
        "were",
        "isn't",
        "aren't",
        "as",
        "no",
        "among",
    ]
) - {"each", "all", "target", "other", "any", "less", "greater"}
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
    from server.oracle.words import tokens

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
    named = False
    found: list[Reading] = []
    end = place
    while end < len(words) and end - place < LONGEST:
        word = words[end]
        if word not in _WORDS and (not named or word in _ENDS) and not _number(word):
            break
        named = named or word == "named"
        end += 1
        if word in _OPEN:
            continue
        said = among.of_looked(words[place:end], words[:place])
        made = noun(phrase(said))
        if made is not None:
            found.append(Reading(end, made, among.shown(said)))
    if end > reader.furthest:
        reader.furthest = end if found else max(reader.furthest, place)
    return found


def _number(word: str) -> bool:
    return word.isdecimal()


def _players(reading: n.Reading) -> bool:
    match reading:
        case n.You() | n.DefendingPlayer() | n.ControllerOf() | n.OwnerOf() | n.Players():
            return True
        case n.It(what) | n.Linked(what):
            return what in ("player", "opponent")
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
        case n.You() | n.DefendingPlayer() | n.ControllerOf() | n.OwnerOf():
            return True
        case n.It(what) | n.Linked(what):
            return what in ("player", "opponent")
        case n.Target():
            return _players(reading) and reading.most == 1 and not reading.x
        case _:
            return False


def is_things(noun: Noun) -> bool:
    """Objects that an instruction acts on (no bare kind)."""
    reading = noun.reading
    match reading:
        case n.Each(of) | n.Target(of) | n.Choose(of) | n.Superlative(of):
            return of.objects is not None and of.players is None
        case n.It(what):
            return what not in ("player", "opponent") and noun.text not in ("he or she", "him or her")
        case n.Linked(what):
            return what not in ("player",)
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
    return not _has_target(noun.reading) and not isinstance(noun.reading, n.Superlative | n.Top)


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


def _groups_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("noun", place):
        if is_group(one.value):
            yield one
        elif isinstance(one.value.reading, n.Things) and any(word in INVARIABLE for word in one.words[:2]):
            made = noun(f"all {one.value.text}")
            if made is not None and is_group(made):
                yield Reading(one.end, made, ("all", *one.words))


def _has_target(reading: object) -> bool:
    if isinstance(reading, n.Target):
        return True
    if isinstance(reading, tuple):
        return any(_has_target(part) for part in reading)
    fields = getattr(reading, "__struct_fields__", ())
    return any(_has_target(getattr(reading, field)) for field in fields)


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


_GENERIC = re.compile(r"\{([0-9]{1,2})\}")

# --- numbers, mana, sizes --------------------------------------------------------------------------------------------------

_WORD_OF = {number: word for word, number in v.NUMBERS.items()}


def _count_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A number of things: a, an, two, X, that many."""
    word = reader.at(place)
    if word in ("a", "an"):
        return [Reading(place + 1, 1, ("a",))]
    if word == "X":
        return [Reading(place + 1, n.X(), ("X",))]
    if word in v.NUMBERS:
        value = v.NUMBERS[word]
        return [Reading(place + 1, value, ("a",) if value == 1 else (word,))]
    if word.isdecimal() and len(word) < 4 and int(word) > 1:
        return [Reading(place + 1, int(word), (_WORD_OF.get(int(word), word),))]
    if word == "that" and reader.at(place + 1) == "many":
        return [Reading(place + 2, n.ThatMuch(), ("that", "many"))]
    return ()


def _count_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return ("a",) if value == 1 else (_WORD_OF.get(value, str(value)),)
    if isinstance(value, n.X):
        return ("X",)
    return ("that", "many") if value == n.ThatMuch() else None


def _number_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A number in digits, X, or "that much"."""
    word = reader.at(place)
    if word == "X":
        return [Reading(place + 1, n.X(), ("X",))]
    if word.isdecimal() and len(word) < 4:
        return [Reading(place + 1, int(word), (word,))]
    if word == "that" and reader.at(place + 1) == "much":
        return [Reading(place + 2, n.ThatMuch(), ("that", "much"))]
    return ()


def _number_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return (str(value),)
    if isinstance(value, n.X):
        return ("X",)
    return ("that", "much") if value == n.ThatMuch() else None


def _mana_at(reader: Reader, place: int) -> Iterable[Reading]:
    from server.cards.check import MANA
    from server.oracle.symbols import spelled

    word = reader.at(place)
    if word.startswith("{") and word not in ("{this}", "{T}", "{Q}", "{E}"):
        text = spelled(word)
        if MANA.fullmatch(text):
            return [Reading(place + 1, text, (text,))]
    return ()


def _made_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Mana that is added; "{2}" in old texts is two colourless (106.4)."""
    for one in _mana_at(reader, place):
        text = _GENERIC.sub(lambda found: "{C}" * int(found[1]), one.value)
        if "X" not in text and "/" not in text:
            yield Reading(one.end, text, (text,))


def _text_words(printer: Printer, value: Any) -> Words | None:
    return (value,) if isinstance(value, str) and value else None


def _size_at(reader: Reader, place: int) -> Iterable[Reading]:
    """+1/+1, -X/-0 and the like, as what it adds."""
    word = reader.at(place)
    left, stroke, right = word.partition("/")
    if not stroke or left[:1] not in ("+", "-") or right[:1] not in ("+", "-"):
        return ()
    minus = "X" in word and "-X" in word
    sides: list[Any] = []
    for side in (left, right):
        sign = -1 if side[0] == "-" else 1
        if side[1:] == "X":
            sides.append(n.X())
        elif side[1:].isdecimal():
            sides.append(int(side[1:]) if minus else sign * int(side[1:]))
        else:
            return ()
    if minus and any(s[0] == "+" and s[1:] != "0" for s in (left, right)):
        return ()
    if minus:
        word = "/".join("-" + s[1:] for s in (left, right))
    elif left[1:] == "0" or right[1:] == "0":
        sign = "-" if any(isinstance(s, int) and s < 0 for s in sides) else "+"
        word = "/".join(sign + s[1:] for s in (left, right))
    return [Reading(place + 1, AddPT(power=sides[0], toughness=sides[1], minus=minus), (word,))]


def _size_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, AddPT):
        return None
    power, toughness, minus = value.power, value.toughness, value.minus
    if not all(isinstance(s, int | n.X) for s in (power, toughness)):
        return None
    negative = minus or any(isinstance(s, int) and s < 0 for s in (power, toughness))

    def side(amount: Any) -> str:
        if isinstance(amount, n.X):
            return ("-" if minus else "+") + "X"
        if amount == 0:
            return "-0" if negative else "+0"
        return f"{amount:+d}" if not minus else f"-{amount}"

    return (f"{side(power)}/{side(toughness)}",)


def _fixed_size_at(reader: Reader, place: int) -> Iterable[Reading]:
    """1/1, X/X, as what it sets."""
    left, stroke, right = reader.at(place).partition("/")
    if not stroke:
        return ()
    sides = [int(s) if s.isdecimal() else n.X() if s == "X" else None for s in (left, right)]
    return [] if None in sides else [Reading(place + 1, SetPT(power=sides[0], toughness=sides[1]), (reader.at(place),))]


def _fixed_size_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, SetPT):
        return None
    return ("/".join("X" if isinstance(s, n.X) else str(s) for s in (value.power, value.toughness)),)


# --- keywords, colours, counters --------------------------------------------------------------------------------------------

PLAIN = frozenset(word for word, takes in READ_KEYWORDS.items() if takes == "nothing")


def _keyword_at(reader: Reader, place: int) -> Iterable[Reading]:
    for length in (3, 2, 1):
        words = reader.words[place : place + length]
        if len(words) == length and " ".join(words) in PLAIN:
            return [Reading(place + length, " ".join(words), words)]
    return ()


def _keyword_words(printer: Printer, value: Any) -> Words | None:
    return tuple(value.split()) if value in PLAIN else None


# Counters that do something by themselves (122.1b to 122.1i today), which the engine does not do yet.
GOT_COUNTERS = frozenset(("rad", "energy"))  # that players get, in words of their own
RULED_COUNTERS = (GOT_COUNTERS | frozenset(("defense",)) | PLAIN) - v.KEYWORD_COUNTERS


def _counter_at(reader: Reader, place: int) -> Iterable[Reading]:
    """The kind of a counter: one word before "counter(s)"."""
    word = reader.at(place)
    if word.lower() in RULED_COUNTERS:
        return ()
    if word in ("first", "double") and reader.at(place + 1) == "strike":
        end = place + 2
        return [Reading(end, f"{word} strike", (word, "strike"))] if reader.at(end) in ("counter", "counters") else ()
    if reader.at(place + 1) in ("counter", "counters") and word not in (
        "a",
        "the",
        "all",
        "each",
        "those",
        "no",
        "any",
    ):
        return [Reading(place + 1, word.lower(), (word.lower(),))]
    return ()


def _counter_words(printer: Printer, value: Any) -> Words | None:
    return None if value in GOT_COUNTERS else _split_words(printer, value)


def _split_words(printer: Printer, value: Any) -> Words | None:
    return tuple(value.split()) if isinstance(value, str) and value else None


def _color_at(reader: Reader, place: int) -> Iterable[Reading]:
    mask = v.COLORS.get(reader.at(place))
    if mask is None:
        return ()
    letter = next(one for one, bit in v.COLOR_LETTERS.items() if bit == mask)
    return [Reading(place + 1, letter, (reader.at(place),))]


def _color_words(printer: Printer, value: Any) -> Words | None:
    mask = v.COLOR_LETTERS.get(value)
    return None if mask is None else (next(word for word, bit in v.COLORS.items() if bit == mask),)


def _subtype_at(reader: Reader, place: int) -> Iterable[Reading]:
    word = reader.at(place)
    return [Reading(place + 1, word, (word,))] if word in v.SUBTYPES else ()


def _typeword_at(reader: Reader, place: int) -> Iterable[Reading]:
    word = reader.at(place)
    return [Reading(place + 1, word, (word,))] if word in v.PERMANENT_TYPES else ()


def install(g: Grammar) -> None:
    """Adds the terminals to a grammar."""
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
    g.terminal("count", _count_at, _count_words)
    g.terminal("number", _number_at, _number_words)
    g.terminal("mana", _mana_at, _text_words)
    g.terminal("made", _made_at, _text_words)
    g.terminal("size", _size_at, _size_words)
    g.terminal("fixedsize", _fixed_size_at, _fixed_size_words)
    g.terminal("keyword", _keyword_at, _keyword_words)
    g.terminal("counter", _counter_at, _counter_words)
    g.terminal("color", _color_at, _color_words)
    g.terminal("subtype", _subtype_at, _text_words)
    g.terminal("typeword", _typeword_at, _text_words)
