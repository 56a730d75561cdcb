"""Keyword abilities with what they take ("equip {2}", "protection from red and from blue", "suspend 4—{1}{U}"), and lines of
keywords.

Category `taker` is one keyword with its number, cost or quality, as a tuple of abilities (one for each quality); category
`keywordline` is a line of plain keywords and takers, in their order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards.grammar import vocabulary as v
from server.cards.loading import READ_KEYWORDS
from server.cards.nouns import ColorsSpent, Each, HasName, Noun, Target, Things, TurnCount
from server.oracle.engine import PLAIN, Grammar, Printer, Reader, Reading, Words, filled, tokens
from server.oracle.nouns import noun, noun_words, phrase

KICKER = "kicker"
HIDEAWAY = "hideaway"  # without a number it is that of old, with four cards
TAKERS: dict[Words, str] = {
    tuple(word.split()): word
    for word, takes in READ_KEYWORDS.items()
    if (takes != "nothing" or word == HIDEAWAY) and word != "forecast"  # which is an ability with its cost
}
# Keywords whose cost may be anything that can be paid, after a dash.
ANY_COST = frozenset(
    (
        "equip",
        "cycling",
        "kicker",
        "buyback",
        "flashback",
        "cumulative upkeep",
        "echo",
        "morph",
        "megamorph",
        "disguise",
        "entwine",
        "level up",
        "ward",
        "escape",
        "evoke",
        "emerge",
        "harmonize",
        "offspring",
        "escalate",
        "squad",
        "overload",
        "plot",
        "blitz",
        "dash",
        "replicate",
        "madness",
        "surge",
        "spectacle",
        "warp",
    )
)
SUNBURST = ("—", "sunburst")
"""What stands in the place of modular's number where sunburst counts (702.42c)."""
PARTNER, COMPANION = "partner with", "companion"
EQUIP, _MINE = "equip", " you control"
WHERE: Words = ("X", ",", "where", "X", "is")
# Keywords that lands have without a cost.
BARE = frozenset(("mayhem",))
DAMAGE_TO_OPPONENTS = TurnCount(what="damage", of=Noun("your opponents"))
_BASIC = {word.lower(): word for word in v.BASIC_LANDS}


def install(g: Grammar) -> None:
    """Adds the categories."""
    g.terminal("taker", _taker_at, _taker_words)
    g.terminal("keywordline", _line_at, _line_words)


def _taker_at(reader: Reader, place: int) -> Iterable[Reading]:
    for length in (3, 2, 1):
        keyword = TAKERS.get(reader.words[place : place + length])
        if keyword is not None:
            yield from _parameter(reader, keyword, place + length)
    yield from _landwalk_at(reader, place)
    yield from _typecycling_at(reader, place)
    yield from _offering_at(reader, place)
    yield from _splice_at(reader, place)
    yield from _gift_at(reader, place)
    yield from _companion_at(reader, place)
    yield from _two_kickers_at(reader, place)


