"""A card from its printed text, or the word that stopped the reading; and the text from the card.

Each paragraph is read as every kind of ability that its card may have; exactly one reading must use all its words and print
them again. Instructions of an instant or sorcery are one spell ability in several paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple

from msgspec.structs import replace

from server.cards.forms import (
    Ability,
    ActivatedAbility,
    Card,
    CastingCost,
    CastingRule,
    Continuous,
    CostChange,
    Effect,
    Flag,
    GainAbilities,
    KeywordAbility,
    Mode,
    OpeningHand,
    PlayerRule,
    Room,
    SpellAbility,
    TriggeredAbility,
)
from server.cards.grammar import parse_types, strange_types
from server.cards.loading import FACES, READ_KEYWORDS, Entry, Unread, faces_of, faults, read_entry
from server.cards.nouns import Noun
from server.oracle.abilities import (
    Stopped,
    check_ability,
    check_defenders,
    check_instead,
    check_names,
    conditional,
    with_links,
    without_links,
)
from server.oracle.engine import (
    Printer,
    Reader,
    Reading,
    TooMany,
    Words,
    line_words,
    paragraphs,
    symbols,
    text_of,
    with_costs,
    with_ties_said,
    with_types_as_shown,
    with_whole_name,
    without_reminders,
    words_of,
)
from server.oracle.engine import grammar as grammars
from server.oracle.faces import face_entries, read_faces
from server.oracle.full_grammar import grammar
from server.oracle.nouns import with_own_targets
from server.oracle.triggers import modes

BACKUP = "backup"
VERSION = 1  # of the grammar; what was read by another one is read again
LONGEST = 4000  # characters of one card
UNREAD_SUBTYPES = frozenset(("Room", "Siege", "Attraction", "Contraption"))


class Paragraph(NamedTuple):
    """A paragraph's words with the category that read them."""

    category: str
    reading: Reading
    text: str


def read_card(entry: Entry, layout: str = "", colors: str | None = None) -> Card | Unread:
    """The card of an entry if every word of it is read in exactly one way that prints it again. `layout` is what a list calls
    that of a card of several faces, `colors` its colour indicators by face as far as the list tells them."""
    colors = entry.colors if colors is None else colors
    if FACES in entry.name:
        card = read_faces(entry, read_face, layout, colors)
    else:
        card = read_face(entry)
        if isinstance(card, Card) and colors:
            card = replace(card, colors=colors)
    if isinstance(card, Unread):
        return card
    fault = next(faults(card), None)
    return with_own_targets(card) if fault is None else Unread(entry.name, fault.why)


def read_face(entry: Entry) -> Card | Unread:
    """One face of a card, or a card that has but one, as far as its words go."""
    supertypes, types, subtypes = parse_types(entry.types)
    text = with_ties_said(without_reminders(with_costs(entry.text)).strip())
    text = with_types_as_shown(with_whole_name(text, entry.name, entry.types), entry.name, tuple(subtypes))
    if not text and "basic" in supertypes and not subtypes:
        text = "{T}: Add {C}."  # printed as one symbol, which lists leave out
    if len(text) > LONGEST:
        return Unread(entry.name, f"a text of more than {LONGEST} characters")
    if not text or FACES in entry.types:
        return read_entry(entry)
    if "dungeon" in types:
        return _read_dungeon(entry)
    strange = strange_types(entry.types)
    if strange:
        return Unread(entry.name, strange[0])
    if set(subtypes) & UNREAD_SUBTYPES or "battle" in types:
        return Unread(entry.name, next(iter(sorted({*subtypes} & UNREAD_SUBTYPES)), "battle"))
    try:
        keywords, abilities = _abilities(entry.name, text, types, subtypes)
    except Stopped as stopped:
        plain = read_entry(entry)
        return plain if isinstance(plain, Card) and _prints(plain) else Unread(entry.name, stopped.word)
    return Card(
        name=entry.name,
        types=entry.types,
        cost=symbols.spelled(entry.cost),
        power=entry.power or "" if "creature" in types or "Vehicle" in subtypes else "",
        toughness=entry.toughness or "" if "creature" in types or "Vehicle" in subtypes else "",
        loyalty=entry.loyalty or "" if "planeswalker" in types else "",
        keywords=keywords,
        abilities=abilities,
        text=entry.text,
    )


