"""What was put to the table before its game was taken up anew, by another process of the server or after a restart."""

from __future__ import annotations

import trio

from protocol import messages as m
from server.rooms.ballots import BIRTH, Names
from server.storage import MemoryStorage
from tests.rooms.tables import Client, running
from tests.rooms.test_recover import begun, taken_up
from tests.rooms.test_takebacks import ask


async def put_to_the_vote(
    nursery: trio.Nursery, storage: MemoryStorage, message: m.ClientMessage
) -> tuple[str, list[Client]]:
    """A game is taken up, and its first seat asks for that; the vote's name."""
    clients = await running(nursery, await taken_up(storage))
    await ask(clients[0], clients, message)
    return [one.vote for one in clients[1].got if isinstance(one, m.Vote)][-1], clients


async def test_a_yes_to_what_was_asked_before_counts_for_nothing_that_is_asked_now() -> None:
    storage = MemoryStorage()
    await begun(storage, 5)
    async with trio.open_nursery() as nursery:
        before, _ = await put_to_the_vote(nursery, storage, m.Pause(id="p", ms=60_000))
        nursery.cancel_scope.cancel()
    async with trio.open_nursery() as nursery:
        now, clients = await put_to_the_vote(nursery, storage, m.EndGame(id="e"))
        reply = await ask(clients[1], clients, m.Consent(id="y", vote=before))
        assert isinstance(reply, m.Refused) and reply.code == "no_vote"
        assert now != before
        nursery.cancel_scope.cancel()


def test_names_of_later_starts_are_later() -> None:
    names, found = Names("v"), list[str]()
    for moment in (0, BIRTH, BIRTH + 1, BIRTH + 2):
        names.taken_up(moment)
        found += [names.next() for _ in range(3)]
    assert len(set(found)) == len(found)
    assert found[0] == "v1"