def _parameter(reader: Reader, keyword: str, at: int) -> Iterable[Reading]:
    takes = READ_KEYWORDS[keyword]
    head = tuple(keyword.split())
    if keyword == HIDEAWAY and reader.at(at).isdecimal():
        yield Reading(at + 1, (f.KeywordAbility(keyword=keyword, number=int(reader.at(at))),), (*head, reader.at(at)))
    elif takes == "number" and reader.at(at).isdecimal() and int(reader.at(at)) > 0:
        made = f.KeywordAbility(keyword=keyword, number=int(reader.at(at)))
        yield Reading(at + 1, (made,), (*head, reader.at(at)))
    elif keyword == "modular" and reader.words[at : at + 2] == SUNBURST:
        yield Reading(at + 2, (f.KeywordAbility(keyword=keyword, number=ColorsSpent()),), (*head, *SUNBURST))
    elif takes == "number" and reader.words[at : at + len(WHERE)] == WHERE:
        for one in reader.read("amount", at + len(WHERE)):
            made = f.KeywordAbility(keyword=keyword, number=one.value)
            yield Reading(one.end, (made,), (*head, *WHERE, *one.words))
    elif keyword == "bloodthirst" and reader.at(at) == "X":  # 702.52b: counted as it enters
        made = f.KeywordAbility(keyword=keyword, number=DAMAGE_TO_OPPONENTS)
        yield Reading(at + 1, (made,), (*head, "X"))
    elif takes == "cost":
        yield from _cost(reader, keyword, at)
        if keyword == EQUIP:
            yield from _equipped_at(reader, at)
        if keyword in BARE and reader.at(at) in ("", ".", ","):
            yield Reading(at, (f.KeywordAbility(keyword=keyword),), head)
    elif takes == "number and cost" and reader.at(at).isdecimal() and reader.at(at + 1) == "—":
        for cost in reader.read("mana", at + 2):
            made = f.KeywordAbility(keyword=keyword, number=int(reader.at(at)), cost=(f.ManaCost(mana=cost.value),))
            yield Reading(cost.end, (made,), (*head, reader.at(at), "—", *cost.words))
    elif takes == "cost and size":
        for cost in reader.read("mana", at):
            for size in reader.read("fixedsize", cost.end + 1) if reader.at(cost.end) == "—" else ():
                said = " ".join(size.words)
                made = f.KeywordAbility(keyword=keyword, cost=(f.ManaCost(mana=cost.value),), size=said)
                yield Reading(size.end, (made,), (*head, *cost.words, "—", said))
    elif keyword == PARTNER:
        yield from _partner_at(reader, at)
    elif takes == "quality" and keyword not in ("landwalk", "typecycling", "offering", "splice"):
        yield from _quality(reader, keyword, at)


def _two_kickers_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Kicker {1}{U} and/or {B}" is the same as the two of them one after the other (702.31b)."""
    if reader.at(place) != KICKER:
        return
    for one in reader.read("mana", place + 1):
        if reader.at(one.end) == "and/or":
            for two in reader.read("mana", one.end + 1 + (reader.at(one.end + 1) == KICKER)):
                both = tuple(f.KeywordAbility(keyword=KICKER, cost=(f.ManaCost(mana=m.value),)) for m in (one, two))
                yield Reading(two.end, both, (KICKER, *one.words, ",", KICKER, *two.words))


def _cost(reader: Reader, keyword: str, at: int) -> Iterable[Reading]:
    head = tuple(keyword.split())
    for cost in reader.read("mana", at):
        made = f.KeywordAbility(keyword=keyword, cost=(f.ManaCost(mana=cost.value),))
        yield Reading(cost.end, (made,), (*head, *cost.words))
    for cost in reader.read("costpart", at) if keyword == "cumulative upkeep" else ():
        if isinstance(cost.value, f.EitherCost):
            made = f.KeywordAbility(keyword=keyword, cost=(cost.value,))
            yield Reading(cost.end, (made,), (*head, "—", *cost.words))
    if reader.at(at) == "—" and keyword in ANY_COST:
        for cost in reader.read("cost", at + 1):
            if not _only_mana(cost.value):
                yield Reading(
                    cost.end, (f.KeywordAbility(keyword=keyword, cost=cost.value),), (*head, "—", *cost.words)
                )
            else:
                made = f.KeywordAbility(keyword=keyword, cost=cost.value)
                yield Reading(cost.end, (made,), (*head, *cost.words))


def _equipped_at(reader: Reader, at: int) -> Iterable[Reading]:
    """ "Equip legendary creature {3}", "equip Knight {1}": what alone may be equipped so (current 702.6c)."""
    for end in range(at + 1, at + 8):
        if not reader.at(end).startswith("{"):
            continue
        kind = reader.words[at:end]
        whole = noun(f"target {phrase(kind)}{'' if 'creature' in kind else ' creature'}{_MINE}")
        if whole is None or not isinstance(whole.reading, Target):
            return
        for cost in reader.read("mana", end):
            made = f.KeywordAbility(keyword=EQUIP, cost=(f.ManaCost(mana=cost.value),), quality=whole)
            yield Reading(cost.end, (made,), (EQUIP, *_equipped_words(whole), *cost.words))
        return


def _equipped_words(quality: Noun) -> Words:
    return tuple(tokens(quality.text.removeprefix("target ").removesuffix(_MINE)))


def _only_mana(cost: f.Costs) -> bool:
    return len(cost) == 1 and isinstance(cost[0], f.ManaCost)


