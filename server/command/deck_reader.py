"""The process in which the server reads the decks that people bring: `python -m server.command.deck_reader DATA`.

What a card's text says is found by a grammar, and what people bring may be anything: so it is read where no table waits for it. The
server tells it what was brought, and no more; back come the cards of the deck, or what is wrong with it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from server.command.deck_reading import Brought, read
from server.command.library import open_library
from server.rooms.worker import begin_work


def main(data: str) -> None:
    """Read until there is no more to read."""
    work = begin_work()
    library = open_library(Path(data), following=True)
    while (body := work.next()) is not None:
        try:
            told = msgspec.msgpack.encode(read(msgspec.msgpack.decode(body, type=Brought), library))
        except (MemoryError, RecursionError):
            told = b""
        work.answer(told)


if __name__ == "__main__":
    main(sys.argv[1])
