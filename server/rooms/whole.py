"""A lock of a room, half the steps of trio's: it is taken with every answer, mostly by who need not wait."""

from __future__ import annotations

import trio


class Whole:
    """A lock. Who need not wait loses no turn of the event loop, which beside busy tables is a slice of theirs; those who wait get it
    one after the other.
    """

    __slots__ = ("_held", "_lot")

    def __init__(self) -> None:
        self._held = False
        self._lot = trio.lowlevel.ParkingLot()

    async def __aenter__(self) -> None:
        if self._held:
            await self._lot.park()  # whoever leaves it hands it over
        self._held = True

    async def __aexit__(self, *_: object) -> None:
        self._held = bool(self._lot) and bool(self._lot.unpark())