#: A room as it is printed: its name, what it does, and where arrows lead (current 309.4).
ROOM = re.compile(r"(?P<name>[^—]{1,60}?) — (?P<text>.+?)(?: \(Leads to: (?P<to>.+)\))?")
BY_TYPE = 'You can\'t enter this dungeon unless you "venture into {type}."'


def _read_dungeon(entry: Entry) -> Card | Unread:
    """A dungeon: each paragraph is a room, but for one that says how alone it is entered (current 701.49d)."""
    types = parse_types(entry.types)[2]
    rooms: list[Room] = []
    abilities: tuple[Ability, ...] = ()
    for line in entry.text.replace("’", "'").replace("“", '"').replace("”", '"').split("\n"):
        if any(line == BY_TYPE.format(type=word) for word in types):
            abilities = (PlayerRule(rule="entered by its type alone", zone="command", text=line),)
            continue
        found = ROOM.fullmatch(line)
        if found is None:
            return Unread(entry.name, line.split()[0] if line.split() else "(end)")
        try:
            do = read_paragraph(found["text"], entry.name, spell=True)
        except Stopped as stopped:
            return Unread(entry.name, stopped.word)
        if do.category != "instructions" or isinstance(do.reading.value, modes.Modal):
            return Unread(entry.name, found["text"].split()[0])
        leads_to = tuple(found["to"].split(", ")) if found["to"] else ()
        rooms.append(Room(name=found["name"], do=do.reading.value, leads_to=leads_to, text=found["text"]))
    return Card(name=entry.name, types=entry.types, abilities=abilities, rooms=tuple(rooms), text=entry.text)


def _prints(card: Card) -> bool:
    """Whether the text that a card of keywords prints has them all again."""
    text = printed(card)
    if text is None:
        return False
    again = read_entry(Entry(card.name, card.cost, card.types, text, card.power, card.toughness))
    return isinstance(again, Card) and grammars.matched(
        (again.keywords, again.abilities), (card.keywords, card.abilities), {}
    )


def _abilities(
    name: str, text: str, types: tuple[str, ...], subtypes: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[Ability, ...]]:
    spell = bool({"instant", "sorcery"} & set(types))
    keywords: list[str] = []
    abilities: list[Ability] = []
    instructions: list[Paragraph] = []
    before = ""
    for line in paragraphs(text, spell):
        try:
            found = read_paragraph(line, name, spell)
        except Stopped:
            # A list may have broken an ability between two sentences.
            if spell or not abilities or not before or getattr(abilities[-1], "text", "") != before:
                raise
            line = f"{before} {line}"
            found = read_paragraph(line, name, spell)
            abilities.pop()
        before = line if found.category in ("triggered", "activated") else ""
        value = found.reading.value
        if found.category == "instructions":
            instructions.append(found)
        elif found.category == "keywordline":
            _sort_keywords(value, keywords, abilities, line)
        elif found.category == "statics":
            abilities += [replace(ability, text=line) for ability in value]
        elif found.category == "conditional":
            abilities += [replace(ability, text=said) for ability, said in conditional.with_lines(value, line)]
        else:
            if found.category == "chapter" and "Saga" not in subtypes:
                raise Stopped(line.split()[0])
            check_ability(value)
            abilities.append(replace(value, text=line, modes=_said(value.modes, line)))
    abilities = _backed_up(abilities)
    if instructions:
        abilities.append(_spell(instructions))
        check_ability(abilities[-1])
    check_names(abilities)
    check_instead(abilities)
    check_defenders(abilities)
    hides = "hideaway" in keywords or any(isinstance(a, KeywordAbility) and a.keyword == "hideaway" for a in abilities)
    linked = tuple(abilities) if hides else with_links(tuple(abilities))
    if linked is None:
        raise Stopped("exiled")
    return tuple(keywords), linked


