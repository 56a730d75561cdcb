"""Chance from outside: a counter-based generator (BLAKE2b of the counter, keyed by the seed).

The same seed and counter give the same number on every machine; the counter only grows, also when an announcement is taken
back, so that nobody learns what is to come. The seed is any text; its hash is committed to before the game (rooms);
what has been seen tells nothing about what is to come.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache


@lru_cache(maxsize=4096)
def _key(seed: str) -> bytes:
    return hashlib.sha256(seed.encode()).digest()


def _bits(seed: str, counter: int) -> int:
    digest = hashlib.blake2b(counter.to_bytes(8, "big"), digest_size=8, key=_key(seed)).digest()
    return int.from_bytes(digest, "big")


def draw(seed: str, counter: int, sides: int) -> tuple[int, int]:
    """(next counter, a number from 0 to sides - 1), unbiased: values beyond the last whole multiple are drawn again."""
    limit = (1 << 64) - ((1 << 64) % sides)
    while True:
        value = _bits(seed, counter)
        counter += 1
        if value < limit:
            return counter, value % sides


def shuffle(seed: str, counter: int, items: list[int]) -> int:
    """Shuffles in place (Fisher-Yates); returns the next counter."""
    for i in range(len(items) - 1, 0, -1):
        counter, j = draw(seed, counter, i + 1)
        items[i], items[j] = items[j], items[i]
    return counter
