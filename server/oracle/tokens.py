"""Tokens: "two 1/1 white Soldier creature tokens with flying" and what creates them.

A token's name is its subtypes (111.4 in the editions' own numbering) unless it is named.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards import vocabulary as v
from server.cards.predefined import PREDEFINED
from server.oracle.core import Grammar, Printer, Reader, Reading, S, Words


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("token", _token_at, _token_words)
    r = g.rule
    old = "onto the battlefield"
    for fields, before, after, older in (
        ({}, "", "", old),
        ({"tapped": True}, "tapped ", "", f"{old} tapped"),
        ({"tapped": True, "attacking": True}, "", " that's tapped and attacking", f"{old} tapped and attacking"),
    ):
        variants = (" that are tapped and attacking",) if "attacking" in fields else ()
        made: Any = {"token": S.t, "who": S.who, **fields}
        one = f"create~ {before}@ <t:token>{after}"
        forms = [f"create~ {before}@ <t:token>{v}" for v in variants] + [f"put~ @ <t:token> {older}"]
        if before:  # "a tapped 1/1 ... token": the number stands first
            one, forms = "create~ @ tapped <t:token>", [*forms[1:], f"put~ @ <t:token> {older}"]
        forms = list(dict.fromkeys(forms))
        count = f.CreateToken(count=S.n, **made)
        r("vp", one.replace("@", "<n:count>"), count, *(x.replace("@", "<n:count>") for x in forms))
        each = f.CreateToken(count=S.e, **made)
        r(
            "vp",
            one.replace("@", "a|an") + " for each <e:each>",
            each,
            *(x.replace("@", "a|an") + " for each <e:each>" for x in forms),
            guard=lambda e: e["e"] != 1,
        )
        times = f.CreateToken(count=n.Times(number=S.n, of=S.e), **made)
        r(
            "vp",
            one.replace("@", "<n:count>") + " for each <e:each>",
            times,
            *(x.replace("@", "<n:count>") + " for each <e:each>" for x in forms),
            guard=lambda e: isinstance(e["n"], int) and e["n"] > 1,
        )
        equal = f.CreateToken(count=S.a, **made)
        r(
            "vp",
            one.replace("@", "a number of") + " equal to <a:amount>",
            equal,
            *(x.replace("@", "a number of") + " equal to <a:amount>" for x in forms),
            guard=lambda e: not isinstance(e["a"], int),
        )


def _token_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A description without its number: "1/1 white Soldier creature token with flying", "Treasure token"."""
    word = reader.at(place)
    if word in PREDEFINED and reader.at(place + 1) in ("token", "tokens"):
        yield Reading(place + 2, PREDEFINED[word], (word, "token"))
        return
    at = place
    legendary = word == "legendary"
    at += legendary
    power, stroke, toughness = reader.at(at).partition("/")
    if not stroke or not power.isdecimal() or not toughness.isdecimal():
        return
    colors, at = colors_at(reader, at + 1)
    subtypes: list[str] = []
    if colors is None:
        return
    while reader.at(at) in v.SUBTYPES:
        subtypes.append(reader.at(at))
        at += 1
    types: list[str] = []
    while reader.at(at) in ("artifact", "enchantment", "creature", "land"):
        types.append(reader.at(at).capitalize())
        at += 1
    if "Creature" not in types or not subtypes or reader.at(at) not in ("token", "tokens"):
        return
    line = " ".join(("Legendary",) * legendary + tuple(types))
    card = f.Card(
        name=" ".join(subtypes), types=f"{line} — {' '.join(subtypes)}", colors=colors, power=power, toughness=toughness
    )
    for end, made in _qualities(reader, at + 1, card):
        words = _token_words(Printer(reader.grammar), made)
        if words is not None:
            yield Reading(end, made, words)


def colors_at(reader: Reader, at: int) -> tuple[str | None, int]:
    """Colours ("white and blue") as letters, "" for colorless, None if there are none; and where they end."""
    if reader.at(at) == "colorless":
        return "", at + 1
    letters = ""
    while True:
        mask = v.COLORS.get(reader.at(at))
        if mask is None:
            break
        letters += next(letter for letter, bit in v.COLOR_LETTERS.items() if bit == mask)
        at += 1
        if reader.at(at) in (",", "and") and reader.at(at + 1) in v.COLORS:
            at += 1
        elif reader.words[at : at + 2] == (",", "and") and reader.at(at + 2) in v.COLORS:
            at += 2
    return letters or None, at


def _qualities(reader: Reader, at: int, card: f.Card) -> Iterable[tuple[int, f.Card]]:
    """What follows the word "token": keywords, a name."""
    yield at, card
    if reader.at(at) == "with":
        for one in reader.read("keywords", at + 1):
            made = replace(card, keywords=one.value)
            yield one.end, made
            yield from _named(reader, one.end, made)
            if reader.at(one.end) == "and":
                for more in reader.read("quoted", one.end + 1):
                    yield more.end, replace(made, abilities=more.value)
        for category in ("taker", "quoted"):
            for one in reader.read(category, at + 1):
                yield one.end, replace(card, abilities=one.value)
    yield from _named(reader, at, card)


_STOPS = frozenset((".", ",", "with", "for", "onto", "and", "that", "that's", "", "tapped", "at"))


def _named(reader: Reader, at: int, card: f.Card) -> Iterable[tuple[int, f.Card]]:
    if reader.at(at) != "named":
        return
    end = at + 1
    while reader.at(end) not in _STOPS:
        end += 1
    if end > at + 1:
        made = replace(card, name=" ".join(reader.words[at + 1 : end]))
        yield end, made
        if reader.at(end) == "with" and not card.keywords:
            for one in reader.read("keywords", end + 1):
                yield one.end, replace(made, keywords=one.value)


def _token_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Card):
        return None
    if PREDEFINED.get(value.name) == value:
        return (value.name, "token")
    line, _, subtypes = value.types.partition(" — ")
    types = line.split()
    legendary = types[:1] == ["Legendary"]
    colors = printer.write("colors", value.colors) if value.colors is not None else None
    if colors is None or not value.power or value.cost or value.loyalty:
        return None
    words: list[str] = ["legendary"] if legendary else []
    words += [
        f"{value.power}/{value.toughness}",
        *colors,
        *subtypes.split(),
        *(t.lower() for t in types[legendary:]),
        "token",
    ]
    row: list[Words] = []
    if value.keywords:
        row.append(printer.write("keywords", value.keywords) or ())
    if value.abilities:
        row.append(printer.write("taker", value.abilities) or printer.write("quoted", value.abilities) or ())
    if not all(row):
        return None
    for i, said in enumerate(row):
        words += ["and" if i else "with", *said]
    if value.name != subtypes:
        words += ["named", *value.name.split()]
    return tuple(words)
