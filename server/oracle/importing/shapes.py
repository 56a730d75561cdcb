"""What each kind of list calls the parts of a card. A value of the wrong type, a missing field, HTML or control characters
refuse the card (`BadCard`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from server.cards.loading import FACES, MULTIFACED, Entry, Foreign, Imported, Kind, Status, plain_name
from server.oracle.importing.errors import BadCard, ListFault
from server.oracle.importing.objects import Data

LANGUAGES = {
    "French": "fr",
    "German": "de",
    "Italian": "it",
    "Spanish": "es",
    "Portuguese (Brazil)": "pt",
    "Japanese": "ja",
    "Korean": "ko",
    "Russian": "ru",
    "Chinese Simplified": "zhs",
    "Chinese Traditional": "zht",
    "Phyrexian": "ph",
}
TOKENS = frozenset({"token", "double_faced_token"})
NO_CARDS = frozenset({"emblem", "art_series", "planar", "scheme", "vanguard", "sticker", "dungeon", "front_card"})
"""Layouts of things that no deck of 60 holds."""
NAME_LENGTH = 200
TEXT_LENGTH = 8000
FACES_AT_MOST = 8
FORMATS_AT_MOST = 100
_FORMAT = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
_STATUS: dict[str, Status] = {"legal": "legal", "restricted": "restricted", "banned": "banned"}
_HTML = re.compile(r"</?[A-Za-z!][^<>\n]*>|&(?:[A-Za-z]{2,8}|#\d+|#x[0-9A-Fa-f]+);")
# C0 and C1 but the newline, marks that turn the direction of writing or take no width, and the sign for lost characters.
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def own(data: Data) -> Iterable[Imported]:
    """One of our entries: `name cost types power toughness loyalty text`."""
    name, types = _needed(data, "name"), _needed(data, "types")
    stats = "Creature" in types or "Vehicle" in types  # some lists write other things there for cards that have none
    yield _sound(
        Imported(
            Entry(
                name=name,
                types=types,
                cost=_text(data, "cost"),
                text=_text(data, "text"),
                power=_stat(data, "power") if stats else None,
                toughness=_stat(data, "toughness") if stats else None,
                loyalty=_stat(data, "loyalty"),
                colors=_stat(data, "colors"),
            ),
            legalities=_legalities(data),
        )
    )


def scryfall(data: Data) -> Iterable[Imported]:
    """A card object of Scryfall."""
    name, layout = _needed(data, "name"), _needed(data, "layout")
    lang = _text(data, "lang") or "en"
    faces = _faces(data)
    if layout in MULTIFACED and len(faces) < 2:
        raise BadCard(f"the layout {layout!r} needs `card_faces`")
    if not faces:
        faces = [data]
    elif layout in MULTIFACED:
        name = FACES.join(_needed(face, "name") for face in faces)
    elif "type_line" in data:
        faces = [data]  # what has halves within one frame says the whole at the top; its layout is unread anyway
    types = [_text(face, "type_line") or _text(data, "type_line") for face in faces]
    if not all(types):
        raise BadCard("`type_line` is missing")
    yield _sound(
        Imported(
            _joined(
                name,
                faces,
                types,
                [_text(face, "mana_cost") for face in faces],
                [_text(face, "oracle_text") for face in faces],
            ),
            layout=layout,
            kind=_kind(layout, types[0]),
            colors=_indicator([_letters(face, "color_indicator") for face in faces]),
            funny=_text(data, "set_type") == "funny",
            foreign=_printed(data, faces, lang),
            legalities=_legalities(data),
        )
    )


def mtgjson(name: str, cards: Sequence[Data]) -> Iterable[Imported]:
    """What MTGJSON has under a name: the faces of a card, or several cards that share the name."""
    if len({_text(card, "side") for card in cards}) == len(cards) and all(_text(card, "side") for card in cards):
        groups = [sorted(cards, key=lambda card: _text(card, "side"))]
    else:
        groups = [[card] for card in cards]
    for faces in groups:
        layout = _needed(faces[0], "layout")
        whole = layout not in MULTIFACED or len(faces) > 1
        if not whole:
            raise BadCard(f"the layout {layout!r} needs more than one face")
        if layout not in MULTIFACED:
            faces = faces[:1]
        types = [_needed(face, "type") for face in faces]
        title = FACES.join(_text(face, "faceName") or name for face in faces) if len(faces) > 1 else name
        yield _sound(
            Imported(
                _joined(
                    title,
                    faces,
                    types,
                    [_text(face, "manaCost") for face in faces],
                    [_text(face, "text") for face in faces],
                ),
                layout=layout,
                kind=_kind(layout, types[0]),
                colors=_indicator([_letters(face, "colorIndicator") for face in faces]),
                funny=faces[0].get("isFunny") is True,
                foreign=_foreign(faces),
                legalities=_legalities(faces[0]),
            )
        )


SHAPES: dict[str, Callable[[Data], Iterable[Imported]]] = {"Scryfall": scryfall, "JSON lines": own}


def shape_of(data: Data) -> str:
    """Which list an object comes from, in SHAPES. Raises ListFault."""
    if "type_line" in data or "oracle_text" in data or ("object" in data and "lang" in data):
        return "Scryfall"
    if "manaCost" in data or ("type" in data and "layout" in data):
        raise ListFault("holds MTGJSON's cards, but neither as AtomicCards nor as AllPrintings has them")
    if {"name", "types"} <= data.keys() or {"name", "text"} <= data.keys():
        return "JSON lines"
    seen = ", ".join(sorted(data)[:6]) or "none"
    raise ListFault(f"is no card list: of a card's fields, its first object has these: {seen}")


# --- parts ------------------------------------------------------------------------------------------------------------


def _joined(name: str, faces: Sequence[Data], types: list[str], costs: list[str], texts: list[str]) -> Entry:
    """The entry of all faces, each field's parts in their order. A number that only one face has leaves the other's empty."""

    def stats(key: str) -> str | None:
        found = [_stat(face, key) for face in faces]
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


def _faces(data: Data) -> list[Data]:
    found = data.get("card_faces")
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(face, dict) for face in found) or len(found) > FACES_AT_MOST:
        raise BadCard("`card_faces` is no list of faces")
    return found


def _kind(layout: str, types: str) -> Kind:
    if layout in TOKENS or types.startswith("Token"):
        return "token"
    return "other" if layout in NO_CARDS or types in ("Card", "Emblem") else "card"


def _printed(data: Data, faces: Sequence[Data], lang: str) -> tuple[Foreign, ...]:
    """The names on a card that is printed in another language."""
    if lang == "en":
        return ()
    names = [_text(face, "printed_name") for face in faces]
    if len(faces) == 1:
        whole = _text(data, "printed_name") or names[0]
        return (Foreign(lang, whole),) if whole else ()
    if not all(names):
        return ()
    return (Foreign(lang, FACES.join(names)), *(Foreign(lang, name, no) for no, name in enumerate(names, 1)))


def _foreign(faces: Sequence[Data]) -> tuple[Foreign, ...]:
    """The names in MTGJSON's `foreignData`, French first. Languages of no code are left out."""
    found: dict[tuple[str, int], str] = {}
    for no, face in enumerate(faces, 1):
        several = face.get("foreignData")
        for one in several if isinstance(several, list) else ():
            lang = LANGUAGES.get(_text(one, "language")) if isinstance(one, dict) else None
            if lang is None:
                continue
            if len(faces) > 1 and _text(one, "faceName"):
                found.setdefault((lang, no), _text(one, "faceName"))
            if _text(one, "name"):
                found.setdefault((lang, 0), _text(one, "name"))
    keys = sorted(found, key=lambda key: (key[0] != "fr", key))
    return tuple(Foreign(lang, found[lang, no], no) for lang, no in keys)


