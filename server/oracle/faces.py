"""Cards of several faces: their entries taken apart, each face read by itself, and put together as their layout has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from server.cards.forms import Card, Layout, Meld, Move, TurnOver
from server.cards.grammar import parse_types
from server.cards.loading import FACES, Entry, Unread, split_card
from server.oracle.engine import symbols, walk

_BETWEEN = re.compile(r"\s*//\s*")
#: What card lists call the layouts; of the others the faces themselves tell.
LISTED: dict[str, Layout] = {
    "split": "split",
    "aftermath": "split",
    "flip": "flip",
    "transform": "transform",
    "double_faced_token": "transform",
    "modal_dfc": "modal",
}
SPELLS = {"instant", "sorcery"}


def face_entries(entry: Entry) -> tuple[Entry, ...]:
    """The entry of each face; none if the parts of its fields are not as many as its names. One cost for all faces is that of each, as
    flip cards have it (709.1c)."""
    names = entry.name.split(FACES)
    columns: list[list[str]] = []
    for field in ("cost", "types", "text", "power", "toughness", "loyalty"):
        parts = _BETWEEN.split(getattr(entry, field) or "")
        if parts == [""] or field == "cost" and len(parts) == 1:
            parts *= len(names)
        if len(parts) != len(names):
            return ()
        columns.append(parts)
    return tuple(
        Entry(name, cost, types, text, power or None, toughness or None, loyalty or None)
        for name, cost, types, text, power, toughness, loyalty in zip(names, *columns, strict=True)
    )


def read_faces(entry: Entry, read: Callable[[Entry], Card | Unread], layout: str, colors: str | None) -> Card | Unread:
    """The card of an entry of two faces, each read by `read`. `layout` is what the list calls it, if it does; `colors` the
    colour indicators by face, None if the list does not tell them."""
    parts = face_entries(entry)
    if len(parts) == 3:
        return _meld_card(entry, parts, read, colors)
    if len(parts) != 2:
        return Unread(entry.name, "//")
    faces: list[Card] = []
    for part in parts:
        found = read(part)
        if isinstance(found, Unread):
            return Unread(entry.name, found.word)
        faces.append(found)
    front, back = faces
    made = LISTED.get(layout) or ("flip" if entry.cost and FACES.strip() not in entry.cost else _told(front, back))
    shown = _BETWEEN.split(colors) if colors else ["", ""]
    if made == "split":
        return split_card(front, back)
    if made == "transform" and colors is None and not back.cost and _could_be_colored(back):
        return Unread(entry.name, f"the colors of {back.name}")
    front, back = (
        replace(face, colors=said) if said else face for face, said in zip((front, back), shown, strict=True)
    )
    return replace(front, layout=made, faces=(back,))


def _meld_card(
    entry: Entry, parts: tuple[Entry, ...], read: Callable[[Entry], Card | Unread], colors: str | None
) -> Card | Unread:
    """A meld card: itself, the combined back face, and the other card of its pair as far as that matters (current 712.4)."""
    front, back = read(parts[0]), read(parts[1])
    for face in (front, back):
        if isinstance(face, Unread):
            return Unread(entry.name, face.word)
    assert isinstance(front, Card) and isinstance(back, Card)
    if not _melds(front, back.name, parts[2].name):
        return Unread(entry.name, "//")
    if colors is None and _could_be_colored(back):
        return Unread(entry.name, f"the colors of {back.name}")
    shown = _BETWEEN.split(colors) if colors else ["", "", ""]
    third = parts[2]
    sized = "creature" in parse_types(third.types)[1]
    other = Card(
        name=third.name,
        types=third.types,
        cost=symbols.spelled(third.cost),
        power=third.power or "" if sized else "",
        toughness=third.toughness or "" if sized else "",
        loyalty=third.loyalty or "" if "planeswalker" in parse_types(third.types)[1] else "",
        text=third.text,
    )
    front, back = (
        replace(face, colors=said) if said else face for face, said in zip((front, back), shown, strict=False)
    )
    return replace(front, layout="meld", faces=(back, other))


def _melds(front: Card, into: str, other: str) -> bool:
    """Whether a card says that it melds so: by an ability, or by the reminder that it is the other one of the pair."""
    said = f"meld them into {into}.", f"(Melds with {other}"
    read = (part.into for part in walk(front.abilities) if isinstance(part, Meld))
    return any(words in front.text for words in said) and all(name == into for name in read)


def _told(front: Card, back: Card) -> Layout:
    """The layout that the faces themselves tell."""
    _, types, _ = parse_types(front.types)
    _, back_types, back_subtypes = parse_types(back.types)
    if "Adventure" in back_subtypes or "Omen" in back_subtypes:
        return "adventure" if "Adventure" in back_subtypes else "omen"
    if set(types) <= SPELLS and set(back_types) <= SPELLS:
        return "split"
    turns = {how for face in (front, back) for how in _turns(face)}
    return "flip" if "flip" in turns else "transform" if turns else "modal"


def _turns(card: Card) -> Iterator[str]:
    for part in walk(card.abilities):
        if isinstance(part, TurnOver):
            yield part.how
        elif isinstance(part, Move) and part.transformed:
            yield "transform"


def _could_be_colored(back: Card) -> bool:
    _, types, _ = parse_types(back.types)
    return not {"artifact", "land"} & set(types)
