"""The host's desk of a server of several workers: the keeper asks those whom an order is for, and makes one reply of theirs."""

from __future__ import annotations

import msgspec

from server.lobby.desk import (
    AnyReply,
    AnyRequest,
    Broadcast,
    CloseRoom,
    Done,
    Failed,
    Kick,
    ListNodes,
    ListPeople,
    ListRooms,
    MoveRoom,
    PeopleRows,
    Rooms,
)
from server.net.workers.keeper import Keeper

FOR_ALL = (ListRooms, ListPeople, Kick, Broadcast)
"""What every worker does; all else is done by one."""


async def answer_for_all(keeper: Keeper, request: AnyRequest) -> AnyReply:
    """Have done what was asked."""
    if isinstance(request, ListNodes):
        return keeper.nodes()
    of = (
        None
        if isinstance(request, FOR_ALL)
        else keeper.worker_of(request.room if isinstance(request, CloseRoom | MoveRoom) else "")
    )
    said = await keeper.ask("desk", msgspec.json.encode(request), of)
    replies = [msgspec.json.decode(one, type=AnyReply) for one in said]
    if not replies:
        return Failed("no worker is there to do it; try again")
    if isinstance(request, FOR_ALL):
        return _together(replies)
    return replies[0]


def _together(replies: list[AnyReply]) -> AnyReply:
    done = [reply for reply in replies if not isinstance(reply, Failed)] or replies
    match done[0]:
        case Rooms():
            return Rooms(tuple(row for reply in done if isinstance(reply, Rooms) for row in reply.rooms))
        case PeopleRows():
            return PeopleRows(tuple(row for reply in done if isinstance(reply, PeopleRows) for row in reply.people))
        case Done():
            return Done(sum(reply.count for reply in done if isinstance(reply, Done)))
        case _:
            return done[0]
