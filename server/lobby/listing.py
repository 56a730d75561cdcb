"""The list of rooms: filtered, and live for those who ask, as merge patches of what each of them was last told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from protocol import messages as m
from protocol.patch import Tree, diff
from protocol.rooms import RoomSummary
from server.lobby.client import Client

WAITING = 16
"""With more messages than this waiting, a client gets no patch now; the next one says everything."""


class Listing:
    """Who reads the live list, and what each was last told."""

    def __init__(self) -> None:
        self._readers: dict[Client, Reader] = {}

    def ask(self, client: Client, message: m.ListRooms, lines: Sequence[RoomSummary]) -> m.Rooms:
        """The rooms that fit, of those that are in the list; from now on live, if that is asked for."""
        self.forget(client)
        reader = Reader(message)
        shown = reader.look(lines)
        if message.live:
            self._readers[client] = reader
        return m.Rooms(re=message.id, rooms=shown, seq=1 if message.live else 0)

    def forget(self, client: Client) -> None:
        """The client reads no list any more."""
        self._readers.pop(client, None)

    def flush(self, lines: Sequence[RoomSummary]) -> None:
        """Tell every reader what has changed."""
        for client, reader in self._readers.items():
            if client.outbox.waiting <= WAITING:
                patch = reader.patch(lines)
                if patch is not None:
                    client.put(patch)

    @property
    def read(self) -> bool:
        """Whether anybody reads the live list."""
        return bool(self._readers)

    def of(self, client: Client) -> Told | None:
        """What a reader was told, to go on from there in another process; None for who reads no list."""
        reader = self._readers.get(client)
        return None if reader is None else reader.told()

    def go_on(self, client: Client, told: Told) -> None:
        """A reader from another process."""
        self._readers[client] = Reader.again(told)


class Told(msgspec.Struct, frozen=True):
    """What a reader asked for, the number of the last patch, and the list as it is known by it."""

    asked: m.ListRooms
    seq: int
    tree: Tree


class Reader:
    """One reader: its filters, and the list as it knows it."""

    def __init__(self, message: m.ListRooms) -> None:
        self._message = message
        self._tree: Tree = {}
        self._seq = 1

    @classmethod
    def again(cls, told: Told) -> Reader:
        """One that was told so much."""
        reader = cls(told.asked)
        reader._seq, reader._tree = told.seq, told.tree
        return reader

    def told(self) -> Told:
        """What it was told."""
        return Told(self._message, self._seq, self._tree)

    def look(self, lines: Sequence[RoomSummary]) -> list[RoomSummary]:
        """The rooms that fit, remembered as told."""
        shown = self._fitting(lines)
        self._tree = _tree(shown)
        return shown

    def patch(self, lines: Sequence[RoomSummary]) -> m.RoomsPatch | None:
        """What has changed since, remembered as told; None if nothing has."""
        tree = _tree(self._fitting(lines))
        change = diff(self._tree, tree)
        if not change:
            return None
        self._tree = tree
        self._seq += 1
        return m.RoomsPatch(seq=self._seq, patch=change)

    def _fitting(self, lines: Sequence[RoomSummary]) -> list[RoomSummary]:
        return [line for line in lines if fits(self._message, line)]


def fits(wanted: m.ListRooms, line: RoomSummary) -> bool:
    """Whether a room's line passes the filters."""
    if wanted.states and line.state not in wanted.states:
        return False
    if wanted.editions and line.options.edition not in wanted.editions:
        return False
    if wanted.free and (line.state != "gathering" or line.taken >= line.options.seats):
        return False
    text = wanted.text.casefold()
    return not text or text in line.options.title.casefold() or text in line.host.casefold()


def _tree(lines: Iterable[RoomSummary]) -> Tree:
    return {line.id: msgspec.to_builtins(line) for line in lines}
