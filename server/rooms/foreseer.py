"""The process in which it is looked what would come of answers at large tables: `python -m server.rooms.foreseer`."""

from __future__ import annotations

import msgspec

from server import rules
from server.rooms.foresight import Foreseen, Wanted, foresee
from server.rooms.game import RULES
from server.rooms.worker import begin_work
from server.rules.turn import Unreadable


def look(wanted: Wanted) -> Foreseen | None:
    """What would come of it; None if the game cannot be read."""
    try:
        state = rules.snapshot.read(wanted.state, ())
    except Unreadable:
        return None
    return foresee(RULES, state, wanted.seat, wanted.answer)


def main() -> None:
    """Look until there is nothing more to look at."""
    work = begin_work()
    while (body := work.next()) is not None:
        try:
            found = look(msgspec.msgpack.decode(body, type=Wanted))
        except (MemoryError, RecursionError):
            found = None
        work.answer(b"" if found is None else msgspec.msgpack.encode(found))


if __name__ == "__main__":
    main()
