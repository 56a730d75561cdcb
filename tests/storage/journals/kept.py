"""Journals with snapshots that were taken while they were written, as files: what `apnap export` writes, then a line for each
snapshot, compressed.

A set is a folder of such files with `set.toml`:

- `written_by`: the commit that wrote them, and `version`: what its rules called themselves;
- `holds`: what must be true of them, by `Promise`; `games`: of which of them it is another.
"""

from __future__ import annotations

import lzma
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from server.storage import Journal, Snapshot
from server.storage.encoding import read_entries, read_setup
from server.storage.files import lines

Promise = Literal["hashes", "answers", "upgrade"]
"""What must be true of a journal.

- "hashes": played again from entry one it comes to every stored hash, and from each snapshot too.
- "answers", where a later change gave states another hash: from entry one and from each snapshot every answer is still the answer to the
  same question, none is lost, and the end is the same.
- "upgrade", where outcomes or ids are others by now: it is taken up from each snapshot, with an `upgrade` entry, and goes on."""
MARK = b'{"moment":'


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot that was taken in that kind of moment; `state` and `room` are JSON, as they are on disk."""

    moment: str
    seq: int
    version: str
    hash: str
    state: msgspec.Raw
    room: msgspec.Raw

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(
            seq=self.seq, version=self.version, hash=self.hash, state=bytes(self.state), room=bytes(self.room)
        )


class JournalSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `set.toml` says; see the module."""

    written_by: str
    version: str
    holds: Promise
    games: dict[str, Promise] = {}


def kept_of(moment: str, taken: Snapshot) -> Kept:
    return Kept(
        moment=moment,
        seq=taken.seq,
        version=taken.version,
        hash=taken.hash,
        state=msgspec.Raw(taken.state),
        room=msgspec.Raw(taken.room),
    )


def write_kept(path: Path, journal: Journal, taken: Sequence[Kept]) -> None:
    data = b"".join((*lines(journal), *(msgspec.json.encode(one) + b"\n" for one in taken)))
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def read_kept(path: Path) -> tuple[Journal, list[Kept]]:
    """The journal, whole, and its snapshots in order."""
    rows = lzma.decompress(path.read_bytes()).splitlines()
    taken = [msgspec.json.decode(row, type=Kept) for row in rows if row.startswith(MARK)]
    head, setup, *entries = rows[: len(rows) - len(taken)]
    assert msgspec.json.decode(head) == {"apnap": "journal", "version": 1}
    read, torn = read_entries(path.name, entries)
    assert not torn
    return Journal(read_setup(setup), read), taken


def read_set(folder: Path) -> JournalSet:
    return msgspec.convert(tomllib.loads((folder / "set.toml").read_text()), JournalSet)
