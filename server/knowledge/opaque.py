"""Numbers that tell nothing of what they count: a permutation of the numbers below a power of two, keyed by a secret."""

from __future__ import annotations

import hashlib

_TURNS = 4
"""Rounds of the Feistel network, the fewest that are as good as a random permutation to who cannot choose ciphertexts."""


class Permutation:
    """Of the numbers below 2^`bits` (an even number). Who knows only some of its results knows nothing of the others."""

    def __init__(self, secret: str, bits: int) -> None:
        key = hashlib.sha256(secret.encode()).digest()
        self._half = bits // 2
        self._mask = (1 << self._half) - 1
        self._bytes = (self._half + 7) // 8
        self._keyed = hashlib.blake2b(digest_size=self._bytes, key=key)
        """The hash as it stands before anything is put in: to take in the key costs more than all else."""

    def hide(self, number: int) -> int:
        """The number that stands for this one."""
        left, right = number >> self._half, number & self._mask
        for turn in range(_TURNS):
            left, right = right, left ^ self._mix(turn, right)
        return left << self._half | right

    def find(self, number: int) -> int:
        """The number that this one stands for."""
        left, right = number >> self._half, number & self._mask
        for turn in reversed(range(_TURNS)):
            left, right = right ^ self._mix(turn, left), left
        return left << self._half | right

    def _mix(self, turn: int, half: int) -> int:
        mixed = self._keyed.copy()
        mixed.update((turn << 8 * self._bytes | half).to_bytes(self._bytes + 1, "big"))
        return int.from_bytes(mixed.digest(), "big") & self._mask
