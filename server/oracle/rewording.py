"""A paragraph by hand said in words that the server reads: the card with that paragraph read, all else as it was."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.cards.forms import Ability, ByHand, Card, HandAbility, SpellAbility
from server.cards.loading import Entry, Unread, faults
from server.oracle.acts import ActFault, canonical
from server.oracle.engine import walk
from server.oracle.nouns import with_own_targets
from server.oracle.reading import printed, read_face

LONGEST_WORDING = 600


def reworded(card: Card, text: str, line: str) -> tuple[Card, str]:
    """The card whose paragraph by hand `text` is said as `line`, and how a card would print what is understood of it. Raises
    ActFault."""
    line = "\n".join(" ".join(part.split()) for part in line.strip().splitlines())
    if not line or len(line) > LONGEST_WORDING:
        raise ActFault(f"A wording has 1 to {LONGEST_WORDING} characters.")
    faces = (card, *card.faces)
    place = next((i for i, face in enumerate(faces) if _has(face.abilities, text)), -1)
    if place < 0:
        raise ActFault("That is no paragraph by hand of this card.")
    face = faces[place]
    read = _read(face, line)
    made = replace(
        face,
        keywords=tuple(dict.fromkeys((*face.keywords, *read.keywords))),
        abilities=_with(face.abilities, text, read),
        text=_text(face.text, text, line),
    )
    if place == 0:
        whole = replace(made, faces=card.faces)
    else:
        others = list(card.faces)
        others[place - 1] = made
        whole = replace(card, faces=tuple(others))
    fault = next(faults(whole), None)
    if fault is not None:
        raise ActFault(f"The card is not sound so: {fault.why}.")
    return canonical(with_own_targets(whole)), printed(read) or line


def _has(value: Any, text: str) -> bool:
    return any(isinstance(part, ByHand | HandAbility) and part.text == text for part in walk(value))


def _read(face: Card, line: str) -> Card:
    """A card that says nothing but the line, of the face's name and types."""
    size = {"power": face.power or None, "toughness": face.toughness or None, "loyalty": face.loyalty or None}
    read = read_face(Entry(face.name, face.cost, face.types, line, **size))
    if isinstance(read, Unread):
        raise ActFault(f"That is not read at {read.word!r}.")
    if _has_any(read.abilities):
        raise ActFault("That is not read.")
    return read


def _has_any(value: Any) -> bool:
    return any(isinstance(part, ByHand | HandAbility) for part in walk(value))


def _with(abilities: tuple[Ability, ...], text: str, read: Card) -> tuple[Ability, ...]:
    """The abilities with what was read in the place of the paragraph; of a spell's instructions only those are replaced."""
    spell = next((one for one in read.abilities if isinstance(one, SpellAbility)), None)
    made: list[Ability] = []
    done = False
    for ability in abilities:
        if not _has(ability, text):
            made.append(ability)
        elif spell is not None and isinstance(ability, SpellAbility):
            done = True
            made.append(_spell(ability, text, spell))
        elif not done:
            done = True
            made.extend(one for one in read.abilities if one is not spell)
            made.extend((spell,) if spell is not None else ())
    if spell is not None and any(isinstance(one, SpellAbility) for one in made):
        made.extend(one for one in read.abilities if one is not spell and one not in made)
    return tuple(made)


def _spell(old: SpellAbility, text: str, new: SpellAbility) -> SpellAbility:
    if all(isinstance(verb, ByHand) and verb.text == text for verb in old.do) and not old.modes:
        return new
    if new.modes:
        raise ActFault("A spell has modes or other instructions, not both.")
    if old.modes:
        modes = tuple(replace(mode, do=new.do) if _has(mode.do, text) else mode for mode in old.modes)
        return replace(old, modes=modes)
    do: list[Any] = []
    for verb in old.do:
        do += new.do if isinstance(verb, ByHand) and verb.text == text else (verb,)
    return replace(old, do=tuple(do))


def _text(whole: str, text: str, line: str) -> str:
    """The card's text with its paragraph said so, as people read it."""
    return whole.replace(text, line, 1) if text in whole else f"{whole}\n{line}"
