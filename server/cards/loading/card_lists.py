"""A file of entries, of which a card is read as it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from server.cards.forms import Card
from server.cards.loading.entries import FACES, Entry, Read, Unread, called, joined, plain_name, read_entry
from server.cards.loading.errors import Malformed
from server.cards.loading.melding import with_pair


class _Name(msgspec.Struct):
    name: str


_entries = msgspec.json.Decoder(Entry)
_names = msgspec.json.Decoder(_Name)


class CardList:
    """A file of entries. Opening it finds only the names (each face's too); a line is read as its card is asked for."""

    def __init__(self, path: Path, read: Read | None = None) -> None:
        """`read` is who reads an entry (the text grammar; without it, only keywords). Raises OSError, or Malformed naming
        the line that is no entry."""
        self.path = path
        self._reader = read or read_entry
        self._data = path.read_bytes()
        self._spans: dict[str, tuple[int, int]] = {}
        self._read: dict[str, Card | Unread] = {}
        self.count = 0
        start = 0
        for number, line in enumerate(self._data.split(b"\n"), 1):
            span = (start, start + len(line))
            start = span[1] + 1
            if not line.strip():
                continue
            try:
                name = _names.decode(line).name
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise Malformed(f"line {number} is no entry: {error}", source=path.name) from None
            self.count += 1
            self._spans.setdefault(plain_name(name), span)
            if FACES in name:
                for face in called(name):
                    self._spans.setdefault(plain_name(face), span)

    def __len__(self) -> int:
        return self.count

    def __contains__(self, name: str) -> bool:
        return plain_name(name) in self._spans or self._joined(name) is not None

    def entry(self, name: str) -> Entry | None:
        """The entry of that name or face; None if there is none. Raises Malformed if its line is not one."""
        span = self._spans.get(plain_name(name))
        if span is None:
            return self._joined(name)
        try:
            return _entries.decode(self._data[span[0] : span[1]])
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Malformed(f"{name!r} is no entry: {error}", source=self.path.name) from None

    def _joined(self, name: str) -> Entry | None:
        """The entry of a whole card ("A // B") of which the list has each face as an entry of its own."""
        faces = plain_name(name).split(FACES)
        found = [face for face in map(self.entry, faces) if face is not None] if len(faces) == 2 else []
        return joined(found) if len(found) == 2 else None

    def get(self, name: str) -> Card | Unread | None:
        """The card of that name, `Unread` if it cannot be played yet, None if the list does not have it."""
        key = plain_name(name)
        if key not in self._read:
            entry = self.entry(name)
            if entry is None:
                return None
            self._read[key] = self._reader(with_pair(entry, self.entry) or entry)
        return self._read[key]

    def names(self) -> Iterator[str]:
        """All names, as they are looked up."""
        return iter(self._spans)
