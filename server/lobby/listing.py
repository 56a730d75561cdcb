"""The list of rooms: filtered, and live for those who ask, as merge patches of what each of them was last told."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from protocol import messages as m
from protocol.patch import Tree, diff
from protocol.rooms import RoomSummary
from server.lobby.client import Client
from server.lobby.table import Table

WAITING = 16
"""With more messages than this waiting, a client gets no patch now; the next one says everything."""


class Listing:
    """Who reads the live list, and what each was last told."""

    def __init__(self) -> None:
        self._readers: dict[Client, Reader] = {}

    def ask(self, client: Client, message: m.ListRooms, tables: Iterable[Table]) -> m.Rooms:
        """The rooms that fit; from now on live, if that is asked for."""
        self.forget(client)
        reader = Reader(message)
        shown = reader.look(tables)
        if message.live:
            self._readers[client] = reader
        return m.Rooms(re=message.id, rooms=shown, seq=1 if message.live else 0)

    def forget(self, client: Client) -> None:
        """The client reads no list any more."""
        self._readers.pop(client, None)

    def flush(self, tables: Iterable[Table]) -> None:
        """Tell every reader what has changed."""
        if self._readers:
            known = list(tables)
            for client, reader in self._readers.items():
                if client.outbox.waiting <= WAITING:
                    patch = reader.patch(known)
                    if patch is not None:
                        client.put(patch)


class Reader:
    """One reader: its filters, and the list as it knows it."""

    def __init__(self, message: m.ListRooms) -> None:
        self._message = message
        self._tree: Tree = {}
        self._seq = 1

    def look(self, tables: Iterable[Table]) -> list[RoomSummary]:
        """The rooms that fit, remembered as told."""
        shown = self._fitting(tables)
        self._tree = _tree(shown)
        return shown

    def patch(self, tables: Iterable[Table]) -> m.RoomsPatch | None:
        """What has changed since, remembered as told; None if nothing has."""
        tree = _tree(self._fitting(tables))
        change = diff(self._tree, tree)
        if not change:
            return None
        self._tree = tree
        self._seq += 1
        return m.RoomsPatch(seq=self._seq, patch=change)

    def _fitting(self, tables: Iterable[Table]) -> list[RoomSummary]:
        lines = (table.summary() for table in tables if not table.options.private)
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