def _partner_at(reader: Reader, at: int) -> Iterable[Reading]:
    """ "Partner with NAME": the rest of the line is the other one's name (current 702.124j)."""
    name = " ".join(reader.words[at:]).replace(" ,", ",").replace(" 's", "'s")
    other = noun(f"card named {name}") if name else None
    if other is not None and HasName(name=name) in getattr(getattr(other.reading, "objects", None), "parts", ()):
        made = (f.KeywordAbility(keyword=PARTNER, quality=other),)
        yield Reading(len(reader.words), made, (*PARTNER.split(), *reader.words[at:]))


#: What is given, and the instruction that gives it (current 702.174d to i).
GIFTS: dict[Words, Words] = {
    tuple(what.split()): tuple(said.split())
    for what, said in (
        ("a Food", "create a Food token"),
        ("a card", "draw a card"),
        ("a tapped Fish", "create a tapped 1/1 blue Fish creature token"),
        ("an extra turn", "take an extra turn after this one"),
        ("a Treasure", "create a Treasure token"),
        ("an Octopus", "create an 8/8 blue Octopus creature token"),
    )
}
PROMISED = Noun("$promised")


def _gift_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Gift a Food": what the opponent gets who was promised it."""
    if reader.at(place) != "gift":
        return
    for what in GIFTS:
        end = place + 1 + len(what)
        if reader.words[place + 1 : end] == what:
            yield Reading(end, (f.KeywordAbility(keyword="gift", do=_given(reader.grammar, what)),), ("gift", *what))


def _given(grammar: Grammar, what: Words) -> f.Tree:
    said = GIFTS[what]
    made = next(one.value for one in Reader(grammar, said).read("vp", 0) if one.end == len(said))
    return (filled(made, {"who": PROMISED}),)


def _companion_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Companion — CONDITION": to the end of the line what is asked of a deck, which nothing in play reads (current 702.139a)."""
    if reader.words[place : place + 2] != (COMPANION, "—"):
        return
    end = next((n for n in range(place + 2, len(reader.words)) if reader.at(n) in (".", "\n")), len(reader.words))
    said = reader.words[place + 2 : end]
    yield Reading(end, (f.KeywordAbility(keyword=COMPANION, size=" ".join(said)),), (COMPANION, "—", *said))


_LEAD = {"protection": "from", "affinity": "for"}


def _quality(reader: Reader, keyword: str, at: int) -> Iterable[Reading]:
    head = tuple(keyword.split())
    lead = _LEAD.get(keyword)
    if lead is None:
        for one in reader.read("noun", at):
            if _fits(keyword, one.value):
                yield Reading(one.end, (f.KeywordAbility(keyword=keyword, quality=one.value),), (*head, *one.words))
        return
    if reader.at(at) != lead:
        return
    states = list(_qualities_at(reader, keyword, at, ()))
    for end, abilities in states:
        words: list[str] = list(head)
        for i, ability in enumerate(abilities):
            words += ["and"] if i else []
            words += [lead, *noun_words(ability.quality)]  # type: ignore[arg-type]
        yield Reading(end, abilities, tuple(words))
        for joint in (("and",), (",",), (",", "and")):
            if reader.words[end : end + len(joint)] == joint:
                after = end + len(joint)
                if reader.words[after : after + len(head)] == head:
                    after += len(head)  # "protection from black, protection from red"
                    continue
                if reader.at(after) == lead:
                    states.extend(_qualities_at(reader, keyword, after, abilities))


def _qualities_at(
    reader: Reader, keyword: str, at: int, before: tuple[f.KeywordAbility, ...]
) -> Iterable[tuple[int, tuple[f.KeywordAbility, ...]]]:
    if reader.words[at + 1 : at + 3] == ("all", "colors"):
        colors = tuple(f.KeywordAbility(keyword=keyword, quality=Noun(word)) for word in v.COLORS)
        yield at + 3, (*before, *colors)
    if keyword == "protection" and reader.words[at + 1 : at + 4] == ("the", "chosen", "player"):  # current 702.16k
        theirs = Noun("sources the chosen player controls")
        yield at + 4, (*before, f.KeywordAbility(keyword=keyword, quality=theirs))
    opponents = ("each", "of", "your", "opponents")
    if keyword == "protection" and reader.words[at + 1 : at + 5] == opponents:
        yield at + 5, (*before, f.KeywordAbility(keyword=keyword, quality=Noun(" ".join(opponents))))
    for one in reader.read("noun", at + 1):
        if _fits(keyword, one.value):
            yield one.end, (*before, f.KeywordAbility(keyword=keyword, quality=one.value))