def _is_backup(ability: Ability) -> bool:
    return isinstance(ability, KeywordAbility) and ability.keyword == BACKUP


def _backed_up(abilities: list[Ability]) -> list[Ability]:
    """The abilities, with what stands below backup in it (current 702.165a)."""
    place = max((i for i, a in enumerate(abilities) if _is_backup(a)), default=len(abilities))
    below = abilities[place + 1 :]
    if not below:
        return abilities
    words = tuple(a.keyword for a in below if isinstance(a, KeywordAbility) and READ_KEYWORDS[a.keyword] == "nothing")
    others = tuple(a for a in below if not isinstance(a, KeywordAbility) or a.keyword not in words)
    do = (Effect(what=Noun("it"), mods=(GainAbilities(keywords=words, abilities=others),)),)
    return [replace(a, do=do) if isinstance(a, KeywordAbility) and _is_backup(a) else a for a in abilities]


def _sort_keywords(items: tuple[Any, ...], keywords: list[str], abilities: list[Ability], line: str) -> None:
    for item in items:
        if not isinstance(item, str):
            abilities.append(replace(item, text=text_of(Printer(grammar()).write("taker", (item,)) or ()) or line))
        elif item in keywords or READ_KEYWORDS.get(item) != "nothing" or any(map(_is_backup, abilities)):
            abilities.append(KeywordAbility(keyword=item))
        else:
            keywords.append(item)


def _spell(found: list[Paragraph]) -> SpellAbility:
    text = "\n".join(one.text for one in found)
    first = found[0].reading.value
    if isinstance(first, modes.Modal):
        if len(found) > 1:
            raise Stopped("modes and more")
        spell = modes.with_body(SpellAbility(text=text), first)
        return replace(spell, modes=_said(spell.modes, text))
    do: tuple[Any, ...] = ()
    for one in found:
        if isinstance(one.reading.value, modes.Modal):
            raise Stopped("modes and more")
        do = (*do, *one.reading.value)
    return SpellAbility(do=do, text=text)


def _said(modes: tuple[Mode, ...], text: str) -> tuple[Mode, ...]:
    """The modes with the words that the text has for them, which players choose by."""
    _, *bullets = text.replace("\n+ ", "\n• ").split("\n• ")
    if len(bullets) != len(modes):
        return modes
    said = (words.partition("\nActivate ")[0] for words in bullets)
    return tuple(replace(mode, text=words) for mode, words in zip(modes, said, strict=True))


HAUNTED = Noun("the creature it haunts")  # 702.53b: by a spell that haunt has exiled
# The kinds of paragraph by what stands on the card.
OF_SPELLS = ("keywordline", "statics", "instructions", "triggered", "activated")
OF_PERMANENTS = ("keywordline", "statics", "triggered", "activated", "chapter", "conditional")
_CASTING = (CastingCost, CastingRule, CostChange)


def read_paragraph(line: str, name: str, spell: bool) -> Paragraph:
    """The one reading of a paragraph that uses all its words and prints them. Raises Stopped."""
    words = line_words(line, name)
    reader = Reader(grammar(), words)
    found: list[Paragraph] = []
    categories = OF_SPELLS if spell else OF_PERMANENTS
    try:
        for category in categories:
            for one in reader.read(category, 0):
                if one.end == len(words) and (not spell or _on_spell(category, one.value)):
                    found.append(Paragraph(category, one, line))
    except (TooMany, RecursionError):
        raise Stopped("too many readings") from None
    found = _without_same(found)
    if not found:
        raise Stopped(_as_printed(reader.at(reader.furthest), line))
    if len(found) > 1:
        raise Stopped("two readings")
    category, reading, _ = found[0]
    written = Printer(grammar()).write(category, reading.value)
    if written is None or not _read_again(written, category, reading.value):
        raise Stopped("printed otherwise")
    return found[0]


