"""Tokens: "two 1/1 white Soldier creature tokens with flying" and what creates them.

A token's name is its subtypes (current 111.4) unless it is named.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.keywords import PREDEFINED
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, matched

_OLD = "onto the battlefield"


def _aimed(more: str = "") -> tuple[str, str]:
    """How tokens are said to attack "that player", as it is printed and as it was."""
    return f" that's tapped and attacking that player{more}", f"{_OLD} tapped and attacking that player{more}"


#: How tokens come: what the tree says, words before and behind them, and the older words behind.
_WAYS: tuple[tuple[dict[str, Any], str, str, str], ...] = (
    ({}, "", "", _OLD),
    ({"tapped": True}, "tapped ", "", f"{_OLD} tapped"),
    ({"tapped": True, "attacking": True}, "", " that's tapped and attacking", f"{_OLD} tapped and attacking"),
    ({"attacking": True}, "", " that's attacking", f"{_OLD} attacking"),
    (
        {"tapped": True, "attacking": True, "whom": Noun("that player")},
        "",
        *_aimed(" or a planeswalker they control"),
    ),
    ({"tapped": True, "attacking": True, "whom": Noun("that player"), "alone": True}, "", *_aimed()),
    ({"blocking": S.b}, "", " that's blocking <b:one>", f"{_OLD} blocking <b:one>"),
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("token", _token_at, _token_words)
    g.terminal("xtoken", _sized_token_at, _sized_token_words)
    g.terminal("called", _called_at, lambda p, v: None)
    _under_another(g)
    r = g.rule
    g.wording("vp", "create~ <t:token>", f.CreateToken(token=S.t, who=S.who))  # a list has left "a" out
    g.terminal("equallyhaving", _equally_at, lambda p, v: None)
    g.wording("vp", "create~ <c:equallyhaving>", S.c)
    g.wording("vp", "create~ <t:called>", f.CreateToken(token=S.t, who=S.who))
    _several(g)
    for fields, before, after, older in _WAYS:
        variants = (after.replace("that's", "that are"),) if "attacking" in fields else ()
        made: Any = {"token": S.t, "who": S.who, **fields}
        one = f"create~ {before}@ <t:token>{after}"
        forms = [f"create~ {before}@ <t:token>{v}" for v in variants] + [f"put~ @ <t:token> {older}"]
        if before:  # "a tapped 1/1 ... token": the number stands first
            one, forms = "create~ @ tapped <t:token>", [*forms[1:], f"put~ @ <t:token> {older}"]
        if "attacking" in fields and "tapped" in fields and "whom" not in fields:
            forms.append("create~ @ tapped and attacking <t:token>")
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
        sized = f.CreateToken(count=S.n, power=n.X(), toughness=n.X(), **{**made, "token": S.t})
        r(
            "vp",
            one.replace("@", "<n:count>").replace("t:token", "t:xtoken"),
            sized,
            *(x.replace("@", "<n:count>").replace("t:token", "t:xtoken") for x in forms),
        )
        equal = f.CreateToken(count=S.a, **made)
        r(
            "vp",
            one.replace("@", "a number of") + " equal to <a:amount>",
            equal,
            *(x.replace("@", "a number of") + " equal to <a:amount>" for x in forms),
            guard=lambda e: not isinstance(e["a"], int),
        )


def _several(g: Grammar) -> None:
    """Tokens of two kinds, or of three, at once."""
    r = g.rule
    second = f.CreateToken(token=S.u, count=S.m, who=S.who)
    both = f.CreateToken(token=S.t, count=S.n, who=S.who, also=(second,))
    listed = "<n:count> <t:token> and <m:count> <u:token>"
    r("vp", f"create~ {listed}", both, f"put~ {listed} {_OLD}")
    third = f.CreateToken(token=S.v, count=S.o, who=S.who)
    three = f.CreateToken(token=S.t, count=S.n, who=S.who, also=(second, third))
    listed = "<n:count> <t:token> , <m:count> <u:token> , and <o:count> <v:token>"
    r("vp", f"create~ {listed}", three, f"put~ {listed} {_OLD}")


def _equally_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a number of 1/1 ... tokens equal to ... . They have ": what the next sentence says they were made with, too."""
    if reader.words[place : place + 3] != ("a", "number", "of") or "have" not in reader.present:
        return
    for token in reader.read("token", place + 3):
        if reader.words[token.end : token.end + 2] != ("equal", "to") or token.value.abilities:
            continue
        for amount in reader.read("amount", token.end + 2):
            for has in _ITS:
                if not isinstance(amount.value, int) and reader.words[amount.end : amount.end + len(has)] == has:
                    for end, card in _had(reader, amount.end + len(has), token.value, ("quoted",)):
                        value = f.CreateToken(token=card, count=amount.value, who=S.who)
                        words = Printer(reader.grammar).write("vp", value)
                        if words is not None:
                            yield Reading(end, value, words[1:])