def _fits(keyword: str, quality: Noun) -> bool:
    reading = quality.reading
    if keyword == "enchant":
        return isinstance(reading, Things) or quality.text in ("player", "opponent")
    if keyword in ("champion",):
        return quality.text.split()[0] in ("a", "an")
    if keyword == "protection":
        return isinstance(reading, Things | Each) and quality.text.split()[0] not in ("each", "all", "every")
    return isinstance(reading, Things | Each) and quality.text.split()[0] not in ("each", "all")


def _taker_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value or not all(isinstance(a, f.KeywordAbility) for a in value):
        return None
    first = value[0]
    head = tuple(first.keyword.split())
    takes = READ_KEYWORDS.get(first.keyword)
    if takes == "cost and size":
        cost_words = printer.write("cost", first.cost)
        return None if cost_words is None else (*head, *cost_words, "—", first.size)
    if takes == "condition":
        return (*head, "—", *first.size.split())
    if takes == "instructions":
        given = (what for what in GIFTS if _given(printer.grammar, what) == first.do)
        return next(((*head, *what) for what in given), None)
    if len(value) > 1 and (first.keyword not in _LEAD or any(a.keyword != first.keyword for a in value)):
        return None
    if takes == "number" and first.number == DAMAGE_TO_OPPONENTS:
        return (*head, "X")
    if takes == "number" and not isinstance(first.number, int | ColorsSpent):
        amount = printer.write("amount", first.number)
        return None if amount is None else (*head, *WHERE, *amount)
    if takes == "number":
        return (*head, *(SUNBURST if isinstance(first.number, ColorsSpent) else (str(first.number),)))
    if first.keyword == HIDEAWAY:
        return (*head, str(first.number))
    if takes == "cost" and not first.cost and first.keyword in BARE:
        return head
    if first.keyword == EQUIP and first.quality is not None:
        words = printer.write("cost", first.cost)
        return None if words is None else (EQUIP, *_equipped_words(first.quality), *words)
    if takes == "cost" and first.cost:
        words = printer.write("cost", first.cost)
        return None if words is None else (*head, *(() if _only_mana(first.cost) else ("—",)), *words)
    if takes == "number and cost" and first.cost:
        words = printer.write("cost", first.cost)
        return None if words is None else (*head, str(first.number), "—", *words)
    return None if first.quality is None else _quality_words(printer, value, first, first.quality)


def _quality_words(
    printer: Printer, value: tuple[f.KeywordAbility, ...], first: f.KeywordAbility, quality: Noun
) -> Words | None:
    """The words of keywords that take a quality: "protection from red and from blue", "swampwalk", "offering"."""
    head = tuple(first.keyword.split())
    if first.keyword == "landwalk":
        return _landwalk_words(quality)
    if first.keyword == "typecycling":
        return _typecycling_words(printer, first)
    if first.keyword == PARTNER:
        return (*head, *noun_words(quality)[2:])
    if first.keyword == "splice":
        cost = printer.write("cost", first.cost)
        dash = () if _only_mana(first.cost) else ("—",)
        return None if cost is None else (*head, "onto", *noun_words(quality), *dash, *cost)
    if first.keyword == "offering":
        return (*noun_words(quality), "offering")
    if first.keyword not in _LEAD:
        return (*head, *noun_words(quality))
    words: list[str] = list(head)
    for i, each in enumerate(ability.quality for ability in value if ability.quality is not None):
        words += [*(["and"] if i else []), _LEAD[first.keyword], *noun_words(each)]
    return tuple(words)


# --- landwalk and typecycling: the kind is part of the word -------------------------------------------------------------------