def _read_again(written: Words, category: str, value: Any) -> bool:
    """Whether the text that people would read, printed from the tree, is read as the same tree."""
    words = words_of(text_of(written), ())
    again = Reader(grammar(), words).read(category, 0)
    values = [one.value for one in again if one.end == len(words)]
    return len(values) == 1 and grammars.matched(values[0], value, {})


def unread_paragraphs(entry: Entry) -> Iterator[tuple[str, str]]:
    """Each paragraph of a card that is not read, and the word (or what else) that stopped it."""
    if FACES in entry.name:
        for face in face_entries(entry):
            yield from unread_paragraphs(face)
        return
    if len(entry.text) > LONGEST:
        return
    _, types, _ = parse_types(entry.types)
    spell = bool({"instant", "sorcery"} & set(types))
    text = with_whole_name(with_ties_said(without_reminders(entry.text).strip()), entry.name, entry.types)
    for line in paragraphs(text, spell):
        try:
            read_paragraph(line, entry.name, spell)
        except Stopped as stopped:
            yield line, stopped.word


def _as_printed(word: str, line: str) -> str:
    """A word as it stands in the line, which may begin with a capital letter."""
    for one in line.split():
        plain = one.strip('.,;:"()')
        if plain.casefold() == word.casefold():
            return plain
    return word or "(end)"


def _on_spell(category: str, value: Any) -> bool:
    """Whether such a paragraph can stand on an instant or sorcery."""
    if category == "triggered":
        this = Noun("{this}")
        if value.zone in ("graveyard", "hand"):
            return True
        return all(
            p.event in ("cast", "cycled", "discard") and p.object == this or p.subject == HAUNTED for p in value.when
        )
    if category == "activated":
        return value.zone != "battlefield"
    return category != "statics" or _of_spell(value)


_UNCOUNTERED = (Flag(rule="can't be countered"),)


def _of_spell(abilities: tuple[Ability, ...]) -> bool:
    """Whether static abilities are such that an instant or sorcery has them."""
    return all(
        isinstance(a, (*_CASTING, OpeningHand))
        or isinstance(a, KeywordAbility)
        and a.keyword == "forecast"
        or isinstance(a, PlayerRule)
        and a.rule == "any number in a deck"
        or isinstance(a, Continuous)
        and a.mods in (_UNCOUNTERED, (*_UNCOUNTERED, Flag(rule="damage can't be prevented")))
        for a in abilities
    )


def _without_same(found: list[Paragraph]) -> list[Paragraph]:
    kept: list[Paragraph] = []
    for one in found:
        if not any(one.category == o.category and one.reading.value == o.reading.value for o in kept):
            kept.append(one)
    return kept


# --- the text of a card -----------------------------------------------------------------------------------------------------


def printed(card: Card, printer: Printer | None = None) -> str | None:
    """The card's text as its tree prints it (by `printer`, if somebody wants to watch), or None if a part of it prints nothing;
    faces one after the other."""
    printer = printer or Printer(grammar())
    if card.faces:
        faces = [printed(face, printer) for face in faces_of(card)]
        return None if None in faces else f"\n{FACES.strip()}\n".join(text or "" for text in faces)
    if card.rooms:
        return _printed_dungeon(card, printer)
    lines: list[str] = []
    row = list(card.keywords)
    if row:
        words = printer.write("keywordline", tuple(row))
        lines.append(text_of(words) if words else ", ".join(row))
    more = _lines(printer, tuple(without_links(one) for one in card.abilities))
    if more is None:
        return None
    lines += more
    text = "\n".join(line[:-1] if line.endswith('.".') else line for line in lines).replace(" • ", "\n• ")
    parts = text.split('"')  # inside of quotation marks the name would mean the card itself
    parts[1::2] = [part.replace("{this}", "this permanent") for part in parts[1::2]]
    return '"'.join(parts).replace("{this}", card.name)


