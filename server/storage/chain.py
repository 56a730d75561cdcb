"""Hashes by which it is noticed that what lies on the disk is not what was written.

A journal's *head* is a chain over its entries: whoever knows the head after an entry knows all entries up to it. The head of all
commits is a chain as well. A *seal* is over what stands once: a room's line, a record.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

SIZE = 16
"""Bytes of each hash: nobody is to forge one who cannot write to the disk anyway."""
NOTHING = bytes(SIZE)
"""The head of all commits before the first."""


def begin(room: str) -> bytes:
    """The head of a journal without entries."""
    return blake2b(room.encode(), digest_size=SIZE, person=b"journal").digest()


def follow(head: bytes, lines: Iterable[bytes]) -> bytes:
    """The head after more entries, as they are written."""
    for line in lines:
        head = blake2b(head + line, digest_size=SIZE).digest()
    return head


def seal(*parts: bytes | str | int) -> bytes:
    """A hash of these parts, and of where one ends and the next begins."""
    found = blake2b(digest_size=SIZE, person=b"seal")
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        found.update(len(data).to_bytes(8, "big") + data)
    return found.digest()
