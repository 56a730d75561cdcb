"""The parts that all kinds of lists have in common, checked: a value of the wrong type, a missing field, HTML or control characters
refuse the card (`BadCard`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from server.cards.loading import FACES, Entry, Foreign, Imported, Kind, Status, plain_name
from server.oracle.importing.errors import BadCard
from server.oracle.importing.objects import Data

TOKENS = frozenset({"token", "double_faced_token"})
NO_CARDS = frozenset({"emblem", "art_series", "planar", "scheme", "vanguard", "sticker", "dungeon", "front_card"})
"""Layouts of things that no deck of 60 holds."""
NAME_LENGTH = 200
TEXT_LENGTH = 8000
FORMATS_AT_MOST = 100
_SYMBOL = re.compile(r"\{([^{}\s]+)\}|\(([^()\s]+)\)|((?:2|[A-Za-z])/[A-Za-z](?:/[A-Za-z])?|\d+|[A-Za-z])|(\S)")
_FORMAT = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
_STATUS: dict[str, Status] = {"legal": "legal", "restricted": "restricted", "banned": "banned"}
_HTML = re.compile(r"</?[A-Za-z!][^<>\n]*>|&(?:[A-Za-z]{2,8}|#\d+|#x[0-9A-Fa-f]+);")
# C0 and C1 but the newline, marks that turn the direction of writing or take no width, and the sign for lost characters.
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

_MISREAD = re.compile("[\u00c2-\u00f4][\u0080-\u00bf]{1,3}")
"""A letter of UTF-8 that somebody before us has read as Latin-1."""


def joined(name: str, faces: Sequence[Data], types: list[str], costs: list[str], texts: list[str]) -> Entry:
    """The entry of all faces, each field's parts in their order. A number that only one face has leaves the other's empty."""

    def stats(key: str) -> str | None:
        found = [stat(face, key) for face in faces]
        return FACES.join(stat or "" for stat in found) if any(stat is not None for stat in found) else None

    return Entry(
        name=name,
        cost=FACES.join(costs) if any(costs) else "",
        types=FACES.join(types),
        text=FACES.join(texts) if any(texts) else "",
        power=stats("power"),
        toughness=stats("toughness"),
        loyalty=stats("loyalty"),
    )


def kind(layout: str, types: str) -> Kind:
    """What sort of thing it is, told by the layout and the type line of its first face."""
    if layout in TOKENS or types.startswith("Token"):
        return "token"
    return "other" if layout in NO_CARDS or types in ("Card", "Emblem") else "card"


def legalities(data: Data) -> tuple[tuple[str, Status], ...]:
    """What formats say of a card, as (format, status). Words of no status ("not_legal") are left out, as are formats beyond the
    first hundred.
    """
    found = data.get("legalities")
    if not isinstance(found, dict):
        return ()
    said: dict[object, object] = found
    kept: list[tuple[str, Status]] = []
    for name, word in said.items():
        status = _STATUS.get(str(word).lower())
        if status is not None and isinstance(name, str) and _FORMAT.fullmatch(name):
            kept.append((name.lower(), status))
    return tuple(sorted(kept)[:FORMATS_AT_MOST])


def indicator(colors: list[str]) -> str:
    """The colour indicators of all faces, "" if no face has one."""
    return FACES.join(colors) if any(colors) else ""


def needed(data: Data, key: str) -> str:
    """A text that every card has. Raises BadCard where it is missing or empty."""
    found = text(data, key)
    if not found.strip():
        raise BadCard(f"`{key}` is missing" if key not in data else f"`{key}` is empty")
    return found


def text(data: Data, key: str) -> str:
    """A text that a card may lack, then "". Raises BadCard for what is no text."""
    found = data.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise BadCard(f"`{key}` is {_what(found)}, not text")
    return found.replace("\r\n", "\n")


def stat(data: Data, key: str) -> str | None:
    """A number as it is printed, None where there is none. Raises BadCard for what is no text."""
    return text(data, key) if data.get(key) is not None else None


def _what(value: object) -> str:
    return {bool: "true or false", dict: "an object", list: "a list"}.get(type(value), "a number")


def cost(written: str) -> str:
    """A mana cost in braces: "2WW", "{2}{W}{W}", "(W/U)2" and "2W/U" are all understood; what is no symbol stays as it is, for
    the reader of costs to refuse.
    """
    return "".join(
        other or "{" + (braced or round_ or plain).upper() + "}"
        for braced, round_, plain, other in _SYMBOL.findall(written)
    )


def sound(card: Imported) -> Imported:
    """The card, if its texts hold only what texts of cards hold. What foreign names and
    texts do not is left out. Raises BadCard."""
    entry = card.entry
    for key in Entry.__struct_fields__:
        said = getattr(entry, key)
        if said:
            if _CONTROL.search(said):
                said = _MISREAD.sub(_read_again, said)
                entry = replace(entry, **{key: said})
            _clean(key, said, TEXT_LENGTH if key == "text" else NAME_LENGTH)
    card = replace(card, entry=entry)
    if "\n" in entry.name or not plain_name(entry.name):
        raise BadCard("`name` is no name")
    if not card.foreign:
        return card
    return replace(card, foreign=tuple(_sound_words(one) for one in card.foreign if _is_name(one.name)))


def _sound_words(one: Foreign) -> Foreign:
    """What stands on a card in another language, without what texts of cards do not hold."""
    types = one.types if not one.types or _is_name(one.types) else ""
    bad = len(one.text) > TEXT_LENGTH or "\ufffd" in one.text or _CONTROL.search(one.text) or _HTML.search(one.text)
    return replace(one, types=types, text="" if bad else one.text)


def _read_again(found: re.Match[str]) -> str:
    try:
        return found[0].encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


def _is_name(name: str) -> bool:
    return not (_CONTROL.search(name) or _HTML.search(name)) and 0 < len(name) <= NAME_LENGTH and "\n" not in name


def _clean(key: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise BadCard(f"`{key}` is longer than {longest} characters")
    control = _CONTROL.search(text)
    if control is not None:
        raise BadCard(f"`{key}` holds the control character U+{ord(control[0]):04X}")
    if "\ufffd" in text:
        raise BadCard(f"`{key}` holds U+FFFD, the sign for a lost character: the list was made with a wrong encoding")
    html = _HTML.search(text)
    if html is not None:
        raise BadCard(f"`{key}` holds HTML: {html[0][:40]}")
