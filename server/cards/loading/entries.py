"""Card lists: JSON lines `{name, cost, types, power, toughness, loyalty, text}` as people have them.

Without the text grammar only what needs none is read: vanilla cards, lands with basic land types (305.6 gives the mana
ability), and cards whose text is keyword abilities of `READ_KEYWORDS`. Anything else is `Unread`, with the first word that
stopped it; it never enters a game.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

import msgspec

from server.cards.forms import AnyCost, Card, DiscardCost, KeywordAbility, LifeCost, ManaCost, SacrificeCost
from server.cards.grammar import parse_types, strange_types
from server.cards.grammar import vocabulary as v
from server.cards.loading.built import READ_KEYWORDS, Takes
from server.cards.loading.check import MANA, faults
from server.cards.loading.errors import Malformed
from server.cards.nouns import ColorsSpent, Noun, NounError

_LONGEST = max(len(word.split()) for word in READ_KEYWORDS)
# Some lists write hybrid and Phyrexian symbols without the stroke: {RG}, {2W}, {WP}.
_STROKELESS = re.compile(r"\{([WUBRG2C])([WUBRGP])\}")
_SLASHES = re.compile(r"\s*/+\s*")
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "–": "-"})
# A dash between a keyword and a cost in words: "Echo—Discard a card", "Ward--Pay 2 life".
_DASH = re.compile(r"^([A-Za-z ]+?)\s*(?:—|--|-)\s*(?=[A-Z])")
_REMINDER = re.compile(r"\([^()]*\)")
_BASIC_TEXT = re.compile(r"[WUBRGC]|(?:\{T\}: Add \{[WUBRGC]\}\.?)|(?:\{T\}: Add \{[WUBRG]\} or \{[WUBRG]\}\.?)")


FACES = " // "
"""Between the faces in the fields of an entry."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a card list. A card of two faces has ` // ` in its name and between the parts of its other fields, a meld card of
    three: itself, the combined back face, the other card of the pair. `colors` ("U", or " // R" by face) are those of a colour
    indicator."""

    name: str
    cost: str = ""
    types: str = ""
    text: str = ""
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    colors: str | None = None


class Unread(msgspec.Struct, frozen=True):
    """A card that cannot be played yet: its name and the word (or what else) that stopped the reading."""

    name: str
    word: str


Read: TypeAlias = Callable[[Entry], Card | Unread]
"""Who reads an entry: the text grammar, or `read_entry`, which knows keywords only."""


def is_entry(data: object) -> bool:
    """Whether a decoded object is a list entry and not a tree: its text is all there is to say what it does."""
    if not isinstance(data, dict):
        return False
    keys = set(cast("dict[str, object]", data))
    return keys <= set(Entry.__struct_fields__) and "text" in keys


def joined(faces: Sequence[Entry]) -> Entry:
    """The entry of all faces, the parts of each field in their order."""

    def parts(field: str) -> str:
        found = [getattr(face, field) or "" for face in faces]
        return FACES.join(found) if any(found) else ""

    return Entry(
        name=parts("name"),
        cost=parts("cost"),
        types=parts("types"),
        text=parts("text"),
        power=parts("power") or None,
        toughness=parts("toughness") or None,
        loyalty=parts("loyalty") or None,
        colors=parts("colors") or None,
    )


def called(name: str) -> tuple[str, ...]:
    """What a card of an entry's name may be called: each of its faces; a meld card only by its own name."""
    names = name.split(FACES)
    return (names[0],) if len(names) > 2 else tuple(names)


def to_entry(data: object) -> Entry:
    """The entry that a decoded object is. Raises Malformed."""
    try:
        return msgspec.convert(data, Entry)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$.")
        raise Malformed(why, path=path.rstrip("`")) from None


