"""What was called refused though nobody knows whether it counts: it is made not to before anybody goes on with its room.

That is whoever wrote it, and goes on from where it was before; or somebody else, who has yet to read the room. Nobody was shown any of it.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from server.storage import writes
from server.storage.postgresql.appending import Append, Stand
from server.storage.postgresql.tables import Db

#: Under the node's line nobody else raises a fence: a higher one is of an asking that was in doubt itself.
IN_DOUBT = """
UPDATE room SET fence = room.fence + 1 FROM unnest(%s::bigint[], %s::bigint[]) AS asked (no, fence)
WHERE room.no = asked.no AND room.fence >= asked.fence RETURNING room.no, room.fence, room.seq, room.head
"""
UNDONE = (
    "DELETE FROM entry WHERE room = %(no)s AND seq > %(seq)s",
    "DELETE FROM snapshot WHERE room = %(no)s AND seq > %(seq)s",
    "UPDATE room SET seq = %(seq)s, head = %(head)s, finished = finished AND NOT %(ended)s WHERE no = %(no)s",
)
"""What was appended is no more."""

Undo = Callable[[Db, bool], object]
"""Makes what was done undone; told whether the journal's beginning is (`begins`), or its end."""


class Doubts:
    """See the module. Used by the thread that writes; who is in doubt any thread may ask."""

    def __init__(self) -> None:
        self._appended: dict[str, Append] = {}
        """By room, without its lines."""
        self._done: dict[str, list[Undo]] = {}
        """By room beginnings and ends, however often they were tried."""

    def __contains__(self, room: str) -> bool:
        return room in self._appended or room in self._done

    def rooms(self) -> set[str]:
        """Those of which it is not known how far they are."""
        return {*self._appended.copy(), *self._done.copy()}

    def was_written(self, room: str) -> bool:
        """Whether that is so of its entries: what is written now comes after them."""
        return room in self._appended

    def done(self, room: str) -> list[Undo]:
        """What undoes its beginnings and ends in doubt."""
        return self._done.get(room, [])

    def add_appended(self, room: str, one: Append) -> None:
        """That was appended, or not."""
        self._appended[room] = replace(one, lines=[], snapshot=None)

    def add_done(self, room: str, undo: Undo) -> None:
        """It has begun or ended, or not."""
        self._done.setdefault(room, []).append(undo)

    def settle(
        self, db: Db, room: str, given: writes.Append | None, keep: Callable[[str, Stand | None], object]
    ) -> None:
        """Undo it, in a transaction; `keep` is told where the room is then, None: there is none. Whoever appends what is `given` may have
        read it, and thinks the room to be after it: then it stays. None: whoever goes on has not. Raises psycopg.Error.
        """
        for undo in self.done(room):
            undo(db, False)
            if given is None:
                undo(db, True)
        if (doubted := self._appended.get(room)) is not None:
            keep(room, self._settled(db, given, doubted))

    def forget(self, room: str) -> None:
        """It is settled, and that is heard committed."""
        self._appended.pop(room, None)
        self.forget_done(room)

    def forget_done(self, room: str) -> None:
        """The same of beginnings and ends alone."""
        self._done.pop(room, None)

    def _settled(self, db: Db, given: writes.Append | None, doubted: Append) -> Stand | None:
        """Where the room is then; None: there is none."""
        found = db.execute(IN_DOUBT, ([doubted.before.no], [doubted.before.fence])).fetchone()
        now = None if found is None else Stand(*found)
        if now is None or now.head != doubted.after.head or given is not None and not _follows(given, doubted.before):
            return now
        values = {"no": now.no, "seq": doubted.before.seq, "head": doubted.before.head, "ended": doubted.ended}
        for statement in UNDONE:
            db.execute(statement, values)
        return Stand(now.no, now.fence, doubted.before.seq, doubted.before.head)


def _follows(given: writes.Append, where: Stand) -> bool:
    """Whether whoever appends that thinks that the room is there."""
    if given.rows:
        return given.rows[0][0] == where.seq + 1
    return given.snapshot is None or given.snapshot.seq <= where.seq
