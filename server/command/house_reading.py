"""The house set for a server, read in a process that ends then: `python -m server.command.house_reading` writes it to standard output.

The grammar that reads printed text takes a hundred megabytes; trees of cards take one. What people bring is read in a process, too
(`deck_reader`), so that the server has no use for the grammar.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import msgspec

from server.oracle import house
from server.rooms.worker import PYTHON_NEEDS
from server.rules.model import encode_card
from server.storage.encoding import read_card

log = logging.getLogger("apnap.command")

Row = tuple[str, bytes]
"""A card's plain name, and the card as journals have it."""


class HouseReading:
    """A process that reads the house set while the server begins."""

    def __init__(self) -> None:
        environment = {name: os.environ[name] for name in PYTHON_NEEDS if name in os.environ}
        self._process: subprocess.Popen[bytes] | None = None
        try:
            words = [sys.executable, "-m", "server.command.house_reading"]
            self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        except OSError as fault:
            log.warning("no process reads the house set: %s", fault)

    def finish(self) -> None:
        """The house set is that. Where the process could not read it, this one will, as cards are asked for; a fault shows then."""
        if self._process is None:
            return
        data, _ = self._process.communicate()
        if self._process.returncode == 0:
            take_up(data)
        else:
            log.warning("the process that reads the house set ended with %d", self._process.returncode)


def written() -> bytes:
    """The house set, read here."""
    return msgspec.msgpack.encode([(name, encode_card(card)) for name, card in house.by_plain_name().items()])


def take_up(data: bytes) -> None:
    """Take the house set as it was `written`."""
    house.take_up({name: read_card(card) for name, card in msgspec.msgpack.decode(data, type=list[Row])})


if __name__ == "__main__":
    sys.stdout.buffer.write(written())
