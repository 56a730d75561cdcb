"""What all messages are made of: the two bases, and the types of their fields."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
RoomId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
Token: TypeAlias = Annotated[str, Meta(max_length=128)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
SeatKey: TypeAlias = Annotated[str, Meta(pattern="^[0-9]$")]
"""A seat as the key of a map."""
Ticket: TypeAlias = Annotated[str, Meta(max_length=64)]
"""What `moved` brings; it is of use once, and soon."""
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""Whole numbers that every JSON reader keeps exactly."""
BotLevel: TypeAlias = Annotated[str, Meta(max_length=32)]
Step: TypeAlias = Literal[
    "untap",
    "upkeep",
    "draw",
    "precombat_main",
    "beginning_of_combat",
    "declare_attackers",
    "declare_blockers",
    "first_strike_damage",
    "combat_damage",
    "end_of_combat",
    "postcombat_main",
    "end",
    "cleanup",
]


class Sent(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of what clients send."""

    id: Id


class Told(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of what the server sends. `re` is the id of the message this replies to, absent when it replies to none."""

    re: str = ""