def _under_another(g: Grammar) -> None:
    """Tokens that another player controls, who is said last."""
    made = f.CreateToken(token=S.t, count=S.n, who=S.w)
    said = "<n:count> <t:token>"
    g.terminal("anopponent", _opponent_at, lambda p, v: p.write("noun", v) if v.text in _OTHERS else None)
    g.rule(
        "do",
        f"create {said} under <w:anopponent> 's control",
        made,
        f"put {said} onto the battlefield under <w:anopponent> 's control",
    )


def _opponent_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("person", place) if one.value.text in _OTHERS]


_OTHERS = ("target opponent", "target player")


def _token_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A description without its number: "1/1 white Soldier creature token with flying", "Treasure token"."""
    word = reader.at(place)
    if word in PREDEFINED and reader.at(place + 1) in ("token", "tokens"):
        yield Reading(place + 2, PREDEFINED[word], (word, "token"))
        return
    for one in _described(reader, place):
        words = _token_words(Printer(reader.grammar), one.value)
        if words is not None:
            yield Reading(one.end, one.value, words)


def _described(reader: Reader, place: int, size: str = "") -> Iterable[Reading]:
    """A token by its size (if it has one, or the one given), colours, subtypes and types, and what it has."""
    at = place
    legendary = reader.at(at) == "legendary"
    at += legendary
    power, stroke, toughness = reader.at(at).partition("/")
    if stroke and not size and not (power.isdecimal() and toughness.isdecimal()) or size and reader.at(at) != size:
        return
    colors, at = colors_at(reader, at + bool(stroke))
    subtypes: list[str] = []
    if colors is None and not (stroke and reader.present >= _ALL_COLORS):
        return
    while reader.at(at) in v.SUBTYPES:
        subtypes.append(reader.at(at))
        at += 1
    types: list[str] = []
    while reader.at(at) in ("artifact", "enchantment", "creature", "land"):
        types.append(reader.at(at).capitalize())
        at += 1
    if (
        not types
        or reader.at(at) not in ("token", "tokens")
        or stroke
        and not ("Creature" in types or "Vehicle" in subtypes)
    ):
        return
    behind = colors is None
    if behind:
        colors, at = "WUBRG", at + len(_OF_ALL_COLORS[0])
        if reader.words[at - len(_OF_ALL_COLORS[0]) + 1 : at + 1] not in _OF_ALL_COLORS:
            return
    line = " ".join(("Legendary",) * legendary + tuple(types))
    card = f.Card(
        name=" ".join(subtypes),
        types=f"{line} — {' '.join(subtypes)}" if subtypes else line,
        colors=colors,
        power="*" if size else power if stroke else "",
        toughness="*" if size else toughness,
    )
    for end, made in _qualities(reader, at + 1, card):
        whole = _whole(made, "Creature" in types)
        if whole is not None and (subtypes or made.name):
            yield Reading(end, whole, ())


def _whole(card: f.Card, creature: bool) -> f.Card | None:
    """The token with the size that its abilities define, or as the one of that name; None if it lacks either."""
    if creature:
        defined = any(isinstance(m, f.DefinePT) for a in card.abilities if isinstance(a, f.Continuous) for m in a.mods)
        if card.power:
            return card
        return replace(card, power="*", toughness="*") if defined else None
    known = PREDEFINED.get(card.name)
    if known is not None and matched(known.abilities, card.abilities, {}):
        return known
    return card if card.abilities else None


def _sized_token_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "X/X green Ooze creature token"."""
    for one in _described(reader, place, "X/X"):
        words = _sized_token_words(Printer(reader.grammar), one.value)
        if words is not None:
            yield Reading(one.end, one.value, words)


def _sized_token_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Card) or value.power != "*":
        return None
    words = _token_words(printer, replace(value, power="1", toughness="1"))
    return None if words is None else tuple("X/X" if word == "1/1" else word for word in words)


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
                for end, more in _had(reader, one.end + 1, made, ("quoted", "takers")):
                    yield end, more
                    yield from _named(reader, end, more)
        for category, other in (("taker", "quoted"), ("quoted", "taker")):
            for one in reader.read(category, at + 1):
                made = replace(card, abilities=one.value)
                yield one.end, made
                if not card.name or " ".join(card.types.split(" — ")[1:]) == card.name:
                    yield from _named(reader, one.end, made)
                for more in reader.read(other, one.end + 1) if reader.at(one.end) == "and" else ():
                    made = replace(card, abilities=(*one.value, *more.value))
                    yield more.end, made
                    yield from _named(reader, more.end, made)
    for has in _ITS:
        if not card.power and reader.words[at : at + len(has)] == has:  # "It has ..." in a sentence of its own
            yield from _had(reader, at + len(has), card)
    yield from _named(reader, at, card)


