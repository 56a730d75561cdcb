"""A file read once from begin to end in pieces, measured and hashed on the way; the first bytes say what it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PIECE = 64 * 1024
LARGEST_VALUE = 16 * 1024 * 1024
"""Bytes that a list may have without anything in them that is complete: more is not kept in memory."""
BOM = b"\xef\xbb\xbf"


class ReadFile:
    """`done` of `size` bytes are read; `fingerprint` is there after the end."""

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self.path = path
        self.size = path.stat().st_size
        self.done = 0
        self._hash = hashlib.sha256()
        self._begun: tuple[IO[bytes], bytes] | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the bytes read so far, in hex."""
        return self._hash.hexdigest()

    def start(self) -> bytes:
        """The first bytes, without a byte order mark and white space; they do not count as read. Raises OSError."""
        return self._open()[1].removeprefix(BOM).lstrip()

    def pieces(self) -> Iterator[bytes]:
        """The bytes, some at a time. Raises OSError."""
        file, data = self._open()
        with file:
            while data:
                self._hash.update(data)
                self.done += len(data)
                yield data
                data = file.read(PIECE)

    def _open(self) -> tuple[IO[bytes], bytes]:
        """The open file and its first piece, read once, for a pipe gives it once."""
        if self._begun is None:
            file = self.path.open("rb")
            self._begun = file, file.read(PIECE)
        return self._begun
