"""Mana of a colour outside the colour identity of a player's commanders, for which colourless mana is added (903.9)."""

from __future__ import annotations

from typing import cast

from server.cards.forms import Card
from server.cards.loading import color_identity, cost_colors, has_color_to_choose
from server.rules.characteristics.modifications import COLOR_LETTERS
from server.rules.model import Object, Pool, State

ALL, COLORLESS = 0b111111, 0b100000
_COLORS = "WUBRG"


def identity(state: State, seat: int) -> int | None:
    """The colours of the colour identities of a player's commanders, by the cards as they were when the game began (current 903.4a),
    in an edition those of their mana costs alone (2009 903.8); None of a player who has no commander."""
    key = ("color identity", seat)
    if key not in state.memo:
        leading = [o for o in state.objects.values() if o.commander and o.owner == seat]
        colors = cost_colors if state.edition.identity_of_cost else color_identity
        letters = {letter for o in leading for letter in colors(_card(o))}
        letters |= {COLOR_LETTERS[word] for o in leading for what, word in o.chosen if _is_of_identity(o, what)}
        found = sum(1 << _COLORS.index(letter) for letter in letters) if leading else None
        # 715.2c: a commander that was elsewhere has stayed in the main game, and leads the same deck in this one.
        state.memo[key] = identity(state.main, seat) if found is None and state.main is not None else found
    return cast("int | None", state.memo[key])


def _is_of_identity(leading: Object, what: str) -> bool:
    """Whether what was chosen for a commander is of its color identity (current 903.4b)."""
    return what == "color" and has_color_to_choose(_card(leading))


def _card(leading: Object) -> Card:
    """The card of a commander, also where it is merged with others."""
    own = next((part.definition for part in leading.merged if part.commander), leading.printed or leading.definition)
    return own.card


def _outside(state: State, seat: int) -> int:
    """The colours of which no mana is added to a player's pool."""
    if not state.edition.mana_of_identity or not state.options.led:
        return 0
    own = identity(state, seat)
    return 0 if own is None else ALL & ~COLORLESS & ~own


def added_pool(state: State, seat: int, pool: Pool) -> Pool:
    """What is added to a player's pool where this mana would be."""
    outside = _outside(state, seat)
    strange = sum(n for i, n in enumerate(pool) if outside >> i & 1)
    if not strange:
        return pool
    kept = [0 if outside >> i & 1 else n for i, n in enumerate(pool)]
    return cast(Pool, (*kept[:5], kept[5] + strange))


def added_mask(state: State, seat: int, mask: int) -> int:
    """What one can have added by a choice among these colours; other bits of the mask stay."""
    outside = _outside(state, seat) & mask
    return mask & ~outside | COLORLESS if outside else mask