def _landwalk_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "nonbasic landwalk", "snow swampwalk", "desertwalk" (702.13a)."""
    adjective = reader.at(place) if reader.at(place) in ("nonbasic", "snow", "legendary", "artifact", "basic") else ""
    word = reader.at(place + 1) if adjective else reader.at(place)
    if not word.endswith("walk") or word in PLAIN and not adjective:
        return
    kind = word[:-4]
    kind = "land" if kind == "land" else _capital(kind)
    if not kind or kind == "land" and not adjective:
        return
    quality = noun(f"{adjective} {kind}".strip())
    if quality is not None:
        end = place + (2 if adjective else 1)
        made = (f.KeywordAbility(keyword="landwalk", quality=quality),)
        yield Reading(end, made, _landwalk_words(quality))


def _capital(kind: str) -> str:
    return _BASIC.get(kind) or (kind.capitalize() if kind.capitalize() in v.SUBTYPES else "")


def _landwalk_words(quality: Noun) -> Words:
    words = quality.text.split()
    return (*words[:-1], words[-1].lower() + "walk")


def _typecycling_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "basic landcycling {1}{R}", "Wizardcycling {3}" (702.27c)."""
    adjective = reader.at(place) if reader.at(place) == "basic" else ""
    at = place + (1 if adjective else 0)
    word = reader.at(at)
    if not word.endswith("cycling") or word == "cycling":
        return
    kind = word[: -len("cycling")].lower()
    kind = kind if kind in ("land", "artifact") else _capital(kind)
    quality = noun(f"{adjective} {kind} card".strip()) if kind else None
    if quality is None or adjective and kind != "land":
        return
    for cost in reader.read("mana", at + 1):
        made = f.KeywordAbility(keyword="typecycling", cost=(f.ManaCost(mana=cost.value),), quality=quality)
        words = _typecycling_words(Printer(reader.grammar), made)
        if words is not None:
            yield Reading(cost.end, (made,), words)


def _typecycling_words(printer: Printer, ability: f.KeywordAbility) -> Words | None:
    cost = printer.write("cost", ability.cost)
    words = ability.quality.text.split() if ability.quality is not None else []
    if cost is None or len(words) < 2:
        return None
    return (*words[:-2], words[-2].lower() + "cycling", *cost)


def _offering_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Goblin offering" (702.46a)."""
    for one in reader.read("bare", place):
        if reader.at(one.end) == "offering":
            made = (f.KeywordAbility(keyword="offering", quality=one.value),)
            yield Reading(one.end + 1, made, (*one.words, "offering"))


def _splice_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "splice onto Arcane {1}{U}", "splice onto Arcane—Sacrifice two Mountains" (702.45a)."""
    if reader.words[place : place + 2] != ("splice", "onto"):
        return
    for kind in reader.read("bare", place + 2):
        dash = reader.at(kind.end) == "—"
        for cost in reader.read("cost", kind.end + dash):
            if _only_mana(cost.value) != dash:
                words = ("splice", "onto", *kind.words, *(("—",) if dash else ()), *cost.words)
                yield Reading(
                    cost.end, (f.KeywordAbility(keyword="splice", quality=kind.value, cost=cost.value),), words
                )


# --- lines ------------------------------------------------------------------------------------------------------------------


def _line_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Keywords with commas between them, to the end of the line: a tuple of names and abilities."""
    states: list[tuple[int, tuple[Any, ...], Words]] = [(place, (), ())]
    while states:
        after: list[tuple[int, tuple[Any, ...], Words]] = []
        for at, items, words in states:
            more = [(one.end, (one.value,), one.words) for one in reader.read("keyword", at)]
            more += [(one.end, one.value, one.words) for one in reader.read("taker", at)]
            for end, values, its_words in more:
                row = ((*items, *values), (*words, ",", *its_words) if words else its_words)
                end += reader.at(end) == "."
                if end == len(reader.words) or reader.at(end) == "\n":
                    yield Reading(end, *row)
                elif reader.at(end) in (",", ";"):
                    after.append((end + 1, *row))
        states = after


def _line_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value:
        return None
    words: list[str] = []
    place = 0
    while place < len(value):
        item = value[place]
        size = 1
        if isinstance(item, str):
            written = printer.write("keyword", item)
        else:
            while place + size < len(value) and _together(item, value[place + size]):
                size += 1
            written = printer.write("taker", value[place : place + size])
        if written is None:
            return None
        words += [","] if words else []
        words += written
        place += size
    return tuple(words)


def _together(one: f.KeywordAbility, other: object) -> bool:
    return isinstance(other, f.KeywordAbility) and other.keyword == one.keyword and one.keyword in _LEAD
