"""A source of mana as payment sees it: what one activation would make, and which to use first."""

from __future__ import annotations

import msgspec

from server.rules.characteristics import added_mask, added_pool
from server.rules.model import Mana, State

FLOATING, LAND, OTHER, CREATURE, PAINFUL, LAST_RESORT = -1, 0, 1, 2, 3, 4
"""Prices of a source, from the one to use first to the one to use last."""


class Source(msgspec.Struct, frozen=True, gc=False):
    """What one activation can make. A permanent that can be activated once is passed as one source."""

    key: int
    """The caller's name for it; comes back in `Plan.activations`."""
    mask: int
    """The colours to choose one of, `SNOW` if its mana is snow mana, and `GENERIC` if it stands for generic mana but makes none."""
    amount: int = 1
    """How many mana of the one chosen colour."""
    fixed: Mana | None = None
    """What it makes if there is no choice, such as {R}{G}; then `mask` (but for `SNOW`) and `amount` say nothing."""
    price: int = LAND
    """Which to use first: `FLOATING`, `LAND`, `OTHER`, `CREATURE`, `PAINFUL`, `LAST_RESORT` (no mana ability: convoke, delve)."""
    dear: int = 0
    """More colours it can make, but painfully (a land with {C} free and {R} for 1 damage): used for need only."""


def added_source(state: State, seat: int, source: Source) -> Source:
    """The source by what it adds to a player's pool (903.9)."""
    fixed = None if source.fixed is None else added_pool(state, seat, source.fixed)
    mask, dear = added_mask(state, seat, source.mask), added_mask(state, seat, source.dear)
    if (fixed, mask, dear) == (source.fixed, source.mask, source.dear):
        return source
    return msgspec.structs.replace(source, mask=mask, fixed=fixed, dear=dear & ~mask)
