"""A card that is partly read, played partly: what is read is as ever, each other paragraph is a paragraph *by hand*.

Of a paragraph by hand as much is read as can be: what stands in front of its instructions (a cost, an event, a chapter, modes) is
read with a stand-in for them, and what they target is read by the phrase. If the card does not check without what is unread, or a
read paragraph speaks of an unread one, they are by hand together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from server.cards.forms import (
    Ability,
    ActivatedAbility,
    ByHand,
    Card,
    Draw,
    HandAbility,
    Mode,
    Noun,
    Pattern,
    SpellAbility,
    TriggeredAbility,
)
from server.cards.grammar import parse_types, strange_types
from server.cards.loading import FACES, Entry, Unread, faults
from server.cards.nouns import Target
from server.oracle.engine import (
    Reader,
    line_words,
    paragraphs,
    symbols,
    with_ties_said,
    with_whole_name,
    without_reminders,
)
from server.oracle.faces import read_faces
from server.oracle.full_grammar import grammar
from server.oracle.nouns import nouns_at, with_own_targets
from server.oracle.reading import LONGEST, Stopped, read_card, read_face, read_paragraph

STAND_IN = "Draw a card."
_STAND_IN = (Draw(count=1),)
MOST_TARGETS = 6
MOST_FIRST_WORDS = 16
#: What only says when, how often or by whom an ability is activated or triggers.
_LIMIT = re.compile(r"(?:Activate|This ability triggers|Do this) [^.]*\.$")
_QUOTED = re.compile(r'"[^"]*"')
_SENTENCE = re.compile(r"(?<=[.\n]) ?")
#: Sentences whose targets are chosen at another time: delayed and reflexive triggers.
_OTHER_TIME = re.compile(r"\b(?:[Ww]hen(?:ever)?|[Aa]t the beginning|[Aa]t end of)\b")
#: Paragraphs of instants and sorceries that are no instructions, but about casting them.
_OF_CASTING = re.compile(
    r"(?:As an additional cost|This spell|You may cast|You may pay|You may exile|If [^.]* rather than|Cast this)"
)
#: Words by which a paragraph may speak of what another did.
_SPEAKS_OF_OTHERS = re.compile(r"\b(?:it|its|that|those|them|they|this way|instead|chosen)\b")
LEVELS = READ, TOGETHER, WORDS = range(3)
"""How little is read: what can be; nothing but what stands in front of instructions; not even that."""
_WORDED = re.compile(r"[A-Za-z][\w' ]{0,40} — ")
UNTOLD = "Its power and toughness are not told here."
"""A paragraph by hand of what a card list leaves out; a number that is not known is 0 (107.2)."""


def read_partly(entry: Entry, layout: str = "", colors: str | None = None) -> Card | Unread:
    """The card of an entry, whole if it is read whole, else with paragraphs by hand. `Unread` only for what is no card of the game
    as it is known here (types, faces)."""
    whole = read_card(entry, layout, colors)
    if isinstance(whole, Card):
        return whole
    colors = entry.colors if colors is None else colors
    for least in LEVELS:
        if FACES in entry.name:
            card = read_faces(entry, lambda face, least=least: _face(face, least), layout, colors)
        else:
            card = _face(entry, least)
            card = replace(card, colors=colors) if isinstance(card, Card) and colors else card
        if isinstance(card, Card) and next(faults(card), None) is None:
            return with_own_targets(card)
    return whole


# --- a face -------------------------------------------------------------------------------------------------------------------


def _face(entry: Entry, level: int) -> Card | Unread:
    """One face, its unread paragraphs by hand; from `TOGETHER` on all of them are."""
    if _is_sized(entry.types) and not (entry.power and entry.toughness):
        found = _face(replace(entry, power=entry.power or "0", toughness=entry.toughness or "0"), level)
        if isinstance(found, Unread):
            return found
        text = "\n".join(filter(None, (found.text, UNTOLD)))
        return replace(found, abilities=(*found.abilities, HandAbility(text=UNTOLD)), text=text)
    if level == READ:
        read = read_card(entry)
        if isinstance(read, Card):
            return read
    if len(entry.text) > LONGEST:
        return Unread(entry.name, f"a text of more than {LONGEST} characters")
    text = with_whole_name(with_ties_said(without_reminders(entry.text).strip()), entry.name, entry.types)
    _, types, _ = parse_types(entry.types)
    spell = bool({"instant", "sorcery"} & set(types))
    lines = paragraphs(text)
    hands = [level > READ or not _is_read(line, entry.name, spell) for line in lines]
    if spell:
        # What an instruction did is spoken of by those after it, and nobody knows what is done by hand.
        first = hands.index(True) if True in hands else len(hands)
        hands = [hand or i > first and bool(_SPEAKS_OF_OTHERS.search(lines[i])) for i, hand in enumerate(hands)]
    read_lines = [line for line, hand in zip(lines, hands, strict=True) if not hand]
    card = read_face(replace(entry, text="\n".join(read_lines))) if read_lines else _blank(entry)
    if isinstance(card, Unread):
        return card
    made = [
        (_words if level == WORDS else _by_hand)(line, entry.name, spell)
        for line, hand in zip(lines, hands, strict=True)
        if hand
    ]
    return _with(replace(card, text=entry.text), made, hands[:1] == [True])


def _blank(entry: Entry) -> Card | Unread:
    """The face without any of its text."""
    strange = strange_types(entry.types)
    if strange or FACES in entry.types:
        return Unread(entry.name, strange[0] if strange else "//")
    _, types, _ = parse_types(entry.types)
    sized = _is_sized(entry.types)
    return Card(
        name=entry.name,
        types=entry.types,
        cost=symbols.spelled(entry.cost),
        power=(entry.power or "") if sized else "",
        toughness=(entry.toughness or "") if sized else "",
        loyalty=(entry.loyalty or "") if "planeswalker" in types else "",
        text=entry.text,
    )


def _is_sized(types: str) -> bool:
    """Whether what has that type line has power and toughness (208.1, current 301.7)."""
    _, kinds, subtypes = parse_types(types)
    return "creature" in kinds or "Vehicle" in subtypes


def _is_read(line: str, name: str, spell: bool) -> bool:
    try:
        read_paragraph(line, name, spell)
    except Stopped:
        return False
    return True


def _with(card: Card, made: list[Ability], hand_first: bool) -> Card:
    """The card with the abilities by hand; of a spell all instructions are one ability, in the order in which they stand."""
    spells = [ability for ability in made if isinstance(ability, SpellAbility)]
    others = tuple(ability for ability in made if not isinstance(ability, SpellAbility))
    own = next((ability for ability in card.abilities if isinstance(ability, SpellAbility)), None)
    rest = tuple(ability for ability in card.abilities if ability is not own)
    if own is not None:
        # Read instructions come first where the card's first paragraph is read, as nearly all of them do.
        spells = [*spells, own] if hand_first else [own, *spells]
    if not spells:
        return replace(card, abilities=(*card.abilities, *others))
    if len(spells) == 1:
        return replace(card, abilities=(*rest, *others, spells[0]))
    do: tuple[Any, ...] = tuple(verb for one in spells for verb in _plain(one))
    whole = SpellAbility(do=do, text="\n".join(one.text for one in spells))
    return replace(card, abilities=(*rest, *others, whole))


def _plain(spell: SpellAbility) -> tuple[Any, ...]:
    """The instructions of a spell ability; one with modes that stands beside others is by hand whole."""
    return spell.do if not spell.modes else (hand(spell.text, spell.text, ""),)


# --- a paragraph --------------------------------------------------------------------------------------------------------------


def _words(line: str, name: str, spell: bool) -> Ability:
    """A paragraph by hand of which nothing is read."""
    do = (ByHand(text=line),)
    return SpellAbility(do=do, text=line) if spell else HandAbility(text=line, do=do)


def _by_hand(line: str, name: str, spell: bool) -> Ability:
    """A paragraph by hand, with as much of it read as can be."""
    if spell:
        if _OF_CASTING.match(line):
            return HandAbility(text=line)
        modal = _modal(line, name, spell)
        return modal if modal is not None else SpellAbility(do=(hand(line, line, name),), text=line)
    modal = _modal(line, name, spell)
    if modal is not None:
        return modal
    for shell, rest in _shells(line):
        try:
            found = read_paragraph(shell, name, spell)
        except Stopped:
            continue
        value = found.reading.value
        if isinstance(value, TriggeredAbility | ActivatedAbility) and value.do == _STAND_IN:
            return replace(value, do=(hand(line, rest, name),), text=line)
    triggers = re.match(r"(?:When|Whenever|At) ", line) is not None
    body = line.partition(", ")[2] if triggers else line
    return HandAbility(text=line, do=(hand(line, body, name),), reminds=_first_words(line, name) if triggers else ())


def _first_words(line: str, name: str) -> tuple[Pattern, ...]:
    """The event that the first words of a trigger name, as many of them as are read; nothing where none are."""
    words = _QUOTED.sub("", line).partition(", ")[0].split()[:MOST_FIRST_WORDS]
    for number in range(len(words) - 1, 2, -1):
        try:
            found = read_paragraph(
                f"{' '.join(words[:number]).rstrip(',')}, {STAND_IN[0].lower()}{STAND_IN[1:]}", name, False
            )
        except Stopped:
            continue
        value = found.reading.value
        if isinstance(value, TriggeredAbility) and value.do == _STAND_IN:
            return value.when
    return ()


def _shells(line: str) -> Iterator[tuple[str, str]]:
    """The paragraph with a stand-in for its instructions, and these, for each place at which they could begin; the last first."""
    line = line.replace("\n", " ")
    cut = _WORDED.match(line)
    lead = cut[0] if cut and not re.match(r"[IVX]+", line) else ""
    line = line.removeprefix(lead)
    body, limits = line, ""
    while found := _LIMIT.search(body):
        if not found.start():
            break
        body, limits = body[: found.start()].rstrip(), f" {found[0]}{limits}"
    chapter = re.match(r"[IVX]+(?:, [IVX]+)* — ", body)
    ends = [chapter.end()] if chapter else []
    quoted = _QUOTED.sub(lambda found: "_" * len(found[0]), body)
    if colon := quoted.find(": ") + 1:
        ends.append(colon + 1)
    if body.startswith(("When", "At ")):
        ends += [found.end() for found in re.finditer(r", ", quoted)][::-1]
    for end in ends:
        stand_in = STAND_IN if body[end - 2] == ":" or chapter else STAND_IN[0].lower() + STAND_IN[1:]
        yield f"{body[:end]}{stand_in}{limits}", body[end:]
        if limits:
            yield f"{body[:end]}{stand_in}", body[end:]


def _modal(line: str, name: str, spell: bool) -> Ability | None:
    """A paragraph of modes, of which those that are not read are by hand; None if it is no such paragraph."""
    head, *bullets = line.split("\n• ")
    if len(bullets) < 2:
        return None
    read = [_is_read(f"{head}\n• {bullet}\n• {STAND_IN}", name, spell) for bullet in bullets]
    shown = [bullet if good else STAND_IN for bullet, good in zip(bullets, read, strict=True)]
    made = read_face(Entry(name, "", "Sorcery" if spell else "Artifact", "\n• ".join((head, *shown))))
    ability = made.abilities[0] if isinstance(made, Card) and len(made.abilities) == 1 else None
    if not isinstance(ability, SpellAbility | TriggeredAbility | ActivatedAbility) or len(ability.modes) != len(
        bullets
    ):
        return None
    modes = tuple(
        mode if good else Mode(do=(hand(bullet, bullet, name),), cost=mode.cost, text=bullet)
        for mode, bullet, good in zip(ability.modes, bullets, read, strict=True)
    )
    return replace(ability, modes=modes, text=line)


# --- instructions -------------------------------------------------------------------------------------------------------------


def hand(text: str, body: str, name: str) -> ByHand:
    """Instructions by hand: the printed text, and what its `body` says to target as it is announced."""
    return ByHand(text=text, targets=tuple(_targets(body, name)))


def _targets(body: str, name: str) -> list[Noun]:
    """The target slots of printed instructions, in the order in which they stand: each phrase as long as it can be read."""
    found: list[Noun] = []
    plain = _QUOTED.sub("", body)
    said = " ".join(one for one in _SENTENCE.split(plain) if not _OTHER_TIME.search(one) and "instead" not in one)
    words = line_words(said, name) if said else ()
    reader = Reader(grammar(), words)
    at = 0
    while at < len(words) and len(found) < MOST_TARGETS:
        place = next((i for i in range(at, len(words)) if words[i] == "target"), -1)
        if place < 0:
            break
        slots = [
            one
            for start in range(max(at, place - 5), place + 1)
            for one in nouns_at(reader, start)
            if one.end > place and isinstance(one.value.reading, Target)
        ]
        if slots:
            longest = max(slots, key=lambda one: (one.end, len(one.words)))
            found.append(longest.value)
            at = longest.end
        else:
            at = place + 1
    return found