def read_entry(entry: Entry) -> Card | Unread:
    """The card of an entry, or which word of it is not read."""
    if FACES in entry.name or FACES in entry.types:
        return Unread(entry.name, "//")
    strange = strange_types(entry.types)
    if strange:
        return Unread(entry.name, strange[0])
    _, types, subtypes = parse_types(entry.types)
    found = _abilities(entry, types, subtypes)
    if isinstance(found, str):
        return Unread(entry.name, found)
    keywords, abilities = found
    creature = "creature" in types
    card = Card(
        name=entry.name,
        types=entry.types,
        cost=_STROKELESS.sub(r"{\1/\2}", entry.cost),
        power=entry.power or "" if creature else "",
        toughness=entry.toughness or "" if creature else "",
        keywords=keywords,
        abilities=abilities,
        text=entry.text,
    )
    fault = next(faults(card), None)
    return card if fault is None else Unread(entry.name, fault.why)


def _abilities(
    entry: Entry, types: tuple[str, ...], subtypes: tuple[str, ...]
) -> str | tuple[tuple[str, ...], tuple[KeywordAbility, ...]]:
    """The keywords and keyword abilities of the text, or the word that is not read."""
    text = _REMINDER.sub("", entry.text).strip()
    if "land" in types and set(subtypes) & set(v.BASIC_LANDS) and (not text or _BASIC_TEXT.fullmatch(text)):
        return (), ()
    if "land" in types and not text:
        return "(no text)"  # a list that leaves the text out; a land without any would do nothing
    if not set(types) & {"creature", "land", "artifact", "enchantment"} or set(subtypes) & {"Aura", "Saga", "Vehicle"}:
        return text.split()[0] if text else "(no text)"
    plain: list[str] = []
    abilities: list[KeywordAbility] = []
    for line in text.splitlines():
        for piece in re.split(r"[,;]", line):
            if not piece.strip():
                continue
            found = read_keyword(piece.strip().rstrip("."))
            if isinstance(found, str):
                return found
            for ability in found:
                if ability == KeywordAbility(keyword=ability.keyword) and ability.keyword not in plain:
                    plain.append(ability.keyword)
                else:
                    abilities.append(ability)
    return tuple(plain), tuple(abilities)


def read_keyword(piece: str) -> str | tuple[KeywordAbility, ...]:
    """The keyword ability of a text like "Bushido 2" or "Protection from red" (one for each quality), or the unread word."""
    words = _DASH.sub(r"\1 ", piece).split()
    for length in range(min(_LONGEST, len(words)), 0, -1):
        keyword = " ".join(words[:length]).lower()
        takes = READ_KEYWORDS.get(keyword)
        if takes is not None:
            return _with_parameter(keyword, takes, " ".join(words[length:]).lstrip("—- ").strip(), piece)
    return _landwalk(piece) or _typecycling(piece) or words[0]


def _with_parameter(keyword: str, takes: Takes, rest: str, text: str) -> str | tuple[KeywordAbility, ...]:
    """The keyword with what it takes read from the rest, or the word that is not read."""
    if takes == "nothing":
        return (KeywordAbility(keyword=keyword),) if not rest else rest.split()[0]
    if not rest:
        return f"{keyword} without a {takes}"
    if keyword == "modular" and rest.lower() == "sunburst":  # 702.42c
        return (KeywordAbility(keyword=keyword, number=ColorsSpent(), text=text),)
    if takes == "condition":
        return (KeywordAbility(keyword=keyword, size=rest.rstrip("."), text=text),)
    if takes == "number":
        return (KeywordAbility(keyword=keyword, number=int(rest), text=text),) if rest.isdecimal() else rest.split()[0]
    if takes == "number and cost":
        match = re.fullmatch(r"(\d+)\s*[—-]\s*(\S+)", rest)
        if match is None or not MANA.fullmatch(match[2]):
            return rest.split()[0]
        return (KeywordAbility(keyword=keyword, number=int(match[1]), cost=(ManaCost(mana=match[2]),), text=text),)
    if takes == "cost":
        cost = _cost(rest)
        return rest.split()[0] if cost is None else (KeywordAbility(keyword=keyword, cost=(cost,), text=text),)
    if keyword in ("champion", "bands with other"):
        return _one_quality(keyword, rest, text)
    return _qualities(keyword, rest)


