"""What each kind of list calls the parts of a card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from server.cards.loading import FACES, MULTIFACED, Entry, Foreign, Imported
from server.oracle.importing.errors import BadCard, ListFault
from server.oracle.importing.objects import Data
from server.oracle.importing.parts import indicator, joined, kind, legalities, needed, sound, stat, text

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
FACES_AT_MOST = 8


def own(data: Data) -> Iterable[Imported]:
    """One of our entries: `name cost types power toughness loyalty text`."""
    name, types = needed(data, "name"), needed(data, "types")
    stats = "Creature" in types or "Vehicle" in types  # some lists write other things there for cards that have none
    yield sound(
        Imported(
            Entry(
                name=name,
                types=types,
                cost=text(data, "cost"),
                text=text(data, "text") or _beside(data, types),
                power=stat(data, "power") if stats else None,
                toughness=stat(data, "toughness") if stats else None,
                loyalty=stat(data, "loyalty"),
                colors=stat(data, "colors"),
            ),
            legalities=legalities(data),
        )
    )


def scryfall(data: Data) -> Iterable[Imported]:
    """A card object of Scryfall."""
    name, layout = needed(data, "name"), needed(data, "layout")
    lang = text(data, "lang") or "en"
    faces = _faces(data)
    if layout in MULTIFACED and len(faces) < 2:
        raise BadCard(f"the layout {layout!r} needs `card_faces`")
    if not faces:
        faces = [data]
    elif layout in MULTIFACED:
        name = FACES.join(needed(face, "name") for face in faces)
    elif "type_line" in data:
        faces = [data]  # what has halves within one frame says the whole at the top; its layout is unread anyway
    types = [text(face, "type_line") or text(data, "type_line") for face in faces]
    if not all(types):
        raise BadCard("`type_line` is missing")
    yield sound(
        Imported(
            joined(
                name,
                faces,
                types,
                [text(face, "mana_cost") for face in faces],
                [text(face, "oracle_text") for face in faces],
            ),
            layout=layout,
            kind=kind(layout, types[0]),
            colors=indicator([_letters(face, "color_indicator") for face in faces]),
            funny=text(data, "set_type") == "funny",
            foreign=_printed(data, faces, lang),
            legalities=legalities(data),
        )
    )


def mtgjson(name: str, cards: Sequence[Data]) -> Iterable[Imported]:
    """What MTGJSON has under a name: the faces of a card, or several cards that share the name."""
    if len({text(card, "side") for card in cards}) == len(cards) and all(text(card, "side") for card in cards):
        groups = [sorted(cards, key=lambda card: text(card, "side"))]
    else:
        groups = [[card] for card in cards]
    for faces in groups:
        layout = needed(faces[0], "layout")
        whole = layout not in MULTIFACED or len(faces) > 1
        if not whole:
            raise BadCard(f"the layout {layout!r} needs more than one face")
        if layout == "meld" and FACES in name:
            yield from (one for face in faces for one in mtgjson(_own_name(name, face), [face]))
            continue
        if layout not in MULTIFACED:
            faces = faces[:1]
        types = [needed(face, "type") for face in faces]
        title = FACES.join(text(face, "faceName") or name for face in faces) if len(faces) > 1 else name
        yield sound(
            Imported(
                joined(
                    title,
                    faces,
                    types,
                    [text(face, "manaCost") for face in faces],
                    [text(face, "text") for face in faces],
                ),
                layout=layout,
                kind=kind(layout, types[0]),
                colors=indicator([_letters(face, "colorIndicator") for face in faces]),
                funny=faces[0].get("isFunny") is True,
                foreign=_foreign(faces),
                legalities=legalities(faces[0]),
            )
        )


def _own_name(name: str, face: Data) -> str:
    """What a face of a meld card is called, of which some lists have what it melds into in the card's name."""
    parts = name.split(FACES)
    return text(face, "faceName") or parts[-1 if text(face, "side") == "b" else 0]


def faced(_name: str, faces: Sequence[Data]) -> Iterable[Imported]:
    """A card whose faces are given one by one, with the fields of our own entries; `layout` and `legalities` are the first's."""
    layout = text(faces[0], "layout") or "normal"
    types = [needed(face, "types") for face in faces]
    yield sound(
        Imported(
            joined(
                FACES.join(needed(face, "name") for face in faces),
                faces,
                types,
                [text(face, "cost") for face in faces],
                [text(face, "text") for face in faces],
            ),
            layout=layout,
            kind=kind(layout, types[0]),
            colors=indicator([text(face, "colors") for face in faces]),
            legalities=legalities(faces[0]),
        )
    )


GROUPS: dict[str, Callable[[str, Sequence[Data]], Iterable[Imported]]] = {
    "MTGJSON": mtgjson,
    "Cockatrice": faced,
    "Magic Set Editor": faced,
}
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


def _beside(data: Data, types: str) -> str:
    """The loyalty abilities of a planeswalker that a list has where others have the toughness, "$" between them."""
    said = text(data, "toughness") if "Planeswalker" in types else ""
    return said.replace("$", "\n") if ":" in said else ""


# --- parts ------------------------------------------------------------------------------------------------------------


def _faces(data: Data) -> list[Data]:
    found = data.get("card_faces")
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(face, dict) for face in found) or len(found) > FACES_AT_MOST:
        raise BadCard("`card_faces` is no list of faces")
    return found


def _printed(data: Data, faces: Sequence[Data], lang: str) -> tuple[Foreign, ...]:
    """What stands on a card that is printed in another language."""
    if lang == "en":
        return ()
    names = [text(face, "printed_name") for face in faces]
    if len(faces) == 1:
        whole = text(data, "printed_name") or names[0]
        return (Foreign(lang, whole, 0, *_words(data)),) if whole else ()
    if not all(names):
        return ()
    sides = (
        Foreign(lang, name, no, *_words(face)) for no, (name, face) in enumerate(zip(names, faces, strict=True), 1)
    )
    return (Foreign(lang, FACES.join(names)), *sides)


def _words(data: Data) -> tuple[str, str]:
    """The type line and the rules text in the language of the card."""
    return text(data, "printed_type_line"), text(data, "printed_text")


def _foreign(faces: Sequence[Data]) -> tuple[Foreign, ...]:
    """What MTGJSON's `foreignData` has, French first. Languages of no code are left out."""
    found: dict[tuple[str, int], Foreign] = {}
    for no, face in enumerate(faces, 1):
        several = face.get("foreignData")
        for one in several if isinstance(several, list) else ():
            lang = LANGUAGES.get(text(one, "language")) if isinstance(one, dict) else None
            if lang is None:
                continue
            words = text(one, "type"), text(one, "text")
            if len(faces) > 1 and text(one, "faceName"):
                found.setdefault((lang, no), Foreign(lang, text(one, "faceName"), no, *words))
            if text(one, "name"):
                said = words if len(faces) == 1 else ("", "")
                found.setdefault((lang, 0), Foreign(lang, text(one, "name"), 0, *said))
    return tuple(found[key] for key in sorted(found, key=lambda key: (key[0] != "fr", key)))


def _letters(data: Data, key: str) -> str:
    found = data.get(key)
    if not found:
        return ""
    if not isinstance(found, list) or not all(isinstance(one, str) and one in "WUBRG" for one in found):
        raise BadCard(f"`{key}` is no list of colours")
    return "".join(sorted(found, key="WUBRG".index))
