"""What a scenario may say must hold: the checks of `expect` and of script lines, each a struct with its fields.

Knows nothing of a game; `checking` says what each of them asks of one.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Check(msgspec.Struct, tag_field="check", frozen=True, forbid_unknown_fields=True):
    """The common base."""


class Life(Check, tag="life", frozen=True):
    """A player's life total."""

    player: str
    value: int


class PermanentCount(Check, tag="permanent_count", frozen=True):
    """How many permanents of a name (any) a player controls."""

    count: int
    player: str | None = None
    name: str | None = None


class HandCount(PermanentCount, tag="hand_count", frozen=True):
    """Cards in hands."""


class GraveyardCount(PermanentCount, tag="graveyard_count", frozen=True):
    """Cards in graveyards."""


class ExileCount(PermanentCount, tag="exile_count", frozen=True):
    """Exiled cards."""


class LibraryCount(PermanentCount, tag="library_count", frozen=True):
    """Cards in libraries."""


class CommandZoneCount(PermanentCount, tag="command_zone_count", frozen=True):
    """Cards in the command zone; emblems and designations are none."""


class PowerToughness(Check, tag="power_toughness", frozen=True):
    """A permanent's power and toughness; 0/0 holds of what is no creature (107.2)."""

    name: str
    power: int
    toughness: int
    player: str | None = None
    scope: Literal["any", "all"] = "any"


class CounterCount(Check, tag="counter_count", frozen=True):
    """Counters on a permanent, or a player's own if there is no name."""

    counter: str
    count: int
    player: str | None = None
    name: str | None = None


class HasAbility(Check, tag="ability", frozen=True):
    """A permanent's keyword, or with `count` that of so many."""

    name: str
    ability: str
    has: bool = True
    player: str | None = None
    count: int | None = None


class Tapped(Check, tag="tapped", frozen=True):
    """All of that name are tapped, or untapped."""

    name: str
    tapped: bool


class TappedCount(Check, tag="tapped_count", frozen=True):
    """How many of that name are tapped, or untapped."""

    name: str
    tapped: bool
    count: int
    player: str | None = None


class HasType(Check, tag="type", frozen=True):
    """A permanent's type (and subtype)."""

    name: str
    type: str
    subtype: str | None = None
    has: bool = True


class HasSubtype(Check, tag="subtype", frozen=True):
    """A permanent's subtype."""

    name: str
    subtype: str
    has: bool = True


class HasColor(Check, tag="color", frozen=True):
    """A permanent's colours: all of these, or none of them."""

    name: str
    colors: tuple[str, ...]
    has: bool = True
    player: str | None = None


class AttachedTo(Check, tag="attached_to", frozen=True):
    """Whether an attachment is on a permanent that the player controls."""

    player: str
    attachment: str
    permanent: str
    attached: bool = True


class DamageReceived(Check, tag="damage_received", frozen=True):
    """Damage marked on a permanent."""

    name: str
    damage: int
    player: str | None = None


class TokenCount(Check, tag="token_count", frozen=True):
    """Tokens of a name."""

    name: str
    count: int
    player: str | None = None


class EmblemCount(Check, tag="emblem_count", frozen=True):
    """A player's emblems."""

    player: str
    count: int


class ManaPool(Check, tag="mana_pool", frozen=True):
    """Mana of a colour in a pool."""

    player: str
    mana: str
    count: int


class StackSize(Check, tag="stack_size", frozen=True):
    """Objects on the stack."""

    count: int


class Attacking(Check, tag="attackers", frozen=True):
    """The creatures that a player attacks with."""

    player: str
    names: tuple[str, ...]


class Blocking(Check, tag="blockers", frozen=True):
    """The creatures that a player blocks with."""

    player: str
    names: tuple[str, ...]


class Won(Check, tag="won", frozen=True):
    """The player has won."""

    player: str


class Lost(Check, tag="lost", frozen=True):
    """The player has lost, or is still in the game and has not."""

    player: str
    lost: bool = True


class Decides(Check, tag="decides", frozen=True):
    """`by` makes the choices and decisions of the player `whose` now: that player, or who controls them (712.5)."""

    whose: str
    by: str


class Happened(Check, tag="event", frozen=True):
    """The log holds an event of that kind with these parts; `count` that many."""

    kind: str
    fields: dict[str, Any] = {}


class Playable(Check, tag="playable_ability", frozen=True):
    """Whether the player could begin this now, and pay for it."""

    player: str
    ability: str
    playable: bool


CHECKS: dict[str, type[Check]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        Life, PermanentCount, HandCount, GraveyardCount, ExileCount, LibraryCount, CommandZoneCount, PowerToughness,
        CounterCount, HasAbility, Tapped, TappedCount, HasType, HasSubtype, HasColor, AttachedTo, DamageReceived,
        TokenCount, EmblemCount, ManaPool, StackSize, Attacking, Blocking, Won, Lost, Decides, Happened, Playable,
    )
}  # fmt: skip


def speaks_of_player(kind: object) -> bool:
    """Whether a script line's `player` also says whose things a check of that kind means."""
    made = CHECKS.get(kind) if isinstance(kind, str) else None
    return made is not None and "player" in made.__struct_fields__ and kind not in ("exile_count", "stack_size")
