"""Caches of what follows from values alone: bounded, so that a server that runs for months is as small as after an hour.

Most are keyed by the identity of the values, whose hash would cost more than what is remembered; each entry holds its values, so
that no identity in use is given again, and a reader checks that they are the ones. What is forgotten is made again.
"""

from __future__ import annotations

from itertools import islice
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

MOST = 20_000
"""Entries of one cache: more than the programs of all cards in some hundred games at once."""


def remember(cache: dict[Key, Value], key: Key, value: Value, most: int = 0) -> Value:
    """Put a value into a cache and give it back. A full cache forgets the older half first. `most` 0: `MOST` entries."""
    most = most or MOST
    if len(cache) >= most:
        for old in list(islice(cache, most // 2)):
            del cache[old]
    cache[key] = value
    return value