def _legalities(data: Data) -> tuple[tuple[str, Status], ...]:
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


def _indicator(colors: list[str]) -> str:
    return FACES.join(colors) if any(colors) else ""


def _letters(data: Data, key: str) -> str:
    found = data.get(key)
    if not found:
        return ""
    if not isinstance(found, list) or not all(isinstance(one, str) and one in "WUBRG" for one in found):
        raise BadCard(f"`{key}` is no list of colours")
    return "".join(sorted(found, key="WUBRG".index))


def _needed(data: Data, key: str) -> str:
    found = _text(data, key)
    if not found.strip():
        raise BadCard(f"`{key}` is missing" if key not in data else f"`{key}` is empty")
    return found


def _text(data: Data, key: str) -> str:
    found = data.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise BadCard(f"`{key}` is {_what(found)}, not text")
    return found.replace("\r\n", "\n")


def _stat(data: Data, key: str) -> str | None:
    return _text(data, key) if data.get(key) is not None else None


def _what(value: object) -> str:
    return {bool: "true or false", dict: "an object", list: "a list"}.get(type(value), "a number")


def _sound(card: Imported) -> Imported:
    """The card, if its texts hold only what texts of cards hold. Foreign names that do not are left out. Raises BadCard."""
    entry = card.entry
    for key in Entry.__struct_fields__:
        text = getattr(entry, key)
        if text:
            _clean(key, text, TEXT_LENGTH if key == "text" else NAME_LENGTH)
    if "\n" in entry.name or not plain_name(entry.name):
        raise BadCard("`name` is no name")
    if not card.foreign:
        return card
    return replace(card, foreign=tuple(name for name in card.foreign if _is_name(name.name)))


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