def _printed_dungeon(card: Card, printer: Printer) -> str | None:
    """A dungeon's rooms, one a line as `ROOM` reads them (current 309.4); what its type alone leads to first."""
    lines = [BY_TYPE.format(type=parse_types(card.types)[2][0]) for _ in card.abilities]
    for room in card.rooms:
        does = _lines(printer, (SpellAbility(do=room.do),))
        if does is None:
            return None
        to = f" (Leads to: {', '.join(room.leads_to)})" if room.leads_to else ""
        lines.append(f"{room.name} — {' '.join(does)}{to}")
    return "\n".join(lines).replace("{this}", card.name)


TOGETHER = 2
"""So many abilities may be one paragraph that alone print nothing ("you may play a land and cast a spell from among ...")."""


def _lines(printer: Printer, abilities: tuple[Ability, ...], below: Words = ()) -> list[str] | None:
    """The lines of abilities that stand `below` a station symbol, if it is one; None if one of them prints nothing there."""
    if not abilities:
        return []
    for size, words in _first_words(printer, abilities, bool(below)):
        symbol = conditional.symbol_of(words)
        if below and not symbol:
            return None
        rest = _lines(printer, abilities[size:], symbol)
        if rest is None:
            continue
        if not symbol:
            return [text_of(_opened(words)), *rest]
        line = text_of(words[len(symbol) + 1 :])
        return [line, *rest] if symbol == below else [text_of(symbol), line, *rest]
    return None


def _opened(words: Words) -> Words:
    """The words as a paragraph of their own: one that begins with "if it" would go on with the one above."""
    return ("if", "{this}", *words[2:]) if words[:3] == ("if", "it", "was") else words


def _first_words(printer: Printer, abilities: tuple[Ability, ...], below: bool) -> Iterator[tuple[int, Words]]:
    """How many of the abilities the first paragraph may have, and its words. One keyword may have several qualities ("protection
    from red and from blue")."""
    protections = tuple(takewhile(_is_protection, abilities))
    if below:
        ways = [(1, "conditional", abilities[:1])]
    elif protections:
        ways = [(len(protections), "taker", protections)]
    else:
        plain = tuple(replace(ability, text="") for ability in abilities[:TOGETHER])
        either = printer.write("manainstead", plain)
        if either is not None:
            yield TOGETHER, either
        one = _ability_words(printer, abilities[0])
        if one is not None:
            yield 1, one
        ways = [(size, "statics", plain[:size]) for size in range(2, len(plain) + 1)]
    for size, category, value in ways:
        words = printer.write(category, value)
        if words is not None:
            yield size, words


def _is_protection(ability: Ability) -> bool:
    return isinstance(ability, KeywordAbility) and ability.keyword == "protection"


def _ability_words(printer: Printer, ability: Ability) -> Words | None:
    return _own_words(printer, ability) or printer.write("conditional", (ability,))


def _plain_words(printer: Printer, ability: Ability) -> Words | None:
    said = (
        printer.write("statics", (replace(ability, text=""),))
        if isinstance(ability, KeywordAbility) and ability.do
        else None
    )
    return said or printer.write("keywordline", (ability,))


def _own_words(printer: Printer, ability: Ability) -> Words | None:
    match ability:
        case KeywordAbility():
            bare = replace(ability, text="") == KeywordAbility(keyword=ability.keyword)
            words = printer.write("keywordline", (ability.keyword,)) if bare else None
            return words or _plain_words(printer, ability)
        case SpellAbility():
            return printer.write("instructions", modes.body_of(ability))
        case TriggeredAbility():
            return printer.write("chapter" if ability.keyword else "triggered", ability)
        case ActivatedAbility():
            return printer.write("activated", ability)
        case _:
            return printer.write("statics", (replace(ability, text=""),))
