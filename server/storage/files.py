"""A journal as one file of JSON lines: the head, the setup, its base snapshots if it has any, then an entry a line.
`apnap export` writes it.

The first line is `{"apnap": "journal", "version": 1}`. A file that was cut off in its last line is read without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from server.storage.encoding import read_entries, read_setup, write_entry, write_setup
from server.storage.errors import Damaged, NewerData
from server.storage.journal import Journal, Snapshot

VERSION = 1


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line. `apnap` is always "journal"."""

    apnap: str
    version: int


def lines(journal: Journal) -> Iterator[bytes]:
    """The lines of the file, each with its newline."""
    bases = map(msgspec.json.encode, journal.bases)
    return lines_unread(write_setup(journal.setup), [*bases, *map(write_entry, journal.entries)])


def lines_unread(setup: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    """The same of a setup and entries that need not be readable: `read_file` says which is not, and an editor may mend it."""
    yield msgspec.json.encode(Head(apnap="journal", version=VERSION)) + b"\n"
    for line in (setup, *rest):
        yield line.replace(b"\n", b" ") + b"\n"


def read_file(path: Path) -> Journal:
    """The journal in a file. Raises OSError, `Damaged`, `NewerData`."""
    return read(path.read_bytes(), str(path))


def read(text: bytes, path: str) -> Journal:
    """The journal that such a file, which was found there, says. Raises `Damaged`, `NewerData`."""
    data = text.split(b"\n")
    if data and not data[-1]:
        data.pop()
    try:
        head = msgspec.json.decode(data[0] if data else b"", type=Head)
    except msgspec.MsgspecError:
        raise Damaged(f"{path} is no journal") from None
    if head.apnap != "journal":
        raise Damaged(f"{path} is no journal")
    if head.version > VERSION:
        raise NewerData(f"{path} is of version {head.version}; this apnap reads up to {VERSION}")
    if len(data) < 2:
        raise Damaged(f"{path} ends before the setup")
    bases: list[Snapshot] = []
    while len(data) > 2 and data[2].startswith(b'{"entry":"snapshot"'):
        try:
            bases.append(msgspec.json.decode(data.pop(2), type=Snapshot))
        except msgspec.MsgspecError as fault:
            raise Damaged(f"{path}: a snapshot cannot be read: {fault}") from None
    entries, torn = read_entries(path, data[2:])
    return Journal(read_setup(data[1]), entries, torn, tuple(bases))
