"""The grammar's terminals other than nouns: numbers, mana, sizes, keywords, counters, colours, types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from server.cards import nouns as n
from server.cards.forms import AddPT, SetPT
from server.cards.grammar import vocabulary as v
from server.cards.loading import MANA, READ_KEYWORDS
from server.oracle.engine.grammar import Grammar, Printer, Reader, Reading, Words
from server.oracle.engine.symbols import spelled

# --- numbers, mana, sizes --------------------------------------------------------------------------------------------------

_GENERIC = re.compile(r"\{([0-9]{1,2})\}")
WORD_OF = {number: word for word, number in v.NUMBERS.items()}


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
        return [Reading(place + 1, int(word), (WORD_OF.get(int(word), word),))]
    if word == "that" and reader.at(place + 1) == "many":
        return [Reading(place + 2, n.ThatMuch(), ("that", "many"))]
    return ()


def _count_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return ("a",) if value == 1 else (WORD_OF.get(value, str(value)),)
    if isinstance(value, n.X):
        return ("X",)
    return ("that", "many") if value == n.ThatMuch() else None


def _number_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A number in digits, X, or "that much"."""
    word = reader.at(place)
    if word == "X":
        more = reader.at(place + 2) if reader.at(place + 1) == "plus" else ""
        plus = Reading(place + 3, n.Plus(parts=(n.X(), int(more))), ("X", "plus", more)) if more.isdecimal() else None
        return [Reading(place + 1, n.X(), ("X",)), *([plus] if plus is not None else [])]
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
    match value:
        case n.Plus(parts=(n.X(), int(more))):
            return ("X", "plus", str(more))
        case _:
            pass
    return ("that", "much") if value == n.ThatMuch() else None


def _mana_at(reader: Reader, place: int) -> Iterable[Reading]:
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
        mixed = [
            n.Times(number=-1, of=n.X()) if side == "-X" else value
            for side, value in zip((left, right), sides, strict=True)
        ]
        both = left[1:] == right[1:] == "X"
        return [Reading(place + 1, AddPT(power=mixed[0], toughness=mixed[1]), (word,))] if both else ()
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
    for words, less, more in (("+X/-X", toughness, power), ("-X/+X", power, toughness)):
        if not minus and isinstance(more, n.X) and less == n.Times(number=-1, of=n.X()):
            return (words,)
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
    if not isinstance(value, SetPT) or not all(isinstance(s, int | n.X) for s in (value.power, value.toughness)):
        return None
    return ("/".join("X" if isinstance(s, n.X) else str(s) for s in (value.power, value.toughness)),)


# --- keywords, colours, counters --------------------------------------------------------------------------------------------

PLAIN = frozenset(word for word, takes in READ_KEYWORDS.items() if takes == "nothing")
_LENGTHS = sorted({len(word.replace("'s", " 's").split()) for word in PLAIN}, reverse=True)
"""How many words such a keyword can have, the most first."""


def _keyword_at(reader: Reader, place: int) -> Iterable[Reading]:
    for length in _LENGTHS:
        words = reader.words[place : place + length]
        keyword = " ".join(words).replace(" 's", "'s")
        if len(words) == length and keyword in PLAIN:
            return [Reading(place + length, keyword, words)]
    return ()


def _keyword_words(printer: Printer, value: Any) -> Words | None:
    return tuple(value.replace("'s", " 's").split()) if value in PLAIN else None


# Counters that do something by themselves (current 122.1b to current 122.1i), which the engine does not do yet.
GOT_COUNTERS = frozenset(("rad", "energy"))  # that players get, in words of their own
RULED_COUNTERS = (GOT_COUNTERS | frozenset(("defense",)) | PLAIN) - v.KEYWORD_COUNTERS - {"fuse"}


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
    return None if value in GOT_COUNTERS else _split_words(value)


def _split_words(value: Any) -> Words | None:
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