def _had(
    reader: Reader, at: int, card: f.Card, categories: tuple[str, ...] = ("quoted", "takers", "keyword")
) -> Iterable[tuple[int, f.Card]]:
    """What a sentence of its own says that a token has: a keyword, quotations, what takes something, one after the other."""
    for category in categories:
        if category == "keyword" and card.abilities:
            continue
        for one in reader.read(category, at):
            plain = category == "keyword"
            made = replace(
                card,
                keywords=(*card.keywords, one.value) if plain else card.keywords,
                abilities=card.abilities if plain else (*card.abilities, *one.value),
            )
            if not plain or card.power:
                yield one.end, made
            for joint in (("and",), (",", "and"), (",",)):
                if reader.words[one.end : one.end + len(joint)] == joint:
                    yield from _had(reader, one.end + len(joint), made, categories)


_OF_ALL_COLORS: tuple[Words, ...] = (("that's", "all", "colors"), ("that", "are", "all", "colors"))
_ALL_COLORS = frozenset(("all", "colors"))
_ITS: tuple[Words, ...] = ((".", "it", "has"), (".", "they", "have"), (".", "those", "tokens", "have"))
_STOPS = frozenset((".", ",", "with", "for", "onto", "and", "that", "that's", "", "tapped", "at"))


def _named(reader: Reader, at: int, card: f.Card) -> Iterable[tuple[int, f.Card]]:
    if reader.at(at) != "named":
        return
    end = at + 1
    while reader.at(end) not in _STOPS:
        end += 1
    if end > at + 1:
        made = replace(card, name=" ".join(reader.words[at + 1 : end]).replace(" 's", "'s"))
        if "—" not in made.types and PREDEFINED.get(made.name) is not None:
            made = replace(made, types=f"{made.types} — {made.name}")  # an artifact named Gold in old texts
        yield end, made
        if not card.abilities:
            yield from ((e, m) for e, m in _qualities(reader, end, made) if m.abilities)
        for has in _ITS:
            if card.power and not card.abilities and reader.words[end : end + len(has)] == has:
                yield from _had(reader, end + len(has), made, ("quoted",))
        if reader.at(end) == "with" and not card.keywords:
            for one in reader.read("keywords", end + 1):
                yield one.end, replace(made, keywords=one.value)


def _ability_words(printer: Printer, abilities: tuple[f.Ability, ...]) -> list[Words]:
    """What a token has, as it is said: keywords that take something, quotations, or one after the other; () if it can't be."""
    for category in ("taker", "quoted"):
        words = printer.write(category, abilities)
        if words is not None:
            return [words]
    for cut in (len(abilities) - 1, 1):
        for first, last in (("taker", "quoted"), ("quoted", "taker")):
            said = (printer.write(first, abilities[:cut]), printer.write(last, abilities[cut:])) if cut > 0 else (None,)
            if all(said):
                return [words for words in said if words]
    return [()]


def _called_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Cragtooth, a legendary red Equipment artifact token with ...": a token by its name."""
    for end in range(place + 1, place + 8):
        if reader.at(end) == "," and reader.at(end + 1) in ("a", "an"):
            for one in _described(reader, end + 2):
                made = replace(one.value, name=" ".join(reader.words[place:end]))
                words = _token_words(Printer(reader.grammar), made)
                if words is not None and PREDEFINED.get(made.name) is None:
                    yield Reading(one.end, made, words)


def _token_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Card):
        return None
    if PREDEFINED.get(value.name) == value:
        return (value.name, "token")
    line, _, subtypes = value.types.partition(" — ")
    types = line.split()
    legendary = types[:1] == ["Legendary"]
    colors = printer.write("colors", value.colors) if value.colors is not None else None
    defined = any(isinstance(m, f.DefinePT) for a in value.abilities if isinstance(a, f.Continuous) for m in a.mods)
    if colors is None or value.cost or value.loyalty or "Creature" in types and not value.power:
        return None
    if value.power == "*" and not defined:
        return None
    words: list[str] = ["legendary"] if legendary else []
    words += [
        *((f"{value.power}/{value.toughness}",) if value.power.isdecimal() else ()),
        *colors,
        *subtypes.split(),
        *(t.lower() for t in types[legendary:]),
        "token",
    ]
    row: list[Words] = []
    if value.keywords:
        row.append(printer.write("keywords", value.keywords) or ())
    if value.abilities:
        row.extend(_ability_words(printer, value.abilities))
    if not all(row):
        return None
    for i, said in enumerate(row):
        words += ["and" if i else "with", *said]
    if value.name != subtypes:
        words += ["named", *value.name.split()]
    return tuple(words)
