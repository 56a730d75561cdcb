"""A card list as a file, read from begin to end; what each item is, and what was refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from server.cards.loading import Imported
from server.oracle.importing import cockatrice, set_editor
from server.oracle.importing.errors import BadCard, ListFault
from server.oracle.importing.meld_pairs import MeldPairs
from server.oracle.importing.objects import Data, Found, Group, Overgrown, objects
from server.oracle.importing.pieces import ReadFile
from server.oracle.importing.shapes import GROUPS, SHAPES, shape_of
from server.oracle.importing.stream import JsonFile


class Refused(msgspec.Struct, frozen=True):
    """Card number `number` of the list (from 1) is refused; `name` as far as it is known."""

    number: int
    name: str
    why: str

    def __str__(self) -> str:
        named = f" {self.name[:80]!r}" if self.name else ""
        return f"card {self.number}{named}: {self.why}"


OTHERS: dict[bytes, tuple[str, Callable[[ReadFile], Iterator[Found]]]] = {
    b"<": ("Cockatrice", cockatrice.cards),
    b"PK": ("Magic Set Editor", set_editor.cards),
}
"""Kinds of lists that are no JSON, by how they begin."""

Item: TypeAlias = "Imported | Refused"


class CardFile:
    """A list while it is read. `format` ("Scryfall", "MTGJSON", "JSON lines", "Cockatrice" or
    "Magic Set Editor") is known after the first item, `fingerprint` after the last; `done` of `size` bytes are read.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self._file = ReadFile(path)
        self.path = path
        self.format = ""
        self.number = 0

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._file.size

    @property
    def done(self) -> int:
        """Bytes read so far."""
        return self._file.done

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what was read."""
        return self._file.fingerprint

    def items(self) -> Iterator[Item]:
        """Each card of the list, or that it is refused. Raises OSError, and ListFault when the file is no card list or
        breaks off: what came before must then not be used.
        """
        pairs = MeldPairs()
        for found in self._found():
            for item in self._read(found):
                if not (isinstance(item, Imported) and pairs.takes(item)):
                    yield item
        yield from pairs.left(told=self.format != "JSON lines")

    def _found(self) -> Iterator[Found]:
        """The cards in the list, told by how the file begins."""
        start = self._file.start()
        for mark, (format_, cards) in OTHERS.items():
            if start.startswith(mark):
                self.format = format_
                return cards(self._file)
        return objects(JsonFile(self._file).events())

    def _read(self, found: Found) -> Iterator[Item]:
        self.number += 1
        name = _name(found)
        try:
            if isinstance(found, Group):
                grown = next((one for one in found.cards if isinstance(one, Overgrown)), None)
                if grown is not None:
                    raise BadCard(grown.why)
                self.format = self.format or "MTGJSON"
                yield from GROUPS[self.format](found.name, [one for one in found.cards if isinstance(one, dict)])
            elif isinstance(found, Overgrown):
                raise BadCard(found.why)
            else:
                yield from self._shaped(found)
        except BadCard as bad:
            yield Refused(self.number, name, str(bad))

    def _shaped(self, data: Data) -> Iterable[Imported]:
        if not self.format:
            self.format = shape_of(data)
        return SHAPES[self.format](data)


def _name(found: Found) -> str:
    name = found.get("name") if isinstance(found, dict) else found.name
    return name if isinstance(name, str) else ""


__all__ = ["CardFile", "Item", "ListFault", "Refused"]