def _landwalk(piece: str) -> tuple[KeywordAbility, ...] | None:
    """ "Nonbasic landwalk", "Snow swampwalk", "Desertwalk": landwalk with the kind of land as its quality (702.13)."""
    match = re.fullmatch(r"(?:(\w+) )?(\w+)walk", piece)
    if match is None:
        return None
    kind = match[2].lower() if match[2].lower() == "land" else match[2].capitalize()
    try:
        quality = Noun(f"{match[1].lower()} {kind}" if match[1] else kind)
    except NounError:
        return None
    return (KeywordAbility(keyword="landwalk", quality=quality, text=piece),)


def _cost(text: str) -> AnyCost | None:
    """A cost of one part: mana, life, something sacrificed or discarded ("Pay 2 life", "Sacrifice a creature"); else None."""
    if MANA.fullmatch(text):
        return ManaCost(mana=text)
    verb, _, rest = text.partition(" ")
    life = re.fullmatch(r"(\d+) life", rest)
    if verb == "Pay" and life is not None:
        return LifeCost(amount=int(life[1]))
    try:
        if verb == "Sacrifice":
            return SacrificeCost(what=Noun(rest))
        if verb == "Discard":
            return DiscardCost(what=Noun(rest))
    except NounError:
        return None
    return None


def _typecycling(piece: str) -> tuple[KeywordAbility, ...] | None:
    """ "Basic landcycling {1}{R}", "Wizardcycling {3}": what is searched for as the quality (702.27c)."""
    match = re.fullmatch(r"(?:(\w+) )?(\w+)cycling ((?:\{[^{}]+\})+)", piece)
    if match is None or not MANA.fullmatch(match[3]):
        return None
    kind = match[2].lower() if match[2].lower() == "land" else match[2].capitalize()
    try:
        quality = Noun(f"{match[1].lower()} {kind} card" if match[1] else f"{kind} card")
    except NounError:
        return None
    return (KeywordAbility(keyword="typecycling", cost=(ManaCost(mana=match[3]),), quality=quality, text=piece),)


def _one_quality(keyword: str, rest: str, text: str) -> str | tuple[KeywordAbility, ...]:
    """ "champion a Faerie", "bands with other legendary creatures"."""
    try:
        return (KeywordAbility(keyword=keyword, quality=Noun(rest), text=text),)
    except NounError:
        return rest.split()[-1]


def _qualities(keyword: str, rest: str) -> str | tuple[KeywordAbility, ...]:
    """ "from black and from red", "for artifacts": one ability for each quality."""
    found: list[KeywordAbility] = []
    if keyword == "protection":  # 702.15h
        rest = re.sub(r"from (?:all colors|each color)", " and ".join(f"from {color}" for color in v.COLORS), rest)
    lead = "for" if keyword == "affinity" else "from"
    for quality in re.split(rf" and (?={lead} )", rest):
        word = quality.removeprefix(f"{lead} ")
        if word == quality or word in ("the", "all", "chosen"):
            return quality.split()[0]
        try:
            noun = Noun(word)
        except NounError:
            return word.split()[0]
        found.append(KeywordAbility(keyword=keyword, quality=noun, text=f"{keyword.capitalize()} {lead} {word}"))
    return tuple(found)


def plain_name(name: str) -> str:
    """A name as it is looked up: without case, accents and ligatures ("Æ" is "AE"), with straight apostrophes, single
    spaces and " // " between faces, however the list at hand writes them.
    """
    if not name.isascii():
        name = name.translate(_PLAIN)
        name = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    if "/" in name:
        name = _SLASHES.sub(" // ", name)
    return " ".join(name.split()).casefold()
