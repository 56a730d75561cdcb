"""Messages about replays: finished games, seen again step by step."""

from msgspec import UNSET, Struct, UnsetType

from protocol.base import Count, RoomId, SeatNumber, Sent, Told
from protocol.patch import Tree
from protocol.view import Event, Face


class Replay(Sent, frozen=True, tag="replay"):
    """Show me a moment of a finished game in which I had a seat. Reply: `replay`.

    `step` 0 is the deal, each later one an input of the game; a step beyond the last is the last. `seat` says from where:
    any seat, since the game is over; absent: as a spectator saw it.
    """

    room: RoomId
    step: Count = 0
    seat: SeatNumber | UnsetType = UNSET


class ListReplays(Sent, frozen=True, tag="replays"):
    """Which finished games may I see? Reply: `replays`."""


class FinishedGame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished game that you may see: `created` in seconds since 1970, `names` by seat. `mine`: you had a seat in it; `published`:
    you have said `publish`; `open`: so has everybody who had a seat.
    """

    room: str
    title: str = ""
    created: int = 0
    edition: str = ""
    names: list[str] = []
    mine: bool = False
    published: bool = False
    open: bool = False


class Replays(Told, frozen=True, tag="replays"):
    """Finished games that you may see, the latest first; older ones than the latest hundred are left out."""

    games: list[FinishedGame] = []


class ReplayMoment(Told, frozen=True, tag="replay"):
    """A moment of a finished game: the whole view, and the events that led there from the step before.

    `last` is the number of the last step; `turns` are the steps with which turns begin, the first turn first.
    """

    room: str
    step: int
    last: int
    view: Tree
    turns: list[int] = []
    seat: int | UnsetType = UNSET
    faces: dict[str, Face] = {}
    events: list[Event] = []
