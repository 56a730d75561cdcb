"""Who is on the porch (`server.net.porch`) of each worker, in memory that all of them share: hashes of addresses and of networks.

Each writes a row of its own and reads all. What is read while it is written may be one too many or too few.
"""

from __future__ import annotations

import mmap

WORD = 8
MOST = 65_536
"""Places in a row, however many may be here: no process has as many descriptors."""


class Board:
    """See the module. For so many workers, and at most so many connections of each. Made before the fork: only then a word has the same
    hash for all.
    """

    def __init__(self, workers: int, most: int) -> None:
        self.most = most = min(most, MOST)
        self._rows = [memoryview(mmap.mmap(-1, WORD * (1 + 2 * most))).cast("q") for _ in range(workers)]

    def clear(self, number: int) -> None:
        """That worker is no more."""
        self._rows[number][0] = 0

    def put(self, number: int, place: int, peer: tuple[str, str]) -> None:
        """Somebody is in that place of a worker's row."""
        row = self._rows[number]
        row[1 + 2 * place], row[2 + 2 * place] = map(hash, peer)

    def count(self, number: int, count: int) -> None:
        """So many places of that row are taken."""
        self._rows[number][0] = count

    def addresses(self) -> list[list[int]]:
        """Of each worker."""
        return [row[1 : 1 + 2 * row[0] : 2].tolist() for row in self._rows]

    def networks(self) -> list[list[int]]:
        """Of each worker."""
        return [row[2 : 2 + 2 * row[0] : 2].tolist() for row in self._rows]

    def __len__(self) -> int:
        """How many are here, of all workers."""
        return sum(row[0] for row in self._rows)
