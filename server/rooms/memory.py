"""What a room remembers beside the state of its game, as it is kept with a snapshot.

All of it follows from the journal; it is kept so that a restart need not play the whole game again to know it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from server.knowledge.events import Line
from server.rooms.seated import Seated
from server.rooms.seats import Departure
from server.rooms.steps import read_recent, write_recent
from server.rules.model import AnyAnswer
from server.storage import Gap

SeatAnswers: TypeAlias = dict[int, AnyAnswer | None]
"""A seat's last answers by the numbers of their questions, oldest first."""


class Clock(msgspec.Struct, frozen=True, array_like=True):
    """What a running clock shows: the number of the open question, and what it has run, in milliseconds, while its seat was
    there and while it was away.
    """

    question: int
    spent: int
    away: int = 0


class Memory(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """See the module. Fields that are added need defaults: snapshots of earlier versions lack them.

    `inputs` counts what was put into the game; `answers` and `seats` are by seat; `departures` who left the game;
    `taken_back` are the questions, from one to another, whose answers were taken back; `by_hand`: something was done by hand;
    `lines` are the last of the log's `end` lines, of which all saw `common` and each seat its `own` besides.
    """

    inputs: int = 0
    answers: list[SeatAnswers] = []
    seats: list[Seated] = []
    departures: list[Departure] = []
    lines: list[Line] = []
    end: int = 0
    common: int = 0
    own: dict[int, int] = {}
    taken_back: list[tuple[int, int]] = []
    by_hand: bool = False


GAPS = "gap"
"""The kind of the records that say what a room's journal has lost."""


def write_gap(gap: Gap) -> bytes:
    """As JSON."""
    return msgspec.json.encode(gap)


def read_gap(data: bytes) -> Gap:
    """What JSON says. Raises msgspec.MsgspecError."""
    return msgspec.json.decode(data, type=Gap)


def write_clocks(clocks: dict[str, Clock]) -> bytes:
    """The clocks of all rooms, as JSON."""
    return msgspec.json.encode(clocks)


def read_clocks(data: bytes) -> dict[str, Clock]:
    """What JSON says. Raises msgspec.MsgspecError."""
    return msgspec.json.decode(data, type=dict[str, Clock])


_encoder = msgspec.json.Encoder(enc_hook=write_recent)
_decoder = msgspec.json.Decoder(Memory, dec_hook=read_recent)


def write_memory(memory: Memory) -> bytes:
    """As JSON."""
    return _encoder.encode(memory)


def read_memory(data: bytes) -> Memory:
    """What JSON says. Raises msgspec.MsgspecError."""
    return _decoder.decode(data)
