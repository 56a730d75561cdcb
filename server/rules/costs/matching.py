"""Which mana pays which part of a demand: a greatest matching by augmenting paths (117)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from server.rules.costs.source import PAINFUL, Source


class Unit(msgspec.Struct):
    """Something to pay with while a plan is made: `count` mana that each can be of any colour in `mask`.

    Not frozen: it lives inside one call, and its mask becomes `widest` when there is no cheaper way.
    """

    mask: int
    count: int
    widest: int = 0
    source: Source | None = None


class _Matching:
    """A matching as it grows. A unit that has come in is never put out again, only moved by the augmenting paths of later ones,
    so earlier units are used in preference to later ones wherever that is possible at all."""

    def __init__(self, units: Sequence[Unit], masks: tuple[int, ...], counts: tuple[int, ...]) -> None:
        self.units = units
        self.masks = masks
        self.need = list(counts)
        self.held: list[dict[int, int]] = [{} for _ in masks]
        self.missing = sum(counts)

    def bring(self, index: int) -> None:
        """Place as many mana of the unit as find a place."""
        unit = self.units[index]
        count = unit.count
        need, held = self.need, self.held
        for part, mask in enumerate(self.masks):
            if need[part] and unit.mask & mask:
                take = min(count, need[part])
                need[part] -= take
                held[part][index] = held[part].get(index, 0) + take
                count -= take
                if not count:
                    break
        while count and any(need) and not self._augment(index, 0):
            count -= 1
        self.missing -= unit.count - count
        unit.count = count

    def _augment(self, index: int, seen: int) -> int:
        """Place one mana of the unit, moving others if need be. 0 if it was placed, else the parts now seen."""
        mask = self.units[index].mask
        for part, wanted in enumerate(self.masks):
            if self.need[part] and mask & wanted:
                self.need[part] -= 1
                self.held[part][index] = self.held[part].get(index, 0) + 1
                return 0
        for part, wanted in enumerate(self.masks):
            if mask & wanted and not seen >> part & 1:
                seen |= 1 << part
                for other in list(self.held[part]):
                    if other == index:
                        continue
                    after = self._augment(other, seen)
                    if not after:
                        _move(self.held[part], other, index)
                        return 0
                    seen = after
        return seen or 1 << len(self.masks)


def match(units: Sequence[Unit], masks: tuple[int, ...], counts: tuple[int, ...]) -> list[dict[int, int]] | None:
    """Which units pay which part of a demand for `counts[i]` mana of `masks[i]` each: for each part, {unit: how many mana}; None
    if they cannot. Painful units come last, and wider masks only when nothing else is left."""
    found = _Matching(units, masks, counts)
    late: list[int] = []
    for index, unit in enumerate(units):
        if not found.missing:
            break
        if unit.source is not None and unit.source.price >= PAINFUL:
            late.append(index)
            continue
        found.bring(index)
    for index, unit in enumerate(units):
        if not found.missing:
            break
        if unit.widest:
            unit.mask = unit.widest
            for other in [index, *range(len(units))]:
                if found.missing and units[other].count and (other not in late or other == index):
                    found.bring(other)
    for index in late:
        if found.missing and units[index].count:
            found.bring(index)
    return None if found.missing else found.held


def _move(holders: dict[int, int], leaves: int, comes: int) -> None:
    """One mana of a part is paid by another unit."""
    if holders[leaves] == 1:
        del holders[leaves]
    else:
        holders[leaves] -= 1
    holders[comes] = holders.get(comes, 0) + 1
