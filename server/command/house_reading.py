"""The house set for a server, read in a process that ends then: `python -m server.command.house_reading` writes it to standard output.

The grammar that reads printed text takes a hundred megabytes; trees of cards take one. What people bring is read in a process, too
(`deck_reader`), so that the server has no use for the grammar. Reading takes four seconds of a core, so that what was read is kept
beside the user's other caches until the cards, what reads them or Python are others.
"""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import msgspec

from server.command.data import cache_folder
from server.oracle import house
from server.rooms.game import reader_version
from server.rooms.worker import PYTHON_NEEDS
from server.rules.model import encode_card
from server.storage.encoding import read_card
from server.storage.errors import Damaged

log = logging.getLogger("apnap.command")

Row = tuple[str, bytes]
"""A card's plain name, and the card as journals have it."""

KEPT = 4
"""So many readings are kept, of several versions beside each other."""


class HouseReading:
    """What was read is taken from where it is kept; else a process reads the house set while the server begins."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._kept = _place()
        if self._kept is not None and _take_up_kept(self._kept):
            return
        environment = {name: os.environ[name] for name in PYTHON_NEEDS if name in os.environ}
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
            if self._kept is not None:
                _keep(data, self._kept)
        else:
            log.warning("the process that reads the house set ended with %d", self._process.returncode)


def _place() -> Path | None:
    """Where this reading is kept: its name says what it comes from. None where the user has no home."""
    digest = hashlib.sha256(f"{reader_version()} {sys.version} {msgspec.__version__}".encode())
    for path in sorted(house.DATA.glob("*.toml")):
        digest.update(path.read_bytes())
    with suppress(RuntimeError):
        return cache_folder() / f"house-{digest.hexdigest()[:32]}"
    return None


def _take_up_kept(place: Path) -> bool:
    """Whether it was there, and whole."""
    try:
        data = place.read_bytes()
        take_up(data)
    except FileNotFoundError:
        return False
    except (OSError, msgspec.MsgspecError, Damaged) as fault:
        log.warning("the house set as it was kept cannot be read: %s", fault)
        return False
    with suppress(OSError):  # it may be another user's, who only lets it be read
        os.utime(place)  # the one that was of use last goes last
    return True


def _keep(data: bytes, place: Path) -> None:
    """Keep it there whole or not at all; a place where nothing can be written only costs the next start its time."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix="house-", delete=False) as file:
            file.write(data)
        os.replace(file.name, place)
        rest = sorted(place.parent.glob("house-*"), key=lambda path: path.stat().st_mtime)[:-KEPT]
        for old in rest:
            old.unlink()
    except OSError as fault:
        log.info("the house set as it was read is not kept: %s", fault)


def written() -> bytes:
    """The house set, read here."""
    return msgspec.msgpack.encode([(name, encode_card(card)) for name, card in house.by_plain_name().items()])


def take_up(data: bytes) -> None:
    """Take the house set as it was `written`."""
    house.take_up({name: read_card(card) for name, card in msgspec.msgpack.decode(data, type=list[Row])})


if __name__ == "__main__":
    sys.stdout.buffer.write(written())
