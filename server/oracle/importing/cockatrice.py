"""Card databases of Cockatrice (versions 3 and 4), its own and the custom sets that people make for it:

    <cockatrice_carddatabase version="4"><cards><card>
        <name> <text> <token>
        <prop> <layout> <side> <type> <manacost> <colors> <pt> <loyalty> <format-NAME> </prop>    version 3: without `prop`
        <related attach="transform">the other face</related>
    </card></cards></cockatrice_carddatabase>

Cards with two halves in one frame are one `card`, its parts joined by " // " and its texts by a line of dashes; cards with
a back are two, of which the front names the other. The parser is expat, which is given no document type: no entity is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any
from xml.parsers import expat

from server.cards.loading import FACES, MULTIFACED
from server.oracle.importing.errors import ListFault
from server.oracle.importing.objects import CARD_SIZE, DEPTH, HELD, Data, Found, Group, Overgrown
from server.oracle.importing.parts import cost
from server.oracle.importing.pieces import LARGEST_VALUE, ReadFile

ROOT = "cockatrice_carddatabase"
PLACE = [ROOT, "cards", "card"]
"""The elements around what belongs to a card."""
PROP = "prop"
FORMAT = "format-"
HALVES = re.compile(r"\n\s*-{3,}\s*\n")
"""What stands between the texts of two halves."""
_FIELDS = {
    "type": "types",
    "manacost": "cost",
    "colors": "colors",
    "color": "colors",
    "loyalty": "loyalty",
    "text": "text",
}
"""What Cockatrice calls the fields of our entries."""


def cards(file: ReadFile) -> Iterator[Found]:
    """The cards of a database, each as the group of its faces; those with a back when both are there. Raises OSError;
    ListFault for what is no such database, or breaks off.
    """
    pairs = _Pairs()
    for found in _elements(file):
        if isinstance(found, Overgrown):
            yield found
        else:
            yield from pairs.take(found)
    yield from pairs.left()


def _elements(file: ReadFile) -> Iterator[Data | Overgrown]:
    """Each `card` as its texts by element."""
    reader = _Reader()
    quiet = 0
    try:
        for piece in file.pieces():
            reader.heard = False
            reader.parser.Parse(piece)
            quiet = 0 if reader.heard else quiet + len(piece)
            if quiet > LARGEST_VALUE:
                raise ListFault(f"holds a single value larger than {LARGEST_VALUE} bytes")
            yield from reader.found
            reader.found.clear()
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise ListFault(f"is no XML: {expat.ErrorString(error.code)}", error.lineno, error.offset + 1) from None


class _Reader:
    """expat's calls, as cards. `heard` whether anything was complete since it was last put out."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.found: list[Data | Overgrown] = []
        self.heard = False
        self._path: list[str] = []
        self._card: dict[str, Any] = {}
        self._size = 0

    def _doctype(self, *_: object) -> None:
        raise self._fault(
            "has a document type, which no card database has (was an error page saved in place of the list?)"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.heard = True
        if not self._path and name != ROOT:
            raise self._fault(
                "is HTML or XML, but no card database of Cockatrice's (was an error page saved in place of the list?)"
            )
        if len(self._path) >= DEPTH:
            raise self._fault(f"is nested deeper than {DEPTH}")
        self._path.append(name)
        if self._path == PLACE:
            self._card, self._size = {"legalities": {}}, 0
        elif name == "related" and attributes.get("attach") in MULTIFACED:
            self._card["attach"] = attributes["attach"]

    def _text(self, said: str) -> None:
        self.heard = True
        where = self._path[len(PLACE) :]
        if where[:1] == [PROP]:
            where = where[1:]
        if self._path[: len(PLACE)] != PLACE or len(where) != 1:
            return
        self._size += len(said)
        if self._size > CARD_SIZE:
            return
        (key,) = where
        if key.startswith(FORMAT):
            self._card["legalities"][key.removeprefix(FORMAT)] = said
        elif key == "related":
            if "back" not in self._card and "attach" in self._card:
                self._card["back"] = said.strip()
        else:
            self._card[key] = self._card.get(key, "") + said

    def _end(self, _name: str) -> None:
        self.heard = True
        if self._path == PLACE:
            name = str(self._card.get("name", "")).strip()
            large = self._size > CARD_SIZE
            self.found.append(Overgrown(name, f"has more than {CARD_SIZE} characters") if large else self._card)
        self._path.pop()

    def _fault(self, why: str) -> ListFault:
        return ListFault(why, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)


class _Pairs:
    """Fronts and backs that wait for each other, at most HELD."""

    def __init__(self) -> None:
        self._fronts: dict[str, Data] = {}
        self._backs: dict[str, Data] = {}

    def take(self, card: Data) -> Iterator[Found]:
        """What is complete with this card."""
        name = card.get("name", "").strip()
        if card.get("layout", "").strip() == "meld":  # which belong together is told by their texts
            yield _halves(name, card)
        elif card.get("side", "").strip() == "back":
            front = self._fronts.pop(name, None)
            if front is not None:
                yield _two(front, card)
            elif len(self._backs) < HELD:
                self._backs[name] = card
            else:
                yield Overgrown(name, "is a back of which the list has no front")
        elif card.get("back"):
            back = self._backs.pop(card["back"], None)
            if back is not None:
                yield _two(card, back)
            elif len(self._fronts) < HELD:
                self._fronts[card["back"]] = card
            else:
                yield Overgrown(name, "has a back that is not in the list")
        else:
            yield _halves(name, card)

    def left(self) -> Iterator[Found]:
        """Those of which the list has only one face."""
        for card in self._fronts.values():
            yield Overgrown(card["name"].strip(), f"has a back that is not in the list: {card['back'][:80]}")
        for name in self._backs:
            yield Overgrown(name, "is a back of which the list has no front")


def _two(front: Data, back: Data) -> Group:
    layout = front.get("layout", "").strip() or front["attach"]
    return Group(front["name"].strip(), (_face(front) | {"layout": layout}, _face(back)))


def _halves(name: str, card: Data) -> Group:
    """A card of one `card`: one face, or the halves that its name has."""
    names = name.split(FACES)
    layout = card.get("layout", "").strip()
    if card.get("token", "").strip() == "1":
        layout = "token"
    if len(names) == 1:
        return Group(name, (_face(card) | {"layout": layout},))
    parts = {key: card.get(key, "").split(FACES) for key in ("type", "manacost", "colors", "loyalty", "pt")}
    parts["text"] = HALVES.split(card.get("text", ""))
    faces = [
        _face({"name": half, "legalities": card["legalities"]} | dict(zip(parts, values, strict=True)))
        for half, *values in zip_longest(names, *parts.values(), fillvalue="")
    ]
    return Group(name, (faces[0] | {"layout": layout or "split"}, *faces[1:]))


def _face(card: Data) -> Data:
    """The fields of our entries. What has no cost has its colours from an indicator, but for lands and what has none (204)."""
    face: Data = {"name": card["name"].strip() if "name" in card else "", "legalities": card["legalities"]}
    for theirs, ours in _FIELDS.items():
        said = card.get(theirs, "").strip()
        if said:
            face[ours] = said
    face["types"] = face.get("types", "").replace(" - ", " — ")
    face["cost"] = cost(face.get("cost", ""))
    if face["cost"] or "Land" in face["types"]:
        face.pop("colors", None)
    else:
        face["colors"] = "".join(letter for letter in "WUBRG" if letter in face.get("colors", ""))
    power, slash, toughness = card.get("pt", "").strip().partition("/")
    if slash and ("Creature" in face["types"] or "Vehicle" in face["types"]):
        face["power"], face["toughness"] = power, toughness
    return face


__all__ = ["cards"]
