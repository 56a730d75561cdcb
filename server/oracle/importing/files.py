"""A card list as a file, read from begin to end; what each item is, and what was refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from server.cards.loading import Imported
from server.oracle.importing.errors import BadCard, ListFault
from server.oracle.importing.objects import Data, Found, Group, Overgrown, objects
from server.oracle.importing.shapes import SHAPES, mtgjson, shape_of
from server.oracle.importing.stream import JsonFile


class Refused(msgspec.Struct, frozen=True):
    """Card number `number` of the list (from 1) is refused; `name` as far as it is known."""

    number: int
    name: str
    why: str

    def __str__(self) -> str:
        named = f" {self.name[:80]!r}" if self.name else ""
        return f"card {self.number}{named}: {self.why}"


Item: TypeAlias = "Imported | Refused"


class CardFile:
    """A list while it is read. `format` ("Scryfall", "MTGJSON" or "JSON lines") is known after the first item,
    `fingerprint` after the last; `done` of `size` bytes are read.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self._json = JsonFile(path)
        self.path = path
        self.format = ""
        self.number = 0

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._json.size

    @property
    def done(self) -> int:
        """Bytes read so far."""
        return self._json.done

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what was read."""
        return self._json.fingerprint

    def items(self) -> Iterator[Item]:
        """Each card of the list, or that it is refused. Raises OSError, and ListFault when the file is no card list or
        breaks off: what came before must then not be used.
        """
        for found in objects(self._json.events()):
            yield from self._read(found)

    def _read(self, found: Found) -> Iterator[Item]:
        self.number += 1
        name = _name(found)
        try:
            if isinstance(found, Group):
                grown = next((one for one in found.cards if isinstance(one, Overgrown)), None)
                if grown is not None:
                    raise BadCard(grown.why)
                self.format = self.format or "MTGJSON"
                yield from mtgjson(found.name, [one for one in found.cards if isinstance(one, dict)])
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
